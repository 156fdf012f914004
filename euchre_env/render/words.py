"""What a table shows, in words: names of seats, sides and cards, who holds how many, what lies where, what is known.

`Table` wraps one STATE record, whole or a view, and answers what a picture needs; `text.py` and `scene.py` arrange the
answers. What was said and whose turn it is stands in `speech.py`, how hands and games ended in `outcome.py`. Nothing
here decides what is legal or what a hand is worth.

>>> card_name(11), seat_names(4)[1], side_names(4)[0]
('10♦', 'West', 'North/South')
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from euchre_env.cards import (
    EFFECTIVE_SUIT,
    JOKER,
    NO_TRUMP,
    NUM_RANKS,
    NUM_SUITS,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    TRICK_POWER,
    cards_of,
)
from euchre_env.engine.layout import HIDDEN_CARD, NONE, RENEGE_POINTS, Phase, Purpose, Upcard
from euchre_env.ruleset import Ruleset

State = npt.NDArray[np.void] | np.void

TRUMP_WORDS = (*SUIT_NAMES, "no-trump", "low no-trump")
# Spades, hearts, clubs, diamonds: colours alternate, wherever one starts.
_SUIT_ORDER = (3, 2, 0, 1)
_SEAT_NAMES = {2: ("South", "North"), 3: ("South", "West", "East"), 4: ("South", "West", "North", "East")}
# What the joker is called, by Ruleset.joker_card (4.1).
_JOKER_NAMES = {"JK": "Joker", "2S": "2♠"}
# Cards of a dummy, by Ruleset.dummy (5, 6).
_DUMMY_SIZES = {"off": 0, "two_card": 2, "three_card": 3, "five_card": 5}


class Stack(NamedTuple):
    """Cards that lie face down beside the seats: a ghost hand, a dead hand, a dummy."""

    name: str
    size: int
    slot: int  # 0, or 1 for a second one
    cards: list[int]  # where the observer sees the whole table, else empty


class Note(NamedTuple):
    """What the observer may know about cards: who did what with them, and to whom."""

    words: str
    cards: list[int]
    end: str = ""


def seat_names(num_seats: int) -> tuple[str, ...]:
    """Return the compass name of every seat; seat 0 is South and seats run clockwise."""
    return _SEAT_NAMES[num_seats]


def side_names(num_seats: int) -> tuple[str, ...]:
    """Return the name of every side: two pairs of four seats, else each seat for itself."""
    return ("North/South", "East/West") if num_seats == 4 else _SEAT_NAMES[num_seats]


def card_name(card: int, joker: str = "JK") -> str:
    """Return a card as people write it: `10♥`, `Joker`, or `2♠` for the joker where that card stands for it (4.1)."""
    if card == JOKER:
        return _JOKER_NAMES[joker]
    rank = RANKS[card % NUM_RANKS]
    return ("10" if rank == "T" else rank) + SUIT_SYMBOLS[card // NUM_RANKS]


def listing(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list in a sentence: `a, b and c`."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def sorted_hand(cards: int, trump: int) -> list[int]:
    """Return a mask of cards by suit, trump first (bowers among trumps), each suit from the highest down."""
    table = trump if trump != NONE else NO_TRUMP
    start = _SUIT_ORDER.index(trump) if 0 <= trump < NUM_SUITS else 0

    def place(card: int) -> tuple[int, int]:
        suit = int(EFFECTIVE_SUIT[table, card])
        order = (_SUIT_ORDER.index(suit) - start) % NUM_SUITS if suit < NUM_SUITS else -1
        return order, -int(TRICK_POWER[table, suit, card])

    return sorted(cards_of(cards), key=place)


@dataclass(frozen=True)
class Table:
    """One STATE record as a picture needs it; with `seat`, what that seat sees (others' cards are only counted)."""

    rules: Ruleset
    record: State
    seat: int | None = None

    @cached_property
    def state(self) -> Any:
        """The record itself, whether it came alone or as an array of one."""
        return np.asarray(self.record).reshape(-1)[0]

    def _int(self, field: str) -> int:
        return int(self.state[field])

    def _seats(self, field: str) -> list[int]:
        """Return the seats in a set of seats."""
        bits = self._int(field)
        return [seat for seat in range(self.num_seats) if bits >> seat & 1]

    @property
    def num_seats(self) -> int:
        """How many seats the ruleset has."""
        return self.rules.num_seats

    @property
    def phase(self) -> Phase:
        """What kind of decision is due."""
        return Phase(self._int("phase"))

    @property
    def turn(self) -> int:
        """Who must act; -1 when nobody must."""
        return self._int("turn") if self.phase not in (Phase.DEAL, Phase.OVER) else NONE

    @property
    def dealer(self) -> int:
        """Who dealt, or deals first."""
        return self._int("dealer") if self.dealt else self._int("next_dealer")

    @property
    def auction(self) -> bool:
        """Whether trump is made by bids of tricks (8.2), not by an up-card."""
        return self.rules.auction != "off"

    @property
    def bidding(self) -> bool:
        """Whether an auction is going on, naming trump included."""
        return self.phase in (Phase.BID, Phase.NAME_TRUMP)

    @property
    def trump(self) -> int:
        """The trump, an index of `cards.TRUMP_NAMES`; -1 before it is made, and while it may be bid over (10.1)."""
        return NONE if self.bidding else self._int("trump")

    @property
    def maker(self) -> int:
        """Who made trump, or won the auction; -1 before."""
        return NONE if self.bidding else self._int("maker")

    @property
    def bidder(self) -> int:
        """Whose bid stands, or won the auction; -1 for nobody's."""
        return self._int("maker") if self.auction else NONE

    @property
    def bid(self) -> int:
        """The bid that stands, or won the auction, an index of `layout.BID_NAMES`; -1 for none."""
        return self._int("bid")

    @property
    def bid_trump(self) -> int:
        """The trump named with the bid that stands (10.1); -1 for none."""
        return int(self.state["named"][self.bidder]) if self.bidder != NONE else NONE

    @property
    def purpose(self) -> Purpose:
        """What a card is to be laid away for."""
        return Purpose(self._int("discards_for"))

    @property
    def upcard(self) -> int:
        """The card that was turned up; -1 when none was."""
        return self._int("upcard")

    @property
    def upcard_state(self) -> Upcard:
        """What became of the up-card."""
        return Upcard(self._int("upcard_state"))

    @property
    def alone(self) -> list[int]:
        """The seats that play alone."""
        return self._seats("alone")

    @property
    def sits_out(self) -> list[int]:
        """The seats whose partner plays alone."""
        return self._seats("sits_out")

    @property
    def finished(self) -> bool:
        """Whether the record shows a hand that has ended."""
        return self.phase in (Phase.DEAL, Phase.OVER)

    @property
    def playing(self) -> bool:
        """Whether cards are being played."""
        return self.phase == Phase.PLAY

    @property
    def dealt(self) -> bool:
        """Whether any hand was dealt yet."""
        return not (self.phase == Phase.DEAL and self._int("hand") == 0 and self._int("redeal") == 0)

    @property
    def hand_number(self) -> int:
        """The number of the hand shown, from 1; 0 before the first deal."""
        return self._int("hand") + (not self.finished or self._int("redeal") > 0)

    @property
    def scores(self) -> list[int]:
        """The score of each side."""
        return [int(score) for score in self.state["scores"][: self.rules.num_sides]]

    @property
    def tricks_won(self) -> list[int]:
        """The tricks that each seat won."""
        return [int(tricks) for tricks in self.state["tricks"][: self.num_seats]]

    def name(self, seat: int) -> str:
        """Return a seat's compass name."""
        return seat_names(self.num_seats)[seat]

    def side_name(self, side: int) -> str:
        """Return a side's name."""
        return side_names(self.num_seats)[side]

    def side_tricks(self, side: int) -> int:
        """Return the tricks that a side won."""
        return sum(won for seat, won in enumerate(self.tricks_won) if self.rules.side(seat) == side)

    def card(self, card: int) -> str:
        """Return the name of a card at this table."""
        return card_name(card, self.rules.joker_card)

    def partner(self, seat: int) -> int:
        """Return the seat opposite, where partners sit; else -1."""
        return (seat + 2) % self.num_seats if self.rules.partners else NONE

    @property
    def dealer_names(self) -> bool:
        """4.3: whether the joker is up and the dealer names trump for it, without bidding."""
        return self.upcard == JOKER and self.rules.joker_up not in SUIT_NAMES

    @property
    def blind(self) -> bool:
        """4.3: whether the dealer names trump before anybody has looked at his cards."""
        asked = self.phase == Phase.CALL and self.upcard_state == Upcard.PROPOSED
        return asked and self.dealer_names and self.rules.joker_up != "look_dealer"

    def hand_of(self, seat: int) -> list[int] | None:
        """Return the cards a seat holds, sorted; None when they are face down, or the record is a view without them."""
        cards = int(self.state["hands"][seat])
        hidden = self.seat is not None and (self.seat != seat or self.blind)
        if hidden or (cards == 0 and self.count_of(seat) > 0):
            return None
        return sorted_hand(cards, self.trump)

    def count_of(self, seat: int) -> int:
        """Return how many cards a seat holds, from what everybody saw: dealt, taken, laid away, passed, played."""
        if not self.dealt:
            return 0
        taken = self.upcard_state == Upcard.TAKEN and seat == self.dealer
        gained = taken + self._from_dummy(seat) + self._from_buried(seat) + self._passed(self.partner(seat))
        lost = self._laid_away(seat) + self._passed(seat) - (seat == self.dealer and self.upcard_passed)
        return self.rules.hand_size + gained - lost - len(cards_of(int(self.state["played"][seat])))

    def _laid_away(self, seat: int) -> int:
        return int(self.state["laid_away"][seat])

    def _passed(self, seat: int) -> int:
        """7.5: cards face down that were not laid away went to the partner."""
        down = sum(by == seat and call == HIDDEN_CARD for by, call in self.calls)
        return down - self._laid_away(seat) if seat != NONE else 0

    def _from_dummy(self, seat: int) -> int:
        taken = self.rules.dummy != "off" and seat in self._seats("exchanged")
        return _DUMMY_SIZES[self.rules.dummy] if taken else 0

    def _from_buried(self, seat: int) -> int:
        """Q-N22: with the third card laid away a farmer takes the buried ones."""
        buried = self.rules.num_buried
        swapped = self.rules.farmers_hand == "swap3" and seat == self.swapped_by
        return buried if swapped and self._laid_away(seat) >= buried else 0

    @property
    def swapped_by(self) -> int:
        """Who took the ghost hand (9.3), or the buried cards (Q-N22); -1 for nobody."""
        return self._int("swapped_by")

    def _knows(self, *seats: int) -> bool:
        """Whether the observer is one of some seats, or sees the whole table."""
        return self.seat is None or self.seat in seats

    @property
    def upcard_passed(self) -> bool:
        """Q-N23: whether the dealer passed the up-card to the partner, as far as the observer may know."""
        dealer = self.dealer
        lay = self.upcard_state == Upcard.LEFT
        passed = lay and int(self.state["given"][dealer]) >> self.upcard & 1 == 1
        return passed and self._knows(dealer, self.partner(dealer))

    @property
    def stacks(self) -> list[Stack]:
        """What lies face down beside the seats: the ghost hand or the dead hand (9.1), dummies (5, 6)."""
        if not self.dealt:
            return []
        if self.auction and self.rules.dealt_places > self.num_seats:
            return [self._ghost()]
        size, waiting = _DUMMY_SIZES[self.rules.dummy], [s not in self._seats("exchanged") for s in self._all_seats]
        if self.rules.dummy == "three_card":
            names = [f"{self.name(seat)}'s dummy" for seat in self._all_seats]
            return [self._stack(name, size, 2 + seat) for seat, name in enumerate(names) if waiting[seat]]
        return [self._stack("dummy", size, self.num_seats)] if size and all(waiting) else []

    @property
    def _all_seats(self) -> range:
        return range(self.num_seats)

    def _stack(self, name: str, size: int, place: int) -> Stack:
        seen = int(self.state["hands"][place]) if self.seat is None else 0
        return Stack(name, size, max(0, place - self.num_seats), sorted_hand(seen, self.trump))

    def _ghost(self) -> Stack:
        if self.swapped_by == NONE:
            return self._stack("ghost hand", self.rules.hand_size, self.num_seats)
        return Stack(f"{self.name(self.swapped_by)}'s old hand", self.rules.hand_size, 0, [])

    @property
    def notes(self) -> list[Note]:
        """What the observer may know of cards that lie face down, then who did not follow suit (1.8, Q-X4)."""
        away = [note for seat in self._all_seats if self._knows(seat) for note in self._notes_of(seat)]
        passed = [note for seat in self._all_seats for note in self._notes_of_passing(seat)]
        lying = [Note(f"{stack.name.capitalize()}:", stack.cards) for stack in self.stacks if stack.cards]
        return [*away, *passed, *lying, *self.reneged]

    def _notes_of(self, seat: int) -> list[Note]:
        cards = sorted_hand(int(self.state["buried"][seat]), self.trump)
        if not cards:
            return []
        if self.auction:
            return [Note(f"{self.name(seat)} gave up", cards, ", for the ghost hand")]
        return [Note(f"{self.name(seat)} laid away", cards, ", face down")]

    def _notes_of_passing(self, seat: int) -> list[Note]:
        cards = cards_of(int(self.state["given"][seat]))
        if not cards or not self._knows(seat, self.partner(seat)):
            return []
        return [Note(f"{self.name(seat)} passed", cards, f" to {self.name(self.partner(seat))}")]

    @property
    def reneged(self) -> list[Note]:
        """Q-X4: who did not follow suit though he could, with which cards, and what that costs."""
        breaches = int(self.state["reneged"])
        played = [each for trick in range(self.tricks_played + 1) for each in self.trick_cards(trick)]
        cards = {seat: [c for by, c in played if by == seat and breaches >> c & 1] for seat in self._all_seats}
        costs = {seat: f", which costs {-RENEGE_POINTS * len(breach)}" for seat, breach in cards.items()}
        return [Note(f"{self.name(s)} reneged with", breach, costs[s]) for s, breach in cards.items() if breach]

    def note_words(self, note: Note) -> str:
        """Return a note as a sentence."""
        return f"{note.words} {' '.join(self.card(card) for card in note.cards)}{note.end}."

    @property
    def tied(self) -> list[int]:
        """9.7: the sides between which the hand being played, or the one to be dealt next, is a tie-break hand."""
        return [side for side in range(self.rules.num_sides) if self._int("extra_hand") >> side & 1]

    @property
    def points(self) -> list[int]:
        """The points of each side in the hand shown; penalties as they fall."""
        return [int(p) for p in self.state["points"][: self.rules.num_sides]]

    @property
    def winners(self) -> list[int]:
        """The sides that have won the game; none while it goes on."""
        return [side for side in range(self.rules.num_sides) if self._int("winners") >> side & 1]

    @cached_property
    def calls(self) -> list[tuple[int, int]]:
        """What was said before play, in order: seat and action."""
        said = self._int("num_calls")
        seats, calls = self.state["call_seats"], self.state["calls"]
        return [(int(seats[i]), int(calls[i])) for i in range(said)]

    def trick_cards(self, number: int) -> list[tuple[int, int]]:
        """Return the cards of a trick in the order played, as seat and card."""
        finished = self._int("trick")
        active = self.num_seats - len(self.sits_out)
        size = active if number < finished else self._int("in_trick") if number == finished else 0
        if size == 0:  # after the last trick there is no row to read
            return []
        seats, cards = self.state["players"][number], self.state["cards"][number]
        return [(int(seats[i]), int(cards[i])) for i in range(size)]

    @cached_property
    def trick(self) -> list[tuple[int, int]]:
        """The cards on the table."""
        return self.trick_cards(self._int("trick"))

    @cached_property
    def last_trick(self) -> list[tuple[int, int]]:
        """The cards of the trick before; empty in the first."""
        return self.trick_cards(self._int("trick") - 1) if self._int("trick") > 0 else []

    @property
    def tricks_played(self) -> int:
        """How many tricks of the hand are finished."""
        return self._int("trick")

    def winning(self, trick: list[tuple[int, int]]) -> tuple[int, int] | None:
        """Return seat and card that win a trick as it lies (1.5); None for no cards."""
        if not trick:
            return None
        table = self.trump if self.trump != NONE else NO_TRUMP
        led = int(EFFECTIVE_SUIT[table, trick[0][1]])
        return max(trick, key=lambda played: int(TRICK_POWER[table, led, played[1]]))

    def trick_words(self, trick: list[tuple[int, int]]) -> str:
        """Return a trick as a clause: who led what, who followed."""
        verbs = ["led", *[""] * (len(trick) - 1)]
        parts = [f"{self.name(seat)} {verb} {self.card(card)}" for verb, (seat, card) in zip(verbs, trick, strict=True)]
        return ", ".join(part.replace("  ", " ") for part in parts)
