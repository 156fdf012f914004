"""Worlds along hands of every ruleset: each hides again to the view it was drawn from, and some deal leads to it."""

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import worlds
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import ALONE, DECLINE, NUM_ACTIONS, ORDER_UP_ALONE, PASS, SWAP
from euchre_env.ruleset import Ruleset
from euchre_env.views import hide_all
from tests.rules.houses import CATALOGUE, mixes, single_changes

# What is drawn too seldom by chance to be seen.
WISHES = np.ones(NUM_ACTIONS)
WISHES[[SWAP, ALONE, ORDER_UP_ALONE]] = 8
WISHES[[PASS, DECLINE]] = 0.6


def hidden(rules: Ruleset, records: npt.NDArray[np.void], seat: int) -> npt.NDArray[np.void]:
    out = np.zeros_like(records)
    hide_all(rules.to_options(), records, np.arange(len(records)), np.full(len(records), seat), out)
    return out


def check_seat(rules: Ruleset, record: npt.NDArray[np.void], seat: int, rng: np.random.Generator) -> None:
    view = hidden(rules, record, seat)
    drawn = worlds.sample(rules, view, 4, rng, seat)
    assert all(found.tobytes() == view[0].tobytes() for found in hidden(rules, drawn, seat))
    for world in (record[0], drawn[0]):
        assert (worlds.replay(rules, worlds.opening(rules, world)) == world).all()


def check_hands(rules: Ruleset, tables: int, a_step: int) -> None:
    """Play hands by chance, and look at some tables at every step from every seat."""
    rng = np.random.default_rng(0)
    batch = GameBatch(rules, tables, seed=1, observe=False, autoreset=False)
    while batch.legal.any():
        for row in rng.permutation(np.flatnonzero(batch.legal))[:a_step]:
            for seat in range(rules.num_seats):
                check_seat(rules, batch.states[row : row + 1], seat, rng)
        batch.step((rng.random((tables, NUM_ACTIONS)) * batch.masks() * WISHES).argmax(axis=1))


@pytest.mark.parametrize("rules", CATALOGUE, ids=[rules.name for rules in CATALOGUE])
def test_catalogue(rules: Ruleset) -> None:
    check_hands(rules, tables=8, a_step=1)


@pytest.mark.parametrize(("label", "rules"), list(mixes(8, seed=31)))
def test_sample_of_mixes(label: str, rules: Ruleset) -> None:
    check_hands(rules, tables=8, a_step=1)


@pytest.mark.slow
@pytest.mark.parametrize(("label", "rules"), [*single_changes(), *mixes(200, seed=32)])
def test_all(label: str, rules: Ruleset) -> None:
    check_hands(rules, tables=20, a_step=3)
