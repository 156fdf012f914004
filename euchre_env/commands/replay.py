"""`python -m euchre_env replay FILE`: recorded games again, deal by deal and trick by trick, as text.

FILE holds lines of our own or Euchre Game Notation (`euchre_env.record`). Hands are shown as they were dealt; cards of
which the file does not tell where they lay are face down.

>>> main(["no-such-file.egn"])
2
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from euchre_env.cards import cards_of
from euchre_env.commands import Parser, printable, refuse
from euchre_env.engine.layout import CLAIM_REDEAL, NONE, Phase
from euchre_env.game import Game
from euchre_env.record import Record, RecordError, read
from euchre_env.record.games import PlayedDeal
from euchre_env.render.outcome import outcome, victory
from euchre_env.render.speech import saying, turn_words
from euchre_env.render.text import BACK
from euchre_env.render.words import Table, sorted_hand

_WIDTH = 100


@dataclass(frozen=True)
class _Named(Table):
    """A table at which the seats have the names of the players, where those are known."""

    players: tuple[str, ...] = ()

    def name(self, seat: int) -> str:
        return self.players[seat] if self.players else super().name(seat)

    def side_name(self, side: int) -> str:
        if not self.players:
            return super().side_name(side)
        return "/".join(self.name(seat) for seat in range(self.num_seats) if self.rules.side(seat) == side)


class _Shown:
    """One deal of a record as lines of text."""

    def __init__(self, record: Record, number: int, played: PlayedDeal) -> None:
        self.record, self.number, self.played = record, number, played
        self.players = tuple(map(printable, record.players))
        self.start, self.end = self.table(played.start), self.table(played.end)

    def table(self, game: Game) -> _Named:
        """Return a game as words show it."""
        return _Named(game.ruleset, game.state, players=self.players)

    def lines(self) -> Iterator[str]:
        """Yield the deal: who deals, hands, what was said, tricks, how it ended."""
        start = self.start
        upcard = f", {start.card(start.upcard)} is turned up" if start.upcard != NONE else ""
        yield f"Deal {self.number}: {start.name(start.dealer)} deals{upcard}. {self._scores(start)}"
        yield from self._hands()
        said = [saying(self.table(game), action) for game, action in self.played.steps if game.phase != Phase.PLAY]
        yield from _wrapped(", ".join(self._seen(words) for words in said if words))
        for number in range(self.end.tricks_played + bool(self.end.trick)):
            yield self._trick(number)
        yield from _wrapped(" ".join(self._outcome()))

    def _scores(self, table: Table) -> str:
        scores = [f"{table.side_name(side)} {score}" for side, score in enumerate(table.scores)]
        return f"Score: {', '.join(scores)}."

    def _seen(self, words: str) -> str:
        """Hide the name of a card that lay where nobody saw it."""
        for card in cards_of(self.played.deal.unseen):
            for verb in ("lays", "passes"):
                words = words.replace(f"{verb} {self.start.card(card)} ", f"{verb} a card ")
        return words

    def _hands(self) -> Iterator[str]:
        seats = [(self.start.name(seat), cards) for seat, cards in enumerate(self._held())]
        stacks = [(stack.name[0].upper() + stack.name[1:], _mask(stack.cards)) for stack in self.start.stacks]
        rows = [*seats, *stacks, ("Buried", int(self.start.state["kitty"]))]
        width = max(len(name) for name, _ in rows)
        for name, cards in rows:
            if cards:
                yield f"  {name:<{width}}  {self._cards(cards)}"

    def _held(self) -> list[int]:
        return [int(cards) for cards in self.start.state["hands"][: self.start.num_seats]]

    def _cards(self, cards: int) -> str:
        """Return cards by suit, trump first; those that nobody saw face down, behind."""
        unseen = cards & self.played.deal.unseen
        known = [self.start.card(card) for card in sorted_hand(cards & ~unseen, self.end.trump)]
        return " ".join([*known, *[BACK] * len(cards_of(unseen))])

    def _trick(self, number: int) -> str:
        trick, table = self.end.trick_cards(number), self.end
        best = table.winning(trick)
        verb = "won" if number < table.tricks_played else "is winning"
        return f"  Trick {number + 1}: {table.trick_words(trick)}{f'; {table.name(best[0])} {verb}' if best else ''}."

    def _outcome(self) -> Iterator[str]:
        last = self.played.steps[-1][1] if self.played.steps else NONE
        if last == CLAIM_REDEAL:
            return
        if not self.end.finished:
            yield f"The record ends here: {turn_words(self.end)}."
            return
        yield from outcome(self.end)
        won = victory(self.end)
        if won:
            yield f"{won}. The game is over."


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


def record_text(record: Record, deal: int | None = None) -> str:
    """Return a record as text, or one deal of it (from 1); RecordError for a deal that it does not have."""
    if deal is not None and not 1 <= deal <= len(record.deals):
        raise RecordError(f"there is no deal {deal}: deals run from 1 to {len(record.deals)}.")
    rules = record.ruleset
    blocks = [f"{printable(rules.name)}, {rules.num_seats} players, to {rules.target}"]
    for number, played in enumerate(record.by_deal(), start=1):
        if deal in (None, number):
            blocks.append("\n".join(_Shown(record, number, played).lines()))
    return "\n\n".join(blocks)


def main(argv: Sequence[str]) -> int:
    """Print the records of a file; one that cannot be read or replayed is one sentence and exit code 2."""
    parser = Parser(prog="python -m euchre_env replay", description="Show recorded games again, trick by trick.")
    parser.add_argument("file", metavar="FILE", help="records, one JSON line a game, or Euchre Game Notation")
    parser.add_argument("--game", type=int, metavar="N", help="only the Nth game of the file")
    parser.add_argument("--deal", type=int, metavar="N", help="only the Nth deal of each game")
    args = parser.parse_args(argv)
    try:
        records = _chosen(read(args.file), args.game)
        texts = [record_text(record, args.deal) for record in records]
    except RecordError as error:
        return refuse(f"{args.file}: {error}")
    except OSError as error:
        return refuse(f"{args.file} cannot be read: {error.strerror or error}.")
    print("\n\n\n".join(texts))
    return 0


def _chosen(records: list[Record], number: int | None) -> list[Record]:
    if not records:
        raise RecordError("the file holds no games.")
    if number is None:
        return records
    if not 1 <= number <= len(records):
        raise RecordError(f"there is no game {number}: games run from 1 to {len(records)}.")
    return [records[number - 1]]
