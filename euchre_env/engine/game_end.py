"""Who has won the game, if anybody, after a hand (2.8, 6, 8.6, 9.7)."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import MAX_SEATS, NONE
from euchre_env.engine.stakes import is_made
from euchre_env.engine.table import has, left_of, num_sides, side_of

# Values of Ruleset.both_cross and tiebreak, by index.
_BIDDER_WINS = 1
_PLAY_ON = 2
_TIEBREAK_HAND = 3
_FIRST_LEFT_OF_DEALER = 4
_SHARED = 5
_TOTALS = 0
_HAND_POINTS = 2


@kernel
def settle_game(opt: Any, s: Any) -> None:
    """Write the winners, or between whom the next hand is a tie-break."""
    standing = _standing(opt, s)
    if s["extra_hand"] != 0:
        standing = _after_tiebreak(opt, s, standing)
    if standing == 0 or s["extra_hand"] != 0:
        return
    if _is_single(standing):
        s["winners"] = standing
    else:
        _settle_several(opt, s, standing)


@kernel
def _standing(opt: Any, s: Any) -> Any:
    """8.6: the sides at the target; Q-C12: without the defenders of a bid that was made, where agreed."""
    standing = np.int64(0)
    for side in range(num_sides(opt)):
        if s["scores"][side] >= opt["target"] and _may_win(opt, s, side):
            standing |= bit(side)
    return standing


@kernel
def _may_win(opt: Any, s: Any, side: Any) -> Any:
    return opt["defenders_may_win_on_tricks"] or side == side_of(opt, s["maker"]) or not is_made(opt, s)


@kernel
def _is_single(sides: Any) -> Any:
    return sides & (sides - 1) == 0


@kernel
def _top(totals: Any, among: Any) -> Any:
    """Return those of a set of sides with the most points, of `totals` [4]."""
    top, most = np.int64(0), np.int64(0)
    for side in range(MAX_SEATS):
        if has(among, side):
            if top == 0 or totals[side] > most:
                top, most = bit(side), np.int64(totals[side])
            elif totals[side] == most:
                top |= bit(side)
    return top


@kernel
def _settle_several(opt: Any, s: Any, standing: Any) -> None:
    """6, 8.6, 9.7: several sides at the target."""
    rule = opt["both_cross"]
    if rule == _TIEBREAK_HAND:
        s["extra_hand"] = standing
    elif rule == _SHARED:
        s["winners"] = standing
    elif rule == _FIRST_LEFT_OF_DEALER:
        s["winners"] = _first_left(opt, s, standing)
    elif rule == _BIDDER_WINS and s["maker"] != NONE and has(standing, side_of(opt, s["maker"])):
        s["winners"] = bit(side_of(opt, s["maker"]))
    elif rule != _PLAY_ON:
        top = _top(s["scores"], standing)
        s["winners"] = top if _is_single(top) else 0


@kernel
def _first_left(opt: Any, s: Any, standing: Any) -> Any:
    """Q-T3: the first of them from the dealer's left."""
    seat = left_of(opt, s["dealer"])
    while not has(standing, side_of(opt, seat)):
        seat = left_of(opt, seat)
    return bit(side_of(opt, seat))


@kernel
def _after_tiebreak(opt: Any, s: Any, standing: Any) -> Any:
    """9.7, Q-G21: the sole highest at the target wins, level ones play another hand; return who is left to judge."""
    tied = s["extra_hand"]
    among = standing if opt["tiebreak"] == _TOTALS else standing & tied
    top = _top(s["points"], among) if opt["tiebreak"] == _HAND_POINTS else _top(s["scores"], among)
    if top == 0:
        s["extra_hand"] = 0
        return standing
    s["extra_hand"] = 0 if _is_single(top) else top
    return top
