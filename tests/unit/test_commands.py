"""`python -m euchre_env`: what it prints, and how it refuses in one sentence with exit code 2."""

import subprocess
import sys

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
        (["rules", "--set", "target=5"], "--set changes a ruleset: name one."),
        (["rules", "railroad", "--set", "allow_no_trump=high"], "no-trump with a joker is undefined (1.6)."),
    ],
)
def test_what_is_refused_in_one_sentence(argv: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    streams = capsys.readouterr()
    assert (streams.out, streams.err) == ("", f"{words}\n")


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


def test_as_a_program() -> None:
    command = [sys.executable, "-m", "euchre_env", "rule"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "unknown command 'rule': did you mean 'rules'?\n")
