"""The table as text for a person: seats around the table, the trick, trump, calls, scores, whose turn it is.

Plain characters with suit symbols, no colour codes. The words come from `words.py`.

>>> from euchre_env.render.text import hand_text
>>> hand_text([13, 10]), hand_text(3)
('Q♦ 9♦', '▒▒ ▒▒ ▒▒')
"""

from collections.abc import Sequence

from euchre_env.cards import SUIT_SYMBOLS
from euchre_env.engine.layout import NONE, Upcard
from euchre_env.render.words import TRUMP_WORDS, State, Table, card_name
from euchre_env.ruleset import Ruleset

BACK = "▒▒"
_INSIDE = 24  # columns of the table itself
_WIDTH = 78  # where lines of calls are broken
# Where seats sit, by number of seats, from the one nearest the reader, clockwise.
_PLACES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}


def places(table: Table) -> dict[str, int]:
    """Return which seat sits at the bottom, left, top and right; the observer (or seat 0) at the bottom."""
    first = table.seat or 0
    names = _PLACES[table.num_seats]
    return {name: (first + i) % table.num_seats for i, name in enumerate(names)}


def hand_text(cards: Sequence[int] | int) -> str:
    """Return cards in the order given, or a number of cards face down."""
    if isinstance(cards, int):
        return " ".join([BACK] * cards)
    return " ".join(card_name(card) for card in cards)


def table_text(ruleset: Ruleset, state_record: State, seat: int | None = None) -> str:
    """Return the table as text.

    `state_record` is one STATE record (or an array of one), whole or a view. With `seat=None` all hands are open; with
    a seat only that seat's hand and what it laid away, and the number of cards that the others hold.
    """
    table = Table(ruleset, state_record, seat)
    blocks = [_header(table), _picture(table), _facts(table)]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def _header(table: Table) -> list[str]:
    scores = "   ".join(f"{table.side_name(side)} {score}" for side, score in enumerate(table.scores))
    hand = f"hand {table.hand_number}" if table.hand_number else "before the first hand"
    return [f"{table.rules.name}, to {table.rules.target} · {hand} · score: {scores}"]


def _badges(table: Table, seat: int) -> str:
    marks = [
        "dealer" * (seat == table.dealer),
        "maker" * (seat == table.maker),
        "alone" * (seat in table.alone),
        "sits out" * (seat in table.sits_out),
    ]
    return ", ".join(mark for mark in marks if mark)


def _block(table: Table, seat: int) -> list[str]:
    """Return the lines of one seat: who, what, cards."""
    pointer = "▶ " if seat == table.turn else ""
    won = table.tricks_won[seat]
    tricks = f"{won} trick{'s' * (won != 1)}"
    shown = table.hand_of(seat)
    cards = hand_text(table.count_of(seat) if shown is None else shown)
    marks = ", ".join(part for part in (_badges(table, seat), tricks if table.trump != NONE else "") if part)
    return [f"{pointer}{table.name(seat)} (player_{seat})", marks, cards]


def _card_at(table: Table, seat: int | None) -> str:
    """Return the card that a seat has on the table, the winning one starred."""
    card = dict(table.trick).get(seat, NONE) if seat is not None else NONE
    if card == NONE:
        return ""
    return card_name(card) + "*" * (table.winning(table.trick) == (seat, card))


def _middle(table: Table) -> str:
    """Return the up-card while it lies on the table as a proposal."""
    if table.finished or table.trick or table.upcard_state != Upcard.PROPOSED:
        return ""
    return f"up-card {card_name(table.upcard)}"


def _picture(table: Table) -> list[str]:
    """Return the seats around the table with the trick on it."""
    at: dict[str, int | None] = {"left": None, "right": None, "top": None, **places(table)}
    left, right = (_block(table, s) if (s := at[place]) is not None else [] for place in ("left", "right"))
    cards = {place: _card_at(table, seat) for place, seat in at.items()}
    inner = _INSIDE - 2
    sides = f" {cards['left']:<5}{_middle(table):^10}{cards['right']:>5} "
    felt = ["", f"{cards['top']:^{inner}}", "", f"{sides:^{inner}}", "", f"{cards['bottom']:^{inner}}", ""]
    box = ["╭" + "─" * inner + "╮", *(f"│{line:^{inner}}│" for line in felt), "╰" + "─" * inner + "╯"]
    width = max([22, *(len(line) for line in left)])
    beside = {3 + i: line for i, line in enumerate(left)}, {3 + i: line for i, line in enumerate(right)}
    middle = [f"{beside[0].get(i, ''):<{width}} {line} {beside[1].get(i, '')}" for i, line in enumerate(box)]
    top, bottom = (_block(table, s) if (s := at[place]) is not None else [] for place in ("top", "bottom"))
    return _strip([*_centre(top, width), *middle, *_centre(bottom, width)])


def _centre(lines: list[str], width: int) -> list[str]:
    return [" " * (width + 1) + f"{line:^{_INSIDE}}" for line in lines if line]


def _strip(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def _facts(table: Table) -> list[str]:
    """Return what is known, a line each: trump, up-card, tricks, calls, what is next."""
    lines = [_trump(table), _upcard(table), *_laid_away(table), *_tricks(table), *_said(table)]
    nobody = "" if table.dealt else f"{table.name(table.dealer)} is to deal."
    turn = f"To move: {table.turn_words}." if table.turn_words else nobody
    victory = f"{table.victory}. The game is over." if table.victory else ""
    return [line for line in [*lines, " ".join(table.outcome), victory, turn] if line]


def _trump(table: Table) -> str:
    if table.trump == NONE:
        return ""
    symbol = f"{SUIT_SYMBOLS[table.trump]} " if table.trump < len(SUIT_SYMBOLS) else ""
    words = f", {table.maker_words}" if table.maker_words else ""
    return f"Trump: {symbol}{TRUMP_WORDS[table.trump]}{words}."


def _upcard(table: Table) -> str:
    if table.upcard == NONE or table.upcard_state == Upcard.ABSENT:
        return ""
    return f"Up-card: {card_name(table.upcard)}, {table.upcard_words}."


def _laid_away(table: Table) -> list[str]:
    """Return who laid what away, where the observer may know it."""
    known = [(seat, table.laid_away(seat)) for seat in range(table.num_seats)]
    return [f"{table.name(seat)} laid away {hand_text(cards)}, face down." for seat, cards in known if cards]


def _tricks(table: Table) -> list[str]:
    if table.trump == NONE or not (table.trick or table.tricks_played):
        return []
    taken = ", ".join(f"{table.side_name(s)} {table.side_tricks(s)}" for s in range(table.rules.num_sides))
    lines = [f"Tricks: {taken}."]
    if table.last_trick:
        lines.append(f"Trick {table.tricks_played}: {_trick(table, table.last_trick, 'won')}.")
    if table.trick:
        lines.append(f"Trick {table.tricks_played + 1}: {_trick(table, table.trick, 'is winning')}.")
    return lines


def _trick(table: Table, trick: list[tuple[int, int]], verb: str) -> str:
    best = table.winning(trick)
    return table.trick_words(trick) + (f"; {table.name(best[0])} {verb}" if best else "")


def _said(table: Table) -> list[str]:
    """Return the calls in order, broken into lines."""
    if not table.calls:
        return []
    lines = ["Said:"]
    sentences = table.said
    for i, sentence in enumerate(sentences):
        word = f" {sentence}{',' if i + 1 < len(sentences) else '.'}"
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("     ")
        lines[-1] += word
    return lines
