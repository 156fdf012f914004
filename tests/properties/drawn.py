"""What Hypothesis draws: rulesets, games in words of choice numbers, and symmetries of the table."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import settings as examples
from hypothesis import strategies as st

from euchre_env.engine.layout import Phase
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from tests.rules.houses import CATALOGUE, mixed, single_changes

# Any ruleset: of the catalogue, one with one change, or a mix of all options.
houses = (
    st.sampled_from(CATALOGUE)
    | st.sampled_from([rules for _, rules in single_changes()])
    | st.integers(0, 10_000).map(lambda seed: mixed(np.random.default_rng(seed)))
)
keys = st.integers(0, 2**63 - 1)
# Taken modulo the seats.
dealers = st.integers(0, 3)
# Which of the legal actions is taken at each step; past the end of the list the first one (a pass, the lowest card).
choices = st.lists(st.integers(0, 59), max_size=60)


def some(share: float) -> examples:
    """Return settings with a share of the examples of the profile, for what takes long."""
    most = examples.default.max_examples if examples.default is not None else 100
    return examples(max_examples=max(1, int(most * share)))


def one_hand(rules: Ruleset, key: int, dealer: int, **settings: Any) -> Game:
    """Return a game whose first hand is dealt."""
    return Game(rules, key=key, dealer=dealer % rules.num_seats, auto_deal=False, **settings)


def pick(game: Game, waiting: Iterator[int]) -> int:
    """Return the legal action that the next number chooses."""
    legal = game.legal()
    return legal[next(waiting, 0) % len(legal)]


def under_way(game: Game) -> bool:
    """Whether the hand is still being played."""
    return game.phase not in (Phase.DEAL, Phase.OVER)


def steps(game: Game, numbers: list[int]) -> Iterator[Game]:
    """Play a hand by choice numbers; yield the game before each action and once after the last.

    A claim ends it: what is dealt next is another hand.
    """
    waiting, redeals = iter(numbers), game.state["redeal"][0]
    while under_way(game) and game.state["redeal"][0] == redeals:
        yield game
        game.play(pick(game, waiting))
    yield game


def finish(game: Game, numbers: list[int]) -> Game:
    """Play a hand to its end."""
    for _ in steps(game, numbers):
        pass
    return game
