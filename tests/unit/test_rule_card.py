"""Rule cards say what the engine does: points, phases, actions; a dash stands where an option changes nothing.

The tables of points are written here by hand, from the clauses.
"""

from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import JOKER, SUIT_NAMES
from euchre_env.engine._jit import kernel
from euchre_env.engine.game_end import settle_game
from euchre_env.engine.layout import CLAIM_REDEAL, DECLINE, FORFEIT, NONE, STATE, SWAP, Phase, action_name
from euchre_env.errors import RulesetError
from euchre_env.rule_card import ScoreRow, reads, rule_card
from euchre_env.ruleset import Ruleset
from tests.rules.houses import OF_A_HAND, OPTIONS, mixes
from tests.rules.many import sample

Table = dict[tuple[str, str], tuple[str, str]]

PAIRS: Table = {
    ("all play", "all 5"): ("+2", "0"),
    ("all play", "3 or 4"): ("+1", "0"),
    ("all play", "2 or fewer"): ("0", "+2"),
}
LONE_MAKER: Table = {
    ("maker alone", "all 5"): ("+4", "0"),
    ("maker alone", "3 or 4"): ("+1", "0"),
    ("maker alone", "2 or fewer"): ("0", "+2"),
}
S004: Table = {
    ("defender alone", "all 5"): ("+2", "0"),
    ("defender alone", "3 or 4"): ("+1", "0"),
    ("defender alone", "1 or 2"): ("0", "+2"),
    ("defender alone", "none"): ("0", "+4"),
    ("maker and defender alone", "all 5"): ("+4", "0"),
    ("maker and defender alone", "3 or 4"): ("+1", "0"),
    ("maker and defender alone", "1 or 2"): ("0", "+2"),
    ("maker and defender alone", "none"): ("0", "+4"),
}
FOUR_FOR_THREE: Table = {
    ("maker and defender alone", "all 5"): ("+4", "0"),
    ("maker and defender alone", "3 or 4"): ("+1", "0"),
    ("maker and defender alone", "2 or fewer"): ("0", "+4"),
}
BIDS: Table = {
    ("3", "3 or more"): ("own tricks", "own tricks"),
    ("3", "2 or fewer"): ("-3", "own tricks"),
    ("4", "4 or more"): ("own tricks", "own tricks"),
    ("4", "3 or fewer"): ("-4", "own tricks"),
    ("5", "5 or more"): ("own tricks", "own tricks"),
    ("5", "4 or fewer"): ("-5", "own tricks"),
}


def moon(bid: str, won: str, lost: str) -> Table:
    return {(bid, "all 6"): (won, "0"), (bid, "5 or fewer"): (lost, "own tricks")}


SINGLY: Table = {**PAIRS, ("all play", "all 5"): ("+3", "0")}
TABLES: dict[str, Table] = {
    "north_american": {**PAIRS, **LONE_MAKER, **S004},  # 2.7
    "bicycle24": PAIRS | LONE_MAKER,  # 3
    "bicycle28": PAIRS | LONE_MAKER,
    "bicycle32": PAIRS | LONE_MAKER,
    "tournament": PAIRS | LONE_MAKER,
    "open_spiel": PAIRS | LONE_MAKER,
    "british": {  # 4.4
        **PAIRS,
        **LONE_MAKER,
        **FOUR_FOR_THREE,
        ("defender alone", "all 5"): ("+2", "0"),
        ("defender alone", "3 or 4"): ("+1", "0"),
        ("defender alone", "2 or fewer"): ("0", "+4"),
    },
    "two_handed": PAIRS,  # 5
    "three_handed": SINGLY,  # 6
    "railroad": {**PAIRS, **LONE_MAKER, **FOUR_FOR_THREE},  # 7.6
    "cincinnati": {  # 8.5
        **BIDS,
        **moon("moon", "+12", "-12"),
        **moon("double moon", "+24", "-24"),
        **moon("triple moon", "+32", "-32"),
        **moon("quadruple moon", "+48", "-48"),
    },
    "ghost_hand": {**BIDS, **moon("moon", "+24", "-6")},  # 9.6
    "bid_euchre": {  # 10.1
        **BIDS,
        ("6", "all 6"): ("own tricks", "0"),
        ("6", "5 or fewer"): ("-6", "own tricks"),
        **moon("moon", "+24", "-24"),
    },
}


def table_of(rules: str | Ruleset) -> Table:
    return {(row.who, row.tricks_words): (row.makers_words, row.others_words) for row in rule_card(rules).scoring}


def test_every_ruleset_has_its_table_here() -> None:
    assert set(TABLES) == set(rulesets.names())


@pytest.mark.parametrize("name", rulesets.names())
def test_the_points_of_the_clauses(name: str) -> None:
    assert table_of(name) == TABLES[name]


@pytest.mark.parametrize(
    ("name", "changes", "rows"),
    [
        ("tournament", {"super_euchre_points": 4}, {("all play", "none"): ("0", "+4")}),  # Q-N16
        ("tournament", {"lone_euchre_points": 3}, {("maker alone", "2 or fewer"): ("0", "+3")}),  # Q-N14
        ("tournament", {"loner_march_points": 8}, {("maker alone", "all 5"): ("+8", "0")}),
        ("three_handed", {"march_points": 2}, {("all play", "all 5"): ("+2", "0")}),  # Q-T1
        ("british", {"lone_defender_scoring": "three"}, {("defender alone", "2 or fewer"): ("0", "+3")}),  # Q-N13
        ("cincinnati", {"moon_fail": "tricks"}, {("double moon", "5 or fewer"): ("-6", "own tricks")}),  # Q-C10
        ("cincinnati", {"moon_adds_tricks": True}, {("moon", "all 6"): ("+18", "0")}),  # Q-C22
        ("ghost_hand", {"set_bidder_keeps_tricks": True}, {("4", "3 or fewer"): ("own tricks - 4", "own tricks")}),
        ("cincinnati", {"defenders_score_tricks": "never"}, {("3", "3 or more"): ("own tricks", "0")}),  # Q-C2
        ("cincinnati", {"defenders_score_tricks": "only_if_bid_made"}, {("5", "4 or fewer"): ("-5", "0")}),
        ("bicycle32", {"hand_size": 7}, {("all play", "4 to 6"): ("+1", "0"), ("all play", "3 or fewer"): ("0", "+2")}),
    ],
)  # fmt: skip
def test_the_points_of_house_rules(name: str, changes: dict[str, Any], rows: Table) -> None:
    table = table_of(rulesets.get(name).replace(**changes))
    assert {key: table.get(key) for key in rows} == rows


HOUSES: list[tuple[str, dict[str, Any]]] = [
    ("tournament", {"super_euchre_points": 4, "lone_euchre_points": 4}),
    ("north_american", {"lone_defender_scoring": "three", "lone_euchre_points": 3}),
    ("railroad", {"best_exchange": "receive_first", "deck": 33}),
    ("british", {"joker_up": "look_dealer", "alone_timing": "with_call"}),
    ("british", {"joker_up": "set_aside"}),
    ("north_american", {"stick_the_dealer": "forfeit", "allow_no_trump": "high_low"}),
    ("north_american", {"farmers_hand": "redeal", "canadian_loner": True, "poll": "clockwise_from_leader"}),
    ("bicycle24", {"farmers_hand": "swap3", "natural_trump_required": True, "stop_when_decided": True}),
    ("two_handed", {"dummy": "two_card"}),
    ("two_handed", {"dummy": "three_card", "alone_scope": "maker_only", "defend_alone": "always"}),
    ("three_handed", {"dummy": "five_card", "alone_scope": "maker_only"}),
    ("cincinnati", {"moon_ladder": "free", "forced_dealer": "exactly_min", "allow_no_trump": "high_low"}),
    ("cincinnati", {"defenders_score_tricks": "only_if_bid_made", "overbid_partner": False}),
    ("ghost_hand", {"set_bidder_keeps_tricks": True, "moon_adds_tricks": True, "allow_no_trump": "high"}),
    ("bid_euchre", {"forced_dealer": "min_or_more", "defenders_score_tricks": "never"}),
]  # fmt: skip
PLAYED = [pytest.param(rulesets.get(name), id=name) for name in rulesets.names()] + [
    pytest.param(rulesets.get(name).replace(**changes), id=f"{name}-{'-'.join(changes)}") for name, changes in HOUSES
]
RARE = {CLAIM_REDEAL, FORFEIT, SWAP}


def play(rules: Ruleset, tables: int, seed: int = 1) -> tuple[GameBatch, dict[Phase, int]]:
    """Play a hand at every table by chance; return the tables and, by phase, what was ever legal, as a set."""
    rng, met = np.random.default_rng(seed), dict.fromkeys(Phase, 0)
    batch = GameBatch(rules, tables, seed=seed, observe=False, autoreset=False)
    while batch.legal.any():
        for phase in np.unique(batch.states["phase"]):
            met[Phase(phase)] |= int(np.bitwise_or.reduce(batch.legal[batch.states["phase"] == phase]))
        batch.step(sample(batch, rng))
    return batch, {phase: actions for phase, actions in met.items() if actions}


def names_of(actions: int) -> set[str]:
    return {action_name(action) for action in range(64) if actions >> action & 1}


def worth(words: str, tricks: int) -> int:
    """Read points as the card prints them."""
    return int(words) if not words.startswith("own tricks") else tricks + int(words[10:].replace(" ", "") or 0)


def row_of(rules: Ruleset, rows: tuple[ScoreRow, ...], record: Any, made: int) -> ScoreRow:
    """Return the row of the card that a finished hand falls under."""
    makers = rules.side(int(record["maker"]))
    alone = {rules.side(seat) == makers for seat in range(rules.num_seats) if int(record["alone"]) >> seat & 1}
    bid = int(record["bid"]) if rules.auction != "off" else NONE
    lone = (True in alone, False in alone)
    found = [row for row in rows if (row.bid, row.alone) == (bid, lone) and row.low <= made <= row.high]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("rules", PLAYED)
def test_a_hand_is_worth_what_the_card_says(rules: Ruleset) -> None:
    batch, _ = play(rules, 400)
    rows, seen = rule_card(rules).scoring, set()
    for record in batch.finished[batch.finished["maker"] != NONE]:
        tricks = [0] * rules.num_sides
        for seat in range(rules.num_seats):
            tricks[rules.side(seat)] += int(record["tricks"][seat])
        makers = rules.side(int(record["maker"]))
        if rules.stop_when_decided:  # what is left cannot change the points
            tricks[1 - makers] += rules.hand_size - sum(tricks)
        row = row_of(rules, rows, record, tricks[makers])
        seen.add(row)
        for side, taken in enumerate(tricks):
            words = row.makers_words if side == makers else row.others_words
            assert record["points"][side] == worth(words, taken)
    assert len(seen) >= 3
    assert rules.auction != "off" or {row.alone for row in rows} == {row.alone for row in seen}


@pytest.mark.parametrize("rules", PLAYED)
def test_the_card_has_every_phase_and_action(rules: Ruleset) -> None:
    _, met = play(rules, 1_500)
    written = dict.fromkeys((step.phase for step in rule_card(rules).steps), 0)
    for step in rule_card(rules).steps:
        for action in step.actions:
            written[step.phase] |= 1 << action
    assert set(met) == set(written)
    for phase, actions in met.items():
        missing = names_of(written[phase]) - names_of(actions)
        assert names_of(actions) <= names_of(written[phase])
        assert missing <= {action_name(action) for action in RARE}


@pytest.mark.parametrize("rules", [pytest.param(rules, id=label) for label, rules in mixes(12, seed=5)])
def test_no_action_of_mixed_rules_is_missing(rules: Ruleset) -> None:
    _, met = play(rules, 80)
    written = {step.phase: set[int]() for step in rule_card(rules).steps}
    for step in rule_card(rules).steps:
        written[step.phase] |= set(step.actions)
    for phase, actions in met.items():
        assert names_of(actions) <= {action_name(action) for action in written[phase]}


def test_the_phases_come_in_the_order_of_the_hand() -> None:
    def phases(name: str) -> list[str]:
        return [step.name for step in rule_card(name).steps]

    assert phases("bicycle24") == ["order up", "discard", "call", "play"]
    assert phases("north_american") == ["order up", "discard", "call", "declare", "play"]
    exchanges = ["declare", "discard", "give", "declare", "discard", "give"]
    assert phases("railroad") == ["order up", "discard", "call", *exchanges, "play"]
    assert phases("british") == ["call", "order up", "discard", "call", "declare", "play"]
    assert phases("cincinnati") == ["bid", "name trump", "play"]


def courses(rules: Ruleset, tables: int) -> set[tuple[Phase, ...]]:
    """Return the courses of hands played by chance: the phases as they came."""
    batch, rng = GameBatch(rules, tables, seed=3, observe=False, autoreset=False), np.random.default_rng(3)
    met: list[list[Phase]] = [[] for _ in range(tables)]
    while batch.legal.any():
        for table in np.flatnonzero(batch.legal):
            phase = Phase(int(batch.states["phase"][table]))
            met[table] += [phase] if met[table][-1:] != [phase] else []
        batch.step(sample(batch, rng))
    return {tuple(phases) for phases in met}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("north_american", {}),
        ("british", {"alone_timing": "with_call", "dealer_pickup": "any_of_six"}),
        ("railroad", {}),
        ("railroad", {"best_exchange": "receive_first", "defend_alone": "always", "hand_size": 7, "deck": 33}),
        ("railroad", {"alone_timing": "with_call", "alone_scope": "maker_only", "joker_up": "set_aside"}),
        ("railroad", {"alone_scope": "none", "defend_alone": "always", "poll": "maker_then_dealers_left"}),
        ("two_handed", {"dummy": "three_card", "alone_scope": "maker_only", "defend_alone": "always"}),
        ("three_handed", {"dummy": "five_card", "alone_scope": "maker_only"}),
    ],
)
def test_hands_take_the_course_of_the_card(name: str, changes: dict[str, Any]) -> None:
    """7.5: a loner exchanges before the next seat is asked; every phase of a hand comes later on the card too."""
    rules = rulesets.get(name).replace(**changes)
    for course in courses(rules, 300):
        steps = iter([step.phase for step in rule_card(rules).steps])
        assert all(phase in steps for phase in course), course


def test_7_5_both_loners_of_railroad_exchange() -> None:
    longest = (Phase.DECLARE, Phase.DISCARD, Phase.GIVE, Phase.DECLARE, Phase.DISCARD, Phase.GIVE, Phase.PLAY)
    assert longest in {course[-7:] for course in courses(rulesets.get("railroad"), 300)}
    clockwise = rule_card(rulesets.get("railroad").replace(poll="clockwise_from_leader"))
    declare = next(step for step in clockwise.steps if step.phase == Phase.DECLARE)
    assert declare.note.endswith("a loner exchanges before the next seat is asked")
    nobody = rulesets.get("railroad").replace(alone_scope="none", defend_alone="off")
    assert [step.phase for step in rule_card(nobody).steps][3:] == [Phase.PLAY]


def dashes_of(name: str) -> list[str]:
    return [option for option in OF_A_HAND if not reads(rulesets.get(name), option)]


def without_effect(rules: Ruleset, option: str) -> list[Ruleset]:
    """Return the house rules that differ from a ruleset in an option with a dash and give no other option a meaning."""
    houses = []
    for value in OPTIONS[option]:
        try:
            house = rules.replace(**{option: value})
        except RulesetError:
            continue
        if all(reads(house, other) == reads(rules, other) for other in OF_A_HAND):
            houses.append(house)
    return houses


@pytest.mark.parametrize("name", rulesets.names())
def test_an_option_with_a_dash_changes_no_hand(name: str) -> None:
    """Either the ruleset refuses it, or the same choices on the same deals lead to the same hands."""
    rules = rulesets.get(name)
    before, met = play(rules, 60)
    for option in dashes_of(name):
        for house in without_effect(rules, option):
            after, met_then = play(house, 60)
            assert met_then == met, option
            assert np.array_equal(before.finished, after.finished), option


def test_dashes_stand_where_the_rule_book_has_them() -> None:
    """A few of the table in section 10."""
    assert "alone_timing" in dashes_of("two_handed")
    assert {"lone_defender_scoring", "alone_timing"} <= set(dashes_of("three_handed"))
    assert "stick_the_dealer" in dashes_of("cincinnati")
    assert "overbid_partner" in dashes_of("ghost_hand")
    assert "swap" in dashes_of("bicycle24")
    assert "forced_dealer" not in dashes_of("cincinnati")
    assert "joker_up" not in dashes_of("railroad")
    assert "dealer_pickup" not in dashes_of("british")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("north_american", "S004"),
        ("bicycle24", "S001"),
        ("bicycle24", "BIC-EU"),
        ("british", "NETP-BR"),
        ("two_handed", "KEL7"),
        ("three_handed", "GR-3H"),
        ("railroad", "KEL6"),
        ("cincinnati", "S000"),
        ("ghost_hand", "S002"),
        ("bid_euchre", "REF-B1"),
    ],
)
def test_the_sources_of_a_game(name: str, key: str) -> None:
    assert key in dict(rule_card(name).sources)


def test_the_facts_of_some_cards() -> None:
    british = {fact.label: fact.text for fact in rule_card("british").play}
    assert british["pack"] == "25 cards, nines up and the joker, the highest trump"
    assert british["rank"] == "trump: joker, right bower, left bower, A K Q T 9; other suits: A K Q J T 9"
    bicycle = {fact.label: fact.text for fact in rule_card("bicycle32").play}
    assert bicycle["deal"].endswith("11 stay face down")
    assert "A K Q T 9 8 7" in bicycle["rank"]
    ghost = {fact.label: fact.text for fact in rule_card("ghost_hand").end}
    assert ghost["target"].startswith("32 points")
    assert "another hand" in ghost["several there"]
    railroad = rule_card(rulesets.get("railroad").replace(rubber=True, joker_up="spades"))
    assert {fact.label for fact in railroad.end} == {"target", "laps", "slams", "rubber"}
    assert "the joker proposes spades" in railroad.steps[0].note
    assert not set(SUIT_NAMES) & set(rule_card("tournament").steps[2].actions_words.split())


def notes_of(name: str, phase: Phase, **changes: Any) -> list[str]:
    return [step.note for step in rule_card(rulesets.get(name).replace(**changes)).steps if step.phase == phase]


def facts_of(name: str, **changes: Any) -> dict[str, str]:
    card = rule_card(rulesets.get(name).replace(**changes))
    return {fact.label: fact.text for fact in (*card.play, *card.end)}


def test_Q_N22_who_may_claim() -> None:
    redeal = notes_of("north_american", Phase.CLAIM, farmers_hand="redeal")
    assert redeal == ["a hand of nothing but tens and lower may claim; the same dealer deals again"]
    three = notes_of("north_american", Phase.CLAIM, farmers_hand="swap3", farmers_cards="three")
    assert three == ["a hand of three or more tens and lower may claim; one swap in a deal"]
    joker = notes_of("british", Phase.CLAIM, farmers_hand="redeal")[0]
    assert joker.endswith("nobody is asked when the joker has the dealer name trump")


@pytest.mark.parametrize("farmers_cards", ["all", "three"])
def test_Q_N22_claims_are_those_of_the_card(farmers_cards: str) -> None:
    rules = rulesets.get("north_american").replace(farmers_hand="swap3", farmers_cards=farmers_cards)
    batch, rng = GameBatch(rules, 2_000, seed=1, observe=False, autoreset=False), np.random.default_rng(1)
    claims = set()
    while (batch.states["phase"] == Phase.CLAIM).any():
        for table in np.flatnonzero(batch.states["phase"] == Phase.CLAIM):
            state, free = batch.states[table], batch.states["swapped_by"][table] == NONE
            hand = int(state["hands"][int(state["turn"])])
            low = sum(hand >> card & 1 for card in rules.deck_ids if card % 8 <= 3)
            may = bool(free and low >= (5 if farmers_cards == "all" else 3))
            assert bool(int(batch.legal[table]) >> SWAP & 1) == may
            claims.add((may, bool(free)))
        batch.step(sample(batch, rng))
    assert {(True, True), (False, True), (False, False)} <= claims


def test_Q_N21_hands_of_seven() -> None:
    seven = {"hand_size": 7, "dealer_pickup": "any_of_six"}
    assert notes_of("bicycle32", Phase.DISCARD, **seven) == ["he takes the up-card and buries any of his eight"]
    assert notes_of("tournament", Phase.DISCARD) == ["he takes the up-card and buries any of his six"]
    best = {"best_exchange": "receive_first", "alone_timing": "after_trump"}
    assert notes_of("bicycle32", Phase.DISCARD, hand_size=7, **best)[-1] == "one of eight"
    assert notes_of("bicycle32", Phase.DISCARD, **best)[-1] == "one of six"
    summary = rule_card(rulesets.get("bicycle32").replace(**seven)).summary
    assert summary.endswith("seven cards each; alone with the call; the dealer buries any of eight")


def test_Q_G21_tie_breaks() -> None:
    ordinary = "level, another; none of the tied there, it counts as an ordinary hand"
    assert facts_of("ghost_hand", tiebreak="hand_points")["tie-break"] == (
        f"of the tied at the target the most points in that hand win it; {ordinary}"
    )
    assert facts_of("ghost_hand", tiebreak="tied_only")["tie-break"] == (
        f"of the tied at the target the highest total wins it; {ordinary}"
    )


@kernel
def _settle(options: Any, states: Any) -> None:
    settle_game(options[0], states[0])


@pytest.mark.parametrize("tiebreak", ["tied_only", "hand_points", "totals"])
def test_Q_G21_none_of_the_tied_at_the_target(tiebreak: str) -> None:
    """The third wins as in any hand."""
    rules = rulesets.get("ghost_hand").replace(tiebreak=tiebreak)
    states = np.zeros(1, dtype=STATE)
    states["scores"][0, :3], states["points"][0, :3] = (28, 31, 32), (-4, 1, 3)
    states["extra_hand"], states["maker"], states["bid"] = 0b011, 0, 1
    _settle(rules.to_options(), states)
    assert (int(states["winners"][0]), int(states["extra_hand"][0])) == (1 << 2, 0)


def test_Q_B1_alone_after_a_blind_call() -> None:
    def asked(name: str, **changes: Any) -> list[str]:
        steps = rule_card(rulesets.get(name).replace(**changes)).steps
        return [step.who for step in steps if step.phase == Phase.DECLARE]

    blind = {"alone_timing": "with_call", "alone_scope": "maker_only", "defend_alone": "off"}
    assert asked("british", **blind) == ["the dealer, if he named trump blind for the joker"]
    assert notes_of("british", Phase.DECLARE, **blind)[0].startswith("any other maker says it with his call")
    assert asked("british", **blind, joker_up="look_dealer") == []
    assert asked("british")[0].startswith("the maker, the maker's partner, ")
    single = {"dummy": "three_card", "alone_scope": "maker_only", "defend_alone": "always"}
    assert asked("two_handed", **single) == ["the maker, then the other"]
    assert asked("two_handed", **single, alone_timing="with_call") == ["the other"]


def test_Q_X1_next_dealers() -> None:
    assert facts_of("north_american")["next dealers"] == "to the left"
    same = {"passed_out": "same_dealer"}
    assert facts_of("north_american", **same)["next dealers"] == "to the left; the same again when all pass"
    assert facts_of("cincinnati", **same)["next dealers"] == "to the left"  # the dealer is forced
    assert facts_of("ghost_hand", **same, farmers_hand="redeal")["next dealers"] == (
        "to the left; the same again when all pass and when a farmer's hand claims"
    )
    clauses = {fact.label: fact.clause for fact in rule_card(rulesets.get("two_handed").replace(**same)).play}
    assert clauses["next dealers"] == "Q-X1, Q-H4"


@pytest.mark.parametrize(
    ("joker_up", "words"),
    [
        ("hearts", "a joker proposes hearts"),
        ("spades", "a joker proposes spades"),
        ("blind_dealer", "the dealer names trump blind for a joker"),
        ("look_dealer", "the dealer looks and names trump for a joker"),
        ("set_aside", "the dealer names trump blind for a joker that is set aside"),
    ],
)
def test_the_summary_says_what_a_joker_does(joker_up: str, words: str) -> None:
    assert f"; {words}; " in rule_card(rulesets.get("british").replace(joker_up=joker_up)).summary


@pytest.mark.parametrize(
    ("joker_up", "dealer_pickup", "words"),
    [
        ("hearts", "optional", "; the joker he takes in any case and keeps"),
        ("blind_dealer", "optional", "; the joker he takes in any case and keeps"),
        ("set_aside", "optional", ""),
        ("hearts", "mandatory", ""),
        ("hearts", "any_of_six", ""),
        ("look_dealer", "any_of_six", "; the joker he keeps"),
    ],
)
def test_7_3_the_joker_is_taken(joker_up: str, dealer_pickup: str, words: str) -> None:
    rules = rulesets.get("british").replace(joker_up=joker_up, dealer_pickup=dealer_pickup)
    note = notes_of("british", Phase.DISCARD, joker_up=joker_up, dealer_pickup=dealer_pickup)[0]
    assert note.partition("; the joker")[1:] == words.partition("; the joker")[1:]
    asked, batch, rng = 0, GameBatch(rules, 800, seed=2, observe=False, autoreset=False), np.random.default_rng(2)
    for _ in range(12):
        states = batch.states
        for table in np.flatnonzero((states["phase"] == Phase.DISCARD) & (states["upcard"] == JOKER)):
            legal, asked = int(batch.legal[table]), asked + 1
            assert not legal >> DECLINE & 1
            assert bool(legal >> JOKER & 1) == (not words and dealer_pickup == "any_of_six")
        batch.step(sample(batch, rng))
    assert bool(asked) == (joker_up != "set_aside")


def test_7_7_a_rubber_with_laps_and_slams() -> None:
    assert facts_of("bicycle24", rubber=True)["rubber"].startswith("two games; 3 points")
    assert facts_of("railroad", rubber=True)["rubber"].startswith("two games, laps and slams counted; 3 points")
    assert facts_of("bicycle24", rubber=True, slams=True)["rubber"].startswith("two games, slams counted; 3 points")


def test_the_options_that_differ() -> None:
    assert rule_card("north_american").options == ()
    options = {fact.label for fact in rule_card("tournament").options}
    assert {"stick_the_dealer=on", "dealer_pickup=any_of_six", "defend_alone=off"} <= options
    assert all(fact.clause for fact in rule_card("railroad").options)
