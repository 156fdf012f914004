"""How the rule-based player bids in an auction, names trump and swaps with the ghost hand (8.2, 8.3, 9.3). Compiled.

Every bid has a value, the net points to expect of it if nobody bids more (`estimate.py`), with what the calls of the
others tell about their hands; passing has one by whose bid stands and how good the hand is against it. The player takes
the best, or while others are still to speak a higher bid that is nearly as good, since there is one call each. All
numbers are of the PARAMETERS record.
"""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.auction import legal_name
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import BID, CALL, MOON, NONE, NUM_BIDS, PASS, SWAP
from euchre_env.engine.table import has, left_of, side_of
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.estimate import end_of_standing_bid, form_of, place_at_table, value_of, worth
from euchre_env.policies.parameters import Standing

_NOBODY, _OWN, _OTHER = int(Standing.NOBODY), int(Standing.OWN), int(Standing.OTHER)
# Half of the six tricks.
_HALF = 3.0
# The last index of what is heard: bids above four.
_MORE = 3


@kernel
def _standing(opt: Any, s: Any) -> Any:
    if s["bid"] == NONE:
        return _NOBODY
    return _OWN if side_of(opt, s["maker"]) == side_of(opt, s["turn"]) else _OTHER


@kernel
def _heard(opt: Any, p: Any, s: Any) -> Any:
    """Return the tricks that the calls of the others add to the mover's, whatever trump."""
    seat, total = s["turn"], 0.0
    for other in range(opt["num_seats"]):
        if other != seat and s["bids"][other] != NONE:
            who = 0 if side_of(opt, other) == side_of(opt, seat) else 1
            total += p["heard_tricks"][who, min(s["bids"][other], _MORE)]
    return total


@kernel
def _named(opt: Any, p: Any, s: Any, trump: Any) -> Any:
    """10.1: the tricks that others add who have bid on a trump."""
    seat, total = s["turn"], 0.0
    for other in range(opt["num_seats"]):
        if other != seat and s["named"][other] == trump:
            total += p["named_tricks"][0 if side_of(opt, other) == side_of(opt, seat) else 1]
    return total


@kernel
def _best_trump(opt: Any, p: Any, s: Any, alone: Any) -> Any:
    """Return (expected tricks, trump) of the mover."""
    seat, form = s["turn"], form_of(opt, alone)
    out = cards_out(opt, s, seat)
    best, choice = -1e9, -1
    names = legal_name(opt, s) >> np.int64(CALL)
    while names != 0:
        trump = lowest(names)
        names &= names - 1
        expected = worth(p, form, out, s["hands"][seat], trump) + _named(opt, p, s, trump)
        if expected > best:
            best, choice = expected, trump
    return best + p["tricks_base"][form] + _heard(opt, p, s), choice


@kernel
def _bid_values(opt: Any, p: Any, s: Any, legal: Any, together: Any, values: Any) -> None:
    """Write the value of each legal bid to `values` [NUM_BIDS]; far below nil for the others."""
    alone, _ = _best_trump(opt, p, s, True)
    for level in range(NUM_BIDS):
        values[level] = -1e9
        if has(legal, BID + level):
            lone = level >= MOON
            values[level] = value_of(opt, p, s, level, lone, alone if lone else together)


@kernel
def _pass_value(opt: Any, p: Any, s: Any, expected: Any) -> Any:
    standing = _standing(opt, s)
    place = place_at_table(opt, s, s["turn"])
    value = p["pass_value"][standing, place] + p["pass_slope"][standing] * (expected - _HALF)
    return value + end_of_standing_bid(opt, p, s)


@kernel
def choose_bid(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """8.2, 9.3."""
    expected, _ = _best_trump(opt, p, s, False)
    place = place_at_table(opt, s, s["turn"])
    if has(legal, SWAP) and expected < p["swap_from"][place]:
        return SWAP
    values = np.empty(NUM_BIDS)
    _bid_values(opt, p, s, legal, expected, values)
    best = int(np.argmax(values))
    if has(legal, PASS) and values[best] < _pass_value(opt, p, s, expected):
        return PASS
    if s["bids"][left_of(opt, s["turn"])] != NONE:
        return BID + best
    choice = best
    for level in range(best, NUM_BIDS):
        if values[level] > values[best] - p["to_be_beaten"][place]:
            choice = level
    return BID + choice


@kernel
def choose_name(opt: Any, p: Any, s: Any) -> Any:
    """8.3: the trump that the bid counted on."""
    return CALL + _best_trump(opt, p, s, s["bid"] >= MOON)[1]
