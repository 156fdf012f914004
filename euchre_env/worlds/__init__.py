"""Worlds: full records that are consistent with what a seat knows, drawn uniformly, and the deals that lead to them.

A world of a view is a STATE record that hides again to that view (`engine.observe.hide`) and to which some deal and
some legal actions lead. Each world is as likely as any other: every assignment of the unseen cards to the other hands,
dummies and the ghost hand, the kitty, what others laid away and what they passed each other counts once, whatever
number of ways lead to it. All that the rules prove is used: how many cards lie where, suits not followed and since
when, the card that the dealer took up, what the seat itself laid away, gave or got, a farmer's hand that was claimed, a
natural trump that a call needed, a charged renege. What a choice merely makes likely is not: that is for weights.

>>> from euchre_env.batch import GameBatch
>>> batch = GameBatch("tournament", 1, seed=0)
>>> view = batch.views([0])
>>> worlds = sample("tournament", view, 3, rng=0)
>>> count("tournament", view), len(opening("tournament", worlds[0]).deck)
(617512896, 24)
"""

from euchre_env.worlds.history import Opening, opening, replay
from euchre_env.worlds.sampling import count, draw, sample

__all__ = ["Opening", "count", "draw", "opening", "replay", "sample"]
