"""What the vector environments share: Gymnasium's autoreset modes, and which tables a reset is for.

>>> as_mode("SameStep").name, tables_to_reset({"reset_mask": np.array([False, True])}, 2, begun=True).tolist()
('SAME_STEP', [1])
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.envs.aec import SETTING_UP
from euchre_env.errors import StateError, unknown

__all__ = ["AutoresetMode", "as_mode", "tables_to_reset", "whole_actions"]

try:
    from gymnasium.vector import AutoresetMode
except ImportError as problem:
    raise ImportError("the vector environments need Gymnasium 1.1 or newer, which has autoreset modes.") from problem


def as_mode(asked: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode given as one or by its name or value; ValueError names the nearest."""
    for mode in AutoresetMode:
        if asked is mode or str(asked).lower() in (mode.value.lower(), mode.name.lower()):
            return mode
    raise ValueError(unknown("autoreset mode", asked, [mode.value for mode in AutoresetMode]))


def tables_to_reset(options: Mapping[str, Any] | None, num_envs: int, *, begun: bool) -> npt.NDArray[np.int64]:
    """Return the rows of `options["reset_mask"]` `[N]` bool, all without one.

    ValueError for what is no mask; StateError for a set-up, and for some tables before all have begun.
    """
    if options is not None and not isinstance(options, Mapping):
        raise StateError(f"options is {options!r}: it must be a dict.")
    setting = [name for name in SETTING_UP if name in (options or {})]
    if setting:
        raise StateError(f"options name {', '.join(setting)}: only the environments of a single table are set up.")
    foreign = [name for name in (options or {}) if name != "reset_mask"]
    if foreign:
        raise StateError(unknown("option of reset", foreign[0], ["reset_mask"]))
    chosen = (options or {}).get("reset_mask")
    if chosen is None:
        return np.arange(num_envs)
    mask = np.asarray(chosen)
    if mask.shape != (num_envs,) or mask.dtype != np.bool_ or not mask.any():
        raise ValueError(f"reset_mask is {mask.dtype} {mask.shape}: it needs {num_envs} bools, one of them True.")
    if not begun and not mask.all():
        raise StateError("there are no episodes yet: the first reset() is for all tables.")
    return np.flatnonzero(mask)


def whole_actions(actions: npt.ArrayLike, num_envs: int) -> npt.NDArray[np.int64]:
    """Return actions `[N]` as int64; ValueError for another shape or kind."""
    chosen = np.asarray(actions)
    if chosen.shape != (num_envs,) or chosen.dtype.kind not in "iu":
        raise ValueError(f"actions is {chosen.dtype} {chosen.shape}: it needs {num_envs} whole numbers.")
    return chosen.astype(np.int64)
