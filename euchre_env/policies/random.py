"""The player without a plan: uniform over the legal actions, by a compiled sampler.

`sample` draws for thousands of tables in one call; each row owns a 64-bit state, so what a table draws does not depend
on the others. The generator is SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).

>>> state = seed_rows(np.random.default_rng(0), 3)
>>> legal = np.array([0b1000, 0b1000, 0b10], dtype=np.int64)
>>> out = np.empty(3, dtype=np.int64)
>>> sample(legal, state, out)
>>> out.tolist()
[3, 3, 1]
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.decks import GAMMA, mix
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count, lowest
from euchre_env.ruleset import Ruleset

_UNROLLED = 6
_S32 = np.uint64(32)
_DECISIONS = np.uint64(0x589965CC75374CC3)  # sets these words apart from those that shuffle


def seed_rows(rng: np.random.Generator, rows: int) -> npt.NDArray[np.uint64]:
    """Return fresh states `[rows]` for `sample`."""
    return rng.integers(0, 2**64, size=rows, dtype=np.uint64)


@kernel
def sample(legal: npt.NDArray[np.int64], rng_state: npt.NDArray[np.uint64], out: npt.NDArray[np.integer[Any]]) -> None:
    """Write a uniform legal action of each row to `out` `[N]` and advance `rng_state` `[N]`; 0 where none is legal."""
    for row in range(len(legal)):
        members = legal[row]
        rng_state[row] += GAMMA
        skip = np.int64(((mix(rng_state[row]) >> _S32) * np.uint64(count(members))) >> _S32)
        # Without a branch: a mispredicted one costs more than six steps.
        for step in range(_UNROLLED):
            fewer = members & (members - 1)
            members = fewer if step < skip else members
        for _ in range(skip - _UNROLLED):
            members &= members - 1
        out[row] = lowest(members | np.int64(members == 0))


@kernel
def seed_decisions(keys: npt.NDArray[np.uint64], counts: npt.NDArray[np.int64], out: npt.NDArray[np.uint64]) -> None:
    """Write the seed of decision number `counts` [N] of the episodes `keys` [N], for `Policy.act_seeded`."""
    for row in range(len(keys)):
        out[row] = mix(mix(keys[row] ^ _DECISIONS) + GAMMA * np.uint64(counts[row]))


class RandomPolicy:
    """Plays a uniform legal action in every phase."""

    name = "random"

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return a uniform legal action of each row `[N]`; the views are not looked at."""
        return self.act_seeded(views, legal, seed_rows(rng, len(legal)))

    def act_seeded(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Return a uniform legal action of each row `[N]`, drawn from the row's seed `[N]`."""
        out = np.empty(len(legal), dtype=np.int64)
        sample(np.ascontiguousarray(legal, dtype=np.int64), seeds.copy(), out)
        return out
