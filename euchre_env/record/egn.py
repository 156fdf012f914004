"""Euchre Game Notation: its JSON files (`.egn`, versions 1.x) as records, and records as such a file.

A file tells the calls and the cards in the order played; leads, winners and scores follow from the rules, hands that it
does not show from what was played (`inferring.py`). What the format leaves open is refused, not guessed: unknown calls
(`x`), cards known in part (`Xc`), letters that stand for no suit, packed deals. A deal that was broken off and dealt
again under its number is checked and left out. Titles, dates, comments and other lines of play are not kept.

Refusals count the deals of a file from 1. With three seats there is a score for each, where the format knows two.

The format is that of https://github.com/NextSuit-Labs/euchre-game-notation; its rule flags are in `egn_flags.py`.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import Any

from euchre_env.engine.layout import DECLINE, SWAP
from euchre_env.errors import RecordError
from euchre_env.record.egn_deals import read_deal, write_deal
from euchre_env.record.egn_flags import flags_of, rules_of
from euchre_env.record.fields import check_fields, items, mapping, names, numbers, parse_json, shown, text
from euchre_env.record.games import Deal, Record, check_scores, retell
from euchre_env.record.inferring import Inferred, Told, infer
from euchre_env.ruleset import Ruleset

FILE_TYPE = "Euchre Game Notation"
VERSION = "1.6"
_FIELDS = {"fileType", "version", "metadata", "deals"}
_METADATA = {"players", "initialScore"}
_MORE_METADATA = {"ruleset", "finalScore"}
_NOT_KEPT = {"gameId", "matchId", "title", "description", "date", "teamNames"}


def loads(source: str) -> Record:
    """Return the record in an EGN file; RecordError names the field or flag, or the deal and the card."""
    values = mapping("the file", parse_json(source))
    check_fields("", values, _FIELDS, _FIELDS)
    if values["fileType"] != FILE_TYPE:
        raise RecordError(f"fileType is {shown(values['fileType'])}: it must be {FILE_TYPE!r}.")
    if not re.fullmatch(r"1(\.\d+)*", text("version", values["version"])):
        raise RecordError(f"version is {shown(values['version'])}: versions 1.x are supported.")
    metadata = mapping("metadata", values["metadata"])
    check_fields("metadata: ", metadata, _METADATA, _METADATA | _MORE_METADATA | _NOT_KEPT)
    rules = rules_of(mapping("metadata.ruleset", metadata.get("ruleset", {})))
    told = [read_deal(rules, i, deal) for i, deal in enumerate(items("deals", values["deals"]), start=1)]
    return _record(rules, told, metadata)


def _record(rules: Ruleset, told: Sequence[Told], metadata: dict[str, Any]) -> Record:
    start = numbers("metadata.initialScore", metadata["initialScore"], rules.num_sides)
    kept = list(_kept(rules, told))
    record = retell(
        rules,
        told[0].dealer if told else 0,
        start,
        [(deal.deck, deal.actions) for _, deal in kept],
        players=_players(rules, metadata["players"]),
        unseen=[deal.unseen for _, deal in kept],
        deal_numbers=[deal.number for deal, _ in kept],
    )
    if "finalScore" in metadata:
        check_scores(record, numbers("metadata.finalScore", metadata["finalScore"], rules.num_sides))
    return record


def _kept(rules: Ruleset, told: Sequence[Told]) -> Iterator[tuple[Told, Inferred]]:
    """Yield the deals that count, each with what follows from it."""
    for deal, after in zip_longest(told, told[1:]):
        inferred = infer(rules, deal)
        if after is None or inferred.finished:
            if after is not None and after.dealer != inferred.next_dealer:
                due = inferred.next_dealer
                raise RecordError(f"deal {after.number}: seat {after.dealer} deals, but seat {due} has to (Q-X1).")
            yield deal, inferred
        elif (after.name, after.dealer) != (deal.name, deal.dealer):
            raise RecordError(f"deal {deal.number} is not played out, and another follows.")
        else:
            retell(
                rules,
                deal.dealer,
                [0] * rules.num_sides,
                [(inferred.deck, inferred.actions)],
                deal_numbers=[deal.number],
            )


def _players(rules: Ruleset, value: Any) -> tuple[str, ...]:
    """Return the names of the players, who are texts or objects with a name; ours by seat stand for none."""
    players = [
        mapping("metadata.players", p).get("name") if isinstance(p, dict) else p
        for p in items("metadata.players", value)
    ]
    found = names("metadata.players", players, rules.num_seats)
    return () if found == _no_names(rules) else found


def _no_names(rules: Ruleset) -> tuple[str, ...]:
    return tuple(f"player_{seat}" for seat in range(rules.num_seats))


def dumps(record: Record, title: str = "") -> str:
    """Return a record as an EGN file; RecordError names what the format cannot say.

    What it says is read again and compared. Only the name of a ruleset of one's own, the key and the order in which a
    poor hand laid its cards away for those of the kitty (Q-N22) are not kept.
    """
    values: dict[str, Any] = {"fileType": FILE_TYPE, "version": VERSION}
    values["metadata"] = ({"title": text("title", title)} if title else {}) | {
        "players": list(record.players or _no_names(record.ruleset)),
        "initialScore": list(record.start),
        "finalScore": list(record.scores),
        "ruleset": flags_of(record.ruleset),
    }
    values["deals"] = [write_deal(number, played) for number, played in enumerate(record.by_deal())]
    source = json.dumps(values, ensure_ascii=False, indent=1) + "\n"
    lost = _cannot_say(record, source)
    if lost is not None:
        raise RecordError(f"Euchre Game Notation cannot say all of this record: {lost}")
    return source


def _cannot_say(record: Record, source: str) -> str | None:
    """Return what is lost when a file is read again; None if nothing is."""
    try:
        again = loads(source)
    except RecordError as error:
        return str(error)
    if (again.dealer, again.start, again.players) != (record.dealer, record.start, record.players):
        return "the names of the players are those that stand for none."
    deals = map(_without_order, record.deals)
    differ = (i for i, (a, b) in enumerate(zip(again.deals, deals, strict=True), start=1) if a != b)
    return next((f"deal {deal} breaks off where a file has no place for what was said last." for deal in differ), None)


def _without_order(deal: Deal) -> Deal:
    """Return a deal with the three cards that were laid away for the kitty ascending."""
    first = len(list(takewhile(lambda action: action == DECLINE, deal.actions))) + 1
    if deal.actions[first - 1 : first] != (SWAP,):
        return deal
    before, laid, after = deal.actions[:first], deal.actions[first : first + 3], deal.actions[first + 3 :]
    return replace(deal, actions=(*before, *sorted(laid), *after))
