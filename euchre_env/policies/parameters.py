"""The numbers of the rule-based player: one PARAMETERS record, from docs/field.md 5B or as tuned.

`field_values()` are the published numbers, with play lists of the same kind. `tuned()` reads those that
`python -m agents.baselines.tune` writes: `rule_based.json` differs from the published ones in its thresholds only,
`rule_expert.json` in everything. What the numbers do is in `hand_score.py` (bidding) and `card_play.py`.

>>> field_values()["call"][0, 0, 1].tolist()  # round two, from the dealer's left
[35.0, 35.0, 35.0, 35.0]
"""

import json
from enum import IntEnum
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt


class Use(IntEnum):
    """What a hand is scored for: each use has its own weights."""

    CALL = 0
    ALONE = 1
    DISCARD = 2


class Role(IntEnum):
    """Which play list a seat follows."""

    MAKER = 0
    PARTNER = 1  # of the maker
    DEFENDER = 2
    LONER = 3  # plays alone, on either side
    AGAINST_LONER = 4  # a defender against a lone maker


class Stage(IntEnum):
    """When a lead is due."""

    FIRST = 0  # the first trick
    MIDDLE = 1
    LAST_TWO = 2  # two cards are left


class Lead(IntEnum):
    """Kinds of card to lead; "boss": no card that is still out beats it in its suit; "long": three trumps or more."""

    TRUMP_BOSS_LONG = 0
    TRUMP_BOSS = 1
    TRUMP_LONG = 2
    TRUMP = 3
    TRUMP_DRAWN = 4  # nobody else has a trump
    BOSS_FRESH = 5  # in a side suit that was not led yet
    BOSS = 6  # in a side suit that was led, and no opponent is known to ruff it
    BOSS_RUFFED = 7  # an opponent is known to be void there and may hold a trump
    PARTNER_RUFFS = 8  # the partner is known to be void there and may hold a trump
    SINGLETON = 9  # the only card of a side suit, with a trump in hand
    NEXT = 10  # of the other suit of trump's colour
    OTHER = 11


class Follow(IntEnum):
    """What a seat that can win the trick on the table faces."""

    PARTNER_HIGH_FOLLOW = 0  # partner's card is the boss of its suit, and one can go over it in suit
    PARTNER_HIGH_RUFF = 1  # ... with a trump
    PARTNER_LOW_BOSS = 2  # partner's card can be beaten; one holds the boss
    PARTNER_LOW_FOLLOW = 3
    PARTNER_LOW_RUFF = 4
    ENEMY_BOSS = 5  # an opponent is winning a side suit; one holds its boss
    ENEMY_FOLLOW = 6
    ENEMY_RUFF = 7
    ENEMY_OVERRUFF = 8  # the opponent has ruffed
    ENEMY_TRUMP_BOSS = 9  # trump was led
    ENEMY_TRUMP_FOLLOW = 10


class Effort(IntEnum):
    """What to do about a trick that one can win."""

    DUCK = 0
    CHEAPEST = 1  # the lowest card that wins now
    TOP = 2  # the highest, or the lowest of those that are as good


PARAMETERS = np.dtype(
    [
        # The score of a hand: [use, what] weights of T M N A V (docs/field.md 5B) and of sure tricks; their values.
        ("weights", np.float64, (len(Use), 6)),
        ("trump_value", np.float64, (9,)),  # 7 8 9 T Q K A, left, right
        ("side_value", np.float64, (8,)),  # 7 8 9 T J Q K A
        ("count_value", np.float64, (6,)),  # by number of trumps
        ("aces_value", np.float64, (4,)),
        ("voids_value", np.float64, (4,)),
        # The turned card: [rank] its value, [use, place] the share that counts; place 0 is left of the dealer, 3 he.
        ("turn_value", np.float64, (8,)),
        ("turn_share", np.float64, (2, 4)),
        # Thresholds.
        ("call", np.float64, (2, 2, 4)),  # [dealer may pass or is stuck, round, place] to make trump
        ("next_bonus", np.float64, (4,)),  # [place] in round two, for the suit of the turned-down card's colour
        ("alone", np.float64, (2, 4)),  # [round, place] for the maker to play alone
        ("alone_partner", np.float64),  # for the maker's partner
        ("defend_alone", np.float64, (3, 2)),  # [how lone defenders score, maker alone or not]
        ("forced_alone", np.float64),  # to order where one must then play alone (Q-N28)
        ("forfeit", np.float64),  # below it a stuck dealer gives up the point (2.10)
        # The play lists: [role, stage, kind] the card of the highest number is led; [role] what a high rank adds to
        # that among the kinds that are no sure winners.
        ("lead", np.float64, (len(Role), len(Stage), len(Lead))),
        ("lead_rank", np.float64, (len(Role),)),
        # [role, second, third or last hand, situation] an Effort.
        ("follow", np.int8, (len(Role), 3, len(Follow))),
        # Throwing off: the card of the lowest number goes. What is added to its rank (0..7), by role.
        ("throw_boss", np.float64, (len(Role),)),  # for a boss
        ("throw_void", np.float64, (len(Role),)),  # taken off for the last card of a side suit, with a trump in hand
        ("throw_guard", np.float64, (len(Role),)),  # for the only card that guards a second-highest one
    ],
    align=True,
)

Parameters = npt.NDArray[np.void]

# Ranked kinds, best first; the tuned lists start from these.
_LEAD_LISTS = {
    Role.MAKER: (
        Lead.TRUMP_BOSS_LONG,
        Lead.TRUMP_BOSS,
        Lead.TRUMP_LONG,
        Lead.BOSS_FRESH,
        Lead.BOSS,
        Lead.TRUMP_DRAWN,
        Lead.SINGLETON,
        Lead.PARTNER_RUFFS,
        Lead.OTHER,
        Lead.NEXT,
        Lead.BOSS_RUFFED,
        Lead.TRUMP,
    ),
    Role.PARTNER: (
        Lead.TRUMP_BOSS_LONG,
        Lead.TRUMP_BOSS,
        Lead.BOSS_FRESH,
        Lead.BOSS,
        Lead.TRUMP_LONG,
        Lead.TRUMP,
        Lead.TRUMP_DRAWN,
        Lead.PARTNER_RUFFS,
        Lead.SINGLETON,
        Lead.OTHER,
        Lead.NEXT,
        Lead.BOSS_RUFFED,
    ),
    Role.DEFENDER: (
        Lead.BOSS_FRESH,
        Lead.BOSS,
        Lead.PARTNER_RUFFS,
        Lead.SINGLETON,
        Lead.NEXT,
        Lead.OTHER,
        Lead.TRUMP_DRAWN,
        Lead.BOSS_RUFFED,
        Lead.TRUMP_BOSS_LONG,
        Lead.TRUMP_LONG,
        Lead.TRUMP_BOSS,
        Lead.TRUMP,
    ),
}
_LEAD_LISTS[Role.LONER] = _LEAD_LISTS[Role.MAKER]
_LEAD_LISTS[Role.AGAINST_LONER] = _LEAD_LISTS[Role.DEFENDER]

_DUCKED = (Follow.PARTNER_HIGH_FOLLOW, Follow.PARTNER_HIGH_RUFF, Follow.PARTNER_LOW_FOLLOW, Follow.PARTNER_LOW_RUFF)
_TOPPED = (Follow.PARTNER_LOW_BOSS, Follow.ENEMY_BOSS, Follow.ENEMY_FOLLOW, Follow.ENEMY_TRUMP_BOSS)


def field_values() -> Parameters:
    """Return the published numbers of docs/field.md 5B, as an array of one PARAMETERS."""
    params = np.zeros(1, dtype=PARAMETERS)
    row = params[0]
    row["weights"] = [20.0, 7.0, 27.0, 25.0, 21.0, 0.0]
    row["trump_value"] = np.array([0, 0, 0, 0, 1, 2, 4, 7, 10]) / 24
    row["side_value"] = np.array([0, 0, 0, 0, 0, 2, 7, 10]) / 19
    row["count_value"] = [0, 0.2, 0.3, 0.65, 0.9, 1]
    row["aces_value"] = [0, 0.25, 0.6, 1]
    row["voids_value"] = [0, 0.3, 0.7, 1]
    row["turn_value"] = [5, 5, 10, 15, 50, 20, 25, 30]
    row["turn_share"] = 0.25
    row["call"] = 35
    row["alone"] = 45
    row["alone_partner"] = 60
    row["defend_alone"] = [[95, 95], [70, 70], [75, 75]]
    row["forced_alone"] = 40
    row["forfeit"] = 0
    for role, kinds in _LEAD_LISTS.items():
        for place, kind in enumerate(kinds):
            row["lead"][role, :, kind] = 10 * (len(kinds) - place)
    row["lead_rank"] = -1
    row["follow"] = Effort.CHEAPEST
    row["follow"][..., _DUCKED] = Effort.DUCK
    row["follow"][:, :2, _TOPPED] = Effort.TOP
    row["follow"][:, 2, : Follow.ENEMY_BOSS] = Effort.DUCK
    row["throw_boss"] = 10
    row["throw_void"] = 4
    row["throw_guard"] = 3
    return params


def to_dict(params: Parameters) -> dict[str, Any]:
    """Return the record as plain lists by name, for JSON."""
    return {name: params[name][0].tolist() for name in PARAMETERS.names or ()}


def from_dict(values: dict[str, Any]) -> Parameters:
    """Return the record that `to_dict` wrote; ValueError names what is missing, unknown or of another shape."""
    names = set(PARAMETERS.names or ())
    if values.keys() != names:
        raise ValueError(f"parameters {sorted(values.keys() ^ names)} are missing or unknown.")
    params = np.zeros(1, dtype=PARAMETERS)
    for name, value in values.items():
        cells = np.asarray(value)
        if cells.shape != params[name].shape[1:]:
            raise ValueError(f"parameter {name!r} has shape {cells.shape}, not {params[name].shape[1:]}.")
        params[name] = cells
    return params


@lru_cache(maxsize=2)
def _stored(player: str) -> dict[str, Any]:
    text = resources.files("euchre_env.policies").joinpath(f"{player}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def tuned(player: str = "rule_based") -> Parameters:
    """Return the committed numbers of `rule_based` or `rule_expert`."""
    return from_dict(_stored(player)["parameters"])


def provenance(player: str = "rule_based") -> dict[str, Any]:
    """Return how the committed numbers came about: seeds, pairs, commit, gains."""
    return {key: value for key, value in _stored(player).items() if key != "parameters"}
