"""Which rulesets the broad tests run over: the catalogue, every single change of an option, and mixes by chance."""

from collections.abc import Iterator

import numpy as np

from euchre_env import rulesets
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

CATALOGUE = tuple(rulesets.get(name) for name in rulesets.names())
OPTIONS = {option["name"]: option["choices"] for option in Ruleset.describe() if option["name"] != "name"}
# What changes no hand: when a game ends, who deals first, a card's text, what a match counts.
_OF_NO_HAND = ("target", "dealer_selection", "joker_card", "laps", "slams", "rubber")
OF_A_HAND = [name for name in OPTIONS if name not in _OF_NO_HAND]
# Where mixes start: turn-up games and auctions, by seats. Nothing but a whole set of changes leads from one to another.
FAMILIES = ("north_american", "three_handed", "two_handed", "cincinnati", "ghost_hand")


def single_changes() -> Iterator[tuple[str, Ruleset]]:
    """Yield the catalogue and each of its rulesets with one option changed, with a label."""
    for rules in CATALOGUE:
        yield rules.name, rules
        for option in OF_A_HAND:
            for value in OPTIONS[option]:
                if value == getattr(rules, option):
                    continue
                try:
                    yield f"{rules.name}-{option}={value}", rules.replace(**{option: value})
                except RulesetError:
                    continue


def mixed(rng: np.random.Generator) -> Ruleset:
    """Return a ruleset drawn from all that are possible: the options of a family drawn in any order, each twice.

    The second time, because some values are possible only beside others.
    """
    rules = rulesets.get(FAMILIES[int(rng.integers(len(FAMILIES)))]).replace(name="mixed")
    for option in rng.permutation(list(OPTIONS) * 2).tolist():
        choices = OPTIONS[option]
        value = choices[int(rng.integers(len(choices)))]
        try:
            rules = rules.replace(**{option: value})
        except RulesetError:
            continue
    return rules


def mixes(count: int, seed: int) -> Iterator[tuple[str, Ruleset]]:
    """Yield so many drawn rulesets, with a label."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield f"mix {number} of seed {seed}", mixed(rng)
