"""Whole hands written by hand from the clauses, one or two of every ruleset, replayed step by step.

A file in `transcripts/` says what is dealt; then, a line a decision, who is to move in which phase, all that is legal,
what is done, and the clause that makes it so; then what it comes to. They were written before the engine played them. A
file that fails is mended only where a clause shows that its line is wrong.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from euchre_env import rulesets
from euchre_env.cards import cards_of, format_card
from euchre_env.game import Game
from tests.rules.tables import act, text_cards, words

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
STEP = re.compile(r"(\d) ([A-Z_]+)\s+(.+?)\s+> (.+)")
CARDS = re.compile(r"((JK|[7-9TJQKA][CDHS])\s*)+")


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file without their comments."""
    for line in path.read_text("utf-8").splitlines():
        said = line.partition("#")[0].strip()
        if said:
            yield said


def read(text: str) -> set[str]:
    """Return legal actions: cards between blanks, else words between commas."""
    parts = [part.strip() for part in text.split(",")]
    return {word for part in parts for word in (part.split() if CARDS.fullmatch(part) else [part])}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def begin(facts: dict[str, str]) -> Game:
    """Deal as the file says."""
    scores = numbers(facts["scores"]) if "scores" in facts else None
    return Game(
        facts["ruleset"], dealer=int(facts["dealer"]), deck=facts["deck"].split(), scores=scores, auto_deal=False
    )


def check_deal(game: Game, hands: dict[int, str], facts: dict[str, str]) -> None:
    """Compare what was dealt with the hands written out."""
    assert {seat: text_cards(game.hand(seat)) for seat in hands} == {s: set(hands[s].split()) for s in hands}
    assert len(hands) == game.ruleset.num_seats
    if "upcard" in facts:
        assert format_card(int(game.state["upcard"][0])) == facts["upcard"]
        assert text_cards(int(game.state["kitty"][0])) == set(facts["kitty"].split())


def check_end(game: Game, facts: dict[str, str]) -> None:
    """Compare what the hand comes to."""
    record = game.state[0]
    assert tuple(record["tricks"][: game.ruleset.num_seats]) == numbers(facts["tricks"])
    assert game.points == numbers(facts["points"])
    assert game.scores == numbers(facts["scores"])
    assert set(cards_of(int(record["extra_hand"]))) == set(numbers(facts.get("tied", "")))
    assert set(cards_of(int(record["winners"]))) == set(numbers(facts.get("winners", "")))
    assert record["next_dealer"] == int(facts["next dealer"])
    assert game.turn == -1


def replay(path: Path) -> None:
    """Carry out a file line by line."""
    facts: dict[str, str] = {}
    hands: dict[int, str] = {}
    game: Game | None = None
    for line in lines_of(path):
        step = STEP.fullmatch(line)
        if step is None:
            key, value = re.fullmatch(r"(next dealer|\w+)\s+(.+)", line).groups()  # type: ignore[union-attr]
            if key == "hand":
                hands[int(value[0])] = value[1:]
            else:
                facts[key] = value
            continue
        if game is None:
            game = begin(facts)
            check_deal(game, hands, facts)
        seat, phase, legal, action = step.groups()
        assert (game.turn, game.phase.name) == (int(seat), phase), line
        assert words(game) == read(legal), line
        act(game, action)
    assert game is not None
    check_end(game, facts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_replay(path: Path) -> None:
    replay(path)


def test_every_ruleset_has_a_transcript() -> None:
    assert {fact.split()[1] for path in FILES for fact in lines_of(path) if fact.startswith("ruleset")} == set(
        rulesets.names()
    )


def test_every_decision_is_justified() -> None:
    """A comment with a clause opens each kind of decision in each file."""
    for path in FILES:
        commented = re.findall(r"^\d ([A-Z_]+) .*# .*\d", path.read_text("utf-8"), re.MULTILINE)
        assert {line.split()[1] for line in lines_of(path) if STEP.fullmatch(line)} <= set(commented), path.stem
