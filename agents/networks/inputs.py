"""Which observation columns a network reads, and their scale.

Columns that never vary in a training (the options, the scores of hand episodes) are left out: weights on them would
stay as drawn and disturb the player as soon as they do vary. They are found by random play, stored with the network,
and never looked for again. Their scale is the largest value seen: all inputs lie between -1 and 1.

>>> columns = InputColumns.find("tournament", tables=256)
>>> "options" in columns.segments(), len(columns.observed) < OBSERVATION_SIZE
(False, True)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from euchre_env.batch import Episode, GameBatch
from euchre_env.engine._jit import kernel
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, SEGMENTS
from euchre_env.policies.random import sample, seed_rows
from euchre_env.ruleset import Ruleset

Columns = npt.NDArray[np.int64]

_SEED = 20_240
_STEPS = 200


@dataclass(frozen=True)
class InputColumns:
    """The columns of the observation and of the hidden rest that a training varies, ascending."""

    FIELDS: ClassVar[tuple[str, ...]] = ("observed", "observed_highest", "hidden", "hidden_highest")

    observed: Columns
    observed_highest: npt.NDArray[np.float64]
    hidden: Columns
    hidden_highest: npt.NDArray[np.float64]

    @classmethod
    def find(
        cls,
        ruleset: str | Ruleset,
        *,
        episode: Episode = "hand",
        reward: str = "zero_sum",
        canonical_suits: bool = True,
        skip_forced: bool = True,
        tables: int = 4096,
    ) -> "InputColumns":
        """Return the columns that take more than one value in random play from a fixed seed."""
        rng = np.random.default_rng(_SEED)
        batch = GameBatch(
            ruleset,
            tables,
            episode=episode,
            seed=_SEED,
            reward=reward,
            hidden=True,
            canonical_suits=canonical_suits,
            skip_forced=skip_forced,
        )
        draws, actions = seed_rows(rng, tables), np.empty(tables, dtype=np.int64)
        spread_observed, spread_hidden = _Spread(OBSERVATION_SIZE), _Spread(HIDDEN_SIZE)
        for _ in range(_STEPS):
            spread_observed.add(batch.observations)
            spread_hidden.add(batch.hidden)
            sample(batch.legal, draws, actions)
            batch.step(actions)
        return cls(*spread_observed.columns(), *spread_hidden.columns())

    def segments(self) -> list[str]:
        """Return the names of the observation's segments of which at least one column is read."""
        starts = np.cumsum([0, *(s.size for s in SEGMENTS)])
        return [
            s.name
            for s, a, b in zip(SEGMENTS, starts, starts[1:], strict=False)
            if np.any((self.observed >= a) & (self.observed < b))
        ]

    def scales(self, with_hidden: bool) -> npt.NDArray[np.float64]:
        """Return what brings each column read to at most 1 in size: observed, then hidden ones."""
        highest = [self.observed_highest, self.hidden_highest] if with_hidden else [self.observed_highest]
        return 1 / np.concatenate(highest)


class _Spread:
    """Lowest and highest value of each column so far."""

    def __init__(self, size: int) -> None:
        self.low = np.full(size, 127, dtype=np.int8)
        self.high = np.full(size, -128, dtype=np.int8)

    def add(self, rows: npt.NDArray[np.int8]) -> None:
        np.minimum(self.low, rows.min(axis=0), out=self.low)
        np.maximum(self.high, rows.max(axis=0), out=self.high)

    def columns(self) -> tuple[Columns, npt.NDArray[np.float64]]:
        """Return the columns that vary, and the largest size of a value in each."""
        varied = np.flatnonzero(self.low < self.high)
        return varied, np.maximum(abs(self.low[varied].astype(float)), abs(self.high[varied].astype(float)))


@kernel
def gather(source: Any, rows: Any, columns: Any, out: Any) -> None:
    """Copy the given columns of the given rows into `out` [len(rows), len(columns)]."""
    for i in range(len(rows)):
        row = source[rows[i]]
        for j in range(len(columns)):
            out[i, j] = row[columns[j]]
