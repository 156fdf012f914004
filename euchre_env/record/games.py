"""Record and Recorder: a game as its ruleset, deals and actions; replay of a record through `Game`.

A record holds every deck in full, in the order that `dealing.deck_dealt` gives for equal deals, so that two records are
equal when they replay to the same states. What a file says is written and read in `line.py` and `egn.py`.

>>> from euchre_env.game import Game
>>> recorder = Recorder(Game("tournament", seed=3, dealer=0))
>>> for _ in range(9):
...     recorder.play(recorder.game.legal()[0])
>>> record = recorder.record
>>> [action_word(action) for action in record.deals[0].actions][:4], record.scores
(['pass', 'pass', 'pass', 'pass'], (0, 0))
>>> record.replay().state == recorder.game.state
array([ True])
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from euchre_env.cards import NUM_CARDS, format_card
from euchre_env.dealing import deck_dealt, in_order
from euchre_env.decks import deck
from euchre_env.engine.layout import CLAIM_REDEAL, NUM_ACTIONS, Phase, action_name
from euchre_env.errors import DeckError, RecordError, StateError
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

_DOES = {Phase.PLAY: "plays", Phase.DISCARD: "lays away", Phase.GIVE: "passes"}


def action_word(action: int) -> str:
    """Return an action as one word of a record: `TD`, `order-up`, `call-spades-alone`."""
    return action_name(action).replace(" ", "-")


@lru_cache(maxsize=1)
def words() -> dict[str, int]:
    """Return the action of each word."""
    return {action_word(action): action for action in range(NUM_ACTIONS)}


@dataclass(frozen=True)
class Deal:
    """One distribution of the cards and what was done with it."""

    deck: tuple[int, ...]  # card ids, top first
    actions: tuple[int, ...] = ()
    unseen: int = 0  # set of cards of which the source does not tell where they lay

    def __post_init__(self) -> None:
        object.__setattr__(self, "deck", tuple(int(card) for card in self.deck))
        object.__setattr__(self, "actions", tuple(int(action) for action in self.actions))


@dataclass(frozen=True)
class Record:
    """One game from its first deal, to its end or as far as it was played.

    `scores` are the points by side after the last action. A deal that was claimed away (Q-N22) is a deal of its own.
    With `key` all decks are those that the key gives (`decks.py`); files are shorter then.
    """

    ruleset: Ruleset
    dealer: int  # of the first deal
    start: tuple[int, ...]  # points by side before it
    deals: tuple[Deal, ...]
    scores: tuple[int, ...]
    players: tuple[str, ...] = ()  # names by seat, none if unknown
    key: int | None = field(default=None, compare=False)

    def steps(self) -> Iterator[tuple[Game, int]]:
        """Replay: yield the game before each action, with the action; RecordError at the first that is not legal.

        The game is the same object throughout: `clone()` what you keep.
        """
        deals = [(deal.deck, deal.actions) for deal in self.deals]
        yield from follow(_game(self.ruleset, self.dealer, self.start, deals, self.key), deals)

    def by_deal(self) -> Iterator["PlayedDeal"]:
        """Replay deal by deal; RecordError at the first action that is not legal."""
        deals = [(deal.deck, deal.actions) for deal in self.deals]
        game = _game(self.ruleset, self.dealer, self.start, deals, self.key)
        course = follow(game, deals)
        for deal in self.deals:
            steps = [(now.clone(), action) for now, action in islice(course, len(deal.actions))]
            if not steps:
                next(course, None)
            yield PlayedDeal(deal, tuple(steps), _end(*steps[-1]) if steps else game.clone())

    def replay(self) -> Game:
        """Return the game at the end of the record; RecordError if it cannot be played or ends with other scores."""
        deals = [(deal.deck, deal.actions) for deal in self.deals]
        game = _game(self.ruleset, self.dealer, self.start, deals, self.key)
        for _ in follow(game, deals):
            pass
        check_scores(game, self.scores)
        return game.clone()


@dataclass(frozen=True)
class PlayedDeal:
    """A deal as it was played."""

    deal: Deal
    steps: tuple[tuple[Game, int], ...]  # the game before each action, and the action
    end: Game  # after the last action, the next deal not dealt; before a claim, where the last action is one

    @property
    def start(self) -> Game:
        """The game just dealt."""
        return self.steps[0][0] if self.steps else self.end


def _end(game: Game, action: int) -> Game:
    after = game.clone()
    if action != CLAIM_REDEAL:  # the next deal would be dealt with it
        after.play(action)
    return after


# A deck, or none where the key gives it, and the actions.
Course = tuple[Sequence[int] | None, Sequence[int]]


class _Replayed(Game):
    """A game whose deals are told beforehand; when none is left, a deal stays due."""

    def __init__(
        self, decks: Iterable[Sequence[int] | None], ruleset: Ruleset, key: int | None, **settings: int
    ) -> None:
        self._decks = list(decks)[::-1]
        self.dealt = 0
        super().__init__(ruleset, key=key or 0, auto_deal=False, **settings)  # type: ignore[arg-type]

    def deal(self, deck: Sequence[str | int] | None = None) -> None:
        if self._decks:
            super().deal(self._decks.pop())
            self.dealt += 1


def _game(ruleset: Ruleset, dealer: int, start: Sequence[int], deals: Sequence[Course], key: int | None) -> _Replayed:
    if not deals:
        raise RecordError("a record needs at least one deal.")
    try:
        return _Replayed([deck for deck, _ in deals], ruleset, key, dealer=dealer, scores=start)  # type: ignore[arg-type]
    except (DeckError, StateError) as error:
        raise RecordError(f"deal 1: {error}") from error


def _begin(game: _Replayed, number: int) -> None:
    """Have the next deal dealt; a claim has it dealt already (Q-N22)."""
    if game.over:
        raise RecordError(f"deal {number}: the game was over before it, {_score(game)} (2.8).")
    if game.phase != Phase.DEAL:
        raise RecordError(f"deal {number}: the deal before it is not played out.")
    try:
        game.deal()
    except DeckError as error:
        raise RecordError(f"deal {number}: {error}") from error


def _score(game: "Game | Record") -> str:
    return " to ".join(str(score) for score in game.scores)


def doing(game: Game, action: int) -> str:
    """Return what the seat to move does with an action, as a clause: `seat 2 plays TD`."""
    said = f"says {action_name(action)!r}"
    verb = _DOES.get(game.phase)
    return (
        f"seat {game.turn} {verb} {format_card(action)}" if verb and action < NUM_CARDS else f"seat {game.turn} {said}"
    )


def place_of(game: Game, number: int) -> str:
    """Return where in a record a game is: `deal 2, trick 1`."""
    where = (
        f"trick {game.state['trick'][0] + 1}" if game.phase == Phase.PLAY else f"call {game.state['num_calls'][0] + 1}"
    )
    return f"deal {number}, {where}"


def refuse_illegal(game: Game, number: int, action: int) -> None:
    """Raise RecordError with place and reason unless the seat to move may do this."""
    reason = game.why_not(action)
    if reason is None:
        return
    if game.turn < 0:
        raise RecordError(f"deal {number}: {action_word(action)} comes after its end.")
    raise RecordError(f"{place_of(game, number)}: {doing(game, action)}, but {reason}")


def follow(game: _Replayed, deals: Sequence[Course], numbers: Sequence[int] = ()) -> Iterator[tuple[Game, int]]:
    """Play deals one after the other; yield the game before each action. Refusals call the deals by their numbers."""
    for index, (_, actions) in enumerate(deals):
        number = numbers[index] if numbers else index + 1
        if game.dealt == index:
            _begin(game, number)
        for action in actions:
            if game.dealt != index + 1:
                raise RecordError(f"deal {number}: {action_word(action)} comes after its end.")
            refuse_illegal(game, number, action)
            yield game, action
            game.play(action)


def check_scores(played: Game | Record, scores: Sequence[int]) -> None:
    """Raise RecordError unless a game or record ends with these scores."""
    if tuple(scores) != tuple(played.scores):
        said = " to ".join(str(score) for score in scores)
        raise RecordError(f"scores: the file says {said}, its play gives {_score(played)}.")


_PLAYED_ON = "the game was played on without its recorder."


def _progress(game: Game) -> tuple[int, ...]:
    """Return how far a game is, so that a move made past the recorder shows."""
    return tuple(int(game.state[name][0]) for name in ("hand", "redeal", "num_calls", "trick", "in_trick"))


class Recorder:
    """Records a game while it is played: make one as soon as the first deal is dealt, and play through it."""

    def __init__(self, game: Game, players: Sequence[str] = ()) -> None:
        record = game.state[0]
        if record["hand"] or record["redeal"] or _progress(game) != (0, 0, 0, 0, 0):
            raise RecordError("recording begins with the first deal of a game, before its first action.")
        self.game = game
        self.players = tuple(players)
        self._dealer, self._start = int(record["dealer"]), game.scores
        self._key: int | None = game.key  # until a deal comes from elsewhere
        self._decks: list[tuple[int, ...]] = []
        self._actions: list[list[int]] = []
        self._seen = (-1, -1)
        self._progress = _progress(game)

    def _notice(self) -> None:
        """Take down the deal that lies on the table if it is new."""
        record = self.game.state[0]
        number = int(record["hand"]), int(record["redeal"])
        if self.game.turn >= 0 and number != self._seen:
            if _progress(self.game)[2:] != (0, 0, 0):
                raise RecordError(_PLAYED_ON)
            self._seen = number
            self._decks.append(deck_dealt(self.game.ruleset, self.game.state))
            self._key = self._key if self._is_of_key(*number) else None
            self._actions.append([])
            self._progress = _progress(self.game)

    def _is_of_key(self, hand: int, redeal: int) -> bool:
        """Whether the deal on the table is the one that the game's key gives."""
        if self._key is None:
            return False
        rules, dealer = self.game.ruleset, int(self.game.state["dealer"][0])
        return in_order(rules, dealer, deck(rules, self._key, 0, hand, redeal).tolist()) == self._decks[-1]

    def note(self, action: int) -> None:
        """Take down an action that the game is about to carry out."""
        self._notice()
        self._actions[-1].append(int(action))

    def play(self, action: int) -> None:
        """Carry out an action of the seat to move and take it down; IllegalActionError says why not."""
        self._notice()
        if self._progress != _progress(self.game):
            raise RecordError(_PLAYED_ON)
        self.game.play(action)
        self._actions[-1].append(int(action))
        self._progress = _progress(self.game)

    @property
    def record(self) -> Record:
        """The record of the game so far."""
        self._notice()
        deals = [Deal(cards, tuple(actions)) for cards, actions in zip(self._decks, self._actions, strict=True)]
        game = self.game
        return Record(game.ruleset, self._dealer, self._start, tuple(deals), game.scores, self.players, self._key)


def _refuse_seen(game: Game, number: int, unseen: int, action: int) -> None:
    """Raise RecordError if a card that everybody saw is said to be unseen."""
    shown = [int(game.state["upcard"][0]), *([action] if game.phase == Phase.PLAY else [])]
    seen = next((card for card in shown if card >= 0 and unseen >> card & 1), None)
    if seen is not None:
        raise RecordError(f"{place_of(game, number)}: {format_card(seen)} is on the table, but said to be unseen.")


def retell(
    ruleset: Ruleset,
    dealer: int,
    start: Sequence[int],
    deals: Sequence[Course],
    *,
    players: Sequence[str] = (),
    key: int | None = None,
    unseen: Sequence[int] = (),
    deal_numbers: Sequence[int] = (),
) -> Record:
    """Play what a file tells and return it as a record; RecordError says what cannot be, and where."""
    game = _game(ruleset, dealer, start, deals, key)
    recorder = Recorder(game, players)
    for _, action in follow(game, deals, deal_numbers):
        if unseen:
            _refuse_seen(game, game.dealt, unseen[game.dealt - 1], action)
        recorder.note(action)
    record = recorder.record
    told = (
        [replace(deal, unseen=cards) for deal, cards in zip(record.deals, unseen, strict=True)]
        if unseen
        else record.deals
    )
    return replace(record, deals=tuple(told), key=key)
