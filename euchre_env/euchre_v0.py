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

from euchre_env.envs.aec import Episode, EuchreAEC, RenderMode, Reward
from euchre_env.envs.closing import ClosingTurns
from euchre_env.envs.parallel import EuchreParallel
from euchre_env.envs.wrapper import EuchreEnv, Illegal
from euchre_env.errors import flag
from euchre_env.ruleset import Ruleset

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = EuchreAEC


def env(
    ruleset: str | Ruleset = "north_american",
    *,
    episode: Episode = "game",
    reward: Reward = "zero_sum",
    canonical_suits: bool = False,
    illegal: Illegal = "terminate",
    illegal_reward: float = -1.0,
    max_hands: int = 200,
    closing_turns: bool = False,
    render_mode: RenderMode | None = None,
) -> EuchreEnv:
    """Return the AEC environment: a table (`EuchreAEC`, which explains the arguments) with its checks (`EuchreEnv`).

    `ruleset`: a name of `rulesets.names()` or a Ruleset of one's own. `episode`: a "game" to the target, or one "hand".
    `reward`: "zero_sum" or "score" points by the hand, "win" at the end of a game, "equity" the change in the
    probability of winning it. `canonical_suits`: suits relabelled for the seat that looks. `illegal`: an illegal action
    may "terminate" the episode with `illegal_reward`, "raise" IllegalActionError, or have a "random" legal one played.
    `max_hands`: a longer game is truncated. `closing_turns`: after the end every seat has one more turn and is paid at
    its own turns, for learners that credit only the seat that moves (`ClosingTurns`). `render_mode`: "ansi",
    "rgb_array" or "human". ValueError if one is wrong.
    """
    kind = ClosingTurns if flag("closing_turns", closing_turns) else EuchreAEC
    return EuchreEnv(kind(ruleset, episode, reward, canonical_suits, max_hands, render_mode), illegal, illegal_reward)


def parallel_env(
    ruleset: str | Ruleset = "north_american",
    *,
    episode: Episode = "game",
    reward: Reward = "zero_sum",
    canonical_suits: bool = False,
    illegal: Illegal = "terminate",
    illegal_reward: float = -1.0,
    max_hands: int = 200,
    render_mode: RenderMode | None = None,
) -> EuchreParallel:
    """Return the turn-based parallel view of `env`, which takes the same; `infos[agent]["active_agent"]` is to move."""
    table = EuchreAEC(ruleset, episode, reward, canonical_suits, max_hands, render_mode)
    return EuchreParallel(EuchreEnv(table, illegal, illegal_reward))
