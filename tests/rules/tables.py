"""Set up a table from a few cards, and play on it in words."""

from collections.abc import Iterable, Mapping, Sequence

from euchre_env import rulesets
from euchre_env.cards import SUIT_NAMES, SUITS, cards_of, format_card, format_cards, parse_cards
from euchre_env.engine.layout import NUM_ACTIONS, action_name
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

ACTIONS = {action_name(action): action for action in range(NUM_ACTIONS)}


def text_cards(cards: int | Iterable[int]) -> set[str]:
    """Return cards (a set as an int, or ids) as texts."""
    return {format_card(card) for card in (cards_of(cards) if isinstance(cards, int) else cards)}


def _fill(rules: Ruleset, hands: dict[int, list[int]], rest: list[int], void: Mapping[int, set[int]]) -> None:
    """Give the seats what they may hold: the cards that fewest may hold first, to the seat that may hold least."""
    for card in sorted(rest, key=lambda c: (-sum(c in cards for cards in void.values()), c)):
        open_seats = [s for s in hands if len(hands[s]) < rules.hand_size and card not in void.get(s, set())]
        if open_seats:
            hands[min(open_seats, key=lambda s: (-len(void.get(s, set())), len(hands[s])))].append(card)
    assert all(len(hand) == rules.hand_size for hand in hands.values()), "no such deal found"


def deck_of(
    rules: Ruleset, dealer: int, hands: Mapping[int, str], upcard: str, void: Mapping[int, str] | None = None
) -> list[int]:
    """Return a deck that deals these cards and this up-card; no seat gets a further card that `void` names."""
    full = {seat: parse_cards(hands.get(seat, "")) for seat in range(4)}
    up = parse_cards(upcard)
    taken = {*up, *(card for hand in full.values() for card in hand)}
    rest = [card for card in rules.deck_ids if card not in taken]
    _fill(rules, full, rest, {seat: set(parse_cards(cards)) for seat, cards in (void or {}).items()})
    order = [(dealer + 1 + place) % 4 for place in range(4)]
    dealt = [card for start, end in ((0, 3), (3, 5), (5, 7)) for seat in order for card in full[seat][start:end]]
    return [*dealt, *up, *(card for card in rest if card not in dealt)]


def table(
    rules: str | Ruleset,
    dealer: int,
    hands: Mapping[int, str],
    upcard: str,
    void: Mapping[int, str] | None = None,
    scores: Sequence[int] | None = None,
) -> Game:
    """Return a game in its first hand, dealt as `deck_of` says; later hands are dealt by hand."""
    ruleset = rulesets.get(rules)
    deck = deck_of(ruleset, dealer, hands, upcard, void)
    return Game(ruleset, dealer=dealer, deck=deck, scores=scores, key=1, auto_deal=False)


def act(game: Game, *words: str) -> Game:
    """Carry out actions by name."""
    for word in words:
        game.play(ACTIONS[word])
    return game


def pass_all(game: Game, times: int) -> Game:
    """Pass so many times."""
    return act(game, *["pass"] * times)


def with_partners(game: Game) -> Game:
    """Answer every question about going alone with no."""
    while game.phase.name == "DECLARE":
        act(game, "with partner")
    return game


def with_trump(
    rules: str | Ruleset, leader: int, trump: str, hands: Mapping[int, str], void: Mapping[int, str] | None = None
) -> Game:
    """Deal so that `leader` leads first, have him name `trump` in the second round, nobody alone."""
    ruleset, none = rulesets.get(rules), void or {}
    held = " ".join(hands.values()).split()
    free = [card for card in format_cards(ruleset.deck_ids).split() if card not in held and card[1] != trump]
    # What several seats may not hold lies best on the table.
    upcard = max(free, key=lambda card: sum(card in cards.split() for cards in none.values()))
    game = pass_all(table(ruleset, (leader - 1) % 4, hands, upcard, none), 4)
    return with_partners(act(game, f"call {SUIT_NAMES[SUITS.index(trump)]}"))


def words(game: Game) -> set[str]:
    """Return what the seat to move may do, by name."""
    return {action_name(action) for action in game.legal()}


def play_trick(game: Game, plays: Iterable[tuple[int, str]]) -> int:
    """Play a trick of (seat, card), each seat in turn; return the winner."""
    for seat, card in plays:
        assert game.turn == seat, f"seat {game.turn} is to move, not {seat}"
        act(game, card)
    record = game.state[0]
    assert record["in_trick"] == 0, "the trick is not complete"
    return int(record["best_seat"])


def plays_of(text: str) -> list[tuple[int, str]]:
    """Read `1:JD 2:9H` as plays."""
    return [(int(word[0]), word[2:]) for word in text.split()]
