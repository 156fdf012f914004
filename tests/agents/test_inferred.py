"""Inferred inputs: nothing hidden leaks into them, and each says what it means in a hand played out by hand."""

from collections.abc import Iterator

import numpy as np
import pytest

from agents.networks.inferred import INFERRED_SEGMENTS, INFERRED_SIZE, infer_rows
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import EFFECTIVE_SUIT, JOKER, SUIT_CARDS, TRICK_POWER, cards_of, parse_cards
from euchre_env.engine.layout import ALONE, DECLINE, ORDER_UP, PASS, WITH_PARTNER, Phase
from euchre_env.game import Game
from euchre_env.policies.random import sample, seed_rows
from euchre_env.ruleset import Ruleset

EVERY = np.arange(INFERRED_SIZE)


def rows_of(ruleset: str | Ruleset, states: np.ndarray, canonical: bool = False) -> np.ndarray:
    out = np.full((len(states), INFERRED_SIZE), 9, dtype=np.int8)
    infer_rows(rulesets.get(ruleset).to_options(), states, np.arange(len(states)), canonical, EVERY, out)
    return out


def by_segment(row: np.ndarray) -> dict[str, np.ndarray]:
    starts = np.cumsum([0, *(segment.size for segment in INFERRED_SEGMENTS)])
    return {s.name: row[a:b] for s, a, b in zip(INFERRED_SEGMENTS, starts, starts[1:], strict=False)}


def facts_of(game: Game) -> dict[str, np.ndarray]:
    return by_segment(rows_of("tournament", game.state)[0])


def positions(ruleset: str | Ruleset, tables: int, steps: int) -> Iterator[GameBatch]:
    """Yield a batch before each step of random play."""
    batch = GameBatch(ruleset, tables, seed=4)
    draws, actions = seed_rows(np.random.default_rng(0), tables), np.empty(tables, dtype=np.int64)
    for _ in range(steps):
        yield batch
        sample(batch.legal, draws, actions)
        batch.step(actions)


RAILROAD = rulesets.get("railroad")
HOUSES = (
    *(rulesets.get(name) for name in rulesets.names()),
    RAILROAD.replace(name="receive_first", best_exchange="receive_first", dealer_pickup="optional"),
    RAILROAD.replace(name="set_aside", joker_up="set_aside", deck=33),
    rulesets.get("tournament").replace(name="reneges", renege="penalty", allow_no_trump="high_low"),
    rulesets.get("bid_euchre").replace(name="no_trumps", allow_no_trump="high_low", renege="penalty"),
    rulesets.get("north_american").replace(name="farmers", farmers_hand="swap3"),
    rulesets.get("two_handed").replace(name="dummies", dummy="three_card", alone_scope="maker_only"),
    rulesets.get("three_handed").replace(name="five_cards", dummy="five_card"),
)


@pytest.mark.parametrize("ruleset", HOUSES, ids=lambda rules: rules.name)
def test_a_view_and_the_full_state_give_the_same_row(ruleset: Ruleset) -> None:
    low = np.repeat([s.low for s in INFERRED_SEGMENTS], [s.size for s in INFERRED_SEGMENTS])
    high = np.repeat([s.high for s in INFERRED_SEGMENTS], [s.size for s in INFERRED_SEGMENTS])
    for batch in positions(ruleset, 200, 50):
        views = batch.views(range(200))
        for canonical in (False, True):
            rows = rows_of(ruleset, batch.states, canonical)
            np.testing.assert_array_equal(rows, rows_of(ruleset, views, canonical))
            assert ((rows >= low) & (rows <= high)).all()


def check_truth(rules: Ruleset, s: np.void) -> None:
    """Hold what the mover concludes against all hands."""
    facts, seat, trump = by_segment(rows_of(rules, s.reshape(1))[0]), int(s["turn"]), int(s["trump"])
    others = [other for other in range(rules.num_seats) if other != seat]
    for who in others:
        void = facts["voids"].reshape(-1, 4)[(who - seat) % rules.num_seats]
        assert not any(void[suit] and s["hands"][who] & SUIT_CARDS[trump, suit] for suit in range(4))
    held = [card for who in others for card in cards_of(s["hands"][who])]
    for suit in range(4) if trump >= 0 else ():
        assert facts["unseen"][suit] >= sum(EFFECTIVE_SUIT[trump, card] == suit for card in held)
        power = [TRICK_POWER[trump, suit, card] for card in held if EFFECTIVE_SUIT[trump, card] == suit]
        for card in np.flatnonzero(facts["best"]):
            if EFFECTIVE_SUIT[trump, card] == suit:
                assert TRICK_POWER[trump, suit, card] > max(power, default=-1)


@pytest.mark.parametrize("ruleset", HOUSES, ids=lambda rules: rules.name)
def test_nothing_is_concluded_wrongly(ruleset: Ruleset) -> None:
    for batch in positions(ruleset, 12, 60):
        for table in range(12):
            check_truth(ruleset, batch.states[table])


def test_before_a_blind_call_nothing_is_concluded() -> None:
    seen = 0
    for batch in positions("british", 400, 3):
        blind = np.flatnonzero((batch.states["upcard"] == JOKER) & (batch.states["phase"] == Phase.CALL))
        seen += len(blind)
        assert not rows_of("british", batch.states[blind]).any()
    assert seen


def test_a_renege_proves_no_void() -> None:
    """Hearts are trump, seat 0 leads the ace of spades: seat 1 has none, seat 2 reneges."""
    rules = rulesets.get("tournament").replace(renege="penalty")
    game = Game(rules, dealer=3, deck=[*DECK, *REST])
    game.play(ORDER_UP)
    for card in parse_cards("TD  AS 9C KH"):
        game.play(card)
    assert cards_in(by_segment(rows_of(rules, game.state)[0])["voids"]) == {4 * 2 + 3}


# Dealt 3-2 from the dealer's left, dealer 3: the hands below, then the nine of hearts.
HANDS = ("JH TH AS KS 9D", "JD AH 9C TC QC", "KH QH TS QS 9S", "AC KC AD KD TD")
DECK = [card for start, stop in ((0, 3), (3, 5)) for hand in HANDS for card in hand.split()[start:stop]]
REST = ["9H", "JC", "JS", "QD"]


def cards_in(columns: np.ndarray) -> set[int]:
    return set(np.flatnonzero(columns).tolist())


def test_a_hand_in_play() -> None:
    """Hearts are trump. Seats 1 and 3 could not follow spades; seat 0 plays last to the left bower that seat 1 led."""
    game = Game("tournament", dealer=3, deck=[*DECK, *REST])
    game.play(ORDER_UP)
    for card in parse_cards("TD  AS AH 9S KD  JD QH 9H"):
        game.play(card)
    assert game.turn == 0
    facts = facts_of(game)
    assert cards_in(facts["voids"]) == {4 * 1 + 3, 4 * 3 + 3}
    assert cards_in(facts["led"]) == {2}
    assert cards_in(facts["winning"]) == {1}
    assert cards_in(facts["behind"]) == {0}
    assert facts["own"].tolist() == [0, 1, 2, 1]
    assert facts["unseen"].tolist() == [6, 3, 1, 3]
    assert cards_in(facts["best"]) == set(parse_cards("JH KS"))
    assert cards_in(facts["takes"]) == set(parse_cards("JH"))


def test_before_trump_the_proposed_suit_counts_as_trump() -> None:
    game = Game("tournament", dealer=3, deck=[*DECK, *REST])
    facts = facts_of(game)
    assert facts["own"].tolist() == [0, 1, 2, 2]
    assert cards_in(facts["best"]) == set(parse_cards("JH AS KS"))
    for _ in range(4):
        game.play(PASS)
    turned_down = facts_of(game)
    assert cards_in(turned_down["best"]) == set(parse_cards("AS KS"))
    assert turned_down["unseen"].sum() == 24 - 5 - 1
    assert not cards_in(turned_down["behind"])


def test_an_up_card_that_the_dealer_may_have_passed_on_is_still_out() -> None:
    """7.5: seat 1 is alone and gets the right bower off the table; seat 2 holds the left one and saw a card go."""
    hands = ("9H TH AS KS 9D", "KH AH 9C TC QC", "JD QH TS QS 9S", "AC KC AD KD TD")
    deck = [card for start, stop in ((0, 3), (3, 5)) for hand in hands for card in hand.split()[start:stop]]
    rules = rulesets.get("railroad").replace(deck=24)
    game = Game(rules, dealer=3, deck=[*deck, "JH", "JC", "JS", "QD"])
    for action in (PASS, ORDER_UP, DECLINE, ALONE, *parse_cards("9C JH"), WITH_PARTNER, WITH_PARTNER):
        game.play(action)
    assert game.turn == 2
    facts = by_segment(rows_of(rules, game.state)[0])
    assert not cards_in(facts["best"])
    assert facts["unseen"].tolist() == [6, 5, 5, 3]
