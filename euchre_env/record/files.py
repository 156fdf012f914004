"""Files of records: lines of our own (one game a line) and Euchre Game Notation, told apart by what they hold.

A file is complete or not there (`euchre_env/files.py`). One without a line holds no records.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from euchre_env.errors import RecordError
from euchre_env.files import write_whole
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
    # A name may hold what else ends a line for Python.
    lines = [(number, text) for number, text in enumerate(source.split("\n"), start=1) if text.strip()]
    if not lines:
        return []
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
    write_whole(path, "".join(line.dumps(record) + "\n" for record in records))


def write_egn(path: str | os.PathLike[str], record: Record, title: str = "") -> None:
    """Write one record as a file of Euchre Game Notation; RecordError names what the format cannot say."""
    write_whole(path, egn.dumps(record, title))
