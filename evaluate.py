"""Measure a player against others on duplicate deals: net points per hand and games won, with 95 % intervals.

Every deal is played in each seating of two players: twice with the sides swapped, or, where three play each for
himself, six times: the one alone against two of the other in every seat, and the other way round.

    python evaluate.py runs/default/checkpoint --against random rule_based simple_i
    python evaluate.py rule_based --against simple_i --ruleset north_american --pairs 5000 --games 2000
    python evaluate.py rule_based --against random simple_i --all-pairs
    python evaluate.py rule_based --behaviour --failures

With --behaviour nobody plays: each player is asked for its move in written positions, and the tables tell how many of
them it gets right. That is a report, not a pass mark.

A player is a registered name or the path of a checkpoint. The tables go to the terminal, everything with seeds, commit
and options to a JSON file: beside the checkpoint, or under results/.
"""

import argparse
import dataclasses
import itertools
import re
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console
from rich.progress import Progress

import agents  # noqa: F401 - registers its players, and what reads checkpoints
from agents.players import rules_for
from agents.provenance import ROOT, commit
from euchre_env import policies
from euchre_env.files import check_place
from euchre_env.policies import Policy, PolicyError
from euchre_env.ruleset import Ruleset
from evaluation.arena import GamesResult, MatchResult, games_problem, num_seatings, play_games, play_match
from evaluation.behaviour import (
    ASKS,
    Position,
    Sheet,
    behaviour_table,
    failures_table,
    judge,
    load,
    plain_position,
    plain_sheet,
)
from evaluation.report import (
    Meeting,
    cross_table,
    happened_table,
    plain,
    ranked,
    rarities_table,
    strength_table,
    write_json,
)

RESULTS = Path("results")
POSITIONS = ROOT / "tests" / "behaviour"
# Keys and values of all pairs are kept in memory.
MOST = 10_000_000
GAMES = 10_000
OPPONENTS = ("random", "simple_i", "rule_based", "rule_expert")
Values = dict[str, Any]
# Options that --behaviour has no use for, and those that need it.
_OF_PLAY = ("ruleset", "pairs", "games", "tables", "all_pairs")
_OF_BEHAVIOUR = ("positions", "failures")


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the command line as values."""
    parser = _command_line()
    args = parser.parse_args(argv)
    useless, needed = (_OF_PLAY, "cannot go") if args.behaviour else (_OF_BEHAVIOUR, "goes only")
    for name in useless:
        if getattr(args, name) != parser.get_default(name):
            parser.error(f"--{name.replace('_', '-')} {needed} with --behaviour.")
    return args


def _command_line() -> _Parser:
    parser = _Parser(
        prog="evaluate.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "player",
        metavar="CHECKPOINT_OR_NAME",
        help="whom to measure: a checkpoint, a run, or a name, also pimc:N, cfr_bidding:N, bid=A,play=B",
    )
    add(
        "--against",
        nargs="+",
        metavar="PLAYER",
        help=f"opponents (default those of {', '.join(OPPONENTS)} that play the ruleset)",
    )
    add("--ruleset", help="name of the ruleset (default: the one that the checkpoint was trained on, else tournament)")
    add("--pairs", type=int, default=20_000, help="deals to play in every seating, 0 for none (default 20000)")
    add(
        "--games",
        type=int,
        help="games to the target, a multiple of the seatings, 0 for none (default 10000, or as near as that goes)",
    )
    add("--seed", type=int, default=0, help="of the deals and of players that draw (default 0)")
    add("--tables", type=int, default=2048, help="tables at once; changes no result (default 2048)")
    add("--all-pairs", action="store_true", help="let all the named players meet: strength is not transitive")
    add(
        "--json", type=Path, metavar="FILE", help="file for the results (default beside the checkpoint, or in results/)"
    )
    add("--table", action=argparse.BooleanOptionalAction, default=True, help="print the tables (default yes)")
    add("--behaviour", action="store_true", help="ask the players for their moves in written positions; nobody plays")
    add("--positions", type=Path, metavar="PATH", help="file or folder of positions (default those of tests/behaviour)")
    add("--failures", action="store_true", help="list what each player got wrong, and what it did")
    return parser


def check_counts(args: argparse.Namespace, *names: str) -> None:
    """Refuse numbers below 0."""
    for name in names:
        if getattr(args, name) < 0:
            raise ValueError(f"--{name} {getattr(args, name)}: choose a number from 0 up.")


def check(args: argparse.Namespace, seatings: int) -> None:
    """Refuse numbers that measure nothing; settle the number of games where none is given."""
    if args.games is None:
        args.games = GAMES - GAMES % seatings
    check_counts(args, "pairs", "games", "seed")
    for name in ("pairs", "games"):
        if getattr(args, name) > MOST:
            raise ValueError(f"--{name} {getattr(args, name)}: choose a number up to {MOST}.")
    if args.games % seatings:
        raise ValueError(games_problem(f"--games {args.games}", seatings))
    if args.pairs == 0 and args.games == 0:
        raise ValueError("--pairs 0 and --games 0: there is nothing to play.")
    if args.tables < 1:
        raise ValueError(f"--tables {args.tables}: choose a number from 1 up.")


def opponents(args: argparse.Namespace, ruleset: Ruleset) -> tuple[list[str], list[str]]:
    """Return who is met, and a sentence for each of the default opponents that does not play the ruleset."""
    if args.against is not None:
        return list(dict.fromkeys(args.against)), []
    met, absent = [], []
    for name in OPPONENTS:
        try:
            policies.make(name, ruleset)
            met.append(name)
        except PolicyError as error:
            absent.append(f"without {name}: {error}")
    return met, absent


def meet(args: argparse.Namespace, players: dict[str, Policy], a: str, b: str, progress: Progress) -> Meeting:
    """Let two players play the hands and games that were asked for."""
    match: MatchResult | None = None
    games: GamesResult | None = None
    if args.pairs:
        bar = progress.add_task(f"{a} - {b}: hands", total=args.pairs)
        match = play_match(
            players[a],
            players[b],
            args.ruleset,
            args.pairs,
            args.seed,
            tables=args.tables,
            progress=lambda done: progress.advance(bar, done),
        )
        match = dataclasses.replace(match, policy_a=a, policy_b=b)
    if args.games:
        row = progress.add_task(f"{a} - {b}: games", total=args.games)
        games = play_games(
            players[a],
            players[b],
            args.ruleset,
            args.games,
            args.seed,
            tables=args.tables,
            progress=lambda done: progress.advance(row, done),
        )
        games = dataclasses.replace(games, policy_a=a, policy_b=b)
    return Meeting(match, games)


def pairings(args: argparse.Namespace, met: Sequence[str]) -> list[tuple[str, str]]:
    """Return who meets whom."""
    if args.all_pairs:
        return list(itertools.combinations(dict.fromkeys([args.player, *met]), 2))
    return [(args.player, opponent) for opponent in met]


def output_path(args: argparse.Namespace) -> Path:
    """Return the file for the results: as given, beside the checkpoint, or in results/."""
    if args.json is not None:
        return Path(args.json)
    kind = "behaviour" if args.behaviour else "all_pairs" if args.all_pairs else "evaluation"
    name = f"{kind}.json" if args.behaviour else f"{args.ruleset.name}.{kind}.json"
    if policies.is_name(args.player):
        word = re.sub(r"[^\w.,=-]+", "_", args.player)  # pimc:150 and paths of halves are no names of files
        return RESULTS / f"{word}.{name}"
    checkpoint = Path(args.player)
    return checkpoint / name if checkpoint.is_dir() else checkpoint.with_name(f"{checkpoint.stem}.{name}")


def prepare(path: Path) -> None:
    """Make the folder of the results before anything is played; the error is a sentence where no file can be there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}.") from error
    check_place(path)


def origin(args: argparse.Namespace) -> Values:
    """Return whose results they are and where they come from."""
    return {"player": args.player, "seed": args.seed, "version": metadata.version("euchre-env"), "commit": commit()}


def report(args: argparse.Namespace, ruleset: Ruleset, meetings: Sequence[Meeting]) -> Values:
    """Return everything that a reader needs to repeat the measurement."""
    return {
        **origin(args),
        "seatings": num_seatings(ruleset),
        "pairs": args.pairs,
        "games": args.games,
        "ruleset": ruleset.to_dict(),
        "matches": [plain(meeting.match) for meeting in meetings if meeting.match],
        "game_matches": [plain(meeting.games) for meeting in meetings if meeting.games],
    }


def show(args: argparse.Namespace, meetings: Sequence[Meeting], console: Console) -> None:
    """Print the tables."""
    if args.all_pairs:
        names = list(dict.fromkeys(name for meeting in meetings for name in meeting.players))
        console.print(cross_table(ranked(names, meetings), meetings))
    else:
        hands = num_seatings(args.ruleset) * args.pairs
        title = f"{args.player}, {args.ruleset.name}: {hands} hands and {args.games} games, seed {args.seed}"
        console.print(strength_table(meetings, title))
    console.print(happened_table(meetings))
    if (rarities := rarities_table(meetings)) is not None:
        console.print(rarities)


def judges(args: argparse.Namespace, positions: Sequence[Position]) -> tuple[list[Sheet], list[str]]:
    """Return what the player and the opponents do, and a sentence for each default opponent that plays none of it."""
    sheets, absent = [judge(args.player, positions, args.seed)], []
    for name in dict.fromkeys(OPPONENTS if args.against is None else args.against):
        try:
            if name != args.player:
                sheets.append(judge(name, positions, args.seed))
        except PolicyError as error:
            if args.against is not None:
                raise
            absent.append(f"without {name}: {error}")
    return sheets, absent


def behaviour_report(args: argparse.Namespace, positions: Sequence[Position], sheets: Sequence[Sheet]) -> Values:
    """Return everything that a reader needs to ask the same again."""
    return {
        **origin(args),
        "asks": ASKS,
        "positions": [plain_position(position) for position in positions],
        "players": [plain_sheet(sheet) for sheet in sheets],
    }


def behave(args: argparse.Namespace) -> None:
    """Ask, print, write."""
    check_counts(args, "seed")
    positions = load(POSITIONS if args.positions is None else args.positions)
    path = output_path(args)
    prepare(path)
    sheets, absent = judges(args, positions)
    write_json(path, behaviour_report(args, positions, sheets))
    console = Console()
    for sentence in absent:
        console.print(sentence, soft_wrap=True)
    if args.table:
        console.print(behaviour_table(sheets, f"Behaviour in {len(positions)} positions, seed {args.seed}"))
    for sheet in sheets if args.failures else []:
        console.print(failures_table(sheet))
    console.print(f"results: {path}", soft_wrap=True)


def run(args: argparse.Namespace) -> None:
    """Play, print, write."""
    args.ruleset = ruleset = rules_for(args.player, args.ruleset)
    check(args, num_seatings(ruleset))
    met, absent = opponents(args, ruleset)
    pairs = pairings(args, met)
    if not pairs:
        raise ValueError(f"--all-pairs needs another player beside {args.player}.")
    players = {word: policies.make(word, ruleset) for word in dict.fromkeys(itertools.chain.from_iterable(pairs))}
    path = output_path(args)
    prepare(path)
    console, bars = Console(), Console(stderr=True)
    for sentence in absent:
        console.print(sentence, soft_wrap=True)
    with Progress(console=bars, transient=True, disable=not bars.is_terminal) as progress:
        meetings = [meet(args, players, a, b, progress) for a, b in pairs]
    write_json(path, report(args, ruleset, meetings))
    if args.table:
        show(args, meetings, console)
    console.print(f"results: {path}", soft_wrap=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Return the exit status: 0, or 2 with one sentence for bad input."""
    args = parse(sys.argv[1:] if argv is None else argv)
    try:
        behave(args) if args.behaviour else run(args)
    except (ValueError, OSError) as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("evaluate.py: stopped; nothing was written.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
