"""The PettingZoo module of the Euchre family: `env()` with checks, `raw_env()` without, `parallel_env()`.

>>> from euchre_env import euchre_v0
>>> env = euchre_v0.env(ruleset="tournament", episode="hand")
>>> env.reset(seed=42)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     done = termination or truncation
...     env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
>>> env.agents
[]
"""

from typing import Any

from euchre_env.envs.aec import EuchreAEC
from euchre_env.envs.parallel import EuchreParallel
from euchre_env.envs.wrapper import EuchreEnv, Illegal

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = EuchreAEC


def env(illegal: Illegal = "terminate", illegal_reward: float = -1.0, **arguments: Any) -> EuchreEnv:
    """Return the AEC environment: `EuchreAEC` with `arguments` in `EuchreEnv`, which says what `illegal` means.

    Arguments: ruleset="north_american", episode="game" or "hand", reward="zero_sum", "score", "win" or "equity",
    canonical_suits=False, max_hands=200, render_mode=None, "ansi", "rgb_array" or "human".
    """
    return EuchreEnv(EuchreAEC(**arguments), illegal, illegal_reward)


def parallel_env(illegal: Illegal = "terminate", illegal_reward: float = -1.0, **arguments: Any) -> EuchreParallel:
    """Return the turn-based parallel view of `env()`, which takes the same arguments."""
    return EuchreParallel(env(illegal, illegal_reward, **arguments))
