"""The arena: two policies at thousands of tables at once, on duplicate deals.

Each pair of tables plays the same decks with the same dealer twice, once with policy A in seats 0 and 2, once in seats
1 and 3; first dealers are balanced over the pairs. Tables are cut into groups of fixed size, and every policy has a
generator of its own in every group, so a result does not depend on how many tables run at once.

>>> from euchre_env import policies
>>> rule_based = policies.make("rule_based", "tournament")
>>> result = play_match(rule_based, rule_based, "tournament", pairs=8, seed=0)
>>> result.net.mean, result.hands
(0.0, 16)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.batch import Episode, GameBatch
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import Upcard, action_name
from euchre_env.engine.score import makers_tricks
from euchre_env.engine.table import loner_of, side_of
from euchre_env.policies import Policy
from euchre_env.ruleset import Ruleset
from evaluation.statistics import Interval, mean_interval, paired_rate

# Pairs that share the generators of the policies. Changing it changes what sampling policies draw.
GROUP_PAIRS = 256

Progress = Callable[[int], None]
Bools = npt.NDArray[np.bool_]

_TURNED_DOWN = int(Upcard.TURNED_DOWN)

_KEY_STREAMS: dict[Episode, int] = {"hand": 0, "game": 3}

# What the hands of one policy came to, as maker unless it says otherwise.
_COUNTS = np.dtype(
    [
        ("calls", np.int64, (2, 4)),  # [round, place from the dealer's left]
        ("made", np.int64),
        ("marched", np.int64),
        ("euchred", np.int64),
        ("alone", np.int64),
        ("alone_swept", np.int64),
        ("alone_made", np.int64),
        ("alone_euchred", np.int64),
        ("defended_alone", np.int64),
        ("forfeited", np.int64),
        ("points", np.int64),
        ("thrown_in", np.int64),
        ("hands", np.int64),
    ]
)


class ArenaError(ValueError):
    """A match that cannot be played: a wrong number of pairs, or a policy that broke the rules."""


@dataclass(frozen=True)
class SideCounts:
    """What one policy did: counts of hands. Each place from the dealer's left was its own in half of all hands."""

    calls_round_1: tuple[int, ...]  # made trump, by place: left of the dealer, his partner, his right, the dealer
    calls_round_2: tuple[int, ...]
    called: int
    made: int  # took the tricks needed, marches included
    marched: int  # took all tricks, alone or not
    euchred: int
    alone: int  # of the calls, played alone
    alone_swept: int
    alone_made: int  # made without a sweep
    alone_euchred: int
    defended_alone: int  # hands of the other side that it defended alone
    forfeited: int  # gave up a point as a stuck dealer
    points: int

    @classmethod
    def of(cls, counts: np.void) -> "SideCounts":
        """Return the named counts of one record."""
        calls = counts["calls"]
        names = ("made", "marched", "euchred", "alone", "alone_swept", "alone_made", "alone_euchred")
        return cls(
            calls_round_1=tuple(int(n) for n in calls[0]),
            calls_round_2=tuple(int(n) for n in calls[1]),
            called=int(calls.sum()),
            **{name: int(counts[name]) for name in (*names, "defended_alone", "forfeited", "points")},
        )


@dataclass(frozen=True)
class MatchResult:
    """Hands on duplicate deals; `net` is in net points per hand for A, its interval from the pairs."""

    policy_a: str
    policy_b: str
    ruleset: str
    seed: int
    pairs: int
    hands: int  # two for each pair
    thrown_in: int  # of the hands
    net: Interval
    pair_deviation: float | None  # the standard deviation of the pairs' values
    a: SideCounts
    b: SideCounts
    values: npt.NDArray[np.float64] = field(repr=False, compare=False)  # half of each pair's sum


@dataclass(frozen=True)
class GamesResult:
    """Games on duplicate decks; unfinished games are in no rate."""

    policy_a: str
    policy_b: str
    ruleset: str
    seed: int
    games: int
    wins_a: int
    wins_b: int
    unfinished: int  # cut off by the limit of hands
    win_rate: Interval | None  # of A, over the finished games; its interval respects the pairing
    hands: int
    thrown_in: int  # of the hands
    a: SideCounts
    b: SideCounts


@kernel
def _count_maker(opt: Any, s: Any, own: Any) -> None:
    """Book a played hand for the policy that made trump."""
    maker = s["maker"]
    side = side_of(opt, maker)
    alone = loner_of(opt, s, side) >= 0
    swept = makers_tricks(opt, s) == opt["hand_size"]
    own["calls"][1 if s["upcard_state"] == _TURNED_DOWN else 0, (maker - s["dealer"] - 1) & 3] += 1
    own["alone"] += alone
    if s["points"][side] == 0:
        own["euchred"] += 1
        own["alone_euchred"] += alone
        return
    own["made"] += 1
    own["marched"] += swept
    own["alone_swept"] += alone and swept
    own["alone_made"] += alone and not swept


@kernel
def _count_hands(options: Any, finished: Any, rows: Any, a_sides: Any, counts: Any) -> None:
    """Book the finished hands of some rows; counts[0] is A's record, counts[1] B's."""
    opt = options[0]
    for row in rows:
        s = finished[row]
        for side in range(2):
            counts[side ^ a_sides[row]]["points"] += s["points"][side]
        counts[0]["hands"] += 1
        if s["maker"] >= 0:
            makers = side_of(opt, s["maker"])
            _count_maker(opt, s, counts[makers ^ a_sides[row]])
            counts[1 - (makers ^ a_sides[row])]["defended_alone"] += loner_of(opt, s, 1 - makers) >= 0
        elif s["points"][0] == s["points"][1]:
            counts[0]["thrown_in"] += 1
        else:
            counts[side_of(opt, s["dealer"]) ^ a_sides[row]]["forfeited"] += 1


@dataclass
class _Chunk:
    """Consecutive groups of pairs at one batch of tables: rows 2k and 2k + 1 are the two seatings of one pair."""

    players: tuple[Policy, Policy]
    batch: GameBatch
    first_group: int
    seed: int
    counts: npt.NDArray[np.void]

    def __post_init__(self) -> None:
        rows = self.batch.num_tables
        self.a_sides = np.arange(rows, dtype=np.int64) % 2
        self.options = self.batch.ruleset.to_options()
        starts = range(0, rows, 2 * GROUP_PAIRS)
        self.groups = [slice(start, min(start + 2 * GROUP_PAIRS, rows)) for start in starts]
        self.rngs = [
            [np.random.default_rng([self.seed, 1 + player, self.first_group + g]) for g in range(len(self.groups))]
            for player in range(2)
        ]

    def run(self) -> None:
        """Play until every table rests."""
        actions = np.zeros(self.batch.num_tables, dtype=np.int64)
        while (self.batch.turn >= 0).any():
            for player in range(2):
                mine = (self.batch.turn >= 0) & (self.batch.turn % 2 == self.a_sides ^ player)
                self._act(player, mine, actions)
            self.batch.step(actions)
            ended = np.flatnonzero(self.batch.hand_over)
            if ended.size:
                _count_hands(self.options, self.batch.finished, ended, self.a_sides, self.counts)

    def _act(self, player: int, mine: Bools, actions: npt.NDArray[np.int64]) -> None:
        """Ask one policy for the actions of its rows.

        An exact one gets all rows at once. Others are asked group by group: what they draw, and how their
        floating-point sums are rounded, may hang on the rows that come together.
        """
        exact = getattr(self.players[player], "exact", False)
        for group, span in enumerate([slice(0, None)] if exact else self.groups):
            rows = np.flatnonzero(mine[span]) + span.start
            if rows.size:
                actions[rows] = self._ask(player, group, rows)

    def _ask(self, player: int, group: int, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        policy = self.players[player]
        legal = self.batch.legal[rows]
        chosen = np.asarray(policy.act(self.batch.views(rows), legal.copy(), self.rngs[player][group]), dtype=np.int64)
        if chosen.shape != rows.shape:
            raise ArenaError(f"{policy.name} gave {chosen.shape} actions for {rows.size} decisions.")
        allowed = (chosen >= 0) & (chosen < 63) & (legal >> np.clip(chosen, 0, 62) & 1 != 0)
        if not allowed.all():
            raise ArenaError(f"{policy.name} chose {_name(int(chosen[~allowed][0]))} where the rules do not allow it.")
        return chosen


def _name(action: int) -> str:
    try:
        return f"'{action_name(action)}'"
    except ValueError:
        return f"action {action}"


@dataclass
class _Setting:
    """What all chunks of one match share."""

    players: tuple[Policy, Policy]
    ruleset: Ruleset
    episode: Episode
    pairs: int
    seed: int
    tables: int
    max_hands: int
    progress: Progress | None

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise ArenaError(f"{self.pairs} pairs: a match needs at least one.")
        if self.tables < 1:
            raise ArenaError(f"{self.tables} tables: a match needs at least one.")
        if self.seed < 0:
            raise ArenaError(f"seed {self.seed}: a seed is not negative.")
        if self.ruleset.num_sides != 2 or self.ruleset.num_seats != 4:
            raise ArenaError(f"{self.ruleset.name}: duplicate deals are for two sides of two.")
        self.counts = np.zeros(2, dtype=_COUNTS)

    def chunks(self) -> Iterator[GameBatch]:
        """Play all pairs, a batch of whole groups at a time; yield each batch at rest."""
        # The first n keys are the same for every number of pairs.
        # Hands and games of one seed are on decks of their own, so that their figures are independent.
        stream = _KEY_STREAMS[self.episode]
        keys = np.random.default_rng([self.seed, stream]).integers(2**63, size=self.pairs, dtype=np.uint64)
        groups = max(1, self.tables // (2 * GROUP_PAIRS))
        for start in range(0, self.pairs, groups * GROUP_PAIRS):
            index = np.arange(start, min(start + groups * GROUP_PAIRS, self.pairs))
            batch = GameBatch(
                self.ruleset,
                2 * len(index),
                episode=self.episode,
                keys=np.repeat(keys[index], 2),
                dealers=np.repeat(index % 4, 2),
                observe=False,
                autoreset=False,
                max_hands=self.max_hands,
            )
            _Chunk(self.players, batch, start // GROUP_PAIRS, self.seed, self.counts).run()
            yield batch
            if self.progress is not None:
                self.progress(len(index))

    def named(self) -> dict[str, Any]:
        """Return what both kinds of result say about the match."""
        return {
            "policy_a": self.players[0].name,
            "policy_b": self.players[1].name,
            "ruleset": self.ruleset.name,
            "seed": self.seed,
            "hands": int(self.counts["hands"].sum()),
            "thrown_in": int(self.counts["thrown_in"].sum()),
            "a": SideCounts.of(self.counts[0]),
            "b": SideCounts.of(self.counts[1]),
        }


def play_match(
    policy_a: Policy,
    policy_b: Policy,
    ruleset: str | Ruleset,
    pairs: int,
    seed: int,
    *,
    tables: int = 2048,
    progress: Progress | None = None,
) -> MatchResult:
    """Play `pairs` deals twice each, the sides swapped; net points per hand are half of a pair's sum.

    `tables` is how many tables run at once, in whole groups; the result does not depend on it. `progress` is called
    with the number of pairs done since the last call. ArenaError for numbers below one, or a policy that breaks the
    rules.
    """
    setting = _Setting((policy_a, policy_b), rulesets.get(ruleset), "hand", pairs, seed, tables, 1, progress)
    values = np.concatenate([_pair_values(batch.finished) for batch in setting.chunks()])
    net = mean_interval(values)
    assert net is not None
    deviation = float(values.std(ddof=1)) if pairs > 1 else None
    return MatchResult(pairs=pairs, net=net, pair_deviation=deviation, values=values, **setting.named())


def _pair_values(finished: npt.NDArray[np.void]) -> npt.NDArray[np.float64]:
    """Return A's net points per hand of each pair; A sits on side 0 in even rows, on side 1 in odd ones."""
    points: npt.NDArray[np.float64] = finished["points"].astype(np.float64)
    lead = points[:, 0] - points[:, 1]
    return (lead[0::2] - lead[1::2]) / 2


def play_games(
    policy_a: Policy,
    policy_b: Policy,
    ruleset: str | Ruleset,
    games: int,
    seed: int,
    *,
    tables: int = 2048,
    max_hands: int = 200,
    progress: Progress | None = None,
) -> GamesResult:
    """Play `games` games to the target, two on each series of decks, the sides swapped.

    A game of `max_hands` hands without a winner is unfinished and counts in no rate; thrown-in hands are counted apart.
    `progress` is called with the number of games done since the last call. ArenaError for an odd number of games.
    """
    if games < 2 or games % 2:
        raise ArenaError(f"{games} games: choose an even number, since each series of decks is played twice.")
    report = None if progress is None else _doubled(progress)
    setting = _Setting((policy_a, policy_b), rulesets.get(ruleset), "game", games // 2, seed, tables, max_hands, report)
    won = np.concatenate([_winners(batch.states) for batch in setting.chunks()])
    finished = (won >= 0).reshape(-1, 2).sum(axis=1)
    wins = (won == 0).reshape(-1, 2).sum(axis=1)
    return GamesResult(
        games=games,
        wins_a=int(wins.sum()),
        wins_b=int(finished.sum() - wins.sum()),
        unfinished=int(games - finished.sum()),
        win_rate=paired_rate(wins, finished),
        **setting.named(),
    )


def _doubled(progress: Progress) -> Progress:
    return lambda pairs: progress(2 * pairs)


def _winners(states: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """Return by table 0 where A won, 1 where B won, -1 where nobody did; A sits on side 0 in even rows."""
    winner = np.array([-1, 0, 1, -1])[states["winners"]]
    return np.where(winner < 0, -1, winner ^ (np.arange(len(states)) % 2))
