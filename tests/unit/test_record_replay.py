"""`python -m euchre_env replay FILE`: what it shows, and what it says of a file that it cannot show."""

import json
from pathlib import Path

import pytest

from euchre_env import rulesets
from euchre_env.commands.replay import main
from euchre_env.game import Game
from euchre_env.record import Record, Recorder, write

EGN = Path(__file__).parents[1] / "data" / "egn"


def played(rules: str, actions: int, players: tuple[str, ...] = ()) -> Record:
    recorder = Recorder(Game(rules, key=11, dealer=0), players)
    for _ in range(actions):
        if not recorder.game.over:
            recorder.play(recorder.game.legal()[-1])
    return recorder.record


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_deal_trick_by_trick(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, str(EGN / "masters_w1_g2.egn"), "--deal", "2")
    assert text.splitlines() == [
        "tournament, 4 players, to 10",
        "",
        "Deal 2: West deals, Q♦ is turned up. Score: North/South 4, East/West 0.",
        "  North   J♥ J♠ 9♠ 10♥ 9♥",
        "  East    J♦ A♥ K♥ Q♥ J♣",
        "  South   9♦ A♠ A♣ 10♣ 9♣",
        "  West    A♦ 10♦ K♠ 10♠ ▒▒",
        "  Buried  ▒▒ ▒▒ ▒▒",
        "  North passes, East passes, South passes, West orders up, West lays a card away",
        "  Trick 1: North led 9♥, East A♥, South 9♦, West 10♦; West won.",
        "  Trick 2: West led Q♦, North J♥, East J♦, South 9♣; East won.",
        "  Trick 3: East led K♥, South 10♣, West 10♠, North 10♥; East won.",
        "  Trick 4: East led Q♥, South A♣, West K♠, North 9♠; East won.",
        "  Trick 5: East led J♣, South A♠, West A♦, North J♠; West won.",
        "  West made diamonds: East/West took 5 of 5 tricks. A march! East/West score 2.",
    ]


@pytest.mark.parametrize("path", sorted(EGN.glob("[!r]*.egn")), ids=lambda path: path.stem)
def test_every_recorded_game_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, str(path))
    assert text.count(" deals") == text.count("Trick 5: ")
    assert ("The game is over." in " ".join(text.split())) == (path.stem != "custom_scenario")


@pytest.mark.parametrize("name", rulesets.names())
def test_every_ruleset_is_shown(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [played(name, actions) for actions in (0, 1, 7, 90)]
    write(tmp_path / "games.jsonl", records)
    text = shown(capsys, str(tmp_path / "games.jsonl"))
    assert text.count(f"{name}, ") == 4
    assert text.count("The record ends here: ") == sum(not record.replay().over for record in records)


def test_players_have_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "game.jsonl", [played("tournament", 40, ("Ann", "Bob", "Cy\x1b[2J", "Di"))])
    text = shown(capsys, str(tmp_path / "game.jsonl"))
    assert "Deal 1: Ann deals" in text
    assert "Ann/Cy?[2J 0, Bob/Di 0" in text
    assert "\x1b" not in text


def test_a_file_does_not_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = rulesets.get("tournament").replace(name="\x1b[2J\u202eX\n\u2028")
    recorder = Recorder(Game(rules, key=11, dealer=0), ("A\x07", "B\x9b", "C\n", "D\u202e"))
    path = tmp_path / "game.jsonl"
    write(path, [recorder.record])
    text = shown(capsys, str(path))
    assert text.startswith("?[2J?X??, 4 players, to 10\n")
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    values = json.loads(path.read_text("utf-8"))
    del values["key"]
    values["deals"] = [{"deck": "7C 8C", "actions": ""}]
    path.write_text(json.dumps(values), "utf-8")
    sentence = refused(capsys, str(path))
    assert "7C is not in the 24-card pack of ?[2J?X?? (1.1)" in sentence
    assert sentence[:-1].isprintable()


def test_half_a_character_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    write(path, [played("tournament", 4)])
    path.write_text(path.read_text("utf-8").replace('"tournament"', '"\\ud800"'), "utf-8")
    assert refused(capsys, str(path)) == (
        f"{path}: line 1: ruleset.name is '\\ud800': letter 1 is half of a character.\n"
    )


def test_a_file_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "games.jsonl", [])
    assert refused(capsys, str(tmp_path / "games.jsonl")).endswith(": the file holds no games.\n")


def test_one_game_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "games.jsonl", [played("tournament", 1), played("ghost_hand", 1)])
    text = shown(capsys, str(tmp_path / "games.jsonl"), "--game", "2")
    assert text.startswith("ghost_hand, 3 players, to 32\n")
    assert "tournament" not in text


def test_a_bad_file_is_one_sentence_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    revoke = EGN / "revoke_in_complete_deal.egn"
    reason = "TD does not follow: clubs were led and the hand holds KC (1.4)."
    assert refused(capsys, str(revoke)) == f"{revoke}: deal 2, trick 1: seat 0 plays TD, but {reason}\n"
    nothing = tmp_path / "nothing.egn"
    assert refused(capsys, str(nothing)) == f"{nothing} cannot be read: No such file or directory.\n"
    assert refused(capsys, str(tmp_path)) == f"{tmp_path} cannot be read: Is a directory.\n"
    nothing.write_text("{", "utf-8")
    assert refused(capsys, str(nothing)).startswith(f"{nothing}: not JSON: ")
    game = str(EGN / "six_points.egn")
    assert refused(capsys, game, "--deal", "3") == f"{game}: there is no deal 3: deals run from 1 to 2.\n"
    assert refused(capsys, game, "--game", "0") == f"{game}: there is no game 0: games run from 1 to 1.\n"
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 2
