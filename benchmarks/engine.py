"""Random play on `open_spiel`: decisions a second of GameBatch against OpenSpiel's euchre driven from Python.

    python -m benchmarks.engine

One thread. Ours goes through the public `GameBatch.step`; dealing, scoring and choosing random legal actions are
included; the observation is the default one, which `tests/properties` shows to lose nothing. OpenSpiel samples
chance and actions by `legal_actions()`; with the observation it fills its information-state tensor and legal mask at
every decision. Only players' decisions count on both sides. The sides run in turn; ratios are medians over the repeats.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel

from benchmarks.common import finish, in_turn, median_ratio
from euchre_env.batch import GameBatch
from euchre_env.policies.random import sample, seed_rows

TABLES = 4096
SCALING = (64, 256, 1024, 4096, 16384)


def play_batch(tables: int, observe: bool, seconds: float) -> float:
    """Return decisions a second of random play on `tables` tables."""
    batch = GameBatch("open_spiel", tables, seed=0, observe=observe)
    rng_state = seed_rows(np.random.default_rng(0), tables)
    actions = np.zeros(tables, dtype=np.int64)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(max(1, 16384 // tables)):
            sample(batch.legal, rng_state, actions)
            batch.step(actions)
            steps += 1
    return steps * tables / (time.perf_counter() - start)


def play_open_spiel(observe: bool, seconds: float) -> float:
    """Return decisions a second of random play through OpenSpiel's Python interface."""
    game = pyspiel.load_game("euchre")
    uniform = random.Random(0).random
    decisions, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                decisions += 1
                if observe:
                    state.information_state_tensor()
                    state.legal_actions_mask()
            state.apply_action(legal[int(uniform() * len(legal))])
    return decisions / (time.perf_counter() - start)


def compare(observe: bool, repeats: int, seconds: float) -> tuple[float, float, float]:
    """Return our and OpenSpiel's median decisions a second and the median of the paired ratios."""
    sides: list[Callable[[], float]] = [
        lambda: play_batch(TABLES, observe, seconds),
        lambda: play_open_spiel(observe, seconds),
    ]
    ours, theirs = in_turn(repeats, *sides)
    return statistics.median(ours), statistics.median(theirs), median_ratio(ours, theirs)


def scaling(repeats: int, seconds: float) -> dict[int, float]:
    """Return observed decisions a second by number of tables."""
    measures: list[Callable[[], float]] = [lambda n=n: play_batch(n, True, seconds) for n in SCALING]  # type: ignore[misc]
    columns = in_turn(repeats, *measures)
    return {n: statistics.median(column) for n, column in zip(SCALING, columns, strict=True)}


def main() -> None:
    """Run the three comparisons and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7, help="paired repeats, whose median is printed")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one measurement")
    args = parser.parse_args()
    play_batch(TABLES, True, 0.1)  # compile
    figures: dict[str, object] = {}
    for name, observe in (("observed", True), ("bare", False)):
        ours, theirs, ratio = compare(observe, args.repeats, args.seconds)
        print(f"{name:>9}: {ours / 1e6:6.2f} M decisions/s, OpenSpiel {theirs / 1e3:6.1f} k, ratio {ratio:.0f}")
        figures |= {
            f"{name}_per_s": round(ours),
            f"openspiel_{name}_per_s": round(theirs),
            f"ratio_{name}": round(ratio, 1),
        }
    speeds = scaling(args.repeats, args.seconds / 2)
    for tables, speed in speeds.items():
        print(f"{tables:>9} tables: {speed / 1e6:6.2f} M decisions/s")
    figures["scaling"] = {str(tables): round(speed) for tables, speed in speeds.items()}
    figures["scaling_spread"] = round(max(speeds.values()) / min(speeds.values()), 2)
    finish("engine", figures)


if __name__ == "__main__":
    main()
