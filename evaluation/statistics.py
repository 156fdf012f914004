"""Intervals for paired results: the mean of duplicate pairs, and the rate of games won.

Deals are independent, the two seatings of one deal are not: every interval here is built from pairs. Nothing here knows
a game.

>>> mean_interval([1.0, 0.0, 0.5, -0.5])
Interval(mean=0.25, low=-0.382..., high=0.882...)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# The 97.5 % point of the standard normal distribution.
Z95 = 1.959963984540054

Values = Sequence[float] | npt.NDArray[np.number[Any]]


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval; `low` and `high` are None where the data cannot tell (one pair, or all equal)."""

    mean: float
    low: float | None
    high: float | None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def mean_interval(values: Values) -> Interval | None:
    """Return the mean of independent values `[N]` with its normal interval, None of no values.

    The central limit theorem carries it from some thirty pairs on (Student 1908 for fewer would be wider). The standard
    deviation is the sample's, with N - 1.
    """
    data = np.asarray(values, dtype=np.float64)
    if data.size == 0:
        return None
    mean = float(data.mean())
    if data.size == 1:
        return Interval(mean, None, None)
    deviation = float(data.std(ddof=1))
    if deviation == 0.0:
        return Interval(mean, None, None)
    half = Z95 * deviation / math.sqrt(data.size)
    return Interval(mean, mean - half, mean + half)


def wilson(successes: float, trials: float) -> Interval | None:
    """Return a rate with Wilson's score interval (JASA 22, 1927, 209-212), None of no trials.

    It stays inside 0..1 and has a width also at 0 and 1 (Brown, Cai and DasGupta, Statistical Science 16, 2001,
    101-133). `trials` may be an effective number.
    """
    if trials <= 0:
        return None
    rate = successes / trials
    spread = 1 + Z95**2 / trials
    centre = (rate + Z95**2 / (2 * trials)) / spread
    half = Z95 / spread * math.sqrt(rate * (1 - rate) / trials + Z95**2 / (4 * trials**2))
    low = 0.0 if rate <= 0 else centre - half
    high = 1.0 if rate >= 1 else centre + half
    return Interval(rate, low, high)


def paired_rate(wins: Values, trials: Values) -> Interval | None:
    """Return the rate of wins over pairs that share their deals: `wins` of `trials` in each pair, both `[P]`.

    Wilson's interval with the effective number of trials n / deff (Kish, Survey Sampling, 1965, 8.2; for binomial
    intervals Korn and Graubard, Survey Methodology 24, 1998, 193-201). The variance of the rate is that of a ratio of
    pair totals (Cochran, Sampling Techniques, 1977, 2.11), so pairs with an unfinished game count with what they have.
    At a rate of 0 or 1 pairs tell nothing about their correlation and count as independent trials; where all pairs
    came out alike, each counts as one trial.
    """
    won, tried = np.asarray(wins, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    pairs = int(np.count_nonzero(tried))
    total = float(tried.sum())
    if pairs == 0:
        return None
    rate = float(won.sum()) / total
    if pairs == 1 or rate in (0.0, 1.0):
        return wilson(won.sum(), total)
    residual = won - rate * tried
    variance = float(residual @ residual) * pairs / (pairs - 1) / total**2
    if variance == 0.0:
        return wilson(rate * pairs, pairs)
    effective = rate * (1 - rate) / variance
    return wilson(rate * effective, effective)
