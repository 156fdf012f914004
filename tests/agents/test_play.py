"""A person at the terminal: every answer is understood or refused with a sentence, and no input ends in a traceback."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agents import play
from euchre_env import rulesets
from euchre_env.cards import JOKER, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CALL_ALONE,
    DECLINE,
    MOON,
    NUM_ACTIONS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
)
from euchre_env.game import Game
from euchre_env.render import words
from euchre_env.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
# Dealt by seat 3: South, West, North, East by threes, then by twos; jack of hearts turned up.
DECK = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD")


def game_of(rules: str, *actions: int | str) -> Game:
    game = Game(rules, dealer=3, deck=DECK, auto_deal=False)
    for action in actions:
        game.play(parse_card(action) if isinstance(action, str) else action)
    return game


class Interrupting(io.StringIO):
    """Input during which Ctrl-C is pressed."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


class Table:
    """Runs the program with lines of input and keeps what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.error = ""

    def run(self, *arguments: str, lines: Iterable[str] = (), status: int = 0, stdin: type = io.StringIO) -> str:
        self.monkeypatch.setattr(sys, "stdin", stdin("".join(f"{line}\n" for line in lines)))
        assert play.main(arguments) == status
        said, self.error = self.capsys.readouterr()
        return said


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Table:
    return Table(monkeypatch, capsys)


# A whole game


@pytest.mark.parametrize("rules", rulesets.names())
def test_a_game_to_the_end(table: Table, rules: str) -> None:
    """Passing where one may, else the lowest bid or the first card of the list: 1 and 3 are answers everywhere."""
    said = table.run("random", "--ruleset", rules, "--seed", "4", lines=["1", "3", "1"] * 100)
    assert said.strip().splitlines()[-1].endswith(("You win!", "You lose.")) or "The input has ended." in said
    assert " takes the trick with " in said
    assert " deals ---" in said
    assert table.error == ""


HOUSES = {
    **{name: rulesets.get(name) for name in rulesets.names()},
    "swap3": rulesets.get("north_american").replace(farmers_hand="swap3"),
    "redeal": rulesets.get("bicycle24").replace(farmers_hand="redeal", stick_the_dealer="forfeit"),
    "receive_first": rulesets.get("railroad").replace(best_exchange="receive_first", joker_card="2S"),
    "three_card": rulesets.get("two_handed").replace(
        dummy="three_card", alone_scope="maker_only", defend_alone="always"
    ),
    "five_card": rulesets.get("three_handed").replace(dummy="five_card"),
    "penalty": rulesets.get("ghost_hand").replace(renege="penalty", allow_no_trump="high_low"),
    "free_moons": rulesets.get("bid_euchre").replace(moon_ladder="free", moon_points=12),
}


@pytest.mark.parametrize("rules", HOUSES)
def test_decisions_of_every_game_can_be_made(
    rules: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the number and by the word shown, each with its help; nonsense is refused with one sentence."""
    game = Game(HOUSES[rules], seed=2, auto_deal=False)
    rng = np.random.default_rng(2)
    for _ in range(45):
        if game.turn < 0:
            game.deal()
        evening = play.Evening(game, game.turn, {}, rng)
        number, action = list(play.numbered(game).items())[int(rng.integers(len(game.legal())))]
        word = play.shown(evening.table, action).split(" (")[0].lower()
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"fold\n?\n{number}\n{word}\n"))
        assert evening.ask() == evening.ask() == action
        text = capsys.readouterr().out
        assert text.count("'fold' is no answer here") == 1
        assert f"{number}) {play.shown(evening.table, action)}" in text
        game.play(action)
        if game.over:
            break


def test_a_person_in_an_auction(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number is the level of a bid, not its place in the list; 9.3: one swap, then a call."""
    game = Game("ghost_hand", seed=2, dealer=2, auto_deal=False)
    evening = play.Evening(game, 0, {}, np.random.default_rng(0))
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n6\nswap\nswap\n4\n"))
    assert evening.ask() == SWAP
    game.play(SWAP)
    assert evening.ask() == BID + 1
    said = table.capsys.readouterr().out
    assert "2) swap (your hand for the ghost hand)" in said
    assert "swap your hand for the ghost hand, unseen" in said
    assert said.count("A bid is due: ") == 2
    assert "South gave up " in said


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("4", BID + 1),
        ("bid 4", BID + 1),
        ("moon", BID + MOON),
        ("7", BID + MOON),
        ("1", PASS),
        ("2", SWAP),
        ("s", SWAP),
    ],
)
def test_bids_are_understood(word: str, action: int) -> None:
    assert play.understand(word, Game("ghost_hand", seed=1, dealer=0)) == action


def test_a_bid_with_its_trump_is_one_line(table: Table) -> None:
    """10.1."""
    said = table.run("random", "--ruleset", "bid_euchre", "--seed", "3", lines=["1"] * 30)
    others = ("West bids", "North bids", "East bids", "West shoots", "North shoots", "East shoots")
    spoken = [line for line in said.splitlines() if line.startswith(others)]
    assert spoken
    assert all(" in " in line or " at " in line for line in spoken)


def test_a_blind_call_tells_nothing_of_the_hand(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """4.3."""
    deck = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JK, AH TH QD JH")
    game = Game("british", dealer=3, deck=deck, auto_deal=False)
    evening = play.Evening(game, 3, {}, np.random.default_rng(0))
    monkeypatch.setattr(sys, "stdin", io.StringIO("jc\nj\nwhy kd\npass\nhearts\n"))
    assert evening.ask() == CALL + 2
    said = table.capsys.readouterr().out
    assert said.count("▒▒") == 20
    assert "holds" not in said
    assert "j may mean 7c" not in said
    assert "j may mean jc, jd, jh, js or joker." in said


def test_the_two_of_spades_for_the_joker() -> None:
    """4.1."""
    rules = rulesets.get("british").replace(joker_card="2S", joker_up="hearts")
    deck = parse_cards("JK KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD AS")
    game = Game(rules, dealer=3, deck=deck, auto_deal=False)
    for action in (ORDER_UP, DECLINE, *[WITH_PARTNER] * 4):
        game.play(action)
    for word in ("2s", "2♠", "two of spades", "joker"):
        assert play.understand(word, game) == JOKER
    assert play.shown(words.Table(rules, game.state), JOKER) == "2♠"
    game.play(parse_card("9H"))
    assert play.refusal(game, parse_card("9C")).startswith("9C does not follow")
    assert "JK" not in play.refusal(game, JOKER)


def test_dummies_in_words() -> None:
    """5, 6: alone is without the dummy."""
    game = Game(HOUSES["three_card"], seed=1, dealer=0, auto_deal=False)
    for action in (ORDER_UP, DECLINE):
        game.play(action)
    table = words.Table(game.ruleset, game.state)
    assert [play.shown(table, a) for a in game.legal()] == ["without the dummy", "take the dummy"]
    assert play.understand("take the dummy", game) == WITH_PARTNER
    assert play.understand("without the dummy", game) == ALONE


def test_a_shared_win(table: Table) -> None:
    """Q-T3."""
    rules = rulesets.get("three_handed").replace(both_cross="shared")
    game = Game(rules, seed=1, auto_deal=False)
    game.state["phase"], game.state["winners"] = Phase.OVER, 0b101
    for seat, verdict in enumerate(("You share the win!", "You lose.", "You share the win!")):
        play.Evening(game, seat, {}, np.random.default_rng(0)).play()
        assert table.capsys.readouterr().out.strip().endswith(verdict)


def test_the_same_seed_is_the_same_game(table: Table) -> None:
    first, again = (table.run("rule_based", "--seed", "8", lines=["1"] * 20) for _ in range(2))
    other = table.run("rule_based", "--seed", "9", lines=["1"] * 20)
    assert first == again != other


@pytest.mark.parametrize("seat", range(4))
def test_every_seat_sees_its_own_cards_alone(table: Table, seat: int) -> None:
    """1.8: as many cards face down as the others hold."""
    said = table.run("random", "--ruleset", "bicycle24", "--seed", "5", "--seat", str(seat))
    name = ("South", "West", "North", "East")[seat]
    assert f"You are {name} (player_{seat})" in said
    assert f"▶ {name} (player_{seat})" in said
    assert 9 < said.count("▒▒") <= 16


def test_who_sits_where(table: Table) -> None:
    said = table.run("random", "--partner", "rule_based", lines=["quit"])
    assert "West is random, North is rule_based, East is random" in said
    said = table.run("random", "--opponents", "rule_based", "--seat", "1", lines=["quit"])
    assert "South is rule_based, North is rule_based, East is random" in said


def test_others_moves_are_short_lines(table: Table) -> None:
    said = table.run("random", "--seed", "4", lines=["1"] * 30)
    assert any(line.startswith(("West plays ", "East plays ")) for line in said.splitlines())
    assert "West passes" in said.splitlines()


# Leaving


@pytest.mark.parametrize("word", ["quit", "exit", " QUIT "])
def test_quit(table: Table, word: str) -> None:
    assert table.run("random", "--seed", "0", lines=[word]).endswith(
        "\nYou leave the table. The game stands at North/South 0, East/West 0.\n"
    )


def test_the_end_of_input(table: Table) -> None:
    assert "The input has ended. You leave the table." in table.run("random")


def test_no_input_at_all(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert play.main(["random"]) == 0
    assert "The input has ended." in table.capsys.readouterr().out


def test_ctrl_c(table: Table) -> None:
    said = table.run("random", "--seed", "0", lines=["nonsense"], stdin=Interrupting)
    assert said.endswith("\nInterrupted. You leave the table. The game stands at North/South 0, East/West 0.\n")


def test_as_a_program() -> None:
    """Real pipes, a real interrupt, bytes that are no text."""
    command = [sys.executable, "-m", "agents.play", "random", "--seed", "1"]
    pipe = subprocess.PIPE
    # A runner in the background ignores interrupts, and its children would inherit that.
    heed = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=heed) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\xff\xfe\x00 what\n")
        process.stdin.flush()
        seen = b""
        while b"is no answer here" not in seen:
            seen += os.read(process.stdout.fileno(), 1)
        process.send_signal(signal.SIGINT)
        seen += process.stdout.read()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b"")
    assert b"Interrupted. You leave the table." in seen


# Answers


@pytest.mark.parametrize(
    ("rules", "before", "word", "action"),
    [
        ("tournament", [], "pass", PASS),
        ("tournament", [], "p", PASS),
        ("tournament", [], "1", PASS),
        ("tournament", [], "3", ORDER_UP_ALONE),
        ("tournament", [], "order up", ORDER_UP),
        ("tournament", [], "order", ORDER_UP),
        ("tournament", [], "pick it up", ORDER_UP),
        ("tournament", [], "order up a", ORDER_UP_ALONE),
        ("tournament", [], "alone", ORDER_UP_ALONE),
        ("tournament", [PASS] * 4, "spades", CALL + 3),
        ("tournament", [PASS] * 4, "s", CALL + 3),
        ("tournament", [PASS] * 4, "call spades", CALL + 3),
        ("tournament", [PASS] * 4, "spades alone", CALL_ALONE + 3),
        ("tournament", [PASS] * 4, "alone d", CALL_ALONE + 1),
        ("tournament", [], "9", "9H"),
        ("tournament", [ORDER_UP], "9d", "9D"),
        ("tournament", [ORDER_UP], "9", "9D"),
        ("tournament", [ORDER_UP], "jh", "JH"),
        ("tournament", [ORDER_UP], "j♥", "JH"),
        ("tournament", [ORDER_UP], "king", "KD"),
        ("tournament", [ORDER_UP], "jack of c", "JC"),
        ("tournament", [ORDER_UP, "9D"], "10d", "TD"),
        ("tournament", [ORDER_UP, "9D"], "td", "TD"),
        ("tournament", [ORDER_UP, "9D"], "10", "TD"),
        ("north_american", [ORDER_UP, "9D"], "alone", ALONE),
        ("north_american", [ORDER_UP, "9D"], "with", WITH_PARTNER),
    ],
)
def test_what_is_understood(rules: str, before: list[int | str], word: str, action: int | str) -> None:
    expected = parse_card(action) if isinstance(action, str) else action
    assert play.understand(word, game_of(rules, *before)) == expected


def test_the_list_is_in_the_order_of_the_hand() -> None:
    """The left bower among the trumps."""
    game = game_of("tournament", PASS, ORDER_UP, "9D", "AS")
    assert game.legal() != play.choices(game)
    assert play.understand("1", game) == parse_card("JD")
    assert play.understand("2", game) == parse_card("KH")


@pytest.mark.parametrize(
    ("before", "word", "sentence"),
    [
        ([ORDER_UP], "j", "j may mean jh, jc or js."),
        ([PASS] * 4, "alone", "alone may mean alone clubs, alone diamonds or alone spades."),
        ([PASS] * 4, "call", "call may mean"),
        ([], "fold", "'fold' is no answer here: type a number, a card or a word of the list, or ? for help."),
        ([], "7", "7 may mean 7c, 7d, 7h or 7s."),
        ([], "x" * 5000, f"'{'x' * 40}' is no answer here"),
    ],
)
def test_what_is_not_understood(before: list[int], word: str, sentence: str) -> None:
    answer = play.understand(word, game_of("tournament", *before))
    assert isinstance(answer, str)
    assert answer.startswith(sentence)


@pytest.mark.parametrize("action", range(NUM_ACTIONS))
def test_every_action_has_a_word_of_its_own(action: int) -> None:
    word = play.answers(action)[0]
    assert [other for other in range(NUM_ACTIONS) if play.answers(other)[0] == word] == [action]


# Refusals


def test_a_refused_card_comes_with_the_reason(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("tournament", PASS, ORDER_UP, "9D", "AS", "JD", "9S")
    evening = play.Evening(game, 3, {}, np.random.default_rng(0))
    monkeypatch.setattr(sys, "stdin", io.StringIO("kd\nwhy\nwhy qc\nwhy js\nwhy kd\npass\nalone\njs\n"))
    assert evening.ask() == parse_card("JS")
    said = table.capsys.readouterr().out
    assert said.count("KD does not follow: spades were led and the hand holds JS (1.4).") == 3
    assert "QC does not follow" in said
    assert "js is allowed" in said.lower()
    assert "A card is due: JS (1.4)." in said
    assert "going alone is declared before the first lead (2.5)" in said


def test_why_before_anything_was_refused(table: Table) -> None:
    assert "Nothing was refused yet" in table.run("random", lines=["why"])


def test_help_and_table(table: Table) -> None:
    said = table.run("random", "--seed", "4", lines=["?", "table", "", "help"])
    assert said.count("quit: leave the game") == 2
    assert said.count("To move: ") == 2


def test_only_legal_answers_are_taken(table: Table) -> None:
    """Noise before every answer changes nothing."""
    noise = [
        "",
        "foo",
        "99999999999999999999",
        "-1",
        "0",
        "²",
        "jk",
        "9x",
        "why",
        "why why",
        "\t",
        "♥",
        "\x00",
        "ﬀ",
    ]
    plain = table.run("random", "--seed", "11", lines=["1"] * 400)
    noisy = table.run("random", "--seed", "11", lines=(line for _ in range(400) for line in [*noise, "1"]))
    assert plain.splitlines()[-1] == noisy.splitlines()[-1]
    assert table.error == ""


def test_any_text_is_survived(table: Table) -> None:
    rng = np.random.default_rng(3)
    letters = list("ajkqt1098cdhs ?♥")
    lines = ["".join(rng.choice(letters, size=int(rng.integers(1, 5)))) for _ in range(1500)]
    assert "You " in table.run("random", "--seed", "2", lines=lines).splitlines()[-1]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rule_basd"], "unknown player or checkpoint file 'rule_basd': did you mean 'rule_based'?"),
        (["random", "--partner", "randm"], "unknown player or checkpoint file 'randm': did you mean 'random'?"),
        (["random", "--ruleset", "tornament"], "unknown ruleset 'tornament': did you mean 'tournament'?"),
        (["random", "--seat", "4"], "seat 4 is not at this table: choose one from 0 to 3."),
        (["random", "--seat", "2", "--ruleset", "two_handed"], "seat 2 is not at this table: choose one from 0 to 1."),
        (
            ["random", "--partner", "random", "--ruleset", "ghost_hand"],
            "nobody has a partner at a table of 3: leave --partner out.",
        ),
        (["random", "--seed", "-1"], "seed -1 is below zero: choose a whole number from 0 up."),
    ],
)
def test_bad_input_gets_one_sentence(table: Table, arguments: list[str], sentence: str) -> None:
    assert table.run(*arguments, status=2) == ""
    assert table.error == f"error: {sentence}\n"


def test_a_checkpoint_that_is_not_there(table: Table, tmp_path: Path) -> None:
    table.run(str(tmp_path / "none.safetensors"), status=2)
    assert table.error.startswith("error: ")
    assert "none.safetensors" in table.error
    assert table.error.count("\n") == 1


def test_a_file_that_is_no_checkpoint(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "notes.safetensors"
    file.write_text("nothing to play with")
    table.run(str(file), status=2)
    assert table.error.startswith(f"error: {file}")
    assert table.error.count("\n") == 1


class Cheat:
    """A policy that always passes."""

    name = "cheat"

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        return np.full(len(views), PASS)


def test_a_policy_that_breaks_the_rules(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def cheat(name: str, ruleset: Ruleset) -> Cheat:
        return Cheat()

    monkeypatch.setattr(play, "find_player", cheat)
    table.run("cheat", "--seed", "1", lines=["1"] * 100, status=2)
    assert table.error.startswith("error: the policy cheat made an illegal move: ")
