"""euchre_env: Euchre for multi-agent reinforcement learning: one compiled engine under PettingZoo and batched faces.

Names are imported when they are first used, so that `import euchre_env` is quick and compiles nothing. It puts the
environments into the registries of PettingZoo and Gymnasium.

>>> import euchre_env, pettingzoo
>>> env = pettingzoo.make("aec", "euchre/euchre-v0", ruleset="tournament")
>>> str(env), euchre_env.Ruleset.__name__
('euchre_v0', 'Ruleset')
"""

import importlib
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

if TYPE_CHECKING:
    from euchre_env import euchre_v0 as euchre_v0
    from euchre_env import rulesets as rulesets
    from euchre_env.batch import GameBatch as GameBatch
    from euchre_env.envs.seat_vector import EuchreSeatVectorEnv as EuchreSeatVectorEnv
    from euchre_env.envs.single_agent import EuchreSeatEnv as EuchreSeatEnv
    from euchre_env.envs.vector import EuchreVectorEnv as EuchreVectorEnv
    from euchre_env.game import Game as Game
    from euchre_env.match import Match as Match
    from euchre_env.ruleset import Ruleset as Ruleset

    __version__: str

_MODULES = (
    "cards",
    "equity",
    "errors",
    "euchre_v0",
    "match",
    "policies",
    "record",
    "rewards",
    "rulesets",
    "testing",
    "worlds",
)
_NAMES = {
    "EuchreSeatEnv": "envs.single_agent",
    "EuchreSeatVectorEnv": "envs.seat_vector",
    "EuchreVectorEnv": "envs.vector",
    "Game": "game",
    "GameBatch": "batch",
    "Match": "match",
    "Ruleset": "ruleset",
}

__all__ = [
    "EuchreSeatEnv",
    "EuchreSeatVectorEnv",
    "EuchreVectorEnv",
    "Game",
    "GameBatch",
    "Match",
    "Ruleset",
    "euchre_v0",
    "rulesets",
]


def __getattr__(name: str) -> Any:
    """Import a public module or name on first use."""
    if name in _MODULES:
        return importlib.import_module(f"euchre_env.{name}")
    if name in _NAMES:
        return getattr(importlib.import_module(f"euchre_env.{_NAMES[name]}"), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("euchre-env")
    raise AttributeError(f"module 'euchre_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_NAMES, "__version__"})


def _register() -> None:
    """Enter the environments in the registries of Gymnasium and, where it has one (1.27 and later), PettingZoo."""
    if "euchre_env/Euchre-v0" not in gymnasium.registry:
        gymnasium.register(
            "euchre_env/Euchre-v0",
            entry_point="euchre_env.envs.single_agent:EuchreSeatEnv",
            vector_entry_point="euchre_env.envs.seat_vector:EuchreSeatVectorEnv",
        )
    if not hasattr(pettingzoo, "register"):
        return
    for kind, registry, maker in (
        ("aec", pettingzoo.aec_registry, "env"),
        ("parallel", pettingzoo.parallel_registry, "parallel_env"),
    ):
        if "euchre/euchre-v0" not in registry:
            pettingzoo.register(kind, "euchre/euchre-v0", entry_point=f"euchre_env.euchre_v0:{maker}")


_register()
