"""Records: writing then reading gives back the same, and whatever a file holds, it is read or refused in a sentence."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from euchre_env.cards import cards_of
from euchre_env.engine.layout import CLAIM_REDEAL, SWAP
from euchre_env.errors import RecordError
from euchre_env.game import Game
from euchre_env.record import Record, Recorder, dumps, egn, files, loads
from euchre_env.record.egn_flags import rules_of
from euchre_env.ruleset import Ruleset
from tests.properties.drawn import houses, keys

# Which of the legal actions is taken at each step, and so how many are.
courses = st.lists(st.integers(0, 59), max_size=150)
switches = ("std", "canadian", "defend_alone", "partners_best", "joker", "allow_no_trump", "farmers", "go_under")
flags = st.fixed_dictionaries(
    {"num_players": st.sampled_from((4, 4, 4, 3, 2))},
    optional={
        **dict.fromkeys(switches, st.booleans()),
        "loner_lead": st.sampled_from(("LEFT_OF_DEALER", "LEFT_OF_LONER")),
        "loner_march_score": st.integers(2, 8),
        "loner_euchred_score": st.integers(2, 4),
        "min_rank": st.integers(7, 9),
        "winning_score": st.integers(1, 20),
    },
)


def recorded(rules: Ruleset, key: int, course: list[int]) -> Recorder:
    recorder = Recorder(Game(rules, key=key))
    for number in course:
        if recorder.game.over:
            break
        legal = recorder.game.legal()
        recorder.play(legal[number % len(legal)])
    return recorder


@settings(max_examples=40)
@given(houses, keys, courses)
def test_a_line_gives_back_the_record(rules: Ruleset, key: int, course: list[int]) -> None:
    recorder = recorded(rules, key, course)
    record = recorder.record
    assert loads(dumps(record)) == record
    spelled_out = Record(rules, record.dealer, record.start, record.deals, record.scores)
    assert loads(dumps(spelled_out)) == spelled_out == record
    assert (record.replay().state == recorder.game.state).all()


def rules_or_none(said: dict[str, Any]) -> Ruleset | None:
    """Return the ruleset of drawn flags, none where they do not go together."""
    try:
        return rules_of(said)
    except RecordError:
        return None


@settings(max_examples=40)
@given(flags, keys, courses)
def test_egn_gives_back_the_record(said: dict[str, Any], key: int, course: list[int]) -> None:
    rules = rules_or_none(said)
    if rules is None:
        return
    whole = recorded(rules, key, course).record
    record, source = sayable(whole)
    if source:
        assert egn.loads(source) == swaps_ascending(record)
        compare_without_hands(record, source)
    if len(record.deals) < len(whole.deals):
        assert may_be_lost(whole, len(record.deals))


def sayable(record: Record) -> tuple[Record, str]:
    """Return the record before the first deal that a file cannot say all of, with its file; maybe no deals."""
    source = egn_of(record)
    while source is None and len(record.deals) > 1:
        *before, _ = record.deals
        scores = list(record.by_deal())[-1].start.scores
        record = replace(record, deals=tuple(before), scores=scores)
        source = egn_of(record)
    return (record, source) if source else (replace(record, deals=()), "")


def may_be_lost(record: Record, number: int) -> bool:
    """Whether a deal ends where a file has no place for all of it, in a claim, or has cards laid away for the kitty."""
    actions = record.deals[number].actions
    swaps = SWAP in actions[:4]
    return number == len(record.deals) - 1 or swaps or CLAIM_REDEAL in actions


def swaps_ascending(record: Record) -> Record:
    """Return a record with the cards that were laid away for the kitty ascending: a file does not tell their order."""
    if record.ruleset.farmers_hand != "swap3":
        return record
    deals = []
    for deal in record.deals:
        actions = list(deal.actions)
        if SWAP in actions[:4]:
            first = actions.index(SWAP) + 1
            actions[first : first + 3] = sorted(actions[first : first + 3])
        deals.append(replace(deal, actions=tuple(actions)))
    return replace(record, deals=tuple(deals))


def egn_of(record: Record) -> str | None:
    """Return the record as a file, None where the format cannot say it."""
    try:
        return egn.dumps(record)
    except RecordError:
        return None


def compare_without_hands(record: Record, source: str) -> None:
    """Read the same file without hands and discards: other cards may lie unseen, what was played is the same."""
    values = json.loads(source)
    for deal in values["deals"]:
        del deal["initialState"]["playerCards"]
        deal["phases"][0].pop("discard", None)
    inferred = egn.loads(json.dumps(values))
    assert inferred.scores == record.scores
    assert egn.loads(egn.dumps(inferred)) == loads(dumps(inferred)) == inferred
    for one, other in zip(inferred.by_deal(), record.by_deal(), strict=True):
        assert (one.end.state["played"] == other.end.state["played"]).all()
        assert not set(cards_of(one.deal.unseen)) & set(cards_of(int(sum(one.end.state["played"][0]))))


# Anything in the place of anything.

LONG = "\ud83c\x1b\u2028x" * 5_000
ODD: list[Any] = [
    LONG,
    10**4_000,
    [LONG],
    {LONG: LONG},
    None,
    True,
    -1,
    2**70,
    0,
    1.5,
    "",
    "x",
    "Xx",
    "9c",
    [],
    [[]],
    {},
    {"type": "x"},
    ["9c"] * 3,
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in JSON values, as what holds it and the key there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield value, key
        yield from places(part)


@cache
def whole_game(is_egn: bool) -> str:
    """Return a short game with a swap and an exchange of cards, as a line or as a file."""
    rules = rules_of({"defend_alone": True, "partners_best": True, "go_under": True, "winning_score": 2})
    record = recorded(rules, 7, [5, 4, 3, 2, 1] * 40).record
    line = dumps(Record(rules, record.dealer, record.start, record.deals, record.scores, tuple("ABCD")))
    return egn.dumps(record) if is_egn else line


def refusal(source: str) -> str:
    """Return why a file is not read; nothing where it is. No other exception may come."""
    try:
        files.loads(source)
    except RecordError as error:
        return str(error)
    return ""


def with_odd_value(values: Any, at: int, odd: Any) -> str:
    holders = list(places(values))
    holder, key = holders[at % len(holders)]
    holder[key] = odd
    return json.dumps(values)


@settings(max_examples=120)
@given(st.integers(0, 10_000), st.sampled_from(ODD), st.booleans())
def test_wrong_values_are_refused_in_a_sentence(at: int, odd: Any, is_egn: bool) -> None:
    words = refusal(with_odd_value(json.loads(whole_game(is_egn)), at, odd))
    assert "\n" not in words
    assert len(words) < 1_500
    words.encode()


@settings(max_examples=80)
@given(st.integers(0, 10_000), st.characters(), st.booleans())
def test_wrong_letters_are_refused_in_a_sentence(at: int, letter: str, is_egn: bool) -> None:
    source = whole_game(is_egn)
    place = at % len(source)
    assert "\n" not in refusal(source[:place] + letter + source[place + 1 :])
