"""The compiled calls of the single-table environment: act, look, observe.

They take arrays of one record, which cross the border from Python cheaply, and do and undo canonical suits. Rules and
encodings are the engine's; pay is in `rewards`.

>>> from euchre_env import rulesets, single
>>> options, states = rulesets.get("tournament").to_options(), np.zeros(1, dtype=STATE)
>>> single.begin(options, states, 2)
>>> look(options, states, False, np.zeros(NUM_ACTIONS, dtype=np.int8))
(-1, 0)
"""

from typing import Any

import numpy as np

from euchre_env.engine import observe, step
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import NUM_ACTIONS, STATE
from euchre_env.engine.suits import IDENTITY, canonical_permutation, inverse, relabel_action, relabel_mask

__all__ = [
    "NUM_ACTIONS",
    "STATE",
    "act",
    "first_illegal",
    "look",
    "observe_seat",
    "observe_table",
    "pick",
    "shown_action",
    "true_action",
]

_encode, _encode_table = observe.encode, observe.encode_table
_legal_mask, _apply = step.legal_mask, step.apply


@kernel
def _permutation(opt: Any, s: Any, seat: Any, canonical: bool) -> Any:
    return canonical_permutation(opt, s, seat) if canonical else np.int64(IDENTITY)


@kernel
def _spread(legal: Any, mask: Any) -> None:
    """Write a set of actions as zeros and ones."""
    mask[:] = 0
    while legal != 0:
        mask[lowest(legal)] = 1
        legal &= legal - 1


@kernel
def look(options: Any, states: Any, canonical: bool, mask: Any) -> Any:
    """Return (seat to move or -1, its legal actions as a set), in that seat's labels, and write them into `mask`."""
    opt, s = options[0], states[0]
    turn = np.int64(s["turn"])
    legal = np.int64(_legal_mask(opt, s))
    if canonical and turn >= 0:
        legal = np.int64(relabel_mask(legal, canonical_permutation(opt, s, turn)))
    _spread(legal, mask)
    return turn, legal


@kernel
def true_action(options: Any, states: Any, action: int) -> Any:
    """Return the real action that the seat to move means in its canonical labels."""
    opt, s = options[0], states[0]
    return relabel_action(np.int64(action), inverse(canonical_permutation(opt, s, s["turn"])))


@kernel
def shown_action(options: Any, states: Any, action: int) -> Any:
    """Return what a real action is called in the canonical labels of the seat to move."""
    opt, s = options[0], states[0]
    return relabel_action(np.int64(action), canonical_permutation(opt, s, s["turn"]))


@kernel
def act(options: Any, states: Any, action: int, canonical: bool, mask: Any) -> Any:
    """Carry out a legal action of the seat to move; return what `look` does."""
    opt, s = options[0], states[0]
    real = np.int64(action)
    if canonical:
        real = np.int64(relabel_action(real, inverse(canonical_permutation(opt, s, s["turn"]))))
    _apply(opt, s, real)
    return look(options, states, canonical, mask)


@kernel
def observe_seat(options: Any, states: Any, seat: int, canonical: bool, out: Any) -> None:
    """Write a seat's observation into `out` [OBSERVATION_SIZE] int8."""
    opt, s = options[0], states[0]
    _encode(opt, s, seat, _permutation(opt, s, seat, canonical), out)


@kernel
def observe_table(options: Any, states: Any, canonical: bool, out: Any) -> None:
    """Write seat 0's observation and what it may not see into `out` [OBSERVATION_SIZE + HIDDEN_SIZE] int8."""
    opt, s = options[0], states[0]
    _encode_table(opt, s, _permutation(opt, s, 0, canonical), out)


@kernel
def first_illegal(legal: Any, actions: Any) -> Any:
    """Return the first row whose action [K] int64 is not in its set [K]; -1 if there is none."""
    for row in range(len(legal)):
        if actions[row] < 0 or actions[row] >= NUM_ACTIONS or legal[row] >> actions[row] & 1 == 0:
            return row
    return -1


@kernel
def pick(mask: Any, share: float) -> Any:
    """Return the action at `share` (0 up to 1) of the way through a mask's ones; -1 if it is no mask or has none."""
    ones = 0
    for action in range(len(mask)):
        if mask[action] < 0 or mask[action] > 1:
            return -1
        ones += mask[action]
    left = int(share * ones)
    for action in range(len(mask)):
        if mask[action] == 1:
            if left == 0:
                return action
            left -= 1
    return -1
