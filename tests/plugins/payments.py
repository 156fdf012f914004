"""What GameBatch paid the own seats of an EuchreSeatVectorEnv: what a framework's learner has to have seen.

>>> envs = EuchreSeatVectorEnv("tournament", num_envs=2, episode="hand", autoreset_mode="SameStep")
>>> paid = Payments(envs)
>>> _, infos = envs.reset(seed=1)
>>> while min(map(len, paid.episodes)) < 3:
...     _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
>>> [len(sums) >= 3 for sums in paid.episodes]
[True, True]
"""

import numpy as np
import numpy.typing as npt

from euchre_env.envs.seat_vector import EuchreSeatVectorEnv


class Payments:
    """Listens to the batch below the environment, from before its first `reset`: `episodes` are sums by table."""

    def __init__(self, envs: EuchreSeatVectorEnv) -> None:
        self.episodes: list[list[float]] = [[] for _ in range(envs.num_envs)]
        self._running = np.full(envs.num_envs, np.nan)
        self._envs = envs
        self._step, self._restart = envs.batch.step, envs.batch.restart
        envs.batch.step = self.step  # type: ignore[method-assign, assignment]
        envs.batch.restart = self.restart  # type: ignore[method-assign, assignment]

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        self._step(actions)
        moved = np.flatnonzero(actions >= 0)
        self._running[moved] += self._envs.batch.rewards[moved, self._envs._seats[moved]]

    def restart(self, rows: npt.NDArray[np.int64], keys: npt.NDArray[np.uint64]) -> None:
        self._restart(rows, keys)
        for row in rows[~np.isnan(self._running[rows])]:
            self.episodes[row].append(float(self._running[row]))
        self._running[rows] = 0.0
