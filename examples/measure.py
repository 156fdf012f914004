"""What the examples share: a learner measured against random players, and the curve that it prints.

A learner is a function from observations [N, OBSERVATION_SIZE] and masks [N, NUM_ACTIONS], both int8, to N actions.
`python -m examples.measure` measures one that has learned nothing, and passes.

>>> curve = Curve("lowest", pairs=64)
>>> interval = curve.point(0, lambda observations, masks: masks.argmax(axis=1))
       0 decisions ...s  net points per hand against random ... +- ...
"""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import policies, rulesets
from euchre_env.engine.layout import PASS
from euchre_env.ruleset import Ruleset
from euchre_env.views import EncodedViews, masks
from evaluation.arena import play_match
from evaluation.statistics import Interval

Ints = npt.NDArray[np.integer[Any]]
Choose = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], Ints]


class Learner:
    """A function of observations and masks as a player for the arena."""

    def __init__(self, name: str, choose: Choose, ruleset: Ruleset, canonical_suits: bool = False) -> None:
        self.name = name
        self._choose = choose
        self._ruleset = ruleset
        self._canonical_suits = canonical_suits

    def act(self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator) -> Ints:
        """Return one action for each row `[N]`."""
        shown = EncodedViews(self._ruleset, views, self._canonical_suits)
        chosen = self._choose(shown.observations, masks(shown.legal))
        return shown.real_actions(np.asarray(chosen, dtype=np.int64))


class Curve:
    """Net points per hand against random players, on the same duplicate deals at every point."""

    def __init__(
        self, name: str, ruleset: str = "tournament", *, pairs: int = 1000, seed: int = 1, canonical_suits: bool = False
    ) -> None:
        self.name = name
        self.ruleset = rulesets.get(ruleset)
        self.pairs, self.seed = pairs, seed
        self.canonical_suits = canonical_suits
        self.points: list[tuple[int, Interval]] = []
        self._started = time.perf_counter()
        self._measured_s = 0.0

    @property
    def training_s(self) -> float:
        """Seconds since the start, those of the measuring left out."""
        return time.perf_counter() - self._started - self._measured_s

    def point(self, decisions: int, choose: Choose) -> Interval:
        """Measure the learner after so many decisions in training, print a row of the curve and return it."""
        seconds, began = self.training_s, time.perf_counter()
        learner = Learner(self.name, choose, self.ruleset, self.canonical_suits)
        net = play_match(learner, policies.make("random", self.ruleset), self.ruleset, self.pairs, self.seed).net
        self._measured_s += time.perf_counter() - began
        self.points.append((decisions, net))
        print(
            f"{decisions:8d} decisions {seconds:6.1f} s  net points per hand against random "
            f"{net.mean:+.3f} +- {net.half_width or 0.0:.3f}",
            flush=True,
        )
        return net

    def finish(self) -> bool:
        """Print the last point as a JSON line; return whether it lies above zero, and above the first, untrained one.

        Zero alone is little: see `passing`.
        """
        decisions, net = self.points[-1]
        above = net.low is not None and net.low > 0
        rose = net.low is not None and net.low > self.points[0][1].mean
        figures = {"example": self.name, "ruleset": self.ruleset.name, "decisions": decisions, "pairs": self.pairs}
        interval = {"mean": net.mean, "low": net.low, "high": net.high, "above_random": above, "rose": rose}
        print(json.dumps(figures | interval | {"training_s": round(self.training_s, 1)}))
        return above and rose


def passing(observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> Ints:
    """Pass whenever that is legal, else play at random: random players call too often, and lose by it."""
    chosen: Ints = (masks * np.random.default_rng(len(masks)).random(masks.shape)).argmax(axis=1)
    return np.where(masks[:, PASS] == 1, PASS, chosen)


if __name__ == "__main__":
    Curve("passing").point(0, passing)
