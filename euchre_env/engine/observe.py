"""What a seat sees: the SEGMENTS of an observation, the hidden rest for centralised critics, and views for search.

The space, the docs page, a network's input size and the test decoder are derived from SEGMENTS. Everything is relative
to the observing seat: seat columns start with itself and go clockwise. Encoding a view gives the row of the full state.

>>> OBSERVATION_SIZE == sum(s.size for s in SEGMENTS), columns("hand")
(True, slice(0, 33, None))
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from euchre_env.cards import JOKER, NO_TRUMP, NUM_CARDS, NUM_RANKS, NUM_SUITS, NUM_TRUMPS
from euchre_env.engine._jit import inlined, kernel
from euchre_env.engine.bits import put_bytes
from euchre_env.engine.layout import MAX_SEATS, NONE, NUM_BIDS, OPTION_FIELDS, Phase
from euchre_env.engine.suits import relabel_card, relabel_suit
from euchre_env.engine.table import has, is_blind, left_of, num_sides, partner_of, side_of

# Counts in checkpoints; moves whenever SEGMENTS or their meaning do.
OBSERVATION_VERSION = 2

_PHASES = int(Phase.PLAY)
_AGES = 6
_MAX_SIDES = 3
_BIDS = NUM_BIDS + 1


class Segment(NamedTuple):
    """A run of observation columns; `low` and `high` bound their int8 values."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


SEGMENTS = (
    Segment("hand", NUM_CARDS, 0, 1, "cards held, the taken up-card among them"),
    Segment("upcard", NUM_CARDS, 0, 1, "the card that was turned up"),
    Segment("upcard_state", 4, 0, 1, "proposed, turned down, taken by the dealer, left although trump was made by it"),
    Segment("trump", NUM_TRUMPS, 0, 1, "C D H S, no-trump, low no-trump; none before trump is made"),
    Segment(
        "phase", _PHASES, 0, 1, "the decision due: claim, order up, call, discard, declare, bid, name, swap, give, play"
    ),
    Segment("turn", MAX_SEATS, 0, 1, "the seat to move"),
    Segment("dealer", MAX_SEATS, 0, 1, "the dealer"),
    Segment("maker", MAX_SEATS, 0, 1, "who made trump"),
    Segment("alone", MAX_SEATS, 0, 1, "seats that play alone"),
    Segment("with_partner", MAX_SEATS, 0, 1, "seats that were asked after trump was made and do not play alone"),
    Segment("sits_out", MAX_SEATS, 0, 1, "seats that sit out"),
    Segment("buried", NUM_CARDS, 0, 1, "what this seat itself laid away"),
    Segment("played_by", MAX_SEATS * NUM_CARDS, 0, 1, "seat by card: what each seat played"),
    Segment(
        "played_ago", _AGES * NUM_CARDS, 0, 1, "tricks ago by card: 0 on the table ... 5; none of them: before that"
    ),
    Segment("tricks", MAX_SEATS, 0, 7, "tricks won by each seat"),
    Segment("scores", _MAX_SIDES, -128, 127, "points of the own side, then of the others clockwise, within -128..127"),
    Segment("options", len(OPTION_FIELDS), -128, 127, "the ruleset, by the fields of OPTIONS in their order"),
    Segment("bids", MAX_SEATS * _BIDS, 0, 1, "seat by pass, 3, 4, 5, 6, moon, double, triple, quadruple moon"),
    Segment("named", MAX_SEATS * NUM_TRUMPS, 0, 1, "seat by trump: what each seat named with its bid"),
    Segment("swapped_by", MAX_SEATS, 0, 1, "who took the ghost hand, or the three buried cards"),
    Segment("exchanged", MAX_SEATS, 0, 1, "seats that have settled their partner's best card, or taken their dummy"),
    Segment("laid_away", MAX_SEATS, 0, 9, "how many cards each seat has laid away face down"),
    Segment("passed", NUM_CARDS, 0, 1, "the best card that this seat gave its partner or got from him"),
    Segment("reneged", NUM_CARDS, 0, 1, "cards played although their player could have followed suit"),
    Segment("tied", _MAX_SIDES, 0, 1, "sides between which a tie-break hand is played, the own first, then clockwise"),
    Segment("scores_beyond", 2 * _MAX_SIDES, -128, 127, "what the scores leave out, side by whole 128s and the rest"),
)
# What only some games set (`extras` in OPTIONS): elsewhere these columns stay as they are, at 0.
EXTRA_SEGMENTS = SEGMENTS[[s.name for s in SEGMENTS].index("bids") :]

HIDDEN_SEGMENTS = (
    Segment(
        "other_hands", NUM_CARDS * (MAX_SEATS - 1), 0, 1, "the cards of the next seat, the one after, and the last"
    ),
    Segment("dead", NUM_CARDS, 0, 1, "the kitty, dummies, the ghost hand and what other seats laid away"),
)


def _offsets(segments: tuple[Segment, ...]) -> dict[str, int]:
    starts = np.cumsum([0, *(s.size for s in segments)])
    return {s.name: int(start) for s, start in zip(segments, starts, strict=False)}


_AT = _offsets(SEGMENTS)
_SIZES = {s.name: s.size for s in SEGMENTS}
OBSERVATION_SIZE = sum(_SIZES.values())
HIDDEN_SIZE = sum(s.size for s in HIDDEN_SEGMENTS)


def columns(name: str) -> slice:
    """Return the columns of a segment; KeyError if there is none of that name."""
    return slice(_AT[name], _AT[name] + _SIZES[name])


def bounds() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Return the lowest and the highest value of each column, [OBSERVATION_SIZE] each."""
    sizes = [s.size for s in SEGMENTS]
    low = np.repeat([s.low for s in SEGMENTS], sizes).astype(np.int8)
    return low, np.repeat([s.high for s in SEGMENTS], sizes).astype(np.int8)


def hidden_columns(name: str) -> slice:
    """Return the columns of a hidden segment; KeyError if there is none of that name."""
    start = _offsets(HIDDEN_SEGMENTS)[name]
    return slice(start, start + next(s.size for s in HIDDEN_SEGMENTS if s.name == name))


_HAND = _AT["hand"]
_UPCARD = _AT["upcard"]
_UPCARD_STATE = _AT["upcard_state"]
_TRUMP = _AT["trump"]
_PHASE = _AT["phase"]
_TURN = _AT["turn"]
_DEALER = _AT["dealer"]
_MAKER = _AT["maker"]
_ALONE = _AT["alone"]
_WITH_PARTNER = _AT["with_partner"]
_SITS_OUT = _AT["sits_out"]
_BURIED = _AT["buried"]
_PLAYED_BY = _AT["played_by"]
_PLAYED_AGO = _AT["played_ago"]
_TRICKS = _AT["tricks"]
_SCORES = _AT["scores"]
_OPTIONS = _AT["options"]
_NUM_OPTIONS = len(OPTION_FIELDS)
_EXTRAS = _AT[EXTRA_SEGMENTS[0].name]
_BID_COLUMNS = _AT["bids"]
_NAMED = _AT["named"]
_SWAPPED_BY = _AT["swapped_by"]
_EXCHANGED = _AT["exchanged"]
_LAID_AWAY = _AT["laid_away"]
_PASSED = _AT["passed"]
_RENEGED = _AT["reneged"]
_TIED = _AT["tied"]
_BEYOND = _AT["scores_beyond"]
_BEYOND_UNIT = 128
_BEYOND_MOST = 127 * _BEYOND_UNIT
_OTHERS = MAX_SEATS - 1
# [set of eight ranks] their columns: a byte of 0 or 1 each, the lowest rank first.
_COLUMNS_OF = np.array(
    [sum(1 << 8 * r for r in range(NUM_RANKS) if ranks >> r & 1) for ranks in range(256)], dtype=np.uint64
)
_DEAD = NUM_CARDS * _OTHERS


@inlined
def relative(opt: Any, who: Any, seat: Any) -> Any:
    """Return how many places clockwise `who` sits from the observer, wide enough to add to a column."""
    who, seat = np.int64(who), np.int64(seat)
    return who - seat if who >= seat else who - seat + opt["num_seats"]


@inlined
def _spread(out: Any, at: Any, cards: Any, perm: Any) -> None:
    """Write a set of cards as columns: eight at once, without a branch for the predictor to miss."""
    for suit in range(NUM_SUITS):
        put_bytes(out, at + (relabel_suit(suit, perm) << 3), _COLUMNS_OF[cards >> NUM_RANKS * suit & 0xFF])
    out[at + JOKER] = cards >> JOKER & 1


@inlined
def _mark_seat(opt: Any, out: Any, at: Any, who: Any, seat: Any) -> None:
    """Set the column of a seat relative to the observer; NONE sets nothing."""
    out[at + max(relative(opt, who, seat), 0)] = who != NONE


@inlined
def _encode_seats(opt: Any, s: Any, seat: Any, out: Any) -> None:
    _mark_seat(opt, out, _TURN, s["turn"], seat)
    _mark_seat(opt, out, _DEALER, s["dealer"], seat)
    _mark_seat(opt, out, _MAKER, s["maker"], seat)
    alone, asked, sits_out = np.int64(s["alone"]), np.int64(s["asked"]), np.int64(s["sits_out"])
    for who in range(MAX_SEATS):
        if who < opt["num_seats"]:
            place = relative(opt, who, seat)
            out[_ALONE + place] = alone >> who & 1
            out[_WITH_PARTNER + place] = asked >> who & 1
            out[_SITS_OUT + place] = sits_out >> who & 1
            out[_TRICKS + place] = s["tricks"][who]


@inlined
def _encode_trump(s: Any, perm: Any, out: Any) -> None:
    if s["upcard"] != NONE:
        out[_UPCARD + relabel_card(s["upcard"], perm)] = 1
        out[_UPCARD_STATE + s["upcard_state"] - 1] = 1
    trump = max(np.int64(s["trump"]), np.int64(0))
    out[_TRUMP + (relabel_suit(trump, perm) if trump < NO_TRUMP else trump)] = s["trump"] != NONE


@inlined
def _encode_played(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Every card played: by whom, and how many tricks ago; after the last trick, that one counts as on the table."""
    seats = opt["num_seats"]
    for place in range(MAX_SEATS):
        who = seat + place if seat + place < seats else seat + place - seats
        _spread(out, _PLAYED_BY + place * NUM_CARDS, s["played"][who] if place < seats else 0, perm)
    now = min(s["trick"], opt["hand_size"] - 1)
    for ago in range(_AGES):
        cards = s["trick_cards"][max(now - ago, 0)]
        _spread(out, _PLAYED_AGO + ago * NUM_CARDS, cards if ago <= now else 0, perm)


@inlined
def _relative_side(opt: Any, side: Any, own: Any) -> Any:
    return side - own if side >= own else side - own + num_sides(opt)


@inlined
def _encode_scores(opt: Any, s: Any, seat: Any, out: Any) -> None:
    own = np.int64(side_of(opt, seat))
    for side in range(_MAX_SIDES):
        if side < num_sides(opt):
            out[_SCORES + _relative_side(opt, side, own)] = min(max(s["scores"][side], -128), 127)


@kernel
def _encode_beyond(opt: Any, s: Any, seat: Any, out: Any) -> None:
    """Write what an int8 of `scores` cannot hold; past sixteen thousand points it stops counting."""
    own = np.int64(side_of(opt, seat))
    for side in range(num_sides(opt)):
        at, score = _relative_side(opt, side, own), s["scores"][side]
        left = np.int64(min(max(score - min(max(score, -128), 127), -_BEYOND_MOST), _BEYOND_MOST))
        size = -left if left < 0 else left
        out[_BEYOND + at] = -(size // _BEYOND_UNIT) if left < 0 else size // _BEYOND_UNIT
        out[_BEYOND + _MAX_SIDES + at] = -(size % _BEYOND_UNIT) if left < 0 else size % _BEYOND_UNIT
        out[_TIED + at] = has(s["extra_hand"], side)


@kernel
def _encode_auction(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    for who in range(opt["num_seats"]):
        place = relative(opt, who, seat)
        if s["bids"][who] != NONE:
            out[_BID_COLUMNS + place * _BIDS + s["bids"][who]] = 1
        trump = np.int64(s["named"][who])
        if trump != NONE:
            out[_NAMED + place * NUM_TRUMPS + (relabel_suit(trump, perm) if trump < NO_TRUMP else trump)] = 1


@kernel
def _encode_exchanges(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write what was swapped, laid away and passed: all know that it was, few know what (1.8)."""
    _mark_seat(opt, out, _SWAPPED_BY, s["swapped_by"], seat)
    for who in range(opt["num_seats"]):
        place = relative(opt, who, seat)
        out[_EXCHANGED + place] = has(s["exchanged"], who)
        out[_LAID_AWAY + place] = s["laid_away"][who]
    passed = s["given"][seat] | (s["given"][partner_of(seat)] if opt["partners"] else 0)
    _spread(out, _PASSED, passed, perm)
    _spread(out, _RENEGED, s["reneged"], perm)


@kernel
def _encode_extras(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write EXTRA_SEGMENTS."""
    out[_EXTRAS:] = 0
    _encode_auction(opt, s, seat, perm, out)
    _encode_exchanges(opt, s, seat, perm, out)
    _encode_beyond(opt, s, seat, out)


@inlined
def encode_game(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write all of an observation but the options, which are the same all game long, and extras that cannot be."""
    _spread(out, _HAND, 0 if is_blind(opt, s) else s["hands"][seat], perm)
    _spread(out, _BURIED, s["buried"][seat], perm)
    out[_UPCARD:_BURIED] = 0
    out[_TRICKS:_OPTIONS] = 0
    if 0 < s["phase"] <= _PHASES:
        out[_PHASE + s["phase"] - 1] = 1
    _encode_trump(s, perm, out)
    _encode_seats(opt, s, seat, out)
    _encode_played(opt, s, seat, perm, out)
    _encode_scores(opt, s, seat, out)
    if opt["extras"]:
        _encode_extras(opt, s, seat, perm, out)


@kernel
def encode(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write the observation of a seat into `out` [OBSERVATION_SIZE] int8, suits relabelled by `perm` (suits.py)."""
    out[_EXTRAS:] = 0
    encode_game(opt, s, seat, perm, out)
    for i in range(_NUM_OPTIONS):
        out[_OPTIONS + i] = opt["features"][i]


@kernel
def encode_hidden(opt: Any, s: Any, seat: Any, perm: Any, out: Any) -> None:
    """Write what a seat may not see into `out` [HIDDEN_SIZE] int8: for critics in training, never for a player."""
    out[:] = 0
    who = seat
    dead = s["kitty"]
    for place in range(opt["num_seats"] - 1):
        who = left_of(opt, who)
        _spread(out, NUM_CARDS * place, s["hands"][who], perm)
        dead |= s["buried"][who]
    for place in range(opt["num_seats"], MAX_SEATS):
        dead |= s["hands"][place]
    _spread(out, _DEAD, dead, perm)


@kernel
def encode_table(opt: Any, s: Any, perm: Any, out: Any) -> None:
    """Write the open table into `out` [OBSERVATION_SIZE + HIDDEN_SIZE] int8: seat 0's row, then what it may not see.

    The own hand stands there also before a blind call, which the seat's own observation does not show.
    """
    encode(opt, s, 0, perm, out[:OBSERVATION_SIZE])
    _spread(out, _HAND, s["hands"][0], perm)
    encode_hidden(opt, s, 0, perm, out[OBSERVATION_SIZE:])


@kernel
def hide(opt: Any, s: Any, seat: Any) -> None:
    """Remove from a record what a seat may not know (1.8): other hands, the kitty, what others laid away or gave.

    Before a blind call the own hand too (4.3).
    """
    s["kitty"] = 0
    if is_blind(opt, s):
        s["hands"][seat] = 0
    for who in range(MAX_SEATS):
        if who != seat:
            s["hands"][who] = 0
            s["buried"][who] = 0
            if not (opt["partners"] and who == partner_of(seat)):
                s["given"][who] = 0


def decode(row: npt.NDArray[np.int8]) -> dict[str, Any]:
    """Read an observation back: by segment the ids set, `{card: seat}` and `{card: tricks ago}`, or the numbers."""
    facts: dict[str, Any] = {}
    for segment in SEGMENTS:
        values = row[columns(segment.name)]
        if segment.name in ("played_by", "played_ago"):
            pairs = np.argwhere(values.reshape(-1, NUM_CARDS))
            facts[segment.name] = {int(card): int(at) for at, card in pairs}
        elif segment.high == 1:
            facts[segment.name] = [int(i) for i in np.flatnonzero(values)]
        else:
            facts[segment.name] = [int(v) for v in values]
    return facts
