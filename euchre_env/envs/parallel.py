"""EuchreParallel: the turn-based parallel view. All seats are asked at every step, only the one to move is heard.

`infos[agent]["active_agent"]` names the seat to move (None at the end). PettingZoo's own conversion returns four values
once the game is over and refuses games of turns in its other form; this view always returns five.

>>> from euchre_env import euchre_v0
>>> env = euchre_v0.parallel_env(ruleset="tournament")
>>> observations, infos = env.reset(seed=7, options={"dealer": 0})
>>> infos["player_3"]["active_agent"]
'player_1'
>>> rewards = env.step({"player_1": 33})[1]
>>> env.active_agent, rewards["player_1"]
('player_2', 0.0)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import ParallelEnv

from euchre_env.envs.aec import Observation
from euchre_env.envs.wrapper import EuchreEnv
from euchre_env.errors import IllegalActionError, StateError

Step = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class EuchreParallel(ParallelEnv):  # type: ignore[misc]
    """The parallel view of an AEC environment, which it owns."""

    def __init__(self, aec_env: EuchreEnv) -> None:
        self.aec_env = aec_env
        self.metadata = aec_env.metadata
        self.possible_agents: list[str] = aec_env.possible_agents
        self.agents: list[str] = []
        self._begun = False
        self.render_mode = aec_env.render_mode
        self.state_space: spaces.Box = aec_env.state_space

    @property
    def active_agent(self) -> str | None:
        """The seat to move; None once the episode is over."""
        return str(self.aec_env.agent_selection) if self.agents else None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a seat's observation, always the same object."""
        return self.aec_env.observation_space(agent)  # type: ignore[no-any-return]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of a seat's actions, always the same object."""
        return self.aec_env.action_space(agent)  # type: ignore[no-any-return]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start an episode (`EuchreAEC.reset`) and return every seat's observation and info."""
        self.aec_env.reset(seed=seed, options=options)
        self.agents = self.aec_env.agents[:]
        self._begun = True
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, int | None]) -> Step:
        """Play the action of the seat to move and ignore the others; IllegalActionError if it has none.

        Returns observations, rewards, terminations, truncations and infos of all seats; empty once nobody is left.
        """
        mover = self.active_agent
        if mover is None and not self._begun:
            raise StateError("there is no episode yet: call reset() first.")
        if mover is None:
            return {}, {}, {}, {}, {}
        if actions.get(mover) is None:
            raise IllegalActionError(f"{mover} is to move, and the actions hold none for it.")
        env = self.aec_env
        env.step(actions[mover])
        rewards, terminations, truncations = dict(env.rewards), dict(env.terminations), dict(env.truncations)
        observations = self._observations()
        if any(terminations.values()) or any(truncations.values()):
            self.agents = []
        infos = self._infos()
        while not self.agents and env.agents:
            env.step(None)
        return observations, rewards, terminations, truncations, infos

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.aec_env.observe(agent) for agent in self.possible_agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {**info, "active_agent": self.active_agent} for agent, info in self.aec_env.infos.items()}

    def state(self) -> npt.NDArray[np.int8]:
        """Return all that is known at the table: see `EuchreAEC.state`."""
        return self.aec_env.state()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return or show a picture of the table: see `EuchreAEC.render`."""
        return self.aec_env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.aec_env.close()

    def get_state(self) -> dict[str, Any]:
        """Return everything that the episode's future depends on: see `EuchreAEC.get_state`."""
        return self.aec_env.get_state()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a saved state: see `EuchreAEC.set_state`."""
        self.aec_env.set_state(state)
        self.agents = self.aec_env.agents[:]
        self._begun = True

    def clone(self) -> "EuchreParallel":
        """Return an independent view of an independent table in the same position."""
        other = EuchreParallel(self.aec_env.clone())
        other.agents = self.agents[:]
        other._begun = self._begun
        return other
