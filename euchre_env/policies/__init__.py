"""Players: the `Policy` protocol, and the registry that finds one by name.

`random`, `rule_based` and `rule_expert` are registered here; the package `agents` of the checkout registers its own,
and what reads checkpoints, when it is imported. A name may end in a parameter (`pimc:50`), and `bid=A,play=B` is a
player who calls as A does and plays cards as B. Nothing here steps a game: the arena and the environments do.

>>> {"random", "rule_based", "rule_expert"} <= set(names())
True
>>> make("rule_based", "tournament").name
'rule_based'
>>> make("bid=rule_expert,play=random", "tournament").name
'bid=rule_expert,play=random'
"""

import re
from collections.abc import Callable
from pathlib import Path

from euchre_env import rulesets
from euchre_env.errors import unknown
from euchre_env.policies.policy import Policy, PolicyError
from euchre_env.policies.split import split
from euchre_env.ruleset import Ruleset

__all__ = [
    "FamilyFactory",
    "Policy",
    "PolicyError",
    "PolicyFactory",
    "PolicyLoader",
    "is_name",
    "make",
    "names",
    "register",
    "register_family",
    "register_loader",
]

PolicyFactory = Callable[[Ruleset], Policy]
FamilyFactory = Callable[[str, Ruleset], Policy]
PolicyLoader = Callable[[Path, Ruleset], Policy]

_FACTORIES: dict[str, PolicyFactory] = {}
_FAMILIES: dict[str, FamilyFactory] = {}
_LOADERS: list[PolicyLoader] = []
_SPLIT = re.compile(r"bid=(?P<bid>[^,]+),play=(?P<play>[^,]+)")


def register(name: str, factory: PolicyFactory) -> None:
    """Make a policy known by name; the same factory may come again, another one raises PolicyError."""
    if _FACTORIES.get(name, factory) is not factory:
        raise PolicyError(f"a policy named {name!r} is registered already: choose another name.")
    _FACTORIES[name] = factory


def register_family(name: str, factory: FamilyFactory) -> None:
    """Make players known by a name and a parameter, `name:parameter`; the factory gets what follows the colon."""
    if _FAMILIES.get(name, factory) is not factory:
        raise PolicyError(f"a family of policies named {name!r} is registered already: choose another name.")
    _FAMILIES[name] = factory


def register_loader(loader: PolicyLoader) -> None:
    """Let `make` read players from files and folders with this function; the one registered last is asked."""
    _LOADERS.append(loader)


def make(name: str, ruleset: str | Ruleset) -> Policy:
    """Return a new player for a ruleset, by its name or by the file or folder that it is read from.

    PolicyError names the nearest known one.
    """
    rules = rulesets.get(ruleset)
    if name in _FACTORIES:
        return _FACTORIES[name](rules)
    if halves := _SPLIT.fullmatch(name):
        return split(make(halves["bid"], rules), make(halves["play"], rules), name)
    if "bid=" in name or "play=" in name:
        raise PolicyError(
            f"{name}: write bid=A,play=B, in this order, A and B two players that are not two themselves."
        )
    family, colon, parameter = name.partition(":")
    if colon and family in _FAMILIES:
        return _FAMILIES[family](parameter, rules)
    if not _is_file(name):
        more = "" if _LOADERS else " (More are known after `import agents`, from the checkout.)"
        known = [*_FACTORIES, *(f"{family}:..." for family in _FAMILIES), "bid=...,play=..."]
        raise PolicyError(unknown("player or checkpoint file", name, known) + more)
    if not _LOADERS:
        raise PolicyError(
            f"{name} is a file or folder, and nothing here reads players from it yet: `import agents` (the checkout's)."
        )
    return _LOADERS[-1](Path(name), rules)


def _is_file(name: str) -> bool:
    """Whether there is a file or folder of this name; a word that no file can have is none."""
    try:
        return name != "" and Path(name).exists()
    except (OSError, ValueError):
        return False


def is_name(word: str) -> bool:
    """Whether a word stands for a player by itself, with a parameter or as two players, and not for a file."""
    return word in _FACTORIES or word.partition(":")[0] in _FAMILIES or _SPLIT.fullmatch(word) is not None


def names() -> tuple[str, ...]:
    """Return the names of all registered policies, sorted."""
    return tuple(sorted(_FACTORIES))


def _register_own() -> None:
    from euchre_env.policies.random import RandomPolicy
    from euchre_env.policies.rule_based import RuleBasedPolicy

    register("random", RandomPolicy)
    register("rule_based", RuleBasedPolicy)
    register("rule_expert", lambda ruleset: RuleBasedPolicy(ruleset, name="rule_expert"))


_register_own()
