"""Count what hands are worth in play of one policy at all seats: the frequencies behind `reward="equity"`.

    python -m benchmarks.measure_outcomes             # measure and compare with what is shipped
    python -m benchmarks.measure_outcomes --write     # replace euchre_env/data/outcomes.json

A hand counts as (points of the dealer's side, points of the other side). Every table plays a fixed number of hands to
the end, so that long hands are not cut off more often than short ones. The last line is JSON.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from agents.provenance import commit
from benchmarks.common import finish
from euchre_env import equity, policies, rulesets
from euchre_env.batch import GameBatch

DATA = Path(equity.__file__).parent / "data" / "outcomes.json"
TABLES = 8192


def count_hands(ruleset: str, player: str, hands: int, seed: int) -> Counter[tuple[int, int]]:
    """Return how often a hand gave (dealer's side, other side) these points."""
    rules = rulesets.get(ruleset)
    policy = policies.make(player, rules)
    rng = np.random.default_rng(seed)
    counts: Counter[tuple[int, int]] = Counter()
    while counts.total() < hands:
        tables = min(TABLES, hands - counts.total())
        batch = GameBatch(rules, tables, seed=int(rng.integers(2**63)), observe=False, autoreset=False)
        while (rows := np.flatnonzero(batch.legal)).size:
            actions = np.zeros(tables, dtype=np.int64)
            actions[rows] = policy.act(batch.views(rows), batch.legal[rows], rng)
            batch.step(actions)
        dealing = batch.states["dealer"] % rules.num_sides
        points = batch.states["points"].astype(np.int64)
        own, other = points[np.arange(tables), dealing], points[np.arange(tables), 1 - dealing]
        counts.update(zip(own.tolist(), other.tolist(), strict=True))
    return counts


def measure(player: str, hands: int, seed: int) -> dict[str, Any]:
    """Return the contents of `outcomes.json` for every ruleset of two sides."""
    two_sides = [name for name in rulesets.names() if rulesets.get(name).num_sides == 2]
    found = {}
    for name in two_sides:
        counts = count_hands(name, player, hands, seed)
        rows = [[own, other, count] for (own, other), count in sorted(counts.items())]
        found[name] = {"rules": rulesets.get(name).to_dict(), "outcomes": rows}
    return {"player": player, "hands": hands, "seed": seed, "commit": commit(), "rulesets": found}


def write(data: dict[str, Any]) -> None:
    """Replace the shipped file, one outcome a line."""
    text = json.dumps(data, indent=1)
    for row in {tuple(row) for entry in data["rulesets"].values() for row in entry["outcomes"]}:
        text = text.replace(json.dumps(list(row), indent=1).replace("\n", "\n    "), json.dumps(list(row)))
    draft = DATA.with_suffix(".tmp")
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(DATA)


def shares(rows: list[list[int]]) -> dict[tuple[int, int], float]:
    """Return the outcomes of one ruleset as shares of all hands."""
    total = sum(count for _, _, count in rows)
    return {(own, other): count / total for own, other, count in rows}


def report(data: dict[str, Any]) -> dict[str, Any]:
    """Print the shares per ruleset beside those shipped; return the largest difference and the even-score figures."""
    largest, even = 0.0, {}
    shipped = equity.measured()["rulesets"] if DATA.exists() else {}
    for name, entry in data["rulesets"].items():
        now = shares(entry["outcomes"])
        before = shares(shipped[name]["outcomes"]) if name in shipped else now
        print(f"{name}: dealer's side - other side, per cent of hands (shipped)")
        for key in sorted(now | before):
            print(f"  {key[0]:3d} -{key[1]:2d}  {100 * now.get(key, 0):6.2f}  ({100 * before.get(key, 0):.2f})")
            largest = max(largest, abs(now.get(key, 0) - before.get(key, 0)))
        target = rulesets.get(name).target
        even[name] = round(float(equity.solve(map(tuple, entry["outcomes"]), target)[target, target]), 4)
    return {"largest_difference": round(largest, 5), "dealer_wins_from_nil_all": even}


def main() -> None:
    """Measure, show, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="rule_expert", help="the policy at all four seats")
    parser.add_argument("--hands", type=int, default=400_000, help="hands per ruleset")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--write", action="store_true", help="replace euchre_env/data/outcomes.json")
    args = parser.parse_args()
    data = measure(args.player, args.hands, args.seed)
    figures = report(data)
    if args.write:
        write(data)
    finish("outcomes", {"player": args.player, "hands": args.hands} | figures)


if __name__ == "__main__":
    main()
