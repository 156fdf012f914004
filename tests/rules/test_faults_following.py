"""Faults A: bowers and following suit, through the engine (docs/rules.md 1.3-1.5)."""

import itertools

import numpy as np
import pytest

from euchre_env.cards import EFFECTIVE_SUIT, SUITS, parse_card
from euchre_env.game import Game
from tests.rules.model import MATES, suit_cards, trumps
from tests.rules.tables import act, deck_of, pass_all, play_trick, plays_of, table, with_trump, words

RULES = "tournament"


def follower(trump: str, led: str, hand: str) -> Game:
    """Return a table where seat 0 has led and seat 1 is to follow with this hand."""
    return act(with_trump(RULES, 0, trump, {0: led, 1: hand}), led)


def test_A1_a_left_bower_led_asks_for_trump() -> None:
    assert words(follower("H", "JD", "9H AD KD 9C TC")) == {"9H"}
    plays = plays_of("0:JD 1:9H 2:AD 3:KH")
    game = with_trump(RULES, 0, "H", dict(plays), void={2: " ".join(trumps("H"))})
    assert play_trick(game, plays) == 0


def test_A2_the_left_bower_is_void_in_its_printed_suit() -> None:
    assert words(follower("S", "9C", "JC AH KH TD 9D")) == {"JC", "AH", "KH", "TD", "9D"}


def test_A2_recorded_hand() -> None:
    # Dealer 2 turned down the king of diamonds, seat 0 named clubs.
    hands = {3: "AS QC", 0: "QS JC", 1: "9S KS", 2: "KC JS"}
    # Nobody could follow more than is seen: seat 2 held no spade, seat 1 no club.
    void = {2: "9S TS QS KS AS", 1: " ".join(trumps("C"))}
    game = pass_all(table("bicycle24", 2, hands, "KD", void), 5)
    act(game, "call clubs")
    assert play_trick(game, plays_of("3:AS 0:QS 1:9S 2:KC")) == 2
    act(game, "JS")
    assert "QC" in words(game)
    assert words(game) <= set(trumps("C"))
    assert play_trick(game, plays_of("3:QC 0:JC 1:KS")) == 0


def test_A3_the_left_bower_alone_must_follow_trump() -> None:
    assert words(follower("S", "AS", "JC 9H TH QD KD")) == {"JC"}


def test_A4_the_left_bower_follows_trump_leads_only() -> None:
    assert words(follower("H", "9C", "KC JD AS TS 9S")) == {"KC"}


@pytest.mark.parametrize("trump", SUITS)
def test_A5_suit_of_the_left_bower(trump: str) -> None:
    suit, mate = SUITS.index(trump), MATES[trump]
    left = EFFECTIVE_SUIT[suit, parse_card("J" + mate)]
    assert left == EFFECTIVE_SUIT[suit, parse_card("9" + trump)]
    assert left != EFFECTIVE_SUIT[suit, parse_card("9" + mate)]
    # And in play: a nine of the printed suit does not follow it.
    assert words(follower(trump, "J" + mate, f"9{trump} 9{mate} A{mate}")) & {f"9{mate}", f"A{mate}"} == set()


def test_A7_the_order_of_the_cards_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    hand = ["9C", "AS", "KD", "TS", "QC"]
    for _ in range(20):
        assert words(follower("H", "9S", " ".join(rng.permutation(hand)))) == {"AS", "TS"}


@pytest.mark.parametrize(("trump", "led"), list(itertools.product(SUITS, SUITS)))
def test_1_4_whoever_holds_the_suit_led_plays_it(trump: str, led: str) -> None:
    card = f"9{led}"
    due = suit_cards(card, trump)
    other = [c for c in ("AC", "AD", "AH", "AS") if c not in due]
    game = follower(trump, card, " ".join(due[1:3] + other))
    assert words(game) == set(due[1:3])


def test_A7_decks_that_deal_the_same_hands_are_the_same_game() -> None:
    game = with_trump(RULES, 0, "H", {0: "9S", 1: "9C AS KD TS QC"})
    deck = deck_of(game.ruleset, 3, {0: "9S", 1: "QC TS KD AS 9C"}, "9D")
    again = act(pass_all(Game(RULES, dealer=3, deck=deck), 4), "call hearts", "9S")
    assert words(act(game, "9S")) == words(again)
