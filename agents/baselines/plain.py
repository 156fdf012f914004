"""What the descriptions of docs/field.md 5C to 5E leave open, answered in one way for all three. Compiled.

The cards are played by the library's lists with their untuned numbers (`card_play.py`, `parameters.field_values`). The
dealer lays away what 5C says: the lowest card of the shortest side suit, aces and guarded kings kept. A farmer's hand
takes a redeal where it may, and nobody but the maker goes alone.

>>> from euchre_env.cards import format_card, mask_of, parse_cards
>>> hand = mask_of(parse_cards("JH 9H AS KD 9D TC"))
>>> format_card(weakest_card(hand, hand, 2)), format_card(weakest_card(hand, mask_of(parse_cards("JH AS KD")), 2))
('TC', 'AS')
"""

from typing import Any

from agents.baselines.hand import ACES, CARDS, KINGS, answer_claim, pick
from euchre_env.cards import EFFECTIVE_SUIT, NUM_RANKS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import ALONE, DECLINE, WITH_PARTNER, Phase
from euchre_env.engine.table import side_of
from euchre_env.policies.card_play import choose_card

_CLAIM, _DISCARD, _PLAY = int(Phase.CLAIM), int(Phase.DISCARD), int(Phase.PLAY)


@kernel
def _is_kept(hand: Any, trump: Any, card: Any) -> Any:
    """5C: an ace, or a king that another card of its suit guards."""
    suit = hand & SUIT_CARDS[trump, EFFECTIVE_SUIT[trump, card]]
    return bit(card) & ACES != 0 or (bit(card) & KINGS != 0 and count(suit) > 1)


@kernel
def weakest_card(hand: Any, may_go: Any, trump: Any) -> Any:
    """Return the card of a non-empty set `may_go` to lay away from a hand."""
    side = may_go & ~SUIT_CARDS[trump, trump]
    if side == 0:
        return pick(trump, may_go, -1)
    best, choice = 1000, -1
    while side != 0:
        card = lowest(side)
        side &= side - 1
        length = count(hand & SUIT_CARDS[trump, EFFECTIVE_SUIT[trump, card]])
        place = (100 if _is_kept(hand, trump, card) else 0) + NUM_RANKS * length + card % NUM_RANKS
        if place < best:
            best, choice = place, card
    return choice


@kernel
def hand_with_upcard(s: Any, seat: Any) -> Any:
    """Return the hand that a seat would play under the up-card's suit: the dealer takes it and lays a card away."""
    hand, trump = s["hands"][seat], s["upcard"] // NUM_RANKS
    if seat != s["dealer"]:
        return hand
    six = hand | bit(s["upcard"])
    return six & ~bit(weakest_card(six, hand, trump))


@kernel
def answer_alone(s: Any, alone: Any) -> Any:
    """Return the action of a seat that is asked about going alone, `alone` if the maker would."""
    return ALONE if s["turn"] == s["maker"] and alone else WITH_PARTNER


@kernel
def upcard_to_enemy(opt: Any, s: Any) -> Any:
    """Whether an opponent of the mover takes, or took, the up-card."""
    return side_of(opt, s["turn"]) != side_of(opt, s["dealer"])


@kernel
def choose_plainly(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action where no trump is made and nobody asked about going alone."""
    phase = s["phase"]
    if phase == _PLAY:
        return choose_card(opt, p, s, legal)
    if phase == _DISCARD and legal & CARDS != 0:
        return weakest_card(s["hands"][s["turn"]] | bit(s["upcard"]), legal & CARDS, s["trump"])
    if phase == _DISCARD:
        return DECLINE
    return answer_claim(legal) if phase == _CLAIM else lowest(legal)
