"""Thousands of hands played at once, with what was asked and answered at every step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.batch import GameBatch
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.ruleset import Ruleset

Rows = npt.NDArray[np.int64]
# Gets the batch and a generator, returns how much each action is wanted, [N, NUM_ACTIONS] or broadcast to it.
Wish = Callable[[GameBatch, np.random.Generator], npt.NDArray[Any]]


@dataclass
class Transcript:
    """`turns`, `legal`, `actions` [T, N]; rows at rest show -1, 0, 0. `dealt` and `finished` [N] STATE."""

    batch: GameBatch
    dealt: npt.NDArray[np.void]
    turns: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    rewards: npt.NDArray[np.float32]

    @property
    def finished(self) -> npt.NDArray[np.void]:
        """The records of the hands that ended last."""
        return self.batch.finished


def sample(batch: GameBatch, rng: np.random.Generator, wish: Wish | None = None) -> Rows:
    """Return a random legal action of each row [N], 0 at rest; `wish` multiplies the odds of actions."""
    weights: npt.NDArray[np.float64] = rng.random((batch.num_tables, NUM_ACTIONS)) * batch.masks()
    if wish is not None:
        weights = weights * wish(batch, rng)
    chosen: Rows = weights.argmax(axis=1)
    return chosen


def play_out(rules: str | Ruleset, tables: int, seed: int, wish: Wish | None = None, **settings: Any) -> Transcript:
    """Play one episode at every table by chance."""
    rng = np.random.default_rng(seed)
    batch = GameBatch(rules, tables, seed=seed, autoreset=False, **{"observe": False, **settings})
    dealt, rewards = batch.states.copy(), np.zeros((tables, 4), dtype=np.float32)
    steps: list[tuple[Rows, Rows, Rows]] = []
    while batch.legal.any():
        actions = sample(batch, rng, wish)
        steps.append((batch.turn.astype(np.int64), batch.legal.copy(), actions))
        batch.step(actions)
        rewards += batch.rewards
    turns, legal, played = (np.array(column) for column in zip(*steps, strict=True))
    return Transcript(batch, dealt, turns, legal, played, rewards)
