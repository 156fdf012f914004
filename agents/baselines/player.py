"""What the players of the field have in common: the games they sit down to, and a policy around a compiled kernel.

Their descriptions (docs/field.md 5) know the game of four with an up-card, without joker, no-trump or passed cards.

>>> from euchre_env import rulesets
>>> check_known("simple_i", rulesets.get("cincinnati"))
Traceback (most recent call last):
    ...
euchre_env.policies.PolicyError: simple_i does not play cincinnati: ...
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from euchre_env.policies import PolicyError
from euchre_env.ruleset import Ruleset

# (options `[1]`, params `[1]`, views `[N]`, legal `[N]`, out `[N]`): writes the action of each row to `out`.
Kernel = Callable[..., None]


def check_known(name: str, rules: Ruleset) -> None:
    """Raise PolicyError for a game of which the descriptions say nothing."""
    known = rules.partners and rules.auction == "off" and not rules.joker and rules.allow_no_trump == "off"
    plain = rules.best_exchange == "off" and rules.farmers_hand != "swap3" and rules.renege == "masked"
    if not known or not plain:
        raise PolicyError(
            f"{name} does not play {rules.name}: it knows four seats and an up-card, without joker, no-trump, "
            f"passed cards or reneges; choose rule_based."
        )


class FieldPlayer:
    """Plays by the rules of a kernel with its numbers; deterministic, and every row for itself."""

    exact = True

    def __init__(self, name: str, ruleset: Ruleset, choose_rows: Kernel, params: npt.NDArray[np.generic]) -> None:
        check_known(name, ruleset)
        self.name = name
        self.ruleset = ruleset
        self.options = ruleset.to_options()
        self.params = params
        self._choose_rows = choose_rows

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` is not used."""
        out = np.empty(len(views), dtype=np.int64)
        self._choose_rows(self.options, self.params, views, legal, out)
        return out
