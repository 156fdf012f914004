"""Compile what most tests call: `make check` does it beside the linters, on another core, before it runs the tests.

python -m tests.warm
"""

import numpy as np

import agents  # noqa: F401 - registers its players
from euchre_env import euchre_v0, policies, worlds
from euchre_env.batch import GameBatch
from euchre_env.views import EncodedViews

RULESET = "tournament"  # the kernels are the same for all


def walk() -> None:
    """Go through an episode of the environment."""
    env = euchre_v0.env(ruleset=RULESET, episode="hand")
    env.reset(seed=0)
    for agent in env.agent_iter():
        _, _, termination, truncation, info = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(info["action_mask"]))
    env.state()


def imagine() -> None:
    """Draw worlds of a view."""
    view = GameBatch(RULESET, 1, seed=0).views([0])
    worlds.opening(RULESET, worlds.sample(RULESET, view, 2, rng=0)[0])
    worlds.count(RULESET, view)


def play() -> None:
    """Make random and rule-based moves at a few tables."""
    batch, rng = GameBatch(RULESET, 8, seed=0, hidden=True), np.random.default_rng(0)
    for name in ("random", "rule_based"):
        views = batch.views(range(8))
        EncodedViews(RULESET, views)
        batch.step(policies.make(name, RULESET).act(views, batch.legal, rng))


def search() -> None:
    """Solve worlds for a call, a bid and a card, and answer by the learned calls."""
    rng = np.random.default_rng(0)
    for name in ("cfr_bidding:2", "pimc:2:rule_expert"):
        for ruleset in (RULESET, "cincinnati") if name.startswith("pimc") else (RULESET,):
            batch, player = GameBatch(ruleset, 2, seed=0), policies.make(name, ruleset)
            for _ in range(9):
                batch.step(player.act(batch.views(range(2)), batch.legal, rng))


if __name__ == "__main__":
    walk()
    play()
    imagine()
    search()
