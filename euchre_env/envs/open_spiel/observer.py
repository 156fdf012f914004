"""What a seat sees of a state: tensors and strings for OpenSpiel's observers and information states.

An observation is the engine's (`engine/observe.py`), segment by segment. An information state adds what perfect recall
needs and a card player's memory holds: whose it is, the own hand as dealt, the order of the own discards, and what
went before a redeal. While dealing a seat sees its cards so far; where a call can be blind (4.3) nobody looks at his
cards before the deal is done. Strings tell what tensors tell.

>>> from euchre_env.envs import open_spiel
>>> state = open_spiel.game("tournament", dealer=3).new_initial_state()
>>> state.information_state_string(0)
'seat 0; scores 0 0; dealer 3; 0 cards dealt'
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from euchre_env.cards import NUM_CARDS, cards_of, format_card, format_cards
from euchre_env.engine.layout import HIDDEN_CARD, MAX_SEATS, NONE, Phase, action_name
from euchre_env.engine.observe import OBSERVATION_SIZE, SEGMENTS, columns, decode
from euchre_env.envs import _kernels as kernels
from euchre_env.envs.open_spiel.limits import MAX_REDEALS
from euchre_env.envs.open_spiel.setting import Setting

# A part of a tensor by name, and its shape.
Piece = tuple[str, tuple[int, ...]]

# Segments that one seat alone, or it and its partner, may know.
_PRIVATE = ("hand", "buried", "passed")
_CARDS = frozenset({"hand", "upcard", "buried", "passed", "reneged"})
_EVERYBODY = 0xF


class EuchreObserver:
    """An observer as `open_spiel.python.observation` describes it: `tensor`, `dict`, `set_from`, `string_from`."""

    def __init__(self, setting: Setting, kind: Any, params: Mapping[str, Any] | None = None) -> None:
        if params:
            raise ValueError(f"observation parameters are {params!r}: there are none.")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("an observation is one seat's: private_info is SINGLE_PLAYER or NONE.")
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public, self._recall = bool(kind.public_info), bool(kind.perfect_recall)
        self._row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
        self._segments = [s for s in SEGMENTS if (self._private if s.name in _PRIVATE else self._public)]
        pieces: list[Piece] = [(s.name, (s.size,)) for s in self._segments]
        if self._recall:
            pieces += self._memory(setting)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in pieces), dtype=np.float32)
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        at = 0
        for name, shape in pieces:
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size
        self._shown = sum(s.size for s in self._segments)
        self._columns = np.concatenate([[], *(np.arange(OBSERVATION_SIZE)[columns(s.name)] for s in self._segments)])
        self._columns = self._columns.astype(np.int64)

    def _memory(self, setting: Setting) -> list[Piece]:
        """Return what perfect recall adds to an observation."""
        redeals = MAX_REDEALS if setting.rules.farmers_hand == "redeal" else 0
        public: list[Piece] = [("player", (setting.num_seats,)), ("cards_dealt", (1,))]
        private: list[Piece] = [("dealt", (NUM_CARDS,)), ("laid_away_as", (NUM_CARDS,))]
        if redeals:
            public.append(("claimed_by", (redeals, MAX_SEATS)))
            private.append(("dealt_before", (redeals, NUM_CARDS)))
        return [*(public if self._public else ()), *(private if self._private else ())]

    def set_from(self, state: Any, player: int) -> None:
        """Write what `player` sees of the state into `tensor` and `dict`."""
        table = state.table
        kernels.observe_seat(table.setting.options, table.shown(), player, False, self._row)
        self.tensor[: self._shown] = self._row if self._shown == OBSERVATION_SIZE else self._row[self._columns]
        if not self._recall:
            return
        self.tensor[self._shown :] = 0
        if self._public:
            self._remember_public(table, player)
        if self._private:
            self._remember_private(table, player)

    def _remember_public(self, table: Any, player: int) -> None:
        self.dict["player"][player] = 1
        self.dict["cards_dealt"][0] = len(table.deck) if not table.dealt else 0
        for at, deal in enumerate(table.earlier):
            self.dict["claimed_by"][at, (deal.moves[-1].seat - player) % table.setting.num_seats] = 1

    def _remember_private(self, table: Any, player: int) -> None:
        if table.dealt and not table.blind:
            _mark(self.dict["dealt"], table.dealt[player])
        for number, card in enumerate(_laid_away(table, player)):
            self.dict["laid_away_as"][card] = 1 + number
        for at, deal in enumerate(table.earlier):
            _mark(self.dict["dealt_before"][at], deal.dealt[player])

    def string_from(self, state: Any, player: int) -> str:
        """Return what `player` sees of the state as text."""
        if not self._recall:
            return self._facts(state, player)
        table, parts = state.table, []
        if self._public:
            parts += [f"seat {player}", f"scores {_numbers(table.record['scores'][0], table.setting.rules.num_sides)}"]
            parts += [f"dealer {table.dealer}"] if table.dealer != NONE else []
        for deal in table.earlier:
            parts += self._deal_text(deal.dealt, deal.moves, player)
        if not table.dealt:
            return "; ".join([*parts, *self._dealing_text(table, player)])
        parts += self._deal_text((0,) * MAX_SEATS if table.blind else table.dealt, table.moves, player, table.record)
        if self._private and not table.blind:
            parts.append(f"hand {format_cards(int(table.record['hands'][0, player]))}")
        if self._public:
            parts.append(_turn(table))
        return "; ".join(parts)

    def _dealing_text(self, table: Any, player: int) -> list[str]:
        """Return how far the deal has come, and the own cards so far."""
        hand = int(table.shown()["hands"][0, player])
        public = [f"{len(table.deck)} cards dealt"] if self._public else []
        return public + ([f"hand {format_cards(hand)}"] if self._private and hand else [])

    def _deal_text(self, dealt: Any, moves: Any, player: int, record: Any = None) -> list[str]:
        """Return a hand as dealt, the up-card, and all that was said and played, cards face down where unseen."""
        private = [f"dealt {format_cards(dealt[player])}"] if self._private else []
        upcard = int(record["upcard"][0]) if record is not None else NONE
        turned = [f"up {format_card(upcard)}"] if self._public and upcard != NONE else []
        return [*private, *turned, *self._moves_text(moves, player)]

    def _moves_text(self, moves: Any, player: int) -> list[str]:
        words = []
        for move in moves:
            open_to_all = move.seen_by == _EVERYBODY
            if self._public or (move.seen_by >> player & 1 and not open_to_all):
                known = open_to_all or (self._private and move.seen_by >> player & 1)
                words.append(f"{move.seat} {action_name(move.action if known else HIDDEN_CARD)}")
        return ["moves " + ", ".join(words)] if words else []

    def _facts(self, state: Any, player: int) -> str:
        """Return the segments of the observation that say something."""
        kernels.observe_seat(state.table.setting.options, state.table.shown(), player, False, self._row)
        facts = decode(self._row)
        shown = [(s, facts[s.name]) for s in self._segments if s.name != "options"]
        return "; ".join(f"{s.name} {_fact(s.name, value)}" for s, value in shown if _says(value))


def _laid_away(table: Any, player: int) -> list[int]:
    """Return the cards that a seat laid away in this deal, in that order."""
    own = 1 << player
    return [move.action for move in table.moves if move.seen_by == own and move.seat == player]


def _mark(columns_of_cards: npt.NDArray[np.float32], cards: int) -> None:
    for card in cards_of(cards):
        columns_of_cards[card] = 1


def _numbers(values: Any, count: int) -> str:
    return " ".join(str(int(value)) for value in values[:count])


def _turn(table: Any) -> str:
    phase = Phase(int(table.record["phase"][0])).name.lower().replace("_", " ")
    return f"to move {table.player}, {phase}" if table.player >= 0 else "the hand is over"


def _says(value: Any) -> bool:
    """Whether a decoded segment holds anything: ids, or numbers that are not all nil."""
    return bool(value)


def _fact(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{format_card(card)} {at}" for card, at in sorted(value.items()))
    return format_cards(value) if name in _CARDS else " ".join(map(str, value))
