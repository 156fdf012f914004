"""Fit what passing is worth to the player by search, from hands that it plays against itself.

    python -m agents.search.fit_passing --rulesets tournament north_american

Every seat is `pimc:N` with the lines so far, except that now and then it passes, or takes the ghost hand, where it
would not: so those choices are seen with good hands too. What the hand then paid its side is fitted by least squares,
a line in the value of the best call for each question and place, moved up or down for each situation where enough
hands speak for it. The next round plays with the new lines. Writes `agents/search/passing.json`, a ruleset at a time.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from agents.provenance import commit
from agents.search import passing, pimc
from agents.search.player import PimcPolicy, best_call
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import PASS, SWAP
from euchre_env.policies.random import seed_rows
from euchre_env.ruleset import Ruleset

_EXPLORE = 0.1
# How many hands it takes for a situation's own offset, or for a slope, to count as much as none.
_PRIOR_OFFSET, _PRIOR_SLOPE = 100.0, 50.0


class Passed(NamedTuple):
    """One pass, or swap: where, with what best call, at which table by which seat."""

    question: int
    place: int
    situation: int
    best: float
    table: int
    seat: int


def _explored(
    player: PimcPolicy, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return actions and values of the rows; some of the actions are a pass or the ghost hand for once."""
    actions, values = player.evaluate(views, legal, seed_rows(rng, len(views)))
    for action in (PASS, SWAP):
        may = ~np.isnan(values[:, action]) & (rng.random(len(views)) < _EXPLORE)
        actions = np.where(may, action, actions)
    return actions, values


def play(player: PimcPolicy, hands: int, rng: np.random.Generator) -> tuple[list[Passed], npt.NDArray[np.float64]]:
    """Return what was passed in so many hands, and the net points of every side at every table `[hands, sides]`."""
    rules = player.ruleset
    keys = rng.integers(2**63, size=hands, dtype=np.uint64)
    batch = GameBatch(
        rules, hands, keys=keys, dealers=np.arange(hands) % rules.num_seats, observe=False, autoreset=False
    )
    passed: list[Passed] = []
    while (batch.turn >= 0).any():
        rows = np.flatnonzero(batch.turn >= 0)
        views, legal = batch.views(rows), batch.legal[rows]
        chosen, values = _explored(player, views, legal, rng)
        for k in np.flatnonzero(np.isin(chosen, (PASS, SWAP)) & ~np.isnan(values).all(axis=1)):
            question, place, situation = pimc.situation(player.options, views[k : k + 1])
            where = (pimc.GHOST if chosen[k] == SWAP else int(question), int(place), int(situation))
            passed.append(Passed(*where, best_call(values[k]), int(rows[k]), int(views["turn"][k])))
        actions = np.full(hands, -1, dtype=np.int64)
        actions[rows] = chosen
        batch.step(actions)
    points = batch.finished["points"][:, : rules.num_sides].astype(np.float64)
    return passed, points - (points.sum(axis=1, keepdims=True) - points) / (rules.num_sides - 1)


def fit(rules: Ruleset, passed: Sequence[Passed], net: npt.NDArray[np.float64]) -> passing.Lines:
    """Return the lines that fit best, PASSING_SHAPE; places without a hand have nil."""
    lines = np.zeros(pimc.PASSING_SHAPE)
    for question in range(pimc.NUM_QUESTIONS):
        for place in range(pimc.NUM_PLACES):
            here = [p for p in passed if (p.question, p.place) == (question, place)]
            if here:
                lines[question, place] = _fit_place(rules, here, net)
    return lines


def _fit_place(rules: Ruleset, here: Sequence[Passed], net: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return [situation] base and slope of one question at one place, by ridge regression."""
    paid = np.array([net[p.table, rules.side(p.seat)] for p in here])
    inputs = np.zeros((len(here), 2 + pimc.NUM_SITUATIONS))
    inputs[:, 0], inputs[:, 1] = 1.0, [p.best for p in here]
    inputs[np.arange(len(here)), [2 + p.situation for p in here]] = 1.0
    ridge = np.diag([0.0, _PRIOR_SLOPE] + [_PRIOR_OFFSET] * pimc.NUM_SITUATIONS)
    base, slope, *offsets = np.linalg.solve(inputs.T @ inputs + ridge, inputs.T @ paid)
    return np.array([[base + offset, slope] for offset in offsets])


def fit_ruleset(rules: Ruleset, args: argparse.Namespace) -> None:
    """Fit in rounds, and write the lines after the last."""
    lines = np.zeros(pimc.PASSING_SHAPE)
    rng = np.random.default_rng([args.seed, rulesets.names().index(rules.name)])
    for number in range(args.rounds):
        started = time.perf_counter()
        passed, net = play(PimcPolicy(rules, args.worlds, lines=lines), args.hands, rng)
        new = fit(rules, passed, net)
        moved, lines = float(np.abs(new - lines).mean()), new
        seconds = time.perf_counter() - started
        print(
            f"{rules.name} round {number + 1}: {len(passed)} passes, lines moved by {moved:.3f}, {seconds:.0f} s",
            flush=True,
        )
    about = {"commit": commit(), "seed": args.seed, "worlds": args.worlds, "hands": args.hands, "rounds": args.rounds}
    passing.write(rules, lines, about)


def main(argv: Sequence[str] | None = None) -> int:
    """Fit the rulesets asked for; return the exit status: 0, or 2 with one sentence for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.search.fit_passing", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--rulesets", nargs="+", default=list(rulesets.names()), help="which (default all)")
    parser.add_argument("--worlds", type=int, default=15, help="solved for each action (default 15)")
    parser.add_argument("--hands", type=int, default=4000, help="played in each round (default 4000)")
    parser.add_argument("--rounds", type=int, default=2, help="(default 2)")
    parser.add_argument("--seed", type=int, default=0, help="of deals, worlds and exploration (default 0)")
    args = parser.parse_args(argv)
    try:
        games = [rulesets.get(name) for name in args.rulesets]
        for name, least in (("worlds", 1), ("hands", 1), ("rounds", 1), ("seed", 0)):
            if getattr(args, name) < least:
                raise ValueError(f"--{name} {getattr(args, name)}: choose a number from {least} up.")
        for rules in games:
            fit_ruleset(rules, args)
    except (ValueError, OSError) as error:
        print(f"fit_passing: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
