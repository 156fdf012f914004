"""GameBatch: thousands of tables of one ruleset, stepped in place by one call.

The rows of all arrays are tables. A table's deals depend on its key and counters alone (`decks.py`), so results do not
depend on how many tables run. What a step pays is `rewards.py`, what a seat sees `engine/observe.py`.

>>> batch = GameBatch("tournament", 2, seed=1)
>>> before = batch.turn.copy()
>>> batch.step([33, 33])  # both pass
>>> ((before + 1) % 4 == batch.turn).all().item()
True
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from euchre_env import equity, rewards, rulesets
from euchre_env.engine.layout import STATE
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, columns
from euchre_env.errors import StateError, flag, whole_number
from euchre_env.ruleset import Ruleset
from euchre_env.tables import DESK, EPISODES, MAX_HANDS, TABLE, start_tables, step_tables
from euchre_env.views import hide_all, masks

Episode = Literal["hand", "game"]
MAX_TABLES = 2**24
# What `_bind` names: views of other arrays, which a copy has to make anew.
_BOUND = ("rewards", "dones", "truncated", "hand_over", "episodes", "_arguments")
# What the constructor writes on the desk and no step changes.
_SETTINGS = ("episode", "reward", "canonical", "skip_forced", "autoreset", "max_hands")
Ints = Sequence[int] | npt.NDArray[np.integer[Any]]


class GameBatch:
    """`num_tables` games in step; every array below is updated in place by `step` and `reset`.

    Attributes: `states` [N] STATE; `turn` [N] int8, the seat to move (-1 at rest); `legal` [N] int64, its legal actions
    as a set (0 at rest); `observations` [N, OBSERVATION_SIZE] and `hidden` [N, HIDDEN_SIZE] int8 of that seat;
    `rewards` [N, 4] float32, what the step paid each seat; `dones`, `truncated`, `hand_over` [N] bool; `finished` [N]
    STATE, the hand that ended last; `episodes` [N] int64, how many are done.

    An episode is one hand or a game; a game of `max_hands` hands is truncated. With `autoreset` the row of a finished
    episode already shows the next one, without it the table rests. `canonical_suits` shows observations and legal sets,
    and takes actions, in the mover's canonical suits; `skip_forced` plays moves without a choice, but for the first
    one of an episode: so no step ever runs through a whole episode unseen.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "tournament",
        num_tables: int = 4096,
        *,
        episode: Episode = "hand",
        seed: int | None = None,
        keys: Ints | None = None,
        dealers: Ints | None = None,
        scores: npt.ArrayLike | None = None,
        reward: str = "zero_sum",
        observe: bool = True,
        hidden: bool = False,
        canonical_suits: bool = False,
        skip_forced: bool = False,
        autoreset: bool = True,
        max_hands: int = 200,
    ) -> None:
        if episode not in EPISODES:
            raise ValueError(f"episode is {episode!r}: choose 'hand' or 'game'.")
        self.ruleset = rulesets.get(ruleset)
        self.num_tables = whole_number("num_tables", num_tables, 1, MAX_TABLES)
        self._options = self.ruleset.to_options()
        self._desk = np.zeros(1, dtype=DESK)
        self._desk["episode"] = EPISODES.index(episode)
        self._desk["reward"] = rewards.mode_id(reward, episode)
        self._desk["canonical"] = flag("canonical_suits", canonical_suits)
        self._desk["skip_forced"] = flag("skip_forced", skip_forced)
        self._desk["autoreset"] = flag("autoreset", autoreset)
        self._desk["max_hands"] = whole_number("max_hands", max_hands, 1, MAX_HANDS)
        self._equities = equity.table(self.ruleset) if reward == "equity" else rewards.NO_TABLE
        self._draws_scores = reward == "equity" and episode == "hand"
        self._allocate(observe, hidden)
        self._bind()
        self.reset(seed=seed, keys=keys, dealers=dealers, scores=scores)

    def _allocate(self, observe: bool, hidden: bool) -> None:
        n = self.num_tables
        self.states = np.zeros(n, dtype=STATE)
        self.finished = np.zeros(n, dtype=STATE)
        self.turn = np.zeros(n, dtype=np.int8)
        self.legal = np.zeros(n, dtype=np.int64)
        self.observations = np.zeros((n if observe else 0, OBSERVATION_SIZE), dtype=np.int8)
        self.observations[:, columns("options")] = self._options["features"]
        self.hidden = np.zeros((n if hidden else 0, HIDDEN_SIZE), dtype=np.int8)
        self._tables = np.zeros(n, dtype=TABLE)

    def _bind(self) -> None:
        """Name what the tables' records hold, and the kernels' arguments, once."""
        self.rewards = self._tables["rewards"]
        self.dones = self._tables["done"].view(np.bool_)
        self.truncated = self._tables["truncated"].view(np.bool_)
        self.hand_over = self._tables["hand_over"].view(np.bool_)
        self.episodes = self._tables["episode"]
        self._arguments = (
            self._options, self._desk, self.states, self._tables, self.turn, self.legal, self.observations, self.hidden
        )  # fmt: skip

    def reset(
        self,
        seed: int | None = None,
        keys: Ints | None = None,
        dealers: Ints | None = None,
        scores: npt.ArrayLike | None = None,
    ) -> None:
        """Start all tables afresh: keys [N] given or drawn from `seed`, first dealers [N] and scores [N, sides] too.

        StateError names a dealer or score that the ruleset does not have.
        """
        if keys is None:
            keys = np.random.default_rng(seed).integers(2**63, size=self.num_tables, dtype=np.uint64)
        key, dealer = self._column("keys", keys), self._dealers(dealers)
        start = None if scores is None else self._scores(np.asarray(scores))
        # All is checked: whatever is refused leaves the tables as they were.
        self._tables["dealer"] = dealer
        self._tables["scores"] = 0
        if start is not None:
            self._tables["scores"][:, : start.shape[1]] = start
        self._desk["draw_scores"] = self._draws_scores and scores is None
        start_tables(*self._arguments, np.arange(self.num_tables), key.astype(np.uint64))

    def _column(self, name: str, values: Ints) -> npt.NDArray[np.integer[Any]]:
        column = np.asarray(values)
        if column.shape != (self.num_tables,):
            raise ValueError(
                f"{name} has shape {column.shape}: it needs one number for each of {self.num_tables} tables."
            )
        if column.dtype.kind not in "iu":
            raise ValueError(f"{name} holds {column.dtype}: it needs whole numbers.")
        return column

    def _dealers(self, dealers: Ints | None) -> npt.NDArray[np.integer[Any]] | int:
        if dealers is None:
            fixed = self.ruleset.fixed_dealer
            return -1 if fixed is None else fixed
        column = self._column("dealers", dealers)
        if not ((column >= 0) & (column < self.ruleset.num_seats)).all():
            raise StateError(f"a first dealer is a seat from 0 to {self.ruleset.num_seats - 1}.")
        return column

    def _scores(self, scores: npt.NDArray[Any]) -> npt.NDArray[np.integer[Any]]:
        shape = (self.num_tables, self.ruleset.num_sides)
        if scores.shape != shape:
            raise ValueError(f"scores has shape {scores.shape}: it needs {shape}, a number for each table and side.")
        if scores.dtype.kind not in "iu":
            raise ValueError(f"scores holds {scores.dtype}: it needs whole numbers.")
        lowest, target = self.ruleset.lowest_start, self.ruleset.target
        if not ((scores >= lowest) & (scores < target)).all():
            raise StateError(f"scores at the start lie from {lowest} to {target - 1} (2.8).")
        return scores

    def step(self, actions: Ints) -> None:
        """Carry out one action per table, legal by `legal` (unchecked); tables at rest ignore theirs.

        A table whose action is negative waits.
        """
        # One type of integer: the kernel would be compiled anew for every other.
        chosen = self._column("actions", actions).astype(np.int64, copy=False)
        step_tables(*self._arguments, chosen, self.finished, self._equities)

    def restart(self, rows: Ints, keys: Ints) -> None:
        """Start some tables afresh, wherever they are: rows [K] and their new keys [K]; the others stay as they are."""
        index, fresh = self._rows(rows), np.asarray(keys)
        if fresh.shape != index.shape or fresh.dtype.kind not in "iu":
            raise ValueError(f"keys has shape {fresh.shape}: it needs a whole number for each of {len(index)} rows.")
        if index.size and index.max() >= self.num_tables:
            raise IndexError(f"row {index.max()} is out of bounds: rows run from 0 to {self.num_tables - 1}.")
        start_tables(*self._arguments, index, fresh.astype(np.uint64))

    def masks(self) -> npt.NDArray[np.int8]:
        """Return the legal sets as masks [N, NUM_ACTIONS] of 0 and 1."""
        return masks(self.legal)

    def views(self, rows: Ints, seats: Ints | None = None) -> npt.NDArray[np.void]:
        """Return what the seats to move (or the given ones) may know at these tables, [len(rows)] STATE."""
        index = self._rows(rows)
        movers = self.turn[index]  # an IndexError names a row that there is not
        who = movers if seats is None else np.broadcast_to(np.asarray(seats), index.shape)
        if not ((who >= 0) & (who < self.ruleset.num_seats)).all():
            raise StateError(
                f"a view is for a seat from 0 to {self.ruleset.num_seats - 1}; nobody moves at a table at rest."
            )
        out = np.zeros(len(index), dtype=STATE)
        hide_all(self._options, self.states, index, who.astype(np.int64), out)
        return out

    def _rows(self, rows: Ints) -> npt.NDArray[np.int64]:
        index = np.asarray(rows)
        if index.ndim != 1 or (index.size and index.dtype.kind not in "iu"):
            raise ValueError(f"rows has shape {index.shape} and type {index.dtype}: it needs a list of whole numbers.")
        if index.size and index.min() < 0:
            raise IndexError(f"row {index.min()} is out of bounds: rows run from 0 to {self.num_tables - 1}.")
        return index.astype(np.int64)

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Return copies of all arrays, plain enough for any file format; `set_state` goes on exactly from there."""
        return {name: getattr(self, name).copy() for name in self._saved()}

    def set_state(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from `get_state` of a batch of the same shape, rules and settings; StateError if it does not fit."""
        for name in self._saved():
            array, saved = getattr(self, name), state.get(name)
            if not isinstance(saved, np.ndarray) or saved.shape != array.shape or saved.dtype != array.dtype:
                raise StateError(f"the saved batch has no {name} of shape {array.shape} and its type.")
        if not np.array_equal(state["_options"], self._options):
            raise StateError(f"the batch was saved under other rules than {self.ruleset.name}.")
        for name in _SETTINGS:
            if state["_desk"][name] != self._desk[name]:
                raise StateError(f"the batch was saved with another setting of {name}.")
        for name in self._saved():
            getattr(self, name)[...] = state[name]

    @staticmethod
    def _saved() -> tuple[str, ...]:
        return ("states", "finished", "turn", "legal", "observations", "hidden", "_tables", "_desk", "_options")

    def __getstate__(self) -> dict[str, Any]:
        """Give copies and other processes what is not a view of something else."""
        return {name: value for name, value in self.__dict__.items() if name not in _BOUND}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._bind()

    def clone(self) -> "GameBatch":
        """Return an independent batch in the same state."""
        twin = object.__new__(GameBatch)
        twin.__dict__.update(self.__dict__)
        for name in self._saved():
            setattr(twin, name, getattr(self, name).copy())
        twin._bind()
        return twin
