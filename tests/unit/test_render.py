"""The table as text, as pixels and in a window."""

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.cards import NUM_CARDS, mask_of, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
    Phase,
    action_name,
)
from euchre_env.game import Game
from euchre_env.render import pixels
from euchre_env.render.speech import said
from euchre_env.render.text import table_text
from euchre_env.render.words import Table, card_name, side_names, sorted_hand
from euchre_env.ruleset import Ruleset

pygame = pytest.importorskip("pygame")

RULES = (
    "north_american",
    "tournament",
    "open_spiel",
    rulesets.get("bicycle24").replace(farmers_hand="redeal", stick_the_dealer="forfeit"),
    rulesets.get("north_american").replace(deck=32, hand_size=7),
)
# Dealt by seat 3 under packets of three and two: South, West, North, East hold these; jack of hearts turned up.
DECK = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD")
LOW = parse_cards("9S TS 9H, JD QH KH, AC KC QS, JC QC JS, TH TD, 9C TC, AS AD, 9D KD, JH, AH KS QD")


def rules_id(rules: str | Ruleset) -> str:
    return rules if isinstance(rules, str) else f"{rules.farmers_hand}-{rules.hand_size}"


def game_of(rules: str | Ruleset = "north_american", *actions: int | str, **options: object) -> Game:
    """Return a game of the deck above after some actions."""
    game = Game(rules, dealer=3, **{"deck": DECK, "auto_deal": False, **options})  # type: ignore[arg-type]
    for action in actions:
        game.play(parse_card(action) if isinstance(action, str) else action)
    return game


def states(rules: str | Ruleset, hands: int, seed: int = 0) -> Iterator[Game]:
    """Play hands at random and yield the game before every move and after every hand."""
    rng = np.random.default_rng(seed)
    game = Game(rules, seed=seed, auto_deal=False)
    while game.state["hand"][0] < hands and not game.over:
        if game.phase == Phase.DEAL:
            game.deal()
        yield game
        game.play(int(rng.choice(game.legal())))
        if game.turn < 0:
            yield game


def line(text: str, start: str) -> str:
    """Return the line that starts so."""
    return next(each for each in text.splitlines() if each.startswith(start))


@pytest.mark.parametrize("rules", RULES, ids=rules_id)
def test_a_view_is_drawn_as_the_whole_table_from_that_seat(rules: str | Ruleset) -> None:
    """1.8: what the others hold never reaches the text."""
    for game in states(rules, 12):
        for seat in range(4):
            assert table_text(game.ruleset, game.view(seat), seat) == table_text(game.ruleset, game.state, seat)


@pytest.mark.parametrize("rules", RULES, ids=rules_id)
def test_cards_held_follow_from_what_everybody_saw(rules: str | Ruleset) -> None:
    for game in states(rules, 40):
        for seat in range(4):
            held = bin(game.hand(seat)).count("1")
            assert Table(game.ruleset, game.state).count_of(seat) == held
            assert Table(game.ruleset, game.view((seat + 1) % 4), (seat + 1) % 4).count_of(seat) == held


@pytest.mark.parametrize("rules", RULES, ids=rules_id)
def test_the_winning_card_is_the_engines(rules: str | Ruleset) -> None:
    for game in states(rules, 20):
        table = Table(game.ruleset, game.state)
        best = table.winning(table.trick)
        if best is not None:
            assert best[0] == game.state["best_seat"][0]
        if table.tricks_played and not table.finished and best is None:
            last = table.winning(table.last_trick)
            assert last is not None
            assert last[0] == game.turn


@pytest.mark.parametrize(
    ("cards", "trump", "expected"),
    [
        ("9H AH JD JH KS AC", 2, "J♥ J♦ A♥ 9♥ A♣ K♠"),  # left bower among the trumps, 1.3
        ("9H AH JD JH KS AC", -1, "K♠ A♥ J♥ 9♥ A♣ J♦"),
        ("JS JC TC AD", 3, "J♠ J♣ 10♣ A♦"),
        ("JK 9C JC", 0, "Joker J♣ 9♣"),
        ("JS JC 9S", 4, "J♠ 9♠ J♣"),  # 1.6: no bowers at no-trump
    ],
)
def test_hands_are_sorted(cards: str, trump: int, expected: str) -> None:
    assert " ".join(map(card_name, sorted_hand(mask_of(parse_cards(cards)), trump))) == expected


def test_every_seat_is_at_the_bottom_of_its_own_table() -> None:
    game = game_of()
    for seat, name in enumerate(("South", "West", "North", "East")):
        text = table_text(game.ruleset, game.state, seat)
        assert f"{name} (player_{seat})" in text.split("╰")[1]
        assert text.count("▒▒") == 15


def test_bidding() -> None:
    text = str(game_of("north_american", PASS, PASS))
    assert "score: North/South 0   East/West 0" in text
    assert "up-card J♥" in text
    assert "▶ North (player_2)" in text
    assert line(text, "Said") == "Said: South passes, West passes."
    assert line(text, "To move") == "To move: North may order up or pass."


def test_second_round() -> None:
    text = str(game_of("north_american", *[PASS] * 5))
    assert line(text, "Up-card") == "Up-card: J♥, turned down."
    assert line(text, "To move") == "To move: West may name trump or pass."
    assert "up-card J♥" not in text


def test_the_dealer_is_offered_the_card_and_leaves_it() -> None:
    """2.3, Q-N3."""
    game = game_of("north_american", ORDER_UP)
    assert line(str(game), "Up-card") == "Up-card: J♥, offered to East."
    assert line(str(game), "To move") == "To move: East may take the up-card."
    game.play(DECLINE)
    assert line(str(game), "Up-card") == "Up-card: J♥, left lying."
    assert line(str(game), "Said") == "Said: South orders up, East leaves the up-card."


def test_what_was_laid_away_is_shown_to_its_owner_alone() -> None:
    """1.8."""
    game = game_of("tournament", ORDER_UP, "9D")
    assert "East laid away 9♦, face down." in table_text(game.ruleset, game.state, 3)
    assert "laid away" not in table_text(game.ruleset, game.state, 0)
    assert line(table_text(game.ruleset, game.state, 0), "Up-card") == "Up-card: J♥, taken up by East."


def test_a_loner_and_the_trick_on_the_table() -> None:
    game = game_of("tournament", PASS, ORDER_UP_ALONE, "AS", "JD")
    text = str(game)
    assert line(text, "Trump") == "Trump: ♥ hearts, made by West, West plays alone."
    assert line(text, "Up-card") == "Up-card: J♥, left lying."  # Q-N23: the dealer sits out
    assert "dealer, sits out" in text
    assert "maker, alone" in text
    assert line(text, "Trick 1") == "Trick 1: South led A♠, West J♦; West is winning."
    assert "J♦*" in text


def test_two_loners() -> None:
    game = game_of("north_american", ORDER_UP, DECLINE, ALONE, ALONE)
    assert line(str(game), "Trump") == "Trump: ♥ hearts, made by South, South and West play alone."
    assert str(game).count("sits out") == 2


def test_a_finished_hand_says_who_made_what() -> None:
    game = game_of("tournament", PASS, ORDER_UP, "9D", "AS", "9C", "9S", "JS", "KS", "TC", "TS", "QC")
    while game.turn >= 0:
        game.play(game.legal()[0])
    table = Table(game.ruleset, game.state)
    made, took = "West made hearts", table.side_tricks(1)
    scored = f"East/West score {game.points[1]}" if game.points[1] else f"Euchred! North/South score {game.points[0]}"
    assert f"{made}: East/West took {took} of 5 tricks. {scored}." in str(game)
    assert "To move" not in str(game)
    assert line(str(game), "Trick 5").endswith(" won.")


def test_thrown_in() -> None:
    assert "Nobody made trump: the hand was thrown in." in str(game_of("north_american", *[PASS] * 8))


def test_forfeited() -> None:
    """2.10."""
    rules = rulesets.get("tournament").replace(stick_the_dealer="forfeit")
    text = str(game_of(rules, *[PASS] * 7, FORFEIT))
    assert "East forfeited the deal. North/South score 1." in text


def test_claims() -> None:
    """Q-N22."""
    rules = rulesets.get("tournament").replace(farmers_hand="redeal")
    game = game_of(rules, DECLINE)
    assert line(str(game), "Said") == "Said: South keeps the deal."
    assert line(str(game), "To move") == "To move: West may claim a redeal."
    game = game_of(rules, deck=LOW)
    assert CLAIM_REDEAL in game.legal()
    # As the engine leaves the record until the same dealer deals again.
    state = game.state
    state["phase"], state["turn"], state["redeal"], state["num_calls"] = Phase.DEAL, -1, 1, 1
    state["calls"][0, 0], state["call_seats"][0, 0] = CLAIM_REDEAL, 0
    assert "South claimed a redeal." in str(game)
    assert "hand 1 " in str(game)
    assert Table(rules, state, 1).count_of(0) == 5


def test_before_the_first_deal() -> None:
    game = game_of()
    game.state["phase"], game.state["hand"] = Phase.DEAL, 0
    game.state["upcard"] = game.state["trump"] = game.state["maker"] = -1
    game.state["next_dealer"], game.state["hands"], game.state["turn"] = 2, 0, -1
    assert line(str(game), "North is") == "North is to deal."
    assert "before the first hand" in str(game)
    assert pixels.draw_table(game.ruleset, game.state).shape == (640, 960, 3)


def test_the_end_of_the_game() -> None:
    game = game_of("tournament", *[PASS] * 4, CALL + 3, scores=[9, 9])
    while not game.over:
        game.play(game.legal()[-1])
    winner = int(np.argmax(game.scores))
    assert f"{side_names(4)[winner]} win {game.scores[winner]} to 9. The game is over." in str(game)


def test_words_for_every_call() -> None:
    game = game_of("north_american", ORDER_UP, DECLINE, WITH_PARTNER, WITH_PARTNER, ALONE)
    sentences = said(Table(game.ruleset, game.state))
    assert sentences[2:] == ["South stays with partner", "North stays with partner", "West goes alone"]
    assert action_name(ALONE) == "alone"


# Pixels


@pytest.mark.parametrize("rules", RULES[:2] + RULES[-1:], ids=rules_id)
def test_pictures_of_play(rules: str | Ruleset) -> None:
    """A view is drawn as the whole table from that seat: nothing hidden reaches the picture."""
    for i, game in enumerate(states(rules, 3, seed=5)):
        if i % 7 == 0:
            seat = i % 4
            seen = pixels.draw_table(game.ruleset, game.view(seat), seat)
            assert seen.shape == (640, 960, 3)
            assert seen.dtype == np.uint8
            assert np.array_equal(seen, pixels.draw_table(game.ruleset, game.state[0], seat))


def test_open_and_hidden_hands_differ_and_drawing_repeats() -> None:
    game = game_of()
    whole = pixels.draw_table(game.ruleset, game.state)
    assert not np.array_equal(whole, pixels.draw_table(game.ruleset, game.state, 0))
    assert np.array_equal(whole, pixels.draw_table(game.ruleset, game.state))


@pytest.mark.parametrize("size", [(480, 320), (1000, 300), (300, 1000), (1, 1)])
def test_any_size(size: tuple[int, int]) -> None:
    game = game_of()
    assert pixels.draw_table(game.ruleset, game.state, size=size).shape == (size[1], size[0], 3)


def test_no_size() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        pixels.draw_table(game_of().ruleset, game_of().state, size=(0, 640))


@pytest.mark.parametrize("width", [150, 78])
def test_every_card_has_its_own_face(width: int) -> None:
    from euchre_env.render import art

    faces = {pygame.image.tobytes(art.card_face(card, width), "RGBA") for card in range(NUM_CARDS)}
    assert len(faces) == NUM_CARDS


def test_suits_stay_in_their_box() -> None:
    from euchre_env.render import art

    for suit in range(4):
        sheet = pygame.Surface((120, 120), pygame.SRCALPHA)
        art.suit(sheet, suit, (60, 60), 100)
        box = sheet.get_bounding_rect()
        assert pygame.Rect(9, 9, 103, 103).contains(box)
        assert box.height > 90


def test_pictures_survive_a_shutdown_of_pygame() -> None:
    game = game_of()
    before = pixels.draw_table(game.ruleset, game.state)
    pygame.quit()
    assert np.array_equal(before, pixels.draw_table(game.ruleset, game.state))


def test_drawing_opens_no_display_and_prints_nothing() -> None:
    code = (
        "from euchre_env.game import Game; from euchre_env.render.pixels import draw_table; import os\n"
        "g = Game(seed=1); draw_table(g.ruleset, g.state)\n"
        "import pygame; assert not pygame.display.get_init(); assert 'SDL_VIDEODRIVER' not in os.environ"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "PYGAME_"))}
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_without_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install euchre-env\[render\]"):
        pixels.draw_table(game_of().ruleset, game_of().state)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[pixels.Window]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown = pixels.Window(fps=1000)
    yield shown
    shown.close()
    pygame.display.quit()


def test_window(window: pixels.Window) -> None:
    game = game_of()
    assert not window.is_open
    window.show(game.ruleset, game.state)
    assert window.is_open
    assert pygame.display.get_surface().get_size() == (960, 640)
    drawn = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    assert np.array_equal(drawn, pixels.draw_table(game.ruleset, game.state))
    window.close()
    window.close()
    assert not window.is_open


def test_a_window_that_was_shut_stays_shut(window: pixels.Window) -> None:
    game = game_of()
    window.show(game.ruleset, game.state)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(game.ruleset, game.state)
    assert not window.is_open
    window.show(game.ruleset, game.state)
    assert not window.is_open


def test_no_screen(window: pixels.Window, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(size: tuple[int, int]) -> None:
        raise pygame.error("No available video device")

    monkeypatch.setattr(pygame.display, "set_mode", refuse)
    with pytest.raises(RuntimeError, match="no window can be opened here"):
        window.show(game_of().ruleset, game_of().state)
