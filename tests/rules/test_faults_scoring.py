"""Faults E: points and the end of a game (docs/rules.md 2.7, 2.8, 2.10, Q-N13 to Q-N16, Q-X3)."""

from typing import Any

import numpy as np
import pytest

from euchre_env.engine.layout import Phase
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.rulesets import get
from tests.rules import model
from tests.rules.many import play_out
from tests.rules.tables import act, deck_of, pass_all, table, with_partners, with_trump, words

STRONG = "JH JD AH KH QH"


def play_lowest(game: Game) -> Game:
    """Everybody plays the first legal card."""
    while game.phase == Phase.PLAY:
        game.play(game.legal()[0])
    return game


@pytest.mark.parametrize("seat", range(4))
def test_E3_a_march_with_nobody_alone_scores_two(seat: int) -> None:
    game = play_lowest(with_trump("north_american", seat, "H", {seat: STRONG}))
    assert game.state["alone"][0] == 0
    assert game.points == ((2, 0) if seat % 2 == 0 else (0, 2))


def lone_defence(alone: bool) -> tuple[int, int]:
    """Return the points of (makers 0 and 2, defenders) when seat 1, alone or not, takes three or four tricks."""
    rules = get("north_american").replace(lone_defender_scoring="four_for_three")
    for seed in range(200):
        rng = np.random.default_rng(seed)
        game = pass_all(table(rules, 3, {1: "JH JD AH 9S 9D"}, "9C"), 4)
        act(game, "call hearts", "with partner", "with partner", "alone" if alone else "with partner")
        with_partners(game)
        while game.phase == Phase.PLAY:
            game.play(int(rng.choice(game.legal())))
        if game.state["tricks"][0, [1, 3]].sum() in (3, 4):
            return game.points[0], game.points[1]
    raise AssertionError("no such hand found")


def test_E4_one_table_of_points() -> None:
    assert lone_defence(alone=True) == (0, 4)
    assert lone_defence(alone=False) == (0, 2)


def test_E7_every_hand_has_its_own_result() -> None:
    rules = get("north_american")
    game, results = with_trump(rules, 2, "H", {2: STRONG}), []
    results.append(play_lowest(game).points)
    game.deal()
    assert game.points == (0, 0)
    results.append(pass_all(game, 8).points)
    assert game.state["dealer"][0] == 2
    # Seat 3 names hearts and takes three tricks, seat 0 two.
    hands = {3: "JH JD AH 9C 9D", 0: "KH QH AC AD AS", 1: "9H KC KD KS QS", 2: "TH QC QD TS JS"}
    game.deal([*deck_of(rules, 3, hands, "9S")])
    pass_all(game, 7)
    with_partners(act(game, "call hearts"))
    while game.phase == Phase.PLAY:
        game.play(max(game.legal()))
    results.append(game.points)
    assert results == [(2, 0), (0, 0), (0, 1)]
    assert game.scores == (2, 1)


@pytest.mark.parametrize("target", [5, 7, 10, 11])
def test_2_8_the_first_to_the_target_wins_at_once(target: int) -> None:
    rules = get("north_american").replace(target=target)
    game = table(rules, 3, {0: STRONG}, "9C", scores=[target - 2, target - 1])
    act(pass_all(game, 4), "call hearts")
    play_lowest(with_partners(game))
    assert game.over
    assert game.state["winners"][0] == 1 << 0
    assert game.scores == (target, target - 1)
    assert game.turn == -1
    assert words(game) == set()


def test_2_8_a_game_goes_on_below_the_target() -> None:
    game = table("north_american", 3, {0: STRONG}, "9C", scores=[7, 9])
    act(pass_all(game, 4), "call hearts")
    play_lowest(with_partners(game))
    assert (game.phase, game.scores, int(game.state["winners"][0])) == (Phase.DEAL, (9, 9), 0)


def test_2_10_a_forfeit_can_end_the_game() -> None:
    rules = get("tournament").replace(stick_the_dealer="forfeit")
    game = pass_all(table(rules, 1, {}, "9C", scores=[9, 3]), 7)
    act(game, "forfeit the deal")
    assert game.over
    assert game.state["winners"][0] == 1 << 0


# (makers' tricks, lone maker, lone defender) -> points of (makers, defenders), 2.7 with the field defaults.
TABLE = {
    **{(made, lone, defender): (1, 0) for made in (3, 4) for lone in (False, True) for defender in (False, True)},
    **{(5, False, defender): (2, 0) for defender in (False, True)},
    **{(5, True, defender): (4, 0) for defender in (False, True)},
    **{(made, lone, False): (0, 2) for made in (0, 1, 2) for lone in (False, True)},
    **{(made, lone, True): (0, 2) for made in (1, 2) for lone in (False, True)},
    **{(0, lone, True): (0, 4) for lone in (False, True)},
}


def outcome(record: Any) -> tuple[tuple[int, bool, bool], tuple[int, int]]:
    """Return (makers' tricks, lone maker, lone defender) and the points of (makers, defenders) of a finished hand."""
    side = int(record["maker"]) % 2
    sides = [seat % 2 for seat in range(4) if record["alone"] >> seat & 1]
    made = int(record["tricks"][side] + record["tricks"][side + 2])
    points = int(record["points"][side]), int(record["points"][1 - side])
    return (made, side in sides, 1 - side in sides), points


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        ({}, {}),
        ({"march_points": 3}, {(5, False, False): (3, 0), (5, False, True): (3, 0)}),
        ({"loner_march_points": 6}, {(5, True, False): (6, 0), (5, True, True): (6, 0)}),
        ({"lone_euchre_points": 4}, {(made, True, False): (0, 4) for made in (0, 1, 2)}),
        ({"super_euchre_points": 4}, {(0, lone, False): (0, 4) for lone in (False, True)}),
        (
            {"lone_defender_scoring": "four_for_three"},
            {(made, lone, True): (0, 4) for made in (0, 1, 2) for lone in (False, True)},
        ),
        (
            {"lone_defender_scoring": "three"},
            {(made, lone, True): (0, 3) for made in (0, 1, 2) for lone in (False, True)},
        ),
    ],
    ids=lambda value: ",".join(f"{k}={v}" for k, v in value.items() if isinstance(k, str)) or "-",
)
def test_2_7_points(changes: dict[str, Any], differs: dict[Any, Any]) -> None:
    due = TABLE | differs
    seen = set()
    for record in play_out(get("north_american").replace(**changes), 5_000, seed=2).finished:
        if record["maker"] < 0:
            assert not record["points"].any()
            continue
        key, points = outcome(record)
        assert points == due[key]
        seen.add(key)
    assert seen == set(due)


def won_seven(made: int) -> tuple[int, int]:
    return (2, 0) if made == 7 else (1, 0) if made >= 4 else (0, 2)


def test_Q_N21_seven_cards_four_make_seven_march() -> None:
    rules = get("bicycle24").replace(deck=32, hand_size=7, alone_scope="none")
    hands = play_out(rules, 3_000, seed=3).finished
    seen = set()
    for record in hands[hands["maker"] >= 0]:
        (made, _, _), points = outcome(record)
        assert record["tricks"].sum() == 7
        assert points == won_seven(made)
        seen.add(made)
    assert seen == set(range(8))


def undecided(rules: Ruleset, record: Any) -> bool:
    """Whether the points were still open before the last trick of a finished record (by the model's table)."""
    hand = model.Hand(0, "", [])
    hand.maker = int(record["maker"])
    hand.alone = {seat for seat in range(4) if record["alone"] >> seat & 1}
    before = int(record["tricks"][hand.maker % 2 :: 2].sum()) - (int(record["best_seat"]) in hand.makers)
    left = rules.hand_size - int(record["trick"]) + 1
    return len({model.points_of(rules, hand, before + more) for more in range(left + 1)}) > 1


@pytest.mark.parametrize("size", [5, 7])
def test_Q_X3_a_hand_stops_when_decided_and_not_before(size: int) -> None:
    rules = get("north_american").replace(stop_when_decided=True, deck=32, hand_size=size, super_euchre_points=4)
    hands = play_out(rules, 2_000, seed=4).finished
    played = hands[hands["maker"] >= 0]
    assert (played["trick"] < size).any()
    assert all(undecided(rules, record) for record in played)
    # The points are those of the whole hand: decided means that the rest cannot change them.
    for record in played:
        hand = model.Hand(0, "", [])
        hand.maker = int(record["maker"])
        hand.alone = {seat for seat in range(4) if record["alone"] >> seat & 1}
        (made, _, _), points = outcome(record)
        side, due = model.points_of(rules, hand, made)
        assert points == ((due, 0) if side == "makers" else (0, due))
