"""TorchRL: PPO in self-play, one policy for all seats, through TorchRL's own PettingZoo wrapper.

Tried with torchrl 0.14.1 and pettingzoo 1.27.0 (`examples/requirements/torchrl.txt`):

    python -m examples.torchrl_ppo --seconds 90

The wrapper gives every frame of a table for all seats, with a mask of the one to move. So the critic and the advantages
run over all frames of a seat, those in which others move too; the policy learns from the frames in which it moved.
"""

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.envs import PettingZooWrapper, SerialEnv
from torchrl.envs.utils import ExplorationType, MarlGroupMapType
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from euchre_env import euchre_v0
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import columns
from examples.measure import Choose, Curve

TABLE: dict[str, Any] = {"ruleset": "tournament", "episode": "hand", "canonical_suits": True, "illegal": "raise"}
SEEN, MASK, MOVES = ("agents", "observation", "observation"), ("agents", "action_mask"), ("agents", "mask")
KEYS = {
    name: ("agents", name) for name in ("action", "reward", "done", "terminated", "value", "advantage", "value_target")
} | {"sample_log_prob": ("agents", "action_log_prob")}
# What a hand of tournament Euchre needs of an observation.
SEGMENTS = (
    "hand", "upcard", "upcard_state", "trump", "phase", "turn", "dealer", "maker", "alone", "sits_out", "played_ago",
    "tricks",
)  # fmt: skip
READ = torch.from_numpy(np.concatenate([np.r_[columns(segment)] for segment in SEGMENTS]))
TABLES, STEPS, EPOCHS, MINIBATCH = 8, 256, 4, 256  # steps: of a rollout; minibatch: frames, of four seats each


def make_env(group_map: Any = MarlGroupMapType.ALL_IN_ONE_GROUP, **options: Any) -> PettingZooWrapper:
    """Return one table for TorchRL; `options` are those of `euchre_v0.env`."""
    with warnings.catch_warnings():
        # Said of every PettingZoo but 1.24.3.
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested")
        return PettingZooWrapper(euchre_v0.env(**(TABLE | options)), use_mask=True, group_map=group_map)


class Reads(nn.Module):
    """The parts of an observation that are read, as floats."""

    def forward(self, observation: Tensor) -> Tensor:
        """Return [..., columns] of observations [..., OBSERVATION_SIZE]."""
        return observation[..., READ].float()


def make_policy() -> ProbabilisticActor:
    """Return the policy: it reads observation and action mask, and draws legal actions."""
    net = nn.Sequential(Reads(), MLP(len(READ), NUM_ACTIONS, num_cells=[64]))
    logits = TensorDictModule(net, in_keys=[SEEN], out_keys=[("agents", "logits")])
    return ProbabilisticActor(
        logits,
        in_keys={"logits": ("agents", "logits"), "mask": MASK},
        out_keys=[KEYS["action"]],
        distribution_class=MaskedCategorical,
        default_interaction_type=ExplorationType.RANDOM,
        return_log_prob=True,
    )


def make_critic() -> ValueOperator:
    """Return the critic: what a seat expects from what it sees, whoever is to move."""
    return ValueOperator(nn.Sequential(Reads(), MLP(len(READ), 1, num_cells=[64])), [SEEN], [KEYS["value"]])


class Learner:
    """Policy, critic and what PPO needs."""

    def __init__(self) -> None:
        self.policy, critic = make_policy(), make_critic()
        self.loss = ClipPPOLoss(self.policy, critic, entropy_coeff=0.01, critic_coeff=0.5, reduction="none")
        self.loss.set_keys(**KEYS)
        self.advantages = GAE(gamma=1.0, lmbda=0.98, value_network=critic)
        self.advantages.set_keys(**{name: key for name, key in KEYS.items() if name != "action"})
        self.optimiser = torch.optim.Adam(self.loss.parameters(), lr=2e-3)

    def update(self, frames: TensorDict) -> None:
        """Learn from frames [tables, time]; hands that go on beyond them are worth what the critic expects."""
        with torch.no_grad():
            self.advantages(frames)
        advantage, moves = frames[KEYS["advantage"]], frames[MOVES]
        chosen = advantage[moves]
        frames[KEYS["advantage"]] = (advantage - chosen.mean()) / chosen.std()
        rows = frames.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(rows)).split(MINIBATCH):
                self.step(rows[part])

    def step(self, rows: TensorDict) -> None:
        """Descend once; the frames of seats that are not to move teach the critic alone."""
        losses, moves = self.loss(rows), rows[MOVES]
        policy = (losses["loss_objective"] + losses["loss_entropy"])[moves].mean()
        self.optimiser.zero_grad()
        (policy + losses["loss_critic"].mean()).backward()
        nn.utils.clip_grad_norm_(self.loss.parameters(), 1.0)
        self.optimiser.step()


def player(policy: ProbabilisticActor) -> Choose:
    """Return the policy as `Curve` asks it: any rows, no seats."""

    def choose(observations: Any, masks: Any) -> Any:
        seen = {"observation": torch.from_numpy(observations)}
        legal = torch.from_numpy(masks).bool()
        rows = TensorDict({"agents": {"observation": seen, "action_mask": legal}}, batch_size=len(legal))
        with torch.no_grad():
            return policy(rows)[KEYS["action"]].numpy()

    return choose


def main(argv: Sequence[str] | None = None) -> int:
    """Train and print the learning curve; 1 if the last point is not above random play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=90.0, help="training budget, start-up included")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    curve, learner = Curve("torchrl_ppo", canonical_suits=True), Learner()
    play = player(learner.policy)
    curve.point(0, play)
    tables = SerialEnv(TABLES, make_env)
    tables.set_seed(arguments.seed)
    decisions = 0
    while curve.training_s < arguments.seconds:
        with torch.no_grad():
            frames = tables.rollout(STEPS, learner.policy, break_when_any_done=False)
        learner.update(frames)
        decisions += frames.numel()
        if curve.training_s > arguments.seconds * len(curve.points) / 6:
            curve.point(decisions, play)
    return 0 if curve.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
