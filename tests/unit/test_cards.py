"""Cards as ids and text, and the tables of what each is worth, against orders written out in words."""

import itertools

import pytest

from euchre_env import cards
from tests.rules import model

ALL = range(cards.NUM_CARDS)
SUIT_IDS = {suit: i for i, suit in enumerate("CDHS")}


def test_every_card_is_read_as_it_is_written() -> None:
    texts = [cards.format_card(card) for card in ALL]
    assert texts[:10] == ["7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "7D", "8D"]
    assert texts[32] == "JK"
    assert [cards.parse_card(text) for text in texts] == list(ALL)
    assert len(set(texts)) == 33


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10d", "TD"),
        (" as ", "AS"),
        ("A♠", "AS"),
        ("10♥", "TH"),
        ("jk", "JK"),
        ("9♣", "9C"),
        ("q♦", "QD"),
        ("2S", "JK"),
        ("2♠", "JK"),
    ],
)
def test_other_ways_to_write(text: str, card: str) -> None:
    assert cards.format_card(cards.parse_card(text)) == card


@pytest.mark.parametrize("text", ["", "A", "SA", "1D", "AX", "JKK", "6C", "ASD", "joker"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card: write a rank"):
        cards.parse_card(text)


@pytest.mark.parametrize("card", [-1, 33, 62])
def test_what_is_no_id(card: int) -> None:
    with pytest.raises(ValueError, match="ids run from 0 to 32"):
        cards.format_card(card)


def test_sets() -> None:
    ids = cards.parse_cards("AS, 9C JD  JK")
    assert cards.cards_of(cards.mask_of(ids)) == sorted(ids)
    assert cards.format_cards(ids) == "AS 9C JD JK"
    assert cards.format_cards(cards.mask_of(ids)) == "9C JD AS JK"
    assert cards.mask_of([]) == 0
    assert cards.mask_of(ALL) == 2**33 - 1
    assert cards.format_cards(0) == ""


@pytest.mark.parametrize("suit", "CDHS")
def test_1_1_same_colour(suit: str) -> None:
    assert "CDHS"[cards.same_colour(SUIT_IDS[suit])] == model.MATES[suit]


@pytest.mark.parametrize("trump", "CDHS")
def test_1_3_suits_under_a_trump(trump: str) -> None:
    t = SUIT_IDS[trump]
    for suit in "CDHS":
        cards_due = ["JK", *model.trumps(trump)] if suit == trump else model.plain(suit, trump)
        found = int(cards.SUIT_CARDS[t, SUIT_IDS[suit]])
        assert set(cards.format_cards(found).split()) == set(cards_due)
        for card in cards_due:
            assert cards.EFFECTIVE_SUIT[t, cards.parse_card(card)] == SUIT_IDS[suit]
    assert cards.SUIT_CARDS[t, 4] == 0


def order(trump: int, led: int) -> list[str]:
    """Return the cards that can win, best first."""
    powers = cards.TRICK_POWER[trump, led]
    can = [card for card in ALL if powers[card] > 0]
    assert len({int(powers[card]) for card in can}) == len(can), "two cards are worth the same"
    return [cards.format_card(card) for card in sorted(can, key=lambda card: -int(powers[card]))]


@pytest.mark.parametrize(("trump", "led"), list(itertools.product("CDHS", "CDHS")))
def test_1_3_1_5_order_of_cards(trump: str, led: str) -> None:
    due = ["JK", *model.trumps(trump)] + (model.plain(led, trump) if led != trump else [])
    assert order(SUIT_IDS[trump], SUIT_IDS[led]) == due


@pytest.mark.parametrize("led", "CDHS")
def test_1_6_order_at_no_trump(led: str) -> None:
    assert order(cards.NO_TRUMP, SUIT_IDS[led]) == [rank + led for rank in "AKQJT987"]
    assert order(cards.NO_TRUMP_LOW, SUIT_IDS[led]) == [rank + led for rank in "789TJQKA"]


def test_F3_no_card_is_trump_at_no_trump() -> None:
    for trump in (cards.NO_TRUMP, cards.NO_TRUMP_LOW):
        for card in range(32):
            assert cards.EFFECTIVE_SUIT[trump, card] == card // 8
    powers = cards.TRICK_POWER[cards.NO_TRUMP, 2]
    plays = cards.parse_cards("TH JD JH QH")
    assert max(plays, key=lambda card: int(powers[card])) == cards.parse_card("QH")
    powers = cards.TRICK_POWER[cards.NO_TRUMP_LOW, 2]
    plays = cards.parse_cards("TH 9H AH JD")
    assert max(plays, key=lambda card: int(powers[card])) == cards.parse_card("9H")


def test_H12_the_left_bower_is_a_trump() -> None:
    hand, pack = cards.mask_of(cards.parse_cards("JH 9D AH KS TC")), cards.mask_of(cards.deck_cards("9", joker=False))
    trumps, hearts = (int(cards.SUIT_CARDS[SUIT_IDS["D"], SUIT_IDS[suit]]) & pack for suit in "DH")
    assert set(cards.format_cards(hand & trumps).split()) == {"JH", "9D"}
    assert cards.format_cards(hand & hearts) == "AH"
    assert (trumps.bit_count(), hearts.bit_count()) == (7, 5)
    assert "JH" not in cards.format_cards(hearts)
    powers = cards.TRICK_POWER[SUIT_IDS["D"], SUIT_IDS["D"]]
    assert sorted(cards.cards_of(trumps), key=lambda card: -int(powers[card]))[1] == cards.parse_card("JH")


@pytest.mark.parametrize(
    ("low", "joker", "size"), [("9", False, 24), ("9", True, 25), ("8", False, 28), ("7", True, 33)]
)
def test_1_1_packs(low: str, joker: bool, size: int) -> None:
    pack = cards.deck_cards(low, joker)
    assert len(set(pack)) == len(pack) == size
    assert pack == sorted(pack)
