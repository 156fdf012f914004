"""Hill-climb the numbers of the rule-based player on duplicate hands: `python -m agents.baselines.tune`.

One number (or one entry of a play list) is changed at a time. The changed player meets a pool, the player before the
change and `simple_i`, on the same deals in both seatings; the gain is the mean over the pool of net points per hand. A
change that looks good is measured again on fresh deals, until it is clearly a gain or clearly none; only gains stay.
The numbers of house rules are tuned under a ruleset that uses them. Writes `euchre_env/policies/rule_based.json` (only
the thresholds climb) or `rule_expert.json` (everything does), with the seed, the pairs, the commit and a last
measurement on deals that no change was chosen by.

With `--game` it climbs what differs in one of the auctions or with two or three seats: the estimate of tricks and the
bidding, for `rule_expert` the play lists too. Three single seats take all six seatings of `evaluation/arena.py`; in
place of `simple_i`, which does not know these games, the pool has the player that the climb started from.

    python -m agents.baselines.tune --what thresholds --seed 1 --proposals 400
    python -m agents.baselines.tune --what everything --seed 1 --proposals 5000
    python -m agents.baselines.tune --what thresholds --game cincinnati --seed 1 --proposals 1500
    python -m agents.baselines.tune --what everything --game cincinnati --start rule_based --seed 1 --proposals 4000
"""

import argparse
import itertools
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
from euchre_env.engine.table import num_sides, side_of
from euchre_env.files import write_whole
from euchre_env.policies import parameters, rule_based
from euchre_env.policies.parameters import GAMES, PARAMETERS, TURN_UP, Effort, Form, Parameters, Role
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
    "boss_slack": (),
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


def _estimate(form: Form) -> Family:
    """Return the numbers of the estimate of tricks in one form."""
    names = [name for name in PARAMETERS.names or () if name.startswith("tricks_")]
    return dict.fromkeys((*names, "steep"), (form,))


def _lists(*roles: Role) -> tuple[Family, ...]:
    return tuple(dict.fromkeys(_CARD_PLAY, (role,)) for role in roles)


_ORDERING: Family = {"call_from": (), "next_tricks": (), "to_rival": ()}
_AUCTION: Family = {"pass_value": (), "pass_slope": (), "to_be_beaten": (), "heard_tricks": ()}
_OF_GAMES = {
    "two_handed": (_estimate(Form.ONE), {**_ORDERING, "boss_slack": (Role.LONER,)}),
    "three_handed": (_estimate(Form.TWO), _ORDERING),
    "cincinnati": (_estimate(Form.PAIR), _estimate(Form.MOON), _AUCTION),
    "bid_euchre": (_estimate(Form.PAIR), _estimate(Form.MOON), {**_AUCTION, "named_tricks": ()}),
    "ghost_hand": (_estimate(Form.TWO), _estimate(Form.MOON), {**_AUCTION, "swap_from": ()}),
}
_FORFEIT: Family = {"give_up_from": ()}
_OF_GAMES_HOUSES: dict[str, tuple[tuple[dict[str, Any], Family], ...]] = {
    "two_handed": (
        ({"stick_the_dealer": "forfeit"}, _FORFEIT),
        ({"dummy": "two_card"}, {"dummy_tricks": (1,)}),
        ({"dummy": "three_card", "alone_scope": "maker_only"}, {"dummy_tricks": (2,)}),
    ),
    "three_handed": (
        ({"stick_the_dealer": "forfeit"}, _FORFEIT),
        ({"dummy": "five_card", "alone_scope": "maker_only"}, {"dummy_tricks": (3,)}),
    ),
}


def groups_of(game: str, what: str) -> list[tuple[Ruleset, tuple[Family, ...]]]:
    """Return what climbs under which ruleset; the main group first."""
    if game == TURN_UP:
        return [(_TOURNAMENT, _MAIN[what]), *HOUSE_RULES]
    rules = rulesets.get(game)
    roles = tuple(Role) if rules.partners else (Role.LONER, Role.AGAINST_LONER)
    main = (rules, _OF_GAMES[game] + (_lists(*roles) if what == "everything" else ()))
    return [main, *((rules.replace(**house), (family,)) for house, family in _OF_GAMES_HOUSES.get(game, ()))]


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
    "tricks_base": 0.15,
    "tricks_trump": 0.12,
    "tricks_beyond_three": 0.12,
    "tricks_void": 0.12,
    "tricks_boss": 0.12,
    "tricks_boss_alone": 0.12,
    "tricks_second": 0.08,
    "tricks_no_trump": 0.12,
    "steep": 0.4,
    "call_from": 0.2,
    "give_up_from": 0.3,
    "next_tricks": 0.15,
    "to_rival": 0.15,
    "dummy_tricks": 0.2,
    "pass_value": 0.4,
    "pass_slope": 0.3,
    "to_be_beaten": 0.4,
    "heard_tricks": 0.15,
    "named_tricks": 0.2,
    "swap_from": 0.2,
}
_DEFAULT_STEP = 4.0
# What a number may be that is one of a few.
_CHOICES = {"follow": tuple(Effort), "boss_slack": (0, 1, 2)}
# How often a change is made to a row at once, or two entries of a list change places.
_ROW_SHARE = 0.3


@kernel
def _play_hand(opt: Any, s: Any, hero: Any, rival: Any, rival_is_simple: Any, owner: Any) -> Any:
    """Play a dealt hand out; `owner` [sides] is 0 for the hero. Return his net points."""
    while s["turn"] >= 0:
        legal = legal_mask(opt, s)
        if owner[side_of(opt, s["turn"])] == 0:
            action = rule_based.choose(opt, hero, s, legal)
        elif rival_is_simple:
            action = simple_i.choose(opt, s, legal)
        else:
            action = rule_based.choose(opt, rival, s, legal)
        apply(opt, s, action)
    return _net(opt, s, owner)


@kernel
def _net(opt: Any, s: Any, owner: Any) -> Any:
    """Return the mean of the points of the hero's sides minus that of the rival's."""
    points, sides = np.zeros(2), np.zeros(2)
    for side in range(num_sides(opt)):
        points[owner[side]] += s["points"][side]
        sides[owner[side]] += 1
    return points[0] / sides[0] - points[1] / sides[1]


@kernel
def _duel(
    options: Any,
    states: Any,
    hero: Any,
    rival: Any,
    rival_is_simple: Any,
    seatings: Any,
    keys: Any,
    deck: Any,
    out: Any,
) -> None:
    opt, s = options[0], states[0]
    for unit in range(len(keys)):
        net = 0.0
        for seating in range(len(seatings)):
            new_game(opt, s, unit % opt["num_seats"])
            redeal = 0
            while s["hand"] == 0:
                shuffle(opt["deck"], keys[unit], 0, 0, redeal, deck)
                deal(opt, s, deck)
                net += _play_hand(opt, s, hero[0], rival[0], rival_is_simple, seatings[seating])
                redeal += 1
        out[unit] = net / len(seatings)


def duel(
    ruleset: Ruleset, hero: Parameters, rival: Parameters | None, keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """Return the hero's net points per hand of each deal `[len(keys)]`, the mean of all seatings with both there.

    The rival None is `simple_i`.
    """
    out = np.empty(len(keys))
    room, deck = np.zeros(1, dtype=STATE), np.zeros(NUM_CARDS, dtype=np.int8)
    seatings = np.array([who for who in itertools.product((0, 1), repeat=ruleset.num_sides) if len(set(who)) == 2])
    other = hero if rival is None else rival
    _duel(ruleset.to_options(), room, hero, other, rival is None, seatings, keys, deck, out)
    return out


@dataclass
class Climber:
    """The player so far, and the deals that a change is first tried on."""

    ruleset: Ruleset
    params: Parameters
    rng: np.random.Generator
    pairs: int
    max_pairs: int
    # Whom it meets beside the player before a change; None is `simple_i`.
    rival: Parameters | None = None

    def __post_init__(self) -> None:
        self._refresh()

    def _refresh(self) -> None:
        self.keys = self._fresh_keys()
        self.against_rival = duel(self.ruleset, self.params, self.rival, self.keys)

    def _fresh_keys(self) -> npt.NDArray[np.uint64]:
        return self.rng.integers(0, 2**63, size=self.pairs, dtype=np.uint64)

    def _gains(
        self, changed: Parameters, keys: npt.NDArray[np.uint64], before: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return by pair what the change gains: against the player before it, and more than he against the rival."""
        return 0.5 * duel(self.ruleset, changed, self.params, keys) + 0.5 * (
            duel(self.ruleset, changed, self.rival, keys) - before
        )

    def consider(self, changed: Parameters) -> tuple[bool, float, float, int]:
        """Keep a change if it gains on fresh deals; return (kept, gain, standard error, pairs of the fresh deals)."""
        first = self._gains(changed, self.keys, self.against_rival)
        if not first.any() or _z(first) < 0.5:
            return False, float(first.mean()), _standard_error(first), 0
        fresh: list[npt.NDArray[np.float64]] = []
        while self.pairs * len(fresh) < self.max_pairs:
            keys = self._fresh_keys()
            fresh.append(self._gains(changed, keys, duel(self.ruleset, self.params, self.rival, keys)))
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

    An Effort, or what else is one of a few, becomes another one; two entries of a play list change places, or one
    moves; a number moves, or all numbers of its row by as much.
    """
    changed = params.copy()
    cell = changed[name][0]
    place = f"{name}{list(index)}" if index else name
    if name in _CHOICES:
        before = int(cell[index])
        cell[index] = rng.choice([choice for choice in _CHOICES[name] if choice != before])
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


def write(path: Path, stored: dict[str, Any], game: str, params: Parameters, provenance: dict[str, Any]) -> None:
    """Write the numbers of one kind of game and their provenance as JSON, with what is stored of the others."""
    if game == TURN_UP:
        values = {**provenance, "parameters": parameters.to_dict(params), "games": stored["games"]}
    else:
        base = parameters.from_dict(stored["parameters"])
        told = {**provenance, "parameters": parameters.differing(params, base)}
        values = {**stored, "games": {**stored["games"], game: told}}
    write_whole(path, json.dumps(values, indent=1) + "\n")


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
    parser.add_argument(
        "--start",
        choices=("field", "tuned", "rule_based"),
        default="field",
        help="numbers to start from: published, of the file that is written, or with the bidding of rule_based",
    )
    parser.add_argument("--game", choices=GAMES, default=TURN_UP, help=f"kind of game (default {TURN_UP})")
    parser.add_argument("--like", choices=GAMES, help="kind of game whose numbers to start from (default: the same)")
    parser.add_argument("--what", choices=tuple(PLAYERS), default="thresholds", help="the numbers that may change")
    parser.add_argument("--output", type=Path, help="file to write instead of the shipped one")
    return parser.parse_args(argv)


def start_of(player: str, game: str, start: str) -> Parameters:
    """Return the numbers that a climb starts from; outside TURN_UP always with the player's own play lists."""
    if start == "tuned":
        return parameters.tuned(player, game)
    if game == TURN_UP:
        return parameters.field_values() if start == "field" else parameters.tuned(start)
    values = parameters.tuned(start, game) if start == "rule_based" else parameters.field_values(game)
    base = parameters.tuned(start) if start == "rule_based" else parameters.field_values()
    return parameters.changed(parameters.tuned(player), parameters.differing(values, base))


def measure(
    rules: Ruleset, params: Parameters, rivals: dict[str, Parameters | None], keys: npt.NDArray[np.uint64]
) -> dict[str, Any]:
    """Return the net points per hand against each rival, with the ruleset and the number of deals."""
    gains = {f"against_{name}": interval(duel(rules, params, rival, keys)) for name, rival in rivals.items()}
    return {"ruleset": rules.name, "pairs": len(keys), **gains}


def main(argv: list[str]) -> None:
    """Climb every group, measure the result on deals of its own, write the file."""
    args = parse(argv)
    player = PLAYERS[args.what]
    start = start_of(player, args.like or args.game, args.start)
    params, kept = start, 0
    groups = groups_of(args.game, args.what)
    for number, (ruleset, families) in enumerate(groups):
        print(f"under {ruleset.name}: {', '.join(name for family in families for name in family)}", flush=True)
        rng = np.random.default_rng([args.seed, number])
        rival = None if args.game == TURN_UP else start
        climber = Climber(ruleset, params, rng, args.pairs, args.max_pairs, rival)
        kept += climb(climber, families, args.proposals if number == 0 else args.rule_proposals)
        params = climber.params
    keys = np.random.default_rng([args.seed, len(groups)]).integers(0, 2**63, size=100_000, dtype=np.uint64)
    rivals = {"field_values": start_of(player, args.game, "field"), "start": start}
    provenance = {
        "source": "docs/field.md 5B, tuned by python -m agents.baselines.tune",
        "settings": {key: value for key, value in vars(args).items() if key != "output"},
        "commit": commit(),
        "version": metadata.version("euchre-env"),
        "changes_kept": kept,
        "net_points_per_hand": measure(
            groups[0][0], params, rivals | ({"simple_i": None} if args.game == TURN_UP else {}), keys
        ),
    }
    path = args.output or FOLDER / f"{player}.json"
    write(path, parameters.stored(player), args.game, params, provenance)
    print(json.dumps(provenance["net_points_per_hand"]))


if __name__ == "__main__":
    main(sys.argv[1:])
