"""Duplicate deals, swapped sides, named counts: matches whose outcome is known beforehand."""

import dataclasses
import itertools
from collections.abc import Callable

import numpy as np
import pytest

from agents.networks.inputs import InputColumns
from agents.networks.mlp import Mlp
from agents.networks.policy import NetworkPolicy
from euchre_env import policies, rulesets
from euchre_env.engine.layout import (
    ALONE,
    BID,
    DECLINE,
    FORFEIT,
    MOON,
    NUM_ACTIONS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    STATE,
    SWAP,
)
from evaluation.arena import (
    GROUP_PAIRS,
    ArenaError,
    GamesResult,
    MatchResult,
    _a_shares,
    _unit_values,
    num_seatings,
    owners,
    play_games,
    play_match,
)
from evaluation.statistics import wilson


class Scripted:
    """Takes the first of its wishes that is legal, else the lowest (or highest) legal action."""

    def __init__(self, name: str, *wishes: int, highest: bool = False) -> None:
        self.name = name
        self.wishes = wishes
        self.highest = highest

    def act(self, views: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return np.array([self._one(int(mask)) for mask in legal])

    def _one(self, mask: int) -> int:
        for wish in self.wishes:
            if mask >> wish & 1:
                return wish
        return mask.bit_length() - 1 if self.highest else (mask & -mask).bit_length() - 1


class Recorder:
    """Plays like another policy and writes down what it saw."""

    def __init__(self, name: str, like: str, ruleset: str) -> None:
        self.name = name
        self.inner = policies.make(like, ruleset)
        self.seen: list[np.ndarray] = []
        self.draws: list[float] = []

    def act(self, views: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        self.seen.append(views.copy())
        self.draws.append(float(rng.random()))
        return np.asarray(self.inner.act(views, legal, rng))


PASSES = Scripted("passes", PASS, DECLINE)
# Orders everything alone and plays its lowest cards: it cannot win a game against a player who waits.
THROWS_AWAY = Scripted("throws_away", ORDER_UP_ALONE, ORDER_UP, ALONE, DECLINE)


def simple_i() -> policies.Policy:
    return policies.make("simple_i", "tournament")


def rule_based() -> policies.Policy:
    return policies.make("rule_based", "tournament")


def random() -> policies.Policy:
    return policies.make("random", "tournament")


@pytest.mark.parametrize("tables", [1, 300, 5_000])
def test_the_number_of_tables_changes_nothing(tables: int) -> None:
    """Also not for players that draw: they have a generator of their own in every group."""
    match = play_match(random(), rule_based(), "tournament", 700, 3, tables=tables)
    again = play_match(random(), rule_based(), "tournament", 700, 3)
    assert match == again
    assert (match.values == again.values).all()
    games = play_games(rule_based(), random(), "tournament", 1200, 3, tables=tables)
    assert games == play_games(rule_based(), random(), "tournament", 1200, 3)


def test_more_pairs_go_on_from_fewer() -> None:
    few = play_match(random(), simple_i(), "tournament", GROUP_PAIRS, 1)
    many = play_match(random(), simple_i(), "tournament", 500, 1)
    assert (many.values[:GROUP_PAIRS] == few.values).all()


def test_the_seed_decides() -> None:
    one, two = (play_match(rule_based(), simple_i(), "tournament", 200, seed) for seed in (1, 2))
    assert (one.values != two.values).any()


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_a_player_against_itself_is_exactly_level(ruleset: str) -> None:
    player, seatings = policies.make("rule_based", ruleset), num_seatings(ruleset)
    match = play_match(player, player, ruleset, 200, 0)
    assert not match.values.any()
    assert match.a == match.b
    assert match.hands == 200 * seatings
    assert match.a.places == (100 * seatings,) * rulesets.get(ruleset).num_seats
    games = play_games(player, player, ruleset, 10 * seatings, 0)
    assert (games.wins_a, games.wins_b) == (5 * seatings, 5 * seatings)
    assert (games.shared, games.unfinished) == (0, 0)
    assert games.win_rate == wilson(5, 10)


def test_the_other_way_round_is_the_same_with_the_sign_turned() -> None:
    """K8: nothing hangs on who is called A."""
    one = play_match(rule_based(), simple_i(), "tournament", 500, 5)
    two = play_match(simple_i(), rule_based(), "tournament", 500, 5)
    assert (one.values == -two.values).all()
    assert (one.a, one.b) == (two.b, two.a)
    first = play_games(rule_based(), simple_i(), "tournament", 200, 5)
    second = play_games(simple_i(), rule_based(), "tournament", 200, 5)
    assert (first.wins_a, first.wins_b) == (second.wins_b, second.wins_a)


@pytest.mark.parametrize("turned", [False, True])
def test_k8_a_sure_winner_wins_in_both_seatings(turned: bool) -> None:
    winner = rule_based()
    a, b = (THROWS_AWAY, winner) if turned else (winner, THROWS_AWAY)
    games = play_games(a, b, "tournament", 60, 0)
    assert (games.wins_b if turned else games.wins_a, games.unfinished) == (60, 0)
    assert games.win_rate is not None
    assert games.win_rate.mean == (0.0 if turned else 1.0)
    assert games.win_rate.half_width is not None
    assert games.win_rate.half_width > 0


@pytest.mark.parametrize("ruleset", ["two_handed", "three_handed", "ghost_hand", "bid_euchre"])
def test_single_seats_and_auctions_the_other_way_round(ruleset: str) -> None:
    """Also with three seats, where one of a player sits against two of the other: both ways are played."""
    good, bad = policies.make("rule_based", ruleset), Scripted("lowest", BID, PASS)
    one, two = play_match(good, bad, ruleset, 50, 5), play_match(bad, good, ruleset, 50, 5)
    assert one.net.mean > 0
    assert one.values == pytest.approx(-two.values)
    assert (one.a, one.b) == (two.b, two.a)
    size = num_seatings(ruleset)
    first, second = play_games(good, bad, ruleset, 4 * size, 5), play_games(bad, good, ruleset, 4 * size, 5)
    assert (first.wins_a, first.wins_b) == (second.wins_b, second.wins_a)
    assert first.wins_a > first.wins_b


def test_k8_k9_games_that_are_cut_off_are_in_no_rate() -> None:
    cut = play_games(rule_based(), simple_i(), "tournament", 40, 0, max_hands=3)
    assert (cut.wins_a + cut.wins_b + cut.unfinished, cut.games) == (40, 40)
    assert cut.unfinished == 40
    assert cut.win_rate is None
    assert cut.hands == 120
    some = play_games(rule_based(), simple_i(), "tournament", 400, 0, max_hands=9)
    assert 0 < some.unfinished < 400
    assert some.win_rate is not None
    assert some.win_rate.mean == some.wins_a / (some.wins_a + some.wins_b)


def test_k9_hands_thrown_in_are_counted_apart() -> None:
    match = play_match(PASSES, PASSES, "bicycle24", 20, 0)
    assert (match.hands, match.thrown_in, match.a.called, match.b.called) == (40, 40, 0, 0)
    assert match.net.mean == 0.0
    games = play_games(PASSES, PASSES, "bicycle24", 4, 0, max_hands=10)
    assert (games.unfinished, games.thrown_in, games.hands) == (4, 40, 40)


def test_forfeits_are_no_throw_ins() -> None:
    rules = rulesets.get("tournament").replace(stick_the_dealer="forfeit")
    gives_up = Scripted("gives_up", PASS, FORFEIT)
    match = play_match(gives_up, gives_up, rules, 40, 0)
    assert match.thrown_in == 0
    assert match.a.forfeited + match.b.forfeited == 80
    assert match.a.forfeited == match.b.forfeited == match.a.points == match.b.points


def test_each_deal_is_played_twice_with_the_sides_swapped_and_dealers_balanced() -> None:
    a, b = Recorder("a", "rule_based", "tournament"), Recorder("b", "simple_i", "tournament")
    play_match(a, b, "tournament", 64, 0)
    deals: dict[tuple[int, ...], set[tuple[str, int]]] = {}
    for player in (a, b):
        for views in player.seen:
            for view in views[(views["trick"] == 0) & (views["num_calls"] == 0)]:
                seat = int(view["turn"])
                deal = (int(view["dealer"]), int(view["upcard"]), int(view["hands"][seat]))
                deals.setdefault(deal, set()).add((player.name, seat))
    assert len(deals) == 64
    assert all({name for name, _ in who} == {"a", "b"} and len(who) == 2 for who in deals.values())
    dealers = np.bincount([dealer for dealer, *_ in deals], minlength=4)
    assert dealers.tolist() == [16] * 4


@pytest.mark.parametrize(("ruleset", "seats"), [("two_handed", 2), ("three_handed", 3), ("ghost_hand", 3)])
def test_single_seats_change_places_on_the_same_deal(ruleset: str, seats: int) -> None:
    """Three seats: each player sits in each seat alone against two, and in each pair of seats against one."""
    a, b = Recorder("a", "random", ruleset), Recorder("b", "random", ruleset)
    play_match(a, b, ruleset, 12, 0)
    openers: dict[tuple[int, int], list[str]] = {}
    for player in (a, b):
        for views in player.seen:
            for view in views[(views["trick"] == 0) & (views["num_calls"] == 0)]:
                deal = (int(view["dealer"]), int(view["hands"][view["turn"]]))
                openers.setdefault(deal, []).append(player.name)
    assert len(openers) == 12
    assert np.bincount([dealer for dealer, _ in openers]).tolist() == [12 // seats] * seats
    assert all(sorted(who) == ["a"] * (len(who) // 2) + ["b"] * (len(who) // 2) for who in openers.values())
    assert {len(who) for who in openers.values()} == {2 if seats == 2 else 6}
    seatings = {tuple(row) for row in owners(rulesets.get(ruleset), 2 if seats == 2 else 6).tolist()}
    assert seatings == set(itertools.product((0, 1), repeat=seats)) - {(0,) * seats, (1,) * seats}


def test_net_points_by_hand() -> None:
    """Own points minus the mean of the other player's sides, over the seatings of the deal."""
    finished = np.zeros(6, dtype=STATE)
    # A alone in seat 0, 1, 2, then B alone in seat 0, 1, 2: A's sides minus B's sides.
    finished["points"][:, :3] = [[4, 1, 1], [0, 2, 0], [1, 1, 1], [-3, 2, 1], [2, 0, 0], [0, 0, 6]]
    by_table = [4 - 1, 2 - 0, 1 - 1, 1.5 + 3, 1 - 0, 0 - 6]
    assert _unit_values(finished, rulesets.get("ghost_hand")).tolist() == [pytest.approx(sum(by_table) / 6)]
    pair = np.zeros(2, dtype=STATE)
    pair["points"][:, :2] = [[2, 0], [1, 0]]
    assert _unit_values(pair, rulesets.get("two_handed")).tolist() == [0.5]


def test_games_won_together_by_hand() -> None:
    """A's part of the winners; a game won by seats of one player alone is that player's."""
    states = np.zeros(6, dtype=STATE)
    states["winners"] = [0b001, 0b101, 0b011, 0b110, 0, 0b111]
    shares = _a_shares(states, rulesets.get("three_handed"))
    assert shares[:4].tolist() == [1, 0, 0, 1]
    assert np.isnan(shares[4])
    assert shares[5] == pytest.approx(2 / 3)


def test_shared_games_have_their_own_field() -> None:
    rules = rulesets.get("three_handed").replace(both_cross="shared", target=2)
    games = play_games(policies.make("random", rules), policies.make("rule_based", rules), rules, 600, 0)
    assert games.shared > 0
    assert games.wins_a + games.wins_b + games.shared + games.unfinished == 600
    assert games.win_rate is not None
    assert games.wins_a / 600 < games.win_rate.mean < (games.wins_a + games.shared) / 600


def test_views_hide_the_other_hands() -> None:
    a = Recorder("a", "rule_based", "tournament")
    play_match(a, simple_i(), "tournament", 32, 0)
    for views in a.seen:
        for view in views:
            others = [seat for seat in range(4) if seat != view["turn"]]
            assert not view["hands"][others].any()
            assert not view["kitty"]
            assert not view["buried"][others].any()


def test_players_do_not_share_a_generator() -> None:
    """A draw of one player changes nothing for the other: K6's cousin, and what makes self-play matches fair."""
    a, b = Recorder("a", "random", "tournament"), Recorder("b", "random", "tournament")
    play_match(a, b, "tournament", 300, 0)
    assert not set(a.draws) & set(b.draws)
    assert len(set(a.draws)) == len(a.draws)


def test_the_counts_add_up() -> None:
    match = play_match(rule_based(), simple_i(), "tournament", 2_000, 8)
    assert match.hands == 4_000 == match.a.called + match.b.called + match.thrown_in
    for side in (match.a, match.b):
        assert side.called == sum(side.calls_round_1) + sum(side.calls_round_2) == side.made + side.euchred
        assert side.alone == side.alone_swept + side.alone_made + side.alone_euchred
        assert side.alone_swept <= side.marched <= side.made
    single = match.a.made - match.a.marched
    doubles = match.a.marched - match.a.alone_swept
    assert match.a.points == single + 2 * doubles + 4 * match.a.alone_swept + 2 * match.b.euchred
    assert match.net.mean == pytest.approx((match.a.points - match.b.points) / match.hands)
    assert match.pair_deviation == pytest.approx(match.values.std(ddof=1))


def test_lone_defenders_are_counted() -> None:
    rules = rulesets.get("open_spiel").replace(defend_alone="always")
    keen = Scripted("keen", PASS, ALONE)
    match = play_match(policies.make("rule_based", rules), keen, rules, 100, 0)
    assert 0 < match.b.defended_alone <= match.a.called


@pytest.mark.parametrize("ruleset", ["cincinnati", "bid_euchre", "ghost_hand"])
def test_the_counts_of_auctions_add_up(ruleset: str) -> None:
    match = play_match(policies.make("rule_based", ruleset), policies.make("random", ruleset), ruleset, 300, 8)
    assert match.auction
    assert match.hands == match.a.called + match.b.called + match.thrown_in
    for side in (match.a, match.b):
        assert side.called == sum(side.bids) == sum(side.calls_round_1) == side.made + side.euchred
        assert side.alone == sum(side.bids[MOON:]) == side.alone_swept + side.alone_euchred
        assert not any(side.calls_round_2)
        assert side.alone_made == side.forfeited == side.reneged == 0
    assert match.b.euchred > match.b.made
    if rulesets.get(ruleset).num_sides == 2:
        assert match.net.mean == pytest.approx((match.a.points - match.b.points) / match.hands)
    else:
        assert match.b.swapped > 0


def test_moons_and_swaps_are_counted() -> None:
    """Everybody swaps if he can and bids a moon: the first seat always gets both, and fails with lowest cards."""
    keen, timid = Scripted("keen", SWAP, BID + MOON), Scripted("timid", PASS)
    match = play_match(keen, timid, "ghost_hand", 30, 0)
    assert match.hands == 180
    assert match.a.bids[MOON] == match.a.called == match.a.alone == match.a.swapped
    assert match.a.alone == match.hands - match.thrown_in
    assert match.a.calls_round_1[0] == match.a.places[0] == 90
    assert match.b.called == match.b.swapped == 0


def test_reneges_are_counted() -> None:
    rules = rulesets.get("tournament").replace(renege="penalty")
    match = play_match(policies.make("random", rules), policies.make("rule_based", rules), rules, 100, 0)
    assert match.a.reneged > 100
    assert match.b.reneged == 0


def test_progress_adds_up() -> None:
    done: list[int] = []
    pairs = 2 * GROUP_PAIRS + 44
    play_match(rule_based(), simple_i(), "tournament", pairs, 0, tables=1, progress=done.append)
    assert done == [GROUP_PAIRS, GROUP_PAIRS, 44]
    done.clear()
    play_games(rule_based(), simple_i(), "tournament", 2 * pairs, 0, tables=4 * GROUP_PAIRS, progress=done.append)
    assert done == [4 * GROUP_PAIRS, 88]


def test_k7_an_illegal_action_is_refused_with_a_sentence() -> None:
    class Cheats:
        name = "cheats"

        def act(self, views: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
            return np.full(len(legal), ALONE)

    class Mute(Cheats):
        name = "mute"

        def act(self, views: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
            return np.zeros(1, dtype=np.int64)

    with pytest.raises(ArenaError, match="cheats chose 'alone' where the rules do not allow it"):
        play_match(Cheats(), rule_based(), "tournament", 10, 0)
    with pytest.raises(ArenaError, match="mute gave"):
        play_match(rule_based(), Mute(), "tournament", 10, 0)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_k7_a_network_that_longs_for_illegal_actions_plays_on(temperature: float) -> None:
    """Untrained, its largest logit on an action that `tournament` never allows; greedy and sampled."""
    rules = rulesets.get("tournament")
    columns = InputColumns.find(rules, tables=64)
    net = Mlp(columns.scales(False), NUM_ACTIONS, width=16, depth=1, final_gain=1.0, seed=0)
    net.requires_grad_(False)
    net.biases[-1][ALONE] = 1e6
    player = NetworkPolicy("new", net, columns, rules, canonical_suits=True, temperature=temperature)
    match = play_match(player, rule_based(), rules, 100, 0)
    assert match.hands == 200
    games = play_games(player, rule_based(), rules, 20, 0)
    assert (games.wins_a + games.wins_b, games.unfinished) == (20, 0)


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (lambda a: play_match(a, a, "tournament", 0, 0), "0 pairs"),
        (lambda a: play_match(a, a, "tournament", 4, -1), "seed -1"),
        (lambda a: play_match(a, a, "tournament", 4, 0, tables=0), "0 tables"),
        (lambda a: play_games(a, a, "tournament", 5, 0), "5 games: choose an even number"),
        (lambda a: play_games(a, a, "ghost_hand", 10, 0), "10 games: choose a multiple of 6"),
    ],
)
def test_numbers_that_make_no_match(play: Callable[[policies.Policy], MatchResult | GamesResult], words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        play(rule_based())


def test_results_have_named_fields() -> None:
    """K8: no order to misread."""
    games = play_games(rule_based(), random(), "tournament", 100, 0)
    fields = dataclasses.asdict(games)
    assert {"wins_a", "wins_b", "unfinished", "thrown_in", "win_rate", "policy_a", "policy_b"} <= fields.keys()
    assert games.wins_a > 95
