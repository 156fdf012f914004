"""What holds in every hand of every ruleset: cards conserved, suits followed, tricks and points adding up, an end."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from euchre_env.batch import GameBatch
from euchre_env.cards import EFFECTIVE_SUIT
from euchre_env.engine.layout import CLAIM_REDEAL, PASS, Upcard
from euchre_env.ruleset import Ruleset
from tests.properties.drawn import choices, dealers, finish, houses, keys, one_hand, steps, under_way
from tests.rules.houses import CATALOGUE, mixes, single_changes


def places(record: Any) -> list[int]:
    """Return the sets of cards of a record, by place."""
    up = 0
    if record["upcard_state"] not in (Upcard.ABSENT, Upcard.TAKEN):
        up = 1 << int(record["upcard"])
        if record["upcard_state"] == Upcard.LEFT:
            # A loner may have got it from the dealer, his partner (7.5).
            up &= ~int(record["given"][record["dealer"]])
    return [int(s) for name in ("hands", "buried", "played") for s in record[name]] + [int(record["kitty"]), up]


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
    suits, reneged = EFFECTIVE_SUIT[record["trump"]], 0
    for trick in range(int(record["trick"])):
        led = suits[record["cards"][trick, 0]]
        for seat, card in zip(record["players"][trick], record["cards"][trick], strict=True):
            # Who did not follow has no card of that suit later in the hand.
            if seat >= 0 and suits[card] != led:
                later = record["cards"][trick + 1 :][record["players"][trick + 1 :] == seat]
                reneged |= int(led in suits[later]) << int(card)
    assert reneged == record["reneged"]
    assert rules.renege == "penalty" or reneged == 0


@given(houses, keys, dealers, choices)
def test_1_5_tricks_add_up(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        assert game.state["tricks"][0].sum() == game.state["trick"][0]
    record = game.state[0]
    if record["maker"] >= 0:
        assert record["trick"] == rules.hand_size or rules.stop_when_decided
        active = rules.num_seats - int(record["sits_out"]).bit_count()
        played = record["cards"][: record["trick"]]
        assert ((played >= 0).sum(axis=1) == active).all()
        assert not record["tricks"][[seat for seat in range(4) if record["sits_out"] >> seat & 1]].any()


@given(houses, keys, dealers, choices)
def test_2_7_hands_score_once(rules: Ruleset, key: int, dealer: int, numbers: list[int]) -> None:
    for game in steps(one_hand(rules, key, dealer), numbers):
        assert game.legal() or not under_way(game)
        assert game.scores == game.points
        assert not any(game.points) or not under_way(game) or rules.renege == "penalty"
    nil = (0,) * rules.num_sides
    if game.state["redeal"][0]:
        assert game.scores == nil
        assert game.state["dealer"][0] == dealer % rules.num_seats
        return
    assert max(game.points) <= max(rules.max_hand_points, rules.hand_size)
    if game.state["maker"][0] < 0:
        assert sum(game.points) in (0, rules.stick_the_dealer == "forfeit" and rules.num_sides - 1)
    elif rules.auction == "off" and rules.renege == "masked":
        assert sorted(game.points)[0] == 0
        assert max(game.points) > 0
    if max(game.scores) < rules.target:
        assert not game.over
    stays = rules.passed_out == "same_dealer" and game.state["maker"][0] < 0 and game.points == nil
    assert game.state["next_dealer"][0] == (dealer + (not stays)) % rules.num_seats


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
    """8.2, 2.4: somebody has to bid or call where the dealer is forced or stuck; else the limit ends it."""
    batch = GameBatch(rules, 16, episode="game", seed=1, autoreset=False, max_hands=30)
    for _ in range(30 * 40):
        batch.step(passes(batch))
    assert not batch.legal.any()
    assert (batch.episodes == 1).all()
    joker_calls = rules.joker and rules.joker_up == "blind_dealer"
    if rules.auction != "off":
        all_pass = rules.forced_dealer == "off"
    else:
        all_pass = rules.stick_the_dealer == "off" and not joker_calls
    if all_pass:
        assert (batch.finished["hand"] == 30).all()
        assert not batch.finished["scores"].any()
    elif not joker_calls:
        assert (batch.finished["maker"] >= 0).all()


def test_an_all_pass_hand_ends_in_every_ruleset() -> None:
    for label, rules in [*single_changes(), *mixes(50, seed=3)]:
        batch = GameBatch(rules, 4, seed=1, autoreset=False, observe=False)
        for _ in range(60):
            batch.step(passes(batch))
        assert not batch.legal.any(), label
