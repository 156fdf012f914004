"""What a seat knows in the turn-up auction, numbered: rows by hand and up-card, nodes by what was called.

A row is the five cards dealt and the card turned up, suits relabelled (`engine.suits`: the up-card's suit first, its
colour next, the other two in an order by the hand): 6 * C(23, 5) = 201,894 rows (docs/field.md 6a). Those are used in
which the last two suits are in order and no ten stands where the nine of its suit is elsewhere: hands that differ in a
ten for a nine share a row. A node is a row and a question: the first round and the second by place, the dealer's
discard by who ordered him up and whether alone. Each answer has a slot.

>>> NUM_ROWS, WIDTH
(201894, 88)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NUM_RANKS, NUM_SUITS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import CALL, CALL_ALONE, DECLINE, NONE, ORDER_UP, ORDER_UP_ALONE, PASS, Phase, Upcard
from euchre_env.engine.suits import canonical_permutation, inverse, relabel_action, relabel_mask
from euchre_env.engine.table import has
from euchre_env.policies import PolicyError
from euchre_env.policies.rule_based import place_of
from euchre_env.ruleset import Ruleset

_ORDER_UP, _CALL, _TAKEN = int(Phase.ORDER_UP), int(Phase.CALL), int(Upcard.TAKEN)

_RANKS = 6  # nines up
_LOWEST = NUM_RANKS - _RANKS
_HAND = 5
_OTHERS = NUM_SUITS * _RANKS - 1  # cards beside the up-card
_SUIT = (1 << _RANKS) - 1
_NINES = sum(1 << _RANKS * suit for suit in range(NUM_SUITS))

# [n, k] how many sets of k there are among n.
_CHOOSE = np.zeros((_OTHERS + 1, _HAND + 1), dtype=np.int64)
_CHOOSE[:, 0] = 1
for _n in range(1, _OTHERS + 1):
    _CHOOSE[_n, 1:] = _CHOOSE[_n - 1, 1:] + _CHOOSE[_n - 1, :-1]

_HANDS = int(_CHOOSE[_OTHERS, _HAND])
NUM_ROWS = _RANKS * _HANDS

# Slots of a row: first the three answers of each place, then the seven of the second round, then the six discards for
# each place that may have ordered, with a partner or alone.
ORDERS = 3
CALLS = 1 + 2 * (NUM_SUITS - 1)
DISCARDS = _HAND + 1
MAX_ANSWERS = CALLS
FIRST_CALL = 4 * ORDERS
FIRST_DISCARD = FIRST_CALL + 4 * CALLS
WIDTH = FIRST_DISCARD + 8 * DISCARDS


@kernel
def row_of(hand: Any, rank: Any) -> Any:
    """Return the row of five relabelled cards (a set) with the card of a rank (0 for the nine) of clubs turned up."""
    packed = np.int64(0)
    for suit in range(NUM_SUITS):
        packed |= (hand >> NUM_RANKS * suit + _LOWEST & _SUIT) << _RANKS * suit
    lone_tens = packed >> 1 & ~(packed | bit(rank)) & _NINES
    packed ^= lone_tens | lone_tens << 1
    packed = (packed & (bit(rank) - 1)) | (packed >> rank + 1) << np.int64(rank)
    row, k = np.int64(rank * _HANDS), 1
    while packed != 0:
        row += _CHOOSE[lowest(packed), k]
        packed &= packed - 1
        k += 1
    return row


@kernel
def _answers_of_call(back: Any, legal: Any, answers: Any) -> None:
    """Write the actions of the second round: pass, the suits in their relabelled order, the same alone."""
    answers[0] = PASS
    for suit in range(1, NUM_SUITS):
        answers[suit] = relabel_action(CALL + suit, back)
        answers[suit + NUM_SUITS - 1] = relabel_action(CALL_ALONE + suit, back)


@kernel
def _answers_of_discard(s: Any, hand: Any, perm: Any, back: Any, answers: Any) -> None:
    """Write the discards: the up-card, or leaving it where one may, then the dealt cards in their relabelled order."""
    answers[0] = s["upcard"] if s["upcard_state"] == _TAKEN else DECLINE
    left = relabel_mask(hand, perm)
    for k in range(1, DISCARDS):
        answers[k] = relabel_action(lowest(left), back)
        left &= left - 1


@kernel
def node_of(opt: Any, s: Any, legal: Any, answers: Any) -> Any:
    """Return (row, first slot, number of slots) of what the seat to move is asked, and the action of each slot.

    `answers` [MAX_ANSWERS] int64 is written to; NONE where an answer is not legal.
    """
    seat, phase = s["turn"], s["phase"]
    perm = canonical_permutation(opt, s, seat)
    back = inverse(perm)
    hand = s["hands"][seat] & ~bit(s["upcard"])
    row = row_of(relabel_mask(hand, perm), s["upcard"] % NUM_RANKS - _LOWEST)
    place = np.int64(place_of(s, seat))
    if phase == _ORDER_UP:
        answers[0], answers[1], answers[2] = PASS, ORDER_UP, ORDER_UP_ALONE
        first, n = ORDERS * place, ORDERS
    elif phase == _CALL:
        _answers_of_call(back, legal, answers)
        first, n = FIRST_CALL + CALLS * place, CALLS
    else:
        _answers_of_discard(s, hand, perm, back, answers)
        ordered = 2 * np.int64(place_of(s, s["maker"])) + (1 if s["alone"] != 0 else 0)
        first, n = FIRST_DISCARD + DISCARDS * ordered, DISCARDS
    for k in range(n):
        if not has(legal, answers[k]):
            answers[k] = NONE
    return row, first, n


@kernel
def _is_canonical(packed: Any) -> Any:
    return (packed >> 2 * _RANKS & _SUIT) <= (packed >> _RANKS & _SUIT)


def used_rows() -> npt.NDArray[np.int64]:
    """Return the rows whose cards are in the order in which they are relabelled, ascending."""
    return np.flatnonzero(_used())


@kernel
def _used() -> Any:
    used = np.zeros(NUM_ROWS, dtype=np.bool_)
    for packed in range(1 << NUM_SUITS * _RANKS):
        if count(packed) != _HAND or not _is_canonical(packed):
            continue
        hand = np.int64(0)
        for suit in range(NUM_SUITS):
            hand |= (packed >> _RANKS * suit & _SUIT) << NUM_RANKS * suit + _LOWEST
        for rank in range(_RANKS):
            if packed >> rank & 1 == 0:
                used[row_of(hand, rank)] = True
    return used


def check_known(who: str, rules: Ruleset) -> None:
    """Raise PolicyError for a game whose auction asks other questions than these."""
    known = rules.partners and rules.auction == "off" and rules.deck == 24 and rules.hand_size == _HAND
    simple = rules.alone_scope in ("none", "maker_only") and rules.defend_alone == "off"
    at_once = rules.alone_timing == "with_call" or rules.alone_scope == "none"
    plain = rules.allow_no_trump == "off" and rules.farmers_hand == "off" and rules.best_exchange == "off"
    strict = rules.stick_the_dealer != "forfeit" and rules.renege == "masked"
    if not (known and simple and at_once and plain and strict):
        raise PolicyError(
            f"{who} does not play {rules.name}: it knows four seats, 24 cards with one turned up, and lone hands that "
            f"the maker calls with the trump, as in tournament; choose pimc:50 or rule_expert."
        )
