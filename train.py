"""Train an agent by self-play, log to TensorBoard, measure it against the baselines.

    python train.py                                   # the default recipe, about a quarter of an hour on two cores
    python train.py --config configs/smoke.yaml       # all of it in seconds
    python train.py --config configs/bid_euchre.yaml  # two minutes on two cores; one file for every ruleset
    python train.py --network.width 256 --run.name wide
    python train.py --resume runs/wide                # goes on as if never stopped
    python train.py --print_config                    # all settings with their values

A run lives under runs/NAME: config.yaml, checkpoints/, tensorboard/, evaluation.json. Ctrl-C ends it after a save.
"""

import dataclasses
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib import metadata
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents import checkpoint
from agents.checkpoint import Checkpoint, CheckpointError
from agents.learners.config import ConfigError, TrainConfig, read_config, to_yaml
from agents.provenance import commit
from agents.selfplay.log import Log, account_metrics, time_metrics
from agents.selfplay.training import Training
from euchre_env import policies
from euchre_env.policies import Policy, PolicyError
from evaluation.arena import num_seatings, play_games, play_match
from evaluation.report import Meeting, plain, strength_table, write_json

# Deals of the matches; no training draws from it.
MATCH_SEED = 1_000_003
_LINE_EVERY_S = 20.0
_STOPPING = "stopping, which takes some seconds; Ctrl-C again ends at once, without saving."


class Stop:
    """The first Ctrl-C (or SIGTERM) is a wish that the loop grants after its iteration; a second one ends at once."""

    def __init__(self, answer: Callable[[], None] = lambda: None) -> None:
        self.asked = False
        self._answer = answer

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Take a signal."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        # In a thread: what the signal has interrupted may be in the middle of a line of its own.
        threading.Thread(target=self._answer).start()

    def check(self, done: int) -> None:
        """Raise KeyboardInterrupt if a stop was asked for; matches call it as their progress."""
        if self.asked:
            raise KeyboardInterrupt

    @contextmanager
    def listening(self) -> Iterator["Stop"]:
        """Listen until the block ends."""
        before = {number: signal.signal(number, self) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@dataclasses.dataclass
class Run:
    """A training and its folder."""

    folder: Path
    training: Training
    elapsed_s: float = 0.0

    @property
    def checkpoints(self) -> Path:
        """Where the checkpoints are."""
        return self.folder / checkpoint.FOLDER

    @property
    def tensorboard(self) -> Path:
        """Where the TensorBoard log is."""
        return self.folder / "tensorboard"

    def save(self) -> Path:
        """Write a checkpoint and remove old ones; return its path."""
        about = {
            "elapsed_s": self.elapsed_s,
            "version": metadata.version("euchre-env"),
            "commit": commit(),
        }
        path = checkpoint.save(
            self.checkpoints, Checkpoint(self.training.tensors(), {**self.training.facts(), **about})
        )
        checkpoint.prune(self.checkpoints, self.training.config.report.keep)
        return path


def start(config: TrainConfig) -> Run:
    """Return a new run with its folder and config.yaml; ConfigError if the folder holds a run already."""
    name = config.run.name or f"{config.game.ruleset}-seed{config.run.seed}-{datetime.now():%Y%m%d-%H%M%S}"
    folder = Path(config.run.folder) / name
    if (folder / "config.yaml").exists():
        raise ConfigError(f"{folder} holds a run already: go on with --resume {folder}, or choose another --run.name.")
    opponents(config)
    run = Run(folder, Training(config))
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint.write(folder / "config.yaml", to_yaml(config).encode())
    return run


def resume(folder: Path) -> Run:
    """Return the run of a folder as its newest checkpoint left it."""
    if not folder.is_dir() or folder.resolve().name == checkpoint.FOLDER:
        raise CheckpointError(f"{folder} is no folder of a run: --resume takes one, as runs/NAME.")
    path = checkpoint.newest(folder)
    saved = checkpoint.load(path)
    training = Training(checkpoint.config_of(path, saved), checkpoint.columns_of(path, saved))
    checkpoint.check_rules(path, checkpoint.ruleset_of(path, saved), training.ruleset)
    checkpoint.restore(path, saved, training)
    return Run(folder, training, saved.facts.get("elapsed_s", 0.0))


def opponents(config: TrainConfig) -> tuple[list[Policy], list[str]]:
    """Return the opponents that play the ruleset, and a sentence for each that does not; PolicyError if unknown."""
    known, absent = [], []
    for name in config.report.opponents:
        try:
            known.append(policies.make(name, config.game.ruleset))
        except PolicyError as problem:
            if not policies.is_name(name):
                raise
            absent.append(f"without {name}: {problem}")
    return known, absent


def crossed(before: int, after: int, every: int) -> bool:
    """Return whether a multiple of `every` lies in (before, after]."""
    return after // every > before // every


def matches(training: Training) -> dict[str, float]:
    """Return net points per hand of the averaged policy against each opponent, with the ends of the interval."""
    report, player = training.config.report, training.player()
    metrics: dict[str, float] = {}
    for opponent in opponents(training.config)[0] if report.match_pairs else ():
        name = opponent.name
        net = play_match(player, opponent, training.ruleset, report.match_pairs, MATCH_SEED).net
        metrics |= {f"match/{name}": net.mean}
        metrics |= {f"match/{name}/{end}": value for end in ("low", "high") if (value := getattr(net, end)) is not None}
    return metrics


def train(run: Run, stop: Stop, progress: "Reporter") -> None:
    """Collect, learn, log, save, until the decisions are through or a stop is asked for."""
    training = run.training
    report, total = training.config.report, training.config.ppo.decisions
    with Log(run.tensorboard, first_decision=training.decisions + 1) as log:
        while training.decisions < total and not stop.asked:
            before, started = training.decisions, time.perf_counter()
            rollout, account = training.collect()
            collected = time.perf_counter()
            metrics = training.learn(rollout)
            learned = time.perf_counter()
            run.elapsed_s += learned - started
            metrics |= account_metrics(account)
            metrics |= time_metrics(account, collected - started, learned - collected, training.decisions - before)
            metrics |= {"time/elapsed_s": run.elapsed_s, "progress/hands": training.hands}
            if crossed(before, training.decisions, report.match_every):
                metrics |= matches(training)
            log.write(training.decisions, metrics)
            if crossed(before, training.decisions, report.save_every):
                run.save()
            progress.show(training.decisions, metrics)


def evaluate(run: Run, path: Path, console: Console, stop: Stop) -> None:
    """Measure the player in a checkpoint against the opponents; print the table and write evaluation.json.

    A stop that is asked for raises KeyboardInterrupt: half a measurement is none.
    """
    report, ruleset = run.training.config.report, run.training.ruleset
    player = checkpoint.load_policy(path, ruleset)
    whole = report.final_games - report.final_games % num_seatings(ruleset)
    meetings = []
    for opponent in opponents(run.training.config)[0]:
        match, games = None, None
        if report.final_pairs:
            match = play_match(player, opponent, ruleset, report.final_pairs, MATCH_SEED, progress=stop.check)
        if whole:
            games = play_games(player, opponent, ruleset, whole, MATCH_SEED, progress=stop.check)
        if match or games:
            meetings.append(Meeting(match, games))
    if meetings:
        title = f"{player.name} after {run.training.decisions:,} decisions, {ruleset.name}"
        console.print(strength_table(meetings, title))
        results = [plain(result) for meeting in meetings for result in (meeting.match, meeting.games) if result]
        write_json(run.folder / "evaluation.json", {"checkpoint": path.name, "results": results})


class Reporter:
    """The progress bar, or a plain line now and then where the output is no terminal."""

    def __init__(self, console: Console, total: int, done: int) -> None:
        self._console, self._total, self._first = console, total, done
        self._started = self._spoke = time.perf_counter()
        self._latest: dict[str, float] = {}
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("training", total=total, completed=done)

    def __enter__(self) -> "Reporter":
        self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._bar.stop()

    def show(self, decisions: int, metrics: dict[str, float]) -> None:
        """Say how far the training is."""
        self._latest |= metrics
        self._bar.update(self._task, completed=min(decisions, self._total), description=self._line(decisions))
        now = time.perf_counter()
        if not self._console.is_terminal and (now - self._spoke > _LINE_EVERY_S or decisions >= self._total):
            self._spoke = now
            done = 100 * min(1, decisions / self._total)
            self._console.print(f"{done:5.1f} %  {self._line(decisions)}", soft_wrap=True)

    def _line(self, decisions: int) -> str:
        speed = (decisions - self._first) / max(time.perf_counter() - self._started, 1e-9)
        words = [f"{decisions / 1e6:.1f}M decisions", f"{speed / 1e3:.0f}k/s"]
        words += [f"{key.removeprefix('match/')} {value:+.3f}" for key, value in self._latest.items() if _is_net(key)]
        return "  ".join(words)


def _is_net(key: str) -> bool:
    return key.startswith("match/") and key.count("/") == 1


def main(arguments: Sequence[str]) -> int:
    """Run the program; return its exit status: 0, 2 for bad input, 130 after a second Ctrl-C."""
    try:
        return run_program(arguments)
    except KeyboardInterrupt:
        print("train.py: stopped at once; what was saved before is in the run's folder.", file=sys.stderr)
        return 130


def run_program(arguments: Sequence[str]) -> int:
    """Train or go on, save, measure; return the exit status."""
    console = Console()
    try:
        request = read_config(arguments)
        run = resume(request.resume) if request.resume else start(request.config)
    except (ValueError, OSError) as problem:
        print(f"train.py: {problem}", file=sys.stderr)
        return 2
    training = run.training
    console.print(f"{run.folder}: {training.ruleset.name}, {training.config.ppo.decisions:,} decisions", soft_wrap=True)
    for sentence in opponents(training.config)[1]:
        console.print(sentence, soft_wrap=True)
    with Stop(lambda: console.print(_STOPPING, soft_wrap=True)).listening() as stop:
        with Reporter(console, training.config.ppo.decisions, training.decisions) as progress:
            train(run, stop, progress)
        path = run.save()
        try:
            if not stop.asked:
                evaluate(run, path, console, stop)
        except KeyboardInterrupt:
            console.print("evaluation stopped; nothing of it was written.", soft_wrap=True)
    say_where(run, path, stop, console)
    return 0


def say_where(run: Run, path: Path, stop: Stop, console: Console) -> None:
    """Say where everything is."""
    lines = {
        "run": str(run.folder),
        "TensorBoard": command("-m", "tensorboard.main", "--logdir", run.tensorboard),
        "checkpoint": str(path),
    }
    if stop.asked:
        lines["go on"] = command("train.py", "--resume", run.folder)
    else:
        lines["play"] = command("-m", "agents.play", path)
    for what, line in lines.items():
        console.print(f"{what:11}  {line}", soft_wrap=True, highlight=False)


def command(*words: str | Path) -> str:
    """Return a command for the interpreter that runs this, as a shell takes it; a path inside the folder is short."""
    python, here = Path(sys.executable), Path.cwd()
    known = python.relative_to(here) if python.is_relative_to(here) else python
    return shlex.join([str(known), *map(str, words)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
