"""Drawing worlds: microseconds a world at the first lead of `tournament`, counting the ways included.

    python -m benchmarks.worlds

One thread. A call of the compiled `worlds.draw` counts the ways that the cards may lie and draws `--worlds` of them;
the views are first leads after random bidding. The printed figure is the median time of a call, by the worlds drawn;
beside it the time of the counting alone, and both figures later in the hand and in other games.
"""

import argparse
import statistics
import time

import numpy as np
import numpy.typing as npt

from benchmarks.common import finish
from euchre_env import rulesets, worlds
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import STATE, Phase
from euchre_env.policies.random import sample, seed_rows

GAMES = ("tournament", "north_american", "bicycle32", "railroad", "cincinnati", "ghost_hand", "three_handed")


def positions(ruleset: str, number: int, tricks: int, seed: int) -> npt.NDArray[np.void]:
    """Return what the leader knows at so many tables, after so many tricks of random play, [number] STATE."""
    batch = GameBatch(ruleset, 4 * number, seed=seed, observe=False)
    rng_state = seed_rows(np.random.default_rng(seed), batch.num_tables)
    actions = np.zeros(batch.num_tables, dtype=np.int64)
    found: list[npt.NDArray[np.void]] = []
    while sum(map(len, found)) < number:
        s = batch.states
        leads = (s["phase"] == Phase.PLAY) & (s["trick"] == tricks) & (s["in_trick"] == 0)
        found.append(batch.views(np.flatnonzero(leads)))
        sample(batch.legal, rng_state, actions)
        batch.step(actions)
    return np.concatenate(found)[:number]


def microseconds(ruleset: str, views: npt.NDArray[np.void], num_worlds: int, repeats: int) -> float:
    """Return the median time of a call with these many worlds."""
    options, out = rulesets.get(ruleset).to_options(), np.zeros(num_worlds, dtype=STATE)
    times = []
    for k in range(len(views)):
        one, seat = views[k : k + 1], int(views["turn"][k])
        for seed in range(repeats):
            start = time.perf_counter()
            worlds.draw(options, one, seat, np.uint64(seed), out)
            times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=100, help="worlds drawn by one call")
    parser.add_argument("--views", type=int, default=200, help="positions of each game")
    parser.add_argument("--repeats", type=int, default=5, help="calls for each position")
    args = parser.parse_args()
    figures: dict[str, object] = {"worlds": args.worlds}
    for tricks, when in ((0, "first lead"), (2, "third lead")):
        for name in GAMES:
            views = positions(name, args.views, tricks, seed=1)
            microseconds(name, views[:1], args.worlds, 1)  # compile
            call, counting = (microseconds(name, views, n, args.repeats) for n in (args.worlds, 0))
            each = call / args.worlds
            print(
                f"{name:>15}, {when}: {each:5.2f} us a world, of a call's {call:6.1f} us {counting:5.1f} are counting"
            )
            if (name, tricks) == (GAMES[0], 0):
                figures |= {"us_per_world": round(each, 3), "us_of_counting": round(counting, 1)}
    finish("worlds", figures)


if __name__ == "__main__":
    main()
