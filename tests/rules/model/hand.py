"""What a decision is, and what has happened in a hand."""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NamedTuple

FACE_DOWN = "a card face down"


class Ask(NamedTuple):
    """A decision: who, of what kind, among which words."""

    seat: int
    kind: str
    legal: frozenset[str]


def clockwise(first: int, seats: int = 4) -> list[int]:
    """1.2: all seats from this one on."""
    return [(first + step) % seats for step in range(seats)]


def _four_sets() -> list[set[str]]:
    return [set(), set(), set(), set()]


@dataclass
class Hand:
    """What has happened: public but for `hands`, `kitty`, `buried` and `given`.

    Places of `hands` past the last seat are dummies or the ghost hand.
    """

    dealer: int
    upcard: str
    hands: list[set[str]]
    seats: int = 4
    kitty: list[str] = field(default_factory=list)
    buried: list[set[str]] = field(default_factory=_four_sets)
    given: list[set[str]] = field(default_factory=_four_sets)
    said: list[tuple[int, str]] = field(default_factory=list)
    proposed: str | None = None
    trump: str | None = None
    maker: int | None = None
    bid: str | None = None
    named: dict[int, str] = field(default_factory=dict)
    swapped_by: int | None = None
    joker_called: bool = False
    turned_down: bool = False
    taken: bool = False
    alone: set[int] = field(default_factory=set)
    with_dummy: set[int] = field(default_factory=set)
    tricks: list[list[tuple[int, str]]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    reneged: list[tuple[int, str]] = field(default_factory=list)
    points: tuple[int, ...] = ()
    claimed: bool = False
    forfeited: bool = False

    @property
    def partners(self) -> bool:
        """1.2: whether seats opposite play together."""
        return self.seats == 4

    def partner(self, seat: int) -> int | None:
        """1.2: the seat opposite, None where each plays for himself."""
        return (seat + 2) % 4 if self.partners else None

    def side(self, seat: int) -> int:
        """1.2: the side of a seat."""
        return seat % 2 if self.partners else seat

    @property
    def sides(self) -> int:
        """1.2: how many sides there are."""
        return 2 if self.partners else self.seats

    @property
    def sits_out(self) -> set[int]:
        """2.5, 8.4: a loner's partner."""
        return {(seat + 2) % 4 for seat in self.alone} if self.partners else set()

    @property
    def makers(self) -> set[int]:
        """2.3: the maker and his partner."""
        assert self.maker is not None
        return {seat for seat in range(self.seats) if self.side(seat) == self.side(self.maker)}

    @property
    def made(self) -> int:
        """Tricks of the makers' side."""
        return sum(winner in self.makers for winner in self.winners)

    def around(self, first: int) -> list[int]:
        """Return all seats from this one on."""
        return clockwise(first, self.seats)

    def say(self, seat: int, word: str) -> None:
        """Note what the table hears."""
        self.said.append((seat, word))

    def bury(self, seat: int, card: str) -> None:
        """Lay a card of one's own away face down."""
        self.say(seat, FACE_DOWN)
        self.hands[seat].discard(card)
        self.buried[seat].add(card)


Course = Generator[Ask, str, None]
