"""What a bid scores, made or failed (8.5, 9.6)."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import MOON, MOON_STAKES
from euchre_env.engine.table import award, num_sides, side_of, side_tricks

# Values of Ruleset.moon_fail and defenders_score_tricks, by index.
_STAKE = 0
_ALWAYS = 0
_ONLY_IF_BID_MADE = 1

# By bid, layout.BID_NAMES: what must be taken.
_NEEDED = np.array([3, 4, 5, 6, 6, 6, 6, 6], dtype=np.int8)
_LADDER = np.array(MOON_STAKES, dtype=np.int8)


@kernel
def is_made(opt: Any, s: Any) -> Any:
    """8.5: whether the bidding side took what it bid."""
    return side_tricks(opt, s, side_of(opt, s["maker"])) >= _NEEDED[s["bid"]]


@kernel
def _stake(opt: Any, s: Any) -> Any:
    """8.5: the points of the standing moon."""
    return opt["moon_points"] if s["bid"] == MOON else _LADDER[s["bid"] - MOON]


@kernel
def bidders_points(opt: Any, s: Any) -> Any:
    """8.5, 9.6: all tricks for a bid made, a moon its stake; a failed bid costs what was bid."""
    taken = side_tricks(opt, s, side_of(opt, s["maker"]))
    moon = s["bid"] >= MOON
    if is_made(opt, s):
        if not moon:
            return taken
        return _stake(opt, s) + (taken if opt["moon_adds_tricks"] else 0)
    price = _stake(opt, s) if moon and opt["moon_fail"] == _STAKE else _NEEDED[s["bid"]]
    return (taken if opt["set_bidder_keeps_tricks"] else 0) - price


@kernel
def _defenders_score(opt: Any, s: Any) -> Any:
    """Q-C2: whether the tricks of those who did not bid count."""
    rule = opt["defenders_score_tricks"]
    return rule == _ALWAYS or (rule == _ONLY_IF_BID_MADE and is_made(opt, s))


@kernel
def score_bid(opt: Any, s: Any) -> None:
    """8.5, 9.6: points for bidder and others."""
    bidder = side_of(opt, s["maker"])
    for side in range(num_sides(opt)):
        if side == bidder:
            award(s, side, bidders_points(opt, s))
        elif _defenders_score(opt, s):
            award(s, side, side_tricks(opt, s, side))
