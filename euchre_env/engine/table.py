"""Seats, sides and the public list of calls: the small questions that every phase asks."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import NONE


@kernel
def left_of(opt: Any, seat: Any) -> Any:
    """1.2: the next seat clockwise."""
    return seat + 1 if seat + 1 < opt["num_seats"] else 0


@kernel
def partner_of(seat: Any) -> Any:
    """1.2: partners sit opposite; only asked where there are partners."""
    return (seat + 2) & 3


@kernel
def side_of(opt: Any, seat: Any) -> Any:
    """1.2: a partnership, or the seat for itself."""
    return seat & 1 if opt["partners"] else seat


@kernel
def has(members: Any, index: Any) -> Any:
    """Whether a set holds a member."""
    return members >> index & 1 != 0


@kernel
def next_active(opt: Any, s: Any, seat: Any) -> Any:
    """1.5: the next seat clockwise that does not sit out."""
    seat = left_of(opt, seat)
    while has(s["sits_out"], seat):
        seat = left_of(opt, seat)
    return seat


@kernel
def say(s: Any, action: Any) -> None:
    """Write the mover's call into the public list."""
    n = s["num_calls"]
    s["calls"][n] = action
    s["call_seats"][n] = s["turn"]
    s["num_calls"] = n + 1


@kernel
def play_alone(opt: Any, s: Any, seat: Any) -> None:
    """2.5: a seat plays alone, its partner lays his cards down."""
    s["alone"] |= bit(seat)
    s["sits_out"] |= bit(partner_of(seat))


@kernel
def loner_of(opt: Any, s: Any, side: Any) -> Any:
    """Return the seat of a side that plays alone, or NONE."""
    for seat in range(opt["num_seats"]):
        if has(s["alone"], seat) and side_of(opt, seat) == side:
            return seat
    return NONE
