"""Cards as texts: suits, their order under each trump, who may play what and who wins a trick."""

from collections.abc import Iterable, Sequence

SUITS = "CDHS"
NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no-trump", "NTL": "low no-trump"}
MATES = {"C": "S", "S": "C", "D": "H", "H": "D"}
HIGH_TO_LOW = "AKQJT987"
JOKER = "JK"


def trumps(trump: str) -> list[str]:
    """1.3: the trump suit from the right bower down; the joker, where there is one, is above it."""
    return [f"J{trump}", f"J{MATES[trump]}"] + [rank + trump for rank in HIGH_TO_LOW if rank != "J"]


def plain(suit: str, trump: str) -> list[str]:
    """1.3, 1.6: a suit that is not trump, from the highest down; without the left bower."""
    ranks = HIGH_TO_LOW[::-1] if trump == "NTL" else HIGH_TO_LOW
    left_bower = f"J{MATES[trump]}" if trump in SUITS else None
    return [rank + suit for rank in ranks if rank + suit != left_bower]


def suit_of(card: str, trump: str) -> str:
    """1.3, 1.6: the suit that a card counts as."""
    if trump in SUITS and (card == JOKER or card in trumps(trump)):
        return trump
    return card[1]


def suit_cards(card: str, trump: str) -> list[str]:
    """Return all cards but the joker that count as the suit of this one, from the highest down."""
    suit = suit_of(card, trump)
    return trumps(trump) if suit == trump else plain(suit, trump)


def can_follow(hand: Iterable[str], led: str | None, trump: str) -> set[str]:
    """1.4: what may be played."""
    cards = set(hand)
    if led is None:
        return cards
    suit = suit_of(led, trump)
    return {card for card in cards if suit_of(card, trump) == suit} or cards


def winner_of(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """1.5: the highest trump, else the highest card of the suit led."""
    by_card = {card: seat for seat, card in trick}
    best = [JOKER, *trumps(trump)] if trump in SUITS else []
    for card in best + suit_cards(trick[0][1], trump):
        if card in by_card:
            return by_card[card]
    raise AssertionError("somebody wins every trick")
