"""Game: one game, checked and friendly. Rules live in `engine/`; text in `render/`; rewards and seats in `envs/`.

>>> game = Game("tournament", seed=3, dealer=0)
>>> game.turn, game.phase.name, [action_name(a) for a in game.legal()]
(1, 'ORDER_UP', ['pass', 'order up', 'order up alone'])
>>> game.why_not(ALONE)
'order up is due: pass, order up, order up alone (2.3).'
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.cards import EFFECTIVE_SUIT, JOKER, NUM_CARDS, NUM_RANKS, SUIT_NAMES, format_card, format_cards
from euchre_env.decks import check_deck, opening_dealer, shuffle
from euchre_env.engine.layout import ALONE, NUM_ACTIONS, PASS, STATE, Phase, action_name
from euchre_env.errors import IllegalActionError, StateError
from euchre_env.render.text import table_text
from euchre_env.ruleset import Ruleset
from euchre_env.single import actions_of, begin, carry_out, deal_hand, hide_from, legal

# The clause behind each kind of decision, and its name at the table.
_CLAUSES = {
    Phase.CLAIM: ("a claim", "Q-N22"),
    Phase.ORDER_UP: ("order up", "2.3"),
    Phase.CALL: ("a call", "2.4"),
    Phase.DISCARD: ("a discard", "2.3, Q-N3"),
    Phase.DECLARE: ("alone or with partner", "2.5"),
    Phase.BID: ("a bid", "8.2, 9.3"),
    Phase.NAME_TRUMP: ("a trump", "8.3, 9.4"),
    Phase.SWAP: ("asking for a partner's best card, or not", "7.5"),
    Phase.GIVE: ("a card for the loner", "7.5"),
    Phase.PLAY: ("a card", "1.4"),
}


def _is_number(value: object, below: int, lowest: int = 0) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and lowest <= int(value) < below


def _checked_key(key: int) -> int:
    if not _is_number(key, 2**64):
        raise StateError(f"key is {key!r}: it must be a whole number from 0 to 2**64 - 1.")
    return int(key)


def _is_list(value: object) -> bool:
    return (isinstance(value, Sequence) and not isinstance(value, str)) or np.ndim(value) == 1  # type: ignore[arg-type]


class Game:
    """One game from the first deal to the target.

    The first hand is dealt at once from `deck` (texts or ids, top first) or, without one, from the game's key; `seed`
    is an int, a Generator that gives the key, or None. Each later hand is dealt when the one before is over, or by
    `deal` if `auto_deal` is off. RulesetError, DeckError and StateError name what does not fit.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        *,
        seed: int | np.random.Generator | None = None,
        key: int | None = None,
        dealer: int | None = None,
        deck: Sequence[str | int] | None = None,
        scores: Sequence[int] | None = None,
        auto_deal: bool = True,
    ) -> None:
        self.ruleset = rulesets.get(ruleset)
        self.auto_deal = auto_deal
        self.state = np.zeros(1, dtype=STATE)
        self._options = self.ruleset.to_options()
        self._key = int(np.random.default_rng(seed).integers(2**63)) if key is None else _checked_key(key)
        begin(self._options, self.state, self._first_dealer(dealer))
        if scores is not None:
            self._set_scores(scores)
        self.deal(deck)

    def _first_dealer(self, dealer: int | None) -> int:
        if dealer is None:
            return opening_dealer(self.ruleset, self._key)
        if not _is_number(dealer, self.ruleset.num_seats):
            raise StateError(f"dealer is {dealer!r}: it must be a seat from 0 to {self.ruleset.num_seats - 1}.")
        return int(dealer)

    def _set_scores(self, scores: Sequence[int]) -> None:
        sides, target = self.ruleset.num_sides, self.ruleset.target
        lowest = self.ruleset.lowest_start
        fits = _is_list(scores) and len(scores) == sides and all(_is_number(s, target, lowest) for s in scores)
        if not fits:
            raise StateError(f"scores is {scores!r}: it needs {sides} numbers from {lowest} to {target - 1}.")
        self.state["scores"][0, : len(scores)] = scores

    def deal(self, deck: Sequence[str | int] | None = None) -> None:
        """Deal the next hand from a given deck or from the game's key; StateError unless a deal is due."""
        if self.phase != Phase.DEAL:
            raise StateError(
                "no deal is due: the hand is still being played." if not self.over else "the game is over."
            )
        if deck is not None:
            cards = check_deck(self.ruleset, deck)
        else:
            cards = np.empty(self.ruleset.deck, dtype=np.int8)
            record = self.state[0]
            key, pack = np.uint64(self._key), self._options["deck"][0]
            shuffle(pack, key, 0, int(record["hand"]), int(record["redeal"]), cards)
        deal_hand(self._options, self.state, cards)

    @property
    def phase(self) -> Phase:
        """What kind of decision is due."""
        return Phase(int(self.state["phase"][0]))

    @property
    def turn(self) -> int:
        """The seat to move, -1 when a deal is due or the game is over."""
        return int(self.state["turn"][0])

    @property
    def over(self) -> bool:
        """Whether a side has won."""
        return self.phase == Phase.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """Points by side."""
        return tuple(int(s) for s in self.state["scores"][0, : self.ruleset.num_sides])

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that won the game; none while it goes on."""
        won = int(self.state["winners"][0])
        return tuple(side for side in range(self.ruleset.num_sides) if won >> side & 1)

    @property
    def key(self) -> int:
        """The number from which all deals follow that no deck was given for (`decks.py`)."""
        return self._key

    @property
    def points(self) -> tuple[int, ...]:
        """Points by side of the hand that ended last, nil while one is being played."""
        return tuple(int(p) for p in self.state["points"][0, : self.ruleset.num_sides])

    def _checked_seat(self, seat: int) -> int:
        if not _is_number(seat, self.ruleset.num_seats):
            raise StateError(f"seat is {seat!r}: it must be a number from 0 to {self.ruleset.num_seats - 1}.")
        return int(seat)

    def hand(self, seat: int) -> int:
        """Return the cards of a seat as a set (`cards.py`); StateError for no seat."""
        self._checked_seat(seat)
        return int(self.state["hands"][0, seat])

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move, ascending."""
        return actions_of(int(legal(self._options, self.state)))

    def can(self, action: int) -> bool:
        """Whether the seat to move may do this."""
        return _is_number(action, NUM_ACTIONS) and bool(int(legal(self._options, self.state)) >> int(action) & 1)

    def why_not(self, action: int) -> str | None:
        """Return why the seat to move may not do this, from the clause; None if it may."""
        if self.can(action):
            return None
        if self.phase in (Phase.DEAL, Phase.OVER):
            return "the game is over (2.8)." if self.over else "no decision is due: the next hand is to be dealt."
        if not _is_number(action, NUM_ACTIONS):
            return f"{action!r} is not an action: ids run from 0 to {NUM_ACTIONS - 1}."
        return self._refusal(int(action)).replace(format_card(JOKER), self.ruleset.joker_card)

    def _refusal(self, action: int) -> str:
        due, clause = _CLAUSES[self.phase]
        if action < NUM_CARDS and self.phase in (Phase.PLAY, Phase.DISCARD):
            return self._card_refusal(action)
        if self.phase == Phase.CALL and self._joker_named() and action_name(action).split()[0] in ("pass", "call"):
            words = ", ".join(action_name(a) for a in self.legal())
            return f"the joker is turned up and the dealer names trump for it: {words} (4.3)."
        if action == PASS and self.phase == Phase.CALL:
            way_out = " or forfeit the deal" if self.ruleset.stick_the_dealer == "forfeit" else ""
            return f"the dealer is stuck: he must name a suit{way_out} (2.4, Q-N7)."
        if self.phase == Phase.CALL and action_name(action).startswith("call "):
            return self._call_refusal(action)
        if action == ALONE and self.phase == Phase.PLAY:
            return "the play has begun: going alone is declared before the first lead (2.5)."
        words = ", ".join(action_name(a) for a in self.legal())
        return f"{due} is due: {words} ({clause})."

    def _joker_named(self) -> bool:
        """Whether the dealer names trump for the joker (4.3)."""
        return int(self.state["upcard"][0]) == JOKER and self.ruleset.joker_up not in SUIT_NAMES

    def _turned_down(self) -> int:
        """Return the suit that the up-card proposed, the joker's where one was agreed (7.3)."""
        upcard = int(self.state["upcard"][0])
        return SUIT_NAMES.index(self.ruleset.joker_up) if upcard == JOKER else upcard // NUM_RANKS

    def _call_refusal(self, action: int) -> str:
        suits = {name: suit for suit, name in enumerate(SUIT_NAMES)}
        suit = suits.get(action_name(action).split()[1])
        if suit is None and self.ruleset.allow_no_trump == "off":
            return f"{self.ruleset.name} has no no-trump (1.6)."
        if suit is None and "low" in action_name(action) and self.ruleset.allow_no_trump == "high":
            return f"{self.ruleset.name} has no low no-trump (1.6, Q-C13)."
        if suit is not None and suit == self._turned_down():
            return f"{SUIT_NAMES[suit]} were turned down and may not be named (2.4, Q-N4)."
        if (
            suit is not None
            and self.ruleset.natural_trump_required
            and not self.hand(self.turn) >> NUM_RANKS * suit & 0xFF
        ):
            return f"naming {SUIT_NAMES[suit]} needs a card of that suit in hand, the left bower not counted (Q-N5)."
        if self.ruleset.alone_scope == "none":
            return f"nobody plays alone in {self.ruleset.name} (2.5, Q-N8)."
        return "alone is declared after trump is made, not with the call (2.5, Q-N8)."

    def _card_refusal(self, card: int) -> str:
        record, name = self.state[0], format_card(card)
        if self.phase == Phase.DISCARD and card == record["upcard"]:
            return f"{name} is the up-card, which may not be buried (2.3, Q-N3)."
        if not self.hand(self.turn) >> card & 1:
            return f"{name} is not in the hand: it holds {format_cards(self.hand(self.turn))}."
        led = int(EFFECTIVE_SUIT[record["trump"], record["cards"][record["trick"], 0]])
        holds = format_cards(self.legal())
        return f"{name} does not follow: {SUIT_NAMES[led]} were led and the hand holds {holds} (1.4)."

    def play(self, action: int) -> None:
        """Carry out an action of the seat to move, then deal if a deal is due; IllegalActionError says why not."""
        reason = self.why_not(action)
        if reason is not None:
            raise IllegalActionError(reason)
        carry_out(self._options, self.state, int(action))
        redealt = self.phase == Phase.DEAL and self.state["redeal"][0] > 0
        if redealt or (self.auto_deal and self.phase == Phase.DEAL):
            self.deal()

    def view(self, seat: int) -> npt.NDArray[np.void]:
        """Return what a seat may know, an array of one STATE; StateError for no seat."""
        seen = self.state.copy()
        hide_from(self._options, seen, self._checked_seat(seat))
        return seen

    @classmethod
    def at(cls, ruleset: str | Ruleset, states: npt.NDArray[np.void], key: int = 0) -> "Game":
        """Return a game in the position of a record, an array of one STATE; its next hands wait for `deal`."""
        game = cls(ruleset, key=key, dealer=0, auto_deal=False)
        game.state[:] = states
        return game

    def clone(self) -> "Game":
        """Return an independent game in the same state."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.state = self.state.copy()
        return twin

    def __str__(self) -> str:
        return table_text(self.ruleset, self.state[0])
