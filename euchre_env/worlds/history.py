"""The way back from a world to its deal: a deck and the actions that lead from it to the record.

The public calls are in the record; which card was laid away when, what was dealt and what came later, is found here.
Where several ways lead to a world, one of them is taken.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.cards import JOKER, NUM_RANKS, NUM_SUITS, cards_of, mask_of
from euchre_env.dealing import KITTY, UPCARD, hand_of, plan_of
from euchre_env.engine.layout import (
    CLAIM_REDEAL,
    FARMERS_CARDS,
    HIDDEN_CARD,
    LOW_CARDS,
    NONE,
    STATE,
    Phase,
    Purpose,
    Upcard,
)
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset
from euchre_env.single import begin, carry_out, deal_hand, legal
from euchre_env.worlds.plan import has_dummy, has_given, has_received, has_swapped, is_swapper
from euchre_env.worlds.sampling import one_record

_SWAPPED = 3
_RULED_OUT = "no deal leads to this record: it is no world of {}."


class Opening(NamedTuple):
    """A deal and what was done since: `deck` as `Game(deck=...)` takes it, and what the table brought into the hand."""

    deck: tuple[int, ...]
    dealer: int
    scores: tuple[int, ...]  # by side, as `Game(scores=...)` takes them
    actions: tuple[tuple[int, int], ...]  # seat and action, in order
    hand: int = 0  # hands before this one in the game
    redeal: int = 0  # deals of this hand given up before (Q-N22)
    tied: int = 0  # set of sides between which this hand is a tie-break (9.7)


class _Hand(NamedTuple):
    """What a seat was dealt and what became of it, as sets."""

    dealt: int
    dummy: int  # taken (5, 6)
    swapped: int  # laid away for the buried cards (Q-N22)
    taken: int  # those


def opening(ruleset: str | Ruleset, world: "npt.NDArray[np.void] | np.void") -> Opening:
    """Return a deal and the actions that lead to a full record under play; StateError if none does."""
    rules = rulesets.get(ruleset)
    states = one_record("a world", world)
    if states["turn"][0] < 0:
        raise StateError("nobody moves at a table at rest: there is nothing to go back from.")
    return _Past(rules, states).found()


def replay(ruleset: str | Ruleset, past: Opening) -> npt.NDArray[np.void]:
    """Return the record to which an opening leads, an array of one STATE."""
    options, states = _begun(rulesets.get(ruleset), past)
    for _, action in past.actions:
        carry_out(options, states, action)
    return states


def _begun(rules: Ruleset, past: Opening) -> tuple[npt.NDArray[np.void], npt.NDArray[np.void]]:
    """Return the options and the record after the deal."""
    options, states = rules.to_options(), np.zeros(1, dtype=STATE)
    begin(options, states, past.dealer)
    states["scores"][0, : len(past.scores)] = past.scores
    states["hand"], states["redeal"], states["extra_hand"] = past.hand, past.redeal, past.tied
    deal_hand(options, states, np.array(past.deck, dtype=np.int8))
    return options, states


class _Past:
    """The deal behind one record."""

    def __init__(self, rules: Ruleset, states: npt.NDArray[np.void]) -> None:
        self.rules, self.states = rules, states
        self.options = rules.to_options()
        self.opt, self.s = self.options[0], states[0]
        self.up = int(self.s["upcard"])
        self.up_set = 0 if self.up == NONE else 1 << self.up
        self.dealer = int(self.s["dealer"])
        self.blind_joker = self.up == JOKER and rules.joker_up in ("blind_dealer", "look_dealer", "set_aside")

    def found(self) -> Opening:
        """Return the opening."""
        hands = [self._hand(seat) for seat in range(self.rules.num_seats)]
        points = self.s["points"][: self.rules.num_sides]
        past = Opening(
            deck=self._deck(hands),
            dealer=self.dealer,
            scores=tuple(int(n) for n in self.s["scores"][: self.rules.num_sides] - points),
            actions=(),
            hand=int(self.s["hand"]),
            redeal=int(self.s["redeal"]),
            tied=int(self.s["extra_hand"]),
        )
        options, now = _begun(self.rules, past)
        actions = tuple(self._actions(options, now, hands))
        if (now != self.states).any():
            raise StateError(_RULED_OUT.format(self.rules.name))
        return past._replace(actions=actions)

    def _received(self, seat: int) -> int:
        """7.5: what a seat got from its partner, as a set."""
        return int(self.s["given"][(seat + 2) % 4]) if has_received(self.opt, self.s, seat) else 0

    def _own(self, seat: int) -> int:
        """Return all that a seat had but for the up-card that it took and its partner's gift."""
        cards = int(self.s["hands"][seat] | self.s["buried"][seat] | self.s["played"][seat])
        if has_given(self.opt, self.s, seat):
            cards |= int(self.s["given"][seat])
        took = seat == self.dealer and self.s["upcard_state"] == Upcard.TAKEN
        given_left = self.s["upcard_state"] == Upcard.LEFT
        return cards & ~self._received(seat) & ~(self.up_set if took or given_left else 0)

    def _hand(self, seat: int) -> _Hand:
        """Return a way in which a seat may have come by its cards."""
        if self.rules.swap != "off" and self.s["swapped_by"] == seat:
            return _Hand(int(self.s["buried"][seat]), 0, 0, 0)
        found = next((hand for hand in self._hands(seat) if self._fits(seat, hand)), None)
        if found is None:
            raise StateError(_RULED_OUT.format(self.rules.name))
        return found

    def _hands(self, seat: int) -> Iterator[_Hand]:
        """Yield the ways to split the own cards of a seat."""
        own, size = self._own(seat), self.rules.hand_size
        away = int(self.s["buried"][seat]) & own
        swaps = has_swapped(self.opt, self.s, seat)
        for swapped in _subsets(away, _SWAPPED) if swaps else [0]:
            rest = own & ~swapped
            for at_call in _subsets(rest, size) if has_dummy(self.opt, self.s, seat) else [rest]:
                for kept in _subsets(at_call, size - _SWAPPED) if swaps else [at_call]:
                    yield _Hand(swapped | kept, rest & ~at_call, swapped, at_call & ~kept)

    def _fits(self, seat: int, hand: _Hand) -> bool:
        return self._claimed(seat, hand) and self._named(seat, hand) and self._exchanged(seat, hand)

    def _claimed(self, seat: int, hand: _Hand) -> bool:
        """Q-N22: a swap needs a farmer's hand."""
        if not is_swapper(self.opt, self.s, seat):
            return True
        low = hand.dealt & int(LOW_CARDS)
        return low == hand.dealt or (self.rules.farmers_cards == "three" and low.bit_count() >= FARMERS_CARDS)

    def _named(self, seat: int, hand: _Hand) -> bool:
        """Q-N5: who made trump held a card of that suit, or was stuck without a suit to name (Q-N7)."""
        trump = int(self.s["trump"])
        free = not self.rules.natural_trump_required or self.blind_joker or self.rules.auction != "off"
        if free or self.s["maker"] != seat or trump >= NUM_SUITS:
            return True
        held = hand.dealt & ~hand.swapped | hand.taken
        stuck = self.rules.stick_the_dealer == "on" and self.rules.allow_no_trump == "off" and seat == self.dealer
        if stuck and self.s["upcard_state"] == Upcard.TURNED_DOWN:
            refused = int(self.opt["joker_up"]) if self.up == JOKER else self.up // NUM_RANKS
            if not any(_of_suit(held, suit) for suit in range(NUM_SUITS) if suit != refused):
                return True
        return _of_suit(held, trump) != 0

    def _exchanged(self, seat: int, hand: _Hand) -> bool:
        """2.3, 5, 6: a dealer who takes a dummy later laid a card away that was dealt to him, or the up-card."""
        if hand.dummy == 0 or seat != self.dealer or self.s["upcard_state"] != Upcard.TAKEN:
            return True
        away = int(self.s["buried"][seat]) & ~hand.swapped
        return away == 0 or away & ~hand.dummy != 0

    def _deck(self, hands: list[_Hand]) -> tuple[int, ...]:
        """Return a deck that deals these hands."""
        lying = {hand_of(seat): hand.dealt for seat, hand in enumerate(hands)}
        kitty = int(self.s["kitty"])
        for hand in hands:
            kitty |= hand.taken
        for place in range(self.rules.num_seats, 4):
            lying[hand_of(place)] = int(self.s["hands"][place])
        for seat, hand in enumerate(hands):
            dummy = hand_of(self._dummy_place(seat))
            lying[dummy] = lying.get(dummy, 0) | hand.dummy
        if self.rules.swap != "off" and self.s["swapped_by"] != NONE:
            seat = int(self.s["swapped_by"])
            lying[hand_of(self.rules.num_seats)] = int(self.s["hands"][seat] | self.s["played"][seat])
        lying |= {KITTY: kitty, UPCARD: self.up_set}
        waiting = {place: iter(cards_of(cards)) for place, cards in lying.items()}
        deck = tuple(next(waiting[place], NONE) for place in plan_of(self.rules, self.dealer))
        if sorted(deck) != sorted(self.rules.deck_ids):
            raise StateError(_RULED_OUT.format(self.rules.name))
        return deck

    def _dummy_place(self, seat: int) -> int:
        return 2 + seat if self.rules.dummy == "three_card" else self.rules.num_seats

    def _actions(
        self, options: npt.NDArray[np.void], now: npt.NDArray[np.void], hands: list[_Hand]
    ) -> Iterator[tuple[int, int]]:
        """Yield seat and action from the deal on, and carry them out in `now`."""
        for action in self._told(now, hands):
            seat = int(now["turn"][0])
            if seat < 0 or action == CLAIM_REDEAL or not int(legal(options, now)) >> action & 1:
                raise StateError(_RULED_OUT.format(self.rules.name))
            yield seat, action
            carry_out(options, now, action)

    def _told(self, now: npt.NDArray[np.void], hands: list[_Hand]) -> Iterator[int]:
        """Yield the calls, with the cards put down unseen filled in from the record as it is by then, and the play."""
        for i in range(int(self.s["num_calls"])):
            call, seat = int(self.s["calls"][i]), int(self.s["call_seats"][i])
            if call != HIDDEN_CARD:
                yield call
            elif now["phase"][0] == Phase.GIVE:
                yield cards_of(int(self.s["given"][seat]))[0]
            else:
                yield self._laid_away(seat, now, hands[seat])
        for card in self.s["cards"].reshape(-1):
            if card != NONE:
                yield int(card)

    def _laid_away(self, seat: int, now: npt.NDArray[np.void], hand: _Hand) -> int:
        """Return the card that a seat lays away next."""
        options, purpose = self.options, int(now["discards_for"][0])
        due = int(self.s["buried"][seat]) & ~int(now["buried"][0, seat])
        due &= int(legal(options, now))
        if purpose != Purpose.FARMER:
            due &= ~hand.swapped
        elif has_swapped(self.opt, self.s, seat):
            due &= hand.swapped
        received = self._received(seat) & due
        # Received first, or bound to be the last: what goes for a partner's best card.
        late = received | (due & self.up_set)
        first = late if purpose == Purpose.BEST and late else due & ~late or due
        if first == 0:
            raise StateError(_RULED_OUT.format(self.rules.name))
        return cards_of(received or first)[0]


def _subsets(cards: int, size: int) -> Iterator[int]:
    """Yield the sets of so many of some cards."""
    for chosen in combinations(cards_of(cards), max(size, 0)):
        yield mask_of(chosen)


def _of_suit(cards: int, suit: int) -> int:
    """Return the cards of a printed suit."""
    return cards >> NUM_RANKS * suit & 0xFF


__all__ = ["Opening", "opening", "replay"]
