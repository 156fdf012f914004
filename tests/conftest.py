"""What every test runs under: no window, no greeting of pygame, the same Hypothesis examples in every run.

Helpers of one kind of test live beside those tests.
"""

import os

from hypothesis import settings

from tests.plugins.frameworks import absent

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# A shared machine is slow at times: the number of examples bounds a test, not the clock.
settings.register_profile("default", deadline=None, derandomize=True, database=None)
# `pytest --hypothesis-profile=search` looks for new failures.
settings.register_profile("search", deadline=None, max_examples=2_000)
settings.load_profile("default")


def pytest_report_header() -> list[str]:
    """Say which frameworks are not tested in this environment."""
    return [f"not in this environment: {', '.join(absent())} (make test-plugins)"] if absent() else []
