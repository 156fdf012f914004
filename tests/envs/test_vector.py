"""Self-play at many tables: every seat is paid what the AEC environment pays it, and illegal actions change nothing."""

import copy
from functools import partial
from typing import Any

import numpy as np
import pytest

from euchre_env import euchre_v0
from euchre_env.envs.vector import EuchreVectorEnv
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.testing import check_env


def legal_choice(mask: Any, rng: np.random.Generator) -> Any:
    return (mask * rng.random(mask.shape)).argmax(axis=1)


@pytest.mark.parametrize("ruleset", ["tournament", "three_handed", "two_handed", "cincinnati"])
@pytest.mark.parametrize("canonical", [False, True])
def test_a_table_is_an_aec_table(ruleset: str, canonical: bool) -> None:
    """The same state set into an AEC environment shows, allows and pays the same."""
    envs = EuchreVectorEnv(ruleset, num_envs=3, episode="hand", canonical_suits=canonical)
    table = euchre_v0.raw_env(ruleset, episode="hand", canonical_suits=canonical)
    table.reset(seed=0)
    seen, infos = envs.reset(seed=7)
    rng = np.random.default_rng(1)
    for _ in range(60):
        table.set_state(table.get_state() | {"state": envs.batch.states[:1].copy(), "selected": int(infos["turn"][0])})
        shown = table.observe(table.agent_selection)
        assert table.agent_selection == f"player_{infos['turn'][0]}"
        assert np.array_equal(shown["observation"], seen["observation"][0])
        assert np.array_equal(shown["action_mask"], seen["action_mask"][0])
        actions = legal_choice(seen["action_mask"], rng)
        table.step(int(actions[0]))
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        assert [table.rewards.get(agent, 0.0) for agent in table.possible_agents] == rewards[0].tolist()
        assert (terminated[0], truncated[0]) == (any(table.terminations.values()), False)
        if terminated[0]:
            table.reset()


def test_tables_rest_until_they_are_reset() -> None:
    envs = EuchreVectorEnv("tournament", num_envs=4, episode="hand", autoreset_mode="Disabled", skip_forced=True)
    seen, infos = envs.reset(seed=0)
    rng, paid, over = np.random.default_rng(0), np.zeros((4, 4)), np.zeros(4, dtype=bool)
    while (infos["turn"] >= 0).any():
        seen, rewards, terminated, _, infos = envs.step(legal_choice(seen["action_mask"], rng))
        paid += rewards
        over |= terminated
    assert over.all()
    assert not seen["action_mask"].any()
    assert not envs.action_masks().any()
    assert np.array_equal(paid[:, 0], -paid[:, 1])
    assert np.array_equal(paid[:, 0], paid[:, 2])
    seen, infos = envs.reset(options={"reset_mask": np.array([True, False, True, False])})
    assert (infos["turn"] >= 0).tolist() == [True, False, True, False]
    assert np.array_equal(envs.turn, infos["turn"])


def test_seeds() -> None:
    envs, twin = (EuchreVectorEnv("tournament", num_envs=5) for _ in range(2))
    one, other = envs.reset(seed=3)[0], twin.reset(seed=3)[0]
    assert np.array_equal(one["observation"], other["observation"])
    assert not np.array_equal(envs.reset()[0]["observation"], one["observation"])
    assert np.array_equal(envs.reset(seed=3)[0]["observation"], one["observation"])


def test_copies_and_arrays_in_place() -> None:
    for own in (True, False):
        envs = EuchreVectorEnv("tournament", num_envs=5, copy=own, hidden=True)
        seen, infos = envs.reset(seed=3)
        kept, turns = seen["observation"].copy(), infos["turn"].copy()
        envs.step(seen["action_mask"].argmax(axis=1))
        assert np.array_equal(kept, seen["observation"]) is own
        assert np.array_equal(turns, infos["turn"]) is own
        assert infos["hidden"].shape == envs.batch.hidden.shape
    assert envs.observation_space.contains(envs.reset(seed=1)[0])


def test_illegal_actions_change_nothing() -> None:
    envs = EuchreVectorEnv("tournament", num_envs=3)
    with pytest.raises(StateError, match="call reset"):
        envs.step([33, 33, 33])
    envs.reset(seed=3)
    before = envs.batch.states.copy()
    for wrong in (0, 62, -1):
        with pytest.raises(IllegalActionError, match=f"table 1: action {wrong} is not legal"):
            envs.step([33, wrong, 33])
    with pytest.raises(ValueError, match="it needs 3 whole numbers"):
        envs.step([33, 33])
    assert np.array_equal(before, envs.batch.states)
    with pytest.raises(ValueError, match="choose 'SameStep'"):
        EuchreVectorEnv(autoreset_mode="NextStep")
    envs.close()


@pytest.mark.parametrize("ruleset", ["tournament", "three_handed", "cincinnati"])
@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_the_kit_accepts_it(ruleset: str, mode: str) -> None:
    for episode in ("hand", "game"):
        settings: dict[str, Any] = {"num_envs": 6, "episode": episode, "autoreset_mode": mode, "max_hands": 3}
        check_env(partial(EuchreVectorEnv, ruleset, **settings))


def test_copies_go_on_alike() -> None:
    """Their rewards and ends are their own, and live."""
    envs = EuchreVectorEnv("tournament", num_envs=4, episode="hand")
    seen, _ = envs.reset(seed=1)
    twin, paid, rng = copy.deepcopy(envs), np.zeros(2), np.random.default_rng(0)
    for _ in range(40):
        actions = legal_choice(seen["action_mask"], rng)
        seen, rewards, *_ = envs.step(actions)
        paid += np.abs(rewards).sum(), np.abs(twin.step(actions)[1]).sum()
    assert paid[0] == paid[1] > 0
