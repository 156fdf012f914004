"""`python -m euchre_env`: the rules of every ruleset, and recorded games shown again.

>>> main(["rulez"])
2
"""

import importlib
import io
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
    """Run the command line: 1 where its text cannot be printed, in one sentence; letters that cannot be become `?`.

    Who stops reading early, as `head` does, gets no sentence.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = _code(sys.argv[1:])
        if sys.stdout is not None:  # a closed one
            sys.stdout.flush()
    except OSError as error:
        # Keep the interpreter from writing what is left once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"the text cannot be printed: {error.strerror or error}.", file=sys.stderr)
        return 1
    return code


def _code(argv: Sequence[str]) -> int:
    """Return the exit code of a command, also of one that leaves by itself, as `--help` does."""
    try:
        return main(argv)
    except SystemExit as left:
        return int(left.code or 0)


if __name__ == "__main__":
    sys.exit(run())
