"""A plain network of linear layers and ReLU, float32 weights, computing in the type of its input.

Policy and critic are two of these without a shared part, so each can learn on its own core. The game is in `inputs.py`.

>>> net = Mlp(np.ones(4), outputs=2, width=8, depth=2, final_gain=0.01, seed=0)
>>> net(torch.ones(3, 4, dtype=torch.bfloat16)).dtype, net(torch.ones(3, 4)).shape
(torch.float32, torch.Size([3, 2]))
"""

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Mlp(nn.Module):
    """`depth` hidden layers of `width`, orthogonal at the start (https://arxiv.org/abs/2006.05990, section 3.2)."""

    def __init__(
        self, scales: npt.NDArray[np.floating], outputs: int, width: int, depth: int, final_gain: float, seed: int
    ) -> None:  # fmt: skip
        super().__init__()
        sizes = [len(scales), *[width] * depth, outputs]
        generator = torch.Generator().manual_seed(seed)
        self.weights = nn.ParameterList()
        self.biases = nn.ParameterList()
        for layer, (before, after) in enumerate(pairwise(sizes)):
            gain = math.sqrt(2) if layer < depth else final_gain
            weight = torch.empty(after, before)
            nn.init.orthogonal_(weight, gain, generator=generator)
            self.weights.append(nn.Parameter(weight))
            self.biases.append(nn.Parameter(torch.zeros(after)))
        self.scales: Tensor
        self.register_buffer("scales", torch.tensor(scales, dtype=torch.float32))

    @property
    def num_inputs(self) -> int:
        """How many columns an input row has."""
        return len(self.scales)

    def forward(self, rows: Tensor) -> Tensor:
        """Return float32 [N, outputs] of rows [N, inputs], computed in their float type.

        Inputs come as whole numbers; the first layer's weights take the scales, which costs less than scaling the rows.
        """
        kind = rows.dtype
        last = len(self.weights) - 1
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            factor = weight * self.scales if layer == 0 else weight
            rows = F.linear(rows, factor.to(kind), bias.to(kind))
            if layer < last:
                rows = F.relu_(rows)
        return rows.float()
