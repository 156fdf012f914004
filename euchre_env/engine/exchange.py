"""What the dealer does with the ordered up-card (2.3, Q-N3, Q-N23)."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.alone import poll_next
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import DECLINE, HIDDEN_CARD, Phase, Upcard
from euchre_env.engine.table import has, say

_DISCARD = int(Phase.DISCARD)
_TAKEN = int(Upcard.TAKEN)
_LEFT = int(Upcard.LEFT)

# Values of Ruleset.dealer_pickup, by index.
_OPTIONAL = 0
_ANY_OF_SIX = 2


@kernel
def begin_exchange(opt: Any, s: Any) -> None:
    """2.3: the dealer takes the up-card; he is asked first if he may decline it, and skipped if he sits out."""
    dealer = s["dealer"]
    if has(s["sits_out"], dealer):
        s["upcard_state"] = _LEFT
        poll_next(opt, s)
        return
    s["phase"] = _DISCARD
    s["turn"] = dealer
    if opt["dealer_pickup"] != _OPTIONAL or s["maker"] == dealer:
        _take_up(s)


@kernel
def _take_up(s: Any) -> None:
    s["hands"][s["dealer"]] |= bit(s["upcard"])
    s["upcard_state"] = _TAKEN


@kernel
def legal_discard(opt: Any, s: Any) -> Any:
    """2.3: one of the five dealt cards; any of six, or none at all, where that was agreed (Q-N3)."""
    hand = s["hands"][s["turn"]]
    if opt["dealer_pickup"] == _ANY_OF_SIX:
        return hand
    if s["upcard_state"] == _TAKEN:
        return hand & ~bit(s["upcard"])
    return hand | bit(DECLINE)


@kernel
def apply_discard(opt: Any, s: Any, action: Any) -> None:
    """2.3: lay a card away face down, or leave the up-card; either is public, the card is not (1.8)."""
    if action == DECLINE:
        s["upcard_state"] = _LEFT
        say(s, DECLINE)
    else:
        _take_up(s)
        s["hands"][s["turn"]] &= ~bit(action)
        s["buried"][s["turn"]] |= bit(action)
        say(s, HIDDEN_CARD)
    poll_next(opt, s)
