"""Intervals against published values, and how often they hold the truth."""

import math

import numpy as np
import pytest

from evaluation.statistics import Interval, mean_interval, paired_rate, wilson


def holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    assert interval.low is not None
    assert interval.high is not None
    return interval.low <= truth <= interval.high


def test_mean_interval_by_hand() -> None:
    interval = mean_interval([1.0, 2.0, 3.0, 4.0])
    half = 1.959964 * math.sqrt(5 / 3) / 2
    assert interval is not None
    assert interval.mean == 2.5
    assert interval.low == pytest.approx(2.5 - half, abs=1e-6)
    assert interval.high == pytest.approx(2.5 + half, abs=1e-6)
    assert interval.half_width == pytest.approx(half, abs=1e-6)


def test_mean_interval_of_little() -> None:
    assert mean_interval([]) is None
    assert mean_interval([0.5]) == Interval(0.5, None, None)
    assert Interval(0.5, None, None).half_width is None


# Newcombe, Statistics in Medicine 17, 1998, 857-872, table I, score method without continuity correction.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert interval is not None
    assert interval.low == pytest.approx(low, abs=5e-5)
    assert interval.high == pytest.approx(high, abs=5e-5)


def test_wilson_of_nothing_and_of_all() -> None:
    assert wilson(0, 0) is None
    sure = wilson(20, 20)
    assert sure is not None
    assert (sure.mean, sure.high) == (1.0, 1.0)
    assert sure.low == pytest.approx(1 - 0.1611, abs=5e-5)


def test_a_paired_rate_of_unrelated_games_is_wilsons() -> None:
    rng = np.random.default_rng(0)
    wins = rng.binomial(2, 0.6, size=5_000)
    paired, plain = paired_rate(wins, np.full(5_000, 2)), wilson(wins.sum(), 10_000)
    assert paired is not None
    assert plain is not None
    assert paired.mean == plain.mean
    assert paired.half_width == pytest.approx(plain.half_width, rel=0.03)


def test_a_paired_rate_knows_that_pairs_hang_together() -> None:
    same = paired_rate([0, 2] * 200, [2] * 400)
    single = paired_rate([0, 1] * 200, [1] * 400)
    opposite = paired_rate([1] * 400, [2] * 400)
    assert same is not None
    assert single is not None
    # Two games that always end alike tell no more than one.
    assert same.half_width == pytest.approx(single.half_width, rel=1e-9)
    # Pairs that all came out alike say little of how they would scatter.
    assert opposite == wilson(200, 400)


def test_a_paired_rate_with_unfinished_games() -> None:
    assert paired_rate([0, 0], [0, 0]) is None
    full, some = paired_rate([2, 1, 0, 1], [2, 2, 2, 2]), paired_rate([2, 1, 0, 1, 0], [2, 2, 2, 2, 0])
    assert full == some
    partly = paired_rate([1, 1, 0, 2], [1, 2, 2, 2])
    assert partly is not None
    assert partly.mean == 4 / 7


@pytest.mark.parametrize("correlation", [-0.4, 0.0, 0.5])
def test_the_intervals_hold_the_truth_95_times_of_100(correlation: float) -> None:
    rng = np.random.default_rng(1)
    rate, pairs, repeats, held = 0.7, 300, 1_500, 0
    both = rate**2 + correlation * rate * (1 - rate)
    one = 2 * (rate - both)
    for _ in range(repeats):
        wins = rng.choice([2, 1, 0], size=pairs, p=[both, one, 1 - both - one])
        interval = paired_rate(wins, np.full(pairs, 2))
        held += holds(interval, rate)
    assert 0.93 < held / repeats < 0.97


def test_the_mean_holds_the_truth_95_times_of_100() -> None:
    rng = np.random.default_rng(2)
    draws = rng.choice([-2.0, -0.5, 0.0, 0.5, 1.5], size=(2_000, 200), p=[0.05, 0.2, 0.5, 0.2, 0.05])
    truth = float(np.array([-2.0, -0.5, 0.0, 0.5, 1.5]) @ [0.05, 0.2, 0.5, 0.2, 0.05])
    intervals = [mean_interval(row) for row in draws]
    held = np.mean([holds(interval, truth) for interval in intervals])
    assert 0.93 < held < 0.97
