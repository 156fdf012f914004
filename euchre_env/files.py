"""Files that are complete or not there: written under another name, flushed to the disk and renamed.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "a.txt"
...     write_whole(path, "one")
...     write_whole(path, "two")
...     path.read_text("utf-8"), len(os.listdir(folder))
('two', 1)
"""

import contextlib
import os
import secrets
import stat
from pathlib import Path


def check_place(path: str | os.PathLike[str]) -> Path:
    """Return the file that a path means, links followed; OSError says in a sentence why nothing is written there.

    A folder, a device, a pipe, or the file that the program prints to would be replaced, and its use with it.
    """
    path = Path(path)
    try:
        found = path.stat()
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(f"{path} is a folder: name a file.")
    if not stat.S_ISREG(found.st_mode) or _is_output(found):
        raise FileExistsError(f"{path} is no ordinary file: name one that may be replaced.")
    return Path(os.path.realpath(path))


def _is_output(found: os.stat_result) -> bool:
    """Whether this file is what the program prints to."""
    for stream in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(found, os.fstat(stream)):
                return True
    return False


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file that is there completely or not at all; links stay and lead to it, an earlier file's mode is kept.

    A text is written in UTF-8. OSError names the path, not the name that the file has meanwhile.
    """
    data = content.encode() if isinstance(content, str) else content
    place = check_place(path)
    try:
        _replace(place, data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    _sync_folder(place.parent)


def _replace(place: Path, data: bytes) -> None:
    kept = stat.S_IMODE(place.stat().st_mode) if place.exists() else None
    rough = place.with_name(f".{place.name}.{secrets.token_hex(4)}.tmp")
    try:
        # From the start nobody may read it who may not read the earlier file.
        with open(
            rough, "xb", opener=lambda name, flags: os.open(name, flags, 0o666 if kept is None else kept)
        ) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if kept is not None:
            rough.chmod(kept)  # what the umask took away
        rough.replace(place)
    finally:
        with contextlib.suppress(OSError):
            rough.unlink()


def _sync_folder(folder: Path) -> None:
    """Make a rename outlive a power cut, where folders can be opened."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
