"""Perfect-information Monte Carlo: every answer tried in worlds drawn from the view, solved with open cards. Compiled.

Long, Sturtevant, Buro, Furtak (AAAI 2010) say why this plays trick games well. It decides every phase: cards by
`payoff_of_cards`; other answers by what the hand pays after them, the questions in between answered as the rule-based
player does (from what each seat itself knows), so that nobody is told by open cards what to lay away. A bid counts as
the contract, its trump the one that pays best over all worlds. Passing cannot be solved with open cards (all would call
their best hands, docs/field.md 2b): its value comes from lines fitted to self-play (`passing.py`), by the place, the
up-card or who has bid what, and the value of the best call.

Points beyond the target count for nothing. The kernels take weights of worlds; who makes them is `beliefs.py`.
"""

from typing import Any

import numpy as np

from agents.search.double_dummy import makers_tricks, payoff, payoff_of_cards
from euchre_env.cards import JACK, JOKER, NUM_CARDS, NUM_RANKS
from euchre_env.engine._jit import kernel
from euchre_env.engine.auction import legal_name
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import (
    CALL,
    MAX_TRICKS,
    MOON,
    NONE,
    PASS,
    STATE,
    Phase,
)
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.score import score_hand
from euchre_env.engine.step import apply, legal_mask
from euchre_env.engine.table import has, is_blind, left_of, num_sides, side_of
from euchre_env.policies.rule_based import choose as rule_choice

_PLAY, _ORDER_UP, _CALL_PHASE = int(Phase.PLAY), int(Phase.ORDER_UP), int(Phase.CALL)
_BID_PHASE, _NAME_TRUMP, _CLAIM = int(Phase.BID), int(Phase.NAME_TRUMP), int(Phase.CLAIM)

# Lines of passing: [kind of question, place from the dealer's left, what lies or stands] base and slope.
FIRST_ROUND, SECOND_ROUND, AUCTION, GHOST = 0, 1, 2, 3
NUM_QUESTIONS, NUM_PLACES, NUM_SITUATIONS = 4, 4, NUM_RANKS
PASSING_SHAPE = (NUM_QUESTIONS, NUM_PLACES, NUM_SITUATIONS, 2)
# In an auction: nobody has bid, one's own side, another three, four, five or six, a moon.
_NOBODY, _OWN, _OTHERS_THREE, _OTHERS_MOON = 0, 1, 2, 5


@kernel
def situation(options: Any, views: Any) -> Any:
    """Return (question, place, situation): which line tells the mover of one view what passing is worth."""
    opt, s = options[0], views[0]
    seat = np.int64(s["turn"])
    place = (seat - s["dealer"] - 1 + opt["num_seats"]) % opt["num_seats"]
    if opt["auction"] == NO_AUCTION:
        rank = JACK if s["upcard"] == JOKER else s["upcard"] % NUM_RANKS
        return (FIRST_ROUND if s["phase"] == _ORDER_UP else SECOND_ROUND), place, np.int64(rank)
    standing = _NOBODY
    if s["bid"] != NONE:
        own = side_of(opt, s["maker"]) == side_of(opt, seat)
        standing = _OWN if own else _OTHERS_MOON if s["bid"] >= MOON else _OTHERS_THREE + min(s["bid"], 2)
    return AUCTION, place, np.int64(standing)


@kernel
def _gain(opt: Any, before: Any, after: Any, side: Any) -> Any:
    """Return the points of a side, without those that it has no use for."""
    points, missing = np.int64(after["points"][side]), np.int64(opt["target"]) - before["scores"][side]
    return min(points, missing) if missing > 0 else points


@kernel
def _net_gain(opt: Any, before: Any, after: Any, own: Any) -> Any:
    """Return the points of a side less those of the others on average.

    Where several defenders score their tricks, it is not known whose they are: those points are all counted.
    """
    shared = opt["auction"] != NO_AUCTION and num_sides(opt) > 2
    others = 0.0
    for side in range(num_sides(opt)):
        if side != own:
            others += after["points"][side] if shared else _gain(opt, before, after, side)
    return _gain(opt, before, after, own) - others / (num_sides(opt) - 1)


@kernel
def _payoffs(opt: Any, s: Any, scored: Any, out: Any) -> None:
    """Write what the makers' side gets by its tricks into `out` [hand size + 1], as the engine scores them."""
    for made in range(opt["hand_size"] + 1):
        scored[0] = s
        after = scored[0]
        after["tricks"][:] = 0
        after["tricks"][s["maker"]] = made
        after["tricks"][left_of(opt, s["maker"])] = opt["hand_size"] - made
        after["points"][:] = 0
        score_hand(opt, after)
        out[made] = _net_gain(opt, s, after, side_of(opt, s["maker"]))


@kernel
def _next_answer(opt: Any, p: Any, s: Any, seat: Any, trump: Any) -> Any:
    """Return what is answered before the first lead: nobody bids more, `seat` names `trump`, else as `rule_based`."""
    legal = legal_mask(opt, s)
    if s["phase"] == _BID_PHASE and has(legal, PASS):
        return np.int64(PASS)
    if s["phase"] == _NAME_TRUMP and s["turn"] == seat and trump != NONE:
        return np.int64(CALL + trump)
    return np.int64(rule_choice(opt, p, s, legal))


@kernel
def answer(options: Any, params: Any, worlds: Any, action: Any, trump: Any, after: Any) -> None:
    """Write what becomes of worlds [K] STATE once the mover has answered: the first lead, or a hand that is over.

    `after` [K] STATE; `trump` is what the mover names after a bid, NONE where he does not.
    """
    opt, p = options[0], params[0]
    for k in range(len(worlds)):
        after[k] = worlds[k]
        s = after[k]
        seat = np.int64(s["turn"])
        chosen = action
        while True:
            apply(opt, s, chosen)
            if s["turn"] < 0 or s["phase"] == _PLAY:
                break
            chosen = _next_answer(opt, p, s, seat, trump)


@kernel
def value_of(options: Any, memory: Any, worlds: Any, after: Any, weights: Any) -> Any:
    """Return what the mover of `worlds` [K] gets in `after` [K], on average by `weights` [K], which sum to 1."""
    opt, total = options[0], 0.0
    scored, payoffs = np.empty(1, dtype=STATE), np.empty(MAX_TRICKS + 1)
    for k in range(len(after)):
        s, seat = after[k], np.int64(worlds[k]["turn"])
        if s["turn"] < 0:
            total += weights[k] * _net_gain(opt, worlds[k], s, side_of(opt, seat))
            continue
        _payoffs(opt, s, scored, payoffs)
        value = payoff(memory[0], opt, s, payoffs)
        total += weights[k] * (value if side_of(opt, seat) == side_of(opt, s["maker"]) else -value)
    return total


@kernel
def value_bids(options: Any, memory: Any, after: Any, weights: Any, bids: Any, values: Any) -> None:
    """Raise `values` [NUM_BIDS] to what each of a set of bids pays with one trump; only their prices differ.

    `after` [K] STATE are the first leads after one of these bids.
    """
    opt = options[0]
    scored, payoffs, chances = np.empty(1, dtype=STATE), np.empty(MAX_TRICKS + 1), np.zeros(MAX_TRICKS + 1)
    for k in range(len(after)):
        chances[makers_tricks(memory[0], opt, after[k])] += weights[k]
    s = after[0]
    while bids != 0:
        bid = lowest(bids)
        bids &= bids - 1
        s["bid"] = bid
        _payoffs(opt, s, scored, payoffs)
        value = 0.0
        for made in range(opt["hand_size"] + 1):
            value += chances[made] * payoffs[made]
        if not values[bid] >= value:
            values[bid] = value


@kernel
def value_cards(options: Any, memory: Any, worlds: Any, weights: Any, values: Any) -> None:
    """Write what each card that the mover may play pays into `values` [NUM_CARDS], nan for the others."""
    opt, s = options[0], worlds[0]
    scored, payoffs, of_cards = np.empty(1, dtype=STATE), np.empty(MAX_TRICKS + 1), np.empty(NUM_CARDS)
    _payoffs(opt, s, scored, payoffs)
    sign = 1.0 if side_of(opt, s["turn"]) == side_of(opt, s["maker"]) else -1.0
    values[:] = 0.0
    for k in range(len(worlds)):
        payoff_of_cards(memory[0], opt, worlds[k], payoffs, of_cards)
        for card in range(NUM_CARDS):
            values[card] += sign * weights[k] * of_cards[card]


@kernel
def may_name(options: Any, worlds: Any) -> Any:
    """Return the trumps that a bidder may name, as a set of CALL bits."""
    return legal_name(options[0], worlds[0])


@kernel
def is_left_to_rules(options: Any, views: Any, legal: Any) -> Any:
    """Whether there is nothing to solve: one action, a call on unseen cards (4.3), a claim before the bidding."""
    return legal & (legal - 1) == 0 or views[0]["phase"] == _CLAIM or is_blind(options[0], views[0])
