"""Drawings from which a table is put together: suits as polygons, card faces and backs, felt, plates and bubbles.

Everything is drawn at the size asked for on plain surfaces; no window, no display. The font is the one that pygame
brings, loaded anew for each line, because pygame invalidates fonts when a program shuts it down. Importing this module
needs pygame; `pixels.py` says so in one sentence where it is missing. `scene.py` decides what goes where.

>>> card_face(13, 150).get_size()
(150, 213)
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pygame

from euchre_env.cards import JOKER, NUM_RANKS, NUM_SUITS, RANKS, SUITS

Colour = tuple[int, int, int]
Point = tuple[float, float]

WHITE: Colour = (252, 251, 247)
INK: Colour = (28, 30, 34)
RED: Colour = (196, 30, 48)
BLACK: Colour = (26, 28, 34)
GOLD: Colour = (246, 200, 92)
CREAM: Colour = (240, 234, 216)
PANEL: Colour = (14, 40, 30)
SIDE_COLOURS: tuple[Colour, ...] = ((96, 170, 232), (240, 150, 84), (186, 140, 226), (120, 200, 130))
_VIOLET: Colour = (124, 78, 190)
CARD_RATIO = 1.42
_SMALL = 90
SUIT_COLOURS: tuple[Colour, ...] = (BLACK, RED, RED, BLACK)

_CROWN: tuple[Point, ...] = ((-1, -0.6), (-0.5, 0.1), (0, -0.9), (0.5, 0.1), (1, -0.6), (0.8, 0.7), (-0.8, 0.7))
# Where the pips of a number card stand: across 0..2, down 0..6; the lower half is drawn upside down.
_PIPS: dict[str, tuple[tuple[int, float], ...]] = {
    "7": ((0, 0), (2, 0), (1, 1.5), (0, 3), (2, 3), (0, 6), (2, 6)),
    "8": ((0, 0), (2, 0), (1, 1.5), (0, 3), (2, 3), (1, 4.5), (0, 6), (2, 6)),
    "9": ((0, 0), (2, 0), (0, 2), (2, 2), (1, 3), (0, 4), (2, 4), (0, 6), (2, 6)),
    "T": ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2), (0, 4), (2, 4), (1, 5), (0, 6), (2, 6)),
}


def font(size: int) -> pygame.font.Font:
    """Return pygame's own bold font at a size in pixels."""
    pygame.font.init()
    return pygame.font.Font(None, size)


def text(target: pygame.Surface, words: str, at: Point, size: int, colour: Colour, align: float = 0.5) -> pygame.Rect:
    """Write one line with its middle height at `at`; `align` 0 starts there, 0.5 centres, 1 ends there."""
    drawn = font(size).render(words, True, colour)
    box = drawn.get_rect(midleft=(round(at[0] - align * drawn.get_width()), round(at[1])))
    target.blit(drawn, box)
    return box


def text_width(words: str, size: int) -> int:
    """Return how wide a line is."""
    return font(size).size(words)[0]


def fitted(words: str, size: int, width: int) -> int:
    """Return the largest font size up to `size` at which a line is at most `width` wide."""
    return min(size, size * width // max(1, text_width(words, size)))


@lru_cache(maxsize=1)
def _outlines() -> dict[int, list[list[Point]]]:
    """Return the suits as polygons in a box of -1..1, y down."""
    turn = [2 * math.pi * i / 48 for i in range(48)]
    heart: list[Point] = [
        (math.sin(a) ** 3, -(13 * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a)) / 16)
        for a in turn
    ]
    heart = [(x, y * 1.03 - 0.12) for x, y in heart]
    spade = [(x * 0.96, -y * 0.8 - 0.22) for x, y in heart]
    foot: list[Point] = [(0, 0.1), (0.1, 0.6), (0.38, 0.98), (-0.38, 0.98), (-0.1, 0.6)]
    leaves = [
        [(cx + 0.46 * math.cos(a), cy + 0.46 * math.sin(a)) for a in turn]
        for cx, cy in ((0.0, -0.5), (-0.52, 0.24), (0.52, 0.24))
    ]
    waist: list[Point] = [(-0.3, -0.2), (0.3, -0.2), (0.3, 0.3), (-0.3, 0.3)]
    side = [i / 8 for i in range(8)]
    # Each edge of the diamond bends inwards a little.
    corners: list[Point] = [(0, -1), (0.76, 0), (0, 1), (-0.76, 0)]
    diamond: list[Point] = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        for s in side:
            bend = 1 - 0.28 * s * (1 - s)
            diamond.append(((ax + (bx - ax) * s) * bend, (ay + (by - ay) * s) * bend))
    return {0: [*leaves, waist, foot], 1: [diamond], 2: [heart], 3: [spade, foot]}


def suit(
    target: pygame.Surface, which: int, at: Point, size: float, colour: Colour | None = None, flip: bool = False
) -> None:
    """Draw a suit (C D H S) centred at a point, `size` high."""
    half, sign = size / 2, -1 if flip else 1
    paint = SUIT_COLOURS[which] if colour is None else colour
    for outline in _outlines()[which]:
        pygame.draw.polygon(target, paint, [(at[0] + x * half, at[1] + sign * y * half) for x, y in outline])


def star(target: pygame.Surface, at: Point, size: float, colour: Colour) -> None:
    """Draw a five-pointed star."""
    points = []
    for i in range(10):
        radius = size / 2 * (1 if i % 2 == 0 else 0.42)
        angle = math.pi * i / 5 - math.pi / 2
        points.append((at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)))
    pygame.draw.polygon(target, colour, points)


def crown(target: pygame.Surface, at: Point, size: float, colour: Colour) -> None:
    """Draw a crown with three points, `size` wide."""
    half = size / 2
    pygame.draw.polygon(target, colour, [(at[0] + x * half, at[1] + y * half * 0.8) for x, y in _CROWN])
    for x, y in (_CROWN[0], _CROWN[2], _CROWN[4]):
        pygame.draw.circle(target, colour, (at[0] + x * half, at[1] + y * half * 0.8), max(1.0, size * 0.09))


def panel(
    target: pygame.Surface, box: pygame.Rect, colour: Colour, alpha: int, radius: int, edge: Colour | None = None
) -> None:
    """Draw a rounded, possibly see-through panel."""
    plate = pygame.Surface(box.size, pygame.SRCALPHA)
    pygame.draw.rect(plate, (*colour, alpha), plate.get_rect(), border_radius=radius)
    if edge is not None:
        pygame.draw.rect(plate, (*edge, min(255, alpha + 40)), plate.get_rect(), width=3, border_radius=radius)
    target.blit(plate, box)


def glow(target: pygame.Surface, box: pygame.Rect, colour: Colour, radius: int, reach: int = 22) -> None:
    """Draw a soft light around a box."""
    halo = pygame.Surface((box.width + 2 * reach, box.height + 2 * reach), pygame.SRCALPHA)
    for i in range(reach, 0, -2):
        share = 1 - i / reach
        ring = halo.get_rect().inflate(2 * (i - reach), 2 * (i - reach))
        pygame.draw.rect(halo, (*colour, int(20 + 150 * share * share)), ring, border_radius=radius + i)
    target.blit(halo, box.move(-reach, -reach))


@lru_cache(maxsize=4)
def felt(width: int, height: int) -> pygame.Surface:
    """Return a green cloth, lighter in the middle and slightly rough, in a wooden rim."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = np.hypot((x / width - 0.5) * 1.1, (y / height - 0.48) * 1.15)
    light = np.clip(1.0 - 1.15 * away**1.5, 0, 1)[..., None]
    rough = np.random.default_rng(1).normal(0, 2.2, (height, width, 1)).astype(np.float32)
    dark, bright = np.array([10, 62, 44], np.float32), np.array([38, 138, 92], np.float32)
    cloth = np.clip(dark + (bright - dark) * light + rough, 0, 255).astype(np.uint8)
    surface = pygame.surfarray.make_surface(cloth.swapaxes(0, 1))
    rim = surface.get_rect()
    for inset, colour in enumerate(((58, 34, 20), (84, 50, 28), (104, 64, 36), (120, 76, 44), (70, 42, 24))):
        pygame.draw.rect(surface, colour, rim.inflate(-8 * inset, -8 * inset), width=5, border_radius=0)
    pygame.draw.rect(surface, (8, 46, 33), rim.inflate(-38, -38), width=4, border_radius=14)
    return surface


def _blank(width: int, height: int) -> pygame.Surface:
    """Return a white card with a thin edge."""
    card = pygame.Surface((width, height), pygame.SRCALPHA)
    radius = width // 10
    pygame.draw.rect(card, (120, 116, 106), card.get_rect(), border_radius=radius)
    pygame.draw.rect(card, WHITE, card.get_rect().inflate(-3, -3), border_radius=radius - 1)
    return card


def _indices(card: pygame.Surface, label: str, which: int) -> None:
    """Write rank and suit into two corners."""
    width = card.get_width()
    layer = pygame.Surface(card.get_size(), pygame.SRCALPHA)
    if which == NUM_SUITS:
        for i, letter in enumerate(label):
            text(layer, letter, (width * 0.13, width * (0.17 + 0.19 * i)), int(width * 0.26), _VIOLET)
    else:
        size = fitted(label, int(width * 0.44), int(width * 0.25))
        text(layer, label, (width * 0.155, width * 0.19), size, SUIT_COLOURS[which])
        suit(layer, which, (width * 0.155, width * 0.42), width * 0.17)
    card.blit(layer, (0, 0))
    card.blit(pygame.transform.rotate(layer, 180), (0, 0))


def _both_ends(card: pygame.Surface) -> None:
    """Copy the upper half, turned round, over the lower."""
    width, height = card.get_size()
    upper = card.subsurface((0, 0, width, height // 2)).copy()
    card.blit(pygame.transform.rotate(upper, 180), (0, height - height // 2))


def _pips(card: pygame.Surface, rank: str, which: int) -> None:
    width, height = card.get_size()
    for across, down in _PIPS[rank]:
        at = (width * (0.37 + 0.13 * across), height * (0.17 + 0.11 * down))
        suit(card, which, at, width * 0.18, flip=down > 3)


def _court(card: pygame.Surface, rank: str, which: int) -> None:
    """Draw jack, queen or king: a framed panel with headgear, letter and pips."""
    width, height = card.get_size()
    tint = (250, 236, 222) if which in (1, 2) else (228, 234, 244)
    frame = pygame.Rect(round(width * 0.27), round(height * 0.09), round(width * 0.46), round(height * 0.82))
    pygame.draw.rect(card, tint, frame, border_radius=8)
    pygame.draw.rect(card, (190, 148, 72), frame, width=3, border_radius=8)
    middle = width / 2
    if rank == "J":
        suit(card, which, (middle, height * 0.2), width * 0.2)
    else:
        crown(card, (middle, height * 0.21), width * (0.34 if rank == "K" else 0.26), (206, 156, 52))
    text(card, rank, (middle, height * 0.4), int(width * 0.5), SUIT_COLOURS[which])
    _both_ends(card)
    pygame.draw.line(card, (190, 148, 72), (frame.left, height / 2), (frame.right - 1, height / 2), 3)


def _two_for_joker(face: pygame.Surface, name: str) -> pygame.Surface:
    """4.1: draw a number card that stands for the joker, with the joker's star between its pips."""
    width, height = face.get_size()
    which = SUITS.index(name[-1])
    if width < _SMALL:
        text(face, name[0], (width / 2, height * 0.29), round(width * 0.78), _VIOLET)
        suit(face, which, (width / 2, height * 0.69), width * 0.58)
        return face
    for down, flip in ((0.2, False), (0.8, True)):
        suit(face, which, (width / 2, height * down), width * 0.24, flip=flip)
    star(face, (width / 2, height / 2), width * 0.4, _VIOLET)
    _indices(face, name[0], which)
    return face


@lru_cache(maxsize=160)
def card_face(card: int, width: int, joker: str = "JK") -> pygame.Surface:
    """Return the face of a card; a small one shows rank and suit alone. The joker may be a two of spades (4.1)."""
    height = round(width * CARD_RATIO)
    face = _blank(width, height)
    if card == JOKER and joker != "JK":
        return _two_for_joker(face, joker)
    if card == JOKER:
        star(face, (width / 2, height / 2), width * 0.56, _VIOLET)
        _indices(face, "JOKER", NUM_SUITS)
        return face
    which, rank = card // NUM_RANKS, RANKS[card % NUM_RANKS]
    label = "10" if rank == "T" else rank
    if width < _SMALL:
        text(face, label, (width / 2, height * 0.29), round(width * 0.78), SUIT_COLOURS[which])
        suit(face, which, (width / 2, height * 0.69), width * 0.58)
        return face
    if rank in "JQK":
        _court(face, rank, which)
    elif rank == "A":
        suit(face, which, (width / 2, height / 2), width * 0.5)
    else:
        _pips(face, rank, which)
    _indices(face, label, which)
    return face


@lru_cache(maxsize=8)
def card_back(width: int) -> pygame.Surface:
    """Return the back of a card: a blue lattice in a white border."""
    height = round(width * CARD_RATIO)
    back = _blank(width, height)
    inner = back.get_rect().inflate(-width // 7, -width // 7)
    pattern = pygame.Surface(inner.size)
    pattern.fill((38, 62, 122))
    step = max(8, width // 8)
    for i in range(-height, width + height, step):
        pygame.draw.line(pattern, (84, 116, 184), (i, 0), (i + height, height), 3)
        pygame.draw.line(pattern, (84, 116, 184), (i, 0), (i - height, height), 3)
    pygame.draw.rect(pattern, (150, 176, 226), pattern.get_rect(), width=4)
    back.blit(pattern, inner)
    centre = back.get_rect().center
    pygame.draw.circle(back, (38, 62, 122), centre, width * 0.2)
    pygame.draw.circle(back, (150, 176, 226), centre, width * 0.2, width=3)
    suit(back, 3, centre, width * 0.2, (204, 218, 244))
    return back


@lru_cache(maxsize=8)
def _shadow(width: int, height: int) -> pygame.Surface:
    shade = pygame.Surface((width + 16, height + 16), pygame.SRCALPHA)
    for i in range(4):
        box = shade.get_rect().inflate(-4 * i, -4 * i)
        pygame.draw.rect(shade, (0, 0, 0, 16 + 14 * i), box, border_radius=width // 8)
    return shade


def place(target: pygame.Surface, card: pygame.Surface, at: Point, angle: float = 0.0, grey: bool = False) -> None:
    """Put a card centred at a point, turned by an angle (degrees, against the clock), with its shadow."""
    shade = pygame.transform.rotozoom(_shadow(*card.get_size()), angle, 1)
    target.blit(shade, shade.get_rect(center=(at[0] + 3, at[1] + 5)))
    turned = pygame.transform.rotozoom(card, angle, 1) if angle else card
    if grey:
        turned = turned.copy()
        turned.fill((160, 172, 164, 255), special_flags=pygame.BLEND_RGBA_MULT)
    target.blit(turned, turned.get_rect(center=(round(at[0]), round(at[1]))))


def lit(card: pygame.Surface) -> pygame.Surface:
    """Return a copy of a card with a golden edge."""
    copy = card.copy()
    width = card.get_width()
    pygame.draw.rect(copy, (232, 168, 32), copy.get_rect(), width=max(4, width // 20), border_radius=width // 10)
    return copy


def spread(count: int, step: float) -> Sequence[float]:
    """Return the offsets of `count` things around a middle, `step` apart."""
    return [(i - (count - 1) / 2) * step for i in range(count)]
