"""The commands of `python -m euchre_env`, a module each with `main(argv) -> exit code`, and their parser."""

import argparse
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Write the sentence and leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")
