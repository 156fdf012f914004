"""The exact solver: with all hands open, what each side takes under best play, and what every legal card is worth.

Two sides: partnerships, or the maker against the rest. Any position of the play will do, in the middle of a trick too,
whoever sits out; under `renege="penalty"` suits are taken to be followed. It counts tricks, not points, to the end.

A search of whether a side takes so many tricks or not (a zero window) runs trick by trick on lanes (`lanes.py`). Of
neighbours in one hand one is tried. Tricks that a side cannot lose bound it: a run of highest trumps in one hand, and,
where the others have no trump, the leader's highest cards. Positions at the start of a trick are remembered by who owns
what in which order, so that what one deal taught serves the next: seats count from the leader, plain suits are sorted.

>>> from euchre_env import Game
>>> game = Game("tournament", key=5, dealer=3)
>>> while game.phase.name != "PLAY":
...     game.play(game.legal()[-1])
>>> solver = Solver("tournament")
>>> solution = solver.solve(game.state)
>>> int(solution.tricks.sum()), solution.best(0)[0] in game.legal()
(5, True)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search.lanes import FULL, TRUMP_LANE, WIDTH, distinct, lane_of, lay_out, squeeze, top
from euchre_env import rulesets
from euchre_env.cards import EFFECTIVE_SUIT, NO_TRUMP, NUM_CARDS, SUIT_CARDS
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import MAX_TRICKS, NONE, STATE, Phase
from euchre_env.engine.table import has, side_of, side_tricks
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset

_BITS = 14  # a table of 16,384 positions stays in the cache of a core; larger ones are slower
_SIZE = 1 << _BITS
_REMEMBERED = 5  # tricks left, at most: 20 cards fit a key
_HALF = 21  # bits of a lane in a key: two planes of owners, the upper one with a mark for its length
_PLANE = 10
_PLAY = int(Phase.PLAY)
_TRICKS = np.arange(MAX_TRICKS + 1, dtype=np.float64)  # what a hand pays by the makers' tricks, where they are counted
_MIX_A, _MIX_B = np.int64(-7046029254386353131), np.int64(-4417276706812531889)
_FLAGS = 2 * _HALF

# What a solver remembers, and room to work in; a record passes between kernels as one pointer.
MEMORY = np.dtype(
    [
        ("a", np.int64, (_SIZE,)),
        ("b", np.int64, (_SIZE,)),
        ("low", np.int8, (_SIZE,)),  # the leader's side takes at least so many
        ("high", np.int8, (_SIZE,)),  # and at most so many
        ("bits", np.int64, (NUM_CARDS,)),
        ("hands", np.int64, (4,)),  # lanes, clockwise from the leader of the trick
        ("down", np.int64, (4,)),  # the bits of the cards on the table, by the place of who played them
        ("nodes", np.int64),
    ],
    align=True,
)


@kernel
def _run_of_top(hand: Any, lane: Any) -> Any:
    """Return how many of the highest cards of a lane lie in a hand."""
    run, card = 0, top(lane)
    while card & hand != 0:
        run += 1
        card = card >> 1 & lane
    return run


@kernel
def _last_trick(h0: Any, h1: Any, h2: Any, h3: Any, trump: Any) -> Any:
    """Return who takes the trick when everybody has one card; seats without one sit out."""
    best, winner, able = h0, 0, lane_of(h0) | trump
    if h1 > best and h1 & able != 0:
        best, winner = h1, 1
    if h2 > best and h2 & able != 0:
        best, winner = h2, 2
    if h3 > best and h3 & able != 0:
        winner = 3
    return winner


@kernel
def _to_try(hand: Any, led: Any) -> Any:
    """Return what a hand may play to a lane, one card of each run."""
    following = hand & led
    return distinct(following if following != 0 else hand)


@kernel
def _pick(left: Any, best: Any, able: Any, with_winner: Any, is_last: Any) -> Any:
    """Return the card to try next: one that wins, as cheaply as the last seat can, then the lowest that does not."""
    winning = left & able & ~(best | (best - 1))
    if winning != 0 and not (with_winner and is_last):
        return winning & -winning if is_last else top(winning)
    losing = left & ~winning
    if losing == 0:
        losing = left
    return losing & -losing


@kernel
def _sure(h0: Any, h1: Any, h2: Any, h3: Any, mates: Any, trump: Any) -> Any:
    """Return the tricks that the leader's side, and that the others, cannot lose, as 8 * theirs + ours."""
    everything = h0 | h1 | h2 | h3
    ours, theirs = 0, 0
    trumps = everything & trump
    if trumps != 0:
        highest = top(trumps)
        if highest & h0 != 0:
            ours = _run_of_top(h0, trumps)
        else:
            seat, hand = (1, h1) if highest & h1 != 0 else (2, h2) if highest & h2 != 0 else (3, h3)
            run = _run_of_top(hand, trumps)
            if mates >> seat & 1 != 0:
                ours = run
            else:
                theirs = run
    against = (h1 if mates & 2 == 0 else 0) | (h2 if mates & 4 == 0 else 0) | (h3 if mates & 8 == 0 else 0)
    if against & trump == 0:
        cashed = count(h0 & trump)
        for k in range(4):
            lane = np.int64(FULL) << k * WIDTH
            if lane != trump and h0 & lane != 0:
                cashed += _run_of_top(h0, everything & lane)
        ours = max(ours, cashed)
    return 8 * theirs + ours


@kernel
def _code(lane: Any, everything: Any, plane_0: Any, plane_1: Any) -> Any:
    """Return who owns what in a lane: two bits of the owner for each card, and a mark for how many cards there are."""
    shift = lane * WIDTH
    upper = (plane_0 >> shift & FULL) | ((everything >> shift & FULL) + 1)
    return upper << _PLANE | (plane_1 >> shift & FULL)


@kernel
def _search(  # noqa: C901
    m: Any,
    h0: Any,
    h1: Any,
    h2: Any,
    h3: Any,
    mates: Any,
    n: Any,
    need: Any,
    trump: Any,
    f0: Any,
    f1: Any,
    f2: Any,
    f3: Any,
) -> Any:
    """Whether the side of the leader, seat 0, takes at least `need` of the `n` tricks left.

    Hands are those at the start of the trick; the set `mates` holds seat 0 and its partners; `f0` ... are cards already
    played to it. A trick is four loops in each other: calls would cost more than what they do. All numbers are int64: a
    kernel that calls itself with other types than it was called with crashes when read from Numba's cache (numba#6713).
    """
    if need <= 0:
        return True
    if need > n:
        return False
    if n == 1:
        return mates >> _last_trick(h0, h1, h2, h3, trump) & 1 != 0
    m["nodes"] += 1
    a, b, at = np.int64(0), np.int64(0), np.int64(0)
    is_remembered = f0 == 0 and n <= _REMEMBERED
    if f0 == 0:
        sure = _sure(h0, h1, h2, h3, mates, trump)
        if sure & 7 >= need:
            return True
        if n - (sure >> 3) < need:
            return False
    if is_remembered:
        everything, plane_0, plane_1 = h0 | h1 | h2 | h3, h1 | h3, h2 | h3
        c0, c1 = _code(0, everything, plane_0, plane_1), _code(1, everything, plane_0, plane_1)
        c2, c3 = _code(2, everything, plane_0, plane_1), _code(3, everything, plane_0, plane_1)
        if c0 > c1:
            c0, c1 = c1, c0
        if c1 > c2:
            c1, c2 = c2, c1
        if c0 > c1:
            c0, c1 = c1, c0
        a = c0 | c1 << _HALF | (mates | (16 if trump != 0 else 0)) << _FLAGS
        b = c2 | c3 << _HALF
        word = a * _MIX_A + b * _MIX_B
        word = (word ^ word >> 29) * _MIX_A
        at = word >> (64 - _BITS) & (_SIZE - 1)
        if m["a"][at] == a and m["b"][at] == b:
            if m["low"][at] >= need:
                return True
            if m["high"][at] < need:
                return False
    is_mate_1, is_mate_2, is_mate_3 = mates & 2 != 0, mates & 4 != 0, mates & 8 != 0
    found = False
    left_0 = distinct(h0) if f0 == 0 else f0
    while left_0 != 0 and not found:
        p0 = top(left_0)
        left_0 ^= p0
        led = lane_of(p0)
        able = led | trump
        value_1 = not is_mate_1
        left_1 = _to_try(h1, led) if f1 == 0 else f1
        while True:
            p1 = np.int64(0)
            if left_1 != 0:
                p1 = _pick(left_1, p0, able, is_mate_1, False)
                left_1 ^= p1
            best_1, by_1 = p0, 0
            if p1 > p0 and p1 & able != 0:
                best_1, by_1 = p1, 1
            value_2 = not is_mate_2
            left_2 = _to_try(h2, led) if f2 == 0 else f2
            while True:
                p2 = np.int64(0)
                if left_2 != 0:
                    p2 = _pick(left_2, best_1, able, (mates >> by_1 & 1 != 0) == is_mate_2, h3 == 0)
                    left_2 ^= p2
                best_2, by_2 = best_1, by_1
                if p2 > best_1 and p2 & able != 0:
                    best_2, by_2 = p2, 2
                value_3 = not is_mate_3
                left_3 = _to_try(h3, led) if f3 == 0 else f3
                while True:
                    p3 = np.int64(0)
                    if left_3 != 0:
                        p3 = _pick(left_3, best_2, able, (mates >> by_2 & 1 != 0) == is_mate_3, True)
                        left_3 ^= p3
                    by = 3 if p3 > best_2 and p3 & able != 0 else by_2
                    is_ours = mates >> by & 1 != 0
                    rest = n - 1
                    due = need - 1 if is_ours else rest - need + 1  # of the side that leads next
                    if due <= 0:
                        reached = True
                    elif due > rest:
                        reached = False
                    else:
                        gone = p0 | p1 | p2 | p3
                        q0, q1, q2, q3 = h0 ^ p0, h1 ^ p1, h2 ^ p2, h3 ^ p3
                        if rest > 1:
                            q0, q1, q2, q3 = squeeze(q0, gone), squeeze(q1, gone), squeeze(q2, gone), squeeze(q3, gone)
                        own = mates if is_ours else mates ^ 15
                        own = (own >> by | own << (4 - by)) & 15
                        no = np.int64(0)
                        if by == 0:
                            reached = _search(m, q0, q1, q2, q3, own, rest, due, trump, no, no, no, no)
                        elif by == 1:
                            reached = _search(m, q1, q2, q3, q0, own, rest, due, trump, no, no, no, no)
                        elif by == 2:
                            reached = _search(m, q2, q3, q0, q1, own, rest, due, trump, no, no, no, no)
                        else:
                            reached = _search(m, q3, q0, q1, q2, own, rest, due, trump, no, no, no, no)
                    # `reached` is the next leader's side; what this leader's side needs is the same or the opposite.
                    if (reached == is_ours) == is_mate_3:
                        value_3 = is_mate_3
                        break
                    if left_3 == 0:
                        break
                if value_3 == is_mate_2:
                    value_2 = is_mate_2
                    break
                if left_2 == 0:
                    break
            if value_2 == is_mate_1:
                value_1 = is_mate_1
                break
            if left_1 == 0:
                break
        found = value_1
    if is_remembered:
        if m["a"][at] != a or m["b"][at] != b:
            m["a"][at], m["b"][at], m["low"][at], m["high"][at] = a, b, 0, n
        if found:
            m["low"][at] = need
        else:
            m["high"][at] = need - 1
    return found


@kernel
def _step(payoffs: Any, low: Any, high: Any) -> Any:
    """Return the number of tricks from `low` + 1 to `high`, near their middle, that pays otherwise than one less."""
    middle = (low + high + 1) >> 1
    at = middle
    while at <= high and payoffs[at] == payoffs[at - 1]:
        at += 1
    if at > high:
        at = middle
        while payoffs[at] == payoffs[at - 1]:
            at -= 1
    return at


@kernel
def _payoff(m: Any, mates: Any, n: Any, trump: Any, payoffs: Any) -> Any:
    """Return what the leader's side gets, `payoffs` by its tricks of the `n` left; searched no further than pays."""
    h0, h1, h2, h3 = m["hands"][0], m["hands"][1], m["hands"][2], m["hands"][3]
    f0, f1, f2, f3 = m["down"][0], m["down"][1], m["down"][2], m["down"][3]
    low, high = np.int64(0), n
    while payoffs[low] != payoffs[high]:
        at = _step(payoffs, low, high)
        if _search(m, h0, h1, h2, h3, mates, n, at, trump, f0, f1, f2, f3):
            low = at
        else:
            high = at - 1
    return payoffs[low]


@kernel
def _is_maker(opt: Any, s: Any, seat: Any) -> Any:
    return side_of(opt, seat) == side_of(opt, s["maker"])


@kernel
def _lay_out_position(m: Any, opt: Any, s: Any, leader: Any) -> Any:
    """Write lanes and the cards on the table, clockwise from the leader; return the set of his mates."""
    in_play = np.int64(0)
    for seat in range(opt["num_seats"]):
        if not has(s["sits_out"], seat):
            in_play |= s["hands"][seat]
    for k in range(s["in_trick"]):
        in_play |= bit(s["cards"][s["trick"], k])
    lay_out(s["trump"], in_play, m["bits"])
    mates = np.int64(0)
    m["hands"][:] = 0
    m["down"][:] = 0
    for place in range(opt["num_seats"]):
        seat = leader + place if leader + place < opt["num_seats"] else leader + place - opt["num_seats"]
        if _is_maker(opt, s, seat) == _is_maker(opt, s, leader):
            mates |= bit(place)
        if has(s["sits_out"], seat):
            continue
        cards = s["hands"][seat]
        while cards != 0:
            m["hands"][place] |= m["bits"][lowest(cards)]
            cards &= cards - 1
        for k in range(s["in_trick"]):
            if s["players"][s["trick"], k] == seat:
                m["down"][place] = m["bits"][s["cards"][s["trick"], k]]
                m["hands"][place] |= m["down"][place]
    return mates


@kernel
def _following(s: Any) -> Any:
    """Return the mover's cards that follow suit, all if none does; also where a renege only costs points."""
    hand, trump = s["hands"][s["turn"]], s["trump"]
    if s["in_trick"] == 0:
        return hand
    following = hand & SUIT_CARDS[trump, EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]]
    return following if following != 0 else hand


@kernel
def _set_up(m: Any, opt: Any, s: Any) -> Any:
    """Lay a position out; return who leads, his mates, trump's lane, the tricks left, the makers' tricks so far."""
    leader = np.int64(s["players"][s["trick"], 0] if s["in_trick"] else s["turn"])
    mates = _lay_out_position(m, opt, s, leader)
    trump = np.int64(TRUMP_LANE if s["trump"] < NO_TRUMP else 0)
    made = side_tricks(opt, s, side_of(opt, s["maker"]))
    return leader, mates, trump, np.int64(opt["hand_size"] - s["trick"]), made


@kernel
def _copy_to_twins(m: Any, place: Any, legal: Any, values: Any) -> None:
    """Give each card the value of the highest of its run: only that one was solved."""
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        lane_bit = m["bits"][card]
        while m["hands"][place] & lane_bit << 1 != 0:
            lane_bit <<= 1
        same = legal
        while m["bits"][lowest(same)] != lane_bit:
            same &= same - 1
        values[card] = values[lowest(same)]


@kernel
def _place_of(opt: Any, seat: Any, leader: Any) -> Any:
    """Return how many seats after the leader a seat is."""
    return seat - leader if seat >= leader else seat - leader + opt["num_seats"]


@kernel
def _leaders_payoffs(opt: Any, s: Any, leader: Any, n: Any, made: Any, payoffs: Any, out: Any) -> None:
    """Write payoffs by the leader's side's tricks of the `n` left, from those by the makers' of the whole hand."""
    for taken in range(n + 1):
        out[taken] = payoffs[made + (taken if _is_maker(opt, s, leader) else n - taken)]


@kernel
def payoff(m: Any, opt: Any, s: Any, payoffs: Any) -> Any:
    """Return what the hand pays under best play: an entry of `payoffs` [hand size + 1], by the tricks of the makers.

    `payoffs` rise with the makers' tricks, or fall with them. Tricks that pay alike are not told apart, which takes
    less search than counting them.
    """
    leader, mates, trump, n, made = _set_up(m, opt, s)
    by_leader = np.empty(n + 1)
    _leaders_payoffs(opt, s, leader, n, made, payoffs, by_leader)
    return _payoff(m, mates, n, trump, by_leader)


@kernel
def payoff_of_cards(m: Any, opt: Any, s: Any, payoffs: Any, values: Any) -> None:
    """Write what each card the mover may play pays into `values` [NUM_CARDS] float64, nan for the others."""
    leader, mates, trump, n, made = _set_up(m, opt, s)
    place = _place_of(opt, np.int64(s["turn"]), leader)
    by_leader = np.empty(n + 1)
    _leaders_payoffs(opt, s, leader, n, made, payoffs, by_leader)
    legal = _following(s)
    values[:] = np.nan
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        if m["hands"][place] & m["bits"][card] << 1 == 0:
            m["down"][place] = m["bits"][card]
            values[card] = _payoff(m, mates, n, trump, by_leader)
            m["down"][place] = 0
    _copy_to_twins(m, place, legal, values)


@kernel
def solve(m: Any, opt: Any, s: Any, values: Any) -> Any:
    """Return the tricks of the maker's side in all; write what each card leads to into `values` [NUM_CARDS] int8.

    `values` are tricks of the mover's side in the whole hand, NONE for what he may not play.
    """
    of_cards = np.empty(NUM_CARDS)
    payoff_of_cards(m, opt, s, _TRICKS, of_cards)
    is_maker, best = _is_maker(opt, s, s["turn"]), np.int64(NONE)
    for card in range(NUM_CARDS):
        values[card] = NONE
        if not np.isnan(of_cards[card]):
            made = np.int64(of_cards[card])
            values[card] = made if is_maker else opt["hand_size"] - made
            best = max(best, np.int64(values[card]))
    return best if is_maker else opt["hand_size"] - best


@kernel
def solve_all(memory: Any, options: Any, states: Any, makers: Any, values: Any) -> None:
    """Solve positions `states` [N]: tricks of the maker's side `makers` [N] int8, `values` [N, NUM_CARDS] int8."""
    for i in range(len(states)):
        makers[i] = solve(memory[0], options[0], states[i], values[i])


@kernel
def makers_tricks(m: Any, opt: Any, s: Any) -> Any:
    """Return the tricks of the maker's side in the whole hand."""
    return np.int64(payoff(m, opt, s, _TRICKS))


@kernel
def tricks_all(memory: Any, options: Any, states: Any, makers: Any) -> None:
    """Write the tricks that the maker's side takes from positions `states` [N] into `makers` [N] int8."""
    for i in range(len(states)):
        makers[i] = makers_tricks(memory[0], options[0], states[i])


@dataclass(frozen=True)
class Solution:
    """Values of positions `[N]`, tricks counted over the whole hand, those already taken among them."""

    tricks: npt.NDArray[np.int8]  # [N, 2]: of the maker's side, and of the others
    values: npt.NDArray[np.int8]  # [N, NUM_CARDS]: of the mover's side after each card, -1 for what he may not play

    def best(self, row: int) -> list[int]:
        """Return the cards with the highest value, ascending."""
        values = self.values[row]
        return [int(card) for card in np.flatnonzero((values == values.max()) & (values != NONE))]


class Solver:
    """Solves positions of one ruleset; what it remembers makes the next ones quicker and no answer different."""

    def __init__(self, ruleset: str | Ruleset) -> None:
        self.ruleset = rulesets.get(ruleset)
        self.options = self.ruleset.to_options()
        self.memory: npt.NDArray[np.void] = np.zeros(1, dtype=MEMORY)

    @property
    def nodes(self) -> int:
        """How many positions were searched so far."""
        return int(self.memory["nodes"][0])

    def solve(self, states: "npt.NDArray[np.void] | Sequence[npt.NDArray[np.void]]") -> Solution:
        """Return the value of every legal card at positions of the play, `[N]` STATE or a list of `Game.state`.

        StateError for what is no position of the play with all hands open.
        """
        states = self._checked(states)
        makers, values = np.empty(len(states), np.int8), np.empty((len(states), NUM_CARDS), np.int8)
        solve_all(self.memory, self.options, states, makers, values)
        return Solution(self._both(makers), values)

    def tricks(self, states: "npt.NDArray[np.void] | Sequence[npt.NDArray[np.void]]") -> npt.NDArray[np.int8]:
        """Return the tricks of the maker's side and of the others `[N, 2]`, in less time than the values of cards."""
        states = self._checked(states)
        makers = np.empty(len(states), np.int8)
        tricks_all(self.memory, self.options, states, makers)
        return self._both(makers)

    def _both(self, makers: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        return np.stack([makers, self.ruleset.hand_size - makers], axis=1).astype(np.int8)

    def _checked(self, states: "npt.NDArray[np.void] | Sequence[npt.NDArray[np.void]]") -> npt.NDArray[np.void]:
        """Return positions as one array; StateError if they are none of the play, or hide a hand."""
        given = states if isinstance(states, np.ndarray) else np.concatenate([np.atleast_1d(one) for one in states])
        if given.dtype != STATE:
            raise StateError(f"a position is a STATE record, as `Game.state`, and not of type {given.dtype.name}.")
        found = np.require(given.reshape(-1), requirements=["C", "W"])
        if (found["phase"] != _PLAY).any():
            raise StateError("a position to solve is one of the play, with a card due.")
        seats = np.arange(self.ruleset.num_seats)
        plays = found["sits_out"][:, None] >> seats & 1 == 0
        held = np.bitwise_count(found["hands"][:, : len(seats)]) + np.bitwise_count(found["played"][:, : len(seats)])
        if (held != self.ruleset.hand_size)[plays].any():
            raise StateError(f"a hand does not hold {self.ruleset.hand_size} cards: a position to solve hides none.")
        return found
