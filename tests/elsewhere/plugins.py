"""The tests of other people's frameworks, learning curves included, each in an environment of its own.

`python -m tests.elsewhere.plugins sb3 torchrl` builds .venv-plugins/NAME from examples/requirements/NAME.txt and runs
tests/plugins/test_NAME.py there; without names it takes all.
"""

import sys
from collections.abc import Sequence
from functools import partial

from tests.elsewhere.environments import ROOT, Outcome, installed, outcome, pin, report


def names() -> list[str]:
    """Return the frameworks that have tests."""
    return sorted(path.stem.removeprefix("test_") for path in (ROOT / "tests" / "plugins").glob("test_*.py"))


def run(name: str) -> Outcome:
    """Install the framework and run all of its tests."""
    requirements = ROOT / "examples" / "requirements" / f"{name}.txt"
    if not requirements.exists():
        return Outcome(1, 0.0, f"{requirements.relative_to(ROOT)} is missing")
    arguments = ("-r", requirements, pin("hypothesis"), "-e", ".")
    python = partial(installed, ROOT / ".venv-plugins" / name, sys.executable, *arguments, seen=[requirements])
    return outcome(python, "-m", "", "--durations=5", f"tests/plugins/test_{name}.py")


def main(chosen: Sequence[str]) -> int:
    """Run the chosen frameworks' tests, or all, and return the worst status."""
    unknown = sorted(set(chosen) - set(names()))
    if unknown:
        print(f"no tests of {', '.join(unknown)}: there are {', '.join(names())}", file=sys.stderr)
        return 2
    results = []
    for name in chosen or names():
        print(f"== {name}", flush=True)
        results.append((f"{name:11}", run(name), ""))
    return report(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
