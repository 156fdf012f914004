"""Values of JSON files, checked: each function returns what it names, or RecordError says what stands there instead.

>>> number("dealer", 3, 0, 3), names("players", None, 4)
(3, ())
"""

import json
import reprlib
from collections.abc import Mapping
from typing import Any

from euchre_env.errors import RecordError, unknown


def parse_json(text: str) -> Any:
    """Return the value of a JSON text; RecordError for anything else, a field that stands twice included."""
    try:
        return json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, RecordError) else RecordError(f"not JSON: {error}.") from error


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twin = next(name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1)
        raise RecordError(f"the field {brief(twin)!r} stands twice in one object.")
    return fields


def _no_constant(word: str) -> Any:
    raise RecordError(f"not JSON: {word} is no number.")


def shown(value: Any) -> str:
    """Return a value as it stands in a sentence, a long one shortened."""
    return reprlib.repr(value)


def brief(words: str, most: int = 60) -> str:
    """Return words, of too many the first and the last."""
    half = most // 2
    return words if len(words) <= most else f"{words[:half]}...{words[-half:]}"


def check_fields(where: str, values: Mapping[str, Any], needed: set[str], known: set[str]) -> None:
    """Raise RecordError for a field of an object that is foreign or missing; `where` opens the sentence."""
    foreign = sorted(set(values) - known)
    if foreign:
        raise RecordError(f"{where}{unknown('field', brief(foreign[0]), known)}")
    missing = sorted(needed - set(values))
    if missing:
        raise RecordError(f"{where}the field {missing[0]!r} is missing.")


def mapping(name: str, value: Any) -> dict[str, Any]:
    """Return a JSON object; RecordError for anything else."""
    if not isinstance(value, dict):
        raise RecordError(f"{name} is {shown(value)}: it must be an object.")
    return value


def items(name: str, value: Any) -> list[Any]:
    """Return a JSON list; RecordError for anything else."""
    if not isinstance(value, list):
        raise RecordError(f"{name} is {shown(value)}: it must be a list.")
    return value


def text(name: str, value: Any) -> str:
    """Return a JSON string; RecordError for anything else, and for one that no file in UTF-8 can hold."""
    if not isinstance(value, str):
        raise RecordError(f"{name} is {shown(value)}: it must be a text.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordError(f"{name} is {shown(value)}: letter {error.start + 1} is half of a character.") from error
    return value


def number(name: str, value: Any, low: int, high: int) -> int:
    """Return a whole number in a range; RecordError for anything else."""
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{name} is {shown(value)}: it must be a whole number from {low} to {high}.")
    return value


def numbers(name: str, value: Any, count: int) -> list[int]:
    """Return a list of so many whole numbers that a score can be; RecordError for anything else."""
    if len(items(name, value)) != count:
        raise RecordError(f"{name} has {len(value)} numbers: it needs {count}, one for each side.")
    return [number(f"{name}[{i}]", points, -(2**31), 2**31 - 1) for i, points in enumerate(value)]


def names(name: str, value: Any, count: int) -> tuple[str, ...]:
    """Return a name for each seat, none if there are none; RecordError for anything else."""
    if value is None:
        return ()
    if len(items(name, value)) not in (0, count):
        raise RecordError(f"{name} has {len(value)} names: it needs {count}, one for each seat.")
    return tuple(text(f"{name}[{i}]", player) for i, player in enumerate(value))
