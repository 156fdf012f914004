"""How many tricks a hand may take under each trump, and what making trump or a bid is worth with it. Compiled.

The simple counterpart of `hand_score.py` for games that it was not tuned for: auctions, two and three seats, no-trump.
A hand has a worth, the sum of what its cards add; the worth gives the tricks to expect, these the chance of every
number of tricks, and the engine says what each number scores. So a ruleset's options are heeded without being known
here.
"""

from enum import IntEnum
from math import exp
from typing import Any

import numpy as np

from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import CALL, STATE
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.score import makers_points
from euchre_env.engine.stakes import score_bid
from euchre_env.engine.table import left_of, num_sides, side_of
from euchre_env.policies.hand_score import HIGHER, TRUMP_CARDS


class Form(IntEnum):
    """Who plays against whom."""

    PAIR = 0  # with a partner against two
    TWO = 1  # alone against two
    ONE = 2  # against one


_PAIR, _TWO, _ONE = int(Form.PAIR), int(Form.TWO), int(Form.ONE)
_JUST_MADE = -1  # no bid: trump was made in a turn-up game

# What cards add, in tricks of a hand alone against two: least squares over 12,000 hands of each form that `rule_based`
# played out, half with five and half with six cards from 24; the coefficients of the forms differ by a factor.
_TRUMP = np.array([1.4, 0.93, 0.86, 0.77, 0.68])  # by the number of higher trumps elsewhere, four and more alike
_BEYOND_THREE = -0.34  # each trump after the third: the tricks run out
_VOID = 0.35
_BOSS = 0.42  # nothing elsewhere beats it in its side suit
_BOSS_ALONE = 0.38  # more if it is the only card of its suit: it is ruffed least
_SECOND = 0.17  # one card elsewhere beats it
# At no-trump, from the same fit over 8,000 hands each.
_NO_TRUMP_BASE = 0.65
_NO_TRUMP_BOSS = 1.05
_NO_TRUMP_SECOND = 0.27
_NO_TRUMP_REST = 0.1

# [form] expected tricks = base + slope * worth; the chance of n tricks or more is logistic in them, so steep.
_BASE = np.array([1.27, -0.4, 1.02])
_SLOPE = np.array([0.73, 1.0, 0.77])
_STEEP = np.array([1.5, 2.5, 2.05])


@kernel
def form_of(opt: Any, alone: Any) -> Any:
    """Return the Form that a maker plays in; a lone one without his partner."""
    if opt["num_seats"] == 2:
        return _ONE
    return _PAIR if opt["partners"] and not alone else _TWO


@kernel
def _trumps_worth(out: Any, cards: Any, trump: Any) -> Any:
    total = _BEYOND_THREE * max(count(cards) - 3, 0)
    while cards != 0:
        total += _TRUMP[min(count(HIGHER[trump, lowest(cards)] & out), len(_TRUMP) - 1)]
        cards &= cards - 1
    return total


@kernel
def _suit_worth(out: Any, cards: Any, trump: Any) -> Any:
    """Return what the cards of a side suit add."""
    if cards == 0:
        return _VOID
    total = 0.0
    single = count(cards) == 1
    while cards != 0:
        higher = count(HIGHER[trump, lowest(cards)] & out)
        if higher == 0:
            total += _BOSS + (_BOSS_ALONE if single else 0.0)
        elif higher == 1:
            total += _SECOND
        cards &= cards - 1
    return total


@kernel
def _no_trump_worth(out: Any, cards: Any, trump: Any) -> Any:
    total = _NO_TRUMP_BASE
    while cards != 0:
        higher = count(HIGHER[trump, lowest(cards)] & out)
        total += _NO_TRUMP_BOSS if higher == 0 else _NO_TRUMP_SECOND if higher == 1 else _NO_TRUMP_REST
        cards &= cards - 1
    return total


@kernel
def worth(out: Any, hand: Any, trump: Any) -> Any:
    """Return what a hand is worth under a trump; `out` are the cards that may be in other hands."""
    if trump >= NUM_SUITS:
        return _no_trump_worth(out, hand, trump)
    total = _trumps_worth(out, hand & TRUMP_CARDS[trump], trump)
    for suit in range(NUM_SUITS):
        if suit != trump:
            total += _suit_worth(out, hand & SUIT_CARDS[trump, suit], trump)
    return total


@kernel
def worth_after_discard(out: Any, hand: Any, may_go: Any, trump: Any) -> Any:
    """Return (worth, card): the discard among `may_go` that leaves most; of equals the lowest rank."""
    best, choice = -1e9, -1
    while may_go != 0:
        card = lowest(may_go)
        may_go &= may_go - 1
        left = worth(out, hand & ~bit(card), trump) - 1e-3 * (card % NUM_RANKS)
        if left > best:
            best, choice = left, card
    return best, choice


@kernel
def expected_tricks(form: Any, value: Any) -> Any:
    """Return the tricks that a hand of such a worth takes on average."""
    return _BASE[form] + _SLOPE[form] * value


@kernel
def _chance(form: Any, expected: Any, tricks: Any) -> Any:
    """Return the chance of so many tricks or more."""
    if tricks <= 0:
        return 1.0
    return 1.0 / (1.0 + exp(-_STEEP[form] * (expected - tricks + 0.5)))


@kernel
def best_trump(form: Any, out: Any, hand: Any, names: Any) -> Any:
    """Return (expected tricks, trump) of the best among `names`, a set of CALL bits."""
    best, choice = -1e9, -1
    names >>= np.int64(CALL)
    while names != 0:
        trump = lowest(names)
        names &= names - 1
        expected = expected_tricks(form, worth(out, hand, trump))
        if expected > best:
            best, choice = expected, trump
    return best, choice


@kernel
def _net_points(opt: Any, s: Any, seat: Any, tricks: Any) -> Any:
    """Return the maker's points less those of an average other side, by the engine; `s` is written to."""
    if opt["auction"] == NO_AUCTION:
        return float(makers_points(opt, s, tricks))
    s["tricks"][:] = 0
    s["tricks"][seat] = tricks
    s["tricks"][left_of(opt, seat)] = opt["hand_size"] - tricks
    s["points"][:] = 0
    score_bid(opt, s)
    own = side_of(opt, seat)
    others = 0.0
    for side in range(num_sides(opt)):
        others += s["points"][side] if side != own else 0
    return s["points"][own] - others / (num_sides(opt) - 1)


@kernel
def value_of(opt: Any, s: Any, seat: Any, bid: Any, alone: Any, expected: Any) -> Any:
    """Return the net points to expect of making trump (`bid` -1), or of a bid, with so many expected tricks."""
    room = np.empty(1, dtype=STATE)
    room[0] = s
    after = room[0]
    after["maker"], after["bid"], after["alone"] = seat, bid, bit(seat) if alone else 0
    form = form_of(opt, alone)
    total, least = 0.0, 1.0
    for tricks in range(opt["hand_size"] + 1):
        more = _chance(form, expected, tricks + 1) if tricks < opt["hand_size"] else 0.0
        total += (least - more) * _net_points(opt, after, seat, tricks)
        least = more
    return total


@kernel
def value_of_trump(opt: Any, s: Any, seat: Any, alone: Any, value: Any) -> Any:
    """Return the net points to expect of making trump with a hand of such a worth."""
    return value_of(opt, s, seat, _JUST_MADE, alone, expected_tricks(form_of(opt, alone), value))
