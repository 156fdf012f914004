"""The conformance kit finds what is wrong with the environments of many tables."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from euchre_env.envs.vector import EuchreVectorEnv
from euchre_env.testing import check_env


class FaultySeats(EuchreSeatVectorEnv):
    """Seats of many tables whose environment does one thing wrong."""

    fault = ""

    def step(self, actions: Any) -> Any:
        over = self._told.copy()
        seen, rewards, terminated, truncated, infos = super().step(actions)
        if self.fault == "paid":
            rewards = rewards + over
        if self.fault == "mask":
            seen["action_mask"][0] = 0
            infos["action_mask"][0] = 0
        if self.fault == "final":
            infos["_final_obs"] = np.zeros_like(terminated)
        if self.fault == "shape":
            rewards = rewards[:, None]
        if self.fault == "nothing":
            rewards = rewards * 0
        if self.fault == "double":
            rewards = rewards * 2
        if self.fault == "ones":
            seen["action_mask"][:] = infos["action_mask"][:] = 1
        if self.fault == "empty" and "final_obs" in infos:
            for row in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][row]["observation"] = infos["final_obs"][row]["observation"] * 0
        if self.fault == "buffer":
            self._kept = getattr(self, "_kept", seen["observation"])
            self._kept[:] = seen["observation"]
            seen["observation"] = self._kept
        return seen, rewards, terminated, truncated, infos


@pytest.mark.parametrize(
    ("fault", "mode", "words"),
    [
        ("paid", "NextStep", "starts anew is paid"),
        ("mask", "NextStep", "of a table is all zero"),
        ("final", "SameStep", "final_obs is not of the tables"),
        ("shape", "Disabled", "rewards has shape"),
        ("nothing", "SameStep", "the seat was paid 0.0"),
        ("double", "NextStep", "the seat was paid"),
        ("ones", "NextStep", "shows 62 legal actions"),
        ("empty", "SameStep", "a final observation is empty"),
        ("buffer", "NextStep", "changes observations handed out before"),
    ],
)
def test_vector_faults_are_found(monkeypatch: pytest.MonkeyPatch, fault: str, mode: str, words: str) -> None:
    monkeypatch.setattr(FaultySeats, "fault", fault)
    settings: dict[str, Any] = {"num_envs": 3, "episode": "hand", "opponents": "random", "autoreset_mode": mode}
    with pytest.raises(AssertionError, match=words):
        check_env(partial(FaultySeats, "tournament", **settings))


class FaultySelfPlay(EuchreVectorEnv):
    """Self-play that does one thing wrong."""

    fault = ""

    def step(self, actions: Any) -> Any:
        seen, rewards, terminated, truncated, infos = super().step(actions)
        if self.fault == "nothing":
            rewards = rewards * 0
        if self.fault == "mask":
            seen["action_mask"][0] = 0
        return seen, rewards, terminated, truncated, infos


@pytest.mark.parametrize(("fault", "words"), [("nothing", "was paid 0.0"), ("mask", "exactly where a seat is to move")])
def test_self_play_faults_are_found(monkeypatch: pytest.MonkeyPatch, fault: str, words: str) -> None:
    monkeypatch.setattr(FaultySelfPlay, "fault", fault)
    with pytest.raises(AssertionError, match=words):
        check_env(partial(FaultySelfPlay, "tournament", num_envs=4, episode="hand"))
