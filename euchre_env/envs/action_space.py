"""ActionSpace: `Discrete` whose masked samples do not cost more than the step that they are for.

Gymnasium's takes some 18 us to check a mask and to choose, more than everything else in a random loop. Whatever is no
plain mask is left to it, its errors included.

>>> space = ActionSpace(62, seed=1)
>>> space.sample(np.array([0] * 33 + [1] + [0] * 28, dtype=np.int8)), space
(np.int64(33), Discrete(62))
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from euchre_env.envs import _kernels as kernels

if TYPE_CHECKING:
    _Discrete = spaces.Discrete[np.int64]
else:
    _Discrete = spaces.Discrete  # not generic at run time before Gymnasium 1.3


class ActionSpace(_Discrete):
    """The action ids from 0 to n - 1."""

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a uniform action: of a mask's ones, int8 [n], if one is given. See `Discrete.sample` for the rest."""
        if probability is not None:
            return super().sample(mask, probability)
        is_plain = isinstance(mask, np.ndarray) and mask.dtype == np.int8 and mask.flags.carray
        if is_plain and mask.shape == (self.n,):
            action = kernels.pick(mask, self.np_random.random())
            if action >= 0:
                return np.int64(action)
        return super().sample(mask)
