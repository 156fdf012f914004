"""Relabelled suits: a permutation as one int, canonical suits, and masks and actions under it.

A permutation holds the new id of suit s in bits 4s to 4s+3; the joker's pseudo-suit 4 stays. Only permutations that
keep the colour pairs leave the rules unchanged.

>>> hex(IDENTITY), relabel_action(3, 0x40123)
('0x43210', 27)
"""

from typing import Any

import numpy as np

from euchre_env.cards import JOKER, NO_TRUMP, NUM_RANKS, NUM_SUITS
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import CALL, CALL_ALONE, MAX_SEATS, MAX_TRICKS, NONE
from euchre_env.engine.table import is_blind, left_of, partner_of, suit_of_upcard

IDENTITY = 0x43210

_CALLS = CALL_ALONE - CALL
_SUIT_CARDS_MASK = (1 << JOKER) - 1
_CALL_MASK = 0xF << CALL | 0xF << CALL_ALONE
_CALL_ALONE_END = CALL_ALONE + _CALLS


@kernel
def relabel_suit(suit: Any, perm: Any) -> Any:
    """Return the new id of a suit (or of 4, the joker's)."""
    return perm >> 4 * np.int64(suit) & 0xF


@kernel
def relabel_card(card: Any, perm: Any) -> Any:
    """Return the new id of a card; ids are suit * 8 + rank, shifts are faster than Python's division."""
    return relabel_suit(card >> 3, perm) << 3 | np.int64(card) & 7


@kernel
def inverse(perm: Any) -> Any:
    """Return the permutation that undoes `perm`."""
    back = np.int64(NUM_SUITS << 4 * NUM_SUITS)
    for suit in range(NUM_SUITS):
        back |= np.int64(suit) << 4 * relabel_suit(suit, perm)
    return back


@kernel
def relabel_mask(mask: Any, perm: Any) -> Any:
    """Return a set of actions, or of cards, with its suits relabelled."""
    new = mask & ~np.int64(_SUIT_CARDS_MASK) & ~np.int64(_CALL_MASK)
    for suit in range(NUM_SUITS):
        to = relabel_suit(suit, perm)
        new |= (mask >> NUM_RANKS * suit & 0xFF) << NUM_RANKS * to
        new |= (mask >> CALL + suit & 1) << CALL + to
        new |= (mask >> CALL_ALONE + suit & 1) << CALL_ALONE + to
    return new


@kernel
def relabel_action(action: Any, perm: Any) -> Any:
    """Return an action with its suit relabelled."""
    if action < JOKER:
        return relabel_card(action, perm)
    if CALL <= action < _CALL_ALONE_END:
        named = (action - CALL) % _CALLS
        if named < NO_TRUMP:
            return action - named + relabel_suit(named, perm)
    return np.int64(action)


@kernel
def _reference_suit(opt: Any, s: Any, seat: Any) -> Any:
    """Trump; before trump the up-card's suit; without either the first by what is known of it, then of its colour."""
    if NONE < s["trump"] < NO_TRUMP:
        return np.int64(s["trump"])
    if s["trump"] == NONE and s["upcard"] != NONE and suit_of_upcard(opt, s) < NUM_SUITS:
        return np.int64(suit_of_upcard(opt, s))
    best = np.int64(0)
    for suit in range(1, NUM_SUITS):
        order = _compare(opt, s, seat, suit, best)
        if order == 0:
            order = _compare(opt, s, seat, NUM_SUITS - 1 - suit, NUM_SUITS - 1 - best)
        if order > 0:
            best = np.int64(suit)
    return best


@kernel
def _own_cards(opt: Any, s: Any, seat: Any) -> Any:
    """Return all cards that a seat has held and seen."""
    if is_blind(opt, s):
        return np.int64(0)
    return s["hands"][seat] | s["played"][seat] | s["buried"][seat] | s["given"][seat]


@kernel
def _known_cards(opt: Any, s: Any, seat: Any, suit: Any) -> Any:
    """Return what a seat knows of a suit as one number to compare: its own cards, then what each other seat played."""
    shift = NUM_RANKS * suit
    key = _own_cards(opt, s, seat) >> shift & 0xFF
    other = seat
    for _ in range(1, MAX_SEATS):
        other = left_of(opt, other)
        key = key << NUM_RANKS | (s["played"][other] >> shift & 0xFF)
    return key


@kernel
def _set_aside(opt: Any, s: Any, seat: Any, suit: Any) -> Any:
    """Return which of its cards of a suit a seat laid away, gave or got, as one number to compare."""
    shift = NUM_RANKS * suit
    got = s["given"][partner_of(seat)] if opt["partners"] else np.int64(0)
    key = s["buried"][seat] >> shift & 0xFF
    return (key << NUM_RANKS | (s["given"][seat] >> shift & 0xFF)) << NUM_RANKS | (got >> shift & 0xFF)


@kernel
def _compare(opt: Any, s: Any, seat: Any, suit: Any, other: Any) -> Any:
    """Return above 0 if a suit comes before another for a seat, below if after, 0 if the seat cannot tell them apart.

    By known cards, up-card, bids, when played, and by what the seat laid away, gave or got.
    """
    known, known_other = _known_cards(opt, s, seat, suit), _known_cards(opt, s, seat, other)
    if known != known_other:
        return known - known_other
    turned_up = s["upcard"] // NUM_RANKS
    if turned_up == suit or turned_up == other:
        return np.int64(1) if turned_up == suit else np.int64(-1)
    bidder = seat
    for _ in range(opt["num_seats"]):
        named = s["named"][bidder]
        if named == suit or named == other:
            return np.int64(1) if named == suit else np.int64(-1)
        bidder = left_of(opt, bidder)
    for trick in range(MAX_TRICKS):
        cards = s["trick_cards"][trick]
        difference = (cards >> NUM_RANKS * suit & 0xFF) - (cards >> NUM_RANKS * other & 0xFF)
        if difference != 0:
            return difference
    return _set_aside(opt, s, seat, suit) - _set_aside(opt, s, seat, other)


@kernel
def canonical_permutation(opt: Any, s: Any, seat: Any) -> Any:
    """Return the permutation that makes trump clubs and its colour spades, and orders the other two by what is known.

    Before trump the up-card's suit stands for trump. Two suits that the seat cannot tell apart keep their order.
    """
    first = _reference_suit(opt, s, seat)
    high, low = first ^ 1, NUM_SUITS - 1 - (first ^ 1)
    order = _compare(opt, s, seat, high, low)
    if order < 0 or (order == 0 and low < high):
        high, low = low, high
    perm = np.int64(NUM_SUITS << 4 * NUM_SUITS) | np.int64(3) << 4 * (3 - first)
    return perm | np.int64(1) << 4 * high | np.int64(2) << 4 * low
