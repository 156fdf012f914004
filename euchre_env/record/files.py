"""Files of records: lines of our own (one game a line) and Euchre Game Notation, told apart by what they hold.

A file is complete or not there: it is written under another name and renamed.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from euchre_env.errors import RecordError
from euchre_env.record import egn, line
from euchre_env.record.games import Record


def read(path: str | os.PathLike[str]) -> list[Record]:
    """Return the records in a file; RecordError says what in it is wrong, OSError that it cannot be read."""
    try:
        source = Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"not a text in UTF-8: {error.reason} at byte {error.start}.") from error
    return loads(source)


def loads(source: str) -> list[Record]:
    """Return the records in the text of a file; RecordError says what in it is wrong."""
    lines = [(number, text) for number, text in enumerate(source.splitlines(), start=1) if text.strip()]
    if not lines:
        raise RecordError("the file is empty.")
    if not _is_object(lines[0][1]) or f'"{line.SIGNATURE}"' not in lines[0][1]:
        return [egn.loads(source)]
    return [_line(number, text) for number, text in lines]


def _is_object(text: str) -> bool:
    """Whether a line is a JSON object on its own."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _line(number: int, text: str) -> Record:
    try:
        return line.loads(text)
    except RecordError as error:
        raise RecordError(f"line {number}: {error}") from error


def write(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records as lines of our own, one game a line."""
    _replace(Path(path), "".join(line.dumps(record) + "\n" for record in records))


def write_egn(path: str | os.PathLike[str], record: Record, title: str = "") -> None:
    """Write one record as a file of Euchre Game Notation; RecordError names what the format cannot say."""
    _replace(Path(path), egn.dumps(record, title))


def _replace(path: Path, text: str) -> None:
    rough = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        rough.write_text(text, "utf-8")
        rough.replace(path)
    finally:
        rough.unlink(missing_ok=True)
