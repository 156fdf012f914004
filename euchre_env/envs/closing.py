"""ClosingTurns: a table at which every seat has one more turn once the episode has ended, and is paid at its own turns.

For learners that credit a reward to the seat that has just acted (Tianshou), or forget a seat that never acted (RLlib).
A hand's points come when somebody plays the last card, and a lone maker's partner may not act in a hand at all: such
learners lose most of them. `euchre_v0.env(closing_turns=True)` gives the table its checks.

Two things differ from `EuchreAEC`:

* `rewards` after a step names an amount for the seat that took it alone: what it has earned since the turn before. So
  the credit for an action may come one own turn later, which changes no sum, and nothing for a discount of 1.
* When the episode has ended, by an illegal action as well, each seat is selected once more in the order of the seats:
  alive, seeing the final position, with `pass` as its one legal action. Whatever it does is ignored; the step pays what
  it is still owed. After the last of these turns all seats are done as usual.

One legal action, where seats that are done have a mask of all ones: a learner that takes the best value over a mask, or
an entropy over it, would otherwise learn sixty values of actions that do nothing.

>>> env = ClosingTurns(ruleset="tournament", episode="hand")
>>> env.reset(seed=1)
>>> while not env.is_closing:
...     env.step(env.random_legal_action())
>>> env.agent_selection, env.legal_actions(), env.terminations["player_0"]
('player_0', [33], False)
>>> env.step(33)
>>> env.rewards, env.agent_selection
({'player_0': -2.0, 'player_1': 0, 'player_2': 0, 'player_3': 0}, 'player_1')
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from euchre_env.engine.layout import NUM_ACTIONS, PASS
from euchre_env.envs.aec import STATE_VERSION, EuchreAEC
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.policies import Policy

# States with closing turns are not taken by a table without them, nor the other way round.
CLOSING_STATE_VERSION = 100 + STATE_VERSION
_SAVED = ("owed", "closing_seat", "ending")
_NOBODY = -1


class ClosingTurns(EuchreAEC):
    """A table whose episodes end with a turn of every seat; it takes the arguments of `EuchreAEC`."""

    _closing_seat = _NOBODY

    @property
    def is_closing(self) -> bool:
        """Whether the episode has ended and the selected seat has its closing turn."""
        return self._closing_seat != _NOBODY

    def step(self, action: int | None) -> None:
        """Play an action of the selected seat, any action id at a closing turn, None once it is done."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            super().step(action)
        elif self.is_closing:
            self._close(mover, action)
        else:
            super().step(action)
            self._settle(mover)

    def end_by_illegal_action(self, reward: float) -> None:
        """End the episode because the selected seat acted illegally: it gets `reward`, everyone else nothing."""
        mover = self.agent_selection
        super().end_by_illegal_action(reward)
        self._settle(mover)

    def _clear_books(self) -> None:
        super()._clear_books()
        self._owed = dict.fromkeys(self.agents, 0.0)
        self._closing_seat = _NOBODY
        self._ending = (False, False)

    def _accumulate_rewards(self) -> None:
        """Note what the seats have just earned; they are told at their own steps."""
        for agent, reward in self.rewards.items():
            self._owed[agent] += reward
        self._clear_rewards()

    def _settle(self, mover: str) -> None:
        """Pay the seat whose step it is all that it is owed."""
        owed = self._owed[mover]
        if owed:
            self._owed[mover] = 0.0
            self.rewards[mover] = self._cumulative_rewards[mover] = owed
            self._paid = True

    def _end(self, terminated: bool, truncated: bool) -> None:
        self._ending = (terminated, truncated)
        self._select_closing(0)

    def _select_closing(self, seat: int) -> None:
        self._closing_seat = seat
        self._legal = 1 << PASS
        self._mask[:] = 0
        self._mask[PASS] = 1
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {"action_mask": np.zeros(NUM_ACTIONS, dtype=np.int8)} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"][PASS] = 1

    def _close(self, mover: str, action: int | None) -> None:
        """Take the closing turn of a seat."""
        if action is None or not 0 <= action < NUM_ACTIONS:
            raise IllegalActionError(self.why_not(action))
        self._cumulative_rewards[mover] = 0.0
        self._clear_rewards()
        self._settle(mover)
        following = self._closing_seat + 1
        if following < len(self.possible_agents):
            self._select_closing(following)
        else:
            self._closing_seat = _NOBODY
            super()._end(*self._ending)

    def is_legal(self, action: int) -> bool:
        """Whether the selected seat may do this; at a closing turn it may do anything."""
        return self.is_closing or super().is_legal(action)

    def why_not(self, action: int | None) -> str:
        """Return the sentence that says why the selected seat may not do this."""
        if self.is_closing and action is not None and 0 <= action < NUM_ACTIONS:
            return "the episode has ended: a closing turn takes any action and ignores it."
        return super().why_not(action)

    def choose(self, policy: Policy, rng: np.random.Generator) -> int:
        """Return what a player of ours would do at the selected seat; it is not asked at a closing turn."""
        return PASS if self.is_closing else super().choose(policy, rng)

    def get_state(self) -> dict[str, Any]:
        """Return all that the episode's future depends on: see `EuchreAEC.get_state`."""
        return super().get_state() | {
            "version": CLOSING_STATE_VERSION,
            "owed": self._by_seat(self._owed),
            "closing_seat": self._closing_seat,
            "ending": np.array(self._ending),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what `get_state` returned; StateError if that was an environment without closing turns."""
        if state.get("version") != CLOSING_STATE_VERSION:
            raise StateError(f"this is no state of version {CLOSING_STATE_VERSION}, which has closing turns.")
        missing = [name for name in _SAVED if name not in state]
        if missing:
            raise StateError(f"the state lacks {', '.join(missing)}.")
        seats = len(self.possible_agents)
        if np.shape(state["owed"]) != (seats,) or np.shape(state["ending"]) != (2,):
            raise StateError("the state holds owed or ending of another shape.")
        closing = int(state["closing_seat"])
        if not _NOBODY <= closing < seats:
            raise StateError(f"closing_seat is {closing}: it must be a seat from 0 to {seats - 1}, or -1.")
        super().set_state({**state, "version": STATE_VERSION})
        self._owed = dict(zip(self.possible_agents, np.asarray(state["owed"]).tolist(), strict=True))
        self._ending = (bool(state["ending"][0]), bool(state["ending"][1]))
        if closing != _NOBODY:
            self._select_closing(closing)
