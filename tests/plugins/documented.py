"""The Python of docs/plugins.md, by framework: every test file of a framework runs its section's."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def code_of(framework: str) -> list[str]:
    """Return the fenced Python blocks of a section."""
    text = (ROOT / "docs" / "plugins.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(framework)}[^\n]*\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, f"docs/plugins.md has no section {framework}"
    return re.findall(r"^```python\n(.*?)^```", found[1], flags=re.MULTILINE | re.DOTALL)


def run(code: str) -> None:
    """Run a block as a program of its own, in a folder of its own; what a framework warns of is no failure."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
