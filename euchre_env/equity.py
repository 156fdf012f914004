"""The probability of winning the game by scores and next dealer: the table behind `reward="equity"`.

A Markov chain over the scores and the deal, solved for outcome frequencies of hands that were counted in play of a
rule player (`benchmarks/measure_outcomes.py` writes `data/outcomes.json`). Sides are counted in rotation from the one
that deals: its place is 0, the next one's 1. Paying seats is in `rewards.py`.

>>> benjamin = [(1, 0, 45), (2, 0, 16), (4, 0, 5), (0, 1, 17), (0, 2, 12), (0, 4, 5)]  # docs/field.md 6b
>>> round(float(solve(benjamin, rulesets.get("tournament"))[10 + 9, 10 + 9, 0]), 3)
0.66

Approximations, all of them in scores that few games see, or far smaller than what a hand's worth hangs on the players:
scores below minus the target read the last row, those more than OVERSHOOT above it the first; a tie-break hand is taken
to be between all sides that stand at the target; three sides have a table of every point near the target and wider
steps below (`_steps`), between which it is interpolated.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count
from euchre_env.engine.game_end import settle_game
from euchre_env.engine.layout import NONE, STATE
from euchre_env.engine.table import has, num_sides
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

# (points by side in rotation from the dealer's, in auctions the bidder's place or -1, how often)
Outcome = Sequence[float]

# How far above the target scores are told apart, where a game may go on with a side at the target (6, 9.7, Q-C12).
OVERSHOOT = 6

# By number of sides: until no probability changes by more in a sweep.
_TOLERANCE = {2: 1e-12, 3: 1e-4}
_MAX_SWEEPS = 10_000

# A table of scores, as the kernels know it.
_GRID = np.dtype(
    [
        ("sides", np.int64),
        ("size", np.int64),  # scores of a side
        ("target", np.int64),
        ("tiebreaks", np.int64),  # whether several sides at the target play a tie-break hand
        ("first", np.int64),  # the lowest score that a hand may lead to, where `at` and `beyond` start
    ],
    align=True,
)


@kernel
def _steps(opt: Any, distance: Any) -> Any:
    """Return how many scores of the table lie within so many points below the target."""
    if num_sides(opt) == 2 or distance <= 10:
        return float(distance)
    if distance <= 32:
        return 10.0 + (distance - 10) / 2
    if distance <= 64:
        return 21.0 + (distance - 32) / 4
    return 29.0 + (distance - 64) / 8


@kernel
def below_target(opt: Any) -> Any:
    """Return how many scores of a table lie below the target: its index."""
    return np.int64(np.ceil(_steps(opt, 2 * np.int64(opt["target"]))))


@kernel
def place_of(opt: Any, score: Any, size: Any) -> Any:
    """Return where a score lies among the `size` scores of a table: a whole number where it is one of them."""
    target = np.int64(opt["target"])
    place = float(below_target(opt))
    if score > target:
        place += score - target
    else:
        place -= _steps(opt, target - score)
    return min(max(place, 0.0), size - 1.0)


@kernel
def _set_up(opt: Any, s: Any, grid: Any, scores: Any, move: Any) -> None:
    """Write what decides a game into a record: side = seat = place, the dealer's is 0."""
    sides, standing = grid["sides"], np.int64(0)
    for place in range(sides):
        s["scores"][place] = scores[place] + move[place]
        s["points"][place] = move[place]
        s["tricks"][place] = 0
        if scores[place] >= grid["target"]:
            standing |= bit(place)
    bidder = move[sides]
    s["winners"] = 0
    s["extra_hand"] = standing if grid["tiebreaks"] != 0 and standing & (standing - 1) != 0 else 0
    s["maker"] = bidder
    s["bid"] = 0
    if bidder != NONE and move[bidder] > 0:
        s["tricks"][bidder] = opt["hand_size"]  # the bid was made


@kernel
def _add_win(s: Any, weight: Any, mean: Any) -> None:
    share = weight / count(s["winners"])
    for place in range(len(mean)):
        if has(s["winners"], place):
            mean[place] += share


@kernel
def _add_between(grid: Any, win: Any, row: Any, beyond: Any, turn: Any, weight: Any, mean: Any) -> None:
    """Add the mean of the corners around a score, by nearness; `beyond` [sides] is how far it lies past `row`."""
    sides = grid["sides"]
    for corner in range(1 << sides):
        nearness, at, stride = weight, row, np.int64(1)
        for back in range(sides):
            j = sides - 1 - back
            nearness *= beyond[j] if has(corner, j) else 1.0 - beyond[j]
            at += stride if has(corner, j) else 0
            stride *= grid["size"]
        if nearness > 0.0:
            for j in range(sides):
                mean[(j + turn) % sides] += nearness * win[at, j]


@kernel
def _expect(opt: Any, s: Any, grid: Any, moves: Any, weights: Any, at: Any, past: Any, win: Any, scores: Any, mean: Any,
            beyond: Any) -> None:  # fmt: skip
    """Write each side's probability of winning at these scores into `mean`: the mean over the outcomes of a hand."""
    sides, size, first, target = grid["sides"], grid["size"], grid["first"], grid["target"]
    for j in range(sides):
        mean[j] = 0.0
    for k in range(len(moves)):
        move, turn = moves[k], moves[k, sides + 1]
        row, between, crossed = np.int64(0), 0.0, False
        for j in range(sides):
            side = j + turn if j + turn < sides else j + turn - sides
            score = scores[side] + move[side]
            crossed = crossed or score >= target
            row = row * size + at[score - first]
            beyond[j] = past[score - first]
            between += beyond[j]
        if crossed and move[sides + 2] != 0:
            _set_up(opt, s, grid, scores, move)
            settle_game(opt, s)
            if s["winners"] != 0:
                _add_win(s, weights[k], mean)
                continue
        if between == 0.0:
            for j in range(sides):
                side = j + turn if j + turn < sides else j + turn - sides
                mean[side] += weights[k] * win[row, j]
        else:
            _add_between(grid, win, row, beyond, turn, weights[k], mean)


@kernel
def _sweep(options: Any, states: Any, grids: Any, moves: Any, weights: Any, at: Any, past: Any, rows: Any, scores: Any,
           win: Any) -> float:  # fmt: skip
    """Better the probabilities `win` [N, sides] of the live `rows`, whose `scores` [live, sides] are given, once.

    Return the largest change. High scores come first, so that what a hand leads to is mostly known already (Gauss and
    Seidel).
    """
    grid = grids[0]
    mean, beyond = np.zeros(grid["sides"]), np.zeros(grid["sides"])
    largest = 0.0
    for i in range(len(rows)):
        _expect(options[0], states[0], grid, moves, weights, at, past, win, scores[i], mean, beyond)
        for j in range(grid["sides"]):
            largest = max(largest, abs(mean[j] - win[rows[i], j]))
            win[rows[i], j] = mean[j]
    return largest


def solve(outcomes: Iterable[Outcome], rules: Ruleset) -> npt.NDArray[np.float64]:
    """Return each side's probability of winning `[S, ..., S, sides]`, by the scores of the sides and by side.

    Sides go in rotation from the dealing one. `outcomes` are the points of a hand by side, in auctions then the place
    of the bidder (-1 where all passed), and last a weight; weights need not sum to one. After every hand the next side
    deals, after a thrown-in one too unless `passed_out` says otherwise. The S scores are those of `axis`. Where the
    game is over the highest score has won, level ones share. ValueError if the dealing side never scores.
    """
    moves, weights = _moves(outcomes, rules)
    if not (moves[:, 0] > 0).any():
        raise ValueError("these outcomes never give the dealing side a point, so no game ends.")
    sides, line = rules.num_sides, axis(rules)
    scores = np.stack(np.meshgrid(*[line] * sides, indexing="ij"), axis=-1).reshape(-1, sides)
    top = scores == scores.max(axis=1, keepdims=True)
    win = top / top.sum(axis=1, keepdims=True)
    standing = (scores >= rules.target).sum(axis=1)
    live = (standing == 0) | _goes_on(rules) & ((standing > 1) | (not rules.defenders_may_win_on_tricks))
    rows = np.flatnonzero(live)
    rows = rows[np.argsort(-scores[rows].sum(axis=1), kind="stable")]
    guess = np.exp(3.0 * scores[rows] / rules.target)
    win[rows] = guess / guess.sum(axis=1, keepdims=True)
    grid, reached = np.zeros(1, dtype=_GRID), np.arange(line[0] + moves.min(), line[-1] + moves.max() + 1)
    grid["sides"], grid["size"], grid["target"], grid["first"] = sides, len(line), rules.target, reached[0]
    grid["tiebreaks"] = rules.both_cross == "tiebreak_hand" and rules.defenders_may_win_on_tricks
    places = np.interp(reached, line, np.arange(len(line)))
    at = places.astype(np.int64)
    state = np.zeros(1, dtype=STATE)
    for _ in range(_MAX_SWEEPS):
        change = _sweep(rules.to_options(), state, grid, moves, weights, at, places - at, rows, scores[rows], win)
        if change < _TOLERANCE[sides]:
            break
    result: npt.NDArray[np.float64] = win.reshape(*[len(line)] * sides, sides)
    return result


def axis(rules: Ruleset) -> npt.NDArray[np.int64]:
    """Return the scores of a side that the table has, ascending: from about minus the target up to it.

    Up to OVERSHOOT beyond where a game may go on with a side there.
    """
    options = rules.to_options()[0]
    top = rules.target + (OVERSHOOT if _goes_on(rules) else 0)
    scores = np.arange(top, -2 * rules.target - OVERSHOOT, -1)
    places = np.array([place_of(options, int(score), np.inf) for score in scores])
    whole = places == np.floor(places)
    _, first = np.unique(places[whole], return_index=True)
    result: npt.NDArray[np.int64] = scores[whole][first]
    return result


def _goes_on(rules: Ruleset) -> bool:
    """Whether another hand may follow with a side at the target; it is settled in `engine/game_end.py`."""
    if not rules.defenders_may_win_on_tricks:
        return True
    if rules.auction == "off" and rules.num_sides == 2:
        return False
    return rules.both_cross not in ("first_left_of_dealer", "shared") and (
        rules.both_cross != "bidder_wins" or rules.num_sides > 2
    )


def _moves(outcomes: Iterable[Outcome], rules: Ruleset) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return what hands do, each once, and their shares: points by place, bidder, next dealer's place, whether played.

    The bidder counts only where he decides who wins.
    """
    sides, auction = rules.num_sides, rules.auction != "off"
    bidder_decides = auction and (rules.both_cross == "bidder_wins" or not rules.defenders_may_win_on_tricks)
    weights: Counter[tuple[int, ...]] = Counter()
    for outcome in outcomes:
        points = tuple(int(n) for n in outcome[:sides])
        played = any(points)
        bidder = int(outcome[sides]) if bidder_decides else NONE
        next_dealer = 1 if played or rules.passed_out == "next_dealer" else 0
        weights[(*points, bidder, next_dealer, played)] += outcome[-1]  # type: ignore[assignment]
    shares = np.array(list(weights.values()), dtype=np.float64)
    return np.array(list(weights), dtype=np.int64), shares / shares.sum()


@lru_cache(maxsize=1)
def measured() -> dict[str, Any]:
    """Return `data/outcomes.json`: by ruleset how often a hand gave which points; player, seed, commit."""
    text = resources.files("euchre_env").joinpath("data/outcomes.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def outcomes(ruleset: str | Ruleset) -> list[tuple[int, ...]]:
    """Return the outcomes of a hand as `solve` takes them: of this ruleset, or the measured one nearest to it.

    A house rule reads the counts of the measured ruleset with as many sides, an auction or none, from which the fewest
    options differ; the target is no such option, since all hands were played at nil all.
    """
    house = rulesets.get(ruleset)
    options = house.to_dict()

    def distance(other: Ruleset) -> int:
        theirs = other.to_dict()
        return sum(options[key] != theirs[key] for key in options if key not in ("name", "target"))

    def is_kin(other: Ruleset) -> bool:
        return other.num_sides == house.num_sides and (other.auction == "off") == (house.auction == "off")

    entries = [(Ruleset(**entry["rules"]), entry["outcomes"]) for entry in measured()["rulesets"].values()]
    kin = [(distance(other), rows) for other, rows in entries if is_kin(other)]
    if not kin:
        kind = "a turned up card" if house.auction == "off" else "an auction"
        raise RulesetError(
            f"reward='equity' has no measured hands for {house.num_sides} sides and {kind}, as {house.name} plays."
        )
    _, nearest = min(kin, key=itemgetter(0))
    return [tuple(row) for row in nearest]


def table(ruleset: str | Ruleset) -> npt.NDArray[np.float32]:
    """Return win probabilities float32 as `rewards.win_probability` reads them, always of three dimensions.

    Two sides: `[S, S, 2]` by own score + target, other's + target, whether the own side deals. Three: `[S, S * S, 3]`
    by the scores of the dealing side and of the two others in rotation, and for which of them. S and the index of a
    score are those of `axis`. RulesetError where no hands were measured that are anything like those of the ruleset.
    A table is solved once, at most in some seconds (three sides in an auction).
    """
    return _table(rulesets.get(ruleset))


@lru_cache(maxsize=64)
def _table(rules: Ruleset) -> npt.NDArray[np.float32]:
    win = solve(outcomes(rules), rules)
    size = len(win)
    if rules.num_sides == 2:
        win = np.stack([win[..., 1].T, win[..., 0]], axis=-1)
    packed = np.ascontiguousarray(win.reshape(size, -1, rules.num_sides), dtype=np.float32)
    packed.flags.writeable = False
    return packed
