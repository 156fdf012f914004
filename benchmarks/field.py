"""The rebuilt field against the table that its originals were measured in (github.com/crashka/euchre-plt, c43124b).

    python -m benchmarks.field                   # 40,000 games of each pairing, half a minute

Originals played 10,000 games of a pairing (95 % half-width 0.96 points at most) to ten points, with a deal that may
pass out, alone with the call and no lone defence. Hands a game count passed-out deals here; whether theirs do is not
known. Below the table is what each player did with its calls beside what the originals did. What the descriptions leave
open, and what other readings measured, is in docs/experiments.md. The last line is JSON.
"""

import argparse
from typing import Any

from rich.console import Console
from rich.table import Table

import agents.baselines  # noqa: F401 - registers the field
from benchmarks.common import finish
from euchre_env import policies, rulesets
from evaluation.arena import GamesResult, SideCounts, play_games

RULES = rulesets.get("tournament").replace(name="euchre_plt", stick_the_dealer="off")

# A, B, games that A won in per cent, hands a game.
MEASURED = (
    ("simple_i", "random", 99.17, 8.29),
    ("smart_1", "random", 99.81, 8.08),
    ("smart_1", "simple_i", 59.98, 10.91),
    ("smart_3", "simple_i", 60.61, 10.62),
    ("hybrid_3_iii", "simple_i", 64.22, 9.80),
    ("hybrid_3_iii", "smart_3", 49.99, 10.40),
    ("smart_3", "smart_1", 51.03, 11.38),
)
# Per cent of the originals' calls, and of the deals, in matches among them all.
BANDS = {"made": (82.0, 92.0), "euchred": (7.7, 17.9), "alone": (35.0, 44.0), "swept": (18.0, 38.0)}
PASSED_OUT = (3.4, 8.5)


def play(games: int, seed: int) -> list[GamesResult]:
    """Return the results of MEASURED's pairings."""
    pairs = [[policies.make(name, RULES) for name in row[:2]] for row in MEASURED]
    return [play_games(a, b, RULES, games, seed + number) for number, (a, b) in enumerate(pairs)]


def calls_of(counts: SideCounts) -> dict[str, float]:
    """Return per cent of the calls made, euchred and played alone, and of the lone ones swept."""
    shares = {name: 100 * getattr(counts, name) / counts.called for name in ("made", "euchred", "alone")}
    return shares | {"swept": 100 * counts.alone_swept / counts.alone}


def row_of(result: GamesResult, theirs: float, their_hands: float) -> dict[str, Any]:
    """Return the figures of a pairing."""
    rate = result.win_rate
    assert rate is not None
    assert rate.half_width is not None
    return {
        "a": result.policy_a,
        "b": result.policy_b,
        "won": round(100 * rate.mean, 2),
        "half_width": round(100 * rate.half_width, 2),
        "theirs": theirs,
        "difference": round(100 * rate.mean - theirs, 2),
        "hands": round(result.hands / result.games, 2),
        "their_hands": their_hands,
        "passed_out": round(100 * result.thrown_in / result.hands, 1),
        "calls_a": {name: round(share, 1) for name, share in calls_of(result.a).items()},
        "calls_b": {name: round(share, 1) for name, share in calls_of(result.b).items()},
    }


def show_wins(rows: list[dict[str, Any]], console: Console) -> None:
    """Print ours beside theirs."""
    table = Table("A", "B", "A wins %", "theirs", "difference", "hands a game", "theirs")
    for row in rows:
        won = f"{row['won']:.2f} ± {row['half_width']:.2f}"
        wins = (won, f"{row['theirs']:.2f}", f"{row['difference']:+.2f}")
        table.add_row(row["a"], row["b"], *wins, f"{row['hands']:.2f}", f"{row['their_hands']:.2f}")
    console.print(table)


def show_calls(rows: list[dict[str, Any]], console: Console) -> None:
    """Print what happened, without the games against `random`."""
    table = Table("player", "against", *(f"{name} %" for name in BANDS), "passed out %")
    for row in (row for row in rows if row["b"] != "random"):
        for me, other in (("a", "b"), ("b", "a")):
            shares = (f"{row[f'calls_{me}'][name]:.1f}" for name in BANDS)
            table.add_row(row[me], row[other], *shares, f"{row['passed_out']:.1f}")
    table.add_section()
    bands = (f"{low:g}-{high:g}" for low, high in (*BANDS.values(), PASSED_OUT))
    table.add_row("theirs", "", *bands)
    console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="of each pairing; an even number")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    results = play(args.games, args.seed)
    rows = [row_of(result, *row[2:]) for result, row in zip(results, MEASURED, strict=True)]
    console = Console(width=110)
    show_wins(rows, console)
    show_calls(rows, console)
    finish("field", {"games": args.games, "seed": args.seed, "pairings": rows})


if __name__ == "__main__":
    main()
