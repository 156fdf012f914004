"""Decks by hand and random play, for the tests of the environments."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.cards import parse_cards
from euchre_env.ruleset import Ruleset

PASS, ORDER_UP, DECLINE = 33, 34, 50
COMBINATIONS = [
    ("hand", "zero_sum"),
    ("hand", "score"),
    ("hand", "equity"),
    ("game", "zero_sum"),
    ("game", "score"),
    ("game", "win"),
    ("game", "equity"),
]
# Every ruleset in every way that pays: the default run takes all ways of one, and one or two ways of each.
VARIANTS = [
    pytest.param(
        name,
        *combination,
        id=f"{name}-{'-'.join(combination)}",
        marks=() if name == "tournament" or (place + number) % len(COMBINATIONS) == 0 else (pytest.mark.slow,),
    )
    for number, name in enumerate(rulesets.names())
    for place, combination in enumerate(COMBINATIONS)
]


def deck_of(rules: Ruleset, dealer: int, hands: Mapping[int, Iterable[int] | str], upcard: int) -> list[int]:
    """Return a deck that deals these cards and this up-card, packets of three and two, the other cards in id order."""
    wanted = {seat: parse_cards(h) if isinstance(h, str) else list(h) for seat, h in hands.items()}
    taken = {upcard, *(card for hand in wanted.values() for card in hand)}
    rest = [card for card in rules.deck_ids if card not in taken]
    order = [(dealer + 1 + place) % 4 for place in range(4)]
    full = {}
    for seat in order:
        hand = wanted.get(seat, [])
        full[seat] = hand + [rest.pop(0) for _ in range(5 - len(hand))]
    rounds = [full[seat][:3] for seat in order] + [full[seat][3:] for seat in order]
    return [card for packet in rounds for card in packet] + [upcard, *rest]


def legal_of(env: Any) -> list[int]:
    """Return the legal actions of the selected seat."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def random_choice(env: Any, rng: np.random.Generator) -> int | None:
    """Return a random legal action of the selected seat, None once it is done."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return int(rng.choice(legal_of(env)))


def play_episode(env: Any, rng: np.random.Generator, each: Callable[[], None] | None = None) -> dict[str, float]:
    """Play an episode at random through `last()`, calling `each` before every step; return what each seat was told."""
    told = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        if each is not None:
            each()
        told[agent] += env.last()[1]
        env.step(random_choice(env, rng))
    return told
