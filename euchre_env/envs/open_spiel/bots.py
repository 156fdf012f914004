"""Our players as OpenSpiel's bots, and OpenSpiel's bots as players of ours.

>>> import pyspiel
>>> from euchre_env.envs import open_spiel
>>> table = open_spiel.game("tournament")
>>> ours = [player_bot("rule_based", table, seat, seed=1) for seat in (0, 2)]
>>> theirs = [pyspiel.make_uniform_random_bot(seat, 1) for seat in (1, 3)]
>>> points = pyspiel.evaluate_bots(table.new_initial_state(), [ours[0], theirs[0], ours[1], theirs[1]], 7)
>>> points[0] == points[2] == -points[1]
True
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from euchre_env import policies, rulesets, single
from euchre_env.engine.layout import action_name
from euchre_env.envs.open_spiel.resampling import state_of_view
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.policies import Policy
from euchre_env.ruleset import Ruleset

# A bot for a game, a seat and a seed.
MakeBot = Callable[[Any, int, int], Any]


class PlayerBot(pyspiel.Bot):
    """One of our players in one seat: it is shown that seat's view of a state, never the state."""

    def __init__(self, policy: Policy, player_id: int, seed: int | None = None) -> None:
        super().__init__()
        self.policy, self.player_id = policy, player_id
        self._rng = np.random.default_rng(seed)

    def step(self, state: Any) -> int:
        """Return the player's action; StateError if it is not this seat's turn."""
        table = state.table
        if table.player != self.player_id:
            raise StateError(f"seat {self.player_id} is asked, and it is the turn of {table.player}.")
        view = single.copied(table.record)
        single.hide_from(table.setting.options, view, self.player_id)
        return int(self.policy.act(view, np.array([table.legal], dtype=np.int64), self._rng)[0])

    def restart(self) -> None:
        """Begin another hand: a player keeps nothing between decisions, and goes on with its random numbers."""

    def restart_at(self, state: Any) -> None:
        """Begin in the middle of a hand."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Hear what another seat did; the next view tells it too."""


def player_bot(policy: str | Policy, game: Any, player_id: int, seed: int | None = None) -> PlayerBot:
    """Return a player, by name or itself, as a bot for a seat; StateError and PolicyError name a wrong one."""
    if not 0 <= player_id < game.num_players():
        raise StateError(f"player_id is {player_id}: seats run from 0 to {game.num_players() - 1}.")
    return PlayerBot(policies.make(policy, game.rules) if isinstance(policy, str) else policy, player_id, seed)


class BotPolicy:
    """An OpenSpiel bot as a player of ours: `make_bot(game, seat, seed)` gives a fresh one for every decision.

    A bot wants a state, and a player has a view: so one world that fits the view is drawn, evenly from all that do, and
    made into a state with a full history. A bot that asks a state only for the information state, the legal actions
    and resampled states plays as it would at a real table. One that looks at the hidden cards looks at those of the
    drawn world, which tell it nothing: it cannot cheat here, and plays as if it knew cards that it does not.
    Redeals before the deal at hand, and that a hand is a tie-break, are not in the state.
    """

    def __init__(self, make_bot: MakeBot, ruleset: str | Ruleset, name: str = "open_spiel_bot") -> None:
        self.name = name
        self._make_bot = make_bot
        self._rules = rulesets.get(ruleset)

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return one action for each row `[N]`; IllegalActionError if the bot's is none."""
        return np.array([self._choose(views[row : row + 1], int(legal[row]), rng) for row in range(len(views))])

    def _choose(self, view: npt.NDArray[np.void], legal: int, rng: np.random.Generator) -> int:
        state = state_of_view(self._rules, view, rng)
        seat, seed = int(view["turn"][0]), int(rng.integers(2**31))
        action = int(self._make_bot(state.get_game(), seat, seed).step(state))
        if action < 0 or not legal >> action & 1:
            said = action_name(action) if action >= 0 else action
            raise IllegalActionError(f"{self.name} chose {said} where the rules do not allow it.")
        return action
