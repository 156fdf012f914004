"""Decks from what was dealt: the deck that lays out given hands, up-card and kitty (docs/rules.md 1.2).

Which place of a deck goes to whom is not restated here: one deck of known cards is dealt by the engine, and where its
cards come to lie is the plan.

>>> from euchre_env import rulesets
>>> rules = rulesets.get("tournament")
>>> plan = plan_of(rules, 0)
>>> plan[0], plan[20]  # the first card goes to the dealer's left, the 21st is turned up
(('hands', 1), ('upcard', 0))
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from euchre_env.cards import cards_of
from euchre_env.engine.layout import NONE, STATE
from euchre_env.ruleset import Ruleset
from euchre_env.single import begin, deal_hand

# A field of STATE and the index in it where a card of a deck comes to lie.
Place = tuple[str, int]

UPCARD: Place = ("upcard", 0)
KITTY: Place = ("kitty", 0)
_SETS = ("hands", "buried", "given", "kitty")


def hand_of(seat: int) -> Place:
    """Return the place of a seat's hand."""
    return "hands", seat


def cards_at(states: npt.NDArray[np.void]) -> dict[Place, list[int]]:
    """Return the cards that lie at each place of a record just dealt, ascending; `states` is an array of one STATE."""
    lying: dict[Place, list[int]] = {}
    for name in _SETS:
        for index, cards in enumerate(np.atleast_1d(states[name][0])):
            if cards:
                lying[name, index] = cards_of(int(cards))
    if states["upcard"][0] != NONE:
        lying[UPCARD] = [int(states["upcard"][0])]
    return lying


@lru_cache(maxsize=256)
def plan_of(rules: Ruleset, dealer: int) -> tuple[Place, ...]:
    """Return where each card of a deck, top first, comes to lie when this seat deals."""
    states = np.zeros(1, dtype=STATE)
    options = rules.to_options()
    begin(options, states, dealer)
    deal_hand(options, states, np.array(rules.deck_ids, dtype=np.int8))
    where = {card: place for place, cards in cards_at(states).items() for card in cards}
    return tuple(where[card] for card in rules.deck_ids)


def deck_for(rules: Ruleset, dealer: int, lying: Mapping[Place, list[int]]) -> tuple[int, ...]:
    """Return the deck that deals these cards to these places, each place's cards in the order given."""
    waiting = {place: iter(cards) for place, cards in lying.items()}
    return tuple(next(waiting[place]) for place in plan_of(rules, dealer))


def in_order(rules: Ruleset, dealer: int, deck: Sequence[int]) -> tuple[int, ...]:
    """Return the deck that deals the same, the same one for all that do: the cards of each place ascending."""
    lying: dict[Place, list[int]] = {}
    for place, card in zip(plan_of(rules, dealer), deck, strict=True):
        lying.setdefault(place, []).append(int(card))
    return deck_for(rules, dealer, {place: sorted(cards) for place, cards in lying.items()})


def deck_dealt(rules: Ruleset, states: npt.NDArray[np.void]) -> tuple[int, ...]:
    """Return the deck, in that order, that deals what was just dealt in a record; `states` is an array of one STATE."""
    return deck_for(rules, int(states["dealer"][0]), cards_at(states))
