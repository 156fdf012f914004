"""1.2: who gets which cards of a deck."""

from collections.abc import Sequence
from typing import NamedTuple

from euchre_env.ruleset import Ruleset
from tests.rules.model.hand import clockwise

GHOST = 3


class Dealt(NamedTuple):
    """Cards by place, the up-card (nothing in an auction), and what stays buried, top first."""

    hands: list[set[str]]
    upcard: str
    kitty: list[str]


def packets_of(rules: Ruleset) -> list[tuple[int, int]]:
    """1.2, Q-N17, Q-N21, Q-C20: cards at once, round by round, to the first, third and to the second, fourth place."""
    if rules.packets == "ones":
        return [(1, 1)] * rules.hand_size
    rounds = {
        "3-2": [(3, 3), (2, 2)],
        "2-3": [(2, 2), (3, 3)],
        "alternating": [(3, 2), (2, 3)],
        "3-3": [(3, 3), (3, 3)],
    }[rules.packets]
    return rounds + [(2, 2)] * (rules.hand_size == 7)


def places_of(rules: Ruleset, dealer: int) -> list[int]:
    """1.2: the dealer last; 9.1, Q-G24 and section 6: a hand for nobody is dealt to his right."""
    places = clockwise(dealer + 1, rules.num_seats)
    if rules.num_seats == 3 and (rules.auction != "off" or rules.dummy == "five_card"):
        places.insert(2, GHOST)
    return places


def deal_hands(rules: Ruleset, dealer: int, deck: Sequence[str]) -> Dealt:
    """Deal a deck, top first."""
    hands: list[set[str]] = [set(), set(), set(), set()]
    left = list(deck)

    def give(place: int, count: int) -> None:
        for _ in range(count):
            hands[place].add(left.pop(0))

    for packet in packets_of(rules):
        for number, place in enumerate(places_of(rules, dealer)):
            give(place, packet[number % 2])
    upcard = left.pop(0) if rules.auction == "off" else ""
    # Section 5: dummies of two seats lie after the up-card, the one of the dealer's left first.
    if rules.dummy == "two_card":
        give(2, 2)
    elif rules.dummy == "three_card":
        give(2 + (dealer + 1) % 2, 3)
        give(2 + dealer, 3)
    return Dealt(hands, upcard, left)
