"""The Smart family (docs/field.md 5B), rebuilt from its description: a scored hand, ordered play lists. Compiled.

The score of a hand, its numbers and the dealer's choice of a discard are those that the library has already
(`euchre_env/policies/hand_score.py`, `parameters.py`); here are the thresholds of each Smart, who plays alone, and the
two play lists, rule by rule in the published order. `hybrid_3_iii` bids as `smart_3` and plays as `simple_iii`. Smart
2, 4, 5 and 6 are left out: nothing says in what they play differently.

Where the description leaves a choice open (docs/experiments.md has what the others measured): the dealer counts the
turned card in his hand and not once more; "follow high" is the highest card of the suit led whether it wins or not,
"trump low" the lowest trump that wins; "next-suit logic" is that a defender leads a low card of the other suit of
trump's colour. The list is one for the first lead: later on the makers lead trumps that nothing beats while others hold
trumps, anybody side cards that nothing beats, and trumps once nobody else has one, and only then go on with the list;
the partner's call is led to in the first trick only. Nobody but the maker goes alone, and a defender with 35.

>>> from euchre_env import rulesets
>>> smart("smart_3", rulesets.get("tournament")).params["call"][0, 0, 0].tolist()
[32.0, 32.0, 32.0, 32.0]
"""

from functools import partial
from typing import Any

import numpy as np

from agents.baselines.hand import (
    ACES,
    answer_call,
    answer_claim,
    answer_order,
    led_suit,
    longest_side_suit,
    pick,
    void_makers,
)
from agents.baselines.player import FieldPlayer
from agents.baselines.simple import STYLES, play_simply
from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import ALONE, CALL, WITH_PARTNER, Phase, Upcard
from euchre_env.engine.table import has, partner_of, side_of
from euchre_env.policies import PolicyFactory
from euchre_env.policies.card_play import cards_out, winning_cards
from euchre_env.policies.hand_score import HIGHER, TRUMP_CARDS, best_after_discard, hand_score
from euchre_env.policies.parameters import Parameters, Use, field_values
from euchre_env.policies.rule_based import exchange, place_of, turn_card
from euchre_env.ruleset import Ruleset

_CLAIM, _ORDER_UP, _CALL = int(Phase.CLAIM), int(Phase.ORDER_UP), int(Phase.CALL)
_DISCARD, _DECLARE, _PLAY = int(Phase.DISCARD), int(Phase.DECLARE), int(Phase.PLAY)
_TURNED_DOWN, _TAKEN = int(Upcard.TURNED_DOWN), int(Upcard.TAKEN)
# The description has one score for every use.
_SCORE = int(Use.CALL)

# Points to call with; to play alone takes ALONE_MARGIN more.
THRESHOLDS = {"smart_1": 35.0, "smart_3": 32.0, "hybrid_3_iii": 32.0}
ALONE_MARGIN = 10.0
DEFEND_ALONE = 35.0
_DRAWS_FROM = 3
_HYBRID_STYLE = STYLES["simple_iii"]


@kernel
def _bid_round_one(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    seat, trump = s["turn"], s["upcard"] // NUM_RANKS
    hand = s["hands"][seat]
    if seat == s["dealer"]:
        score, _ = best_after_discard(opt, p, _SCORE, hand | bit(s["upcard"]), hand, trump)
    else:
        score = hand_score(opt, p, _SCORE, hand, trump) + turn_card(opt, p, s, _SCORE, seat)
    place = place_of(s, seat)
    return answer_order(legal, score >= p["call"][0, 0, place], score >= p["alone"][0, place])


@kernel
def _bid_round_two(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    hand, place = s["hands"][s["turn"]], place_of(s, s["turn"])
    best, choice = -1e9, -1
    for suit in range(NUM_SUITS):
        if has(legal, CALL + suit):
            score = hand_score(opt, p, _SCORE, hand, suit)
            if score > best:
                best, choice = score, suit
    return answer_call(legal, choice, best >= p["call"][0, 1, place], best >= p["alone"][1, place])


@kernel
def _declare(opt: Any, p: Any, s: Any) -> Any:
    seat = s["turn"]
    score = hand_score(opt, p, _SCORE, s["hands"][seat], s["trump"])
    if side_of(opt, seat) != side_of(opt, s["maker"]):
        return ALONE if score >= p["defend_alone"][0, 0] else WITH_PARTNER
    if s["upcard_state"] == _TAKEN and seat != s["dealer"]:
        score += turn_card(opt, p, s, _SCORE, seat)
    two = 1 if s["upcard_state"] == _TURNED_DOWN else 0
    return ALONE if seat == s["maker"] and score >= p["alone"][two, place_of(s, seat)] else WITH_PARTNER


@kernel
def _void_or_low(trump: Any, hand: Any, legal: Any) -> Any:
    """Create a void, else the lowest card."""
    voids = void_makers(trump, hand) & legal
    return pick(trump, voids if voids != 0 else legal, -1)


@kernel
def _quiet_lead(trump: Any, hand: Any) -> Any:
    """Create a void, low from the longest side suit; the highest trump of a hand that has nothing else."""
    voids = void_makers(trump, hand)
    if voids != 0:
        return pick(trump, voids, -1)
    long = longest_side_suit(trump, hand)
    return pick(trump, hand & SUIT_CARDS[trump, long], -1) if long >= 0 else pick(trump, hand, 1)


@kernel
def _first_lead(opt: Any, s: Any) -> Any:
    seat, trump = s["turn"], s["trump"]
    hand = s["hands"][seat]
    trumps, next_suit = hand & TRUMP_CARDS[trump], hand & SUIT_CARDS[trump, NUM_SUITS - 1 - trump]
    makers = side_of(opt, seat) == side_of(opt, s["maker"])
    aces = hand & ACES & ~trumps
    if not makers and next_suit != 0:
        return pick(trump, next_suit, -1)
    if seat == s["maker"] and count(trumps) >= _DRAWS_FROM:
        return pick(trump, trumps, 1)
    if aces != 0:
        return pick(trump, aces, 1)
    if makers and seat != s["maker"] and trumps != 0:
        return pick(trump, trumps, 1)
    return _quiet_lead(trump, hand)


@kernel
def _bosses(trump: Any, cards: Any, out: Any) -> Any:
    """Return the cards that none of those that are out beats in their suit."""
    found = np.int64(0)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        if HIGHER[trump, card] & out == 0:
            found |= bit(card)
    return found


@kernel
def _later_lead(opt: Any, s: Any) -> Any:
    seat, trump = s["turn"], s["trump"]
    hand, out = s["hands"][seat], cards_out(opt, s, seat)
    trumps = hand & TRUMP_CARDS[trump]
    trumps_out = out & TRUMP_CARDS[trump] != 0
    high_trumps, high_cards = _bosses(trump, trumps, out), _bosses(trump, hand & ~trumps, out)
    if trumps_out and high_trumps != 0 and side_of(opt, seat) == side_of(opt, s["maker"]):
        return pick(trump, high_trumps, 1)
    if high_cards != 0:
        return pick(trump, high_cards, 1)
    if trumps != 0 and (not trumps_out or (seat == s["maker"] and count(trumps) >= _DRAWS_FROM)):
        return pick(trump, trumps, 1)
    return _quiet_lead(trump, hand)


@kernel
def _follow(s: Any, legal: Any) -> Any:
    trump, hand = s["trump"], s["hands"][s["turn"]]
    same = legal & SUIT_CARDS[trump, led_suit(s)]
    if s["best_seat"] == partner_of(s["turn"]):
        return pick(trump, same, -1) if same != 0 else _void_or_low(trump, hand, legal)
    if same != 0:
        # "Follow high": the highest where one can win, and where one cannot.
        return pick(trump, same, 1)
    ruffs = winning_cards(s, legal)
    return pick(trump, ruffs, -1) if ruffs != 0 else _void_or_low(trump, hand, legal)


@kernel
def play_smartly(opt: Any, s: Any, legal: Any) -> Any:
    """Return the card to play by the two lists."""
    if s["in_trick"] != 0:
        return _follow(s, legal)
    return _first_lead(opt, s) if s["trick"] == 0 else _later_lead(opt, s)


@kernel
def choose_smartly(opt: Any, p: Any, s: Any, legal: Any, style: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS, a view. `style` -1: the Smart lists."""
    phase = s["phase"]
    if phase == _PLAY:
        return play_smartly(opt, s, legal) if style < 0 else play_simply(s, legal, style)
    if phase == _ORDER_UP:
        return _bid_round_one(opt, p, s, legal)
    if phase == _CALL:
        return _bid_round_two(opt, p, s, legal)
    if phase == _DISCARD:
        return exchange(opt, p, s, legal)
    if phase == _DECLARE:
        return _declare(opt, p, s)
    return answer_claim(legal) if phase == _CLAIM else lowest(legal)


@kernel
def _choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_smartly(opt, p, views[row], legal[row], -1)


@kernel
def _choose_rows_hybrid(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_smartly(opt, p, views[row], legal[row], _HYBRID_STYLE)


def smart_values(threshold: float) -> Parameters:
    """Return the published numbers with the thresholds of a Smart, as an array of one PARAMETERS."""
    params = field_values()
    params["call"] = threshold
    params["alone"] = threshold + ALONE_MARGIN
    params["defend_alone"] = DEFEND_ALONE
    return params


def smart(name: str, ruleset: Ruleset) -> FieldPlayer:
    """Return a player of THRESHOLDS by its name."""
    rows = _choose_rows_hybrid if name == "hybrid_3_iii" else _choose_rows
    return FieldPlayer(name, ruleset, rows, smart_values(THRESHOLDS[name]))


PLAYERS: dict[str, PolicyFactory] = {name: partial(smart, name) for name in THRESHOLDS}
