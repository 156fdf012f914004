"""The points of a hand with an up-card (2.7), and closing a hand.

Auctions score in `stakes.py`, games end in `game_end.py`.
"""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.game_end import settle_game
from euchre_env.engine.layout import NONE, Phase
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.stakes import score_bid
from euchre_env.engine.table import award, left_of, loner_of, num_sides, side_of, side_tricks

# Values of Ruleset.lone_defender_scoring and passed_out, by index.
_S004 = 0
_FOUR_FOR_THREE = 1
_SAME_DEALER = 1

_DEAL = int(Phase.DEAL)
_OVER = int(Phase.OVER)


@kernel
def _euchre_points(opt: Any, s: Any, made: Any) -> Any:
    """2.7, the last column; where two options apply, the higher counts."""
    makers_alone = loner_of(opt, s, side_of(opt, s["maker"])) != NONE
    lone_defender = s["alone"] != 0 and (not makers_alone or s["alone"] & (s["alone"] - 1) != 0)
    points = 2
    if made == 0:
        points = max(points, opt["super_euchre_points"])
    if makers_alone and not lone_defender:
        points = max(points, opt["lone_euchre_points"])
    if lone_defender:
        points = max(points, _lone_defender_points(opt, made))
    return points


@kernel
def _lone_defender_points(opt: Any, made: Any) -> Any:
    """Q-N13: what a lone defender scores for a euchre."""
    if opt["lone_defender_scoring"] == _S004:
        return 4 if made == 0 else 2
    return 4 if opt["lone_defender_scoring"] == _FOUR_FOR_THREE else 3


@kernel
def makers_points(opt: Any, s: Any, made: Any) -> Any:
    """2.7: points for the makers who took `made` tricks; below zero, what each other side scores."""
    if made < opt["hand_size"] // 2 + 1:
        return -_euchre_points(opt, s, made)
    if made < opt["hand_size"]:
        return 1
    alone = loner_of(opt, s, side_of(opt, s["maker"])) != NONE
    return opt["loner_march_points"] if alone else opt["march_points"]


@kernel
def is_decided(opt: Any, s: Any) -> Any:
    """Q-X3: no remaining trick can change the points."""
    low = side_tricks(opt, s, side_of(opt, s["maker"]))
    points = makers_points(opt, s, low)
    for made in range(low + 1, low + opt["hand_size"] - s["trick"] + 1):
        if makers_points(opt, s, made) != points:
            return False
    return True


@kernel
def _close_hand(opt: Any, s: Any) -> None:
    """Q-X1: the deal passes to the left."""
    s["hand"] += 1
    s["redeal"] = 0
    s["turn"] = NONE
    s["phase"] = _DEAL
    s["next_dealer"] = left_of(opt, s["dealer"])


@kernel
def throw_in(opt: Any, s: Any) -> None:
    """2.4, 9.3: all have passed, nothing is decided; Q-N6: the next player deals, or the same where agreed."""
    _close_hand(opt, s)
    if opt["passed_out"] == _SAME_DEALER:
        s["next_dealer"] = s["dealer"]


@kernel
def end_hand(opt: Any, s: Any) -> None:
    """Close a hand whose points are given, and perhaps the game."""
    _close_hand(opt, s)
    settle_game(opt, s)
    if s["winners"] != 0:
        s["phase"] = _OVER


@kernel
def score_hand(opt: Any, s: Any) -> None:
    """2.7, 8.5, 9.6: score a hand that was played."""
    if opt["auction"] != NO_AUCTION:
        score_bid(opt, s)
    else:
        points = makers_points(opt, s, side_tricks(opt, s, side_of(opt, s["maker"])))
        makers = side_of(opt, s["maker"])
        for side in range(num_sides(opt)):
            award(s, side, max(points, 0) if side == makers else max(-points, 0))
    end_hand(opt, s)
