"""What every Gymnasium environment of one seat keeps, alone and in thousands, under whatever wrappers a user puts on.

Gymnasium's own test runs first, on the environment inside the wrappers (some add a clock to the infos); it plays
illegal actions, so with `illegal="raise"` it is left out. Then masks, what is paid, seeding, and what a vector
environment does with finished tables. What is paid is held against the score sheet or the winner, so whatever reshapes
rewards does not pass; of "equity" only that it is no more than 1. `check_env` calls these for its factories.

>>> from functools import partial
>>> from euchre_env.envs.single_agent import EuchreSeatEnv
>>> check_seat(partial(EuchreSeatEnv, "tournament", episode="hand"), episodes=2)
"""

import contextlib
import io
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils.env_checker import check_env as check_gymnasium

from euchre_env.engine.bits import count
from euchre_env.ruleset import Ruleset

Factory = Callable[..., Any]
_CLOSE = 1e-4  # rewards are float32


def check_seat(factory: Factory, episodes: int = 5, seed: int = 0) -> None:
    """Check a factory of single-seat environments; AssertionError says what is wrong."""
    env = factory()
    if env.unwrapped.illegal != "raise":
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            check_gymnasium(factory().unwrapped, skip_render_check=True)
    rng = np.random.default_rng(seed)
    for number in range(episodes):
        _check_episode(env, seed + number, rng)
    _check_seeding(factory)


def _check_mask(space: Any, observation: Any, info: Any) -> npt.NDArray[np.int64]:
    """Check what a seat is shown; return its legal actions."""
    assert space.contains(observation), "the observation lies outside its space."
    mask = info["action_mask"]
    if isinstance(observation, dict):
        assert np.array_equal(observation["action_mask"], mask), "the two masks differ."
    assert mask.any(), "the mask is all zero."
    return np.flatnonzero(mask)


def _check_episode(env: Any, seed: int, rng: np.random.Generator) -> None:
    observation, info = env.reset(seed=seed)
    table = env.unwrapped.table
    total, done = 0.0, False
    while not done:
        legal = _check_mask(env.observation_space, observation, info)
        is_over = any(table.terminations.values()) or any(table.truncations.values())
        assert is_over or not info["action_mask"].all(), "the mask is all ones before the end."
        observation, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
        assert type(terminated) is bool, f"terminated is {terminated!r}: it must be a bool."
        assert type(truncated) is bool, f"truncated is {truncated!r}: it must be a bool."
        total += float(reward)
        done = terminated or truncated
    is_over = any(table.terminations.values()) or any(table.truncations.values())
    assert info["action_mask"].all() or not is_over, "the episode is over, but the mask is not all ones."
    game = table.game()
    _check_paid(env.unwrapped.ruleset, table.reward, env.unwrapped.seat, total, game.scores, game.winners)


def _check_paid(
    rules: Ruleset, reward: str, seat: int, total: float, scores: Sequence[int], winners: Sequence[int]
) -> None:
    """Check what an episode paid a seat against the score sheet at its end; it began at nil."""
    side, points = rules.side(seat), [int(score) for score in scores]
    if reward == "equity":
        assert abs(total) <= 1 + _CLOSE, f"the seat was paid {total}: more than the whole game is worth."
    elif reward == "win":
        assert (total > 0) == (side in winners), f"the seat was paid {total}, and sides {list(winners)} won."
    else:
        own = points.pop(side)
        due = own - (sum(points) / len(points) if reward == "zero_sum" else 0)
        assert abs(total - due) < _CLOSE, f"the seat was paid {total}, but its side earned {due}."


def _check_seeding(factory: Factory) -> None:
    """Check that a seed gives the same deals, and that a reset without one does not seed again."""
    deals = []
    for env in (factory(), factory()):
        env.reset(seed=3)
        deals.append([np.array(_seen(env.reset()[0])).tolist() for _ in range(3)])
    assert deals[0] == deals[1], "the same seed gives different deals."
    assert deals[0][0] != deals[0][1], "a reset without a seed repeats the deal."


def _seen(observation: Any) -> Any:
    return observation["observation"] if isinstance(observation, dict) else observation


def check_seats(factory: Factory, steps: int = 60, seed: int = 0) -> None:
    """Check a factory of Gymnasium vector environments of one seat each; AssertionError says what is wrong."""
    envs, rng = factory(), np.random.default_rng(seed)
    assert envs.metadata.get("autoreset_mode") is not None, "metadata names no autoreset_mode."
    _Seats(envs).play(steps, seed, rng)
    again = _seen(factory().reset(seed=seed)[0])
    assert np.array_equal(again, _seen(factory().reset(seed=seed)[0])), "the same seed gives different deals."


class _Seats:
    """A vector environment in play, and what its tables have paid so far."""

    def __init__(self, envs: Any) -> None:
        self.envs, self.mode = envs, envs.metadata["autoreset_mode"].name
        self.inner: Any = envs.unwrapped if hasattr(envs.unwrapped, "batch") else None  # what ours lets one look into
        self.over = np.zeros(envs.num_envs, dtype=np.bool_)
        self.paid = np.zeros(envs.num_envs)

    def play(self, steps: int, seed: int, rng: np.random.Generator) -> None:
        """Play at random, checking everything on the way."""
        observations, infos = self.envs.reset(seed=seed)
        for _ in range(steps):
            if self.mode == "DISABLED" and self.over.any():
                observations, infos = self.envs.reset(options={"reset_mask": self.over.copy()})
                self.over[:] = False
            masks = self._check_shown(observations, infos)
            actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
            kept, shown = _seen(observations).copy(), _seen(observations)
            seats = None if self.inner is None else infos["seat"].copy()
            observations, rewards, terminated, truncated, infos = self.envs.step(actions)
            assert np.array_equal(kept, shown), "a step changes observations handed out before."
            self._check_step(rewards, terminated, truncated, infos, seats)

    def _check_shown(self, observations: Any, infos: Any) -> Any:
        assert self.envs.observation_space.contains(observations), "the observations lie outside their space."
        masks = observations["action_mask"] if isinstance(observations, dict) else infos["action_mask"]
        told = infos.get("_action_mask", np.ones(len(masks), dtype=np.bool_))
        assert np.array_equal(masks[told], infos["action_mask"][told]), "the two masks differ."
        assert masks.any(axis=1).all(), "the mask of a table is all zero."
        if self.inner is not None:
            for row in np.flatnonzero((self.inner.batch.legal != 0) & ~self.over):
                due = count(self.inner.batch.legal[row])
                assert masks[row].sum() == due, f"table {row} shows {masks[row].sum()} legal actions, and has {due}."
        return masks

    def _check_step(self, rewards: Any, terminated: Any, truncated: Any, infos: Any, seats: Any) -> None:
        before, self.over = self.over, terminated | truncated
        for name, values in {"rewards": rewards, "terminated": terminated, "truncated": truncated}.items():
            assert values.shape == before.shape, f"{name} has shape {values.shape}: it needs one for each table."
        if self.mode == "NEXT_STEP":
            assert not (before & self.over).any(), "a table that starts anew is over at once."
            assert not rewards[before].any(), "a table that starts anew is paid."
        if self.mode == "SAME_STEP" and self.over.any():
            assert np.array_equal(infos["_final_obs"], self.over), "final_obs is not of the tables that are over."
            for row in np.flatnonzero(self.over):
                last = infos["final_obs"][row]
                assert np.any(_seen(last)), "a final observation is empty."
        self.paid += rewards
        self._check_ends(seats)

    def _check_ends(self, seats: Any) -> None:
        """Check what the tables that are over have paid, and begin their accounts anew."""
        inner = self.inner
        for row in np.flatnonzero(self.over) if inner is not None else ():
            # With SameStep the next episode may have finished a hand already: then the sheet is its.
            if self.mode != "SAME_STEP" or inner.batch.states[row]["hand"] == 0:
                seat, paid = int(seats[row]), float(self.paid[row])
                _check_paid(inner.ruleset, inner.reward, seat, paid, *_sheet(inner.ruleset, inner.batch.finished[row]))
        self.paid[self.over] = 0.0


def _sheet(rules: Ruleset, last: Any) -> tuple[list[int], list[int]]:
    """Return the scores by side and the winners after a hand."""
    sides = range(rules.num_sides)
    return [int(last["scores"][side]) for side in sides], [side for side in sides if int(last["winners"]) >> side & 1]


def check_self_play(factory: Factory, steps: int = 60, seed: int = 0) -> None:
    """Check a factory of `EuchreVectorEnv`s, or of what subclasses them; AssertionError says what is wrong."""
    envs, rng = factory(), np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    paid = np.zeros((envs.num_envs, envs.num_seats))
    for _ in range(steps):
        at_play = infos["turn"] >= 0
        assert envs.observation_space.contains(observations), "the observations lie outside their space."
        masks = observations["action_mask"]
        assert np.array_equal(masks.any(axis=1), at_play), "masks allow something exactly where a seat is to move."
        if not at_play.any():
            observations, infos = envs.reset(options={"reset_mask": ~at_play})
            continue
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert rewards.shape == paid.shape, f"rewards has shape {rewards.shape}: it needs {paid.shape}."
        paid += rewards
        for row in np.flatnonzero(terminated | truncated):
            sheet = _sheet(envs.ruleset, envs.batch.finished[row])
            for seat in range(envs.num_seats):
                _check_paid(envs.ruleset, envs.reward, seat, float(paid[row, seat]), *sheet)
            paid[row] = 0.0
    again = factory().reset(seed=seed)[0]["observation"]
    assert np.array_equal(again, factory().reset(seed=seed)[0]["observation"]), "the same seed gives different deals."
