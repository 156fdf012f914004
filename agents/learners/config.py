"""The settings of a training: typed, frozen, each with a sentence of meaning; read from YAML and the command line.

The defaults are the recipe. A file of `configs/` says only what differs from them. Nothing here is filled in later.

>>> read_config(["--ppo.clip", "0.1"]).config.ppo.clip
0.1
>>> read_config(["--ppo.clop", "0.1"])
Traceback (most recent call last):
    ...
agents.learners.config.ConfigError: unknown config key 'ppo.clop': did you mean 'ppo.clip'?
"""

import dataclasses
import math
import re
from argparse import ArgumentError
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import jsonargparse

from euchre_env import rulesets
from euchre_env.errors import unknown
from euchre_env.rewards import mode_id


class ConfigError(ValueError):
    """A setting that is unknown, of the wrong type or out of range; the message names it and what is allowed."""


def _setting(default: Any, meaning: str, low: float | None = None, high: float | None = None) -> Any:
    """Return a dataclass field with its sentence and the closed range of its numbers."""
    return field(default=default, metadata={"meaning": meaning, "low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Where a run lives and how it starts."""

    name: str = _setting("", "The folder under `folder`; empty: the ruleset, the seed and the time of the start.")
    folder: str = _setting("runs", "Where runs live.")
    seed: int = _setting(0, "What all randomness of the run comes from.", 0)
    threads: int = _setting(2, "Cores to use; the result does not depend on it, and more than 2 bring nothing.", 1, 2)


@dataclass(frozen=True, kw_only=True)
class GameConfig:
    """What is played, and how it is shown."""

    ruleset: str = _setting("tournament", "A name of the catalogue of rulesets.")
    episode: Literal["hand", "game"] = _setting("hand", "What a rollout plays to its end: one hand, or a game.")
    reward: str = _setting("zero_sum", "What a hand pays: score, zero_sum, win (game episodes) or equity.")
    canonical_suits: bool = _setting(True, "Relabels the suits by trump, or by the up-card, for every decision.")
    skip_forced: bool = _setting(True, "Plays moves without a choice; no network sees them.")


@dataclass(frozen=True, kw_only=True)
class NetworkConfig:
    """Policy and critic: two networks of one shape."""

    width: int = _setting(128, "Units of a hidden layer.", 1, 4096)
    depth: int = _setting(3, "Hidden layers.", 1, 32)
    inferred: bool = _setting(True, "Also reads what follows from the observation: voids, best cards, who is winning.")
    critic: Literal["own", "all_hands"] = _setting("all_hands", "What the critic sees, in training only.")
    precision: Literal["auto", "float32", "bfloat16"] = _setting(
        "auto", "The type that layers compute in; auto: bfloat16 where the processor has it."
    )
    average: float = _setting(
        0.998, "How much the averaged weights, used for play, keep at each update; 0: none.", 0, 1
    )


@dataclass(frozen=True, kw_only=True)
class PpoConfig:
    """Self-play PPO. Schedules run on decisions with a choice, from `start` to `end`."""

    decisions: int = _setting(60_000_000, "Decisions with a choice to train on before the run ends.", 1)
    tables: int = _setting(4096, "Episodes that an iteration plays to their end.", 2, 1_000_000)
    epochs: int = _setting(2, "How often an iteration's decisions are learned from.", 1)
    minibatch: int = _setting(1024, "Decisions in an update.", 1)
    advantages: Literal["seat", "team"] = _setting(
        "team", "Whose decisions an advantage runs over, and a value is for."
    )
    gamma: float = _setting(1.0, "The discount for each later decision of the same seat or team.", 0, 1)
    lam: float = _setting(0.9, "Lambda of the advantages: 1 trusts the result alone, 0 the critic.", 0, 1)
    clip: float = _setting(0.2, "How far the probability of an action may move in an iteration, as a ratio.", 0)
    rate_start: float = _setting(1e-3, "The learning rate at the start.", 0)
    rate_end: float = _setting(1e-4, "The learning rate at the end; a cosine lies between.", 0)
    entropy_start: float = _setting(0.02, "The weight of the entropy bonus at the start.", 0)
    entropy_end: float = _setting(0.001, "The weight of the entropy bonus at the end; a straight line lies between.", 0)
    max_gradient: float = _setting(0.5, "The norm that the policy's and the critic's gradients are cut to.", 0)


@dataclass(frozen=True, kw_only=True)
class ReportConfig:
    """What is saved, logged and measured, and when; all `every` are in decisions."""

    save_every: int = _setting(5_000_000, "Decisions between two checkpoints.", 1)
    keep: int = _setting(3, "Checkpoints to keep.", 1)
    match_every: int = _setting(5_000_000, "Decisions between two rounds of matches.", 1)
    match_pairs: int = _setting(
        2_000, "Duplicate pairs against each opponent in such a round; 0: no matches.", 0, 10_000_000
    )
    final_pairs: int = _setting(
        20_000, "Duplicate pairs against each opponent at the end; 0: no matches.", 0, 10_000_000
    )
    final_games: int = _setting(
        10_000,
        "Games to the target against each opponent at the end, even; three seats play whole sixes.",
        0,
        10_000_000,
    )
    opponents: list[str] = field(
        default_factory=lambda: ["random", "simple_i", "rule_based", "rule_expert"],
        metadata={
            "meaning": "Whom the matches are against; who does not play the ruleset is left out.",
            "low": None,
            "high": None,
        },
    )


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """All settings of train.py."""

    run: RunConfig = field(default_factory=RunConfig)
    game: GameConfig = field(default_factory=GameConfig)
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PpoConfig = field(default_factory=PpoConfig)
    report: ReportConfig = field(default_factory=ReportConfig)

    def __post_init__(self) -> None:
        for key, spec, kind in _settings():
            group, name = key.split(".")
            _check(key, spec, kind, getattr(getattr(self, group), name))
        if self.run.name == ".." or Path(self.run.name).name != self.run.name:
            raise ConfigError(f"run.name: {self.run.name!r} is no name of a folder; where it lives is run.folder.")
        rulesets.get(self.game.ruleset)
        mode_id(self.game.reward, self.game.episode)
        if self.report.final_games % 2:
            raise ConfigError(f"report.final_games: {self.report.final_games} is odd, but games come in pairs.")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values by group, for YAML and JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "TrainConfig":
        """Return the config of `to_dict`, defaults where a setting is missing; ConfigError names what is wrong."""
        known = {key for key, _, _ in _settings()}
        groups: dict[str, dict[str, Any]] = {group: {} for group in _GROUPS}
        for group, settings in values.items():
            if group not in groups:
                raise ConfigError(unknown("config group", group, groups))
            if not isinstance(settings, dict):
                raise ConfigError(f"config group {group!r} is {settings}, it has to hold settings.")
            for name, value in settings.items():
                if f"{group}.{name}" not in known:
                    raise ConfigError(unknown("config key", f"{group}.{name}", known))
                groups[group][name] = value
        return cls(**{group: kind(**groups[group]) for group, kind in _GROUPS.items()})


_GROUPS: dict[str, type[Any]] = get_type_hints(TrainConfig)


def _settings() -> Iterator[tuple[str, "dataclasses.Field[Any]", Any]]:
    """Yield dotted key, field and type of every setting."""
    for group, kind in _GROUPS.items():
        hints = get_type_hints(kind)
        for spec in dataclasses.fields(kind):
            yield f"{group}.{spec.name}", spec, hints[spec.name]


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {', '.join(get_args(kind))}"
    return {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}.get(kind, "a list of words")


def _fits(kind: Any, value: Any) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(isinstance(word, str) for word in value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number if kind is float else isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _check(key: str, spec: "dataclasses.Field[Any]", kind: Any, value: Any) -> None:
    if not _fits(kind, value):
        raise ConfigError(_wrong_value(key, kind, value))
    if kind is float and not math.isfinite(value):
        raise ConfigError(f"{key}: {value} is no number to compute with.")
    low, high = spec.metadata["low"], spec.metadata["high"]
    if (low is not None and value < low) or (high is not None and value > high):
        bounds = f"from {low} to {high}" if high is not None else f"at least {low}"
        raise ConfigError(f"{key}: {value} is out of range, it has to be {bounds}.")


def _wrong_value(key: str, kind: Any, value: Any) -> str:
    if get_origin(kind) is Literal and isinstance(value, str):
        return f"{key}: {unknown('value', value, get_args(kind))}"
    return f"{key}: {value!r} does not fit, it has to be {_words(kind)}."


class _Parser(jsonargparse.ArgumentParser):
    """A parser whose errors are ConfigErrors."""

    def error(self, message: str, ex: Exception | None = None) -> Any:
        """Raise instead of leaving the program."""
        raise ConfigError(_one_sentence(message)) from ex


def _one_sentence(message: str) -> str:
    """Return our sentence for what jsonargparse says."""
    kinds = {key: kind for key, _, kind in _settings()}
    known = [*kinds, "config", "resume", "print_config"]
    if found := re.search(r"Option '([^']+)' is not accepted|[Uu]nrecognized arguments: --([\w.]+)", message):
        return unknown("config key", found[1] or found[2], known)
    found = re.search(r'Parser key "([\w.]+)":.*Got value: (.*)', message, re.DOTALL)
    if found and found[1] in kinds:
        return _wrong_value(found[1], kinds[found[1]], found[2].strip())
    if found := re.search(r"File does not exist: '?([^'\n]+)'?", message):
        return f"there is no config file {found[1]}."
    if found := re.search(r"Path is not a file: '?([^'\n]+)'?", message):
        return f"the config file {found[1]} is no file."
    if message.startswith("Unexpected config:"):
        return "the config file holds no settings: write it as the files of configs/."
    return " ".join(message.split())


def _parser(with_files: bool = True) -> jsonargparse.ArgumentParser:
    parser = _Parser(
        prog="train.py", description="Train a euchre player by self-play. See configs/ and docs/metrics.md."
    )
    if with_files:
        parser.add_argument(
            "--config", action="config", help="A YAML file: the settings that differ from the defaults."
        )
        parser.add_argument("--resume", type=str, default=None, help="A run's folder, to go on under its own settings.")
    defaults = TrainConfig()
    for key, spec, kind in _settings():
        default = getattr(getattr(defaults, key.split(".")[0]), spec.name)
        parser.add_argument(f"--{key}", type=kind, default=default, help=spec.metadata["meaning"])
    return parser


@dataclass(frozen=True)
class Request:
    """What the command line asks for: a config, and the run to resume, if any."""

    config: TrainConfig
    resume: Path | None


def read_config(arguments: Sequence[str]) -> Request:
    """Return the config of a command line; ConfigError says in one sentence what is wrong with it."""
    try:
        values = _parser().parse_args(list(arguments)).as_dict()
    except ArgumentError as problem:
        raise ConfigError(_one_sentence(str(problem))) from problem
    resume = values.pop("resume")
    values.pop("config")
    if resume is not None and any(word.split("=")[0] not in ("--resume", resume) for word in arguments):
        raise ConfigError("give no other option with --resume: it goes on under the run's settings.")
    return Request(TrainConfig.from_dict(values), None if resume is None else Path(resume))


def to_yaml(config: TrainConfig) -> str:
    """Return a config as YAML that `--config` reads."""
    parser = _parser(with_files=False)
    return str(parser.dump(parser.parse_object(config.to_dict())))
