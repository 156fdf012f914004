"""Deal written cards in any game of the family: to seats, dummies and the ghost hand, turned up, buried."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from euchre_env import rulesets
from euchre_env.cards import cards_of, parse_cards
from euchre_env.engine.layout import NONE
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

UPCARD, KITTY = 4, 5


def _places(rules: Ruleset, dealer: int) -> list[int]:
    """Return where each card of a deck goes, top first: a hand (0..3), UPCARD or KITTY."""
    record = Game(rules, dealer=dealer, deck=rules.deck_ids, auto_deal=False).state[0]
    to = dict.fromkeys(cards_of(int(record["kitty"])), KITTY)
    for place, hand in enumerate(record["hands"]):
        to |= dict.fromkeys(cards_of(int(hand)), place)
    if record["upcard"] != NONE:
        to[int(record["upcard"])] = UPCARD
    return [to[card] for card in rules.deck_ids]


def deck_for(rules: Ruleset, dealer: int, cards: Mapping[int, str]) -> list[int]:
    """Return a deck that deals these cards to these places, and the others, lowest first, where there is room."""
    places = _places(rules, dealer)
    wanted = {place: parse_cards(text) for place, text in cards.items()}
    taken = {card for hand in wanted.values() for card in hand}
    rest = iter([card for card in rules.deck_ids if card not in taken])
    deck = []
    for place in places:
        hand = wanted.get(place, [])
        deck.append(hand.pop(0) if hand else next(rest))
    assert not any(wanted.values()), "more cards than there is room for"
    return deck


def dealt(
    rules: str | Ruleset,
    dealer: int,
    hands: Mapping[int, str] | None = None,
    upcard: str = "",
    kitty: str = "",
    scores: Sequence[int] | None = None,
) -> Game:
    """Return a game in its first hand; places of `hands` past the last seat are dummies or the ghost hand."""
    ruleset = rulesets.get(rules)
    cards = {**(hands or {}), UPCARD: upcard, KITTY: kitty}
    deck = deck_for(ruleset, dealer, cards)
    return Game(ruleset, dealer=dealer, deck=deck, scores=scores, key=1, auto_deal=False)


def play_lowest(game: Game, firsts: Iterable[int] = ()) -> Game:
    """Play a hand to its end: the given cards when they may be played by who leads, else the lowest card allowed."""
    waiting: list[Any] = list(firsts)
    while game.turn != NONE:
        legal = game.legal()
        leads = game.state["in_trick"][0] == 0
        game.play(waiting.pop(0) if leads and waiting and waiting[0] in legal else legal[0])
    return game
