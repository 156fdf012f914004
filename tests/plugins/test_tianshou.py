"""Tianshou: what its learners are fed is what the table paid, legal, seat by seat; they learn, and can be kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces
from safetensors.torch import load_file, save_file
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from examples import tianshou_two_learners as example
from tests.plugins import documented

pytestmark = pytest.mark.plugin

SEATS = [f"player_{seat}" for seat in range(4)]
HANDS = 1000


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def env() -> PettingZooEnv:
    return example.make_env()


class Ledger(PettingZooEnv):
    """A table that notes the points of its hands, which its scores say."""

    paid: np.ndarray[Any, Any]

    def step(self, action: Any) -> Any:
        outcome = super().step(action)
        if outcome[2]:
            ours, theirs = self.env.unwrapped.game().scores
            self.paid += np.array([ours - theirs, theirs - ours] * 2)
        return outcome


class Witness(example.FixedPlayer):
    """A player that keeps the rows that it is given to learn from."""

    def _preprocess_batch(self, batch: Batch, buffer: Any, indices: Any) -> Batch:
        self.rows = batch
        return batch


@pytest.fixture(scope="module")
def played(env: PettingZooEnv) -> tuple[list[Batch], Any, Any]:
    """Return the rows of each seat of many hands, all rows as they were collected, and what the tables paid."""
    Ledger.paid = np.zeros(4)
    players = [Witness(env.action_space) for _ in SEATS]
    table = example.SeatsApart(algorithms=players, env=env)
    envs = DummyVectorEnv([lambda: Ledger(example.make_env().env) for _ in range(128)])
    buffer = VectorReplayBuffer(4 * HANDS * example.LONGEST_HAND, 128)
    Collector(table, envs, buffer).collect(n_episode=HANDS, reset_before_collect=True)
    rows = buffer.sample(0)[0]
    with policy_within_training_step(table.policy):
        table.update(buffer, None, 1)
    return [player.rows for player in players], rows, Ledger.paid


def test_spaces(env: PettingZooEnv) -> None:
    assert env.agents == SEATS
    assert isinstance(env.observation_space, spaces.Dict)
    assert env.action_space.n == 62


def test_every_action_is_legal(played: Any) -> None:
    rows = played[1]
    assert rows.terminated.sum() == HANDS
    assert rows.obs.mask[np.arange(len(rows)), rows.act].all()


def test_rewards_are_conserved(played: Any) -> None:
    seats, _, paid = played
    assert np.abs(paid).min() > 0
    assert [rows.rew.sum() for rows in seats] == paid.tolist()


def test_each_seat_sees_episodes_of_its_own(played: Any) -> None:
    for seat, rows in zip(SEATS, played[0], strict=True):
        assert set(rows.obs.agent_id) == {seat}
        assert rows.terminated.sum() == HANDS
        going_on = np.flatnonzero(~rows.terminated)
        assert np.array_equal(rows.obs_next.obs[going_on], rows.obs.obs[going_on + 1])
        assert (rows.obs.mask[rows.terminated].sum(axis=1) == 1).all(), "an episode ends with a closing turn"


@pytest.mark.parametrize("separate", [False, True])
def test_an_update_changes_the_learners_and_nothing_is_left_to_chance(env: PettingZooEnv, separate: bool) -> None:
    weights = []
    for _ in range(2):
        example.seed_everything(1)
        first = example.make_learner(env)
        second = example.make_learner(env) if separate else first
        before = [parameter.clone() for learner in (first, second) for parameter in learner.policy.parameters()]
        table = example.make_table(env, (first, second))
        example.make_trainer(table, tables=8, hands=16, seed=5).execute_epoch()
        after = [parameter for learner in (first, second) for parameter in learner.policy.parameters()]
        assert all(torch.isfinite(parameter).all() for parameter in after)
        assert not any(torch.equal(old, new) for old, new in zip(before, after, strict=True))
        assert table.decisions > 4 * 16
        weights.append(after)
    assert all(torch.equal(one, other) for one, other in zip(*weights, strict=True))


def test_a_saved_learner_plays_the_same(env: PettingZooEnv, played: Any, tmp_path: Path) -> None:
    rows, path = played[0][0], tmp_path / "learner.safetensors"
    learner, other = example.make_learner(env), example.make_learner(env)
    save_file(learner.policy.state_dict(), path)
    chosen = example.chooser(learner)(rows.obs.obs, rows.obs.mask)
    assert not np.array_equal(example.chooser(other)(rows.obs.obs, rows.obs.mask), chosen)
    other.policy.load_state_dict(load_file(path))
    assert np.array_equal(example.chooser(other)(rows.obs.obs, rows.obs.mask), chosen)
    assert rows.obs.mask[np.arange(len(rows)), chosen].all()


@pytest.mark.slow
def test_it_learns(capsys: pytest.CaptureFixture[str]) -> None:
    assert example.main([]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["mean"] > 0.3


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("Tianshou"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)
