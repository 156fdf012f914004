"""What a play, a call or a claim proves about hidden cards: that some places hold so many cards of a kind at least.

A proof is a set of places, a set of cards, how many of them are known already, and a number beyond which counting
stops; `are_met` says which counts are possible. Three rules prove something: a renege that was charged for shows that
the seat held the suit (Q-X4), a call of a suit may need a card of it (Q-N5), a swap a farmer's hand (Q-N22). What a
seat could have claimed and did not, or passed, proves nothing.
"""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, JOKER, NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count
from euchre_env.engine.layout import FARMERS_CARDS, LOW_CARDS, MAX_SEATS, MAX_TRICKS, NONE, Upcard
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.table import dealer_names_trump, partner_of, suit_of_upcard
from euchre_env.worlds.plan import (
    BURIED,
    GIFT_BURIED,
    GIFT_HELD,
    MAX_PROOFS,
    has_given,
    has_received,
    has_swapped,
    is_swapper,
)

# The proofs by index. A farmer's low cards: those laid away, all of them.
_LOW_AWAY = 0
_LOW = 1
# A card of the suit that a seat named, in its hand at the call; low or not among what it laid away with a farmer's
# hand or later, where either may be.
_NAMED = 2
_NAMED_HIGH_AWAY = 3
_NAMED_LOW_AWAY = 4
# Cards of no suit that a stuck dealer could have named, in the same way.
_UNNAMABLE = 5
_UNNAMABLE_HIGH_AWAY = 6
_UNNAMABLE_LOW_AWAY = 7
_RENEGES = 8

_TURNED_DOWN = int(Upcard.TURNED_DOWN)
_SWAPPED = 3

# Values of Ruleset.farmers_cards and stick_the_dealer, by index.
_ALL = 0
_STUCK = 1


@kernel
def _prove(plan: Any, proof: Any, places: Any, cards: Any, known: Any, most: Any) -> None:
    """Write a proof: cards of a set in places, of which some are known, counted up to `most`."""
    plan["proof_places"][proof] = places
    plan["proof_cards"][proof] = cards
    plan["proof_most"][proof] = most
    plan["proof_start"][proof] = min(count(known & cards), most)


@kernel
def _gift_of(v: Any, plan: Any, seat: Any) -> Any:
    """7.5: what a seat gave, as a set where the observer knows it or supposes it."""
    return plan["gift"] if plan["giver"] == seat else v["given"][seat]


@kernel
def _came_later(opt: Any, v: Any, plan: Any, seat: Any) -> Any:
    """Return the known cards that a seat got after the deal: the up-card, its partner's gift."""
    cards = np.int64(0)
    if v["upcard"] != NONE:
        cards |= bit(v["upcard"])
    return cards | _gift_of(v, plan, partner_of(seat)) if has_received(opt, v, seat) else cards


@kernel
def _places_of_gift(opt: Any, v: Any, plan: Any, seat: Any) -> Any:
    """Return the places of a card that a seat gave away, if it is hidden where."""
    return bit(GIFT_HELD) | bit(GIFT_BURIED) if plan["giver"] == seat else np.int64(0)


@kernel
def _shown(opt: Any, v: Any, plan: Any, seat: Any) -> Any:
    """Return the cards that a seat had as the observer knows: played, or given away."""
    return v["played"][seat] | (_gift_of(v, plan, seat) if has_given(opt, v, seat) else np.int64(0))


@kernel
def _prove_farmers_hand(opt: Any, v: Any, seat: Any, plan: Any) -> None:
    """Q-N22: three cards were laid away from a farmer's hand, the rest of it was kept a while at least."""
    all_low = opt["farmers_cards"] == _ALL
    cards = LOW_CARDS & ~_came_later(opt, v, plan, seat)
    away, held = bit(BURIED + seat), bit(seat) | _places_of_gift(opt, v, plan, seat)
    low = np.int64(opt["hand_size"]) if all_low else np.int64(FARMERS_CARDS)
    if has_swapped(opt, v, seat):
        least = np.int64(_SWAPPED if all_low else max(FARMERS_CARDS + _SWAPPED - opt["hand_size"], 0))
        plan["low_away"] = least
        _prove(plan, _LOW_AWAY, away, cards, np.int64(0), least + 1)
    _prove(plan, _LOW, away | held, cards, _shown(opt, v, plan, seat), low)


@kernel
def _prove_named_suit(opt: Any, v: Any, seat: Any, plan: Any) -> None:
    """Q-N5: who made trump had a card of the suit, the up-card and what came later not counted.

    What was laid away for the buried cards was gone by then (Q-N22).
    """
    later = _came_later(opt, v, plan, seat)
    named = np.int64(0xFF) << np.int64(v["trump"] * NUM_RANKS) & ~later
    held, away = bit(seat) | _places_of_gift(opt, v, plan, seat), bit(BURIED + seat)
    shown = _shown(opt, v, plan, seat)
    refused = np.int64(0)
    stuck = opt["stick_the_dealer"] == _STUCK and seat == v["dealer"] and v["upcard_state"] == _TURNED_DOWN
    if stuck and opt["allow_no_trump"] == 0:
        refused = (np.int64(0xFF) << np.int64(suit_of_upcard(opt, v) * NUM_RANKS) | bit(JOKER)) & ~later
    plan["natural"] = 1
    size = np.int64(opt["hand_size"])
    if not has_swapped(opt, v, seat):
        held |= away
    elif v["laid_away"][seat] > _SWAPPED:
        _prove(plan, _NAMED_HIGH_AWAY, away, named & ~LOW_CARDS, np.int64(0), 1)
        _prove(plan, _NAMED_LOW_AWAY, away, named & LOW_CARDS, np.int64(0), 1)
        if refused != 0:
            _prove(plan, _UNNAMABLE_HIGH_AWAY, away, refused & ~LOW_CARDS, np.int64(0), 1)
            _prove(plan, _UNNAMABLE_LOW_AWAY, away, refused & LOW_CARDS, np.int64(0), 1)
            size -= 1
    _prove(plan, _NAMED, held, named, shown, 1)
    if refused != 0:
        _prove(plan, _UNNAMABLE, held, refused, shown, size)


@kernel
def _prove_reneges(v: Any, me: Any, plan: Any) -> None:
    """Q-X4: who was charged held the suit; it may have played it since."""
    proof, trump, seen = _RENEGES, v["trump"], np.int64(0)
    for trick in range(MAX_TRICKS - 1, -1, -1):
        if v["trick_cards"][trick] == 0:
            continue
        led = EFFECTIVE_SUIT[trump, v["cards"][trick, 0]]
        for place in range(1, MAX_SEATS):
            card, seat = v["cards"][trick, place], v["players"][trick, place]
            if card == NONE or seat == me or v["reneged"] & bit(card) == 0:
                continue
            suit = SUIT_CARDS[trump, led]
            mark = bit(seat * NUM_SUITS + led)
            if seen & mark == 0 and _played_after(v, seat, trick) & suit == 0:
                _prove(plan, proof, bit(seat) | (bit(GIFT_HELD) if _gets(plan, seat) else np.int64(0)), suit, 0, 1)
                proof += 1
            seen |= mark


@kernel
def _gets(plan: Any, seat: Any) -> Any:
    return plan["giver"] != NONE and partner_of(plan["giver"]) == seat


@kernel
def _played_after(v: Any, seat: Any, trick: Any) -> Any:
    cards = np.int64(0)
    for later in range(trick + 1, MAX_TRICKS):
        cards |= v["trick_cards"][later] & v["played"][seat]
    return cards


@kernel
def prove(opt: Any, v: Any, me: Any, plan: Any) -> None:
    """Write what is proven about the places of a plan."""
    for proof in range(MAX_PROOFS):
        plan["proof_most"][proof] = 0
        plan["proof_start"][proof] = 0
    plan["low_away"] = 0
    plan["natural"] = 0
    swapper, maker = v["swapped_by"], v["maker"]
    if swapper != NONE and swapper != me and is_swapper(opt, v, swapper):
        _prove_farmers_hand(opt, v, swapper, plan)
    by_call = opt["natural_trump_required"] and opt["auction"] == NO_AUCTION and not dealer_names_trump(opt, v)
    if by_call and maker != NONE and maker != me and v["trump"] < NUM_SUITS:
        _prove_named_suit(opt, v, maker, plan)
    if v["reneged"] != 0:
        _prove_reneges(v, me, plan)


@kernel
def _is_natural(opt: Any, plan: Any, counts: Any) -> Any:
    """Q-N5, Q-N7: a card of the suit that was not laid away before, or a stuck dealer without any suit to name."""
    if plan["natural"] == 0 or counts[_NAMED] + counts[_NAMED_HIGH_AWAY] > 0:
        return True
    # A low card that was not needed for the farmer's hand may have stayed until after the call.
    spare_low = counts[_LOW_AWAY] > plan["low_away"]
    if counts[_NAMED_LOW_AWAY] > 0 and spare_low:
        return True
    most = plan["proof_most"][_UNNAMABLE]
    if most == 0 or counts[_UNNAMABLE] < most or plan["proof_most"][_UNNAMABLE_HIGH_AWAY] == 0:
        return most > 0 and counts[_UNNAMABLE] == most
    return counts[_UNNAMABLE_HIGH_AWAY] > 0 or (counts[_UNNAMABLE_LOW_AWAY] > 0 and spare_low)


@kernel
def are_met(opt: Any, plan: Any, counts: Any) -> Any:
    """Whether the cards counted for each proof [MAX_PROOFS] are possible."""
    if counts[_LOW_AWAY] < plan["low_away"] or counts[_LOW] < plan["proof_most"][_LOW]:
        return False
    for proof in range(_RENEGES, MAX_PROOFS):
        if counts[proof] < plan["proof_most"][proof]:
            return False
    return _is_natural(opt, plan, counts)
