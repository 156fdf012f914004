"""Faults I at the engine: number nought is a number like any other (I1). Deals and seeds: tests/unit.

The pack of 32 holds the card with id 0, the seven of clubs; ids are also actions.
"""

import numpy as np
import pytest

from euchre_env.batch import GameBatch
from euchre_env.cards import SUITS, format_card
from euchre_env.engine.layout import Phase, Upcard
from euchre_env.engine.observe import OBSERVATION_SIZE, decode
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules import model
from tests.rules.tables import act, pass_all, play_trick, table, text_cards, with_trump, words

RULES = get("tournament").replace(deck=32)
CARDS = [format_card(card) for card in range(32)]


def seen_by(game: Game, seat: int) -> dict[str, object]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(game.ruleset.to_options(), game.state, seat, False, row)
    return decode(row)


@pytest.mark.parametrize("card", CARDS)
def test_I1_any_card_turned_up(card: str) -> None:
    game = table(RULES, 3, {}, card)
    assert seen_by(game, 1)["upcard"] == [CARDS.index(card)]
    act(game, "order up")
    assert SUITS[game.state["trump"][0]] == card[1]
    assert card in text_cards(game.hand(3))
    turned_down = pass_all(table(RULES, 3, {}, card), 4)
    assert turned_down.state["upcard_state"][0] == Upcard.TURNED_DOWN
    assert not any(model.NAMES[card[1]] in word for word in words(turned_down))


@pytest.mark.parametrize("card", CARDS)
def test_I1_any_card_laid_away(card: str) -> None:
    upcard = "AH" if card != "AH" else "AD"
    game = act(table(RULES, 3, {3: card}, upcard), "order up", card)
    assert card not in text_cards(game.hand(3))
    assert text_cards(int(game.state["buried"][0, 3])) == {card}
    assert seen_by(game, 3)["buried"] == [CARDS.index(card)]
    assert seen_by(game, 0)["buried"] == []
    assert game.phase == Phase.PLAY


@pytest.mark.parametrize("trump", SUITS)
@pytest.mark.parametrize("card", CARDS)
def test_I1_any_card_led_and_the_only_legal_one(card: str, trump: str) -> None:
    suit = model.suit_cards(card, trump)
    other = next(c for c in suit if c != card)
    game = with_trump(RULES, 0, trump, {0: card, 1: other}, void={1: " ".join(suit)})
    act(game, card)
    assert words(game) == {other}
    game = with_trump(RULES, 0, trump, {0: other, 1: card}, void={1: " ".join(suit)})
    act(game, other)
    assert words(game) == {card}
    act(game, card)
    assert game.state["played"][0, 1] == 1 << CARDS.index(card)


@pytest.mark.parametrize("card", CARDS)
def test_I1_any_card_wins_a_trick(card: str) -> None:
    # Led when nobody holds the suit nor a trump.
    trump = model.MATES["D" if card[1] in "CS" else "C"]
    suit = [c for c in model.suit_cards(card, trump) if c != card]
    void = " ".join([*suit, *model.trumps(trump)])
    game = with_trump(RULES, 2, trump, {2: card}, void={0: void, 1: void, 3: void})
    act(game, card)
    for _ in range(3):
        game.play(game.legal()[0])
    assert game.state["tricks"][0].tolist() == [0, 0, 1, 0]
    assert game.turn == 2


@pytest.mark.parametrize("seat", range(4))
def test_I1_seat_and_hand_nought(seat: int) -> None:
    game = Game("tournament", dealer=seat, seed=1, auto_deal=False)
    assert game.state["hand"][0] == 0
    assert seen_by(game, seat)["dealer"] == [0]
    assert seen_by(game, seat)["maker"] == []
    act(game, "order up")
    assert seen_by(game, 0)["maker"] == [(seat + 1) % 4]
    batch = GameBatch("tournament", 1, keys=[0], dealers=[seat])
    assert batch.states["dealer"][0] == seat
    assert batch.states["hands"][0].all()


def test_I1_the_seven_of_clubs_played_by_seat_nought() -> None:
    game = with_trump(RULES, 0, "H", {0: "7C", 1: "8C", 2: "9C", 3: "TC"})
    assert play_trick(game, [(0, "7C"), (1, "8C"), (2, "9C"), (3, "TC")]) == 3
    assert game.state["cards"][0, 0].tolist() == [0, 1, 2, 3]
