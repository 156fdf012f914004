"""Seats, sides and the public list of calls: the small questions that every phase asks."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import MAX_SEATS, NONE


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


def _next_active(num_seats: int, sits_out: int, seat: int) -> int:
    clockwise = [(seat + step) % num_seats for step in range(1, num_seats + 1)] if num_seats else []
    return next((other for other in clockwise if not sits_out >> other & 1), NONE)


# [seats, set that sits out, seat]: a table, since a mispredicted branch costs more than the rest of a step.
_NEXT_ACTIVE = np.array(
    [
        [[_next_active(n, out, seat) for seat in range(MAX_SEATS)] for out in range(1 << MAX_SEATS)]
        for n in range(MAX_SEATS + 1)
    ],
    dtype=np.int8,
)


@kernel
def next_active(opt: Any, s: Any, seat: Any) -> Any:
    """1.5: the next seat clockwise that does not sit out."""
    return _NEXT_ACTIVE[opt["num_seats"], s["sits_out"], seat]


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
