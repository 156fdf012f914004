"""What every Gymnasium environment of one seat keeps, alone and in thousands, under whatever wrappers a user puts on.

Gymnasium's own test runs first; then masks, what is paid, seeding, and what a vector environment does with finished
tables. `check_env` calls these for the factories that are theirs.

>>> from functools import partial
>>> from euchre_env.envs.single_agent import EuchreSeatEnv
>>> check_seat(partial(EuchreSeatEnv, "tournament", episode="hand"), episodes=2)
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils.env_checker import check_env as check_gymnasium

from euchre_env.engine.layout import NUM_ACTIONS

Factory = Callable[..., Any]


def check_seat(factory: Factory, episodes: int = 5, seed: int = 0) -> None:
    """Check a factory of single-seat environments; AssertionError says what is wrong."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        check_gymnasium(factory(), skip_render_check=True)
    rng = np.random.default_rng(seed)
    env = factory()
    for number in range(episodes):
        _check_episode(env, seed + number, rng)
    _check_seeding(factory)


def _check_mask(space: Any, observation: Any, info: Any) -> npt.NDArray[np.int64]:
    """Check what a seat is shown; return its legal actions."""
    assert space.contains(observation), "the observation lies outside its space."
    mask = observation["action_mask"]
    assert np.array_equal(mask, info["action_mask"]), "the two masks differ."
    assert mask.any(), "the mask is all zero."
    return np.flatnonzero(mask)


def _check_episode(env: Any, seed: int, rng: np.random.Generator) -> None:
    observation, info = env.reset(seed=seed)
    table = env.unwrapped.table
    start, total, done = table.game().scores, 0.0, False
    while not done:
        legal = _check_mask(env.observation_space, observation, info)
        assert not np.array_equal(legal, np.arange(NUM_ACTIONS)) or table.terminations[table.agents[0]], (
            "the mask is all ones before the end."
        )
        observation, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
        assert type(terminated) is bool, f"terminated is {terminated!r}: it must be a bool."
        assert type(truncated) is bool, f"truncated is {truncated!r}: it must be a bool."
        total += float(reward)
        done = terminated or truncated
    assert observation["action_mask"].all(), "the episode is over, but the mask is not all ones."
    _check_paid(env.unwrapped, start, total)


def _check_paid(env: Any, start: list[int], total: float) -> None:
    """Check that the points on the score sheet are what the seat was paid, where points are what is paid."""
    if env.table.reward not in ("score", "zero_sum"):
        return
    gained = [after - before for before, after in zip(start, env.table.game().scores, strict=True)]
    own = gained.pop(env.ruleset.side(env.seat))
    due = own - (sum(gained) / len(gained) if env.table.reward == "zero_sum" else 0)
    assert abs(total - due) < 1e-4, f"the seat was paid {total}, but its side earned {due}."


def _check_seeding(factory: Factory) -> None:
    """Check that a seed gives the same deals, and that a reset without one does not seed again."""
    deals = []
    for env in (factory(), factory()):
        env.reset(seed=3)
        deals.append([env.reset()[0]["observation"].tolist() for _ in range(3)])
    assert deals[0] == deals[1], "the same seed gives different deals."
    assert deals[0][0] != deals[0][1], "a reset without a seed repeats the deal."


def check_seats(factory: Factory, steps: int = 60, seed: int = 0) -> None:
    """Check a factory of Gymnasium vector environments of one seat each; AssertionError says what is wrong."""
    envs, rng = factory(), np.random.default_rng(seed)
    mode = envs.metadata.get("autoreset_mode")
    assert mode is not None, "metadata names no autoreset_mode."
    observations, infos = envs.reset(seed=seed)
    over = np.zeros(envs.num_envs, dtype=np.bool_)
    for _ in range(steps):
        if mode.name == "DISABLED" and over.any():
            observations, infos = envs.reset(options={"reset_mask": over})
            over[:] = False
        _check_mask(envs.observation_space, observations, infos)
        assert observations["action_mask"].any(axis=1).all(), "the mask of a table is all zero."
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in observations["action_mask"]])
        before = over
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = terminated | truncated
        for name, values in {"rewards": rewards, "terminated": terminated, "truncated": truncated}.items():
            assert values.shape == (envs.num_envs,), f"{name} has shape {values.shape}: it needs one for each table."
        if mode.name == "NEXT_STEP":
            assert not (before & over).any(), "a table that starts anew is over at once."
            assert not rewards[before].any(), "a table that starts anew is paid."
        if mode.name == "SAME_STEP" and over.any():
            assert np.array_equal(infos["_final_obs"], over), "final_obs is not of the tables that are over."
    again = factory().reset(seed=seed)[0]["observation"]
    assert np.array_equal(again, factory().reset(seed=seed)[0]["observation"]), "the same seed gives different deals."
