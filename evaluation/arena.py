"""The arena: two policies at thousands of tables at once, on duplicate deals, in every game of the family.

A unit of tables plays the same decks with the same dealer once in each seating of the two policies; first dealers are
balanced over the units. Two sides have two seatings: A on side 0, then on side 1. Three single seats have six: A alone
against two of B in each seat, then B alone against two of A. That is the smallest set in which either policy has every
seat equally often *and* nothing hangs on who is called A: a lone seat between two strangers is another game than a pair
of seats with one of them. A unit's mean is one sample of every interval. Tables are cut into groups of fixed size, and
every policy has a generator of its own in every group, so a result does not depend on how many tables run at once.

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
from euchre_env.engine.bits import count
from euchre_env.engine.layout import MAX_SEATS, MOON, NUM_BIDS, Upcard, action_name
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.score import makers_points
from euchre_env.engine.stakes import is_made
from euchre_env.engine.table import has, loner_of, num_sides, side_of, side_tricks
from euchre_env.policies import Policy
from euchre_env.ruleset import Ruleset
from evaluation.statistics import Interval, mean_interval, paired_rate

# Units that share the generators of the policies. Changing it changes what sampling policies draw.
GROUP_PAIRS = 256

Progress = Callable[[int], None]
Bools = npt.NDArray[np.bool_]

_TURNED_DOWN = int(Upcard.TURNED_DOWN)

_KEY_STREAMS: dict[Episode, int] = {"hand": 0, "game": 3}

# Who sits where: [seating of a unit, side] is 0 for A, 1 for B.
_SEATINGS = {
    2: np.array([[0, 1], [1, 0]]),
    3: np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
}

# What the hands of one policy came to, as maker (or bidder) unless it says otherwise.
_COUNTS = np.dtype(
    [
        ("places", np.int64, (MAX_SEATS,)),  # hands with a seat of its own there, by place from the dealer's left
        ("calls", np.int64, (2, MAX_SEATS)),  # [round, place from the dealer's left]; auctions: all in the first
        ("bids", np.int64, (NUM_BIDS,)),
        ("made", np.int64),
        ("marched", np.int64),
        ("euchred", np.int64),
        ("alone", np.int64),
        ("alone_swept", np.int64),
        ("alone_made", np.int64),
        ("alone_euchred", np.int64),
        ("defended_alone", np.int64),
        ("forfeited", np.int64),
        ("swapped", np.int64),
        ("reneged", np.int64),
        ("points", np.int64),
        ("thrown_in", np.int64),
        ("hands", np.int64),
    ]
)

_PLAIN_COUNTS = (
    "made", "marched", "euchred", "alone", "alone_swept", "alone_made", "alone_euchred", "defended_alone", "forfeited",
    "swapped", "reneged", "points",
)  # fmt: skip


class ArenaError(ValueError):
    """A match that cannot be played: a wrong number of deals, or a policy that broke the rules."""


@dataclass(frozen=True)
class SideCounts:
    """What one policy did: counts of hands. Lists by place go left of the dealer first, the dealer last."""

    places: tuple[int, ...]  # hands in which a seat of its own had that place: half of all where each deal is finished
    calls_round_1: tuple[int, ...]  # made trump, by place; auctions: won the auction
    calls_round_2: tuple[int, ...]
    bids: tuple[int, ...]  # won auctions by what was bid, in the order of layout.BID_NAMES
    called: int  # made trump, or won the auction
    made: int  # took the tricks needed, marches included
    marched: int  # took all tricks, alone or not
    euchred: int  # or set: did not take what it had bid
    alone: int  # of the calls, played alone; auctions: moons
    alone_swept: int
    alone_made: int  # made without a sweep
    alone_euchred: int
    defended_alone: int  # hands of another side that it defended alone
    forfeited: int  # gave up a point as a stuck dealer
    swapped: int  # took the ghost hand, or the buried cards with a farmer's hand
    reneged: int  # cards that did not follow suit where they had to
    points: int  # of all its sides, as the rules give them

    @classmethod
    def of(cls, counts: np.void, num_seats: int) -> "SideCounts":
        """Return the named counts of one record."""
        return cls(
            places=_whole(counts["places"][:num_seats]),
            calls_round_1=_whole(counts["calls"][0, :num_seats]),
            calls_round_2=_whole(counts["calls"][1, :num_seats]),
            bids=_whole(counts["bids"]),
            called=int(counts["calls"].sum()),
            **{name: int(counts[name]) for name in _PLAIN_COUNTS},
        )


def _whole(row: npt.NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(n) for n in row)


@dataclass(frozen=True)
class MatchResult:
    """Hands on duplicate deals; `net` is in net points per hand for A, its interval from the units.

    A hand's net points are the mean of the points of A's sides minus the mean of those of B's sides.
    """

    policy_a: str
    policy_b: str
    ruleset: str
    auction: bool  # whether the ruleset has bids in place of an up-card
    seed: int
    pairs: int  # units: deals
    hands: int  # one for each deal and seating: twice the deals, six times with three single seats
    thrown_in: int  # of the hands
    net: Interval
    pair_deviation: float | None  # the standard deviation of the units' values
    a: SideCounts
    b: SideCounts
    values: npt.NDArray[np.float64] = field(repr=False, compare=False)  # each unit's mean


@dataclass(frozen=True)
class GamesResult:
    """Games on duplicate decks; unfinished games are in no rate.

    A game that several sides win together is a win of the policy that sits on all of them, else a shared one.
    """

    policy_a: str
    policy_b: str
    ruleset: str
    auction: bool
    seed: int
    games: int
    wins_a: int
    wins_b: int
    shared: int  # won by sides of both
    unfinished: int  # cut off by the limit of hands
    win_rate: Interval | None  # of A over the finished games, a shared one by its part of the winners; by unit
    hands: int
    thrown_in: int  # of the hands
    a: SideCounts
    b: SideCounts


@kernel
def _count_maker(opt: Any, s: Any, own: Any) -> None:
    """Book a played hand for the policy that made trump or won the auction."""
    maker = s["maker"]
    side = side_of(opt, maker)
    taken = side_tricks(opt, s, side)
    swept = taken == opt["hand_size"]
    bids = opt["auction"] != NO_AUCTION
    alone = s["bid"] >= MOON if bids else loner_of(opt, s, side) >= 0
    made = is_made(opt, s) if bids else makers_points(opt, s, taken) > 0
    place = (maker - s["dealer"] - 1 + opt["num_seats"]) % opt["num_seats"]
    own["calls"][1 if s["upcard_state"] == _TURNED_DOWN else 0, place] += 1
    if bids:
        own["bids"][s["bid"]] += 1
    own["alone"] += alone
    own["marched"] += swept
    own["made"] += made
    own["euchred"] += not made
    own["alone_euchred"] += alone and not made
    own["alone_swept"] += alone and swept
    own["alone_made"] += alone and made and not swept


@kernel
def _count_seats(opt: Any, s: Any, owner: Any, counts: Any) -> None:
    """Book what every seat may have done, whoever made trump."""
    seats = opt["num_seats"]
    for seat in range(seats):
        own = counts[owner[side_of(opt, seat)]]
        own["places"][(seat - s["dealer"] - 1 + seats) % seats] += 1
        own["swapped"] += s["swapped_by"] == seat
        own["reneged"] += count(s["reneged"] & s["played"][seat])
        if has(s["alone"], seat) and side_of(opt, seat) != side_of(opt, s["maker"]):
            own["defended_alone"] += 1


@kernel
def _count_hands(options: Any, finished: Any, rows: Any, owners: Any, counts: Any) -> None:
    """Book the finished hands of some rows; counts[0] is A's record, counts[1] B's, `owners` [N, sides] who is who."""
    opt = options[0]
    for row in rows:
        s, owner = finished[row], owners[row]
        scored = False
        for side in range(num_sides(opt)):
            counts[owner[side]]["points"] += s["points"][side]
            scored = scored or s["points"][side] != 0
        counts[0]["hands"] += 1
        _count_seats(opt, s, owner, counts)
        if s["maker"] >= 0:
            _count_maker(opt, s, counts[owner[side_of(opt, s["maker"])]])
        elif scored:
            counts[owner[side_of(opt, s["dealer"])]]["forfeited"] += 1
        else:
            counts[0]["thrown_in"] += 1


@dataclass
class _Chunk:
    """Consecutive groups of units at one batch of tables: the seatings of a unit are rows that follow each other."""

    players: tuple[Policy, Policy]
    batch: GameBatch
    first_group: int
    seed: int
    counts: npt.NDArray[np.void]

    def __post_init__(self) -> None:
        rows, rules = self.batch.num_tables, self.batch.ruleset
        self.owners = owners(rules, rows)
        self.options = rules.to_options()
        size = num_seatings(rules) * GROUP_PAIRS
        self.groups = [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
        self.rngs = [
            [np.random.default_rng([self.seed, 1 + player, self.first_group + g]) for g in range(len(self.groups))]
            for player in range(2)
        ]

    def run(self) -> None:
        """Play until every table rests."""
        actions = np.zeros(self.batch.num_tables, dtype=np.int64)
        rows, sides = np.arange(self.batch.num_tables), self.batch.ruleset.num_sides
        while (self.batch.turn >= 0).any():
            movers = self.owners[rows, self.batch.turn % sides]
            for player in range(2):
                self._act(player, (self.batch.turn >= 0) & (movers == player), actions)
            self.batch.step(actions)
            ended = np.flatnonzero(self.batch.hand_over)
            if ended.size:
                _count_hands(self.options, self.batch.finished, ended, self.owners, self.counts)

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
        self.counts = np.zeros(2, dtype=_COUNTS)

    def chunks(self) -> Iterator[GameBatch]:
        """Play all units, a batch of whole groups at a time; yield each batch at rest."""
        # The first n keys are the same for every number of pairs.
        # Hands and games of one seed are on decks of their own, so that their figures are independent.
        stream = _KEY_STREAMS[self.episode]
        keys = np.random.default_rng([self.seed, stream]).integers(2**63, size=self.pairs, dtype=np.uint64)
        seatings = num_seatings(self.ruleset)
        groups = max(1, self.tables // (seatings * GROUP_PAIRS))
        for start in range(0, self.pairs, groups * GROUP_PAIRS):
            index = np.arange(start, min(start + groups * GROUP_PAIRS, self.pairs))
            batch = GameBatch(
                self.ruleset,
                seatings * len(index),
                episode=self.episode,
                keys=np.repeat(keys[index], seatings),
                dealers=np.repeat(index % self.ruleset.num_seats, seatings),
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
            "auction": self.ruleset.auction != "off",
            "seed": self.seed,
            "hands": int(self.counts["hands"].sum()),
            "thrown_in": int(self.counts["thrown_in"].sum()),
            "a": SideCounts.of(self.counts[0], self.ruleset.num_seats),
            "b": SideCounts.of(self.counts[1], self.ruleset.num_seats),
        }


def num_seatings(ruleset: str | Ruleset) -> int:
    """Return how many tables play each deal: two, or six with three single seats."""
    return len(_SEATINGS[rulesets.get(ruleset).num_sides])


def owners(ruleset: Ruleset, tables: int) -> npt.NDArray[np.int64]:
    """Return who plays each side of consecutive tables `[tables, sides]`: 0 for A, 1 for B."""
    seatings = _SEATINGS[ruleset.num_sides]
    return np.ascontiguousarray(np.resize(seatings, (tables, ruleset.num_sides)), dtype=np.int64)


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
    """Play `pairs` deals in every seating: twice each, the sides swapped, or six times with three single seats.

    `tables` is how many tables run at once, in whole groups; the result does not depend on it. `progress` is called
    with the number of deals done since the last call. ArenaError for numbers below one, or a policy that breaks the
    rules.
    """
    rules = rulesets.get(ruleset)
    setting = _Setting((policy_a, policy_b), rules, "hand", pairs, seed, tables, 1, progress)
    values = np.concatenate([_unit_values(batch.finished, rules) for batch in setting.chunks()])
    net = mean_interval(values)
    assert net is not None
    deviation = float(values.std(ddof=1)) if pairs > 1 else None
    return MatchResult(pairs=pairs, net=net, pair_deviation=deviation, values=values, **setting.named())


def _unit_values(finished: npt.NDArray[np.void], rules: Ruleset) -> npt.NDArray[np.float64]:
    """Return A's net points per hand of each unit: the mean of A's sides minus that of B's, over the seatings."""
    points = finished["points"][:, : rules.num_sides].astype(np.float64)
    is_a = owners(rules, len(finished)) == 0
    of_a, of_b = (np.where(own, points, 0.0).sum(axis=1) / own.sum(axis=1) for own in (is_a, ~is_a))
    net: npt.NDArray[np.float64] = (of_a - of_b).reshape(-1, num_seatings(rules)).mean(axis=1)
    return net


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
    """Play `games` games to the target, each series of decks once in every seating: two, or six with three seats.

    A game of `max_hands` hands without a winner is unfinished and counts in no rate; thrown-in hands are counted apart.
    `progress` is called with the number of games done since the last call. ArenaError for a number of games that is no
    multiple of the seatings (`num_seatings`).
    """
    rules = rulesets.get(ruleset)
    seatings = num_seatings(rules)
    if games < 1 or games % seatings:
        raise ArenaError(games_problem(f"{games} games", seatings))
    report = None if progress is None else _multiplied(progress, seatings)
    setting = _Setting((policy_a, policy_b), rules, "game", games // seatings, seed, tables, max_hands, report)
    shares = np.concatenate([_a_shares(batch.states, rules) for batch in setting.chunks()])
    finished = ~np.isnan(shares)
    return GamesResult(
        games=games,
        wins_a=int((shares == 1).sum()),
        wins_b=int((shares == 0).sum()),
        shared=int(((shares > 0) & (shares < 1)).sum()),
        unfinished=int(games - finished.sum()),
        win_rate=paired_rate(
            np.where(finished, shares, 0.0).reshape(-1, seatings).sum(axis=1),
            finished.reshape(-1, seatings).sum(axis=1),
        ),
        **setting.named(),
    )


def games_problem(number_given: str, seatings: int) -> str:
    """Return what is wrong with a number of games that is no multiple of the seatings."""
    number, times = ("an even number", "twice") if seatings == 2 else (f"a multiple of {seatings}", f"{seatings} times")
    return f"{number_given}: choose {number}, since each series of decks is played {times}."


def _multiplied(progress: Progress, seatings: int) -> Progress:
    return lambda units: progress(seatings * units)


def _a_shares(states: npt.NDArray[np.void], rules: Ruleset) -> npt.NDArray[np.float64]:
    """Return by table A's part of the winning sides, nan where nobody has won."""
    won = (states["winners"][:, None] >> np.arange(rules.num_sides) & 1).astype(bool)
    mine = (won & (owners(rules, len(states)) == 0)).sum(axis=1)
    winners = won.sum(axis=1)
    return np.where(winners > 0, mine / np.maximum(winners, 1), np.nan)
