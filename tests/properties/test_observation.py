"""Observations and views: nothing that a seat may not know is in them (no leak), all that is public is (no loss)."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from euchre_env.cards import RANKS, SUITS, cards_of, format_card, mask_of
from euchre_env.engine.layout import (
    CLAIM_REDEAL,
    HIDDEN_CARD,
    NONE,
    NUM_ACTIONS,
    OPTION_FIELDS,
    STATE,
    Phase,
    Upcard,
    action_name,
)
from euchre_env.engine.observe import OBSERVATION_SIZE, bounds, decode
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.rulesets import get
from euchre_env.views import EncodedViews
from tests.properties.drawn import choices, dealers, houses, keys, one_hand, steps
from tests.rules import model

History = list[tuple[int, str]]


def observation(rules: Ruleset, states: npt.NDArray[np.void], seat: int, canonical: bool) -> npt.NDArray[np.int8]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(rules.to_options(), states, seat, canonical, row)
    return row


# No leak.


def hidden_places(seat: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the fields that a seat may not look into, with the index of a record."""
    yield "kitty", (0,)
    for other in range(4):
        if other != seat:
            yield "hands", (0, other)
            yield "buried", (0, other)


def redealt(states: npt.NDArray[np.void], seat: int, rng: np.random.Generator) -> npt.NDArray[np.void]:
    """Return the record with all cards that a seat cannot see moved among their places, as many to each as before."""
    other = states.copy()
    places = list(hidden_places(seat))
    counts = [int(states[name][at]).bit_count() for name, at in places]
    pool = [card for name, at in places for card in cards_of(int(states[name][at]))]
    pool = [int(card) for card in rng.permutation(pool)]
    for (name, at), count in zip(places, counts, strict=True):
        other[name][at] = mask_of(pool[:count])
        pool = pool[count:]
    return other


@given(houses, keys, dealers, choices, st.integers(0, 2**32))
def test_H10_no_leak(rules: Ruleset, key: int, dealer: int, numbers: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(4):
            twin = game.clone()
            twin.state = redealt(game.state, seat, rng)
            assert twin.view(seat) == game.view(seat)
            for canonical in (False, True):
                seen = observation(rules, game.state, seat, canonical)
                assert (observation(rules, twin.state, seat, canonical) == seen).all()
            if seat == game.turn:
                assert twin.legal() == game.legal()


@given(houses, keys, dealers, choices)
def test_a_view_is_encoded_as_the_state(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(4):
            view = game.view(seat)
            for canonical in (False, True):
                row = observation(rules, game.state, seat, canonical)
                assert (observation(rules, view, seat, canonical) == row).all()
            if seat == game.turn:
                compare_encoded(game, view)


def compare_encoded(game: Game, view: npt.NDArray[np.void]) -> None:
    """Compare the rows and the actions of a batch of views, one for each legal action, with the game."""
    count = len(game.legal())
    for canonical in (False, True):
        shown = EncodedViews(game.ruleset, np.repeat(view, count), canonical)
        assert (shown.observations == observation(game.ruleset, game.state, game.turn, canonical)).all()
        actions = np.array([action for action in range(NUM_ACTIONS) if int(shown.legal[0]) >> action & 1])
        assert sorted(shown.real_actions(actions).tolist()) == game.legal()


@given(houses, keys, dealers, choices)
def test_H10_a_view_holds_the_own_and_the_public(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    secret = {"hands", "buried", "given", "kitty"}
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(4):
            view = game.view(seat)
            assert view["kitty"][0] == 0
            for name in ("hands", "buried"):
                assert view[name][0, seat] == game.state[name][0, seat]
                assert not np.delete(view[name][0], seat).any()
            for name in set(STATE.names or ()) - secret:
                assert np.array_equal(view[name], game.state[name])


@given(houses, keys, dealers, choices)
def test_observations_are_within_their_bounds(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    low, high = bounds()
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(4):
            row = observation(rules, game.state, seat, canonical=True)
            assert ((low <= row) & (row <= high)).all()


# No loss: the history of a hand is read back from a row, and from nothing else.

PHASES = {phase - 1: phase for phase in Phase if Phase.DEAL < phase < Phase.OVER}
STATES = {state - 1: state for state in Upcard if state}
KINDS = {
    "claim": Phase.CLAIM,
    "order up": Phase.ORDER_UP,
    "discard": Phase.DISCARD,
    "call": Phase.CALL,
    "declare": Phase.DECLARE,
    "play": Phase.PLAY,
}


def ruleset_of(values: list[int]) -> Ruleset:
    """Return the ruleset that the options of a row describe (how cards are dealt is not among them)."""
    given_values = dict(zip(OPTION_FIELDS, values, strict=True))
    settings: dict[str, Any] = {"deck": {2: 24, 1: 28, 0: 32}[given_values["lowest_rank"]]}
    for option in Ruleset.describe():
        name, options = option["name"], option["choices"]
        if name in given_values:
            value = given_values[name]
            settings[name] = value if isinstance(options[0], int) and options != (False, True) else options[value]
    return Ruleset(**settings)


class Reader:
    """What a row says, with seats counted from the observer."""

    def __init__(self, row: npt.NDArray[np.int8]) -> None:
        self.facts = facts = decode(row)
        self.rules = ruleset_of(facts["options"])
        self.dealer, *_ = facts["dealer"]
        self.upcard, *_ = facts["upcard"]
        self.upcard_state = STATES[facts["upcard_state"][0]]
        self.phase = PHASES[facts["phase"][0]] if facts["phase"] else None
        self.turn = facts["turn"][0] if facts["turn"] else None
        self.maker = facts["maker"][0] if facts["maker"] else None
        self.trump = SUITS[facts["trump"][0]] if facts["trump"] else None
        now = min(sum(facts["tricks"]), self.rules.hand_size - 1)
        # A card without an age is older than the columns reach: of the first trick.
        ago = {card: now - facts["played_ago"].get(card, now) for card in facts["played_by"]}
        self.played = {(seat, ago[card]): card for card, seat in facts["played_by"].items()}

    def history(self) -> History:
        """Return who said and played what, in order, by sending the answers of the row through the course of a hand."""
        # Nobody's cards are known; the course asks in the same order whatever they are.
        course = model.play_hand(self.rules, self.dealer, [set(), set(), set(), set()], format_card(self.upcard))
        ask, said = next(course), []
        played = [0, 0, 0, 0]
        while (word := self.answer(ask, played[ask.seat])) is not None:
            said.append((ask.seat, word))
            played[ask.seat] += ask.kind == "play"
            try:
                ask = course.send(word)
            except StopIteration:
                break
        return said

    def answer(self, ask: model.Ask, played: int) -> str | None:
        """Return what the seat answered, None if it has not."""
        if self.turn == ask.seat and self.phase == KINDS[ask.kind] and (ask.seat, played) not in self.played:
            return None
        if ask.kind == "claim":
            return "decline"
        if ask.kind == "declare":
            return "alone" if ask.seat in self.facts["alone"] else "with partner"
        if ask.kind == "discard":
            return model.FACE_DOWN if self.upcard_state == Upcard.TAKEN else "decline"
        if ask.kind == "play":
            card = self.played.get((ask.seat, played))
            return None if card is None else format_card(card)
        return self.call(ask)

    def call(self, ask: model.Ask) -> str:
        ordered = self.upcard_state != Upcard.TURNED_DOWN and self.maker is not None
        if self.maker != ask.seat or ordered != (ask.kind == "order up"):
            stuck = ask.kind == "call" and ask.seat == self.dealer and self.rules.stick_the_dealer == "forfeit"
            return "forfeit the deal" if stuck else "pass"
        assert self.trump is not None
        word = "order up" if ordered else f"call {model.NAMES[self.trump]}"
        canadian = ordered and self.rules.canadian_loner and ask.seat == (self.dealer + 2) % 4
        with_call = model.says_alone_with_call(self.rules) or canadian
        return word + " alone" if with_call and ask.seat in self.facts["alone"] else word


def history_of(record: Any, seat: int) -> History:
    """Return the same history from the record, with seats counted from the observer."""
    said = [
        ((int(who) - seat) % 4, action_name(int(call)))
        for who, call in zip(record["call_seats"], record["calls"], strict=True)
        if call != NONE
    ]
    for who, card in zip(record["players"].flat, record["cards"].flat, strict=True):
        if card != NONE:
            said.append(((int(who) - seat) % 4, format_card(int(card))))
    return said


def seats_of(seats: int, seat: int) -> list[int]:
    return sorted((who - seat) % 4 for who in range(4) if seats >> who & 1)


def compare_facts(record: Any, seat: int, reader: Reader) -> None:
    """Compare what needs no history: cards, seats, tricks, scores."""
    facts = reader.facts
    assert facts["hand"] == cards_of(int(record["hands"][seat]))
    assert facts["buried"] == cards_of(int(record["buried"][seat]))
    assert (reader.upcard, reader.upcard_state) == (record["upcard"], record["upcard_state"])
    assert reader.dealer == (record["dealer"] - seat) % 4
    assert reader.turn == (None if record["turn"] == NONE else (record["turn"] - seat) % 4)
    assert reader.maker == (None if record["maker"] == NONE else (record["maker"] - seat) % 4)
    assert reader.trump == (None if record["trump"] == NONE else SUITS[record["trump"]])
    assert reader.phase == (None if record["turn"] == NONE else record["phase"])
    assert facts["alone"] == seats_of(int(record["alone"]), seat)
    assert facts["with_partner"] == seats_of(int(record["asked"]), seat)
    assert facts["sits_out"] == seats_of(int(record["sits_out"]), seat)
    assert facts["tricks"] == np.roll(record["tricks"], -seat).tolist()
    assert facts["scores"][:2] == np.roll(record["scores"][:2], -seat).tolist()


def same_but_for_the_deal(rules: Ruleset, read: Ruleset) -> bool:
    unseen = {"name": "any", "packets": "3-2", "dealer_selection": "random"}
    return rules.replace(**unseen) == read.replace(**unseen)


@given(houses, keys, dealers, choices)
def test_no_loss(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    scores = [min(rules.target - 1, 7), 0]
    for game in steps(one_hand(rules, key, dealer, scores=scores), numbers):
        if CLAIM_REDEAL in game.state["calls"][0]:
            continue
        for seat in range(4):
            reader = Reader(observation(rules, game.state, seat, canonical=False))
            assert same_but_for_the_deal(rules, reader.rules)
            compare_facts(game.state[0], seat, reader)
            assert reader.history() == history_of(game.state[0], seat)


def test_two_histories_never_look_alike() -> None:
    # One deal, so that only what was said and played can tell the rows apart; many orders of the same few cards.
    seen: dict[bytes, History] = {}
    rng = np.random.default_rng(0)
    start = Game(get("north_american"), key=3, dealer=0, auto_deal=False)
    for _ in range(300):
        game = start.clone()
        while game.phase not in (Phase.DEAL, Phase.OVER):
            row = observation(game.ruleset, game.state, 2, canonical=False).tobytes()
            history = history_of(game.state[0], 2)
            assert seen.setdefault(row, history) == history
            game.play(int(rng.choice(game.legal())))
    assert len(seen) > 3_000
    assert len(seen) == len({tuple(history) for history in seen.values()})


def test_the_names_of_a_row_are_those_of_the_layout() -> None:
    assert len(RANKS) * len(SUITS) == 32
    assert action_name(HIDDEN_CARD) == model.FACE_DOWN
