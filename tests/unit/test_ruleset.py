"""Rulesets: the presets column by column, what is refused and in which words, the record that the engine reads."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.engine.layout import OPTION_FIELDS
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset, applies

# The columns of the table in section 10, and 10.1: what each preset says; the rest is the north_american column.
NORTH_AMERICAN = {
    "num_seats": 4,
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
    "allow_no_trump": "off",
    "best_exchange": "off",
    "dummy": "off",
    "auction": "off",
    "laps": False,
    "slams": False,
    "rubber": False,
    "renege": "masked",
    "passed_out": "next_dealer",
    "stop_when_decided": False,
}
BICYCLE24 = NORTH_AMERICAN | {
    "dealer_selection": "draw",
    "alone_scope": "maker_only",
    "alone_timing": "with_call",
    "defend_alone": "off",
    "lead_rule": "left_of_dealer",
}
SINGLE_SEATS = {"alone_scope": "none", "defend_alone": "off", "lead_rule": "left_of_dealer"}
AUCTION = {"hand_size": 6, "packets": "3-3", "target": 32, "lead_rule": "left_of_dealer"}
CINCINNATI = NORTH_AMERICAN | {
    **AUCTION,
    "auction": "then_trump",
    "allow_no_trump": "high",
    "first_bidder": "left_of_dealer",
    "forced_dealer": "min_or_more",
    "six_bid": False,
    "moon_ladder": "sequential",
    "overbid_partner": True,
    "moon_points": 12,
    "moon_fail": "stake",
    "moon_adds_tricks": False,
    "defenders_score_tricks": "always",
    "set_bidder_keeps_tricks": False,
    "defenders_may_win_on_tricks": True,
    "both_cross": "bidder_wins",
    "swap": "off",
}
COLUMNS: dict[str, dict[str, Any]] = {
    "north_american": NORTH_AMERICAN,
    "bicycle24": BICYCLE24,
    "bicycle28": BICYCLE24 | {"deck": 28},
    "bicycle32": BICYCLE24 | {"deck": 32},
    "british": NORTH_AMERICAN
    | {"deck": 25, "target": 11, "joker_up": "blind_dealer", "lone_defender_scoring": "four_for_three"},
    "two_handed": NORTH_AMERICAN | SINGLE_SEATS | {"num_seats": 2},
    "three_handed": NORTH_AMERICAN | SINGLE_SEATS | {"num_seats": 3, "march_points": 3, "both_cross": "higher_score"},
    "railroad": NORTH_AMERICAN
    | {
        "deck": 25,
        "joker_up": "hearts",
        "defend_alone": "vs_loner",
        "lone_defender_scoring": "four_for_three",
        "best_exchange": "discard_first",
        "laps": True,
        "slams": True,
    },
    "cincinnati": CINCINNATI,
    "ghost_hand": CINCINNATI
    | {
        "num_seats": 3,
        "packets": "ones",
        "lead_rule": "bidder",
        "allow_no_trump": "off",
        "forced_dealer": "off",
        "moon_ladder": "single",
        "moon_points": 24,
        "moon_fail": "tricks",
        "both_cross": "tiebreak_hand",
        "tiebreak": "totals",
        "swap": "own_turn",
    },
    "bid_euchre": CINCINNATI
    | {
        "auction": "with_trump",
        "lead_rule": "bidder",
        "forced_dealer": "off",
        "six_bid": True,
        "moon_ladder": "single",
        "moon_points": 24,
    },
    "tournament": BICYCLE24 | {"dealer_selection": "random", "stick_the_dealer": "on", "dealer_pickup": "any_of_six"},
    "open_spiel": NORTH_AMERICAN
    | {
        "stick_the_dealer": "on",
        "alone_scope": "maker_only",
        "defend_alone": "off",
        "poll": "maker_then_dealers_left",
        "lead_rule": "left_of_dealer",
        "dealer_pickup": "mandatory",
        "lone_defender_scoring": "four_for_three",
    },
}


@pytest.mark.parametrize("name", COLUMNS)
def test_10_presets(name: str) -> None:
    rules = rulesets.get(name)
    assert rules.to_dict() == {**Ruleset().to_dict(), "name": name, **COLUMNS[name]}
    assert {option for option in COLUMNS[name] if not applies(rules, option)} <= set(NORTH_AMERICAN)


def test_the_catalogue() -> None:
    assert set(rulesets.names()) == set(COLUMNS)
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
        (lambda: Ruleset(deck=26), "deck: 26 is not one of 24, 25, 28, 29, 32, 33"),
        (lambda: Ruleset(stick_the_dealer="no"), "stick_the_dealer: unknown value 'no'"),  # type: ignore[arg-type]
        (lambda: Ruleset(stick_the_dealer=True), "stick_the_dealer: True is not one of"),  # type: ignore[arg-type]
        (lambda: Ruleset(canadian_loner=1), "canadian_loner: 1 is not one of False, True"),  # type: ignore[arg-type]
        (lambda: Ruleset(march_points=2.0), "march_points: 2.0"),  # type: ignore[arg-type]
        (lambda: Ruleset(hand_size=7), "dealt from 32 or 33 cards .Q-N21"),
        (lambda: Ruleset(hand_size=7, deck=28), "dealt from 32 or 33 cards .Q-N21"),
        (lambda: Ruleset(hand_size=6, packets="3-3"), "hand_size=6 belongs to auctions .8.1"),
        (lambda: Ruleset(hand_size=7, deck=32, packets="alternating"), "packets for 7 cards each are 3-2, 2-3 or ones"),
        (lambda: Ruleset(deck=25, allow_no_trump="high"), "no-trump with a joker is undefined .1.6"),
        (lambda: Ruleset(joker_up="spades"), "needs the joker in the pack .clause 4.3"),
        (lambda: Ruleset(deck=28, farmers_hand="swap3"), "here 7 are buried .Q-N22"),
        (lambda: Ruleset(farmers_cards="three"), "farmers_cards='three' needs farmers_hand .clause 2.10"),
        (lambda: Ruleset(swap="own_turn"), "swap='own_turn' needs an auction .clause 9.3"),
        (lambda: Ruleset(both_cross="shared"), "both_cross='shared' needs sides that can reach the target together"),
        (lambda: Ruleset(lead_rule="bidder"), "needs an auction .8.4"),
        (lambda: Ruleset(dummy="two_card"), "is for 2 seats with five cards each .5, 6"),
        (lambda: rulesets.get("two_handed").replace(dealer_selection="2"), "seats run from 0 to 1 .1.7"),
        (lambda: rulesets.get("two_handed").replace(best_exchange="discard_first"), "needs a partner"),
        (lambda: rulesets.get("two_handed").replace(rubber=True), "two partnerships .3"),
        (lambda: rulesets.get("three_handed").replace(alone_scope="maker_only"), "unless without his dummy"),
        (lambda: rulesets.get("three_handed").replace(packets="alternating"), "for four hands"),
        (lambda: rulesets.get("three_handed").replace(defend_alone="always"), "no defender plays alone"),
        (
            lambda: rulesets.get("cincinnati").replace(stick_the_dealer="on"),
            "stick_the_dealer='on' needs a card turned up, not an auction",
        ),
        (lambda: rulesets.get("cincinnati").replace(deck=32), "deck=24, hand_size=6 .8.1"),
        (lambda: rulesets.get("cincinnati").replace(swap="own_turn"), "dealt to three seats .9.1"),
        (lambda: rulesets.get("cincinnati").replace(moon_points=24), "the stakes of a ladder"),
        (lambda: rulesets.get("cincinnati").replace(first_bidder="dealer"), "a forced dealer speaks last"),
        (lambda: rulesets.get("cincinnati").replace(lead_rule="left_of_loner"), "the bidder leads .8.4"),
        (lambda: rulesets.get("cincinnati").replace(num_seats=2), "four seats .8.1. or three .9.1"),
        (
            lambda: rulesets.get("cincinnati").replace(tiebreak="tied_only"),
            "tiebreak='tied_only' needs both_cross='tiebreak_hand'",
        ),
        (lambda: rulesets.get("cincinnati").replace(rubber=True, both_cross="shared"), "one winner"),
        (lambda: rulesets.get("ghost_hand").replace(overbid_partner=False), "overbid_partner needs a partner"),
        (lambda: Ruleset(renege="penalty", stop_when_decided=True), "every trick can change the points"),
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
    seen = {}
    for rules in [Ruleset(), Ruleset(deck=33), *map(rulesets.get, rulesets.names())]:
        for value in option["choices"]:
            try:
                changed = rules.replace(**{option["name"]: value})
            except RulesetError:
                continue
            record = changed.to_options()
            seen[value] = int(record[option["name"]][0])
            shown = record["features"][0, OPTION_FIELDS.index(option["name"])]
            assert shown == (seen[value] if applies(changed, option["name"]) else 0)
    if option["name"] in (
        "num_seats",
        "dummy",
        "tiebreak",
        "hand_size",
        "farmers_cards",
    ):  # they change with others only
        return
    assert set(seen) == set(option["choices"])
    assert len(set(seen.values())) == len(seen)


def test_the_record_of_a_pack() -> None:
    for deck, low in ((24, 2), (25, 2), (28, 1), (29, 1), (32, 0), (33, 0)):
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
        ({"packets": "ones"}, [[1, 1]] * 5),
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


@pytest.mark.parametrize(
    ("name", "most", "buried", "places"),
    [
        ("tournament", 4, 3, 4),
        ("british", 4, 4, 4),
        ("bicycle32", 4, 11, 4),
        ("two_handed", 4, 13, 2),
        ("three_handed", 4, 8, 3),
        ("cincinnati", 48, 0, 4),
        ("ghost_hand", 24, 0, 4),
        ("bid_euchre", 24, 0, 4),
    ],
)
def test_what_follows_from_the_options(name: str, most: int, buried: int, places: int) -> None:
    rules = rulesets.get(name)
    assert (rules.max_hand_points, rules.num_buried, rules.dealt_places) == (most, buried, places)


def test_single_seats_are_sides() -> None:
    rules = rulesets.get("three_handed")
    assert (rules.num_sides, [rules.side(seat) for seat in range(3)], rules.partners) == (3, [0, 1, 2], False)
