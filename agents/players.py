"""The rules that fit a player given as a word: a name, a checkpoint, the folder of a run (`policies.make` reads it).

>>> rules_for("rule_based", None).name, rules_for("random", "ghost_hand").name
('tournament', 'ghost_hand')
"""

from pathlib import Path

from euchre_env import policies, rulesets
from euchre_env.ruleset import Ruleset


def rules_for(word: str, asked: str | None) -> Ruleset:
    """Return the ruleset asked for, else the one that the checkpoint was trained on, else `tournament`."""
    if asked is not None or policies.is_name(word) or not Path(word).exists():
        return rulesets.get(asked or "tournament")
    from agents.checkpoint import trained_ruleset

    return trained_ruleset(word)
