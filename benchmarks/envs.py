"""Steps per second of AEC environments, each in the same loop through `last()`, as its users get it.

    python -m benchmarks.envs                  # about a minute
    python -m benchmarks.envs --rounds 1 --seconds 0.2

Two columns. `sampled`: actions come from `action_space(agent).sample(mask)`, the loop of PettingZoo's documentation;
that call alone costs more than our whole step. `picked`: a cheap choice among the mask's ones, the same for all. Rounds
go through all environments in turn, so that a busy machine slows all of them; figures are medians over rounds. The last
line is JSON; its `ratio` is ours over PettingZoo's connect four in the sampled loop, the median of the rounds' ratios.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from benchmarks.common import finish
from euchre_env import euchre_v0

OURS, RIVAL = "euchre_v0.env()", "PettingZoo connect_four_v3"


def connect_four() -> Any:
    """Return PettingZoo's connect four as its module gives it, in its three wrappers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import connect_four_v3

    return connect_four_v3.env()


def shimmy_euchre() -> Any:
    """Return OpenSpiel's euchre as Shimmy gives it: one hand an episode."""
    from shimmy import OpenSpielCompatibilityV0

    return OpenSpielCompatibilityV0(game_name="euchre")


ENVIRONMENTS: dict[str, Callable[[], Any]] = {
    RIVAL: connect_four,
    OURS: euchre_v0.env,
    "euchre_v0.env(episode='hand')": partial(euchre_v0.env, episode="hand"),
    "euchre_v0.env(canonical_suits=True)": partial(euchre_v0.env, canonical_suits=True),
    "euchre_v0.raw_env()": euchre_v0.raw_env,
    "Shimmy OpenSpiel euchre": shimmy_euchre,
}


def steps_per_second(env: Any, seconds: float, sampled: bool, seed: int) -> float:
    """Return the speed of random legal play, resets and the steps of finished agents included."""
    rng = np.random.default_rng(seed)
    steps = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        env.reset(seed=seed + steps)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                action = None
            else:
                mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
                if sampled:
                    action = env.action_space(agent).sample(mask)
                else:
                    legal = mask.nonzero()[0]
                    action = int(legal[int(rng.random() * len(legal))])
            env.step(action)
            steps += 1
    return steps / spent


def measure(rounds: int, seconds: float) -> dict[str, dict[str, list[float]]]:
    """Return the speeds of every environment, by loop and round."""
    envs = {name: make() for name, make in ENVIRONMENTS.items()}
    for env in envs.values():
        steps_per_second(env, 0.05, sampled=True, seed=0)
    speeds: dict[str, dict[str, list[float]]] = {name: {"sampled": [], "picked": []} for name in envs}
    for number in range(rounds):
        for loop in ("sampled", "picked"):
            for name, env in envs.items():
                speeds[name][loop].append(steps_per_second(env, seconds, loop == "sampled", seed=number))
    return speeds


def ratio(speeds: dict[str, dict[str, list[float]]], loop: str, rival: str = RIVAL) -> float:
    """Return how many times as fast ours is, the median of the rounds."""
    pairs = zip(speeds[OURS][loop], speeds[rival][loop], strict=True)
    return round(median(ours / theirs for ours, theirs in pairs), 2)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="repeats, of which medians are shown")
    parser.add_argument("--seconds", type=float, default=0.8, help="time for each environment, loop and round")
    args = parser.parse_args()
    speeds = measure(args.rounds, args.seconds)
    print(f"{'steps per second':38s} {'sampled':>9s} {'picked':>9s}")
    for name, loops in speeds.items():
        print(f"{name:38s} {median(loops['sampled']):9,.0f} {median(loops['picked']):9,.0f}")
    figures = {
        "ratio": ratio(speeds, "sampled"),
        "ratio_picked": ratio(speeds, "picked"),
        "ratio_shimmy": ratio(speeds, "sampled", "Shimmy OpenSpiel euchre"),
        "steps_per_s": round(median(speeds[OURS]["sampled"])),
        "steps_per_s_picked": round(median(speeds[OURS]["picked"])),
    }
    finish("envs", figures)


if __name__ == "__main__":
    main()
