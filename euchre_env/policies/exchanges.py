"""What the rule-based player lays away, gives and asks for (5, 6, 7.5, Q-N22), but for the up-card. Compiled."""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, NO_TRUMP_LOW, NUM_CARDS, NUM_RANKS, TRICK_POWER
from euchre_env.engine._jit import kernel
from euchre_env.engine.auction import legal_name
from euchre_env.engine.bits import count, lowest
from euchre_env.engine.layout import CALL, CLAIM_REDEAL, DECLINE, SWAP, Purpose
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.table import has, suit_of_upcard
from euchre_env.policies.card_play import cards_out
from euchre_env.policies.estimate import form_of, worth_after_discard
from euchre_env.policies.hand_score import HIGHER, TRUMP_CARDS

_FARMER = int(Purpose.FARMER)
_CARDS = np.int64((1 << NUM_CARDS) - 1)
# A low card of the suit turned up is kept before a higher one of another suit.
_KEEP_SUIT = 10
# What a card given is worth to a loner, by how many cards elsewhere beat it in its suit: trumps before aces before the
# rest, but an ace before the small trumps (the coefficients of `estimate.py`).
_GIVEN_TRUMP = np.array([1.4, 0.93, 0.86, 0.6, 0.5])
_GIVEN_SIDE = np.array([0.7, 0.2, 0.1, 0.0, 0.0])


@kernel
def choose_claim(opt: Any, s: Any, legal: Any) -> Any:
    """Q-N22: nines and tens are given up, unless low no-trump can be bid with them (1.6)."""
    if opt["auction"] != NO_AUCTION and has(legal_name(opt, s), CALL + NO_TRUMP_LOW):
        return DECLINE
    if has(legal, CLAIM_REDEAL):
        return CLAIM_REDEAL
    return SWAP if has(legal, SWAP) else DECLINE


@kernel
def is_all_sure(opt: Any, s: Any) -> Any:
    """Whether nothing elsewhere beats any card of the mover in its suit."""
    hand, out = s["hands"][s["turn"]], cards_out(opt, s, s["turn"])
    while hand != 0:
        if HIGHER[s["trump"], lowest(hand)] & out != 0:
            return False
        hand &= hand - 1
    return True


@kernel
def _lowest_rag(opt: Any, s: Any, legal: Any) -> Any:
    """Return the card that a farmer's hand misses least."""
    least, choice = 1000, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        value = card % NUM_RANKS + (_KEEP_SUIT if card // NUM_RANKS == suit_of_upcard(opt, s) else 0)
        if value < least:
            least, choice = value, card
    return choice


@kernel
def lay_away(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """5, 6, 7.5, Q-N22: the card whose loss leaves most; nothing for a partner's best where all are sure."""
    if s["discards_for"] == _FARMER:
        return _lowest_rag(opt, s, legal)
    if has(legal, DECLINE) and is_all_sure(opt, s):
        return DECLINE
    seat = s["turn"]
    return worth_after_discard(
        p, form_of(opt, True), cards_out(opt, s, seat), s["hands"][seat], legal & _CARDS, s["trump"]
    )[1]


@kernel
def ask(opt: Any, s: Any) -> Any:
    """7.5, receive first."""
    return DECLINE if is_all_sure(opt, s) else SWAP


@kernel
def give(opt: Any, s: Any, legal: Any) -> Any:
    """7.5: the card that helps a loner most."""
    trump, out = s["trump"], cards_out(opt, s, s["turn"]) & ~legal
    best, choice = -1.0, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        higher = min(count(HIGHER[trump, card] & out), len(_GIVEN_SIDE) - 1)
        value = _GIVEN_TRUMP[higher] if has(TRUMP_CARDS[trump], card) else _GIVEN_SIDE[higher]
        value += 1e-3 * TRICK_POWER[trump, EFFECTIVE_SUIT[trump, card], card]
        if value > best:
            best, choice = value, card
    return choice
