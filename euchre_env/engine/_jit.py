"""The `kernel` decorator: compiled by Numba, cached on disk under a name that changes with the sources.

Numba's own cache looks at the file of the decorated function only, so an edit in a *called* module would go on serving
the old result. Here the cache folder is named by a hash of every engine source and of the package of the decorated
function. With `NUMBA_DISABLE_JIT=1` kernels are the plain Python functions.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

_ENGINE = Path(__file__).parent


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
def _sources_hash(package: Path) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for source in sorted({*_ENGINE.glob("*.py"), _ENGINE.parent / "cards.py", *package.glob("*.py")}):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def _cache_dir(package: Path) -> str:
    return str(_cache_root() / _sources_hash(package))


def _compile(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _cache_dir(Path(function.__code__.co_filename).parent)
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
