"""The pages derived from the code are those that the code gives; the sources are those of the rule book."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from euchre_env import rulesets
from euchre_env.rule_card import rule_card, source_keys

ROOT = Path(__file__).parents[2]
BOOK = (ROOT / "docs" / "rules.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "rulesets.md").read_text("utf-8")


def test_generated_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", rulesets.names())
def test_the_page_has_every_card(name: str) -> None:
    section = PAGE.split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    card = rule_card(name)
    assert all(f"| {step.name} | {step.who} | {step.actions_words} |" in section for step in card.steps)
    assert all(f"| {row.who} | {row.tricks_words} | {row.makers_words} |" in section for row in card.scoring)
    assert all(f"* {fact.label}: {fact.text} ({fact.clause})" in section for fact in (*card.play, *card.end))
    assert all(key in section.split("Sources: ")[1] for key, _ in card.sources)


def test_the_table_marks_differences_and_has_dashes() -> None:
    cells = {
        row.split("|")[1].strip(): row.split("|")[2:-1]
        for row in PAGE.split("## Options")[0].splitlines()
        if row.startswith("| `")
    }
    columns = dict(zip(rulesets.names(), cells["`stick_the_dealer`"], strict=True))
    shown = {name: columns[name].strip() for name in ("north_american", "tournament", "cincinnati")}
    assert shown == {"north_american": "off", "tournament": "**on**", "cincinnati": "—"}


def test_sources_are_those_of_the_rule_book() -> None:
    """Every key has its row in 0.1; a few clauses, read by hand."""
    rows = re.findall(r"^\| ([A-Z0-9* -]+) \| ", BOOK.split("### 0.1 Sources")[1], flags=re.MULTILINE)
    listed = {key for row in rows for key in row.split()} | {"S000", "S001", "S002", "S004"}
    assert {key for keys in source_keys().values() for key in keys} <= listed
    assert source_keys()["2.6"] == ["S004"]
    assert source_keys()["7.7"] == ["BIC-RR", "ABOUT-RR", "KEL5"]
    assert source_keys()["Q-H3"] == ["KEL7", "OE-23", "MOUSE-2", "WS-H"]
    assert source_keys()["9.7"] == ["S002"]


@pytest.mark.parametrize("name", rulesets.names())
def test_every_clause_of_a_card_is_in_the_rule_book(name: str) -> None:
    card = rule_card(name)
    texts = [fact.clause for fact in (*card.play, *card.end)] + [step.clause for step in card.steps]
    for clause in {clause for text in [*texts, *(row.clause for row in card.scoring)] for clause in text.split(", ")}:
        begins = rf"^(#{{2,3}} )?{re.escape(clause)}[. ]|^\* \*\*{re.escape(clause)} "
        assert re.search(begins, BOOK, flags=re.MULTILINE), clause


def test_the_sources_file_says_where_it_comes_from() -> None:
    data = json.loads((ROOT / "euchre_env" / "data" / "sources.json").read_text("utf-8"))
    assert data["from"] == "docs/rules.md, by docs/generate.py"
    assert data["clauses"] == source_keys()
