"""The two rounds of turn-up bidding, the claims before them and the call for a joker (2.3, 2.4, 2.10, 4.3)."""

from typing import Any

import numpy as np

from euchre_env.cards import NO_TRUMP, NO_TRUMP_LOW, NUM_RANKS, NUM_SUITS
from euchre_env.engine._jit import kernel
from euchre_env.engine.alone import NOBODY, WITH_CALL, go_on
from euchre_env.engine.bits import bit, count
from euchre_env.engine.exchange import begin_exchange, begin_farmers_swap
from euchre_env.engine.layout import (
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FARMERS_CARDS,
    FORFEIT,
    LOW_CARDS,
    NONE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    Phase,
    Upcard,
)
from euchre_env.engine.opening import next_claim
from euchre_env.engine.score import end_hand, throw_in
from euchre_env.engine.table import (
    SET_ASIDE,
    award,
    dealer_names_trump,
    is_blind,
    left_of,
    num_sides,
    partner_of,
    play_alone,
    say,
    side_of,
    suit_of_upcard,
)

_DEAL = int(Phase.DEAL)
_CALL = int(Phase.CALL)
_TURNED_DOWN = int(Upcard.TURNED_DOWN)
_LEFT = int(Upcard.LEFT)

# Values of Ruleset.stick_the_dealer, farmers_hand, farmers_cards and allow_no_trump, by index.
_MAY_PASS = 0
_FORFEIT = 2
_REDEAL = 1
_THREE = 1
_HIGH_LOW = 2


@kernel
def legal_claim(opt: Any, s: Any) -> Any:
    """Q-N22: every seat is asked, so that being asked tells nothing; a farmer's hand may claim, or swap once a deal."""
    if not _is_farmers_hand(opt, s["hands"][s["turn"]]) or s["swapped_by"] != NONE:
        return bit(DECLINE)
    return bit(DECLINE) | bit(CLAIM_REDEAL if opt["farmers_hand"] == _REDEAL else SWAP)


@kernel
def _is_farmers_hand(opt: Any, hand: Any) -> Any:
    """Q-N22: nothing but tens and lower, or three of them."""
    low = hand & LOW_CARDS
    return low == hand or (opt["farmers_cards"] == _THREE and count(low) >= FARMERS_CARDS)


@kernel
def apply_claim(opt: Any, s: Any, action: Any) -> None:
    """Q-N22: a claim has the same dealer deal again; a swap first lays three cards away."""
    say(s, action)
    if action == CLAIM_REDEAL:
        s["redeal"] += 1
        s["next_dealer"] = s["dealer"]
        s["phase"] = _DEAL
        s["turn"] = NONE
    elif action == SWAP:
        s["swapped_by"] = s["turn"]
        begin_farmers_swap(s)
    else:
        next_claim(opt, s)


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
    if not _may_name(opt, s, suit_of_upcard(opt, s)):
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
    s["trump"] = suit_of_upcard(opt, s)
    if action == ORDER_UP_ALONE:
        play_alone(opt, s, seat)
    begin_exchange(opt, s)


@kernel
def no_trumps(opt: Any) -> Any:
    """1.6: the no-trumps that were agreed, as CALL bits."""
    if opt["allow_no_trump"] == 0:
        return np.int64(0)
    return bit(CALL + NO_TRUMP) | (bit(CALL + NO_TRUMP_LOW) if opt["allow_no_trump"] == _HIGH_LOW else np.int64(0))


@kernel
def _callable_suits(opt: Any, s: Any) -> Any:
    """2.4, Q-N4: any suit but the one turned down, and no-trump where agreed (Q-N24), as CALL bits."""
    legal, turned_down = no_trumps(opt), suit_of_upcard(opt, s)
    for suit in range(NUM_SUITS):
        if suit != turned_down and _may_name(opt, s, suit):
            legal |= bit(CALL + suit)
    return legal


@kernel
def legal_call(opt: Any, s: Any) -> Any:
    """2.4, Q-N7: a stuck dealer may not pass; one without a natural trump may then name any other suit."""
    if dealer_names_trump(opt, s):
        return _legal_call_for_joker(opt, s)
    suits = _callable_suits(opt, s)
    stuck = s["turn"] == s["dealer"] and opt["stick_the_dealer"] != _MAY_PASS
    if stuck and suits == 0 and opt["stick_the_dealer"] != _FORFEIT:
        suits = (np.int64(0xF) & ~bit(suit_of_upcard(opt, s))) << np.int64(CALL)
    legal = suits | suits << np.int64(CALL_ALONE - CALL) if _alone_with_call(opt) else suits
    if not stuck:
        return legal | bit(PASS)
    return legal | bit(FORFEIT) if opt["stick_the_dealer"] == _FORFEIT else legal


@kernel
def _legal_call_for_joker(opt: Any, s: Any) -> Any:
    """4.3: one of the four suits; alone at once only on sight of the hand (Q-B1)."""
    suits = np.int64(0xF) << np.int64(CALL)
    return suits | suits << np.int64(CALL_ALONE - CALL) if _alone_with_call(opt) and not is_blind(opt, s) else suits


@kernel
def apply_call(opt: Any, s: Any, action: Any) -> None:
    """2.4: the first to name a suit makes trump; when all pass, the hand is thrown in."""
    say(s, action)
    seat = s["turn"]
    if action == PASS and seat != s["dealer"]:
        s["turn"] = left_of(opt, seat)
    elif action == PASS:
        throw_in(opt, s)
    elif action == FORFEIT:
        _forfeit(opt, s)
    else:
        s["maker"] = seat
        s["trump"] = (action - CALL) % (CALL_ALONE - CALL)
        if action >= CALL_ALONE:
            play_alone(opt, s, seat)
        _after_call(opt, s)


@kernel
def _after_call(opt: Any, s: Any) -> None:
    """2.4: no exchange; 4.3: but the dealer takes the joker, unless that is set aside (Q-B1)."""
    if dealer_names_trump(opt, s) and opt["joker_up"] != SET_ASIDE:
        begin_exchange(opt, s)
        return
    if dealer_names_trump(opt, s):
        s["upcard_state"] = _LEFT
    go_on(opt, s)


@kernel
def _forfeit(opt: Any, s: Any) -> None:
    """2.10: the stuck dealer gives the opponents a point instead."""
    for side in range(num_sides(opt)):
        if side != side_of(opt, s["dealer"]):
            award(s, side, 1)
    end_hand(opt, s)
