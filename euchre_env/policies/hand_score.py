"""What a hand is worth for making trump, playing alone or keeping after the exchange (docs/field.md 5B). Compiled.

A score is a weighted sum of six features, each between 0 and about 1: T the trump cards, M the best side suit, N the
number of trumps, A the side aces, V the voids, S the sure tricks. Nothing here knows a phase; `rule_based.py` does.
"""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, JACK, JOKER, NUM_CARDS, NUM_RANKS, NUM_SUITS, NUM_TRUMPS, SUIT_CARDS
from euchre_env.cards import TRICK_POWER as _POWER
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest

_ACE = NUM_RANKS - 1
_LEFT, _RIGHT = 7, 8


def _trump_order(trump: int, card: int) -> int:
    """Return the place of a trump in `trump_value`: 7 8 9 T Q K A, left, right; the joker counts as a right bower."""
    if card == JOKER:
        return _RIGHT
    rank = card % NUM_RANKS
    if rank == JACK:
        return _RIGHT if card // NUM_RANKS == trump else _LEFT
    return rank if rank < JACK else rank - 1


# [trump, card] the place in `trump_value`.
TRUMP_ORDER = np.array([[_trump_order(t, c) for c in range(NUM_CARDS)] for t in range(NUM_TRUMPS)], dtype=np.int8)


def _beaten_by(trump: int, card: int) -> int:
    suit = EFFECTIVE_SUIT[trump, card]
    power = _POWER[trump, suit]
    return sum(1 << c for c in range(NUM_CARDS) if EFFECTIVE_SUIT[trump, c] == suit and power[c] > power[card])


# [trump, card] the higher cards of the same effective suit.
HIGHER = np.array([[_beaten_by(t, c) for c in range(NUM_CARDS)] for t in range(NUM_TRUMPS)], dtype=np.int64)

# [trump] the trumps; none at no-trump.
TRUMP_CARDS = np.array([SUIT_CARDS[t, t] if t < NUM_SUITS else 0 for t in range(NUM_TRUMPS)], dtype=np.int64)


@kernel
def sure_tricks(deck: Any, hand: Any, trump: Any) -> Any:
    """Return how many cards of a hand nothing outside it beats in their own suit, as a share of five."""
    out = deck & ~hand
    sure = 0
    rest = hand
    while rest != 0:
        if HIGHER[trump, lowest(rest)] & out == 0:
            sure += 1
        rest &= rest - 1
    return sure / 5.0


@kernel
def _trump_features(p: Any, use: Any, cards: Any, trump: Any) -> Any:
    value = 0.0
    number = min(count(cards), 5)
    while cards != 0:
        value += p["trump_value"][TRUMP_ORDER[trump, lowest(cards)]]
        cards &= cards - 1
    return p["weights"][use, 0] * value + p["weights"][use, 2] * p["count_value"][number]


@kernel
def _suit_value(p: Any, cards: Any) -> Any:
    value = 0.0
    while cards != 0:
        value += p["side_value"][lowest(cards) & 7]
        cards &= cards - 1
    return value


@kernel
def hand_score(opt: Any, p: Any, use: Any, hand: Any, trump: Any) -> Any:
    """Return the score of a hand (a set of cards) under a trump suit; about 0 to 100, 35 a call (docs/field.md 5B)."""
    score = _trump_features(p, use, hand & SUIT_CARDS[trump, trump], trump)
    best, aces, voids = 0.0, 0, 0
    for suit in range(NUM_SUITS):
        cards = hand & SUIT_CARDS[trump, suit]
        if suit == trump:
            continue
        if cards == 0:
            voids += 1
            continue
        best = max(best, _suit_value(p, cards))
        aces += 1 if cards & bit(suit * NUM_RANKS + _ACE) != 0 else 0
    score += p["weights"][use, 1] * best + p["weights"][use, 3] * p["aces_value"][aces]
    score += p["weights"][use, 4] * p["voids_value"][voids]
    if p["weights"][use, 5] != 0.0:
        score += p["weights"][use, 5] * sure_tricks(opt["deck"], hand, trump)
    return score


@kernel
def best_after_discard(opt: Any, p: Any, use: Any, six: Any, may_go: Any, trump: Any) -> Any:
    """Return (score, card): the discard among `may_go` that leaves the best hand; of equals the lowest rank."""
    best, choice = -1e9, -1
    while may_go != 0:
        card = lowest(may_go)
        may_go &= may_go - 1
        score = hand_score(opt, p, use, six & ~bit(card), trump) - 1e-3 * (card & 7)
        if score > best:
            best, choice = score, card
    return best, choice
