"""An independent model of four-player turn-up Euchre, written from the clauses of docs/rules.md with words and sets.

It shares no table and no code with the engine, is written as one course of a hand instead of a machine of phases, and
is slow: it exists to be compared with. Cards are texts (`TD`), seats 0..3, actions the words of `action_name`. Only
option words come from the `Ruleset`.

>>> from euchre_env import rulesets
>>> hands = ["9C TC JC QC KC", "AC 9D TD JD QD", "KD AD 9H TH JH", "QH KH AH 9S TS"]
>>> course = play_hand(rulesets.get("bicycle24"), 3, [set(h.split()) for h in hands], "JS")
>>> ask = next(course)
>>> ask.seat, sorted(ask.legal)
(0, ['order up', 'order up alone', 'pass'])
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from euchre_env.ruleset import Ruleset

SUITS = "CDHS"
NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
MATES = {"C": "S", "S": "C", "D": "H", "H": "D"}
HIGH_TO_LOW = "AKQJT987"
FACE_DOWN = "a card face down"


class Ask(NamedTuple):
    """A decision: who, of what kind, among which words."""

    seat: int
    kind: str
    legal: frozenset[str]


@dataclass
class Hand:
    """What has happened: public but for `hands` and `buried`."""

    dealer: int
    upcard: str
    hands: list[set[str]]
    buried: str | None = None
    said: list[tuple[int, str]] = field(default_factory=list)
    trump: str | None = None
    maker: int | None = None
    taken: bool = False
    alone: set[int] = field(default_factory=set)
    tricks: list[list[tuple[int, str]]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    points: tuple[int, int] = (0, 0)
    claimed: bool = False

    @property
    def sits_out(self) -> set[int]:
        """2.5: a loner's partner."""
        return {(seat + 2) % 4 for seat in self.alone}

    @property
    def makers(self) -> set[int]:
        """2.3: the maker and the seat opposite."""
        assert self.maker is not None
        return {self.maker, (self.maker + 2) % 4}

    @property
    def made(self) -> int:
        """Tricks of the makers' side."""
        return sum(winner in self.makers for winner in self.winners)


Course = Generator[Ask, str, Hand]


def clockwise(first: int) -> list[int]:
    """1.2: the four seats from this one on."""
    return [(first + step) % 4 for step in range(4)]


def trumps(trump: str) -> list[str]:
    """1.3: the trump suit from the right bower down."""
    return [f"J{trump}", f"J{MATES[trump]}"] + [rank + trump for rank in HIGH_TO_LOW if rank != "J"]


def plain(suit: str, trump: str) -> list[str]:
    """1.3: a plain suit from the ace down, without the left bower."""
    return [rank + suit for rank in HIGH_TO_LOW if rank + suit not in trumps(trump)]


def suit_cards(card: str, trump: str) -> list[str]:
    """Return all cards that count as the suit of this one, from the highest down."""
    return trumps(trump) if card in trumps(trump) else plain(card[1], trump)


def can_follow(hand: Iterable[str], led: str | None, trump: str) -> set[str]:
    """1.4: what may be played."""
    cards = set(hand)
    if led is None:
        return cards
    return cards & set(suit_cards(led, trump)) or cards


def winner_of(trick: Sequence[tuple[int, str]], trump: str) -> int:
    """1.5: the highest trump, else the highest card of the suit led."""
    by_card = {card: seat for seat, card in trick}
    for card in trumps(trump) + suit_cards(trick[0][1], trump):
        if card in by_card:
            return by_card[card]
    raise AssertionError("somebody wins every trick")


def _claims(rules: Ruleset, hand: Hand) -> Course:
    """Q-N22."""
    for seat in clockwise(hand.dealer + 1):
        words = {"decline"}
        if all(card[0] in "789T" for card in hand.hands[seat]):
            words.add("claim redeal")
        word = yield Ask(seat, "claim", frozenset(words))
        hand.said.append((seat, word))
        if word == "claim redeal":
            hand.claimed = True
            return hand
    return hand


def _natural(rules: Ruleset, hand: Hand, seat: int, suit: str) -> bool:
    """Q-N5."""
    return not rules.natural_trump_required or any(card[1] == suit for card in hand.hands[seat])


def says_alone_with_call(rules: Ruleset) -> bool:
    """Section 3."""
    return rules.alone_timing == "with_call" and rules.alone_scope != "none"


def _round_one(rules: Ruleset, hand: Hand) -> Course:
    """2.3."""
    for seat in clockwise(hand.dealer + 1):
        words = {"pass"}
        if _natural(rules, hand, seat, hand.upcard[1]):
            if rules.canadian_loner and seat == (hand.dealer + 2) % 4:
                words |= {"order up alone"}
            else:
                words |= {"order up", "order up alone"} if says_alone_with_call(rules) else {"order up"}
        word = yield Ask(seat, "order up", frozenset(words))
        hand.said.append((seat, word))
        if word != "pass":
            hand.maker, hand.trump = seat, hand.upcard[1]
            if word == "order up alone":
                hand.alone.add(seat)
            return hand
    return hand


def _exchange(rules: Ruleset, hand: Hand) -> Course:
    """2.3, Q-N3, Q-N23."""
    dealer = hand.dealer
    if dealer in hand.sits_out:
        return hand
    dealt = set(hand.hands[dealer])
    words = set(dealt)
    if rules.dealer_pickup == "any_of_six":
        words.add(hand.upcard)
    if rules.dealer_pickup == "optional" and hand.maker != dealer:
        words.add("decline")
    word = yield Ask(dealer, "discard", frozenset(words))
    if word == "decline":
        hand.said.append((dealer, "decline"))
        return hand
    hand.said.append((dealer, FACE_DOWN))
    hand.taken = True
    hand.buried = word
    hand.hands[dealer] = (dealt | {hand.upcard}) - {word}
    return hand


def _round_two(rules: Ruleset, hand: Hand) -> Course:
    """2.4."""
    for seat in clockwise(hand.dealer + 1):
        others = [suit for suit in SUITS if suit != hand.upcard[1]]
        suits = [suit for suit in others if _natural(rules, hand, seat, suit)]
        stuck = seat == hand.dealer and rules.stick_the_dealer != "off"
        if stuck and rules.stick_the_dealer == "on" and not suits:
            suits = others
        words = {f"call {NAMES[suit]}" for suit in suits}
        if says_alone_with_call(rules):
            words |= {word + " alone" for word in words}
        if not stuck:
            words.add("pass")
        elif rules.stick_the_dealer == "forfeit":
            words.add("forfeit the deal")
        word = yield Ask(seat, "call", frozenset(words))
        hand.said.append((seat, word))
        if word == "forfeit the deal":
            hand.points = (1, 0) if hand.dealer % 2 else (0, 1)
            return hand
        if word != "pass":
            hand.maker = seat
            hand.trump = next(suit for suit in SUITS if NAMES[suit] == word.split()[1])
            if word.endswith("alone"):
                hand.alone.add(seat)
            return hand
    return hand


def poll_order(rules: Ruleset, hand: Hand) -> list[int]:
    """Q-N9, 10.1."""
    assert hand.maker is not None
    maker, eldest = hand.maker, (hand.dealer + 1) % 4
    if rules.poll == "clockwise_from_leader":
        return clockwise(eldest)
    start = maker + 1 if rules.poll == "maker_side_then_defenders" else eldest
    return [maker, (maker + 2) % 4] + [seat for seat in clockwise(start) if seat not in hand.makers]


def _may_go_alone(rules: Ruleset, hand: Hand, seat: int) -> bool:
    """2.5, Q-N8, Q-N12."""
    if seat in hand.alone or (seat + 2) % 4 in hand.alone:
        return False
    if seat not in hand.makers:
        lone_maker = bool(hand.alone & hand.makers)
        return {"off": False, "always": True, "vs_loner": lone_maker}[rules.defend_alone]
    if seat == hand.maker:
        return rules.alone_timing == "after_trump" and rules.alone_scope in ("maker_only", "maker_side")
    return rules.alone_scope == "maker_side"


def _declarations(rules: Ruleset, hand: Hand) -> Course:
    """2.5: asked in the agreed order, each once; who becomes entitled by another's call is asked then."""
    answered: set[int] = set()
    while True:
        due = [s for s in poll_order(rules, hand) if s not in answered and _may_go_alone(rules, hand, s)]
        if not due:
            return hand
        word = yield Ask(due[0], "declare", frozenset({"alone", "with partner"}))
        hand.said.append((due[0], word))
        answered.add(due[0])
        if word == "alone":
            hand.alone.add(due[0])


def opening_leader(rules: Ruleset, hand: Hand) -> int:
    """2.6, Q-N10, Q-N11."""
    left_of = hand.dealer
    if rules.lead_rule == "left_of_loner" and hand.alone:
        defenders = hand.alone - hand.makers
        if len(hand.alone) == 2:
            return defenders.pop()
        left_of = next(iter(hand.alone))
    return next(seat for seat in clockwise(left_of + 1) if seat not in hand.sits_out)


def points_of(rules: Ruleset, hand: Hand, made: int) -> tuple[str, int]:
    """2.7: who scores, and how much."""
    size = rules.hand_size
    lone_maker, lone_defender = bool(hand.alone & hand.makers), bool(hand.alone - hand.makers)
    if made == size:
        return "makers", rules.loner_march_points if lone_maker else rules.march_points
    if 2 * made > size:
        return "makers", 1
    due = [2]
    if made == 0:
        due.append(rules.super_euchre_points)
    if lone_defender:
        due.append({"s004": 4 if made == 0 else 2, "four_for_three": 4, "three": 3}[rules.lone_defender_scoring])
    elif lone_maker:
        due.append(rules.lone_euchre_points)
    return "defenders", max(due)


def _decided(rules: Ruleset, hand: Hand) -> bool:
    """Q-X3."""
    left = rules.hand_size - len(hand.winners)
    return len({points_of(rules, hand, hand.made + more) for more in range(left + 1)}) == 1


def _tricks(rules: Ruleset, hand: Hand) -> Course:
    """1.4, 1.5."""
    assert hand.trump is not None
    leader = opening_leader(rules, hand)
    while len(hand.winners) < rules.hand_size:
        trick: list[tuple[int, str]] = []
        hand.tricks.append(trick)
        for seat in clockwise(leader):
            if seat in hand.sits_out:
                continue
            led = trick[0][1] if trick else None
            card = yield Ask(seat, "play", frozenset(can_follow(hand.hands[seat], led, hand.trump)))
            hand.hands[seat].discard(card)
            trick.append((seat, card))
        leader = winner_of(trick, hand.trump)
        hand.winners.append(leader)
        if rules.stop_when_decided and _decided(rules, hand):
            break
    side, points = points_of(rules, hand, hand.made)
    scoring = hand.makers if side == "makers" else {0, 1, 2, 3} - hand.makers
    hand.points = (points, 0) if 0 in scoring else (0, points)
    return hand


def play_hand(rules: Ruleset, dealer: int, hands: Sequence[set[str]], upcard: str) -> Course:
    """2.9: yield each decision, take the word sent, return the finished hand."""
    hand = Hand(dealer, upcard, [set(cards) for cards in hands])
    if rules.farmers_hand == "redeal":
        yield from _claims(rules, hand)
        if hand.claimed:
            return hand
    yield from _round_one(rules, hand)
    if hand.maker is not None:
        yield from _exchange(rules, hand)
    else:
        yield from _round_two(rules, hand)
    if hand.maker is None:
        return hand
    yield from _declarations(rules, hand)
    yield from _tricks(rules, hand)
    return hand


def deal_hands(rules: Ruleset, dealer: int, deck: Sequence[str]) -> tuple[list[set[str]], str, set[str]]:
    """1.2: hands by seat, up-card and what stays buried, from a deck, top first."""
    packets = {
        "3-2": [(3, 3), (2, 2)],
        "2-3": [(2, 2), (3, 3)],
        "alternating": [(3, 2), (2, 3)],
    }[rules.packets] + [(2, 2)] * (rules.hand_size == 7)
    hands: list[set[str]] = [set(), set(), set(), set()]
    left = list(deck)
    for packet in packets:
        for place, seat in enumerate(clockwise(dealer + 1)):
            for _ in range(packet[place % 2]):
                hands[seat].add(left.pop(0))
    return hands, left[0], set(left[1:])
