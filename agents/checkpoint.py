"""Checkpoints: one safetensors file each, tensors and a JSON text in its header; nothing in them is ever unpickled.

A file is complete or not there: it is written under another name, flushed to the disk and renamed (L3). What does not
fit is refused with one sentence (L4, L7). What a training puts in is `agents/selfplay/training.py`.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = save(Path(folder), Checkpoint({"w": torch.zeros(2)}, {"decisions": 7}))
...     path.name, load(newest(Path(folder))).facts["decisions"]
('step_000000000007.safetensors', 7)
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from agents.learners.config import TrainConfig
from agents.networks.inferred import INFERRED_VERSION
from agents.networks.inputs import Columns, InputColumns
from agents.networks.mlp import Mlp
from agents.networks.policy import NetworkPolicy
from agents.selfplay.training import Training
from euchre_env import rulesets
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import OBSERVATION_VERSION
from euchre_env.errors import RulesetError
from euchre_env.files import write_whole
from euchre_env.ruleset import Ruleset

FOLDER = "checkpoints"
# What a file says of itself, and has to agree with this version in.
VERSIONS = {"format": 1, "observation_version": OBSERVATION_VERSION, "inferred_version": INFERRED_VERSION}
_KEY = "euchre_env"
_PATTERN = "step_*.safetensors"
# How pickles begin: a zip archive as torch.save writes it, or protocol 2 and later.
_PICKLED = (b"PK\x03\x04", b"\x80")


class CheckpointError(ValueError):
    """A file that is no checkpoint, is damaged, or belongs to other rules or another observation."""


@dataclass(frozen=True)
class Checkpoint:
    """Tensors by name, and plain facts beside them."""

    tensors: dict[str, Tensor]
    facts: dict[str, Any]


def save(folder: Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint into a folder under the name of its `decisions`; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step_{checkpoint.facts['decisions']:012d}.safetensors"
    facts = {**VERSIONS, **checkpoint.facts}
    tensors = {name: tensor.contiguous() for name, tensor in checkpoint.tensors.items()}
    write(path, safetensors.torch.save(tensors, metadata={_KEY: json.dumps(facts)}))
    return path


def write(path: Path, data: bytes) -> None:
    """Write a file that is there completely or not at all, also when the process is killed meanwhile."""
    write_whole(path, data)


def prune(folder: Path, keep: int) -> None:
    """Remove all but the newest `keep` checkpoints of a folder, and what a killed save left behind."""
    for path in sorted(folder.glob(_PATTERN))[:-keep]:
        path.unlink()
    for rough in folder.glob(".step_*.tmp"):
        rough.unlink()


def newest(path: Path) -> Path:
    """Return the checkpoint that a path means: the file, or the newest of a run or folder; CheckpointError if none."""
    if not path.exists():
        raise CheckpointError(f"{path} does not exist: give a checkpoint, or the folder of a run.")
    if path.is_file():
        return path
    found = sorted(path.glob(_PATTERN)) or sorted((path / FOLDER).glob(_PATTERN))
    if not found:
        raise CheckpointError(f"{path} holds no checkpoint (step_*.safetensors, or {FOLDER}/ with some).")
    return found[-1]


def load(path: Path) -> Checkpoint:
    """Read a checkpoint; CheckpointError says in a sentence why it is none, or none for this version."""
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            text = (file.metadata() or {}).get(_KEY)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except safetensors.SafetensorError as problem:
        raise CheckpointError(_why_unreadable(path, problem)) from problem
    return Checkpoint(tensors, _facts(path, text))


def _why_unreadable(path: Path, problem: safetensors.SafetensorError) -> str:
    """Tell a pickle from a damaged file: only here, since a sound header's length may begin like a pickle."""
    with path.open("rb") as file:
        pickled = file.read(4).startswith(_PICKLED)
    if pickled:
        return f"{path} holds pickled code, which is never run: checkpoints are safetensors files."
    return f"{path} is truncated or no safetensors file ({problem})."


def _facts(path: Path, text: str | None) -> dict[str, Any]:
    try:
        facts = json.loads(text or "null")
    except json.JSONDecodeError as problem:
        raise CheckpointError(f"{path} has a damaged description ({problem}).") from problem
    if not isinstance(facts, dict) or "format" not in facts:
        raise CheckpointError(f"{path} is a safetensors file, but no checkpoint of euchre_env.")
    for what, version in VERSIONS.items():
        if facts.get(what) != version:
            raise CheckpointError(
                f"{path} has {what.replace('_', ' ')} {facts.get(what)}, this version reads {version}: "
                "train anew, or use the version that wrote it."
            )
    return facts


def columns_of(path: Path, checkpoint: Checkpoint) -> InputColumns:
    """Return the input columns of a checkpoint."""
    parts = []
    for name, size in InputColumns.SIZES.items():
        try:
            index, highest = (checkpoint.tensors[f"columns.{name}.{part}"].numpy() for part in ("index", "highest"))
        except KeyError as missing:
            raise CheckpointError(f"{path} lacks the tensor {missing}.") from missing
        if index.shape != highest.shape or not ((index >= 0) & (index < size)).all():
            raise CheckpointError(f"{path} reads {name} columns that do not exist in this version.")
        parts.append(Columns(index, highest))
    return InputColumns(*parts)


def ruleset_of(path: Path, checkpoint: Checkpoint) -> Ruleset:
    """Return the rules of a checkpoint."""
    try:
        return Ruleset(**checkpoint.facts["ruleset"])
    except (KeyError, TypeError, RulesetError) as problem:
        raise CheckpointError(f"{path} names rules that this version does not know ({problem}).") from problem


_DIFFERENCES = 3  # as many as one sentence bears


def check_rules(path: Path, trained: Ruleset, asked: Ruleset) -> None:
    """Raise CheckpointError if two rulesets differ in more than the name."""
    theirs, ours = trained.to_dict(), asked.to_dict()
    differ = [
        f"{key} {theirs[key]!r} there, {ours[key]!r} here" for key in ours if key != "name" and theirs[key] != ours[key]
    ]
    if differ:
        shown = "; ".join(differ[:_DIFFERENCES]) + ("; ..." if len(differ) > _DIFFERENCES else "")
        raise CheckpointError(f"{path} was trained under {trained.name}, not {asked.name}: {shown}.")


def config_of(path: Path, checkpoint: Checkpoint) -> TrainConfig:
    """Return the settings of a checkpoint's training."""
    try:
        return TrainConfig.from_dict(checkpoint.facts["config"])
    except (KeyError, AttributeError, ValueError) as problem:
        raise CheckpointError(f"{path} has settings that this version does not know ({problem}).") from problem


def trained_ruleset(path: str | Path) -> Ruleset:
    """Return the ruleset under which a checkpoint file, or a run's newest one, was trained; CheckpointError if none."""
    file = newest(Path(path))
    return ruleset_of(file, load(file))


def load_policy(path: str | Path, ruleset: str | Ruleset | None = None, *, temperature: float = 0.0) -> NetworkPolicy:
    """Return the player of a checkpoint file or of a run's newest one, with its averaged weights.

    It plays the likeliest action; `temperature` above 0 draws. CheckpointError if `ruleset` is not the one it was
    trained under, or if the file does not fit.
    """
    file = newest(Path(path))
    checkpoint = load(file)
    rules = ruleset_of(file, checkpoint)
    if ruleset is not None:
        check_rules(file, rules, rulesets.get(ruleset))
    config, columns = config_of(file, checkpoint), columns_of(file, checkpoint)
    net = Mlp(columns.scales(False), NUM_ACTIONS, config.network.width, config.network.depth, 1.0, 0)
    _fill(file, net, checkpoint, "policy.averaged.")
    net.requires_grad_(False)
    name = _player_name(Path(path), file)
    canonical = config.game.canonical_suits
    return NetworkPolicy(name, net, columns, rules, canonical_suits=canonical, temperature=temperature)


def _player_name(asked: Path, file: Path) -> str:
    """Return the name of the run, or of the folder that was asked for; of a lone file its own."""
    if file.parent.name == FOLDER:
        return file.resolve().parent.parent.name
    return asked.resolve().name if asked.is_dir() else file.stem


def _fill(path: Path, net: Mlp, checkpoint: Checkpoint, start: str) -> None:
    with torch.no_grad():
        for name, weight in net.named_parameters():
            value = checkpoint.tensors.get(start + name)
            if value is None or value.shape != weight.shape:
                shape = "none" if value is None else str(tuple(value.shape))
                raise CheckpointError(f"{path}: {name} needs the shape {tuple(weight.shape)}, the file has {shape}.")
            if not value.is_floating_point() or not value.isfinite().all():
                raise CheckpointError(f"{path}: {name} holds what is no finite number.")
            weight.copy_(value)


def restore(path: Path, checkpoint: Checkpoint, training: Training) -> None:
    """Bring a training to the state of a checkpoint; CheckpointError if something is missing or of another shape."""
    try:
        training.restore(checkpoint.tensors, checkpoint.facts)
    except (KeyError, TypeError, ValueError, RuntimeError) as problem:
        raise CheckpointError(f"{path} cannot be gone on with: {' '.join(str(problem).split())}.") from problem
