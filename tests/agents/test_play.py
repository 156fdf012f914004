"""A person at the terminal: every answer is understood or refused with a sentence, and no input ends in a traceback."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agents import play
from euchre_env.cards import parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    NUM_ACTIONS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
)
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
# Dealt by seat 3: South, West, North, East by threes, then by twos; jack of hearts turned up.
DECK = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD")


def game_of(rules: str, *actions: int | str) -> Game:
    game = Game(rules, dealer=3, deck=DECK, auto_deal=False)
    for action in actions:
        game.play(parse_card(action) if isinstance(action, str) else action)
    return game


class Interrupting(io.StringIO):
    """Input during which Ctrl-C is pressed."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


class Table:
    """Runs the program with lines of input and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.error = ""

    def run(self, *arguments: str, lines: Iterable[str] = (), status: int = 0, stdin: type = io.StringIO) -> str:
        self.monkeypatch.setattr(sys, "stdin", stdin("".join(f"{line}\n" for line in lines)))
        assert play.main(arguments) == status
        said, self.error = self.capsys.readouterr()
        return said


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(monkeypatch, capsys)


# A whole game


@pytest.mark.parametrize("rules", ["tournament", "north_american", "bicycle24", "open_spiel"])
def test_a_game_to_the_end(table: Table, rules: str) -> None:
    said = table.run("random", "--ruleset", rules, "--seed", "4", lines=["1"] * 2000)
    assert said.strip().splitlines()[-1].endswith(("You win!", "You lose."))
    assert " takes the trick with " in said
    assert "--- West deals ---" in said
    assert table.error == ""


def test_the_same_seed_is_the_same_game(table: Table) -> None:
    first, again = (table.run("rule_based", "--seed", "8", lines=["1"] * 20) for _ in range(2))
    other = table.run("rule_based", "--seed", "9", lines=["1"] * 20)
    assert first == again != other


@pytest.mark.parametrize("seat", range(4))
def test_every_seat_sees_its_own_cards_alone(table: Table, seat: int) -> None:
    """1.8: as many cards face down as the others hold."""
    said = table.run("random", "--ruleset", "bicycle24", "--seed", "5", "--seat", str(seat))
    name = ("South", "West", "North", "East")[seat]
    assert f"You are {name} (player_{seat})" in said
    assert f"▶ {name} (player_{seat})" in said
    assert 9 < said.count("▒▒") <= 16


def test_who_sits_where(table: Table) -> None:
    said = table.run("random", "--partner", "rule_based", lines=["quit"])
    assert "West is random, North is rule_based, East is random" in said
    said = table.run("random", "--opponents", "rule_based", "--seat", "1", lines=["quit"])
    assert "South is rule_based, North is rule_based, East is random" in said


def test_others_moves_are_short_lines(table: Table) -> None:
    said = table.run("random", "--seed", "4", lines=["1"] * 30)
    assert any(line.startswith(("West plays ", "East plays ")) for line in said.splitlines())
    assert "West passes" in said.splitlines()


# Leaving


@pytest.mark.parametrize("word", ["quit", "exit", " QUIT "])
def test_quit(table: Table, word: str) -> None:
    assert table.run("random", "--seed", "0", lines=[word]).endswith(
        "\nYou leave the table. The game stands at North/South 0, East/West 0.\n"
    )


def test_the_end_of_input(table: Table) -> None:
    assert "The input has ended. You leave the table." in table.run("random")


def test_no_input_at_all(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert play.main(["random"]) == 0
    assert "The input has ended." in table.capsys.readouterr().out


def test_ctrl_c(table: Table) -> None:
    said = table.run("random", "--seed", "0", lines=["nonsense"], stdin=Interrupting)
    assert said.endswith("\nInterrupted. You leave the table. The game stands at North/South 0, East/West 0.\n")


def test_as_a_program() -> None:
    """Real pipes, a real interrupt, bytes that are no text."""
    command = [sys.executable, "-m", "agents.play", "random", "--seed", "1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\xff\xfe\x00 what\n")
        process.stdin.flush()
        seen = b""
        while b"is no answer here" not in seen:
            seen += os.read(process.stdout.fileno(), 1)
        process.send_signal(signal.SIGINT)
        seen += process.stdout.read()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b"")
    assert b"Interrupted. You leave the table." in seen


# Answers


@pytest.mark.parametrize(
    ("rules", "before", "word", "action"),
    [
        ("tournament", [], "pass", PASS),
        ("tournament", [], "p", PASS),
        ("tournament", [], "1", PASS),
        ("tournament", [], "3", ORDER_UP_ALONE),
        ("tournament", [], "order up", ORDER_UP),
        ("tournament", [], "order", ORDER_UP),
        ("tournament", [], "pick it up", ORDER_UP),
        ("tournament", [], "order up a", ORDER_UP_ALONE),
        ("tournament", [], "alone", ORDER_UP_ALONE),
        ("tournament", [PASS] * 4, "spades", CALL + 3),
        ("tournament", [PASS] * 4, "s", CALL + 3),
        ("tournament", [PASS] * 4, "call spades", CALL + 3),
        ("tournament", [PASS] * 4, "spades alone", CALL_ALONE + 3),
        ("tournament", [PASS] * 4, "alone d", CALL_ALONE + 1),
        ("tournament", [], "9", "9H"),
        ("tournament", [ORDER_UP], "9d", "9D"),
        ("tournament", [ORDER_UP], "9", "9D"),
        ("tournament", [ORDER_UP], "jh", "JH"),
        ("tournament", [ORDER_UP], "j♥", "JH"),
        ("tournament", [ORDER_UP], "king", "KD"),
        ("tournament", [ORDER_UP], "jack of c", "JC"),
        ("tournament", [ORDER_UP, "9D"], "10d", "TD"),
        ("tournament", [ORDER_UP, "9D"], "td", "TD"),
        ("tournament", [ORDER_UP, "9D"], "10", "TD"),
        ("north_american", [ORDER_UP, "9D"], "alone", ALONE),
        ("north_american", [ORDER_UP, "9D"], "with", WITH_PARTNER),
    ],
)
def test_what_is_understood(rules: str, before: list[int | str], word: str, action: int | str) -> None:
    expected = parse_card(action) if isinstance(action, str) else action
    assert play.understand(word, game_of(rules, *before)) == expected


def test_the_list_is_in_the_order_of_the_hand() -> None:
    """The left bower among the trumps."""
    game = game_of("tournament", PASS, ORDER_UP, "9D", "AS")
    assert game.legal() != play.choices(game)
    assert play.understand("1", game) == parse_card("JD")
    assert play.understand("2", game) == parse_card("KH")


@pytest.mark.parametrize(
    ("before", "word", "sentence"),
    [
        ([ORDER_UP], "j", "j may mean jh, jc or js."),
        ([PASS] * 4, "alone", "alone may mean alone clubs, alone diamonds or alone spades."),
        ([PASS] * 4, "call", "call may mean"),
        ([], "fold", "'fold' is no answer here: type a number, a card or a word of the list, or ? for help."),
        ([], "7", "7 may mean 7c, 7d, 7h or 7s."),
        ([], "x" * 5000, f"'{'x' * 40}' is no answer here"),
    ],
)
def test_what_is_not_understood(before: list[int], word: str, sentence: str) -> None:
    answer = play.understand(word, game_of("tournament", *before))
    assert isinstance(answer, str)
    assert answer.startswith(sentence)


@pytest.mark.parametrize("action", range(NUM_ACTIONS))
def test_every_action_has_a_word_of_its_own(action: int) -> None:
    word = play.answers(action)[0]
    assert [other for other in range(NUM_ACTIONS) if play.answers(other)[0] == word] == [action]


# Refusals


def test_a_refused_card_comes_with_the_reason(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("tournament", PASS, ORDER_UP, "9D", "AS", "JD", "9S")
    evening = play.Evening(game, 3, {}, np.random.default_rng(0))
    monkeypatch.setattr(sys, "stdin", io.StringIO("kd\nwhy\nwhy qc\nwhy js\nwhy kd\npass\nalone\njs\n"))
    assert evening.ask() == parse_card("JS")
    said = table.capsys.readouterr().out
    assert said.count("KD does not follow: spades were led and the hand holds JS (1.4).") == 3
    assert "QC does not follow" in said
    assert "js is allowed" in said.lower()
    assert "A card is due: JS (1.4)." in said
    assert "going alone is declared before the first lead (2.5)" in said


def test_why_before_anything_was_refused(table: Table) -> None:
    assert "Nothing was refused yet" in table.run("random", lines=["why"])


def test_help_and_table(table: Table) -> None:
    said = table.run("random", "--seed", "4", lines=["?", "table", "", "help"])
    assert said.count("quit: leave the game") == 2
    assert said.count("To move: ") == 2


def test_only_legal_answers_are_taken(table: Table) -> None:
    """Noise before every answer changes nothing."""
    noise = [
        "",
        "foo",
        "99999999999999999999",
        "-1",
        "0",
        "²",
        "jk",
        "9x",
        "why",
        "why why",
        "\t",
        "♥",
        "\x00",
        "ﬀ",
    ]
    plain = table.run("random", "--seed", "11", lines=["1"] * 400)
    noisy = table.run("random", "--seed", "11", lines=(line for _ in range(400) for line in [*noise, "1"]))
    assert plain.splitlines()[-1] == noisy.splitlines()[-1]
    assert table.error == ""


def test_any_text_is_survived(table: Table) -> None:
    rng = np.random.default_rng(3)
    letters = list("ajkqt1098cdhs ?♥")
    lines = ["".join(rng.choice(letters, size=int(rng.integers(1, 5)))) for _ in range(1500)]
    assert "You " in table.run("random", "--seed", "2", lines=lines).splitlines()[-1]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rule_basd"], "unknown player or checkpoint file 'rule_basd': did you mean 'rule_based'?"),
        (["random", "--partner", "randm"], "unknown player or checkpoint file 'randm': did you mean 'random'?"),
        (["random", "--ruleset", "tornament"], "unknown ruleset 'tornament': did you mean 'tournament'?"),
        (["random", "--seat", "4"], "seat 4 is not at this table: choose one from 0 to 3."),
        (["random", "--seed", "-1"], "seed -1 is below zero: choose a whole number from 0 up."),
    ],
)
def test_bad_input_gets_one_sentence(table: Table, arguments: list[str], sentence: str) -> None:
    assert table.run(*arguments, status=2) == ""
    assert table.error == f"error: {sentence}\n"


def test_a_checkpoint_that_is_not_there(table: Table, tmp_path: Path) -> None:
    table.run(str(tmp_path / "none.safetensors"), status=2)
    assert table.error.startswith("error: ")
    assert "none.safetensors" in table.error
    assert table.error.count("\n") == 1


def test_a_file_that_is_no_checkpoint(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "notes.safetensors"
    file.write_text("nothing to play with")
    table.run(str(file), status=2)
    assert table.error.startswith(f"error: {file}")
    assert table.error.count("\n") == 1


class Cheat:
    """A policy that always passes."""

    name = "cheat"

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        return np.full(len(views), PASS)


def test_a_policy_that_breaks_the_rules(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def cheat(name: str, ruleset: Ruleset) -> Cheat:
        return Cheat()

    monkeypatch.setattr(play, "find_player", cheat)
    table.run("cheat", "--seed", "1", lines=["1"] * 100, status=2)
    assert table.error.startswith("error: the policy cheat made an illegal move: ")
