"""Turning the table and relabelling the suits change nothing but names: engine, observations, canonical suits."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from euchre_env.cards import JOKER, NO_TRUMP, SUIT_NAMES, cards_of, mask_of
from euchre_env.decks import deck
from euchre_env.engine.layout import CALL, CALL_ALONE, CLAIM_REDEAL, NONE, STATE
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.rulesets import get
from tests.properties.drawn import choices, dealers, houses, keys, one_hand, pick, some, under_way

# The eight relabellings that keep clubs with spades and diamonds with hearts: new id of each suit.
RELABELLINGS = [p for p in itertools.permutations(range(4)) if p[0] + p[3] == 3 and p[1] + p[2] == 3]


class Turn(NamedTuple):
    """A symmetry: suits get new names, seats move on by `shift`."""

    suits: tuple[int, ...]
    shift: int
    seats: int = 4

    def of(self, rules: Ruleset, upcard: int) -> "Turn":
        """Return this symmetry for a table; a joker turned up proposes one and the same suit at both (7.3)."""
        agreed = upcard == JOKER and rules.joker_up in SUIT_NAMES
        suits = (0, 1, 2, 3) if agreed else self.suits
        return Turn(suits, self.shift % rules.num_seats, rules.num_seats)

    def card(self, card: int) -> int:
        return self.suits[card // 8] * 8 + card % 8 if 0 <= card < JOKER else card

    def action(self, action: int) -> int:
        for first in (CALL, CALL_ALONE):
            if first <= action < first + NO_TRUMP:
                return first + self.suits[action - first]
        return self.card(action)

    def cards(self, cards: int) -> int:
        return mask_of(self.card(card) for card in cards_of(cards))

    def seat(self, seat: int) -> int:
        return (seat + self.shift) % self.seats if seat != NONE else NONE

    def members(self, seats: int) -> int:
        return mask_of(self.seat(seat) for seat in range(self.seats) if seats >> seat & 1)

    def suit(self, suit: int) -> int:
        return self.suits[suit] if 0 <= suit < 4 else suit

    @property
    def sides(self) -> int:
        return 2 if self.seats == 4 else self.seats

    def parties(self, sides: int) -> int:
        """Return a set of sides."""
        return mask_of((side + self.shift) % self.sides for side in range(self.sides) if sides >> side & 1)

    def by_seat(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.concatenate([np.roll(values[: self.seats], self.shift), values[self.seats :]])

    def by_side(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.concatenate([np.roll(values[: self.sides], self.shift), values[self.sides :]])


SAME = (
    *("hand", "redeal", "phase", "upcard_state", "bid", "trick", "in_trick", "best_power", "num_calls"),
    *("bids", "tricks", "laid_away", "discards_for", "scores", "points"),
)
VALUES = {
    **dict.fromkeys(("turn", "dealer", "next_dealer", "maker", "swapped_by", "best_seat"), Turn.seat),
    **dict.fromkeys(("players", "call_seats"), Turn.seat),
    **dict.fromkeys(("alone", "asked", "sits_out", "exchanged"), Turn.members),
    **dict.fromkeys(("winners", "extra_hand"), Turn.parties),
    **dict.fromkeys(("upcard", "cards"), Turn.card),
    **dict.fromkeys(("trump", "named"), Turn.suit),
    **dict.fromkeys(("kitty", "reneged", "hands", "buried", "given", "played", "trick_cards"), Turn.cards),
    "calls": Turn.action,
}
BY_SEAT = ("hands", "buried", "given", "played", "bids", "named", "tricks", "laid_away")
BY_SIDE = ("scores", "points")


def turned(rules: Ruleset, record: Any, turn: Turn) -> npt.NDArray[np.void]:
    """Return the record of the turned and relabelled table, one STATE."""
    out = np.zeros(1, dtype=STATE)
    for name in STATE.names or ():
        value = np.array(record[name])
        if name in VALUES:
            value = np.vectorize(lambda v, change=VALUES[name]: change(turn, int(v)), otypes=[value.dtype])(value)
        if name in BY_SEAT:
            value = turn.by_seat(value)
        if name == "hands" and rules.dummy == "three_card":
            # Each seat's own dummy lies after the seats (5).
            value[2:] = np.roll(value[2:], turn.shift)
        if name in BY_SIDE:
            value = turn.by_side(value)
        out[name][0] = value
    return out


def test_every_field_of_a_record_is_turned() -> None:
    assert {*SAME, *VALUES} == set(STATE.names or ())
    assert not set(SAME) & set(VALUES)
    assert len(RELABELLINGS) == 8


turns = st.builds(Turn, st.sampled_from(RELABELLINGS), st.integers(0, 3))


def turned_table(rules: Ruleset, key: int, dealer: int, turn: Turn, spread: int = 0) -> tuple[tuple[Game, Game], Turn]:
    """Return a dealt table and the turned one, with scores some points apart, and the symmetry between them."""
    cards = [int(card) for card in deck(rules, key)]
    dealer %= rules.num_seats
    scores = [min(spread * side, rules.target - 1) for side in range(rules.num_sides)]
    here = one_hand(rules, key, dealer, deck=cards, scores=scores)
    turn = turn.of(rules, int(here.state["upcard"][0]))
    relabelled = [turn.card(card) for card in cards]
    moved = turn.by_side(np.array(scores)).tolist()
    return (here, one_hand(rules, key, turn.seat(dealer), deck=relabelled, scores=moved)), turn


def pairs(tables: tuple[Game, Game], turn: Turn, numbers: list[int]) -> Iterator[tuple[Game, Game]]:
    """Play both tables alike; yield them before each action and after the last. Claims would deal other cards."""
    here, there = tables
    waiting = iter(numbers)
    while under_way(here):
        yield here, there
        action = pick(here, waiting)
        if action == CLAIM_REDEAL:
            return
        here.play(action)
        there.play(turn.action(action))
    yield here, there


@some(0.6)
@given(houses, keys, dealers, choices, turns)
def test_the_engine_commutes(rules: Ruleset, key: int, dealer: int, numbers: list[int], turn: Turn) -> None:
    tables, turn = turned_table(rules, key, dealer, turn, spread=3)
    for here, there in pairs(tables, turn, numbers):
        assert there.state == turned(rules, here.state[0], turn)
        assert there.legal() == sorted(turn.action(action) for action in here.legal())


def observation(game: Game, seat: int, canonical: bool) -> npt.NDArray[np.int8]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(game.ruleset.to_options(), game.state, seat, canonical, row)
    return row


@some(0.6)
@given(houses, keys, dealers, choices, st.integers(0, 3))
def test_H8_observations_are_relative(rules: Ruleset, key: int, dealer: int, numbers: list[int], shift: int) -> None:
    tables, turn = turned_table(rules, key, dealer, Turn((0, 1, 2, 3), shift))
    for here, there in pairs(tables, turn, numbers):
        for seat in range(rules.num_seats):
            assert (observation(here, seat, False) == observation(there, turn.seat(seat), False)).all()


@given(houses, keys, dealers, choices, turns)
def test_canonical_suits(rules: Ruleset, key: int, dealer: int, numbers: list[int], turn: Turn) -> None:
    # Two side suits that a seat can tell apart have a fixed order; of two that it cannot, the order shows nothing.
    tables, turn = turned_table(rules, key, dealer, turn)
    for here, there in pairs(tables, turn, numbers):
        for seat in range(rules.num_seats):
            assert (observation(here, seat, True) == observation(there, turn.seat(seat), True)).all()


@some(0.3)
@given(st.sampled_from(("bid_euchre", "cincinnati", "ghost_hand")), keys, dealers, choices, turns)
def test_canonical_suits_in_auctions(name: str, key: int, dealer: int, numbers: list[int], turn: Turn) -> None:
    """Bids that name suits, and hands without an up-card, are seen alike from any suits (8.3, 10.1)."""
    rules = get(name).replace(allow_no_trump="high_low", six_bid=True)
    tables, turn = turned_table(rules, key, dealer, turn)
    for here, there in pairs(tables, turn, numbers):
        for seat in range(rules.num_seats):
            assert (observation(here, seat, True) == observation(there, turn.seat(seat), True)).all()
