"""The conformance kit: it passes what is right, and each of its checks finds the fault that it is for."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

from euchre_env import euchre_v0, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import Phase
from euchre_env.engine.observe import SEGMENTS, columns
from euchre_env.envs.single_agent import EuchreSeatEnv
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.testing import check_engine, check_env, rows, secrecy, told
from euchre_env.testing import engine as engine_checks
from tests.envs.playing import VARIANTS

# Rulesets in which every part of the family plays at least once.
HOUSE_RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "farmers": ("north_american", {"farmers_hand": "redeal", "stick_the_dealer": "forfeit", "deck": 28}),
    "farmers' swap": ("north_american", {"farmers_hand": "swap3", "allow_no_trump": "high_low"}),
    "short": ("north_american", {"stop_when_decided": True, "canadian_loner": True}),
    "dear": (
        "north_american",
        {
            "lone_euchre_points": 4,
            "super_euchre_points": 4,
            "lone_defender_scoring": "three",
            "defend_alone": "vs_loner",
        },
    ),
    "seven": ("north_american", {"deck": 33, "hand_size": 7, "march_points": 3, "packets": "2-3"}),
    "natural": (
        "north_american",
        {"natural_trump_required": True, "packets": "alternating", "poll": "clockwise_from_leader"},
    ),
    "receive first": ("railroad", {"best_exchange": "receive_first", "joker_up": "look_dealer", "renege": "penalty"}),
    "set aside": ("british", {"joker_up": "set_aside", "alone_timing": "with_call"}),
    "two cards": ("two_handed", {"dummy": "two_card", "dealer_pickup": "any_of_six"}),
    "three cards": ("two_handed", {"dummy": "three_card", "alone_scope": "maker_only", "defend_alone": "always"}),
    "five cards": ("three_handed", {"dummy": "five_card", "both_cross": "shared"}),
    "free moons": (
        "cincinnati",
        {"moon_ladder": "free", "overbid_partner": False, "moon_fail": "tricks", "both_cross": "play_on"},
    ),
    "cautious": (
        "cincinnati",
        {"defenders_may_win_on_tricks": False, "defenders_score_tricks": "only_if_bid_made", "both_cross": "shared"},
    ),
    "penalties": ("ghost_hand", {"renege": "penalty", "tiebreak": "hand_points", "first_bidder": "dealer"}),
}


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_ruleset_passes(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_engine(ruleset, hands=60)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_house_rules_pass(name: str) -> None:
    start, changes = HOUSE_RULES[name]
    check_engine(rulesets.get(start).replace(**changes), hands=60, seed=1)


@pytest.mark.parametrize(("ruleset", "episode", "reward"), VARIANTS)
def test_every_environment_passes(ruleset: str, episode: Any, reward: Any, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(partial(euchre_v0.env, ruleset=ruleset, episode=episode, reward=reward), episodes=2)
    assert capsys.readouterr() == ("", "")


def test_raw_and_canonical_environments_pass() -> None:
    check_env(partial(euchre_v0.raw_env, ruleset="tournament"), episodes=2)
    check_env(partial(euchre_v0.env, ruleset="tournament", canonical_suits=True, illegal="raise"), episodes=2)


def change(monkeypatch: pytest.MonkeyPatch, field: str, spoil: Callable[[Any], Any]) -> None:
    """Make batches write a wrong value into a field of the records after every step, of finished hands as well."""
    step = GameBatch.step

    def wrong(self: GameBatch, actions: Any) -> None:
        step(self, actions)
        for records in (self.states, self.finished):
            records[field] = spoil(records)

    monkeypatch.setattr(GameBatch, "step", wrong)


@pytest.mark.parametrize(
    ("ruleset", "field", "spoil", "words"),
    [
        ("tournament", "kitty", lambda s: s["kitty"] | 1 << 3, "are not the pack, each once"),
        ("railroad", "given", lambda s: s["given"] | 1 << s["upcard"].astype(np.int64)[:, None], "are not the pack"),
        ("tournament", "points", lambda s: s["points"] + (s["phase"] == Phase.DEAL)[:, None], "points are"),
        ("tournament", "tricks", lambda s: s["tricks"] + (s["phase"] == Phase.DEAL)[:, None], "but they took"),
        ("cincinnati", "winners", lambda s: s["winners"] & 1, "winners and tied sides|went another"),
        ("ghost_hand", "extra_hand", lambda s: s["extra_hand"] * 0, "winners and tied sides"),
        ("three_handed", "next_dealer", lambda s: s["dealer"], "deals next"),
        ("ghost_hand", "reneged", lambda s: s["played"][:, 0], "reneges booked|went another"),
        ("bicycle24", "sits_out", lambda s: s["sits_out"] * 0, "due were"),
    ],
)
def test_engine_faults_are_found(
    monkeypatch: pytest.MonkeyPatch, ruleset: str, field: str, spoil: Any, words: str
) -> None:
    change(monkeypatch, field, spoil)
    with pytest.raises(AssertionError, match=rf"^{ruleset}, seed 0: .*({words})"):
        check_engine(ruleset, hands=200)


def leaky(peep: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return observations whose first column shows something that it should not."""
    observe = rows.observations

    def peeping(rules: Any, states: Any, seats: Any, canonical: bool) -> Any:
        seen = observe(rules, states, seats, canonical)
        seen[:, 0] = peep(states) % 2
        return seen

    return peeping


@pytest.mark.parametrize(
    ("ruleset", "peep"),
    [
        ("tournament", lambda s: s["kitty"] >> 11),
        ("tournament", lambda s: s["hands"][:, 0] >> 12),
        ("ghost_hand", lambda s: s["hands"][:, 3] >> 12),
        ("ghost_hand", lambda s: s["buried"][:, 2] >> 12),
        ("railroad", lambda s: s["given"][:, 1] >> 12),
        ("railroad", lambda s: s["buried"][:, 1] >> 12),
    ],
)
def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch, ruleset: str, peep: Any) -> None:
    monkeypatch.setattr(secrecy, "observations", leaky(peep))
    with pytest.raises(AssertionError, match="tells something about hidden cards"):
        check_engine(ruleset, hands=500)


def test_a_look_before_the_blind_call_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    observe = rows.observations

    def peep(rules: Any, states: Any, seats: Any, canonical: bool) -> Any:
        seen = observe(rules, states, seats, canonical)
        seen[:, 0] = states["hands"][np.arange(len(states)), seats] >> 3 & 1
        return seen

    monkeypatch.setattr(secrecy, "observations", peep)
    with pytest.raises(AssertionError, match="tells something about hidden cards"):
        check_engine("british", hands=500)


def snapshots(rules: Ruleset) -> Any:
    """Return the records of many moments of random play."""
    rng = np.random.default_rng(4)
    scores = np.full((100, rules.num_sides), max(rules.lowest_start, -300) or 3)
    batch = GameBatch(rules, 100, seed=4, scores=scores, autoreset=False)
    seen = []
    while batch.legal.any():
        seen.append(batch.states.copy())
        batch.step(engine_checks.any_legal(batch, rng))
    return np.concatenate(seen)


@pytest.mark.parametrize("ruleset", ["tournament", "railroad", "ghost_hand", "bid_euchre"])
def test_a_loss_is_found(monkeypatch: pytest.MonkeyPatch, ruleset: str) -> None:
    """A segment that is left empty is missed, unless this ruleset never writes it."""
    rules, written = rulesets.get(ruleset), set()
    states = snapshots(rules)
    seats = np.arange(len(states)) % rules.num_seats
    full = rows.observations(rules, states, seats, canonical=False)
    for segment in SEGMENTS:
        part = full.copy()
        part[:, columns(segment.name)] = 0
        monkeypatch.setattr(told, "observations", lambda *_, part=part, **__: part)
        if np.array_equal(part, full):
            told.check_told(rules, states, seats)
            continue
        written.add(segment.name)
        with pytest.raises(AssertionError, match="an observation"):
            told.check_told(rules, states, seats)
    assert len(written) >= 15


def test_histories_that_look_alike_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    observe = rows.observations

    def blank(rules: Any, states: Any, seats: Any, canonical: bool) -> Any:
        seen = observe(rules, states, seats, canonical)
        seen[:, columns("played_ago")] = 0
        return seen

    monkeypatch.setattr(told, "observations", blank)
    monkeypatch.setattr(engine_checks, "check_told", lambda rules, states, seats: None)
    with pytest.raises(AssertionError, match="two public histories look alike"):
        check_engine("cincinnati", hands=500)


@pytest.mark.parametrize("ruleset", ["tournament", "cincinnati"])
def test_a_wrong_legal_set_is_found(monkeypatch: pytest.MonkeyPatch, ruleset: str) -> None:
    step = GameBatch.step

    def wrong(self: GameBatch, actions: Any) -> None:
        step(self, actions)
        self.legal &= -self.legal

    monkeypatch.setattr(GameBatch, "step", wrong)
    with pytest.raises(AssertionError, match="following suit"):
        check_engine(ruleset, hands=20)


def test_a_decision_without_legal_actions_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    step = GameBatch.step

    def wrong(self: GameBatch, actions: Any) -> None:
        step(self, actions)
        self.legal[0] = 0

    monkeypatch.setattr(GameBatch, "step", wrong)
    with pytest.raises(AssertionError, match="table 0: a decision is due, and there is no legal action"):
        check_engine("tournament", hands=20)


def test_a_batch_that_goes_its_own_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Game.legal
    monkeypatch.setattr(Game, "legal", lambda self: legal(self)[:1])
    with pytest.raises(AssertionError, match="allows other actions than the game alone"):
        check_engine("tournament", hands=5)


class Faulty(euchre_v0.raw_env):
    """A table with one fault, picked by name."""

    fault = ""

    def observe(self, agent: str) -> Any:
        observation = super().observe(agent)
        if self.fault == "mask" and agent != self.agent_selection:
            observation["action_mask"][0] = 1
        if self.fault == "space":
            observation["observation"] = observation["observation"].astype(np.int16)
        return observation

    def _pay(self) -> None:
        super()._pay()
        if self.fault == "reward":
            self._cumulative_rewards["player_2"] = 0.0

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        if self.fault == "seed":
            seed = 4
        if self.fault == "deck" and options and "deck" in options:
            options = {**options, "deck": sorted(options["deck"])[:: 1 if seed == 1 else -1]}
        super().reset(seed, options)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("mask", "two masks differ"),
        ("space", "lies outside its space"),
        ("reward", "rewards paid were"),
        ("seed", "repeats the deal"),
        ("deck", "sees another deal"),
    ],
)
def test_environment_faults_are_found(monkeypatch: pytest.MonkeyPatch, fault: str, words: str) -> None:
    monkeypatch.setattr("euchre_env.testing.environment._check_pettingzoo", lambda *tests: None)
    monkeypatch.setattr(Faulty, "fault", fault)
    with pytest.raises(AssertionError, match=words):
        check_env(partial(Faulty, ruleset="tournament", episode="hand"), episodes=3)


class FaultySeat(EuchreSeatEnv):
    """A seat whose environment does one thing wrong."""

    fault = ""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        seed = 3 if self.fault == "seed" else seed
        return super().reset(seed=seed, options=options)

    def step(self, action: int) -> Any:
        seen, reward, terminated, truncated, info = super().step(action)
        if self.fault == "loss":
            reward = max(reward, 0.0)
        if self.fault == "mask":
            info["action_mask"] = np.ones_like(info["action_mask"])
        if self.fault == "end" and terminated:
            seen["action_mask"] = info["action_mask"] = (
                np.zeros_like(info["action_mask"]) + np.eye(1, 62, dtype=np.int8)[0]
            )
        return seen, reward, terminated, truncated, info


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("seed", "repeats the deal"),
        ("loss", "the seat was paid"),
        ("mask", "the two masks differ"),
        ("end", "not all ones"),
    ],
)
def test_seat_faults_are_found(monkeypatch: pytest.MonkeyPatch, fault: str, words: str) -> None:
    monkeypatch.setattr("euchre_env.testing.seats.check_gymnasium", lambda *_, **__: None)
    monkeypatch.setattr(FaultySeat, "fault", fault)
    with pytest.raises(AssertionError, match=words):
        check_env(partial(FaultySeat, "tournament", episode="hand", opponents="random"), episodes=8)


def test_a_parallel_view_passes() -> None:
    check_env(partial(euchre_v0.parallel_env, ruleset="tournament", episode="hand"))


def test_what_is_no_factory_of_ours_is_said() -> None:
    env = euchre_v0.env()
    for wrong, words in (
        (env, "is no factory"),
        (lambda: gymnasium.make("CartPole-v1"), "is no environment of euchre_env"),
    ):
        with pytest.raises(AssertionError, match=words):
            check_env(wrong)
