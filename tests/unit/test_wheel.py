"""The wheel holds `euchre_env` alone, and its conformance kit passes in an empty environment without torch."""

import os
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "euchre_env"

# Runs isolated (-I), so that nothing of the checkout is importable but what was installed.
KIT = """
import importlib.util
import os
from euchre_env import euchre_v0, testing

assert not any(importlib.util.find_spec(name) for name in ("torch", "agents", "evaluation", "pytest", "pygame"))
testing.check_engine("tournament", hands=int(os.environ.get("HANDS", 100)))
testing.check_env(lambda: euchre_v0.env(ruleset="tournament", episode="hand"))
print(euchre_v0.__file__)
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT, cwd=folder)
    return next(folder.glob("euchre_env-*.whl"))


def test_it_holds_the_library_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"euchre_env"}
    sources = [path for path in LIBRARY.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.relative_to(ROOT).as_posix() for path in sources} == {n for n in names if n.startswith("euchre_env/")}
    assert "euchre_env/py.typed" in names


def test_its_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(archive.read(name))
    assert (metadata["Name"], metadata["License-Expression"]) == ("euchre-env", "MIT")
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert {line.split(">")[0] for line in needed} == {"gymnasium", "numba", "numpy", "pettingzoo"}


def check_kit(wheel: Path, constraints: Path, folder: Path, **settings: str) -> None:
    """Install the wheel into a new environment under `folder` and run its kit there."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    [python] = [*folder.glob("venv/bin/python"), *folder.glob("venv/Scripts/python.exe")]
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--quiet", "-c", constraints, wheel, cwd=folder)
    output = run(python, "-c", KIT, cwd=folder, **settings)
    assert Path(output.splitlines()[-1]).is_relative_to(folder)


@pytest.mark.network
def test_the_kit_passes_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """In plain Python: compiling it once more would take a minute."""
    check_kit(wheel, ROOT / "constraints.txt", tmp_path, NUMBA_DISABLE_JIT="1", HANDS="2")


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the oldest Numba is older than this Python")
def test_the_kit_passes_with_the_oldest_versions(wheel: Path, tmp_path: Path) -> None:
    """The ranges of pyproject.toml are honest at their lower ends."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = tmp_path / "oldest.txt"
    oldest.write_text("\n".join(line.replace(">=", "==") for line in project["dependencies"]), "utf-8")
    check_kit(wheel, oldest, tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
