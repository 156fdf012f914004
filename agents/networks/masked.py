"""Masked distributions: the one place that knows how illegal actions are kept out of a softmax.

Torch code calls `masked_logits`, which gives illegal entries the lowest float32: their probability is exactly 0 (J2).
Compiled code calls `log_probabilities`, which reads the legal entries alone. Entropies never meet 0 * log 0 (J1). A row
without a legal action is finite here; callers give it weight 0 (J3). No network is defined here.

>>> logits = torch.tensor([[1.0, 2.0, 9.0]])
>>> round(float(entropy(logits, torch.tensor([[True, True, False]]))), 4)
0.5822
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.views import masks

_LOWEST = float(np.finfo(np.float32).min)
# Legal logits are kept this close to 0, far above an illegal one and without infinities of half precision.
_BOUND = 1e30
_BOUND_32 = np.float32(_BOUND)


def legal_mask(legal: npt.NDArray[np.int64]) -> Tensor:
    """Return sets of actions [N] as a mask [N, NUM_ACTIONS] of bool."""
    return torch.from_numpy(masks(legal).astype(np.bool_))


def masked_logits(logits: Tensor, mask: Tensor) -> Tensor:
    """Return float32 logits [N, A] of any float type, the illegal ones (mask [N, A] False) at the lowest float32."""
    return torch.where(mask, logits.float().clamp(-_BOUND, _BOUND), _LOWEST)


def log_softmax(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities [N, A] of the legal actions; illegal entries are finite and mean nothing."""
    return torch.log_softmax(masked_logits(logits, mask), dim=-1).masked_fill(~mask, _LOWEST)


def entropy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return the entropy [N] in nats over the legal actions alone (J1)."""
    log_p = torch.log_softmax(masked_logits(logits, mask), dim=-1)
    return -torch.where(mask, log_p.exp() * log_p, 0.0).sum(dim=-1)


@kernel
def log_probabilities(logits: Any, legal: Any, out: Any) -> Any:
    """Write log-probabilities of the legal actions of one row into `out` [A]; return their entropy in nats.

    `legal` is a set of at least one action; other entries of `out` are left alone.
    """
    peak = -_BOUND_32
    rest = legal
    while rest != 0:
        peak = max(peak, min(logits[lowest(rest)], _BOUND_32))
        rest &= rest - 1
    total = np.float32(0)
    rest = legal
    while rest != 0:
        action = lowest(rest)
        gap = min(max(logits[action], -_BOUND_32), _BOUND_32) - peak
        out[action] = gap
        total += math.exp(gap)
        rest &= rest - 1
    log_total = np.float32(math.log(total))
    spread = np.float32(0)
    rest = legal
    while rest != 0:
        action = lowest(rest)
        out[action] -= log_total
        spread -= math.exp(out[action]) * out[action]
        rest &= rest - 1
    return spread


@kernel
def _pick(log_p: Any, legal: Any, uniform: Any) -> Any:
    """Return the action at which the running sum of probabilities passes `uniform`; rounding ends at the last one."""
    action = lowest(legal)
    total = np.float32(0)
    rest = legal
    while rest != 0:
        action = lowest(rest)
        total += math.exp(log_p[action])
        if uniform < total:
            break
        rest &= rest - 1
    return action


@kernel
def sample(logits: Any, legal: Any, uniforms: Any, actions: Any, log_p: Any, entropies: Any) -> None:
    """Draw an action of each row and write it with its log-probability and the row's entropy.

    `logits` [N, A] float32, `legal` [N] sets of actions, `uniforms` [N] in [0, 1); a row without a legal action gets 0.
    """
    row = np.empty(NUM_ACTIONS, dtype=np.float32)
    for i in range(len(legal)):
        actions[i], log_p[i], entropies[i] = 0, 0, 0
        if legal[i] != 0:
            entropies[i] = log_probabilities(logits[i], legal[i], row)
            actions[i] = _pick(row, legal[i], uniforms[i])
            log_p[i] = row[actions[i]]
