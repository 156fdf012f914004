"""Which rulesets the broad tests run over: the catalogue, every single change of an option, and mixes by chance."""

from collections.abc import Iterator

import numpy as np

from euchre_env import rulesets
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

CATALOGUE = tuple(rulesets.get(name) for name in rulesets.names())
# `target` and `dealer_selection` change no hand, `name` nothing.
OPTIONS = {option["name"]: option["choices"] for option in Ruleset.describe() if option["name"] != "name"}
OF_A_HAND = [name for name in OPTIONS if name not in ("target", "dealer_selection")]


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
    """Return a ruleset drawn from all that are possible."""
    while True:
        values = {name: choices[int(rng.integers(len(choices)))] for name, choices in OPTIONS.items()}
        try:
            return Ruleset(**values)
        except RulesetError:
            continue


def mixes(count: int, seed: int) -> Iterator[tuple[str, Ruleset]]:
    """Yield so many drawn rulesets, with a label."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield f"mix {number} of seed {seed}", mixed(rng)
