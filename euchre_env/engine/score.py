"""The points of a hand and the end of a game (2.7, 2.8)."""

from typing import Any

from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import NONE, Phase
from euchre_env.engine.table import loner_of, side_of

# Values of Ruleset.lone_defender_scoring, by index.
_S004 = 0
_FOUR_FOR_THREE = 1

_DEAL = int(Phase.DEAL)
_OVER = int(Phase.OVER)


@kernel
def makers_tricks(opt: Any, s: Any) -> Any:
    """Return the tricks that the makers' side has taken so far."""
    side = side_of(opt, s["maker"])
    taken = 0
    for seat in range(opt["num_seats"]):
        if side_of(opt, seat) == side:
            taken += s["tricks"][seat]
    return taken


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
    low = makers_tricks(opt, s)
    points = makers_points(opt, s, low)
    for made in range(low + 1, low + opt["hand_size"] - s["trick"] + 1):
        if makers_points(opt, s, made) != points:
            return False
    return True


@kernel
def _num_sides(opt: Any) -> Any:
    return 2 if opt["partners"] else opt["num_seats"]


@kernel
def end_hand(opt: Any, s: Any) -> None:
    """Add up a hand whose `points` are written, pass the deal to the left (Q-X1), end the game at the target (2.8)."""
    s["hand"] += 1
    s["redeal"] = 0
    s["turn"] = NONE
    s["phase"] = _DEAL
    s["next_dealer"] = (s["dealer"] + 1) % opt["num_seats"]
    for side in range(_num_sides(opt)):
        s["scores"][side] += s["points"][side]
        if s["scores"][side] >= opt["target"]:
            s["winner"] = side
            s["phase"] = _OVER


@kernel
def score_hand(opt: Any, s: Any) -> None:
    """2.7: score a hand that was played."""
    points = makers_points(opt, s, makers_tricks(opt, s))
    makers = side_of(opt, s["maker"])
    for side in range(_num_sides(opt)):
        if side == makers:
            s["points"][side] = max(points, 0)
        else:
            s["points"][side] = max(-points, 0)
    end_hand(opt, s)
