"""The rule-based player: scored bidding and ordered play lists (docs/field.md 5B), tuned on duplicate hands. Compiled.

It sees a view and nothing else, and takes every decision from the legal mask, never from its own copy of the rules
(B2). Bidding is here; what a hand is worth is in `hand_score.py`, the play of the cards in `card_play.py`, the numbers
in `parameters.py`.

>>> from euchre_env import rulesets
>>> RuleBasedPolicy(rulesets.get("tournament")).params["alone"].shape
(1, 2, 4)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, same_colour
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, lowest
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
    Phase,
    Upcard,
)
from euchre_env.engine.table import has, loner_of, side_of
from euchre_env.policies import parameters
from euchre_env.policies.card_play import choose_card
from euchre_env.policies.hand_score import best_after_discard, hand_score
from euchre_env.policies.parameters import Parameters, Use
from euchre_env.ruleset import Ruleset

_CLAIM, _ORDER_UP, _CALL = int(Phase.CLAIM), int(Phase.ORDER_UP), int(Phase.CALL)
_DISCARD, _DECLARE, _PLAY = int(Phase.DISCARD), int(Phase.DECLARE), int(Phase.PLAY)
_TURNED_DOWN, _TAKEN = int(Upcard.TURNED_DOWN), int(Upcard.TAKEN)
_FOR_CALL, _FOR_ALONE, _FOR_DISCARD = int(Use.CALL), int(Use.ALONE), int(Use.DISCARD)
_CARDS = np.int64((1 << NUM_CARDS) - 1)
# The value of Ruleset.stick_the_dealer that lets everybody pass, by index.
_MAY_PASS = 0
_COLOUR = np.array([same_colour(s) for s in range(NUM_SUITS)], dtype=np.int8)


@kernel
def place_of(s: Any, seat: Any) -> Any:
    """Return 0 for the seat left of the dealer, 3 for the dealer."""
    return (seat - s["dealer"] - 1) & 3


@kernel
def _gains_by_alone(opt: Any, s: Any, seat: Any) -> Any:
    """Whether the points of a lone march can matter: with a partner's march the game is won as well."""
    return s["scores"][side_of(opt, seat)] + opt["march_points"] < opt["target"]


@kernel
def _turn_card(opt: Any, p: Any, s: Any, use: Any, seat: Any) -> Any:
    """Return what the turned card adds for a seat that does not take it up: it goes to the partner or to an enemy."""
    value = p["turn_value"][s["upcard"] % NUM_RANKS] * p["turn_share"][use, place_of(s, seat)]
    return value if side_of(opt, seat) == side_of(opt, s["dealer"]) else -value


@kernel
def _round_one_score(opt: Any, p: Any, s: Any, use: Any) -> Any:
    """Return what ordering up is worth to the mover; the dealer counts the card as his and tries every discard."""
    seat = s["turn"]
    trump = s["upcard"] // NUM_RANKS
    hand = s["hands"][seat]
    if seat == s["dealer"]:
        score, _ = best_after_discard(opt, p, use, hand | bit(s["upcard"]), hand, trump)
        return score
    return hand_score(opt, p, use, hand, trump) + _turn_card(opt, p, s, use, seat)


@kernel
def _call_threshold(opt: Any, p: Any, turn: Any, place: Any) -> Any:
    stuck = 1 if opt["stick_the_dealer"] != _MAY_PASS else 0
    return p["call"][stuck, turn, place]


@kernel
def _bid_round_one(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.3, Q-N28."""
    place = place_of(s, s["turn"])
    may_order, may_alone = has(legal, ORDER_UP), has(legal, ORDER_UP_ALONE)
    if may_alone:
        alone = _round_one_score(opt, p, s, _FOR_ALONE)
        threshold = p["alone"][0, place] if may_order else p["forced_alone"]
        if alone >= threshold and (not may_order or _gains_by_alone(opt, s, s["turn"])):
            return ORDER_UP_ALONE
    if may_order and (
        not has(legal, PASS) or _round_one_score(opt, p, s, _FOR_CALL) >= _call_threshold(opt, p, 0, place)
    ):
        return ORDER_UP
    return PASS


@kernel
def _suit_may_be_called(legal: Any, suit: Any) -> Any:
    return has(legal, CALL + suit) or has(legal, CALL_ALONE + suit)


@kernel
def _best_suit(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return (score, suit) of the best suit that may be named."""
    seat = s["turn"]
    next_suit = _COLOUR[s["upcard"] // NUM_RANKS]
    best, choice = -1e9, -1
    for suit in range(NUM_SUITS):
        if not _suit_may_be_called(legal, suit):
            continue
        score = hand_score(opt, p, _FOR_CALL, s["hands"][seat], suit)
        if suit == next_suit:
            score += p["next_bonus"][place_of(s, seat)]
        if score > best:
            best, choice = score, suit
    return best, choice


@kernel
def _bid_round_two(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.4, 2.10."""
    seat = s["turn"]
    place = place_of(s, seat)
    score, suit = _best_suit(opt, p, s, legal)
    if suit < 0 or (has(legal, PASS) and score < _call_threshold(opt, p, 1, place)):
        return PASS if has(legal, PASS) else FORFEIT
    if has(legal, FORFEIT) and score < p["forfeit"] and _survives_point(opt, s, 1 - side_of(opt, seat)):
        return FORFEIT
    may_alone = has(legal, CALL_ALONE + suit) and _gains_by_alone(opt, s, seat)
    if may_alone and hand_score(opt, p, _FOR_ALONE, s["hands"][seat], suit) >= p["alone"][1, place]:
        return CALL_ALONE + suit
    return CALL + suit if has(legal, CALL + suit) else CALL_ALONE + suit


@kernel
def _survives_point(opt: Any, s: Any, side: Any) -> Any:
    return s["scores"][side] + 1 < opt["target"]


@kernel
def _exchange(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.3, Q-N3: the discard that leaves the best hand, or no exchange where the five dealt cards are better."""
    hand, trump = s["hands"][s["turn"]], s["trump"]
    score, card = best_after_discard(opt, p, _FOR_DISCARD, hand | bit(s["upcard"]), legal & _CARDS, trump)
    if has(legal, DECLINE) and hand_score(opt, p, _FOR_DISCARD, hand, trump) > score:
        return DECLINE
    return card


@kernel
def _alone_threshold(opt: Any, p: Any, s: Any, seat: Any) -> Any:
    makers = side_of(opt, s["maker"])
    if side_of(opt, seat) != makers:
        lone_maker = 1 if loner_of(opt, s, makers) >= 0 else 0
        return p["defend_alone"][opt["lone_defender_scoring"], lone_maker]
    if seat == s["maker"]:
        return p["alone"][1 if s["upcard_state"] == _TURNED_DOWN else 0, place_of(s, seat)]
    return p["alone_partner"]


@kernel
def _declare(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.5: alone with a hand above the threshold of its place."""
    seat = s["turn"]
    score = hand_score(opt, p, _FOR_ALONE, s["hands"][seat], s["trump"])
    if s["upcard_state"] == _TAKEN and seat != s["dealer"] and seat == s["maker"]:
        score += _turn_card(opt, p, s, _FOR_ALONE, seat)
    makers_side = side_of(opt, seat) == side_of(opt, s["maker"])
    if makers_side and not _gains_by_alone(opt, s, seat):
        return WITH_PARTNER
    return ALONE if score >= _alone_threshold(opt, p, s, seat) else WITH_PARTNER


@kernel
def choose(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS, a view."""
    phase = s["phase"]
    if phase == _PLAY:
        return choose_card(opt, p, s, legal)
    if phase == _ORDER_UP:
        return _bid_round_one(opt, p, s, legal)
    if phase == _CALL:
        return _bid_round_two(opt, p, s, legal)
    if phase == _DISCARD:
        return _exchange(opt, p, s, legal)
    if phase == _DECLARE:
        return _declare(opt, p, s, legal)
    if phase == _CLAIM and has(legal, CLAIM_REDEAL):
        return CLAIM_REDEAL
    return lowest(legal)


@kernel
def choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    """Write the action of each row to `out` `[N]`."""
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose(opt, p, views[row], legal[row])


class RuleBasedPolicy:
    """Bids by the score of its hand and plays by ordered lists; deterministic.

    `rule_based` has the published numbers with thresholds tuned on duplicate deals; in `rule_expert` every number and
    list is tuned.
    """

    exact = True

    def __init__(self, ruleset: Ruleset, params: Parameters | None = None, *, name: str = "rule_based") -> None:
        self.name = name
        self.ruleset = ruleset
        self.options = ruleset.to_options()
        self.params = parameters.tuned(name) if params is None else params

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` is not used."""
        out = np.empty(len(views), dtype=np.int64)
        choose_rows(self.options, self.params, views, legal, out)
        return out
