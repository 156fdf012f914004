"""Rollouts: whole episodes, rewards where they belong (J6 through the real game), and the same result on any cores."""

from typing import Any

import numpy as np
import pytest
import torch

from agents.learners.config import GameConfig, NetworkConfig, PpoConfig, RunConfig, TrainConfig
from agents.networks.inputs import InputColumns
from agents.selfplay.log import account_metrics
from agents.selfplay.rollout import Rollout
from agents.selfplay.training import Training, reward_unit
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, columns

COLUMNS = InputColumns.find("tournament", tables=256)
TABLES = 96


def config(
    threads: int = 1, game: dict[str, Any] | None = None, ppo: dict[str, Any] | None = None, **network: Any
) -> TrainConfig:  # fmt: skip
    return TrainConfig(
        run=RunConfig(threads=threads, seed=5),
        game=GameConfig(**game or {}),
        network=NetworkConfig(width=16, depth=1, precision="float32", **network),
        ppo=PpoConfig(tables=TABLES, minibatch=64, **ppo or {}),
    )


def rollout_of(settings: TrainConfig, columns_read: InputColumns | None = COLUMNS) -> tuple[Training, Rollout]:
    training = Training(settings, columns_read)
    with torch.no_grad():  # a critic that expects nothing: advantages are results
        training.critic.net.weights[-1].zero_()
    return training, training.collect()[0]


def episodes(training: Training, rollout: Rollout) -> list[np.ndarray]:
    """Return the rows of each episode in the order played; the groups of tables lie one behind the other."""
    cut = int(np.flatnonzero(np.cumsum(rollout.ends) == TABLES // 2)[0]) + 1
    parts = [np.arange(cut), np.arange(cut, len(rollout))]
    return [part[rollout.tables[part] == table] for part in parts for table in range(TABLES // 2)]


@pytest.mark.parametrize("advantages", ["seat", "team"])
def test_j6_every_decision_gets_the_result_of_its_own_side(advantages: str) -> None:
    training, rollout = rollout_of(config(ppo={"advantages": advantages, "lam": 1.0}))
    assert (rollout.values == 0).all()
    for rows in episodes(training, rollout):
        assert rollout.ends[rows].tolist() == [False] * (len(rows) - 1) + [True]
        assert not rollout.rewards[rows[:-1]].any()
        result = rollout.rewards[rows[-1]]
        assert abs(result[0]) in (1, 2, 4)
        assert result[1] == -result[0]
        np.testing.assert_array_equal(rollout.advantages[rows], result[rollout.seats[rows] % 2])


@pytest.mark.parametrize("name", rulesets.names())
def test_every_game_of_the_family_pays_each_side_its_own_result(name: str) -> None:
    rules = rulesets.get(name)
    settings = config(game={"ruleset": name}, ppo={"lam": 1.0})
    training, rollout = rollout_of(settings, InputColumns.find(name, tables=64))
    assert rollout.rewards.shape[1] == rules.num_sides
    assert {int(seat) for seat in rollout.seats} == set(range(rules.num_seats))
    for rows in episodes(training, rollout):
        result = rollout.rewards[rows[-1]]
        assert result.sum() == pytest.approx(0, abs=1e-5)
        assert abs(result * training.reward_unit).max() <= 1.5 * rules.max_hand_points
        assert not rollout.rewards[rows[:-1]].any()
        sides = [rules.side(int(seat)) for seat in rollout.seats[rows]]
        np.testing.assert_array_equal(rollout.advantages[rows], result[sides])
    metrics = training.learn(rollout)
    assert all(np.isfinite(value) for value in metrics.values())
    assert account_metrics(training.collect()[1])["table/made"] > 0


def test_rewards_are_in_units_of_the_largest_hand() -> None:
    units = {name: reward_unit(rulesets.get(name), "zero_sum") for name in rulesets.names()}
    assert {name: unit for name, unit in units.items() if unit != 1} == {
        "bid_euchre": 6,
        "cincinnati": 12,
        "ghost_hand": 6,
    }
    assert reward_unit(rulesets.get("cincinnati"), "win") == 1


def test_what_is_logged_is_in_points() -> None:
    """The same hands, with the unit of the auction and with one six times as small."""
    columns_read = InputColumns.find("bid_euchre", tables=64)
    stds = []
    for unit in (6.0, 1.0):
        training = Training(config(game={"ruleset": "bid_euchre"}, ppo={"lam": 1.0}), columns_read)
        with torch.no_grad():
            training.critic.net.weights[-1].zero_()
        training.reward_unit = unit
        for tables in training._groups:
            tables.reward_unit = unit
        stds.append(training.learn(training.collect()[0])["learn/advantage_std"])
    assert stds[0] == pytest.approx(stds[1], rel=1e-4)


def test_forced_moves_are_rows_only_when_they_are_not_skipped() -> None:
    several = (rollout_of(config())[1].legal & (rollout_of(config())[1].legal - 1)) != 0
    assert several.all()
    training, rollout = rollout_of(config(game={"skip_forced": False}))
    forced = (rollout.legal & (rollout.legal - 1)) == 0
    assert 0.1 < forced.mean() < 0.6
    assert (rollout.log_p[forced] == 0).all()
    training.learn(rollout)
    assert training.decisions == 64 * int((~forced).sum() / 64)


def test_games_are_played_to_their_end() -> None:
    training, rollout = rollout_of(config(game={"episode": "game", "reward": "win"}, ppo={"lam": 1.0}), None)
    assert "scores" in training.columns.segments()
    assert training.hands > 5 * TABLES
    assert int(rollout.ends.sum()) == TABLES
    assert set(abs(rollout.advantages).tolist()) == {1.0}


def test_actions_are_legal_and_their_probabilities_are_those_of_the_policy() -> None:
    training, rollout = rollout_of(config())
    assert (rollout.legal >> rollout.actions & 1).all()
    with torch.no_grad():
        logits = training.policy.net(torch.from_numpy(rollout.inputs[:, : COLUMNS.num_seen]).float()).numpy()
    for row in range(0, len(rollout), 97):
        legal = [a for a in range(62) if rollout.legal[row] >> a & 1]
        p = np.exp(logits[row, legal] - logits[row, legal].max())
        expected = np.log(p / p.sum())[legal.index(rollout.actions[row])]
        assert rollout.log_p[row] == pytest.approx(expected, abs=1e-5)


def test_the_policy_never_sees_hidden_cards() -> None:
    """With an own-hand critic a row has the seen columns alone; the policy reads those columns in any case."""
    own, _ = Training(config(critic="own"), COLUMNS), None
    rollout, _ = own.collect()
    assert rollout.inputs.shape[1] == COLUMNS.num_seen == own.policy.net.num_inputs == own.critic.net.num_inputs
    all_hands = Training(config(), COLUMNS)
    assert all_hands.policy.net.num_inputs == COLUMNS.num_seen
    assert all_hands.critic.net.num_inputs == COLUMNS.num_seen + len(COLUMNS.hidden)


@pytest.mark.parametrize("critic", ["own", "all_hands"])
@pytest.mark.parametrize("advantages", ["seat", "team"])
def test_results_do_not_depend_on_the_number_of_cores(critic: str, advantages: str) -> None:
    runs = [Training(config(threads, ppo={"advantages": advantages}, critic=critic), COLUMNS) for threads in (1, 2)]
    for training in runs:
        for _ in range(2):
            training.learn(training.collect()[0])
    one, two = (training.tensors() for training in runs)
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert runs[0].facts()["generators"] == runs[1].facts()["generators"]


def test_columns_that_never_vary_are_left_out() -> None:
    assert {"options", "scores", "turn"}.isdisjoint(COLUMNS.segments())
    assert {"hand", "upcard", "trump", "phase", "dealer", "maker", "played_by", "tricks"} <= set(COLUMNS.segments())
    batch = GameBatch("tournament", 64, seed=1, hidden=True, canonical_suits=True, skip_forced=True)
    first, hidden = batch.observations[:1].copy(), batch.hidden[:1].copy()
    fixed = np.setdiff1d(np.arange(OBSERVATION_SIZE), COLUMNS.observed.index)
    fixed_hidden = np.setdiff1d(np.arange(HIDDEN_SIZE), COLUMNS.hidden.index)
    for _ in range(60):
        assert (batch.observations[:, fixed] == first[:, fixed]).all()
        assert (batch.hidden[:, fixed_hidden] == hidden[:, fixed_hidden]).all()
        batch.step([int(legal).bit_length() - 1 for legal in batch.legal])


def test_inputs_are_scaled_to_one() -> None:
    scales = dict(zip(COLUMNS.observed.index.tolist(), COLUMNS.scales(False).tolist(), strict=False))
    assert {scales[i] for i in range(*columns("hand").indices(OBSERVATION_SIZE)) if i in scales} == {1.0}
    assert max(scales[i] for i in range(*columns("tricks").indices(OBSERVATION_SIZE))) <= 0.5


def test_schedules_run_on_decisions() -> None:
    training = Training(config(ppo={"decisions": 1000}), COLUMNS)
    assert (training.rate, training.entropy_weight) == (1e-3, 0.02)
    training.decisions = 500
    assert training.rate == pytest.approx(0.55e-3)
    assert training.entropy_weight == pytest.approx(0.0105)
    training.decisions = 2000
    assert training.rate == pytest.approx(1e-4)
    assert training.entropy_weight == pytest.approx(0.001)
