"""EuchreState: one hand as an OpenSpiel state. Rules come from the engine; what seats see is `observer.py`.

A hand starts with chance: the dealer, unless the game fixes him, then the deck card by card in the order of the deal
(1.2) until only the buried cards are left, whose order means nothing. A claimed redeal (Q-N22) is dealt again.

>>> import pyspiel
>>> from euchre_env.envs import open_spiel
>>> state = open_spiel.game("tournament", dealer=3).new_initial_state()
>>> for card in state.get_game().setting.pack[:21]:
...     state.apply_action(card)
>>> state.current_player(), [state.action_to_string(action) for action in state.legal_actions()]
(0, ['pass', 'order up', 'order up alone'])
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import pyspiel

from euchre_env import single
from euchre_env.cards import cards_of, format_card, format_cards
from euchre_env.engine.layout import CLAIM_REDEAL, DECLINE, NONE, Phase, action_name
from euchre_env.envs.open_spiel.limits import MAX_REDEALS
from euchre_env.envs.open_spiel.observer import EuchreObserver
from euchre_env.envs.open_spiel.resampling import resampled
from euchre_env.envs.open_spiel.setting import Setting
from euchre_env.render.text import table_text

CHANCE = int(pyspiel.PlayerId.CHANCE)
TERMINAL = int(pyspiel.PlayerId.TERMINAL)

_DISCARD, _GIVE = int(Phase.DISCARD), int(Phase.GIVE)
_EVERYBODY = 0xF


class Move(NamedTuple):
    """What a seat did, and the set of seats that saw which card it was."""

    seat: int
    action: int
    seen_by: int


class Deal(NamedTuple):
    """A deal that ended in a claimed redeal: the record in which it was claimed, the hands dealt, what was said."""

    record: Any
    dealt: tuple[int, ...]
    moves: tuple[Move, ...]


class Table:
    """All that a state knows: cheap to copy, plain to pickle. No record is written once it is made."""

    __slots__ = ("before", "blind", "dealt", "deck", "earlier", "legal", "moves", "paid", "player", "record", "setting")

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.record = setting.record(setting.dealer)
        self.before = self.record  # that before the last action
        self.deck: list[int] = []  # cards dealt so far, in the order of the deal
        self.dealt: tuple[int, ...] = ()  # the hands as dealt, by seat; nothing while dealing
        self.blind = False  # whether nobody has looked at his cards yet (4.3)
        self.moves: list[Move] = []
        self.earlier: tuple[Deal, ...] = ()
        self.legal = 0  # of the seat to move, as a set
        self.player = CHANCE
        self.paid: list[float] | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        twin = object.__new__(Table)
        for name in Table.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.deck, twin.moves = self.deck[:], self.moves[:]
        return twin

    @property
    def dealer(self) -> int:
        """Who deals, -1 while that is open."""
        return int(self.record["dealer"][0])

    def shown(self) -> Any:
        """Return the record that seats are shown, each its part: while dealing, with the cards that have been dealt."""
        if self.dealt or not self.setting.open_deal:
            return self.record
        record = single.copied(self.record)
        for card, seat in zip(self.deck, self.setting.places(self.dealer) if self.deck else (), strict=False):
            if seat != NONE:
                record["hands"][0, seat] |= 1 << card
        return record

    def outcomes(self) -> list[int]:
        """Return what chance can do, ascending: a dealer, or a card that is not dealt yet."""
        if self.dealer == NONE:
            return list(range(self.setting.num_seats))
        gone = set(self.deck)
        return [card for card in self.setting.pack if card not in gone]

    def chance(self, outcome: int) -> None:
        """Choose the dealer, or deal a card; the hand begins with the last one."""
        if self.dealer == NONE:
            self.record = self.setting.record(outcome)
            return
        self.deck.append(outcome)
        if len(self.deck) == self.setting.num_dealt:
            self.record = self.setting.deal(self.dealer, [*self.deck, *self.outcomes()])
            self.dealt = tuple(int(hand) for hand in self.record["hands"][0])
            self.blind = self._hides_hands()
            self._show()

    def _hides_hands(self) -> bool:
        view = single.copied(self.record)
        single.hide_from(self.setting.options, view, 0)
        return bool(view["hands"][0, 0] == 0)

    def act(self, action: int) -> None:
        """Carry out an action of the seat to move, which must be legal."""
        move = Move(self.player, action, self._seen_by(action))
        self.before, self.record = self.record, single.copied(self.record)
        single.carry_out(self.setting.options, self.record, action)
        self.moves.append(move)
        self.blind = False  # only the call that makes trump is blind
        if action == CLAIM_REDEAL:
            self.earlier = (*self.earlier, Deal(self.before, self.dealt, tuple(self.moves)))
            self.moves, self.deck, self.dealt = [], [], ()
            self.player, self.legal = CHANCE, 0
        else:
            self._show()

    def _seen_by(self, action: int) -> int:
        """1.8: a card laid away is known to its owner alone, one that is given to the two partners."""
        phase = int(self.record["phase"][0])
        own = 1 << self.player
        if phase == _DISCARD and action != DECLINE:
            return own
        return own | 1 << (self.player + 2) % 4 if phase == _GIVE else _EVERYBODY

    def _show(self) -> None:
        """Find out who is to move and what he may do, or what the hand paid."""
        self.player = int(self.record["turn"][0])
        if self.player < 0:
            self.player, self.legal = TERMINAL, 0
            self.paid = self.setting.pay(self.record)
            return
        self.legal = int(single.legal(self.setting.options, self.record))
        if len(self.earlier) == MAX_REDEALS:
            self.legal &= ~(1 << CLAIM_REDEAL)


@functools.lru_cache(maxsize=1 << 14)
def _ids(legal: int) -> tuple[int, ...]:
    return tuple(single.actions_of(legal))


@functools.lru_cache(maxsize=256)
def _observer(setting: Setting, recall: bool) -> EuchreObserver:
    return EuchreObserver(setting, pyspiel.IIGObservationType(perfect_recall=recall))


def _tensor(state: "EuchreState", seat: int, recall: bool) -> list[float]:
    observer = _observer(state.table.setting, recall)
    observer.set_from(state, seat)
    return observer.tensor.tolist()


class EuchreState(pyspiel.State):
    """A hand in progress; `EuchreGame.new_initial_state` makes one.

    `undo_action` raises: OpenSpiel keeps the history of Python states where they cannot shorten it.
    """

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game)
        self.table = Table(game.setting)

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        return self.table.player

    def is_terminal(self) -> bool:
        """Whether the hand is over."""
        return self.table.player == TERMINAL

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return _ids(self.table.legal) if player == self.table.player else ()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities, which are equal."""
        outcomes = self.table.outcomes()
        return [(outcome, 1.0 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        if self.table.player >= 0:
            if not self.table.legal >> action & 1:
                raise pyspiel.SpielError(f"{action_name(action)} is not legal here: {self._choices()}.")
            self.table.act(action)
        elif action in self.table.outcomes():
            self.table.chance(action)
        else:
            raise pyspiel.SpielError(f"{action} is no outcome of chance here: {self.table.outcomes()}.")

    def _choices(self) -> str:
        return ", ".join(action_name(action) for action in _ids(self.table.legal))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return action_name(action)
        # A card's id may be a seat's number too: what is drawn is told by whether there is a dealer.
        return f"seat {action} deals" if self.table.dealer == NONE else f"deal {format_card(action)}"

    def information_state_tensor(self, *player: int) -> list[float]:
        """Return what OpenSpiel's own method returns, in a third of its time; without a seat, the mover's."""
        seat = player[0] if player else self.table.player
        if not 0 <= seat < self.table.setting.num_seats:
            return super().information_state_tensor(*player)  # type: ignore[no-any-return]
        return _tensor(self, seat, recall=True)

    def observation_tensor(self, *player: int) -> list[float]:
        """Return what OpenSpiel's own method returns, in a third of its time; without a seat, the mover's."""
        seat = player[0] if player else self.table.player
        if not 0 <= seat < self.table.setting.num_seats:
            return super().observation_tensor(*player)  # type: ignore[no-any-return]
        return _tensor(self, seat, recall=False)

    def returns(self) -> list[float]:
        """Return what the hand paid each seat, nil before its end."""
        return list(self.table.paid or [0.0] * self.table.setting.num_seats)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "EuchreState":
        """Return a state drawn evenly from all worlds in which this seat would know what it knows now.

        It has a full legal history of its own, in which the other hands, the buried cards and what others laid away
        are drawn afresh. `probability_sampler` gives numbers from 0 up to 1.
        """
        twin: EuchreState = resampled(self, player_id, probability_sampler)
        return twin

    def __str__(self) -> str:
        table = self.table
        if table.player == CHANCE:
            said = f"seat {table.dealer} deals" if table.dealer != NONE else "the dealer is drawn"
            return f"{said}: {format_cards(table.deck)}" + f"; redeal {len(table.earlier)}" * bool(table.earlier)
        said = ", ".join(f"{move.seat} {action_name(move.action)}" for move in table.moves)
        hands = " | ".join(format_cards(cards_of(hand)) for hand in table.dealt)
        return f"{table_text(table.setting.rules, table.record)}\n\ndealt {hands}\nmoves {said}"
