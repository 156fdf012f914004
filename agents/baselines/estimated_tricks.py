"""`estimated_tricks` (docs/field.md 5C): bids by the tricks it expects, rebuilt from its description. Compiled.

The estimate starts at 0.1. A trump adds 1, 0.75 or 0.5, as the unseen higher trumps are no more than the trumps held
below it, one more, or more; an ace that is alone in its suit 0.5 with two trumps, another in a suit of one or two cards
0.25; three trumps with side cards in one or two suits 0.75. It calls with 2.25 and plays alone with 4 and a bower, but
not where an opponent takes up a jack. The partner's call is led to with the highest trump until three trumps are seen,
a maker with three trumps leads trumps, a defender with the left and one more keeps both while the right is out.

Where the description leaves a choice open: the up-card counts as unseen where an opponent takes it; of several suits
the best is named; a trump is led high; a defender with both trumps plays the other one where he must follow; the rest
of the play is in `plain.py`.

>>> from euchre_env.cards import mask_of, parse_cards
>>> pack = mask_of(8 * suit + rank for suit in range(4) for rank in range(2, 8))
>>> hand = mask_of(parse_cards("JH KH 9H AS 9C"))
>>> estimate(hand, pack & ~hand, 2)  # 0.1 + right 1 + king 0.75 + nine 0.5 + ace 0.5 + 0.75
3.6
"""

from typing import Any

import numpy as np

from agents.baselines.hand import (
    ACES,
    BOWERS,
    answer_call,
    answer_order,
    has_bower,
    has_right,
    pick,
    side_suits,
    trumps,
)
from agents.baselines.plain import answer_alone, choose_plainly, hand_with_upcard, upcard_to_enemy
from agents.baselines.player import FieldPlayer
from euchre_env.cards import JACK, NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count
from euchre_env.engine.layout import CALL, Phase, Upcard
from euchre_env.engine.table import has, partner_of, side_of
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.hand_score import HIGHER
from euchre_env.policies.parameters import field_values
from euchre_env.ruleset import Ruleset

_ORDER_UP, _CALL, _DECLARE, _PLAY = int(Phase.ORDER_UP), int(Phase.CALL), int(Phase.DECLARE), int(Phase.PLAY)
_TAKEN = int(Upcard.TAKEN)

_BASE = 0.1
_SURE, _LIKELY, _PERHAPS = 1.0, 0.75, 0.5
_LONE_ACE, _SHORT_ACE = 0.5, 0.25
_LONG_TRUMPS, _LONG = 0.75, 3
_CALL_FROM, _ALONE_FROM = 2.25, 4.0
# Trumps of which the maker's partner has led enough.
_SEEN_ENOUGH = 3


@kernel
def _trump_tricks(cards: Any, out: Any, trump: Any) -> Any:
    tricks, below = 0.0, 0
    while cards != 0:
        card = pick(trump, cards, -1)
        cards &= ~bit(card)
        missing = count(HIGHER[trump, card] & out) - below
        tricks += _SURE if missing <= 0 else (_LIKELY if missing == 1 else _PERHAPS)
        below += 1
    return tricks


@kernel
def _ace_tricks(hand: Any, trump: Any) -> Any:
    tricks = 0.0
    for suit in range(NUM_SUITS):
        cards = hand & SUIT_CARDS[trump, suit]
        if suit == trump or cards & ACES == 0:
            continue
        if count(cards) == 1 and trumps(hand, trump) > 1:
            tricks += _LONE_ACE
        elif count(cards) <= 2:
            tricks += _SHORT_ACE
    return tricks


@kernel
def estimate(hand: Any, out: Any, trump: Any) -> Any:
    """Return the tricks that a hand expects under a trump; `out` are the cards it has not seen."""
    cards = hand & SUIT_CARDS[trump, trump]
    tricks = _BASE + _trump_tricks(cards, out, trump) + _ace_tricks(hand, trump)
    return tricks + (_LONG_TRUMPS if count(cards) >= _LONG and 1 <= side_suits(hand, trump) <= 2 else 0.0)


@kernel
def _unseen(opt: Any, s: Any) -> Any:
    """Return the cards that the mover has not seen; the up-card is no danger where its own side takes it."""
    out = cards_out(opt, s, s["turn"])
    return out if upcard_to_enemy(opt, s) else out & ~bit(s["upcard"])


@kernel
def _is_alone(opt: Any, s: Any, hand: Any, tricks: Any, trump: Any, taken: Any) -> Any:
    """Whether a hand plays alone; `taken`: the dealer takes the up-card."""
    if taken and upcard_to_enemy(opt, s) and s["upcard"] % NUM_RANKS == JACK:
        return False
    return tricks >= _ALONE_FROM and has_bower(hand, trump)


@kernel
def _bid_round_one(opt: Any, s: Any, legal: Any) -> Any:
    hand, trump = hand_with_upcard(s, s["turn"]), s["upcard"] // NUM_RANKS
    tricks = estimate(hand, _unseen(opt, s), trump)
    return answer_order(legal, tricks >= _CALL_FROM, _is_alone(opt, s, hand, tricks, trump, True))


@kernel
def _bid_round_two(opt: Any, s: Any, legal: Any) -> Any:
    hand, out = s["hands"][s["turn"]], _unseen(opt, s)
    best, choice = -1.0, -1
    for suit in range(NUM_SUITS):
        if has(legal, CALL + suit):
            tricks = estimate(hand, out, suit)
            if tricks > best:
                best, choice = tricks, suit
    alone = choice >= 0 and _is_alone(opt, s, hand, best, choice, False)
    return answer_call(legal, choice, best >= _CALL_FROM, alone)


@kernel
def _declare(opt: Any, s: Any) -> Any:
    hand, trump = s["hands"][s["turn"]], s["trump"]
    tricks = estimate(hand, _unseen(opt, s), trump)
    return answer_alone(s, _is_alone(opt, s, hand, tricks, trump, s["upcard_state"] == _TAKEN))


@kernel
def _trumps_seen(s: Any) -> Any:
    seen = np.int64(0)
    for seat in range(len(s["played"])):
        seen |= s["played"][seat]
    return trumps(seen, s["trump"])


@kernel
def _leads_trump(s: Any) -> Any:
    held = trumps(s["hands"][s["turn"]], s["trump"])
    if s["maker"] == partner_of(s["turn"]):
        return held > 0 and _trumps_seen(s) < _SEEN_ENOUGH
    return s["maker"] == s["turn"] and held >= _LONG


@kernel
def _keep_left_guarded(opt: Any, s: Any, legal: Any) -> Any:
    """Return the cards to choose from: a defender with left and one more trump parts with neither if he need not."""
    hand, trump, seat = s["hands"][s["turn"]], s["trump"], s["turn"]
    left = BOWERS[trump] & ~bit(trump * NUM_RANKS + JACK)
    right_is_out = has_right(cards_out(opt, s, seat), trump)
    defends = side_of(opt, seat) != side_of(opt, s["maker"])
    if not defends or not right_is_out or hand & left == 0 or trumps(hand, trump) != 2:
        return legal
    others = legal & ~SUIT_CARDS[trump, trump]
    return others if others != 0 else legal & ~left


@kernel
def _play(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    if s["in_trick"] == 0 and _leads_trump(s):
        return pick(s["trump"], legal, 1)
    return choose_plainly(opt, p, s, _keep_left_guarded(opt, s, legal))


@kernel
def choose_by_estimate(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS of the play lists, a view."""
    phase = s["phase"]
    if phase == _PLAY:
        return _play(opt, p, s, legal)
    if phase == _ORDER_UP:
        return _bid_round_one(opt, s, legal)
    if phase == _CALL:
        return _bid_round_two(opt, s, legal)
    return _declare(opt, s) if phase == _DECLARE else choose_plainly(opt, p, s, legal)


@kernel
def _choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_by_estimate(opt, p, views[row], legal[row])


def estimated_tricks(ruleset: Ruleset) -> FieldPlayer:
    """Return the player."""
    return FieldPlayer("estimated_tricks", ruleset, _choose_rows, field_values())
