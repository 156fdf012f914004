"""Who is asked about going alone after trump is made, in which order (2.5, Q-N8, Q-N9)."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import ALONE, NONE, WITH_PARTNER, Phase
from euchre_env.engine.play import begin_play
from euchre_env.engine.table import has, left_of, loner_of, partner_of, play_alone, say, side_of

_DECLARE = int(Phase.DECLARE)

# Values of Ruleset.alone_scope, alone_timing, defend_alone and poll, by index.
NOBODY = 0
_MAKER_SIDE = 2
_AFTER_TRUMP = 0
WITH_CALL = 1
_VS_LONER = 1
_ALWAYS = 2
_MAKERS_THEN_DEFENDERS = 0
_CLOCKWISE = 1


@kernel
def _in_order(opt: Any, s: Any, place: Any) -> Any:
    """Q-N9: the seat that is asked as number `place` (0..3)."""
    maker, eldest = s["maker"], left_of(opt, s["dealer"])
    if opt["poll"] == _CLOCKWISE:
        return (eldest + place) & 3
    if place < 2:
        return maker if place == 0 else partner_of(maker)
    first = left_of(opt, maker)
    if opt["poll"] != _MAKERS_THEN_DEFENDERS and side_of(opt, eldest) != side_of(opt, maker):
        first = eldest
    elif opt["poll"] != _MAKERS_THEN_DEFENDERS:
        first = left_of(opt, eldest)
    return first if place == 2 else partner_of(first)


@kernel
def _may_declare(opt: Any, s: Any, seat: Any) -> Any:
    """2.5: not asked yet, at most one loner a side, and within the scope that was agreed."""
    side = side_of(opt, seat)
    makers = side_of(opt, s["maker"])
    if has(s["asked"], seat) or loner_of(opt, s, side) != NONE:
        return False
    if side != makers:
        if opt["defend_alone"] == _VS_LONER:
            return loner_of(opt, s, makers) != NONE
        return opt["defend_alone"] == _ALWAYS
    if seat == s["maker"]:
        return opt["alone_scope"] != NOBODY and opt["alone_timing"] == _AFTER_TRUMP
    return opt["alone_scope"] == _MAKER_SIDE


@kernel
def poll_next(opt: Any, s: Any) -> None:
    """Ask the next seat that may go alone, or begin the play."""
    for place in range(opt["num_seats"]):
        seat = _in_order(opt, s, place)
        if _may_declare(opt, s, seat):
            s["phase"] = _DECLARE
            s["turn"] = seat
            return
    begin_play(opt, s)


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
    poll_next(opt, s)
