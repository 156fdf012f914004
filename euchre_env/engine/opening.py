"""From the deal to the first call: claims with a farmer's hand (Q-N22), then an up-card (2.3, 4.3) or an auction."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import Phase
from euchre_env.engine.table import dealer_names_trump, left_of

_CLAIM = int(Phase.CLAIM)
_ORDER_UP = int(Phase.ORDER_UP)
_CALL = int(Phase.CALL)
_BID = int(Phase.BID)

# Values of Ruleset.auction, farmers_hand and first_bidder, by index.
NO_AUCTION = 0
WITH_TRUMP = 2
_NO_CLAIMS = 0
_DEALER_FIRST = 1


@kernel
def begin_bidding(opt: Any, s: Any) -> None:
    """2.3: the seat left of the dealer speaks first; no claim goes before a call for the joker (Q-B1)."""
    s["turn"] = left_of(opt, s["dealer"])
    if opt["farmers_hand"] != _NO_CLAIMS and not dealer_names_trump(opt, s):
        s["phase"] = _CLAIM
    else:
        open_calls(opt, s)


@kernel
def next_claim(opt: Any, s: Any) -> None:
    """Q-N22: ask the next seat, after the dealer begin the calls."""
    seat = s["turn"]
    s["turn"] = left_of(opt, seat)
    s["phase"] = _CLAIM
    if seat == s["dealer"]:
        open_calls(opt, s)


@kernel
def open_calls(opt: Any, s: Any) -> None:
    """Give the first call: left of the dealer, or to the dealer who names trump for the joker (4.3)."""
    s["turn"] = left_of(opt, s["dealer"])
    s["phase"] = _ORDER_UP
    if opt["auction"] != NO_AUCTION:
        s["phase"] = _BID
        if opt["first_bidder"] == _DEALER_FIRST:
            s["turn"] = s["dealer"]
    elif dealer_names_trump(opt, s):
        s["phase"] = _CALL
        s["turn"] = s["dealer"]
