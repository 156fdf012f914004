"""Players by the word that a program is given: a name, a checkpoint, the folder of a run. Names need no PyTorch.

>>> rules_for("rule_based", None).name, load("random", rules_for("random", "ghost_hand")).name
('tournament', 'random')
"""

from pathlib import Path

from euchre_env import policies, rulesets
from euchre_env.errors import unknown
from euchre_env.policies import Policy, PolicyError
from euchre_env.ruleset import Ruleset


def load(word: str, ruleset: Ruleset) -> Policy:
    """Return a registered player or the one in a checkpoint; PolicyError if it is neither."""
    if word in policies.names():
        return policies.make(word, ruleset)
    if not Path(word).exists():
        raise PolicyError(unknown("player or checkpoint file", word, policies.names()))
    from agents.checkpoint import load_policy

    policy: Policy = load_policy(Path(word), ruleset)
    return policy


def rules_for(word: str, asked: str | None) -> Ruleset:
    """Return the ruleset asked for, else the one that the checkpoint was trained on, else `tournament`."""
    if asked is not None or word in policies.names() or not Path(word).exists():
        return rulesets.get(asked or "tournament")
    from agents.checkpoint import trained_ruleset

    return trained_ruleset(word)
