"""How the rule-based player makes trump where each seat plays for itself, and at no-trump anywhere. Compiled.

With two or three seats (5, 6) every call has a value, the net points to expect of it (`estimate.py`), and so has
passing. A partnership's calls are scored in `rule_based.py`; it comes here for no-trump alone (Q-N24), which that
score does not know.
"""

from typing import Any

import numpy as np

from euchre_env.cards import JOKER, NO_TRUMP, NUM_TRUMPS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
)
from euchre_env.engine.table import dealer_names_trump, has, side_of, suit_of_upcard
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.estimate import value_of_trump, worth, worth_after_discard

# Net points that a call must promise, by seats: -0.3 and -0.2 for two and three lose to nil in self-play. A partner may
# still call, and the tricks of a pair were fitted with six cards.
_CALL_FROM = np.array([0.0, 0.0, 0.0, 0.0, 0.2])
# The same of giving up the point (2.10).
_FORFEIT = -1.0
# [dummy] the worth that its cards add: means over 2,600 hands good enough for a call; where the rival has three cards
# of his own, half of it.
_DUMMY_WORTH = np.array([0.0, 0.8, 0.5, 1.6])
# The share of its worth in the dealer's hand that an ordered card costs another maker.
_TO_RIVAL = 0.5


@kernel
def _dummy_worth(opt: Any, alone: Any) -> Any:
    return 0.0 if alone else _DUMMY_WORTH[opt["dummy"]]


@kernel
def _worth_of_order(opt: Any, s: Any) -> Any:
    """Return the mover's worth with the up-card's suit as trump; the dealer takes the card up, for or against him."""
    seat, trump = s["turn"], suit_of_upcard(opt, s)
    hand, out = s["hands"][seat], cards_out(opt, s, seat)
    card = bit(s["upcard"])
    if seat == s["dealer"]:
        return worth_after_discard(out & ~card, hand | card, hand, trump)[0]
    return worth(out, hand, trump) - _TO_RIVAL * worth(out & ~card, card, trump)


@kernel
def _value(opt: Any, s: Any, alone: Any, hand_worth: Any) -> Any:
    return value_of_trump(opt, s, s["turn"], alone, hand_worth + _dummy_worth(opt, alone))


@kernel
def best_order(opt: Any, s: Any, legal: Any) -> Any:
    """Return (value, action) of ordering up as the mask allows."""
    hand_worth = _worth_of_order(opt, s)
    best, choice = -1e9, PASS
    for action in (ORDER_UP, ORDER_UP_ALONE):
        if has(legal, action):
            value = _value(opt, s, action == ORDER_UP_ALONE, hand_worth)
            if value > best:
                best, choice = value, action
    return best, choice


@kernel
def _worth_of_call(opt: Any, s: Any, trump: Any) -> Any:
    """Return the mover's worth under a trump; the dealer who names it for the joker takes that up (4.3)."""
    seat = s["turn"]
    hand, out = s["hands"][seat], cards_out(opt, s, seat)
    if not dealer_names_trump(opt, s):
        return worth(out, hand, trump)
    return worth_after_discard(out & ~bit(JOKER), hand | bit(JOKER), hand, trump)[0]


@kernel
def best_call(opt: Any, s: Any, legal: Any) -> Any:
    """Return (value, action) of the best call that the mask allows; -1 if it allows none."""
    best, choice = -1e9, -1
    for trump in range(NUM_TRUMPS):
        for call in (CALL, CALL_ALONE):
            if has(legal, call + trump):
                value = _value(opt, s, call == CALL_ALONE, _worth_of_call(opt, s, trump))
                if value > best:
                    best, choice = value, call + trump
    return best, choice


@kernel
def single_order(opt: Any, s: Any, legal: Any) -> Any:
    """5, 6: the first round."""
    value, action = best_order(opt, s, legal)
    return action if value > _CALL_FROM[opt["num_seats"]] else PASS


@kernel
def single_call(opt: Any, s: Any, legal: Any) -> Any:
    """5, 6: the second round; a stuck dealer has to choose."""
    value, action = best_call(opt, s, legal)
    if has(legal, PASS) and value <= _CALL_FROM[opt["num_seats"]]:
        return PASS
    if has(legal, FORFEIT) and value < _FORFEIT and _survives(opt, s):
        return FORFEIT
    return action if action >= 0 else FORFEIT


@kernel
def _survives(opt: Any, s: Any) -> Any:
    """Whether nobody wins the game by the point that a forfeit gives."""
    for side in range(opt["num_seats"]):
        if side != side_of(opt, s["turn"]) and s["scores"][side] + 1 >= opt["target"]:
            return False
    return True


@kernel
def single_declare(opt: Any, s: Any) -> Any:
    """5, 6: whether the maker does without his dummy; nobody else does."""
    seat = s["turn"]
    if seat != s["maker"]:
        return WITH_PARTNER
    hand_worth = worth(cards_out(opt, s, seat), s["hands"][seat], s["trump"])
    return ALONE if _value(opt, s, True, hand_worth) > _value(opt, s, False, hand_worth) else WITH_PARTNER


@kernel
def no_trump_call(opt: Any, s: Any, legal: Any) -> Any:
    """Q-N24: the no-trump that promises enough, and more than any suit; else -1."""
    value, action = best_call(opt, s, legal)
    if action < 0 or (action - CALL) % (CALL_ALONE - CALL) < NO_TRUMP:
        return -1
    if has(legal, PASS) and value <= _CALL_FROM[opt["num_seats"]]:
        return -1
    return action if value > _FORFEIT or not has(legal, FORFEIT) else -1
