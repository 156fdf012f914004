"""AgileRL's DQN learns a seat's play: `python -m examples.agilerl_dqn`. Tried with AgileRL 2.58.0, which needs peft.

Its DQN masks what it plays, but not what it learns from: `MaskedDQN` takes the best legal action in the target too.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

try:
    from agilerl.algorithms import DQN
except ImportError as problem:
    raise SystemExit(
        f"AgileRL is not here ({problem}): pip install -r examples/requirements/agilerl.txt -e ."
    ) from problem
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer
from gymnasium import spaces

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.envs.aec import seen_space
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from examples.measure import Curve

RULESET = "tournament"
EXPLORED = 60_000  # decisions until exploration is down to its last
Seen = Mapping[str, npt.NDArray[np.int8]]


class MaskedDQN(DQN):
    """Double DQN whose next observations end in the mask of what is legal there."""

    def update(
        self,
        obs: torch.Tensor,
        actions: torch.Tensor,
        rewards: torch.Tensor,
        next_obs: torch.Tensor,
        dones: torch.Tensor,
    ) -> torch.Tensor:
        """Learn from a batch [N]; return the loss."""
        illegal = next_obs[:, -NUM_ACTIONS:] == 0
        with torch.no_grad():
            best = self.actor(next_obs).masked_fill(illegal, -torch.inf).argmax(dim=1, keepdim=True)
            target = rewards + self.gamma * self.actor_target(next_obs).gather(1, best) * (1 - dones)
        loss: torch.Tensor = self.criterion(self.actor(obs).gather(1, actions.long().reshape(-1, 1)), target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.detach()


def flat(seen: Seen) -> npt.NDArray[np.int8]:
    """Return observations and masks side by side, `[..., OBSERVATION_SIZE + NUM_ACTIONS]`."""
    return np.concatenate([seen["observation"], seen["action_mask"]], axis=-1)


def make_tables(num_envs: int, **arguments: Any) -> EuchreSeatVectorEnv:
    """Return tables that show, beside the next episode, how the last one ended."""
    options: dict[str, Any] = {"opponents": "random", "partner": "random", "episode": "hand", "canonical_suits": True}
    return EuchreSeatVectorEnv(RULESET, num_envs=num_envs, autoreset_mode="SameStep", **(options | arguments))


def make_learner(seed: int, **arguments: Any) -> MaskedDQN:
    """Return an untrained learner; a hand's reward comes once, at its end, so nothing is discounted."""
    torch.manual_seed(seed)
    boxes = seen_space()
    low, high = (flat({name: getattr(boxes[name], end) for name in boxes}) for end in ("low", "high"))
    hidden = {"hidden_size": [128]}
    options: dict[str, Any] = {
        "batch_size": 512,
        "lr": 1e-3,
        "gamma": 1.0,
        "tau": 0.01,
        "net_config": {"latent_dim": 128, "encoder_config": hidden, "head_config": hidden},
    }
    return MaskedDQN(spaces.Box(low, high, dtype=np.int8), spaces.Discrete(NUM_ACTIONS), **(options | arguments))


class Chooser:
    """The learner's best legal actions, as the curve asks for them."""

    def __init__(self, learner: DQN) -> None:
        self.learner = learner

    def __call__(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return an action for each row."""
        seen = flat({"observation": observations, "action_mask": masks})
        return np.asarray(self.learner.get_action(seen, action_mask=masks), dtype=np.int64)


def play(learner: DQN, tables: EuchreSeatVectorEnv, memory: ReplayBuffer, seen: Seen, epsilon: float) -> Seen:
    """Play one decision of every table, remember it, and return what is seen next."""
    actions = learner.get_action(flat(seen), epsilon, action_mask=seen["action_mask"])
    after, rewards, terminated, truncated, infos = tables.step(actions)
    led_to = flat(after)
    for row in np.flatnonzero(terminated | truncated):
        led_to[row] = flat(infos["final_obs"][row])
    step = Transition(obs=flat(seen), action=actions, reward=rewards, next_obs=led_to, done=terminated)
    memory.add(step.to_tensordict().auto_batch_size_(1))
    return after


def train(seconds: float, seed: int, num_envs: int = 128, steps: int = 32_768) -> Curve:
    """Train for so many seconds, with a point of the curve every `steps` decisions; return the curve."""
    torch.set_num_threads(1)  # networks so small gain nothing from a second, and lose a lot on a busy machine
    tables, learner, memory = make_tables(num_envs), make_learner(seed), ReplayBuffer(100_000)
    curve = Curve("agilerl_dqn", RULESET, canonical_suits=True)
    curve.point(0, Chooser(learner))
    seen: Seen = tables.reset(seed=seed)[0]
    decisions = 0
    while curve.training_s < seconds:
        for _ in range(steps // num_envs):
            seen = play(learner, tables, memory, seen, epsilon=max(0.05, 1 - decisions / EXPLORED))
            decisions += num_envs
            if len(memory) >= 4096:
                for _ in range(2):
                    learner.learn(memory.sample(learner.batch_size))
        curve.point(decisions, Chooser(learner))
    return curve


def main(argv: Sequence[str] | None = None) -> int:
    """Train as the command line says; return 0 if the learner beats random players for certain."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0, help="training budget, measuring left out")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    return 0 if train(arguments.seconds, arguments.seed).finish() else 1


if __name__ == "__main__":
    sys.exit(main())
