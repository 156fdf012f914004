"""A game against a checkpoint at the terminal: `python -m agents.play CHECKPOINT`.

The person sits in one seat; the checkpoint (or a registered policy, such as `rule_based`) sits in the others, unless
`--partner` or `--opponents` name somebody else. What others do comes as short lines, the table before each decision of
one's own. Only legal answers are taken; the reasons come from `Game.why_not`, the words from `euchre_env.render`.

>>> answers(9), answers(ORDER_UP)
(['8d', '8♦', 'eight of diamonds'], ['order up', 'order it up', 'pick it up', 'assist'])
"""

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from agents.players import rules_for
from euchre_env import policies, rulesets
from euchre_env.cards import (
    JOKER,
    NUM_CARDS,
    NUM_RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    cards_of,
    format_card,
    mask_of,
    parse_card,
)
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    MOON,
    NUM_ACTIONS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
    action_name,
)
from euchre_env.game import Game
from euchre_env.policies import Policy
from euchre_env.render.help import help_words, hint
from euchre_env.render.outcome import outcome, victory
from euchre_env.render.speech import is_bid, saying
from euchre_env.render.text import table_text
from euchre_env.render.words import TRUMP_WORDS, Table, card_name, listing, sorted_hand
from euchre_env.ruleset import Ruleset

_RANK_WORDS = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
# The joker in words, also where the two of spades stands for it (4.1).
_JOKER = ["joker", "jk", "2s", "2♠", "two of spades", "benny"]
# 5, 6: what alone, or with partner, means where there are no partners.
_WITHOUT_PARTNERS = {ALONE: "without the dummy", WITH_PARTNER: "take the dummy"}
# What else a person may say for a call.
_ALSO = {
    ORDER_UP: ("order it up", "pick it up", "assist"),
    ORDER_UP_ALONE: ("alone",),
    ALONE: ("go alone", _WITHOUT_PARTNERS[ALONE]),
    WITH_PARTNER: ("partner", "dummy", _WITHOUT_PARTNERS[WITH_PARTNER]),
    DECLINE: ("leave it", "keep", "no"),
    SWAP: ("take the ghost hand", "ghost", "ask", "yes"),
    CLAIM_REDEAL: ("redeal",),
    FORFEIT: ("forfeit",),
    BID + MOON: ("moon", "shoot the moon"),
}
_COMMANDS = (
    "Answer with a number from the list, a card (jh, 10d) or a word (pass, hearts alone); its beginning is enough\n"
    "where only one answer begins so. why CARD: why a card is refused. table: the table again. quit: leave the game."
)
_RED = [symbol for symbol in SUIT_SYMBOLS if symbol in "♦♥"]


class Leave(Exception):
    """The person has had enough."""


class PlayError(ValueError):
    """What was asked for cannot be played: an unknown name, no such seat, a checkpoint of no use."""


@lru_cache(maxsize=NUM_ACTIONS)
def answers(action: int) -> list[str]:
    """Return what a person may type for an action, in lower case; the first is what lists show."""
    if action == JOKER:
        return _JOKER
    if action < NUM_CARDS:
        rank, suit = action % NUM_RANKS, action // NUM_RANKS
        text, drawn = format_card(action).lower(), card_name(action).lower()
        forms = [text, drawn, f"{_RANK_WORDS[rank]} of {SUIT_NAMES[suit]}"]
        return [text.replace("t", "10"), *forms] if text[0] == "t" else forms
    if CALL <= action < ALONE:
        trump = TRUMP_WORDS[(action - CALL) % (CALL_ALONE - CALL)]
        return (
            [f"{trump} alone", f"call {trump} alone", f"alone {trump}"]
            if action >= CALL_ALONE
            else [trump, f"call {trump}"]
        )
    name = action_name(action)
    plain = [name.removeprefix("bid ")] if is_bid(action) else []
    return [name, *plain, *_ALSO.get(action, ())]


def _begin_so(word: str, actions: Sequence[int]) -> dict[int, str]:
    """Return the actions that have an answer beginning with a word, each with it; what lists show goes first."""
    shown = {action: answers(action)[0] for action in actions if answers(action)[0].startswith(word)}
    if shown:
        return shown
    found = {action: [a for a in answers(action) if a.startswith(word)] for action in actions}
    return {action: min(matching, key=len) for action, matching in found.items() if matching}


def _one_of(matches: Mapping[int, str]) -> int | None:
    """Return the action meant: the only one, or the one whose answer all others lengthen (hearts, hearts alone)."""
    shortest = min(matches, key=lambda action: len(matches[action]))
    same = all(answer.startswith(matches[shortest]) for answer in matches.values())
    return shortest if same and len(set(matches.values())) == len(matches) else None


def choices(game: Game) -> list[int]:
    """Return the legal actions in the order of the list: cards as they lie in the hand, then calls."""
    legal = game.legal()
    cards = sorted_hand(mask_of(a for a in legal if a < NUM_CARDS), Table(game.ruleset, game.state).trump)
    return [*cards, *(a for a in legal if a >= NUM_CARDS)]


def numbered(game: Game) -> dict[int, int]:
    """Return the legal actions by the number that stands for each: its place in the list, in an auction its level.

    There 1 is a pass, 2 the ghost hand, 3 to 6 are bids of so many tricks, and the moons follow.
    """
    actions = choices(game)
    if game.phase != Phase.BID:
        return dict(enumerate(actions, 1))
    first = {PASS: 1, SWAP: 2}
    return dict(sorted((first.get(action, 3 + action - BID), action) for action in actions))


def understand(word: str, game: Game) -> int | str:
    """Return the action that a person means, a legal one if any, or a sentence saying that it is not clear."""
    legal, hand = choices(game), cards_of(game.hand(game.turn))
    if word.isascii() and word.isdigit() and int(word[:9]) in numbered(game):
        return numbered(game)[int(word[:9])]
    card = _card(word)
    if card is not None:
        return card
    unseen = Table(game.ruleset, game.state).blind  # 4.3: nothing may tell what the hand holds
    for actions in (legal, () if unseen else hand, range(NUM_ACTIONS)):
        exact = [action for action in actions if word in answers(action)]
        if exact:
            return max(exact, key=lambda action: answers(action)[0] == word)
        matches = _begin_so(word, actions)
        if matches:
            meant = _one_of(matches)
            return f"{word[:40]} may mean {listing(list(matches.values()), 'or')}." if meant is None else meant
    return f"{word[:40]!r} is no answer here: type a number, a card or a word of the list, or ? for help."


def _card(word: str) -> int | None:
    try:
        return parse_card(word)
    except ValueError:
        return None


def shown(table: Table, action: int) -> str:
    """Return an answer as the list shows it."""
    if action < NUM_CARDS:
        return table.card(action)
    if action in _WITHOUT_PARTNERS and not table.rules.partners:
        return _WITHOUT_PARTNERS[action]
    return answers(action)[0] + hint(table, action)


def refusal(game: Game, action: int) -> str:
    """Return why the seat to move may not do something, as a sentence."""
    reason = game.why_not(action) or f"{answers(action)[0]} is allowed."
    return reason[0].upper() + reason[1:]


def _coloured(text: str) -> str:
    """Return text with the red suits red, where the terminal shows colours."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    for symbol in _RED:
        text = text.replace(symbol, f"\033[31m{symbol}\033[0m")
    return text


def say(text: str = "") -> None:
    """Print for the person."""
    print(_coloured(text), flush=True)


@dataclass
class Evening:
    """One game of a person against policies."""

    game: Game
    seat: int
    players: Mapping[int, Policy]
    rng: np.random.Generator
    refused: int | None = field(default=None, init=False)

    @property
    def table(self) -> Table:
        """The table as the person sees it."""
        return Table(self.game.ruleset, self.game.state, self.seat)

    def play(self) -> None:
        """Play to the end of the game; Leave, EOFError or KeyboardInterrupt end it sooner."""
        say(self.introduction())
        while not self.game.over:
            if self.game.phase == Phase.DEAL:
                self.game.deal()
            self._play_hand()
            say(f"\n{' '.join(outcome(self.table))} Score: {self.score()}.")
        say(f"\n{victory(self.table)}. {self._verdict()}")

    def introduction(self) -> str:
        """Return who sits where, and how to begin."""
        table = self.table
        others = ", ".join(f"{table.name(seat)} is {player.name}" for seat, player in self.players.items())
        return f"You are {table.name(self.seat)} (player_{self.seat}); {others}. Type ? for help, quit to leave."

    def score(self) -> str:
        """Return the score in words."""
        return ", ".join(f"{self.table.side_name(side)} {points}" for side, points in enumerate(self.game.scores))

    def _verdict(self) -> str:
        winners = self.table.winners
        if self.game.ruleset.side(self.seat) not in winners:
            return "You lose."
        return "You share the win!" if len(winners) > 1 else "You win!"

    def _play_hand(self) -> None:
        hand = self.game.state["hand"][0]
        say(f"\n--- {self.table.name(self.table.dealer)} deals ---")
        while self.game.state["hand"][0] == hand:
            self._move()

    def _move(self) -> None:
        seat, legal = self.game.turn, self.game.legal()
        tricks = self.table.tricks_played
        forced = len(legal) == 1 and legal[0] >= NUM_CARDS
        action = legal[0] if forced else self.ask() if seat == self.seat else self._policy_move(seat, legal)
        words = saying(self.table, action) if seat != self.seat or forced else ""
        self.game.play(action)
        if words:
            say(words)
        if self.table.tricks_played > tricks:
            self._say_trick()

    def _policy_move(self, seat: int, legal: Sequence[int]) -> int:
        """Return a policy's action; PlayError if it is not legal."""
        mask = np.array([sum(1 << action for action in legal)], dtype=np.int64)
        action = int(self.players[seat].act(self.game.view(seat), mask, self.rng)[0])
        reason = self.game.why_not(action)
        if reason is not None:
            raise PlayError(f"the policy {self.players[seat].name} made an illegal move: {reason}")
        return action

    def _say_trick(self) -> None:
        table = self.table
        best = table.winning(table.last_trick)
        if best is not None:
            tricks = ", ".join(f"{table.side_name(s)} {table.side_tricks(s)}" for s in range(table.rules.num_sides))
            say(f"{table.name(best[0])} takes the trick with {table.card(best[1])} ({tricks})")

    def show(self) -> None:
        """Print the table and the answers."""
        say("\n" + table_text(self.game.ruleset, self.game.state, self.seat))
        self.show_answers()

    def show_answers(self) -> None:
        """Print the legal answers with their numbers."""
        say("Answers: " + "   ".join(f"{i}) {shown(self.table, a)}" for i, a in numbered(self.game).items()))

    def ask(self) -> int:
        """Ask the person until the answer is legal."""
        self.refused = None
        self.show()
        while True:
            word = _read()
            if word in ("quit", "exit"):
                raise Leave
            action = self._answer(word)
            if action is not None:
                return action

    def _answer(self, word: str) -> int | None:
        """Return the action that an answer stands for; otherwise say something, and None."""
        if word in ("?", "help"):
            say(f"{help_words(self.table)}\n{_COMMANDS}")
            self.show_answers()
        elif word == "table":
            self.show()
        elif word.split(" ")[0] == "why":
            say(self._why(word[3:].strip()))
        elif word:
            return self._legal(understand(word, self.game))
        return None

    def _legal(self, action: int | str) -> int | None:
        """Return a legal action; otherwise say what is wrong, and None."""
        if isinstance(action, str):
            say(action)
        elif self.game.can(action):
            return action
        else:
            self.refused = action
            say(refusal(self.game, action))
        return None

    def _why(self, word: str) -> str:
        """Answer `why`: about a card or a call, by itself about the one refused last."""
        about = understand(word, self.game) if word else self.refused
        if about is None:
            return "Nothing was refused yet: type why and a card, for instance why 9h."
        return about if isinstance(about, str) else refusal(self.game, about)


def _read() -> str:
    """Read an answer, in lower case with single blanks; EOFError at the end of input."""
    if sys.stdin is None:
        raise EOFError
    line = input("> ")
    if not sys.stdin.isatty():
        print(line)
    return " ".join(line.lower().split())


def find_player(name: str, ruleset: Ruleset) -> Policy:
    """Return a registered policy, or the one in the checkpoint at a path; PlayError says what is wrong."""
    try:
        return policies.make(name, ruleset)
    except (ValueError, OSError, ImportError) as problem:
        raise PlayError(str(problem) if name in str(problem) else f"{name}: {problem}") from problem


def seated(options: argparse.Namespace, ruleset: Ruleset) -> dict[int, Policy]:
    """Return who sits in the seats that are not the person's."""
    if not 0 <= options.seat < ruleset.num_seats:
        raise PlayError(f"seat {options.seat} is not at this table: choose one from 0 to {ruleset.num_seats - 1}.")
    if options.partner and not ruleset.partners:
        raise PlayError(f"nobody has a partner at a table of {ruleset.num_seats}: leave --partner out.")
    names = {}
    for seat in range(ruleset.num_seats):
        ally = ruleset.side(seat) == ruleset.side(options.seat)
        names[seat] = (options.partner if ally else options.opponents) or options.checkpoint
    del names[options.seat]
    players = {name: find_player(name, ruleset) for name in dict.fromkeys(names.values())}
    return {seat: players[name] for seat, name in names.items()}


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    known = ", ".join(policies.names())
    line = argparse.ArgumentParser(prog="python -m agents.play", description="Play Euchre against an agent.")
    line.add_argument(
        "checkpoint", help=f"who else plays: a checkpoint, or one of {known}, pimc:N, cfr_bidding:N, bid=A,play=B"
    )
    line.add_argument(
        "--ruleset",
        help=f"one of {', '.join(rulesets.names())} (the checkpoint's own if not given, else tournament)",
    )
    line.add_argument(
        "--seat", type=int, default=0, help="your seat from 0 up, clockwise from South (%(default)s if not given)"
    )
    line.add_argument("--seed", type=int, help="the same seed deals the same cards; drawn and shown if not given")
    line.add_argument("--partner", help="who is your partner, if not the checkpoint")
    line.add_argument("--opponents", help="who plays against you, if not the checkpoint")
    return line


def sit_down(options: argparse.Namespace) -> Evening:
    """Return a game ready to be played; PlayError says what does not fit."""
    try:
        ruleset = rules_for(options.checkpoint, options.ruleset)
    except (ValueError, OSError, ImportError) as problem:
        raise PlayError(str(problem)) from problem
    if options.seed is not None and options.seed < 0:
        raise PlayError(f"seed {options.seed} is below zero: choose a whole number from 0 up.")
    players = seated(options, ruleset)
    seed = int(np.random.default_rng().integers(2**31)) if options.seed is None else options.seed
    say(f"{ruleset.name}, to {ruleset.target} points, seed {seed}.")
    game = Game(ruleset, seed=seed, auto_deal=False)
    return Evening(game, options.seat, players, np.random.default_rng([seed, 1]))


def run(options: argparse.Namespace) -> int:
    """Play one game and return the exit status: 2 after bad input, else 0."""
    evening = None
    try:
        evening = sit_down(options)
        evening.play()
    except (Leave, EOFError, KeyboardInterrupt) as reason:
        why = {Leave: "", EOFError: "The input has ended. ", KeyboardInterrupt: "Interrupted. "}[type(reason)]
        stands = f"The game stands at {evening.score()}." if evening else "No card was dealt."
        say(f"\n{why}You leave the table. {stands}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; characters that a terminal cannot show or sent broken become question marks."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = parser().parse_args(arguments)
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")  # arrow keys and earlier answers at the prompt, where Python has it
    try:
        return run(options)
    except PlayError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output is gone: keep the interpreter from writing to it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
