"""What a player is: the `Policy` protocol. Finding one by name is in the package itself."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


@runtime_checkable
class Policy(Protocol):
    """Who sits in a seat. It keeps nothing between calls, so one policy can sit in any number of seats (J15).

    A policy may say `exact = True` if the action of a row depends on that row alone, bit for bit. One that draws may
    have `act_seeded(views, legal, seeds)` besides, which draws for each row from its own seed, uint64 `[N]`, alone.
    """

    name: str

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.integer[Any]]:
        """Return one action for each row `[N]`.

        `views` is STATE `[N]`: what the seat to move may know. `legal` is int64 `[N]`: bit a set where action a is
        legal; never 0. All randomness comes from `rng`.
        """


def ask(
    player: Policy,
    views: npt.NDArray[np.void],
    legal: npt.NDArray[np.int64],
    seeds: npt.NDArray[np.uint64],
    rng: np.random.Generator,
) -> npt.NDArray[np.integer[Any]]:
    """Return the action of each row `[N]`: drawn from the row's seed by a player who can, from `rng` by others."""
    if hasattr(player, "act_seeded"):
        return np.asarray(player.act_seeded(views, legal, seeds))
    return player.act(views, legal, rng)


class PolicyError(ValueError):
    """An unknown policy, one registered twice, or parameters that do not fit."""
