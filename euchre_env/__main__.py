"""`python -m euchre_env`: the rules of every ruleset, and recorded games shown again.

>>> main(["rulez"])
2
"""

import importlib
import os
import sys
from collections.abc import Sequence

from euchre_env.errors import unknown

COMMANDS = {
    "rules": "the catalogue; rules NAME: how a ruleset is played, --set option=value: with house rules",
    "replay": "replay FILE: show a recorded hand, game or match again",
}


def usage() -> str:
    """Return what can be asked for."""
    lines = [f"  {name:<8} {words}" for name, words in COMMANDS.items()]
    return "\n".join(
        ["usage: python -m euchre_env COMMAND ...", "", *lines, "", "COMMAND --help says what a command takes."]
    )


def main(argv: Sequence[str]) -> int:
    """Run a command and return its exit code: 2 for what is not understood, in one sentence."""
    if not argv or argv[0] in ("-h", "--help"):
        print(usage())
        return 0 if argv else 2
    name, *rest = argv
    if name not in COMMANDS:
        print(unknown("command", name, COMMANDS), file=sys.stderr)
        return 2
    # Only the command that was asked for is loaded.
    code: int = importlib.import_module(f"euchre_env.commands.{name}").main(rest)
    return code


def run() -> int:
    """Run the command line; who stops reading early, as `head` does, gets no traceback."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(run())
