"""Records as lines: one JSON object a line, one line a game.

    {"euchre_record": 1, "ruleset": {"name": "tournament"}, "dealer": 0, "start": [0, 0],
     "deals": [{"deck": "TC 9D ...", "actions": "pass order-up 9D TC ..."}], "scores": [2, 0]}

| field | what it says |
|---|---|
| `euchre_record` | the version of this format, 1 |
| `ruleset` | its name, and the options that differ from the ruleset of that name (of an unknown name: the defaults) |
| `dealer` | the seat that deals first |
| `start` | the points by side before the first deal |
| `deals` | each deal of the game, also one that is thrown in or claimed away, the last one as far as it was played |
| `deck` | all cards, top first, dealt by the packets of the ruleset |
| `actions` | what was said and played, in order: cards as `TD`, words as `order-up` or `call-spades-alone` |
| `unseen` | only if there are any: cards of which it is not known where they lay |
| `key` | in place of the decks, if they come from a key |
| `players` | only if known: a name for each seat |
| `scores` | the points by side after the last action |

What lies at one place (a hand, the kitty) has no order: decks that deal the same are the same.

>>> from euchre_env.game import Game
>>> from euchre_env.record.games import Recorder
>>> record = Recorder(Game("tournament", seed=3, dealer=0)).record
>>> loads(dumps(record)) == record
True
"""

import difflib
import json
from collections.abc import Callable
from typing import Any

from euchre_env import rulesets
from euchre_env.cards import format_card, format_cards, mask_of, parse_cards
from euchre_env.decks import check_deck
from euchre_env.errors import DeckError, RecordError, RulesetError
from euchre_env.record.fields import (
    brief,
    check_fields,
    items,
    mapping,
    names,
    number,
    numbers,
    parse_json,
    shown,
    text,
)
from euchre_env.record.games import Deal, Record, action_word, check_scores, retell, words
from euchre_env.ruleset import Ruleset

SIGNATURE = "euchre_record"
VERSION = 1
_FIELDS = {SIGNATURE, "ruleset", "dealer", "start", "deals", "scores"}
_MORE_FIELDS = {"key", "players"}


def dumps(record: Record) -> str:
    """Return a record as one line of JSON, without the end of the line; RecordError for names that no line can hold."""
    values: dict[str, Any] = {SIGNATURE: VERSION, "ruleset": ruleset_values(record.ruleset)}
    text("ruleset.name", record.ruleset.name)
    if record.players:
        values["players"] = list(names("players", list(record.players), record.ruleset.num_seats))
    if record.key is not None:
        values["key"] = record.key
    values |= {"dealer": record.dealer, "start": list(record.start)}
    values["deals"] = [_deal_values(deal, with_deck=record.key is None) for deal in record.deals]
    values["scores"] = list(record.scores)
    return json.dumps(values, ensure_ascii=False)


def ruleset_values(rules: Ruleset) -> dict[str, Any]:
    """Return a ruleset as its name and the options that differ from the ruleset of that name."""
    usual = _base(rules.name).to_dict()
    return {"name": rules.name, **{key: value for key, value in rules.to_dict().items() if usual[key] != value}}


def _base(name: str) -> Ruleset:
    return rulesets.get(name) if name in rulesets.names() else Ruleset(name=name)


def _deal_values(deal: Deal, with_deck: bool) -> dict[str, str]:
    values = {"deck": format_cards(deal.deck)} if with_deck else {}
    values["actions"] = " ".join(action_word(action) for action in deal.actions)
    return values | ({"unseen": format_cards(deal.unseen)} if deal.unseen else {})


def loads(line: str) -> Record:
    """Return the record in one line; RecordError names the field, or the deal and the card, that does not fit."""
    values = parse_json(line)
    if not isinstance(values, dict) or SIGNATURE not in values:
        raise RecordError(f"a record is a JSON object with the field {SIGNATURE!r}.")
    if type(values[SIGNATURE]) is not int or values[SIGNATURE] != VERSION:
        raise RecordError(f"{SIGNATURE} is {shown(values[SIGNATURE])}: this version of the library reads {VERSION}.")
    check_fields("", values, _FIELDS, _FIELDS | _MORE_FIELDS)
    rules = _ruleset(values["ruleset"])
    key = None if "key" not in values else number("key", values["key"], 0, 2**64 - 1)
    deals = items("deals", values["deals"])
    told = [_deal(rules, f"deals[{i}]", deal, key is None) for i, deal in enumerate(deals)]
    record = retell(
        rules,
        number("dealer", values["dealer"], 0, rules.num_seats - 1),
        numbers("start", values["start"], rules.num_sides),
        [(deck, actions) for deck, actions, _ in told],
        players=names("players", values.get("players"), rules.num_seats),
        key=key,
        unseen=[cards for _, _, cards in told],
    )
    check_scores(record, numbers("scores", values["scores"], rules.num_sides))
    return record


def _ruleset(value: Any) -> Ruleset:
    options = mapping("ruleset", value)
    name = text("ruleset.name", options.get("name"))
    changes = {brief(option): _option(option, choice) for option, choice in options.items() if option != "name"}
    try:
        return _base(name).replace(**changes, name=name)
    except RulesetError as error:
        raise RecordError(f"ruleset: {error}") from error


def _option(option: str, value: Any) -> str | int:
    """Return what can be the value of an option, too long a text shortened, which is none."""
    if isinstance(value, str):
        return brief(value)
    if isinstance(value, int) and abs(value) < 2**31:
        return value
    raise RecordError(f"ruleset: {brief(option)}: {shown(value)} is no value of an option.")


def _deal(rules: Ruleset, where: str, value: Any, with_deck: bool) -> tuple[list[int] | None, list[int], int]:
    needed = {"deck", "actions"} if with_deck else {"actions"}
    check_fields(f"{where}: ", mapping(where, value), needed, needed | {"unseen"})
    deck = _ids(f"{where}.deck", value["deck"], lambda cards: check_deck(rules, cards).tolist()) if with_deck else None
    unseen = _ids(f"{where}.unseen", value.get("unseen", ""), lambda cards: _in_pack(rules, cards))
    return deck, [_action(where, word) for word in text(f"{where}.actions", value["actions"]).split()], mask_of(unseen)


def _ids(name: str, value: Any, checked: Callable[[list[int]], list[int]]) -> list[int]:
    try:
        return checked(parse_cards(text(name, value)))
    except RecordError:
        raise
    except (ValueError, DeckError) as error:
        raise RecordError(f"{name}: {brief(str(error), 300)}") from error


def _in_pack(rules: Ruleset, cards: list[int]) -> list[int]:
    foreign = sorted(set(cards) - set(rules.deck_ids))
    if foreign:
        raise DeckError(f"{format_card(foreign[0])} is not in the {rules.deck}-card pack of {rules.name} (1.1).")
    return cards


def _action(where: str, word: str) -> int:
    known = words()
    if word not in known:
        near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "write cards as TD, words as order-up or call-spades-alone."
        raise RecordError(f"{where}.actions: unknown action {shown(word)}: {hint}")
    return known[word]
