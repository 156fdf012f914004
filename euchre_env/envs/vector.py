"""EuchreVectorEnv: thousands of tables for self-play, one policy in every seat.

Each step asks the seat to move of every table and pays every seat. It is `GameBatch` with Gymnasium's manners: checked
actions, observations as dicts, autoreset modes. For one seat against given players see `seat_vector.py`.

>>> envs = EuchreVectorEnv("tournament", num_envs=2)
>>> observations, infos = envs.reset(seed=1)
>>> actions = observations["action_mask"].argmax(axis=1)
>>> observations, rewards, terminated, truncated, infos = envs.step(actions)
>>> rewards.shape, infos["turn"].shape
((2, 4), (2,))
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space

from euchre_env.batch import MAX_TABLES, GameBatch
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.envs import _kernels as kernels
from euchre_env.envs.action_space import ActionSpace
from euchre_env.envs.aec import Episode, Observation, Reward, seen_space
from euchre_env.envs.autoreset import AutoresetMode, as_mode, tables_to_reset, whole_actions
from euchre_env.errors import IllegalActionError, StateError, flag, whole_number
from euchre_env.ruleset import Ruleset

Bools = npt.NDArray[np.bool_]
Step = tuple[Observation, npt.NDArray[np.float32], Bools, Bools, dict[str, Any]]
_MODES = (AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)


class EuchreVectorEnv:
    """`num_envs` tables of one ruleset. The seats are 0 ..., clockwise; of four, 0 and 2 are partners.

    `ruleset`, `episode`, `reward`, `canonical_suits`, `max_hands`: as in `euchre_v0.env`. `skip_forced`: moves that are
    no choice are played unasked. `hidden`: `infos["hidden"]` has what the seat to move may not see, for critics.
    `autoreset_mode`: "SameStep", where a finished table shows its next episode at once, or "Disabled", where it rests
    until `reset(options={"reset_mask": [N] bool})`. `copy=False` hands out the arrays that the next step writes into.

    Every row of the observations is what the seat in `infos["turn"]` sees and may do; -1, and a mask of zeros, at rest.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        *,
        num_envs: int = 1,
        episode: Episode = "game",
        reward: Reward = "zero_sum",
        canonical_suits: bool = False,
        skip_forced: bool = False,
        hidden: bool = False,
        max_hands: int = 200,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
    ) -> None:
        self.autoreset_mode = as_mode(autoreset_mode)
        if self.autoreset_mode not in _MODES:
            raise ValueError(
                "autoreset_mode is 'NextStep': a step of self-play has no seat to tell; choose 'SameStep'."
            )
        self.batch = GameBatch(
            ruleset,
            whole_number("num_envs", num_envs, 1, MAX_TABLES),
            episode=episode,
            reward=reward,
            hidden=hidden,
            canonical_suits=canonical_suits,
            skip_forced=skip_forced,
            autoreset=self.autoreset_mode is AutoresetMode.SAME_STEP,
            max_hands=max_hands,
        )
        self.metadata = {"autoreset_mode": self.autoreset_mode}
        self.ruleset, self.num_envs = self.batch.ruleset, self.batch.num_tables
        self.num_seats, self.reward = self.ruleset.num_seats, reward
        self.single_observation_space = seen_space()
        self.single_action_space = ActionSpace(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._copy = flag("copy", copy)
        self._hidden = flag("hidden", hidden)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode at every table, or at those of `options["reset_mask"]` `[N]` bool.

        Without a seed chance goes on where it was. Returns observations and infos.
        """
        rows = tables_to_reset(options, self.num_envs, begun=self._begun)
        if seed is not None or not self._begun:
            self._generator = np.random.default_rng(seed)
        self._begun = True
        self.batch.restart(rows, self._generator.integers(2**63, size=len(rows)))
        return self._seen(), self._infos()

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play an action of the seat to move at every table `[N]`; tables at rest ignore theirs.

        Returns observations, rewards `[N, seats]` float32, terminated and truncated `[N]`, and infos.
        IllegalActionError names the first table whose action is not legal, and nothing is played then.
        """
        if not self._begun:
            raise StateError("there are no episodes yet: call reset().")
        chosen, legal = whole_actions(actions, self.num_envs), self.batch.legal
        at = np.flatnonzero(legal)
        wrong = kernels.first_illegal(legal[at], chosen[at])
        if wrong >= 0:
            row = at[wrong]
            raise IllegalActionError(f"table {row}: action {chosen[row]} is not legal; see its action_mask.")
        self.batch.step(chosen)
        dones, truncated = self.batch.dones, self.batch.truncated.copy()
        rewards = self._own(self.batch.rewards[:, : self.num_seats])
        return self._seen(), rewards, dones & ~truncated, truncated, self._infos()

    def _own(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array

    def _seen(self) -> Observation:
        return {"observation": self._own(self.batch.observations), "action_mask": self.batch.masks()}

    def _infos(self) -> dict[str, Any]:
        infos = {"turn": self._own(self.batch.turn), "hand_over": self._own(self.batch.hand_over)}
        return infos | ({"hidden": self._own(self.batch.hidden)} if self._hidden else {})

    @property
    def turn(self) -> npt.NDArray[np.int8]:
        """The seat to move at every table `[N]`, -1 at rest."""
        return self.batch.turn

    def action_masks(self) -> Bools:
        """Return what every seat to move may do as bools `[N, NUM_ACTIONS]`."""
        return self.batch.masks().astype(np.bool_)

    def close(self) -> None:
        """Nothing is open; for code that closes every environment."""
