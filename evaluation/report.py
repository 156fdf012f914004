"""Reports of matches: tables for the terminal (rich), plain values for JSON, files written atomically.

>>> percent(1, 8), percent(0, 0)
('12.5', '-')
"""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.table import Table

from evaluation.arena import GamesResult, MatchResult, SideCounts
from evaluation.statistics import Interval

_HAPPENED = (
    "rounds: calls of the hands with that place (left of the dealer, his partner, his right, the dealer); "
    "made, march, euchred, alone: of the calls; swept: of the lone ones"
)


@dataclasses.dataclass(frozen=True)
class Meeting:
    """What two players played against each other: hands, games or both."""

    match: MatchResult | None
    games: GamesResult | None

    @property
    def players(self) -> tuple[str, str]:
        """The names of A and B."""
        result = self.match or self.games
        assert result is not None
        return result.policy_a, result.policy_b

    @property
    def counts(self) -> tuple[SideCounts, SideCounts, int]:
        """What A and B did, and in how many hands: those of the match, or of the games where there is no match."""
        result = self.match or self.games
        assert result is not None
        return result.a, result.b, result.hands

    @property
    def thrown_in(self) -> int:
        """How many of the hands of `counts` were thrown in."""
        result = self.match or self.games
        assert result is not None
        return result.thrown_in


def plain(result: MatchResult | GamesResult) -> dict[str, Any]:
    """Return a result as values for JSON; the single pairs are left out."""
    values = dataclasses.asdict(result)
    values.pop("values", None)
    return values


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write values as JSON under a temporary name and rename it, so that nobody sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(values, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    temporary.replace(path)


def percent(part: float, whole: float) -> str:
    """Return a share as text, a dash where there is no whole."""
    return f"{100 * part / whole:.1f}" if whole else "-"


def points(interval: Interval | None) -> str:
    """Return net points per hand with the half-width of their interval."""
    if interval is None:
        return "-"
    half = interval.half_width
    return f"{interval.mean:+.3f}" if half is None else f"{interval.mean:+.3f} ± {half:.3f}"


def rate(interval: Interval | None) -> str:
    """Return a rate in percent with the ends of its interval."""
    if interval is None or interval.low is None or interval.high is None:
        return "-"
    return f"{100 * interval.mean:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _table(title: str, caption: str, first: str, headings: Sequence[str]) -> Table:
    """Return an empty table: the first column is text and may fold, the others are numbers."""
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column(first, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def strength_table(meetings: Sequence[Meeting], title: str) -> Table:
    """Return one line for each opponent: net points per hand and games won, with 95 % intervals."""
    headings = ("points per hand", "games won %", "unfinished", "thrown in")
    table = _table(title, "95 % intervals from duplicate pairs; no rate counts an unfinished game", "against", headings)
    for meeting in meetings:
        match, games = meeting.match, meeting.games
        table.add_row(
            meeting.players[1],
            points(match.net if match else None),
            rate(games.win_rate if games else None),
            f"{games.unfinished}" if games else "-",
            f"{meeting.thrown_in}",
        )
    return table


def happened_table(meetings: Sequence[Meeting]) -> Table:
    """Return what both players of each meeting did: calls by place and round, and what became of them."""
    headings = ("round 1", "round 2", "made", "march", "euchred", "alone", "swept")
    table = _table("What happened, in percent", _HAPPENED, "player", headings)
    for meeting in meetings:
        a, b, hands = meeting.counts
        table.add_row(meeting.players[0], *_happened(a, hands))
        table.add_row(meeting.players[1], *_happened(b, hands), end_section=True)
    return table


def _happened(side: SideCounts, hands: int) -> list[str]:
    return [
        " ".join(f"{200 * n / hands:.0f}" for n in side.calls_round_1),
        " ".join(f"{200 * n / hands:.0f}" for n in side.calls_round_2),
        percent(side.made, side.called),
        percent(side.marched, side.called),
        percent(side.euchred, side.called),
        percent(side.alone, side.called),
        percent(side.alone_swept, side.alone),
    ]


def cross_table(names: Sequence[str], meetings: Sequence[Meeting]) -> Table:
    """Return all players against all: net points per hand of the row's player, below it his games won in percent."""
    table = Table(
        title="All pairs", caption="points per hand of the player of the row ± 95 %; games won %", show_lines=True
    )
    table.add_column("")
    for name in names:
        table.add_column(name, justify="right")
    cells = {meeting.players: _cell(meeting, 1) for meeting in meetings}
    cells |= {meeting.players[::-1]: _cell(meeting, -1) for meeting in meetings}
    for row in names:
        table.add_row(row, *(cells.get((row, column), "") for column in names))
    return table


def _cell(meeting: Meeting, sign: int) -> str:
    lines = []
    if meeting.match:
        lines.append(points(_turned(meeting.match.net, sign, 0.0)))
    if meeting.games:
        lines.append(rate(_turned(meeting.games.win_rate, sign, 1.0)))
    return "\n".join(lines)


def _turned(interval: Interval | None, sign: int, whole: float) -> Interval | None:
    """Return the interval as the other player sees it: what is left of the whole."""
    if interval is None or sign > 0:
        return interval
    low, high = interval.high, interval.low
    ends = [None if end is None else whole - end for end in (low, high)]
    return Interval(whole - interval.mean, *ends)


def ranked(names: Sequence[str], meetings: Sequence[Meeting]) -> list[str]:
    """Return the players by their mean net points per hand (or games won) over all meetings, best first."""
    results: dict[str, list[float]] = {name: [] for name in names}
    for meeting in meetings:
        a, b = meeting.players
        if meeting.match:
            value = meeting.match.net.mean
        else:
            won = meeting.games.win_rate if meeting.games else None
            value = 0.0 if won is None else won.mean - 0.5
        results[a].append(value)
        results[b].append(-value)
    return sorted(names, key=lambda name: -float(np.mean(results[name] or [0.0])))
