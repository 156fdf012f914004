"""check_env: what every environment of this library keeps, under whatever wrappers a user puts around it.

Here are AEC environments: PettingZoo's own api and seed tests run first, where they can be imported; then spaces,
masks, rewards, set-up, seeding and copies. A parallel view is held against PettingZoo's tests alone, Gymnasium's
environments are in `seats.py`. `factory` takes no arguments that are not optional: `euchre_v0.env`, a
`functools.partial` of it, or `lambda: gymnasium.make("euchre_env/Euchre-v0")`.

>>> from functools import partial
>>> from euchre_env import euchre_v0
>>> check_env(partial(euchre_v0.env, ruleset="tournament", episode="hand"), episodes=1)
"""

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pettingzoo

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.testing.seats import check_seat, check_seats, check_self_play

Factory = Callable[..., Any]
# What PettingZoo's tests say of every environment whose observation is a dict and which is not PettingZoo's own.
# The third is about an environment that they import for themselves.
_EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "The old environment creation API",
)


def check_env(factory: Factory, episodes: int = 5, seed: int = 0) -> None:
    """Check a factory of AEC, parallel, Gymnasium or vector environments; AssertionError says what is wrong."""
    assert callable(factory), f"{factory!r} is no factory: give what makes an environment, not one."
    kind = factory()
    inner = getattr(kind, "unwrapped", kind)
    ours = hasattr(inner, "ruleset") or hasattr(inner, "aec_env") or isinstance(inner, gymnasium.vector.VectorEnv)
    assert ours, f"{inner!r} is no environment of euchre_env."
    if isinstance(kind, pettingzoo.ParallelEnv):
        _check_pettingzoo(factory, "parallel_api_test", "parallel_seed_test")
    elif isinstance(kind, gymnasium.Env):
        check_seat(factory, episodes, seed)
    elif isinstance(kind, gymnasium.vector.VectorEnv):
        check_seats(factory, 20 * episodes, seed)
    elif hasattr(kind, "num_seats"):  # EuchreVectorEnv, which Gymnasium before 1.1 cannot import
        check_self_play(factory, 20 * episodes, seed)
    else:
        _check_aec(factory, episodes, seed)


def _check_aec(factory: Factory, episodes: int, seed: int) -> None:
    _check_pettingzoo(factory, "api_test", "seed_test")
    rng = np.random.default_rng(seed)
    env = factory()
    for number in range(episodes):
        env.reset(seed=seed + number)
        _check_episode(env, rng)
    _check_set_up(factory(), rng)
    _check_seeding(factory)
    _check_copies(factory(), rng)


def _check_pettingzoo(factory: Factory, api_test: str, seed_test: str) -> None:
    """Run PettingZoo's tests with their greetings kept back."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        for message in _EXPECTED:
            warnings.filterwarnings("ignore", message)
        try:
            import pettingzoo.test as theirs
        except ImportError:
            return
        getattr(theirs, api_test)(factory(), num_cycles=100)
        getattr(theirs, seed_test)(factory, num_cycles=100)


def _choose(env: Any, rng: np.random.Generator) -> int | None:
    """Return a random legal action of the selected seat, None once it is done."""
    observation, _, terminated, truncated, _ = env.last()
    if terminated or truncated:
        return None
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def _check_episode(env: Any, rng: np.random.Generator) -> None:
    paid = dict.fromkeys(env.possible_agents, 0.0)
    told = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _check_seats(env)
        told[agent] += env.last()[1]
        was_over = env.terminations[agent] or env.truncations[agent]
        env.step(_choose(env, rng))
        if not was_over:
            for seat, reward in env.rewards.items():
                paid[seat] += reward
    assert paid == told, f"rewards paid were {paid}, but the seats were told {told}."


def _check_seats(env: Any) -> None:
    """Check that every seat's observation lies in its space, and that masks say who may do what."""
    for agent in env.agents:
        observation = env.observe(agent)
        mask = observation["action_mask"]
        space = env.observation_space(agent)
        assert space is env.observation_space(agent), f"{agent}'s observation space is another object at every call."
        assert env.action_space(agent) is env.action_space(agent), (
            f"{agent}'s action space is another object each time."
        )
        assert space.contains(observation), f"{agent}'s observation lies outside its space."
        assert np.array_equal(mask, env.infos[agent]["action_mask"]), f"{agent}'s two masks differ."
        is_over = env.terminations[agent] or env.truncations[agent]
        if is_over:
            assert mask.all(), f"{agent} is done, but its mask is not all ones."
        elif agent == env.agent_selection:
            assert mask.any(), f"{agent} is to move, but its mask is all zero."
        else:
            assert not mask.any(), f"{agent} is not to move, but its mask is not all zero."


def _check_set_up(env: Any, rng: np.random.Generator) -> None:
    """Check that what is set up is on the table, and that nothing handed out is shared with the environment."""
    rules = env.unwrapped.ruleset
    deck = [int(card) for card in rng.permutation(rules.deck_ids)]
    dealer, scores = rules.num_seats - 1, [rules.target - 1 - side for side in range(rules.num_sides)]
    env.reset(seed=1, options={"deck": deck, "dealer": dealer, "scores": scores, "no such key": 1})
    game = env.unwrapped.game()
    assert game.state["dealer"][0] == dealer, f"seat {game.state['dealer'][0]} deals, not {dealer} as set up."
    assert list(game.scores) == scores, f"the scores are {game.scores}, not {scores} as set up."
    dealt = [env.observe(agent) for agent in env.agents]
    env.reset(seed=2, options={"deck": deck, "dealer": dealer, "scores": scores})
    for agent, before in zip(env.agents, dealt, strict=True):
        same = np.array_equal(before["observation"], env.observe(agent)["observation"])
        assert same, f"{agent} sees another deal although the deck is the same."
    for agent in env.agents:
        env.observe(agent)["observation"][:] = 0
        env.observe(agent)["action_mask"][:] = 0
    mask = env.observe(env.agent_selection)["action_mask"]
    assert mask.any(), "what a caller writes into an observation changes the environment."
    kept = mask.copy()
    env.step(_choose(env, rng))
    assert np.array_equal(mask, kept), "a later step changes a mask handed out before."


def _first_rows(env: Any) -> list[Any]:
    return [env.agent_selection, *(env.observe(agent)["observation"].tolist() for agent in env.agents)]


def _check_seeding(factory: Factory) -> None:
    """Check that a seed gives the same deals, and that a reset without one does not seed again (I4, I5)."""
    one, other = factory(), factory()
    other.reset(seed=9)
    deals = []
    for env in (one, other):
        env.reset(seed=3)
        rows = [_first_rows(env)]
        for _ in range(3):
            env.reset()
            rows.append(_first_rows(env))
        deals.append(rows)
    assert deals[0] == deals[1], "the same seed gives different deals."
    assert all(a != b for a, b in zip(deals[0], deals[0][1:], strict=False)), "a reset without a seed repeats the deal."


def _check_copies(env: Any, rng: np.random.Generator) -> None:
    """Check that a clone and a set-back environment go on alike, whatever the original does meanwhile."""
    env.reset(seed=5)
    for _ in range(int(rng.integers(1, 20))):
        env.step(_choose(env, rng))
        if not env.agents or any(env.terminations.values()):
            env.reset()
    saved, twin = env.get_state(), env.clone()
    _play_on(env, rng.integers(NUM_ACTIONS, size=500))
    env.set_state(saved)
    choices = rng.integers(NUM_ACTIONS, size=500)
    assert _play_on(twin, choices) == _play_on(env, choices), "a clone and a set-back environment go on differently."


def _play_on(env: Any, choices: Any) -> list[Any]:
    """Play to the end of the episode, the n-th choice picking among legal actions; return what happened."""
    seen: list[Any] = []
    for choice, agent in zip(choices, env.agent_iter(), strict=False):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((agent, observation["observation"].tobytes(), reward, terminated, truncated))
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(legal[choice % len(legal)]))
    env.reset()
    seen.append(_first_rows(env))
    return seen
