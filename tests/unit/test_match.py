"""Match: set-up, refusals in words, where it ends, seeds and decks, clones, text. Its rules are in tests/rules."""

from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.cards import parse_cards
from euchre_env.decks import deck
from euchre_env.errors import DeckError, RulesetError, StateError
from euchre_env.match import Draw, Match, draw, draw_by_key

SHORT = rulesets.get("tournament").replace(name="short", target=2)
THREE = Draw(((0,), (1,), (2,)), (0, 1, 2), 0)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: Match("whist"), RulesetError, "unknown ruleset 'whist'"),
        (lambda: Match(games=0), StateError, "games is 0: it must be a whole number from 1"),
        (lambda: Match(games=True), StateError, "games is True"),
        (lambda: Match(first_to="2"), StateError, "first_to is '2'"),  # type: ignore[arg-type]
        (lambda: Match(key=-1), StateError, "key is -1"),
        (lambda: Match(dealer=4), StateError, "dealer is 4"),
        (lambda: Match(scores=[10, 0]), StateError, "scores is"),
        (lambda: Match(deck=["AS"]), DeckError, "the deck lacks"),
        (lambda: Match(draw=THREE), StateError, "the draw is of 3 players, and north_american has 4"),
        (lambda: Match(draw=draw(SHORT, parse_cards("KC QC JC TC")), dealer=0), StateError, "draw and dealer"),
        (lambda: Match(SHORT.replace(rubber=True), games=3), StateError, "a rubber ends when a side has 2 games"),
        (lambda: Match(SHORT.replace(rubber=True), first_to=3), StateError, "leave out games and first_to"),
        (lambda: Match("three_handed", seed=1).deal(), StateError, "no deal is due"),
        (lambda: draw("railroad", ["JK"]), DeckError, "the joker is added after the draw .1.7"),
        (lambda: draw("bicycle24", ["8C"]), DeckError, "8C is not in the 24-card pack of bicycle24"),
        (lambda: draw("bicycle24", ["9C", "9C"]), DeckError, "9C is drawn 2 times"),
        (lambda: draw("bicycle24", ["9C", "TC", "JC"]), DeckError, "3 cards do not settle the draw"),
        (lambda: draw_by_key("bicycle24", -1), StateError, "key is -1: it must be a whole number from 0"),
        (lambda: draw_by_key("bicycle24", 2**64), StateError, "key is 18446744073709551616"),
        (lambda: draw("bicycle24", ["9X"]), DeckError, "'9X' is not a card"),
    ],
)
def test_what_is_refused(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def random_play(match: Match, seed: int, most: int = 20_000) -> Match:
    """Play a match to its end, or so many decisions, by chance."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        if match.over:
            break
        legal = match.game.legal()
        match.play(legal[int(rng.integers(len(legal)))])
    return match


def test_a_match_ends_after_so_many_games() -> None:
    match = random_play(Match(SHORT, seed=1, games=3), 0)
    assert len(match.results) == sum(match.games_won) == 3
    assert match.winners == (int(match.games_won[1] > match.games_won[0]),)
    assert match.standings == match.games_won
    assert match.rubber_points == (0, 0)


def test_a_match_ends_when_a_side_has_so_many_games() -> None:
    for seed in range(5):
        match = random_play(Match(SHORT, seed=seed, first_to=3), seed)
        assert max(match.games_won) == 3 > min(match.games_won)
        assert match.games_won[match.winners[0]] == 3


def test_a_level_match_has_both_as_winners() -> None:
    level = [
        match for seed in range(12) if (match := random_play(Match(SHORT, seed=seed, games=2), 0)).games_won == (1, 1)
    ]
    assert level
    assert {match.winners for match in level} == {(0, 1)}


def test_without_a_length_it_goes_on() -> None:
    match = random_play(Match(SHORT, seed=1), 0, most=1_000)
    assert len(match.results) > 5
    assert (match.over, match.winners) == (False, ())


@pytest.mark.parametrize("name", rulesets.names())
def test_two_games_of_every_ruleset(name: str) -> None:
    rules = rulesets.get(name).replace(name=name, target=1)
    match = random_play(Match(rules, seed=2, games=2), 1)
    assert match.over
    assert len(match.games_won) == rules.num_sides
    for result in match.results:
        assert result.winners
        assert all(result.scores[side] >= rules.target for side in result.winners)
        assert all(result.games[side] >= 1 for side in result.winners)
    assert match.results[0].hands >= 1


@pytest.mark.parametrize("name", ["north_american", "railroad", "three_handed"])
def test_the_next_game_starts_from_what_is_carried(name: str) -> None:
    rules = rulesets.get(name).replace(target=3, laps=True, slams=True)
    rng, match, carried = np.random.default_rng(4), Match(rules, seed=4, games=30), 0
    while not match.over:
        finished, legal = len(match.results), match.game.legal()
        match.play(legal[int(rng.integers(len(legal)))])
        if len(match.results) > finished and not match.over:
            assert match.game.scores == match.results[-1].carry
            carried += any(match.results[-1].carry)
    assert carried
    assert sum(match.games_won) == sum(sum(result.games) for result in match.results)


def test_the_same_seed_gives_the_same_match() -> None:
    first, again, other = (random_play(Match("bicycle24", seed=seed, games=2), 3) for seed in (5, 5, 6))
    assert (first.draw, first.results) == (again.draw, again.results)
    assert (first.draw, first.results) != (other.draw, other.results)
    generator = np.random.default_rng(5)
    assert random_play(Match("bicycle24", seed=generator, games=2), 3).results == first.results


def test_every_game_has_deals_of_its_own() -> None:
    match = Match(SHORT, key=9, dealer=0, auto_deal=False)
    hands = [match.game.state["hands"].tolist()]
    for _ in range(3):
        while not match.game.over:
            if match.game.turn < 0:
                match.deal()
            match.play(match.game.legal()[0])
        match.deal()
        hands.append(match.game.state["hands"].tolist())
    assert len({str(dealt) for dealt in hands}) == 4


def by_decks(seed: int) -> Match:
    """Play two games on given decks, the lowest legal action each time."""
    decks = (deck(SHORT, key=seed, hand=hand).tolist() for hand in range(1_000))
    match = Match(SHORT, dealer=2, games=2, deck=next(decks), auto_deal=False)
    while not match.over:
        if match.game.turn < 0:
            match.deal(next(decks))
        match.play(match.game.legal()[0])
    return match


def test_given_decks_replay_a_match() -> None:
    assert by_decks(4).results == by_decks(4).results
    assert by_decks(4).results[0].first_dealer == 2
    assert len({str(by_decks(seed).results) for seed in range(6)}) > 1


def test_a_wrong_deck_leaves_the_match_as_it_was() -> None:
    match = Match(SHORT, seed=1, auto_deal=False)
    while not match.game.over:
        if match.game.turn < 0:
            match.deal()
        match.play(match.game.legal()[0])
    results, game = match.results, match.game
    with pytest.raises(DeckError):
        match.deal(["AS"])
    assert (match.results, match.game) == (results, game)
    match.deal()
    assert match.results == results
    assert match.game is not game


def test_play_on_the_game_itself_counts_too() -> None:
    match = Match(SHORT, seed=1, games=1)
    while not match.game.over:
        match.game.play(match.game.legal()[0])
    assert match.over
    assert len(match.results) == 1
    with pytest.raises(StateError, match="the match is over"):
        match.deal()


def test_a_clone_is_independent() -> None:
    match = random_play(Match(SHORT, seed=3, games=4), 0, most=60)
    twin = match.clone()
    before = match.results, match.game.state.copy()
    random_play(twin, 1)
    assert match.results == before[0]
    assert np.array_equal(match.game.state, before[1])
    assert random_play(match, 1).results == twin.results


def test_a_given_draw_seats_the_players() -> None:
    drawn = draw("bicycle24", parse_cards("KC QC JC TC"))
    match = Match("north_american", draw=drawn, seed=1)
    assert match.players == (3, 0, 2, 1)
    assert match.game.state["dealer"][0] == 0
    lowest = Match("three_handed", draw=draw("three_handed", parse_cards("KC 9C JC")), seed=1)
    assert (lowest.players, int(lowest.game.state["dealer"][0])) == ((0, 1, 2), 1)


def test_a_match_and_a_draw_in_words() -> None:
    match = random_play(Match(SHORT.replace(name="pub", rubber=True), seed=1), 0)
    games, points = (" to ".join(map(str, numbers)) for numbers in (match.games_won, match.rubber_points))
    first = f"game {len(match.results)} of the match; games won: {games}, rubber points {points}"
    assert str(match).startswith(f"{first}\n\npub, to 2")
    assert "rubber" not in str(Match(SHORT, seed=1))
    assert str(draw("two_handed", parse_cards("9C 9D TC KD"))) == (
        "player 0 draws 9C TC, player 1 9D KD: player 0 deals"
    )
