"""The one switch on phase: what is legal, and what an action does. Kernels trust their input; `Game` checks it."""

from typing import Any

import numpy as np

from euchre_env.engine import alone, auction, exchange, play, turn_up
from euchre_env.engine._jit import inlined, kernel
from euchre_env.engine.deal import deal, new_game
from euchre_env.engine.layout import Phase

__all__ = ["apply", "deal", "legal_mask", "new_game"]

_CLAIM = int(Phase.CLAIM)
_ORDER_UP = int(Phase.ORDER_UP)
_CALL = int(Phase.CALL)
_DISCARD = int(Phase.DISCARD)
_DECLARE = int(Phase.DECLARE)
_BID = int(Phase.BID)
_NAME_TRUMP = int(Phase.NAME_TRUMP)
_SWAP = int(Phase.SWAP)
_GIVE = int(Phase.GIVE)
_PLAY = int(Phase.PLAY)

_legal_play, _apply_play = play.legal_play, play.apply_play
_legal_declare, _apply_declare = alone.legal_declare, alone.apply_declare
_legal_discard, _apply_discard = exchange.legal_discard, exchange.apply_discard
_legal_claim, _apply_claim = turn_up.legal_claim, turn_up.apply_claim
_legal_order_up, _apply_order_up = turn_up.legal_order_up, turn_up.apply_order_up
_legal_call, _apply_call = turn_up.legal_call, turn_up.apply_call
_legal_bid, _apply_bid = auction.legal_bid, auction.apply_bid
_legal_name, _apply_name = auction.legal_name, auction.apply_name
_legal_swap, _apply_swap = exchange.legal_swap, exchange.apply_swap
_legal_give, _apply_give = exchange.legal_give, exchange.apply_give


@inlined
def legal_mask(opt: Any, s: Any) -> Any:
    """Return the legal actions of the seat to move as an int64 set; empty when no decision is due."""
    phase = s["phase"]
    if phase == _PLAY:
        return _legal_play(opt, s)
    if phase == _ORDER_UP:
        return _legal_order_up(opt, s)
    if phase == _CALL:
        return _legal_call(opt, s)
    if phase == _DISCARD:
        return _legal_discard(opt, s)
    if phase == _DECLARE:
        return _legal_declare(opt, s)
    return _legal_seldom(opt, s, phase)


@kernel
def _legal_seldom(opt: Any, s: Any, phase: Any) -> Any:
    """Return the legal actions of phases that few games have: apart, since what is inlined has to stay small."""
    if phase == _CLAIM:
        return _legal_claim(opt, s)
    if phase == _BID:
        return _legal_bid(opt, s)
    if phase == _NAME_TRUMP:
        return _legal_name(opt, s)
    if phase == _GIVE:
        return _legal_give(opt, s)
    if phase == _SWAP:
        return _legal_swap(opt, s)
    return np.int64(0)


@inlined
def apply(opt: Any, s: Any, action: Any) -> None:
    """Carry out a legal action of the seat to move."""
    phase = s["phase"]
    if phase == _PLAY:
        _apply_play(opt, s, action)
    elif phase == _ORDER_UP:
        _apply_order_up(opt, s, action)
    elif phase == _CALL:
        _apply_call(opt, s, action)
    elif phase == _DISCARD:
        _apply_discard(opt, s, action)
    elif phase == _DECLARE:
        _apply_declare(opt, s, action)
    else:
        _apply_seldom(opt, s, action, phase)


@kernel
def _apply_seldom(opt: Any, s: Any, action: Any, phase: Any) -> None:
    """Carry out an action of phases that few games have."""
    if phase == _CLAIM:
        _apply_claim(opt, s, action)
    elif phase == _BID:
        _apply_bid(opt, s, action)
    elif phase == _NAME_TRUMP:
        _apply_name(opt, s, action)
    elif phase == _GIVE:
        _apply_give(opt, s, action)
    elif phase == _SWAP:
        _apply_swap(opt, s, action)
