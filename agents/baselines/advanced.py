"""`advanced_player` (docs/field.md 5E): bids by counting trumps, rebuilt from its description. Compiled.

Round one counts the trumps held, one more as dealer, one less where an opponent deals: it orders up with four, with
three where the partner deals or with the right bower, with two holding the right and a side ace. Round two: four
trumps, three with the right, or two with the right, a side ace and fewer than four suits. Alone: three trumps, two of
jack, ace and king of trumps, and at most two unseen cards that beat the highest card of a suit held.

Where the description leaves a choice open (docs/experiments.md): the jack is the right bower; "the top cards" are the
highest of each suit held (of the trumps alone no hand would fail the test); the suit with most trumps is named, of
equals the one with the right; exchange and play are in `plain.py`.

>>> from euchre_env.cards import mask_of, parse_cards
>>> pack = mask_of(8 * suit + rank for suit in range(4) for rank in range(2, 8))
>>> hand = mask_of(parse_cards("JH KH 9H AS KC"))
>>> int(beaten_by(hand, pack & ~hand, 2))  # the right and the ace of spades by none, the king of clubs by one
1
"""

from typing import Any

from agents.baselines.hand import (
    ACES,
    KINGS,
    answer_call,
    answer_order,
    has_right,
    pick,
    side_aces,
    side_suits,
    trumps,
)
from agents.baselines.plain import answer_alone, choose_plainly, hand_with_upcard, upcard_to_enemy
from agents.baselines.player import FieldPlayer
from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count
from euchre_env.engine.layout import CALL, Phase
from euchre_env.engine.table import has
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.hand_score import HIGHER
from euchre_env.policies.parameters import field_values
from euchre_env.ruleset import Ruleset

_ORDER_UP, _CALL, _DECLARE = int(Phase.ORDER_UP), int(Phase.CALL), int(Phase.DECLARE)

_MANY, _SOME, _FEW = 4, 3, 2
# A suit that is a call goes before any that is none.
_FIRST = 100
_LONE_TRUMPS, _LONE_HONOURS, _LONE_BEATEN = 3, 2, 2


@kernel
def beaten_by(hand: Any, out: Any, trump: Any) -> Any:
    """Return how many of the cards that are out beat the highest card of a suit held, over all suits held."""
    beaten = 0
    for suit in range(NUM_SUITS):
        cards = hand & SUIT_CARDS[trump, suit]
        if cards != 0:
            beaten += count(HIGHER[trump, pick(trump, cards, 1)] & out)
    return beaten


@kernel
def _is_alone(opt: Any, s: Any, hand: Any, trump: Any) -> Any:
    held = hand & SUIT_CARDS[trump, trump]
    honours = count(held & (ACES | KINGS)) + (1 if has_right(hand, trump) else 0)
    if count(held) < _LONE_TRUMPS or honours < _LONE_HONOURS:
        return False
    return beaten_by(hand, cards_out(opt, s, s["turn"]) & ~hand, trump) <= _LONE_BEATEN


@kernel
def _bid_round_one(opt: Any, s: Any, legal: Any) -> Any:
    seat, trump = s["turn"], s["upcard"] // NUM_RANKS
    enemy, deals = upcard_to_enemy(opt, s), seat == s["dealer"]
    hand = hand_with_upcard(s, seat)
    right, number = has_right(hand, trump), trumps(s["hands"][seat], trump)
    number += (1 if deals else 0) - (1 if enemy else 0)
    calls = number >= _MANY
    if number == _SOME:
        calls = right or not (enemy or deals)
    elif number == _FEW:
        calls = right and side_aces(hand, trump) > 0
    return answer_order(legal, calls, _is_alone(opt, s, hand, trump))


@kernel
def _is_call(hand: Any, trump: Any) -> Any:
    number, right = trumps(hand, trump), has_right(hand, trump)
    if number >= _MANY or not right:
        return number >= _MANY
    suits = side_suits(hand, trump) + 1
    return number == _SOME or (number == _FEW and side_aces(hand, trump) > 0 and suits < NUM_SUITS)


@kernel
def _bid_round_two(opt: Any, s: Any, legal: Any) -> Any:
    hand = s["hands"][s["turn"]]
    best, choice, calls = -1, -1, False
    for suit in range(NUM_SUITS):
        if not has(legal, CALL + suit):
            continue
        is_call = _is_call(hand, suit)
        place = 2 * trumps(hand, suit) + (1 if has_right(hand, suit) else 0) + (_FIRST if is_call else 0)
        if place > best:
            best, choice, calls = place, suit, is_call
    return answer_call(legal, choice, calls, choice >= 0 and _is_alone(opt, s, hand, choice))


@kernel
def choose_by_count(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options, PARAMETERS of the play lists, a view."""
    phase = s["phase"]
    if phase == _ORDER_UP:
        return _bid_round_one(opt, s, legal)
    if phase == _CALL:
        return _bid_round_two(opt, s, legal)
    if phase == _DECLARE:
        return answer_alone(s, _is_alone(opt, s, s["hands"][s["turn"]], s["trump"]))
    return choose_plainly(opt, p, s, legal)


@kernel
def _choose_rows(options: Any, params: Any, views: Any, legal: Any, out: Any) -> None:
    opt, p = options[0], params[0]
    for row in range(len(views)):
        out[row] = choose_by_count(opt, p, views[row], legal[row])


def advanced_player(ruleset: Ruleset) -> FieldPlayer:
    """Return the player."""
    return FieldPlayer("advanced_player", ruleset, _choose_rows, field_values())
