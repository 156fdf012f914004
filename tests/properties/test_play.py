"""What holds in every hand of every ruleset: cards conserved, suits followed, tricks and points adding up, an end."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from euchre_env.batch import GameBatch
from euchre_env.cards import EFFECTIVE_SUIT
from euchre_env.engine.layout import CLAIM_REDEAL, PASS, Phase, Upcard
from euchre_env.ruleset import Ruleset
from tests.properties.drawn import choices, dealers, finish, houses, keys, one_hand, steps, under_way
from tests.rules.houses import CATALOGUE, mixes, single_changes


def places(record: Any) -> list[int]:
    """Return the sets of cards of a record, by place."""
    up = 0 if record["upcard_state"] in (Upcard.ABSENT, Upcard.TAKEN) else 1 << int(record["upcard"])
    return [int(s) for name in ("hands", "buried", "given", "played") for s in record[name]] + [
        int(record["kitty"]),
        up,
    ]


@given(houses, keys, dealers, choices)
def test_I9_cards_are_conserved(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        sets = places(game.state[0])
        assert sum(s.bit_count() for s in sets) == rules.deck
        assert sum(sets) == sum(1 << card for card in rules.deck_ids)


@given(houses, keys, dealers, choices)
def test_1_4_nobody_revokes(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    record = finish(one_hand(rules, key, dealer), numbers).state[0]
    if record["maker"] < 0:
        return
    suits = EFFECTIVE_SUIT[record["trump"]]
    for trick in range(int(record["trick"])):
        led = suits[record["cards"][trick, 0]]
        for seat, card in zip(record["players"][trick], record["cards"][trick], strict=True):
            # Who did not follow has no card of that suit later in the hand.
            if seat >= 0 and suits[card] != led:
                later = record["cards"][trick + 1 :][record["players"][trick + 1 :] == seat]
                assert led not in suits[later]


@given(houses, keys, dealers, choices)
def test_1_5_tricks_add_up(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        assert game.state["tricks"][0].sum() == game.state["trick"][0]
    record = game.state[0]
    if record["maker"] >= 0:
        assert record["trick"] == rules.hand_size or rules.stop_when_decided
        active = 4 - int(record["sits_out"]).bit_count()
        played = record["cards"][: record["trick"]]
        assert ((played >= 0).sum(axis=1) == active).all()
        assert not record["tricks"][[seat for seat in range(4) if record["sits_out"] >> seat & 1]].any()


@given(houses, keys, dealers, choices)
def test_2_7_one_side_scores(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        assert game.points == (0, 0) or not under_way(game)
        assert game.legal() or not under_way(game)
    if game.state["redeal"][0]:
        assert game.scores == (0, 0)
        assert game.state["dealer"][0] == dealer
        return
    played_or_forfeited = game.state["maker"][0] >= 0 or rules.stick_the_dealer == "forfeit"
    assert sorted(game.points)[0] == 0
    assert max(game.points) <= rules.max_hand_points
    assert (max(game.points) > 0) == played_or_forfeited
    assert game.scores == game.points
    assert game.over == (max(game.scores) >= rules.target)
    assert game.state["next_dealer"][0] == (dealer + 1) % 4


@given(houses, keys, dealers, choices, choices)
def test_a_clone_is_equal_and_independent(
    rules: Ruleset, key: int, dealer: int, start: list[int], rest: list[int]
) -> None:
    game = one_hand(rules, key, dealer)
    for _, _ in zip(start, steps(game, start), strict=False):
        pass
    twin, before = game.clone(), game.state.copy()
    finish(twin, rest)
    assert game.state == before
    assert finish(game, rest).state == twin.state


def passes(batch: GameBatch) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Pass where that is legal, claim no redeal, else take the first action."""
    unclaimed = batch.legal & ~(1 << CLAIM_REDEAL)
    first = np.log2(np.maximum(unclaimed & -unclaimed, 1)).astype(np.int64)
    return np.where(batch.legal >> PASS & 1, PASS, first)


@pytest.mark.parametrize("rules", CATALOGUE, ids=lambda rules: rules.name)
def test_an_all_pass_game_ends(rules: Ruleset) -> None:
    batch = GameBatch(rules, 16, episode="game", seed=1, autoreset=False, max_hands=30)
    for _ in range(30 * 40):
        batch.step(passes(batch))
    assert not batch.legal.any()
    assert (batch.episodes == 1).all()
    if rules.stick_the_dealer == "off":
        assert (batch.finished["hand"] == 30).all()
        assert not batch.finished["scores"].any()
    else:
        assert (batch.finished["phase"] == Phase.OVER).all()


def test_an_all_pass_hand_ends_in_every_ruleset() -> None:
    for label, rules in [*single_changes(), *mixes(50, seed=3)]:
        batch = GameBatch(rules, 4, seed=1, autoreset=False)
        for _ in range(60):
            batch.step(passes(batch))
        assert not batch.legal.any(), label
