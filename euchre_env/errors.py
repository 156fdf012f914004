"""The exceptions that the library raises, and the sentence that names the nearest known word."""

import difflib
import math
import numbers
from collections.abc import Iterable

import numpy as np


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the message says why, with the clause."""


class RulesetError(ValueError):
    """An unknown ruleset or option, a value outside its choices, or a mix that the rules exclude."""


class DeckError(ValueError):
    """A deck with a card twice, missing, or foreign to the ruleset's pack."""


class RecordError(ValueError):
    """A hand record that cannot be read, replayed or written; the message names the field, or the deal and the card."""


class StateError(ValueError):
    """A setting-up that no game can be in: a dealer, score or saved state outside the ruleset."""


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`; ValueError in a sentence for anything else."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not low <= int(value) <= high:
        raise ValueError(f"{name} is {value!r}: it must be a whole number from {low} to {high}.")
    return int(value)


def finite(name: str, value: object) -> float:
    """Return a finite number; ValueError in a sentence for anything else."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}: it must be a number.")
    return float(value)


def flag(name: str, value: object) -> bool:
    """Return a yes or no; ValueError in a sentence for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is {value!r}: it must be True or False.")
    return bool(value)


def unknown(kind: str, word: object, known: Iterable[str]) -> str:
    """Return the sentence for an unknown word, with the nearest known one or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(str(word), names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(names)}."
    return f"unknown {kind} {word!r}: {hint}"
