"""Deals a second of the exact solver, on one core.

    python -m benchmarks.solver                  # some seconds

Full deals at the first lead, all hands in play, as random calls lead to them; every deal is new to the solver, which
remembers positions of earlier ones. Figures are medians over rounds that go through the games in turn. The last line
is JSON: `deals_per_s` and `nodes_per_deal` of five-trick deals of `tournament`, `cincinnati_deals_per_s` of six-trick
ones.
"""

import argparse
import time
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search.double_dummy import Solver
from benchmarks.common import finish
from euchre_env import policies
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import Phase

GAMES = ("tournament", "cincinnati")


def first_leads(ruleset: str, deals: int, seed: int) -> npt.NDArray[np.void]:
    """Return positions at the first lead with everybody in play `[deals]` STATE."""
    batch, rng = GameBatch(ruleset, 4096, seed=seed, observe=False), np.random.default_rng(seed)
    player, found, total = policies.make("random", ruleset), [], 0
    while total < deals:
        states = batch.states
        at_lead = (states["phase"] == Phase.PLAY) & (states["trick"] == 0) & (states["in_trick"] == 0)
        found.append(states[at_lead & (states["sits_out"] == 0)].copy())
        total += len(found[-1])
        batch.step(player.act(states, batch.legal, rng))
    return np.concatenate(found)[:deals]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=5000, help="for each game and round")
    parser.add_argument("--rounds", type=int, default=5, help="of which medians are shown")
    args = parser.parse_args()
    solvers = {game: Solver(game) for game in GAMES}
    for game, solver in solvers.items():
        solver.tricks(first_leads(game, 10, seed=0))
    speeds: dict[str, list[float]] = {game: [] for game in GAMES}
    nodes: dict[str, list[float]] = {game: [] for game in GAMES}
    for number in range(args.rounds):
        for game, solver in solvers.items():
            states, before = first_leads(game, args.deals, seed=1 + number), solver.nodes
            started = time.perf_counter()
            solver.tricks(states)
            speeds[game].append(args.deals / (time.perf_counter() - started))
            nodes[game].append((solver.nodes - before) / args.deals)
    figures: dict[str, Any] = {}
    for game in GAMES:
        start = "" if game == GAMES[0] else f"{game}_"
        figures[f"{start}deals_per_s"] = round(median(speeds[game]))
        figures[f"{start}nodes_per_deal"] = round(median(nodes[game]), 1)
        print(f"{game:12s} {median(speeds[game]):10,.0f} deals/s {median(nodes[game]):8.1f} nodes a deal")
    finish("solver", figures)


if __name__ == "__main__":
    main()
