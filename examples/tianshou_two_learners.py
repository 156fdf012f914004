"""Tianshou 2.0.1: two PPO learners at seats 0 and 2 of one table, with random players between them.

    pip install -r examples/requirements/tianshou.txt -e .
    python -m examples.tianshou_two_learners

Tianshou credits each seat with the reward of its own rows alone, so the environment needs `closing_turns=True`. Its
PPO knows no masks and takes the row after a seat's own, which is another seat's, for the next state: hence
`MaskedActor` and `SeatsApart`.
"""

import argparse
import logging
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.algorithm_base import OnPolicyAlgorithm, TrainingStats
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOnPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OnPolicyTrainer, OnPolicyTrainerParams
from tianshou.utils.net.common import Net
from tianshou.utils.net.discrete import DiscreteActor, DiscreteCritic

from euchre_env import euchre_v0
from examples.measure import Curve

SEATS, LEARNING = 4, ("player_0", "player_2")
LONGEST_HAND = 48  # rows, closing turns included
POINTS = 5
FORBIDDEN = torch.finfo(torch.float32).min


def make_env() -> PettingZooEnv:
    """Return one table as Tianshou takes it."""
    return PettingZooEnv(
        euchre_v0.env(ruleset="tournament", episode="hand", canonical_suits=True, closing_turns=True, illegal="raise")
    )


class MaskedActor(DiscreteActor):
    """Logits of the legal actions."""

    def forward(self, obs: Batch, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return logits [B, A] and the state."""
        logits, state = super().forward(obs.obs, state, info)
        return logits.masked_fill(~torch.as_tensor(obs.mask), FORBIDDEN), state


class Critic(DiscreteCritic):
    """The value of what a seat sees."""

    def forward(self, obs: Batch, state: Any = None, info: Any = None) -> Any:
        """Return values [B, 1]."""
        return super().forward(obs.obs, state, info)


class FixedPlayer(OnPolicyAlgorithm):
    """A seat that plays at random, legally, and learns nothing."""

    def __init__(self, action_space: Any) -> None:
        super().__init__(policy=MARLRandomDiscreteMaskedOffPolicyAlgorithm.Policy(action_space))

    def _update_with_batch(self, batch: Batch, batch_size: int | None, repeat: int) -> TrainingStats:
        return TrainingStats()


class SeatsApart(MultiAgentOnPolicyAlgorithm):
    """The players of a table, each of which sees its own rows as episodes that end with its closing turn."""

    decisions = 0  # of the two learners, closing turns left out

    def _preprocess_batch(self, batch: Batch, buffer: VectorReplayBuffer, indices: npt.NDArray[np.int64]) -> Batch:
        ends = np.flatnonzero(batch.terminated)  # Tianshou's episodes end with the closing turn of the last seat
        closing = (ends[:, None] - np.arange(SEATS)).ravel()
        batch.terminated[closing] = True
        buffer.terminated[indices[closing]] = True
        for agent in self.policy.policies:
            rows = np.flatnonzero(batch.obs.agent_id == agent)
            batch.obs_next[rows[:-1]] = batch.obs[rows[1:]]
        self.decisions += int(np.isin(batch.obs.agent_id, LEARNING).sum()) - len(LEARNING) * len(ends)
        return super()._preprocess_batch(batch, buffer, indices)


def make_learner(env: PettingZooEnv, learning_rate: float = 3e-4) -> PPO:
    """Return a fresh PPO for one or more seats."""
    shape, actions = env.observation_space["observation"].shape, env.action_space.n
    actor = MaskedActor(
        preprocess_net=Net(state_shape=shape, hidden_sizes=[128, 128]), action_shape=actions, softmax_output=False
    )
    return PPO(
        policy=DiscreteActorPolicy(actor=actor, action_space=env.action_space, deterministic_eval=True),
        critic=Critic(preprocess_net=Net(state_shape=shape, hidden_sizes=[128, 128])),
        optim=AdamOptimizerFactory(lr=learning_rate),
        max_grad_norm=0.5,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.01,
        max_batchsize=4096,
    )


def make_table(env: PettingZooEnv, learners: tuple[PPO, PPO]) -> SeatsApart:
    """Return the learners at seats 0 and 2 (one object twice shares it) and random players at 1 and 3."""
    left, right = FixedPlayer(env.action_space), FixedPlayer(env.action_space)
    return SeatsApart(algorithms=[learners[0], left, learners[1], right], env=env)


def make_trainer(table: SeatsApart, *, tables: int = 128, hands: int = 256, seed: int = 0) -> OnPolicyTrainer:
    """Return a trainer whose epoch is one update on so many hands, played at so many tables."""
    envs = DummyVectorEnv([make_env for _ in range(tables)])
    envs.seed(seed)
    buffer = VectorReplayBuffer(4 * hands * LONGEST_HAND, tables)
    trainer = table.create_trainer(
        OnPolicyTrainerParams(
            training_collector=Collector(table, envs, buffer),
            test_collector=None,
            max_epochs=10**6,
            epoch_num_steps=1,
            collection_step_num_episodes=hands,
            collection_step_num_env_steps=None,
            batch_size=256,
            update_step_num_repetitions=4,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
            verbose=False,
        )
    )
    trainer.reset()
    return trainer


def seed_everything(seed: int) -> None:
    """Seed the global generators, from which Tianshou draws actions and the order of its batches."""
    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def chooser(learner: PPO) -> Any:
    """Return the learner as a function of observations and masks, playing its best action."""

    def choose(observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        batch = Batch(obs=Batch(obs=observations, mask=masks.astype(bool)), info=Batch())
        with torch.no_grad():
            return learner.policy(batch).act.numpy()  # type: ignore[no-any-return]

    return choose


def main(argv: list[str] | None = None) -> int:
    """Train for some time; 1 if the learner does not beat random players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=75.0, help="of training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--separate", action="store_true", help="the learners share nothing; the first is measured")
    arguments = parser.parse_args(argv)
    seed_everything(arguments.seed)
    torch.set_num_threads(1)  # the networks are small
    # It warns at every collection that the returns of several seats are not one number.
    logging.getLogger("tianshou").setLevel(logging.ERROR)
    env = make_env()
    learner = make_learner(env)
    table = make_table(env, (learner, make_learner(env) if arguments.separate else learner))
    trainer = make_trainer(table, seed=arguments.seed)
    curve = Curve("tianshou_two_learners", canonical_suits=True)
    curve.point(0, chooser(learner))
    for point in range(1, POINTS + 1):
        while curve.training_s < arguments.seconds * point / POINTS:
            trainer.execute_epoch()
        curve.point(table.decisions, chooser(learner))
    return 0 if curve.finish() else 1


if __name__ == "__main__":
    raise SystemExit(main())
