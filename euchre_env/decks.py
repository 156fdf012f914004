"""Decks from counters: a table's key and the numbers of episode, hand and redeal give the deal, whatever else runs.

The kernels of `engine/` draw no random numbers; this module is where deals come from. The generator is SplitMix64
(Steele, Lea, Flood 2014, https://doi.org/10.1145/2714064.2660195) as a hash of the counters, the shuffle Fisher-Yates.

>>> from euchre_env import rulesets
>>> rules = rulesets.get("tournament")
>>> sorted(deck(rules, key=7)) == sorted(rules.deck_ids), first_dealer(7, 0, 4) in range(4)
(True, True)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NUM_CARDS, format_card, parse_card
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.errors import DeckError
from euchre_env.ruleset import Ruleset

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_HAND = np.uint64(0xD1B54A32D192ED03)
_REDEAL = np.uint64(0x8CB92BA72F3D8DD7)
_START = np.uint64(0xA0761D6478BD642F)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)


@kernel
def mix(word: Any) -> Any:
    """Return SplitMix64's hash of a uint64."""
    word = (word ^ word >> _S30) * _MIX_1
    word = (word ^ word >> _S27) * _MIX_2
    return word ^ word >> _S31


@kernel
def episode_key(key: Any, episode: Any) -> Any:
    """Return the key of one episode of a table as uint64."""
    return mix(np.uint64(key) + GAMMA * np.uint64(episode + 1))


@kernel
def _start_key(key: Any, episode: Any) -> Any:
    """Return the key of what is drawn once per episode, apart from the words that shuffle its decks."""
    return episode_key(key, episode) ^ _START


@kernel
def first_dealer(key: Any, episode: Any, num_seats: Any) -> Any:
    """Q-N19: a uniform seat."""
    return np.int64((mix(_start_key(key, episode) + GAMMA) >> _S32) * np.uint64(num_seats) >> _S32)


def opening_dealer(rules: Ruleset, key: int) -> int:
    """Return who deals first in a game of this key: the fixed seat, else one drawn (1.7)."""
    fixed = rules.fixed_dealer
    return int(first_dealer(np.uint64(key), 0, rules.num_seats)) if fixed is None else fixed


@kernel
def random_word(key: Any, episode: Any) -> Any:
    """Return a non-negative int64 for whatever else an episode starts from."""
    return np.int64(mix(_start_key(key, episode) + GAMMA + GAMMA) >> np.uint64(1))


@kernel
def shuffle(pack: Any, key: Any, episode: Any, hand: Any, redeal: Any, out: Any) -> None:
    """Write the deck of one deal, top first, into `out` [deck size] int8; `pack` is the set of its cards.

    Each of the cards takes one of 32 random bits' worth of places: no order is off its probability by more than 1e-7.
    """
    state = episode_key(key, episode) ^ np.uint64(hand) * _HAND ^ np.uint64(redeal) * _REDEAL
    word = np.uint64(0)
    size = 0
    while pack != 0:
        if size & 1 == 0:
            state += GAMMA
            word = mix(state)
        else:
            word >>= _S32
        place = np.int64((word & _LOW_32) * np.uint64(size + 1) >> _S32)
        out[size] = out[place]
        out[place] = lowest(pack)
        pack &= pack - 1
        size += 1


def deck(rules: Ruleset, key: int, episode: int = 0, hand: int = 0, redeal: int = 0) -> npt.NDArray[np.int8]:
    """Return the deck of one deal as card ids, top first, [deck size] int8."""
    out = np.zeros(rules.deck, dtype=np.int8)
    shuffle(rules.to_options()["deck"][0], np.uint64(key), episode, hand, redeal, out)
    return out


def check_deck(rules: Ruleset, cards: Sequence[str | int] | npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int8]:
    """Return a written deck (texts or ids, top first) as ids; DeckError names a foreign, doubled or missing card."""
    if isinstance(cards, str) or np.ndim(cards) != 1:
        raise DeckError(f"deck is {cards!r}: it must be a list of cards, top first.")
    ids = [card_id(card) for card in cards]
    pack = set(rules.deck_ids)
    for card in ids:
        if card not in pack:
            raise DeckError(f"{format_card(card)} is not in the {rules.deck}-card pack of {rules.name} (1.1).")
    doubled = next((card for card in ids if ids.count(card) > 1), None)
    if doubled is not None:
        raise DeckError(f"{format_card(doubled)} is in the deck {ids.count(doubled)} times.")
    missing = sorted(pack - set(ids))
    if missing:
        raise DeckError(
            f"the deck lacks {', '.join(map(format_card, missing))}: it needs all {rules.deck} cards, top first."
        )
    return np.array(ids, dtype=np.int8)


def card_id(card: object) -> int:
    """Return the id of a card given as text or id; DeckError if it is none."""
    try:
        if isinstance(card, str):
            return parse_card(card)
    except ValueError as error:
        raise DeckError(str(error)) from error
    if isinstance(card, int | np.integer) and not isinstance(card, bool) and 0 <= card < NUM_CARDS:
        return int(card)
    raise DeckError(f"{card!r} is not a card: write texts like 'TD' or ids from 0 to {NUM_CARDS - 1}.")
