"""train.py: from settings to a measured player; wrong settings; resume as if never stopped; the log (L2)."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import train
from agents.checkpoint import load, newest
from agents.learners.config import ConfigError, TrainConfig, read_config, to_yaml
from benchmarks import train_all
from euchre_env import rulesets

ROOT = Path(__file__).parents[2]
SMOKE = ["--config", str(ROOT / "configs/smoke.yaml")]
TINY = [*SMOKE, "--config", str(Path(__file__).parent / "tiny.yaml")]


def scalars(folder: Path, tag: str) -> list[tuple[int, float]]:
    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    return [(event.step, event.value) for event in events.Scalars(tag)]


def tags(folder: Path) -> set[str]:
    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    return set(events.Tags()["scalars"])


def test_the_smoke_config_runs_through_the_program(tmp_path: Path) -> None:
    command = [sys.executable, "train.py", *SMOKE, "--run.folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    run = tmp_path / "smoke"
    python = train.command()
    play, logs = (
        f"{python} -m agents.play {newest(run)}",
        f"{python} -m tensorboard.main --logdir {run / 'tensorboard'}",
    )
    for word in ("rule_based", play.replace(" ", ""), logs.replace(" ", "")):
        assert word in done.stdout.replace("\n", "").replace(" ", "")
    assert (run / "evaluation.json").exists()
    assert (
        TrainConfig.from_dict(load(newest(run)).facts["config"])
        == read_config(["--config", str(run / "config.yaml")]).config
    )
    documented = set(re.findall(r"^\| `([^`]+)`", (ROOT / "docs/metrics.md").read_text("utf-8"), re.MULTILINE))
    undocumented = {tag for tag in tags(run) if re.sub(r"^match/[a-z_]+", "match/OPPONENT", tag) not in documented}
    assert not undocumented


def test_three_seats_play_whole_sixes_at_the_end(tmp_path: Path) -> None:
    arguments = ["--game.ruleset", "three_handed", "--report.final_pairs", "2", "--report.final_games", "8"]
    assert train.main([*TINY, *arguments, "--run.folder", str(tmp_path)]) == 0
    match, games = json.loads((tmp_path / "smoke" / "evaluation.json").read_text())["results"]
    assert (match["hands"], games["games"]) == (12, 6)


def test_an_opponent_that_does_not_play_the_ruleset_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The default opponents would have stopped every training of an auction."""
    arguments = [
        "--game.ruleset",
        "two_handed",
        "--report.opponents",
        "[random, simple_i]",
        "--report.final_pairs",
        "2",
    ]
    assert train.main([*TINY, *arguments, "--run.folder", str(tmp_path)]) == 0
    assert "without simple_i: simple_i does not play two_handed" in capsys.readouterr().out
    results = json.loads((tmp_path / "smoke" / "evaluation.json").read_text())["results"]
    assert [result["policy_b"] for result in results] == ["random"]


@pytest.mark.parametrize("name", rulesets.names())
def test_every_ruleset_has_a_config_that_says_what_differs(name: str) -> None:
    path = ROOT / f"configs/{name}.yaml"
    config = read_config(["--config", str(path)]).config
    assert config.game.ruleset == name
    groups = zip(config.to_dict().items(), TrainConfig().to_dict().values(), strict=True)
    differ = [key for (_, ours), theirs in groups for key in ours if ours[key] != theirs[key]]
    assert re.findall(r"^  (\w+):", path.read_text("utf-8"), re.MULTILINE) == differ


@pytest.mark.slow
def test_every_ruleset_trains_for_two_minutes_and_beats_random() -> None:
    assert train_all.main([]) == 0


RESUME_ALONE = "give no other option with --resume: it goes on under the run's settings."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--ppo.clop", "1"], "unknown config key 'ppo.clop': did you mean 'ppo.clip'?"),
        (["--game.ruleset", "turnament"], "unknown ruleset 'turnament': did you mean 'tournament'?"),
        (["--game.reward", "zero"], "unknown reward 'zero': did you mean 'zero_sum'?"),
        (["--game.reward", "win"], "reward='win' pays at the end of a game, so it needs episode='game'."),
        (["--network.critic", "all_hand"], "network.critic: unknown value 'all_hand': did you mean 'all_hands'?"),
        (["--ppo.epochs", "two"], "ppo.epochs: 'two' does not fit, it has to be a whole number."),
        (["--ppo.epochs", "0"], "ppo.epochs: 0 is out of range, it has to be at least 1."),
        (["--ppo.lam", "1.5"], "ppo.lam: 1.5 is out of range, it has to be from 0 to 1."),
        (
            ["--report.opponents", "[rule_base]"],
            "unknown player or checkpoint file 'rule_base': did you mean 'rule_based'?",
        ),
        (["--report.final_games", "3"], "report.final_games: 3 is odd, but games come in pairs."),
        (["--ppo.lam", ".nan"], "ppo.lam: nan is no number to compute with."),
        (["--ppo.rate_start", ".inf"], "ppo.rate_start: inf is no number to compute with."),
        (["--ppo.tables", "99999999999"], "ppo.tables: 99999999999 is out of range, it has to be from 2 to 1000000."),
        (["--network.width", "9999999"], "network.width: 9999999 is out of range, it has to be from 1 to 4096."),
        (["--run.name", "../x"], "run.name: '../x' is no name of a folder; where it lives is run.folder."),
        (["--run.name", ".."], "run.name: '..' is no name of a folder; where it lives is run.folder."),
        (["--config", "/"], "the config file / is no file."),
        (["--config", "/no.yaml"], "there is no config file /no.yaml."),
        (["--resume", "no_run"], "no_run is no folder of a run: --resume takes one, as runs/NAME."),
        (["--resume", "a", "--run.seed", "1"], RESUME_ALONE),
    ],
)  # fmt: skip
def test_wrong_settings_get_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    assert train.main([*arguments] if "--resume" in arguments else ["--run.folder", str(tmp_path), *arguments]) == 2
    assert capsys.readouterr().err == f"train.py: {sentence}\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ppo:\n  clop: 1\n", "unknown config key 'ppo.clop': did you mean 'ppo.clip'?"),
        ("pppo:\n  clip: 1\n", "unknown config key 'pppo.clip': did you mean 'ppo.clip'?"),
        ("words\n", "the config file holds no settings: write it as the files of configs/."),
        ("ppo: 7\n", "config group 'ppo' is 7, it has to hold settings."),
        ("network:\n  critic: owm\n", "network.critic: unknown value 'owm': did you mean 'own'?"),
    ],
)
def test_wrong_files_get_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as problem:
        read_config(["--config", str(path)])
    assert str(problem.value) == sentence


def test_every_setting_has_a_sentence_and_survives_yaml(tmp_path: Path) -> None:
    config = read_config(
        ["--ppo.clip", "0.125", "--report.opponents", "[random]", "--game.canonical_suits", "false"]
    ).config
    path = tmp_path / "config.yaml"
    path.write_text(to_yaml(config))
    assert read_config(["--config", str(path)]).config == config
    assert read_config(["--config", str(path), "--ppo.clip", "0.25"]).config.ppo.clip == 0.25
    assert (
        read_config([]).config == read_config(["--config", str(ROOT / "configs/default.yaml")]).config == TrainConfig()
    )


def test_print_config_shows_what_a_file_can_hold(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        train.main(["--ppo.clip", "0.125", "--print_config"])
    assert end.value.code == 0
    path = tmp_path / "config.yaml"
    path.write_text(capsys.readouterr().out)
    assert read_config(["--config", str(path)]).config.ppo.clip == 0.125


def test_an_existing_run_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main([*TINY, "--run.folder", str(tmp_path)]) == 0
    assert train.main([*TINY, "--run.folder", str(tmp_path)]) == 2
    assert "holds a run already: go on with --resume" in capsys.readouterr().err


class StopAfter(train.Reporter):
    """Asks for a stop after some iterations, as Ctrl-C does."""

    def __init__(self, iterations: int, stop: train.Stop) -> None:
        self.left, self.stop = iterations, stop

    def show(self, decisions: int, metrics: dict[str, float]) -> None:
        self.left -= 1
        if self.left == 0:
            self.stop(signal.SIGINT, None)


def test_l2_a_resumed_run_ends_as_one_that_never_stopped(tmp_path: Path) -> None:
    def begin(name: str) -> train.Run:
        return train.start(read_config([*TINY, "--run.folder", str(tmp_path), "--run.name", name]).config)

    whole, stop = begin("whole"), train.Stop()
    train.train(whole, stop, StopAfter(10**9, stop))
    whole.save()
    first, stop = begin("cut"), train.Stop()
    train.train(first, stop, StopAfter(2, stop))
    first.save()
    cut_at = first.training.decisions
    stop = train.Stop()  # two more iterations are logged and lost, as when a run is killed
    train.train(first, stop, StopAfter(2, stop))
    second, stop = train.resume(first.folder), train.Stop()
    assert second.training.decisions == cut_at
    train.train(second, stop, StopAfter(10**9, stop))
    second.save()
    one, two = load(newest(whole.folder)), load(newest(second.folder))
    assert one.facts["decisions"] == two.facts["decisions"] >= 4000
    assert one.tensors.keys() == two.tensors.keys()
    assert all(torch.equal(one.tensors[name], two.tensors[name]) for name in one.tensors)
    for fact in ("generators", "iteration", "hands", "updates"):
        assert one.facts[fact] == two.facts[fact]
    for tag in ("learn/kl", "learn/value_loss", "match/random", "table/made", "progress/hands", "learn/rate"):
        assert scalars(whole.folder, tag) == scalars(second.folder, tag)
    times = scalars(second.folder, "time/elapsed_s")
    assert times == sorted(times, key=lambda point: (point[1], point[0]))


def test_the_folder_of_checkpoints_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would have grown a second run inside."""
    folder = tmp_path / "smoke" / "checkpoints"
    folder.mkdir(parents=True)
    (folder / "step_000000000001.safetensors").touch()
    assert train.main(["--resume", str(folder)]) == 2
    assert "is no folder of a run: --resume takes one, as runs/NAME." in capsys.readouterr().err


def test_ctrl_c_saves_and_ends_cleanly(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "train.py",
        *TINY,
        "--ppo.decisions",
        "10000000",
        "--report.save_every",
        "1000",
        "--run.folder",
        str(tmp_path),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        checkpoints = tmp_path / "smoke" / "checkpoints"
        while not list(checkpoints.glob("step_*")) and child.poll() is None:
            time.sleep(0.05)
        os.kill(child.pid, signal.SIGINT)
        out, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (0, "")
    assert out.index("stopping, which takes some seconds") < out.index("TensorBoard")
    assert f"--resume {tmp_path / 'smoke'}" in out.replace("\n", "")
    assert load(newest(tmp_path / "smoke")).facts["decisions"] > 0


def test_ctrl_c_in_the_evaluation_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It had been heard only between iterations, so that the second one ended the matches with a traceback."""

    def interrupted(*args: object, progress: Callable[[int], None], **kwargs: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        progress(1)

    monkeypatch.setattr(train, "play_match", interrupted)
    arguments = [*TINY, "--report.match_pairs", "0", "--report.final_pairs", "2", "--run.folder", str(tmp_path)]
    assert train.main(arguments) == 0
    out = capsys.readouterr().out
    assert "evaluation stopped; nothing of it was written." in out
    assert "--resume" in out
    assert not (tmp_path / "smoke" / "evaluation.json").exists()


def test_a_second_ctrl_c_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def twice(*args: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(train, "train", twice)
    assert train.main([*TINY, "--run.folder", str(tmp_path)]) == 130
    assert capsys.readouterr().err.startswith("train.py: stopped at once;")
