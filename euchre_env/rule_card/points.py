"""The scoring table: the engine is asked what every number of tricks is worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import BID_NAMES, MOON, MOON_STAKES, NONE, NUM_BIDS, STATE
from euchre_env.engine.score import score_hand
from euchre_env.rule_card.options import section_of
from euchre_env.ruleset import Ruleset

_SIX = BID_NAMES.index("6")


@dataclass(frozen=True)
class ScoreRow:
    """What a hand is worth when the makers take `low` to `high` tricks; points by trick, for each other side too."""

    who: str
    bid: int  # an index of BID_NAMES, -1 with an up-card
    alone: tuple[bool, bool]  # a maker, a defender
    low: int
    high: int
    makers: tuple[int, ...]
    others: tuple[int, ...]
    hand_size: int
    clause: str

    @property
    def tricks_words(self) -> str:
        """The makers' tricks."""
        return _range_words(self.low, self.high, self.hand_size)

    @property
    def makers_words(self) -> str:
        """The makers' points."""
        return _points_words(self.makers, range(self.low, self.high + 1))

    @property
    def others_words(self) -> str:
        """The points of each other side, by its own tricks."""
        return _points_words(self.others, [self.hand_size - made for made in range(self.low, self.high + 1)])


def bids_of(rules: Ruleset) -> list[int]:
    """Return the bids of an auction, low to high, as indices of BID_NAMES (8.2, 10.1)."""
    top = MOON if rules.moon_ladder == "single" else NUM_BIDS - 1
    return [bid for bid in range(top + 1) if bid != _SIX or rules.six_bid]


@kernel
def _score(options: Any, states: Any) -> None:
    for i in range(states.size):
        score_hand(options[0], states[i])


def points_of(rules: Ruleset, bid: int, alone: tuple[bool, bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the engine's points of the makers and of another side, by the tricks of the makers, 0 to all.

    Seat 0 makes trump, seat 1 takes the other tricks; `alone` says whether either plays alone.
    """
    made = np.arange(rules.hand_size + 1)
    states = np.zeros(made.size, dtype=STATE)
    states["bid"], states["upcard"] = bid, NONE
    states["alone"] = alone[0] | alone[1] << 1
    states["tricks"][:, 0], states["tricks"][:, 1] = made, rules.hand_size - made
    _score(rules.to_options(), states)
    makers, others = states["points"][:, 0].tolist(), states["points"][:, 1].tolist()
    return tuple(makers), tuple(others)


def _runs(makers: Sequence[int], others: Sequence[int], by_trick: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges of tricks, from the most, in which the points stay or, in auctions, go trick by trick."""
    high = len(makers) - 1
    for low in range(len(makers) - 1, -1, -1):
        span = range(low - 1, high + 1)
        if low == 0 or not all(_goes_on(points, span, by_trick) for points in (makers, [-p for p in others])):
            yield low, high
            high = low - 1


def _goes_on(points: Sequence[int], span: range, by_trick: bool) -> bool:
    steps = {points[made + 1] - points[made] for made in span[:-1]}
    return steps == {0} or (by_trick and steps == {1})


def _situations(rules: Ruleset) -> Iterator[tuple[str, int, tuple[bool, bool]]]:
    """Yield who plays: in words, the bid, who is alone."""
    if rules.auction != "off":
        for bid in bids_of(rules):
            yield BID_NAMES[bid], bid, (bid >= MOON and rules.partners, False)
        return
    maker, defender = rules.alone_scope != "none", rules.defend_alone
    alone = "alone" if rules.partners else "without his dummy"
    yield "all play", NONE, (False, False)
    if maker:
        yield f"maker {alone}", NONE, (True, False)
    if defender == "always":
        yield f"defender {alone}", NONE, (False, True)
    if maker and defender != "off":
        yield f"maker and defender {alone}", NONE, (True, True)


def scoring_of(rules: Ruleset) -> Iterator[ScoreRow]:
    """Yield the rows of the table: who plays or what was bid, from all tricks to none."""
    for who, bid, alone in _situations(rules):
        makers, others = points_of(rules, bid, alone)
        for low, high in _runs(makers, others, by_trick=bid != NONE):
            span = slice(low, high + 1)
            clause = _score_clause(rules, bid, alone)
            yield ScoreRow(who, bid, alone, low, high, makers[span], others[span], rules.hand_size, clause)


def _score_clause(rules: Ruleset, bid: int, alone: tuple[bool, bool]) -> str:
    section = section_of(rules)
    if section == "8":
        return "10.1" if bid == _SIX or (bid == MOON and rules.moon_points != MOON_STAKES[0]) else "8.5"
    if section == "2":
        return "2.7, Q-N13" if alone[1] else "2.7, Q-N14" if alone[0] else "2.7"
    return "9.6" if section == "9" else section


def _range_words(low: int, high: int, most: int) -> str:
    if low == high:
        return f"all {most}" if low == most else "none" if low == 0 else str(low)
    if low == 0:
        return f"{high} or fewer"
    if high == most:
        return f"{low} or more"
    return f"{low} or {high}" if high == low + 1 else f"{low} to {high}"


def _points_words(points: Sequence[int], tricks: Sequence[int]) -> str:
    if len(set(points)) == 1 and (len(points) > 1 or points[0] != tricks[0] or points[0] == 0):
        return f"{points[0]:+d}" if points[0] else "0"
    beyond = points[0] - tricks[0]
    return "own tricks" if beyond == 0 else f"own tricks {'+' if beyond > 0 else '-'} {abs(beyond)}"
