"""Cards laid away and passed: the dealer's exchange, dummies, a partner's best card, a farmer's swap.

Clauses 2.3 and Q-N3, 5 and 6, 7.5, Q-N22. What is laid away is public as a fact and known to its owner alone (1.8).
"""

from typing import Any

import numpy as np

from euchre_env.cards import JOKER
from euchre_env.engine._jit import kernel
from euchre_env.engine.alone import go_on, may_declare
from euchre_env.engine.bits import bit, count
from euchre_env.engine.dummy import dummy_is_due, take_dummy
from euchre_env.engine.layout import DECLINE, HIDDEN_CARD, SWAP, Phase, Purpose, Upcard
from euchre_env.engine.opening import next_claim
from euchre_env.engine.table import dealer_names_trump, has, partner_of, say

_DISCARD = int(Phase.DISCARD)
_GIVE = int(Phase.GIVE)
_TAKEN = int(Upcard.TAKEN)
_LEFT = int(Upcard.LEFT)
_FARMER = int(Purpose.FARMER)
_DEALER = int(Purpose.DEALER)
_BEST = int(Purpose.BEST)

# Values of Ruleset.dealer_pickup and best_exchange, by index.
_OPTIONAL = 0
_ANY_OF_SIX = 2
_DISCARD_FIRST = 1


@kernel
def begin_exchange(opt: Any, s: Any) -> None:
    """2.3: the dealer takes the up-card; he is asked first if he may decline it, and skipped if he sits out.

    7.3: the joker he takes in any case.
    """
    dealer = s["dealer"]
    if has(s["sits_out"], dealer):
        s["upcard_state"] = _LEFT
        go_on(opt, s)
        return
    s["phase"] = _DISCARD
    s["discards_for"] = _DEALER
    s["turn"] = dealer
    if opt["dealer_pickup"] != _OPTIONAL or s["maker"] == dealer or s["upcard"] == JOKER:
        _take_up(s)
    if s["maker"] == dealer and dummy_is_due(opt, s, dealer) and not may_declare(opt, s, dealer):
        take_dummy(opt, s, dealer)


@kernel
def _take_up(s: Any) -> None:
    s["hands"][s["dealer"]] |= bit(s["upcard"])
    s["upcard_state"] = _TAKEN


@kernel
def legal_discard(opt: Any, s: Any) -> Any:
    """2.3: one of the dealt cards; any of six, or none at all, where that was agreed (Q-N3); 7.5: or no exchange."""
    hand = s["hands"][s["turn"]]
    purpose = s["discards_for"]
    if purpose == _FARMER:
        return hand
    if purpose == _BEST:
        return hand | bit(DECLINE) if opt["best_exchange"] == _DISCARD_FIRST else hand
    if s["turn"] == s["dealer"] and s["upcard_state"] == _TAKEN:
        return hand & ~_kept(opt, s)
    return hand | bit(DECLINE) if purpose == _DEALER else hand


@kernel
def _kept(opt: Any, s: Any) -> Any:
    """Q-N3: the up-card that may not be buried; Q-B3: a joker that the dealer named trump for never may."""
    if opt["dealer_pickup"] == _ANY_OF_SIX and not dealer_names_trump(opt, s):
        return np.int64(0)
    return bit(s["upcard"])


@kernel
def apply_discard(opt: Any, s: Any, action: Any) -> None:
    """2.3: lay a card away face down, or leave the up-card; either is public, the card is not (1.8)."""
    seat = s["turn"]
    if action == DECLINE:
        _decline(opt, s, seat)
        return
    if s["discards_for"] == _DEALER and s["upcard_state"] != _TAKEN:
        _take_up(s)
    s["hands"][seat] &= ~bit(action)
    s["buried"][seat] |= bit(action)
    s["laid_away"][seat] += 1
    say(s, HIDDEN_CARD)
    _after_discard(opt, s, seat)


@kernel
def _decline(opt: Any, s: Any, seat: Any) -> None:
    say(s, DECLINE)
    if s["discards_for"] == _BEST:
        s["exchanged"] |= bit(seat)
    else:
        s["upcard_state"] = _LEFT
    go_on(opt, s)


@kernel
def _after_discard(opt: Any, s: Any, seat: Any) -> None:
    purpose = s["discards_for"]
    if purpose == _FARMER:
        _continue_farmers_swap(opt, s, seat)
    elif purpose == _BEST and opt["best_exchange"] == _DISCARD_FIRST:
        _ask_partner(s, seat)
    elif count(s["hands"][seat]) <= opt["hand_size"]:
        if purpose == _BEST:
            s["exchanged"] |= bit(seat)
        go_on(opt, s)


@kernel
def begin_farmers_swap(s: Any) -> None:
    """Q-N22: three cards are laid away before the buried ones are seen."""
    s["phase"] = _DISCARD
    s["discards_for"] = _FARMER


@kernel
def _continue_farmers_swap(opt: Any, s: Any, seat: Any) -> None:
    """Q-N22: with the third card the seat takes the three buried ones."""
    if s["laid_away"][seat] == count(s["kitty"]):
        s["hands"][seat] |= s["kitty"]
        s["kitty"] = 0
        next_claim(opt, s)


@kernel
def _ask_partner(s: Any, seat: Any) -> None:
    """7.5: the partner chooses alone; he does not see the discard."""
    s["phase"] = _GIVE
    s["turn"] = partner_of(seat)


@kernel
def legal_swap(opt: Any, s: Any) -> Any:
    """7.5, receive first: ask for the partner's best card, or do not."""
    return bit(SWAP) | bit(DECLINE)


@kernel
def apply_swap(opt: Any, s: Any, action: Any) -> None:
    """7.5, receive first."""
    seat = s["turn"]
    if action == DECLINE:
        _decline(opt, s, seat)
    else:
        say(s, SWAP)
        _ask_partner(s, seat)


@kernel
def legal_give(opt: Any, s: Any) -> Any:
    """7.5: any of one's cards; the dealer also the up-card that nobody took (Q-N23), but no joker set aside."""
    seat = s["turn"]
    if seat == s["dealer"] and s["upcard_state"] == _LEFT and not dealer_names_trump(opt, s):
        return s["hands"][seat] | bit(s["upcard"])
    return s["hands"][seat]


@kernel
def apply_give(opt: Any, s: Any, card: Any) -> None:
    """7.5: the card goes face down to the loner, who may have one to lay away now."""
    giver, loner = s["turn"], partner_of(s["turn"])
    say(s, HIDDEN_CARD)
    s["hands"][giver] &= ~bit(card)
    s["hands"][loner] |= bit(card)
    s["given"][giver] |= bit(card)
    if opt["best_exchange"] == _DISCARD_FIRST:
        s["exchanged"] |= bit(loner)
        go_on(opt, s)
    else:
        s["phase"] = _DISCARD
        s["turn"] = loner
