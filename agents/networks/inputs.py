"""What a network reads: which columns of the observation, of what follows from it and of the hidden rest.

Columns that never vary in a training (the options, the scores of hand episodes) are left out: weights on them would
stay as drawn and disturb the player as soon as they do vary. They are found by random play, stored with the network,
and never looked for again. Their scale is the largest value seen: all inputs lie between -1 and 1.

>>> columns = InputColumns.find("tournament", tables=256)
>>> "options" in columns.segments(), len(columns.observed.index) < OBSERVATION_SIZE
(False, True)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from agents.networks.inferred import INFERRED_SIZE, infer_rows
from euchre_env import rulesets
from euchre_env.batch import Episode, GameBatch
from euchre_env.engine._jit import kernel
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, SEGMENTS
from euchre_env.policies.random import sample, seed_rows
from euchre_env.ruleset import Ruleset

_SEED = 20_240
_STEPS = 200


@dataclass(frozen=True)
class Columns:
    """Columns of one kind, ascending, and the largest size of a value in each."""

    index: npt.NDArray[np.int64]
    highest: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.index)


@dataclass(frozen=True)
class InputColumns:
    """The columns that a training varies; a policy reads `observed` and `inferred` ones, a critic may read `hidden`."""

    SIZES: ClassVar[dict[str, int]] = {"observed": OBSERVATION_SIZE, "inferred": INFERRED_SIZE, "hidden": HIDDEN_SIZE}

    observed: Columns
    inferred: Columns
    hidden: Columns

    @classmethod
    def find(
        cls,
        ruleset: str | Ruleset,
        *,
        episode: Episode = "hand",
        reward: str = "zero_sum",
        canonical_suits: bool = True,
        skip_forced: bool = True,
        inferred: bool = True,
        tables: int = 4096,
    ) -> "InputColumns":
        """Return the columns that take more than one value in random play from a fixed seed."""
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
        draws, actions = seed_rows(np.random.default_rng(_SEED), tables), np.empty(tables, dtype=np.int64)
        concluded = np.zeros((tables, INFERRED_SIZE), dtype=np.int8)
        every = np.arange(INFERRED_SIZE)
        spreads = [_Spread(size) for size in cls.SIZES.values()]
        for _ in range(_STEPS):
            if inferred:
                options, rows = batch.ruleset.to_options(), np.arange(tables)
                infer_rows(options, batch.states, rows, canonical_suits, every, concluded)
            for spread, seen in zip(spreads, (batch.observations, concluded, batch.hidden), strict=True):
                spread.add(seen)
            sample(batch.legal, draws, actions)
            batch.step(actions)
        return cls(*(spread.columns() for spread in spreads))

    @property
    def num_seen(self) -> int:
        """How many columns a policy reads."""
        return len(self.observed) + len(self.inferred)

    def num_inputs(self, with_hidden: bool) -> int:
        """How many columns a network reads."""
        return self.num_seen + (len(self.hidden) if with_hidden else 0)

    def segments(self) -> list[str]:
        """Return the names of the observation's segments of which at least one column is read."""
        starts = np.cumsum([0, *(segment.size for segment in SEGMENTS)])
        read = np.searchsorted(self.observed.index, starts)
        return [segment.name for segment, a, b in zip(SEGMENTS, read, read[1:], strict=False) if a < b]

    def scales(self, with_hidden: bool) -> npt.NDArray[np.float64]:
        """Return what brings each column read to at most 1 in size: observed, inferred, then hidden ones."""
        parts = [self.observed, self.inferred, *([self.hidden] if with_hidden else [])]
        return 1 / np.concatenate([part.highest for part in parts])


class Reader:
    """Fills in the columns that a policy reads, in training and in play alike."""

    def __init__(self, ruleset: Ruleset, columns: InputColumns, canonical_suits: bool) -> None:
        self._options = rulesets.get(ruleset).to_options()
        self._columns = columns
        self._canonical = canonical_suits

    def read(
        self,
        observations: npt.NDArray[np.int8],
        states: npt.NDArray[np.void],
        rows: npt.NDArray[np.int64],
        out: npt.NDArray[np.int8],
    ) -> None:
        """Write what the movers at `rows` [K] see and infer into `out` [K, num_seen].

        `observations` [N, OBSERVATION_SIZE] and `states` [N], or views, are those of all tables.
        """
        observed, inferred = self._columns.observed.index, self._columns.inferred.index
        gather(observations, rows, observed, out[:, : len(observed)])
        if len(inferred):
            infer_rows(self._options, states, rows, self._canonical, inferred, out[:, len(observed) :])


class _Spread:
    """Lowest and highest value of each column so far."""

    def __init__(self, size: int) -> None:
        self.low = np.full(size, 127, dtype=np.int8)
        self.high = np.full(size, -128, dtype=np.int8)

    def add(self, rows: npt.NDArray[np.int8]) -> None:
        np.minimum(self.low, rows.min(axis=0), out=self.low)
        np.maximum(self.high, rows.max(axis=0), out=self.high)

    def columns(self) -> Columns:
        """Return the columns that vary."""
        varied = np.flatnonzero(self.low < self.high)
        return Columns(varied, np.maximum(abs(self.low[varied].astype(float)), abs(self.high[varied].astype(float))))


@kernel
def gather(source: Any, rows: Any, columns: Any, out: Any) -> None:
    """Copy the given columns of the given rows into `out` [len(rows), len(columns)]."""
    for i in range(len(rows)):
        row = source[rows[i]]
        for j in range(len(columns)):
            out[i, j] = row[columns[j]]
