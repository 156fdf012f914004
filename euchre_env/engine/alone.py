"""Between making trump and play: who is asked about going alone, in which order (2.5, Q-N8, Q-N9), and what follows.

A loner may get his partner's best card (7.5), a maker without partner takes his dummy (5, 6).
"""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.dummy import NO_DUMMY, dummy_is_due, take_dummy
from euchre_env.engine.layout import ALONE, NONE, WITH_PARTNER, Phase, Purpose
from euchre_env.engine.play import begin_play
from euchre_env.engine.table import has, left_of, loner_of, named_blind, partner_of, play_alone, say, side_of

_DISCARD = int(Phase.DISCARD)
_DECLARE = int(Phase.DECLARE)
_SWAP = int(Phase.SWAP)
_DUMMY = int(Purpose.DUMMY)
_BEST = int(Purpose.BEST)

# Values of Ruleset.alone_scope, alone_timing, defend_alone, poll and best_exchange, by index.
NOBODY = 0
_MAKER_SIDE = 2
_AFTER_TRUMP = 0
WITH_CALL = 1
_VS_LONER = 1
_ALWAYS = 2
_MAKERS_THEN_DEFENDERS = 0
_CLOCKWISE = 1
_NO_EXCHANGE = 0
_RECEIVE_FIRST = 2


@kernel
def _in_order(opt: Any, s: Any, place: Any) -> Any:
    """Q-N9: the seat that is asked as number `place`; among single seats the maker, then clockwise."""
    maker, eldest = s["maker"], left_of(opt, s["dealer"])
    if opt["poll"] == _CLOCKWISE:
        return (eldest + place) % opt["num_seats"]
    if not opt["partners"]:
        return (maker + place) % opt["num_seats"]
    if place < 2:
        return maker if place == 0 else partner_of(maker)
    first = left_of(opt, maker)
    if opt["poll"] != _MAKERS_THEN_DEFENDERS and side_of(opt, eldest) != side_of(opt, maker):
        first = eldest
    elif opt["poll"] != _MAKERS_THEN_DEFENDERS:
        first = left_of(opt, eldest)
    return first if place == 2 else partner_of(first)


@kernel
def may_declare(opt: Any, s: Any, seat: Any) -> Any:
    """2.5: not asked yet, at most one loner a side, within the agreed scope; after a blind call in any case (Q-B1)."""
    side = side_of(opt, seat)
    makers = side_of(opt, s["maker"])
    if has(s["asked"], seat) or loner_of(opt, s, side) != NONE:
        return False
    if side != makers:
        if opt["defend_alone"] == _VS_LONER:
            return loner_of(opt, s, makers) != NONE
        return opt["defend_alone"] == _ALWAYS
    if seat == s["maker"]:
        return opt["alone_scope"] != NOBODY and (opt["alone_timing"] == _AFTER_TRUMP or named_blind(opt, s))
    return opt["alone_scope"] == _MAKER_SIDE


@kernel
def go_on(opt: Any, s: Any) -> None:
    """Ask the next seat of which something is due before play, or begin the play."""
    if _ask_for_best(opt, s) or _ask_to_declare(opt, s) or _give_dummy(opt, s):
        return
    begin_play(opt, s)


@kernel
def _ask_for_best(opt: Any, s: Any) -> Any:
    """7.5: a loner settles his exchange before anybody else is asked."""
    if opt["best_exchange"] == _NO_EXCHANGE:
        return False
    for seat in range(opt["num_seats"]):
        if has(s["alone"], seat) and not has(s["exchanged"], seat):
            s["phase"] = _SWAP if opt["best_exchange"] == _RECEIVE_FIRST else _DISCARD
            s["discards_for"] = _BEST
            s["turn"] = seat
            return True
    return False


@kernel
def _ask_to_declare(opt: Any, s: Any) -> Any:
    """2.5: ask the next seat that may go alone."""
    for place in range(opt["num_seats"]):
        seat = _in_order(opt, s, place)
        if may_declare(opt, s, seat):
            s["phase"] = _DECLARE
            s["turn"] = seat
            return True
    return False


@kernel
def _give_dummy(opt: Any, s: Any) -> Any:
    """5, 6: the maker takes his dummy first."""
    if opt["dummy"] == NO_DUMMY:
        return False
    for place in range(opt["num_seats"]):
        seat = (s["maker"] + place) % opt["num_seats"]
        if dummy_is_due(opt, s, seat):
            take_dummy(opt, s, seat)
            s["phase"] = _DISCARD
            s["discards_for"] = _DUMMY
            s["turn"] = seat
            return True
    return False


@kernel
def legal_declare(opt: Any, s: Any) -> Any:
    """2.5."""
    return bit(ALONE) | bit(WITH_PARTNER)


@kernel
def apply_declare(opt: Any, s: Any, action: Any) -> None:
    """2.5: a loner's partner is not asked."""
    say(s, action)
    if action == ALONE:
        play_alone(opt, s, s["turn"])
    else:
        s["asked"] |= bit(s["turn"])
    go_on(opt, s)
