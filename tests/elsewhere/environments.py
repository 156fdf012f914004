"""Virtual environments for tests that cannot run beside the pins of constraints.txt, and the table of how they went.

Needs the standard library alone: the environments' creator has nothing installed.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


class NotInstalled(Exception):
    """The environment cannot be had; the message is one sentence about why."""


@dataclass(frozen=True)
class Outcome:
    """How the tests of one environment went: pytest's exit status, or a sentence instead."""

    status: int
    seconds: float
    reason: str = ""

    @property
    def word(self) -> str:
        """Return it as it stands in the table."""
        if self.reason:
            return f"not run: {self.reason}"
        return "passed" if self.status == 0 else f"failed (status {self.status})"


def installed(folder: Path, interpreter: str, *arguments: str | Path, seen: Iterable[Path] = ()) -> Path:
    """Return the Python of the environment `folder`, with what `pip install` makes of the arguments.

    One that was installed from the same arguments, files in `seen` and pyproject.toml is taken as it is.
    """
    python, stamp = folder / "bin" / "python", folder / ".installed"
    wanted = "\n".join([interpreter, *map(str, arguments), *(p.read_text("utf-8") for p in seen), _project()])
    if python.exists() and stamp.exists() and stamp.read_text("utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([interpreter, "-m", "venv", folder], check=True)
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    done = subprocess.run([*pip, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise NotInstalled(_first_error(done.stderr))
    stamp.write_text(wanted, "utf-8")
    return python


def _project() -> str:
    return (ROOT / "pyproject.toml").read_text("utf-8")


def _first_error(output: str) -> str:
    """Return pip's first word about what went wrong."""
    errors = (line for line in output.splitlines() if line.startswith(("ERROR: ", "error: ")))
    return next(errors, "ERROR: pip says nothing").split(": ", 1)[1]


def pins(*left_out: str) -> list[str]:
    """Return the lines of constraints.txt, those of some distributions left out."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line[:1] != "#" and line.split("==")[0] not in left_out]


def pin(distribution: str) -> str:
    """Return the line of one distribution."""
    return next(line for line in pins() if line.split("==")[0] == distribution)


def outcome(python: Callable[[], Path], *arguments: str) -> Outcome:
    """Run pytest under the Python that the function returns; what it says goes to the terminal."""
    began = time.monotonic()
    try:
        command = [str(python()), "-m", "pytest", *arguments]
    except NotInstalled as error:
        return Outcome(1, time.monotonic() - began, str(error))
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"}, check=False)
    return Outcome(done.returncode, time.monotonic() - began)


def report(rows: Iterable[tuple[str, Outcome, str]]) -> int:
    """Print a line for each environment, its name before and a remark behind, and return the worst status."""
    worst = 0
    print()
    for name, result, remark in rows:
        print(f"{name}  {result.seconds:7.1f} s  {result.word}{remark}")
        worst = max(worst, abs(result.status))
    return worst
