"""What calls are worth to the dealer's team with a jack up: two ways to bid, the same deals and opponents.

    python -m benchmarks.bidding                 # 50,000 deals, about half an hour
    python -m benchmarks.bidding --deals 2000 --ours bid=rule_expert,play=pimc:30

On every deal the dealer's team bids once as `--ours` and once as `--theirs`; the other team is `--opponents` both
times. Whoever samples worlds does so from a seed of the deal and the decision, so that the two tables differ only after
the calls do. The last line is JSON: the difference in net points per hand with its 95 % interval (docs/field.md 2b has
0.77 against 0.67 for CFR and PIMC).
"""

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt

import agents  # noqa: F401 - registers its players
from benchmarks.common import finish
from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import JACK, NUM_RANKS
from euchre_env.policies.policy import ask
from euchre_env.policies.random import seed_decisions
from euchre_env.ruleset import Ruleset
from evaluation.statistics import mean_interval

_CHUNK = 512


def jacks_up(ruleset: Ruleset, deals: int, seed: int) -> npt.NDArray[np.uint64]:
    """Return keys of deals with a jack turned up `[deals]`."""
    rng, found, total = np.random.default_rng(seed), [], 0
    while total < deals:
        keys = rng.integers(2**63, size=8192, dtype=np.uint64)
        up = _tables(ruleset, keys).states["upcard"]
        found.append(keys[up % NUM_RANKS == JACK])
        total += len(found[-1])
    return np.concatenate(found)[:deals]


def _tables(ruleset: Ruleset, keys: npt.NDArray[np.uint64]) -> GameBatch:
    dealers = (keys % np.uint64(ruleset.num_seats)).astype(np.int64)
    return GameBatch(ruleset, len(keys), keys=keys, dealers=dealers, observe=False, autoreset=False)


def dealers_net(ruleset: Ruleset, keys: npt.NDArray[np.uint64], dealers: Any, others: Any) -> npt.NDArray[np.float64]:
    """Return the net points of the dealer's team on each deal, by who sits on it and against it."""
    batch, decisions = _tables(ruleset, keys), np.zeros(len(keys), dtype=np.int64)
    rng = np.random.default_rng(0)  # for networks that draw; all others have a seed for each decision, or draw nothing
    seeds, team = np.empty(len(keys), dtype=np.uint64), batch.states["dealer"] % 2
    while (batch.turn >= 0).any():
        actions = np.full(len(keys), -1, dtype=np.int64)
        seed_decisions(keys, decisions, seeds)
        for player, mine in ((dealers, batch.turn % 2 == team), (others, batch.turn % 2 != team)):
            rows = np.flatnonzero((batch.turn >= 0) & mine)
            if rows.size:
                actions[rows] = ask(player, batch.views(rows), batch.legal[rows], seeds[rows], rng)
        decisions += batch.turn >= 0
        batch.step(actions)
    points = batch.finished["points"].astype(np.float64)
    rows = np.arange(len(keys))
    return np.asarray(points[rows, team] - points[rows, 1 - team])


def _interval(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    found = mean_interval(values)
    if found is None or found.low is None or found.high is None:
        raise SystemExit(f"{len(values)} deals tell nothing: choose more.")
    return found.mean, found.low, found.high


def players_of(args: argparse.Namespace) -> tuple[Ruleset, list[Any]]:
    """Return the rules and the three players; ValueError for what cannot be measured."""
    ruleset = rulesets.get(args.ruleset)
    if not ruleset.partners or ruleset.auction != "off":
        raise ValueError(f"{ruleset.name} turns no card up for a team: choose a game of four with an up-card.")
    if args.deals < 2 or args.seed < 0:
        raise ValueError(f"--deals {args.deals}, --seed {args.seed}: choose two deals or more, and a seed from 0 up.")
    return ruleset, [policies.make(name, ruleset) for name in (args.ours, args.theirs, args.opponents)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="tournament")
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ours", default="cfr_bidding:30", help="on the dealer's team (default %(default)s)")
    parser.add_argument("--theirs", default="pimc:30", help="on it for comparison (default %(default)s)")
    parser.add_argument("--opponents", default="pimc:30", help="of both (default %(default)s)")
    args = parser.parse_args()
    try:
        ruleset, (ours, theirs, opponents) = players_of(args)
    except ValueError as error:
        parser.exit(2, f"benchmarks.bidding: {error}\n")
    keys = jacks_up(ruleset, args.deals, args.seed)
    nets: list[list[npt.NDArray[np.float64]]] = [[], []]
    started = time.perf_counter()
    for start in range(0, args.deals, _CHUNK):
        part = keys[start : start + _CHUNK]
        for player, net in zip((ours, theirs), nets, strict=True):
            net.append(dealers_net(ruleset, part, player, opponents))
    mine, rival = (np.concatenate(net) for net in nets)
    figures: dict[str, object] = {"ruleset": ruleset.name, "deals": args.deals, "seed": args.seed}
    for name, values in ((args.ours, mine), (args.theirs, rival), ("difference", mine - rival)):
        mean, low, high = _interval(values)
        print(f"{name:>40s} {mean:+.3f} [{low:+.3f}, {high:+.3f}] net points per hand")
        figures[name] = [round(mean, 4), round(low, 4), round(high, 4)]
    finish("bidding", figures | {"opponents": args.opponents, "seconds": round(time.perf_counter() - started)})


if __name__ == "__main__":
    main()
