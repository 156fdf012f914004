"""Cards, suits and ranks: ids, text both ways, and what each card is worth under each trump.

A card id is `suit * 8 + rank`, suits C D H S, ranks 7 8 9 T J Q K A; the joker is 32. A set of cards is an int with bit
`id` set. The tables below are the only place that knows bowers (docs/rules.md 1.3, 1.6); nothing here knows a game.

>>> parse_card("TD"), format_card(11)
(11, 'TD')
>>> format_cards(mask_of(parse_cards("AS 9C JD")))
'9C JD AS'
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

SUITS = "CDHS"
RANKS = "789TJQKA"
NUM_SUITS = 4
NUM_RANKS = 8
JOKER = 32
NUM_CARDS = 33
JACK = RANKS.index("J")

# What can be trump: the four suits, then the two no-trumps of 1.6.
NO_TRUMP = 4
NO_TRUMP_LOW = 5
NUM_TRUMPS = 6
TRUMP_NAMES = ("C", "D", "H", "S", "NT", "NTL")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = "♣♦♥♠"


def parse_card(text: str) -> int:
    """Return the id of a card written rank then suit (`TD`, `10d`, `A♠`) or `JK`; ValueError says what is wrong.

    `2S` is the joker too: the two of spades stands for a missing one (4.1), and no pack has other twos.
    """
    word = text.strip().upper().replace("10", "T")
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        word = word.replace(symbol, SUITS[suit])
    if word in ("JK", "2S"):
        return JOKER
    if len(word) != 2 or word[0] not in RANKS or word[1] not in SUITS:
        raise ValueError(
            f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS} (TD), or JK for the joker."
        )
    return SUITS.index(word[1]) * NUM_RANKS + RANKS.index(word[0])


def format_card(card: int) -> str:
    """Return the two letters of a card id; ValueError outside 0..32."""
    if not 0 <= card < NUM_CARDS:
        raise ValueError(f"{card} is not a card id: ids run from 0 to {NUM_CARDS - 1}.")
    return "JK" if card == JOKER else RANKS[card % NUM_RANKS] + SUITS[card // NUM_RANKS]


def parse_cards(text: str) -> list[int]:
    """Return the ids of cards separated by blanks or commas, in the order written."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def format_cards(cards: int | Iterable[int]) -> str:
    """Return cards (a mask, or ids in any order) as text; a mask is written in id order."""
    ids = cards_of(cards) if isinstance(cards, int | np.integer) else cards
    return " ".join(format_card(int(card)) for card in ids)


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of the given ids as a bit mask."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask


def cards_of(mask: int) -> list[int]:
    """Return the ids in a bit mask, ascending."""
    return [card for card in range(NUM_CARDS) if int(mask) >> card & 1]


def _is_suit(trump: int) -> bool:
    return trump < NUM_SUITS


def _effective_suit(trump: int, card: int) -> int:
    """1.3: the joker and the jack of trump's colour belong to trump; at no-trump every card keeps its printed suit."""
    if card == JOKER:
        return trump if _is_suit(trump) else NUM_SUITS
    suit = card // NUM_RANKS
    if _is_suit(trump) and card % NUM_RANKS == JACK and suit == NUM_SUITS - 1 - trump:
        return trump
    return suit


def _rank_power(trump: int, card: int) -> int:
    """Return the order of a card inside its effective suit, low to high (1.3; 1.6 for low no-trump)."""
    rank = card % NUM_RANKS
    if card == JOKER:
        return NUM_RANKS + 2
    if _is_suit(trump) and rank == JACK and _effective_suit(trump, card) == trump:
        return NUM_RANKS + (card // NUM_RANKS == trump)
    return NUM_RANKS - 1 - rank if trump == NO_TRUMP_LOW else rank


def _trick_power(trump: int, led: int, card: int) -> int:
    """1.5: 0 for a card that cannot win; above all plain cards for a trump."""
    suit = _effective_suit(trump, card)
    if _is_suit(trump) and suit == trump:
        return 1 + NUM_RANKS + _rank_power(trump, card)
    return 1 + _rank_power(trump, card) if suit == led else 0


# [trump, card] the suit a card counts as.
EFFECTIVE_SUIT: npt.NDArray[np.int8] = np.array(
    [[_effective_suit(t, c) for c in range(NUM_CARDS)] for t in range(NUM_TRUMPS)], dtype=np.int8
)
# [trump, suit] the cards that count as that suit; column 4 is the joker's at no-trump (a mix that rulesets refuse).
SUIT_CARDS: npt.NDArray[np.int64] = np.array(
    [
        [mask_of(c for c in range(NUM_CARDS) if EFFECTIVE_SUIT[t, c] == s) for s in range(NUM_SUITS + 1)]
        for t in range(NUM_TRUMPS)
    ],
    dtype=np.int64,
)
# [trump, suit led, card] what a card is worth in a trick; the highest wins, 0 cannot.
TRICK_POWER: npt.NDArray[np.int8] = np.array(
    [[[_trick_power(t, led, c) for c in range(NUM_CARDS)] for led in range(NUM_SUITS + 1)] for t in range(NUM_TRUMPS)],
    dtype=np.int8,
)


def deck_cards(lowest_rank: str, joker: bool) -> list[int]:
    """Return the ids of a pack from `lowest_rank` up, with or without the joker, in id order (1.1)."""
    low = RANKS.index(lowest_rank)
    pack = [s * NUM_RANKS + r for s in range(NUM_SUITS) for r in range(low, NUM_RANKS)]
    return [*pack, JOKER] if joker else pack


def same_colour(suit: int) -> int:
    """Return the other suit of the same colour: clubs with spades, diamonds with hearts."""
    return NUM_SUITS - 1 - suit
