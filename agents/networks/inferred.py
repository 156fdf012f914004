"""What a player at the table concludes from what he sees, as input columns beside the observation.

All of it follows from the observation, which loses nothing, but a small network takes long to find it out: who failed
to follow which suit, who is winning the trick, which cards are the best still out. Voids and cards out are counted as
people count them; what wins comes from the tables of `cards.py`. What does not apply stays 0: all of it before a blind
call, voids where a renege shows that there is none. Compiled; it reads nothing that the seat may not know, so a view
and the full state give the same row.

>>> INFERRED_SIZE == sum(segment.size for segment in INFERRED_SEGMENTS)
True
"""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, NO_TRUMP, NUM_CARDS, NUM_SUITS, SUIT_CARDS, TRICK_POWER
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import count, lowest
from euchre_env.engine.layout import MAX_SEATS, NONE, Phase, Upcard
from euchre_env.engine.observe import Segment, relative
from euchre_env.engine.suits import IDENTITY, canonical_permutation, relabel_card, relabel_suit
from euchre_env.engine.table import has, is_blind, suit_of_upcard
from euchre_env.policies.card_play import cards_out

# Counts in checkpoints; moves whenever INFERRED_SEGMENTS or their meaning do.
INFERRED_VERSION = 1

INFERRED_SEGMENTS = (
    Segment("voids", MAX_SEATS * NUM_SUITS, 0, 1, "seat by suit: it could not follow that suit"),
    Segment("led", NUM_SUITS, 0, 1, "the suit led to the trick on the table"),
    Segment("winning", MAX_SEATS, 0, 1, "the seat that is winning it"),
    Segment("behind", MAX_SEATS, 0, 1, "how many seats play to it after the mover: none ... three"),
    Segment("own", NUM_SUITS, 0, 10, "cards held of each suit"),
    Segment("unseen", NUM_SUITS, 0, 10, "cards of each suit that others may hold or have laid away"),
    Segment("best", NUM_CARDS, 0, 1, "cards held that none of those of their suit beats"),
    Segment("takes", NUM_CARDS, 0, 1, "cards held that would take the trick as it lies"),
)
INFERRED_SIZE = sum(segment.size for segment in INFERRED_SEGMENTS)

_VOIDS, _LED, _WINNING, _BEHIND, _OWN, _UNSEEN, _BEST, _TAKES = (
    int(start) for start in np.cumsum([0, *(segment.size for segment in INFERRED_SEGMENTS)])[:-1]
)
_PLAY = int(Phase.PLAY)
_PROPOSED = int(Upcard.PROPOSED)


@kernel
def _supposed_trump(opt: Any, s: Any) -> Any:
    """Trump; the suit that is proposed; no-trump while no suit stands out."""
    if s["trump"] != NONE:
        return np.int64(s["trump"])
    if s["upcard_state"] == _PROPOSED and suit_of_upcard(opt, s) < NUM_SUITS:
        return np.int64(suit_of_upcard(opt, s))
    return np.int64(NO_TRUMP)


@kernel
def _highest(trump: Any, suit: Any, cards: Any) -> Any:
    """Return what the best of some cards of a suit is worth in a trick led in it."""
    power = 0
    while cards != 0:
        power = max(power, TRICK_POWER[trump, suit, lowest(cards)])
        cards &= cards - 1
    return power


@kernel
def _mark_above(trump: Any, led: Any, power: Any, cards: Any, perm: Any, out: Any, at: Any) -> None:
    """Mark the cards that are worth more than `power` in a trick of the suit led."""
    while cards != 0:
        card = lowest(cards)
        if TRICK_POWER[trump, led, card] > power:
            out[at + relabel_card(card, perm)] = 1
        cards &= cards - 1


@kernel
def _infer_suits(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    trump, hand, unseen = _supposed_trump(opt, s), s["hands"][seat], cards_out(opt, s, seat)
    for suit in range(NUM_SUITS):
        shown, cards = relabel_suit(suit, perm), SUIT_CARDS[trump, suit]
        out[_OWN + shown] = count(hand & cards)
        out[_UNSEEN + shown] = count(unseen & cards)
        _mark_above(trump, suit, _highest(trump, suit, unseen & cards), hand & cards, perm, out, _BEST)


@kernel
def _infer_voids(opt: Any, s: Any, seat: Any, players: Any, perm: Any, out: Any) -> None:
    """1.4: who played another suit than the one led has none of it, unless that is known as a renege (Q-X4)."""
    trump = s["trump"]
    for trick in range(s["trick"] + (1 if s["in_trick"] > 0 else 0)):
        led = np.int64(EFFECTIVE_SUIT[trump, s["cards"][trick, 0]])
        for place in range(1, players if trick < s["trick"] else np.int64(s["in_trick"])):
            card = s["cards"][trick, place]
            if led < NUM_SUITS and EFFECTIVE_SUIT[trump, card] != led and not has(s["reneged"], card):
                who = relative(opt, np.int64(s["players"][trick, place]), seat)
                out[_VOIDS + NUM_SUITS * who + relabel_suit(led, perm)] = 1


@kernel
def _infer_trick(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    trump, led = s["trump"], np.int64(EFFECTIVE_SUIT[s["trump"], s["cards"][s["trick"], 0]])
    if led < NUM_SUITS:
        out[_LED + relabel_suit(led, perm)] = 1
    out[_WINNING + relative(opt, np.int64(s["best_seat"]), seat)] = 1
    _mark_above(trump, led, s["best_power"], s["hands"][seat], perm, out, _TAKES)


@kernel
def infer(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write the row of a seat into `out` [INFERRED_SIZE] int8, suits relabelled by `perm`."""
    out[:] = 0
    if is_blind(opt, s):
        return
    _infer_suits(opt, s, seat, perm, out)
    if s["phase"] == _PLAY:
        players = opt["num_seats"] - count(s["sits_out"])
        _infer_voids(opt, s, seat, players, perm, out)
        if seat == s["turn"]:
            out[_BEHIND + players - 1 - s["in_trick"]] = 1
        if s["in_trick"] > 0:
            _infer_trick(opt, s, seat, perm, out)


@kernel
def infer_rows(options: Any, states: Any, rows: Any, canonical: Any, columns: Any, out: Any) -> None:
    """Write the given columns of what the movers of some games infer into `out` [len(rows), len(columns)]."""
    opt = options[0]
    whole = np.empty(INFERRED_SIZE, dtype=np.int8)
    for i in range(len(rows)):
        s = states[rows[i]]
        seat = np.int64(s["turn"])
        infer(opt, s, seat, canonical_permutation(opt, s, seat) if canonical else np.int64(IDENTITY), whole)
        for j in range(len(columns)):
            out[i, j] = whole[columns[j]]
