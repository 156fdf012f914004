"""How the rule-based player bids in an auction, names trump and swaps with the ghost hand (8.2, 8.3, 9.3). Compiled.

Every bid has a value, the net points to expect of it if nobody bids more (`estimate.py`); passing has one by whose bid
stands. The player takes the best, or while others are still to speak a higher bid that is nearly as good, since there
is one call each.
"""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.auction import legal_name
from euchre_env.engine.layout import BID, CALL, MOON, NONE, NUM_BIDS, PASS, SWAP
from euchre_env.engine.table import has, left_of, side_of
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.estimate import best_trump, form_of, value_of

# Net points of passing, by who has bid: nobody, one's own side, another. In self-play what passing hands averaged
# (-0.8, 1.1, -1.8) does worse, since those were poor hands; other values near these make no difference.
_NOBODY, _OWN, _OTHER = 0, 1, 2
_PASS = np.array([0.0, 1.5, -1.0])
# How much a bid that others have to beat may cost against the best one; in self-play 0.3 loses to it, 1.6 is no better.
_TO_BE_BEATEN = 1.0
# The tricks to expect of an unknown hand in its best suit, the mean of 20,000: below it the ghost hand is better (9.3).
_UNKNOWN_HAND = 3.0


@kernel
def _standing(opt: Any, s: Any) -> Any:
    if s["bid"] == NONE:
        return _NOBODY
    return _OWN if side_of(opt, s["maker"]) == side_of(opt, s["turn"]) else _OTHER


@kernel
def _best_trump(opt: Any, s: Any, alone: Any) -> Any:
    """Return (expected tricks, trump) of the mover."""
    seat = s["turn"]
    return best_trump(form_of(opt, alone), cards_out(opt, s, seat), s["hands"][seat], legal_name(opt, s))


@kernel
def _bid_values(opt: Any, s: Any, legal: Any, values: Any) -> None:
    """Write the value of each legal bid to `values` [NUM_BIDS]; far below nil for the others."""
    seat = s["turn"]
    together, _ = _best_trump(opt, s, False)
    alone, _ = _best_trump(opt, s, True)
    for level in range(NUM_BIDS):
        values[level] = -1e9
        if has(legal, BID + level):
            lone = level >= MOON
            values[level] = value_of(opt, s, seat, level, lone, alone if lone else together)


@kernel
def choose_bid(opt: Any, s: Any, legal: Any) -> Any:
    """8.2, 9.3."""
    if has(legal, SWAP) and _best_trump(opt, s, True)[0] < _UNKNOWN_HAND:
        return SWAP
    values = np.empty(NUM_BIDS)
    _bid_values(opt, s, legal, values)
    best = int(np.argmax(values))
    if has(legal, PASS) and values[best] < _PASS[_standing(opt, s)]:
        return PASS
    if s["bids"][left_of(opt, s["turn"])] != NONE:
        return BID + best
    choice = best
    for level in range(best, NUM_BIDS):
        if values[level] > values[best] - _TO_BE_BEATEN:
            choice = level
    return BID + choice


@kernel
def choose_name(opt: Any, s: Any) -> Any:
    """8.3: the trump that the bid counted on."""
    return CALL + _best_trump(opt, s, s["bid"] >= MOON)[1]
