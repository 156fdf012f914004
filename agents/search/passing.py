"""What passing is worth to the player by search: lines fitted to its own self-play (`fit_passing.py`), by ruleset.

A line gives the net points of the hand after a pass from the value of the best call, by the question, the place and
what lies or stands (`pimc.situation`). A house rule uses the lines of the game in the catalogue that it shares most
options with.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search.pimc import PASSING_SHAPE
from euchre_env import rulesets
from euchre_env.files import write_whole
from euchre_env.ruleset import Ruleset

FILE = Path(__file__).with_name("passing.json")

Lines = npt.NDArray[np.float64]


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def lines(ruleset: Ruleset) -> Lines:
    """Return the lines of a ruleset, PASSING_SHAPE."""
    fitted = {name: entry for name, entry in _read().items() if rulesets.get(name).num_seats == ruleset.num_seats}
    nearest = max(fitted, key=lambda name: _alike(rulesets.get(name), ruleset))
    return np.array(fitted[nearest]["lines"], dtype=np.float64).reshape(PASSING_SHAPE)


def _alike(known: Ruleset, ruleset: Ruleset) -> tuple[bool, bool, int]:
    """Return how near a game is: by its name, by its auction, by the number of options that agree."""
    ours, theirs = ruleset.to_dict(), known.to_dict()
    same = sum(ours[option] == theirs[option] for option in ours)
    return known == ruleset, known.auction == ruleset.auction, same


def write(ruleset: Ruleset, fitted: Lines, about: dict[str, Any]) -> None:
    """Put the lines of a ruleset into the file."""
    known = _read() if FILE.exists() else {}
    entry = {**about, "lines": np.round(fitted, 4).reshape(-1).tolist()}
    text = json.dumps({**known, ruleset.name: entry}, sort_keys=True)
    write_whole(FILE, text.replace('{"', '{\n"').replace(', "lines"', ',\n"lines"') + "\n")
    _read.cache_clear()
