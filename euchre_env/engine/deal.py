"""A new game and a new hand: an ordered deck becomes hands, up-card and kitty (1.2)."""

from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import MAX_CALLS, MAX_SEATS, MAX_TRICKS, NONE, Phase, Upcard
from euchre_env.engine.table import left_of
from euchre_env.engine.turn_up import begin_bidding

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
    s["winner"] = NONE
    s["extra_hand"] = 0


@kernel
def _clear_hand(s: Any) -> None:
    _clear_seats(s)
    _clear_calls(s)
    _clear_tricks(s)
    s["kitty"] = 0
    s["upcard"] = NONE
    s["upcard_state"] = 0
    s["turn"] = NONE


@kernel
def _clear_seats(s: Any) -> None:
    for seat in range(MAX_SEATS):
        s["hands"][seat] = 0
        s["buried"][seat] = 0
        s["given"][seat] = 0
        s["played"][seat] = 0
        s["points"][seat] = 0
        s["bids"][seat] = NONE
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
    """1.2: round by round from the dealer's left, the dealer last; return how many cards are gone."""
    top = 0
    for turn in range(_ROUNDS):
        seat = s["dealer"]
        for place in range(opt["num_seats"]):
            seat = left_of(opt, seat)
            for _ in range(opt["packets"][turn, place & 1]):
                s["hands"][seat] |= bit(deck[top])
                top += 1
    return top


@kernel
def deal(opt: Any, s: Any, deck: Any) -> None:
    """Start a hand from a deck `[deck_size]` of card ids, top first; the next dealer deals it."""
    _clear_hand(s)
    s["dealer"] = s["next_dealer"]
    top = _deal_packets(opt, s, deck)
    s["upcard"] = deck[top]
    s["upcard_state"] = _PROPOSED
    kitty = np.int64(0)
    for i in range(top + 1, opt["deck_size"]):
        kitty |= bit(deck[i])
    s["kitty"] = kitty
    begin_bidding(opt, s)
