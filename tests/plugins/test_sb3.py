"""sb3-contrib's MaskablePPO: it finds the masks, plays legally, sees every reward of its seat, and learns."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecExtractDictObs, VecMonitor

from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from euchre_env.envs.single_agent import EuchreSeatEnv
from examples.sb3_maskable_ppo import RULESET, Chooser, make_learner, make_tables, train
from examples.sb3_vec_env import SeatVecEnv
from tests.plugins import documented
from tests.plugins.payments import Payments

pytestmark = pytest.mark.plugin

COMPANY: dict[str, Any] = {"opponents": "random", "partner": "random", "episode": "hand", "illegal": "raise"}
SMALL: dict[str, Any] = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "device": "cpu"}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks so small gain nothing from a second thread, and lose a lot on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def one_seat() -> EuchreSeatEnv:
    return EuchreSeatEnv(RULESET, **COMPANY)


def made_seat() -> Any:
    return gymnasium.make("euchre_env/Euchre-v0", ruleset=RULESET, **COMPANY)


def tables(num_envs: int, **arguments: Any) -> EuchreSeatVectorEnv:
    return EuchreSeatVectorEnv(RULESET, num_envs=num_envs, autoreset_mode="SameStep", **(COMPANY | arguments))


def episodes_in(buffer: Any) -> list[list[float]]:
    """The sums of the rewards of the episodes that a rollout buffer holds whole, for each table."""
    sums: list[list[float]] = []
    for starts, rewards in zip(buffer.episode_starts.T, buffer.rewards.T, strict=True):
        at = np.flatnonzero(starts)
        sums.append([float(rewards[begin:end].sum()) for begin, end in pairwise(at)])
    return sums


@pytest.mark.parametrize("maker", [one_seat, made_seat])
def test_masks_are_found_in_a_single_environment(maker: Callable[[], Any]) -> None:
    env = maker()
    env.reset(seed=1)
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), env.unwrapped.action_masks())
    # Wrappers of Gymnasium 1.x pass no attributes on: sb3-contrib asks get_wrapper_attr.
    assert hasattr(env, "action_masks") == (env is env.unwrapped)


@pytest.mark.parametrize("maker", [one_seat, made_seat])
def test_multi_input_policy_trains_on_the_dict_observation(maker: Callable[[], Any]) -> None:
    envs = DummyVecEnv([maker, maker])
    assert is_masking_supported(envs)
    learner = MaskablePPO("MultiInputPolicy", envs, seed=1, **SMALL)
    learner.learn(64)
    check_legal(learner.rollout_buffer)
    np.testing.assert_array_equal(
        learner.rollout_buffer.action_masks, flat(learner.rollout_buffer.observations["action_mask"])
    )


def flat(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return values.reshape(-1, values.shape[-1])


def check_legal(buffer: Any) -> None:
    masks, actions = flat(buffer.action_masks), buffer.actions.reshape(-1).astype(int)
    assert len(masks) == len(actions)
    assert masks[np.arange(len(actions)), actions].all()


@pytest.mark.slow
def test_processes_show_their_masks() -> None:
    envs = SubprocVecEnv([made_seat, made_seat])
    try:
        assert is_masking_supported(envs)
        learner = MaskablePPO("MultiInputPolicy", envs, seed=1, **SMALL)
        learner.learn(64)
        check_legal(learner.rollout_buffer)
    finally:
        envs.close()


def test_tables_are_stepped_and_reset_as_sb3_does_it_itself() -> None:
    ours, theirs = SeatVecEnv(tables(4)), DummyVecEnv([one_seat] * 4)
    rng = np.random.default_rng(3)
    for envs in (ours, theirs):
        envs.seed(7)
    check_equal(ours.reset(), theirs.reset())
    check_infos(ours.reset_infos, theirs.reset_infos)
    ended = 0
    for _ in range(120):
        masks = np.stack(ours.env_method("action_masks"))
        np.testing.assert_array_equal(masks, np.stack(theirs.env_method("action_masks")))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        (seen, rewards, dones, infos), other = ours.step(actions), theirs.step(actions)
        check_equal(seen, other[0])
        np.testing.assert_array_equal(rewards, other[1])
        np.testing.assert_array_equal(dones, other[2])
        assert rewards.dtype == other[1].dtype
        assert dones.dtype == other[2].dtype
        check_infos(infos, other[3])
        check_infos(ours.reset_infos, theirs.reset_infos)
        ended += int(dones.sum())
    assert ended > 50


def check_equal(ours: Any, theirs: Any) -> None:
    assert set(ours) == set(theirs)
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])
        assert ours[name].dtype == theirs[name].dtype


def check_infos(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> None:
    for our, their in zip(ours, theirs, strict=True):
        assert set(our) == set(their)
        assert our["seat"] == their["seat"]
        assert our.get("TimeLimit.truncated") == their.get("TimeLimit.truncated")
        np.testing.assert_array_equal(our["action_mask"], their["action_mask"])
        if "terminal_observation" in their:
            check_equal(our["terminal_observation"], their["terminal_observation"])


def test_truncated_games_say_so_and_show_their_end() -> None:
    envs = SeatVecEnv(tables(2, episode="game", max_hands=1))
    envs.seed(1)
    envs.reset()
    cut = 0
    for _ in range(40):
        _, _, dones, infos = envs.step(np.stack(envs.env_method("action_masks")).argmax(axis=1))
        for done, info in zip(dones, infos, strict=True):
            assert info["TimeLimit.truncated"] == done  # one hand of a game to ten never ends it
            assert ("terminal_observation" in info) == done
            cut += info["TimeLimit.truncated"]
    assert cut > 5


def test_the_adapter_answers_for_its_tables() -> None:
    envs = SeatVecEnv(tables(3))
    envs.reset()
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("no_such_thing")
    assert [rules.name for rules in envs.get_attr("ruleset", indices=[0, 2])] == [RULESET] * 2
    assert len(envs.env_method("action_masks", indices=1)) == 1
    assert envs.env_is_wrapped(gymnasium.Wrapper) == [False] * 3
    with pytest.raises(AttributeError, match="reset_now"):
        envs.env_method("reset_now")
    with pytest.raises(AttributeError, match="seat"):
        envs.set_attr("seat", 1)
    with pytest.raises(ValueError, match="SameStep"):
        SeatVecEnv(EuchreSeatVectorEnv(RULESET, num_envs=2))


def test_the_rollout_buffer_holds_every_reward_of_the_seat() -> None:
    inner = tables(64)
    paid = Payments(inner)
    learner = make_learner(VecExtractDictObs(SeatVecEnv(inner), "observation"), 1, n_steps=112, n_epochs=1)
    learner.learn(112 * 64)
    buffer = learner.rollout_buffer
    check_legal(buffer)
    kept = episodes_in(buffer)
    rewards = []
    for ours, theirs in zip(kept, paid.episodes, strict=True):
        rewards += ours
        # The last episode may have ended with the buffer: then no later row marks its end.
        assert ours == theirs[: len(ours)]
        assert len(theirs) - len(ours) in (0, 1)
    assert len(rewards) >= 1000
    assert sum(reward < 0 for reward in rewards) > 100
    assert sum(reward > 0 for reward in rewards) > 100
    # Hands that a partner played alone before the seat's first turn: one row, in which everything is allowed.
    # (Training has flattened the masks, table by table.)
    everything = buffer.action_masks.reshape(64, 112, -1).all(axis=2).T
    early = everything & (buffer.episode_starts == 1)
    assert early.any()
    assert (buffer.rewards[early] != 0).all()


def small_tables(num_envs: int = 8) -> VecEnv:
    return make_tables(num_envs, illegal="raise")


def test_predict_takes_masks_and_a_loaded_learner_plays_the_same(tmp_path: Path) -> None:
    learner = make_learner(small_tables(), 1, batch_size=64, n_epochs=1)
    learner.learn(512)
    learner.save(tmp_path / "learner")
    loaded = MaskablePPO.load(tmp_path / "learner", device="cpu")
    envs = small_tables(64)
    envs.seed(5)
    seen = envs.reset()
    for _ in range(20):
        masks = get_action_masks(envs)
        actions = Chooser(learner)(seen, masks)
        assert masks[np.arange(64), actions].all()
        np.testing.assert_array_equal(actions, Chooser(loaded)(seen, masks))
        drawn, _ = learner.predict(seen, action_masks=masks)
        assert masks[np.arange(64), drawn].all()
        seen = envs.step(drawn)[0]


def test_sb3_contribs_own_evaluation_plays_the_tables() -> None:
    learner = make_learner(small_tables(), 1, batch_size=64)
    rewards, lengths = evaluate_policy(
        learner, VecMonitor(small_tables()), n_eval_episodes=40, return_episode_rewards=True
    )
    assert len(rewards) == len(lengths) == 40
    assert set(np.abs(rewards)) <= {0.0, 1.0, 2.0, 4.0}


def test_self_play_has_the_learner_at_every_seat() -> None:
    curve = train(seconds=0.001, seed=1, self_play=True, num_envs=16, steps=512)
    assert [decisions for decisions, _ in curve.points] == [0, 512]


@pytest.mark.slow
def test_it_learns_to_beat_random_players() -> None:
    curve = train(seconds=60.0, seed=1)
    assert curve.finish()
    first, last = curve.points[0][1], curve.points[-1][1]
    assert first.high is not None
    assert last.low is not None
    assert last.low > first.high


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("Stable-Baselines3"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)
