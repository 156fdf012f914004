"""What a table shows, in words: names of seats and sides, hands in order, calls, the up-card's fate, how a hand ended.

`Table` wraps one STATE record, whole or a view, and answers what a picture needs; `text.py` and `scene.py` arrange the
answers. Nothing here decides what is legal or what a hand is worth.

>>> card_name(11), seat_names(4)[1], side_names(4)[0]
('10♦', 'West', 'North/South')
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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
from euchre_env.engine.layout import (
    ALONE,
    BID,
    BID_NAMES,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    HIDDEN_CARD,
    NONE,
    NUM_BIDS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
    Upcard,
)
from euchre_env.ruleset import Ruleset

State = npt.NDArray[np.void] | np.void

TRUMP_WORDS = (*SUIT_NAMES, "no-trump", "low no-trump")
# Spades, hearts, clubs, diamonds: colours alternate, wherever one starts.
_SUIT_ORDER = (3, 2, 0, 1)
_SEAT_NAMES = {2: ("South", "North"), 3: ("South", "West", "East"), 4: ("South", "West", "North", "East")}
_IN_TURN = {
    Phase.CLAIM: "may claim a redeal",
    Phase.ORDER_UP: "may order up or pass",
    Phase.CALL: "may name trump or pass",
    Phase.DISCARD: "lays a card away",
    Phase.DECLARE: "may go alone",
    Phase.BID: "bids or passes",
    Phase.NAME_TRUMP: "names trump",
    Phase.SWAP: "may swap",
    Phase.GIVE: "passes a card to partner",
}


def seat_names(num_seats: int) -> tuple[str, ...]:
    """Return the compass name of every seat; seat 0 is South and seats run clockwise."""
    return _SEAT_NAMES[num_seats]


def side_names(num_seats: int) -> tuple[str, ...]:
    """Return the name of every side: two pairs of four seats, else each seat for itself."""
    return ("North/South", "East/West") if num_seats == 4 else _SEAT_NAMES[num_seats]


def card_name(card: int) -> str:
    """Return a card as people write it: `10♥`, `Joker`."""
    if card == JOKER:
        return "Joker"
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


def call_words(action: int, phase: Phase | None = None) -> str:
    """Return a call or a card as what its seat does: `orders up`, `calls spades alone`, `plays 9♥`.

    The phase tells a card laid away from one played, and what is declined.
    """
    if phase == Phase.DISCARD:
        return "leaves the up-card" if action == DECLINE else "lays a card away"
    if phase == Phase.CLAIM and action == DECLINE:
        return "keeps the deal"
    plain = {
        PASS: "passes",
        ORDER_UP: "orders up",
        ORDER_UP_ALONE: "orders up and plays alone",
        ALONE: "goes alone",
        WITH_PARTNER: "stays with partner",
        DECLINE: "declines",
        SWAP: "swaps hands",
        CLAIM_REDEAL: "claims a redeal",
        FORFEIT: "forfeits the deal",
        HIDDEN_CARD: "lays a card away",
    }
    if action in plain:
        return plain[action]
    if CALL <= action < CALL_ALONE:
        return f"calls {TRUMP_WORDS[action - CALL]}"
    if CALL_ALONE <= action < ALONE:
        return f"calls {TRUMP_WORDS[action - CALL_ALONE]} alone"
    if BID <= action < BID + NUM_BIDS:
        return f"bids {BID_NAMES[action - BID]}"
    return f"plays {card_name(action)}"


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
    def trump(self) -> int:
        """The trump, an index of `cards.TRUMP_NAMES`; -1 before it is made."""
        return self._int("trump")

    @property
    def maker(self) -> int:
        """Who made trump; -1 before."""
        return self._int("maker")

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

    def hand_of(self, seat: int) -> list[int] | None:
        """Return the cards a seat holds, sorted; None when they are face down, or the record is a view without them."""
        cards = int(self.state["hands"][seat])
        if self.seat not in (None, seat) or (cards == 0 and self.count_of(seat) > 0):
            return None
        return sorted_hand(cards, self.trump)

    def count_of(self, seat: int) -> int:
        """Return how many cards a seat holds, from what everybody saw: dealt, taken up, laid away, played."""
        if not self.dealt:
            return 0
        taken = self.upcard_state == Upcard.TAKEN and seat == self.dealer
        laid_away = sum(by == seat and call == HIDDEN_CARD for by, call in self.calls)
        return self.rules.hand_size + taken - laid_away - len(cards_of(int(self.state["played"][seat])))

    def laid_away(self, seat: int) -> list[int]:
        """Return what a seat laid away, where the observer may know it."""
        return cards_of(int(self.state["buried"][seat])) if self.seat in (None, seat) else []

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
        parts = [f"{self.name(seat)} {verb} {card_name(card)}" for verb, (seat, card) in zip(verbs, trick, strict=True)]
        return ", ".join(part.replace("  ", " ") for part in parts)

    @property
    def said(self) -> list[str]:
        """What was said before play, a sentence each."""
        sentences, orders = [], (ORDER_UP, ORDER_UP_ALONE)
        phase = Phase.CLAIM
        for seat, call in self.calls:
            phase = Phase.ORDER_UP if call != DECLINE and phase == Phase.CLAIM else phase
            sentences.append(f"{self.name(seat)} {call_words(call, phase)}")
            phase = Phase.DISCARD if call in orders else Phase.DECLARE if phase == Phase.DISCARD else phase
        return sentences

    @property
    def maker_words(self) -> str:
        """How trump was made and who plays alone; empty before trump is made."""
        if self.maker == NONE or self.trump == NONE:
            return ""
        return ", ".join(part for part in (f"made by {self.name(self.maker)}", self.alone_words) if part)

    @property
    def alone_words(self) -> str:
        """Who plays alone; empty for nobody."""
        verb = "plays" if len(self.alone) == 1 else "play"
        return f"{' and '.join(self.name(seat) for seat in self.alone)} {verb} alone" if self.alone else ""

    @property
    def upcard_words(self) -> str:
        """What became of the up-card."""
        dealer = self.name(self.dealer)
        return {
            Upcard.ABSENT: "",
            Upcard.PROPOSED: "proposed as trump" if self.trump == NONE else f"offered to {dealer}",
            Upcard.TURNED_DOWN: "turned down",
            Upcard.TAKEN: f"taken up by {dealer}",
            Upcard.LEFT: "left lying",
        }[self.upcard_state]

    @property
    def turn_words(self) -> str:
        """Whose turn it is and what is to be decided; empty when nobody is to move."""
        if self.turn == NONE:
            return ""
        if self.phase == Phase.DISCARD and self.upcard_state == Upcard.PROPOSED:
            return f"{self.name(self.turn)} may take the up-card"
        playing = "plays a card" if self.trick else "leads"
        return f"{self.name(self.turn)} {_IN_TURN.get(self.phase, playing)}"

    @property
    def outcome(self) -> list[str]:
        """How the hand ended, in sentences; empty while it is played or before the first."""
        if not self.finished or not self.dealt:
            return []
        if self.maker == NONE:
            return [self._thrown_in()]
        side = self.rules.side(self.maker)
        took = f"{self.side_name(side)} took {self.side_tricks(side)} of {self.tricks_played} tricks"
        alone = " alone" if self.maker in self.alone else ""
        made = f"{self.name(self.maker)} made {TRUMP_WORDS[self.trump]}{alone}: {took}."
        return [made, *self._points_words(side)]

    def _thrown_in(self) -> str:
        if self.calls and self.calls[-1][1] == FORFEIT:
            return " ".join([f"{self.name(self.dealer)} forfeited the deal.", *self._points_words(NONE)])
        if self.calls and self.calls[-1][1] == CLAIM_REDEAL:
            return f"{self.name(self.calls[-1][0])} claimed a redeal."
        return "Nobody made trump: the hand was thrown in."

    def _points_words(self, makers: int) -> list[str]:
        points = [int(p) for p in self.state["points"][: self.rules.num_sides]]
        euchred = makers != NONE and points[makers] <= 0 and any(points)
        verb = "score" if self.rules.num_sides < self.num_seats else "scores"
        scored = [f"{self.side_name(side)} {verb} {p}." for side, p in enumerate(points) if p]
        return (["Euchred!"] if euchred else []) + scored

    @property
    def winners(self) -> list[int]:
        """The sides that have won the game; none while it goes on."""
        return [side for side in range(self.rules.num_sides) if self._int("winners") >> side & 1]

    @property
    def victory(self) -> str:
        """Who won the game, with the score; empty before its end."""
        winners = self.winners
        if self.phase != Phase.OVER or not winners:
            return ""
        others = [str(score) for side, score in enumerate(self.scores) if side not in winners]
        plural = self.rules.num_sides < self.num_seats or len(winners) > 1
        names = listing([self.side_name(side) for side in winners])
        own = listing([str(self.scores[side]) for side in winners])
        return f"{names} {'win' if plural else 'wins'} {own}" + (f" to {listing(others)}" if others else "")
