"""`python -m euchre_env rules`: the catalogue, or the rule card of one ruleset with changes by `--set option=value`.

>>> from euchre_env import rulesets
>>> changed(rulesets.get("tournament"), ["target=5", "canadian_loner=yes"]).target
5
"""

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from euchre_env import rulesets
from euchre_env.commands import Parser, printable, refuse
from euchre_env.errors import RulesetError
from euchre_env.rule_card import Fact, RuleCard, rule_card
from euchre_env.ruleset import Ruleset

_SWITCHES = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_WIDEST = 110
_LABEL = 14
_NUMBER = re.compile("-?[0-9]{1,9}")
_LONGEST_SETTING = 200


def _value(choices: Sequence[Any], word: str) -> Any:
    """Return a word as the option's kind of value; Ruleset refuses what is not among its choices."""
    if isinstance(choices[0], bool):
        return _SWITCHES.get(word.lower(), word)
    if isinstance(choices[0], int) and _NUMBER.fullmatch(word):
        return int(word)
    return word


def changed(rules: Ruleset, settings: Iterable[str]) -> Ruleset:
    """Return a ruleset with options changed as `option=value`; RulesetError names what does not fit."""
    choices = {option["name"]: option["choices"] for option in Ruleset.describe()}
    changes = {}
    for setting in settings:
        option, equals, word = setting.partition("=")
        if len(setting) > _LONGEST_SETTING:
            raise RulesetError(f"--set {setting[:40]}...: no option and no value is that long.")
        if not equals:
            raise RulesetError(f"--set {setting}: write option=value.")
        changes[option] = _value(choices[option], word) if choices.get(option) else word
    return rules.replace(**changes)


def _wrap(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    """Return a text in lines; no name is broken at its hyphen."""
    return textwrap.wrap(text, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _wrapped(label: str, text: str, width: int) -> list[str]:
    """Return a label and its text in lines, the text hanging."""
    indent = " " * (_LABEL + 3)
    return _wrap(text, width, first=f"  {label:<{_LABEL}} ", later=indent)


def _facts(facts: Iterable[Fact], width: int) -> Iterator[str]:
    for fact in facts:
        yield from _wrapped(fact.label, f"{fact.text} ({fact.clause})", width)


def _steps(card: RuleCard, width: int) -> Iterator[str]:
    for step in card.steps:
        note = f" {step.note[0].upper()}{step.note[1:]}." if step.note else ""
        yield from _wrapped(step.name, f"{step.who}: {step.actions_words}.{note} ({step.clause})", width)


def _scoring(card: RuleCard) -> Iterator[str]:
    rows = [(*card.scoring_heads, "")]
    rows += [(row.who, row.tricks_words, row.makers_words, row.others_words, f"({row.clause})") for row in card.scoring]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  " + "   ".join(f"{cell:<{wide}}" for cell, wide in zip(row, widths, strict=True)).rstrip()


def _options(card: RuleCard, width: int) -> Iterator[str]:
    longest = max((len(option.label) for option in card.options), default=0)
    for option in card.options:
        text = f"  {option.label:<{longest}}   {option.text} ({option.clause})"
        yield from _wrap(text, width, later=" " * (longest + 5))


def card_text(card: RuleCard, width: int = 100) -> str:
    """Return a rule card as plain text; its table of points may be wider than `width`."""
    sources = "; ".join(f"{key} ({', '.join(clauses)})" for key, clauses in card.sources)
    blocks: list[tuple[str, Iterable[str]]] = [
        ("Played with", _facts(card.play, width)),
        ("Course of a hand", _steps(card, width)),
        ("Scoring", _scoring(card)),
        ("End of the game", _facts(card.end, width)),
        ("Options that differ from the family's defaults", _options(card, width)),
        ("Sources: keys and clauses of docs/rules.md", _wrap(sources, width, first="  ", later="  ")),
    ]
    parts = [_wrap(f"{card.rules.name}: {card.summary}", width)]
    parts += [[title, *lines] for title, lines in ((title, list(lines)) for title, lines in blocks) if lines]
    return "\n\n".join("\n".join(lines) for lines in parts)


def catalogue_text(width: int = 100) -> str:
    """Return the catalogue, a ruleset each with its summary."""
    names = rulesets.names()
    longest = max(map(len, names))
    lines = [
        line
        for name in names
        for line in _wrap(f"{name:<{longest}}  {rule_card(name).summary}", width, later=" " * (longest + 2))
    ]
    return "\n".join(lines)


def main(argv: Sequence[str]) -> int:
    """Print the catalogue or a card; a wrong name or option is one sentence and exit code 2."""
    parser = Parser(
        prog="python -m euchre_env rules", description="The rules of a ruleset; without a name, the catalogue."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a ruleset of the catalogue")
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="OPTION=VALUE", help="change options: a house rule"
    )
    args = parser.parse_args(argv)
    width = min(shutil.get_terminal_size((100, 24)).columns, _WIDEST)
    try:
        if args.name is None and args.set:
            raise RulesetError("--set changes a ruleset: name one.")
        text = catalogue_text(width) if args.name is None else card_text(_card(args.name, args.set), width)
    except RulesetError as error:
        return refuse(str(error))
    print(text)
    return 0


def _card(name: str, settings: Sequence[str]) -> RuleCard:
    rules = changed(rulesets.get(name), settings)
    named = rules if not settings else rules.replace(name=f"{name} with {', '.join(settings)}")
    return rule_card(named.replace(name=printable(named.name)))
