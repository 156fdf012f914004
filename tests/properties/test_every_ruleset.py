"""Every ruleset and every change of one option: PettingZoo's tests, and all that `check_engine` checks.

    .venv/bin/python -m pytest -m slow tests/properties/test_every_ruleset.py

plays 2,000 hands of each; the default run a few hands of a sample that has something of every ruleset and option.
"""

import warnings
from functools import partial

import pytest

from euchre_env import euchre_v0
from euchre_env.ruleset import Ruleset
from euchre_env.testing import check_engine
from tests.rules.houses import CATALOGUE, OF_A_HAND, mixes, single_changes

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # about an environment of PettingZoo's own
    from pettingzoo.test import api_test, seed_test

ALL = list(single_changes())
HANDS, SAMPLE_HANDS = 2_000, 16
MIXES, SAMPLE_MIXES = 200, 8


def option_of(label: str) -> str:
    return label.partition("-")[2].partition("=")[0]


def sample() -> list[tuple[str, Ruleset]]:
    """Return one change of each option, of one ruleset after another."""
    names = [rules.name for rules in CATALOGUE]
    found = []
    for number, option in enumerate(OF_A_HAND):
        changes = [(label, rules) for label, rules in ALL if option_of(label) == option]
        order = names[number % len(names) :] + names
        if changes:
            found.append(min(changes, key=lambda change: order.index(change[0].partition("-")[0])))
    return found


SAMPLE = sample()


def check_environment(rules: Ruleset, cycles: int) -> None:
    """Run PettingZoo's tests on hands of a ruleset."""
    factory = partial(euchre_v0.env, ruleset=rules, episode="hand")
    api_test(factory(), num_cycles=cycles)
    seed_test(factory, num_cycles=cycles)


@pytest.mark.parametrize(("label", "rules"), SAMPLE, ids=[label for label, _ in SAMPLE])
def test_sample(label: str, rules: Ruleset) -> None:
    check_engine(rules, hands=SAMPLE_HANDS)
    check_environment(rules, cycles=20)


@pytest.mark.parametrize(("label", "rules"), list(mixes(SAMPLE_MIXES, seed=21)))
def test_sample_of_mixes(label: str, rules: Ruleset) -> None:
    check_engine(rules, hands=SAMPLE_HANDS)


@pytest.mark.slow
@pytest.mark.parametrize(("label", "rules"), ALL, ids=[label for label, _ in ALL])
def test_all(label: str, rules: Ruleset) -> None:
    check_engine(rules, hands=HANDS)
    check_environment(rules, cycles=100)


@pytest.mark.slow
@pytest.mark.parametrize(("label", "rules"), list(mixes(MIXES, seed=22)))
def test_mixes(label: str, rules: Ruleset) -> None:
    check_engine(rules, hands=HANDS // 4)


def test_the_sample_has_every_option() -> None:
    assert {option_of(label) for label, _ in SAMPLE} == {option_of(label) for label, _ in ALL if option_of(label)}
    assert len({label.partition("-")[0] for label, _ in SAMPLE}) >= 10
