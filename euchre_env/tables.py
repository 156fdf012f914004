"""The compiled loop over tables behind GameBatch: deal, step, score, pay, show, start again.

Arrays are those of `batch.py`; a row is a table. Records pass between kernels as pointers.

>>> TABLE["key"], DESK["max_hands"]
(dtype('uint64'), dtype('int32'))
"""

from typing import Any

import numpy as np

from euchre_env.cards import NUM_CARDS
from euchre_env.decks import first_dealer, random_word, shuffle
from euchre_env.engine._jit import inlined, kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import Phase
from euchre_env.engine.observe import encode_game, encode_hidden
from euchre_env.engine.step import apply, deal, legal_mask, new_game
from euchre_env.engine.suits import IDENTITY, canonical_permutation, inverse, relabel_action, relabel_mask
from euchre_env.rewards import draw_scores, pay

EPISODES = ("hand", "game")
MAX_HANDS = 1_000_000  # far beyond any game: a limit has to fit its field
_HAND_EPISODE = 0
_OVER = int(Phase.OVER)

# What a table keeps beside its game, and what its last step paid.
TABLE = np.dtype(
    [
        ("key", np.uint64),
        ("perm", np.int64),  # the mover's suits as shown, suits.py
        ("episode", np.int64),
        ("rewards", np.float32, (4,)),
        ("scores", np.int32, (4,)),  # at the start of every episode
        ("dealer", np.int8),  # the first dealer of every episode, or -1: drawn
        ("done", np.int8),
        ("truncated", np.int8),
        ("hand_over", np.int8),
    ],
    align=True,
)

# The settings, and room to work in. Kernels pass records, not arrays, to each other: a record is one pointer.
DESK = np.dtype(
    [
        ("episode", np.int8),
        ("reward", np.int8),
        ("canonical", np.int8),
        ("skip_forced", np.int8),
        ("autoreset", np.int8),
        ("draw_scores", np.int8),
        ("max_hands", np.int32),
        ("deck", np.int8, (NUM_CARDS,)),
        ("before", np.int32, (4,)),
        ("paid", np.float32, (4,)),
    ],
    align=True,
)


@kernel
def _next_deal(opt: Any, desk: Any, s: Any, table: Any) -> None:
    shuffle(opt["deck"], table["key"], table["episode"], s["hand"], s["redeal"], desk["deck"])
    deal(opt, s, desk["deck"])


@kernel
def _begin(opt: Any, desk: Any, s: Any, table: Any) -> None:
    """Start a table's next episode."""
    dealer = np.int64(table["dealer"])
    if dealer < 0:
        dealer = first_dealer(table["key"], table["episode"], opt["num_seats"])
    new_game(opt, s, dealer)
    for side in range(4):
        s["scores"][side] = table["scores"][side]
    if desk["draw_scores"]:
        draw_scores(opt, random_word(table["key"], table["episode"]), s["scores"])
    _next_deal(opt, desk, s, table)


@kernel
def _pay_hand(opt: Any, desk: Any, s: Any, table: Any, equities: Any) -> None:
    """Add what the hand that just ended pays to this step's rewards."""
    for side in range(4):
        desk["before"][side] = s["scores"][side] - s["points"][side]
    pay(desk["reward"], opt, s, desk["before"], equities, desk["paid"])
    for seat in range(4):
        table["rewards"][seat] += desk["paid"][seat]


@kernel
def _is_done(desk: Any, s: Any) -> Any:
    return desk["episode"] == _HAND_EPISODE or s["phase"] == _OVER or s["hand"] >= desk["max_hands"]


@kernel
def _end_hand(opt: Any, desk: Any, s: Any, table: Any, equities: Any) -> Any:
    """Book a finished hand; return whether the table's episode is done with it."""
    table["hand_over"] = 1
    _pay_hand(opt, desk, s, table, equities)
    if not _is_done(desk, s):
        return False
    table["done"] = 1
    table["truncated"] = desk["episode"] != _HAND_EPISODE and s["phase"] != _OVER
    table["episode"] += 1
    return True


@inlined
def _settle(opt: Any, desk: Any, s: Any, table: Any, i: Any, finished: Any, equities: Any) -> Any:
    """Deal, score and start episodes until a decision is due; return its legal mask, 0 for a table at rest."""
    while True:
        mask = legal_mask(opt, s)
        if mask != 0:
            if not desk["skip_forced"] or mask & (mask - 1) != 0:
                return mask
            apply(opt, s, lowest(mask))
            continue
        if s["redeal"] == 0:
            finished[i] = s
            if _end_hand(opt, desk, s, table, equities):
                if desk["autoreset"]:
                    _begin(opt, desk, s, table)
                return legal_mask(opt, s)
        _next_deal(opt, desk, s, table)


@inlined
def _call_on(opt: Any, desk: Any, s: Any, table: Any, mask: Any) -> Any:
    """Settle how the seat to move sees the suits; return its legal mask in them."""
    table["perm"] = IDENTITY
    if mask != 0 and desk["canonical"]:
        table["perm"] = canonical_permutation(opt, s, np.int64(s["turn"]))
        return relabel_mask(mask, table["perm"])
    return mask


@kernel
def _observe(opt: Any, states: Any, tables: Any, legal: Any, observations: Any) -> None:
    """Write the movers' observations: a loop of its own, which keeps the branch predictor on one track."""
    for i in range(len(observations)):
        if legal[i] != 0:
            s = states[i]
            encode_game(opt, s, np.int64(s["turn"]), tables[i]["perm"], observations[i])


@kernel
def _observe_hidden(opt: Any, states: Any, tables: Any, legal: Any, hidden: Any) -> None:
    """Write what the movers may not see; [0] rows where nobody asked for it."""
    for i in range(len(hidden)):
        if legal[i] != 0:
            s = states[i]
            encode_hidden(opt, s, np.int64(s["turn"]), tables[i]["perm"], hidden[i])


@kernel
def _clear(table: Any) -> None:
    for seat in range(4):
        table["rewards"][seat] = 0
    table["done"] = 0
    table["truncated"] = 0
    table["hand_over"] = 0


@inlined
def _start(opt: Any, desk: Any, states: Any, tables: Any, i: Any, turn: Any, legal: Any) -> None:
    s, table = states[i], tables[i]
    _clear(table)
    _begin(opt, desk, s, table)
    legal[i] = _call_on(opt, desk, s, table, legal_mask(opt, s))
    turn[i] = s["turn"]


@kernel
def start_tables(
    options: Any,
    desks: Any,
    states: Any,
    tables: Any,
    turn: Any,
    legal: Any,
    observations: Any,
    hidden: Any,
    rows: Any,
    keys: Any,
) -> None:
    """Start the first episode of new keys [K] at some tables, rows [K]."""
    opt, desk = options[0], desks[0]
    for k in range(len(rows)):
        tables[rows[k]]["key"] = keys[k]
        tables[rows[k]]["episode"] = 0
        _start(opt, desk, states, tables, rows[k], turn, legal)
    _observe(opt, states, tables, legal, observations)
    _observe_hidden(opt, states, tables, legal, hidden)


@kernel
def step_tables(
    options: Any,
    desks: Any,
    states: Any,
    tables: Any,
    turn: Any,
    legal: Any,
    observations: Any,
    hidden: Any,
    actions: Any,
    finished: Any,
    equities: Any,
) -> None:
    """Carry out one action per table, `actions` [N], and write what follows; a table with a negative action waits."""
    opt, desk = options[0], desks[0]
    for i in range(len(states)):
        s, table = states[i], tables[i]
        _clear(table)
        action = np.int64(actions[i])
        if legal[i] == 0 or action < 0:
            continue
        if desk["canonical"]:
            action = relabel_action(action, inverse(table["perm"]))
        apply(opt, s, action)
        mask = _settle(opt, desk, s, table, i, finished, equities)
        legal[i] = _call_on(opt, desk, s, table, mask)
        turn[i] = s["turn"]
    _observe(opt, states, tables, legal, observations)
    _observe_hidden(opt, states, tables, legal, hidden)
