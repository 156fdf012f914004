"""Which frameworks are tested in this environment: those of the `test` extra always, the others where they are.

These have environments of their own, which `make test-plugins` builds.
"""

from importlib.util import find_spec

# Framework, as in `test_<framework>.py` -> the module that it is imported as.
ELSEWHERE = {"agilerl": "agilerl", "rllib": "ray"}


def absent() -> list[str]:
    """Return the frameworks that are tested elsewhere."""
    return [name for name, module in ELSEWHERE.items() if find_spec(module) is None]
