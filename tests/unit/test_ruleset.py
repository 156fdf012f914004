"""Rulesets: the presets column by column, what is refused and in which words, the record that the engine reads."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.engine.layout import OPTION_FIELDS
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

# The columns of the table in section 10, and 10.1.
NORTH_AMERICAN = {
    "deck": 24,
    "hand_size": 5,
    "packets": "3-2",
    "target": 10,
    "dealer_selection": "random",
    "stick_the_dealer": "off",
    "alone_scope": "maker_side",
    "alone_timing": "after_trump",
    "defend_alone": "always",
    "poll": "maker_side_then_defenders",
    "lone_defender_scoring": "s004",
    "lone_euchre_points": 2,
    "super_euchre_points": 2,
    "march_points": 2,
    "loner_march_points": 4,
    "lead_rule": "left_of_loner",
    "dealer_pickup": "optional",
    "canadian_loner": False,
    "farmers_hand": "off",
    "natural_trump_required": False,
    "stop_when_decided": False,
}
BICYCLE24 = NORTH_AMERICAN | {
    "alone_scope": "maker_only",
    "alone_timing": "with_call",
    "defend_alone": "off",
    "lead_rule": "left_of_dealer",
}
TOURNAMENT = BICYCLE24 | {"stick_the_dealer": "on", "dealer_pickup": "any_of_six"}
OPEN_SPIEL = NORTH_AMERICAN | {
    "stick_the_dealer": "on",
    "alone_scope": "maker_only",
    "defend_alone": "off",
    "poll": "maker_then_dealers_left",
    "lead_rule": "left_of_dealer",
    "dealer_pickup": "mandatory",
    "lone_defender_scoring": "four_for_three",
}
COLUMNS = {
    "north_american": NORTH_AMERICAN,
    "bicycle24": BICYCLE24,
    "tournament": TOURNAMENT,
    "open_spiel": OPEN_SPIEL,
}


@pytest.mark.parametrize("name", COLUMNS)
def test_10_presets(name: str) -> None:
    assert rulesets.get(name).to_dict() == {"name": name, **COLUMNS[name]}


def test_the_catalogue() -> None:
    assert set(rulesets.names()) >= set(COLUMNS)
    assert [rulesets.get(name).name for name in rulesets.names()] == list(rulesets.names())
    rules = rulesets.get("tournament").replace(target=5)
    assert rulesets.get(rules) is rules


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: rulesets.get("turnament"), "unknown ruleset 'turnament': did you mean 'tournament'?"),
        (lambda: rulesets.get("whist"), "choose one of bicycle24"),
        (lambda: rulesets.get("tournament").replace(dek=24), "unknown ruleset option 'dek': did you mean 'deck'?"),
        (lambda: Ruleset(target=0), "target: 0 is not one of 1 to 100. .clause 2.8"),
        (lambda: Ruleset(target=101), "target: 101"),
        (lambda: Ruleset(target=True), "target: True"),
        (lambda: Ruleset(target="10"), "target: '10' is not one of 1 to 100"),  # type: ignore[arg-type]
        (lambda: Ruleset(deck=25), "deck: 25 is not one of 24, 28, 32"),
        (lambda: Ruleset(stick_the_dealer="no"), "stick_the_dealer: unknown value 'no'"),  # type: ignore[arg-type]
        (lambda: Ruleset(stick_the_dealer=True), "stick_the_dealer: True is not one of"),  # type: ignore[arg-type]
        (lambda: Ruleset(canadian_loner=1), "canadian_loner: 1 is not one of False, True"),  # type: ignore[arg-type]
        (lambda: Ruleset(march_points=2.0), "march_points: 2.0"),  # type: ignore[arg-type]
        (lambda: Ruleset(hand_size=7), "need more than 24 cards"),
        (lambda: Ruleset(hand_size=7, deck=28), "need more than 28 cards"),
        (lambda: Ruleset(hand_size=7, deck=32, packets="alternating"), "for five cards each"),
        (lambda: Ruleset(alone_scope="none", canadian_loner=True), "canadian_loner makes a seat play alone"),
        (lambda: Ruleset(alone_scope="none", defend_alone="vs_loner"), "needs lone makers"),
    ],
)
def test_what_is_refused(make: Any, words: str) -> None:
    with pytest.raises(RulesetError, match=words):
        make()


def test_a_ruleset_is_a_frozen_value() -> None:
    rules = rulesets.get("tournament")
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.target = 5  # type: ignore[misc]
    assert rules == Ruleset(**rules.to_dict())
    assert len({rules, rules.replace(), Ruleset(**rules.to_dict())}) == 1
    assert rules != rules.replace(target=5)


def test_house_rules_are_named_custom() -> None:
    rules = rulesets.get("tournament")
    assert rules.replace(target=5).name == "custom"
    assert rules.replace(target=5, name="kitchen").name == "kitchen"
    assert rules.replace().name == "tournament"


@pytest.mark.parametrize("name", COLUMNS)
def test_json_and_back(name: str) -> None:
    rules = rulesets.get(name)
    assert Ruleset(**json.loads(json.dumps(rules.to_dict()))) == rules


def test_describe_names_every_field() -> None:
    described = Ruleset.describe()
    assert [option["name"] for option in described] == [field.name for field in dataclasses.fields(Ruleset)]
    for option in described:
        assert option["meaning"].endswith(".")
        assert option["clause"]
        assert option["name"] == "name" or option["default"] in option["choices"]


@pytest.mark.parametrize(
    "option", [o for o in Ruleset.describe() if o["name"] in OPTION_FIELDS], ids=lambda o: o["name"]
)
def test_every_value_reaches_the_engine(option: dict[str, Any]) -> None:
    seen = []
    for value in option["choices"]:
        try:
            record = Ruleset(deck=32, **{option["name"]: value}).to_options()
        except RulesetError:
            continue
        seen.append(int(record[option["name"]][0]))
        assert record["features"][0, OPTION_FIELDS.index(option["name"])] == seen[-1]
    assert len(seen) == len(set(seen)) > 1


def test_the_record_of_a_pack() -> None:
    for deck, low in ((24, 2), (28, 1), (32, 0)):
        record = Ruleset(deck=deck).to_options()
        assert int(record["deck"][0]).bit_count() == deck == record["deck_size"][0]
        assert record["lowest_rank"][0] == low
        assert (record["num_seats"][0], record["partners"][0]) == (4, 1)


@pytest.mark.parametrize(
    ("changes", "rounds"),
    [
        ({}, [[3, 3], [2, 2]]),
        ({"packets": "2-3"}, [[2, 2], [3, 3]]),
        ({"packets": "alternating"}, [[3, 2], [2, 3]]),
        ({"deck": 32, "hand_size": 7}, [[3, 3], [2, 2], [2, 2]]),
        ({"deck": 32, "hand_size": 7, "packets": "2-3"}, [[2, 2], [3, 3], [2, 2]]),
    ],
)
def test_1_2_packets(changes: dict[str, Any], rounds: list[list[int]]) -> None:
    table = Ruleset(**changes).to_options()["packets"][0]
    assert table[: len(rounds)].tolist() == rounds
    assert not np.any(table[len(rounds) :])


def test_seats_and_sides() -> None:
    rules = Ruleset()
    assert (rules.num_seats, rules.num_sides) == (4, 2)
    assert [rules.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert Ruleset(loner_march_points=8).max_hand_points == 8
