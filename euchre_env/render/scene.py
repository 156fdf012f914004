"""Where everything lies on the picture of a table: hands, plates, the trick, panels, bubbles, banners.

Measures are pixels of a canvas of 1920 x 1280, which `pixels.py` brings to the size asked for. The drawings come from
`art.py`, the words from `words.py`. Importing this module needs pygame.
"""

from dataclasses import dataclass

import pygame

from euchre_env.cards import NO_TRUMP_LOW, NUM_SUITS, SUIT_NAMES, SUIT_SYMBOLS
from euchre_env.engine.layout import (
    ALONE,
    BID,
    BID_NAMES,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    HIDDEN_CARD,
    MOON,
    NONE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Upcard,
)
from euchre_env.render import art
from euchre_env.render.outcome import outcome, victory
from euchre_env.render.speech import (
    alone_words,
    bid_name,
    bid_words,
    is_bid,
    trump_of,
    turn_words,
    upcard_words,
)
from euchre_env.render.text import packed, places, stack_places, tiebreak_words
from euchre_env.render.words import TRUMP_WORDS, Note, Stack, Table

CANVAS = (1920, 1280)
_CENTRE = (960, 620)
_MUTED: art.Colour = (168, 190, 176)
_EDGE: art.Colour = (62, 104, 82)
_MOST_NOTES = 5
_BANNER_LETTERS = 46
_WIDEST_CALL = 340
# A hand of more cards is drawn closer together.
_ROOMY = 7
# Where a stack without a seat lies, by the place that is free; its label is below.
_STACKS = {"top": (960, 180), "left": (230, 640), "right": (1690, 640)}
_SAID = {
    PASS: "Pass",
    ORDER_UP: "I order it up",
    ORDER_UP_ALONE: "I order it up alone!",
    ALONE: "Alone!",
    WITH_PARTNER: "With partner",
    DECLINE: "I decline",
    CLAIM_REDEAL: "Redeal, please",
    FORFEIT: "I give up the deal",
}


@dataclass(frozen=True)
class _Place:
    """Where a seat's things are: hand, how its cards lie, plate, its card of the trick, its bubble and the tail."""

    hand: tuple[int, int]
    turn: int  # degrees against the clock
    step: tuple[int, int]  # from one card to the next
    bulge: tuple[float, float]  # how the fan bends, per squared place from the middle
    lean: float  # degrees from one card to the next
    width: int
    plate: tuple[int, int]
    anchor: float  # 0: the plate starts at its point, 0.5 centred, 1 ends there
    trick: tuple[int, int]
    bubble: tuple[int, int]
    tail: tuple[int, int]


_PLACES = {
    "bottom": _Place(
        (960, 1048), 0, (94, 0), (0, 3), -2.4, 150, (960, 1216), 0.5, (960, 742), (1120, 882), (1040, 936)
    ),
    "left": _Place((160, 650), -90, (0, 64), (-2, 0), -2.4, 128, (44, 336), 0, (806, 620), (304, 590), (266, 640)),
    "top": _Place((960, 206), 0, (84, 0), (0, -2.4), 2.4, 128, (960, 60), 0.5, (960, 498), (1120, 412), (1040, 304)),
    "right": _Place(
        (1760, 650), 90, (0, -64), (2, 0), -2.4, 128, (1876, 336), 1, (1114, 620), (1616, 590), (1654, 640)
    ),
}


def paint(table: Table) -> pygame.Surface:
    """Return the whole picture."""
    canvas = art.felt(*CANVAS).copy()
    around = [(seat, _PLACES[place]) for place, seat in places(table).items()]
    _score_panel(canvas, table)
    _trump_panel(canvas, table)
    _status_panel(canvas, table)
    _last_trick_panel(canvas, table)
    _notes_panel(canvas, table)
    for at, stack in stack_places(table).items():
        _stack(canvas, stack, _STACKS[at])
    for seat, place in around:
        _hand(canvas, table, seat, place)
        _plate(canvas, table, seat, place)
    if table.finished:
        _banner(canvas, table)
        return canvas
    _upcard(canvas, table)
    _trick(canvas, table, dict(around))
    for seat, place in around:
        _bubble(canvas, table, seat, place)
    return canvas


def _face(table: Table, card: int, width: int) -> pygame.Surface:
    return art.card_face(card, width, table.rules.joker_card)


def _hand(canvas: pygame.Surface, table: Table, seat: int, place: _Place) -> None:
    shown = table.hand_of(seat)
    count = table.count_of(seat) if shown is None else len(shown)
    grey = seat in table.sits_out and seat != table.turn
    for i, off in enumerate(art.spread(count, min(1, (_ROOMY - 1) / max(1, count - 1)))):
        card = art.card_back(place.width) if shown is None else _face(table, shown[i], place.width)
        x = place.hand[0] + place.step[0] * off + place.bulge[0] * off * off
        y = place.hand[1] + place.step[1] * off + place.bulge[1] * off * off
        art.place(canvas, card, (x, y), place.turn + place.lean * off, grey)


def _stack(canvas: pygame.Surface, stack: Stack, at: tuple[int, int]) -> None:
    """Draw cards that lie face down beside the seats, with what they are and how many."""
    for i in range(stack.size):
        art.place(canvas, art.card_back(120), (at[0] + 5 * i, at[1] - 4 * i))
    _label(canvas, f"{stack.name}, {stack.size} cards", (at[0] + 8, at[1] + 116))


def _label(canvas: pygame.Surface, words: str, at: tuple[int, int], size: int = 36) -> None:
    """Write words on a small dark plate."""
    pill = pygame.Rect(0, 0, art.text_width(words, size) + 48, size + 14)
    pill.center = at
    art.panel(canvas, pill, art.PANEL, 215, pill.height // 2)
    art.text(canvas, words, (pill.centerx, pill.centery + 2), size, art.CREAM)


def _disc(canvas: pygame.Surface, at: tuple[int, int], colour: art.Colour, radius: int = 21) -> None:
    pygame.draw.circle(canvas, (0, 0, 0), (at[0] + 1, at[1] + 2), radius + 1)
    pygame.draw.circle(canvas, colour, at, radius)


def _plate(canvas: pygame.Surface, table: Table, seat: int, place: _Place) -> None:
    """Draw who sits here, with the dealer's button, the maker's badge, what is special, and tricks won."""
    name, agent = table.name(seat), f"player_{seat}"
    special = _special(table, seat)
    won = table.tricks_won[seat] if table.trump != NONE else NONE
    parts = [("side", 44), ("name", art.text_width(name, 44) + 12), ("agent", art.text_width(agent, 30) + 18)]
    parts += [("dealer", 52)] * (seat == table.dealer) + [("maker", 52)] * (seat in (table.maker, table.bidder))
    parts += [("special", art.text_width(special, 32) + 44)] * bool(special) + [("won", 70)] * (won != NONE)
    width = 36 + sum(size for _, size in parts)
    box = pygame.Rect(round(place.plate[0] - place.anchor * width), place.plate[1] - 29, width, 58)
    if seat == table.turn:
        art.glow(canvas, box, art.GOLD, 29)
    art.panel(canvas, box, art.PANEL, 235, 29, art.GOLD if seat == table.turn else _EDGE)
    x, y = box.left + 18, box.centery
    for part, size in parts:
        _plate_part(canvas, table, seat, part, (x, y), size)
        x += size


def _special(table: Table, seat: int) -> str:
    if seat in table.alone:
        return "alone" if table.rules.partners else "no dummy"
    return "sits out" if seat in table.sits_out else ""


def _plate_part(canvas: pygame.Surface, table: Table, seat: int, part: str, at: tuple[int, int], size: int) -> None:
    x, y = at
    if part == "side":
        pygame.draw.circle(canvas, art.SIDE_COLOURS[table.rules.side(seat)], (x + 16, y), 13)
    elif part == "name":
        art.text(canvas, table.name(seat), (x, y + 2), 44, art.WHITE, 0)
    elif part == "agent":
        art.text(canvas, f"player_{seat}", (x, y + 4), 30, _MUTED, 0)
    elif part == "dealer":
        _disc(canvas, (x + 24, y), art.WHITE)
        art.text(canvas, "D", (x + 24, y + 2), 36, art.INK)
    elif part == "maker":
        _disc(canvas, (x + 24, y), art.GOLD)
        _emblem(canvas, table, (x + 24, y), 25 if table.trump != NONE else 36)
    elif part == "special":
        pill = pygame.Rect(x + 4, y - 19, size - 14, 38)
        alone = seat in table.alone
        art.panel(canvas, pill, art.GOLD if alone else (90, 104, 98), 255, 19)
        art.text(canvas, _special(table, seat), (pill.centerx, y + 2), 32, art.INK if alone else art.WHITE)
    else:
        canvas.blit(art.card_back(24), (x + 6, y - 17))
        art.text(canvas, str(table.tricks_won[seat]), (x + 40, y + 2), 40, art.WHITE, 0)


def _emblem(canvas: pygame.Surface, table: Table, at: tuple[int, int], size: int) -> None:
    """Draw the trump: its suit, or NT, with a stroke below for the low one; before it is made the bid that stands."""
    if 0 <= table.trump < NUM_SUITS:
        art.suit(canvas, table.trump, at, size)
        return
    bid = BID_NAMES[table.bid][0].upper() if table.bid != NONE else "?"
    words = bid if table.trump == NONE else "NT"
    drawn = art.text(canvas, words, (at[0], at[1] + 2), size, art.INK)
    if table.trump == NO_TRUMP_LOW:
        pygame.draw.line(canvas, art.INK, drawn.bottomleft, drawn.bottomright, max(2, size // 12))


def _score_panel(canvas: pygame.Surface, table: Table) -> None:
    row = 84 if table.rules.num_sides <= 2 else 58
    box = pygame.Rect(44, 40, 486, 74 + row * table.rules.num_sides)
    art.panel(canvas, box, art.PANEL, 225, 18, _EDGE)
    goal = f"to {table.rules.target}"
    room = box.width - 70 - art.text_width(goal, 34)
    title = table.rules.name
    art.text(canvas, title, (box.left + 22, box.top + 36), art.fitted(title, 38, room), art.CREAM, 0)
    art.text(canvas, goal, (box.right - 22, box.top + 37), 34, _MUTED, 1)
    for side in range(table.rules.num_sides):
        _score_row(canvas, table, side, box, box.top + 50 + row // 2 + row * side, row)


def _score_row(canvas: pygame.Surface, table: Table, side: int, box: pygame.Rect, y: int, row: int) -> None:
    colour, score, target = art.SIDE_COLOURS[side], table.scores[side], table.rules.target
    pygame.draw.circle(canvas, colour, (box.left + 38, y), row // 6)
    art.text(canvas, table.side_name(side), (box.left + 62, y + 2), 40, art.WHITE, 0)
    art.text(canvas, str(score), (box.right - 24, y + row // 7), row * 6 // 7, colour, 1)
    bar = pygame.Rect(box.left + 26, y + row // 3, box.width - 130, row // 7)
    pygame.draw.rect(canvas, (8, 26, 19), bar, border_radius=6)
    done = round(bar.width * min(1.0, max(0, score) / target))
    if done:
        pygame.draw.rect(canvas, colour, (bar.left, bar.top, max(done, 12), bar.height), border_radius=6)
    if target <= 15:
        for i in range(1, target):
            x = bar.left + bar.width * i / target
            pygame.draw.line(canvas, art.PANEL, (x, bar.top), (x, bar.bottom - 1), 3)


def _lines(canvas: pygame.Surface, lines: list[tuple[str, int, art.Colour]], at: tuple[int, int], width: int) -> None:
    """Write lines below each other, each made small enough for the width."""
    x, y = at
    for words, size, colour in lines:
        art.text(canvas, words, (x, y), art.fitted(words, size, width), colour, 0)
        y += size


def _trump_panel(canvas: pygame.Surface, table: Table) -> None:
    """Draw trump, who made it, and what became of the up-card."""
    box = pygame.Rect(1410, 40, 466, 242)
    art.panel(canvas, box, art.PANEL, 225, 18, _EDGE)
    known = table.upcard != NONE and table.upcard_state not in (Upcard.ABSENT, Upcard.PROPOSED)
    left, room, at = box.left + 150, box.width - 170, (box.left + 78, box.top + 76)
    if table.trump == NONE and table.bidder == NONE:
        pygame.draw.circle(canvas, _EDGE, at, 56, width=4)
        art.text(canvas, "?", (at[0], at[1] + 4), 84, _EDGE)
    else:
        pygame.draw.circle(canvas, art.CREAM, at, 56)
        pygame.draw.circle(canvas, art.GOLD, at, 56, width=5)
        _emblem(canvas, table, at, 72)
    lines = _trump_lines(table)
    _lines(canvas, lines, (left, box.top + (60 if len(lines) < 3 else 46)), room)
    if known:
        canvas.blit(_face(table, table.upcard, 58), (box.left + 49, box.bottom - 94))
        words = f"Up-card: {upcard_words(table)}"
        _lines(canvas, [(words, 34, art.CREAM)], (left, box.bottom - 52), room)


def _trump_lines(table: Table) -> list[tuple[str, int, art.Colour]]:
    """Return what trump is and who made it; in an auction the bid that stands."""
    if table.trump != NONE:
        title, maker = TRUMP_WORDS[table.trump].capitalize(), table.name(table.maker)
        how = f"{maker} {bid_words(table.bid, past=True)}" if table.auction else f"made by {maker}"
        lines = [(title, 50, art.WHITE), (how, 34, _MUTED), (alone_words(table), 34, art.GOLD)]
        return [line for line in lines if line[0]]
    if table.bidder != NONE:
        bid = bid_name(table.bid, table.bid_trump).capitalize()
        return [(bid, 50, art.WHITE), (f"bid by {table.name(table.bidder)}", 34, _MUTED)]
    words = "thrown in" if table.finished and table.dealt else "nothing is bid yet" if table.auction else "not made yet"
    return [("Auction" if table.auction else "Trump", 50, art.WHITE), (words, 34, _MUTED)]


def _status_panel(canvas: pygame.Surface, table: Table) -> None:
    """Say which hand and trick this is, and who is to do what."""
    box = pygame.Rect(44, 1098, 486, 142)
    art.panel(canvas, box, art.PANEL, 225, 18, _EDGE)
    hand = f"Hand {table.hand_number}{tiebreak_words(table)}" if table.hand_number else "Before the first hand"
    trick = min(table.tricks_played + 1, table.rules.hand_size)
    playing = f", trick {trick} of {table.rules.hand_size}" if table.playing else ""
    turn = turn_words(table) or (f"{table.name(table.dealer)} is to deal" if not table.dealt else "The hand is over")
    words = "The game is over" if victory(table) else turn
    lines = [(hand + playing, 38, _MUTED), (words, 46, art.GOLD if table.turn != NONE else art.CREAM)]
    _lines(canvas, lines, (box.left + 24, box.top + 46), box.width - 48)


def _notes_panel(canvas: pygame.Surface, table: Table) -> None:
    """Show the cards that the observer knows of: laid away, passed, played in breach of the rules; above the status."""
    lying = [stack.cards for stack in table.stacks]
    notes = [note for note in table.notes if note.cards not in lying][:_MOST_NOTES]
    if not notes:
        return
    box = pygame.Rect(44, 0, 486, 16 + 62 * len(notes))
    box.bottom = 1086
    art.panel(canvas, box, art.PANEL, 225, 18, _EDGE)
    for i, note in enumerate(notes):
        _note(canvas, table, note, (box.left + 22, box.top + 39 + 62 * i))


def _note(canvas: pygame.Surface, table: Table, note: Note, at: tuple[int, int]) -> None:
    """Draw one note: what was done, small cards."""
    step = min(42, 232 // len(note.cards))
    words = note.words + (note.end if note.end.startswith(" to ") else "")
    art.text(canvas, words, at, art.fitted(words, 30, 196), art.CREAM, 0)
    for i, card in enumerate(note.cards):
        face = _face(table, card, 38)
        canvas.blit(face, face.get_rect(midleft=(at[0] + 206 + step * i, at[1])))


def _last_trick_panel(canvas: pygame.Surface, table: Table) -> None:
    """Show the trick before, small, the winning card lit."""
    best = table.winning(table.last_trick)
    if best is None:
        return
    box = pygame.Rect(1410, 1030, 466, 210)
    art.panel(canvas, box, art.PANEL, 225, 18, _EDGE)
    words = f"Last trick: {table.name(best[0])} won"
    _lines(canvas, [(words, 36, art.CREAM)], (box.left + 22, box.top + 32), box.width - 44)
    for (seat, card), off in zip(table.last_trick, art.spread(len(table.last_trick), 108), strict=True):
        x = round(box.centerx + off)
        face = _face(table, card, 78)
        place = face.get_rect(midtop=(x, box.top + 58))
        canvas.blit(art.lit(face) if (seat, card) == best else face, place)
        art.text(canvas, table.name(seat), (x, box.bottom - 20), 28, art.SIDE_COLOURS[table.rules.side(seat)])


def _upcard(canvas: pygame.Surface, table: Table) -> None:
    """Draw the rest of the pack with the up-card while trump is being made."""
    if table.upcard == NONE or table.trick or table.tricks_played or table.playing:
        return
    if table.upcard_state not in (Upcard.PROPOSED, Upcard.TURNED_DOWN):
        return
    down = table.upcard_state == Upcard.TURNED_DOWN
    x, y = _CENTRE
    for i in range(min(3, table.rules.num_buried)):
        art.place(canvas, art.card_back(170), (x - 15 + 5 * i, y - 38 + 4 * i), 5 - 2.5 * i)
    art.place(canvas, _face(table, table.upcard, 170), (x, y - 26), -3 if down else 0, grey=down)
    _label(canvas, f"up-card, {upcard_words(table)}", (x, y + 136))


def _trick(canvas: pygame.Surface, table: Table, around: dict[int, _Place]) -> None:
    best = table.winning(table.trick)
    for seat, card in table.trick:
        face, at = _face(table, card, 140), around[seat].trick
        if (seat, card) == best:
            art.glow(canvas, face.get_rect(center=at), art.GOLD, 16, 30)
            face = art.lit(face)
        art.place(canvas, face, at)


def _last_call(table: Table, seat: int) -> int:
    """Return what a seat said last in this round of calls; NONE for nothing, or once a trick is finished."""
    if table.tricks_played:
        return NONE
    calls = [call for call in table.calls if call[1] != HIDDEN_CARD]
    if table.upcard_state == Upcard.TURNED_DOWN:
        passes = [i for i, (_, call) in enumerate(calls) if call == PASS]
        calls = calls[passes[table.num_seats - 1] + 1 :] if len(passes) >= table.num_seats else calls
    said = [call for by, call in calls if by == seat]
    return said[-1] if said else NONE


def _call_parts(table: Table, seat: int, call: int) -> tuple[str, int]:
    """Return a call in the first person, and the suit to draw behind it (NONE for none)."""
    trump = trump_of(call)
    if trump != NONE:
        alone = " alone" if call >= CALL_ALONE else ""
        named = table.rules.auction == "with_trump" and int(table.state["bids"][seat]) > 0
        bid = f"{_bid_said(int(table.state['bids'][seat]) - 1)}, " if named else ""
        words = f"{bid}{TRUMP_WORDS[trump]}{alone}"
        return words[0].upper() + words[1:], trump if trump < NUM_SUITS else NONE
    if is_bid(call):
        return _bid_said(call - BID), NONE
    if call == ORDER_UP and seat == table.dealer:
        return "I pick it up", NONE
    return _special_call(table, seat, call), NONE


def _bid_said(bid: int) -> str:
    return "I shoot the moon" if bid == MOON else BID_NAMES[bid].capitalize()


def _special_call(table: Table, seat: int, call: int) -> str:
    """Return a call that means something of its own in some games."""
    if call == SWAP:
        words = "I swap three cards" if table.swapped_by == seat else "Your best card?"
        return "I take the ghost hand" if table.auction else words
    if call in (ALONE, WITH_PARTNER) and not table.rules.partners:
        return "Without the dummy!" if call == ALONE else "I take the dummy"
    return _SAID.get(call, "")


def _bubble(canvas: pygame.Surface, table: Table, seat: int, place: _Place) -> None:
    """Draw what a seat said last."""
    call = _last_call(table, seat)
    words, which = _call_parts(table, seat, call) if call != NONE else ("", NONE)
    if not words:
        return
    size = art.fitted(words, 42, _WIDEST_CALL)
    width = art.text_width(words, size) + 52 + (46 if which != NONE else 0)
    box = pygame.Rect(0, 0, width, 68)
    x, y = place.bubble
    box.midleft = (x - width, y) if place.anchor == 1 else (x, y)
    quiet = call in (PASS, DECLINE, WITH_PARTNER)
    colour = (206, 214, 206) if quiet else art.WHITE
    root = min(max(place.tail[0], box.left + 34), box.right - 34)
    pygame.draw.polygon(canvas, colour, [(root - 16, y), (root + 16, y), place.tail])
    art.panel(canvas, box, colour, 255, 30)
    art.text(canvas, words, (box.left + 26, y + 2), size, (84, 92, 88) if quiet else art.INK, 0)
    if which != NONE:
        art.suit(canvas, which, (box.right - 44, y), 40)


def _banner(canvas: pygame.Surface, table: Table) -> None:
    """Say in the middle how the hand or the game ended, or who is to deal first."""
    lines = _banner_lines(table)
    width = max(art.text_width(words, size) for words, size, _ in lines) + 140
    height = 64 + sum(size + 18 for _, size, _ in lines) + (74 if victory(table) else 0)
    box = pygame.Rect(0, 0, min(1150, max(620, width)), height)
    box.center = _CENTRE
    art.glow(canvas, box, art.GOLD if victory(table) else (0, 0, 0), 30, 34)
    art.panel(canvas, box, art.PANEL, 248, 30, art.GOLD)
    y = box.top + 36
    if victory(table):
        art.star(canvas, (box.centerx - 110, y + 36), 54, art.GOLD)
        art.crown(canvas, (box.centerx, y + 32), 104, art.GOLD)
        art.star(canvas, (box.centerx + 110, y + 36), 54, art.GOLD)
        y += 74
    for words, size, colour in lines:
        y += (size + 18) // 2
        art.text(canvas, words, (box.centerx, y), art.fitted(words, size, box.width - 80), colour)
        y += (size + 18) // 2


def _spelt(words: str) -> str:
    """Return words without the symbols of suits, which the font has not."""
    for symbol, suit in zip(SUIT_SYMBOLS, SUIT_NAMES, strict=True):
        words = words.replace(symbol, f" of {suit}")
    return words


def _banner_lines(table: Table) -> list[tuple[str, int, art.Colour]]:
    if not table.dealt:
        return [("Euchre", 92, art.GOLD), (f"{table.name(table.dealer)} deals the first hand", 46, art.CREAM)]
    if victory(table):
        head = (victory(table), 78, art.GOLD)
        return [
            head,
            *((line, 42, art.CREAM) for line in packed(list(map(_spelt, outcome(table))), _BANNER_LETTERS + 20)),
        ]
    first, *rest = map(_spelt, outcome(table))
    lines = packed(rest, _BANNER_LETTERS)
    size = 66 if len(lines) < 4 else 48
    return [(first, 46, art.CREAM), *((line, size, art.GOLD) for line in lines)]
