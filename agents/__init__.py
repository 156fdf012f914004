"""Players that search or learn. Importing this package makes the rule-based field known by name, and lets
`policies.make` read checkpoints; it needs no PyTorch, reading one does.

Networks live in `networks/`, what trains them in `learners/` and `selfplay/`, the rule-based field in `baselines/`.

>>> import agents
>>> from euchre_env import policies
>>> "simple_i" in policies.names()
True
"""

from pathlib import Path

import agents.baselines
import agents.search  # noqa: F401 - registers its players
from euchre_env import policies
from euchre_env.ruleset import Ruleset


def _load(path: Path, ruleset: Ruleset) -> policies.Policy:
    from agents.checkpoint import load_policy

    return load_policy(path, ruleset)


policies.register_loader(_load)
