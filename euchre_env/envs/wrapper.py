"""EuchreEnv: what `env()` adds to the raw table: call order, bounds of actions, and what an illegal action leads to.

One class in place of PettingZoo's OrderEnforcing, AssertOutOfBounds and TerminateIllegal wrappers, with their errors
and warnings, at a fraction of their cost. `tests/envs/test_wrapper.py` holds it against the three.

>>> from euchre_env import euchre_v0
>>> env = euchre_v0.env(illegal="raise")
>>> env.reset(seed=1)
>>> env.step(48)
Traceback (most recent call last):
    ...
euchre_env.errors.IllegalActionError: order up is due: pass, order up (2.3).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import BaseWrapper

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.envs.aec import EuchreAEC, Observation
from euchre_env.errors import finite, unknown

Illegal = Literal["terminate", "raise", "random"]
# What actions come as; others take the slow way through `Discrete.contains`.
_COMMON = (int, np.int64)
ILLEGAL: tuple[Illegal, ...] = ("terminate", "raise", "random")
_AFTER_RESET = ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents")


def check_illegal(illegal: str) -> Illegal:
    """Return a way with illegal actions; ValueError for an unknown one."""
    for way in ILLEGAL:
        if illegal == way:
            return way
    raise ValueError(unknown("way with illegal actions", illegal, ILLEGAL))


class EuchreEnv(BaseWrapper):  # type: ignore[misc]
    """A table with its checks. `illegal` says what an illegal action does.

    "terminate" ends the episode with `illegal_reward` for the seat that acted and 0 for the others, as PettingZoo does;
    "raise" raises IllegalActionError with the reason and changes nothing; "random" plays a legal action instead.
    """

    def __init__(self, env: EuchreAEC, illegal: Illegal = "terminate", illegal_reward: float = -1.0) -> None:
        super().__init__(env)
        self._illegal = check_illegal(illegal)
        self._illegal_reward = finite("illegal_reward", illegal_reward)
        self._has_reset = False
        self._has_updated = False

    def __getattr__(self, name: str) -> Any:
        """Forward public attributes; those of an episode only once there is one."""
        if name in _AFTER_RESET and not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return super().__getattr__(name)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode: see `EuchreAEC.reset`."""
        self.env.reset(seed=seed, options=options)
        self._has_reset = True
        self._has_updated = True

    def step(self, action: int | None) -> None:
        """Play an action of the selected seat: AssertionError outside the action space or before `reset`."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        raw = self.env
        self._has_updated = True
        if not raw.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        number = int(action) if action is not None and type(action) in _COMMON else None
        if number is None or not 0 <= number < NUM_ACTIONS:
            self._check_bounds(action)
            number = None if action is None else int(action)
        if number is None or raw.is_legal(number):
            raw.step(number)
        else:
            self._act_illegally(number)

    def _check_bounds(self, action: int | None) -> None:
        raw = self.env
        mover = raw.agent_selection
        is_done = raw.terminations[mover] or raw.truncations[mover]
        assert (action is None and is_done) or raw.action_space(mover).contains(action), "action is not in action space"

    def _act_illegally(self, action: int) -> None:
        raw = self.env
        if self._illegal == "terminate":
            EnvLogger.warn_on_illegal_move()
            raw.end_by_illegal_action(self._illegal_reward)
        else:
            raw.step(raw.random_legal_action() if self._illegal == "random" else action)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last turn, termination, truncation and info of the selected seat."""
        if not self._has_reset:
            raise AttributeError("agent_selection cannot be accessed before reset")
        raw = self.env
        agent = raw.agent_selection
        return (
            raw.observe(agent) if observe else None,
            raw._cumulative_rewards[agent],
            raw.terminations[agent],
            raw.truncations[agent],
            raw.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """Return what a seat sees: see `EuchreAEC.observe`; AssertionError before `reset`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.observe(agent)  # type: ignore[no-any-return]

    def state(self) -> npt.NDArray[np.int8]:
        """Return all that is known at the table: see `EuchreAEC.state`; AssertionError before `reset`."""
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return self.env.state()  # type: ignore[no-any-return]

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return or show a picture of the table: see `EuchreAEC.render`; AssertionError before `reset`."""
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return self.env.render()  # type: ignore[no-any-return]

    def agent_iter(self, max_iter: int = 2**63) -> "_Turns":
        """Iterate over the seats to move; each turn needs a `step`. AssertionError before `reset`."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)

    def get_state(self) -> dict[str, Any]:
        """Return everything that the episode's future depends on: see `EuchreAEC.get_state`."""
        return self.env.get_state()  # type: ignore[no-any-return]

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a saved state: see `EuchreAEC.set_state`."""
        self.env.set_state(state)
        self._has_reset = True
        self._has_updated = True

    def clone(self) -> "EuchreEnv":
        """Return an independent environment in the same position, with the same ways."""
        other = EuchreEnv(self.env.clone(), self._illegal, self._illegal_reward)
        other._has_reset, other._has_updated = self._has_reset, self._has_updated
        return other

    def __str__(self) -> str:
        return str(self.env)


class _Turns:
    """The iterable of `agent_iter`."""

    def __init__(self, env: EuchreEnv, max_iter: int) -> None:
        self._env = env
        self._max_iter = max_iter

    def __iter__(self) -> Iterator[str]:
        env, raw, left = self._env, self._env.env, self._max_iter
        while raw.agents and left > 0:
            left -= 1
            agent = raw.agent_selection
            assert env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            env._has_updated = False
            yield agent
