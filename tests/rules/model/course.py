"""A hand from the deal to its points."""

from collections.abc import Generator, Iterable, Sequence

from euchre_env.ruleset import Ruleset
from tests.rules.model.alone import declarations, dummies
from tests.rules.model.auction import auction
from tests.rules.model.hand import Ask, Course, Hand
from tests.rules.model.play import tricks
from tests.rules.model.score import hand_points
from tests.rules.model.turn_up import claims, dealer_calls_for_joker, exchange, joker_call, round_one, round_two

Finished = Generator[Ask, str, Hand]


def _make_trump(rules: Ruleset, hand: Hand) -> Course:
    """2.9, 4.3: the rounds of a turn-up game and what follows them, to the first lead."""
    if hand.joker_called:
        yield from joker_call(rules, hand)
    else:
        yield from round_one(rules, hand)
    if hand.maker is not None:
        yield from exchange(rules, hand)
    else:
        yield from round_two(rules, hand)
    if hand.maker is not None:
        yield from declarations(rules, hand)
        yield from dummies(rules, hand)


def play_hand(
    rules: Ruleset, dealer: int, hands: Sequence[set[str]], upcard: str, kitty: Iterable[str] = ()
) -> Finished:
    """2.9, 8.7, 9.8: yield each decision, take the word sent, return the finished hand."""
    hand = Hand(dealer, upcard, [set(cards) for cards in hands], rules.num_seats, list(kitty))
    hand.joker_called = rules.auction == "off" and dealer_calls_for_joker(rules, upcard)
    if rules.farmers_hand != "off" and not hand.joker_called:
        yield from claims(rules, hand)
        if hand.claimed:
            return hand
    yield from _make_trump(rules, hand) if rules.auction == "off" else auction(rules, hand)
    if hand.maker is not None:
        yield from tricks(rules, hand)
    hand.points = hand_points(rules, hand)
    return hand
