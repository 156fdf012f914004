"""The README and the documents tell what is there: their code runs, their paths, targets and links exist."""

import re
from pathlib import Path

import pytest

from euchre_env import rulesets
from euchre_env.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
README = (ROOT / "README.md").read_text("utf-8")
SEARCH = (ROOT / "docs" / "search.md").read_text("utf-8")

# Folders that tools and programs make.
MADE = {"__pycache__", "build", "dist", "runs"}
TEXT = {"", ".cfg", ".ini", ".json", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml"}

CLAUSE = re.compile(r"\d+(\.\d+)?|Q-[A-Z]\d+")
MACHINE_PATH = re.compile(r"(?<![\w.~$})/-])/(?:work|tmp|root|home|Users|opt|mnt)/\w")
# Written so that this file does not name them.
REGISTRY_HOST = re.compile(
    "|".join((r"pypi\.", r"pythonhosted\.", r"registry\.npm", r"deb\.debian\.", r"download\.pytorch\."))
)


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def kept(path: Path) -> bool:
    """Whether a file belongs to the repository: not made by a tool, not in a dot folder other than .ci."""
    folders = path.relative_to(ROOT).parts[:-1]
    return not any(name in MADE or (name.startswith(".") and name != ".ci") for name in folders)


def repository_texts() -> list[Path]:
    paths = (path for path in ROOT.rglob("*") if path.suffix in TEXT and kept(path) and path.is_file())
    return sorted(path for path in paths if path.name != ".git")


@pytest.mark.parametrize("code", fenced(README, "python") + fenced(SEARCH, "python"))
def test_documented_python_runs(
    code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - our own README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_name_what_exists(document: Path) -> None:
    commands = "\n".join(fenced(document.read_text("utf-8"), "sh"))
    scripts = re.findall(r"(?<![\w/.-])((?:\w+/)*\w+\.(?:py|yaml|txt))\b", commands)
    modules = [
        f"{name.replace('.', '/')}.py" for name in re.findall(r"python -m ((?:agents|evaluation)[\w.]*)", commands)
    ]
    assert [path for path in [*scripts, *modules] if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    text = document.read_text("utf-8")
    named = re.findall(r"^make (\w+)", "\n".join(fenced(text, "sh")), flags=re.MULTILINE) + re.findall(
        r"`make (\w+)", text
    )
    assert set(named) <= targets


def test_readme_lists_the_catalogue() -> None:
    section = README.split("## Rulesets")[1].split("##")[0]
    assert tuple(sorted(re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE))) == rulesets.names()


@pytest.mark.parametrize("option", Ruleset.describe(), ids=lambda option: option["name"])
def test_every_option_says_its_meaning_and_clause(option: dict[str, str]) -> None:
    assert option["meaning"].endswith(".")
    assert option["clause"]
    assert all(CLAUSE.fullmatch(clause) for clause in option["clause"].split(", "))


def test_the_repository_names_no_machine_and_no_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in repository_texts()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if MACHINE_PATH.search(line) or REGISTRY_HOST.search(line)
    ]
    assert found == []
