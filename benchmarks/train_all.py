"""Every ruleset trained with its file in configs/ for two minutes on two cores, then measured.

    python -m benchmarks.train_all
    python -m benchmarks.train_all --rulesets two_handed ghost_hand --seed 1 --folder runs/all

Runs train.py once for each ruleset, one after the other. `--folder` keeps the runs: what is there is read, and a run
that was stopped goes on. The last line is JSON: points per hand against each opponent with its 95 % interval. The exit
status is 1 if `random` is not beaten with the interval clear of zero in some ruleset.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents import checkpoint
from benchmarks.common import finish
from euchre_env import rulesets

ROOT = Path(__file__).parents[1]


def train(ruleset: str, folder: Path, seed: int) -> Path:
    """Return the finished run of a ruleset; SystemExit if train.py fails or is stopped."""
    run = folder / f"{ruleset}-seed{seed}"
    if not (run / "evaluation.json").exists():
        settings = {"config": f"configs/{ruleset}.yaml", "run.folder": folder, "run.name": run.name, "run.seed": seed}
        begun = {"resume": run} if (run / checkpoint.FOLDER).exists() else settings
        options = [word for key, value in begun.items() for word in (f"--{key}", str(value))]
        subprocess.run([sys.executable, "train.py", *options], cwd=ROOT, check=False, stdout=sys.stderr)
    if not (run / "evaluation.json").exists():
        raise SystemExit(f"train_all.py: {run} was not trained and measured to its end.")
    return run


def figures(run: Path) -> dict[str, Any]:
    """Return what a run came to: points per hand as (mean, low, high), games won as a rate."""
    facts = checkpoint.load(checkpoint.newest(run)).facts
    row = {name: facts[name] for name in ("decisions", "commit")} | {"minutes": round(facts["elapsed_s"] / 60, 1)}
    for result in json.loads((run / "evaluation.json").read_text("utf-8"))["results"]:
        measured, name = result.get("net") or result["win_rate"], result["policy_b"]
        ends = [None if measured[end] is None else round(measured[end], 4) for end in ("mean", "low", "high")]
        row[name if "net" in result else f"{name}_games"] = ends
    return row


def is_clear(points: Sequence[float | None]) -> bool:
    """Whether the whole interval is above zero."""
    return points[1] is not None and points[1] > 0


def show(rows: dict[str, dict[str, Any]], console: Console) -> None:
    """Print the table."""
    opponents = list(dict.fromkeys(key for row in rows.values() for key in row if isinstance(row[key], list)))
    table = Table("ruleset", "decisions", "minutes", "commit", *opponents)
    for name, row in rows.items():
        cells = [f"{row[key][0]} [{row[key][1]}, {row[key][2]}]" if key in row else "-" for key in opponents]
        table.add_row(name, f"{row['decisions']:,}", str(row["minutes"]), str(row["commit"]), *cells)
    console.print(table)


def measure(names: Sequence[str], folder: Path, seed: int) -> dict[str, dict[str, Any]]:
    """Return the figures of each ruleset."""
    return {name: figures(train(name, folder, seed)) for name in names}


def main(arguments: Sequence[str]) -> int:
    """Run the program; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulesets", nargs="+", default=rulesets.names(), choices=rulesets.names(), help="which (all)")
    parser.add_argument("--seed", type=int, default=0, help="of every run (default 0)")
    parser.add_argument("--folder", type=Path, help="where the runs stay (default: a folder that is removed)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        rows = measure(options.rulesets, folder, options.seed)
    show(rows, Console(width=200))
    clear = sum(is_clear(row["random"]) for row in rows.values())
    finish("train_all", {"seed": options.seed, "clear_of_zero": clear, "of": len(rows), "rulesets": rows})
    return 0 if clear == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
