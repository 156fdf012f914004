"""Euchre in OpenSpiel: importing this registers every ruleset as a game, `euchre_env_tournament` and so on.

`game.py` is what a game is, `state.py` a hand in progress, `observer.py` what seats see, `resampling.py` worlds for
search, `bots.py` our players as OpenSpiel's bots and theirs as ours. It needs `pip install open_spiel`.

>>> import pyspiel
>>> pyspiel.load_game("euchre_env_three_handed(reward=score)").num_players()
3
>>> print(game("tournament", scores=(9, 8)))
euchre_env_tournament(scores=9:8)
"""

from collections.abc import Sequence
from operator import index
from typing import Any

import pyspiel

from euchre_env import rulesets
from euchre_env.engine.layout import NONE
from euchre_env.envs.open_spiel.bots import BotPolicy, PlayerBot, player_bot
from euchre_env.envs.open_spiel.game import EuchreGame, register_games
from euchre_env.envs.open_spiel.observer import EuchreObserver
from euchre_env.envs.open_spiel.setting import game_string, score_text
from euchre_env.envs.open_spiel.state import EuchreState
from euchre_env.ruleset import Ruleset

__all__ = ["BotPolicy", "EuchreGame", "EuchreObserver", "EuchreState", "PlayerBot", "game", "player_bot"]

register_games()


def game(
    ruleset: str | Ruleset = "north_american",
    *,
    reward: str = "zero_sum",
    dealer: int = NONE,
    scores: Sequence[int] = (),
) -> EuchreGame:
    """Return one hand of a ruleset, any Ruleset of one's own too, as an OpenSpiel game; see `EuchreGame`."""
    name, rules = game_string(rulesets.get(ruleset))
    parameters: dict[str, Any] = {"reward": reward, "dealer": index(dealer), "scores": score_text(scores)}
    loaded: EuchreGame = pyspiel.load_game(name, rules | parameters)
    return loaded
