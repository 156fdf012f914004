"""Cards in words: the ranks and suits of docs/rules.md 1.3 to 1.6 once more, apart from the tables of the engine.

The checks of this package read records with them, so that a fault of those tables is seen.

>>> suit_of("JD", "H"), order("H", "S")[:3], order("NTL", "S")[-1]
('H', ['JK', 'JH', 'JD'], 'AS')
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import format_card, mask_of, parse_card

SUITS = "CDHS"
TRUMPS = ("C", "D", "H", "S", "NT", "NTL")
MATES = {"C": "S", "S": "C", "D": "H", "H": "D"}
JOKER = "JK"
PLAIN = "AKQJT987"


def suit_of(card: str, trump: str) -> str:
    """1.3: joker and left bower are trumps; 1.6: at no-trump every card is of its printed suit."""
    if trump in SUITS and (card == JOKER or card == f"J{MATES[trump]}"):
        return trump
    return card[1]


@cache
def order(trump: str, led: str) -> list[str]:
    """1.3, 1.5, 1.6: the cards that can win a trick to which this suit was led, the highest first."""
    above = []
    if trump in SUITS:
        above = [JOKER, f"J{trump}", f"J{MATES[trump]}", *(rank + trump for rank in PLAIN if rank != "J")]
    ranks = PLAIN[::-1] if trump == "NTL" else PLAIN
    return above + [rank + led for rank in ranks if rank + led not in above]


def winner_of(cards: list[str], trump: str) -> str:
    """1.5: the card that takes a trick, given in the order played."""
    return min(cards, key=_places(trump, suit_of(cards[0], trump)).__getitem__)


@cache
def _places(trump: str, led: str) -> dict[str, int]:
    high = order(trump, led)
    all_cards = [JOKER, *(rank + suit for rank in PLAIN for suit in SUITS)]
    return {card: high.index(card) if card in high else len(high) for card in all_cards}


def text_cards(ids: Iterable[Any]) -> list[str]:
    """Return card ids as texts, those that are none (-1) left out."""
    return [format_card(int(card)) for card in ids if card >= 0]


def _suit_sets() -> npt.NDArray[np.int64]:
    cards = [rank + suit for rank in PLAIN for suit in SUITS]
    sets = np.zeros((len(TRUMPS), len(SUITS)), dtype=np.int64)
    for number, trump in enumerate(TRUMPS):
        pack = [*cards, JOKER] if trump in SUITS else cards
        for place, suit in enumerate(SUITS):
            sets[number, place] = mask_of(parse_card(card) for card in pack if suit_of(card, trump) == suit)
    return sets


# [trump, suit] the cards that are of the suit, as a set.
SUIT_SETS = _suit_sets()
# [trump, card] the suit that a card is of; the joker's at no-trump is nothing.
SUITS_OF = np.array(
    [[max(0, int(np.argmax(sets >> card & 1))) for card in range(33)] for sets in SUIT_SETS], dtype=np.int64
)
