"""`simple_i`: the weak yardstick of the field (docs/field.md 5A), rebuilt from its description. Compiled.

Round one: order with three trumps or more and a bower or a side ace; the dealer with two, the up-card counted, and a
side ace. Round two: three trumps with a bower or a side ace. Alone: four trumps with a bower, or three with a bower and
a side ace. Play: lead the highest card; the lowest if the partner is winning, else the lowest winner. Trumps stand
above all side cards. Where the description is silent: several suits qualify, the first in the order C D H S is named;
a stuck dealer who has none takes the suit with most trumps; the lowest card is discarded; nobody but the maker goes
alone, except a defender with four trumps, or three and a side ace. It knows the game of four with an up-card, without
joker, no-trump or passed cards, and sits down to no other.

>>> from euchre_env import rulesets
>>> SimpleI(rulesets.get("tournament")).name
'simple_i'
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import EFFECTIVE_SUIT, JACK, NUM_CARDS, NUM_RANKS, NUM_SUITS, SUIT_CARDS, TRICK_POWER, same_colour
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
    Phase,
)
from euchre_env.engine.table import has, partner_of, side_of
from euchre_env.policies import PolicyError
from euchre_env.ruleset import Ruleset

_CLAIM, _ORDER_UP, _CALL = int(Phase.CLAIM), int(Phase.ORDER_UP), int(Phase.CALL)
_DISCARD, _DECLARE, _PLAY = int(Phase.DISCARD), int(Phase.DECLARE), int(Phase.PLAY)
_CARDS = np.int64((1 << NUM_CARDS) - 1)
_ACES = np.int64(sum(1 << (suit * NUM_RANKS + NUM_RANKS - 1) for suit in range(NUM_SUITS)))
_ABOVE_SIDE_CARDS = 100


def _bowers(trump: int) -> int:
    return 1 << (trump * NUM_RANKS + JACK) | 1 << (same_colour(trump) * NUM_RANKS + JACK)


_BOWERS = np.array([_bowers(trump) for trump in range(NUM_SUITS)], dtype=np.int64)


@kernel
def _trumps(hand: Any, trump: Any) -> Any:
    return count(hand & SUIT_CARDS[trump, trump])


@kernel
def _has_bower(hand: Any, trump: Any) -> Any:
    return hand & _BOWERS[trump] != 0


@kernel
def _has_side_ace(hand: Any, trump: Any) -> Any:
    return hand & _ACES & ~SUIT_CARDS[trump, trump] != 0


@kernel
def _is_call(hand: Any, trump: Any) -> Any:
    return _trumps(hand, trump) >= 3 and (_has_bower(hand, trump) or _has_side_ace(hand, trump))


@kernel
def _is_lone_call(hand: Any, trump: Any) -> Any:
    if not _has_bower(hand, trump):
        return False
    return _trumps(hand, trump) >= 4 or (_trumps(hand, trump) == 3 and _has_side_ace(hand, trump))


@kernel
def _bid_round_one(s: Any, legal: Any) -> Any:
    hand, trump = s["hands"][s["turn"]], s["upcard"] // NUM_RANKS
    if s["turn"] == s["dealer"]:
        hand |= bit(s["upcard"])
        calls = _trumps(hand, trump) >= 2 and _has_side_ace(hand, trump)
    else:
        calls = _is_call(hand, trump)
    if calls and has(legal, ORDER_UP_ALONE) and _is_lone_call(hand, trump):
        return ORDER_UP_ALONE
    if has(legal, ORDER_UP) and (calls or not has(legal, PASS)):
        return ORDER_UP
    return PASS


@kernel
def _call_of(legal: Any, hand: Any, suit: Any) -> Any:
    if has(legal, CALL_ALONE + suit) and _is_lone_call(hand, suit):
        return CALL_ALONE + suit
    return CALL + suit


@kernel
def _bid_round_two(s: Any, legal: Any) -> Any:
    hand = s["hands"][s["turn"]]
    most, longest = -1, -1
    for suit in range(NUM_SUITS):
        if not has(legal, CALL + suit):
            continue
        if _is_call(hand, suit):
            return _call_of(legal, hand, suit)
        if _trumps(hand, suit) > most:
            most, longest = _trumps(hand, suit), suit
    return PASS if has(legal, PASS) or longest < 0 else CALL + longest


@kernel
def _declare(opt: Any, s: Any) -> Any:
    seat, trump = s["turn"], s["trump"]
    hand = s["hands"][seat]
    if seat == s["maker"]:
        return ALONE if _is_lone_call(hand, trump) else WITH_PARTNER
    if side_of(opt, seat) == side_of(opt, s["maker"]):
        return WITH_PARTNER
    strong = _trumps(hand, trump) >= 4 or (_trumps(hand, trump) == 3 and _has_side_ace(hand, trump))
    return ALONE if strong else WITH_PARTNER


@kernel
def _level(trump: Any, card: Any) -> Any:
    """Return the order of a card: side cards by rank, trumps above them."""
    suit = EFFECTIVE_SUIT[trump, card]
    return TRICK_POWER[trump, suit, card] + (_ABOVE_SIDE_CARDS if suit == trump else 0)


@kernel
def _pick(trump: Any, cards: Any, sign: Any) -> Any:
    """Return the highest (sign 1) or lowest (-1) card of a non-empty set; of equals the lowest id."""
    best, choice = -1000, -1
    while cards != 0:
        card = lowest(cards)
        level = sign * _level(trump, card)
        if level > best:
            best, choice = level, card
        cards &= cards - 1
    return choice


@kernel
def _play(s: Any, legal: Any) -> Any:
    trump = s["trump"]
    if s["in_trick"] == 0:
        return _pick(trump, legal, 1)
    if s["best_seat"] == partner_of(s["turn"]):
        return _pick(trump, legal, -1)
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    winners = np.int64(0)
    rest = legal
    while rest != 0:
        if TRICK_POWER[trump, led, lowest(rest)] > s["best_power"]:
            winners |= bit(lowest(rest))
        rest &= rest - 1
    return _pick(trump, winners if winners != 0 else legal, -1)


@kernel
def choose(opt: Any, s: Any, legal: Any) -> Any:
    """Return the action of the seat to move; of records: options and a view."""
    phase = s["phase"]
    if phase == _PLAY:
        return _play(s, legal)
    if phase == _ORDER_UP:
        return _bid_round_one(s, legal)
    if phase == _CALL:
        return _bid_round_two(s, legal)
    if phase == _DISCARD:
        return DECLINE if legal & _CARDS == 0 else _pick(s["trump"], legal & _CARDS, -1)
    if phase == _DECLARE:
        return _declare(opt, s)
    if phase == _CLAIM and has(legal, CLAIM_REDEAL):
        return CLAIM_REDEAL
    return lowest(legal)


@kernel
def choose_rows(options: Any, views: Any, legal: Any, out: Any) -> None:
    """Write the action of each row to `out` `[N]`."""
    opt = options[0]
    for row in range(len(views)):
        out[row] = choose(opt, views[row], legal[row])


def _check_known(rules: Ruleset) -> None:
    """Raise PolicyError for a game of which the description says nothing."""
    known = rules.partners and rules.auction == "off" and not rules.joker and rules.allow_no_trump == "off"
    plain = rules.best_exchange == "off" and rules.farmers_hand != "swap3" and rules.renege == "masked"
    if not known or not plain:
        raise PolicyError(
            f"simple_i does not play {rules.name}: it knows four seats and an up-card, without joker, no-trump, "
            f"passed cards or reneges; choose rule_based."
        )


class SimpleI:
    """Plays by half a dozen fixed rules; deterministic."""

    name = "simple_i"
    exact = True

    def __init__(self, ruleset: Ruleset) -> None:
        _check_known(ruleset)
        self.ruleset = ruleset
        self.options = ruleset.to_options()

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` is not used."""
        out = np.empty(len(views), dtype=np.int64)
        choose_rows(self.options, views, legal, out)
        return out
