"""How the rule-based player makes trump where each seat plays for itself, and at no-trump anywhere. Compiled.

With two or three seats (5, 6) every call has a value, the net points to expect of it (`estimate.py`), and so has
passing. A partnership's calls are scored in `rule_based.py`; it comes here for no-trump alone (Q-N24), which that
score does not know.
"""

from typing import Any

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
    Phase,
)
from euchre_env.engine.table import dealer_names_trump, has, side_of, suit_of_upcard
from euchre_env.policies.card_play import COLOUR, cards_out
from euchre_env.policies.estimate import (
    form_of,
    place_at_table,
    trumps_worth,
    value_of_trump,
    worth,
    worth_after_discard,
)

_CALL = int(Phase.CALL)


@kernel
def _call_from(opt: Any, p: Any, s: Any) -> Any:
    """Return the net points that a call must promise."""
    return p["call_from"][1 if s["phase"] == _CALL else 0, place_at_table(opt, s, s["turn"])]


@kernel
def _worth_of_order(opt: Any, p: Any, s: Any) -> Any:
    """Return the mover's worth with the up-card's suit as trump; the dealer takes the card up, for or against him."""
    seat, trump, form = s["turn"], suit_of_upcard(opt, s), form_of(opt, False)
    hand, out = s["hands"][seat], cards_out(opt, s, seat)
    card = bit(s["upcard"])
    if seat == s["dealer"]:
        return worth_after_discard(p, form, out & ~card, hand | card, hand, trump)[0]
    return worth(p, form, out, hand, trump) - p["to_rival"] * trumps_worth(p, form, out & ~card, card, trump)


@kernel
def _value(opt: Any, p: Any, s: Any, alone: Any, hand_worth: Any) -> Any:
    return value_of_trump(opt, p, s, alone, hand_worth + (0.0 if alone else p["dummy_tricks"][opt["dummy"]]))


@kernel
def best_order(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return (value, action) of ordering up as the mask allows."""
    hand_worth = _worth_of_order(opt, p, s)
    best, choice = -1e9, PASS
    for action in (ORDER_UP, ORDER_UP_ALONE):
        if has(legal, action):
            value = _value(opt, p, s, action == ORDER_UP_ALONE, hand_worth)
            if value > best:
                best, choice = value, action
    return best, choice


@kernel
def _worth_of_call(opt: Any, p: Any, s: Any, alone: Any, trump: Any) -> Any:
    """Return the mover's worth under a trump; the dealer who names it for the joker takes that up (4.3)."""
    seat, form = s["turn"], form_of(opt, alone)
    hand, out = s["hands"][seat], cards_out(opt, s, seat)
    if dealer_names_trump(opt, s):
        return worth_after_discard(p, form, out & ~bit(JOKER), hand | bit(JOKER), hand, trump)[0]
    next_suit = trump == COLOUR[suit_of_upcard(opt, s)]
    return worth(p, form, out, hand, trump) + (p["next_tricks"][place_at_table(opt, s, seat)] if next_suit else 0.0)


@kernel
def best_call(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return (value, action) of the best call that the mask allows; -1 if it allows none."""
    best, choice = -1e9, -1
    for trump in range(NUM_TRUMPS):
        for call in (CALL, CALL_ALONE):
            if has(legal, call + trump):
                alone = call == CALL_ALONE
                value = _value(opt, p, s, alone, _worth_of_call(opt, p, s, alone, trump))
                if value > best:
                    best, choice = value, call + trump
    return best, choice


@kernel
def single_order(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """5, 6: the first round."""
    value, action = best_order(opt, p, s, legal)
    return action if value > _call_from(opt, p, s) else PASS


@kernel
def single_call(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """5, 6: the second round; a stuck dealer has to choose."""
    value, action = best_call(opt, p, s, legal)
    if has(legal, PASS) and value <= _call_from(opt, p, s):
        return PASS
    if has(legal, FORFEIT) and value < p["give_up_from"] and _survives(opt, s):
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
def single_declare(opt: Any, p: Any, s: Any) -> Any:
    """5, 6: whether the maker does without his dummy; nobody else does."""
    seat = s["turn"]
    if seat != s["maker"]:
        return WITH_PARTNER
    hand_worth = worth(p, form_of(opt, True), cards_out(opt, s, seat), s["hands"][seat], s["trump"])
    return ALONE if _value(opt, p, s, True, hand_worth) > _value(opt, p, s, False, hand_worth) else WITH_PARTNER


@kernel
def no_trump_call(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Q-N24: the no-trump that promises enough, and more than any suit; else -1."""
    value, action = best_call(opt, p, s, legal)
    if action < 0 or (action - CALL) % (CALL_ALONE - CALL) < NO_TRUMP:
        return -1
    if has(legal, PASS) and value <= _call_from(opt, p, s):
        return -1
    return action if value > p["give_up_from"] or not has(legal, FORFEIT) else -1
