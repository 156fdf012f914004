"""Our environments beside those of Shimmy and RLCard: the table of docs/plugins.md.

    python -m benchmarks.peers                 # a minute and a half
    python -m benchmarks.peers --rounds 1 --seconds 0.2

Random legal play in each one's own way of stepping, all in one process on one thread; a decision is one action of a
seat that has one. RLCard has no Euchre: bridge, its game of calls, partners and tricks, stands for it. It is no
dependency of ours (`pip install rlcard==1.2.0`): where it is missing its row says so. The last line is JSON.
"""

import argparse
import contextlib
import io
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from benchmarks.common import finish
from benchmarks.envs import shimmy_euchre, steps_per_second
from euchre_env import euchre_v0
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from euchre_env.envs.single_agent import EuchreSeatEnv
from euchre_env.envs.vector import EuchreVectorEnv

Measure = Callable[[float, int], float]
TABLES = 1024


def turn_by_turn(make: Callable[[], Any]) -> Measure:
    """Return the speed of a PettingZoo environment in the loop of `benchmarks.envs`."""
    env = make()
    return lambda seconds, seed: steps_per_second(env, seconds, False, seed)


def rlcard_bridge() -> Measure:
    """Return the speed of RLCard's bridge, stepped by its own `reset` and `step`, states and masks included."""
    import rlcard  # type: ignore[import-not-found, unused-ignore]

    def speed(seconds: float, seed: int) -> float:
        env, rng, steps, start = (
            rlcard.make("bridge", config={"seed": seed}),
            np.random.default_rng(seed),
            0,
            time.perf_counter(),
        )
        state, _ = env.reset()
        while (spent := time.perf_counter() - start) < seconds:
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            steps += 1
            if env.is_over():
                state, _ = env.reset()
        return steps / spent

    return speed


def single_seat() -> Measure:
    """Return the speed of one seat against random players: steps of that seat."""
    env = EuchreSeatEnv("tournament", episode="hand", opponents="random", partner="random")

    def speed(seconds: float, seed: int) -> float:
        rng, steps, start = np.random.default_rng(seed), 0, time.perf_counter()
        _, info = env.reset(seed=seed)
        while (spent := time.perf_counter() - start) < seconds:
            legal = info["action_mask"].nonzero()[0]
            _, _, terminated, truncated, info = env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
            if terminated or truncated:
                _, info = env.reset()
        return steps / spent

    return speed


def many_tables(make: Callable[[], Any]) -> Measure:
    """Return the speed of a batched environment."""
    envs = make()

    def speed(seconds: float, seed: int) -> float:
        rng, steps = np.random.default_rng(seed), 0
        seen, _ = envs.reset(seed=seed)
        noise, start = rng.random(seen["action_mask"].shape, dtype=np.float32), time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            seen, *_ = envs.step((seen["action_mask"] * noise).argmax(axis=1))
            steps += envs.num_envs
        return steps / spent

    return speed


HANDS: dict[str, Any] = {"episode": "hand"}
COMPANY: dict[str, Any] = {"opponents": "random", "partner": "random"}
ENVIRONMENTS: dict[str, Callable[[], Measure]] = {
    "Shimmy, OpenSpiel's euchre (AEC)": partial(turn_by_turn, shimmy_euchre),
    "RLCard, bridge": rlcard_bridge,
    "euchre_v0.env (AEC)": partial(turn_by_turn, partial(euchre_v0.env, "tournament", **HANDS)),
    "Euchre-v0, one seat": single_seat,
    f"Euchre-v0, one seat, {TABLES:,} tables": partial(
        many_tables, partial(EuchreSeatVectorEnv, "tournament", num_envs=TABLES, **HANDS, **COMPANY)
    ),
    f"EuchreVectorEnv, {TABLES:,} tables": partial(
        many_tables, partial(EuchreVectorEnv, "tournament", num_envs=TABLES, **HANDS)
    ),
}


def passes_seed_test(make: Callable[[], Any]) -> bool:
    """Whether PettingZoo's seed_test finds the same seed to give the same episode."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        from pettingzoo.test import seed_test

        try:
            seed_test(make, num_cycles=50)
        except AssertionError:
            return False
    return True


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="repeats, of which medians are shown")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each environment and round")
    args = parser.parse_args()
    names = [name for name in ENVIRONMENTS if not name.startswith("RLCard") or find_spec("rlcard")]
    measures = {name: ENVIRONMENTS[name]() for name in names}
    speeds: dict[str, list[float]] = {name: [] for name in names}
    for measure in measures.values():
        measure(0.05, 0)
    for number in range(args.rounds):
        for name, measure in measures.items():
            speeds[name].append(measure(args.seconds, number))
    print(f"{'decisions per second':38s}")
    for name in ENVIRONMENTS:
        print(f"{name:38s} {median(speeds[name]):12,.0f}" if name in speeds else f"{name:38s} not installed")
    figures = {name: round(median(values)) for name, values in speeds.items()}
    seeds = {"shimmy": passes_seed_test(shimmy_euchre), "euchre_v0": passes_seed_test(partial(euchre_v0.env, **HANDS))}
    finish("peers", {"decisions_per_s": figures, "passes_seed_test": seeds})


if __name__ == "__main__":
    main()
