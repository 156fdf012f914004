"""The program: tables, the file it writes, and one sentence for bad input."""

import json
from pathlib import Path
from typing import Any

import pytest

import evaluate
from euchre_env import rulesets
from evaluation.report import write_json

FEW = ["--pairs", "40", "--games", "20", "--seed", "3"]


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = evaluate.main(list(argv))
    out, err = capsys.readouterr()
    return status, out, err


def read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data


def test_measures_and_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new" / "result.json"
    argv = ["rule_based", "--against", "random", "simple_i", "--json", str(path), *FEW]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert all(word in out for word in ("rule_based", "random", "simple_i", "points per hand", "What happened"))
    data = read(path)
    assert [m["policy_b"] for m in data["matches"]] == ["random", "simple_i"]
    assert [m["games"] for m in data["game_matches"]] == [20, 20]
    assert data["ruleset"]["stick_the_dealer"] == "on"
    assert {"seed", "version", "commit", "pairs", "games"} <= data.keys()
    assert data["matches"][0]["net"]["low"] < data["matches"][0]["net"]["mean"] < data["matches"][0]["net"]["high"]
    assert data["game_matches"][0]["unfinished"] == 0
    assert [p.name for p in path.parent.iterdir()] == ["result.json"]
    first = path.read_text("utf-8")
    assert run(capsys, *argv, "--no-table", "--tables", "17")[0] == 0
    assert path.read_text("utf-8") == first


def test_all_pairs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    argv = ["simple_i", "--against", "random", "rule_based", "--all-pairs", "--json", str(path), *FEW]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert "All pairs" in out
    met = {(m["policy_a"], m["policy_b"]) for m in read(path)["matches"]}
    assert met == {("simple_i", "random"), ("simple_i", "rule_based"), ("random", "rule_based")}


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_ruleset(capsys: pytest.CaptureFixture[str], tmp_path: Path, ruleset: str) -> None:
    path = tmp_path / "result.json"
    argv = ["rule_based", "--against", "random", "--ruleset", ruleset, "--json", str(path), "--pairs", "24"]
    status, out, err = run(capsys, *argv, "--games", "12")
    assert (status, err) == (0, "")
    rules, data = rulesets.get(ruleset), read(path)
    assert data["seatings"] == (6 if rules.num_sides == 3 else 2)
    assert data["matches"][0]["hands"] == 24 * data["seatings"]
    assert len(data["matches"][0]["a"]["places"]) == rules.num_seats
    assert ("round 1" in out, "bid by place" in out) == (rules.auction == "off", rules.auction != "off")


def test_all_pairs_of_three_single_seats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    argv = ["rule_based", "--against", "random", "rule_expert", "--all-pairs", "--ruleset", "ghost_hand"]
    status, out, _ = run(capsys, *argv, "--pairs", "12", "--games", "0", "--json", str(path))
    assert status == 0
    assert "All pairs" in out
    assert len(read(path)["matches"]) == 3
    assert "swaps: hands" in out


def test_default_opponents_that_do_not_play_the_ruleset_are_left_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "result.json"
    argv = ["random", "--ruleset", "two_handed", "--pairs", "2", "--games", "0", "--json", str(path)]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert "without simple_i: simple_i does not play two_handed" in out
    assert [match["policy_b"] for match in read(path)["matches"]] == ["random", "rule_based", "rule_expert"]
    status, _, err = run(capsys, *argv, "--against", "simple_i")
    assert status == 2
    assert "simple_i does not play two_handed" in err


def test_games_where_no_number_is_given() -> None:
    args = evaluate.parse(["random", "--ruleset", "ghost_hand"])
    evaluate.check(args, 6)
    assert args.games == 9_996
    args = evaluate.parse(["random"])
    evaluate.check(args, 2)
    assert args.games == 10_000


def test_without_a_file_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = run(capsys, "random", "--against", "random", "--pairs", "0", "--games", "4")
    assert status == 0
    assert read(tmp_path / "results" / "random.tournament.evaluation.json")["matches"] == []
    assert "results: results/random.tournament.evaluation.json" in out


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["rule_basd"], "did you mean 'rule_based'?"),
        (["no/such/file"], "unknown player or checkpoint file 'no/such/file'"),
        (["rule_based", "--against", "simple"], "did you mean 'simple_i'?"),
        (["rule_based", "--ruleset", "turnament"], "unknown ruleset 'turnament': did you mean 'tournament'?"),
        (["rule_based", "--games", "5"], "--games 5: choose an even number"),
        (["rule_based", "--ruleset", "three_handed", "--games", "8"], "--games 8: choose a multiple of 6"),
        (["rule_based", "--pairs", "-1"], "--pairs -1: choose a number from 0 up"),
        (["rule_based", "--pairs", "0", "--games", "0"], "there is nothing to play"),
        (["rule_based", "--tables", "0"], "--tables 0"),
        (["rule_based", "--pairs", "99999999999"], "--pairs 99999999999: choose a number up to"),
        (["random", "--against", "random", "--all-pairs"], "--all-pairs needs another player beside random"),
        (["rule_based", "--seed", "-4"], "--seed -4"),
        (
            ["rule_based", "--json", "/dev/null/x.json", "--pairs", "1", "--games", "0"],
            "/dev/null/x.json cannot be written",
        ),
        (["rule_based", "--json", "/dev/null", "--pairs", "1", "--games", "0"], "/dev/null is no ordinary file"),
        (["rule_based", "--json", "/", "--pairs", "1", "--games", "0"], "/ is a folder"),
    ],
)
def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str], argv: list[str], words: str) -> None:
    status, out, err = run(capsys, *argv)
    assert status == 2
    assert err.startswith("evaluate.py: ")
    assert words in err
    assert err.count("\n") == 1
    assert out == ""


def test_a_checkpoint_that_holds_code_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "player.safetensors"
    path.write_bytes(b"\x80\x04N.")
    status, _, err = run(capsys, str(path), *FEW)
    assert status == 2
    assert "pickled" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "words"),
    [([], "CHECKPOINT_OR_NAME"), (["rule_based", "--pair", "3"], "--pair"), (["rule_based", "--seed", "x"], "'x'")],
)
def test_a_wrong_command_line_is_one_sentence(capsys: pytest.CaptureFixture[str], argv: list[str], words: str) -> None:
    with pytest.raises(SystemExit) as stop:
        evaluate.main(argv)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"a": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_json(path, {"a": float("nan")})
    assert read(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_behaviour(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "behaviour.json"
    argv = ["rule_based", "--behaviour", "--against", "random", "rule_based", "--json", str(path), "--seed", "3"]
    status, out, err = run(capsys, *argv)
    assert (status, err) == (0, "")
    assert all(word in out for word in ("rule_based", "random", "defence", "leads", f"results: {path}"))
    assert "not acceptable" not in out
    data = read(path)
    assert [player["player"] for player in data["players"]] == ["rule_based", "random"]
    assert data["players"][0]["asked"] == len(data["positions"]) == len(data["players"][1]["answers"])
    assert {"seed", "version", "commit", "asks"} <= data.keys()
    status, out, _ = run(capsys, *argv, "--failures", "--no-table")
    assert status == 0
    assert "rule_based: not acceptable" in out
    assert read(path)["players"] == data["players"]


def test_behaviour_of_ones_own_positions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = {"id": "a", "source": "me", "why": "So.", "ruleset": "cincinnati", "dealer": 0, "scores": [0, 0], "seat": 1}
    own |= {"hand": "9C TC 9D TD 9H TH", "accept": ["pass"]}
    (tmp_path / "own.yaml").write_text(json.dumps({"theme": "mine", "positions": [own]}), "utf-8")
    status, out, _ = run(capsys, "random", "--behaviour", "--positions", "own.yaml")
    assert status == 0
    assert "without simple_i: simple_i does not play cincinnati" in out
    assert "results: results/random.behaviour.json" in out
    assert [player["player"] for player in read(tmp_path / "results/random.behaviour.json")["players"]] == [
        "random",
        "rule_based",
        "rule_expert",
    ]
    status, _, err = run(capsys, "random", "--behaviour", "--positions", "own.yaml", "--against", "simple_i")
    assert status == 2
    assert "simple_i does not play cincinnati" in err


def test_behaviour_without_the_positions_of_the_checkout(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "POSITIONS", tmp_path / "none")
    status, _, err = run(capsys, "random", "--behaviour")
    assert status == 2
    assert err == f"evaluate.py: there are no positions at {tmp_path / 'none'}: name a file or folder of them.\n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--behaviour", "--pairs", "5"], "--pairs cannot go with --behaviour."),
        (["--behaviour", "--all-pairs"], "--all-pairs cannot go with --behaviour."),
        (["--behaviour", "--ruleset", "british"], "--ruleset cannot go with --behaviour."),
        (["--failures"], "--failures goes only with --behaviour."),
        (["--positions", "x.yaml"], "--positions goes only with --behaviour."),
    ],
)
def test_options_that_do_not_go_together(capsys: pytest.CaptureFixture[str], argv: list[str], words: str) -> None:
    with pytest.raises(SystemExit) as exit_:
        evaluate.parse(["random", *argv])
    assert exit_.value.code == 2
    assert capsys.readouterr().err == f"evaluate.py: {words}\n"


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["rule_basd"], "did you mean 'rule_based'?"),
        (["random", "--seed", "-1"], "--seed -1: choose a number from 0 up"),
        (["random", "--positions", "no/such"], "there are no positions at no/such"),
        (["random", "--json", "/"], "/ is a folder"),
    ],
)
def test_bad_input_to_behaviour_is_one_sentence(
    capsys: pytest.CaptureFixture[str], argv: list[str], words: str
) -> None:
    status, out, err = run(capsys, *argv, "--behaviour")
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("player", "options", "path"),
    [
        ("random", [], "results/random.tournament.evaluation.json"),
        ("pimc:20", [], "results/pimc_20.tournament.evaluation.json"),
        ("bid=a/b,play=pimc:5", ["--behaviour"], "results/bid=a_b,play=pimc_5.behaviour.json"),
        ("some/run", ["--behaviour"], "some/run.behaviour.json"),
        ("some/run.safetensors", ["--all-pairs"], "some/run.tournament.all_pairs.json"),
        (".", ["--behaviour"], "behaviour.json"),
    ],
)
def test_where_the_results_go(player: str, options: list[str], path: str) -> None:
    args = evaluate.parse([player, *options])
    args.ruleset = rulesets.get("tournament")
    assert evaluate.output_path(args) == Path(path)
