"""The environments' conformance tests with old and new versions of what they stand on, without torch.

`python -m tests.elsewhere.matrix` builds an environment for each combination under .venv-matrix/ and runs tests/envs
there: the tests of PettingZoo and Gymnasium, seeds, saving, rewards and our own kit. Interpreters are PYTHON311,
PYTHON312 ... where these are set, else `python3.11`, `python3.12` ... as found.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.elsewhere.environments import ROOT, NotInstalled, Outcome, installed, outcome, pins, report

VARIED = ("pettingzoo", "gymnasium", "numpy")
# Gymnasium has autoreset modes since 1.1; before it the vector environments cannot be imported.
VECTOR_TESTS = ("test_seat_vector.py", "test_testing_vector.py", "test_vector.py")
VERSIONS = """
import platform, sys
from importlib.metadata import version
print(platform.python_version(), *map(version, sys.argv[1:]))
"""


@dataclass(frozen=True)
class Combination:
    """One row: a minor version of Python, and the exact versions of the rest in the order of VARIED."""

    python: str
    versions: tuple[str, str, str]

    @property
    def folder(self) -> Path:
        """Return where its environment lives."""
        return ROOT / ".venv-matrix" / "-".join((self.python, *self.versions))

    def interpreter(self) -> str:
        """Return an interpreter of this version that can create environments."""
        variable = f"PYTHON{self.python.replace('.', '')}"
        command = os.environ.get(variable) or f"python{self.python}"
        probe = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
        try:
            found = subprocess.run([command, "-c", probe], capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            raise NotInstalled(f"{command} does not run here: name one with {variable}=...") from None
        if found != self.python:
            raise NotInstalled(f"{command} is Python {found}")
        return command

    def install(self) -> Path:
        """Return the Python of its environment; everything but what the combination varies is at its pin."""
        self.folder.parent.mkdir(exist_ok=True)
        constraints = self.folder.parent / f"{self.folder.name}.txt"
        constraints.write_text("\n".join(pins(*VARIED)), "utf-8")
        exact = [f"{name}=={version}" for name, version in zip(VARIED, self.versions, strict=True)]
        arguments = ["-c", str(constraints), *exact, "hypothesis", "pytest", "-e", ".[render]"]
        return installed(self.folder, self.interpreter(), *arguments, seen=[constraints])

    def tests(self) -> list[str]:
        """Return what pytest runs."""
        without = VECTOR_TESTS if self._without_vector else ()
        return ["tests/envs", *(f"--ignore=tests/envs/{name}" for name in without)]

    @property
    def _without_vector(self) -> bool:
        return tuple(map(int, self.versions[1].split(".")[:2])) < (1, 1)

    def remark(self) -> str:
        """Return what the tests leave out."""
        return "  (no vector environments before Gymnasium 1.1)" if self._without_vector else ""

    def row(self) -> str:
        """Return its versions as they are installed, as they were asked for where they are not."""
        words = [self.python, *self.versions]
        python = str(self.folder / "bin" / "python")
        if (self.folder / ".installed").exists():
            words = subprocess.run(
                [python, "-c", VERSIONS, *VARIED], capture_output=True, text=True, check=True
            ).stdout.split()
        return "".join(f"{word:12}" for word in words)


COMBINATIONS = (
    Combination("3.11", ("1.24.3", "0.29.1", "2.4.6")),
    Combination("3.11", ("1.24.3", "1.4.0", "2.4.6")),
    Combination("3.11", ("1.25.0", "1.0.0", "2.4.6")),
    Combination("3.11", ("1.27.0", "1.2.2", "2.4.6")),  # RLlib's pin
    Combination("3.11", ("1.26.1", "1.4.0", "2.4.6")),  # what AgileRL takes
    Combination("3.12", ("1.27.0", "1.4.0", "2.5.5")),
    Combination("3.13", ("1.27.0", "1.4.0", "2.5.5")),
)


def run(combination: Combination) -> Outcome:
    """Install a combination and run the tests of the environments."""
    print(f"== {combination.folder.name}", flush=True)
    return outcome(combination.install, *combination.tests())


def main() -> int:
    """Run all combinations, print the table and return the worst status."""
    results = [(combination, run(combination)) for combination in COMBINATIONS]
    print("\n" + "".join(f"{word:12}" for word in ("python", *VARIED)))
    return report((combination.row(), result, combination.remark()) for combination, result in results)


if __name__ == "__main__":
    sys.exit(main())
