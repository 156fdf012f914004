"""Reports of matches: tables for the terminal (rich), plain values for JSON, files written atomically.

>>> percent(1, 8), percent(0, 0)
('12.5', '-')
"""

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.table import Table

from euchre_env.engine.layout import BID_NAMES, NUM_BIDS
from euchre_env.files import write_whole
from evaluation.arena import GamesResult, MatchResult, SideCounts
from evaluation.statistics import Interval

# By the number of seats.
_PLACES = {
    2: "the other seat, the dealer",
    3: "left of the dealer, his right, the dealer",
    4: "left of the dealer, his partner, his right, the dealer",
}
_HAPPENED = (
    "rounds: calls of the hands with that place ({places}); made, march, euchred, alone: of the calls; "
    "swept: of the lone ones"
)
_BID = (
    "bid by place: auctions won of the hands with that place ({places}); bid by level: {levels}, of the auctions won, "
    "as are made and set; moons made: of the moons"
)
# Columns that stand only where there is something to tell: field of SideCounts, heading, meaning.
_RARITIES = (
    ("defended_alone", "defended alone", "defended alone: hands, and per cent of the other's calls"),
    ("forfeited", "forfeits", "forfeits: hands"),
    ("swapped", "swaps", "swaps: hands"),
    ("reneged", "reneges", "reneges: cards"),
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
    def hands(self) -> MatchResult | GamesResult:
        """Whose hands are counted: those of the match, or of the games where there is no match."""
        result = self.match or self.games
        assert result is not None
        return result

    @property
    def counts(self) -> tuple[SideCounts, SideCounts]:
        """What A and B did in these hands."""
        return self.hands.a, self.hands.b


def plain(result: MatchResult | GamesResult) -> dict[str, Any]:
    """Return a result as values for JSON; the single pairs are left out."""
    values = dataclasses.asdict(result)
    values.pop("values", None)
    return values


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write values as JSON, so that nobody sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(values, indent=2, allow_nan=False) + "\n")


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
    headings = ["points per hand", "games won %", "unfinished", "thrown in %"]
    shared = any(meeting.games and meeting.games.shared for meeting in meetings)
    if shared:
        headings.insert(2, "shared")
    caption = "net points; 95 % intervals by duplicate deal; no rate counts an unfinished game"
    table = _table(title, caption + ("; a shared one by its part" if shared else ""), "against", headings)
    for meeting in meetings:
        match, games, hands = meeting.match, meeting.games, meeting.hands
        cells = [
            points(match.net if match else None),
            rate(games.win_rate if games else None),
            f"{games.unfinished}" if games else "-",
            percent(hands.thrown_in, hands.hands),
        ]
        if shared:
            cells.insert(2, f"{games.shared}" if games else "-")
        table.add_row(meeting.players[1], *cells)
    return table


def happened_table(meetings: Sequence[Meeting]) -> Table:
    """Return what both players of each meeting did: calls or bids by place, and what became of them."""
    first = meetings[0].hands
    places = _PLACES[len(first.a.places)]
    if not first.auction:
        headings = ("round 1", "round 2", "made", "march", "euchred", "alone", "swept")
        return _by_player("What happened, in percent", _HAPPENED.format(places=places), headings, meetings, _called)
    levels = [bid for bid in range(NUM_BIDS) if any(side.bids[bid] for m in meetings for side in m.counts)]
    caption = _BID.format(places=places, levels=", ".join(BID_NAMES[bid] for bid in levels) or "none")
    columns = ("bid by place", "by level", "made", "set", "moons made")
    return _by_player("What happened, in percent", caption, columns, meetings, lambda own, _: _bid(own, levels))


def rarities_table(meetings: Sequence[Meeting]) -> Table | None:
    """Return what else happened, None where nothing did."""
    seen = [rarity for rarity in _RARITIES if any(getattr(side, rarity[0]) for m in meetings for side in m.counts)]
    if not seen:
        return None
    fields, headings, meanings = zip(*seen, strict=True)
    return _by_player(
        "What else happened",
        "; ".join(meanings),
        headings,
        meetings,
        lambda own, other: [_rarity(own, other, field) for field in fields],
    )


def _by_player(
    title: str,
    caption: str,
    headings: Sequence[str],
    meetings: Sequence[Meeting],
    cells: Callable[[SideCounts, SideCounts], list[str]],
) -> Table:
    """Return a table with a line for each player of each meeting, from his counts and the other's."""
    table = _table(title, caption, "player", headings)
    for meeting in meetings:
        a, b = meeting.counts
        table.add_row(meeting.players[0], *cells(a, b))
        table.add_row(meeting.players[1], *cells(b, a), end_section=True)
    return table


def _called(side: SideCounts, other: SideCounts) -> list[str]:
    return [
        _shares(side.calls_round_1, side.places),
        _shares(side.calls_round_2, side.places),
        percent(side.made, side.called),
        percent(side.marched, side.called),
        percent(side.euchred, side.called),
        percent(side.alone, side.called),
        percent(side.alone_swept, side.alone),
    ]


def _bid(side: SideCounts, levels: Sequence[int]) -> list[str]:
    return [
        _shares(side.calls_round_1, side.places),
        _shares([side.bids[bid] for bid in levels], [side.called] * len(levels)),
        percent(side.made, side.called),
        percent(side.euchred, side.called),
        percent(side.alone_swept, side.alone),
    ]


def _rarity(own: SideCounts, other: SideCounts, field: str) -> str:
    """Return a number, and of lone defences also the share of the other's calls."""
    number = getattr(own, field)
    return f"{number} ({percent(number, other.called)} %)" if field == "defended_alone" else f"{number}"


def _shares(parts: Sequence[int], wholes: Sequence[int]) -> str:
    return " ".join(f"{100 * part / whole:.0f}" if whole else "-" for part, whole in zip(parts, wholes, strict=True))


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
