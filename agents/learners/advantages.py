"""Advantages of the decisions of many tables: generalised advantage estimation along each owner's own decisions.

An owner is whose value a number is: a seat, or a side when partners share one (`Ruleset.side`). A chain never runs over
another owner's decisions, so no sign ever flips and nobody's later moves discount one's reward (J6, J7). A reward that
comes between two decisions of an owner belongs to the first of them. Compiled; rows of all tables may be mixed as long
as each table's come in order.

>>> rows = dict(tables=np.zeros(2, np.int64), owners=np.array([0, 1]), rewards=np.array([[0, 0.0], [1, -1]]))
>>> generalised(**rows, ends=np.array([False, True]), values=np.zeros(2), gamma=1.0, lam=0.9).tolist()
[1.0, -1.0]
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.engine._jit import kernel

Floats = npt.NDArray[np.floating[Any]]


@kernel
def _generalised(
    tables: Any, owners: Any, rewards: Any, ends: Any, values: Any, gamma: Any, lam: Any, ahead: Any, out: Any
) -> None:
    """Work backwards; `ahead` [tables, owners, 3]: reward since, value and advantage of an owner's next decision."""
    for i in range(len(tables) - 1, -1, -1):
        table = ahead[tables[i]]
        if ends[i]:
            table[:, :] = 0
        for owner in range(rewards.shape[1]):
            table[owner, 0] += rewards[i, owner]
        mine = table[owners[i]]
        out[i] = mine[0] + gamma * mine[1] - values[i] + gamma * lam * mine[2]
        mine[0], mine[1], mine[2] = 0, values[i], out[i]


def generalised(
    tables: npt.NDArray[np.integer[Any]],
    owners: npt.NDArray[np.integer[Any]],
    rewards: Floats,
    ends: npt.NDArray[np.bool_],
    values: Floats,
    gamma: float,
    lam: float,
) -> npt.NDArray[np.float32]:
    """Return the advantage of each decision [N] (Schulman et al., https://arxiv.org/abs/1506.02438).

    `tables` and `owners` [N] say whose decision a row is, `rewards` [N, owners] what each owner got between this
    decision and the table's next, `ends` [N] whether the table's episode ended there, `values` [N] the owner's
    expectation before the decision. `gamma` discounts per decision of the owner, `lam` weighs long against short.
    """
    ahead = np.zeros((int(tables.max(initial=0)) + 1, rewards.shape[1], 3))
    out = np.empty(len(tables), dtype=np.float32)
    _generalised(tables, owners, rewards, ends, values, gamma, lam, ahead, out)
    return out
