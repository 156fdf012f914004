"""EuchreGame: a ruleset as an OpenSpiel game, and the classes under which the catalogue is registered.

One hand is one game. A whole game to the target would have no bound on its length, and its information states no size
that holds all the hands before; a hand at any score can be had by `scores`.

>>> import pyspiel
>>> from euchre_env.envs import open_spiel
>>> game = pyspiel.load_game("euchre_env_tournament(dealer=2,scores=9:8)")
>>> game.num_players(), game.max_utility(), game.max_game_length()
(4, 4.0, 28)
"""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel

from euchre_env import rulesets
from euchre_env.engine.layout import NONE, NUM_ACTIONS
from euchre_env.envs.open_spiel.limits import MAX_REDEALS, longest_hand, utility_bounds
from euchre_env.envs.open_spiel.observer import EuchreObserver
from euchre_env.envs.open_spiel.setting import rules_of, score_text, scores_of, setting, short_name
from euchre_env.envs.open_spiel.state import EuchreState
from euchre_env.ruleset import Ruleset

_DEFAULTS: dict[str, Any] = {"reward": "zero_sum", "dealer": NONE, "scores": ""}
_ANY_RULES: dict[str, Any] = {"ruleset": "north_american", "options": ""}


def _game_type(name: str, rules: Ruleset, reward: str, parameters: dict[str, Any]) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=f"Euchre, {rules.name}, one hand",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if reward == "zero_sum" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=rules.num_seats,
        min_num_players=rules.num_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
        provides_factored_observation_string=True,
    )


def _game_info(rules: Ruleset, reward: str) -> Any:
    low, high = _bounds(rules, reward)
    return pyspiel.GameInfo(
        num_distinct_actions=NUM_ACTIONS,
        max_chance_outcomes=max(rules.deck_ids) + 1,
        num_players=rules.num_seats,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if reward == "zero_sum" else None,
        max_game_length=longest_hand(rules),
    )


_bounds = functools.lru_cache(maxsize=256)(utility_bounds)


class EuchreGame(pyspiel.Game):
    """A hand of one ruleset. Parameters, in the game string or a dict:

    `reward`: "zero_sum" or "score" (see `rewards.REWARD_MEANINGS`). `dealer`: a seat, or -1 for chance (the ruleset's
    own seat, where it has a fixed one). `scores`: what the sides start from, such as "9:8" (in a dict "9,8" too). The
    game `euchre_env` also takes `ruleset`, a name of the catalogue, and `options`, what differs: "target:5;deck:32".
    ValueError, StateError and RulesetError name a wrong one.
    """

    base: ClassVar[str] = ""  # a ruleset of the catalogue, or nothing where the parameters name one

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = _parameters(self.base)
        given = {**parameters, **(params or {})}
        given["scores"] = score_text(given["scores"])
        rules = rulesets.get(self.base) if self.base else rules_of(given["ruleset"], given["options"])
        reward = given["reward"]
        self.setting = setting(rules, reward, given["dealer"], scores_of(given["scores"]))
        kind = _game_type(short_name(self.base), rules, reward, parameters)
        changed = {name: value for name, value in given.items() if value != parameters[name]}
        super().__init__(kind, _game_info(rules, reward), changed)

    @property
    def rules(self) -> Ruleset:
        """The ruleset that is played."""
        return self.setting.rules

    def new_initial_state(self) -> EuchreState:
        """Return a state before the deal."""
        return EuchreState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> EuchreObserver:
        """Return an observer of these states, by default without the memory that perfect recall adds."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return EuchreObserver(self.setting, kind, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many outcomes of chance a hand can have."""
        deals = 1 + (MAX_REDEALS if self.rules.farmers_hand == "redeal" else 0)
        return int(self.setting.dealer == NONE) + deals * self.setting.num_dealt


def _parameters(base: str) -> dict[str, Any]:
    return _DEFAULTS if base else _DEFAULTS | _ANY_RULES


def register_games() -> None:
    """Make every ruleset of the catalogue known to `pyspiel.load_game`, and `euchre_env` for rules of one's own."""
    for base in ("", *rulesets.names()):
        # A class each: OpenSpiel drops what it holds after Python's end, which only classes survive.
        maker = type(f"EuchreGame_{base}", (EuchreGame,), {"base": base, "__doc__": EuchreGame.__doc__})
        rules = rulesets.get(base or _ANY_RULES["ruleset"])
        kind = _game_type(short_name(base), rules, _DEFAULTS["reward"], _parameters(base))
        pyspiel.register_game(kind, maker)
