"""Worlds for search: a state drawn afresh from what one seat knows, and a state for a view of ours.

`worlds` draws the hidden cards and finds a deal that leads to them; here that becomes an OpenSpiel state with a full
legal history. What a seat remembers and its view does not hold is kept as it was: which cards it was dealt and which it
got later, and in which order it laid cards away.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

from euchre_env import single, worlds
from euchre_env.cards import cards_of
from euchre_env.engine.layout import NONE
from euchre_env.envs.open_spiel.setting import Setting, game_string, score_text
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset

_TWO_32 = 2.0**32
# Worlds drawn at once, and in all, until the last action is legal in one: a farmer's hand is rare (Q-N22).
_AT_ONCE = 512
_MOST = 1 << 18


def resampled(state: Any, player_id: int, sampler: Callable[[], float]) -> Any:
    """Return a state drawn evenly from the worlds that `player_id` cannot tell from this one."""
    table = state.table
    if not 0 <= player_id < table.setting.num_seats:
        raise StateError(f"player_id is {player_id}: seats run from 0 to {table.setting.num_seats - 1}.")
    rng = np.random.default_rng([int(sampler() * _TWO_32) for _ in range(4)])
    twin = state.get_game().new_initial_state()
    if twin.table.dealer == NONE and table.dealer != NONE:
        twin.apply_action(table.dealer)
    for deal in table.earlier:
        _play(twin, _Seen(table.setting, deal.record, deal.dealt, deal.moves, player_id), rng, ended=True)
    if not table.dealt:
        _deal_on(twin, table, player_id, rng)
        return twin
    ended = table.player < 0
    record = table.before if ended else table.record
    _play(twin, _Seen(table.setting, record, table.dealt, table.moves, player_id), rng, ended)
    return twin


def _deal_on(twin: Any, table: Any, player: int, rng: np.random.Generator) -> None:
    """Deal as many cards as are dealt: to the seat those that it has seen, to the others any of the rest."""
    setting = table.setting
    owners = setting.places(table.dealer) if setting.open_deal else (NONE,) * len(setting.pack)
    seen = [card for card, owner in zip(table.deck, owners, strict=False) if owner == player]
    rest = iter(rng.permutation([card for card in setting.pack if card not in seen]).tolist())
    for card, owner in zip(table.deck, owners, strict=False):
        twin.apply_action(card if owner == player else next(rest))


class _Seen:
    """A deal as one seat lived through it."""

    def __init__(
        self, setting: Setting, record: Any, dealt: tuple[int, ...], moves: Sequence[Any], player: int
    ) -> None:
        self.setting, self.moves, self.player = setting, moves, player
        self.hand = dealt[player]
        self.view = single.copied(record)
        single.hide_from(setting.options, self.view, player)

    def world(self, rng: np.random.Generator, last: int | None) -> Any:
        """Return a world [1] STATE in which the seat to move can do what it did last."""
        drawn = np.zeros(1 if last is None else _AT_ONCE, dtype=self.view.dtype)
        for _ in range(_MOST // _AT_ONCE):
            worlds.draw(self.setting.options, self.view, self.player, rng.integers(2**64, dtype=np.uint64), drawn)
            for k in range(len(drawn)):
                world = drawn[k : k + 1]
                if last is None or int(single.legal(self.setting.options, world)) >> last & 1:
                    return world
        raise StateError(f"no world of {_MOST} has the seat to move do what it did.")

    def deck(self, past: Any) -> list[int]:
        """Return the deck of an opening, the seat dealt what it was: what it got later changes places with that."""
        given = int(self.setting.deal(past.dealer, past.deck)["hands"][0, self.player])
        wrong, missing = cards_of(given & ~self.hand), cards_of(self.hand & ~given)
        places = dict(zip(wrong + missing, missing + wrong, strict=True))
        return [places.get(card, card) for card in past.deck]


def _play(twin: Any, seen: _Seen, rng: np.random.Generator, ended: bool) -> None:
    """Deal a world that fits what a seat has seen, and do in it all that was done; the last action ended the deal."""
    last = seen.moves[-1].action if ended else None
    past = worlds.opening(seen.setting.rules, seen.world(rng, last))
    for card in seen.deck(past)[: seen.setting.num_dealt]:
        twin.apply_action(card)
    done = [action for _, action in past.actions]
    for number, move in enumerate(seen.moves):
        # What the seat saw, and did itself, is as it was; the cards that others laid away are the world's.
        unseen = number < len(done) and not move.seen_by >> seen.player & 1
        twin.apply_action(done[number] if unseen else move.action)


def state_of_view(rules: Ruleset, view: Any, rng: np.random.Generator) -> Any:
    """Return a state in which the seat to move sees this view [1] STATE, drawn evenly from all worlds that fit it."""
    past = worlds.opening(rules, worlds.sample(rules, view, 1, rng))
    # A tie-break is played at scores that no game starts from.
    scores = [min(score, rules.target - 1) for score in past.scores]
    name, parameters = game_string(rules)
    # Rules may fix who deals first, not who deals later in a game.
    dealer = NONE if rules.fixed_dealer is None else past.dealer
    game = pyspiel.load_game(name, parameters | {"scores": score_text(scores), "dealer": dealer})
    state = game.new_initial_state()
    if game.setting.dealer == NONE:
        state.apply_action(past.dealer)
    for card in past.deck[: game.setting.num_dealt]:
        state.apply_action(card)
    for _, action in past.actions:
        state.apply_action(action)
    return state
