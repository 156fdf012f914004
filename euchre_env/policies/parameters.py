"""The numbers of the rule-based player: one PARAMETERS record, from docs/field.md 5B or as tuned.

`field_values()` are the published numbers, with play lists of the same kind. `tuned()` reads those that
`python -m agents.baselines.tune` writes: `rule_based.json` differs from the published ones in its thresholds only,
`rule_expert.json` in everything. A file has one whole record, for partnerships over an up-card, and for each other kind
of game (`game_of`) what differs there. What the numbers do is in `hand_score.py` and `estimate.py` (bidding) and
`card_play.py`.

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

from euchre_env.engine.layout import MAX_SEATS
from euchre_env.ruleset import Ruleset


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
    """Kinds of card to lead; "long": three trumps or more.

    "Boss": no card that is still out beats it in its suit, or so few that the player counts it as one.
    """

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


class Form(IntEnum):
    """Who plays against whom."""

    PAIR = 0  # with a partner against two
    TWO = 1  # alone against two
    ONE = 2  # against one
    MOON = 3  # alone against all in an auction, for every trick


class Standing(IntEnum):
    """Whose bid stands."""

    NOBODY = 0
    OWN = 1  # the partner's
    OTHER = 2


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
        # The estimate of tricks (estimate.py), by form: what a hand takes without, what its cards add, and how steeply
        # the chance of so many tricks rises with it.
        ("tricks_base", np.float64, (len(Form),)),
        ("tricks_trump", np.float64, (len(Form), 5)),  # by the number of higher trumps elsewhere, four and more alike
        ("tricks_beyond_three", np.float64, (len(Form),)),  # each trump after the third: the tricks run out
        ("tricks_void", np.float64, (len(Form),)),
        ("tricks_boss", np.float64, (len(Form),)),  # nothing elsewhere beats it in its side suit
        ("tricks_boss_alone", np.float64, (len(Form),)),  # more if it is the only card of its suit
        ("tricks_second", np.float64, (len(Form),)),  # one card elsewhere beats it
        ("tricks_no_trump", np.float64, (len(Form), 4)),  # at no-trump: the hand, boss, second, any other card
        ("steep", np.float64, (len(Form),)),
        ("win", np.float64),  # what winning the game is worth beside the points
        # Trump made by that estimate (single_calls.py).
        ("call_from", np.float64, (2, MAX_SEATS)),  # [round, place] net points that a call must promise
        ("give_up_from", np.float64),  # the same of giving up the point (2.10)
        (
            "next_tricks",
            np.float64,
            (MAX_SEATS,),
        ),  # [place] in round two, for the suit of the turned-down card's colour
        ("to_rival", np.float64),  # the share of an ordered card's tricks that it takes from another than the dealer
        ("dummy_tricks", np.float64, (4,)),  # [dummy] what its cards add
        # Auctions (auction_calls.py).
        ("pass_value", np.float64, (len(Standing), MAX_SEATS)),  # [whose bid stands, place] net points of passing
        ("pass_slope", np.float64, (len(Standing),)),  # what each trick to expect beyond half adds to that
        ("to_be_beaten", np.float64, (MAX_SEATS,)),  # [place] what a bid that others must beat may cost
        ("heard_tricks", np.float64, (2, 4)),  # [partner, others; passed, bid 3, 4, more] what their calls add
        ("named_tricks", np.float64, (2,)),  # [partner, others] that have named the same trump (10.1)
        ("swap_from", np.float64, (MAX_SEATS,)),  # [place] tricks below which the ghost hand is better (9.3)
        # The play lists: [role, stage, kind] the card of the highest number is led; [role] what a high rank adds to
        # that among the kinds that are no sure winners.
        ("lead", np.float64, (len(Role), len(Stage), len(Lead))),
        ("lead_rank", np.float64, (len(Role),)),
        # [role, second, third or last hand, situation] an Effort.
        ("follow", np.int8, (len(Role), 3, len(Follow))),
        # [role] how many cards that are out may beat a boss: with few opponents most are in nobody's hand.
        ("boss_slack", np.int8, (len(Role),)),
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


# The estimate by form, in tricks: least squares over 12,000 hands of each form that `rule_based` played out, half with
# five and half with six cards from 24; the coefficients of the forms differ by a factor. At no-trump over 8,000 each.
_TRICKS = {
    "tricks_trump": [1.4, 0.93, 0.86, 0.77, 0.68],
    "tricks_beyond_three": -0.34,
    "tricks_void": 0.35,
    "tricks_boss": 0.42,
    "tricks_boss_alone": 0.38,
    "tricks_second": 0.17,
    "tricks_no_trump": [0.65, 1.05, 0.27, 0.1],
}
_TRICKS_FACTOR = (0.73, 1.0, 0.77, 1.0)

# The kinds of game, each named like the catalogue's: partnerships over an up-card, and what plays otherwise.
TURN_UP = "turn_up"
GAMES = (TURN_UP, "two_handed", "three_handed", "cincinnati", "bid_euchre", "ghost_hand")
# What the numbers start from where they are not those of TURN_UP. A partner may still call, and the tricks of a pair
# were fitted with six cards: so there a call must promise more than nil. Dummies: means over 2,600 hands good enough
# for a call; where the rival has three cards of his own, half of it. Winning a game: by games, not by hands; 3 to 6 are
# alike in the auctions, more than 10 loses, and with two or three seats nothing gains.
_START: dict[str, dict[str, Any]] = {
    "two_handed": {"call_from": 0.0, "dummy_tricks": [0, 0.62, 0.39, 1.23]},
    "three_handed": {"call_from": 0.0},
    "cincinnati": {"win": 5.0},
    "bid_euchre": {"win": 5.0},
    "ghost_hand": {"win": 5.0},
}


def game_of(rules: Ruleset) -> str:
    """Return the kind of game, one of GAMES."""
    if rules.auction == "off":
        return {2: "two_handed", 3: "three_handed"}.get(rules.num_seats, TURN_UP)
    if not rules.partners:
        return "ghost_hand"
    return "bid_euchre" if rules.auction == "with_trump" else "cincinnati"


def _set_estimate(row: Any) -> None:
    """Fill in what bids by an estimate of tricks starts from."""
    for form, factor in zip(Form, _TRICKS_FACTOR, strict=True):
        for name, value in _TRICKS.items():
            row[name][form] = factor * np.asarray(value)
    row["tricks_base"] = [1.27, -0.4, 1.02, -0.4]
    row["steep"] = [1.5, 2.5, 2.05, 2.5]
    row["win"] = 0
    row["call_from"] = 0.2
    row["give_up_from"] = -1
    row["to_rival"] = 0.5
    row["dummy_tricks"] = [0, 0.8, 0.5, 1.6]
    row["pass_value"] = np.array([[0], [1.5], [-1]])
    row["to_be_beaten"] = 1
    row["swap_from"] = 3


def field_values(game: str = TURN_UP) -> Parameters:
    """Return the published numbers of docs/field.md 5B, and for the rest of the family what the climb starts from."""
    params = np.zeros(1, dtype=PARAMETERS)
    row = params[0]
    _set_estimate(row)
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
    return changed(params, _START.get(game, {}))


def to_dict(params: Parameters) -> dict[str, Any]:
    """Return the record as plain lists by name, for JSON."""
    return {name: params[name][0].tolist() for name in PARAMETERS.names or ()}


def from_dict(values: dict[str, Any]) -> Parameters:
    """Return the record that `to_dict` wrote; ValueError names what is missing, unknown or of another shape."""
    missing = set(PARAMETERS.names or ()) - values.keys()
    if missing:
        raise ValueError(f"parameters {sorted(missing)} are missing.")
    for name, value in values.items():
        _check_shape(name, np.shape(value))
    return changed(np.zeros(1, dtype=PARAMETERS), values)


def _check_shape(name: str, shape: tuple[int, ...]) -> None:
    if name not in (PARAMETERS.names or ()):
        raise ValueError(f"parameter {name!r} is unknown.")
    if shape != PARAMETERS[name].shape:
        raise ValueError(f"parameter {name!r} has shape {shape}, not {PARAMETERS[name].shape}.")


def changed(params: Parameters, values: dict[str, Any]) -> Parameters:
    """Return a copy with other values of some fields."""
    params = params.copy()
    for name, value in values.items():
        params[name] = value
    return params


def differing(params: Parameters, base: Parameters) -> dict[str, Any]:
    """Return the fields that differ from another record's, as `to_dict` has them."""
    same = to_dict(base)
    return {name: value for name, value in to_dict(params).items() if value != same[name]}


@lru_cache(maxsize=2)
def stored(player: str) -> dict[str, Any]:
    """Return the file of a player as it is."""
    text = resources.files("euchre_env.policies").joinpath(f"{player}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def tuned(player: str = "rule_based", game: str = TURN_UP) -> Parameters:
    """Return the committed numbers of `rule_based` or `rule_expert` for a kind of game (`game_of`)."""
    told = stored(player)
    return from_dict(told["parameters"] | (told["games"][game]["parameters"] if game != TURN_UP else {}))


def provenance(player: str = "rule_based", game: str = TURN_UP) -> dict[str, Any]:
    """Return how the committed numbers came about: seeds, pairs, commit, gains."""
    told = stored(player) if game == TURN_UP else stored(player)["games"][game]
    return {key: value for key, value in told.items() if key not in ("parameters", "games")}
