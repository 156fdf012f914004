"""Count what hands are worth in play of one policy at all seats: the frequencies behind `reward="equity"`.

    python -m benchmarks.measure_outcomes                                      # measure all, compare with the shipped
    python -m benchmarks.measure_outcomes --player rule_based --rulesets ghost_hand --write     # replace this entry

A hand counts by its points, side by side in rotation from the dealer's, and in auctions by the place of the bidder in
that rotation (-1: all passed). Every table plays a fixed number of hands to the end, so that long hands are not cut off
more often than short ones. The last line is JSON.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.provenance import commit
from benchmarks.common import finish
from euchre_env import equity, policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.files import write_whole
from euchre_env.ruleset import Ruleset

DATA = Path(equity.__file__).parent / "data" / "outcomes.json"
TABLES = 8192


def count_hands(ruleset: str, player: str, hands: int, seed: int) -> Counter[tuple[int, ...]]:
    """Return how often a hand gave these points, from the dealer's side on; in auctions with the bidder's place."""
    rules = rulesets.get(ruleset)
    policy = policies.make(player, rules)
    rng = np.random.default_rng(seed)
    counts: Counter[tuple[int, ...]] = Counter()
    while counts.total() < hands:
        tables = min(TABLES, hands - counts.total())
        batch = GameBatch(rules, tables, seed=int(rng.integers(2**63)), observe=False, autoreset=False)
        while (rows := np.flatnonzero(batch.legal)).size:
            actions = np.zeros(tables, dtype=np.int64)
            actions[rows] = policy.act(batch.views(rows), batch.legal[rows], rng)
            batch.step(actions)
        counts.update(map(tuple, _outcomes(batch.states, rules).tolist()))
    return counts


def _outcomes(states: npt.NDArray[np.void], rules: Ruleset) -> npt.NDArray[np.int64]:
    """Return a row for each finished hand."""
    dealing = states["dealer"][:, None].astype(np.int64) % rules.num_sides
    points = states["points"].astype(np.int64)
    rotated = np.take_along_axis(points, (dealing + np.arange(rules.num_sides)) % rules.num_sides, axis=1)
    if rules.auction == "off":
        return rotated
    makers = states["maker"][:, None].astype(np.int64)
    bidder = np.where(makers < 0, -1, (makers - dealing) % rules.num_sides)
    return np.concatenate([rotated, bidder], axis=1)


def measure(names: Sequence[str], player: str, hands: int, seed: int) -> dict[str, Any]:
    """Return entries of `outcomes.json`."""
    found = {}
    for name in names:
        counts = count_hands(name, player, hands, seed)
        found[name] = {
            "player": player,
            "hands": hands,
            "seed": seed,
            "commit": commit(),
            "rules": rulesets.get(name).to_dict(),
            "outcomes": [[*outcome, number] for outcome, number in sorted(counts.items())],
        }
    return found


def write(entries: dict[str, Any]) -> None:
    """Replace these entries of the shipped file, one outcome a line; the other entries stay."""
    kept = equity.measured()["rulesets"] if DATA.exists() else {}
    data = {"rulesets": dict(sorted((kept | entries).items()))}
    text = re.sub(r"\[\s+((?:-?\d+,?\s+)+)\]", _on_one_line, json.dumps(data, indent=1))
    write_whole(DATA, text + "\n")


def _on_one_line(row: re.Match[str]) -> str:
    return f"[{' '.join(row[1].split())}]"


def shares(rows: list[list[int]]) -> dict[tuple[int, ...], float]:
    """Return the outcomes of one ruleset as shares of all hands."""
    total = sum(row[-1] for row in rows)
    return {tuple(row[:-1]): row[-1] / total for row in rows}


def report(entries: dict[str, Any]) -> dict[str, Any]:
    """Print the commoner outcomes beside those shipped; return the largest difference and the even-score figures."""
    largest, even = 0.0, {}
    shipped = equity.measured()["rulesets"] if DATA.exists() else {}
    for name, entry in entries.items():
        now = shares(entry["outcomes"])
        before = shares(shipped[name]["outcomes"]) if name in shipped else now
        print(f"{name}: points by side from the dealer's on (and bidder), per cent of hands (shipped)")
        for key in sorted(now | before):
            largest = max(largest, abs(now.get(key, 0) - before.get(key, 0)))
            if max(now.get(key, 0), before.get(key, 0)) >= 0.002:
                print(f"  {key!s:20}  {100 * now.get(key, 0):6.2f}  ({100 * before.get(key, 0):.2f})")
        rules = rulesets.get(name)
        nil = int(np.flatnonzero(equity.axis(rules) == 0)[0])
        win = equity.solve(map(tuple, entry["outcomes"]), rules)
        even[name] = [round(float(p), 4) for p in win[(nil,) * rules.num_sides]]
    return {"largest_difference": round(largest, 5), "wins_from_nil_all": even}


def main() -> None:
    """Measure, show, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="rule_expert", help="the policy at all seats")
    parser.add_argument("--rulesets", nargs="+", default=rulesets.names(), metavar="NAME")
    parser.add_argument("--hands", type=int, default=400_000, help="hands per ruleset")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--write", action="store_true", help="replace the entries of euchre_env/data/outcomes.json")
    args = parser.parse_args()
    entries = measure(args.rulesets, args.player, args.hands, args.seed)
    figures = report(entries)
    if args.write:
        write(entries)
    finish("outcomes", {"player": args.player, "hands": args.hands} | figures)


if __name__ == "__main__":
    main()
