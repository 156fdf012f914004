"""The encoding of fixed positions, by version: whoever changes what a row means moves OBSERVATION_VERSION.

A checkpoint is refused where its version is not this one; a change without a new version would let networks read rows
that they were not trained on. After a wanted change: raise the version in `engine/observe.py`, name it in the
changelog, and add the digest that the failing test prints.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from euchre_env.engine.layout import Phase
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, OBSERVATION_VERSION, SEGMENTS
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from tests.golden.lines import ORDERED

NAMES = ("bicycle24", "north_american", "open_spiel", "tournament")
DIGESTS: dict[str, str] = json.loads(Path(__file__).with_name("observations.json").read_text("utf-8"))


def positions() -> Iterator[Game]:
    """Yield the positions of a few hands, the same whatever draws decks."""
    for number in range(24):
        deck = [ORDERED[(7 * place * (number // 4 + 1) + number) % 24] for place in range(24)]
        deck = deck if len(set(deck)) == 24 else ORDERED[number:] + ORDERED[:number]
        game = Game(NAMES[number % 4], dealer=number % 3, deck=deck, scores=[number % 9, 5], auto_deal=False)
        step = number
        while game.phase not in (Phase.DEAL, Phase.OVER):
            yield game
            legal = game.legal()
            step = (step * 1103515245 + 12345) % 2**31
            game.play(legal[step // 65536 % len(legal)])
        yield game


def digest() -> str:
    told = hashlib.sha256(repr([(s.name, s.size) for s in SEGMENTS]).encode())
    row = np.zeros(OBSERVATION_SIZE + HIDDEN_SIZE, dtype=np.int8)
    for game in positions():
        options = game.ruleset.to_options()
        for canonical in (False, True):
            kernels.observe_table(options, game.state, canonical, row)
            told.update(row.tobytes())
            for seat in range(4):
                kernels.observe_seat(options, game.state, seat, canonical, row[:OBSERVATION_SIZE])
                told.update(row[:OBSERVATION_SIZE].tobytes())
    return told.hexdigest()


def test_the_encoding_of_this_version() -> None:
    found = digest()
    assert DIGESTS.get(str(OBSERVATION_VERSION)) == found, f"version {OBSERVATION_VERSION} now encodes as {found}"


def test_positions_reach_every_phase() -> None:
    seen = {game.phase for game in positions()}
    assert seen >= {Phase.ORDER_UP, Phase.CALL, Phase.DISCARD, Phase.DECLARE, Phase.PLAY, Phase.DEAL}
