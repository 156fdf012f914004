"""What a finished hand pays each seat, in the four reward modes, for single and batched environments alike.

`pay` is compiled and works on one STATE record; who calls it when, and what ends an episode, is the environments'
affair. The table of the `equity` mode comes from `euchre_env.equity`.

>>> mode_id("win")
2
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count
from euchre_env.engine.layout import MAX_SEATS, Phase
from euchre_env.engine.table import has, num_sides, side_of
from euchre_env.equity import place_of
from euchre_env.errors import unknown

REWARD_MODES = ("zero_sum", "score", "win", "equity")
REWARD_MEANINGS = {
    "zero_sum": "own side's points of the hand minus the mean of the other sides' points",
    "score": "own side's points of the hand, as the rules give them",
    "win": "at the end of a game +1 to each winner, the losers share -1 per winner",
    "equity": "the change in the own side's probability of winning the game",
}

_ZERO_SUM, _SCORE, _WIN, _EQUITY = range(len(REWARD_MODES))
_OVER = int(Phase.OVER)

# What `pay` gets as table in the modes that read none.
NO_TABLE: npt.NDArray[np.float32] = np.zeros((1, 1, 2), dtype=np.float32)
NO_TABLE.flags.writeable = False  # as `equity.table` gives it, so that kernels are compiled for one type of table


def mode_id(reward: str, episode: str = "game") -> int:
    """Return the number of a reward mode that `pay` takes; ValueError for an unknown one, and for `win` by the hand."""
    if reward not in REWARD_MODES:
        raise ValueError(unknown("reward", reward, REWARD_MODES))
    if reward == "win" and episode == "hand":
        raise ValueError("reward='win' pays at the end of a game, so it needs episode='game'.")
    return REWARD_MODES.index(reward)


@kernel
def _points_against(opt: Any, s: Any, side: int) -> float:
    """Return the mean of the points that the other sides made in the hand."""
    sides = num_sides(opt)
    total = 0
    for other in range(sides):
        if other != side:
            total += int(s["points"][other])
    return float(total / (sides - 1))


@kernel
def _win_share(opt: Any, s: Any, side: int) -> float:
    """+1 to the winning side's seats; the losers share -1 per winner, so three single seats get +1, -1/2, -1/2."""
    winners = count(s["winners"]) * (2 if opt["partners"] else 1)
    losers = int(opt["num_seats"]) - winners
    if losers == 0:
        return 0.0
    return 1.0 if has(s["winners"], side) else -winners / losers


@kernel
def win_probability(opt: Any, scores: Any, dealer: int, side: int, table: Any) -> float:
    """Return a side's probability of winning from these scores by side with this seat dealing; `table` of `equity`."""
    dealing = side_of(opt, dealer)
    if num_sides(opt) == 3:
        return _between(opt, scores, dealing, (side - dealing + 3) % 3, table)
    size = table.shape[0]
    own, other = int(place_of(opt, int(scores[0]), size)), int(place_of(opt, int(scores[1]), size))
    first = float(table[own, other, 1 if dealing == 0 else 0])
    return first if side == 0 else 1.0 - first


@kernel
def _between(opt: Any, scores: Any, dealing: int, place: int, table: Any) -> float:
    """Return the probability of the side at a place from the dealing one: between the scores that the table has."""
    size = table.shape[0]
    sought = 0.0
    for corner in range(8):
        row, weight = 0, 1.0
        for j in range(3):
            at = place_of(opt, int(scores[(dealing + j) % 3]), size)
            beyond = at - np.floor(at)
            weight *= beyond if has(corner, j) else 1.0 - beyond
            row = row * size + min(int(at) + (corner >> j & 1), size - 1)
        if weight > 0.0:
            sought += weight * table[row // size // size, row % (size * size), place]
    return sought


@kernel
def _equity_change(opt: Any, s: Any, before: Any, side: int, table: Any) -> float:
    """Return what the hand changed in a side's probability of winning; a thrown-in deal passes the deal too."""
    was = win_probability(opt, before, int(s["dealer"]), side, table)
    if s["phase"] == _OVER:
        return (1.0 / count(s["winners"]) if has(s["winners"], side) else 0.0) - was
    return win_probability(opt, s["scores"], int(s["next_dealer"]), side, table) - was


@kernel
def pay(mode: int, opt: Any, s: Any, before: Any, table: Any, out: Any) -> None:
    """Write each seat's reward for the hand that has just ended, scored or thrown in.

    `mode` is an index of REWARD_MODES, `s` the record before the next deal, `before` the scores by side when the hand
    began, `table` that of `equity.table` (only `equity` reads it), `out` float32 [4]; places past the last seat get 0.
    Points and equity are paid by the hand, `win` with the hand that ends the game.
    """
    for seat in range(MAX_SEATS):
        out[seat] = 0.0
        if seat >= opt["num_seats"]:
            continue
        side = side_of(opt, seat)
        if mode == _ZERO_SUM:
            out[seat] = s["points"][side] - _points_against(opt, s, side)
        elif mode == _SCORE:
            out[seat] = s["points"][side]
        elif mode == _EQUITY:
            out[seat] = _equity_change(opt, s, before, side, table)
        elif s["phase"] == _OVER:
            out[seat] = _win_share(opt, s, side)


@kernel
def draw_scores(opt: Any, word: int, scores: Any) -> None:
    """Write the scores from which an `equity` hand starts: every side's uniform below the target, from one random int.

    Auctions, where scores fall below nil, start from as far below it.

    `word` is a non-negative int64, `scores` an int32 row by side. Uniform rather than as often as in games, so that
    late scores, where equity differs most from points, are met often enough.
    """
    target = int(opt["target"])
    lowest = -target if opt["auction"] else 0
    for side in range(num_sides(opt)):
        scores[side] = lowest + word % (target - lowest)
        word //= target - lowest


@kernel
def pay_one(mode: int, options: Any, states: Any, before: Any, table: Any, out: Any) -> None:
    """`pay` for arrays of one record, as Python calls it."""
    pay(mode, options[0], states[0], before, table, out)


@kernel
def draw_scores_one(options: Any, word: int, scores: Any) -> None:
    """`draw_scores` for an array of one record, as Python calls it."""
    draw_scores(options[0], word, scores)
