"""What hands pay, to whom and when; the table behind `equity`."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from benchmarks.measure_outcomes import count_hands
from euchre_env import equity, euchre_v0, rewards, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import CLAIM_REDEAL, STATE, Phase
from euchre_env.errors import RulesetError
from euchre_env.ruleset import Ruleset
from tests.envs.playing import COMBINATIONS, PASS, deck_of, play_episode, random_choice

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


def finished(points: list[int], scores: list[int], dealer: int = 0, winner: int = -1) -> Any:
    """Return the record of a hand that has just ended."""
    states = np.zeros(1, dtype=STATE)
    states["points"][0, : len(points)] = points
    states["scores"][0, : len(scores)] = scores
    states["dealer"], states["next_dealer"], states["winners"] = dealer, dealer + 1, 0 if winner < 0 else 1 << winner
    states["phase"] = Phase.DEAL if winner < 0 else Phase.OVER
    return states


def paid(mode: str, states: Any, table: Any = rewards.NO_TABLE, seats: int = 4, partners: bool = True) -> list[float]:
    options = rulesets.get("tournament").to_options()
    options["num_seats"], options["partners"] = seats, partners
    out = np.full(4, 99, dtype=np.float32)
    before = states["scores"][0] - states["points"][0]
    rewards.pay_one(rewards.REWARD_MODES.index(mode), options, states, before, table, out)
    return [float(value) for value in out]


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


def test_outcomes_without_points_are_refused() -> None:
    with pytest.raises(ValueError, match="never give the dealing side a point"):
        equity.solve([(0, 0, 1.0), (0, 1, 1.0)], rulesets.get("tournament"))


def test_shipped_outcomes_are_those_of_the_rule_expert_player() -> None:
    """`python benchmarks/measure_outcomes.py --write` brings them up to date after a change of that player."""
    assert equity.measured()["player"] == "rule_expert"
    hands = 20_000
    counts = count_hands("tournament", "rule_expert", hands, seed=1)
    shipped = equity.outcomes("tournament")
    total = sum(count for *_, count in shipped)
    for own, other, count in shipped:
        assert counts[own, other] / hands == pytest.approx(count / total, abs=0.02)


def test_house_rules_read_the_nearest_measured_ruleset() -> None:
    house = rulesets.get("open_spiel").replace(loner_march_points=5, target=7)
    assert equity.outcomes(house) == equity.outcomes("open_spiel")
    assert equity.table(house).shape == (15, 15, 2)


def test_equity_is_for_two_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ruleset, "num_sides", 3)
    with pytest.raises(RulesetError, match="two sides; tournament has 3"):
        equity.table.__wrapped__("tournament")


def test_pay_by_side() -> None:
    march = finished(points=[0, 2], scores=[5, 7])
    assert paid("zero_sum", march) == [-2, 2, -2, 2]
    assert paid("score", march) == [0, 2, 0, 2]
    assert paid("win", march) == [0, 0, 0, 0]
    thrown_in = finished(points=[0, 0], scores=[5, 7])
    assert paid("zero_sum", thrown_in) == paid("score", thrown_in) == [0, 0, 0, 0]
    assert paid("win", finished([0, 4], [9, 10], winner=1)) == [-1, 1, -1, 1]
    assert paid("win", finished([1, 0], [10, 0], winner=0)) == [1, -1, 1, -1]


def test_pay_three_single_seats() -> None:
    """The winner gets +1, the losers share -1; a euchre pays each defender, the mean of the others is taken off."""
    over = finished([2, 0, 2], [9, 0, 10], winner=2)
    assert paid("win", over, seats=3, partners=False) == [-0.5, -0.5, 1, 0]
    assert paid("zero_sum", over, seats=3, partners=False) == [1, -2, 1, 0]
    assert paid("score", over, seats=3, partners=False) == [2, 0, 2, 0]


def test_pay_two_single_seats() -> None:
    over = finished([3, 0], [10, 0], winner=0)
    assert paid("win", over, seats=2, partners=False) == [1, -1, 0, 0]
    assert paid("zero_sum", over, seats=2, partners=False) == [3, -3, 0, 0]


def test_pay_equity() -> None:
    table = equity.table("tournament")
    own, other = 10 + 5, 10 + 7
    change = table[own, other, 0] - table[own, other - 2, 1]
    assert paid("equity", finished([0, 2], [5, 7], dealer=0), table) == pytest.approx([change, -change] * 2)
    thrown_in = paid("equity", finished([0, 0], [5, 7], dealer=0), table)
    assert thrown_in == pytest.approx([table[own, other, 0] - table[own, other, 1], -thrown_in[0]] * 2)
    assert thrown_in[0] < 0, "the side that dealt loses the deal"
    won = paid("equity", finished([1, 0], [10, 7], dealer=1, winner=0), table)
    assert won == pytest.approx([1 - table[19, 17, 0], -won[0]] * 2)
    far_below = paid("equity", finished([0, 2], [-30, 7], dealer=0), table)
    assert far_below[0] == pytest.approx(table[0, 17, 0] - table[0, 15, 1])


def test_drawn_scores_are_uniform_below_the_target() -> None:
    options = rulesets.get("tournament").to_options()
    scores = np.zeros(4, dtype=np.int16)
    seen = set()
    for word in np.random.default_rng(0).integers(2**62, size=3_000):
        rewards.draw_scores_one(options, int(word), scores)
        seen.add((int(scores[0]), int(scores[1])))
        assert not scores[2:].any()
    assert seen == {(a, b) for a in range(10) for b in range(10)}


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_every_seat_is_told_what_is_paid_once(ruleset: str, episode: Any, reward: Any) -> None:
    env = euchre_v0.env(ruleset=ruleset, episode=episode, reward=reward)
    rng = np.random.default_rng(8)
    for seed in range(20 if episode == "hand" else 4):
        env.reset(seed=seed)
        start = [int(score) for score in env.unwrapped.game().scores]
        told = play_episode(env, rng)
        record = env.unwrapped.game().state[0]
        gained = [int(score) - before for score, before in zip(record["scores"], start, strict=False)]
        assert told["player_0"] == told["player_2"]
        assert told["player_1"] == told["player_3"]
        if reward != "score":
            assert told["player_0"] == pytest.approx(-told["player_1"])
        if reward == "score":
            assert [told["player_0"], told["player_1"]] == gained
        elif reward == "zero_sum":
            assert told["player_0"] == gained[0] - gained[1]
        elif reward == "win":
            assert told["player_0"] == (1 if record["winners"] == 1 else -1)
        elif episode == "game":
            table = equity.table(ruleset)
            first_dealer = (int(record["dealer"]) - (int(record["hand"]) - 1)) % 4
            before = float(table[10, 10, int(first_dealer % 2 == 0)])
            assert told["player_0"] == pytest.approx((1 if record["winners"] == 1 else 0) - before, abs=1e-4)


@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_one_table_pays_as_a_row_of_a_batch(episode: Any, reward: Any) -> None:
    rng = np.random.default_rng(3)
    for seed in range(6):
        env = euchre_v0.raw_env(ruleset="north_american", episode=episode, reward=reward)
        env.reset(seed=seed)
        keys = np.array([env.get_state()["key"]], dtype=np.uint64)
        batch = GameBatch("north_american", 1, keys=keys, episode=episode, reward=reward, autoreset=False, hidden=True)
        while batch.turn[0] >= 0:
            assert env.agent_selection == f"player_{batch.turn[0]}"
            assert np.array_equal(env.observe(env.agent_selection)["observation"], batch.observations[0])
            action = random_choice(env, rng)
            assert action is not None
            env.step(action)
            batch.step([action])
            assert list(env.rewards.values()) == batch.rewards[0].tolist()
        assert any(env.terminations.values())
        assert np.array_equal(env.get_state()["state"], batch.states)


def pass_always(env: Any) -> None:
    for _ in env.agent_iter():
        done = any(env.terminations.values()) or any(env.truncations.values())
        env.step(None if done else PASS)
        if done:
            return


def test_everybody_passing_still_ends() -> None:
    hand = euchre_v0.env(episode="hand", reward="equity")
    hand.reset(seed=1, options={"dealer": 0, "scores": [5, 7]})
    pass_always(hand)
    assert hand.terminations["player_3"] is True
    hand.reset(seed=1, options={"dealer": 0, "scores": [5, 7]})
    for _ in range(8):
        hand.step(PASS)
    assert hand.rewards["player_0"] < 0 < hand.rewards["player_1"], "the deal passes to the other side"
    game = euchre_v0.env(max_hands=3)
    game.reset(seed=1)
    for _ in range(24):
        assert not any(game.truncations.values())
        game.step(PASS)
    assert list(game.truncations.values()) == [True] * 4
    assert list(game.terminations.values()) == [False] * 4
    assert list(game.rewards.values()) == [0.0] * 4


def test_a_claimed_redeal_pays_nothing_and_goes_on() -> None:
    rules = rulesets.get("tournament").replace(farmers_hand="redeal")
    env = euchre_v0.env(ruleset=rules, episode="hand", reward="score")
    deck = deck_of(rules, 0, {1: "9C TC 9D TD 9H"}, upcard=31)
    env.reset(seed=1, options={"dealer": 0, "deck": deck})
    before = env.unwrapped.game().state[0].copy()
    env.step(CLAIM_REDEAL)
    after = env.unwrapped.game().state[0]
    assert list(env.rewards.values()) == [0.0] * 4
    assert (after["dealer"], after["redeal"], after["hand"]) == (before["dealer"], 1, 0)
    assert after["hands"].tolist() != before["hands"].tolist()
    play_episode(env, np.random.default_rng(0))
    assert not env.agents
