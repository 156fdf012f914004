"""Which sources stand behind the clauses that a card cites, by docs/rules.md."""

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources


@cache
def source_keys() -> dict[str, list[str]]:
    """Return `data/sources.json`: by clause of docs/rules.md the sources that it names, S000 to S004 first."""
    text = resources.files("euchre_env").joinpath("data/sources.json").read_text(encoding="utf-8")
    keys: dict[str, list[str]] = json.loads(text)["clauses"]
    return keys


def sources_of(clauses: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sources of these clauses, those of most clauses first."""
    found: dict[str, list[str]] = {}
    for clause in sorted(clauses, key=_clause_order):
        for key in source_keys().get(clause, ()):
            found.setdefault(key, []).append(clause)
    return tuple((key, tuple(found[key])) for key in sorted(found, key=lambda key: (-len(found[key]), key)))


def _clause_order(clause: str) -> tuple[str, tuple[int, ...]]:
    """Sections by number, then questions by letter and number."""
    letters = "".join(char for char in clause if char.isalpha())
    return letters, tuple(int(number) for number in clause.lstrip(f"-{letters}").split("."))
