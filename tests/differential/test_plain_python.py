"""Compiled kernels and the same sources as plain Python agree: the rules tests pass both ways, games show the same.

Only the shuffle may overflow in plain Python: wrapping around is what a hash is made of.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.differential.transcripts import digest

ROOT = Path(__file__).parents[2]
SHUFFLE = "ignore:overflow encountered in scalar:RuntimeWarning:euchre_env.decks"
# What plays thousands of hands takes too long without compilation.
TOO_MANY = "not score and not points and not Q_N21 and not Q_X3"


def plain(*command: str) -> str:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    answer = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout[-3000:] + answer.stderr[-3000:]
    return answer.stdout


def test_the_rules_in_plain_python() -> None:
    said = plain("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", SHUFFLE, "-k", TOO_MANY, "tests/rules")
    assert " passed" in said
    assert int(said.rsplit(" passed", 1)[0].split()[-1]) > 300


def test_games_show_the_same() -> None:
    assert plain("-W", "error", "-W", SHUFFLE, "-m", "tests.differential.transcripts").strip() == digest()
