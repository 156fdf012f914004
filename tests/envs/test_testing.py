"""The conformance kit: it passes what is right, and each of its checks finds the fault that it is for."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from euchre_env import euchre_v0, rulesets
from euchre_env.engine.layout import Phase
from euchre_env.game import Game
from euchre_env.testing import check_engine, check_env
from euchre_env.testing import engine as engine_checks
from tests.envs.playing import COMBINATIONS

HOUSE_RULES: dict[str, dict[str, Any]] = {
    "farmers": {"farmers_hand": "redeal", "stick_the_dealer": "forfeit", "deck": 28},
    "short": {"stop_when_decided": True, "canadian_loner": True},
    "dear": {
        "lone_euchre_points": 4,
        "super_euchre_points": 4,
        "lone_defender_scoring": "three",
        "defend_alone": "vs_loner",
    },
    "seven": {"deck": 32, "hand_size": 7, "march_points": 3},
    "natural": {"natural_trump_required": True, "packets": "alternating", "poll": "clockwise_from_leader"},
}


@pytest.mark.parametrize("ruleset", rulesets.names())
def test_every_ruleset_passes(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_engine(ruleset, hands=25)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_house_rules_pass(name: str) -> None:
    check_engine(rulesets.get("north_american").replace(**HOUSE_RULES[name]), hands=25, seed=1)


@pytest.mark.parametrize("ruleset", rulesets.names())
@pytest.mark.parametrize(("episode", "reward"), COMBINATIONS)
def test_every_environment_passes(ruleset: str, episode: Any, reward: Any, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(partial(euchre_v0.env, ruleset=ruleset, episode=episode, reward=reward), episodes=2)
    assert capsys.readouterr() == ("", "")


def test_raw_and_canonical_environments_pass() -> None:
    check_env(partial(euchre_v0.raw_env, ruleset="tournament"), episodes=2)
    check_env(partial(euchre_v0.env, ruleset="tournament", canonical_suits=True, illegal="raise"), episodes=2)


def change(monkeypatch: pytest.MonkeyPatch, field: str, phase: Phase, value: Any) -> None:
    """Make games write a wrong value into a field of the record whenever a phase is reached."""
    play = Game.play

    def wrong(self: Game, action: int) -> None:
        play(self, action)
        if self.phase == phase and self.state["redeal"][0] == 0:
            self.state[field][0] = value(self.state[field][0])

    monkeypatch.setattr(Game, "play", wrong)


@pytest.mark.parametrize(
    ("field", "phase", "value", "words"),
    [
        ("kitty", Phase.PLAY, lambda cards: cards | 1 << 3, "are not the pack, each once"),
        ("points", Phase.DEAL, lambda points: points + 1, r"points|scored"),
        ("tricks", Phase.DEAL, lambda tricks: tricks + 1, "do not add up"),
    ],
)
def test_engine_faults_are_found(
    monkeypatch: pytest.MonkeyPatch, field: str, phase: Phase, value: Any, words: str
) -> None:
    change(monkeypatch, field, phase, value)
    with pytest.raises(AssertionError, match=rf"tournament, hand 0 of seed 0: .*({words})"):
        check_engine("tournament", hands=3)


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    observe = engine_checks._observations

    def leaky(rules: Any, states: Any, seat: int) -> Any:
        rows = observe(rules, states, seat)
        rows[:, 0] = states["hands"][0, (seat + 1) % 4] % 2
        rows[:, 1] = states["kitty"][0] >> 11 & 1
        return rows

    monkeypatch.setattr(engine_checks, "_observations", leaky)
    with pytest.raises(AssertionError, match="tells something about hidden cards"):
        check_engine("tournament", hands=5)


def test_a_wrong_legal_set_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Game.legal
    monkeypatch.setattr(Game, "legal", lambda self: legal(self)[:1])
    with pytest.raises(AssertionError, match=r"following suit leaves|allows other actions"):
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
    monkeypatch.setattr("euchre_env.testing.environment._check_pettingzoo", lambda factory: None)
    monkeypatch.setattr(Faulty, "fault", fault)
    with pytest.raises(AssertionError, match=words):
        check_env(partial(Faulty, ruleset="tournament", episode="hand"), episodes=3)
