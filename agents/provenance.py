"""Where numbers come from: the commit that checkpoints, tuned players, results and benchmarks name.

>>> isinstance(commit(), str)
True
"""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commit() -> str:
    """Return the checkout's commit, with a plus where files differ from it; 'unknown' outside a checkout."""
    command = ["git", "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"
