"""Observations and views: nothing that a seat may not know is in them (no leak), all that is public is (no loss)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from euchre_env.cards import JOKER, RANKS, SUITS, TRUMP_NAMES, cards_of, format_card, mask_of
from euchre_env.engine.layout import (
    BID_NAMES,
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
from euchre_env.ruleset import Ruleset, applies
from euchre_env.rulesets import get, names
from euchre_env.testing.rows import is_blind
from euchre_env.views import EncodedViews
from tests.properties.drawn import choices, dealers, houses, keys, one_hand, some, steps
from tests.rules import model

History = list[tuple[int, str]]


def observation(rules: Ruleset, states: npt.NDArray[np.void], seat: int, canonical: bool) -> npt.NDArray[np.int8]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(rules.to_options(), states, seat, canonical, row)
    return row


# No leak.


def hidden_places(game: Game, seat: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the fields that a seat may not look into, with the index of a record."""
    yield "kitty", (0,)
    for other in range(4):
        if other != seat or is_blind(game.ruleset, game.state)[0]:
            yield "hands", (0, other)
        if other != seat:
            yield "buried", (0, other)
            if not game.ruleset.partners or other != (seat + 2) % 4:
                yield "given", (0, other)


def redealt(game: Game, seat: int, rng: np.random.Generator) -> npt.NDArray[np.void]:
    """Return the record with all cards that a seat cannot see moved among their places, as many to each as before.

    What others gave each other is drawn again: it notes cards that lie elsewhere.
    """
    other = game.state.copy()
    places = [place for place in hidden_places(game, seat) if place[0] != "given"]
    counts = [int(other[name][at]).bit_count() for name, at in places]
    pool = [card for name, at in places for card in cards_of(int(other[name][at]))]
    pool = [int(card) for card in rng.permutation(pool)]
    for (name, at), count in zip(places, counts, strict=True):
        other[name][at] = mask_of(pool[:count])
        pool = pool[count:]
    for name, at in hidden_places(game, seat):
        if name == "given" and other[name][at]:
            other[name][at] = 1 << int(rng.choice(game.ruleset.deck_ids))
    return other


@some(0.3)
@given(houses, keys, dealers, choices, st.integers(0, 2**32))
def test_H10_no_leak(rules: Ruleset, key: int, dealer: int, numbers: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(rules.num_seats):
            twin = game.clone()
            twin.state = redealt(game, seat, rng)
            assert twin.view(seat) == game.view(seat)
            for canonical in (False, True):
                seen = observation(rules, game.state, seat, canonical)
                assert (observation(rules, twin.state, seat, canonical) == seen).all()
            if seat == game.turn:
                assert twin.legal() == game.legal()


@some(0.25)
@given(houses, keys, dealers, choices)
def test_a_view_is_encoded_as_the_state(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(rules.num_seats):
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


@some(0.6)
@given(houses, keys, dealers, choices)
def test_H10_a_view_holds_the_own_and_the_public(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    secret = {"hands", "buried", "given", "kitty"}
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(rules.num_seats):
            view, hidden = game.view(seat), set(hidden_places(game, seat))
            assert view["kitty"][0] == 0
            for name in ("hands", "buried", "given"):
                for who in range(4):
                    due = 0 if (name, (0, who)) in hidden else game.state[name][0, who]
                    assert view[name][0, who] == due
            for name in set(STATE.names or ()) - secret:
                assert np.array_equal(view[name], game.state[name])


@some(0.6)
@given(houses, keys, dealers, choices)
def test_observations_are_within_their_bounds(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    low, high = bounds()
    for game in steps(one_hand(rules, key, dealer), numbers):
        for seat in range(rules.num_seats):
            row = observation(rules, game.state, seat, canonical=True)
            assert ((low <= row) & (row <= high)).all()


# No loss: the history of a hand is read back from a row, and from nothing else.

PHASES = {phase - 1: phase for phase in Phase if Phase.DEAL < phase < Phase.OVER}
STATES = {state - 1: state for state in Upcard if state}
BID_COLUMNS = len(BID_NAMES) + 1
# How cards are dealt, and what belongs to a match, is not in a row.
UNSEEN = {
    "name": "any",
    "packets": "any",
    "dealer_selection": "random",
    "joker_card": "JK",
    "laps": False,
    "slams": False,
    "rubber": False,
}


def ruleset_of(values: list[int]) -> dict[str, Any]:
    """Return the options that a row describes; those that a game never reads stand at their defaults."""
    told = dict(zip(OPTION_FIELDS, values, strict=True))
    options = {"deck": {2: 24, 1: 28, 0: 32}[told["lowest_rank"]] + told["joker"]}
    for option in Ruleset.describe():
        name, words = option["name"], option["choices"]
        if name in told:
            is_number = isinstance(words[0], int) and words != (False, True)
            options[name] = told[name] if is_number else words[told[name]]
    table: Any = SimpleNamespace(**options, joker=bool(told["joker"]))
    defaults = {option["name"]: option["default"] for option in Ruleset.describe()}
    return {name: value if applies(table, name) else defaults[name] for name, value in options.items()}


class Reader:
    """What a row says, with seats counted from the observer."""

    def __init__(self, rules: Ruleset, row: npt.NDArray[np.int8]) -> None:
        # Of the rules only how cards are dealt is taken from elsewhere.
        self.facts = facts = decode(row)
        told = ruleset_of(facts["options"])
        assert told == {name: value for name, value in rules.to_dict().items() if name not in UNSEEN}
        self.rules = rules
        self.seats = rules.num_seats
        self.dealer = self.one("dealer")
        self.upcard = facts["upcard"][0] if facts["upcard"] else NONE
        self.upcard_state = STATES[facts["upcard_state"][0]] if facts["upcard"] else Upcard.ABSENT
        self.phase = PHASES[facts["phase"][0]] if facts["phase"] else None
        self.turn, self.maker = self.one("turn"), self.one("maker")
        self.trump = TRUMP_NAMES[facts["trump"][0]] if facts["trump"] else None
        self.bids = dict(divmod(column, BID_COLUMNS) for column in facts["bids"])
        self.named = dict(divmod(column, len(TRUMP_NAMES)) for column in facts["named"])
        self.swapped_by = self.one("swapped_by")
        is_plain = rules.to_options()["extras"][0] == 0
        took = self.upcard_state == Upcard.TAKEN and self.phase != Phase.DISCARD
        self.laid_away = [int(is_plain and took and seat == self.dealer) for seat in range(4)]
        if not is_plain:
            self.laid_away = facts["laid_away"]
        now = min(sum(facts["tricks"]), rules.hand_size - 1)
        # A card without an age is older than the columns reach: of the first trick.
        ago = {card: now - facts["played_ago"].get(card, now) for card in facts["played_by"]}
        self.played = {(seat, ago[card]): card for card, seat in facts["played_by"].items()}
        self.said: History = []
        self.kinds: list[str] = []

    def one(self, name: str) -> int | None:
        """Return the seat of a segment that names at most one."""
        seats: list[int] = self.facts[name]
        return seats[0] if seats else None

    def history(self) -> History:
        """Return who said and played what, in order, by sending the answers of the row through the course of a hand."""
        # Nobody's cards are known; the course asks in the same order whatever they are.
        hands: list[set[str]] = [set(), set(), set(), set()]
        upcard = "" if self.upcard == NONE else format_card(self.upcard)
        assert self.dealer is not None
        course = model.play_hand(self.rules, self.dealer, hands, upcard)
        ask = next(course)
        while (word := self.answer(ask)) is not None:
            self.said.append((ask.seat, word))
            self.kinds.append(ask.kind)
            try:
                ask = course.send(word)
            except StopIteration:
                break
        return self.said

    def answer(self, ask: model.Ask) -> str | None:
        """Return what the seat answered, None if it has not."""
        answer: str | None = getattr(self, "answer_" + ask.kind.replace(" ", "_"))(ask.seat)
        return answer

    def is_due(self, seat: int, phase: Phase) -> bool:
        return self.turn == seat and self.phase == phase

    def count(self, seat: int, words: set[str]) -> int:
        """Return how often a seat has said one of these."""
        return sum(who == seat and word in words for who, word in self.said)

    def answer_claim(self, seat: int) -> str | None:
        if self.is_due(seat, Phase.CLAIM):
            return None
        return "swap" if self.rules.farmers_hand == "swap3" and seat == self.swapped_by else "decline"

    def answer_declare(self, seat: int) -> str | None:
        if self.is_due(seat, Phase.DECLARE):
            return None
        return "alone" if seat in self.facts["alone"] else "with partner"

    def answer_discard(self, seat: int) -> str | None:
        is_exchange = seat == self.dealer and self.kinds[-1] in ("order up", "call")
        if is_exchange and self.upcard_state == Upcard.LEFT:
            return "decline"
        if self.count(seat, {model.FACE_DOWN}) - self.given_by(seat) < self.laid_away[seat]:
            return model.FACE_DOWN
        return None if self.is_due(seat, Phase.DISCARD) else "decline"

    def given_by(self, seat: int) -> int:
        """Return how many of the cards that a seat put face down went to its partner."""
        return sum(who == seat and kind == "give" for (who, _), kind in zip(self.said, self.kinds, strict=True))

    def answer_swap(self, seat: int) -> str | None:
        """7.5, receive first."""
        if self.is_due(seat, Phase.SWAP):
            return None
        settled = seat in self.facts["exchanged"]
        laid_away = self.count(seat, {model.FACE_DOWN}) - self.given_by(seat) < self.laid_away[seat]
        return "swap" if laid_away or not settled else "decline"

    def answer_give(self, seat: int) -> str | None:
        loner = (seat + 2) % 4
        received = loner in self.facts["exchanged"] or self.is_due(loner, Phase.DISCARD)
        return model.FACE_DOWN if received and not self.is_due(seat, Phase.GIVE) else None

    def answer_bid(self, seat: int) -> str | None:
        if seat == self.swapped_by and not self.count(seat, {"swap"}):
            return "swap"
        if seat not in self.bids:
            return None
        return "pass" if self.bids[seat] == 0 else f"bid {BID_NAMES[self.bids[seat] - 1]}"

    def answer_name_trump(self, seat: int) -> str | None:
        trump = self.trump if self.rules.auction == "then_trump" else None
        if seat in self.named:
            trump = TRUMP_NAMES[self.named[seat]]
        return None if trump is None else f"call {model.NAMES[trump]}"

    def answer_play(self, seat: int) -> str | None:
        played = sum(who == seat and kind == "play" for (who, _), kind in zip(self.said, self.kinds, strict=True))
        card = self.played.get((seat, played))
        return None if card is None else format_card(card)

    def answer_order_up(self, seat: int) -> str | None:
        if self.is_due(seat, Phase.ORDER_UP):
            return None
        if self.upcard_state == Upcard.TURNED_DOWN or seat != self.maker:
            return "pass"
        canadian = self.rules.canadian_loner and self.dealer is not None and seat == (self.dealer + 2) % 4
        with_call = model.says_alone_with_call(self.rules) or canadian
        return "order up alone" if with_call and seat in self.facts["alone"] else "order up"

    def answer_call(self, seat: int) -> str | None:
        if self.is_due(seat, Phase.CALL):
            return None
        for_joker = self.upcard == JOKER and self.rules.joker_up in ("blind_dealer", "look_dealer", "set_aside")
        if seat == self.maker:
            blind = for_joker and self.rules.joker_up != "look_dealer"
            alone = model.says_alone_with_call(self.rules) and not blind and seat in self.facts["alone"]
            return f"call {model.NAMES[str(self.trump)]}" + " alone" * alone
        is_stuck = seat == self.dealer and self.rules.stick_the_dealer == "forfeit"
        return "forfeit the deal" if is_stuck else "pass"


def history_of(rules: Ruleset, record: Any, seat: int) -> History:
    """Return the same history from the record, with seats counted from the observer."""
    said = [
        ((int(who) - seat) % rules.num_seats, action_name(int(call)))
        for who, call in zip(record["call_seats"], record["calls"], strict=True)
        if call != NONE
    ]
    for who, card in zip(record["players"].flat, record["cards"].flat, strict=True):
        if card != NONE:
            said.append(((int(who) - seat) % rules.num_seats, format_card(int(card))))
    return said


def seats_of(rules: Ruleset, seats: int, seat: int) -> list[int]:
    return sorted((who - seat) % rules.num_seats for who in range(rules.num_seats) if seats >> who & 1)


def place_of(rules: Ruleset, who: int, seat: int) -> int | None:
    return None if who == NONE else (int(who) - seat) % rules.num_seats


def total_scores(facts: dict[str, Any], sides: int) -> list[int]:
    beyond = facts["scores_beyond"]
    return [facts["scores"][side] + 128 * beyond[side] + beyond[3 + side] for side in range(sides)]


def compare_facts(rules: Ruleset, record: Any, seat: int, reader: Reader) -> None:
    """Compare what needs no history: cards, seats, tricks, scores."""
    facts, seats, sides = reader.facts, rules.num_seats, rules.num_sides
    blind = bool(is_blind(rules, np.array([record]))[0])
    assert facts["hand"] == ([] if blind else cards_of(int(record["hands"][seat])))
    assert facts["buried"] == cards_of(int(record["buried"][seat]))
    assert (reader.upcard, reader.upcard_state) == (record["upcard"], record["upcard_state"])
    for name, found in (("dealer", reader.dealer), ("turn", reader.turn), ("maker", reader.maker)):
        assert found == place_of(rules, record[name], seat)
    assert reader.trump == (None if record["trump"] == NONE else TRUMP_NAMES[record["trump"]])
    assert reader.phase == (None if record["turn"] == NONE else record["phase"])
    assert facts["alone"] == seats_of(rules, int(record["alone"]), seat)
    assert facts["with_partner"] == seats_of(rules, int(record["asked"]), seat)
    assert facts["sits_out"] == seats_of(rules, int(record["sits_out"]), seat)
    assert facts["tricks"][:seats] == np.roll(record["tricks"][:seats], -seat).tolist()
    assert total_scores(facts, sides) == np.roll(record["scores"][:sides], -rules.side(seat)).tolist()
    if rules.to_options()["extras"][0]:
        compare_extras(rules, record, seat, reader)


def compare_extras(rules: Ruleset, record: Any, seat: int, reader: Reader) -> None:
    """Compare what only some games have."""
    facts, seats, sides = reader.facts, rules.num_seats, rules.num_sides
    assert reader.swapped_by == place_of(rules, record["swapped_by"], seat)
    assert facts["exchanged"] == seats_of(rules, int(record["exchanged"]), seat)
    assert facts["laid_away"][:seats] == np.roll(record["laid_away"][:seats], -seat).tolist()
    for name, found in (("bids", reader.bids), ("named", reader.named)):
        due = {(who - seat) % seats: int(record[name][who]) for who in range(seats) if record[name][who] != NONE}
        assert found == due
    passed = int(record["given"][seat]) | (int(record["given"][(seat + 2) % 4]) if rules.partners else 0)
    assert facts["passed"] == cards_of(passed)
    assert facts["reneged"] == cards_of(int(record["reneged"]))
    own = rules.side(seat)
    assert facts["tied"] == sorted((s - own) % sides for s in range(sides) if int(record["extra_hand"]) >> s & 1)


@st.composite
def starts(draw: st.DrawFn, rules: Ruleset) -> list[int]:
    """Draw scores to start from."""
    lowest = max(rules.lowest_start, -1_000)
    return [draw(st.integers(lowest, rules.target - 1)) for _ in range(rules.num_sides)]


@some(0.6)
@given(houses, keys, dealers, choices, st.data())
def test_no_loss(rules: Ruleset, key: int, dealer: int, numbers: list[int], data: st.DataObject) -> None:
    scores = data.draw(starts(rules))
    seat = data.draw(st.integers(0, rules.num_seats - 1))
    for game in steps(one_hand(rules, key, dealer, scores=scores), numbers):
        if CLAIM_REDEAL in game.state["calls"][0]:
            continue
        reader = Reader(rules, observation(rules, game.state, seat, canonical=False))
        compare_facts(rules, game.state[0], seat, reader)
        assert reader.history() == history_of(rules, game.state[0], seat)


@some(0.3)
@given(st.sampled_from(names()), keys, choices, choices)
def test_no_loss_in_a_tie_break_hand(name: str, key: int, first: list[int], second: list[int]) -> None:
    rules = get(name)
    if rules.both_cross == "tiebreak_hand":
        game = one_hand(rules, key, 0, scores=[rules.target - 1] * rules.num_sides)
        for _ in steps(game, first):
            pass
        if game.over:
            return
        game.deal()
        for _ in steps(game, second):
            for seat in range(rules.num_seats):
                reader = Reader(rules, observation(rules, game.state, seat, canonical=False))
                compare_facts(rules, game.state[0], seat, reader)


def test_two_histories_never_look_alike() -> None:
    # One deal, so that only what was said and played can tell the rows apart; many orders of the same few cards.
    # The shipped checks do the same for every ruleset.
    seen: dict[bytes, History] = {}
    rng = np.random.default_rng(0)
    start = Game(get("north_american"), key=3, dealer=0, auto_deal=False)
    for _ in range(300):
        game = start.clone()
        while game.phase not in (Phase.DEAL, Phase.OVER):
            row = observation(game.ruleset, game.state, 2, canonical=False).tobytes()
            history = history_of(game.ruleset, game.state[0], 2)
            assert seen.setdefault(row, history) == history
            game.play(int(rng.choice(game.legal())))
    assert len(seen) > 3_000
    assert len(seen) == len({tuple(history) for history in seen.values()})


def test_the_names_of_a_row_are_those_of_the_layout() -> None:
    assert len(RANKS) * len(SUITS) == 32
    assert action_name(HIDDEN_CARD) == model.FACE_DOWN
