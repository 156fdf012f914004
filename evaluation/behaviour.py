"""Behaviour: written positions with the moves that good players accept, and how many of them a player gets right.

A file of positions is YAML; `tests/behaviour/README.md` describes it. A position tells what its seat knows: the hand
dealt to it, the up-card, what was said and played. The cards that it cannot see are dealt by `worlds`, always the same
ones, so that legal actions lead there. This is a report on players, not a measure of strength: that is `arena.py`.

>>> import tempfile
>>> text = '''
... theme: bidding
... positions:
...   - {id: three-trumps, source: a book, why: Three trumps and an ace., ruleset: tournament, dealer: 1, seat: 1,
...      scores: [0, 0], upcard: 9H, hand: JH KH AS QC TC, calls: [pass, pass, pass], accept: [order up]}'''
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder) / "own.yaml"
...     _ = path.write_text(text)
...     positions = load(path)
>>> sheet = judge("rule_based", positions)
>>> sheet.right(), sheet.answers[0].moves
(1.0, {'order up': 1})
"""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from rich import box
from rich.table import Table

from euchre_env import policies, rulesets, worlds
from euchre_env.cards import format_card, format_cards, mask_of, parse_cards
from euchre_env.dealing import UPCARD, Place, hand_of, plan_of
from euchre_env.engine.layout import Phase, action_name
from euchre_env.errors import DeckError, IllegalActionError, RecordError, RulesetError, StateError
from euchre_env.game import Game
from euchre_env.policies import Policy, PolicyError
from euchre_env.record.fields import brief, check_fields, items, mapping, number, numbers, shown, text
from euchre_env.record.games import words
from euchre_env.ruleset import Ruleset
from euchre_env.single import carry_out

# How often a player that may draw is asked about a position.
ASKS = 10

_TEXT = "tag:yaml.org,2002:str"
_FILE_FIELDS = {"theme", "positions"}
_FIELDS = {"id", "source", "why", "ruleset", "dealer", "scores", "seat", "hand", "accept"}
_MORE_FIELDS = {"upcard", "calls", "tricks"}


class BehaviourError(ValueError):
    """Positions that cannot be read, or an answer that is no move; the message names the file and the position."""


@dataclass(frozen=True)
class Position:
    """A position and the moves that are right in it."""

    id: str
    theme: str
    source: str  # whose complaint it was
    why: str  # in a player's words
    file: Path
    game: Game  # the seat to move is the one that is asked
    accept: tuple[int, ...]  # actions, ascending

    @property
    def ruleset(self) -> Ruleset:
        """The rules that it is played by."""
        return self.game.ruleset


def load(path: Path) -> list[Position]:
    """Return the positions of a file, or of all files `*.yaml` of a folder by name; BehaviourError in a sentence."""
    if not path.exists():
        raise BehaviourError(f"there are no positions at {path}: name a file or folder of them.")
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    positions = [position for file in files for position in _read(file)]
    if not positions:
        raise BehaviourError(f"{path} holds no position.")
    seen: dict[str, Position] = {}
    for position in positions:
        if position.id in seen:
            raise BehaviourError(f"{position.file}: {position.id}: {seen[position.id].file} has this id already.")
        seen[position.id] = position
    return positions


def _read(file: Path) -> Iterator[Position]:
    try:
        values = mapping("the file", _parse(file.read_text("utf-8")))
        check_fields("", values, _FILE_FIELDS, _FILE_FIELDS)
        theme, entries = text("theme", values["theme"]), items("positions", values["positions"])
    except (RecordError, UnicodeDecodeError) as error:
        raise BehaviourError(f"{file}: {error}") from error
    for index, entry in enumerate(entries):
        name = entry.get("id") if isinstance(entry, dict) else None
        name = brief(" ".join(name.split())) if isinstance(name, str) else f"positions[{index}]"
        try:
            yield _position(file, theme, entry)
        except (DeckError, IllegalActionError, RecordError, RulesetError, StateError) as error:
            raise BehaviourError(f"{file}: {name}: {error}") from error


def _parse(source: str) -> Any:
    """Return the value of a YAML text; RecordError for anything else, a field that stands twice included."""
    try:
        _check_keys(yaml.compose(source, Loader=yaml.SafeLoader), set())
        return yaml.safe_load(source)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(f"not YAML: {' '.join(str(error).split())}.") from error


def _check_keys(node: Any, seen: set[int]) -> None:
    """Raise RecordError where the name of a field is no text or stands twice: YAML would keep the last one."""
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    children = list(node.value)
    if isinstance(node, yaml.MappingNode):
        line = node.start_mark.line + 1
        names = [key.value if key.tag == _TEXT else None for key, _ in node.value]
        if None in names:
            raise RecordError(f"the object that begins on line {line} has a field whose name is no text.")
        for name, times in Counter(names).items():
            if times > 1:
                raise RecordError(f"the field {shown(name)} stands twice in the object that begins on line {line}.")
        children = [value for _, value in node.value]
    for child in children:
        _check_keys(child, seen)


def _position(file: Path, theme: str, value: Any) -> Position:
    fields = mapping("a position", value)
    check_fields("", fields, _FIELDS, _FIELDS | _MORE_FIELDS)
    told = {name: _filled(name, fields[name]) for name in ("id", "source", "why")}
    game = _game(fields)
    return Position(**told, theme=theme, file=file, game=game, accept=_accepted(game, fields["accept"]))


def _filled(name: str, value: Any) -> str:
    if not text(name, value).strip():
        raise RecordError(f"{name} is empty.")
    return str(value)


def _action(word: Any) -> int:
    """Return the action of a text such as `9D` or `order up alone`; RecordError if it is none."""
    known = words()
    key = text("an action", word).replace(" ", "-")
    if key not in known:
        near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
        hint = f"did you mean {action_name(known[near[0]])!r}?" if near else "write 9D, order up alone or call hearts."
        raise RecordError(f"{shown(word)} is no action: {hint}")
    return known[key]


def _accepted(game: Game, value: Any) -> tuple[int, ...]:
    """Return the acceptable moves; RecordError if one is not legal, or if none would be wrong."""
    actions = sorted({_action(word) for word in items("accept", value)})
    for action in actions:
        if not game.can(action):
            raise RecordError(f"accept: {action_name(action)} is not legal: {game.why_not(action)}")
    if len(actions) < len(value) or not actions:
        raise RecordError("accept needs one move or several different ones.")
    if actions == game.legal():
        raise RecordError("accept holds every legal move: nothing could be wrong.")
    return tuple(actions)


def _game(fields: dict[str, Any]) -> Game:
    """Return a game at the position, its unseen cards dealt so that it is reached by legal actions."""
    rules = rulesets.get(text("ruleset", fields["ruleset"]))
    walk = _Walk(rules, fields)
    walk.go()
    seat, game = walk.seat, walk.game
    if game.turn != seat:
        mover = "nobody" if game.turn < 0 else f"seat {game.turn}"
        raise RecordError(f"{mover} is to move, not seat {seat}.")
    try:
        past = worlds.opening(rules, worlds.sample(rules, game.view(seat), 1, rng=0)[0])
    except StateError as error:
        reason = "somebody shows a card that lies elsewhere, or a suit that he did not follow"
        raise RecordError(f"no deal leads to this position: {reason}.") from error
    real = Game(rules, key=0, dealer=past.dealer, deck=past.deck, scores=past.scores, auto_deal=False)
    for _, action in past.actions:
        real.play(action)
    return real


class _Walk:
    """The engine sent through what is told; only the hand of one seat matters in it, the others' are any cards."""

    def __init__(self, rules: Ruleset, fields: dict[str, Any]) -> None:
        self.seat = number("seat", fields["seat"], 0, rules.num_seats - 1)
        dealer = number("dealer", fields["dealer"], 0, rules.num_seats - 1)
        scores = numbers("scores", fields["scores"], rules.num_sides)
        deck = _deck(rules, dealer, self.seat, fields)
        self.game = Game(rules, key=0, dealer=dealer, deck=deck, scores=scores, auto_deal=False)
        self.calls = [_action(word) for word in items("calls", fields.get("calls", []))]
        tricks = items("tricks", fields.get("tricks", []))
        self.tricks = [_cards(rules, f"tricks[{i}]", trick) for i, trick in enumerate(tricks)]
        self._options = rules.to_options()

    def go(self) -> None:
        """Follow the calls, then the tricks."""
        for action in self.calls:
            if self.game.phase == Phase.PLAY:
                raise RecordError(f"{action_name(action)} is called after the bidding has ended.")
            self._do(action)
        for index, trick in enumerate(self.tricks):
            if self.game.phase != Phase.PLAY:
                raise RecordError(f"tricks[{index}]: no card is due.")
            if self.game.state["in_trick"][0]:
                raise RecordError(f"tricks[{index}] begins before the trick before it is complete.")
            for card in trick:
                self._play(card)

    def _do(self, action: int) -> None:
        """Carry out what the rules let the seat to move do, then what others lay away unseen."""
        reason = self.game.why_not(action)
        if reason is not None:
            raise RecordError(f"seat {self.game.turn}: {action_name(action)} is not possible: {reason}")
        carry_out(self._options, self.game.state, action)
        while self.game.phase == Phase.DISCARD and self.game.turn != self.seat:
            carry_out(self._options, self.game.state, self.game.legal()[0])

    def _play(self, card: int) -> None:
        seat, state = self.game.turn, self.game.state[0]
        if seat == self.seat:
            self._do(card)
            return
        own = int(state["hands"][self.seat] | state["buried"][self.seat])
        played = int(np.bitwise_or.reduce(state["played"]))
        if (own | played) >> card & 1:
            where = "was played before" if played >> card & 1 else f"is with seat {self.seat}"
            raise RecordError(f"seat {seat} plays {format_card(card)}, which {where}.")
        carry_out(self._options, self.game.state, card)


def _cards(rules: Ruleset, name: str, value: Any) -> list[int]:
    """Return cards of the pack from a text."""
    try:
        cards = parse_cards(text(name, value))
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"{name}: {error}") from error
    foreign = [card for card in cards if card not in rules.deck_ids]
    if foreign:
        raise RecordError(f"{name}: {format_card(foreign[0])} is not in the pack of {rules.name} (1.1).")
    return cards


def _deck(rules: Ruleset, dealer: int, seat: int, fields: dict[str, Any]) -> list[int]:
    """Return a deck that deals the hand and the up-card that are told, and the other cards in the order of the pack."""
    plan = plan_of(rules, dealer)
    told: dict[Place, list[int]] = {hand_of(seat): _cards(rules, "hand", fields["hand"])}
    if UPCARD in plan:
        told[UPCARD] = _cards(rules, "upcard", fields.get("upcard", ""))
    elif "upcard" in fields:
        raise RecordError(f"upcard: {rules.name} turns no card up.")
    known = [card for cards in told.values() for card in cards]
    twin = next((card for card in known if known.count(card) > 1), None)
    if twin is not None:
        raise RecordError(f"{format_card(twin)} stands twice in the hand and the up-card.")
    for place, cards in told.items():
        if len(cards) != plan.count(place):
            name = "upcard" if place == UPCARD else "hand"
            raise RecordError(f"{name} has {len(cards)} cards, {format_cards(cards)}: {plan.count(place)} are dealt.")
    waiting = {place: iter(cards) for place, cards in told.items()}
    rest = iter([card for card in rules.deck_ids if card not in known])
    return [next(waiting.get(place, rest)) for place in plan]


@dataclass(frozen=True)
class Answer:
    """What a player did in a position, each time that it was asked."""

    position: Position
    moves: dict[str, int]  # how often, by the name of the action, most often first

    @property
    def share(self) -> float:
        """The part of the answers that is acceptable."""
        accepted = {action_name(action) for action in self.position.accept}
        return sum(times for move, times in self.moves.items() if move in accepted) / sum(self.moves.values())


@dataclass(frozen=True)
class Sheet:
    """What a player did in all positions."""

    player: str
    answers: tuple[Answer, ...]
    refused: dict[str, str]  # by ruleset that it does not play, what it said
    unplayed: tuple[Position, ...]  # the positions of those

    def right(self, theme: str | None = None) -> float:
        """Return how many positions it got right, of one theme or of all; a part where it drew now this, now that."""
        return sum(answer.share for answer in self._of(theme))

    def asked(self, theme: str | None = None) -> int:
        """Return how many positions it was asked about, of one theme or of all."""
        return len(self._of(theme))

    def _of(self, theme: str | None) -> list[Answer]:
        return [answer for answer in self.answers if theme in (None, answer.position.theme)]

    @property
    def failures(self) -> list[Answer]:
        """The answers that were not, or not always, acceptable."""
        return [answer for answer in self.answers if answer.share < 1]


def judge(player: str, positions: Sequence[Position], seed: int = 0) -> Sheet:
    """Ask a player, by the name that `policies.make` knows it by, about positions.

    One whose answers hang on the position alone (`exact`) is asked once, any other `ASKS` times with generators from
    `seed`. PolicyError if it plays none of the rulesets, BehaviourError if it answers with a move that is not legal.
    """
    answers: dict[str, Answer] = {}
    refused: dict[str, str] = {}
    for rules in dict.fromkeys(position.ruleset for position in positions):
        group = [position for position in positions if position.ruleset == rules]
        try:
            policy = policies.make(player, rules)
        except ValueError as error:
            refused[rules.name] = str(error)
            continue
        answers |= {answer.position.id: answer for answer in _ask(policy, player, group, seed)}
    if not answers:
        raise PolicyError(next(iter(refused.values()), "there are no positions to ask about."))
    return Sheet(
        player=player,
        answers=tuple(answers[position.id] for position in positions if position.id in answers),
        refused=refused,
        unplayed=tuple(position for position in positions if position.id not in answers),
    )


def _ask(policy: Policy, player: str, group: Sequence[Position], seed: int) -> Iterator[Answer]:
    """Yield a player's answers to positions of one ruleset, all asked at once."""
    views = np.concatenate([position.game.view(position.game.turn) for position in group])
    legal = np.array([mask_of(position.game.legal()) for position in group], dtype=np.int64)
    asks = 1 if getattr(policy, "exact", False) else ASKS
    # Copies: what a player writes into is its own.
    rounds = [policy.act(views.copy(), legal.copy(), np.random.default_rng([seed, i])) for i in range(asks)]
    for row, position in enumerate(group):
        moves = [int(actions[row]) for actions in rounds]
        for action in moves:
            reason = position.game.why_not(action)
            if reason is not None:
                raise BehaviourError(f"{position.id}: {player} answers with a move that is not legal: {reason}")
        yield Answer(position, {action_name(action): times for action, times in Counter(moves).most_common()})


def plain_sheet(sheet: Sheet) -> dict[str, Any]:
    """Return a sheet as values for JSON."""
    return {
        "player": sheet.player,
        "right": sheet.right(),
        "asked": sheet.asked(),
        "does_not_play": sheet.refused,
        "themes": {theme: {"right": sheet.right(theme), "asked": sheet.asked(theme)} for theme in _themes([sheet])},
        "answers": [
            {"id": answer.position.id, "share": answer.share, "moves": answer.moves} for answer in sheet.answers
        ],
    }


def plain_position(position: Position) -> dict[str, Any]:
    """Return what a reader needs to find a position again, as values for JSON."""
    return {
        "id": position.id,
        "theme": position.theme,
        "source": position.source,
        "ruleset": position.ruleset.name,
        "accept": _names(position.accept),
    }


def _themes(sheets: Sequence[Sheet]) -> list[str]:
    asked = [answer.position for sheet in sheets for answer in sheet.answers]
    unplayed = [position for sheet in sheets for position in sheet.unplayed]
    return sorted({position.theme for position in [*asked, *unplayed]})


def _names(actions: Iterable[int]) -> list[str]:
    return [action_name(action) for action in actions]


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def _right(sheet: Sheet, theme: str | None) -> str:
    asked = sheet.asked(theme)
    return f"{_number(sheet.right(theme))}/{asked}" if asked else "-"


def behaviour_table(sheets: Sequence[Sheet], title: str) -> Table:
    """Return one line for each player: positions right of those asked, by theme and in all."""
    themes = _themes(sheets)
    unplayed = any(sheet.unplayed for sheet in sheets)
    caption = f"positions right of those asked; who draws is asked {ASKS} times and may be right in part"
    caption += "; unasked: of rulesets that the player does not play" if unplayed else ""
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.collapse_padding = True
    table.add_column("player", overflow="fold")
    for heading in [*themes, "all", *(["unasked"] if unplayed else [])]:
        table.add_column(heading, justify="right", no_wrap=True)
    for sheet in sheets:
        cells = [_right(sheet, theme) for theme in [*themes, None]]
        table.add_row(sheet.player, *cells, *([f"{len(sheet.unplayed)}"] if unplayed else []))
    return table


def failures_table(sheet: Sheet) -> Table:
    """Return the positions that a player got wrong, what it did and what is acceptable."""
    table = Table(title=f"{sheet.player}: not acceptable", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("position", "played", "acceptable"):
        table.add_column(heading, overflow="fold")
    for answer in sheet.failures:
        asks = sum(answer.moves.values())
        played = ", ".join(f"{move} {100 * times / asks:.0f} %" for move, times in answer.moves.items())
        accept = ", ".join(_names(answer.position.accept))
        table.add_row(answer.position.id, played if len(answer.moves) > 1 else next(iter(answer.moves)), accept)
    return table
