"""Bounds of a hand: the least and most that it can pay a seat, and how many decisions it can take.

The payments are those of the engine for every way in which a hand can end; the lengths count questions that the rules
can ask. Penalties for reneging are bounded by one a trick.

>>> from euchre_env import rulesets
>>> utility_bounds(rulesets.get("three_handed"), "zero_sum"), longest_hand(rulesets.get("three_handed"))
((-2.0, 3.0), 21)
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from euchre_env.engine import score
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import BID_NAMES, MOON, NONE, NUM_BIDS, RENEGE_POINTS
from euchre_env.envs.open_spiel.setting import Setting, setting
from euchre_env.ruleset import Ruleset

# After so many claimed redeals of one hand (Q-N22) claims are no longer offered: a game of OpenSpiel has to end.
MAX_REDEALS = 8

_MAKER = 0
_SIX = BID_NAMES.index("6")


@kernel
def _score(options: Any, states: Any) -> None:
    score.score_hand(options[0], states[0])


def utility_bounds(rules: Ruleset, reward: str) -> tuple[float, float]:
    """Return the least and the most that one seat can get in one hand."""
    shared = setting(rules, reward, NONE, ())
    paid = np.array([_paid(shared, ending) for ending in _endings(rules)])
    low, high = float(paid.min()), float(paid.max())
    if rules.renege == "penalty":
        # The last card of a hand cannot be a renege.
        most = -RENEGE_POINTS * (rules.hand_size - 1) * (rules.num_seats // rules.num_sides)
        low -= most
        high += most if reward == "zero_sum" else 0
    return low, high


def _paid(shared: Setting, ending: tuple[int, int, tuple[int, ...]]) -> list[float]:
    bid, alone, tricks = ending
    record = shared.record(0)
    record["maker"], record["bid"], record["alone"] = _MAKER, bid, alone
    record["tricks"][0, : len(tricks)] = tricks
    _score(shared.options, record)
    return shared.pay(record)


def _endings(rules: Ruleset) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield bid, set of lone seats and tricks by seat of the hands that seat 0 can have made."""
    bids = [NONE] if rules.auction == "off" else _bids(rules)
    for bid, alone, tricks in product(
        bids, _loners(rules), product(range(rules.hand_size + 1), repeat=rules.num_sides)
    ):
        if sum(tricks) == rules.hand_size:
            yield bid, alone, tricks


def _bids(rules: Ruleset) -> list[int]:
    tops = {"single": MOON, "sequential": MOON + rules.num_seats - 1, "free": NUM_BIDS - 1}
    top = min(tops[rules.moon_ladder], NUM_BIDS - 1)
    return [bid for bid in range(top + 1) if bid != _SIX or rules.six_bid]


def _loners(rules: Ruleset) -> list[int]:
    """Return the sets of seats that can play alone; in an auction a moon says it."""
    if rules.auction != "off":
        return [0]
    maker = rules.alone_scope != "none"
    against_pair, against_loner = rules.defend_alone == "always", rules.defend_alone != "off" and maker
    possible = {0b00: True, 0b01: maker, 0b10: against_pair, 0b11: against_loner}
    return [alone for alone, may_be in possible.items() if may_be]


def longest_hand(rules: Ruleset) -> int:
    """Return how many decisions a hand can take, forced ones counted, chance not."""
    seats, size = rules.num_seats, rules.hand_size
    before = _claims(rules) + (_most_bids(rules) if rules.auction != "off" else 2 * seats)
    together = _asked(rules, alone=False) + _dummy_cards(rules) + seats * size
    if rules.auction != "off" or not rules.partners or rules.alone_scope == "none":
        return before + together
    steps = {"off": 0, "discard_first": 2, "receive_first": 3}[rules.best_exchange]
    return before + max(together, _asked(rules, alone=True) + steps + (seats - 1) * size)


def _claims(rules: Ruleset) -> int:
    """Q-N22: every seat is asked in every deal; who swaps lays as many cards away as are buried."""
    deals = 1 + (MAX_REDEALS if rules.farmers_hand == "redeal" else 0)
    asked = deals * rules.num_seats if rules.farmers_hand != "off" else 0
    return asked + (rules.num_buried if rules.farmers_hand == "swap3" else 0)


def _most_bids(rules: Ruleset) -> int:
    """8.2: one call each, one ghost hand; trump is named once, or with each bid (10.1) but a moon, which is alone."""
    named = min(rules.num_seats, _SIX + rules.six_bid) if rules.auction == "with_trump" else 1
    return rules.num_seats + named + (rules.swap != "off")


def _asked(rules: Ruleset, alone: bool) -> int:
    """2.5: how many seats are asked about going alone, if nobody does, or the maker."""
    if rules.auction != "off":
        return 0
    maker = rules.alone_scope != "none" and rules.alone_timing == "after_trump"
    partner = rules.alone_scope == "maker_side" and rules.partners and not alone
    defenders = rules.num_seats // 2 if rules.partners else rules.num_seats - 1
    asks_them = rules.defend_alone == "always" or (rules.defend_alone == "vs_loner" and alone)
    return maker + partner + defenders * asks_them


def _dummy_cards(rules: Ruleset) -> int:
    """5, 6: how many cards are laid away for dummies."""
    return {"off": 0, "two_card": 2, "three_card": 3 * rules.num_seats, "five_card": 5}[rules.dummy]
