"""Where the cards are, and whether suits are followed, at many tables at once (1.1, 1.4)."""

import numpy as np
import numpy.typing as npt

from euchre_env.cards import mask_of
from euchre_env.engine.layout import MAX_TRICKS, Phase, Upcard
from euchre_env.ruleset import Ruleset
from euchre_env.testing.rows import Records, require
from euchre_env.testing.words import SUIT_SETS, SUITS_OF


def _on_the_table(states: Records) -> npt.NDArray[np.int64]:
    """Return the up-card while it lies there, as a set: not once the dealer took it or gave it to a loner (7.5)."""
    card = np.int64(1) << np.maximum(states["upcard"], 0).astype(np.int64)
    given = np.take_along_axis(states["given"], states["dealer"].astype(np.int64)[:, None], axis=1)[:, 0]
    gone = (states["upcard_state"] == Upcard.ABSENT) | (states["upcard_state"] == Upcard.TAKEN)
    return np.where(gone | ((states["upcard_state"] == Upcard.LEFT) & (given & card != 0)), 0, card)


def check_conservation(rules: Ruleset, states: Records) -> None:
    """1.1: every card of the pack is in one place."""
    places = np.concatenate([states[name] for name in ("hands", "played", "buried")], axis=1)
    places = np.concatenate([places, states["kitty"][:, None], _on_the_table(states)[:, None]], axis=1)
    counts = np.bitwise_count(places).sum(axis=1)
    whole = (counts == rules.deck) & (np.bitwise_or.reduce(places, axis=1) == mask_of(rules.deck_ids))
    require(whole, "the cards at the table are not the pack, each once (1.1).")


def check_following(rules: Ruleset, states: Records, legal: npt.NDArray[np.int64]) -> None:
    """1.4: cards of the effective suit led, or any card if there is none, or where that only costs points (Q-X4)."""
    rows = np.arange(len(states))
    trump = states["trump"]
    hand = states["hands"][rows, states["turn"]]
    led = states["cards"][rows, np.minimum(states["trick"], MAX_TRICKS - 1), 0]
    following = hand & SUIT_SETS[trump, SUITS_OF[trump, led]]
    free = (states["in_trick"] == 0) | (following == 0) | (rules.renege == "penalty")
    right = legal == np.where(free, hand, following)
    require(right | (states["phase"] != Phase.PLAY), "the cards allowed are not those of following suit (1.4).")
