"""Recorded games of people, played again: every call and card is legal, every trick goes where it went."""

import json
from pathlib import Path
from typing import Any

import pytest

from euchre_env.cards import SUIT_NAMES, SUITS, format_card
from euchre_env.engine.layout import Phase
from euchre_env.errors import IllegalActionError
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules import model
from tests.rules.tables import act, deck_of, text_cards

FOLDER = Path(__file__).parents[1] / "data" / "egn"
RULES = get("tournament")
REVOKE = "revoke_in_complete_deal.egn"
FILES = sorted(path.name for path in FOLDER.glob("*.egn") if path.name != REVOKE)


def card_of(text: str) -> str:
    return text[0].upper() + text[1].upper()


class Deal:
    """A recorded deal: who called what, who played what; hands as far as they were shown."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        start = recorded["initialState"]
        bidding, play = recorded["phases"]
        self.dealer: int = start["dealer"]
        self.upcard = card_of(start["upCard"])
        self.calls: list[str] = bidding["calls"]
        self.maker = (self.dealer + len(self.calls)) % 4
        self.ordered = self.calls[-1] == "Order"
        self.trump = self.upcard[1] if self.ordered else self.calls[-1].upper()
        self.sits_out = (self.maker + 2) % 4 if bidding["isAlone"] else None
        self.discard = card_of(bidding["discard"]) if bidding.get("discard") else None
        self.tricks: list[list[tuple[int, str]]] = []
        leader = self.dealer + 1
        for cards in play["tricks"]:
            seats = [seat for seat in model.clockwise(leader) if seat != self.sits_out]
            self.tricks.append(list(zip(seats, map(card_of, cards), strict=True)))
            leader = model.winner_of(self.tricks[-1], self.trump)

    def hands(self) -> dict[int, str]:
        """Return the dealt cards that were seen."""
        held: dict[int, list[str]] = {seat: [] for seat in range(4)}
        for trick in self.tricks:
            for seat, card in trick:
                held[seat].append(card)
        if self.picks_up:
            held[self.dealer] = [card for card in held[self.dealer] if card != self.upcard]
            held[self.dealer] += [self.discard] if self.discard and self.discard != self.upcard else []
        return {seat: " ".join(cards) for seat, cards in held.items()}

    @property
    def picks_up(self) -> bool:
        return self.ordered and self.sits_out != self.dealer

    def words(self) -> list[str]:
        """Return the calls as actions."""
        last = "order up" if self.ordered else f"call {SUIT_NAMES[SUITS.index(self.trump)]}"
        alone = " alone" if self.sits_out is not None else ""
        return ["pass"] * (len(self.calls) - 1) + [last + alone]


def play_calls(game: Game, deal: Deal) -> None:
    act(game, *deal.words())
    assert game.state["maker"][0] == deal.maker
    if deal.picks_up:
        played = {card for trick in deal.tricks for seat, card in trick if seat == deal.dealer}
        act(game, deal.discard or (text_cards(game.hand(deal.dealer)) - played).pop())


def play_cards(game: Game, deal: Deal) -> None:
    for trick in deal.tricks:
        assert {format_card(card) for card in game.legal()} >= {trick[0][1]}
        for seat, card in trick:
            assert game.turn == seat
            act(game, card)
        assert game.state["best_seat"][0] == model.winner_of(trick, deal.trump)


def deals_of(name: str) -> tuple[list[int], list[Deal]]:
    recorded = json.loads((FOLDER / name).read_text("utf-8"))
    return recorded["metadata"]["initialScore"], [Deal(deal) for deal in recorded["deals"]]


@pytest.mark.parametrize("name", FILES)
def test_a_recorded_game(name: str) -> None:
    scores, deals = deals_of(name)
    decks = [deck_of(RULES, deal.dealer, deal.hands(), deal.upcard) for deal in deals]
    game = Game(RULES, dealer=deals[0].dealer, deck=decks[0], scores=scores, auto_deal=False)
    for deal, deck in zip(deals, decks, strict=True):
        if game.phase == Phase.DEAL:
            game.deal(deck)
        assert game.state["dealer"][0] == deal.dealer
        play_calls(game, deal)
        play_cards(game, deal)
    # A game was recorded to its end; the one deal of `custom_scenario` is no game.
    assert game.over == (len(deals) > 1)


def test_a_recorded_revoke_is_refused() -> None:
    # Jack of clubs led; the dealer ruffed with the ten of diamonds, and played the king of clubs in the last trick.
    _, (_, deal) = deals_of(REVOKE)
    deck = deck_of(RULES, deal.dealer, deal.hands(), deal.upcard)
    game = Game(RULES, dealer=deal.dealer, deck=deck, auto_deal=False)
    play_calls(game, deal)
    *before, (seat, card) = deal.tricks[0]
    act(game, *(word for _, word in before))
    assert (game.turn, card) == (seat, "TD")
    with pytest.raises(IllegalActionError, match="TD does not follow: clubs were led and the hand holds KC"):
        act(game, card)
