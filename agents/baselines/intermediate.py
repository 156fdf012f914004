"""`intermediate_v1` (docs/field.md 5D): bids by a sum of card values, rebuilt from its description. Compiled.

Trumps are worth 5.2 (right), 4.4, 3.4, 2.65, 2.05, 1.45, 1.15; it orders up with 8.2 as dealer, with 8.5 as his
partner, with 9.55 otherwise (the published ranges are 8.0 to 8.4 and 9.4 to 9.7); it names the suit of the turned-down
card's colour with 6.6, another with 7.25; it plays alone with 12.2 and the right bower.

Where the description leaves a choice open: what "plus voids etc." is worth (docs/experiments.md has what was tried): a
side ace 1.5, a side king 0.4, a void 0.8 with a trump to ruff; eights and sevens count as nines; the best suit above
its threshold is named; the dealer counts his hand after the exchange; exchange and play are in `plain.py`.

>>> from euchre_env.cards import mask_of, parse_cards
>>> round(value_of(mask_of(parse_cards("JH KH 9H AS 9C")), 2), 2)  # 5.2 + 2.65 + 1.15, the ace 1.5, the void 0.8
11.3
"""

from typing import Any

import numpy as np

from agents.baselines.hand import ACES, KINGS, answer_call, answer_order, has_right, side_suits, trumps
from agents.baselines.plain import answer_alone, choose_plainly, hand_with_upcard, upcard_to_enemy
from agents.baselines.player import FieldPlayer
from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count, lowest
from euchre_env.engine.layout import CALL, Phase
from euchre_env.engine.table import has
from euchre_env.policies.hand_score import TRUMP_ORDER
from euchre_env.policies.parameters import field_values
from euchre_env.ruleset import Ruleset

_ORDER_UP, _CALL, _DECLARE = int(Phase.ORDER_UP), int(Phase.CALL), int(Phase.DECLARE)

# 7 8 9 T Q K A, left, right.
_TRUMP_VALUE = np.array([1.15, 1.15, 1.15, 1.45, 2.05, 2.65, 3.4, 4.4, 5.2])
_ACE, _KING, _VOID = 1.5, 0.4, 0.8
_DEALER, _PARTNER, _OPPONENT = 8.2, 8.5, 9.55
_NEXT, _OTHER = 6.6, 7.25
_ALONE = 12.2


@kernel
def value_of(hand: Any, trump: Any) -> Any:
    """Return what a hand is worth under a trump, about 0 to 17."""
    value = 0.0
    cards = hand & SUIT_CARDS[trump, trump]
    while cards != 0:
        value += _TRUMP_VALUE[TRUMP_ORDER[trump, lowest(cards)]]
        cards &= cards - 1
    side = hand & ~SUIT_CARDS[trump, trump]
    value += _ACE * count(side & ACES) + _KING * count(side & KINGS)
    return value + (_VOID * (NUM_SUITS - 1 - side_suits(hand, trump)) if trumps(hand, trump) > 0 else 0.0)


@kernel
def _is_alone(hand: Any, trump: Any) -> Any:
    return value_of(hand, trump) >= _ALONE and has_right(hand, trump)


@kernel
def _threshold(opt: Any, s: Any) -> Any:
    if s["turn"] == s["dealer"]:
        return _DEALER
    return _OPPONENT if upcard_to_enemy(opt, s) else _PARTNER


@kernel
def _bid_round_one(opt: Any, s: Any, legal: Any) -> Any:
    hand, trump = hand_with_upcard(s, s["turn"]), s["upcard"] // NUM_RANKS
    return answer_order(legal, value_of(hand, trump) >= _threshold(opt, s), _is_alone(hand, trump))


@kernel
def _bid_round_two(s: Any, legal: Any) -> Any:
    """Name the suit that is most above its threshold, if any is."""
    hand = s["hands"][s["turn"]]
    next_suit = NUM_SUITS - 1 - s["upcard"] // NUM_RANKS
    best, choice = -1e9, -1
    for suit in range(NUM_SUITS):
        if has(legal, CALL + suit):
            margin = value_of(hand, suit) - (_NEXT if suit == next_suit else _OTHER)
            if margin > best:
                best, choice = margin, suit
    return answer_call(legal, choice, best >= 0, choice >= 0 and _is_alone(hand, choice))


@kernel
def choose_by_value(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS of the play lists, a view."""
    phase = s["phase"]
    if phase == _ORDER_UP:
        return _bid_round_one(opt, s, legal)
    if phase == _CALL:
        return _bid_round_two(s, legal)
    if phase == _DECLARE:
        return answer_alone(s, _is_alone(s["hands"][s["turn"]], s["trump"]))
    return choose_plainly(opt, p, s, legal)


@kernel
def _choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_by_value(opt, p, views[row], legal[row])


def intermediate_v1(ruleset: Ruleset) -> FieldPlayer:
    """Return the player."""
    return FieldPlayer("intermediate_v1", ruleset, _choose_rows, field_values())
