"""Seats, sides and the public list of calls: the small questions that every phase asks."""

from typing import Any

import numpy as np

from euchre_env.cards import JOKER, NUM_RANKS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import MAX_SEATS, NONE, Phase, Upcard

_CALL = int(Phase.CALL)
_PROPOSED = int(Upcard.PROPOSED)

# Values of Ruleset.joker_up past the four suits.
BLIND_DEALER = 4
_LOOK_DEALER = 5
SET_ASIDE = 6


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
def num_sides(opt: Any) -> Any:
    """Return how many sides score."""
    return 2 if opt["partners"] else opt["num_seats"]


@kernel
def suit_of_upcard(opt: Any, s: Any) -> Any:
    """2.2: the suit that the up-card proposes; 7.3: the joker's, where one was agreed."""
    return s["upcard"] // NUM_RANKS if s["upcard"] != JOKER else opt["joker_up"]


@kernel
def dealer_names_trump(opt: Any, s: Any) -> Any:
    """4.3: with the joker up and no suit agreed for it, there is no bidding."""
    return s["upcard"] == JOKER and opt["joker_up"] >= BLIND_DEALER


@kernel
def named_blind(opt: Any, s: Any) -> Any:
    """Q-B1: the dealer names trump before anybody looks at his cards."""
    return dealer_names_trump(opt, s) and opt["joker_up"] != _LOOK_DEALER


@kernel
def is_blind(opt: Any, s: Any) -> Any:
    """4.3: whether nobody has looked at his hand yet."""
    return s["phase"] == _CALL and s["upcard_state"] == _PROPOSED and named_blind(opt, s)


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
    """2.5: a seat plays alone, its partner lays his cards down; 5, 6: without partners it does without a dummy."""
    s["alone"] |= bit(seat)
    if opt["partners"]:
        s["sits_out"] |= bit(partner_of(seat))


@kernel
def loner_of(opt: Any, s: Any, side: Any) -> Any:
    """Return the seat of a side that plays alone, or NONE."""
    for seat in range(opt["num_seats"]):
        if has(s["alone"], seat) and side_of(opt, seat) == side:
            return seat
    return NONE


@kernel
def side_tricks(opt: Any, s: Any, side: Any) -> Any:
    """Return the tricks that a side has taken so far."""
    taken = 0
    for seat in range(opt["num_seats"]):
        if side_of(opt, seat) == side:
            taken += s["tricks"][seat]
    return taken


@kernel
def award(s: Any, side: Any, points: Any) -> None:
    """Give a side points, of this hand and of the game."""
    s["points"][side] += points
    s["scores"][side] += points
