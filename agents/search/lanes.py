"""Hands as lanes: what a solver needs of a position, in four runs of bits, the same for every variant.

A lane is a suit as it counts, its cards in play in rising order and without gaps; trump lies in the highest lane. So a
card beats another exactly if it is the greater number and lies in the lane that was led or in trump's. Cards that are
out of play leave no gap, and two neighbours in one hand are worth the same. Lane numbers are int64 throughout, since
Numba makes floats of int64 and uint64 together.

>>> bin(squeeze(0b1101, 0b0010)), bin(top(0b0110))
('0b111', '0b100')
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import EFFECTIVE_SUIT, NO_TRUMP, NUM_CARDS, NUM_SUITS, NUM_TRUMPS, TRICK_POWER
from euchre_env.engine._jit import inlined, kernel

WIDTH = 15  # bits of a lane: at most ten cards, and room for a mark above them
FULL = (1 << WIDTH) - 1
TRUMP_LANE = FULL << 3 * WIDTH


def _lane(trump: int, card: int) -> int:
    """Return the lane of a card: trump's the highest, the others in their order; suits as they are at no-trump."""
    suit = int(EFFECTIVE_SUIT[trump, card])
    if trump >= NO_TRUMP:
        return suit % NUM_SUITS  # the joker's own suit does not occur: no ruleset has it at no-trump
    return 3 if suit == trump else suit - (suit > trump)


def _in_order(trump: int) -> list[int]:
    led = [int(suit) for suit in EFFECTIVE_SUIT[trump]]
    return sorted(range(NUM_CARDS), key=lambda card: (_lane(trump, card), TRICK_POWER[trump, led[card], card]))


# [trump, card] its lane; [trump, place] the cards by lane, each lane rising.
LANE: npt.NDArray[np.int64] = np.array([[_lane(t, c) for c in range(NUM_CARDS)] for t in range(NUM_TRUMPS)])
ORDER: npt.NDArray[np.int64] = np.array([_in_order(t) for t in range(NUM_TRUMPS)])


@inlined
def top(lanes: Any) -> Any:
    """Return the highest bit of a set, 0 of none."""
    lanes |= lanes >> 1
    lanes |= lanes >> 2
    lanes |= lanes >> 4
    lanes |= lanes >> 8
    lanes |= lanes >> 16
    lanes |= lanes >> 32
    return lanes ^ lanes >> 1


@inlined
def lane_of(card: Any) -> Any:
    """Return the whole lane in which a bit lies."""
    if card >> 2 * WIDTH != 0:
        return np.int64(TRUMP_LANE) if card >> 3 * WIDTH != 0 else np.int64(FULL << 2 * WIDTH)
    return np.int64(FULL << WIDTH) if card >> WIDTH != 0 else np.int64(FULL)


@kernel
def squeeze(hand: Any, gone: Any) -> Any:
    """Close the gaps that cards out of play leave in a hand."""
    while gone != 0:
        card = top(gone)
        gone ^= card
        lane, below = lane_of(card), card - 1
        hand = (hand & below) | ((hand & lane & ~(below | card)) >> 1) | (hand & ~(lane | below))
    return hand


@kernel
def distinct(cards: Any) -> Any:
    """Return the highest of each run of neighbours: the others are worth the same."""
    return cards & ~(cards >> 1)


@kernel
def lay_out(trump: Any, in_play: Any, bits: Any) -> None:
    """Write the bit of every card of a set into `bits` [NUM_CARDS] int64."""
    lane, place = np.int64(-1), np.int64(0)
    for k in range(NUM_CARDS):
        card = ORDER[trump, k]
        if in_play >> card & 1 != 0:
            if LANE[trump, card] != lane:
                lane = LANE[trump, card]
                place = lane * WIDTH
            bits[card] = np.int64(1) << place
            place += 1
