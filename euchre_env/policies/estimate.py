"""How many tricks a hand may take under each trump, and what making trump or a bid is worth with it. Compiled.

The simple counterpart of `hand_score.py` for games that it was not tuned for: auctions, two and three seats, no-trump.
The tricks to expect are the sum of what the cards add (`parameters.py`, by form); they give the chance of every number
of tricks, and the engine says what each number scores and whether it ends the game. So a ruleset's options are heeded
without being known here.
"""

from math import exp
from typing import Any

import numpy as np

from euchre_env.cards import NUM_RANKS, NUM_SUITS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.game_end import settle_game
from euchre_env.engine.layout import MOON, STATE
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.score import makers_points
from euchre_env.engine.stakes import score_bid
from euchre_env.engine.table import award, has, left_of, num_sides, side_of
from euchre_env.policies.hand_score import HIGHER, TRUMP_CARDS
from euchre_env.policies.parameters import Form

_PAIR, _TWO, _ONE, _MOON = int(Form.PAIR), int(Form.TWO), int(Form.ONE), int(Form.MOON)
_JUST_MADE = -1  # no bid: trump was made in a turn-up game
# The number of higher trumps elsewhere from which all trumps are alike.
_MANY = 4
_LEAST_BID = 3
# The tricks that a bidder expects beyond those he needs: with them about four of five bids are made.
_MARGIN = 0.4


@kernel
def place_at_table(opt: Any, s: Any, seat: Any) -> Any:
    """Return 0 for the seat left of the dealer, the last number for the dealer, with any number of seats."""
    return (seat - s["dealer"] - 1 + opt["num_seats"]) % opt["num_seats"]


@kernel
def form_of(opt: Any, alone: Any) -> Any:
    """Return the Form that a maker plays in; a lone one without his partner, in auctions for every trick."""
    if alone and opt["auction"] != NO_AUCTION:
        return _MOON
    if opt["num_seats"] == 2:
        return _ONE
    return _PAIR if opt["partners"] and not alone else _TWO


@kernel
def trumps_worth(p: Any, form: Any, out: Any, cards: Any, trump: Any) -> Any:
    """Return the tricks that trumps add."""
    total = p["tricks_beyond_three"][form] * max(count(cards) - 3, 0)
    while cards != 0:
        total += p["tricks_trump"][form, min(count(HIGHER[trump, lowest(cards)] & out), _MANY)]
        cards &= cards - 1
    return total


@kernel
def _suit_worth(p: Any, form: Any, out: Any, cards: Any, trump: Any) -> Any:
    """Return what the cards of a side suit add."""
    if cards == 0:
        return p["tricks_void"][form]
    total = 0.0
    single = count(cards) == 1
    while cards != 0:
        higher = count(HIGHER[trump, lowest(cards)] & out)
        if higher == 0:
            total += p["tricks_boss"][form] + (p["tricks_boss_alone"][form] if single else 0.0)
        elif higher == 1:
            total += p["tricks_second"][form]
        cards &= cards - 1
    return total


@kernel
def _no_trump_worth(p: Any, form: Any, out: Any, cards: Any, trump: Any) -> Any:
    total = p["tricks_no_trump"][form, 0]
    while cards != 0:
        total += p["tricks_no_trump"][form, 1 + min(count(HIGHER[trump, lowest(cards)] & out), 2)]
        cards &= cards - 1
    return total


@kernel
def worth(p: Any, form: Any, out: Any, hand: Any, trump: Any) -> Any:
    """Return the tricks that a hand's cards add under a trump; `out` are the cards that may be in other hands."""
    if trump >= NUM_SUITS:
        return _no_trump_worth(p, form, out, hand, trump)
    total = trumps_worth(p, form, out, hand & TRUMP_CARDS[trump], trump)
    for suit in range(NUM_SUITS):
        if suit != trump:
            total += _suit_worth(p, form, out, hand & SUIT_CARDS[trump, suit], trump)
    return total


@kernel
def worth_after_discard(p: Any, form: Any, out: Any, hand: Any, may_go: Any, trump: Any) -> Any:
    """Return (worth, card): the discard among `may_go` that leaves most; of equals the lowest rank."""
    best, choice = -1e9, -1
    while may_go != 0:
        card = lowest(may_go)
        may_go &= may_go - 1
        left = worth(p, form, out, hand & ~bit(card), trump) - 1e-3 * (card % NUM_RANKS)
        if left > best:
            best, choice = left, card
    return best, choice


@kernel
def _chance(p: Any, form: Any, expected: Any, tricks: Any) -> Any:
    """Return the chance of so many tricks or more."""
    if tricks <= 0:
        return 1.0
    return 1.0 / (1.0 + exp(-p["steep"][form] * (expected - tricks + 0.5)))


@kernel
def _score(opt: Any, s: Any, tricks: Any) -> None:
    """Give every side its points for so many tricks of the maker; the other tricks go to the seat after him."""
    seat = s["maker"]
    if opt["auction"] != NO_AUCTION:
        s["tricks"][:] = 0
        s["tricks"][seat] = tricks
        s["tricks"][left_of(opt, seat)] = opt["hand_size"] - tricks
        score_bid(opt, s)
        return
    points = makers_points(opt, s, tricks)
    for side in range(num_sides(opt)):
        if (side == side_of(opt, seat)) == (points > 0):
            award(s, side, abs(points))


@kernel
def _gain(opt: Any, p: Any, before: Any, after: Any, side: Any) -> Any:
    """Return a side's points of the hand; none beyond the target where winning is counted apart."""
    total = after["scores"][side]
    if p["win"] != 0.0:
        total = min(total, opt["target"])
    return float(total - before["scores"][side])


@kernel
def _net_points(opt: Any, p: Any, before: Any, after: Any, own: Any) -> Any:
    """Return the points of a side less those of an average other one."""
    others = 0.0
    for side in range(num_sides(opt)):
        others += _gain(opt, p, before, after, side) if side != own else 0.0
    return _gain(opt, p, before, after, own) - others / (num_sides(opt) - 1)


@kernel
def _end_value(opt: Any, p: Any, s: Any, own: Any) -> Any:
    """Return what it is worth to a side that the game is over now, in points; 0 if it goes on."""
    settle_game(opt, s)
    if s["winners"] == 0:
        return 0.0
    return p["win"] if has(s["winners"], own) else -p["win"]


@kernel
def _outcomes(opt: Any, p: Any, s: Any, maker: Any, bid: Any, alone: Any, expected: Any) -> Any:
    """Return the mover's (net points, value of the game's end) of what a maker (`bid` -1) or bidder may take."""
    room = np.empty(1, dtype=STATE)
    after, own = room[0], side_of(opt, s["turn"])
    form = form_of(opt, alone)
    net, end, least = 0.0, 0.0, 1.0
    for tricks in range(opt["hand_size"] + 1):
        room[0] = s
        after["maker"], after["bid"], after["alone"] = maker, bid, bit(maker) if alone else 0
        _score(opt, after, tricks)
        more = _chance(p, form, expected, tricks + 1) if tricks < opt["hand_size"] else 0.0
        net += (least - more) * _net_points(opt, p, s, after, own)
        end += (least - more) * _end_value(opt, p, after, own)
        least = more
    return net, end


@kernel
def value_of(opt: Any, p: Any, s: Any, bid: Any, alone: Any, expected: Any) -> Any:
    """Return the net points to expect of the mover's bid with so many expected tricks, with what a game is worth."""
    net, end = _outcomes(opt, p, s, s["turn"], bid, alone, expected)
    return net + end


@kernel
def end_of_standing_bid(opt: Any, p: Any, s: Any) -> Any:
    """Return what it is worth to the mover that the standing bid may end the game."""
    if s["bid"] < 0:
        return 0.0
    needed = min(_LEAST_BID + s["bid"], opt["hand_size"])
    return _outcomes(opt, p, s, s["maker"], s["bid"], s["bid"] >= MOON, needed + _MARGIN)[1]


@kernel
def value_of_trump(opt: Any, p: Any, s: Any, alone: Any, hand_worth: Any) -> Any:
    """Return the net points to expect if the mover makes trump with a hand of such a worth."""
    return value_of(opt, p, s, _JUST_MADE, alone, p["tricks_base"][form_of(opt, alone)] + hand_worth)
