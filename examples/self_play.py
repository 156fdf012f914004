"""Self-play PPO on thousands of tables in one file: `python -m examples.self_play`. Needs PyTorch alone.

All seats share one network. A hand's points reach every decision of the seat that they were paid to; the mask is part
of the policy when it acts and when it learns. `train.py` is the same with all the trimmings.
"""

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs.vector import EuchreVectorEnv
from examples.measure import Curve


def policy_of(net: nn.Module, observations: Any, masks: Any) -> tuple[torch.distributions.Categorical, torch.Tensor]:
    """Return the masked distribution over actions and the value of each row."""
    out = net(torch.as_tensor(observations).float())
    logits = out[:, :-1].masked_fill(torch.as_tensor(masks) == 0, torch.finfo(out.dtype).min)
    return torch.distributions.Categorical(logits=logits, validate_args=False), out[:, -1]


def main(argv: Sequence[str] | None = None) -> int:
    """Train for some seconds; return 1 unless the last measurement lies above random play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to train, measuring not counted")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks
    envs = EuchreVectorEnv(
        "tournament", num_envs=1024, episode="hand", canonical_suits=True, skip_forced=True, autoreset_mode="Disabled"
    )
    net = nn.Sequential(
        nn.Linear(OBSERVATION_SIZE, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, NUM_ACTIONS + 1)
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    curve, decisions, iteration = Curve("self_play", canonical_suits=True), 0, 0

    def greedy(observations: Any, masks: Any) -> Any:
        with torch.inference_mode():
            return policy_of(net, observations, masks)[0].logits.argmax(dim=1).numpy()

    curve.point(0, greedy)
    while curve.training_s < args.seconds:
        # One hand at every table. A row is a decision: who made it, what was seen, allowed and done.
        seen, infos = envs.reset(seed=args.seed + iteration)
        rows: list[tuple[Any, ...]] = []
        paid = np.zeros((envs.num_envs, envs.num_seats), dtype=np.float32)
        while len(at := np.flatnonzero(infos["turn"] >= 0)):
            actions = np.zeros(envs.num_envs, dtype=np.int64)
            with torch.inference_mode():
                drawn, values = policy_of(net, seen["observation"][at], seen["action_mask"][at])
                action = drawn.sample()
            actions[at] = action.numpy()
            mover = infos["turn"][at]
            rows.append(
                (at, mover, seen["observation"][at], seen["action_mask"][at], action, drawn.log_prob(action), values)
            )
            seen, rewards, _, _, infos = envs.step(actions)
            paid += rewards
        tables, seats = (np.concatenate([row[k] for row in rows]) for k in range(2))
        observations, masks = (torch.from_numpy(np.concatenate([row[k] for row in rows])) for k in (2, 3))
        actions_, old_log_p, old_values = (torch.cat([row[k] for row in rows]).clone() for k in range(4, 7))
        returns = torch.as_tensor(paid[tables, seats] / 4)  # the most points of a hand: values stay small
        advantages = returns - old_values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(2):
            for part in torch.randperm(len(returns)).split(512):
                drawn, values = policy_of(net, observations[part], masks[part])
                ratio = (drawn.log_prob(actions_[part]) - old_log_p[part]).exp()
                gain = torch.min(ratio * advantages[part], ratio.clamp(0.8, 1.2) * advantages[part]).mean()
                loss = -gain + 0.5 * (values - returns[part]).square().mean() - 0.01 * drawn.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        decisions, iteration = decisions + len(returns), iteration + 1
        if curve.training_s > args.seconds * len(curve.points) / 4:
            curve.point(decisions, greedy)
    return 0 if curve.finish() else 1


if __name__ == "__main__":
    raise SystemExit(main())
