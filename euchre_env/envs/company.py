"""Who sits at the other seats of a single-seat environment: players of ours by seat, asked for many tables at once.

What a player draws follows from a table's key and the number of the decision alone, where the player can say so
(`exact`, `act_seeded`); so a table plays alike alone and among thousands.

>>> from euchre_env import rulesets
>>> company = Company(rulesets.get("tournament"), "rule_based", "random")
>>> [player.name for player in company.players], company.numbers(np.array([1, 2, 3]), np.array([0, 0, 0])).tolist()
(['rule_based', 'random'], [1, 0, 1])
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import policies
from euchre_env.envs import _kernels as kernels
from euchre_env.policies import Policy, PolicyError
from euchre_env.policies.policy import ask
from euchre_env.policies.random import sample, seed_decisions
from euchre_env.ruleset import Ruleset

Player = str | Policy
OWN = -1


class Company:
    """A partner, and one opponent or one for each seat of the other sides, clockwise from the own seat.

    A player is a name or checkpoint (`policies.make`) or a `Policy`. PolicyError says which is none.
    """

    def __init__(self, ruleset: Ruleset, partner: Player, opponents: Player | Sequence[Player]) -> None:
        self.players: list[Policy] = []
        self._seats = ruleset.num_seats
        self._known: dict[str, int] = {}
        self._ruleset = ruleset
        away = range(1, self._seats)
        sides = [ruleset.side(place) for place in away]
        across = [place for place, side in zip(away, sides, strict=True) if side == ruleset.side(0)]
        against = [place for place in away if place not in across]
        one_each = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        chosen: list[Any] = list(opponents) if one_each else [opponents] * len(against)  # type: ignore[arg-type]
        if len(chosen) != len(against):
            raise PolicyError(f"opponents names {len(chosen)} players: {ruleset.name} has {len(against)} opponents.")
        # By the place clockwise from the own seat.
        self._at = np.full(self._seats, OWN, dtype=np.int64)
        for place in across:
            self._at[place] = self._index("partner", partner)
        for place, player in zip(against, chosen, strict=True):
            self._at[place] = self._index("opponents", player)

    def _index(self, role: str, player: Any) -> int:
        """Return the number of a player; the same word means the same player."""
        if isinstance(player, str):
            if player not in self._known:
                self._known[player] = len(self.players)
                self.players.append(policies.make(player, self._ruleset))
            return self._known[player]
        if isinstance(player, type) or not callable(getattr(player, "act", None)):
            raise PolicyError(f"{role} is {player!r}: give a player's name, a checkpoint, or an object with act().")
        for number, known in enumerate(self.players):
            if known is player:
                return number
        self.players.append(player)
        return len(self.players) - 1

    def numbers(self, turns: npt.NDArray[Any], seats: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the number of the player to move `[K]` where `turns` [K] are to move and `seats` [K] are one's own."""
        found: npt.NDArray[np.int64] = self._at[(turns - seats) % self._seats]
        return found

    def act(
        self,
        number: int,
        views: npt.NDArray[np.void],
        legal: npt.NDArray[np.int64],
        seeds: npt.NDArray[np.uint64],
        rng: np.random.Generator,
    ) -> npt.NDArray[np.int64]:
        """Return the actions of a player `[K]`; PolicyError names one that is not legal."""
        player: Any = self.players[number]
        actions = np.asarray(ask(player, views, legal.copy(), seeds, rng))
        if actions.shape != legal.shape or actions.dtype.kind not in "iu":
            raise PolicyError(
                f"{name_of(player)} gave {actions.dtype} {actions.shape}: it needs {legal.shape} actions."
            )
        actions = actions.astype(np.int64, copy=False)
        row = kernels.first_illegal(legal, actions)
        if row >= 0:
            raise PolicyError(f"{name_of(player)} chose action {actions[row]}, which is not legal.")
        return actions


def name_of(player: Any) -> str:
    """Return the name of a player, of its class if it has none."""
    return str(getattr(player, "name", type(player).__name__))


def seeds_of(keys: npt.NDArray[np.uint64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """Return the seed of each table's next decision `[K]`: of its key `[K]` and how many were made `[K]`."""
    out = np.empty(len(keys), dtype=np.uint64)
    seed_decisions(keys, counts, out)
    return out


def random_legal(legal: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return a uniform action of each set `[K]`, drawn from its seed `[K]`."""
    out = np.empty(len(legal), dtype=np.int64)
    sample(legal, seeds.copy(), out)
    return out
