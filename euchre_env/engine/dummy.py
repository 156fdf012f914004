"""Dummies of games without partners: who takes which cards (5, 6, Q-H2, Q-T2)."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.table import has

# Values of Ruleset.dummy, by index.
NO_DUMMY = 0
TWO_CARD = 1
THREE_CARD = 2


@kernel
def dummy_is_due(opt: Any, s: Any, seat: Any) -> Any:
    """5, 6: the maker's, with three cards each also the other's; alone means without it."""
    if opt["dummy"] == NO_DUMMY or has(s["exchanged"], seat) or has(s["alone"], seat):
        return False
    return seat == s["maker"] or opt["dummy"] == THREE_CARD


@kernel
def dummy_place(opt: Any, seat: Any) -> Any:
    """Return where in `hands` a seat's dummy lies: after the seats."""
    return 2 + seat if opt["dummy"] == THREE_CARD else opt["num_seats"]


@kernel
def take_dummy(opt: Any, s: Any, seat: Any) -> None:
    """5, 6: a seat takes its dummy and will lay as many cards away."""
    place = dummy_place(opt, seat)
    s["hands"][seat] |= s["hands"][place]
    s["hands"][place] = 0
    s["exchanged"] |= bit(seat)
