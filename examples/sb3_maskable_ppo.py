"""MaskablePPO of sb3-contrib learns a seat's play: `python -m examples.sb3_maskable_ppo`. Tried with sb3-contrib 2.9.2.

`train` is the whole of it: our tables as a VecEnv (`examples/sb3_vec_env.py`), sb3-contrib finds their masks itself.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv, VecExtractDictObs

from euchre_env import rulesets
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from examples.measure import Curve, Learner
from examples.sb3_vec_env import SeatVecEnv

RULESET = "tournament"


def make_tables(num_envs: int, **arguments: Any) -> VecEnv:
    """Return tables whose observation is the flat one, as "MlpPolicy" takes it; the masks stay beside it."""
    options: dict[str, Any] = {"opponents": "random", "partner": "random", "episode": "hand", "canonical_suits": True}
    tables = EuchreSeatVectorEnv(RULESET, num_envs=num_envs, autoreset_mode="SameStep", **(options | arguments))
    return VecExtractDictObs(SeatVecEnv(tables), key="observation")


def make_learner(envs: VecEnv, seed: int, **arguments: Any) -> MaskablePPO:
    """Return an untrained learner; a hand's reward comes once, at its end, so nothing is discounted."""
    options: dict[str, Any] = {
        "n_steps": 32,
        "batch_size": 1024,
        "n_epochs": 3,
        "learning_rate": 1e-3,
        "gamma": 1.0,
        "ent_coef": 0.01,
        "policy_kwargs": {"net_arch": [128], "activation_fn": torch.nn.ReLU},
    }
    return MaskablePPO("MlpPolicy", envs, seed=seed, device="cpu", **(options | arguments))


class Chooser:
    """The learner's best legal actions, as the curve asks for them."""

    def __init__(self, learner: MaskablePPO) -> None:
        self.learner = learner

    def __call__(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return an action for each row."""
        actions, _ = self.learner.predict(observations, action_masks=masks, deterministic=True)
        return np.asarray(actions, dtype=np.int64)


def train(seconds: float, seed: int, self_play: bool = False, num_envs: int = 256, steps: int = 32_768) -> Curve:
    """Train for so many seconds, in rounds of `steps` decisions; print the curve and return it.

    With `self_play` the learner, as it is at the moment, sits at the other seats too: its best actions, not drawn ones.
    """
    torch.set_num_threads(1)  # networks so small gain nothing from a second, and lose a lot on a busy machine
    learner = make_learner(make_tables(num_envs), seed)
    if self_play:
        itself = Learner("itself", Chooser(learner), rulesets.get(RULESET), canonical_suits=True)
        envs = make_tables(num_envs, opponents=itself, partner=itself)
        envs.seed(seed)
        learner.set_env(envs)
    curve = Curve("sb3_maskable_ppo", RULESET, canonical_suits=True)
    curve.point(0, Chooser(learner))
    while curve.training_s < seconds:
        learner.learn(steps, reset_num_timesteps=False)
        curve.point(learner.num_timesteps, Chooser(learner))
    return curve


def main(argv: Sequence[str] | None = None) -> int:
    """Train as the command line says; return 0 if the learner beats random players for certain."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="training budget, measuring left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--self-play", action="store_true", help="the learner at all seats, not random players")
    arguments = parser.parse_args(argv)
    return 0 if train(arguments.seconds, arguments.seed, arguments.self_play).finish() else 1


if __name__ == "__main__":
    sys.exit(main())
