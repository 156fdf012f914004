"""Self-play: tables of one GameBatch played to the end of their episodes, as rows to learn from.

Every decision is a row; the rows of a table come in the order played, those of all tables are mixed. The two networks
play all seats. Losses are in `agents/learners`.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from agents.learners.advantages import generalised
from agents.networks.inputs import InputColumns, Reader, gather
from agents.networks.masked import sample
from agents.networks.mlp import Mlp
from agents.selfplay.outcomes import Outcomes
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import Phase

# Kernels of matrix products are made for each new number of rows: rounding up keeps them few.
_ROWS_STEP = 256
_VALUE_ROWS = 4096


@dataclass
class Rollout:
    """Decisions with what is learned from them; arrays [N] unless noted."""

    inputs: npt.NDArray[np.int8]
    """[N, observed + inferred + hidden] the columns that the networks read."""
    legal: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    log_p: npt.NDArray[np.float32]
    tables: npt.NDArray[np.int32]
    seats: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    """[N, owners] what each seat or side got between this decision and the table's next, in units of the training."""
    ends: npt.NDArray[np.bool_]
    values: npt.NDArray[np.float32]
    advantages: npt.NDArray[np.float32]

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """What the critic learns to expect, [N]."""
        return self.values + self.advantages

    def __len__(self) -> int:
        return len(self.legal)


class Joint:
    """Puts rollouts together in the same memory every time: touching fresh memory takes longer than the copy."""

    def __init__(self) -> None:
        self._room: dict[str, npt.NDArray[Any]] = {}

    def join(self, parts: Sequence[Rollout]) -> Rollout:
        """Return several rollouts as one, good until the next call; table numbers stay those of the parts."""
        rows = sum(len(part) for part in parts)
        return Rollout(
            **{f.name: self._joined(f.name, [getattr(p, f.name) for p in parts], rows) for f in fields(Rollout)}
        )

    def _joined(self, name: str, pieces: list[npt.NDArray[Any]], rows: int) -> npt.NDArray[Any]:
        room = self._room.get(name)
        if room is None or len(room) < rows:
            room = self._room[name] = np.empty((rows + rows // 4, *pieces[0].shape[1:]), pieces[0].dtype)
        return np.concatenate(pieces, out=room[:rows])


@dataclass
class Account:
    """What a rollout counted beside its rows."""

    outcomes: Outcomes
    entropy: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(Phase)))
    decisions: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(Phase), dtype=np.int64))
    env_s: float = 0.0
    inference_s: float = 0.0

    def merge(self, other: "Account") -> None:
        """Add what another counted."""
        self.outcomes.merge(other.outcomes)
        self.entropy += other.entropy
        self.decisions += other.decisions
        self.env_s += other.env_s
        self.inference_s += other.inference_s


class _Store:
    """Growing columns of rows."""

    def __init__(self, rows: int, inputs: int, owners: int) -> None:
        self.filled = 0
        self._columns: dict[str, npt.NDArray[Any]] = {
            "inputs": np.zeros((rows, inputs), np.int8),
            "legal": np.zeros(rows, np.int64),
            "actions": np.zeros(rows, np.int64),
            "log_p": np.zeros(rows, np.float32),
            "tables": np.zeros(rows, np.int32),
            "seats": np.zeros(rows, np.int8),
            "rewards": np.zeros((rows, owners), np.float32),
            "ends": np.zeros(rows, np.bool_),
        }

    def room(self, rows: int) -> None:
        """See to it that so many rows fit behind those filled."""
        have = len(self._columns["legal"])
        if self.filled + rows <= have:
            return
        for name, column in self._columns.items():
            grown = np.zeros((2 * have + rows, *column.shape[1:]), column.dtype)
            grown[:have] = column
            self._columns[name] = grown

    def next(self, name: str, rows: int) -> npt.NDArray[Any]:
        """Return the next free rows of a column."""
        return self._columns[name][self.filled : self.filled + rows]

    def used(self) -> dict[str, npt.NDArray[Any]]:
        """Return the filled rows of all columns."""
        return {name: column[: self.filled] for name, column in self._columns.items()}


class Tables:
    """A group of tables that plays episodes with the given networks, on one core."""

    def __init__(
        self,
        batch: GameBatch,
        columns: InputColumns,
        *,
        with_hidden: bool,
        shared_values: bool,
        canonical_suits: bool,
        reward_unit: float,
        dtype: torch.dtype,
    ) -> None:
        rules = batch.ruleset
        self.batch = batch
        self.columns = columns
        self.dtype = dtype
        self._reader = Reader(rules, columns, canonical_suits)
        self._with_hidden = with_hidden
        self.reward_unit = reward_unit
        self._owners = rules.num_sides if shared_values else rules.num_seats
        self._owner_of = np.array([rules.side(s) if shared_values else s for s in range(rules.num_seats)], np.int8)
        self._store = _Store(24 * batch.num_tables + _ROWS_STEP, columns.num_inputs(with_hidden), self._owners)
        self._actions = np.zeros(batch.num_tables, dtype=np.int64)

    def collect(
        self, policy: Mlp, critic: Mlp, rng: np.random.Generator, gamma: float, lam: float
    ) -> tuple[Rollout, Account]:  # fmt: skip
        """Play a new episode at every table; `rng` gives the deals and draws the actions."""
        account = Account(Outcomes(self.batch.ruleset))
        self._store.filled = 0
        with torch.inference_mode():
            started = time.perf_counter()
            self.batch.reset(keys=rng.integers(2**63, size=self.batch.num_tables, dtype=np.uint64))
            account.env_s += time.perf_counter() - started
            while self._step(policy, rng, account):
                pass
            started = time.perf_counter()
            rows = self._store.used()
            values = self._values(critic, rows["inputs"])
            account.inference_s += time.perf_counter() - started
        owners = self._owner_of[rows["seats"]]
        advantages = generalised(rows["tables"], owners, rows["rewards"], rows["ends"], values, gamma, lam)
        return Rollout(**rows, values=values, advantages=advantages), account

    def _step(self, policy: Mlp, rng: np.random.Generator, account: Account) -> bool:
        """Play one decision at each table that is not at rest; return whether there was any."""
        started = time.perf_counter()
        at = np.flatnonzero(self.batch.legal)
        if len(at) == 0:
            return False
        self._look(at)
        looked = time.perf_counter()
        self._choose(policy, rng, account, at)
        chosen = time.perf_counter()
        self._play(at, account)
        account.env_s += looked - started + time.perf_counter() - chosen
        account.inference_s += chosen - looked
        return True

    def _look(self, at: npt.NDArray[np.int64]) -> None:
        """Write what the movers at these tables see into the next rows."""
        batch, store, rows = self.batch, self._store, len(at)
        store.room(rows + _ROWS_STEP)
        inputs = store.next("inputs", rows)
        self._reader.read(batch.observations, batch.states, at, inputs[:, : self.columns.num_seen])
        if self._with_hidden:
            gather(batch.hidden, at, self.columns.hidden.index, inputs[:, self.columns.num_seen :])
        store.next("legal", rows)[:] = batch.legal[at]
        store.next("tables", rows)[:] = at
        store.next("seats", rows)[:] = batch.turn[at]

    def _choose(self, policy: Mlp, rng: np.random.Generator, account: Account, at: npt.NDArray[np.int64]) -> None:
        """Draw the actions of the next rows from the policy."""
        store, rows = self._store, len(at)
        padded = -(-rows // _ROWS_STEP) * _ROWS_STEP
        seen = torch.from_numpy(store.next("inputs", padded)[:, : self.columns.num_seen])
        logits = policy(seen.to(self.dtype)).numpy()
        actions, entropies = store.next("actions", rows), np.empty(rows, dtype=np.float32)
        uniforms = rng.random(rows, dtype=np.float32)
        sample(logits, store.next("legal", rows), uniforms, actions, store.next("log_p", rows), entropies)
        phases = self.batch.states["phase"][at]
        account.entropy += np.bincount(phases, entropies, len(Phase))
        account.decisions += np.bincount(phases, minlength=len(Phase))
        self._actions[at] = actions

    def _play(self, at: npt.NDArray[np.int64], account: Account) -> None:
        """Carry out the actions and note what they paid."""
        batch, store, rows = self.batch, self._store, len(at)
        batch.step(self._actions)
        store.next("rewards", rows)[:] = batch.rewards[at, : self._owners] / self.reward_unit
        store.next("ends", rows)[:] = batch.dones[at]
        account.outcomes.add(batch.finished, batch.hand_over)
        store.filled += rows

    def _values(self, critic: Mlp, inputs: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """Return what the critic expects of each row."""
        values = np.empty(len(inputs), dtype=np.float32)
        for start in range(0, len(inputs), _VALUE_ROWS):
            part = torch.from_numpy(inputs[start : start + _VALUE_ROWS])
            values[start : start + _VALUE_ROWS] = critic(part.to(self.dtype))[:, 0].numpy()
        return values
