"""Game: set-up, refusals in words, deals by seed, clones. The rules themselves are in tests/rules."""

import random  # noqa: TID251
from typing import Any

import numpy as np
import pytest

from euchre_env.cards import format_cards
from euchre_env.decks import deck
from euchre_env.engine.layout import CALL, CALL_ALONE, DECLINE, ORDER_UP, PASS, Phase
from euchre_env.errors import DeckError, IllegalActionError, RulesetError, StateError
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.tables import ACTIONS, act, pass_all, table, text_cards, with_trump, words


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Game("whist"), RulesetError, "unknown ruleset 'whist'"),
        (lambda: Game(dealer=4), StateError, "dealer is 4: it must be a seat from 0 to 3"),
        (lambda: Game(dealer=-1), StateError, "dealer is -1"),
        (lambda: Game(dealer=True), StateError, "dealer is True"),
        (lambda: Game(scores=[10, 0]), StateError, "it needs 2 numbers from 0 to 9"),
        (lambda: Game(scores=[1]), StateError, "it needs 2 numbers"),
        (lambda: Game(scores=[-1, 0]), StateError, "it needs 2 numbers"),
        (lambda: Game(deck=["AS"] * 24), DeckError, "AS is in the deck 24 times"),
        (lambda: Game(deck=["AS"]), DeckError, "the deck lacks"),
        (lambda: Game(seed=1).deal(), StateError, "no deal is due: the hand is still being played"),
    ],
)
def test_a_wrong_set_up_is_refused(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


HANDS = {0: "9H KC QC JC TC", 1: "AH AC AD AS JD", 2: "9C 9D TD QD KD", 3: "TH QH KH JH 9S"}


def at_first_call() -> Game:
    return table("north_american", 3, HANDS, "TS")


def at_second_round() -> Game:
    return pass_all(at_first_call(), 4)


def stuck() -> Game:
    return pass_all(table("tournament", 3, HANDS, "TS"), 7)


def stuck_or_forfeit() -> Game:
    return pass_all(table(get("tournament").replace(stick_the_dealer="forfeit"), 3, HANDS, "TS"), 7)


def never_alone() -> Game:
    return pass_all(table(get("tournament").replace(alone_scope="none"), 3, HANDS, "TS"), 4)


def at_discard() -> Game:
    return act(table("open_spiel", 3, HANDS, "TS"), "order up")


def at_declaration() -> Game:
    return act(at_second_round(), "call hearts")


def at_play() -> Game:
    return act(with_trump("tournament", 0, "H", {0: "9S", 1: "AS KS 9D TD JD"}), "9S")


def over() -> Game:
    rules = get("tournament").replace(stick_the_dealer="forfeit", target=1)
    return act(pass_all(table(rules, 3, HANDS, "TS"), 7), "forfeit the deal")


REFUSALS = [
    (at_first_call, "AS", "order up is due: pass, order up (2.3)."),
    (at_first_call, "alone", "order up is due: pass, order up (2.3)."),
    (at_first_call, "order up alone", "order up is due: pass, order up (2.3)."),
    (at_second_round, "call spades", "spades were turned down and may not be named (2.4, Q-N4)."),
    (at_second_round, "call hearts alone", "alone is declared after trump is made, not with the call (2.5, Q-N8)."),
    (at_second_round, "call no-trump", "north_american has no no-trump (1.6)."),
    (at_second_round, "call low no-trump alone", "north_american has no no-trump (1.6)."),
    (stuck, "pass", "the dealer is stuck: he must name a suit (2.4, Q-N7)."),
    (stuck_or_forfeit, "pass", "the dealer is stuck: he must name a suit or forfeit the deal (2.4, Q-N7)."),
    (never_alone, "call hearts alone", "nobody plays alone in custom (2.5, Q-N8)."),
    (at_discard, "TS", "TS is the up-card, which may not be buried (2.3, Q-N3)."),
    (at_discard, "AH", "AH is not in the hand: it holds TH JH QH KH 9S TS."),
    (at_declaration, "pass", "alone or with partner is due: alone, with partner (2.5)."),
    (at_play, "9D", "9D does not follow: spades were led and the hand holds KS AS (1.4)."),
    (at_play, "9S", "9S is not in the hand: it holds 9D TD JD KS AS."),
    (at_play, "alone", "the play has begun: going alone is declared before the first lead (2.5)."),
    (over, "pass", "the game is over (2.8)."),
]


@pytest.mark.parametrize(("make", "word", "reason"), REFUSALS, ids=[f"{m.__name__}-{w}" for m, w, _ in REFUSALS])
def test_every_refusal_says_why(make: Any, word: str, reason: str) -> None:
    game = make()
    before = game.state.copy()
    assert game.why_not(ACTIONS[word]) == reason
    assert not game.can(ACTIONS[word])
    with pytest.raises(IllegalActionError) as refusal:
        game.play(ACTIONS[word])
    assert str(refusal.value) == reason
    assert game.state == before


def test_a_natural_trump_is_asked_for_in_words() -> None:
    rules = get("north_american").replace(natural_trump_required=True)
    game = pass_all(table(rules, 3, {0: "9H TH JH QH KH"}, "TS"), 4)
    assert game.why_not(ACTIONS["call clubs"]) is not None
    assert "naming clubs needs a card of that suit" in (game.why_not(ACTIONS["call clubs"]) or "")
    assert "turned down" in (game.why_not(ACTIONS["call spades"]) or "")
    assert "the dealer" not in (game.why_not(ACTIONS["call clubs"]) or "")


@pytest.mark.parametrize("action", [-1, 62, 99, 2.0, "pass", None, True])
def test_what_is_no_action(action: Any) -> None:
    game = at_first_call()
    assert not game.can(action)
    assert (game.why_not(action) or "").endswith("is not an action: ids run from 0 to 61.")


def test_no_decision_is_due_between_hands() -> None:
    game = pass_all(at_first_call(), 8)
    assert (game.turn, game.phase, words(game)) == (-1, Phase.DEAL, set())
    assert game.why_not(33) == "no decision is due: the next hand is to be dealt."
    game.deal()
    assert game.why_not(33) is None
    with pytest.raises(StateError, match="the game is over"):
        over().deal()


def test_legal_actions_of_any_integer_type() -> None:
    game = at_first_call()
    for number in (33, np.int8(33), np.int64(33), np.uint8(33)):
        assert game.can(number)  # type: ignore[arg-type]


def test_I4_the_same_seed_is_the_same_game_whatever_ran_before() -> None:
    first = Game("tournament", seed=3)
    random.seed(5)
    np.random.seed(5)  # noqa: NPY002
    Game("tournament", seed=4)
    before = np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002
    second = Game("tournament", seed=3)
    assert first.state == second.state
    assert (np.random.get_state()[1] == before).all()  # type: ignore[index]  # noqa: NPY002


def test_a_generator_gives_the_key() -> None:
    rng = np.random.default_rng(7)
    games = [Game("tournament", seed=rng) for _ in range(3)]
    assert len({int(game.hand(0)) for game in games}) == 3
    rng = np.random.default_rng(7)
    assert all(game.state == Game("tournament", seed=rng).state for game in games)


def test_I5_later_hands_are_other_deals() -> None:
    game = pass_all(Game("north_american", seed=1, dealer=0), 8)
    assert game.state["dealer"][0] == 1
    decks = [deck(game.ruleset, 11, hand=hand).tolist() for hand in range(3)]
    keyed = Game("north_american", key=11, dealer=0)
    for hand in range(3):
        assert keyed.state["upcard"][0] == decks[hand][20]
        pass_all(keyed, 8)


def test_a_deck_by_hand_for_any_hand() -> None:
    game = table("north_american", 3, HANDS, "TS")
    pass_all(game, 8)
    game.deal([*deck(game.ruleset, 2)])
    assert game.state["upcard"][0] == deck(game.ruleset, 2)[20]


def test_a_fixed_first_dealer() -> None:
    for seat in range(4):
        rules = get("tournament").replace(dealer_selection=str(seat))
        assert Game(rules, seed=1).state["dealer"][0] == seat
    assert Game(get("tournament").replace(dealer_selection="2"), dealer=1).state["dealer"][0] == 1


def test_hands_and_points() -> None:
    game = at_first_call()
    assert text_cards(game.hand(1)) == set(HANDS[1].split())
    assert (game.scores, game.points, game.over) == ((0, 0), (0, 0), False)


def test_the_table_as_text() -> None:
    text = str(at_first_call())
    assert "10♠, proposed as trump" in text
    assert "south" in text.lower()


def test_a_game_to_the_target() -> None:
    rng = np.random.default_rng(0)
    game, hands = Game("tournament", seed=2), set()
    while not game.over:
        hands.add(int(game.state["hand"][0]))
        game.play(int(rng.choice(game.legal())))
    assert max(game.scores) >= 10
    assert hands == set(range(int(game.state["hand"][0])))
    assert game.state["winners"][0] == 1 << int(np.argmax(game.scores))


JOKER_UP = ["9C", "TC", "JC", "QC", "KC", "AC", "9D", "TD", "JD", "QD", "KD", "AD", "9H", "TH", "JH", "QH", "KH", "AH"]
JOKER_UP += ["9S", "TS", "JK", "JS", "QS", "KS", "AS"]


def joker_up(ruleset: str, **options: Any) -> Game:
    """Return a game with the joker turned up, seat 3 the dealer."""
    return Game(get(ruleset).replace(**options), deck=JOKER_UP, dealer=3)


def test_7_3_an_ordered_joker_is_taken() -> None:
    game = joker_up("railroad")
    game.play(ORDER_UP)
    assert (game.turn, game.phase, game.can(DECLINE)) == (3, Phase.DISCARD, False)
    assert "JK" in format_cards(game.hand(3))


@pytest.mark.parametrize("action", [CALL + 2, CALL_ALONE + 2])
def test_7_3_the_suit_of_a_joker_turned_down(action: int) -> None:
    game = joker_up("railroad")
    for _ in range(4):
        game.play(PASS)
    assert game.why_not(action) == "hearts were turned down and may not be named (2.4, Q-N4)."


def test_4_3_only_a_trump_for_the_joker() -> None:
    game = joker_up("british", joker_card="2S")
    words = "call clubs, call diamonds, call hearts, call spades (4.3)."
    for action in (PASS, CALL_ALONE, CALL + 4):
        assert game.why_not(action) == f"the joker is turned up and the dealer names trump for it: {words}"


def test_no_trump_that_is_not_played() -> None:
    game = Game(get("tournament").replace(allow_no_trump="high"), seed=1, dealer=0)
    for _ in range(4):
        game.play(PASS)
    assert game.can(CALL + 4)
    assert game.why_not(CALL + 5) == "custom has no low no-trump (1.6, Q-C13)."
