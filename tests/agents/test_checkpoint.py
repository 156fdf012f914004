"""Checkpoints: faults L3 (killed saves), L4 (pickles), L7 (other rules or encodings), and the player in one (K7)."""

import json
import os
import pickle  # noqa: TID251 - what must never be loaded
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch

import evaluate
import train
from agents import checkpoint, play
from agents.checkpoint import Checkpoint, CheckpointError, load, load_policy, newest, save
from agents.learners.config import NetworkConfig, PpoConfig, TrainConfig
from agents.networks.inputs import InputColumns
from agents.selfplay.training import Training
from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import BID
from evaluation.arena import play_match

ROOT = Path(__file__).parents[2]
COLUMNS = InputColumns.find("tournament", tables=256)


def small(ruleset_columns: InputColumns = COLUMNS) -> Training:
    network = NetworkConfig(width=8, depth=1, precision="float32")
    return Training(TrainConfig(network=network, ppo=PpoConfig(tables=16, minibatch=32)), ruleset_columns)


def facts(training: Training, **changes: Any) -> dict[str, Any]:
    return {**training.facts(), "elapsed_s": 1.0, "version": "0", "commit": None, **changes}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    training = small()
    training.learn(training.collect()[0])
    return save(tmp_path / "a_run" / checkpoint.FOLDER, Checkpoint(training.tensors(), facts(training)))


def rewrite(path: Path, change: Callable[[dict[str, torch.Tensor], dict[str, Any]], None]) -> Path:
    """Return a copy of a checkpoint with its tensors and facts changed."""
    read = load(path)
    tensors, about = dict(read.tensors), dict(read.facts)
    change(tensors, about)
    other = path.with_name("step_999999999999.safetensors")
    other.write_bytes(safetensors.torch.save(tensors, metadata={"euchre_env": json.dumps(about)}))
    return other


def test_tensors_and_facts_come_back(saved: Path) -> None:
    training = small()
    read = load(newest(saved.parents[1]))
    training.restore(read.tensors, read.facts)
    again = training.tensors()
    assert again.keys() == read.tensors.keys()
    assert all(torch.equal(again[name], read.tensors[name]) for name in again)
    assert training.facts() == {name: read.facts[name] for name in training.facts()}
    assert {"config", "ruleset", "observation_version", "version", "commit", "decisions"} <= read.facts.keys()


def test_a_run_a_folder_and_a_file_mean_the_newest_checkpoint(saved: Path) -> None:
    training = small()
    newer = save(saved.parent, Checkpoint(training.tensors(), facts(training, decisions=10**9)))
    assert newest(saved.parents[1]) == newest(saved.parent) == newer
    assert newest(saved) == saved
    checkpoint.prune(saved.parent, keep=1)
    assert list(saved.parent.iterdir()) == [newer]


@pytest.mark.parametrize("missing", ["nothing_here", "."])
def test_a_path_without_a_checkpoint_is_refused(tmp_path: Path, missing: str) -> None:
    with pytest.raises(CheckpointError, match=r"does not exist|holds no checkpoint"):
        load_policy(tmp_path / missing)


def test_l3_a_kill_while_saving_leaves_the_earlier_checkpoint(tmp_path: Path) -> None:
    code = """
import sys, torch
from pathlib import Path
from agents.checkpoint import Checkpoint, save
for step in range(10**6):
    save(Path(sys.argv[1]), Checkpoint({"w": torch.full((2_000_000,), float(step))}, {"decisions": step}))
    print(step, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for wanted in ("0", "1"):
            assert child.stdout.readline().strip() == wanted
        while not list(tmp_path.glob(".step_*.tmp")):
            time.sleep(0.0002)
        os.kill(child.pid, signal.SIGKILL)
        said = [1, *(int(line) for line in child.stdout.read().split())]
    read = load(newest(tmp_path))
    assert read.facts["decisions"] in (said[-1], said[-1] + 1)
    assert (read.tensors["w"] == read.facts["decisions"]).all()


@pytest.mark.parametrize("kept", [0, 3, 100, -1])
def test_l3_a_truncated_file_is_refused(saved: Path, kept: int) -> None:
    saved.write_bytes(saved.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match="truncated or no safetensors file"):
        load_policy(saved)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


@pytest.mark.parametrize("kind", ["torch", "plain"])
def test_l4_pickles_are_refused_on_every_path_and_never_run(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    marker = tmp_path / "was_run"
    path = tmp_path / "run" / checkpoint.FOLDER / "step_000000000001.safetensors"
    path.parent.mkdir(parents=True)
    if kind == "torch":
        torch.save({"state": Trap(marker)}, path)
    else:
        path.write_bytes(pickle.dumps(Trap(marker)))
    with pytest.raises(CheckpointError, match="pickled"):
        load_policy(path)
    assert train.main(["--resume", str(tmp_path / "run")]) == 2
    assert evaluate.main([str(path), "--against", "random", "--json", str(tmp_path / "out.json")]) == 2
    assert play.main([str(path)]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert all("pickled code, which is never run" in line for line in errors)
    assert not marker.exists()


def test_a_header_length_that_begins_like_a_pickle_is_no_pickle(tmp_path: Path) -> None:
    """A safetensors file begins with its header's length: 128 more or less is one in thirty of sound files."""
    training = small()
    for padding in range(300):
        path = save(tmp_path, Checkpoint(training.tensors(), facts(training, padding="x" * padding)))
        if path.read_bytes()[0] == 0x80:
            break
    assert path.read_bytes()[0] == 0x80
    assert load(path).facts["padding"] == "x" * padding


def drop_format(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    del about["format"]


def other_format(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    about["format"] = 99


def other_observation(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    about["observation_version"] = 0


def other_inferences(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    about["inferred_version"] = 0


def other_columns(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    tensors["columns.observed.index"] = tensors["columns.observed.index"] + 10_000


def other_actions(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    tensors["policy.averaged.weights.1"] = torch.zeros(31, 8)


def missing_weights(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    del tensors["policy.averaged.weights.0"]


def missing_critic(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    del tensors["critic.net.weights.0"]


def other_option(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    about["ruleset"] = {**about["ruleset"], "a_rule_of_tomorrow": 1}


def other_setting(tensors: dict[str, torch.Tensor], about: dict[str, Any]) -> None:
    about["config"] = {**about["config"], "ppo": {"a_setting_of_tomorrow": 1}}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (drop_format, "no checkpoint of euchre_env"),
        (other_format, "format 99"),
        (other_observation, "observation version 0"),
        (other_inferences, "inferred version 0"),
        (other_columns, "columns that do not exist"),
        (other_actions, r"needs the shape \(62, 8\), the file has \(31, 8\)"),
        (missing_weights, "the file has none"),
        (other_option, "names rules that this version does not know"),
        (other_setting, "settings that this version does not know"),
    ],
)
def test_l7_what_does_not_fit_is_refused_with_a_sentence(saved: Path, change: Any, sentence: str) -> None:
    with pytest.raises(CheckpointError, match=sentence):
        load_policy(rewrite(saved, change))


def test_l7_a_foreign_safetensors_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    safetensors.torch.save_file({"w": torch.zeros(3)}, path)
    with pytest.raises(CheckpointError, match="no checkpoint of euchre_env"):
        load_policy(path)


def test_l7_other_rules_are_refused_by_name_of_the_option(saved: Path) -> None:
    rules = rulesets.get("tournament")
    assert load_policy(saved, rules.replace(name="the same under another name")).ruleset == rules
    with pytest.raises(CheckpointError, match="stick_the_dealer 'on' there, 'off' here"):
        load_policy(saved, rules.replace(stick_the_dealer="off"))


def test_resume_refuses_what_cannot_be_gone_on_with(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(saved, missing_critic)
    assert train.main(["--resume", str(saved.parents[1])]) == 2
    assert "cannot be gone on with" in capsys.readouterr().err


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_k7_the_mask_holds_against_the_largest_logit(temperature: float) -> None:
    player = small().player()
    player.temperature = temperature
    with torch.no_grad():
        player.net.biases[-1][BID] = 1e4  # never legal in this ruleset
    result = play_match(player, policies.make("random", "tournament"), "tournament", pairs=200, seed=0)
    assert result.hands == 400


def test_the_loaded_player_plays_as_the_training_it_was_saved_from(saved: Path) -> None:
    training = small()
    read = load(saved)
    training.restore(read.tensors, read.facts)
    loaded = load_policy(saved, "tournament")
    assert loaded.name == "a_run"
    result = play_match(loaded, training.player(), "tournament", pairs=64, seed=1)
    assert not result.values.any()


def test_the_shipped_player_plays_as_well_as_its_page_says() -> None:
    """Written under version 1 of the observation: its inputs are still what it was trained on."""
    shipped = load_policy(ROOT / "checkpoints/tournament", "tournament")
    result = play_match(shipped, policies.make("simple_i", "tournament"), "tournament", pairs=500, seed=0)
    assert result.net.mean == pytest.approx(0.411, abs=0.12)  # four standard errors of so many pairs
    (note,) = load(newest(ROOT / "checkpoints/tournament")).facts["notes"]
    assert "observation version 1" in note


def test_temperature_draws_and_0_does_not(saved: Path) -> None:
    batch = GameBatch("tournament", 200, seed=0)
    views = batch.views(range(200))

    def choices(temperature: float, seed: int) -> list[int]:
        player = load_policy(saved, temperature=temperature)
        return [int(action) for action in player.act(views, batch.legal, np.random.default_rng(seed))]

    assert choices(0, 1) == choices(0, 2)
    assert choices(1.0, 1) == choices(1.0, 1) != choices(1.0, 2)
    with pytest.raises(ValueError, match="temperature is -1"):
        load_policy(saved, temperature=-1)
