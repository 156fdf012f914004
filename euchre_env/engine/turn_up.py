"""The two rounds of turn-up bidding, and the claim of a redeal before them (2.3, 2.4, 2.10)."""

from typing import Any

import numpy as np

from euchre_env.cards import NUM_RANKS, NUM_SUITS
from euchre_env.engine._jit import kernel
from euchre_env.engine.alone import NOBODY, WITH_CALL, poll_next
from euchre_env.engine.bits import bit
from euchre_env.engine.exchange import begin_exchange
from euchre_env.engine.layout import (
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    Phase,
    Upcard,
)
from euchre_env.engine.score import end_hand
from euchre_env.engine.table import left_of, partner_of, play_alone, say, side_of

_DEAL = int(Phase.DEAL)
_CLAIM = int(Phase.CLAIM)
_ORDER_UP = int(Phase.ORDER_UP)
_CALL = int(Phase.CALL)
_TURNED_DOWN = int(Upcard.TURNED_DOWN)

# Values of Ruleset.stick_the_dealer and farmers_hand, by index.
_MAY_PASS = 0
_FORFEIT = 2
REDEAL = 1

# Q-N22: tens and lower.
_LOW_CARDS = np.int64(0x0F0F0F0F)


@kernel
def suit_of_upcard(s: Any) -> Any:
    """2.2: the suit that the up-card proposes."""
    return s["upcard"] // NUM_RANKS


@kernel
def begin_bidding(opt: Any, s: Any) -> None:
    """2.3: the seat left of the dealer speaks first."""
    s["turn"] = left_of(opt, s["dealer"])
    s["phase"] = _CLAIM if opt["farmers_hand"] == REDEAL else _ORDER_UP


@kernel
def legal_claim(opt: Any, s: Any) -> Any:
    """Q-N22: every seat is asked, so that being asked tells nothing; a hand of tens and lower may claim."""
    if s["hands"][s["turn"]] & ~_LOW_CARDS == 0:
        return bit(DECLINE) | bit(CLAIM_REDEAL)
    return bit(DECLINE)


@kernel
def apply_claim(opt: Any, s: Any, action: Any) -> None:
    """Q-N22: a claim has the same dealer deal again."""
    say(s, action)
    if action == CLAIM_REDEAL:
        s["redeal"] += 1
        s["next_dealer"] = s["dealer"]
        s["phase"] = _DEAL
        s["turn"] = -1
        return
    if s["turn"] == s["dealer"]:
        s["phase"] = _ORDER_UP
    s["turn"] = left_of(opt, s["turn"])


@kernel
def _may_name(opt: Any, s: Any, suit: Any) -> Any:
    """Q-N5: whether the mover's cards allow that suit; the left bower is no natural trump, the up-card not in hand."""
    printed = np.int64(0xFF) << np.int64(suit * NUM_RANKS)
    return not opt["natural_trump_required"] or s["hands"][s["turn"]] & printed != 0


@kernel
def _alone_with_call(opt: Any) -> Any:
    return opt["alone_timing"] == WITH_CALL and opt["alone_scope"] != NOBODY


@kernel
def legal_order_up(opt: Any, s: Any) -> Any:
    """2.3; Q-N28: with the Canadian loner the dealer's partner orders alone or not at all."""
    if not _may_name(opt, s, suit_of_upcard(s)):
        return bit(PASS)
    if opt["canadian_loner"] and s["turn"] == partner_of(s["dealer"]):
        return bit(PASS) | bit(ORDER_UP_ALONE)
    if _alone_with_call(opt):
        return bit(PASS) | bit(ORDER_UP) | bit(ORDER_UP_ALONE)
    return bit(PASS) | bit(ORDER_UP)


@kernel
def apply_order_up(opt: Any, s: Any, action: Any) -> None:
    """2.3: the first order ends the bidding (Q-N1); four passes turn the card down."""
    say(s, action)
    seat = s["turn"]
    if action == PASS:
        s["turn"] = left_of(opt, seat)
        if seat == s["dealer"]:
            s["phase"] = _CALL
            s["upcard_state"] = _TURNED_DOWN
        return
    s["maker"] = seat
    s["trump"] = suit_of_upcard(s)
    if action == ORDER_UP_ALONE:
        play_alone(opt, s, seat)
    begin_exchange(opt, s)


@kernel
def _callable_suits(opt: Any, s: Any) -> Any:
    """2.4, Q-N4: any suit but the one turned down, as CALL bits."""
    legal = np.int64(0)
    for suit in range(NUM_SUITS):
        if suit != suit_of_upcard(s) and _may_name(opt, s, suit):
            legal |= bit(CALL + suit)
    return legal


@kernel
def legal_call(opt: Any, s: Any) -> Any:
    """2.4, Q-N7: a stuck dealer may not pass; one without a natural trump may then name any other suit."""
    suits = _callable_suits(opt, s)
    stuck = s["turn"] == s["dealer"] and opt["stick_the_dealer"] != _MAY_PASS
    if stuck and suits == 0 and opt["stick_the_dealer"] != _FORFEIT:
        suits = (np.int64(0xF) & ~bit(suit_of_upcard(s))) << np.int64(CALL)
    legal = suits | suits << np.int64(CALL_ALONE - CALL) if _alone_with_call(opt) else suits
    if not stuck:
        return legal | bit(PASS)
    return legal | bit(FORFEIT) if opt["stick_the_dealer"] == _FORFEIT else legal


@kernel
def apply_call(opt: Any, s: Any, action: Any) -> None:
    """2.4: the first to name a suit makes trump; when all pass, the hand is thrown in."""
    say(s, action)
    seat = s["turn"]
    if action == PASS and seat != s["dealer"]:
        s["turn"] = left_of(opt, seat)
    elif action == PASS:
        end_hand(opt, s)
    elif action == FORFEIT:
        _forfeit(opt, s)
    else:
        s["maker"] = seat
        s["trump"] = (action - CALL) % (CALL_ALONE - CALL)
        if action >= CALL_ALONE:
            play_alone(opt, s, seat)
        poll_next(opt, s)


@kernel
def _forfeit(opt: Any, s: Any) -> None:
    """2.10: the stuck dealer gives the opponents a point instead."""
    s["points"][1 - side_of(opt, s["dealer"])] = 1
    end_hand(opt, s)
