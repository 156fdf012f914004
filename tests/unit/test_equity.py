"""The chain behind `reward="equity"`: published figures, games settled by hand, and the measured outcomes."""

from itertools import product

import numpy as np
import pytest

from benchmarks.measure_outcomes import count_hands
from euchre_env import equity, policies, rewards, rulesets
from euchre_env.batch import GameBatch
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset

# docs/field.md 6b: Benjamin's outcomes of a hand in % (dealer's side, other side), and the dealing side's probability
# of winning by own and other score that our chain gave for them.
BENJAMIN = [(1, 0, 45.0), (2, 0, 16.0), (4, 0, 5.0), (0, 1, 17.0), (0, 2, 12.0), (0, 4, 5.0)]
PRINTED = """
51.2 44.7 38.1 31.3 24.7 18.5 12.8  8.0  4.1  1.5
57.6 51.2 44.4 37.3 30.2 23.2 16.6 10.8  5.7  2.3
64.3 58.1 51.3 44.1 36.4 28.8 21.2 14.5  8.2  3.3
70.9 65.1 58.6 51.4 43.6 35.4 27.0 19.1 11.2  5.0
77.3 72.2 66.2 59.3 51.6 43.1 34.1 25.2 15.6  7.7
83.3 78.9 73.7 67.5 60.0 51.8 42.1 32.8 21.9 10.7
88.6 85.3 80.9 75.7 69.1 61.2 52.0 42.1 29.5 18.1
93.1 90.7 87.4 83.3 77.8 70.9 61.8 52.7 38.9 23.1
96.6 95.1 93.3 90.5 86.6 81.9 73.7 66.7 54.5 36.3
98.8 98.3 97.3 96.3 94.2 90.8 86.7 80.9 71.8 66.0
"""


def test_printed_win_probabilities() -> None:
    dealing = 100 * equity.solve(BENJAMIN, rulesets.get("tournament"))[10:20, 10:20, 0]
    printed = np.array([[float(word) for word in line.split()] for line in PRINTED.strip().splitlines()])
    assert np.abs(dealing - printed).max() <= 0.051


def test_printed_figures_of_a_game() -> None:
    win = equity.solve(BENJAMIN, rulesets.get("tournament"))[..., 0]
    at = {scores: win[10 + scores[0], 10 + scores[1]] for scores in [(2, 8), (8, 2), (6, 9), (9, 8)]}
    assert (round(100 * at[2, 8], 1), round(100 * (1 - at[8, 2]), 1)) == (8.2, 6.7)
    assert (round(100 * (1 - at[6, 9]), 1), round(100 * at[9, 8], 1)) == (81.9, 71.8)
    # The length of a game by the same chain, from the last scores back to nil all.
    hands: dict[tuple[int, int], float] = {}
    for own, other in sorted(product(range(10), range(10)), key=sum, reverse=True):
        hands[own, other] = 1 + sum(w / 100 * hands.get((other + y, own + x), 0.0) for x, y, w in BENJAMIN)
    assert round(hands[0, 0], 2) == 10.14


@pytest.mark.parametrize("target", [1, 5, 10, 11, 32])
def test_table_for_any_target(target: int) -> None:
    table = equity.table(rulesets.get("tournament").replace(target=target))
    assert table.shape == (2 * target + 1, 2 * target + 1, 2)
    assert table.dtype == np.float32
    inside = table[: 2 * target, : 2 * target]
    assert np.allclose(inside[:, :, 1] + inside[:, :, 0].T, 1, atol=1e-6), "what one side wins the other loses"
    assert (np.diff(table[:, : 2 * target], axis=0) > -1e-6).all(), "a higher score is never worse"
    assert (table[2 * target, : 2 * target] == 1).all()
    assert (table[: 2 * target, 2 * target] == 0).all()
    assert (np.diagonal(inside[:, :, 1])[target:] > 0.5).all(), "the deal is an advantage at level scores"


def test_hands_that_cost_points() -> None:
    """Auctions take points away; scores below minus the target read the last row."""
    hands = [(6, 0, 0, 40), (-12, 2, 0, 20), (0, 6, 1, 25), (3, -24, 1, 15)]
    win = equity.solve(hands, rulesets.get("cincinnati"))[..., 0]
    assert np.isfinite(win).all()
    assert (np.diff(win, axis=0) > -1e-9).all()
    assert win[0, 64] == 0


def from_nil(rules: Ruleset, *outcomes: tuple[float, ...]) -> list[float]:
    """Return each side's probability of winning at nil all, the dealing one's first."""
    nil = equity.axis(rules).tolist().index(0)
    return [float(p) for p in equity.solve(outcomes, rules)[(nil,) * rules.num_sides]]


def test_a_thrown_in_deal_passes_the_deal_or_not() -> None:
    """Three sides, one point wins: p0 = .4 + .3 p2, p1 = .2 + .3 p0, p2 = .1 + .3 p1 where the deal passes."""
    rules = rulesets.get("three_handed").replace(target=1)
    hands = [(1, 0, 0, 0.4), (0, 1, 0, 0.2), (0, 0, 1, 0.1), (0, 0, 0, 0.3)]
    dealer = (0.4 + 0.3 * 0.16) / (1 - 0.027)
    assert from_nil(rules, *hands) == pytest.approx([dealer, 0.2 + 0.3 * dealer, 0.16 + 0.09 * dealer], abs=1e-4)
    stays = rules.replace(passed_out="same_dealer")
    assert from_nil(stays, *hands) == pytest.approx([4 / 7, 2 / 7, 1 / 7], abs=1e-4)


@pytest.mark.parametrize(
    ("options", "wins"),
    [
        ({"both_cross": "first_left_of_dealer"}, [0.5, 0.5, 0.0]),
        ({"both_cross": "shared"}, [0.5, 0.25, 0.25]),
        # Level at 2, so another hand, which the next seat deals: 4 to 2 for it, or 4 to 2 for the seat after it.
        ({"both_cross": "higher_score"}, [0.5, 0.25, 0.25]),
        ({"both_cross": "tiebreak_hand"}, [0.5, 0.25, 0.25]),
        ({"both_cross": "tiebreak_hand", "tiebreak": "tied_only"}, [0.5, 0.25, 0.25]),
        ({"both_cross": "tiebreak_hand", "tiebreak": "hand_points"}, [0.5, 0.25, 0.25]),
    ],
)
def test_three_sides_that_cross_together(options: dict[str, str], wins: list[float]) -> None:
    """Two points win; a hand gives two to the dealer or two to each of the others."""
    rules = rulesets.get("three_handed").replace(target=2, **options)
    assert from_nil(rules, (2, 0, 0, 1), (0, 2, 2, 1)) == pytest.approx(wins, abs=1e-4)


def test_two_sides_of_an_auction_that_cross_together() -> None:
    """Q-C11, Q-C12: two each in every hand, four points win, the dealer's side bids: who deals the second hand wins."""
    rules = rulesets.get("cincinnati").replace(target=4)
    assert from_nil(rules, (2, 2, 0, 1)) == pytest.approx([0, 1])
    assert from_nil(rules.replace(both_cross="shared"), (2, 2, 0, 1)) == pytest.approx([0.5, 0.5])
    for both_cross in ("shared", "higher_score", "play_on"):
        only_bidders = rules.replace(both_cross=both_cross, defenders_may_win_on_tricks=False)
        assert from_nil(only_bidders, (2, 2, 0, 1)) == pytest.approx([0, 1])
    # The defenders stand at the target and have not won: the next hand is theirs to bid, and they win with any point.
    waits = rules.replace(defenders_may_win_on_tricks=False)
    assert from_nil(waits, (1, 5, 0, 1)) == pytest.approx([0, 1])


def test_outcomes_without_points_are_refused() -> None:
    with pytest.raises(ValueError, match="never give the dealing side a point"):
        equity.solve([(0, 0, 1.0), (0, 1, 1.0)], rulesets.get("tournament"))


@pytest.mark.parametrize(("ruleset", "tolerance"), [("tournament", 0.02), ("two_handed", 0.03), ("bid_euchre", 0.03)])
def test_shipped_outcomes_are_those_of_their_player(ruleset: str, tolerance: float) -> None:
    """`benchmarks/measure_outcomes.py --write` brings them up to date after a change of that player."""
    hands = 10_000
    counts = count_hands(ruleset, equity.measured()["rulesets"][ruleset]["player"], hands, seed=1)
    shipped = equity.outcomes(ruleset)
    total = sum(row[-1] for row in shipped)
    for *outcome, number in shipped:
        assert counts[tuple(outcome)] / hands == pytest.approx(number / total, abs=tolerance)


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_ruleset_has_a_table(ruleset: str) -> None:
    rules = rulesets.get(ruleset)
    table = equity.table(ruleset)
    assert ruleset in equity.measured()["rulesets"]
    assert table.dtype == np.float32
    assert (table.ndim, table.flags.writeable) == (3, False)
    assert table.nbytes < 20_000_000
    if rules.num_sides == 3:
        assert np.allclose(table.sum(axis=-1), 1, atol=1e-5)
    options, scores = rules.to_options()[0], np.zeros(4, dtype=np.int32)
    for dealer in range(rules.num_seats):
        wins = [rewards.win_probability(options, scores, dealer, side, table) for side in range(rules.num_sides)]
        assert sum(wins) == pytest.approx(1)
        assert wins == pytest.approx([1 / rules.num_sides] * rules.num_sides, abs=0.06)


@pytest.mark.parametrize("ruleset", ["three_handed", "bid_euchre", "ghost_hand"])
def test_a_table_foresees_the_games_of_its_player(ruleset: str) -> None:
    rules, games = rulesets.get(ruleset), 1_500
    player, rng = policies.make("rule_based", rules), np.random.default_rng(0)
    start = {"three_handed": [6, 2, 4], "bid_euchre": [24, 18], "ghost_hand": [20, 12, 26]}[ruleset]
    batch = GameBatch(
        rules,
        games,
        seed=3,
        episode="game",
        dealers=[1] * games,
        scores=[start] * games,
        observe=False,
        autoreset=False,
    )
    while (rows := np.flatnonzero(batch.legal)).size:
        actions = np.zeros(games, dtype=np.int64)
        actions[rows] = player.act(batch.views(rows), batch.legal[rows], rng)
        batch.step(actions)
    scores = np.array([*start, 0, 0][:4], dtype=np.int32)
    for side in range(rules.num_sides):
        foreseen = rewards.win_probability(rules.to_options()[0], scores, 1, side, equity.table(rules))
        assert (batch.states["winners"] == 1 << side).mean() == pytest.approx(foreseen, abs=0.05)


def test_house_rules_read_the_nearest_measured_ruleset() -> None:
    house = rulesets.get("open_spiel").replace(loner_march_points=5, target=7)
    assert equity.outcomes(house) == equity.outcomes("open_spiel")
    assert equity.table(house).shape == (15, 15, 2)


def test_a_house_rule_reads_hands_of_its_own_kind() -> None:
    assert equity.outcomes(rulesets.get("ghost_hand").replace(moon_points=12)) == equity.outcomes("ghost_hand")
    assert equity.outcomes(rulesets.get("bid_euchre").replace(six_bid=False)) == equity.outcomes("bid_euchre")
    assert equity.outcomes(rulesets.get("three_handed").replace(deck=32)) == equity.outcomes("three_handed")


def test_what_nobody_measured_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {name: equity.measured()["rulesets"][name] for name in ("tournament", "cincinnati", "three_handed")}
    monkeypatch.setattr(equity, "measured", lambda: {"rulesets": entries})
    with pytest.raises(RulesetError, match="no measured hands for 3 sides and an auction, as ghost_hand plays"):
        equity._table.__wrapped__(rulesets.get("ghost_hand"))


@pytest.mark.parametrize("target", [1, 5, 17, 33, 100])
def test_the_scores_of_a_table_of_three_sides(target: int) -> None:
    """Every point near the target, the target itself, and down to minus the target or a little below."""
    rules = rulesets.get("three_handed").replace(target=target)
    line = equity.axis(rules)
    assert line[0] <= -target < line[1]
    assert line[-1] == target + equity.OVERSHOOT
    assert set(range(max(target - 10, -target), target + 1)) <= set(line.tolist())
    assert len(line) ** 3 * 12 < 20_000_000
    options = rules.to_options()[0]
    assert [equity.place_of(options, score, len(line)) for score in line.tolist()] == list(range(len(line)))
    assert equity.place_of(options, -1000, len(line)) == 0
    assert equity.place_of(options, 1000, len(line)) == len(line) - 1
