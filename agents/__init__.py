"""Players that search or learn. Importing this package makes the rule-based field known by name; it needs no PyTorch.

Trained networks have no name: `agents.checkpoint.load_policy(PATH)` reads one. They live in `networks/`, what trains
them in `learners/` and `selfplay/`, the rule-based field in `baselines/`.

>>> import agents
>>> from euchre_env import policies
>>> "simple_i" in policies.names()
True
"""

import agents.baselines  # noqa: F401 - registers its players
