"""TorchRL: its own PettingZoo wrapper takes every table, its learner is fed what the table paid, and it can be kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tensordict import TensorDict
from torchrl.envs import ActionMask, GymWrapper, PettingZooWrapper, SerialEnv, TransformedEnv, check_env_specs
from torchrl.envs.utils import MarlGroupMapType

from euchre_env import euchre_v0, rulesets
from examples import torchrl_ppo as example
from tests.plugins import documented

pytestmark = pytest.mark.plugin

GROUPS = ("together", "by_side", "apart")
SEED = 5
RULESETS = ("tournament", "bid_euchre", "three_handed", "two_handed")


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def group_map(kind: str, ruleset: str) -> Any:
    rules = rulesets.get(ruleset)
    if kind != "by_side":
        return MarlGroupMapType.ALL_IN_ONE_GROUP if kind == "together" else MarlGroupMapType.ONE_GROUP_PER_AGENT
    seats = [f"player_{seat}" for seat in range(rules.num_seats)]
    return {f"side_{side}": seats[side :: rules.num_sides] for side in range(rules.num_sides)}


def make_env(kind: str = "together", ruleset: str = "tournament", **options: Any) -> PettingZooWrapper:
    return example.make_env(group_map(kind, ruleset), ruleset=ruleset, **options)


def by_seat(env: PettingZooWrapper, frames: TensorDict, *key: str) -> torch.Tensor:
    """Return an entry of all groups in the order of the seats, [time, seats, ...]."""
    columns = {
        agent: frames[(*key[:-1], group, key[-1])][:, place]
        for group, agents in env.group_map.items()
        for place, agent in enumerate(agents)
    }
    return torch.stack([columns[agent] for agent in env.possible_agents], dim=1)


def episodes(frames: TensorDict, entry: torch.Tensor) -> list[torch.Tensor]:
    """Return the parts of an entry [time, ...] that belong to the finished episodes."""
    ends = frames["next", "done"].squeeze(-1).nonzero().squeeze(-1) + 1
    return list(entry.tensor_split(ends)[:-1])


def replay(actions: list[int], number: int, **options: Any) -> list[list[float]]:
    """Return what PettingZoo's own loop pays each seat in so many episodes of the same seed and actions."""
    table, given, paid = euchre_v0.env(**options), iter(actions), []
    table.reset(seed=SEED)
    for _ in range(number):
        table.reset()
        totals = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            _, reward, termination, truncation, _ = table.last()
            totals[agent] += reward
            table.step(None if termination or truncation else next(given))
        paid.append(list(totals.values()))
    return paid


def check_rollout(kind: str, steps: int, **options: Any) -> tuple[list[list[float]], int]:
    """Check random play: one seat to move in each frame, legally, paid what PettingZoo's loop pays.

    Returns what each episode paid each seat, and how many seats were paid without a turn.
    """
    torch.manual_seed(SEED)
    env = make_env(kind, **options)
    env.set_seed(SEED)
    frames = env.rollout(steps, break_when_any_done=False)
    moves, actions = by_seat(env, frames, "mask"), by_seat(env, frames, "action")
    legal = by_seat(env, frames, "action_mask").gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    assert (moves.sum(dim=1) == 1).all()
    assert legal[moves].all()
    rewards = by_seat(env, frames, "next", "reward").squeeze(-1)
    learned = [part.sum(dim=0) for part in episodes(frames, rewards)]
    table = example.TABLE | options
    assert [paid.tolist() for paid in learned] == replay(actions[moves].tolist(), len(learned), **table)
    idle = [~part.any(dim=0) for part in episodes(frames, moves)]
    unasked = sum(int((paid[seats] != 0).sum()) for paid, seats in zip(learned, idle, strict=True))
    return [paid.tolist() for paid in learned], unasked


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("episode", ["hand", "game"])
def test_specs(ruleset: str, episode: str) -> None:
    for kind in GROUPS:
        for canonical_suits in (False, True):
            env = make_env(kind, ruleset, episode=episode, canonical_suits=canonical_suits)
            check_env_specs(env, seed=1)


def test_the_open_table_is_there_for_a_central_critic() -> None:
    table = euchre_v0.env(**example.TABLE)
    with pytest.warns(UserWarning, match="tested using version == 1.24.3"):
        env = PettingZooWrapper(table, use_mask=True, return_state=True)
    check_env_specs(env)
    assert np.array_equal(env.reset()["state"], table.state())


def test_one_seat_through_gymnasium() -> None:
    table = gymnasium.make("euchre_env/Euchre-v0", ruleset="tournament", episode="hand", illegal="raise")
    env = TransformedEnv(GymWrapper(table, categorical_action_encoding=True), ActionMask(mask_key="action_mask"))
    check_env_specs(env, seed=SEED)
    frames = env.rollout(100, break_when_any_done=False)
    assert frames["action_mask"].gather(-1, frames["action"].unsqueeze(-1)).all()


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", rulesets.names())
def test_specs_fifty_times(ruleset: str) -> None:
    for kind in GROUPS:
        for canonical_suits in (False, True):
            env = make_env(kind, ruleset, canonical_suits=canonical_suits)
            for seed in range(50):
                check_env_specs(env, seed=seed)


@pytest.mark.parametrize("kind", GROUPS)
def test_rewards_are_conserved(kind: str) -> None:
    paid, unasked = check_rollout(kind, 300)
    assert len(paid) > 5
    assert unasked > 0


def test_rewards_of_games_are_conserved() -> None:
    assert check_rollout("by_side", 500, ruleset="two_handed", episode="game")[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["together", "by_side"])
def test_rewards_of_a_thousand_hands_are_conserved(kind: str) -> None:
    paid, unasked = check_rollout(kind, 24_000)
    assert len(paid) >= 1000
    assert unasked > 100


@pytest.fixture(scope="module")
def frames() -> Iterator[TensorDict]:
    """Give frames of fresh players, [tables, time]; a SerialEnv that closes sets torch's number of threads anew."""
    torch.manual_seed(0)
    tables = SerialEnv(2, example.make_env)
    tables.set_seed(SEED)
    with torch.no_grad():
        played = tables.rollout(80, example.make_policy(), break_when_any_done=False)
    yield played
    tables.close()


def test_tables_of_one_seed_have_deals_of_their_own(frames: TensorDict) -> None:
    first, second = frames[example.SEEN][:, 0]
    assert not torch.equal(first, second)


def test_the_masked_policy_is_legal(frames: TensorDict) -> None:
    moves, actions = frames[example.MOVES], frames[example.KEYS["action"]]
    legal = frames[example.MASK].gather(-1, actions.unsqueeze(-1)).squeeze(-1)
    assert legal[moves].all()
    assert frames[example.MASK][~moves].all(), "TorchRL opens the mask of a seat that waits"
    assert frames[example.KEYS["sample_log_prob"]].isfinite().all()


def test_an_update_learns_from_the_moves_alone(frames: TensorDict) -> None:
    """What seats that are not to move are said to do changes nothing; each parameter moves."""
    weights = []
    for other in (0, 61):
        torch.manual_seed(1)
        learner = example.Learner()
        before = [parameter.clone() for parameter in learner.loss.parameters()]
        changed = frames.clone()
        changed[example.KEYS["action"]][~changed[example.MOVES]] = other
        learner.update(changed)
        after = list(learner.loss.parameters())
        assert all(parameter.isfinite().all() for parameter in after)
        assert not any(torch.equal(old, new) for old, new in zip(before, after, strict=True))
        weights.append(after)
    assert all(torch.equal(one, two) for one, two in zip(*weights, strict=True))


def test_a_seat_is_credited_with_its_own_hand(frames: TensorDict) -> None:
    learner, table = example.Learner(), frames[0].clone()
    learner.advantages.lmbda.fill_(1.0)
    with torch.no_grad():
        learner.advantages(table)
    expected = (table[example.KEYS["advantage"]] + table[example.KEYS["value"]]).squeeze(-1)
    rewards = table["next", "agents", "reward"].squeeze(-1)
    hands = list(zip(episodes(table, expected), episodes(table, rewards), strict=True))
    assert hands
    for returns, paid in hands:
        assert paid.any()
        assert torch.allclose(returns, paid.sum(dim=0).expand_as(returns), atol=1e-5)


def test_a_saved_policy_plays_the_same(frames: TensorDict, tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    learner, other = example.Learner(), example.make_policy()
    learner.update(frames.clone())
    save_file(learner.policy.state_dict(), path)
    observations = frames[example.SEEN][frames[example.MOVES]].numpy()
    masks = frames[example.MASK][frames[example.MOVES]].numpy()
    chosen: list[Any] = []
    for policy in (learner.policy, other):
        if policy is other:
            policy.load_state_dict(load_file(path))
        torch.manual_seed(2)
        chosen.append(example.player(policy)(observations, masks))
    assert np.array_equal(chosen[0], chosen[1])


@pytest.mark.slow
def test_it_learns(capsys: pytest.CaptureFixture[str]) -> None:
    assert example.main([]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["mean"] > 0.2


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("TorchRL"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)
