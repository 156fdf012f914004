"""A new game and a new hand: an ordered deck becomes hands, up-card and kitty (1.2)."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.dummy import THREE_CARD, TWO_CARD, dummy_place
from euchre_env.engine.layout import MAX_CALLS, MAX_SEATS, MAX_TRICKS, NONE, Phase, Upcard
from euchre_env.engine.opening import NO_AUCTION, begin_bidding
from euchre_env.engine.table import left_of

_DEAL = int(Phase.DEAL)
_PROPOSED = int(Upcard.PROPOSED)
_ROUNDS = 8


@kernel
def new_game(opt: Any, s: Any, dealer: Any) -> None:
    """Clear a record: nil all, the given seat deals first."""
    _clear_hand(s)
    for side in range(MAX_SEATS):
        s["scores"][side] = 0
    s["hand"] = 0
    s["redeal"] = 0
    s["phase"] = _DEAL
    s["dealer"] = dealer
    s["next_dealer"] = dealer
    s["winners"] = 0
    s["extra_hand"] = 0


@kernel
def _clear_hand(s: Any) -> None:
    _clear_seats(s)
    _clear_calls(s)
    _clear_tricks(s)
    s["kitty"] = 0
    s["reneged"] = 0
    s["upcard"] = NONE
    s["upcard_state"] = 0
    s["turn"] = NONE


@kernel
def _clear_seats(s: Any) -> None:
    for seat in range(MAX_SEATS):
        s["hands"][seat] = 0
        s["buried"][seat] = 0
        s["given"][seat] = 0
        s["laid_away"][seat] = 0
        s["played"][seat] = 0
        s["points"][seat] = 0
        s["bids"][seat] = NONE
        s["named"][seat] = NONE
        s["tricks"][seat] = 0


@kernel
def _clear_calls(s: Any) -> None:
    s["trump"] = NONE
    s["maker"] = NONE
    s["bid"] = NONE
    s["swapped_by"] = NONE
    s["alone"] = 0
    s["asked"] = 0
    s["sits_out"] = 0
    s["exchanged"] = 0
    s["discards_for"] = 0
    s["num_calls"] = 0
    for i in range(MAX_CALLS):
        s["calls"][i] = NONE
        s["call_seats"][i] = NONE


@kernel
def _clear_tricks(s: Any) -> None:
    s["trick"] = 0
    s["in_trick"] = 0
    s["best_seat"] = NONE
    s["best_power"] = NONE
    for trick in range(MAX_TRICKS):
        s["trick_cards"][trick] = 0
        for place in range(MAX_SEATS):
            s["cards"][trick, place] = NONE
            s["players"][trick, place] = NONE


@kernel
def _deal_packets(opt: Any, s: Any, deck: Any) -> Any:
    """1.2: round by round from the dealer's left, the dealer last; return how many cards are gone.

    A ghost or dummy hand lies to the dealer's right (6, 9.1) and is kept in the place after the last seat.
    """
    top = 0
    places = opt["dealt_places"]
    for turn in range(_ROUNDS):
        if opt["packets"][turn, 0] == 0:
            break
        seat = s["dealer"]
        for place in range(places):
            beside = places > opt["num_seats"] and place == places - 2
            if not beside:
                seat = left_of(opt, seat)
            to = opt["num_seats"] if beside else seat
            for _ in range(opt["packets"][turn, place & 1]):
                s["hands"][to] |= bit(deck[top])
                top += 1
    return top


@kernel
def _deal_dummies(opt: Any, s: Any, deck: Any, top: Any) -> Any:
    """5: two cards for the maker, or three for each of the two seats, kept in the places after theirs."""
    if opt["dummy"] == TWO_CARD:
        s["hands"][dummy_place(opt, NONE)] = bit(deck[top]) | bit(deck[top + 1])
        return top + 2
    if opt["dummy"] == THREE_CARD:
        seat = s["dealer"]
        for _ in range(2):
            seat = left_of(opt, seat)
            s["hands"][dummy_place(opt, seat)] = bit(deck[top]) | bit(deck[top + 1]) | bit(deck[top + 2])
            top += 3
    return top


@kernel
def deal(opt: Any, s: Any, deck: Any) -> None:
    """Start a hand from a deck `[deck_size]` of card ids, top first; the next dealer deals it."""
    _clear_hand(s)
    s["dealer"] = s["next_dealer"]
    top = _deal_packets(opt, s, deck)
    if opt["auction"] == NO_AUCTION:
        s["upcard"] = deck[top]
        s["upcard_state"] = _PROPOSED
        top = _deal_dummies(opt, s, deck, top + 1)
    kitty = np.int64(0)
    for i in range(top, opt["deck_size"]):
        kitty |= bit(deck[i])
    s["kitty"] = kitty
    begin_bidding(opt, s)
