"""Faults D: the order and the winner of tricks (docs/rules.md 1.5); the recorded hands of the cases."""

import numpy as np
import pytest

from euchre_env.engine.layout import Phase
from euchre_env.game import Game
from tests.rules.model import suit_cards, trumps
from tests.rules.tables import act, pass_all, play_trick, plays_of, table, with_trump


@pytest.mark.parametrize("leader", range(4))
def test_D2_the_winning_card_is_the_same_from_any_seat(leader: int) -> None:
    plays = [((seat + leader - 2) % 4, card) for seat, card in plays_of("2:9D 3:AC 0:AH 1:TD")]
    led = " ".join(suit_cards("9D", "S"))
    game = with_trump("tournament", leader, "S", dict(plays), void={seat: led for seat, card in plays[1:3]})
    winner = play_trick(game, plays)
    assert dict(plays)[winner] == "TD"


def test_D3_the_next_trick_starts_with_the_winner() -> None:
    hands = {1: "9S 9C", 2: "TS TC", 3: "AS AC", 0: "QS QC"}
    game = with_trump("tournament", 1, "H", hands)
    assert play_trick(game, plays_of("1:9S 2:TS 3:AS 0:QS")) == 3
    assert play_trick(game, plays_of("3:AC 0:QC 1:9C 2:TC")) == 3
    assert game.state["tricks"][0].tolist() == [0, 0, 0, 2]
    assert game.state["players"][0, 1].tolist() == [3, 0, 1, 2]


def test_D5_each_trick_is_settled_by_its_own_cards() -> None:
    hands = {0: "AH TS", 1: "JH QS 9D", 2: "KH KS TD", 3: "QH 9S AD"}
    game = with_trump("tournament", 0, "H", hands, void={0: "9D TD JD QD KD AD"})
    assert play_trick(game, plays_of("0:AH 1:JH 2:KH 3:QH")) == 1
    act(game, "9D", "TD", "AD")
    game.play(next(card for card in game.legal() if card // 8 == 0))  # a club
    assert game.turn == 3
    assert play_trick(game, plays_of("3:9S 0:TS 1:QS 2:KS")) == 2


@pytest.mark.parametrize("loner", [False, True])
def test_D7_no_fifth_card(loner: bool) -> None:
    rng = np.random.default_rng(0)
    for seed in range(20):
        game = pass_all(Game("tournament", seed=seed, auto_deal=False), 7)
        game.play(next(a for a in game.legal() if a >= 42) if loner else game.legal()[0])
        played = 0
        while game.phase == Phase.PLAY:
            trick = int(game.state["trick"][0])
            game.play(int(rng.choice(game.legal())))
            played += 1
            if played % (3 if loner else 4) == 0:
                assert game.state["trick"][0] == trick + 1
                assert game.turn in (game.state["best_seat"][0], -1)
        assert played == (15 if loner else 20)


def test_E2_recorded_hand_a_loner_with_four_tricks_scores_one() -> None:
    hands = {0: "QC AS JS AD 9S", 1: "TC TS KH JD QD", 3: "AC 9C JC TD AH"}
    game = act(pass_all(table("tournament", 2, hands, "QS"), 1), "order up alone")
    # The dealer is the loner's partner and sits out.
    winners = [
        play_trick(game, plays_of(text))
        for text in ("3:AC 0:QC 1:TC", "3:9C 0:AS 1:TS", "0:JS 1:KH 3:JC", "0:AD 1:JD 3:TD", "0:9S 1:QD 3:AH")
    ]
    assert winners == [3, 0, 0, 0, 0]
    assert game.points == (1, 0)
    assert "JC" in trumps("S")
