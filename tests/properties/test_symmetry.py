"""Turning the table and relabelling the suits change nothing but names: engine, observations, canonical suits."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from euchre_env.cards import JOKER, NO_TRUMP, cards_of, mask_of
from euchre_env.decks import deck
from euchre_env.engine.layout import CALL, CALL_ALONE, CLAIM_REDEAL, NONE, STATE
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from tests.properties.drawn import choices, dealers, houses, keys, one_hand, pick, under_way

# The eight relabellings that keep clubs with spades and diamonds with hearts: new id of each suit.
RELABELLINGS = [p for p in itertools.permutations(range(4)) if p[0] + p[3] == 3 and p[1] + p[2] == 3]


class Turn(NamedTuple):
    """A symmetry: suits get new names, seats move on by `shift`."""

    suits: tuple[int, ...]
    shift: int

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
        return (seat + self.shift) % 4 if seat != NONE else NONE

    def seats(self, seats: int) -> int:
        return mask_of(self.seat(seat) for seat in range(4) if seats >> seat & 1)

    def suit(self, suit: int) -> int:
        return self.suits[suit] if 0 <= suit < 4 else suit

    def side(self, side: int) -> int:
        return (side + self.shift) % 2 if side != NONE else NONE


SAME = ("hand", "redeal", "phase", "upcard_state", "bid", "trick", "in_trick", "best_power", "num_calls", "extra_hand")
VALUES = {
    **dict.fromkeys(("turn", "dealer", "next_dealer", "maker", "swapped_by", "best_seat"), Turn.seat),
    **dict.fromkeys(("alone", "asked", "sits_out"), Turn.seats),
    **dict.fromkeys(("kitty",), Turn.cards),
    **dict.fromkeys(("upcard",), Turn.card),
    "trump": Turn.suit,
    "winner": Turn.side,
    **dict.fromkeys(("cards",), Turn.card),
    **dict.fromkeys(("players", "call_seats"), Turn.seat),
    "calls": Turn.action,
    **dict.fromkeys(("hands", "buried", "given", "played", "trick_cards"), Turn.cards),
}
BY_SEAT = ("hands", "buried", "given", "played", "bids", "tricks")
BY_SIDE = ("scores", "points")


def turned(record: Any, turn: Turn) -> npt.NDArray[np.void]:
    """Return the record of the turned and relabelled table, one STATE."""
    out = np.zeros(1, dtype=STATE)
    for name in STATE.names or ():
        value = np.array(record[name])
        if name in VALUES:
            value = np.vectorize(lambda v, change=VALUES[name]: change(turn, int(v)), otypes=[value.dtype])(value)
        if name in BY_SEAT:
            value = np.roll(value, turn.shift)
        if name in BY_SIDE:
            value = np.concatenate([np.roll(value[:2], turn.shift), value[2:]])
        out[name][0] = value
    return out


def test_every_field_of_a_record_is_turned() -> None:
    assert {*SAME, *VALUES, *BY_SEAT, *BY_SIDE} == set(STATE.names or ())
    assert len(RELABELLINGS) == 8


turns = st.builds(Turn, st.sampled_from(RELABELLINGS), st.integers(0, 3))


def turned_table(rules: Ruleset, key: int, dealer: int, scores: tuple[int, int], turn: Turn) -> tuple[Game, Game]:
    """Return a dealt table and the turned one."""
    cards = [int(card) for card in deck(rules, key)]
    there = (scores[turn.side(0)], scores[turn.side(1)])
    return (
        one_hand(rules, key, dealer, deck=cards, scores=scores),
        one_hand(rules, key, turn.seat(dealer), deck=[turn.card(card) for card in cards], scores=there),
    )


def pairs(here: Game, there: Game, turn: Turn, numbers: list[int]) -> Iterator[tuple[Game, Game]]:
    """Play both tables alike; yield them before each action and after the last. Claims would deal other cards."""
    waiting = iter(numbers)
    while under_way(here):
        yield here, there
        action = pick(here, waiting)
        if action == CLAIM_REDEAL:
            return
        here.play(action)
        there.play(turn.action(action))
    yield here, there


@given(houses, keys, dealers, choices, turns)
def test_the_engine_commutes(rules: Ruleset, key: int, dealer: int, numbers: list[int], turn: Turn) -> None:
    tables = turned_table(rules, key, dealer, (0, min(rules.target - 1, 3)), turn)
    for here, there in pairs(*tables, turn, numbers):
        assert there.state == turned(here.state[0], turn)
        assert there.legal() == sorted(turn.action(action) for action in here.legal())


def observation(game: Game, seat: int, canonical: bool) -> npt.NDArray[np.int8]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(game.ruleset.to_options(), game.state, seat, canonical, row)
    return row


@given(houses, keys, dealers, choices, st.integers(0, 3))
def test_H8_observations_are_relative(rules: Ruleset, key: int, dealer: int, numbers: list[int], shift: int) -> None:
    turn = Turn((0, 1, 2, 3), shift)
    for here, there in pairs(*turned_table(rules, key, dealer, (0, 0), turn), turn, numbers):
        for seat in range(4):
            assert (observation(here, seat, False) == observation(there, turn.seat(seat), False)).all()


@given(houses, keys, dealers, choices, turns)
def test_canonical_suits(rules: Ruleset, key: int, dealer: int, numbers: list[int], turn: Turn) -> None:
    # Two side suits that a seat can tell apart have a fixed order; of two that it cannot, the order shows nothing.
    for here, there in pairs(*turned_table(rules, key, dealer, (0, 0), turn), turn, numbers):
        for seat in range(4):
            assert (observation(here, seat, True) == observation(there, turn.seat(seat), True)).all()
