"""The rule players read nothing that a view hides, in any ruleset: a search may let them go on in a drawn world."""

import numpy as np
import pytest
from hypothesis import given

from euchre_env import policies
from euchre_env.cards import mask_of
from euchre_env.ruleset import Ruleset
from tests.properties.drawn import choices, dealers, houses, keys, one_hand, some, steps, under_way


@pytest.mark.parametrize("who", ["rule_based", "rule_expert"])
@some(0.3)
@given(houses, keys, dealers, choices)
def test_the_full_record_gives_the_same_action(
    who: str, rules: Ruleset, key: int, dealer: int, numbers: list[int]
) -> None:
    player, rng = policies.make(who, rules), np.random.default_rng(0)
    for game in steps(one_hand(rules, key, dealer), numbers):
        if not under_way(game):
            return
        legal = np.array([mask_of(game.legal())], dtype=np.int64)
        assert player.act(game.view(game.turn), legal, rng) == player.act(game.state, legal, rng)
