"""What hands pay, to whom and when; the table behind `equity` is tested in tests/unit/test_equity.py."""

from typing import Any

import numpy as np
import pytest

from euchre_env import equity, euchre_v0, policies, rewards, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import CLAIM_REDEAL, STATE, Phase
from euchre_env.ruleset import Ruleset
from tests.envs.playing import COMBINATIONS, PASS, deck_of, play_episode, random_choice


def finished(points: list[int], scores: list[int], dealer: int = 0, winner: int = -1, winners: Any = ()) -> Any:
    """Return the record of a hand that has just ended."""
    states = np.zeros(1, dtype=STATE)
    states["points"][0, : len(points)] = points
    states["scores"][0, : len(scores)] = scores
    won = [*winners, *([] if winner < 0 else [winner])]
    states["dealer"], states["next_dealer"] = dealer, (dealer + 1) % max(len(points), 2)
    states["winners"] = sum(1 << side for side in won)
    states["phase"] = Phase.OVER if won else Phase.DEAL
    return states


def paid(mode: str, states: Any, table: Any = rewards.NO_TABLE, ruleset: str = "tournament") -> list[float]:
    options = rulesets.get(ruleset).to_options()
    out = np.full(4, 99, dtype=np.float32)
    before = states["scores"][0] - states["points"][0]
    rewards.pay_one(rewards.REWARD_MODES.index(mode), options, states, before, table, out)
    return [float(value) for value in out]


def probabilities(ruleset: str | Ruleset, scores: Any, dealer: int) -> list[float]:
    """Return each side's probability of winning with this seat dealing."""
    rules = rulesets.get(ruleset)
    options, table, row = rules.to_options()[0], equity.table(rules), np.zeros(4, dtype=np.int32)
    row[: rules.num_sides] = scores[: rules.num_sides]
    return [float(rewards.win_probability(options, row, dealer, side, table)) for side in range(rules.num_sides)]


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
    assert paid("win", over, ruleset="three_handed") == [-0.5, -0.5, 1, 0]
    assert paid("zero_sum", over, ruleset="three_handed") == [1, -2, 1, 0]
    assert paid("score", over, ruleset="three_handed") == [2, 0, 2, 0]
    bid = finished([-4, 2, 1], [-4, 7, 20])
    assert paid("zero_sum", bid, ruleset="ghost_hand") == [-5.5, 3.5, 2, 0]


def test_pay_several_winners() -> None:
    """The losers share -1 per winner; where all have won there is nothing to share."""
    two = finished([2, 0, 2], [11, 0, 11], winners=[0, 2])
    assert paid("win", two, ruleset="three_handed") == [1, -2, 1, 0]
    third = [0.5 - p for p in probabilities("three_handed", [9, 0, 9], dealer=0)]
    assert paid("equity", two, equity.table("three_handed"), "three_handed")[::2] == pytest.approx([third[0], third[2]])
    every = finished([3, 1, 2], [33, 34, 32], winners=[0, 1, 2])
    assert paid("win", every, ruleset="ghost_hand") == [0, 0, 0, 0]
    both = finished([3, 3], [33, 32], winners=[0, 1])
    assert paid("win", both, ruleset="cincinnati") == [0, 0, 0, 0]
    table = equity.table("cincinnati")
    before = probabilities("cincinnati", [30, 29], dealer=0)
    assert paid("equity", both, table, "cincinnati") == pytest.approx([0.5 - before[side] for side in (0, 1, 0, 1)])


def test_pay_two_single_seats() -> None:
    over = finished([3, 0], [10, 0], winner=0)
    assert paid("win", over, ruleset="two_handed") == [1, -1, 0, 0]
    assert paid("zero_sum", over, ruleset="two_handed") == [3, -3, 0, 0]


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


def test_pay_equity_to_three_sides() -> None:
    """What the table says after the hand minus what it said before, by the scores from the dealer on."""
    table = equity.table("three_handed")
    before, after = probabilities("three_handed", [3, 5, 8], dealer=1), probabilities("three_handed", [5, 5, 10 - 1], 2)
    change = paid("equity", finished([2, 0, 1], [5, 5, 9], dealer=1), table, "three_handed")
    assert change[:3] == pytest.approx([b - a for a, b in zip(before, after, strict=True)], abs=1e-6)
    assert sum(change) == pytest.approx(0, abs=1e-6)
    # [S, S * S, place] from the dealing side on: seat 1 deals, then come 2 and 0.
    line, size = equity.axis(rulesets.get("three_handed")).tolist(), len(table)
    row = table[line.index(5), line.index(8) * size + line.index(3)]
    assert before == pytest.approx([row[2], row[0], row[1]])


def test_equity_between_and_beyond_the_scores_of_a_table() -> None:
    exact = [probabilities("ghost_hand", [score, 20, 20], dealer=1)[0] for score in (10, 12)]
    assert probabilities("ghost_hand", [11, 20, 20], dealer=1)[0] == pytest.approx(sum(exact) / 2)
    for ruleset in ("ghost_hand", "cincinnati"):
        low = [-32, 7, 7][: rulesets.get(ruleset).num_sides]
        assert probabilities(ruleset, [-500, *low[1:]], 0) == probabilities(ruleset, low, 0)
    assert sum(probabilities("ghost_hand", [33, 500, -500], 0)) == pytest.approx(1)


def test_drawn_scores_are_uniform_below_the_target() -> None:
    options = rulesets.get("tournament").to_options()
    scores = np.zeros(4, dtype=np.int16)
    seen = set()
    for word in np.random.default_rng(0).integers(2**62, size=3_000):
        rewards.draw_scores_one(options, int(word), scores)
        seen.add((int(scores[0]), int(scores[1])))
        assert not scores[2:].any()
    assert seen == {(a, b) for a in range(10) for b in range(10)}


def test_drawn_scores_of_auctions_go_below_nil() -> None:
    options, scores = rulesets.get("ghost_hand").to_options(), np.zeros(4, dtype=np.int32)
    seen = []
    for word in np.random.default_rng(0).integers(2**62, size=3_000):
        rewards.draw_scores_one(options, int(word), scores)
        seen.append(scores.copy())
    drawn = np.array(seen)
    assert not drawn[:, 3].any()
    assert drawn[:, :3].min() == -32
    assert drawn[:, :3].max() == 31
    assert np.abs(np.corrcoef(drawn[:, :3].T) - np.eye(3)).max() < 0.06


def due(reward: str, rules: Ruleset, record: Any, start: list[int], dealer: int) -> list[float]:
    """Return what an episode pays each side in all, from how it began and how it ended."""
    sides = range(rules.num_sides)
    gained = [float(record["scores"][side]) - start[side] for side in sides]
    winners = [side for side in sides if record["winners"] >> side & 1]
    if reward == "score":
        return gained
    if reward == "zero_sum":
        return [gained[side] - (sum(gained) - gained[side]) / (len(sides) - 1) for side in sides]
    if reward == "win":
        share = len(winners) / max(len(sides) - len(winners), 1)
        return [0.0 if not winners else 1.0 if side in winners else -share for side in sides]
    after = (
        [float(side in winners) for side in sides]
        if winners
        else probabilities(rules, record["scores"], int(record["next_dealer"]))
    )
    return [b - a for a, b in zip(probabilities(rules, start, dealer), after, strict=True)]


@pytest.mark.parametrize("ruleset", ["north_american", "two_handed", "three_handed", "cincinnati", "ghost_hand"])
@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_every_seat_is_told_what_is_paid_once(ruleset: str, episode: Any, reward: Any) -> None:
    env, rules = euchre_v0.env(ruleset=ruleset, episode=episode, reward=reward, max_hands=20), rulesets.get(ruleset)
    rng = np.random.default_rng(8)
    for seed in range(8 if episode == "hand" else 1):
        env.reset(seed=seed)
        start = [int(score) for score in env.unwrapped.game().scores]
        dealer = int(env.unwrapped.game().state[0]["dealer"])
        told = play_episode(env, rng)
        expected = due(reward, rules, env.unwrapped.game().state[0], start, dealer)
        assert list(told.values()) == pytest.approx(
            [expected[rules.side(seat)] for seat in range(rules.num_seats)], abs=1e-4
        )


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_nothing_is_won_that_nobody_loses(ruleset: str, episode: Any, reward: Any) -> None:
    """Conservation in every game and mode: over random play, and over all that an episode pays."""
    rules = rulesets.get(ruleset)
    batch = GameBatch(rules, 48, seed=5, episode=episode, reward=reward, observe=False, autoreset=False, max_hands=6)
    player, rng = policies.make("random", rules), np.random.default_rng(6)
    start, dealers = batch.states["scores"].copy(), batch.states["dealer"].copy()
    told = np.zeros((48, 4))
    while (rows := np.flatnonzero(batch.legal)).size:
        actions = np.zeros(48, dtype=np.int64)
        actions[rows] = player.act(batch.views(rows), batch.legal[rows], rng)
        batch.step(actions)
        told += batch.rewards
        if reward != "score":
            assert np.abs(batch.rewards.sum(axis=1)).max() < 1e-5
    seats = [rules.side(seat) for seat in range(rules.num_seats)]
    for row in range(48):
        expected = due(reward, rules, batch.states[row], start[row].tolist(), int(dealers[row]))
        assert told[row, : rules.num_seats] == pytest.approx([expected[side] for side in seats], abs=1e-4)
        assert not told[row, rules.num_seats :].any()


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
