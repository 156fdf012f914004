"""The cache of compiled code: an edit in a called module is never answered with the old result."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import euchre_env
from euchre_env.engine._jit import _imported

# `play_alone` of table.py calls `bit` of bits.py.
PROGRAM = """
import numpy as np
from euchre_env.engine.layout import OPTIONS, STATE
from euchre_env.engine.table import play_alone
options, states = np.ones(1, dtype=OPTIONS), np.zeros(1, dtype=STATE)
play_alone(options[0], states[0], 1)
print(int(states["alone"][0]), int(states["sits_out"][0]))
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with a copy of the library."""
    source = Path(euchre_env.__file__).parent
    shutil.copytree(source, tmp_path / "euchre_env", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(checkout: Path, program: str, **settings: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**inherited, "NUMBA_CACHE_DIR": str(checkout / "cache"), "PYTHONPATH": str(checkout), **settings}
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def folders(checkout: Path) -> set[str]:
    return {path.name for path in (checkout / "cache").iterdir()}


def test_an_edit_in_a_called_module_is_noticed(checkout: Path) -> None:
    assert run(checkout, PROGRAM) == "2 8"
    before = folders(checkout)
    assert run(checkout, PROGRAM) == "2 8"
    assert folders(checkout) == before
    bits = checkout / "euchre_env" / "engine" / "bits.py"
    text = bits.read_text("utf-8")
    assert "return np.int64(1) << np.int64(index)" in text
    bits.write_text(text.replace("return np.int64(1) <<", "return np.int64(4) <<"), "utf-8")
    assert run(checkout, PROGRAM) == "8 32"
    # Both modules are compiled anew: the one that was edited, and the one that calls it.
    assert len(folders(checkout) - before) == len(before) == 2


def test_an_edit_elsewhere_compiles_nothing_anew(checkout: Path) -> None:
    run(checkout, PROGRAM)
    before = folders(checkout)
    for name in ("engine/score.py", "batch.py", "__init__.py"):
        with (checkout / "euchre_env" / name).open("a", encoding="utf-8") as file:
            file.write("\n# a remark\n")
    run(checkout, PROGRAM)
    assert folders(checkout) == before


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from euchre_env import batch, single\n", {"batch.py", "single.py"}),
        ("from euchre_env import (\n    batch,\n    Game,\n)\n", {"batch.py", "__init__.py"}),
        ("import euchre_env.batch as b\n", {"batch.py"}),
        ("def f():\n    from euchre_env.policies import Policy\n", {"__init__.py"}),
        ("import numpy\n>>> from euchre_env import batch\n", set()),
    ],
)
def test_imports_are_found(tmp_path: Path, line: str, found: set[str]) -> None:
    source = tmp_path / "module.py"
    source.write_text(line, "utf-8")
    assert {path.name for path in _imported(source)} == found


def test_the_second_start_reads_the_cache(checkout: Path) -> None:
    run(checkout, PROGRAM)
    compiled = {path: path.stat().st_mtime_ns for path in (checkout / "cache").rglob("*.nbc")}
    assert compiled
    run(checkout, PROGRAM)
    assert {path: path.stat().st_mtime_ns for path in (checkout / "cache").rglob("*.nbc")} == compiled


def test_plain_python_writes_no_cache(checkout: Path) -> None:
    assert run(checkout, PROGRAM, NUMBA_DISABLE_JIT="1") == "2 8"
    assert not list((checkout / "cache").rglob("*.nb?"))


def test_a_cache_folder_that_cannot_be_written_is_passed_over(checkout: Path) -> None:
    blocked = checkout / "file"
    blocked.write_text("no folder", "utf-8")
    settings = {"NUMBA_CACHE_DIR": str(blocked / "cache"), "XDG_CACHE_HOME": str(checkout / "home")}
    assert run(checkout, PROGRAM, **settings) == "2 8"
    assert list((checkout / "home" / "euchre_env").iterdir())
