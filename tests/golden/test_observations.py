"""The encoding of fixed positions, by version: whoever changes what a row means moves OBSERVATION_VERSION.

A checkpoint is refused where its version is not this one; a change without a new version would let networks read rows
that they were not trained on. After a wanted change: raise the version in `engine/observe.py`, name it in the
changelog, and add the digest that the failing test prints.

Version 2 put further columns after those of version 1, which mean what they meant: the digest of version 1 is that of
their part of the rows. It is told from four games; version 2 from all.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from euchre_env import rulesets
from euchre_env.decks import deck as shuffled
from euchre_env.engine.layout import Phase
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, OBSERVATION_VERSION, SEGMENTS
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from tests.golden.lines import ORDERED

DIGESTS: dict[str, str] = json.loads(Path(__file__).with_name("observations.json").read_text("utf-8"))
# What version 1 was told from, and how many columns its segments had.
FIRST_NAMES = ("bicycle24", "north_american", "open_spiel", "tournament")
FIRST_SEGMENTS = [(s.name, 38 if s.name == "options" else s.size) for s in SEGMENTS[:17]]
FIRST_SIZE = sum(size for _, size in FIRST_SEGMENTS)


def hand_of(game: Game, step: int) -> Iterator[Game]:
    """Play a hand by numbers that follow from the first one; yield the game before each action and once after."""
    while game.phase not in (Phase.DEAL, Phase.OVER):
        yield game
        legal = game.legal()
        step = (step * 1103515245 + 12345) % 2**31
        game.play(legal[step // 65536 % len(legal)])
    yield game


def first_positions() -> Iterator[Game]:
    """Yield the positions of version 1."""
    for number in range(24):
        deck = [ORDERED[(7 * place * (number // 4 + 1) + number) % 24] for place in range(24)]
        deck = deck if len(set(deck)) == 24 else ORDERED[number:] + ORDERED[:number]
        scores = [number % 9, 5]
        game = Game(FIRST_NAMES[number % 4], dealer=number % 3, deck=deck, scores=scores, auto_deal=False)
        yield from hand_of(game, number)


def turned_up(pack: Sequence[int], card: int, places: int) -> list[int]:
    """Return a pack in which this card lies where the up-card will."""
    rest = [int(other) for other in pack if other != card]
    return [*rest[:places], card, *rest[places:]]


def positions() -> Iterator[Game]:
    """Yield the positions of a few hands of every game, the joker turned up in some."""
    for number, name in enumerate(rulesets.names() * 3):
        rules = rulesets.get(name)
        deck = [int(card) for card in shuffled(rules, key=number)]
        if rules.joker and number % 2:
            deck = turned_up(deck, rules.deck_ids[-1], rules.dealt_places * rules.hand_size)
        scores = [(number + side) % rules.target for side in range(rules.num_sides)]
        if rules.lowest_start < 0:
            scores[0] -= 150 * (number % 3)
        yield from hand_of(
            Game(rules, dealer=number % rules.num_seats, deck=deck, scores=scores, auto_deal=False), number
        )


def digest(games: Iterator[Game], segments: Sequence[tuple[str, int]]) -> str:
    """Return the digest of the columns of these segments, which come first in a row, and of what is hidden."""
    told = hashlib.sha256(repr(segments).encode())
    size = sum(size for _, size in segments)
    row = np.zeros(OBSERVATION_SIZE + HIDDEN_SIZE, dtype=np.int8)
    for game in games:
        options = game.ruleset.to_options()
        for canonical in (False, True):
            kernels.observe_table(options, game.state, canonical, row)
            told.update(row[:size].tobytes() + row[OBSERVATION_SIZE:].tobytes())
            for seat in range(game.ruleset.num_seats):
                kernels.observe_seat(options, game.state, seat, canonical, row[:OBSERVATION_SIZE])
                told.update(row[:size].tobytes())
    return told.hexdigest()


def test_the_encoding_of_this_version() -> None:
    found = digest(positions(), [(s.name, s.size) for s in SEGMENTS])
    assert DIGESTS.get(str(OBSERVATION_VERSION)) == found, f"version {OBSERVATION_VERSION} now encodes as {found}"


def test_the_columns_of_version_1_mean_what_they_meant() -> None:
    assert FIRST_SIZE == 518
    assert digest(first_positions(), FIRST_SEGMENTS) == DIGESTS["1"]


def test_what_no_game_of_version_1_sets_stays_at_nil() -> None:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    for game in first_positions():
        for seat in range(4):
            kernels.observe_seat(game.ruleset.to_options(), game.state, seat, False, row)
            assert not row[sum(s.size for s in SEGMENTS[:17]) :].any()


def test_positions_reach_every_phase() -> None:
    seen = {game.phase for game in positions()}
    assert seen >= set(Phase) - {Phase.CLAIM, Phase.SWAP, Phase.OVER}
