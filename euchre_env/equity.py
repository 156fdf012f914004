"""The probability of winning the game by scores and next dealer: the table behind `reward="equity"`.

A Markov chain over the scores and the deal, solved for outcome frequencies of hands that were counted in play of the
`rule_expert` player (`benchmarks/measure_outcomes.py` writes `data/outcomes.json`). Paying seats is in `rewards.py`.

>>> benjamin = [(1, 0, 45), (2, 0, 16), (4, 0, 5), (0, 1, 17), (0, 2, 12), (0, 4, 5)]  # docs/field.md 6b
>>> round(float(solve(benjamin, target=10)[10 + 9, 10 + 9]), 3)
0.66
"""

import json
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

Outcomes = Iterable[tuple[int, int, float]]

_TOLERANCE = 1e-12
_MAX_SWEEPS = 100_000


def solve(outcomes: Outcomes, target: int) -> npt.NDArray[np.float64]:
    """Return the dealing side's probability of winning, `[own score + target, other score + target]`.

    `outcomes` are (dealer's side's points, the other side's points, weight) of one hand; weights need not sum to one.
    Scores run from -target to target, lower ones read the first row. After every hand, a thrown-in one included, the
    other side deals. With both sides at the target the higher score counts as the winner, level scores as half.
    ValueError if nothing ever scores.
    """
    hands = list(outcomes)
    total = sum(weight for _, _, weight in hands)
    if not any(weight > 0 and own > 0 for own, _, weight in hands):
        raise ValueError("these outcomes never give the dealing side a point, so no game ends.")
    scores = np.arange(-target, target + 1)
    own, other = scores[:, None], scores[None, :]
    over = (own >= target) | (other >= target)
    final = np.where(own > other, 1.0, np.where(own == other, 0.5, 0.0))
    win = np.where(over, final, 0.5)
    moves = [
        (np.ix_(_shifted(scores, mine, target), _shifted(scores, theirs, target)), weight / total)
        for mine, theirs, weight in hands
    ]
    for _ in range(_MAX_SWEEPS):
        after = 1.0 - win.T
        swept = np.where(over, final, sum(share * after[cells] for cells, share in moves))
        change = np.abs(swept - win).max()
        win = swept
        if change < _TOLERANCE:
            break
    return win


def _shifted(scores: npt.NDArray[np.int64], points: int, target: int) -> npt.NDArray[np.int64]:
    return np.clip(scores + points, -target, target) + target


@lru_cache(maxsize=1)
def measured() -> dict[str, Any]:
    """Return `data/outcomes.json`: by ruleset how often a hand gave which points; player, seed, commit."""
    text = resources.files("euchre_env").joinpath("data/outcomes.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def outcomes(ruleset: str | Ruleset) -> list[tuple[int, int, int]]:
    """Return (dealer's side's points, the other side's, how often): of this ruleset, or the measured one nearest to it.

    A house rule reads the counts of the measured ruleset from which the fewest options differ; the target is no such
    option, since all hands were played at nil all.
    """
    rules = rulesets.get(ruleset).to_dict()

    def distance(entry: dict[str, Any]) -> int:
        return sum(rules[key] != entry["rules"].get(key) for key in rules if key not in ("name", "target"))

    entries = measured()["rulesets"].values()
    return [(own, other, count) for own, other, count in min(entries, key=distance)["outcomes"]]


@lru_cache(maxsize=64)
def table(ruleset: str | Ruleset) -> npt.NDArray[np.float32]:
    """Return win probabilities float32 `[S, S, 2]` by own score + target, other's + target, whether the own side deals.

    S is twice the target plus one; clip scores to +-target first. RulesetError where more than two sides play.
    """
    rules = rulesets.get(ruleset)
    if rules.num_sides != 2:
        raise RulesetError(f"reward='equity' is for games of two sides; {rules.name} has {rules.num_sides}.")
    dealing = solve(outcomes(rules), rules.target)
    both = np.stack([1.0 - dealing.T, dealing], axis=-1).astype(np.float32)
    both.flags.writeable = False
    return both
