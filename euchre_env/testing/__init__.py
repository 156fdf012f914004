"""Conformance checks that ship with the library: `check_engine` for a ruleset, `check_env` for an environment factory.

They need no test framework, print nothing and raise AssertionError with a sentence about the first thing that is wrong.

>>> from euchre_env.testing import check_engine
>>> check_engine("tournament", hands=2)
"""

from euchre_env.testing.engine import check_engine
from euchre_env.testing.environment import check_env

__all__ = ["check_engine", "check_env"]
