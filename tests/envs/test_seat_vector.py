"""One seat each of many tables: the same, table by table, as Gymnasium's loop over single environments."""

import copy
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from euchre_env import rulesets
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from euchre_env.envs.single_agent import EuchreSeatEnv
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.testing import check_env
from tests.envs.playing import PASS

TABLES = 6
SETTINGS: tuple[dict[str, Any], ...] = (
    {"episode": "hand"},
    {"episode": "hand", "seat": "random", "canonical_suits": True, "illegal": "random", "opponents": "random"},
    {"max_hands": 3, "reward": "score", "opponents": "random", "seat": 1},
    {"episode": "hand", "reward": "equity", "illegal_reward": -2.0, "partner": "random"},
)


def both(mode: AutoresetMode, **settings: Any) -> tuple[SyncVectorEnv, EuchreSeatVectorEnv]:
    singles = [partial(EuchreSeatEnv, **settings) for _ in range(TABLES)]
    return SyncVectorEnv(singles, autoreset_mode=mode), vector_env(TABLES, autoreset_mode=mode, **settings)


def vector_env(num_envs: int, **settings: Any) -> EuchreSeatVectorEnv:
    made = gymnasium.make_vec("euchre_env/Euchre-v0", num_envs, "vector_entry_point", **settings)
    assert isinstance(made, EuchreSeatVectorEnv)
    return made


def assert_same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for name in theirs:
            assert_same(ours[name], theirs[name])
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        for one, other in zip(ours, theirs, strict=True):
            assert (one is None) == (other is None)
            if other is not None:
                assert_same(one, other)
    else:
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("ruleset", ["tournament", "railroad", "two_handed", "ghost_hand", "cincinnati", "british"])
def test_a_table_is_as_alone(ruleset: str, mode: AutoresetMode) -> None:
    """Observations, rewards, ends and infos, key by key, with illegal actions among those played."""
    ended = 0
    for settings in SETTINGS:
        theirs, ours = both(mode, **({"ruleset": ruleset} | settings))
        seen: Any
        seen, info = ours.reset(seed=11)
        for one, other in zip((seen, info), theirs.reset(seed=11), strict=True):
            assert_same(one, other)
        rng = np.random.default_rng(0)
        for _ in range(40):
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
            if rng.random() < 0.1:
                actions = rng.integers(62, size=TABLES)
            our_step, their_step = ours.step(actions), theirs.step(actions)
            for one, other in zip(our_step, their_step, strict=True):
                assert_same(one, other)
            seen, over = our_step[0], our_step[2] | our_step[3]
            ended += over.sum()
            if mode is AutoresetMode.DISABLED and over.any():
                seen, _ = ours.reset(options={"reset_mask": over})
                assert_same(seen, theirs.reset(options={"reset_mask": over.copy()})[0])
    assert ended > 50


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_the_kit_accepts_it(ruleset: str) -> None:
    for mode in AutoresetMode:
        check_env(partial(vector_env, 3, ruleset=ruleset, episode="hand", autoreset_mode=mode), episodes=1)


def test_spaces() -> None:
    envs = vector_env(3, ruleset="tournament")
    observations, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(observations)
    assert envs.action_space.contains(np.array([PASS] * 3))
    assert envs.single_action_space.n == 62  # type: ignore[attr-defined]
    assert np.array_equal(envs.action_masks(), infos["action_mask"].astype(bool))
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert EuchreSeatVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_what_is_handed_out_stays() -> None:
    envs = vector_env(4, ruleset="tournament", opponents="random")
    seen, _ = envs.reset(seed=0)
    kept = {name: values.copy() for name, values in seen.items()}
    envs.step(seen["action_mask"].argmax(axis=1))
    assert_same(seen, kept)


def test_chance_goes_on_without_a_seed() -> None:
    envs, twin = vector_env(4, episode="hand"), vector_env(4, episode="hand")
    for one in (envs, twin):
        one.reset(seed=5)
    first, second = envs.reset()[0], envs.reset()[0]
    assert not np.array_equal(first["observation"], second["observation"])
    assert_same(twin.reset()[0], first)
    assert_same(envs.reset(seed=[5, 6, 7, 8])[0], twin.reset(seed=5)[0])


def test_illegal_actions_are_refused_whole() -> None:
    envs = vector_env(3, ruleset="tournament", illegal="raise")
    seen, _ = envs.reset(seed=0)
    actions = seen["action_mask"].argmax(axis=1)
    wrong = actions.copy()
    wrong[1] = np.flatnonzero(seen["action_mask"][1] == 0)[0]
    with pytest.raises(IllegalActionError, match=r"^table 1: "):
        envs.step(wrong)
    for bad, message in (
        (actions[:2], "it needs 3 whole numbers"),
        (actions.astype(float), "it needs 3 whole numbers"),
        (np.array([62, 0, 0]), "action is 62"),
    ):
        with pytest.raises(ValueError, match=message):
            envs.step(bad)
    fresh = vector_env(3, ruleset="tournament")
    fresh.reset(seed=0)
    assert_same(envs.step(actions)[0], fresh.step(actions)[0])


def test_calls_out_of_order() -> None:
    envs = vector_env(2, episode="hand", autoreset_mode="Disabled")
    with pytest.raises(StateError, match="call reset"):
        envs.step([PASS, PASS])
    with pytest.raises(StateError, match="call reset"):
        envs.action_masks()
    with pytest.raises(StateError, match="the first reset"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(StateError, match="options name dealer"):
        envs.reset(options={"dealer": 1})
    seen, _ = envs.reset(seed=0)
    over = np.zeros(2, dtype=bool)
    while not over.any():
        seen, _, terminated, _, _ = envs.step(seen["action_mask"].argmax(axis=1))
        over |= terminated
    with pytest.raises(StateError, match=r"table \d is over"):
        envs.step(seen["action_mask"].argmax(axis=1))
    for mask in (np.array([1, 0]), np.array([False, False]), np.array([True])):
        with pytest.raises(ValueError, match="reset_mask is"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="seed names 3 seeds"):
        envs.reset(seed=[1, 2, 3])


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="did you mean 'SameStep'"):
        vector_env(2, autoreset_mode="same step")
    with pytest.raises(ValueError, match="num_envs is 0"):
        EuchreSeatVectorEnv(num_envs=0)
    with pytest.raises(ValueError, match="canonical_suits is 'yes'"):
        EuchreSeatVectorEnv(canonical_suits="yes")  # type: ignore[arg-type]


def test_games_pay_what_the_sheet_says() -> None:
    """Hands before a seat's first turn included: table by table, over many games."""
    envs = vector_env(64, ruleset="tournament", opponents="random", partner="random", reward="score")
    seen, _ = envs.reset(seed=0)
    rng, paid, games = np.random.default_rng(0), np.zeros(64), 0
    while games < 300:
        actions = (seen["action_mask"] * rng.random(seen["action_mask"].shape)).argmax(axis=1)
        seen, rewards, terminated, truncated, _ = envs.step(actions)
        paid += rewards
        for row in np.flatnonzero(terminated | truncated):
            assert paid[row] == envs.batch.finished[row]["scores"][0]
            paid[row], games = 0.0, games + 1


def test_copies_go_on_alike() -> None:
    envs = vector_env(5, ruleset="tournament", episode="hand", opponents="random")
    seen, _ = envs.reset(seed=1)
    twin = copy.deepcopy(envs)
    for _ in range(30):
        actions = seen["action_mask"].argmax(axis=1)
        one, other = envs.step(actions), twin.step(actions)
        for ours, theirs in zip(one, other, strict=True):
            assert_same(ours, theirs)
        seen = one[0]


def test_gymnasiums_loop_passes_the_kit() -> None:
    for mode in AutoresetMode:
        check_env(lambda mode=mode: both(mode, ruleset="tournament", episode="hand", opponents="random")[0], episodes=2)
