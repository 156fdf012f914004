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
from euchre_env.policies import PolicyError
from euchre_env.ruleset import Ruleset

FILE = Path(__file__).with_name("passing.json")

Lines = npt.NDArray[np.float64]


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    try:
        told = json.loads(FILE.read_text(encoding="utf-8"))
        fitted = {name: np.array(entry["lines"], np.float64).reshape(PASSING_SHAPE) for name, entry in told.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PolicyError(f"{FILE} does not hold what passing is worth: take it from the repository again.") from error
    if not fitted or not all(np.isfinite(one).all() and name in rulesets.names() for name, one in fitted.items()):
        raise PolicyError(f"{FILE} lacks what passing is worth in any game: take it from the repository again.")
    return dict(told)


def lines(ruleset: Ruleset) -> Lines:
    """Return the lines of a ruleset, PASSING_SHAPE."""
    fitted = _read()
    nearest = max(fitted, key=lambda name: _alike(rulesets.get(name), ruleset))
    return np.array(fitted[nearest]["lines"], dtype=np.float64).reshape(PASSING_SHAPE)


def _alike(known: Ruleset, ruleset: Ruleset) -> tuple[bool, bool, bool, int]:
    """Return how near a game is: the same, of as many seats, with such an auction, by how many options agree."""
    ours, theirs = ruleset.to_dict(), known.to_dict()
    same = sum(ours[option] == theirs[option] for option in ours)
    return known == ruleset, known.num_seats == ruleset.num_seats, known.auction == ruleset.auction, same


def write(ruleset: Ruleset, fitted: Lines, about: dict[str, Any]) -> None:
    """Put the lines of a ruleset into the file."""
    known = _read() if FILE.exists() else {}
    entry = {**about, "lines": np.round(fitted, 4).reshape(-1).tolist()}
    text = json.dumps({**known, ruleset.name: entry}, sort_keys=True)
    write_whole(FILE, text.replace('{"', '{\n"').replace(', "lines"', ',\n"lines"') + "\n")
    _read.cache_clear()
