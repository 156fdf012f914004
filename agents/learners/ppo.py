"""PPO's two losses as pure functions with their gradients, and the update of one network.

Each loss is written out in closed form and compiled: one pass over the legal actions of a row gives the loss, its
gradient by the logits and what is logged of it. Autograd carries the gradient on through the network. Networks and
rollouts live elsewhere.

>>> logits, grad = np.zeros((1, NUM_ACTIONS), np.float32), np.empty((1, NUM_ACTIONS), np.float32)
>>> one = np.ones(1, np.float32)
>>> stats = policy_loss(logits, np.array([6]), np.array([2]), np.log(one / 2), one, 0.2, 0.0, grad)
>>> grad[0, 1:3].tolist(), round(float(stats["loss"]), 6)
([0.5, -0.5], -1.0)
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from agents.networks.masked import log_probabilities
from agents.networks.mlp import Mlp
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import NUM_ACTIONS

Floats = npt.NDArray[np.float32]

# Sums over the rows of a minibatch; `policy_loss` returns means.
POLICY_STATS = ("loss", "entropy", "kl", "clipped", "rows")
_LOSS, _ENTROPY, _KL, _CLIPPED, _ROWS = range(5)


@kernel
def _row_gradient(log_p: Any, legal: Any, action: Any, pull: Any, entropy_weight: Any, entropy: Any, grad: Any) -> None:
    """Add d(-pull * log p[action] - entropy_weight * entropy) / d logits of one row."""
    rest = legal
    while rest != 0:
        a = lowest(rest)
        p = math.exp(log_p[a])
        grad[a] = pull * p + entropy_weight * p * (log_p[a] + entropy)
        rest &= rest - 1
    grad[action] -= pull


@kernel
def _policy_loss(
    logits: Any, legal: Any, actions: Any, old_log_p: Any, advantages: Any, clip: Any, entropy_weight: Any, grad: Any,
    sums: Any,
) -> None:  # fmt: skip
    log_p = np.empty(NUM_ACTIONS, dtype=np.float32)
    weighted = 0
    for i in range(len(legal)):
        weighted += legal[i] != 0
    for i in range(len(legal)):
        grad[i, :] = 0
        if legal[i] == 0:
            continue
        entropy = log_probabilities(logits[i], legal[i], log_p)
        # In float64 throughout: two roundings of one product would pass for a ratio outside the clip.
        advantage = np.float64(advantages[i])
        gap = np.float64(log_p[actions[i]]) - np.float64(old_log_p[i])
        ratio = math.exp(gap)
        bounded = min(max(ratio, 1 - clip), 1 + clip)
        surrogate = min(ratio * advantage, bounded * advantage)
        pull = np.float32(0 if surrogate < ratio * advantage else ratio * advantage / weighted)
        _row_gradient(log_p, legal[i], actions[i], pull, np.float32(entropy_weight / weighted), entropy, grad[i])
        sums[_LOSS] -= surrogate + entropy_weight * entropy
        sums[_ENTROPY] += entropy
        sums[_KL] += ratio - 1 - gap
        sums[_CLIPPED] += bounded != ratio
        sums[_ROWS] += 1


def policy_loss(
    logits: Floats,
    legal: npt.NDArray[np.int64],
    actions: npt.NDArray[np.integer[Any]],
    old_log_p: Floats,
    advantages: Floats,
    clip: float,
    entropy_weight: float,
    grad: Floats,
) -> dict[str, float]:
    """Write the gradient of the clipped surrogate with entropy bonus into `grad` [N, A]; return means over the rows.

    Schulman et al., https://arxiv.org/abs/1707.06347, equation 7; `kl` is http://joschu.net/blog/kl-approx.html, k3.
    `legal` [N] are sets of actions: a row without any weighs nothing (J3), illegal logits get no gradient (J1).
    """
    sums = np.zeros(len(POLICY_STATS))
    _policy_loss(logits, legal, actions, old_log_p, advantages, clip, entropy_weight, grad, sums)
    means = sums / max(sums[_ROWS], 1)
    return dict(zip(POLICY_STATS[:_ROWS], means.tolist(), strict=False))


class Learner:
    """One network with its optimiser: Adam on gradients cut to a norm, and an average of the weights if asked for."""

    def __init__(self, net: Mlp, max_gradient: float, average: float = 0.0) -> None:
        self.net = net
        self.max_gradient = max_gradient
        self.average = average
        self.averaged = [p.detach().clone() for p in net.parameters()]
        self.updates = 0
        # eps: https://arxiv.org/abs/2005.12729, table 5.
        self.optimiser = torch.optim.Adam(net.parameters(), lr=0.0, eps=1e-5, fused=True)

    def update(self, output: Tensor, gradient: Tensor, rate: float) -> float:
        """Carry the gradient of the net's output on to the weights and step; return the norm before the cut."""
        torch.autograd.backward(output, gradient)
        weights: list[Tensor] = list(self.net.parameters())
        norm = nn.utils.clip_grad_norm_(weights, self.max_gradient)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.optimiser.zero_grad()
        self._follow(weights)
        return float(norm)

    def _follow(self, weights: list[Tensor]) -> None:
        """Move the averaged weights; early ones weigh less, as in Adam's bias correction."""
        self.updates += 1
        keep = min(self.average, 1 - 1 / self.updates)
        with torch.no_grad():
            torch._foreach_lerp_(self.averaged, weights, 1 - keep)

    def state(self) -> dict[str, Tensor]:
        """Return all tensors that the next update depends on, by name."""
        tensors = {f"net.{name}": value for name, value in self.net.state_dict().items()}
        names = [name for name, _ in self.net.named_parameters()]
        tensors |= {f"averaged.{name}": value for name, value in zip(names, self.averaged, strict=True)}
        for name, weight in self.net.named_parameters():
            for key, value in self.optimiser.state.get(weight, {}).items():
                tensors[f"adam.{name}.{key}"] = value
        return {name: value.detach().clone() for name, value in tensors.items()}

    def restore(self, tensors: dict[str, Tensor], updates: int) -> None:
        """Go on from `state()`; ValueError if the tensors are those of another network."""
        names = [name for name, _ in self.net.named_parameters()]
        self.net.load_state_dict({name[4:]: value for name, value in tensors.items() if name.startswith("net.")})
        self.averaged = [tensors[f"averaged.{name}"].clone() for name in names]
        self.updates = updates
        for name, weight in self.net.named_parameters():
            start = f"adam.{name}."
            kept = {key[len(start) :]: value.clone() for key, value in tensors.items() if key.startswith(start)}
            if kept:
                self.optimiser.state[weight] = kept


def minibatches(rows: int, size: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows in random order, `size` at a time; a rest smaller than that waits for another iteration."""
    order = rng.permutation(rows)
    size = min(size, rows)
    for start in range(0, rows - size + 1, size):
        yield order[start : start + size]
