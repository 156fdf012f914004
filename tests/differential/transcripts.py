"""Print a digest of everything that some games show: the same compiled and in plain Python.

NUMBA_DISABLE_JIT=1 python -m tests.differential.transcripts
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from euchre_env.batch import GameBatch
from euchre_env.engine.layout import STATE
from euchre_env.ruleset import Ruleset
from tests.rules.houses import CATALOGUE, mixes
from tests.rules.many import sample

TABLES = 4


def reward_of(rules: Ruleset) -> str:
    """Return "equity", but where its table takes plain Python minutes: long games, three sides."""
    return "equity" if rules.auction == "off" and rules.num_sides == 2 else "zero_sum"


def settings() -> Iterator[tuple[Ruleset, dict[str, Any]]]:
    """Yield rulesets and how they are played."""
    for rules in CATALOGUE:
        yield rules, {"reward": "zero_sum", "hidden": True}
        yield rules, {"reward": reward_of(rules), "canonical_suits": True, "skip_forced": True}
    for number, (_, rules) in enumerate(mixes(30, seed=5)):
        yield rules, {"reward": "score", "canonical_suits": number % 2 == 0}


def digest() -> str:
    """Return the digest; records are read by field, since the bytes between fields mean nothing."""
    told = hashlib.sha256()
    for seed, (rules, how) in enumerate(settings()):
        rng = np.random.default_rng(seed)
        batch = GameBatch(rules, TABLES, seed=seed, autoreset=False, **how)
        while batch.legal.any():
            for array in (batch.turn, batch.legal, batch.observations, batch.hidden, batch.rewards, batch.dones):
                told.update(np.ascontiguousarray(array).tobytes())
            batch.step(sample(batch, rng))
        for name in STATE.names or ():
            told.update(np.ascontiguousarray(batch.finished[name]).tobytes())
    return told.hexdigest()


if __name__ == "__main__":
    print(digest())
