"""SeatVecEnv: thousands of tables as one Stable-Baselines3 VecEnv, far quicker than one process or object for each.

>>> from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
>>> tables = EuchreSeatVectorEnv("tournament", num_envs=3, opponents="random", autoreset_mode="SameStep")
>>> envs = SeatVecEnv(tables)
>>> envs.seed(1), envs.reset()["observation"].shape[0], envs.env_method("action_masks")[2].shape
([1, 2, 3], 3, (62,))
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from euchre_env.envs.seat_vector import EuchreSeatVectorEnv

Indices = None | int | Sequence[int]
Observations = dict[str, npt.NDArray[np.int8]]
Step = tuple[Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


class SeatVecEnv(VecEnv):
    """The tables of an `EuchreSeatVectorEnv` with `autoreset_mode="SameStep"`: as Stable-Baselines3 resets its own.

    Observations are dicts of `observation` and `action_mask`, the masks' home is `env_method("action_masks")`, where
    sb3-contrib looks. All tables are one object: `get_attr` gives its attribute once per table, and `set_attr` and
    other methods are refused with AttributeError.
    """

    def __init__(self, tables: EuchreSeatVectorEnv) -> None:
        if tables.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset_mode is {tables.autoreset_mode.value}: Stable-Baselines3 needs 'SameStep'.")
        self.tables = tables
        self._actions: npt.NDArray[np.int64] = np.zeros(tables.num_envs, dtype=np.int64)
        super().__init__(tables.num_envs, tables.single_observation_space, tables.single_action_space)

    def reset(self) -> Observations:
        """Start an episode at every table, with the seeds and options of `seed` and `set_options`."""
        options = {name: value for options in self._options for name, value in options.items()}
        observations, infos = self.tables.reset(seed=self._seeds, options=options)
        self.reset_infos = [
            {"action_mask": mask, "seat": seat}
            for mask, seat in zip(infos["action_mask"], infos["seat"].tolist(), strict=True)
        ]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Keep the actions `[N]` for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> Step:
        """Play the actions; a table that is over shows its next episode, and the end in `terminal_observation`."""
        observations, rewards, terminated, truncated, infos = self.tables.step(self._actions)
        dones = terminated | truncated
        told: list[dict[str, Any]] = [
            {"action_mask": mask, "seat": seat, "TimeLimit.truncated": cut}
            for mask, seat, cut in zip(
                infos["action_mask"], infos["seat"].tolist(), (truncated & ~terminated).tolist(), strict=True
            )
        ]
        for row in np.flatnonzero(dones):
            self.reset_infos[row] = {name: told[row][name] for name in ("action_mask", "seat")}
            told[row] |= {name: infos["final_info"][name][row] for name in ("action_mask", "seat")}
            told[row]["terminal_observation"] = infos["final_obs"][row]
        return observations, rewards.astype(np.float32), dones, told

    def close(self) -> None:
        """Close the tables."""
        self.tables.close()

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the tables have an attribute of this name."""
        return hasattr(self.tables, attr_name)

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return the tables' attribute, once for each index."""
        return [getattr(self.tables, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuse: what one table is made with, all are."""
        raise AttributeError(f"{attr_name} cannot be set: the tables are one object; make them with other arguments.")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """Return the rows of `action_masks()`; AttributeError for any other method."""
        if method_name != "action_masks":
            raise AttributeError(f"tables of a batch have no method {method_name} of their own, only action_masks.")
        return list(self.tables.action_masks()[self._rows(indices)])

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Return False for each: Gymnasium's wrappers are for single environments."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))
