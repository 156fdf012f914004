"""PettingZoo's own tests over rulesets, episodes and rewards, and the registry."""

import copy
import os
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

import euchre_env
from euchre_env import euchre_v0, rulesets
from tests.envs.playing import VARIANTS, random_choice

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # about an environment of PettingZoo's own
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
    from pettingzoo.test.state_test import state_test

import pettingzoo


@pytest.mark.parametrize(("ruleset", "episode", "reward"), VARIANTS)
def test_api(ruleset: str, episode: Any, reward: Any, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(euchre_v0.env(ruleset=ruleset, episode=episode, reward=reward), num_cycles=120)
    api_test(euchre_v0.raw_env(ruleset=ruleset, episode=episode, reward=reward), num_cycles=50)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize(("ruleset", "episode", "reward"), VARIANTS)
def test_seed(ruleset: str, episode: Any, reward: Any) -> None:
    seed_test(partial(euchre_v0.env, ruleset=ruleset, episode=episode, reward=reward), num_cycles=120)
    seed_test(partial(euchre_v0.raw_env, ruleset=ruleset, episode=episode, reward=reward), num_cycles=50)


@pytest.mark.parametrize(("ruleset", "episode", "reward"), VARIANTS)
def test_parallel_api(ruleset: str, episode: Any, reward: Any) -> None:
    parallel_api_test(euchre_v0.parallel_env(ruleset=ruleset, episode=episode, reward=reward), num_cycles=120)
    parallel_seed_test(partial(euchre_v0.parallel_env, ruleset=ruleset, episode=episode, reward=reward), num_cycles=50)


@pytest.mark.parametrize("ruleset", ["tournament", "two_handed", "ghost_hand", "bid_euchre", "railroad"])
def test_api_in_canonical_suits(ruleset: str) -> None:
    factory = partial(euchre_v0.env, ruleset=ruleset, canonical_suits=True)
    api_test(factory(), num_cycles=120)
    seed_test(factory, num_cycles=120)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_seats_have_names(ruleset: str) -> None:
    env = euchre_v0.env(ruleset=ruleset)
    env.reset(seed=1)
    seats = rulesets.get(ruleset).num_seats
    assert env.possible_agents == env.agents == [f"player_{seat}" for seat in range(seats)]
    assert set(env.observation_spaces) == set(env.action_spaces) == set(env.agents)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_render(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setitem(euchre_v0.raw_env.metadata, "render_fps", 10_000)
    shown = {"ansi": lambda text: isinstance(text, str) and "score" in text.lower()}
    render_test(partial(euchre_v0.env, ruleset=ruleset), custom_tests=shown)


def test_state() -> None:
    env = euchre_v0.env(illegal="random")
    state_test(env, euchre_v0.parallel_env(illegal="random"), num_cycles=50)


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="the registry came with PettingZoo 1.27")
def test_registry() -> None:
    env = pettingzoo.make("aec", "euchre/euchre-v0", ruleset="bicycle24", episode="hand")
    assert (str(env), env.unwrapped.ruleset.name) == ("euchre_v0", "bicycle24")
    assert isinstance(pettingzoo.make("parallel", "euchre/euchre-v0"), pettingzoo.ParallelEnv)


def test_registering_twice_is_quiet() -> None:
    euchre_env._register()


def test_an_older_pettingzoo_has_no_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pettingzoo, "register", raising=False)
    euchre_env._register()


def test_import_compiles_nothing_and_loads_little() -> None:
    code = "import sys, euchre_env; print(sorted({'numba', 'torch', 'pygame'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert run.stdout.strip() == "[]"


def test_public_names_are_there() -> None:
    for name in [*euchre_env.__all__, *euchre_env._MODULES, "__version__"]:
        assert getattr(euchre_env, name) is not None
        assert name in dir(euchre_env)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = euchre_env.no_such_name


@pytest.mark.parametrize("maker", [euchre_v0.env, euchre_v0.raw_env])
def test_copying_keeps_the_game(maker: Any) -> None:
    rng = np.random.default_rng(4)
    env = maker(ruleset="tournament")
    env.reset(seed=4)
    for _ in range(40):
        env.step(random_choice(env, rng))
    twin = copy.deepcopy(env)
    for _ in range(40):
        action = random_choice(env, rng)
        env.step(action)
        twin.step(action)
        assert twin.agent_selection == env.agent_selection
        assert np.array_equal(twin.state(), env.state())
    fresh = copy.deepcopy(maker())
    fresh.reset(seed=1)
    assert fresh.agents
