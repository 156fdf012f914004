"""Training speed: decisions with at least two legal actions trained on per second, rollouts and updates together.

    python -m benchmarks.training
    python -m benchmarks.training --repeats 7 --network.width 256

Runs iterations of the default config (or of one changed by the options of train.py) after two to warm up, in repeats of
a few seconds. The last line is JSON; `decisions_per_s` is the median of the repeats.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from rich.console import Console
from rich.table import Table

from agents.learners.config import read_config
from agents.selfplay.log import time_metrics
from agents.selfplay.training import Training
from benchmarks.common import finish

_WARM_UP = 2


@dataclass(frozen=True)
class Repeat:
    """Seconds and decisions of some iterations."""

    decisions: int
    env_s: float
    inference_s: float
    learning_s: float

    @property
    def seconds(self) -> float:
        """Rollouts and updates together."""
        return self.env_s + self.inference_s + self.learning_s


def measure(training: Training, seconds: float) -> Repeat:
    """Train for about so many seconds."""
    before, spent = training.decisions, dict.fromkeys(("env_s", "inference_s", "learning_s"), 0.0)
    while sum(spent.values()) < seconds:
        started = time.perf_counter()
        rollout, account = training.collect()
        collected = time.perf_counter()
        training.learn(rollout)
        times = time_metrics(account, collected - started, time.perf_counter() - collected, 0)
        for name in spent:
            spent[name] += times[f"time/{name}"]
    return Repeat(training.decisions - before, **spent)


def report(training: Training, repeats: Sequence[Repeat], console: Console) -> dict[str, object]:
    """Print the table; return the values of the JSON line."""
    table = Table("repeat", "decisions/s", "env %", "inference %", "learning %")
    speeds = [repeat.decisions / repeat.seconds for repeat in repeats]
    for number, (repeat, speed) in enumerate(zip(repeats, speeds, strict=True), 1):
        shares = (repeat.env_s, repeat.inference_s, repeat.learning_s)
        table.add_row(f"{number}", f"{speed:,.0f}", *(f"{100 * share / repeat.seconds:.0f}" for share in shares))
    console.print(table)
    network, ppo = training.config.network, training.config.ppo
    return {
        "decisions_per_s": round(statistics.median(speeds)),
        "repeats": [round(speed) for speed in speeds],
        "network": f"{network.width} x {network.depth}",
        "parameters": sum(p.numel() for p in training.policy.net.parameters()),
        "inputs": training.policy.net.num_inputs,
        "minibatch": ppo.minibatch,
        "epochs": ppo.epochs,
        "tables": ppo.tables,
        "precision": str(training.dtype).removeprefix("torch."),
        "threads": training.config.run.threads,
        "cores": os.cpu_count(),
        "torch": torch.__version__,
    }


def main(arguments: Sequence[str]) -> int:
    """Run the program; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="measurements, of which the median counts (default 5)")
    parser.add_argument("--seconds", type=float, default=5.0, help="length of one (default 5)")
    options, rest = parser.parse_known_args(arguments)
    try:
        training = Training(read_config(rest).config)
    except ValueError as problem:
        print(f"training.py: {problem}", file=sys.stderr)
        return 2
    for _ in range(_WARM_UP):
        training.learn(training.collect()[0])
    repeats = [measure(training, options.seconds) for _ in range(max(1, options.repeats))]
    finish("training", report(training, repeats, Console()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
