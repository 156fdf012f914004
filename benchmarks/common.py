"""What the benchmark scripts share: paired repeats, medians, and the JSON line that each of them ends with."""

import json
import platform
import statistics
from collections.abc import Callable, Mapping
from importlib import metadata

from agents.provenance import commit


def in_turn(repeats: int, *measures: Callable[[], float]) -> list[list[float]]:
    """Run the measures in turn, A B A B ..., so that a drift of the machine meets all alike; [measure][repeat]."""
    rounds = [[measure() for measure in measures] for _ in range(repeats)]
    return [list(column) for column in zip(*rounds, strict=True)]


def median_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median of the ratios of paired repeats."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def finish(benchmark: str, figures: Mapping[str, object]) -> None:
    """Print the closing JSON line: the figures, what was measured and on what kind of machine."""
    about = {
        "benchmark": benchmark,
        "commit": commit(),
        "version": metadata.version("euchre-env"),
        "python": platform.python_version(),
        "processor": platform.machine(),
    }
    print(json.dumps(about | dict(figures)))
