"""Hill-climb the numbers of the rule-based player on duplicate hands: `python -m agents.baselines.tune`.

One number (or one entry of a play list) is changed at a time. The changed player meets a pool, the player before the
change and `simple_i`, on the same deals in both seatings; the gain is the mean over the pool of net points per hand. A
change that looks good is measured again on fresh deals, until it is clearly a gain or clearly none; only gains stay.
The numbers of house rules are tuned under a ruleset that uses them. Writes `euchre_env/policies/rule_based.json` (only
the thresholds climb) or `rule_expert.json` (everything does), with the seed, the pairs, the commit and a last
measurement on deals that no change was chosen by.

    python -m agents.baselines.tune --what thresholds --seed 1 --proposals 400
    python -m agents.baselines.tune --what everything --seed 1 --proposals 5000
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.baselines import simple_i
from agents.provenance import commit
from euchre_env import rulesets
from euchre_env.cards import NUM_CARDS
from euchre_env.decks import shuffle
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import STATE
from euchre_env.engine.step import apply, deal, legal_mask, new_game
from euchre_env.files import write_whole
from euchre_env.policies import parameters, rule_based
from euchre_env.policies.parameters import PARAMETERS, Effort, Parameters
from euchre_env.ruleset import Ruleset

FOLDER = Path(__file__).parents[2] / "euchre_env" / "policies"
PLAYERS = {"thresholds": "rule_based", "everything": "rule_expert"}

_TOURNAMENT = rulesets.get("tournament")
_NORTH_AMERICAN = rulesets.get("north_american")
_LONE_DEFENCE = rulesets.get("open_spiel").replace(defend_alone="always")

# Which numbers are tuned under which ruleset, in families that take turns: a field and the first indices of its cells.
Cells = tuple[int, ...]
Family = dict[str, Cells]
_BIDDING: Family = {
    "weights": (),
    "trump_value": (),
    "side_value": (),
    "count_value": (),
    "aces_value": (),
    "voids_value": (),
    "turn_value": (),
    "turn_share": (),
    "call": (1,),
    "next_bonus": (),
    "alone": (),
}
_CARD_PLAY: Family = {
    "lead": (),
    "lead_rank": (),
    "follow": (),
    "throw_boss": (),
    "throw_void": (),
    "throw_guard": (),
}
_THRESHOLDS: Family = {"call": (1,), "alone": ()}
_MAIN = {"thresholds": (_THRESHOLDS,), "everything": (_BIDDING, _CARD_PLAY)}
HOUSE_RULES: tuple[tuple[Ruleset, tuple[Family, ...]], ...] = (
    (_NORTH_AMERICAN, ({"call": (0,)}, {"alone_partner": (), "defend_alone": (0,)})),
    (_LONE_DEFENCE, ({"defend_alone": (1,)},)),
    (_LONE_DEFENCE.replace(lone_defender_scoring="three"), ({"defend_alone": (2,)},)),
    (_TOURNAMENT.replace(canadian_loner=True), ({"forced_alone": ()},)),
    (_TOURNAMENT.replace(stick_the_dealer="forfeit"), ({"forfeit": ()},)),
)

# The typical size of a change.
STEPS = {
    "weights": 5.0,
    "trump_value": 0.06,
    "side_value": 0.1,
    "count_value": 0.1,
    "aces_value": 0.15,
    "voids_value": 0.15,
    "turn_value": 10.0,
    "turn_share": 0.15,
    "lead": 40.0,
    "lead_rank": 1.0,
}
_DEFAULT_STEP = 4.0
# How often a change is made to a row at once, or two entries of a list change places.
_ROW_SHARE = 0.3


@kernel
def _play_hand(opt: Any, s: Any, hero: Any, rival: Any, rival_is_simple: Any, hero_side: Any) -> Any:
    """Play a dealt hand out; return the hero's net points."""
    while s["turn"] >= 0:
        legal = legal_mask(opt, s)
        if s["turn"] & 1 == hero_side:
            action = rule_based.choose(opt, hero, s, legal)
        elif rival_is_simple:
            action = simple_i.choose(opt, s, legal)
        else:
            action = rule_based.choose(opt, rival, s, legal)
        apply(opt, s, action)
    return s["points"][hero_side] - s["points"][1 - hero_side]


@kernel
def _duel(
    options: Any, states: Any, hero: Any, rival: Any, rival_is_simple: Any, keys: Any, deck: Any, out: Any
) -> None:
    opt, s = options[0], states[0]
    for pair in range(len(keys)):
        net = 0
        for side in range(2):
            new_game(opt, s, pair & 3)
            redeal = 0
            while s["hand"] == 0:
                shuffle(opt["deck"], keys[pair], 0, 0, redeal, deck)
                deal(opt, s, deck)
                net += _play_hand(opt, s, hero[0], rival[0], rival_is_simple, side)
                redeal += 1
        out[pair] = net / 2


def duel(
    ruleset: Ruleset, hero: Parameters, rival: Parameters | None, keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Return the hero's net points per hand of each duplicate pair `[len(keys)]`; the rival None is `simple_i`."""
    out = np.empty(len(keys))
    room, deck = np.zeros(1, dtype=STATE), np.zeros(NUM_CARDS, dtype=np.int8)
    _duel(ruleset.to_options(), room, hero, hero if rival is None else rival, rival is None, keys, deck, out)
    return out


@dataclass
class Climber:
    """The player so far, and the deals that a change is first tried on."""

    ruleset: Ruleset
    params: Parameters
    rng: np.random.Generator
    pairs: int
    max_pairs: int

    def __post_init__(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        self.keys = self._fresh_keys()
        self.against_simple = duel(self.ruleset, self.params, None, self.keys)

    def _fresh_keys(self) -> npt.NDArray[np.uint64]:
        return self.rng.integers(0, 2**63, size=self.pairs, dtype=np.uint64)

    def _gains(
        self, changed: Parameters, keys: npt.NDArray[np.uint64], before: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return by pair what the change gains: against the player before it, and more than he against `simple_i`."""
        return 0.5 * duel(self.ruleset, changed, self.params, keys) + 0.5 * (
            duel(self.ruleset, changed, None, keys) - before
        )

    def consider(self, changed: Parameters) -> tuple[bool, float, float, int]:
        """Keep a change if it gains on fresh deals; return (kept, gain, standard error, pairs of the fresh deals)."""
        first = self._gains(changed, self.keys, self.against_simple)
        if not first.any() or _z(first) < 0.5:
            return False, float(first.mean()), _standard_error(first), 0
        fresh: list[npt.NDArray[np.float64]] = []
        while self.pairs * len(fresh) < self.max_pairs:
            keys = self._fresh_keys()
            fresh.append(self._gains(changed, keys, duel(self.ruleset, self.params, None, keys)))
            z = _z(np.concatenate(fresh))
            if z < 0 or z > 3:
                break
        gains = np.concatenate(fresh)
        kept = _z(gains) > 2
        if kept:
            self.params = changed
            self._refresh()
        return kept, float(gains.mean()), _standard_error(gains), len(gains)


def _standard_error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values))


def _z(values: npt.NDArray[np.float64]) -> float:
    error = _standard_error(values)
    return float(values.mean()) / error if error > 0 else 0.0


def cells(family: Family) -> list[tuple[str, Cells]]:
    """Return every single number of some fields as (name, index)."""
    found = []
    for name, first in family.items():
        rest = PARAMETERS[name].shape[len(first) :]
        found += [(name, (*first, *index)) for index in np.ndindex(rest)]
    return found


def propose(params: Parameters, name: str, index: Cells, rng: np.random.Generator) -> tuple[Parameters, str]:
    """Return a copy with a change at one place, and the change in words.

    An Effort becomes another one; two entries of a play list change places, or one moves; a number moves, or all
    numbers of its row by as much.
    """
    changed = params.copy()
    cell = changed[name][0]
    place = f"{name}{list(index)}" if index else name
    if name == "follow":
        before = int(cell[index])
        cell[index] = rng.choice([effort for effort in Effort if effort != before])
        return changed, f"{place} {before} -> {cell[index]}"
    whole_row = index and rng.random() < _ROW_SHARE
    if name == "lead" and whole_row:
        other = (*index[:-1], int(rng.integers(cell.shape[-1])))
        cell[index], cell[other] = cell[other], cell[index]
        return changed, f"{place} and {list(other)} change places"
    step = float(STEPS.get(name, _DEFAULT_STEP) * rng.choice((0.3, 1.0, 2.0)) * rng.choice((-1.0, 1.0)))
    where: Any = index[:-1] if whole_row else index
    changed[name][(0, *where)] = np.round(changed[name][(0, *where)] + step, 3)
    return changed, f"{place}{' and its row' if whole_row else ''} {step:+.3g}"


def turns(families: tuple[Family, ...], rng: np.random.Generator) -> Iterator[tuple[str, Cells]]:
    """Yield cells of the families in turn, each family in ever new random orders."""
    queues: list[list[tuple[str, Cells]]] = [[] for _ in families]
    while True:
        for family, queue in zip(families, queues, strict=True):
            if not queue:
                every = cells(family)
                queue.extend(every[i] for i in rng.permutation(len(every)))
            yield queue.pop()


def climb(climber: Climber, families: tuple[Family, ...], proposals: int) -> int:
    """Try changes; return how many stayed."""
    kept_count = 0
    order = turns(families, climber.rng)
    for number in range(proposals):
        changed, words = propose(climber.params, *next(order), climber.rng)
        kept, gain, error, pairs = climber.consider(changed)
        kept_count += kept
        if kept:
            print(f"{number}: {words}, {gain:+.4f} +- {1.96 * error:.4f} over {pairs} pairs", flush=True)
    return kept_count


def interval(values: npt.NDArray[np.float64]) -> dict[str, float]:
    """Return mean and half-width of the 95 % interval of pair values."""
    return {"mean": round(float(values.mean()), 4), "half_width": round(1.96 * _standard_error(values), 4)}


def write(path: Path, params: Parameters, provenance: dict[str, Any]) -> None:
    """Write numbers and provenance as JSON."""
    text = json.dumps({**provenance, "parameters": parameters.to_dict(params)}, indent=1)
    write_whole(path, text + "\n")


def parse(argv: list[str]) -> argparse.Namespace:
    """Return the command line as values."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.baselines.tune", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--seed", type=int, default=0, help="of the deals and of the changes (default 0)")
    parser.add_argument("--proposals", type=int, default=4000, help="changes to try of the main group (default 4000)")
    parser.add_argument("--rule-proposals", type=int, default=60, help="changes of each house-rule group (default 60)")
    parser.add_argument("--pairs", type=int, default=10_000, help="duplicate pairs of one measurement (default 10000)")
    parser.add_argument(
        "--max-pairs", type=int, default=120_000, help="fresh pairs that decide at most (default 120000)"
    )
    parser.add_argument("--start", choices=("field", "tuned"), default="field", help="numbers to start from")
    parser.add_argument("--what", choices=tuple(PLAYERS), default="thresholds", help="the numbers that may change")
    parser.add_argument("--output", type=Path, help="file to write instead of the shipped one")
    return parser.parse_args(argv)


def main(argv: list[str]) -> None:
    """Climb every group, measure the result on deals of its own, write the file."""
    args = parse(argv)
    player = PLAYERS[args.what]
    start = parameters.field_values() if args.start == "field" else parameters.tuned(player)
    params, kept = start, 0
    groups = ((_TOURNAMENT, _MAIN[args.what]), *HOUSE_RULES)
    for number, (ruleset, families) in enumerate(groups):
        print(f"under {ruleset.name}: {', '.join(name for family in families for name in family)}", flush=True)
        rng = np.random.default_rng([args.seed, number])
        climber = Climber(ruleset, params, rng, args.pairs, args.max_pairs)
        kept += climb(climber, families, args.proposals if number == 0 else args.rule_proposals)
        params = climber.params
    keys = np.random.default_rng([args.seed, len(groups)]).integers(0, 2**63, size=100_000, dtype=np.uint64)
    measured = {
        "against_field_values": interval(duel(_TOURNAMENT, params, parameters.field_values(), keys)),
        "against_start": interval(duel(_TOURNAMENT, params, start, keys)),
        "against_simple_i": interval(duel(_TOURNAMENT, params, None, keys)),
    }
    provenance = {
        "source": "docs/field.md 5B, tuned by python -m agents.baselines.tune",
        "settings": {key: value for key, value in vars(args).items() if key != "output"},
        "commit": commit(),
        "version": metadata.version("euchre-env"),
        "changes_kept": kept,
        "net_points_per_hand": {"ruleset": _TOURNAMENT.name, "pairs": len(keys), **measured},
    }
    write(args.output or FOLDER / f"{player}.json", params, provenance)
    print(json.dumps(provenance["net_points_per_hand"]))


if __name__ == "__main__":
    main(sys.argv[1:])
