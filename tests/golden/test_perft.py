"""Perft: the number of legal lines to depth d from fixed positions, against those of an independent count."""

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import rulesets
from euchre_env.engine.layout import NUM_ACTIONS, Phase
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from tests.golden import lines
from tests.rules.tables import ACTIONS

POSITIONS: list[dict[str, Any]] = json.loads(lines.FILE.read_text("utf-8"))
IDS = [f"{i}-{p['ruleset']}" for i, p in enumerate(POSITIONS)]
# In the default run the engine counts as far as this, the model less far.
ENGINE_COUNTS, MODEL_COUNTS = 12_000, 700


def start(position: dict[str, Any]) -> Game:
    rules = rulesets.get(position["ruleset"]).replace(**position["options"])
    game = Game(rules, dealer=position["dealer"], deck=position["deck"], auto_deal=False)
    for word in position["line"]:
        game.play(ACTIONS[word])
    return game


def count_lines(options: Any, states: npt.NDArray[np.void], depth: int, room: npt.NDArray[np.int8]) -> int:
    """Return the number of lines of this depth; a hand that is over, or given up by a claim, is one."""
    if states["phase"][0] in (Phase.DEAL, Phase.OVER):
        return 1
    _, legal = kernels.look(options, states, False, room)
    if depth == 1:
        return int(legal).bit_count()
    total = 0
    for action in range(NUM_ACTIONS):
        if legal >> action & 1:
            after = states.copy()
            kernels.act(options, after, action, False, room)
            total += count_lines(options, after, depth - 1, room)
    return total


def engine_counts(position: dict[str, Any], most: int) -> list[int]:
    game, room = start(position), np.zeros(NUM_ACTIONS, dtype=np.int8)
    depths = [depth for depth, count in enumerate(position["counts"], 1) if count <= most]
    return [count_lines(game.ruleset.to_options(), game.state, depth, room) for depth in depths]


@pytest.mark.parametrize("position", POSITIONS, ids=IDS)
def test_engine(position: dict[str, Any]) -> None:
    found = engine_counts(position, ENGINE_COUNTS)
    assert found == position["counts"][: len(found)]
    assert len(found) >= 4


@pytest.mark.parametrize("position", POSITIONS, ids=IDS)
def test_model(position: dict[str, Any]) -> None:
    found = lines.counts(position, MODEL_COUNTS)
    assert found == position["counts"][: len(found)]


def test_the_positions_are_those_of_the_program() -> None:
    assert [{key: p[key] for key in p if key != "counts"} for p in POSITIONS] == lines.positions()


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=IDS)
def test_all_depths(position: dict[str, Any]) -> None:
    assert engine_counts(position, lines.MOST * 10) == position["counts"]
    assert lines.counts(position, lines.MOST) == position["counts"]
