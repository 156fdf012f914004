"""`python -m euchre_env`: what it prints, and how it refuses in one sentence with exit code 2."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from euchre_env import rulesets
from euchre_env.__main__ import COMMANDS, main
from euchre_env.commands import rules as rules_command
from euchre_env.rule_card import rule_card


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)
    assert main([]) == 2


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["rulse"], "unknown command 'rulse': did you mean 'rules'?"),
        (["rules", "tornament"], "unknown ruleset 'tornament': did you mean 'tournament'?"),
        (["rules", "railroad", "--set", "tarjet=5"], "unknown ruleset option 'tarjet': did you mean 'target'?"),
        (["rules", "railroad", "--set", "target=0"], "target: 0 is not one of 1 to 100. (clause 2.8, Q-N18)"),
        (["rules", "railroad", "--set", "laps=maybe"], "laps: 'maybe' is not one of False, True. (clause 7.7, Q-R8)"),
        (["rules", "railroad", "--set", "target"], "--set target: write option=value."),
        (["rules", "railroad", "--set", "target=--5"], "target: '--5' is not one of 1 to 100. (clause 2.8, Q-N18)"),
        (
            ["rules", "railroad", "--set", "target=\u00b2"],
            "target: '\u00b2' is not one of 1 to 100. (clause 2.8, Q-N18)",
        ),
        (
            ["rules", "railroad", "--set", f"target={'9' * 5_000}"],
            f"--set target={'9' * 33}...: no option and no value is that long.",
        ),
        (["rules", "--set", "target=5"], "--set changes a ruleset: name one."),
        (["rules", "railroad", "--set", "allow_no_trump=high"], "no-trump with a joker is undefined (1.6)."),
    ],
)
def test_what_is_refused_in_one_sentence(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("", f"{words}\n")


@pytest.mark.parametrize("option", ["self", "changes", "cls"])
def test_what_python_calls_things_is_no_option(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "tournament", "--set", f"{option}=1"]) == 2
    streams = capsys.readouterr()
    assert streams.err.startswith(f"unknown ruleset option '{option}'")
    assert streams.err.count("\n") == 1


def test_a_name_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "tournament", "--set", "name=\x1b[2J"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["rules", "tournament", "--set", "\x1b[2J\n"]) == 2
    assert capsys.readouterr().err == "--set ?[2J?: write option=value.\n"


def test_a_word_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["rules", "railroad", "british"])
    assert left.value.code == 2
    assert capsys.readouterr().err == "python -m euchre_env rules: unrecognized arguments: british\n"


def test_the_catalogue_has_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    text = capsys.readouterr().out
    begun = [line.split()[0] for line in text.splitlines() if not line.startswith(" ")]
    assert begun == list(rulesets.names())
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("name", rulesets.names())
def test_a_card_says_it_all(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    text = capsys.readouterr().out
    card, words = rule_card(name), " ".join(text.split())
    assert words.startswith(f"{name}: {card.summary}")
    assert all(fact.text in words for fact in (*card.play, *card.end))
    assert all(f"{step.who}: {step.actions_words}." in words for step in card.steps)
    assert all(option.label in words for option in card.options)
    assert all(f"{row.who} {row.tricks_words} {row.makers_words} {row.others_words}" in words for row in card.scoring)
    assert all(f"{key} (" in words for key, _ in card.sources)
    assert "\x1b" not in text
    assert all(line == line.rstrip() and len(line) <= 110 for line in text.splitlines())


def test_house_rules_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["rules", "tournament", "--set", "target=15", "canadian_loner=yes", "--set", "stick_the_dealer=off"]
    assert main(argv) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert words.startswith("tournament with target=15, canadian_loner=yes, stick_the_dealer=off: four in pairs")
    assert "15 points, counted after a hand" in words
    assert "the dealer's partner orders alone or not at all" in words


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("target=7", 7),
        ("laps=on", True),
        ("laps=False", False),
        ("poll=clockwise_from_leader", "clockwise_from_leader"),
    ],
)
def test_settings_are_read_as_their_kind(setting: str, value: object) -> None:
    changed = rules_command.changed(rulesets.get("north_american"), [setting])
    assert getattr(changed, setting.split("=")[0]) == value


def program(*argv: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "euchre_env", *argv]
    return subprocess.run(command, **{"capture_output": True, "text": True, "check": False, **settings})


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_cannot_be_printed_are_question_marks(encoding: str) -> None:
    path = Path(__file__).parents[1] / "data" / "egn" / "six_points.egn"
    done = program("replay", str(path), env={**os.environ, "PYTHONIOENCODING": encoding}, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "9? J?" in done.stdout or "J? 9?" in done.stdout
    done = program("replay", "\u2660", env={**os.environ, "PYTHONIOENCODING": encoding}, encoding=encoding)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "argv", [["rules"], ["rules", "railroad"], ["--help"], ["rules", "--help"], ["replay", "FILE"]]
)
def test_a_full_disk_is_one_sentence(argv: list[str]) -> None:
    path = Path(__file__).parents[1] / "data" / "egn" / "six_points.egn"
    with Path("/dev/full").open("w") as full:
        done = program(*(str(path) if word == "FILE" else word for word in argv), **_streams(full))
    assert (done.returncode, done.stderr) == (1, "the text cannot be printed: No space left on device.\n")


def _streams(stdout: Any) -> dict[str, Any]:
    return {"capture_output": False, "stdout": stdout, "stderr": subprocess.PIPE}


@pytest.mark.skipif(os.name != "posix", reason="the shell closes the output")
def test_a_closed_output_is_no_traceback() -> None:
    command = f"{shlex.quote(sys.executable)} -m euchre_env rules >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_as_a_program() -> None:
    done = program("rule")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "unknown command 'rule': did you mean 'rules'?\n")
