"""The table as text for a person: seats around the table, the trick, trump, calls, scores, whose turn it is.

Plain characters with suit symbols, no colour codes. The words come from `words.py`.

>>> from euchre_env.render.text import hand_text
>>> hand_text([13, 10]), hand_text(3)
('Q♦ 9♦', '▒▒ ▒▒ ▒▒')
"""

from collections.abc import Sequence

from euchre_env.cards import SUIT_SYMBOLS
from euchre_env.engine.layout import NONE, Upcard
from euchre_env.render.outcome import outcome, victory
from euchre_env.render.speech import alone_words, bid_stands, maker_words, said, turn_words, upcard_words
from euchre_env.render.words import TRUMP_WORDS, Stack, State, Table, card_name
from euchre_env.ruleset import Ruleset

BACK = "▒▒"
_INSIDE = 24  # columns of the table itself
_WIDTH = 78  # where lines of calls are broken
# Where seats sit, by number of seats, from the one nearest the reader, clockwise.
_PLACES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
_MOST_IN_LINE = 8  # cards of a hand in one line


def places(table: Table) -> dict[str, int]:
    """Return which seat sits at the bottom, left, top and right; the observer (or seat 0) at the bottom."""
    first = table.seat or 0
    names = _PLACES[table.num_seats]
    return {name: (first + i) % table.num_seats for i, name in enumerate(names)}


def stack_places(table: Table) -> dict[str, Stack]:
    """Return which stack lies at the top, left or right, where no seat is."""
    free = [place for place in ("top", "left", "right") if place not in _PLACES[table.num_seats]]
    return {free[stack.slot]: stack for stack in table.stacks}


def hand_text(cards: Sequence[int] | int, joker: str = "JK") -> str:
    """Return cards in the order given, or a number of cards face down."""
    if isinstance(cards, int):
        return " ".join([BACK] * cards)
    return " ".join(card_name(card, joker) for card in cards)


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
    hand = f"hand {table.hand_number}{tiebreak_words(table)}" if table.hand_number else "before the first hand"
    return [f"{table.rules.name}, to {table.rules.target} · {hand} · score: {scores}"]


def tiebreak_words(table: Table) -> str:
    """Return that the hand being played is a tie-break hand (9.7); empty for another."""
    return ", a tie-break" if table.tied and not table.finished else ""


def _badges(table: Table, seat: int) -> str:
    marks = [
        "dealer" * (seat == table.dealer),
        ("bidder" if table.auction else "maker") * (seat in (table.maker, table.bidder)),
        ("alone" if table.rules.partners else "without the dummy") * (seat in table.alone),
        "sits out" * (seat in table.sits_out),
    ]
    return ", ".join(mark for mark in marks if mark)


def _block(table: Table, seat: int) -> list[str]:
    """Return the lines of one seat: who, what, cards."""
    pointer = "▶ " if seat == table.turn else ""
    won = table.tricks_won[seat]
    tricks = f"{won} trick{'s' * (won != 1)}"
    shown = table.hand_of(seat)
    marks = ", ".join(part for part in (_badges(table, seat), tricks if table.trump != NONE else "") if part)
    cards = table.count_of(seat) if shown is None else shown
    return [f"{pointer}{table.name(seat)} (player_{seat})", marks, *_card_lines(table, cards)]


def _card_lines(table: Table, cards: Sequence[int] | int) -> list[str]:
    """Return a hand in lines of at most eight cards."""
    words = hand_text(cards, table.rules.joker_card).split()
    return [" ".join(words[i : i + _MOST_IN_LINE]) for i in range(0, max(1, len(words)), _MOST_IN_LINE)]


def _stack_block(table: Table, place: str) -> list[str]:
    """Return the lines of a stack that lies where no seat is."""
    stack = stack_places(table).get(place)
    return [stack.name, f"{stack.size} cards face down", *_card_lines(table, stack.size)] if stack else []


def _card_at(table: Table, seat: int | None) -> str:
    """Return the card that a seat has on the table, the winning one starred."""
    card = dict(table.trick).get(seat, NONE) if seat is not None else NONE
    if card == NONE:
        return ""
    return table.card(card) + "*" * (table.winning(table.trick) == (seat, card))


def _middle(table: Table) -> str:
    """Return the up-card while it lies on the table as a proposal."""
    if table.finished or table.trick or table.upcard_state != Upcard.PROPOSED:
        return ""
    return f"up-card {table.card(table.upcard)}"


def _picture(table: Table) -> list[str]:
    """Return the seats around the table with the trick on it."""
    at: dict[str, int | None] = {"left": None, "right": None, "top": None, **places(table)}
    around = {p: _stack_block(table, p) if seat is None else _block(table, seat) for p, seat in at.items()}
    cards = {place: _card_at(table, seat) for place, seat in at.items()}
    inner, middle = _INSIDE - 2, _middle(table)
    sides = middle if middle and not table.trick else f"{cards['left']:<6}{cards['right']:>16}"
    felt = ["", f"{cards['top']:^{inner}}", "", f"{sides:^{inner}}", "", f"{cards['bottom']:^{inner}}", ""]
    box = ["╭" + "─" * inner + "╮", *(f"│{line:^{inner}}│" for line in felt), "╰" + "─" * inner + "╯"]
    width = max([22, *(len(line) for line in around["left"])])
    left, right = ({3 + i: line for i, line in enumerate(around[place])} for place in ("left", "right"))
    rows = [f"{left.get(i, ''):<{width}} {line} {right.get(i, '')}" for i, line in enumerate(box)]
    return _strip([*_centre(around["top"], width), *rows, *_centre(around["bottom"], width)])


def _centre(lines: list[str], width: int) -> list[str]:
    return [" " * max(0, width + 1 + (_INSIDE - len(line)) // 2) + line for line in lines if line]


def _strip(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def _facts(table: Table) -> list[str]:
    """Return what is known, a line each: bid, trump, up-card, cards laid away, tricks, calls, what is next."""
    lines = [
        _bid(table),
        _trump(table),
        _upcard(table),
        *map(table.note_words, table.notes),
        *_tricks(table),
        *_said(table),
    ]
    nobody = "" if table.dealt else f"{table.name(table.dealer)} is to deal."
    turn = f"To move: {turn_words(table)}." if turn_words(table) else nobody
    end = f"{victory(table)}. The game is over." if victory(table) else ""
    return [line for line in [*lines, *packed(outcome(table), _WIDTH), end, turn] if line]


def packed(sentences: Sequence[str], letters: int) -> list[str]:
    """Return sentences in lines of at most so many letters, broken between them alone."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < letters:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def _bid(table: Table) -> str:
    return f"{bid_stands(table)}." if bid_stands(table) else ""


def _trump(table: Table) -> str:
    if table.trump == NONE:
        return ""
    symbol = f"{SUIT_SYMBOLS[table.trump]} " if table.trump < len(SUIT_SYMBOLS) else ""
    parts = (f"{symbol}{TRUMP_WORDS[table.trump]}", maker_words(table), alone_words(table))
    return f"Trump: {', '.join(part for part in parts if part)}."


def _upcard(table: Table) -> str:
    if table.upcard == NONE or table.upcard_state == Upcard.ABSENT:
        return ""
    return f"Up-card: {table.card(table.upcard)}, {upcard_words(table)}."


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
    sentences = said(table)
    for i, sentence in enumerate(sentences):
        word = f" {sentence}{',' if i + 1 < len(sentences) else '.'}"
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("     ")
        lines[-1] += word
    return lines
