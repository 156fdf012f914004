"""Views of many tables, and the observations and legal sets that a player makes of them.

>>> from euchre_env.batch import GameBatch
>>> batch = GameBatch("tournament", 3, seed=0)
>>> shown = EncodedViews("tournament", batch.views([0, 2]), canonical_suits=True)
>>> shown.observations.shape[0], bool((shown.legal == batch.legal[[0, 2]]).all())
(2, True)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import OBSERVATION_SIZE, encode, hide
from euchre_env.engine.step import legal_mask
from euchre_env.engine.suits import IDENTITY, canonical_permutation, inverse, relabel_action, relabel_mask
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset


@kernel
def hide_all(options: Any, states: Any, rows: Any, seats: Any, out: Any) -> None:
    """Write what `seats` [K] may know of the games at `rows` [K] into `out` [K] STATE."""
    opt = options[0]
    for k in range(len(rows)):
        out[k] = states[rows[k]]
        hide(opt, out[k], seats[k])


@kernel
def encode_all(options: Any, views: Any, seats: Any, canonical: Any, observations: Any, legal: Any, perms: Any) -> None:
    """Write what `seats` [K] see of games or views [K], what they may do (0 out of turn) and their suits."""
    opt = options[0]
    for k in range(len(views)):
        perms[k] = canonical_permutation(opt, views[k], seats[k]) if canonical else IDENTITY
        encode(opt, views[k], seats[k], perms[k], observations[k])
        legal[k] = relabel_mask(legal_mask(opt, views[k]), perms[k]) if seats[k] == views[k]["turn"] else 0


@kernel
def restore_actions(actions: Any, perms: Any, out: Any) -> None:
    """Write shown actions [K] in the suits of the table."""
    for k in range(len(actions)):
        out[k] = relabel_action(actions[k], inverse(perms[k]))


def masks(legal: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """Return action sets [N] as masks [N, NUM_ACTIONS] of 0 and 1."""
    return (legal[:, None] >> np.arange(NUM_ACTIONS) & 1).astype(np.int8)


class EncodedViews:
    """Observations [N, OBSERVATION_SIZE] and legal sets [N] of views, and the way back from shown to real actions."""

    def __init__(self, ruleset: str | Ruleset, views: npt.NDArray[np.void], canonical_suits: bool = False) -> None:
        if (views["turn"] < 0).any():
            raise StateError("nobody moves at a table at rest: it has no observation.")
        rows = len(views)
        self.observations = np.empty((rows, OBSERVATION_SIZE), dtype=np.int8)
        self.legal = np.empty(rows, dtype=np.int64)
        self._perms = np.empty(rows, dtype=np.int64)
        options = rulesets.get(ruleset).to_options()
        seats = views["turn"].astype(np.int64)
        encode_all(options, views, seats, canonical_suits, self.observations, self.legal, self._perms)

    def real_actions(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return shown actions [N] in the suits of the table."""
        if len(actions) != len(self._perms):
            raise ValueError(f"{len(actions)} actions for {len(self._perms)} views: it needs one for each.")
        out = np.empty(len(actions), dtype=np.int64)
        restore_actions(np.asarray(actions, dtype=np.int64), self._perms, out)
        return out
