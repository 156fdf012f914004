"""Where the unseen cards may lie: the places of a view, how many cards each holds, and which ones it may hold.

A PLAN is one such problem. Its places are the four hands (dummies and the ghost hand past the seats), the kitty, what
each other seat laid away, and the card that a loner got from his partner where the observer knows neither (7.5): that
one is marked in a world, so it is a place of its own, in the loner's hand or among what he laid away. Where the card
may have been played or was the up-card, each way is a PLAN of its own; they exclude each other, and `WAYS` of them are
tried. What a place must hold at least is `proofs.py`.
"""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count
from euchre_env.engine.dummy import THREE_CARD, TWO_CARD, dummy_place
from euchre_env.engine.layout import HIDDEN_CARD, MAX_SEATS, MAX_TRICKS, NONE, Upcard
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.table import dealer_names_trump, has, is_blind, partner_of, side_of

# Places: hands at 0-3.
KITTY = MAX_SEATS
BURIED = KITTY + 1  # 5-8, by seat
GIFT_HELD = BURIED + MAX_SEATS
GIFT_BURIED = GIFT_HELD + 1
NUM_PLACES = GIFT_BURIED + 1
MAX_PROOFS = 17

# How the hidden gift lies: 0-6 the so-manieth card that the loner played, then as below; the observer's own gift to a
# loner, who may have laid it away, is held (0) or buried (1).
_HELD = MAX_TRICKS
_LAID_AWAY = _HELD + 1
_HELD_UPCARD = _HELD + 2
_LAID_AWAY_UPCARD = _HELD + 3
_NO_GIFT = _HELD + 4
HIDDEN_WAYS = _NO_GIFT + 1
WAYS = 2 * HIDDEN_WAYS

PLAN = np.dtype(
    [
        ("unseen", np.int64),
        ("room", np.int64, (NUM_PLACES,)),
        ("may", np.int64, (NUM_PLACES,)),
        ("giver", np.int64),  # whose gift the observer does not know, or NONE
        ("gift", np.int64),  # that card as a set where it was played, else 0: a place has it
        ("own_gift", np.int64),  # what the observer gave, as a set
        ("proof_places", np.int64, (MAX_PROOFS,)),  # see proofs.py
        ("proof_cards", np.int64, (MAX_PROOFS,)),
        ("proof_start", np.int64, (MAX_PROOFS,)),
        ("proof_most", np.int64, (MAX_PROOFS,)),
        ("low_away", np.int64),
        ("natural", np.int64),
    ],
    align=True,
)

_TAKEN = int(Upcard.TAKEN)
_LEFT = int(Upcard.LEFT)

# Values of Ruleset.dealer_pickup, best_exchange and farmers_hand, by index.
_ANY_OF_SIX = 2
_NO_EXCHANGE = 0
_RECEIVE_FIRST = 2
_SWAP_THREE = 2
_SWAPPED = 3


@kernel
def has_given(opt: Any, v: Any, seat: Any) -> Any:
    """7.5: whether a seat passed a card: it put down one more, face down, than it laid away."""
    if opt["best_exchange"] == _NO_EXCHANGE:
        return False
    hidden = 0
    for i in range(v["num_calls"]):
        if v["calls"][i] == HIDDEN_CARD and v["call_seats"][i] == seat:
            hidden += 1
    return hidden > v["laid_away"][seat]


@kernel
def has_received(opt: Any, v: Any, seat: Any) -> Any:
    """7.5: whether a seat got its partner's card."""
    return has_given(opt, v, partner_of(seat))


@kernel
def is_swapper(opt: Any, v: Any, seat: Any) -> Any:
    """Q-N22: whether a seat swaps, or has swapped, three cards for the buried ones."""
    return opt["farmers_hand"] == _SWAP_THREE and v["swapped_by"] == seat


@kernel
def has_swapped(opt: Any, v: Any, seat: Any) -> Any:
    """Q-N22: whether it has taken the buried cards."""
    return is_swapper(opt, v, seat) and v["laid_away"][seat] >= _SWAPPED


@kernel
def _dummy_size(opt: Any) -> Any:
    if opt["dummy"] == TWO_CARD:
        return 2
    return 3 if opt["dummy"] == THREE_CARD else np.int64(opt["hand_size"])


@kernel
def has_dummy(opt: Any, v: Any, seat: Any) -> Any:
    """5, 6: whether a seat has taken its dummy."""
    return opt["dummy"] != 0 and has(v["exchanged"], seat)


@kernel
def cards_held(opt: Any, v: Any, seat: Any) -> Any:
    """Return how many cards a seat holds."""
    size = np.int64(opt["hand_size"]) - v["laid_away"][seat] - count(v["played"][seat])
    if seat == v["dealer"] and v["upcard_state"] == _TAKEN:
        size += 1
    if has_swapped(opt, v, seat):
        size += _SWAPPED
    if has_dummy(opt, v, seat):
        size += _dummy_size(opt)
    if has_given(opt, v, seat) and not _gave_upcard_left(opt, v, seat):
        size -= 1
    return size + 1 if has_received(opt, v, seat) else size


@kernel
def _gave_upcard_left(opt: Any, v: Any, seat: Any) -> Any:
    """Q-N23: whether the record shows that a seat gave the up-card that nobody took, none of its own."""
    return v["upcard_state"] == _LEFT and v["upcard"] != NONE and v["given"][seat] == bit(v["upcard"])


@kernel
def _cards_in_dummy(opt: Any, v: Any, place: Any) -> Any:
    """5, 6, 9.1: how many cards lie in a place past the seats."""
    if opt["dealt_places"] > opt["num_seats"]:
        if place != opt["num_seats"] or (opt["dummy"] != 0 and v["exchanged"] != 0):
            return np.int64(0)
        return np.int64(opt["hand_size"]) if opt["auction"] == NO_AUCTION or v["swapped_by"] == NONE else np.int64(0)
    if opt["dummy"] == TWO_CARD:
        return np.int64(2) if place == dummy_place(opt, NONE) and v["exchanged"] == 0 else np.int64(0)
    if opt["dummy"] == THREE_CARD:
        return np.int64(0) if has(v["exchanged"], place - dummy_place(opt, 0)) else np.int64(3)
    return np.int64(0)


@kernel
def _cards_in_kitty(opt: Any, v: Any) -> Any:
    cards = np.int64(opt["deck_size"]) - np.int64(opt["dealt_places"]) * opt["hand_size"]
    if opt["auction"] == NO_AUCTION:
        cards -= 1
    if opt["dummy"] == TWO_CARD:
        cards -= 2
    if opt["dummy"] == THREE_CARD:
        cards -= 6
    if v["swapped_by"] != NONE and has_swapped(opt, v, v["swapped_by"]):
        cards = np.int64(0)
    return cards


@kernel
def _cards_laid_away(opt: Any, v: Any, seat: Any) -> Any:
    """Return how many cards a seat has laid away or, for the ghost hand, given up (9.3)."""
    ghost = opt["auction"] != NO_AUCTION and v["swapped_by"] == seat
    return np.int64(v["laid_away"][seat]) + (np.int64(opt["hand_size"]) if ghost else np.int64(0))


@kernel
def void_cards(v: Any, seat: Any) -> Any:
    """1.4: the cards that a seat cannot hold, since it did not follow suit and was not charged for it (Q-X4)."""
    cards = np.int64(0)
    trump = v["trump"]
    for trick in range(MAX_TRICKS):
        if v["trick_cards"][trick] == 0:
            break
        led = EFFECTIVE_SUIT[trump, v["cards"][trick, 0]]
        for place in range(1, MAX_SEATS):
            card = v["cards"][trick, place]
            if card == NONE:
                break
            refused = EFFECTIVE_SUIT[trump, card] != led and v["reneged"] & bit(card) == 0
            if v["players"][trick, place] == seat and refused:
                cards |= SUIT_CARDS[trump, led]
    return cards


@kernel
def _own_cards(opt: Any, v: Any, me: Any) -> Any:
    return v["hands"][me] | v["buried"][me]


@kernel
def _all_played(v: Any) -> Any:
    cards = np.int64(0)
    for seat in range(MAX_SEATS):
        cards |= v["played"][seat]
    return cards


@kernel
def _upcard(v: Any) -> Any:
    return bit(v["upcard"]) if v["upcard"] != NONE else np.int64(0)


@kernel
def _lay_out(opt: Any, v: Any, me: Any, plan: Any) -> None:
    """Write the places by what is public; the up-card is in none of them yet."""
    known = _own_cards(opt, v, me) | _all_played(v) | _upcard(v)
    plan["unseen"] = opt["deck"] & ~known
    for place in range(NUM_PLACES):
        plan["room"][place] = 0
        plan["may"][place] = plan["unseen"]
    for seat in range(MAX_SEATS):
        if seat >= opt["num_seats"]:
            plan["room"][seat] = _cards_in_dummy(opt, v, seat)
        elif seat != me or is_blind(opt, v):
            plan["room"][seat] = cards_held(opt, v, seat)
            plan["may"][seat] &= ~void_cards(v, seat)
        if seat < opt["num_seats"] and seat != me:
            plan["room"][BURIED + seat] = _cards_laid_away(opt, v, seat)
    plan["room"][KITTY] = _cards_in_kitty(opt, v)


@kernel
def _hidden_giver(opt: Any, v: Any, me: Any) -> Any:
    """7.5: the seat whose gift the observer knows not: one of the other side's; else NONE."""
    if not opt["partners"]:
        return NONE
    for seat in range(opt["num_seats"]):
        if side_of(opt, seat) != side_of(opt, me) and has_given(opt, v, seat):
            return seat
    return NONE


@kernel
def _may_have_laid_away_gift(opt: Any, v: Any, loner: Any) -> Any:
    """7.5: who receives first may lay the very card away."""
    return opt["best_exchange"] == _RECEIVE_FIRST and has(v["exchanged"], loner)


@kernel
def _place_own_gift(opt: Any, v: Any, me: Any, buried: Any, plan: Any) -> Any:
    """7.5: the observer's gift lies with his partner; False if it cannot lie that way."""
    loner = partner_of(me)
    card = v["given"][me] if opt["partners"] else np.int64(0)
    plan["own_gift"] = card
    if card & ~_all_played(v) == 0:
        return not buried
    plan["unseen"] |= card
    for place in range(NUM_PLACES):
        plan["may"][place] &= ~card
    if buried:
        plan["may"][BURIED + loner] |= card
        return _may_have_laid_away_gift(opt, v, loner)
    plan["may"][loner] |= card & ~void_cards(v, loner)
    return True


@kernel
def _played_as(v: Any, seat: Any, number: Any) -> Any:
    """Return the so-manieth card that a seat played, as a set; empty if it played fewer."""
    for trick in range(MAX_TRICKS):
        for place in range(MAX_SEATS):
            if v["players"][trick, place] == seat:
                if number == 0:
                    return bit(v["cards"][trick, place])
                number -= 1
    return np.int64(0)


@kernel
def _place_hidden_gift(opt: Any, v: Any, me: Any, way: Any, plan: Any) -> Any:
    """7.5: the gift of the other side, lying so; False if it cannot."""
    giver = _hidden_giver(opt, v, me)
    plan["giver"] = giver
    plan["gift"] = 0
    if giver == NONE:
        return way == _NO_GIFT
    loner, up = partner_of(giver), _upcard(v)
    up_dealt = loner == v["dealer"] and v["upcard_state"] == _TAKEN
    up_shown = v["played"][loner] & up != 0 and not up_dealt
    if way < _HELD:
        plan["gift"] = _played_as(v, loner, way)
        if plan["gift"] == up and v["upcard_state"] == _LEFT:
            plan["room"][giver] += 1  # it was none of the giver's own cards
        return plan["gift"] != 0 and (plan["gift"] == up if up_shown else plan["gift"] != up)
    if up_shown or way == _NO_GIFT:
        return False
    held = way == _HELD or way == _HELD_UPCARD
    place = GIFT_HELD if held else GIFT_BURIED
    from_place = loner if held else BURIED + loner
    plan["room"][place] = 1
    plan["room"][from_place] -= 1
    plan["may"][place] = plan["may"][from_place]
    if plan["room"][from_place] < 0 or not (held or _may_have_laid_away_gift(opt, v, loner)):
        return False
    if way == _HELD or way == _LAID_AWAY:
        return True
    return _place_upcard_as_gift(opt, v, giver, place, plan)


@kernel
def _place_upcard_as_gift(opt: Any, v: Any, giver: Any, place: Any, plan: Any) -> Any:
    """Q-N23: the dealer gave the up-card that nobody took."""
    up = _upcard(v)
    if giver != v["dealer"] or v["upcard_state"] != _LEFT or dealer_names_trump(opt, v):
        return False
    plan["room"][giver] += 1
    plan["unseen"] |= up
    plan["may"][place] = up if place == GIFT_BURIED else up & ~void_cards(v, partner_of(giver))
    return plan["may"][place] != 0


@kernel
def _place_upcard(opt: Any, v: Any, me: Any, gift_buried: Any, plan: Any) -> None:
    """2.3: the dealer who took it up holds it, laid it away where he may, or gave it to a lone partner."""
    dealer, up = v["dealer"], _upcard(v)
    if v["upcard_state"] != _TAKEN or dealer == me or (_own_cards(opt, v, me) | _all_played(v) | plan["own_gift"]) & up:
        return
    plan["unseen"] |= up
    plan["may"][dealer] |= up & ~void_cards(v, dealer)
    laid_away = v["laid_away"][dealer] - (_SWAPPED if has_swapped(opt, v, dealer) else 0)
    any_of_six = opt["dealer_pickup"] == _ANY_OF_SIX and not dealer_names_trump(opt, v) and laid_away > 0
    # A lone dealer's second card went for his partner's best one, and is bound by nothing.
    if any_of_six or (opt["partners"] and laid_away > 1 and not gift_buried):
        plan["may"][BURIED + dealer] |= up
    if plan["giver"] == dealer:
        plan["may"][GIFT_HELD] |= up & ~void_cards(v, partner_of(dealer))
        plan["may"][GIFT_BURIED] |= up


@kernel
def make_plan(opt: Any, v: Any, me: Any, way: Any, plan: Any) -> Any:
    """Write the plan of a way that the gifts may lie; False if that is none."""
    own_buried, hidden = way >= HIDDEN_WAYS, way % HIDDEN_WAYS
    _lay_out(opt, v, me, plan)
    if not _place_own_gift(opt, v, me, own_buried, plan) or not _place_hidden_gift(opt, v, me, hidden, plan):
        return False
    loner_deals = (own_buried and partner_of(me) == v["dealer"]) or (
        plan["room"][GIFT_BURIED] != 0 and partner_of(plan["giver"]) == v["dealer"]
    )
    _place_upcard(opt, v, me, loner_deals, plan)
    return True
