"""OpenSpiel's information-set search plays Euchre against our players: `python -m examples.open_spiel_ismcts`.

Tried with open_spiel 2.0.2. Its Python `ISMCTSBot` gets its worlds from the game's `resample_from_infostate`, and never
sees a card that its seat does not; the bot sits in our arena as a pair, on duplicate deals. (The compiled
`pyspiel.ISMCTSBot` cannot call a Python game's resampling.)
"""

import argparse
import json
import time
from typing import Any

import numpy as np
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from euchre_env import policies
from euchre_env.envs.open_spiel import BotPolicy
from evaluation.arena import MatchResult, play_match

RULESET = "tournament"


def searcher(simulations: int, exploration: float = 2.0) -> BotPolicy:
    """Return the search as a player of ours; `exploration` is in points, as the returns of a hand are."""

    def make(game: Any, seat: int, seed: int) -> ISMCTSBot:
        rng = np.random.RandomState(seed)
        evaluator = RandomRolloutEvaluator(1, rng)
        return ISMCTSBot(game, evaluator, exploration, simulations, random_state=rng)

    return BotPolicy(make, RULESET, name=f"is_mcts-{simulations}")


def match(simulations: int, opponent: str, pairs: int, seed: int) -> MatchResult:
    """Play the searcher against one of our players."""
    return play_match(searcher(simulations), policies.make(opponent, RULESET), RULESET, pairs, seed)


def main(argv: list[str] | None = None) -> int:
    """Play and print the points; return 1 if the searcher is not above its first opponent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=30, help="of a decision")
    parser.add_argument("--pairs", type=int, default=40, help="of duplicate deals for each opponent")
    parser.add_argument("--opponents", nargs="+", default=["random", "rule_based"])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    above = []
    for opponent in args.opponents:
        began = time.perf_counter()
        net = match(args.simulations, opponent, args.pairs, args.seed).net
        above.append(net.low is not None and net.low > 0)
        figures = {"example": "open_spiel_ismcts", "simulations": args.simulations, "against": opponent}
        interval = {"pairs": args.pairs, "mean": net.mean, "low": net.low, "high": net.high}
        print(json.dumps(figures | interval | {"seconds": round(time.perf_counter() - began, 1)}), flush=True)
    return 0 if above[0] else 1


if __name__ == "__main__":
    raise SystemExit(main())
