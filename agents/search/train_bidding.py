"""Train the calls of `cfr_bidding`: `python -m agents.search.train_bidding --deals 1e8`.

Runs `cfr.train` on one core and writes the average strategy to `agents/search/strategies/RULESET.npz`. With `--save`
regrets and sums are kept every few minutes (284 MB uncompressed while it runs), and a training that finds the file goes
on from there; the result is the same as in one go.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.provenance import commit
from agents.search import cfr, cfr_bidding
from agents.search.auction_keys import check_known
from agents.search.cfr_bidding import DAMAGES
from euchre_env import rulesets
from euchre_env.files import check_place
from euchre_env.policies import parameters
from euchre_env.ruleset import Ruleset

LEAVES = ("played", "solved")
_CHUNK = 100_000
_SAVE_SECONDS = 300.0
_MOST_DEALS = 1e12


@dataclass
class Training:
    """The tables, and how many deals they have learned from."""

    ruleset: Ruleset
    seed: int
    total: int
    solves: bool
    regrets: npt.NDArray[np.float32]
    sums: npt.NDArray[np.float32]
    deals: int = 0

    @classmethod
    def fresh(cls, ruleset: Ruleset, seed: int, total: int, leaves: str) -> "Training":
        """Return a training that has seen nothing."""
        regrets, sums = (np.zeros(cfr.TABLES, dtype=np.float32) for _ in range(2))
        return cls(ruleset, seed, total, leaves == "solved", regrets, sums)

    def learn(self, deals: int) -> None:
        """Learn from so many more deals."""
        room = np.zeros(1, dtype=cfr.ROOM)
        room["solves"] = self.solves
        options, params = self.ruleset.to_options(), parameters.tuned("rule_expert")
        key = np.uint64(np.random.default_rng(self.seed).integers(2**63))
        cfr.train(options, params, room, self.regrets, self.sums, key, self.deals, deals, self.total)
        self.deals += deals

    def save(self, path: Path) -> None:
        """Keep the tables, under another name first."""
        rough = path.with_suffix(".tmp.npz")
        about = np.frombuffer(json.dumps([self.deals, *self._identity()]).encode(), dtype=np.uint8)
        np.savez(rough, regrets=self.regrets, sums=self.sums, about=about)
        rough.replace(path)

    def _identity(self) -> list[Any]:
        """Return what trainings that go on from each other agree in."""
        return [self.seed, self.total, self.solves, self.ruleset.to_dict()]

    def go_on(self, path: Path) -> None:
        """Take the tables of a file of the same training; ValueError if it is of another, or none."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                regrets, sums, about = data["regrets"], data["sums"], json.loads(bytes(data["about"]))
        except DAMAGES as error:
            raise ValueError(f"{path} holds no training to go on from: choose another file for --save.") from error
        if about[1:] != self._identity() or sums.shape != cfr.TABLES or regrets.shape != cfr.TABLES:
            raise ValueError(f"{path} is of another training (seed, deals in all, leaves or ruleset differ).")
        self.regrets, self.sums, self.deals = regrets, sums, int(about[0])

    def facts(self, seconds: float) -> dict[str, Any]:
        """Return what a strategy says of itself."""
        return {
            "ruleset": self.ruleset.to_dict(),
            "deals": self.deals,
            "seed": self.seed,
            "leaves": LEAVES[self.solves],
            "seconds": round(seconds),
            "commit": commit(),
            "version": metadata.version("euchre-env"),
        }


def run(args: argparse.Namespace) -> None:
    """Train, keep, write."""
    ruleset = rulesets.get(args.ruleset)
    check_known("cfr_bidding", ruleset)
    if not 1 <= args.deals <= _MOST_DEALS:
        raise ValueError(f"--deals {args.deals:g}: choose a number from 1 to {_MOST_DEALS:g}.")
    if args.seed < 0:
        raise ValueError(f"--seed {args.seed}: choose a number from 0 up.")
    output = args.output or cfr_bidding.path_of(ruleset)
    output.parent.mkdir(parents=True, exist_ok=True)
    check_place(output)
    if args.save is not None:
        check_place(args.save)
        if not args.save.parent.is_dir():
            raise ValueError(f"--save {args.save}: there is no folder {args.save.parent}.")
    training = Training.fresh(ruleset, args.seed, int(args.deals), args.leaves)
    if args.save is not None and args.save.exists():
        training.go_on(args.save)
    started = saved = time.monotonic()
    while training.deals < training.total:
        training.learn(min(_CHUNK, training.total - training.deals))
        now = time.monotonic()
        if args.save is not None and now - saved > _SAVE_SECONDS:
            training.save(args.save)
            saved = time.monotonic()
        if training.deals % (10 * _CHUNK) == 0:
            print(f"{training.deals:,} deals, {now - started:.0f} s", flush=True)
    seconds = time.monotonic() - started
    table = cfr_bidding.pack(training.sums)
    cfr_bidding.write(output, cfr_bidding.Strategy(table, training.facts(seconds)))
    print(f"{training.deals:,} deals in {seconds:.0f} s: {output}, {output.stat().st_size / 1e6:.1f} MB")


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit status: 0, or 2 with one sentence for bad input."""
    about = (__doc__ or "").split(":")[0] + "."
    parser = argparse.ArgumentParser(prog="python -m agents.search.train_bidding", description=about)
    parser.add_argument("--ruleset", default="tournament", help="of the catalogue (default tournament)")
    parser.add_argument("--deals", type=float, default=1e8, help="to learn from (default 1e8)")
    parser.add_argument(
        "--leaves", choices=LEAVES, default="played", help="what a called hand is worth (default played)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deals (default 0)")
    parser.add_argument("--save", type=Path, help="file to keep the tables in and to go on from (.npz)")
    parser.add_argument("--output", type=Path, help="file for the strategy instead of the shipped one")
    args = parser.parse_args(argv)
    try:
        run(args)
    except (ValueError, OSError) as error:
        print(f"train_bidding: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
