"""How long the player by search thinks: milliseconds a decision on one core, by phase.

    python -m benchmarks.search                  # about a minute
    python -m benchmarks.search --worlds 50 --ruleset cincinnati

Decisions are those of hands that `rule_expert` plays; each is solved by itself, and those with one answer are not
counted. The last line is JSON: `ms_at_first_lead` is the median over the leads to the first trick.
"""

import argparse
import statistics
import time
from collections import defaultdict

import numpy as np

import agents  # noqa: F401 - registers its players
from agents.search.player import PimcPolicy
from benchmarks.common import finish
from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import Phase


def kind(view: np.void) -> str:
    """Return what is asked, in words."""
    phase = Phase(int(view["phase"]))
    if phase != Phase.PLAY:
        return phase.name.lower().replace("_", " ")
    return f"trick {view['trick'] + 1}, " + ("lead" if view["in_trick"] == 0 else "following")


def times(ruleset: str, num_worlds: int, hands: int, seed: int) -> dict[str, list[float]]:
    """Return the milliseconds of every decision that was solved, by what was asked."""
    rules, rng = rulesets.get(ruleset), np.random.default_rng(seed)
    player, others = PimcPolicy(rules, num_worlds), policies.make("rule_expert", rules)
    batch = GameBatch(rules, hands, seed=seed, observe=False, autoreset=False)
    found: dict[str, list[float]] = defaultdict(list)
    while (batch.turn >= 0).any():
        rows = np.flatnonzero(batch.turn >= 0)
        views, legal = batch.views(rows), batch.legal[rows]
        for k in range(len(rows)):
            started = time.perf_counter()
            _, values = player.evaluate(
                views[k : k + 1], legal[k : k + 1], rng.integers(2**63, size=1, dtype=np.uint64)
            )
            took = 1e3 * (time.perf_counter() - started)
            if not np.isnan(values).all():
                found[kind(views[k])].append(took)
        actions = np.full(hands, -1, dtype=np.int64)
        actions[rows] = others.act(views, legal, rng)
        batch.step(actions)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="tournament")
    parser.add_argument("--worlds", type=int, default=150, help="solved for each action (default 150)")
    parser.add_argument("--hands", type=int, default=200, help="whose decisions are timed (default 200)")
    args = parser.parse_args()
    times(args.ruleset, args.worlds, 2, seed=0)  # compile
    found = times(args.ruleset, args.worlds, args.hands, seed=1)
    medians = {}
    for name, took in sorted(found.items()):
        medians[name] = round(statistics.median(took), 2)
        print(
            f"{name:>20s} {medians[name]:8.2f} ms, 99 % below {np.percentile(took, 99):8.2f} ms, {len(took)} decisions"
        )
    figures = {"ruleset": args.ruleset, "worlds": args.worlds, "ms_at_first_lead": medians.get("trick 1, lead")}
    finish("search", figures | {"ms": medians})


if __name__ == "__main__":
    main()
