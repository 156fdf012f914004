"""AgileRL's DQN: it plays legally, its replay buffer holds every reward of its seat, and it learns."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from tests.plugins import documented
from tests.plugins.payments import Payments

with warnings.catch_warnings():
    # AgileRL says of a class of its own, as it is imported, that it will go.
    warnings.filterwarnings("ignore", "MakeEvolvable will be deprecated", DeprecationWarning)
    from agilerl.algorithms import DQN
    from agilerl.components.replay_buffer import ReplayBuffer

    from examples.agilerl_dqn import Chooser, MaskedDQN, flat, make_learner, make_tables, play, train

pytestmark = pytest.mark.plugin


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks so small gain nothing from a second thread, and lose a lot on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def remember(tables: EuchreSeatVectorEnv, learner: DQN, rounds: int) -> dict[str, Any]:
    """What a replay buffer holds after so many rounds, as arrays `[rounds, num_envs, ...]`."""
    memory = ReplayBuffer(rounds * tables.num_envs)
    seen: Any = tables.reset(seed=1)[0]
    for _ in range(rounds):
        seen = play(learner, tables, memory, seen, epsilon=0.5)
    assert memory.is_full
    stored: Any = memory.storage
    return {name: np.asarray(values).reshape(rounds, tables.num_envs, -1) for name, values in stored.items()}


def test_spaces_hold_what_the_learner_is_shown() -> None:
    learner = make_learner(1)
    seen = make_tables(4).reset(seed=1)[0]
    assert flat(seen).shape == (4, OBSERVATION_SIZE + NUM_ACTIONS)
    assert all(learner.observation_space.contains(row) for row in flat(seen))


def test_the_replay_buffer_holds_every_reward_of_the_seat() -> None:
    tables = make_tables(64, illegal="raise")
    paid = Payments(tables)
    held = remember(tables, make_learner(1), rounds=120)
    rewards, dones = held["reward"][..., 0], held["done"][..., 0]
    kept: list[float] = []
    for row, theirs in enumerate(paid.episodes):
        ends = np.flatnonzero(dones[:, row]) + 1
        ours = [float(rewards[begin:end, row].sum()) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
        assert ours == theirs
        kept += ours
    assert len(kept) >= 1000
    assert sum(reward < 0 for reward in kept) > 100
    assert sum(reward > 0 for reward in kept) > 100
    # Hands that a partner played alone before the seat's first turn: one step, in which everything is allowed.
    early = (held["obs"][..., -NUM_ACTIONS:] == 1).all(axis=2)
    assert early.any()
    assert dones[early].all()
    assert (rewards[early] != 0).all()


def test_what_is_remembered_is_legal_and_follows_itself() -> None:
    held = remember(make_tables(16, illegal="raise"), make_learner(1), rounds=60)
    masks, actions = held["obs"][..., -NUM_ACTIONS:], held["action"][..., 0].astype(int)
    assert (np.take_along_axis(masks, actions[..., None], axis=2) == 1).all()
    goes_on = held["done"][:-1, :, 0] == 0
    np.testing.assert_array_equal(held["next_obs"][:-1][goes_on], held["obs"][1:][goes_on])
    ended = held["next_obs"][held["done"][..., 0] == 1]
    assert (ended[:, -NUM_ACTIONS:] == 1).all()


def test_an_update_takes_the_best_legal_action_in_its_target() -> None:
    learner = make_learner(1, tau=1.0)
    held = remember(make_tables(16), learner, rounds=20)
    batch = {name: torch.as_tensor(values.reshape(320, -1), dtype=torch.float32) for name, values in held.items()}
    with torch.no_grad():
        values = learner.actor(batch["next_obs"]).numpy()
        before = learner.actor(batch["obs"]).gather(1, batch["action"].long()).numpy()
    legal = np.where(batch["next_obs"][:, -NUM_ACTIONS:] == 1, values, -np.inf).max(axis=1, keepdims=True)
    target = batch["reward"].numpy() + legal * (1 - batch["done"].numpy())
    names = ("obs", "action", "reward", "next_obs", "done")
    loss = learner.update(*(batch[name] for name in names))
    assert float(loss) == pytest.approx(float(((before - target) ** 2).mean()), rel=1e-4)
    assert not np.allclose(values, learner.actor(batch["next_obs"]).detach().numpy())


def test_a_loaded_learner_plays_the_same(tmp_path: Path) -> None:
    learner, tables = make_learner(1, batch_size=64), make_tables(64, illegal="raise")
    memory = ReplayBuffer(2048)
    seen: Any = tables.reset(seed=1)[0]
    for _ in range(10):
        seen = play(learner, tables, memory, seen, epsilon=0.5)
        learner.learn(memory.sample(learner.batch_size))
    learner.save_checkpoint(str(tmp_path / "learner.pt"))
    loaded = MaskedDQN.load(str(tmp_path / "learner.pt"))
    for _ in range(10):
        actions = Chooser(learner)(seen["observation"], seen["action_mask"])
        np.testing.assert_array_equal(actions, Chooser(loaded)(seen["observation"], seen["action_mask"]))
        assert seen["action_mask"][np.arange(64), actions].all()
        seen = tables.step(actions)[0]


@pytest.mark.slow
def test_it_learns_to_beat_random_players() -> None:
    curve = train(seconds=90.0, seed=1)
    assert curve.finish()
    first, last = curve.points[0][1], curve.points[-1][1]
    assert first.high is not None
    assert last.low is not None
    assert last.low > first.high


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("AgileRL"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)
