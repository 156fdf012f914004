"""The rule-based player: scored bidding and ordered play lists (docs/field.md 5B), tuned on duplicate hands. Compiled.

It sees a view and nothing else, and takes every decision from the legal mask, never from its own copy of the rules
(B2). The bidding of partnerships over an up-card is here; what a hand is worth is in `hand_score.py`, the play of the
cards in `card_play.py`, the numbers in `parameters.py`. For the rest of the family it bids by a plain estimate of its
tricks (`estimate.py`): auctions in `auction_calls.py`, two and three seats and no-trump in `single_calls.py`; cards
laid away and passed are in `exchanges.py`.

>>> from euchre_env import rulesets
>>> RuleBasedPolicy(rulesets.get("tournament")).params["alone"].shape
(1, 2, 4)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import JACK, JOKER, NUM_CARDS, NUM_RANKS, NUM_SUITS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, lowest
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    DECLINE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
    Phase,
    Purpose,
    Upcard,
)
from euchre_env.engine.table import dealer_names_trump, has, is_blind, loner_of, side_of, suit_of_upcard
from euchre_env.policies import parameters
from euchre_env.policies.auction_calls import choose_bid, choose_name
from euchre_env.policies.card_play import choose_card
from euchre_env.policies.exchanges import ask, choose_claim, give, lay_away
from euchre_env.policies.hand_score import best_after_discard, hand_score
from euchre_env.policies.parameters import Parameters, Use
from euchre_env.policies.single_calls import no_trump_call, single_call, single_declare, single_order
from euchre_env.ruleset import Ruleset

_CLAIM, _ORDER_UP, _CALL = int(Phase.CLAIM), int(Phase.ORDER_UP), int(Phase.CALL)
_DISCARD, _DECLARE, _PLAY = int(Phase.DISCARD), int(Phase.DECLARE), int(Phase.PLAY)
_BID, _NAME_TRUMP, _SWAP, _GIVE = int(Phase.BID), int(Phase.NAME_TRUMP), int(Phase.SWAP), int(Phase.GIVE)
_FOR_DEALER = int(Purpose.DEALER)
_TURNED_DOWN, _TAKEN = int(Upcard.TURNED_DOWN), int(Upcard.TAKEN)
_FOR_CALL, _FOR_ALONE, _FOR_DISCARD = int(Use.CALL), int(Use.ALONE), int(Use.DISCARD)
_CARDS = np.int64((1 << NUM_CARDS) - 1)
# The value of Ruleset.stick_the_dealer that lets everybody pass, by index.
_MAY_PASS = 0
# The value of Ruleset.best_exchange without one, by index.
_NO_EXCHANGE = 0
# What a partner's best card (7.5) adds to the score of a lone hand: about what one ace more does.
_BEST_CARD = 8.0


@kernel
def place_of(s: Any, seat: Any) -> Any:
    """Return 0 for the seat left of the dealer, 3 for the dealer."""
    return (seat - s["dealer"] - 1) & 3


@kernel
def _gains_by_alone(opt: Any, s: Any, seat: Any) -> Any:
    """Whether the points of a lone march can matter: with a partner's march the game is won as well."""
    return s["scores"][side_of(opt, seat)] + opt["march_points"] < opt["target"]


@kernel
def turn_card(opt: Any, p: Any, s: Any, use: Any, seat: Any) -> Any:
    """Return what the turned card adds for a seat that does not take it up: it goes to the partner or to an enemy."""
    rank = JACK if s["upcard"] == JOKER else s["upcard"] % NUM_RANKS
    value = p["turn_value"][rank] * p["turn_share"][use, place_of(s, seat)]
    return value if side_of(opt, seat) == side_of(opt, s["dealer"]) else -value


@kernel
def _round_one_score(opt: Any, p: Any, s: Any, use: Any) -> Any:
    """Return what ordering up is worth to the mover; the dealer counts the card as his and tries every discard."""
    seat = s["turn"]
    trump = suit_of_upcard(opt, s)
    hand = s["hands"][seat]
    if seat == s["dealer"]:
        score, _ = best_after_discard(opt, p, use, hand | bit(s["upcard"]), hand, trump)
        return score
    return hand_score(opt, p, use, hand, trump) + turn_card(opt, p, s, use, seat)


@kernel
def _call_threshold(opt: Any, p: Any, turn: Any, place: Any) -> Any:
    stuck = 1 if opt["stick_the_dealer"] != _MAY_PASS else 0
    return p["call"][stuck, turn, place]


@kernel
def _best_card(opt: Any) -> Any:
    """7.5: what the partner's best card adds."""
    return _BEST_CARD if opt["best_exchange"] != _NO_EXCHANGE else 0.0


@kernel
def _alone_from(opt: Any, p: Any, turn: Any, place: Any) -> Any:
    return p["alone"][turn, place] - _best_card(opt)


@kernel
def _bid_round_one(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.3, Q-N28."""
    place = place_of(s, s["turn"])
    may_order, may_alone = has(legal, ORDER_UP), has(legal, ORDER_UP_ALONE)
    if may_alone:
        alone = _round_one_score(opt, p, s, _FOR_ALONE)
        threshold = _alone_from(opt, p, 0, place) if may_order else p["forced_alone"]
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
def _same_colour(opt: Any, s: Any) -> Any:
    """Return the other suit of the turned card's colour; -1 of a joker that has none."""
    suit = suit_of_upcard(opt, s)
    return NUM_SUITS - 1 - suit if suit < NUM_SUITS else -1


@kernel
def _named_score(opt: Any, p: Any, s: Any, use: Any, suit: Any) -> Any:
    """Return what naming a suit is worth; the dealer who names it for the joker takes that up (4.3)."""
    hand = s["hands"][s["turn"]]
    if dealer_names_trump(opt, s):
        return best_after_discard(opt, p, use, hand | bit(JOKER), hand, suit)[0]
    return hand_score(opt, p, use, hand, suit)


@kernel
def _best_suit(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return (score, suit) of the best suit that may be named."""
    seat = s["turn"]
    next_suit = _same_colour(opt, s)
    best, choice = -1e9, -1
    for suit in range(NUM_SUITS):
        if not _suit_may_be_called(legal, suit):
            continue
        score = _named_score(opt, p, s, _FOR_CALL, suit)
        if suit == next_suit:
            score += p["next_bonus"][place_of(s, seat)]
        if score > best:
            best, choice = score, suit
    return best, choice


@kernel
def _bid_round_two(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.4, 2.10, 4.3, Q-N24."""
    no_trump = no_trump_call(opt, p, s, legal) if opt["allow_no_trump"] else -1
    if no_trump >= 0:
        return no_trump
    seat = s["turn"]
    place = place_of(s, seat)
    score, suit = _best_suit(opt, p, s, legal)
    if suit < 0 or (has(legal, PASS) and score < _call_threshold(opt, p, 1, place)):
        return PASS if has(legal, PASS) else FORFEIT
    if has(legal, FORFEIT) and score < p["forfeit"] and _survives_point(opt, s, 1 - side_of(opt, seat)):
        return FORFEIT
    may_alone = has(legal, CALL_ALONE + suit) and _gains_by_alone(opt, s, seat)
    if may_alone and _named_score(opt, p, s, _FOR_ALONE, suit) >= _alone_from(opt, p, 1, place):
        return CALL_ALONE + suit
    return CALL + suit if has(legal, CALL + suit) else CALL_ALONE + suit


@kernel
def _survives_point(opt: Any, s: Any, side: Any) -> Any:
    return s["scores"][side] + 1 < opt["target"]


@kernel
def exchange(opt: Any, p: Any, s: Any, legal: Any) -> Any:
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
        return _alone_from(opt, p, 1 if s["upcard_state"] == _TURNED_DOWN else 0, place_of(s, seat))
    return p["alone_partner"] - _best_card(opt)


@kernel
def _declare(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """2.5: alone with a hand above the threshold of its place."""
    seat = s["turn"]
    score = hand_score(opt, p, _FOR_ALONE, s["hands"][seat], s["trump"])
    if s["upcard_state"] == _TAKEN and seat != s["dealer"] and seat == s["maker"]:
        score += turn_card(opt, p, s, _FOR_ALONE, seat)
    makers_side = side_of(opt, seat) == side_of(opt, s["maker"])
    if makers_side and not _gains_by_alone(opt, s, seat):
        return WITH_PARTNER
    return ALONE if score >= _alone_threshold(opt, p, s, seat) else WITH_PARTNER


@kernel
def _discard(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    return exchange(opt, p, s, legal) if s["discards_for"] == _FOR_DEALER else lay_away(opt, p, s, legal)


@kernel
def _choose_rare(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action in a phase that few games have."""
    phase = s["phase"]
    if phase == _BID:
        return choose_bid(opt, p, s, legal)
    if phase == _NAME_TRUMP:
        return choose_name(opt, p, s)
    if phase == _CLAIM:
        return choose_claim(opt, s, legal)
    if phase == _GIVE:
        return give(opt, s, legal)
    if phase == _SWAP:
        return ask(opt, s)
    return lowest(legal)


@kernel
def choose(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS, a view."""
    phase, partners = s["phase"], opt["partners"]
    if phase == _PLAY:
        return choose_card(opt, p, s, legal)
    if phase == _ORDER_UP:
        return _bid_round_one(opt, p, s, legal) if partners else single_order(opt, p, s, legal)
    if phase == _CALL and is_blind(opt, s):
        return lowest(legal)
    if phase == _CALL:
        return _bid_round_two(opt, p, s, legal) if partners else single_call(opt, p, s, legal)
    if phase == _DISCARD:
        return _discard(opt, p, s, legal)
    if phase == _DECLARE:
        return _declare(opt, p, s, legal) if partners else single_declare(opt, p, s)
    return _choose_rare(opt, p, s, legal)


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
        self.params = parameters.tuned(name, parameters.game_of(ruleset)) if params is None else params

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` is not used."""
        out = np.empty(len(views), dtype=np.int64)
        choose_rows(self.options, self.params, views, legal, out)
        return out
