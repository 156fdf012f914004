"""Deals of which a source tells the calls and the cards played: who held what, and a deck that deals it.

The engine itself is walked through what is told, with hands that do not matter, so that leads and tricks go by its
rules; what each seat played, gave away and laid away gives its hand. Cards that nobody showed fill the places that are
left, in the same way each time and so that no seat is made to revoke by one of them; they are noted as unseen.

Who swapped with the kitty has to be told (Q-N22): where no swap is, nobody swapped. What was laid away for it is what
the seat was dealt and did not keep, if that leaves no choice between cards that are known.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from euchre_env.cards import EFFECTIVE_SUIT, NUM_CARDS, format_card, format_cards, mask_of
from euchre_env.dealing import KITTY, UPCARD, Place, deck_for, hand_of, plan_of
from euchre_env.engine.layout import (
    ALONE,
    DECLINE,
    FARMERS_CARDS,
    LOW_CARDS,
    SWAP,
    WITH_PARTNER,
    Phase,
    Purpose,
    Upcard,
)
from euchre_env.errors import RecordError
from euchre_env.game import Game
from euchre_env.record.games import place_of, refuse_illegal
from euchre_env.ruleset import Ruleset
from euchre_env.single import carry_out


@dataclass(frozen=True)
class Told:
    """A deal as far as its source tells it."""

    number: int  # its place in the source, from 1
    name: int  # what the source calls it
    dealer: int
    upcard: int
    calls: tuple[int, ...]  # the actions of both rounds of bidding
    tricks: tuple[tuple[int, ...], ...]  # in the order played
    hands: tuple[tuple[int, ...], ...]  # the dealt cards that are known, by seat
    kitty: tuple[int, ...] = ()
    discard: int | None = None  # what the dealer laid away for the up-card, else what a loner did for a best card
    alone_defender: int | None = None  # -1 for nobody
    exchanges: dict[int, int] = field(default_factory=dict)  # the best card that a loner received, by loner
    swapper: int | None = None  # who swapped three cards with the kitty
    taken: tuple[int, ...] = ()  # what it took, as far as that is told
    first_leader: int | None = None


@dataclass(frozen=True)
class Inferred:
    """A deal in full: deck, actions, the set of unseen cards, and the course of the game after it."""

    deck: tuple[int, ...]
    actions: tuple[int, ...]
    unseen: int
    finished: bool
    next_dealer: int


def infer(rules: Ruleset, told: Told) -> Inferred:
    """Return a deal in full; RecordError says what in it contradicts itself or is not told."""
    walk = _Walk(rules, told)
    walk.go()
    hands = _Hands(rules, told, walk)
    deck = deck_for(rules, told.dealer, hands.fill())
    finished = walk.game.phase in (Phase.DEAL, Phase.OVER)
    next_dealer = int(walk.game.state["next_dealer"][0])
    return Inferred(deck, hands.actions(), hands.unseen, finished, next_dealer)


def _with_upcard(rules: Ruleset, told: Told) -> list[int]:
    """Return any deck that turns the right card up."""
    deck = list(rules.deck_ids)
    up, at = plan_of(rules, told.dealer).index(UPCARD), deck.index(told.upcard)
    deck[up], deck[at] = deck[at], deck[up]
    return deck


def _is_low(card: int) -> bool:
    return bool(int(LOW_CARDS) >> card & 1)


class _Walk:
    """The engine sent through a deal; what has to be answered from cards that are not known yet stays open."""

    def __init__(self, rules: Ruleset, told: Told) -> None:
        self.rules, self.told = rules, told
        self.game = Game(rules, key=0, dealer=told.dealer, deck=_with_upcard(rules, told), auto_deal=False)
        self._options = rules.to_options()
        self.actions: list[int] = []
        self.discards: list[tuple[int, int]] = []  # seat, and index of the action
        self.swapped: list[int] = []  # indices of the actions that lay cards away for those of the kitty
        self.played: dict[int, list[int]] = {seat: [] for seat in range(rules.num_seats)}
        self.void: dict[int, set[int]] = {seat: set() for seat in range(rules.num_seats)}  # suits a seat showed out of
        self._calls = list(told.calls)[::-1]

    @property
    def took_up(self) -> bool:
        """Whether the dealer holds the up-card."""
        return bool(self.game.state["upcard_state"][0] == Upcard.TAKEN)

    def _do(self, action: int) -> None:
        self.actions.append(action)
        carry_out(self._options, self.game.state, action)

    def go(self) -> None:
        """Follow the deal as far as it is told."""
        steps = {
            Phase.CLAIM: self._claim,
            Phase.ORDER_UP: self._call,
            Phase.CALL: self._call,
            Phase.DISCARD: self._lay_away,
            Phase.DECLARE: self._declare,
            Phase.SWAP: self._ask,
            Phase.GIVE: self._give,
        }
        while (step := steps.get(self.game.phase)) is not None and step():
            pass
        if self._calls:
            raise RecordError(f"deal {self.told.number}: calls go on after the bidding has ended.")
        if self.told.tricks and self.game.phase != Phase.PLAY:
            raise RecordError(f"deal {self.told.number}: cards are played, but the bidding has not come to that.")
        self._check_defender()
        if self.told.tricks and self.told.first_leader not in (None, self.game.turn):
            leader = self.told.first_leader
            raise RecordError(f"deal {self.told.number}: seat {leader} leads, but seat {self.game.turn} has to (2.6).")
        for trick in self.told.tricks:
            self._trick(trick)

    def _check_defender(self) -> None:
        seat = self.told.alone_defender
        if seat is not None and seat >= 0 and not int(self.game.state["alone"][0]) >> seat & 1:
            raise RecordError(f"deal {self.told.number}: seat {seat} is said to defend alone, but may not (7.4).")

    def _claim(self) -> bool:
        swaps = self.game.turn == self.told.swapper
        waits = self.told.swapper is not None and not self.swapped
        if not (waits or self._calls or self.told.tricks):
            return False
        self._do(SWAP if swaps else DECLINE)
        return True

    def _call(self) -> bool:
        if not self._calls:
            return False
        action = self._calls.pop()
        refuse_illegal(self.game, self.told.number, action)
        self._do(action)
        return True

    def _lay_away(self) -> bool:
        if self.game.state["discards_for"][0] == Purpose.FARMER:
            self.swapped.append(len(self.actions))
            self._do(self.game.legal()[0])
            return True
        if not self.told.tricks and (self.told.discard is None or self.discards):
            return False
        self.discards.append((self.game.turn, len(self.actions)))
        self._do(next(card for card in self.game.legal() if card < NUM_CARDS))
        return True

    def _declare(self) -> bool:
        if not self.told.tricks and self.told.alone_defender is None:
            return False
        self._do(ALONE if self.told.alone_defender == self.game.turn else WITH_PARTNER)
        return True

    def _ask(self) -> bool:
        asks = self.game.turn in self.told.exchanges
        if not asks and not self.told.tricks:
            return False
        self._do(SWAP if asks else DECLINE)
        return True

    def _give(self) -> bool:
        loner = (self.game.turn + 2) % self.rules.num_seats
        self.actions.append(self.told.exchanges[loner])
        carry_out(self._options, self.game.state, self.game.legal()[0])
        return True

    def _trick(self, trick: Sequence[int]) -> None:
        where = place_of(self.game, self.told.number)
        if self.game.phase != Phase.PLAY or self.game.state["in_trick"][0]:
            raise RecordError(f"deal {self.told.number}: a trick of {format_cards(trick)} comes after the last one.")
        seats = self.rules.num_seats - int(self.game.state["sits_out"][0]).bit_count()
        if len(trick) > seats or (len(trick) < seats and trick is not self.told.tricks[-1]):
            raise RecordError(f"{where} has {len(trick)} cards, but {seats} seats play.")
        trump = int(self.game.state["trump"][0])
        for card in trick:
            seat = self.game.turn
            if any(card in cards for cards in self.played.values()):
                raise RecordError(f"{where}: seat {seat} plays {format_card(card)}, which was played before.")
            self.played[seat].append(card)
            if EFFECTIVE_SUIT[trump, card] != EFFECTIVE_SUIT[trump, trick[0]]:
                self.void[seat].add(int(EFFECTIVE_SUIT[trump, trick[0]]))
            self._do(card)


class _Hands:
    """Dealt hands from what each seat played, gave and laid away."""

    def __init__(self, rules: Ruleset, told: Told, walk: _Walk) -> None:
        self.rules, self.told, self.walk = rules, told, walk
        self.sizes = Counter(plan_of(rules, told.dealer))
        self.trump = int(walk.game.state["trump"][0])
        self.taken = self._taken()
        self.kitty = list(dict.fromkeys([*told.kitty, *self.taken]))
        self.gains = {seat: self._gains(seat) for seat in range(rules.num_seats)}
        self.known = {seat: self._known(seat) for seat in range(rules.num_seats)}
        self.filled: dict[int, list[int]] = {seat: [] for seat in range(rules.num_seats)}
        self.unseen = 0
        self._check_twins()

    def _gains(self, seat: int) -> list[int]:
        """Return what came to a hand after the deal."""
        taken = [self.told.upcard] if self.walk.took_up and seat == self.told.dealer else []
        taken += self.taken if seat == self.told.swapper else []
        return taken + ([self.told.exchanges[seat]] if seat in self.told.exchanges else [])

    def _taken(self) -> list[int]:
        """Q-N22: return what was taken from the kitty: it is told, lay there, or was played and had not been dealt."""
        seat, most = self.told.swapper, self.sizes[KITTY]
        if seat is None:
            return []
        dealt = self.told.hands[seat]
        received = {*dealt, self.told.upcard, self.told.exchanges.get(seat)}
        played = [card for card in self.walk.played[seat] if card not in received]
        known = {*self.told.taken, *self.told.kitty, *(played if len(dealt) == self.sizes[hand_of(seat)] else [])}
        if len(known) != most:
            takes = f"seat {seat} takes {most} cards from the kitty"
            raise RecordError(f"deal {self.told.number}: {takes}, but {len(known)} are told (Q-N22).")
        return sorted(known)

    def _given(self, seat: int) -> list[int]:
        """Return what a seat passed to its partner out of its own hand."""
        loner = (seat + 2) % self.rules.num_seats
        card = self.told.exchanges.get(loner)
        on_the_table = card == self.told.upcard and not self.walk.took_up
        return [] if card is None or on_the_table else [card]

    def _told_discard(self, seat: int) -> list[int]:
        """Return the discard that the source tells, if it is this seat's first one."""
        if self.told.discard is None:
            return []
        if not self.walk.discards:
            raise RecordError(f"deal {self.told.number}: a discard is told, but nobody lays a card away.")
        return [self.told.discard] if self.walk.discards[0][0] == seat else []

    def _known(self, seat: int) -> list[int]:
        """Return the dealt cards of a seat that are told or follow from what it did with them."""
        dealt, size = list(self.told.hands[seat]), self.sizes[hand_of(seat)]
        if len(dealt) == size:
            return dealt
        showed = [*self.walk.played[seat], *self._given(seat), *self._told_discard(seat)]
        dealt += [card for card in dict.fromkeys(showed) if card not in dealt and card not in self.gains[seat]]
        if len(dealt) > size:
            raise RecordError(f"deal {self.told.number}: seat {seat} shows {len(dealt)} cards, {format_cards(dealt)}.")
        return dealt

    def _check_twins(self) -> None:
        where: dict[int, str] = {self.told.upcard: "turned up"}
        places = [(f"dealt to seat {seat}", cards) for seat, cards in self.known.items()]
        for place, cards in [*places, ("in the kitty", self.kitty)]:
            for card in cards:
                if card in where:
                    raise RecordError(
                        f"deal {self.told.number}: {format_card(card)} is {place}, but it is {where[card]}."
                    )
                where[card] = place

    def _open(self, seat: int) -> int:
        return self.sizes[hand_of(seat)] - len(self.known[seat])

    def _slots(self) -> list[tuple[int, bool]]:
        """Return the places in hands that no known card fills: seat, and whether that card was laid away."""
        unknown = Counter(seat for seat, _ in self.walk.discards)
        if self.told.swapper is not None:
            unknown[self.told.swapper] += len(self.walk.swapped)
        if self.told.discard is not None:
            unknown[self.walk.discards[0][0]] -= 1
        for seat in self.known:
            unknown[seat] -= sum(not self._may_hold(seat, False, card) for card in self._left_over(seat))
        return [(seat, place < unknown[seat]) for seat in self.known for place in range(self._open(seat))]

    def fill(self) -> dict[Place, list[int]]:
        """Return the cards at each place, those that nobody showed where they may lie."""
        gone = {self.told.upcard, *self.kitty, *(card for cards in self.known.values() for card in cards)}
        free = [card for card in self.rules.deck_ids if card not in gone]
        slots = self._slots()
        self.unseen = mask_of(free) if slots else 0
        for (seat, _), card in zip(slots, self._filling(slots, free), strict=True):
            self.filled[seat].append(card)
        used = {card for cards in self.filled.values() for card in cards}
        lying = {hand_of(seat): sorted(self.known[seat] + self.filled[seat]) for seat in self.known}
        return {**lying, UPCARD: [self.told.upcard], KITTY: sorted({*self.kitty, *free} - used)}

    def _filling(self, slots: list[tuple[int, bool]], free: list[int]) -> list[int]:
        """Return a card for each place, so that who swapped had a hand for it; RecordError if there are none."""
        found = (self._matched(slots, free, low) for low in self._low_slots(slots))
        cards = next((cards for cards in found if cards is not None), None)
        if cards is None:
            raise RecordError(f"deal {self.told.number}: no deal fits the suits that the seats did not follow.")
        return cards

    def _low_slots(self, slots: list[tuple[int, bool]]) -> Iterator[tuple[int, ...]]:
        """Q-N22: yield the choices of places to hold low cards, none at last: the engine refuses what is not enough."""
        seat = self.told.swapper
        places = [slot for slot, (by, _) in enumerate(slots) if by == seat]
        lacking = 0 if seat is None else FARMERS_CARDS - sum(map(_is_low, self.known[seat]))
        yield from combinations(places, max(0, min(lacking, len(places))))
        yield ()

    def _matched(self, slots: list[tuple[int, bool]], free: list[int], low: tuple[int, ...]) -> list[int] | None:
        """Give each place the lowest card that its seat may hold, a taken one if its place finds another."""
        holder: dict[int, int] = {}

        def place(slot: int, tried: set[int]) -> bool:
            for card in sorted(free, key=lambda card: (card in holder, card)):
                if card in tried or not self._may_hold(*slots[slot], card) or (slot in low and not _is_low(card)):
                    continue
                tried.add(card)
                if card not in holder or place(holder[card], tried):
                    holder[card] = slot
                    return True
            return False

        if len(slots) > len(free) or not all(place(slot, set()) for slot in range(len(slots))):
            return None
        card_of = {slot: card for card, slot in holder.items()}
        return [card_of[slot] for slot in range(len(slots))]

    def _may_hold(self, seat: int, laid_away: bool, card: int) -> bool:
        if laid_away or not self.walk.void[seat]:
            return True
        return int(EFFECTIVE_SUIT[self.trump, card]) not in self.walk.void[seat]

    def actions(self) -> tuple[int, ...]:
        """Return the actions of the deal with the cards laid away filled in."""
        actions = list(self.walk.actions)
        swapped = self._swapped() if self.walk.swapped else []
        for index, card in zip(self.walk.swapped, swapped, strict=True):
            actions[index] = card
        for seat in {seat for seat, _ in self.walk.discards}:
            places = [index for by, index in self.walk.discards if by == seat]
            gone = swapped if seat == self.told.swapper else []
            for index, card in zip(places, self._laid_away(seat, len(places), gone), strict=True):
                actions[index] = card
        return tuple(actions)

    def _swapped(self) -> list[int]:
        """Q-N22: return what was laid away for the kitty, ascending: dealt cards that were not kept."""
        seat, count = self.told.swapper, len(self.walk.swapped)
        assert seat is not None
        rest = [card for card in self._left_over(seat) if card in self.known[seat]]
        spare = len(rest) + len(self.filled[seat]) - count
        where = f"deal {self.told.number}: "
        if spare < 0:
            raise RecordError(f"{where}seat {seat} keeps more of its hand than a swap of {count} leaves (Q-N22).")
        if spare and rest:
            raise RecordError(f"{where}what seat {seat} laid away for the kitty is not told (Q-N22).")
        return sorted([*rest, *self.filled[seat]][:count])

    def _laid_away(self, seat: int, count: int, gone: Sequence[int]) -> list[int]:
        """Return what a seat laid away, in order: never first what it received later, nor what was gone before."""
        told, received = self._told_discard(seat), self.told.exchanges.get(seat)
        rest = sorted({*self._left_over(seat)} - {*gone}, key=lambda card: (card == received, card))
        hidden = [card for card in self.filled[seat] if card not in gone]
        due = [card for card in rest if not self._may_hold(seat, False, card)]
        found = [*due, *hidden][: count - len(told)]
        laid = [*told, *sorted(found, key=lambda card: card == received)]
        played_out = len(self.walk.played[seat]) == self.sizes[hand_of(seat)]
        missing = count - len(laid)
        if missing and not (played_out and len(rest) == missing):
            raise RecordError(f"deal {self.told.number}: what seat {seat} laid away is not told.")
        return laid + rest if missing else laid

    def _left_over(self, seat: int) -> list[int]:
        """Return the known cards that a seat had and neither played nor gave away, its told discard aside."""
        shown = {*self.walk.played[seat], *self._given(seat), *self._told_discard(seat)}
        return [card for card in dict.fromkeys([*self.known[seat], *self.gains[seat]]) if card not in shown]
