"""RLlib: it plays legally, its learner sees every reward, what is restored plays on; it learns, on a cluster too."""

import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from pettingzoo.utils.wrappers import BaseWrapper
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.tune.registry import register_env

from euchre_env import euchre_v0
from euchre_env.engine.layout import PASS
from examples.rllib_self_play import ENV, POLICIES, MaskedPettingZooEnv, config, make_env, player, policy_of
from tests.plugins import documented

pytestmark = [
    pytest.mark.plugin,
    # RLlib registers the same name for each algorithm that it builds.
    pytest.mark.filterwarnings("ignore:.*Overriding environment rllib-multi-agent-env-v0:UserWarning"),
]

ROOT = Path(__file__).parents[2]
SEATS = [f"player_{seat}" for seat in range(4)]
HAND: dict[str, Any] = {"ruleset": "tournament", "episode": "hand", "canonical_suits": True}


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who knows the token may use a cluster; every process on it, this script's too, has to be told so."""
    (tmp_path / "token").write_text(secrets.token_hex(32))
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))


@contextmanager
def node(*arguments: str) -> Iterator[None]:
    """A node with one processor, as `ray start` starts it."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 120
    while True:
        with socket.socket() as connection:
            if connection.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < deadline, "the head of the cluster does not answer"
        time.sleep(0.5)


@contextmanager
def head() -> Iterator[str]:
    """The first node of a cluster; its address."""
    port = free_port()
    # A folder of its own with a short name: sockets lie in it, and the address that others would find.
    with (
        tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as session,
        node("--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={session}"),
    ):
        wait_for(port)
        yield f"127.0.0.1:{port}"


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    torch.set_num_threads(1)
    ray.init("local", include_dashboard=False, num_cpus=2, log_to_driver=False)
    started = ray._private.worker.global_worker.node.all_processes.values()
    processes = [information.process for group in started for information in group]
    yield
    ray.shutdown()
    # Ray ends its processes and does not wait for them, of which Python complains.
    for process in processes:
        process.wait(timeout=60)


def small(steps: int = 1000, **arguments: Any) -> Any:
    """A configuration whose iterations are short."""
    return config(seed=1, **arguments).training(train_batch_size_per_learner=steps, minibatch_size=500, num_epochs=1)


@pytest.fixture
def build(local_ray: None) -> Iterator[Callable[[Any], Algorithm]]:
    """Build algorithms that stop with the test."""
    built: list[Algorithm] = []

    def make(settings: Any) -> Algorithm:
        built.append(settings.build_algo())
        return built[-1]

    yield make
    for algorithm in built:
        algorithm.stop()


# The adapter ---------------------------------------------------------------------------------------------------------


def test_observations_are_those_of_the_spaces() -> None:
    env, rng = make_env(HAND), np.random.default_rng(1)
    plain = euchre_v0.env(**HAND, closing_turns=True)
    for seed in range(20):
        seen, done = env.reset(seed=seed)[0], {"__all__": False}
        plain.reset(seed=seed)
        while not done["__all__"]:
            (agent,) = seen
            assert env.observation_spaces[agent].contains(seen[agent])
            expected = plain.observe(agent)
            np.testing.assert_array_equal(seen[agent]["observations"], expected["observation"])
            np.testing.assert_array_equal(seen[agent]["action_mask"], expected["action_mask"])
            action = int(rng.choice(np.flatnonzero(seen[agent]["action_mask"])))
            seen, _, done, _, _ = env.step({agent: action})
            plain.step(action)
        assert sorted(seen) == SEATS
        assert all(env.observation_spaces[agent].contains(seen[agent]) for agent in seen)


def test_render_shows_the_table() -> None:
    env = make_env(HAND | {"render_mode": "ansi"})
    env.reset(seed=1)
    assert env.render() == env.env.render()
    assert env.render()


def test_partners_share_a_policy() -> None:
    assert [policy_of(agent, None) for agent in SEATS] == ["even", "odd", "even", "odd"]


# What the learner sees -----------------------------------------------------------------------------------------------


class Ledger(BaseWrapper):
    """What the environment paid to each seat in each episode, and that every action was legal."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.episodes: list[tuple[float, ...]] = []

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=seed, options=options)
        self.paid = dict.fromkeys(SEATS, 0.0)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        is_dead = self.terminations[agent] or self.truncations[agent]
        if not is_dead:
            assert self.observe(agent)["action_mask"][action] == 1
        super().step(action)
        if not is_dead:
            for seat, reward in self.rewards.items():
                self.paid[seat] += reward
        if not self.agents:
            self.episodes.append(tuple(self.paid[seat] for seat in SEATS))


class Tally(ConnectorV2):
    """The last piece of the learner's pipeline: what it holds for each seat of each episode, and what it trains on."""

    def __init__(self) -> None:
        super().__init__()
        self.seats: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self.over: set[str] = set()
        self.policies = dict.fromkeys(POLICIES, 0.0)
        self.trained_on = dict.fromkeys(POLICIES, 0.0)

    def __call__(self, *, batch: Any, episodes: Sequence[Any], **_: Any) -> Any:
        for episode in episodes:
            # RLlib has added the number of the chunk.
            name = episode.id_.rsplit("_", 1)[0]
            for agent, steps in episode.agent_episodes.items():
                earned = float(np.sum(steps.get_rewards()))
                self.seats[name][agent] += earned
                self.policies[steps.module_id] += earned
            if episode.is_done:
                self.over.add(name)
        for name, rows in batch.items():
            counted = np.asarray(rows["rewards"])[np.asarray(rows["loss_mask"])]
            self.trained_on[name] += float(counted.sum())
        return batch

    @property
    def episodes(self) -> list[tuple[float, ...]]:
        return [tuple(self.seats[name][seat] for seat in SEATS) for name in self.over]


def ledgers_of(algorithm: Algorithm) -> list[tuple[float, ...]]:
    return [episode for env in algorithm.env_runner.env.envs for episode in env.unwrapped.env.episodes]


def make_ledger_env(arguments: Any) -> MaskedPettingZooEnv:
    return MaskedPettingZooEnv(Ledger(euchre_v0.env(**arguments)))


def trained(build: Callable[[Any], Algorithm], episodes: int, fragment: Any, **arguments: Any) -> tuple[Any, Tally]:
    """Train until so many episodes are over; what the environment paid in each, and the tally."""
    register_env("ledger", make_ledger_env)
    settings = small(steps=2000, **arguments).environment("ledger")
    algorithm, tally = build(settings.env_runners(rollout_fragment_length=fragment)), Tally()
    algorithm.learner_group._learner._learner_connector.append(tally)
    paid: list[tuple[float, ...]] = []
    while len(paid) < episodes:
        algorithm.train()
        paid = ledgers_of(algorithm)
    return paid, tally


@pytest.mark.parametrize(
    ("episodes", "fragment", "arguments"),
    [
        (1000, "auto", {"episode": "hand"}),
        (100, 7, {"episode": "hand"}),  # most hands are cut into chunks
        (20, 7, {"episode": "game"}),
        (20, "auto", {"episode": "game", "max_hands": 2}),
    ],
    ids=["hands", "cut-hands", "games", "truncated-games"],
)
def test_the_learner_sees_what_was_paid(
    build: Callable[[Any], Algorithm], episodes: int, fragment: Any, arguments: Any
) -> None:
    paid, tally = trained(build, episodes, fragment, ruleset="tournament", closing_turns=True, **arguments)
    assert sorted(tally.episodes) == sorted(paid)
    assert np.abs(paid).sum() > 0
    assert tally.trained_on == tally.policies


def test_without_closing_turns_rewards_are_lost(build: Callable[[Any], Algorithm]) -> None:
    """Why the example asks for them; when this fails RLlib has learnt it."""
    paid, tally = trained(build, 100, "auto", ruleset="tournament", episode="hand", closing_turns=False)
    assert np.abs(tally.episodes).sum() < np.abs(paid).sum()


def test_a_closing_turn_has_one_action() -> None:
    """So it moves no policy: its logarithm is 0."""
    env, rng = make_env(HAND), np.random.default_rng(2)
    seen, done = env.reset(seed=3)[0], {"__all__": False}
    last: list[tuple[str, list[int]]] = []
    while not done["__all__"]:
        (agent,) = seen
        legal = np.flatnonzero(seen[agent]["action_mask"])
        last = [*last[-3:], (agent, legal.tolist())]
        seen, _, done, _, _ = env.step({agent: int(rng.choice(legal))})
    assert last == [(agent, [PASS]) for agent in SEATS]


# Learning ------------------------------------------------------------------------------------------------------------


def positions(number: int) -> list[Any]:
    """Observations and masks of random play."""
    env, rng = euchre_v0.env(**HAND), np.random.default_rng(5)
    rows: list[Any] = []
    while len(rows) < number:
        env.reset(seed=len(rows))
        for agent in env.agent_iter():
            done, seen = env.terminations[agent], env.observe(agent)
            if not done:
                rows.append(seen)
            env.step(None if done else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return [np.stack([row[key] for row in rows]) for key in ("observation", "action_mask")]


def test_a_restored_algorithm_plays_the_same_and_trains_on(build: Callable[[Any], Algorithm], tmp_path: Path) -> None:
    algorithm = build(small(**HAND))
    before = algorithm.get_module("even").get_state()
    played = algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"]
    assert any(
        not np.array_equal(before[key], value) for key, value in algorithm.get_module("even").get_state().items()
    )
    algorithm.save_to_path(str(tmp_path / "checkpoint"))
    register_env(ENV, make_env)
    restored = Algorithm.from_checkpoint(str(tmp_path / "checkpoint"))
    observations, masks = positions(500)
    for name in POLICIES:
        expected = player(algorithm.get_module(name))(observations, masks)
        assert masks[np.arange(len(masks)), expected].all()
        np.testing.assert_array_equal(player(restored.get_module(name))(observations, masks), expected)
    for name in POLICIES:
        adam, loaded = (one.learner_group._learner.get_optimizer(name).state_dict() for one in (algorithm, restored))
        assert len(adam["state"]) > 0
        assert all(
            torch.equal(adam["state"][row][key], loaded["state"][row][key])
            for row in adam["state"]
            for key in adam["state"][row]
        )
    result = restored.train()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= played + 1000
    assert result["training_iteration"] == 2
    restored.stop()


def run_example(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "examples.rllib_self_play", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.slow
def test_it_learns() -> None:
    run = run_example("--seconds", "60")
    assert run.returncode == 0, run.stdout + run.stderr
    assert '"above_random": true' in run.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("guarded")
def test_a_cluster_of_two_nodes(tmp_path: Path) -> None:
    """One processor each, so that the two runners cannot be on one node."""
    folder = tmp_path / "checkpoint"
    with head() as address, node(f"--address={address}"):
        run = run_example("--address", address, "--runners", "2", "--seconds", "20", "--save", str(folder))
    assert run.returncode == 0, run.stdout + run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("sampling on nodes")]
    assert len(set(line.split()[3:])) == 2
    assert (folder / "rllib_checkpoint.json").exists()


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("RLlib"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)
