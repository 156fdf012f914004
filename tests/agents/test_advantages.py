"""Advantages: faults J6, J7, J11, and the compiled recursion against one written out for a single owner."""

import numpy as np
import pytest

from agents.learners.advantages import generalised

TEAM = np.array([0, 1, 0, 1])
SEAT = np.arange(4)
# Who decides in one hand: a pass round, an order by seat 0, the dealer's discard, three tricks with a sitting partner.
HAND = np.array([1, 2, 3, 0, 3, 1, 3, 0, 3, 0, 1, 0, 1, 3])


def one_hand(owner_of: np.ndarray, result: float, gamma: float, lam: float) -> np.ndarray:
    """Return the advantages of HAND with V = 0, sides 0 and 2 getting `result` at its end, the others its negative."""
    rewards = np.zeros((len(HAND), owner_of.max() + 1))
    rewards[-1] = np.where(np.arange(rewards.shape[1]) % 2 == 0, result, -result)
    ends = np.arange(len(HAND)) == len(HAND) - 1
    tables, values = np.zeros(len(HAND), np.int32), np.zeros(len(HAND), np.float32)
    return generalised(tables, owner_of[HAND], rewards, ends, values, gamma, lam)


@pytest.mark.parametrize("owner_of", [SEAT, TEAM], ids=["seat", "team"])
def test_j6_every_decision_gets_the_result_of_its_own_side(owner_of: np.ndarray) -> None:
    np.testing.assert_array_equal(one_hand(owner_of, 1.0, 1.0, 1.0), np.where(HAND % 2 == 0, 1, -1))


@pytest.mark.parametrize("owner_of", [SEAT, TEAM], ids=["seat", "team"])
def test_j6_discounts_count_own_decisions_only(owner_of: np.ndarray) -> None:
    advantages = one_hand(owner_of, 1.0, 0.9, 1.0)
    for owner in set(owner_of[HAND]):
        own = advantages[owner_of[HAND] == owner]
        sign = 1 if owner % 2 == 0 else -1
        np.testing.assert_allclose(own[::-1], sign * 0.9 ** np.arange(len(own)), rtol=1e-6)


def test_j7_values_keep_their_sign_along_a_team() -> None:
    """Opponents in between, partners in a row and one seat twice in a row: only the team's own values count."""
    owners = np.array([0, 1, 1, 0, 0, 1])
    values = np.array([0.1, -0.3, -0.2, 0.4, 0.5, -0.6], dtype=np.float32)
    rewards = np.zeros((6, 2))
    rewards[-1] = [2, -2]
    ends = np.arange(6) == 5
    td = generalised(np.zeros(6, np.int32), owners, rewards, ends, values, 1.0, 0.0)
    np.testing.assert_allclose(td, [0.4 - 0.1, -0.2 + 0.3, -0.6 + 0.2, 0.5 - 0.4, 2 - 0.5, -2 + 0.6], rtol=1e-6)


def test_j11_nothing_leaks_over_the_end_of_an_episode() -> None:
    """Two hands back to back, +1 then -1: apart in hand episodes, together in one game."""
    owners, rewards = np.array([0, 1, 0, 1]), np.array([[0.0, 0], [1, -1], [0, 0], [-1, 1]])
    tables, values = np.zeros(4, np.int32), np.zeros(4, np.float32)
    hands = generalised(tables, owners, rewards, np.array([False, True, False, True]), values, 1.0, 1.0)
    assert hands.tolist() == [1, -1, -1, 1]
    game = generalised(tables, owners, rewards, np.array([False, False, False, True]), values, 1.0, 1.0)
    assert game.tolist() == [0, 0, -1, 1]


def textbook(rewards: list[float], values: list[float], gamma: float, lam: float) -> list[float]:
    """Sum (gamma lam)^k delta_k forwards, for one owner whose k-th reward comes after its k-th decision."""
    deltas = [r + gamma * v_next - v for r, v, v_next in zip(rewards, values, [*values[1:], 0.0], strict=True)]
    return [sum((gamma * lam) ** (j - k) * deltas[j] for j in range(k, len(deltas))) for k in range(len(deltas))]


def test_mixed_tables_equal_the_textbook_sum() -> None:
    rng = np.random.default_rng(3)
    rows, tables, owners = 300, 5, 3
    table, owner = rng.integers(tables, size=rows), rng.integers(owners, size=rows)
    rewards, values = rng.normal(size=(rows, owners)), rng.normal(size=rows).astype(np.float32)
    ends = rng.random(rows) < 0.05
    got = generalised(table, owner, rewards, ends, values, 0.97, 0.8)
    for t in range(tables):
        of_table = np.flatnonzero(table == t)
        cuts = np.flatnonzero(ends[of_table]) + 1
        for episode in np.split(of_table, cuts):
            for o in range(owners):
                mine = [i for i in episode if owner[i] == o]
                if mine:
                    spans = [[i for i in episode if a <= i < b] for a, b in zip(mine, [*mine[1:], rows], strict=True)]
                    paid = [float(rewards[span, o].sum()) for span in spans]
                    expected = textbook(paid, values[mine].tolist(), 0.97, 0.8)
                    np.testing.assert_allclose(got[mine], expected, rtol=1e-4, atol=1e-5)
