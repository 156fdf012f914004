"""Setting up, saving, restoring and copying a table; the parallel view."""

import io
from typing import Any

import numpy as np
import pytest

from euchre_env import euchre_v0, rulesets
from euchre_env.cards import format_card
from euchre_env.errors import DeckError, IllegalActionError, StateError
from tests.envs.playing import COMBINATIONS, DECLINE, PASS, deck_of, legal_of, play_episode, random_choice

TOURNAMENT = rulesets.get("tournament")


def story(env: Any, choices: np.random.Generator) -> list[Any]:
    """Play to the end of this episode and the first step of two more; return everything that happened."""
    seen: list[Any] = []
    for _ in range(3):
        for agent in env.agent_iter():
            observation, *rest, info = env.last()
            seen.append((agent, observation["observation"].tolist(), info["action_mask"].tolist(), rest))
            seen.append((env.state().tolist(), dict(env.rewards), list(env.agents)))
            env.step(random_choice(env, choices))
        env.reset()
    return seen


@pytest.mark.parametrize("steps", [0, 3, 17, 60, 300])
@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_restored_goes_on_exactly(episode: Any, reward: Any, steps: int) -> None:
    env = euchre_v0.env(ruleset="tournament", episode=episode, reward=reward)
    rng = np.random.default_rng(steps)
    env.reset(seed=steps)
    for _ in range(steps):
        env.step(random_choice(env, rng))
        if not env.agents:
            env.reset()
    saved, twin = env.get_state(), env.clone()
    other = euchre_v0.env(ruleset="tournament", episode=episode, reward=reward)
    first = story(env, np.random.default_rng(1))
    other.set_state(through_a_file(saved))
    assert story(twin, np.random.default_rng(1)) == first
    assert story(other, np.random.default_rng(1)) == first


@pytest.mark.parametrize("ruleset", ["two_handed", "three_handed", "railroad", "bid_euchre", "ghost_hand"])
@pytest.mark.parametrize("steps", [2, 25, 150])
def test_restored_goes_on_exactly_in_other_games(ruleset: str, steps: int) -> None:
    env = euchre_v0.env(ruleset=ruleset, reward="win", max_hands=4)
    rng = np.random.default_rng(steps)
    env.reset(
        seed=steps,
        options={"dealer": 1, "scores": [rulesets.get(ruleset).target - 1] * rulesets.get(ruleset).num_sides},
    )
    for _ in range(steps):
        env.step(random_choice(env, rng))
        if not env.agents:
            env.reset()
    saved, twin = env.get_state(), env.clone()
    other = euchre_v0.env(ruleset=ruleset, reward="win", max_hands=4)
    first = story(env, np.random.default_rng(1))
    other.set_state(through_a_file(saved))
    assert story(twin, np.random.default_rng(1)) == first
    assert story(other, np.random.default_rng(1)) == first


def test_a_state_of_other_rules_is_refused() -> None:
    env, other = euchre_v0.env(ruleset="ghost_hand"), euchre_v0.env(ruleset="three_handed")
    env.reset(seed=1)
    with pytest.raises(StateError, match="saved under other rules than three_handed"):
        other.set_state(env.get_state())


def through_a_file(state: dict[str, Any]) -> dict[str, Any]:
    """Write and read a state as plain arrays: nothing in it needs unpickling."""
    file = io.BytesIO()
    np.savez(file, **state)
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def test_saved_among_dead_seats() -> None:
    env = euchre_v0.env()
    env.reset(seed=1)
    env.step(DECLINE)
    env.step(None)
    other = euchre_v0.env()
    other.set_state(env.get_state())
    assert other.agents == env.agents == ["player_1", "player_2", "player_3"]
    assert story(other, np.random.default_rng(0)) == story(env, np.random.default_rng(0))


def test_a_state_holds_copies() -> None:
    env = euchre_v0.env()
    env.reset(seed=1, options={"dealer": 0})
    saved = env.get_state()
    env.step(PASS)
    assert saved["state"]["turn"][0] == 1
    twin = euchre_v0.env()
    twin.set_state(saved)
    twin.step(PASS)
    assert saved["state"]["turn"][0] == 1


def test_a_state_that_does_not_fit_is_refused() -> None:
    env = euchre_v0.env()
    with pytest.raises(StateError, match=r"call reset\(\) first"):
        env.get_state()
    with pytest.raises(StateError, match=r"call reset\(\) first"):
        env.clone()
    env.reset(seed=1)
    state = env.get_state()
    with pytest.raises(StateError, match="other rules than tournament"):
        euchre_v0.env(ruleset="tournament").set_state(state)
    with pytest.raises(StateError, match="no state of version"):
        env.set_state({**state, "version": 99})
    with pytest.raises(StateError, match="no state of version"):
        env.set_state({})
    with pytest.raises(StateError, match=r"the state lacks key, generator\."):
        env.set_state({name: value for name, value in state.items() if name not in ("key", "generator")})


def test_a_clone_keeps_its_ways() -> None:
    env = euchre_v0.env(illegal="raise", ruleset="tournament", canonical_suits=True, render_mode="ansi")
    env.reset(seed=1)
    twin = env.clone()
    with pytest.raises(IllegalActionError):
        twin.step(DECLINE)
    assert (twin.unwrapped.canonical_suits, twin.render_mode) == (True, "ansi")
    assert twin.action_space("player_0") is not env.action_space("player_0")


def test_any_deal_can_be_set_up() -> None:
    deck = deck_of(
        TOURNAMENT, 2, {0: "JH JD AH KH QH", 3: "9C 9S 9D TC TS"}, upcard=rulesets.get("tournament").deck_ids[9]
    )
    for form in (deck, [format_card(card) for card in deck], np.array(deck, dtype=np.int8), tuple(deck)):
        env = euchre_v0.env(ruleset="tournament", episode="hand", reward="equity")
        env.reset(seed=5, options={"deck": form, "dealer": np.int64(2), "scores": np.array([3, 9]), "color": "red"})
        game = env.unwrapped.game()
        assert (game.scores, game.turn, int(game.state["dealer"][0])) == ((3, 9), 3, 2)
        assert str(game.state["upcard"][0]) == str(deck[20])
        assert game.hand(0) == sum(1 << card for card in deck[3:6] + deck[14:16])


def test_set_up_alone_changes_nothing_else() -> None:
    """The deck of a seed does not depend on the dealer and the scores that are given."""
    env = euchre_v0.env(ruleset="tournament")
    env.reset(seed=5)
    drawn = env.unwrapped.game().state[0]
    env.reset(seed=5, options={"dealer": int(drawn["dealer"]), "scores": [2, 3]})
    again = env.unwrapped.game().state[0]
    assert again["hands"].tolist() == drawn["hands"].tolist()
    env.reset(seed=5, options={"dealer": (int(drawn["dealer"]) + 1) % 4})
    assert env.unwrapped.game().state[0]["upcard"] == drawn["upcard"]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"deck": ["9C"] * 24}, DeckError, "9C is in the deck 24 times"),
        ({"deck": ["9C"]}, DeckError, "the deck lacks TC"),
        ({"deck": ["7C", *range(24)]}, DeckError, "7C is not in the 24-card pack"),
        ({"deck": ["XX"]}, DeckError, "'XX' is not a card"),
        ({"deck": 5}, StateError, "deck is 5: it must be a list"),
        ({"deck": "9C TC"}, StateError, "it must be a list"),
        ({"dealer": 4}, StateError, "seat from 0 to 3"),
        ({"dealer": "player_1"}, StateError, "seat from 0 to 3"),
        ({"scores": [10, 0]}, StateError, "from 0 to 9"),
        ({"scores": [1]}, StateError, "needs 2 numbers"),
        ({"scores": 3}, StateError, "scores is 3: it must be a list"),
    ],
)
def test_a_wrong_set_up_is_refused_and_changes_nothing(options: Any, error: type[Exception], words: str) -> None:
    env = euchre_v0.env(ruleset="tournament")
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(error, match=words):
        env.reset(seed=2, options=options)
    after = env.get_state()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_equity_hands_start_from_many_scores() -> None:
    env = euchre_v0.env(episode="hand", reward="equity")
    starts = set()
    for seed in range(200):
        env.reset(seed=seed)
        starts.add(env.unwrapped.game().scores)
    assert len(starts) > 70
    env.reset(seed=1, options={"scores": [0, 9]})
    assert env.unwrapped.game().scores == (0, 9)


@pytest.mark.parametrize("first", ["0", "2"])
def test_a_fixed_first_dealer(first: Any) -> None:
    env = euchre_v0.env(ruleset=TOURNAMENT.replace(dealer_selection=first))
    for seed in range(5):
        env.reset(seed=seed)
        assert env.agent_selection == f"player_{(int(first) + 1) % 4}"


@pytest.mark.parametrize("ruleset", ["tournament", "british", "three_handed", "bid_euchre", "ghost_hand"])
def test_canonical_suits_play_the_same_game(ruleset: str) -> None:
    """Play one table in real and in canonical labels, which the other table's true action links."""
    real = euchre_v0.raw_env(ruleset=ruleset, max_hands=12)
    canonical = euchre_v0.raw_env(ruleset, canonical_suits=True, max_hands=12)
    rng = np.random.default_rng(2)
    for seed in range(3):
        real.reset(seed=seed)
        canonical.reset(seed=seed)
        while not any(real.terminations.values()) and not any(real.truncations.values()):
            assert real.agent_selection == canonical.agent_selection
            shown = legal_of(canonical)
            assert len(shown) == len(legal_of(real))
            action = int(rng.choice(shown))
            real.step(canonical.real_action(action))
            canonical.step(action)
            assert np.array_equal(real.get_state()["state"], canonical.get_state()["state"])
            assert real.rewards == canonical.rewards


def test_rendering_needs_a_mode() -> None:
    env = euchre_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="give the environment a render_mode"):
        assert env.render() is None
    env.close()


def test_the_window_shows_a_finished_hand_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setitem(euchre_v0.raw_env.metadata, "render_fps", 10_000)
    env = euchre_v0.raw_env(ruleset="tournament", render_mode="human")
    env.reset(seed=1)
    shown: list[int] = []
    monkeypatch.setattr(type(env), "_draw", lambda self: shown.append(int(self.get_state()["state"]["phase"][0])))
    rng = np.random.default_rng(1)
    while len(shown) < 60:
        env.step(random_choice(env, rng))
    assert 0 in shown, "the finished hand"
    env.close()


@pytest.mark.parametrize("ruleset", ["bicycle24", "two_handed", "three_handed", "railroad", "cincinnati", "ghost_hand"])
def test_parallel_view_plays_as_the_table(ruleset: str) -> None:
    aec, parallel = euchre_v0.env(ruleset=ruleset), euchre_v0.parallel_env(ruleset=ruleset)
    rng = np.random.default_rng(1)
    aec.reset(seed=1)
    observations, infos = parallel.reset(seed=1)
    while parallel.agents:
        mover = aec.agent_selection
        assert {info["active_agent"] for info in infos.values()} == {mover} == {parallel.active_agent}
        assert np.array_equal(observations[mover]["observation"], aec.observe(mover)["observation"])
        assert np.array_equal(parallel.state(), aec.state())
        action = random_choice(aec, rng)
        actions = dict.fromkeys(parallel.agents, DECLINE) | {mover: action}
        observations, rewards, terminations, truncations, infos = parallel.step(actions)
        aec.step(action)
        assert rewards == aec.rewards
        assert terminations == aec.terminations
        assert truncations == aec.truncations
    assert set(observations) == set(infos) == set(parallel.possible_agents)
    assert infos["player_0"]["active_agent"] is None
    assert parallel.step({}) == ({}, {}, {}, {}, {})


def test_parallel_view_needs_the_mover_s_action() -> None:
    env = euchre_v0.parallel_env()
    env.reset(seed=1, options={"dealer": 0})
    with pytest.raises(IllegalActionError, match="player_1 is to move"):
        env.step({"player_2": PASS})
    with pytest.raises(IllegalActionError, match="player_1 is to move"):
        env.step({"player_1": None})


def test_parallel_view_is_saved_and_copied() -> None:
    env = euchre_v0.parallel_env(render_mode="ansi")
    env.reset(seed=1, options={"dealer": 0})
    env.step({"player_1": PASS})
    twin, other = env.clone(), euchre_v0.parallel_env()
    other.set_state(env.get_state())
    env.step({"player_2": PASS})
    assert twin.active_agent == other.active_agent == "player_2"
    assert isinstance(env.render(), str)
    env.close()


def test_play_from_the_module_docstring_ends() -> None:
    env = euchre_v0.env()
    env.reset(seed=42)
    told = play_episode(env, np.random.default_rng(0))
    assert told["player_0"] == -told["player_1"] != 0
