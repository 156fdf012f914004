"""Two players in one: the first answers what is asked before the play, the second plays the cards.

>>> from euchre_env import policies
>>> player = policies.make("bid=rule_expert,play=rule_based", "tournament")
>>> player.bid.name, player.play.name, player.exact
('rule_expert', 'rule_based', True)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.engine.layout import Phase
from euchre_env.policies.policy import Policy, ask

_PLAY = int(Phase.PLAY)
Actions = npt.NDArray[np.integer[Any]]


class SplitPolicy:
    """Calls, discards and exchanges as `bid` does, plays cards as `play` does."""

    def __init__(self, bid: Policy, play: Policy, *, name: str | None = None) -> None:
        self.bid, self.play = bid, play
        self.name = name or f"bid={bid.name},play={play.name}"
        self.exact = _is_exact(bid) and _is_exact(play)

    def act(self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator) -> Actions:
        """Return the action of each row `[N]`; both players draw from `rng`, the one who bids first."""
        out = np.empty(len(views), dtype=np.int64)
        for player, rows in self.shares(views):
            out[rows] = player.act(views[rows], legal[rows], rng)
        return out

    def shares(self, views: npt.NDArray[np.void]) -> list[tuple[Policy, npt.NDArray[np.intp]]]:
        """Return who answers which rows."""
        plays = views["phase"] == _PLAY
        shares = [(self.bid, np.flatnonzero(~plays)), (self.play, np.flatnonzero(plays))]
        return [(player, rows) for player, rows in shares if rows.size]


class SeededSplitPolicy(SplitPolicy):
    """A SplitPolicy of players who can draw for each row alone, or draw nothing."""

    def act_seeded(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]
    ) -> Actions:
        """Return the action of each row `[N]`, drawn from the row's seed `[N]`, uint64."""
        out = np.empty(len(views), dtype=np.int64)
        for player, rows in self.shares(views):
            # Who has no `act_seeded` here is exact and draws nothing.
            out[rows] = ask(player, views[rows], legal[rows], seeds[rows], np.random.default_rng(0))
        return out


def split(bid: Policy, play: Policy, name: str | None = None) -> SplitPolicy:
    """Return one player who calls as `bid` does and plays as `play` does."""
    seeded = all(_is_exact(player) or hasattr(player, "act_seeded") for player in (bid, play))
    return (SeededSplitPolicy if seeded else SplitPolicy)(bid, play, name=name)


def _is_exact(player: Policy) -> bool:
    return getattr(player, "exact", False)
