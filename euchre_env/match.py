"""Match: several games, with what belongs above a game: the draw for partners and deal, laps, slams, the rubber.

One game is `game.py`'s; matches on duplicate deals between two players are the arena's. Partners and the first dealer
are settled once for a match; from game to game the deal goes on to the left (Q-X1), and a new draw is a new match.

>>> print(draw("bicycle32", ["9C", "9H", "KD", "QS", "TC", "8D"]))
player 0 draws 9C TC, player 1 9H 8D, player 2 KD, player 3 QS: player 1 deals, with player 0 against 2 and 3
>>> match = Match("railroad", seed=7, games=3)
>>> match.game.turn, match.games_won, match.over
(1, (0, 0), False)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from euchre_env import rulesets
from euchre_env.cards import JOKER, NUM_RANKS, format_card, format_cards, mask_of
from euchre_env.decks import card_id, episode_key, opening_dealer, random_word, shuffle
from euchre_env.errors import DeckError, RulesetError, StateError, whole_number
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

RUBBER_GAMES = 2
RUBBER_BONUS = 2
MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class Draw:
    """A draw of cards for partners, seats and the first deal (1.7, Q-X2); players are numbered as they draw."""

    cards: tuple[tuple[int, ...], ...]  # by player: the card drawn, then what he drew again
    players: tuple[int, ...]  # by seat: who sits there
    dealer: int  # the seat that deals first

    @property
    def pairs(self) -> tuple[tuple[int, ...], ...]:
        """The sides as players: the dealer's pair, the dealer first, then the other; two or three play singly."""
        if len(self.players) < 4:
            return tuple((player,) for player in self.players)
        dealer, left, partner, right = self.players
        return (dealer, partner), (left, right)

    def __str__(self) -> str:
        drawn = [f"player {player} {format_cards(cards)}" for player, cards in enumerate(self.cards)]
        words = ", ".join(drawn).replace("player 0", "player 0 draws", 1)
        deals = f"{words}: player {self.players[self.dealer]} deals"
        if len(self.players) < 4:
            return deals
        low, high = self.pairs
        return f"{deals}, with player {low[1]} against {min(high)} and {max(high)}"


def _draw_order(card: int) -> int:
    """1.7: K Q J T 9 8 7, and the ace low."""
    return (card % NUM_RANKS + 1) % NUM_RANKS


def _sorted_players(drawn: Sequence[Sequence[int]]) -> list[int]:
    """Return the players from the lowest card to the highest; a redraw counts inside its tie alone (Q-X2)."""
    return sorted(range(len(drawn)), key=lambda player: [_draw_order(card) for card in drawn[player]])


def _draw_again(drawn: Sequence[Sequence[int]]) -> list[int]:
    """Q-X2: the players of a tie that leaves the dealer or the pairs open; other ties stand."""
    worth = [[_draw_order(card) for card in cards] for cards in drawn]
    order = _sorted_players(drawn)
    borders = (1, 2) if len(order) == 4 else (1,)  # below them the dealer, and the dealer's pair
    open_ties = [worth[order[at]] for at in borders if worth[order[at]] == worth[order[at - 1]]]
    return [player for player in range(len(drawn)) if worth[player] in open_ties]


def _seated(order: Sequence[int]) -> tuple[int, ...]:
    """Q-X2: by seat, from the lowest card to the highest: dealer 0, his partner 2, the higher of the others 1."""
    dealer, partner, lower, higher = order
    return dealer, higher, partner, lower


def _settled(num_seats: int, deck: Sequence[int]) -> Draw | None:
    """Return the draw from these cards, None if they run out before it is settled."""
    drawn: list[list[int]] = [[] for _ in range(num_seats)]
    due, rest = list(range(num_seats)), list(deck)
    while due:
        if len(rest) < len(due):
            return None
        for player in due:
            drawn[player].append(rest.pop(0))
        due = _draw_again(drawn)
    order = _sorted_players(drawn)
    cards = tuple(tuple(cards) for cards in drawn)
    if num_seats == 4:
        return Draw(cards, _seated(order), 0)
    return Draw(cards, tuple(range(num_seats)), order[0])


def draw(ruleset: str | Ruleset, deck: Sequence[str | int]) -> Draw:
    """Return who plays with whom, who sits where and who deals first, from the cards drawn (1.7, Q-X2).

    The players draw in turn from `deck` (texts or ids, top first; a part of the pack will do), ranking K Q J T 9 8 7 A.
    Four: the two lowest play the two highest; the lowest deals in seat 0, his partner sits in seat 2, the higher of the
    others in seat 1 (of equal ones the last to draw). Two and three keep their seats, the lowest deals. A tie that
    leaves the dealer or the pairs open is drawn again from what is left. DeckError for a card twice, one that is not in
    the pack, the joker, which is added after the draw, and for cards that run out.
    """
    rules = rulesets.get(ruleset)
    settled = _settled(rules.num_seats, _checked_cards(rules, deck))
    if settled is None:
        raise DeckError(f"{len(deck)} cards do not settle the draw: equal cards draw again (1.7, Q-X2).")
    return settled


def _checked_cards(rules: Ruleset, deck: Sequence[str | int]) -> list[int]:
    cards = [card_id(card) for card in deck]
    for card in cards:
        if card == JOKER:
            raise DeckError("the joker is added after the draw (1.7).")
        if card not in rules.deck_ids:
            raise DeckError(f"{format_card(card)} is not in the {rules.deck}-card pack of {rules.name} (1.1).")
        if cards.count(card) > 1:
            raise DeckError(f"{format_card(card)} is drawn {cards.count(card)} times.")
    return cards


def draw_by_key(ruleset: str | Ruleset, key: int) -> Draw:
    """Return the draw of the match with this key; a pack that ties to its last card is shuffled anew."""
    rules, key = rulesets.get(ruleset), _checked_number("key", key, 0, 2**64 - 1)
    ids = [card for card in rules.deck_ids if card != JOKER]
    pack, word = np.int64(mask_of(ids)), np.uint64(random_word(np.uint64(key), 0))
    cards = np.empty(len(ids), dtype=np.int8)
    settled, attempt = None, 0
    while settled is None:
        shuffle(pack, word, 0, attempt, 0, cards)
        settled, attempt = _settled(rules.num_seats, cards.tolist()), attempt + 1
    return settled


@dataclass(frozen=True)
class GameResult:
    """A finished game as a match counts it; every tuple is by side."""

    winners: tuple[int, ...]  # the sides that won
    scores: tuple[int, ...]
    games: tuple[int, ...]  # games that it counts as: one to a winner, more by slam and laps
    rubber_points: tuple[int, ...]
    carry: tuple[int, ...]  # what the next game starts from
    slam: bool
    first_dealer: int
    hands: int


def game_result(
    rules: Ruleset, scores: Sequence[int], winners: Sequence[int], first_dealer: int = 0, hands: int = 0
) -> GameResult:
    """Return what a game that ended with these scores is worth in a match.

    A winner has one game. Laps (7.7): his points beyond the target start the next game; as often as they hold another
    target, they count a game. Slam (7.7): while every loser has nil, or less, the game counts one more (Q-R8: both
    apply). Rubber points (3): 3, 2 or 1, by what the losers have. A game won by all has no loser, so no slam.
    """
    sides = range(rules.num_sides)
    losers = [scores[side] for side in sides if side not in winners]
    slam = rules.slams and bool(losers) and max(losers) <= 0
    beyond = [max(scores[side] - rules.target, 0) if rules.laps and side in winners else 0 for side in sides]
    worth = _rubber_worth(max(losers)) if rules.rubber and losers else 0
    return GameResult(
        winners=tuple(sorted(winners)),
        scores=tuple(scores),
        games=tuple((1 + slam + beyond[side] // rules.target) * (side in winners) for side in sides),
        rubber_points=tuple(worth * (side in winners) for side in sides),
        carry=tuple(points % rules.target for points in beyond),
        slam=slam,
        first_dealer=first_dealer,
        hands=hands,
    )


def _rubber_worth(losers: int) -> int:
    """3: rubber points of a game, by the losers' score."""
    return 3 if losers <= 0 else 2 if losers <= 2 else 1


def _checked_number(name: str, value: int, low: int, high: int) -> int:
    try:
        return whole_number(name, value, low, high)
    except ValueError as error:
        raise StateError(str(error)) from error


class Match:
    """Games of one ruleset between the same sides, one after the other.

    `game` is the one being played: act on it, or by `play`, which begins the next game when one is over. The match ends
    after `games` games, or when a side has `first_to` of them, laps and slams counted (7.7). A rubber ends when a side
    has two: where laps or slams are played they count there too, so one slam, or one game whose surplus holds another
    target, makes a rubber (3, 7.7); rubber points are paid for every game played, however many it counts. Without
    either it goes on as long as `deal` is called. Seeds, keys and decks are those of `Game`; with
    `auto_deal=False` every hand waits for `deal`, so given decks replay a match. `draw` seats the players by a draw
    made before; with dealer_selection="draw" and no `dealer` the match draws itself. `scores` start the first game.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        *,
        seed: int | np.random.Generator | None = None,
        key: int | None = None,
        games: int | None = None,
        first_to: int | None = None,
        dealer: int | None = None,
        draw: Draw | None = None,
        deck: Sequence[str | int] | None = None,
        scores: Sequence[int] | None = None,
        auto_deal: bool = True,
    ) -> None:
        self.ruleset = rulesets.get(ruleset)
        self.auto_deal = auto_deal
        self.length = None if games is None else _checked_number("games", games, 1, MOST_GAMES)
        self.first_to = None if first_to is None else _checked_number("first_to", first_to, 1, MOST_GAMES)
        self._check_rubber()
        self._key = int(np.random.default_rng(seed).integers(2**63))
        if key is not None:
            self._key = _checked_number("key", key, 0, 2**64 - 1)
        self.draw = self._drawn(draw, dealer)
        self._finished: tuple[GameResult, ...] = ()  # before the present game
        self._dealer = self._first_dealer(dealer)  # of the present game's first hand
        self.game = self._new_game(0, self._dealer, scores, deck)

    def _check_rubber(self) -> None:
        rules = self.ruleset
        if not rules.rubber:
            return
        if rules.num_sides != 2 or rules.both_cross == "shared":
            raise RulesetError("a rubber is played by two partnerships, and each game has one winner (3).")
        if self.length is not None or self.first_to is not None:
            raise StateError(f"a rubber ends when a side has {RUBBER_GAMES} games: leave out games and first_to (3).")
        self.first_to = RUBBER_GAMES

    def _drawn(self, drawn: Draw | None, dealer: int | None) -> Draw | None:
        if drawn is None:
            wanted = self.ruleset.dealer_selection == "draw" and dealer is None
            return draw_by_key(self.ruleset, self._key) if wanted else None
        if dealer is not None:
            raise StateError("draw and dealer: the draw says who deals first (1.7).")
        if len(drawn.players) != self.ruleset.num_seats:
            raise StateError(
                f"the draw is of {len(drawn.players)} players, and {self.ruleset.name} has {self.ruleset.num_seats}."
            )
        return drawn

    def _first_dealer(self, dealer: int | None) -> int:
        if self.draw is not None:
            return self.draw.dealer
        return opening_dealer(self.ruleset, self._key) if dealer is None else dealer

    def _new_game(
        self, number: int, dealer: int, scores: Sequence[int] | None, deck: Sequence[str | int] | None
    ) -> Game:
        """Return a game of the match; its key comes from the match's and its number, so its deals are its own."""
        key = int(episode_key(np.uint64(self._key), number))
        return Game(self.ruleset, key=key, dealer=dealer, scores=scores, deck=deck, auto_deal=self.auto_deal)

    @property
    def players(self) -> tuple[int, ...]:
        """By seat, who of the players as they came sits there."""
        return tuple(range(self.ruleset.num_seats)) if self.draw is None else self.draw.players

    @property
    def results(self) -> tuple[GameResult, ...]:
        """The finished games in order, the present one too once it is over."""
        return (*self._finished, self._result()) if self.game.over else self._finished

    def _result(self) -> GameResult:
        game = self.game
        return game_result(self.ruleset, game.scores, game.winners, self._dealer, int(game.state["hand"][0]))

    @property
    def games_won(self) -> tuple[int, ...]:
        """Games by side, laps and slams counted (7.7)."""
        return _summed([result.games for result in self.results], self.ruleset.num_sides)

    @property
    def rubber_points(self) -> tuple[int, ...]:
        """Rubber points by side: those of the games, and two for the rubber (3); nil in a match that is no rubber."""
        points = _summed([result.rubber_points for result in self.results], self.ruleset.num_sides)
        won = [self.ruleset.rubber and games >= RUBBER_GAMES for games in self.games_won]
        return tuple(own + RUBBER_BONUS * bonus for own, bonus in zip(points, won, strict=True))

    @property
    def standings(self) -> tuple[int, ...]:
        """What decides the match, by side: rubber points in a rubber, else games."""
        return self.rubber_points if self.ruleset.rubber else self.games_won

    @property
    def over(self) -> bool:
        """Whether the last game that belongs to the match has ended."""
        if self.length is not None and len(self.results) >= self.length:
            return True
        return self.first_to is not None and max(self.games_won) >= self.first_to

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides that stand highest once the match is over; none before."""
        standings = self.standings
        return tuple(s for s, value in enumerate(standings) if value == max(standings)) if self.over else ()

    @property
    def next_dealer(self) -> int | None:
        """The seat that deals the next hand, in this game or the next (Q-X1); None while a hand is being played."""
        return int(self.game.state["next_dealer"][0]) if self.game.turn < 0 else None

    def deal(self, deck: Sequence[str | int] | None = None) -> None:
        """Deal the next hand, the first of the next game when one is over; StateError unless a deal is due."""
        if not self.game.over:
            self.game.deal(deck)
            return
        if self.over:
            raise StateError("the match is over.")
        results, dealer = self.results, int(self.game.state["next_dealer"][0])
        game = self._new_game(len(results), dealer, results[-1].carry, deck)
        self._finished, self._dealer, self.game = results, dealer, game

    def play(self, action: int) -> None:
        """Carry out an action of the seat to move; deal, and begin the next game, where they are due."""
        self.game.play(action)
        if self.auto_deal and self.game.over and not self.over:
            self.deal()

    def clone(self) -> "Match":
        """Return an independent match in the same state."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.game = self.game.clone()
        return twin

    def __str__(self) -> str:
        won = " to ".join(map(str, self.games_won))
        rubber = f", rubber points {' to '.join(map(str, self.rubber_points))}" if self.ruleset.rubber else ""
        number = len(self._finished) + 1
        return f"game {number} of the match; games won: {won}{rubber}\n\n{self.game}"


def _summed(rows: Sequence[Sequence[int]], width: int) -> tuple[int, ...]:
    return tuple(sum(row[side] for row in rows) for side in range(width))
