"""The one wrapper of `env()` against PettingZoo's three, and what each way with illegal actions does."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from euchre_env import euchre_v0
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.errors import IllegalActionError
from tests.envs.playing import DECLINE, PASS, legal_of, play_episode, random_choice

Arguments = dict[str, Any]


def three_wrappers(**arguments: Any) -> Any:
    """Return the raw environment in PettingZoo's wrappers, as its own classic environments come."""
    env = wrappers.TerminateIllegalWrapper(euchre_v0.raw_env(**arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


@pytest.fixture(autouse=True)
def _warnings_are_kept() -> Iterator[None]:
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


def outcome(act: Callable[[], Any]) -> Any:
    """Return what a call gives or the type and words of what it raises."""
    try:
        return act()
    except (AssertionError, AttributeError, ValueError, TypeError) as error:
        return type(error), str(error)


def books(env: Any) -> list[Any]:
    """Return everything public about an episode."""
    names = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "num_agents")
    return [outcome(partial(getattr, env, name)) for name in names]


def last(env: Any) -> Any:
    observation, *rest, info = env.last()
    return observation["observation"].tolist(), *rest, sorted(info)


@pytest.mark.parametrize("illegal_share", [0.0, 0.02, 0.3])
@pytest.mark.parametrize(
    "arguments",
    [
        {"episode": "hand"},
        {"ruleset": "tournament"},
        {"canonical_suits": True},
        {"ruleset": "two_handed", "episode": "hand"},
        {"ruleset": "three_handed", "reward": "win"},
        {"ruleset": "ghost_hand", "episode": "hand", "canonical_suits": True},
        {"ruleset": "bid_euchre", "episode": "hand", "reward": "score"},
        {"ruleset": "british", "episode": "hand", "reward": "equity"},
    ],
    ids=lambda arguments: "-".join(map(str, arguments.values())),
)
def test_equal_to_pettingzoo_s_three(arguments: Arguments, illegal_share: float) -> None:
    if illegal_share and not hasattr(pettingzoo, "register"):
        pytest.skip("PettingZoo before 1.27 may go on with the wrong seat after an illegal action (its issue 1176)")
    ours, theirs = euchre_v0.env(**arguments), three_wrappers(**arguments)
    rng = np.random.default_rng(6)
    for seed in range(8):
        ours.reset(seed=seed)
        theirs.reset(seed=seed)
        for agent, other in zip(ours.agent_iter(), theirs.agent_iter(), strict=True):
            assert agent == other
            assert last(ours) == last(theirs)
            action = random_choice(ours, rng)
            if action is not None and rng.random() < illegal_share:
                action = int(rng.integers(NUM_ACTIONS))
            ours.step(action)
            theirs.step(action)
            assert books(ours) == books(theirs)
            assert len(EnvLogger.mqueue) % 2 == 0, "one of the two warned"
        assert books(ours) == books(theirs)


@pytest.mark.parametrize("action", [None, -1, NUM_ACTIONS, 2.5, "pass", np.int64(DECLINE), np.int8(PASS)])
def test_same_answer_to_odd_actions(action: Any) -> None:
    def first_answer(env: Any) -> Any:
        env.reset(seed=1, options={"dealer": 2})
        return outcome(lambda: env.step(action)), books(env)

    ours, theirs = first_answer(euchre_v0.env()), first_answer(three_wrappers())
    assert ours == theirs


def test_same_answer_out_of_order() -> None:
    def answers(env: Any) -> list[Any]:
        seen = [books(env), hasattr(env, "agents"), outcome(lambda: env.last())]
        seen += [
            outcome(lambda: env.step(PASS)),
            outcome(lambda: env.observe("player_0")),
            outcome(lambda: env.state()),
        ]
        seen += [outcome(lambda: env.render()), outcome(lambda: env.agent_iter())]
        env.reset(seed=1)
        seen.append(outcome(lambda: list(env.agent_iter())))
        return seen

    assert answers(euchre_v0.env()) == answers(three_wrappers())


@pytest.mark.parametrize("make", [euchre_v0.env, three_wrappers])
def test_step_after_the_end_warns(make: Any) -> None:
    env = make(episode="hand")
    env.reset(seed=1)
    play_episode(env, np.random.default_rng(1))
    EnvLogger.flush()
    env.step(None)
    assert "after all agents are terminated" in str(EnvLogger.mqueue)


@pytest.mark.parametrize("make", [euchre_v0.env, three_wrappers])
def test_a_done_seat_takes_none_only(make: Any) -> None:
    env = make()
    env.reset(seed=1)
    env.step(DECLINE)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(PASS)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(NUM_ACTIONS)
    env.step(None)
    assert env.num_agents == 3


def test_private_names_stay_private() -> None:
    env = euchre_v0.env()
    with pytest.raises(AttributeError, match="private"):
        _ = env._legal
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = env.no_such_name


def test_wrapped_again_by_pettingzoo() -> None:
    env = wrappers.OrderEnforcingWrapper(euchre_v0.env(episode="hand"))
    env.reset(seed=3)
    play_episode(env, np.random.default_rng(3))
    assert not env.agents


@pytest.mark.parametrize("illegal", ["terminate", "raise", "random"])
def test_each_way_with_illegal_actions(illegal: Any) -> None:
    env = euchre_v0.env(illegal=illegal, illegal_reward=-7.0)
    env.reset(seed=1, options={"dealer": 3})
    before = env.state()
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match="order up is due"):
            env.step(DECLINE)
        assert np.array_equal(env.state(), before)
        env.step(PASS)
        assert env.agent_selection == "player_1"
        return
    env.step(DECLINE)
    if illegal == "terminate":
        assert env.rewards == {"player_0": -7.0, "player_1": 0.0, "player_2": 0.0, "player_3": 0.0}
    else:
        assert not any(env.terminations.values())
        assert not np.array_equal(env.state(), before)


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("two_handed", 2), ("three_handed", 3), ("ghost_hand", 3), ("cincinnati", 4)]
)
def test_an_illegal_action_costs_its_seat_alone(ruleset: str, seats: int) -> None:
    env = euchre_v0.env(ruleset=ruleset)
    env.reset(seed=1, options={"dealer": seats - 1})
    env.step(DECLINE)
    assert env.rewards == {f"player_{seat}": -1.0 * (seat == 0) for seat in range(seats)}
    assert all(env.terminations.values())
    for agent in env.agent_iter():
        assert env.last()[1] == -1.0 * (agent == "player_0")
        env.step(None)


@pytest.mark.parametrize(
    "ruleset", ["north_american", "two_handed", "three_handed", "railroad", "bid_euchre", "ghost_hand"]
)
def test_random_play_under_random_never_ends_early(ruleset: str) -> None:
    env = euchre_v0.env(ruleset=ruleset, illegal="random", episode="hand")
    rng = np.random.default_rng(0)
    for seed in range(15):
        env.reset(seed=seed)
        steps = 0
        while not any(env.terminations.values()):
            env.step(int(rng.integers(NUM_ACTIONS)))
            steps += 1
        assert steps >= env.unwrapped.ruleset.num_seats - 1
        assert not any(env.truncations.values())


def test_random_choices_follow_the_seed() -> None:
    def states() -> list[Any]:
        env = euchre_v0.env(illegal="random")
        env.reset(seed=5)
        seen = []
        for _ in range(6):
            env.step(DECLINE)
            seen.append(env.state().tolist())
        return seen

    assert states() == states()


def test_raw_environment_refuses_with_the_reason() -> None:
    env = euchre_v0.raw_env(ruleset="tournament", canonical_suits=True)
    env.reset(seed=1)
    for action in (None, -1, NUM_ACTIONS):
        with pytest.raises(IllegalActionError, match="is not an action: ids run from 0 to 61"):
            env.step(action)
    with pytest.raises(IllegalActionError, match="order up is due"):
        env.step(DECLINE)
    assert PASS in legal_of(env)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"illegal": "rase"}, "did you mean 'raise'"),
        ({"reward": "zerosum"}, "did you mean 'zero_sum'"),
        ({"reward": "win", "episode": "hand"}, "reward='win' pays at the end of a game"),
        ({"episode": "hands"}, "did you mean 'hand'"),
        ({"ruleset": "turnament"}, "did you mean 'tournament'"),
        ({"render_mode": "rgb"}, "did you mean 'rgb_array'"),
        ({"max_hands": 0}, "max_hands is 0"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments: Arguments, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        euchre_v0.env(**arguments)
