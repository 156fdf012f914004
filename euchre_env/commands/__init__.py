r"""The commands of `python -m euchre_env`, a module each with `main(argv) -> exit code`, and what they share.

>>> printable("Bob \x1b[2J")
'Bob ?[2J'
"""

import argparse
import sys
from typing import Any, NoReturn


def printable(text: str) -> str:
    """Return a text of a file as it may reach a terminal: what is no letter, mark or blank is a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def refuse(sentence: str) -> int:
    """Say why a command cannot do what was asked; return its exit code."""
    print(printable(sentence), file=sys.stderr)
    return 2


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage."""

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike the parser of Python, raise OSError where that fails."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Write the sentence and leave with exit code 2."""
        self.exit(2, f"{self.prog}: {printable(message)}\n")
