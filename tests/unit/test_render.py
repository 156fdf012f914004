"""The table as text, as pixels and in a window."""

import functools
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.cards import JOKER, NO_TRUMP, NUM_CARDS, mask_of, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    MOON,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
    action_name,
)
from euchre_env.game import Game
from euchre_env.render import pixels
from euchre_env.render.help import help_words
from euchre_env.render.outcome import outcome, victory
from euchre_env.render.speech import bid_name, bid_words, said, saying, turn_words
from euchre_env.render.text import table_text
from euchre_env.render.words import Table, card_name, side_names, sorted_hand
from euchre_env.ruleset import Ruleset

pygame = pytest.importorskip("pygame")

get = rulesets.get
# Every game of the catalogue, and house rules that bring something else to the table.
RULES = {
    **{name: get(name) for name in rulesets.names()},
    "redeal": get("bicycle24").replace(farmers_hand="redeal", stick_the_dealer="forfeit"),
    "seven": get("north_american").replace(deck=32, hand_size=7),
    "swap3": get("north_american").replace(farmers_hand="swap3"),
    "set_aside": get("british").replace(joker_up="set_aside", joker_card="2S"),
    "receive_first": get("railroad").replace(best_exchange="receive_first"),
    "two_card": get("two_handed").replace(dummy="two_card"),
    "three_card": get("two_handed").replace(dummy="three_card", alone_scope="maker_only", defend_alone="always"),
    "five_card": get("three_handed").replace(dummy="five_card", alone_scope="maker_only"),
    "penalty": get("ghost_hand").replace(renege="penalty", allow_no_trump="high_low"),
    "free_moons": get("bid_euchre").replace(allow_no_trump="high_low", moon_ladder="free", moon_points=12),
}
# Dealt by seat 3 under packets of three and two: South, West, North, East hold these; jack of hearts turned up.
DECK = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD")
LOW = parse_cards("9S TS 9H, JD QH KH, AC KC QS, JC QC JS, TH TD, 9C TC, AS AD, 9D KD, JH, AH KS QD")


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


def flat(text: str) -> str:
    """Return text without its breaks of lines."""
    return text.replace("\n     ", "")


@functools.cache
def sample(rules: str) -> list[Game]:
    """Random play of some hands, some moments drawn by chance: before a move or after a hand."""
    rng = np.random.default_rng(1)
    return [game.clone() for game in states(RULES[rules], 6) if rng.random() < 0.3]


@pytest.fixture(params=RULES)
def positions(request: pytest.FixtureRequest) -> list[Game]:
    """Moments of each game."""
    return sample(request.param)


def test_a_view_is_drawn_as_the_whole_table_from_that_seat(positions: list[Game]) -> None:
    """1.8: what the others hold never reaches the text; 4.3: nor the own hand before a blind call."""
    for i, game in enumerate(positions):
        seat = i % game.ruleset.num_seats
        assert table_text(game.ruleset, game.view(seat), seat) == table_text(game.ruleset, game.state, seat)


def test_cards_held_follow_from_what_everybody_saw(positions: list[Game]) -> None:
    """Up-card, exchanges, dummies, swaps and discards included."""
    for game in positions:
        seats = game.ruleset.num_seats
        for seat in range(seats):
            other, held = (seat + 1) % seats, game.hand(seat).bit_count()
            whole = Table(game.ruleset, game.state)
            assert whole.count_of(seat) == held
            # 7.5: whether the dealer passed the up-card that lay there, or one of his, the two know alone.
            doubtful = whole.upcard_passed and seat == whole.dealer
            assert Table(game.ruleset, game.view(other), other).count_of(seat) == held - doubtful


def test_cards_beside_the_seats_are_those_of_the_engine(positions: list[Game]) -> None:
    for game in positions:
        stacks = Table(game.ruleset, game.state).stacks
        left = [int(cards).bit_count() for cards in game.state["hands"][0, game.ruleset.num_seats :]]
        old = game.ruleset.swap != "off" and game.state["swapped_by"][0] >= 0
        assert [stack.size for stack in stacks] == ([6] if old else [count for count in left if count])


def test_the_winning_card_is_the_engines(positions: list[Game]) -> None:
    for game in positions:
        table = Table(game.ruleset, game.state)
        best = table.winning(table.trick)
        if best is not None:
            assert best[0] == game.state["best_seat"][0]
        if table.tricks_played and not table.finished and best is None:
            last = table.winning(table.last_trick)
            assert last is not None
            assert last[0] == game.turn


def test_no_line_is_too_wide_and_every_decision_has_words(positions: list[Game]) -> None:
    for game in positions:
        for seat in (None, max(0, game.turn)):
            lines = table_text(game.ruleset, game.state, seat).splitlines()
            assert max(map(len, lines)) <= 100
        table = Table(game.ruleset, game.state)
        if game.turn >= 0:
            assert turn_words(table).startswith(table.name(game.turn) + " ")
            assert help_words(table).endswith(".")


def test_what_is_said_is_what_the_record_tells(positions: list[Game]) -> None:
    """Live, and read back from the public calls."""
    for game in positions:
        table = Table(game.ruleset, game.state, seat=-1)  # somebody who knows no cards
        for action in game.legal() if game.turn >= 0 else []:
            twin, words = game.clone(), saying(table, action)
            twin.play(action)
            if game.phase == Phase.PLAY:
                assert words == f"{table.name(game.turn)} plays {table.card(action)}"
            elif words and "lays" not in words and action != CLAIM_REDEAL:
                assert said(Table(twin.ruleset, twin.state))[-1] == words


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


# Bids, swaps, exchanges, jokers and ends: every case by hand


def auction(rules: str | Ruleset, *actions: int, **options: object) -> Game:
    """Return an auction game dealt by seat 0 after some actions."""
    game = Game(rules, dealer=0, **{"seed": 1, "auto_deal": False, **options})  # type: ignore[arg-type]
    for action in actions:
        game.play(action)
    return game


def played_out(game: Game) -> Game:
    """Play the hand to its end, the lowest card that is legal each time."""
    while game.turn >= 0:
        game.play(game.legal()[0])
    return game


@pytest.mark.parametrize(
    ("bid", "trump", "present", "past", "name"),
    [
        (0, -1, "bids 3", "bid 3", "3"),
        (2, 2, "bids 5 in hearts", "bid 5 in hearts", "5 in hearts"),
        (3, 4, "bids 6 at no-trump", "bid 6 at no-trump", "6 at no-trump"),
        (4, -1, "shoots the moon", "shot the moon", "moon"),
        (4, 5, "shoots the moon at low no-trump", "shot the moon at low no-trump", "moon at low no-trump"),
        (7, 3, "bids a quadruple moon in spades", "bid a quadruple moon in spades", "quadruple moon in spades"),
    ],
)
def test_bids(bid: int, trump: int, present: str, past: str, name: str) -> None:
    assert (bid_words(bid, trump), bid_words(bid, trump, past=True), bid_name(bid, trump)) == (present, past, name)


def test_an_auction() -> None:
    """8.2, 8.3."""
    text = str(auction("cincinnati", PASS, BID + 1))
    assert "Up-card" not in text
    assert "Trump:" not in text
    assert "Highest bid: 4, by North." in text
    assert line(text, "Said") == "Said: West passes, North bids 4."
    game = auction("cincinnati", PASS, BID + 1, BID + MOON, PASS)
    assert "Auction won by East: moon." in str(game)
    assert line(str(game), "To move") == "To move: East names trump."
    game.play(CALL + NO_TRUMP)
    text = str(game)
    assert line(text, "Trump") == "Trump: no-trump, named by East, who shot the moon, East plays alone."
    assert "sits out" in text
    assert "bidder, alone" in text
    assert line(str(auction("cincinnati", PASS, PASS, PASS)), "To move") == "To move: South must bid."


def test_a_bid_that_names_its_trump() -> None:
    """10.1: the trump of a bid that may be bid over is none yet; hands stay sorted as before."""
    game = auction("bid_euchre", BID)
    assert line(str(game), "To move") == "To move: West names trump."
    game.play(CALL + 2)
    text = str(game)
    assert "Highest bid: 3 in hearts, by West." in text
    assert "Trump:" not in text
    assert line(text, "Said") == "Said: West bids 3 in hearts."
    assert saying(Table(game.ruleset, game.state), BID + 1) == ""
    game.play(BID + 3)
    assert saying(Table(game.ruleset, game.state), CALL + 4) == "North bids 6 at no-trump"


def test_nobody_bids() -> None:
    assert "Nobody bid: the hand was thrown in." in str(auction("ghost_hand", PASS, PASS, PASS))


def test_three_at_the_table_and_the_ghost_hand() -> None:
    """9.1, 9.3, Q-G7: the old hand is known to who gave it up alone."""
    game = auction("ghost_hand", PASS)
    assert "score: South 0   West 0   East 0" in str(game)
    assert str(game).count("▒▒") == 6
    assert "ghost hand" in table_text(game.ruleset, game.state, 0)
    assert table_text(game.ruleset, game.state, 0).count("▒▒") == 18
    old = sorted_hand(game.hand(2), -1)
    assert line(str(game), "To move") == "To move: East bids, passes or swaps."
    game.play(SWAP)
    own, other = (table_text(game.ruleset, game.state, seat) for seat in (2, 0))
    assert f"East gave up {' '.join(map(card_name, old))}, for the ghost hand." in own
    assert "gave up" not in other
    assert "East's old hand" in other
    assert line(other, "Said") == "Said: West passes, East takes the ghost hand."
    assert line(other, "To move") == "To move: East bids or passes."


def test_a_bid_made_and_a_bid_set() -> None:
    """8.5, 9.6."""
    game = played_out(auction("ghost_hand", PASS, PASS, BID, CALL + 3))
    table = Table(game.ruleset, game.state)
    took = table.side_tricks(0)
    assert outcome(table)[:2] == [
        f"South bid 3 in spades: South took {took} of 6 tricks.",
        "The bid is made." if took >= 3 else "Set!",
    ]
    game.state["tricks"][0, :3], game.state["points"][0, :3] = (1, 4, 1), (-3, 4, 1)
    game.state["scores"][0, :3] = (-3, 4, 1)
    assert outcome(table)[1:] == ["Set!", "South loses 3.", "West scores 4.", "East scores 1."]
    assert "score: South -3   West 4   East 1" in str(game)
    game.state["tricks"][0, :3], game.state["points"][0, :3] = (4, 1, 1), (4, 1, 1)
    assert outcome(table)[1:] == ["The bid is made.", "South scores 4.", "West and East score 1 each."]


def test_a_moon_made_and_a_moon_set() -> None:
    """8.5, Q-C10: six tricks alone, or the stake is lost."""
    game = played_out(auction("cincinnati", BID + MOON, PASS, PASS, PASS, CALL + 3))
    table = Table(game.ruleset, game.state)
    game.state["tricks"][0], game.state["points"][0, :2] = (0, 6, 0, 0), (0, 12)
    moon = "West shot the moon in spades: East/West took"
    assert outcome(table) == [f"{moon} 6 of 6 tricks.", "The moon is made!", "East/West score 12."]
    game.state["tricks"][0], game.state["points"][0, :2] = (1, 5, 0, 0), (1, -12)
    assert outcome(table) == [f"{moon} 5 of 6 tricks.", "Set!", "North/South score 1.", "East/West lose 12."]


def test_each_opponent_scores_a_euchre() -> None:
    """6."""
    game = played_out(auction("three_handed", ORDER_UP, DECLINE))
    game.state["tricks"][0, :3], game.state["points"][0, :3] = (2, 1, 2), (2, 0, 2)
    assert outcome(Table(game.ruleset, game.state))[1:] == ["Euchred!", "South and East score 2 each."]
    game.state["tricks"][0, :3], game.state["points"][0, :3] = (0, 5, 0), (0, 3, 0)
    assert outcome(Table(game.ruleset, game.state))[1:] == ["A march!", "West scores 3."]


def test_a_tie_break_hand() -> None:
    """9.7."""
    game = played_out(auction("ghost_hand", PASS, PASS, BID, CALL + 3))
    game.state["extra_hand"] = 0b110
    assert outcome(Table(game.ruleset, game.state))[-1] == (
        "A tie-break hand follows: West and East stand at 32 or more."
    )
    assert "tie-break ·" not in str(game)
    game.deal()
    assert "hand 2, a tie-break ·" in str(game)


def test_several_winners() -> None:
    """Q-T3."""
    game = played_out(auction("three_handed", ORDER_UP, DECLINE))
    game.state["phase"], game.state["winners"], game.state["scores"][0, :3] = Phase.OVER, 0b101, (11, 4, 10)
    assert victory(Table(game.ruleset, game.state)) == "South and East win 11 and 10 to 4"
    game.state["winners"] = 0b100
    assert victory(Table(game.ruleset, game.state)) == "East wins 10 to 11 and 4"


JOKER_UP = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JK, AH TH QD JH")


def test_a_blind_call() -> None:
    """4.3: nobody sees his hand; who sees the whole table does."""
    game = game_of("british", deck=JOKER_UP)
    assert line(str(game), "To move") == "To move: East names trump for the joker, blind."
    assert line(str(game), "Up-card") == "Up-card: Joker, East names trump for it."
    assert str(game).count("▒▒") == 0
    for seat in range(4):
        assert table_text(game.ruleset, game.state, seat).count("▒▒") == 20
    game.play(CALL + 2)
    shown = table_text(game.ruleset, game.state, 3)
    assert shown.count("▒▒") == 15
    assert "Joker Q♣ J♣ K♦ 9♦ J♠" in shown
    assert line(str(game), "Said") == "Said: East names hearts."


def test_a_two_of_spades_for_the_joker() -> None:
    """4.1."""
    rules = get("british").replace(joker_card="2S", joker_up="set_aside")
    game = game_of(rules, deck=JOKER_UP)
    assert line(str(game), "Up-card") == "Up-card: 2♠, East names trump for it."
    assert "up-card 2♠" in str(game)
    game.play(CALL + 2)
    assert line(str(game), "Up-card") == "Up-card: 2♠, set aside."
    assert card_name(JOKER) == "Joker"


def test_a_joker_that_proposes_a_suit() -> None:
    """7.3."""
    assert line(str(game_of("railroad", deck=JOKER_UP)), "Up-card") == "Up-card: Joker, proposes hearts."


JOKER_BURIED = parse_cards("AS KS QS, JD QH KH, AC KC 9S, JC QC JS, 9H TD, 9C TC, TS AD, 9D KD, JH, AH TH QD JK")


def test_a_partners_best_card() -> None:
    """7.5: known to the two alone."""
    game = game_of("railroad", ORDER_UP, DECLINE, ALONE, deck=JOKER_BURIED)
    assert line(str(game), "To move") == "To move: South may lay a card away for North's best."
    game.play(parse_card("9H"))
    assert line(str(game), "To move") == "To move: North passes a card to South."
    assert saying(Table(game.ruleset, game.state, 0), parse_card("AD")) == "North passes A♦ to South"
    assert saying(Table(game.ruleset, game.state, 1), parse_card("AD")) == "North passes a card to South"
    game.play(parse_card("AD"))
    texts = [table_text(game.ruleset, game.state, seat) for seat in range(4)]
    assert ["North passed A♦ to South." in text for text in texts] == [True, False, True, False]
    assert ["South laid away 9♥, face down." in text for text in texts] == [True, False, False, False]
    assert "South goes alone, South lays a card away, North passes a card to South." in flat(texts[1])
    assert [Table(game.ruleset, game.state, 3).count_of(seat) for seat in range(4)] == [5, 5, 4, 5]


def test_the_dealer_passes_the_card_that_he_left() -> None:
    """Q-N23: whether it is that one the two know alone."""
    game = game_of("railroad", PASS, ORDER_UP, DECLINE, ALONE, "9C", "JH", deck=JOKER_BURIED)
    ups = [line(table_text(game.ruleset, game.state, seat), "Up-card") for seat in range(4)]
    known, unknown = "Up-card: J♥, passed to West by East.", "Up-card: J♥, left lying, unless it was passed."
    assert ups == [unknown, known, unknown, known]
    assert [Table(game.ruleset, game.state, seat).count_of(3) for seat in range(4)] == [4, 5, 4, 5]


def test_asking_for_a_card_first() -> None:
    """7.5, receive first."""
    game = game_of(RULES["receive_first"], ORDER_UP, DECLINE, ALONE, deck=JOKER_BURIED)
    assert line(str(game), "To move") == "To move: South may ask North for a card."
    game.play(SWAP)
    game.play(parse_card("AC"))
    assert line(str(game), "To move") == "To move: South lays a card away."
    assert "South asks North for a card, North passes a card to South." in flat(str(game))
    game = game_of(RULES["receive_first"], ORDER_UP, DECLINE, ALONE, DECLINE, deck=JOKER_BURIED)
    assert "South asks for no card" in str(game)


def test_dummies() -> None:
    """5, 6: face down until they are taken, and then laid away."""
    game = auction(RULES["five_card"], ORDER_UP, DECLINE)
    assert line(str(game), "To move") == "To move: West may play without the dummy."
    assert table_text(game.ruleset, game.state, 1).count("▒▒") == 15
    game.play(WITH_PARTNER)
    text = table_text(game.ruleset, game.state, 1)
    assert text.count("▒▒") == 10
    assert line(text, "To move") == "To move: West lays 5 cards away."
    for _ in range(3):
        game.play(game.legal()[0])
    assert "West takes the dummy, West lays 3 cards away." in flat(str(game))
    text = str(auction(RULES["three_card"], ORDER_UP, DECLINE, ALONE, ALONE))
    assert text.count("▒▒") == 6
    assert "North's dummy" in text
    assert "South and North play without the dummy" in text or "North and South play without the dummy" in text


def test_a_farmers_swap() -> None:
    """Q-N22."""
    game = game_of(RULES["swap3"], deck=LOW)
    assert line(str(game), "To move") == "To move: South may swap three cards with the buried ones."
    game.play(SWAP)
    assert line(str(game), "To move") == "To move: South lays 3 cards away."
    game.play(parse_card("9S"))
    game.play(parse_card("TS"))
    assert line(str(game), "To move") == "To move: South lays a card away."
    game.play(parse_card("TH"))
    assert line(str(game), "Said") == "Said: South swaps three cards with the buried ones, South lays 3 cards away."
    assert "South laid away 10♠ 9♠ 10♥, face down." in table_text(game.ruleset, game.state, 0)
    game.play(DECLINE)
    assert "West keeps the hand" in str(game)


def test_a_renege() -> None:
    """Q-X4: it is said with its price, and the points of the hand show it."""
    rules = get("north_american").replace(renege="penalty")
    game = game_of(rules, *[PASS] * 5, CALL + 3, *[WITH_PARTNER] * 4, "AS", "JD")
    assert "reneged" not in str(game)
    game = game_of(rules, *[PASS] * 5, CALL + 3, *[WITH_PARTNER] * 4, "9H", "9C")
    assert "West reneged with 9♣, which costs 2." in str(game)
    assert "East/West -2" in str(game)
    end = outcome(Table(rules, played_out(game).state))
    assert any(sentence.startswith("West reneged with 9♣") for sentence in end)
    assert ("Euchred!" in end) == (2 * Table(rules, game.state).side_tricks(1) < 5)


def test_a_stuck_dealer() -> None:
    assert line(str(game_of("tournament", *[PASS] * 7)), "To move") == "To move: East must name trump."


def test_words_for_every_call() -> None:
    game = game_of("north_american", ORDER_UP, DECLINE, WITH_PARTNER, WITH_PARTNER, ALONE)
    sentences = said(Table(game.ruleset, game.state))
    assert sentences[2:] == ["South stays with partner", "North stays with partner", "West goes alone"]
    assert action_name(ALONE) == "alone"


# Pixels


@pytest.mark.parametrize("rules", ["british", "railroad", "bid_euchre", "three_card", "five_card", "penalty"])
def test_pictures_of_play(rules: str) -> None:
    """A view is drawn as the whole table from that seat: nothing hidden reaches the picture."""
    positions = sample(rules)
    for i, game in enumerate(positions):
        if i % (len(positions) // 2) == 0:
            seat = i % game.ruleset.num_seats
            seen = pixels.draw_table(game.ruleset, game.view(seat), seat)
            assert seen.shape == (640, 960, 3)
            assert seen.dtype == np.uint8
            assert np.array_equal(seen, pixels.draw_table(game.ruleset, game.state[0], seat))


def test_a_banner_writes_suits_as_words() -> None:
    """The font has no symbols for them."""
    from euchre_env.render import scene

    game = played_out(game_of(get("north_american").replace(renege="penalty"), *[PASS] * 5, CALL + 3))
    game.state["reneged"] = int(game.state["played"][0, 1])
    words = " ".join(line for line, _, _ in scene._banner_lines(Table(game.ruleset, game.state)))
    assert "West reneged with " in words
    assert " of " in words
    assert not set(words) & set("♣♦♥♠")


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
