"""The auction: bids of tricks and moons, the ghost hand, and naming trump (8.2, 8.3, 9.3, 9.4, 10.1)."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import BID, CALL, MOON, NONE, NUM_BIDS, PASS, SWAP, Phase
from euchre_env.engine.opening import WITH_TRUMP
from euchre_env.engine.play import begin_play
from euchre_env.engine.score import throw_in
from euchre_env.engine.table import left_of, play_alone, say, side_of
from euchre_env.engine.turn_up import no_trumps

_BID = int(Phase.BID)
_NAME_TRUMP = int(Phase.NAME_TRUMP)

# Values of Ruleset.moon_ladder, forced_dealer and swap, by index.
_SINGLE = 0
_FREE = 2
_MAY_PASS = 0
_EXACTLY_MIN = 2
_OWN_TURN = 1

_SIX = 3
_FOUR_SUITS = np.int64(0xF) << np.int64(CALL)


@kernel
def _higher_bids(opt: Any, s: Any) -> Any:
    """8.2: the bids above the standing one, as a set of indices; a moon is doubled step by step (Q-C5)."""
    standing = s["bid"]
    top = NUM_BIDS - 1
    if opt["moon_ladder"] == _SINGLE:
        top = MOON
    elif opt["moon_ladder"] != _FREE:
        top = max(MOON, standing + 1)
    higher = (bit(top + 1) - 1) & ~(bit(standing + 1) - 1) & (bit(NUM_BIDS) - 1)
    return higher if opt["six_bid"] else higher & ~bit(_SIX)


@kernel
def _is_forced(opt: Any, s: Any) -> Any:
    """8.2: the dealer, when all others have passed."""
    return opt["forced_dealer"] != _MAY_PASS and s["turn"] == s["dealer"] and s["bid"] == NONE


@kernel
def _own_moon_stands(opt: Any, s: Any) -> Any:
    """Q-C6: whether a partner's moon stands, where that may not be doubled."""
    return not opt["overbid_partner"] and s["bid"] >= MOON and side_of(opt, s["maker"]) == side_of(opt, s["turn"])


@kernel
def legal_bid(opt: Any, s: Any) -> Any:
    """8.2, 9.3: pass, a higher bid, or first the ghost hand if nobody has taken it."""
    if _is_forced(opt, s):
        legal = bit(BID) if opt["forced_dealer"] == _EXACTLY_MIN else _higher_bids(opt, s) << np.int64(BID)
    elif _own_moon_stands(opt, s):
        legal = bit(PASS)
    else:
        legal = bit(PASS) | _higher_bids(opt, s) << np.int64(BID)
    return legal | bit(SWAP) if opt["swap"] == _OWN_TURN and s["swapped_by"] == NONE else legal


@kernel
def apply_bid(opt: Any, s: Any, action: Any) -> None:
    """8.2, 9.3: one call each; with a bid of 10.1 its trump is named at once."""
    say(s, action)
    seat = s["turn"]
    if action == SWAP:
        _swap(opt, s, seat)
        return
    if action == PASS:
        s["bids"][seat] = 0
        _next_bidder(opt, s)
        return
    s["bid"] = action - BID
    s["bids"][seat] = 1 + action - BID
    s["maker"] = seat
    if opt["auction"] == WITH_TRUMP:
        s["phase"] = _NAME_TRUMP
    else:
        _next_bidder(opt, s)


@kernel
def _swap(opt: Any, s: Any, seat: Any) -> None:
    """9.3: the whole hand for the ghost's; the old cards are dead."""
    ghost = opt["num_seats"]
    s["buried"][seat] |= s["hands"][seat]
    s["hands"][seat] = s["hands"][ghost]
    s["hands"][ghost] = 0
    s["swapped_by"] = seat


@kernel
def _next_bidder(opt: Any, s: Any) -> None:
    """8.2: one round; over at once when nothing higher is left (9.3, Q-G10)."""
    after = left_of(opt, s["turn"])
    if s["bids"][after] == NONE and _higher_bids(opt, s) != 0:
        s["turn"] = after
        s["phase"] = _BID
    elif s["maker"] == NONE:
        throw_in(opt, s)
    elif opt["auction"] == WITH_TRUMP:
        _begin(opt, s)
    else:
        s["turn"] = s["maker"]
        s["phase"] = _NAME_TRUMP


@kernel
def legal_name(opt: Any, s: Any) -> Any:
    """8.3, 9.4: a suit, or no-trump where agreed."""
    return _FOUR_SUITS | no_trumps(opt)


@kernel
def apply_name(opt: Any, s: Any, action: Any) -> None:
    """8.3, 9.4, 10.1."""
    say(s, action)
    s["trump"] = action - CALL
    if opt["auction"] == WITH_TRUMP:
        s["named"][s["turn"]] = action - CALL
        _next_bidder(opt, s)
    else:
        _begin(opt, s)


@kernel
def _begin(opt: Any, s: Any) -> None:
    """8.4: a moon is played alone, by a bidder who has a partner."""
    if s["bid"] >= MOON and opt["partners"]:
        play_alone(opt, s, s["maker"])
    begin_play(opt, s)
