"""The `kernel` decorator: compiled by Numba, cached on disk under a name that changes with the sources.

Numba's own cache looks at the file of the decorated function only, so an edit in a *called* module would go on serving
the old result. Here the cache folder is named by a hash of every source that the decorated function's module imports,
directly or not. With `NUMBA_DISABLE_JIT=1` kernels are the plain Python functions.
"""

import functools
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

_ROOT = Path(__file__).parents[2]
# `from a.b import c, d` and `import a.b`; the names of the first may be modules, and stand on several lines.
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+((?:euchre_env|agents|evaluation|examples|benchmarks|tests)\b[\w.]*)"
    r"(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?",
    re.M,
)
_REMARK = re.compile(r"#[^\n]*")


def _cache_root() -> Path:
    """Return a writable folder for compiled code: NUMBA_CACHE_DIR, the user's cache folder, or a temporary one."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    for folder in ([Path(named)] if named else []) + [home / "euchre_env"]:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.gettempdir()) / f"euchre_env-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


@functools.cache
def _imported(source: Path) -> tuple[Path, ...]:
    """Return the files of this checkout that a file names in its import lines."""
    found: set[Path] = set()
    for module, names in _IMPORT.findall(_REMARK.sub("", source.read_text(encoding="utf-8"))):
        base = _ROOT.joinpath(*module.split("."))
        modules = [_file(base / name) for name in re.findall(r"\w+", names)]
        # A package from which only modules come adds nothing of its own.
        found.update(filter(None, modules if modules and all(modules) else [_file(base), *modules]))
    return tuple(found)


def _file(place: Path) -> Path | None:
    """Return the source of a module or package, None if there is none."""
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()), None)


def _sources(source: Path) -> set[Path]:
    """Return a file and all that it imports, directly or not."""
    seen, due = set(), [source]
    while due:
        file = due.pop()
        if file not in seen:
            seen.add(file)
            due.extend(_imported(file))
    return seen


@functools.cache
def _cache_dir(source: Path) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for file in sorted(_sources(source)):
        digest.update(file.name.encode() + file.read_bytes())
    return str(_cache_root() / digest.hexdigest()[:16])


def _compile(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_dir(Path(function.__code__.co_filename))
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    return cast(Callable[P, R], compiled)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function without Python objects, releasing the interpreter lock while it runs."""
    return _compile(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel into its callers: for the few on the hot path, above all those that are handed arrays.

    An array is seven arguments or more and a reference count; a record is one pointer.
    """
    return _compile(function, forceinline=True)
