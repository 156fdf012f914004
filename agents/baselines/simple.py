"""The Simple family (docs/field.md 5A), rebuilt from its description: the weak yardsticks of the field. Compiled.

Round one: order with three trumps or more and a bower or a side ace; the dealer with two, the up-card counted, and a
side ace. Round two: three trumps with a bower or a side ace. Alone: four trumps with a bower, or three with a bower and
a side ace. Play: lead the highest card; the lowest if the partner is winning, else the lowest winner. Trumps stand
above all side cards.

The description has one variant: iii plays high as second or third hand. It leaves open whether with a trump too: here
iii wins with its highest card of the suit led and ruffs with its lowest winner (docs/experiments.md has what both
measured). Four variants are two switches, and of ii is known only that it is weaker than i: here it wins a trick its
partner is winning, where it can, and iv does both. Where the description is silent: several suits qualify, the first in
the order C D H S is named; a stuck dealer who has none takes the suit with most trumps; the lowest card is discarded;
nobody but the maker goes alone, except a defender with four trumps, or three and a side ace.

>>> from euchre_env import rulesets
>>> simple("simple_i", rulesets.get("tournament")).name
'simple_i'
"""

from functools import partial
from typing import Any

import numpy as np

from agents.baselines.hand import (
    CARDS,
    answer_call,
    answer_claim,
    answer_order,
    has_bower,
    led_suit,
    longest_callable,
    pick,
    side_aces,
    trumps,
)
from agents.baselines.player import FieldPlayer
from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, lowest
from euchre_env.engine.layout import ALONE, CALL, DECLINE, WITH_PARTNER, Phase
from euchre_env.engine.table import has, partner_of, side_of
from euchre_env.policies import PolicyFactory
from euchre_env.policies.card_play import winning_cards
from euchre_env.ruleset import Ruleset

_CLAIM, _ORDER_UP, _CALL = int(Phase.CLAIM), int(Phase.ORDER_UP), int(Phase.CALL)
_DISCARD, _DECLARE, _PLAY = int(Phase.DISCARD), int(Phase.DECLARE), int(Phase.PLAY)

# The switches of a style.
OVERTAKES, HIGH = 1, 2
STYLES = {"simple_i": 0, "simple_ii": OVERTAKES, "simple_iii": HIGH, "simple_iv": OVERTAKES | HIGH}
_LAST_HAND = 3


@kernel
def _is_call(hand: Any, trump: Any) -> Any:
    return trumps(hand, trump) >= 3 and (has_bower(hand, trump) or side_aces(hand, trump) > 0)


@kernel
def _is_lone_call(hand: Any, trump: Any) -> Any:
    if not has_bower(hand, trump):
        return False
    return trumps(hand, trump) >= 4 or (trumps(hand, trump) == 3 and side_aces(hand, trump) > 0)


@kernel
def _bid_round_one(s: Any, legal: Any) -> Any:
    hand, trump = s["hands"][s["turn"]], s["upcard"] // NUM_RANKS
    if s["turn"] == s["dealer"]:
        hand |= bit(s["upcard"])
        calls = trumps(hand, trump) >= 2 and side_aces(hand, trump) > 0
    else:
        calls = _is_call(hand, trump)
    return answer_order(legal, calls, _is_lone_call(hand, trump))


@kernel
def _bid_round_two(s: Any, legal: Any) -> Any:
    hand = s["hands"][s["turn"]]
    for suit in range(NUM_SUITS):
        if has(legal, CALL + suit) and _is_call(hand, suit):
            return answer_call(legal, suit, True, _is_lone_call(hand, suit))
    return answer_call(legal, longest_callable(legal, hand), False, False)


@kernel
def _declare(opt: Any, s: Any) -> Any:
    seat, trump = s["turn"], s["trump"]
    hand = s["hands"][seat]
    if seat == s["maker"]:
        return ALONE if _is_lone_call(hand, trump) else WITH_PARTNER
    if side_of(opt, seat) == side_of(opt, s["maker"]):
        return WITH_PARTNER
    strong = trumps(hand, trump) >= 4 or (trumps(hand, trump) == 3 and side_aces(hand, trump) > 0)
    return ALONE if strong else WITH_PARTNER


@kernel
def play_simply(s: Any, legal: Any, style: Any) -> Any:
    """Return the card to play; style is a sum of switches."""
    trump = s["trump"]
    if s["in_trick"] == 0:
        return pick(trump, legal, 1)
    best = winning_cards(s, legal)
    if best == 0 or (s["best_seat"] == partner_of(s["turn"]) and style & OVERTAKES == 0):
        return pick(trump, legal, -1)
    high = best & SUIT_CARDS[trump, led_suit(s)]
    if style & HIGH != 0 and s["in_trick"] < _LAST_HAND and high != 0:
        return pick(trump, high, 1)
    return pick(trump, best, -1)


@kernel
def choose_simply(opt: Any, s: Any, legal: Any, style: Any) -> Any:
    """Return the action of the seat to move; of records: options and a view."""
    phase = s["phase"]
    if phase == _PLAY:
        return play_simply(s, legal, style)
    if phase == _ORDER_UP:
        return _bid_round_one(s, legal)
    if phase == _CALL:
        return _bid_round_two(s, legal)
    if phase == _DISCARD:
        return DECLINE if legal & CARDS == 0 else pick(s["trump"], legal & CARDS, -1)
    if phase == _DECLARE:
        return _declare(opt, s)
    return answer_claim(legal) if phase == _CLAIM else lowest(legal)


@kernel
def choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    """Write the action of each row to `out` `[N]`; `params` holds the style."""
    opt, style = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_simply(opt, views[row], legal[row], style)


def simple(name: str, ruleset: Ruleset) -> FieldPlayer:
    """Return a player of STYLES by its name."""
    return FieldPlayer(name, ruleset, choose_rows, np.array([STYLES[name]], dtype=np.int64))


PLAYERS: dict[str, PolicyFactory] = {name: partial(simple, name) for name in STYLES}
