"""Closing turns: each seat is paid at its own steps what a table without them pays; the rest of the contract holds."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from euchre_env import euchre_v0, policies, rulesets
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.testing import check_env
from tests.envs.playing import COMBINATIONS, DECLINE, PASS, legal_of, play_episode, random_choice
from tests.envs.test_saving import story, through_a_file

closing_env = partial(euchre_v0.env, closing_turns=True)


def to_the_end(env: Any, rng: np.random.Generator) -> None:
    """Play a reset environment at random until its closing turns."""
    while not env.is_closing:
        env.step(random_choice(env, rng))


@pytest.mark.parametrize(
    "arguments",
    [
        {"ruleset": "tournament", "episode": "hand"},
        {"ruleset": "tournament"},
        {"ruleset": "railroad", "canonical_suits": True, "illegal": "raise"},
        {"ruleset": "two_handed", "episode": "hand", "illegal": "random"},
        {"ruleset": "three_handed", "reward": "win"},
        {"ruleset": "bid_euchre", "episode": "hand", "reward": "equity"},
    ],
    ids=lambda arguments: "-".join(map(str, arguments.values())),
)
def test_conforms(arguments: Any, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(partial(closing_env, **arguments), episodes=2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_pays_what_the_table_without_them_pays(episode: Any, reward: Any) -> None:
    """The mover's reward summed over its steps, what `last()` tells, and what an ordinary table pays are the same."""
    arguments = {"ruleset": "north_american", "episode": episode, "reward": reward}
    plain, closing = euchre_v0.env(**arguments), closing_env(**arguments)
    for seed in range(12):
        plain.reset(seed=seed)
        closing.reset(seed=seed)
        expected = play_episode(plain, np.random.default_rng(seed))
        rng = np.random.default_rng(seed)
        credited, told = dict.fromkeys(closing.agents, 0.0), dict.fromkeys(closing.agents, 0.0)
        for agent in closing.agent_iter():
            _, earned, terminated, truncated, _ = closing.last()
            told[agent] += earned
            closing.step(random_choice(closing, rng))
            if not terminated and not truncated:
                credited[agent] += closing.rewards[agent]
                assert not any(amount for seat, amount in closing.rewards.items() if seat != agent)
        assert credited == pytest.approx(expected)
        assert told == pytest.approx(expected)


def test_a_seat_is_paid_at_its_first_step_after_earning() -> None:
    env = closing_env(ruleset="tournament", episode="game")
    env.reset(seed=4)
    rng, table = np.random.default_rng(4), env.unwrapped
    owed = dict.fromkeys(env.agents, 0.0)
    steps_paid = 0
    while not env.is_closing:
        agent, hand, before = env.agent_selection, int(table.game().state["hand"][0]), table.game().scores
        env.step(random_choice(env, rng))
        if int(table.game().state["hand"][0]) != hand or env.is_closing:
            gained = [after - old for after, old in zip(table.game().scores, before, strict=True)]
            for seat, name in enumerate(env.possible_agents):
                owed[name] += gained[seat % 2] - gained[1 - seat % 2]
        assert env.rewards[agent] == owed[agent]
        steps_paid += bool(owed[agent])
        owed[agent] = 0.0
    assert steps_paid > 20
    for agent in env.possible_agents:
        env.step(PASS)
        assert env.rewards == dict.fromkeys(env.agents, 0.0) | {agent: owed[agent]}


def test_a_closing_turn() -> None:
    env = closing_env(ruleset="tournament", episode="hand")
    env.reset(seed=1)
    to_the_end(env, np.random.default_rng(1))
    final = env.state()
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        assert env.agents == env.possible_agents
        assert not any(env.terminations.values())
        assert not any(env.truncations.values())
        assert (legal_of(env), env.legal_actions(), env.unwrapped.random_legal_action()) == ([PASS], [PASS], PASS)
        assert env.last()[4]["action_mask"].sum() == 1
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
                assert not env.infos[other]["action_mask"].any()
        assert "takes any action" in env.why_not(DECLINE)
        env.step(DECLINE)
        assert np.array_equal(env.state(), final), "whatever is done at a closing turn is ignored"
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert all(env.observe(agent)["action_mask"].all() for agent in env.agents)
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(PASS)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []


def test_only_an_action_can_be_taken() -> None:
    for make, error in ((closing_env, AssertionError), (partial(closing_env, illegal="raise"), AssertionError)):
        env = make(ruleset="tournament", episode="hand")
        env.reset(seed=1)
        to_the_end(env, np.random.default_rng(1))
        for action in (None, -1, NUM_ACTIONS):
            with pytest.raises(error, match="not in action space"):
                env.step(action)
            with pytest.raises(IllegalActionError, match="is not an action"):
                env.unwrapped.step(action)


def test_after_an_illegal_action() -> None:
    env = closing_env(ruleset="tournament", illegal_reward=-3.0)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(DECLINE)
    assert env.rewards == dict.fromkeys(env.agents, 0.0) | {offender: -3.0}
    told = {}
    for agent in env.possible_agents:
        told[agent] = env.last()[1]
        env.step(PASS)
        assert not any(env.rewards.values())
    assert told == dict.fromkeys(env.agents, 0.0) | {offender: -3.0}
    assert all(env.terminations.values())
    assert all(env.truncations.values())


def test_after_too_many_hands() -> None:
    env = closing_env(ruleset="tournament", max_hands=1)
    env.reset(seed=1)
    to_the_end(env, np.random.default_rng(1))
    for _ in env.possible_agents:
        assert not any(env.truncations.values())
        env.step(PASS)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@pytest.mark.parametrize("closing_steps", range(7))
def test_saved_and_cloned_among_closing_turns(closing_steps: int) -> None:
    env = closing_env(ruleset="tournament", episode="hand", canonical_suits=True)
    env.reset(seed=3)
    to_the_end(env, np.random.default_rng(3))
    for step in range(closing_steps):
        env.step(PASS if step < 4 else None)
    saved, twin = env.get_state(), env.clone()
    other = closing_env(ruleset="tournament", episode="hand", canonical_suits=True)
    other.set_state(through_a_file(saved))
    first = story(env, np.random.default_rng(1))
    assert story(twin, np.random.default_rng(1)) == first
    assert story(other, np.random.default_rng(1)) == first


@pytest.mark.parametrize("steps", [0, 10, 70, 300])
def test_saved_and_cloned_in_play(steps: int) -> None:
    env = closing_env(ruleset="north_american")
    rng = np.random.default_rng(steps)
    env.reset(seed=steps)
    for _ in range(steps):
        env.step(random_choice(env, rng))
        if not env.agents:
            env.reset()
    saved, twin = env.get_state(), env.clone()
    other = closing_env(ruleset="north_american")
    other.set_state(through_a_file(saved))
    first = story(env, np.random.default_rng(1))
    assert story(twin, np.random.default_rng(1)) == first
    assert story(other, np.random.default_rng(1)) == first


def test_states_are_not_mixed_up() -> None:
    plain, closing = euchre_v0.env(), closing_env()
    plain.reset(seed=1)
    closing.reset(seed=1)
    with pytest.raises(StateError, match="which has closing turns"):
        closing.set_state(plain.get_state())
    with pytest.raises(StateError, match="no state of version 2 of the environment"):
        plain.set_state(closing.get_state())
    state = closing.get_state()
    with pytest.raises(StateError, match=r"lacks owed, ending\."):
        closing.set_state({name: state[name] for name in state if name not in ("owed", "ending")})


def test_copied_and_shown() -> None:
    env = closing_env(ruleset="tournament", episode="hand", render_mode="ansi")
    env.reset(seed=2)
    to_the_end(env, np.random.default_rng(2))
    env.step(PASS)
    twin = type(env.unwrapped)(ruleset="tournament", episode="hand", render_mode="ansi")
    twin.__setstate__(env.unwrapped.__getstate__())
    assert twin.agent_selection == env.agent_selection == "player_1"
    assert twin.render() == env.render()


def test_a_new_episode_starts_afresh() -> None:
    env, fresh = closing_env(ruleset="tournament", episode="hand"), closing_env(ruleset="tournament", episode="hand")
    env.reset(seed=1)
    to_the_end(env, np.random.default_rng(1))
    env.step(PASS)
    env.reset(seed=8)
    fresh.reset(seed=8)
    assert story(env, np.random.default_rng(0)) == story(fresh, np.random.default_rng(0))


def test_a_player_of_ours_plays_on_and_passes_at_its_closing_turn() -> None:
    env, rng = closing_env(ruleset="tournament", episode="hand", canonical_suits=True), np.random.default_rng(1)
    env.reset(seed=1)
    player, closing = policies.make("rule_based", env.ruleset), []
    for _ in env.agent_iter():
        done = env.last()[2]
        action = None if done else env.choose(player, rng)
        if env.is_closing:
            closing.append(action)
        env.step(action)
    assert closing == [PASS] * 4


@pytest.mark.parametrize("value", ["yes", None, 1])
def test_it_is_yes_or_no(value: Any) -> None:
    with pytest.raises(ValueError, match=r"closing_turns is .*: it must be True or False\."):
        euchre_v0.env(closing_turns=value)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_ruleset(ruleset: str) -> None:
    env = closing_env(ruleset, episode="hand")
    env.reset(seed=1)
    told = play_episode(env, np.random.default_rng(1))
    assert sum(told.values()) == pytest.approx(0)
