"""The player by search: `pimc:N` solves N sampled worlds for each legal action, in every phase of every game.

What it computes is in `pimc.py`. `pimc:N:NAME` weighs the worlds by how likely the player NAME makes them, from the
calls and cards seen (`beliefs.py`).

>>> from euchre_env.batch import GameBatch
>>> batch = GameBatch("tournament", 2, seed=1)
>>> player = PimcPolicy("tournament", 20)
>>> actions, values = player.evaluate(batch.views([0, 1]), batch.legal, np.array([1, 2], dtype=np.uint64))
>>> values.shape, bool(batch.legal[0] >> actions[0] & 1)
((2, 62), True)
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search import beliefs, passing, pimc
from agents.search.double_dummy import MEMORY
from euchre_env import policies, rulesets, worlds
from euchre_env.cards import NUM_CARDS
from euchre_env.engine.layout import BID, CALL, MOON, NONE, NUM_ACTIONS, NUM_BIDS, PASS, STATE, SWAP, Phase
from euchre_env.errors import StateError
from euchre_env.policies import Policy, PolicyError, parameters, rule_based
from euchre_env.policies.random import seed_rows
from euchre_env.ruleset import Ruleset
from euchre_env.single import actions_of

MOST_WORLDS = 100_000
_SHARE = 4  # rows for which a thread is worth starting, at least
_EPSILON = 1e-9
_DRAWN = 4  # worlds drawn for each that is solved, where they are weighed

_CALLING = (Phase.ORDER_UP, Phase.CALL, Phase.BID)
FITTED = 1 << PASS | 1 << SWAP  # what is valued by lines, where calls are made
_WITH_PARTNER = (1 << MOON) - 1
_MOONS = ((1 << NUM_BIDS) - 1) & ~_WITH_PARTNER

Values = npt.NDArray[np.float64]


class _Desk:
    """What one thread works with."""

    def __init__(self, num_worlds: int) -> None:
        self.memory = np.zeros(1, dtype=MEMORY)
        self.worlds = np.zeros(num_worlds, dtype=STATE)
        self.after = np.zeros(num_worlds, dtype=STATE)


class PimcPolicy:
    """Plays what pays best on average over sampled worlds, each played out with open cards."""

    def __init__(
        self,
        ruleset: str | Ruleset,
        num_worlds: int,
        *,
        lines: passing.Lines | None = None,
        belief: Policy | None = None,
    ) -> None:
        if not 1 <= num_worlds <= MOST_WORLDS:
            raise PolicyError(f"pimc:{num_worlds}: choose a number of worlds from 1 to {MOST_WORLDS}.")
        ruleset = rulesets.get(ruleset)
        if belief is not None:
            beliefs.check_known(ruleset)
        self.name = f"pimc:{num_worlds}" if belief is None else f"pimc:{num_worlds}:{belief.name}"
        self.belief = belief
        self.ruleset = ruleset
        self.options = ruleset.to_options()
        self.params = parameters.tuned("rule_expert", parameters.game_of(ruleset))
        self.lines = passing.lines(ruleset) if lines is None else lines
        self.num_worlds = num_worlds
        self.weights = np.full(num_worlds, 1.0 / num_worlds)
        self._desks: list[_Desk] = []

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; the worlds are drawn from `rng`."""
        return self.act_seeded(views, legal, seed_rows(rng, len(views)))

    def act_seeded(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`, its worlds drawn from the row's seed `[N]`, uint64."""
        return self.evaluate(views, legal, seeds)[0]

    def evaluate(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]
    ) -> tuple[npt.NDArray[np.int64], Values]:
        """Return the actions `[N]`, and what each legal action is worth, `[N, NUM_ACTIONS]`.

        In net points of the hand for the mover's side, in the play of three seats for or against the maker; penalties
        paid already are left out. nan for what is not legal and for a renege, and all nan where nothing was solved (one
        legal action, a claim, a blind call). StateError for what is no view of the seat to move.
        """
        views, legal = np.require(views, requirements=["C", "W"]), np.require(legal, np.int64, ["C", "W"])
        by_rule = np.empty(len(views), dtype=np.int64)
        rule_based.choose_rows(self.options, self.params, views, legal, by_rule)
        values = np.full((len(views), NUM_ACTIONS), np.nan)
        solved = [
            row
            for row in range(len(views))
            if not pimc.is_left_to_rules(self.options, views[row : row + 1], legal[row])
        ]
        self._share(
            lambda desk, row: self._solve(desk, views[row : row + 1], int(legal[row]), seeds[row], values[row]), solved
        )
        return _best(values, by_rule), values

    def _share(self, solve: Callable[[_Desk, int], None], rows: list[int]) -> None:
        """Solve rows, those of one call on all cores: what comes out hangs on a row's seed alone."""
        threads = max(min(len(rows) // _SHARE, os.cpu_count() or 1), 1)

        def work(number: int) -> None:
            with self._desk() as desk:
                for row in rows[number::threads]:
                    solve(desk, row)

        if threads == 1:
            work(0)
            return
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, range(threads)))

    @contextmanager
    def _desk(self) -> Iterator[_Desk]:
        """Lend a desk that nobody else works at, a new one if all are taken."""
        try:
            desk = self._desks.pop()
        except IndexError:
            desk = _Desk(self.num_worlds * (1 if self.belief is None else _DRAWN))
        yield desk
        self._desks.append(desk)

    def _solve(self, desk: _Desk, view: Any, legal: int, seed: np.uint64, values: Values) -> None:
        """Write what the legal actions of one view are worth into `values` [NUM_ACTIONS]."""
        drawn, weights = self._worlds(desk, view, seed)
        phase = view["phase"][0]
        if phase == Phase.PLAY:
            pimc.value_cards(self.options, desk.memory, drawn, weights, values[:NUM_CARDS])
            return
        asks = (legal & FITTED) if phase in _CALLING else 0
        if phase == Phase.BID:
            self._value_bids(desk, drawn, weights, legal & ~asks, values)
        else:
            for action in actions_of(legal & ~asks):
                values[action] = self._value(desk, drawn, weights, action)
        best = best_call(values)
        question, *where = pimc.situation(self.options, view)
        for action in actions_of(asks):
            base, slope = self.lines[(pimc.GHOST if action == SWAP else question, *where)]
            values[action] = base + slope * best

    def _worlds(self, desk: _Desk, view: Any, seed: np.uint64) -> tuple[Any, Values]:
        """Return the worlds to solve [K] and their weights [K]: alike, or drawn from more by what the belief says."""
        if worlds.draw(self.options, view, view["turn"][0], seed, desk.worlds) == 0:
            raise StateError(f"no cards fit this view of seat {view['turn'][0]}: it is none of {self.ruleset.name}.")
        if self.belief is None:
            return desk.worlds, self.weights
        rows, weights = beliefs.resample(beliefs.weigh(self.ruleset, desk.worlds, self.belief), self.num_worlds)
        return desk.worlds[rows], weights

    def _value(self, desk: _Desk, drawn: Any, weights: Values, action: int) -> float:
        """Return what an answer pays on average."""
        after = desk.after[: len(drawn)]
        pimc.answer(self.options, self.params, drawn, action, NONE, after)
        return float(pimc.value_of(self.options, desk.memory, drawn, after, weights))

    def _value_bids(self, desk: _Desk, drawn: Any, weights: Values, legal: int, values: Values) -> None:
        """Write what each bid pays with its best trump, the moons apart, since they are played alone."""
        after = desk.after[: len(drawn)]
        for bids in (legal >> BID & _WITH_PARTNER, legal >> BID & _MOONS):
            for call in actions_of(pimc.may_name(self.options, drawn)) if bids else ():
                lowest = (bids & -bids).bit_length() - 1
                pimc.answer(self.options, self.params, drawn, BID + lowest, call - CALL, after)
                paid = values[BID : BID + NUM_BIDS]
                pimc.value_bids(self.options, desk.memory, after, weights, bids, paid)


def best_call(values: Values) -> float:
    """Return the highest value among the calls that were solved, passing and the ghost hand left out; 0 if none was."""
    calls = np.delete(values, (PASS, SWAP))
    return 0.0 if np.isnan(calls).all() else float(np.nanmax(calls))


def _best(values: Values, by_rule: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the actions of the highest value; of equal ones what the rule player does, else the lowest."""
    rows = np.arange(len(values))
    known = np.where(np.isnan(values), -np.inf, values)
    first = known.argmax(axis=1)
    as_good = ~(known[rows, by_rule] < known[rows, first] - _EPSILON)
    return np.where(as_good, by_rule, first)


def make_pimc(parameter: str, ruleset: Ruleset) -> PimcPolicy:
    """Return the player of the name `pimc:parameter`."""
    number, colon, belief = parameter.partition(":")
    if colon and not belief:
        raise PolicyError(f"pimc:{parameter}: say whose answers make worlds likely, as in pimc:50:rule_expert.")
    return PimcPolicy(ruleset, worlds_of("pimc", number), belief=policies.make(belief, ruleset) if belief else None)


def worlds_of(family: str, number: str) -> int:
    """Return how many worlds the name `family:number` asks for; PolicyError if that is no number of worlds."""
    if not (number.isascii() and number.isdigit() and len(number) <= 9 and 1 <= int(number) <= MOST_WORLDS):
        raise PolicyError(
            f"{family}:{number}: say how many worlds it solves, from 1 to {MOST_WORLDS}, for instance {family}:50."
        )
    return int(number)
