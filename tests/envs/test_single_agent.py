"""One seat of a table for Gymnasium: what it is shown, what it is paid, what illegal actions do, who else plays."""

import copy
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as check_gymnasium

import euchre_env
from euchre_env import euchre_v0, policies, rulesets
from euchre_env.envs.single_agent import EuchreSeatEnv
from euchre_env.errors import DeckError, IllegalActionError, StateError
from euchre_env.policies import PolicyError
from euchre_env.testing import check_env
from tests.envs.playing import ORDER_UP, PASS, VARIANTS, deck_of

ID = "euchre_env/Euchre-v0"


def hand_env(**settings: Any) -> EuchreSeatEnv:
    return EuchreSeatEnv(**({"ruleset": "tournament", "episode": "hand"} | settings))


def play_out(env: Any, rng: np.random.Generator, info: dict[str, Any]) -> tuple[float, int]:
    """Play the rest of an episode at random; return what it paid, and the steps."""
    paid, steps, done = 0.0, 0, False
    while not done:
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        paid, steps, done = paid + reward, steps + 1, terminated or truncated
    return paid, steps


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_gymnasium_accepts_it(ruleset: str) -> None:
    """Its checker plays illegal actions, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_gymnasium(EuchreSeatEnv(ruleset, opponents="random", partner="random"), skip_render_check=True)


@pytest.mark.parametrize(("ruleset", "episode", "reward"), VARIANTS)
def test_the_kit_accepts_it(ruleset: str, episode: Any, reward: Any) -> None:
    settings: dict[str, Any] = {"ruleset": ruleset, "episode": episode, "reward": reward, "max_hands": 4}
    check_env(partial(EuchreSeatEnv, **settings, opponents="random"), episodes=3)


def test_it_is_registered() -> None:
    """Also by the name that imports the package first."""
    for name in (ID, f"euchre_env:{ID}"):
        env = gymnasium.make(name, ruleset="bicycle24", opponents="random", partner="random", seat=2)
        assert isinstance(env.unwrapped, EuchreSeatEnv)
        assert env.unwrapped.ruleset.name == "bicycle24"
        assert env.spec is not None
        assert env.spec.id == ID


def test_rendering_is_the_tables() -> None:
    env = gymnasium.make(ID, render_mode="ansi", opponents="random")
    env.reset(seed=1)
    assert "score" in str(env.render()).lower()
    pytest.importorskip("pygame")
    pixels = hand_env(render_mode="rgb_array")
    pixels.reset(seed=1)
    assert np.asarray(pixels.render()).ndim == 3
    pixels.close()


def test_rewards_are_those_of_the_table() -> None:
    """1,000 hands, each also played on an AEC environment by the same players: equal to the last point, losses too."""
    env, table = (
        hand_env(opponents="random", partner="rule_based", seat=1),
        euchre_v0.raw_env("tournament", episode="hand"),
    )
    rng, paid, due, unseen, losses = np.random.default_rng(0), 0.0, 0.0, 0, 0
    for seed in range(1000):
        _, info = env.reset(seed=seed)
        unseen += bool(info["action_mask"].all())
        got, _ = play_out(env, rng, info)
        table.set_state(env.table.get_state())
        own, other = table.game().scores[1], table.game().scores[0]
        paid, due, losses = paid + got, due + own - other, losses + (got < 0)
        assert got == own - other
    assert paid == due
    assert losses > 0
    assert unseen > 0  # hands that ended before the seat's first turn: they are paid, too


def test_a_hand_without_a_turn_is_shown_and_paid() -> None:
    """The dealer's left orders up alone: its partner sits out from the first word on."""

    class Alone:
        name = "alone"
        exact = True

        def act(self, views: Any, legal: Any, rng: Any) -> Any:
            return np.array([35 if mask >> 35 & 1 else int(mask & -mask).bit_length() - 1 for mask in legal])

    env = hand_env(seat=2, opponents="random", partner=Alone())
    deck = deck_of(env.ruleset, 3, {0: "JH JD AH KH QH"}, 8 * 2 + 2)
    observation, info = env.reset(seed=1, options={"dealer": 3, "deck": deck})
    assert observation["action_mask"].all()
    assert info["action_mask"].all()
    _, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (4.0, True, False)
    with pytest.raises(StateError, match="the episode is over"):
        env.step(0)


def test_the_seat_plays_on_after_a_hand() -> None:
    """A game: rewards between two turns add up, and come to the difference of the scores."""
    env = EuchreSeatEnv("tournament", opponents="random", partner="random", reward="score")
    _, info = env.reset(seed=4)
    paid, steps = play_out(env, np.random.default_rng(1), info)
    assert paid == env.table.game().scores[0]
    assert steps > 20


def test_a_long_game_is_truncated() -> None:
    env = EuchreSeatEnv("tournament", opponents="random", max_hands=1)
    env.reset(seed=3)
    done = (False, False)
    while not any(done):
        *_, terminated, truncated, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        done = (terminated, truncated)
    assert done == (False, True)


def test_set_up() -> None:
    env = hand_env(opponents="random", partner="random", episode="game")
    env.reset(options={"dealer": 3, "scores": [9, 8], "no such key": 1})
    assert env.table.game().scores == (9, 8)
    assert np.flatnonzero(env.action_masks()).tolist() == [PASS, ORDER_UP, ORDER_UP + 1]
    with pytest.raises(DeckError):
        env.reset(options={"deck": [0]})
    with pytest.raises(StateError):
        env.reset(options={"dealer": 7})


def test_illegal_actions() -> None:
    env = hand_env(illegal_reward=-3.5)
    env.reset(seed=1, options={"dealer": 3})
    observation, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-3.5, True, False)
    assert observation["action_mask"].all()
    assert info["action_mask"].all()

    env = hand_env(illegal="raise")
    env.reset(seed=1, options={"dealer": 3})
    with pytest.raises(IllegalActionError, match=r"order up is due: pass, order up, order up alone \(2.3\)"):
        env.step(0)
    env.step(PASS)  # nothing has changed

    env, twin = hand_env(illegal="random"), hand_env(illegal="random")
    for one in (env, twin):
        one.reset(seed=1, options={"dealer": 3})
    assert env.step(0)[0]["observation"].tolist() == twin.step(0)[0]["observation"].tolist()
    assert not env._over
    for outside in (-1, 62, 1000):
        with pytest.raises(ValueError, match=r"action is .* whole number from 0 to 61"):
            twin.step(outside)


def test_no_step_without_an_episode() -> None:
    env = hand_env()
    with pytest.raises(StateError, match="call reset"):
        env.step(PASS)
    with pytest.raises(StateError, match="call reset"):
        env.action_masks()


def test_canonical_suits_are_undone() -> None:
    """The same deals and choices by rank give the same hands whether suits are relabelled or not."""
    shown = hand_env(canonical_suits=True, opponents="random")
    plain = hand_env(opponents="random")
    for seed in range(30):
        observation, _ = shown.reset(seed=seed)
        plain.reset(seed=seed)
        while not shown._over:
            action = int(np.flatnonzero(observation["action_mask"])[-1])
            real = shown.table.real_action(action) if not shown._unpaid else 0
            observation, reward, *_ = shown.step(action)
            assert plain.step(real)[1] == reward
        assert shown.table.game().scores == plain.table.game().scores


def test_a_random_seat() -> None:
    env = hand_env(seat="random", opponents="random")
    seats: list[int] = []
    for _ in range(60):
        _, info = env.reset(seed=5 if not seats else None)
        seats.append(info["seat"])
        assert info["seat"] == env.seat
    assert set(seats) == {0, 1, 2, 3}


def test_company() -> None:
    """A name, a list of them, or objects; partners sit across, in games without partners there are none."""

    class Watcher:
        name = "watcher"

        def __init__(self) -> None:
            self.seats: set[int] = set()

        def act(self, views: Any, legal: Any, rng: Any) -> Any:
            self.seats |= set(views["turn"].tolist())
            return policies.make("random", "tournament").act(views, legal, rng)

    left, right, across = Watcher(), Watcher(), Watcher()
    env = hand_env(seat=1, partner=across, opponents=[left, right], episode="game")
    play_out(env, np.random.default_rng(0), env.reset(seed=1)[1])
    assert (left.seats, across.seats, right.seats) == ({2}, {3}, {0})

    everyone = Watcher()
    env = EuchreSeatEnv("ghost_hand", seat=2, opponents=everyone, max_hands=3)
    play_out(env, np.random.default_rng(0), env.reset(seed=1)[1])
    assert everyone.seats == {0, 1}
    assert len(EuchreSeatEnv("two_handed").company.players) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": "rule_baset"}, "did you mean 'rule_based'"),
        ({"partner": 3}, "partner is 3: give a player's name"),
        ({"opponents": ["random"]}, "opponents names 1 players: tournament has 2"),
        ({"seat": 4}, "seat is 4: it must be a whole number from 0 to 3"),
        ({"seat": "north"}, "seat is 'north': give its number or 'random'"),
        ({"illegal": "ignore"}, "unknown way with illegal actions 'ignore'"),
        ({"episode": "match"}, "unknown episode 'match'"),
        ({"reward": "wni"}, "wni"),
        ({"ruleset": "pinochle"}, "pinochle"),
        ({"opponents": "tests"}, "tests is a file or folder"),
    ],
)
def test_wrong_arguments(settings: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "_LOADERS", [])
    with pytest.raises(ValueError, match=message):
        hand_env(**settings)


def test_a_player_that_breaks_the_rules_is_named() -> None:
    class Wrong:
        name = "wrong"

        def act(self, views: Any, legal: Any, rng: Any) -> Any:
            return np.full(len(legal), self.answer)

        answer: Any = 61

    for answer, message in ((61, "wrong chose action 61"), (-1, "wrong chose action -1"), (0.5, "wrong gave float64")):
        Wrong.answer = answer
        with pytest.raises(PolicyError, match=message):
            hand_env(opponents=Wrong()).reset(seed=1, options={"dealer": 0})


def test_copies_go_on_alike() -> None:
    env = hand_env(opponents="random", episode="game")
    env.reset(seed=9)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    twin = copy.deepcopy(env)
    for _ in range(10):
        action = int(np.flatnonzero(env.action_masks())[-1])
        one, other = env.step(action), twin.step(action)
        assert np.array_equal(one[0]["observation"], other[0]["observation"])
        assert one[1:4] == other[1:4]


def test_importing_registers_once() -> None:
    euchre_env._register()
    assert gymnasium.spec(ID).entry_point == "euchre_env.envs.single_agent:EuchreSeatEnv"


@pytest.mark.parametrize("illegal", ["terminate", "random"])
def test_hands_before_the_first_turn_are_paid_in_games(illegal: Any) -> None:
    """A lone partner's hand may come first in a game: its points come with the first step, a forfeit's too."""
    env = EuchreSeatEnv("tournament", opponents="random", partner="random", reward="score", illegal=illegal)
    early = 0
    for seed in range(400):
        _, info = env.reset(seed=seed)
        before = env.table.game().scores[0]
        if before or env.table.game().scores[1]:
            early += before > 0
            if illegal == "terminate":
                assert env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))[1] == before - 1
            else:
                paid, _ = play_out(env, np.random.default_rng(seed), info)
                assert paid == env.table.game().scores[0]
    assert early > 2


@pytest.mark.parametrize(
    ("ruleset", "settings"),
    [
        ("tournament", {"episode": "hand"}),  # hands without a turn, over in `reset`
        ("tournament", {"max_hands": 1}),  # truncated in `reset`
        ("railroad", {"max_hands": 3, "reward": "score"}),
        ("bid_euchre", {"episode": "hand"}),
        ("tournament", {"reward": "win"}),
        ("tournament", {"illegal": "raise", "episode": "hand"}),
    ],
)
def test_the_kit_gives_no_false_alarm(ruleset: str, settings: dict[str, Any]) -> None:
    check_env(partial(EuchreSeatEnv, ruleset, opponents="random", partner="random", **settings), episodes=60)


def test_the_kit_takes_wrappers_and_penalties() -> None:
    settings: dict[str, Any] = {"ruleset": "tournament", "episode": "hand", "opponents": "random"}
    check_env(lambda: gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(ID, **settings)))
    check_env(lambda: gymnasium.make(ID, max_episode_steps=3, **settings))
    check_env(lambda: gymnasium.wrappers.FlattenObservation(gymnasium.make(ID, **settings)))
    check_env(
        partial(EuchreSeatEnv, rulesets.get("tournament").replace(name="house", renege="penalty"), opponents="random")
    )


def test_players_cannot_change_what_is_legal() -> None:
    class Meddler:
        name = "meddler"

        def act(self, views: Any, legal: Any, rng: Any) -> Any:
            legal |= 1
            return np.zeros(len(legal), dtype=np.int64)

    with pytest.raises(PolicyError, match="meddler chose action 0"):
        hand_env(opponents=Meddler()).reset(seed=1, options={"dealer": 0})
    with pytest.raises(PolicyError, match="opponents is <class"):
        hand_env(opponents=Meddler)
