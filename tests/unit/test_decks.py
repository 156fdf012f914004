"""Decks from counters: every order alike, nothing tied to anything else; what a written deck must be; exact odds."""

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env.batch import GameBatch
from euchre_env.cards import parse_card
from euchre_env.decks import check_deck, deck, first_dealer
from euchre_env.engine.layout import PASS, Upcard
from euchre_env.errors import DeckError
from euchre_env.game import Game
from euchre_env.rulesets import get

RULES = get("tournament")
DEALS = 200_000


def assert_share(hits: int, of: int, share: float) -> None:
    """Compare a count with its exact probability: four binomial standard deviations."""
    assert abs(hits / of - share) < 4 * math.sqrt(share * (1 - share) / of)


def chi_square(counts: npt.NDArray[np.integer[Any]]) -> float:
    """Return how many standard deviations a table of equally likely counts is off its expectation."""
    expected = counts.sum() / counts.size
    free = counts.size - 1
    return float((((counts - expected) ** 2 / expected).sum() - free) / math.sqrt(2 * free))


@pytest.fixture(scope="module")
def dealt() -> npt.NDArray[np.void]:
    """Return 200,000 first deals [N] STATE."""
    return GameBatch(RULES, DEALS, seed=6, observe=False).states


def bits(sets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.bitwise_count(sets).astype(np.int64)


def mask(text: str) -> int:
    return sum(1 << parse_card(card) for card in text.split())


TRUMPS = {"H": mask("9H TH JH QH KH AH JD"), "C": mask("9C TC JC QC KC AC JS")}


@pytest.mark.parametrize("seat", range(4))
def test_6a_bowers(dealt: npt.NDArray[np.void], seat: int) -> None:
    hands = dealt["hands"][:, seat]
    red, black = mask("JD JH"), mask("JC JS")
    assert_share(int((hands & red == red).sum()), DEALS, 1540 / 42504)
    assert_share(int(((hands & red == red) | (hands & black == black)).sum()), DEALS, 0.07199)
    assert_share(int((hands & mask("JH") != 0).sum()), DEALS, 5 / 24)
    assert_share(int((hands & red != 0).sum()), DEALS, 0.3804)


@pytest.mark.parametrize("trump", TRUMPS)
def test_6a_trumps_in_a_hand(dealt: npt.NDArray[np.void], trump: str) -> None:
    counts = np.bincount(bits(dealt["hands"][:, 1] & TRUMPS[trump]), minlength=6)
    for held in range(6):
        assert_share(int(counts[held]), DEALS, math.comb(7, held) * math.comb(17, 5 - held) / 42504)


def test_6a_rare_hands(dealt: npt.NDArray[np.void]) -> None:
    trumps = [mask(f"9{s} T{s} J{s} Q{s} K{s} A{s} J{m}") for s, m in ("CS", "DH", "HD", "SC")]
    five = np.any([bits(dealt["hands"][:, 0] & suit) == 5 for suit in trumps], axis=0)
    assert_share(int(five.sum()), DEALS, 84 / 42504)
    low = dealt["hands"] & ~mask("9C TC 9D TD 9H TH 9S TS") == 0
    assert_share(int(low[:, 2].sum()), DEALS, 56 / 42504)
    assert_share(int(low.any(axis=1).sum()), DEALS, 0.00527)


def test_6a_upcards(dealt: npt.NDArray[np.void]) -> None:
    assert_share(int((dealt["upcard"] % 8 == 4).sum()), DEALS, 1 / 6)
    assert chi_square(np.bincount(dealt["upcard"], minlength=32)[list(RULES.deck_ids)]) < 4


def test_Q_N19_first_dealers_are_uniform(dealt: npt.NDArray[np.void]) -> None:
    for seat in range(4):
        assert_share(int((dealt["dealer"] == seat).sum()), DEALS, 1 / 4)


@pytest.fixture(scope="module")
def decks() -> npt.NDArray[np.int64]:
    """Return 30,000 decks [N, 24] as indices into the pack: keys, episodes, hands and redeals in turn."""
    counters = itertools.product(range(3_000), range(2), range(3), range(2))
    place = {card: i for i, card in enumerate(RULES.deck_ids)}
    rows = [[place[int(card)] for card in deck(RULES, *numbers)] for numbers in itertools.islice(counters, 30_000)]
    return np.array(rows)


def test_every_card_is_anywhere_alike(decks: npt.NDArray[np.int64]) -> None:
    assert (np.sort(decks, axis=1) == np.arange(24)).all()
    table = np.array([np.bincount(decks[:, at], minlength=24) for at in range(24)])
    assert chi_square(table) < 4


def test_neighbours_are_independent(decks: npt.NDArray[np.int64]) -> None:
    for first, second in ((0, 1), (11, 12), (22, 23), (0, 23)):
        pairs = np.bincount(decks[:, first] * 24 + decks[:, second], minlength=24 * 24).reshape(24, 24)
        assert chi_square(pairs[~np.eye(24, dtype=bool)]) < 4


def test_successive_decks_are_independent(decks: npt.NDArray[np.int64]) -> None:
    for at in (0, 7, 23):
        pairs = np.bincount(decks[:-1, at] * 24 + decks[1:, at], minlength=24 * 24)
        assert chi_square(pairs) < 4


def test_the_first_dealer_tells_nothing_about_the_deck() -> None:
    table = np.zeros((4, 24, 2), dtype=np.int64)
    place = {card: i for i, card in enumerate(RULES.deck_ids)}
    for key in range(20_000):
        dealer, cards = int(first_dealer(np.uint64(key), 0, 4)), deck(RULES, key)
        for at in (0, 1):
            table[dealer, place[int(cards[at])], at] += 1
    for at in (0, 1):
        assert chi_square(table[:, :, at]) < 4


def test_a_redeal_and_the_next_hand_are_other_decks() -> None:
    seen = {deck(RULES, 5, e, h, r).tobytes() for e in range(4) for h in range(20) for r in range(4)}
    assert len(seen) == 4 * 20 * 4


@pytest.mark.parametrize("size", [24, 28, 32])
def test_any_pack(size: int) -> None:
    rules = RULES.replace(deck=size)
    assert sorted(deck(rules, 3).tolist()) == list(rules.deck_ids)


def test_a_written_deck_is_texts_or_ids() -> None:
    ids = deck(RULES, 1)
    texts = [f"{'789TJQKA'[card % 8]}{'CDHS'[card // 8]}" for card in ids]
    assert (check_deck(RULES, texts) == ids).all()
    assert (check_deck(RULES, ids.tolist()) == ids).all()
    assert (check_deck(RULES, ids) == ids).all()
    assert Game(RULES, deck=texts, dealer=0).state == Game(RULES, deck=ids.tolist(), dealer=0).state


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda cards: ["9C", *cards[1:]], "is in the deck 2 times"),
        (lambda cards: cards[:-1], "the deck lacks"),
        (lambda cards: ["7C", *cards[1:]], "7C is not in the 24-card pack"),
        (lambda cards: ["JK", *cards[1:]], "JK is not in the 24-card pack"),
        (lambda cards: ["1X", *cards[1:]], "'1X' is not a card"),
        (lambda cards: [99, *cards[1:]], "99 is not a card"),
        (lambda cards: [True, *cards[1:]], "True is not a card"),
        (lambda cards: [None, *cards[1:]], "None is not a card"),
        (lambda cards: [2.0, *cards[1:]], "2.0 is not a card"),
        (lambda cards: [], "the deck lacks"),
    ],
)
def test_a_wrong_deck_is_refused(change: Any, words: str) -> None:
    cards = ["AS", "9C", *(f"{r}{s}" for s in "CDHS" for r in "9TJQKA" if r + s not in ("AS", "9C"))]
    with pytest.raises(DeckError, match=words):
        check_deck(RULES, change(cards))


def test_the_kitty_is_what_is_left() -> None:
    game = Game(RULES, key=9)
    record = game.state[0]
    assert record["upcard_state"] == Upcard.PROPOSED
    held = sum(int(hand) for hand in record["hands"]) + int(record["kitty"]) + (1 << int(record["upcard"]))
    assert held == sum(1 << card for card in RULES.deck_ids)
    assert PASS in game.legal()
