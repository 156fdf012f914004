"""Counterfactual regret minimisation over the turn-up auction. Compiled.

External-sampling Monte Carlo CFR (Lanctot, Waugh, Zinkevich, Bowling, NIPS 2009): a deal is drawn, each seat in turn
tries all its answers while the others' are drawn from their strategies, and regrets grow by what each answer would have
brought. A leaf is what the hand pays when all cards lie open (`double_dummy.payoff`), or when the four play their cards
as the rule player does, who sees his own alone. The average strategy weighs later deals more (linear averaging, Brown
and Sandholm, AAAI 2019); answers that have long been bad are tried only now and then (Pluribus, Brown and Sandholm,
Science 2019). Partners are two players with the same payoff.
"""

from typing import Any

import numpy as np

from agents.search.auction_keys import MAX_ANSWERS, NUM_ROWS, WIDTH, node_of
from agents.search.double_dummy import MEMORY, payoff
from euchre_env.cards import NUM_CARDS, NUM_SUITS
from euchre_env.decks import GAMMA, mix, shuffle
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit
from euchre_env.engine.layout import MAX_SEATS, NONE, STATE, Phase
from euchre_env.engine.score import makers_points
from euchre_env.engine.step import apply, deal, legal_mask, new_game
from euchre_env.engine.table import side_of
from euchre_env.policies.rule_based import choose as rule_choice
from euchre_env.worlds.table import uniform

_PLAY = int(Phase.PLAY)
_DEPTH = 12  # decisions of one seat in an auction, at most, and room
_HAND_SIZE = 5
_BAD = -60.0  # points of regret; below it an answer is tried only so often:
_TRY_BAD = 0.05
_WORST = -300.0  # regret sinks no deeper, so that what turns good is found again in time
# What the rule player's answers are ahead of the others at the start: a node that was met some fifty times has learned
# little else yet (after Brown and Sandholm, AAAI 2016, on warm starts).
_HEAD_START = 15.0

# The tables: regrets and summed strategies of every slot.
TABLES = (NUM_ROWS, WIDTH)

# What a thread works in.
ROOM = np.dtype(
    [
        ("solver", MEMORY),
        ("states", STATE, (_DEPTH,)),
        # What the dealer's side gets by [maker, whether alone, trump, the dealer's discard or none]; nan: not known.
        ("leaves", np.float64, (MAX_SEATS, 2, NUM_SUITS, NUM_CARDS + 1)),
        ("word", np.uint64),
        ("solves", np.int64),  # whether leaves are solved, else played
        ("weight", np.float64),  # of this deal in the average
        ("deck", np.int8, (NUM_CARDS,)),
    ],
    align=True,
)


@kernel
def _draw(room: Any) -> Any:
    room["word"] += GAMMA
    return uniform(room["word"])


@kernel
def _solved(opt: Any, s: Any, room: Any) -> Any:
    """Return what the makers get with open cards."""
    payoffs = np.empty(_HAND_SIZE + 1)
    for made in range(_HAND_SIZE + 1):
        payoffs[made] = makers_points(opt, s, made)
    return payoff(room["solver"], opt, s, payoffs)


@kernel
def _played(opt: Any, p: Any, s: Any) -> Any:
    """Return what the makers get when all play their cards as the rule player does; `s` is played to its end."""
    makers = side_of(opt, s["maker"])
    while s["turn"] >= 0:
        apply(opt, s, rule_choice(opt, p, s, legal_mask(opt, s)))
    return float(s["points"][makers] - s["points"][1 - makers])


@kernel
def _leaf(opt: Any, p: Any, s: Any, room: Any) -> Any:
    """Return what the dealer's side gets from the start of the play; what is known of this deal is kept."""
    gone = s["buried"][s["dealer"]]
    place = 0
    while place < NUM_CARDS and gone >> place & 1 == 0:
        place += 1
    leaves = room["leaves"][s["maker"]][0 if s["alone"] == 0 else 1][s["trump"]]
    if leaves[place] != leaves[place]:
        dealers = side_of(opt, s["dealer"]) == side_of(opt, s["maker"])
        value = _solved(opt, s, room) if room["solves"] else _played(opt, p, s)
        leaves[place] = value if dealers else -value
    return leaves[place]


@kernel
def _warm(opt: Any, p: Any, s: Any, legal: Any, regrets: Any, row: Any, first: Any, n: Any, answers: Any) -> None:
    """Start a node that was never met: from the rule player's answer."""
    for k in range(n):
        if regrets[row, first + k] != 0.0:
            return
    action = rule_choice(opt, p, s, legal)
    for k in range(n):
        if answers[k] != NONE:
            regrets[row, first + k] = np.float32(_HEAD_START if answers[k] == action else -_HEAD_START)


@kernel
def _match(regrets: Any, row: Any, first: Any, n: Any, answers: Any, strategy: Any) -> None:
    """Write the strategy of regret matching to `strategy` [MAX_ANSWERS]: in proportion to positive regrets."""
    total, legal = 0.0, 0
    for k in range(n):
        strategy[k] = 0.0
        if answers[k] != NONE:
            legal += 1
            strategy[k] = max(np.float64(regrets[row, first + k]), 0.0)
            total += strategy[k]
    for k in range(n):
        if answers[k] != NONE:
            strategy[k] = strategy[k] / total if total > 0.0 else 1.0 / legal


@kernel
def _pick(strategy: Any, n: Any, number: Any) -> Any:
    """Return the slot that a number from 0 up to 1 picks."""
    chosen = 0
    for k in range(n):
        if strategy[k] > 0.0:
            chosen = k
            if number < strategy[k]:
                break
            number -= strategy[k]
    return chosen


@kernel
def _traverse(options: Any, params: Any, rooms: Any, regrets: Any, sums: Any, depth: Any, seat: Any) -> Any:
    """Return what the dealer's side gets from the state at `depth`, with the answers of `seat` all tried.

    All numbers are int64: the kernel calls itself (numba#6713).
    """
    opt, p, room = options[0], params[0], rooms[0]
    s = room["states"][depth]
    answers, strategy = np.empty(MAX_ANSWERS, dtype=np.int64), np.empty(MAX_ANSWERS)
    while True:
        if s["phase"] == _PLAY:
            return _leaf(opt, p, s, room)
        if s["turn"] < 0:
            return 0.0
        legal = legal_mask(opt, s)
        row, first, n = node_of(opt, s, legal, answers)
        _warm(opt, p, s, legal, regrets, row, first, n, answers)
        _match(regrets, row, first, n, answers, strategy)
        if s["turn"] == seat:
            break
        for k in range(n):
            sums[row, first + k] += np.float32(room["weight"] * strategy[k])
        apply(opt, s, answers[_pick(strategy, n, _draw(room))])
    values, tried = np.zeros(MAX_ANSWERS), np.int64(0)
    mean = 0.0
    for k in range(n):
        if answers[k] == NONE:
            continue
        bad = strategy[k] == 0.0 and regrets[row, first + k] < _BAD
        if bad and _draw(room) >= _TRY_BAD:
            continue
        room["states"][depth + 1] = s
        apply(opt, room["states"][depth + 1], answers[k])
        values[k] = _traverse(options, params, rooms, regrets, sums, depth + 1, seat)
        tried |= bit(k)
        mean += strategy[k] * values[k]
    sign = 1.0 if side_of(opt, seat) == side_of(opt, s["dealer"]) else -1.0
    for k in range(n):
        if tried >> k & 1 != 0:
            grown = regrets[row, first + k] + np.float32(sign * (values[k] - mean))
            regrets[row, first + k] = max(grown, np.float32(_WORST))
    return mean


@kernel
def train(
    options: Any, params: Any, rooms: Any, regrets: Any, sums: Any, key: Any, first: Any, deals: Any, total: Any
) -> None:
    """Learn from the deals numbered from `first` on: `regrets` and `sums` TABLES float32 are written to.

    `rooms` is an array of one ROOM, `key` a uint64 that the deals come from, `total` the deals of the whole training.
    """
    opt, room = options[0], rooms[0]
    for number in range(first, first + deals):
        room["weight"] = (number + 1.0) / total
        room["leaves"][:] = np.nan
        room["word"] = mix(np.uint64(key) + GAMMA * np.uint64(number))
        shuffle(opt["deck"], key, 0, number, 0, room["deck"])
        for seat in range(opt["num_seats"]):
            s = room["states"][0]
            new_game(opt, s, number & 3)
            deal(opt, s, room["deck"])
            _traverse(options, params, rooms, regrets, sums, np.int64(0), np.int64(seat))
