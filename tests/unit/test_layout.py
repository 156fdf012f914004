"""Ids and records: what files, networks and other programs rely on."""

import numpy as np
import pytest

from euchre_env.cards import NUM_CARDS, format_card
from euchre_env.engine import layout
from euchre_env.engine.layout import NUM_ACTIONS, OPTION_FIELDS, OPTIONS, STATE, Phase, action_name
from euchre_env.ruleset import Ruleset


def test_actions_have_different_names() -> None:
    names = [action_name(action) for action in range(NUM_ACTIONS)]
    assert len(set(names)) == NUM_ACTIONS
    assert names[:NUM_CARDS] == [format_card(card) for card in range(NUM_CARDS)]


def test_action_ids() -> None:
    named = {33: "pass", 34: "order up", 35: "order up alone", 36: "call clubs", 39: "call spades", 40: "call no-trump"}
    named |= {42: "call clubs alone", 45: "call spades alone", 48: "alone", 49: "with partner", 50: "decline"}
    named |= {51: "bid 3", 55: "bid moon", 59: "swap", 60: "claim redeal", 61: "forfeit the deal"}
    assert {action: action_name(action) for action in named} == named


def test_a_legal_set_is_one_int64_that_is_not_negative() -> None:
    assert NUM_ACTIONS <= 63
    assert layout.HIDDEN_CARD >= NUM_ACTIONS
    assert action_name(layout.HIDDEN_CARD) == "a card face down"


@pytest.mark.parametrize("action", [-1, 63, 100])
def test_what_is_no_action(action: int) -> None:
    with pytest.raises(ValueError, match="ids run from 0 to 61"):
        action_name(action)


def test_phases() -> None:
    assert [phase.name for phase in Phase] == [
        *("DEAL", "CLAIM", "ORDER_UP", "CALL", "DISCARD", "DECLARE"),
        *("BID", "NAME_TRUMP", "SWAP", "GIVE", "PLAY", "OVER"),
    ]


def test_records_hold_what_the_variants_need() -> None:
    # Sets of 33 cards, four seats, seven tricks, and room for every call before play: claims and a farmer's discards,
    # two rounds, an exchange, four declarations, two loners who ask, get and lay away a card.
    assert STATE["hands"].base == np.int64
    assert STATE["cards"].shape == (layout.MAX_TRICKS, layout.MAX_SEATS) == (7, 4)
    assert layout.MAX_CALLS >= 4 + 3 + 8 + 1 + 4 + 2 * 3
    assert set(OPTION_FIELDS) < set(OPTIONS.names or ())
    assert OPTIONS["features"].shape == (len(OPTION_FIELDS),)
    assert {"joker", "auction", "dummy", "swap", "best_exchange"} <= set(OPTION_FIELDS)


def test_every_option_of_a_hand_is_in_the_record() -> None:
    fields = {option["name"] for option in Ruleset.describe()}
    assert fields - set(OPTION_FIELDS) == {
        *("name", "deck", "packets", "dealer_selection", "joker_card", "laps", "slams", "rubber")
    }
