"""Engine and model in lock-step: who moves, what is legal, what was said, who won, what it pays.

The model (`tests/rules/model.py`) was written from the clauses alone. It deals its own hands from the same decks.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from euchre_env.cards import SUITS, format_card
from euchre_env.decks import deck
from euchre_env.engine.layout import NONE, Upcard, action_name
from euchre_env.ruleset import Ruleset
from tests.rules import model
from tests.rules.houses import mixes, single_changes
from tests.rules.many import Transcript, play_out
from tests.rules.tables import ACTIONS, text_cards

BITS = {word: 1 << action for word, action in ACTIONS.items()}


def begin(rules: Ruleset, dealer: int, key: int, redeal: int) -> tuple[model.Course, model.Ask, set[str]]:
    """Deal the model the deck that the table gets; return its course, its first question and the kitty."""
    cards = [format_card(int(card)) for card in deck(rules, key, redeal=redeal)]
    hands, upcard, kitty = model.deal_hands(rules, dealer, cards)
    course = model.play_hand(rules, dealer, hands, upcard)
    return course, next(course), kitty


def follow(rules: Ruleset, played: Transcript, row: int, key: int) -> tuple[model.Hand, set[str]]:
    """Take a table's transcript through the model, comparing each decision; return the finished hand and the kitty."""
    dealer, redeal = int(played.dealt["dealer"][row]), 0
    course, ask, kitty = begin(rules, dealer, key, redeal)
    hand = None
    for turn, legal, action in zip(
        played.turns[:, row].tolist(), played.legal[:, row].tolist(), played.actions[:, row].tolist(), strict=True
    ):
        if legal == 0:
            assert hand is not None, "the table rests but the model has a question"
            break
        assert hand is None, "the model is done but the table has a question"
        assert turn == ask.seat
        assert legal == sum(BITS[word] for word in ask.legal), f"{ask.kind}: {sorted(ask.legal)}"
        try:
            ask = course.send(action_name(action))
        except StopIteration as stop:
            hand = stop.value
            if hand.claimed:
                redeal, hand = redeal + 1, None
                course, ask, kitty = begin(rules, dealer, key, redeal)
    assert hand is not None
    return hand, kitty


def compare(record: Any, hand: model.Hand, kitty: set[str]) -> None:
    """Compare a finished record with the model's hand."""
    calls = zip(record["call_seats"], record["calls"], strict=True)
    assert [(int(seat), action_name(int(call))) for seat, call in calls if call != NONE] == hand.said
    assert record["maker"] == (NONE if hand.maker is None else hand.maker)
    assert record["trump"] == (NONE if hand.trump is None else SUITS.index(hand.trump))
    assert {seat for seat in range(4) if record["alone"] >> seat & 1} == hand.alone
    assert {seat for seat in range(4) if record["sits_out"] >> seat & 1} == hand.sits_out
    tricks = [
        [(int(seat), format_card(int(card))) for seat, card in zip(seats, cards, strict=True) if card != NONE]
        for seats, cards in zip(record["players"], record["cards"], strict=True)
    ]
    assert [trick for trick in tricks if trick] == hand.tricks
    won = Counter(hand.winners)
    assert record["tricks"].tolist() == [won[seat] for seat in range(4)]
    assert tuple(record["points"][:2].tolist()) == hand.points
    assert [text_cards(int(cards)) for cards in record["hands"]] == hand.hands
    assert text_cards(int(record["buried"][hand.dealer])) == ({hand.buried} if hand.buried else set())
    assert text_cards(int(record["kitty"])) == kitty
    assert format_card(int(record["upcard"])) == hand.upcard
    assert record["upcard_state"] == upcard_state(hand)


def upcard_state(hand: model.Hand) -> Upcard:
    if hand.taken:
        return Upcard.TAKEN
    passes = [word for _, word in hand.said if word == "pass"]
    return Upcard.TURNED_DOWN if len(passes) >= 4 else Upcard.LEFT


def lock_step(label: str, rules: Ruleset, hands: int, seed: int) -> None:
    keys = np.random.default_rng(seed).integers(2**63, size=hands, dtype=np.uint64)
    played = play_out(rules, hands, seed, keys=keys)
    for row, key in enumerate(keys):
        try:
            compare(played.finished[row], *follow(rules, played, row, int(key)))
        except AssertionError as error:
            raise AssertionError(f"{label}, row {row}: {error}") from error


def test_every_option_of_every_ruleset() -> None:
    for number, (label, rules) in enumerate(single_changes()):
        lock_step(label, rules, hands=60, seed=number)


def test_mixed_options() -> None:
    for number, (label, rules) in enumerate(mixes(300, seed=1)):
        lock_step(label, rules, hands=16, seed=number)


@pytest.mark.slow
def test_many_mixed_options() -> None:
    for number, (label, rules) in enumerate(mixes(5_000, seed=2)):
        lock_step(label, rules, hands=40, seed=number)
