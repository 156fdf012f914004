"""The engine's kernels for one game: arrays of one record cross the border from Python faster than records.

>>> from euchre_env import rulesets
>>> from euchre_env.decks import deck
>>> from euchre_env.engine.layout import STATE
>>> options, states = rulesets.get("tournament").to_options(), np.zeros(1, dtype=STATE)
>>> begin(options, states, 0)
>>> deal_hand(options, states, deck(rulesets.get("tournament"), key=1))
>>> int(states["turn"][0]), legal(options, states).bit_count()
(1, 3)
"""

from typing import Any

import numpy as np

from euchre_env.engine import step
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import hide

_new_game, _deal, _legal_mask, _apply = step.new_game, step.deal, step.legal_mask, step.apply


@kernel
def begin(options: Any, states: Any, dealer: Any) -> None:
    """Clear the record for a new game."""
    _new_game(options[0], states[0], dealer)


@kernel
def deal_hand(options: Any, states: Any, deck: Any) -> None:
    """Deal the next hand from `deck` [deck_size] int8."""
    _deal(options[0], states[0], deck)


@kernel
def legal(options: Any, states: Any) -> Any:
    """Return the legal actions of the seat to move as an int64 set."""
    return np.int64(_legal_mask(options[0], states[0]))


def actions_of(legal: int) -> list[int]:
    """Return the ids in a set of actions, ascending."""
    return [action for action in range(NUM_ACTIONS) if legal >> action & 1]


@kernel
def carry_out(options: Any, states: Any, action: Any) -> None:
    """Carry out a legal action."""
    _apply(options[0], states[0], action)


@kernel
def hide_from(options: Any, states: Any, seat: Any) -> None:
    """Remove what a seat may not know."""
    hide(options[0], states[0], seat)


def copied(states: Any) -> Any:
    """Return a copy of an array of records, byte by byte: NumPy takes five times as long field by field."""
    return states.view(np.uint8).copy().view(states.dtype)
