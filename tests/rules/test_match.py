"""What belongs above a game: the draw (1.7, Q-X2), laps and slams (7.7, Q-R8), the rubber (3), the deal (Q-X1)."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from euchre_env import rulesets
from euchre_env.cards import JOKER, format_card, parse_cards
from euchre_env.errors import DeckError, StateError
from euchre_env.match import Draw, Match, draw, draw_by_key, game_result
from euchre_env.ruleset import Ruleset
from tests.rules.tables import ACTIONS, deck_of

RANKED = "A789TJQK"  # 1.7, from the lowest
LAPS_AND_SLAMS = rulesets.get("north_american").replace(laps=True, slams=True)
RUBBER = rulesets.get("bicycle24").replace(rubber=True)


def worth(card: int) -> int:
    return RANKED.index(format_card(card)[0])


def test_X11_redraw_inside_the_tied_pair() -> None:
    drawn = draw("bicycle32", parse_cards("9C 9H KD QS TC 8D"))
    assert drawn.pairs == ((1, 0), (2, 3))
    assert drawn.players == (1, 2, 0, 3)  # dealer 0, partner 2, the higher of the others 1
    assert (drawn.dealer, drawn.players[drawn.dealer]) == (0, 1)
    assert drawn.cards == (
        tuple(parse_cards("9C TC")),
        tuple(parse_cards("9H 8D")),
        tuple(parse_cards("KD")),
        tuple(parse_cards("QS")),
    )


@pytest.mark.parametrize(
    ("cards", "players"),
    [
        ("KC QD JH TS", (3, 0, 2, 1)),
        ("AC 7D KH 8S", (0, 2, 1, 3)),  # the ace is low
        ("9C TD AH KS", (2, 3, 0, 1)),
        ("AS AH KD QS 9C KC", (0, 2, 1, 3)),  # the two lowest tie: who deals
        ("9C TD TH KS AC 7S", (0, 3, 1, 2)),  # the middle two tie: who is partner
        ("9C TD TH KS KD KH 8S 7D", (0, 3, 2, 1)),  # and tie again
        ("9C TD KH KS", (0, 3, 1, 2)),  # the two highest tie: nothing depends on it, no redraw
        ("9C TD TH TS AC 7D 8H", (0, 3, 1, 2)),  # three tie above the lowest
        ("9C TD TH TS 8H AC AD KC QD", (0, 1, 3, 2)),  # of them two tie as the lowest
        ("9C 9D 9H TS KC QD JH", (2, 3, 1, 0)),  # three tie as the lowest: a K there is below the T
        ("9C 9D 9H 9S TC TD JH JS AC 7D", (0, 3, 1, 2)),  # four tie, then the lower two of two pairs
    ],
)
def test_1_7_and_Q_X2_who_sits_where(cards: str, players: tuple[int, ...]) -> None:
    assert draw("bicycle32", parse_cards(cards)).players == players


def test_Q_X2_suits_never_break_ties() -> None:
    for suits in permutations("CDHS"):
        tied = [f"9{suits[0]}", f"9{suits[1]}", "KD", "QS"]
        with pytest.raises(DeckError, match="4 cards do not settle the draw"):
            draw("bicycle32", tied)


@pytest.mark.parametrize(
    ("name", "cards", "dealer"),
    [
        ("two_handed", "KC QD", 1),
        ("two_handed", "9C 9D TH AS", 1),
        ("three_handed", "KC AD QH", 1),
        ("three_handed", "KC KD QH", 2),  # a tie above the lowest stands
        ("three_handed", "TC TD TH KC 9D 9S QS JD", 2),
        ("ghost_hand", "AC KD QH", 0),
    ],
)
def test_1_7_two_and_three_draw_for_the_deal_alone(name: str, cards: str, dealer: int) -> None:
    drawn = draw(name, parse_cards(cards))
    assert drawn.dealer == dealer
    assert drawn.players == tuple(range(len(drawn.cards)))
    assert drawn.pairs == tuple((player,) for player in drawn.players)


def settled(drawn: Draw, rounds: int) -> bool:
    """Whether so many cards each would do: the dealer alone below all, his pair below the other."""
    worths = sorted([worth(card) for card in cards[:rounds]] for cards in drawn.cards)
    return worths[0] < worths[1] and (len(worths) < 4 or worths[1] < worths[2])


def check_draw(drawn: Draw, deck: list[int]) -> None:
    """1.7 and Q-X2, of a draw from a deck."""
    by_player = [[worth(card) for card in cards] for cards in drawn.cards]
    longest = max(map(len, by_player))
    used = [cards[turn] for turn in range(longest) for cards in drawn.cards if turn < len(cards)]
    assert used == deck[: len(used)]
    assert settled(drawn, longest)
    assert not any(settled(drawn, rounds) for rounds in range(1, longest))
    for turn in range(1, longest):
        assert len({tuple(cards[:turn]) for cards in by_player if turn < len(cards)}) == 1
    seated = [by_player[player] for player in drawn.players]
    assert seated[drawn.dealer] == min(by_player)
    if len(seated) == 4:
        assert drawn.dealer == 0
        assert seated[2] < min(seated[1], seated[3])
        assert seated[1] >= seated[3]


@given(st.data(), st.sampled_from(["bicycle24", "bicycle28", "bicycle32", "two_handed", "three_handed", "railroad"]))
def test_1_7_any_draw(data: st.DataObject, name: str) -> None:
    rules = rulesets.get(name)
    pack = [card for card in rules.deck_ids if card != JOKER]
    if data.draw(st.booleans()):
        pack = [card for card in pack if worth(card) > 5]  # aces gone, few ranks: many ties
    deck = data.draw(st.permutations(pack))
    try:
        drawn = draw(rules, deck)
    except DeckError:
        assert len(pack) <= 8  # queens and kings alone may run out
        return
    check_draw(drawn, deck)


def test_1_7_pairs_and_dealers_are_uniform() -> None:
    """Twelve ways to choose a dealer and his partner, 500 each expected; 31.3 is exceeded once in a thousand."""
    counts: dict[tuple[int, ...], int] = {}
    redrawn = 0
    for key in range(6_000):
        drawn = draw_by_key("bicycle24", key)
        redrawn += max(map(len, drawn.cards)) > 1
        counts[drawn.pairs[0]] = counts.get(drawn.pairs[0], 0) + 1
    assert sorted(counts) == sorted(pair for pair in product(range(4), repeat=2) if pair[0] != pair[1])
    assert sum((n - 500) ** 2 / 500 for n in counts.values()) < 31.3
    assert redrawn > 1_000


def test_1_7_a_match_of_bicycle_draws_and_the_dealer_sits_in_seat_0() -> None:
    for key in range(20):
        match = Match("bicycle24", key=key)
        assert match.draw == draw_by_key("bicycle24", key)
        assert match.draw is not None
        assert match.players == match.draw.players
        assert match.game.state["dealer"][0] == 0


def test_1_7_no_draw_where_the_first_dealer_is_random() -> None:
    dealers = [int(Match("north_american", key=key).game.state["dealer"][0]) for key in range(200)]
    assert all(dealers.count(seat) > 30 for seat in range(4))
    assert Match("north_american", key=1).draw is None
    assert Match("north_american", key=1).players == (0, 1, 2, 3)


def test_B16_points_beyond_the_target_carry() -> None:
    """Railroad, target 10: a side at 9 scores a lone march, 9 + 4 = 13."""
    result = game_result(rulesets.get("railroad"), scores=(13, 6), winners=(0,))
    assert (result.carry, result.games) == ((3, 0), (1, 0))


@pytest.mark.parametrize(
    ("scores", "games", "carry", "slam"),
    [
        ((10, 3), (1, 0), (0, 0), False),
        ((11, 3), (1, 0), (1, 0), False),
        ((3, 13), (0, 1), (0, 3), False),
        ((10, 0), (2, 0), (0, 0), True),
        ((0, 12), (0, 2), (0, 2), True),  # Q-R8: both apply
        ((12, -2), (2, 0), (2, 0), True),  # Q-X4: a penalty does not save the losers
    ],
)
def test_7_7_laps_and_slams(
    scores: tuple[int, int], games: tuple[int, int], carry: tuple[int, int], slam: bool
) -> None:
    winner = int(scores[1] > scores[0])
    result = game_result(LAPS_AND_SLAMS, scores, (winner,))
    assert (result.games, result.carry, result.slam) == (games, carry, slam)
    plain = game_result(rulesets.get("north_american"), scores, (winner,))
    assert (sum(plain.games), plain.carry, plain.slam) == (1, (0, 0), False)


def test_7_7_a_surplus_that_holds_another_target_counts_a_lap() -> None:
    """Target 3: a side at 2 with a lone march of 8 has 10: a game, two laps of 3, and 1 for the next."""
    rules = LAPS_AND_SLAMS.replace(target=3, loner_march_points=8)
    result = game_result(rules, (10, 1), (0,))
    assert (result.games, result.carry) == ((3, 0), (1, 0))


def test_Q_R8_laps_without_slams_and_slams_without_laps() -> None:
    laps, slams = LAPS_AND_SLAMS.replace(slams=False), LAPS_AND_SLAMS.replace(laps=False)
    assert game_result(laps, (12, 0), (0,)).games == (1, 0)
    assert game_result(laps, (12, 0), (0,)).carry == (2, 0)
    assert game_result(slams, (12, 0), (0,)).games == (2, 0)
    assert game_result(slams, (12, 0), (0,)).carry == (0, 0)


def test_7_7_every_loser_of_three_must_have_nil() -> None:
    rules = rulesets.get("three_handed").replace(laps=True, slams=True)
    assert game_result(rules, (12, 0, 2), (0,)).games == (1, 0, 0)
    assert game_result(rules, (0, 11, 0), (1,)).games == (0, 2, 0)


def test_Q_T3_winners_of_a_shared_game_have_one_each() -> None:
    """Two of three win: a game and their surplus each, a slam over the third; nobody loses where all win."""
    rules = rulesets.get("three_handed").replace(laps=True, slams=True, both_cross="shared")
    result = game_result(rules, (9, 10, 11), (1, 2))
    assert (result.games, result.carry, result.slam) == ((0, 1, 1), (0, 0, 1), False)
    assert game_result(rules, (0, 10, 11), (1, 2)).games == (0, 2, 2)
    assert game_result(rules, (10, 10, 11), (0, 1, 2)).games == (1, 1, 1)


@pytest.mark.parametrize(("losers", "points"), [(-2, 3), (0, 3), (1, 2), (2, 2), (3, 1), (9, 1)])
def test_3_rubber_points_of_a_game(losers: int, points: int) -> None:
    assert game_result(RUBBER, (10, losers), (0,)).rubber_points == (points, 0)
    assert game_result(RUBBER, (losers, 10), (1,)).rubber_points == (0, points)
    assert game_result(rulesets.get("bicycle24"), (10, losers), (0,)).rubber_points == (0, 0)


# The loner's hand, then those of the seats to his left; TS is up. Alone he takes every trick: 4 points (2.7).
LONER = ("JS JC AS KS QS", "AH KH QH JH TH", "9C 9D 9H 9S KC", "AC QC TC TD AD")
WANTS = [ACTIONS[words] for words in ("order up alone", "order up", "alone", "decline")]
OTHERS = [ACTIONS[words] for words in ("pass", "decline", "with partner")]


def loners_deck(rules: Ruleset, loner: int, dealer: int) -> list[int]:
    hands = {(loner + place) % 4: cards for place, cards in enumerate(LONER)}
    return deck_of(rules, dealer, hands, "TS")


def lone_march(match: Match, loner: int, dealer: int) -> None:
    """Deal, unless it is the first hand, and play a hand that one seat takes alone."""
    if match.game.turn < 0:
        assert match.next_dealer == dealer
        match.deal(loners_deck(match.ruleset, loner, dealer))
    while match.game.turn >= 0:
        legal = match.game.legal()
        likes = WANTS if match.game.turn == loner else OTHERS
        match.play(next((action for action in likes if action in legal), legal[0]))
    points = tuple(4 * (side == loner % 2) for side in range(2))
    assert match.game.points == points


def started(rules: Ruleset, scores: tuple[int, int], loner: int = 0) -> Match:
    """Return a match in its first hand, dealt by seat 3; the others are to be dealt."""
    return Match(rules, dealer=3, deck=loners_deck(rules, loner, 3), scores=scores, auto_deal=False, key=1)


def test_B16_in_play() -> None:
    match = started(rulesets.get("railroad"), (9, 6))
    lone_march(match, 0, 3)
    match.deal()
    assert match.results[0].scores == (13, 6)
    assert match.game.scores == (3, 0)


def test_7_7_laps_and_slams_in_play() -> None:
    match = started(LAPS_AND_SLAMS, (9, 6))
    lone_march(match, 0, 3)  # 13 to 6
    assert (match.game.over, match.over, match.games_won) == (True, False, (1, 0))
    lone_march(match, 0, 0)  # the next game starts from 3 to 0: 7 to 0
    assert (match.game.scores, match.games_won) == ((7, 0), (1, 0))
    lone_march(match, 0, 1)  # 11 to 0: a slam, and 1 point to carry
    assert match.games_won == (3, 0)
    lone_march(match, 1, 2)
    assert match.game.scores == (1, 4)
    assert [result.first_dealer for result in match.results] == [3, 0]
    assert [result.hands for result in match.results] == [1, 2]


def test_3_a_rubber_in_play() -> None:
    match = started(RUBBER, (8, 2))
    lone_march(match, 0, 3)  # 12 to 2: two rubber points
    assert (match.rubber_points, match.games_won) == ((2, 0), (1, 0))
    for dealer in range(3):
        lone_march(match, 1, dealer)  # 0 to 12: three
    assert (match.rubber_points, match.over) == ((2, 3), False)
    for dealer in (3, 0, 1):
        lone_march(match, 0, dealer)  # 12 to 0: three, and two for the rubber
    assert (match.rubber_points, match.standings, match.games_won) == ((7, 3), (7, 3), (2, 1))
    assert (match.over, match.winners, match.next_dealer) == (True, (0,), 2)
    with pytest.raises(StateError, match="the match is over"):
        match.deal()


def test_7_7_a_slam_ends_a_rubber() -> None:
    """Two games at once: three rubber points and two for the rubber."""
    match = started(RUBBER.replace(slams=True), (8, 0))
    lone_march(match, 0, 3)
    assert (match.over, match.winners, match.rubber_points) == (True, (0,), (5, 0))


def test_7_7_a_surplus_in_a_rubber() -> None:
    """Points beyond the target start its next game, and a whole target of them ends it; one game is paid."""
    match = started(RUBBER.replace(laps=True), (9, 1))
    lone_march(match, 0, 3)  # 13 to 1: a game, and 3 points to carry
    lone_march(match, 1, 0)
    assert (match.over, match.game.scores, match.rubber_points) == (False, (3, 4), (2, 0))
    match = started(RUBBER.replace(laps=True, target=2), (1, 1))
    lone_march(match, 0, 3)  # 5 to 1: a target and a half beyond the target
    assert (match.over, match.games_won, match.rubber_points) == (True, (2, 0), (4, 0))
    assert match.results[0].carry == (1, 0)


def test_Q_X1_the_deal_goes_on_to_the_left_between_games() -> None:
    match = started(rulesets.get("bicycle24"), (9, 9), loner=2)
    lone_march(match, 2, 3)
    assert (match.game.over, match.next_dealer) == (True, 0)
    match.deal()
    assert (match.game.state["dealer"][0], match.game.scores) == (0, (0, 0))
