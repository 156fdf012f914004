"""The Python of docs/plugins.md, by framework: every test file of a framework runs its section's."""

import re
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[2]


def code_of(framework: str) -> list[str]:
    """Return the fenced Python blocks of a section."""
    text = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(framework)}[^\n]*\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, f"docs/plugins.md has no section {framework}"
    return re.findall(r"^```python\n(.*?)^```", found[1], flags=re.MULTILINE | re.DOTALL)


def run(code: str) -> None:
    """Run a block as a program of its own; what a framework warns of is no failure for those who use it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "plugins.md", "exec"), {"__name__": "documented"})  # noqa: S102 - our own document
