"""Faults C: playing alone and sitting out (docs/rules.md 2.5, 2.6, section 3, Q-N8 to Q-N12)."""

import itertools

import numpy as np
import pytest

from euchre_env.engine.layout import Phase, Upcard
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.tables import act, pass_all, play_trick, plays_of, table, text_cards, with_partners, words


def play_order(game: Game, seed: int = 0) -> list[int]:
    """Play the hand out at random; return who played, card by card."""
    rng, order = np.random.default_rng(seed), []
    while game.phase == Phase.PLAY:
        order.append(game.turn)
        game.play(int(rng.choice(game.legal())))
    return order


def lone_caller(caller: int, dealer: int) -> Game:
    """Return a table of `tournament` where the caller named a suit alone in the second round."""
    game = pass_all(table("tournament", dealer, {}, "9C"), 4)
    while game.turn != caller:
        act(game, "pass")
    return act(game, "call hearts alone")


@pytest.mark.parametrize(("caller", "dealer"), list(itertools.product(range(4), range(4))))
def test_C1_the_seat_opposite_sits_out(caller: int, dealer: int) -> None:
    game = lone_caller(caller, dealer)
    assert set(range(4)) - set(play_order(game)) == {(caller + 2) % 4}


@pytest.mark.parametrize(("dealer", "order"), [(0, [1, 2, 3]), (1, [2, 3, 1]), (2, [3, 1, 2])])
def test_C3_three_cards_to_a_trick(dealer: int, order: list[int]) -> None:
    game = lone_caller(2, dealer)
    played = play_order(game)
    assert played[:3] == order
    assert len(played) == 15
    assert [played.count(seat) for seat in range(4)] == [0, 5, 5, 5]
    assert [len(text_cards(game.hand(seat))) for seat in range(4)] == [5, 0, 0, 0]


def test_C4_the_next_active_seat_leads() -> None:
    game = lone_caller(3, 0)
    assert game.state["sits_out"][0] == 1 << 1
    assert game.turn == 2
    assert 1 not in play_order(game)


def test_C4_after_the_discard_too() -> None:
    game = act(pass_all(table("tournament", 0, {}, "9C"), 2), "order up alone")
    assert (game.turn, game.phase) == (0, Phase.DISCARD)
    act(game, min(words(game)))
    assert game.turn == 2
    assert 1 not in play_order(game)


def test_C7_the_turn_skips_the_sitting_seat() -> None:
    # Caller 1 alone, seat 3 sits: tricks won by seat 2 as last to play, then by seat 0.
    hands = {0: "9S 9D AD", 1: "TS TD QH", 2: "AS JS KD"}
    game = act(pass_all(table("tournament", 3, hands, "9C"), 5), "call hearts alone")
    assert play_trick(game, plays_of("0:9S 1:TS 2:AS")) == 2
    assert game.turn == 2
    assert play_trick(game, plays_of("2:KD 0:AD 1:TD")) == 0
    assert game.turn == 0
    act(game, "9D")
    assert game.turn == 1


@pytest.mark.parametrize("leader", range(3))
def test_C7_successors_from_any_seat(leader: int) -> None:
    game = lone_caller(1, (leader - 1) % 4)
    order = play_order(game)
    assert order[:3] == [(leader + step) % 4 for step in range(4) if (leader + step) % 4 != 3]


def test_C8_a_loner_ends_although_his_partner_holds_cards() -> None:
    hands = {0: "JH JD AH KH QH", 1: "9H"}
    game = act(pass_all(table("tournament", 3, hands, "9C"), 4), "call hearts alone")
    played = play_order(game)
    assert len(played) == 15
    assert game.phase == Phase.DEAL
    assert game.points == (4, 0)
    assert len(text_cards(game.hand(2))) == 5
    game.deal()
    assert game.state["sits_out"][0] == 0


def test_2_5_order_of_the_questions() -> None:
    game = act(pass_all(table("north_american", 3, {}, "9C"), 1), "order up", "decline")
    asked = []
    while game.phase == Phase.DECLARE:
        asked.append(game.turn)
        act(game, "with partner")
    # Maker 1, his partner, the defender on the maker's left, the other.
    assert asked == [1, 3, 2, 0]


@pytest.mark.parametrize(
    ("poll", "asked"),
    [
        ("maker_side_then_defenders", [1, 3, 2, 0]),
        ("maker_then_dealers_left", [1, 3, 0, 2]),
        ("clockwise_from_leader", [0, 1, 2, 3]),
    ],
)
def test_Q_N9_polls(poll: str, asked: list[int]) -> None:
    game = act(pass_all(table(get("north_american").replace(poll=poll), 3, {}, "9C"), 1), "order up", "decline")
    order = []
    while game.phase == Phase.DECLARE:
        order.append(game.turn)
        act(game, "with partner")
    assert order == asked


def test_Q_N9_a_loners_partner_is_not_asked() -> None:
    game = act(table("north_american", 3, {}, "9C"), "order up", "decline", "alone")
    assert game.turn == 1
    act(game, "alone")
    assert game.phase == Phase.PLAY
    assert game.state["sits_out"][0] == 1 << 2 | 1 << 3


def test_7_4_defenders_alone_against_a_loner_only() -> None:
    rules = get("north_american").replace(defend_alone="vs_loner")
    game = act(table(rules, 3, {}, "9C"), "order up", "decline", "with partner")
    assert game.turn == 2
    assert act(game, "with partner").phase == Phase.PLAY
    game = act(table(rules, 3, {}, "9C"), "order up", "decline", "alone")
    assert (game.turn, game.phase) == (1, Phase.DECLARE)


def test_7_4_clockwise_a_defender_may_be_asked_after_the_loner() -> None:
    rules = get("north_american").replace(defend_alone="vs_loner", poll="clockwise_from_leader")
    game = act(pass_all(table(rules, 3, {}, "9C"), 1), "order up", "decline")
    assert game.turn == 1
    act(game, "alone")
    asked = []
    while game.phase == Phase.DECLARE:
        asked.append(game.turn)
        act(game, "with partner")
    assert asked == [0, 2]


def test_Q_N8_the_makers_partner_after_a_call_with_partner() -> None:
    rules = get("tournament").replace(alone_scope="maker_side")
    game = act(pass_all(table(rules, 3, {}, "9C"), 4), "call hearts")
    assert (game.turn, game.phase) == (2, Phase.DECLARE)
    act(game, "alone")
    assert game.state["sits_out"][0] == 1 << 0


def test_Q_N8_nobody_goes_alone_where_that_is_off() -> None:
    rules = get("north_american").replace(alone_scope="none", defend_alone="off")
    game = act(table(rules, 3, {}, "9C"), "order up", "decline")
    assert game.phase == Phase.PLAY
    rules = get("tournament").replace(alone_scope="none")
    assert words(table(rules, 3, {}, "9C")) == {"pass", "order up"}


def test_Q_N23_the_dealer_sits_out_without_an_exchange() -> None:
    for name in ("bicycle24", "tournament"):
        game = act(pass_all(table(name, 3, {}, "9C"), 1), "order up alone")
        assert game.phase == Phase.PLAY
        assert game.state["upcard_state"][0] == Upcard.LEFT
        assert len(text_cards(game.hand(3))) == 5


def test_Q_N23_after_trump_he_has_exchanged_already() -> None:
    game = act(pass_all(table("open_spiel", 3, {}, "9C"), 1), "order up")
    assert (game.turn, game.phase) == (3, Phase.DISCARD)
    act(game, min(words(game)), "alone")
    assert game.phase == Phase.PLAY
    assert game.state["sits_out"][0] == 1 << 3


def test_2_6_leads() -> None:
    # A lone defender: the seat on his left; a lone maker and a lone defender: the defender.
    game = act(table("north_american", 3, {}, "9C"), "order up", "decline", "with partner", "with partner", "alone")
    assert with_partners(game).turn == 2
    game = act(table("north_american", 3, {}, "9C"), "order up", "decline", "alone", "with partner", "alone")
    assert game.turn == 3


def test_10_1_open_spiel_asks_defenders_from_the_dealers_left() -> None:
    rules = get("open_spiel").replace(defend_alone="always")
    game = act(pass_all(table(rules, 3, {}, "9C"), 1), "order up")
    act(game, min(words(game)), "with partner")
    assert game.turn == 0
    act(game, "with partner")
    assert game.turn == 2
    act(game, "alone")
    assert game.state["sits_out"][0] == 1 << 0
    assert game.turn == 1
