"""`simple_i` as a kernel of its own, for loops that play hands inside one kernel (`tune.py`); else see `simple.py`.

>>> from agents.baselines.simple import STYLES
>>> STYLES["simple_i"]
0
"""

from typing import Any

from agents.baselines.simple import choose_simply
from euchre_env.engine._jit import kernel


@kernel
def choose(opt: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options and a view."""
    return choose_simply(opt, s, legal, 0)
