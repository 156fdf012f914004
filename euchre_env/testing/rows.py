"""Many tables at once: what the checks of one step share.

>>> import numpy as np
>>> require(np.array([True, True]), "all is well")
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import JOKER
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import MAX_SEATS, Phase, Upcard
from euchre_env.engine.observe import OBSERVATION_SIZE, encode
from euchre_env.engine.suits import IDENTITY, canonical_permutation
from euchre_env.ruleset import Ruleset

Records = npt.NDArray[np.void]
Seats = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def require(good: Flags | np.bool_, problem: str) -> None:
    """AssertionError names the first table where something is not so."""
    if not good.all():
        raise AssertionError(f"table {int(np.argmin(good))}: {problem}")


def is_blind(rules: Ruleset, states: Records) -> Flags:
    """4.3, Q-B1: whether the dealer is to name trump before anybody has looked at his cards."""
    flags: Flags = (
        (states["phase"] == Phase.CALL)
        & (states["upcard"] == JOKER)
        & (states["upcard_state"] == Upcard.PROPOSED)
        & (rules.joker_up in ("blind_dealer", "set_aside"))
    )
    return flags


def partners_of(rules: Ruleset, seats: Seats) -> Seats:
    """1.2: who sits opposite; a seat itself where each plays for himself."""
    return (seats + 2) % MAX_SEATS if rules.partners else seats


@kernel
def _observe(options: Any, states: Any, seats: Any, canonical: Any, out: Any) -> None:
    opt = options[0]
    for i in range(len(states)):
        perm = canonical_permutation(opt, states[i], seats[i]) if canonical else np.int64(IDENTITY)
        encode(opt, states[i], seats[i], perm, out[i])


def observations(rules: Ruleset, states: Records, seats: Seats, canonical: bool) -> npt.NDArray[np.int8]:
    """Return what these seats [N] observe of these tables [N], [N, OBSERVATION_SIZE]."""
    out = np.zeros((len(states), OBSERVATION_SIZE), dtype=np.int8)
    _observe(rules.to_options(), states, seats, canonical, out)
    return out
