"""Inferred inputs: nothing hidden leaks into them, and each says what it means in a hand played out by hand."""

import numpy as np

from agents.networks.inferred import INFERRED_SEGMENTS, INFERRED_SIZE, infer_rows
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import parse_cards
from euchre_env.engine.layout import ORDER_UP, PASS
from euchre_env.game import Game
from euchre_env.policies.random import sample, seed_rows

EVERY = np.arange(INFERRED_SIZE)


def rows_of(ruleset: str, states: np.ndarray, canonical: bool = False) -> np.ndarray:
    out = np.full((len(states), INFERRED_SIZE), 9, dtype=np.int8)
    infer_rows(rulesets.get(ruleset).to_options(), states, np.arange(len(states)), canonical, EVERY, out)
    return out


def facts_of(game: Game) -> dict[str, np.ndarray]:
    row = rows_of("tournament", game.state)[0]
    starts = np.cumsum([0, *(segment.size for segment in INFERRED_SEGMENTS)])
    return {s.name: row[a:b] for s, a, b in zip(INFERRED_SEGMENTS, starts, starts[1:], strict=False)}


def test_a_view_and_the_full_state_give_the_same_row() -> None:
    for ruleset in rulesets.names():
        batch = GameBatch(ruleset, 300, seed=4)
        draws, actions = seed_rows(np.random.default_rng(0), 300), np.empty(300, dtype=np.int64)
        for _ in range(40):
            views = batch.views(range(300))
            for canonical in (False, True):
                np.testing.assert_array_equal(
                    rows_of(ruleset, batch.states, canonical), rows_of(ruleset, views, canonical)
                )
            sample(batch.legal, draws, actions)
            batch.step(actions)


def test_values_stay_in_their_segments() -> None:
    batch = GameBatch("north_american", 500, seed=5)
    low = np.repeat([s.low for s in INFERRED_SEGMENTS], [s.size for s in INFERRED_SEGMENTS])
    high = np.repeat([s.high for s in INFERRED_SEGMENTS], [s.size for s in INFERRED_SEGMENTS])
    draws, actions = seed_rows(np.random.default_rng(0), 500), np.empty(500, dtype=np.int64)
    for _ in range(60):
        rows = rows_of("north_american", batch.states)
        assert ((rows >= low) & (rows <= high)).all()
        sample(batch.legal, draws, actions)
        batch.step(actions)


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
