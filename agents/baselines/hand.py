"""What the players of the field ask about a hand and a trick, and how they answer in the words of the mask. Compiled.

Nothing here is a strategy: trumps, bowers, side aces and voids of a set of cards, its highest and lowest card, the
cards that would win the trick on the table, and the action that an intention comes to where the mask has a say.

>>> from euchre_env.cards import mask_of, parse_cards
>>> int(side_aces(mask_of(parse_cards("AS JS AH")), 3))
1
"""

from typing import Any

import numpy as np

from euchre_env.cards import (
    EFFECTIVE_SUIT,
    JACK,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    SUIT_CARDS,
    TRICK_POWER,
    same_colour,
)
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count, lowest
from euchre_env.engine.layout import CALL, CALL_ALONE, CLAIM_REDEAL, ORDER_UP, ORDER_UP_ALONE, PASS
from euchre_env.engine.table import has

CARDS = np.int64((1 << NUM_CARDS) - 1)
ACES, KINGS = (np.int64(sum(1 << (suit * NUM_RANKS + RANKS.index(rank)) for suit in range(NUM_SUITS))) for rank in "AK")
_ABOVE_SIDE_CARDS = 100


def _bowers(trump: int) -> int:
    return 1 << (trump * NUM_RANKS + JACK) | 1 << (same_colour(trump) * NUM_RANKS + JACK)


# [trump] the two bowers.
BOWERS = np.array([_bowers(trump) for trump in range(NUM_SUITS)], dtype=np.int64)


@kernel
def trumps(hand: Any, trump: Any) -> Any:
    """Return how many trumps a hand holds."""
    return count(hand & SUIT_CARDS[trump, trump])


@kernel
def has_right(hand: Any, trump: Any) -> Any:
    """Whether a hand holds the right bower."""
    return has(hand, trump * NUM_RANKS + JACK)


@kernel
def has_bower(hand: Any, trump: Any) -> Any:
    """Whether a hand holds a bower."""
    return hand & BOWERS[trump] != 0


@kernel
def side_aces(hand: Any, trump: Any) -> Any:
    """Return how many aces of other suits a hand holds."""
    return count(hand & ACES & ~SUIT_CARDS[trump, trump])


@kernel
def side_suits(hand: Any, trump: Any) -> Any:
    """Return in how many other suits a hand holds cards."""
    suits = 0
    for suit in range(NUM_SUITS):
        if suit != trump and hand & SUIT_CARDS[trump, suit] != 0:
            suits += 1
    return suits


@kernel
def void_makers(trump: Any, hand: Any) -> Any:
    """Return the side cards whose going leaves a void to ruff in: the only ones of their suit, with a trump in hand."""
    alone = np.int64(0)
    if trumps(hand, trump) == 0:
        return alone
    for suit in range(NUM_SUITS):
        cards = hand & SUIT_CARDS[trump, suit]
        if suit != trump and count(cards) == 1:
            alone |= cards
    return alone


@kernel
def longest_side_suit(trump: Any, hand: Any) -> Any:
    """Return the longest side suit, of equals the first in the order C D H S; -1 without side cards."""
    most, longest = 0, -1
    for suit in range(NUM_SUITS):
        held = count(hand & SUIT_CARDS[trump, suit])
        if suit != trump and held > most:
            most, longest = held, suit
    return longest


@kernel
def level(trump: Any, card: Any) -> Any:
    """Return the order of a card: side cards by rank, trumps above them."""
    suit = EFFECTIVE_SUIT[trump, card]
    return TRICK_POWER[trump, suit, card] + (_ABOVE_SIDE_CARDS if suit == trump else 0)


@kernel
def pick(trump: Any, cards: Any, sign: Any) -> Any:
    """Return the highest (sign 1) or lowest (-1) card of a non-empty set; of equals the lowest id."""
    best, choice = -1000, -1
    while cards != 0:
        card = lowest(cards)
        height = sign * level(trump, card)
        if height > best:
            best, choice = height, card
        cards &= cards - 1
    return choice


@kernel
def led_suit(s: Any) -> Any:
    """Return the suit of the trick on the table."""
    return EFFECTIVE_SUIT[s["trump"], s["cards"][s["trick"], 0]]


@kernel
def longest_callable(legal: Any, hand: Any) -> Any:
    """Return the suit with most trumps that may be named, of equals the first in the order C D H S; -1 for none."""
    most, longest = -1, -1
    for suit in range(NUM_SUITS):
        if has(legal, CALL + suit) and trumps(hand, suit) > most:
            most, longest = trumps(hand, suit), suit
    return longest


@kernel
def answer_order(legal: Any, calls: Any, alone: Any) -> Any:
    """Return the action of the first round for a hand that calls, perhaps alone."""
    if calls and alone and has(legal, ORDER_UP_ALONE):
        return ORDER_UP_ALONE
    if has(legal, ORDER_UP) and (calls or not has(legal, PASS)):
        return ORDER_UP
    return PASS


@kernel
def answer_call(legal: Any, suit: Any, calls: Any, alone: Any) -> Any:
    """Return the action of the second round for a suit (-1: none may be named) that a hand calls, perhaps alone."""
    if suit < 0 or (has(legal, PASS) and not calls):
        return lowest(legal)
    return CALL_ALONE + suit if calls and alone and has(legal, CALL_ALONE + suit) else CALL + suit


@kernel
def answer_claim(legal: Any) -> Any:
    """Return the action of a farmer's hand: a redeal where it may be had (Q-N22)."""
    return CLAIM_REDEAL if has(legal, CLAIM_REDEAL) else lowest(legal)
