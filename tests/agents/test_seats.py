"""Networks of checkpoints sit at the tables of the environments of one seat."""

from pathlib import Path

import numpy as np

import agents  # noqa: F401 - what reads checkpoints
from euchre_env.envs.seat_vector import EuchreSeatVectorEnv
from euchre_env.envs.single_agent import EuchreSeatEnv

SHIPPED = str(Path(__file__).parents[2] / "checkpoints" / "tournament")


def test_at_one_table() -> None:
    env = EuchreSeatEnv("tournament", episode="hand", opponents=SHIPPED, partner="random")
    info, done = env.reset(seed=1)[1], False
    while not done:
        _, _, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        done = terminated or truncated
    assert env.company.players[1].name == "tournament"


def test_at_many_tables() -> None:
    """They are no function of a row alone, so they play the same seeds alike only among as many tables."""
    envs = EuchreSeatVectorEnv("tournament", num_envs=8, episode="hand", opponents=SHIPPED, partner="random")
    runs = []
    for _ in range(2):
        seen, _ = envs.reset(seed=3)
        paid = np.zeros(8)
        for _ in range(20):
            seen, rewards, *_ = envs.step(seen["action_mask"].argmax(axis=1))
            paid += rewards
        runs.append(paid)
    assert np.array_equal(runs[0], runs[1])
