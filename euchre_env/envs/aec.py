"""EuchreAEC: one table of Euchre as a PettingZoo AEC environment, without the checks that `env()` wraps around it.

Rules, encodings and rewards come from the engine and `rewards`; here is what an episode is, who is told what and when,
and where chance comes from. An illegal action raises; the wrapper knows other ways.

>>> env = EuchreAEC(ruleset="tournament", episode="hand")
>>> env.reset(seed=1, options={"dealer": 3})
>>> env.agent_selection
'player_0'
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import index
from typing import Any, ClassVar, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from euchre_env import decks, equity, rewards, rulesets, single
from euchre_env.engine.layout import MAX_SEATS, NUM_ACTIONS, STATE, Phase, action_name
from euchre_env.engine.observe import HIDDEN_SEGMENTS, OBSERVATION_SIZE, bounds
from euchre_env.envs import _kernels as kernels
from euchre_env.envs.action_space import ActionSpace
from euchre_env.errors import IllegalActionError, StateError, flag, unknown, whole_number
from euchre_env.game import Game
from euchre_env.policies import Policy
from euchre_env.render.text import table_text
from euchre_env.ruleset import Ruleset
from euchre_env.tables import MAX_HANDS
from euchre_env.views import hide_all

Episode = Literal["game", "hand"]
Reward = Literal["zero_sum", "score", "win", "equity"]
RenderMode = Literal["ansi", "rgb_array", "human"]
Observation = dict[str, npt.NDArray[np.int8]]

EPISODES = ("game", "hand")
STATE_VERSION = 2
_BOOKS = ("rewards", "cumulative_rewards", "terminations", "truncations")
_BY_SEAT = ("agents", *_BOOKS)
_SAVED = ("options", "state", "key", "selected", "agents", *_BOOKS, "generator")
SETTING_UP = ("deck", "dealer", "scores")
_OVER = int(Phase.OVER)
_FIRST = np.zeros(1, dtype=np.int64)
_ALL = (1 << NUM_ACTIONS) - 1


class EuchreAEC(AECEnv):  # type: ignore[misc]
    """One table. The seats are `player_0` ..., clockwise; of four, `player_0` and `player_2` are partners.

    `ruleset`: a name of `rulesets.names()` or a Ruleset. `episode`: a "game" to the target, or one "hand". `reward`:
    see `rewards.REWARD_MEANINGS`; with "equity" a hand starts from drawn scores. `canonical_suits`: observations,
    masks and actions in suits relabelled for the observing seat. `max_hands`: a game is truncated after so many.
    ValueError (RulesetError for the ruleset) names a wrong argument.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "euchre_v0",
        "render_modes": ["ansi", "rgb_array", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        episode: Episode = "game",
        reward: Reward = "zero_sum",
        canonical_suits: bool = False,
        max_hands: int = 200,
        render_mode: RenderMode | None = None,
    ) -> None:
        super().__init__()
        if episode not in EPISODES:
            raise ValueError(unknown("episode", episode, EPISODES))
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(unknown("render mode", render_mode, self.metadata["render_modes"]))
        self.ruleset = rulesets.get(ruleset)
        self.episode, self.reward, self.render_mode = episode, reward, render_mode
        self.canonical_suits = flag("canonical_suits", canonical_suits)
        self.max_hands = whole_number("max_hands", max_hands, 1, MAX_HANDS)
        self._mode = rewards.mode_id(reward, episode)
        self._table = equity.table(self.ruleset) if reward == "equity" else rewards.NO_TABLE
        self._options = self.ruleset.to_options()
        self._draws_scores = reward == "equity" and episode == "hand"
        self._deck = np.zeros(self.ruleset.deck, dtype=np.int8)
        self._states: npt.NDArray[np.void] = np.zeros(1, dtype=STATE)
        self._mask = np.zeros(NUM_ACTIONS, dtype=np.int8)
        self._legal = 0
        self._paid = False
        self._key = 0
        self._window: Any = None
        self.possible_agents = [f"player_{seat}" for seat in range(self.ruleset.num_seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._generator = np.random.default_rng()
        self.agents: list[str] = []

    # Spaces ----------------------------------------------------------------------------------------------------------

    @cached_property
    def observation_spaces(self) -> dict[str, spaces.Dict]:
        """The space of each seat's observation: always the same objects."""
        return {agent: seen_space() for agent in self.possible_agents}

    @cached_property
    def action_spaces(self) -> dict[str, ActionSpace]:
        """The space of each seat's actions: always the same objects."""
        return {agent: ActionSpace(NUM_ACTIONS) for agent in self.possible_agents}

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        low, high = bounds()
        sizes = [s.size for s in HIDDEN_SEGMENTS]
        hidden_low = np.repeat([s.low for s in HIDDEN_SEGMENTS], sizes).astype(np.int8)
        hidden_high = np.repeat([s.high for s in HIDDEN_SEGMENTS], sizes).astype(np.int8)
        return spaces.Box(np.concatenate([low, hidden_low]), np.concatenate([high, hidden_high]), dtype=np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a seat's observation: a Dict of `observation` and `action_mask`, both int8."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> ActionSpace:
        """Return the space of a seat's actions; their ids are in `engine.layout`, `action_name` says them."""
        return self.action_spaces[agent]

    # Episodes --------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode. Without a seed chance goes on where it was; other keys of `options` than these are ignored.

        `deck`: the whole pack in order, top first, as ids or names ("9C"), for the first hand. `dealer`: who deals it.
        `scores`: the points by side to start from. DeckError and StateError say what is wrong with one.
        """
        if options is not None and not isinstance(options, Mapping):
            raise StateError(f"options is {options!r}: it must be a dict.")
        setting = {name: options[name] for name in SETTING_UP if options and name in options}
        _check_setting(setting)
        key, generator = self._draw_key(seed)
        if self._draws_scores and "scores" not in setting:
            setting["scores"] = self._drawn_scores(key)
        if setting:
            self._states[:] = Game(self.ruleset, key=key, auto_deal=False, **setting).state
        else:
            single.begin(self._options, self._states, decks.opening_dealer(self.ruleset, key))
        self._key, self._generator = key, generator
        self._clear_books()
        if not setting:
            self._deal()
        self._show()
        if self.render_mode == "human":
            self.render()

    def _draw_key(self, seed: int | None) -> tuple[int, np.random.Generator]:
        """Return the key of all deals of an episode, and the generator that gave it."""
        generator = self._generator if seed is None else np.random.default_rng(seed)
        return int(generator.integers(2**63)), generator

    def _drawn_scores(self, key: int) -> list[int]:
        scores = np.zeros(MAX_SEATS, dtype=np.int32)
        rewards.draw_scores_one(self._options, int(decks.random_word(np.uint64(key), 0)), scores)
        return [int(score) for score in scores[: self.ruleset.num_sides]]

    def _clear_books(self) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: _info(np.zeros(NUM_ACTIONS, dtype=np.int8)) for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False

    def _deal(self) -> None:
        """Deal the next hand of the episode's key."""
        record = self._states[0]
        hand, redeal = int(record["hand"]), int(record["redeal"])
        decks.shuffle(self._options["deck"][0], np.uint64(self._key), 0, hand, redeal, self._deck)
        single.deal_hand(self._options, self._states, self._deck)

    def _show(self) -> None:
        """Select the seat to move and give it its mask."""
        turn, self._legal = kernels.look(self._options, self._states, self.canonical_suits, self._mask)
        self.agent_selection = self.possible_agents[turn]
        self.infos[self.agent_selection] = _info(self._mask.copy())

    def step(self, action: int | None) -> None:
        """Play an action of the selected seat, None once it is done; IllegalActionError says why it cannot be."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        number = NUM_ACTIONS if action is None else index(action)
        if number < 0 or not self._legal >> number & 1:
            raise IllegalActionError(self.why_not(action))
        self._cumulative_rewards[mover] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self.infos[mover] = _info(np.zeros(NUM_ACTIONS, dtype=np.int8))
        turn, self._legal = kernels.act(self._options, self._states, number, self.canonical_suits, self._mask)
        if turn >= 0:
            self.agent_selection = mover = self.possible_agents[turn]
            self.infos[mover] = _info(self._mask.copy())
        else:
            self._end_hand()
        if self.render_mode == "human":
            self.render()

    def _end_hand(self) -> None:
        """Pay a finished hand and end the episode or deal on; a claimed redeal is dealt again, unpaid."""
        record = self._states[0]
        if record["redeal"] == 0:
            self._pay()
            if record["phase"] == _OVER or self.episode == "hand":
                self._end(terminated=True, truncated=False)
                return
            if record["hand"] >= self.max_hands:
                self._end(terminated=False, truncated=True)
                return
            if self.render_mode == "human":
                self.render()
        self._deal()
        self._show()

    def _pay(self) -> None:
        record, paid = self._states[0], np.zeros(MAX_SEATS, dtype=np.float32)
        before = record["scores"] - record["points"]
        rewards.pay_one(self._mode, self._options, self._states, before, self._table, paid)
        self.rewards = dict(zip(self.agents, paid.tolist(), strict=False))
        self._accumulate_rewards()
        self._paid = True

    def _end(self, terminated: bool, truncated: bool) -> None:
        """Close the episode for every seat; masks are all ones from now on (what they allow is None alone)."""
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._open_masks()
        self._deads_step_first()

    def _open_masks(self) -> None:
        self._legal = _ALL
        self.infos = {agent: _info(np.ones(NUM_ACTIONS, dtype=np.int8)) for agent in self.agents}

    def end_by_illegal_action(self, reward: float) -> None:
        """End the episode because the selected seat acted illegally: it gets `reward`, everyone else nothing."""
        mover = self.agent_selection
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[mover] = float(reward)
        self._accumulate_rewards()
        self._paid = True
        self._end(terminated=True, truncated=True)

    # What seats see --------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Return a seat's `observation` [OBSERVATION_SIZE] and `action_mask` [NUM_ACTIONS], fresh int8 arrays.

        The mask is all zero for a seat that is not to move, all ones once the episode is over.
        """
        row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
        kernels.observe_seat(self._options, self._states, self._seat_of[agent], self.canonical_suits, row)
        if self.terminations.get(agent, True) or self.truncations.get(agent, True):
            mask = np.ones(NUM_ACTIONS, dtype=np.int8)
        elif agent == self.agent_selection:
            mask = self._mask.copy()
        else:
            mask = np.zeros(NUM_ACTIONS, dtype=np.int8)
        return {"observation": row, "action_mask": mask}

    def state(self) -> npt.NDArray[np.int8]:
        """Return the open table for centralised critics: seat 0's observation, then what it may not see."""
        row = np.zeros(self.state_space.shape, dtype=np.int8)
        kernels.observe_table(self._options, self._states, self.canonical_suits, row)
        return row

    @property
    def key(self) -> int:
        """What all deals of this episode follow from (`decks.py`)."""
        return self._key

    @property
    def legal_set(self) -> int:
        """The mask of the selected seat as a set: bit a is action a; all of them once the episode is over."""
        return self._legal

    def is_legal(self, action: int) -> bool:
        """Whether the mask of the selected seat allows an action id; it allows all once the episode is over."""
        return bool(self._legal >> action & 1)

    def legal_actions(self) -> list[int]:
        """Return what the selected seat may do, ascending; nothing once the episode is over."""
        if self._legal == _ALL:
            return []
        return single.actions_of(self._legal)

    def random_legal_action(self) -> int:
        """Return one of them, drawn from the environment's own generator."""
        legal = self.legal_actions()
        return legal[int(self._generator.integers(len(legal)))]

    def why_not(self, action: int | None) -> str:
        """Return the sentence that says why the selected seat may not do this."""
        if action is None or not 0 <= action < NUM_ACTIONS:
            return f"{action} is not an action: ids run from 0 to {NUM_ACTIONS - 1}."
        real = self.real_action(int(action))
        return self.game().why_not(real) or f"{action_name(real)} is legal."

    def real_action(self, action: int) -> int:
        """Return the action in the suits of the table; another one only with `canonical_suits`."""
        return int(kernels.true_action(self._options, self._states, action)) if self.canonical_suits else action

    def shown_action(self, action: int) -> int:
        """Return a real action in the labels of the selected seat; another one only with `canonical_suits`."""
        return int(kernels.shown_action(self._options, self._states, action)) if self.canonical_suits else action

    def view(self) -> tuple[npt.NDArray[np.void], npt.NDArray[np.int64]]:
        """Return what a `Policy` is asked with: the selected seat's view [1] STATE and real legal actions [1] int64."""
        legal = np.array([single.legal(self._options, self._states)], dtype=np.int64)
        views = np.empty(1, dtype=STATE)
        hide_all(self._options, self._states, _FIRST, np.array([self._seat_of[self.agent_selection]]), views)
        return views, legal

    def choose(self, policy: Policy, rng: np.random.Generator) -> int:
        """Return what a player of ours would do at the selected seat, as `step` takes it."""
        return self.shown_action(int(policy.act(*self.view(), rng)[0]))

    def game(self) -> Game:
        """Return a copy of the table as a `Game`, all hands open."""
        return Game.at(self.ruleset, self._states, self._key)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the table as text (`ansi`) or pixels [H, W, 3] (`rgb_array`), or show it in a window (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing: give the environment a render_mode, for instance 'ansi'.")
            return None
        if self.render_mode == "ansi":
            return table_text(self.ruleset, self._states[0])
        return self._draw()

    def _draw(self) -> npt.NDArray[np.uint8] | None:
        """Pixels need pygame, which nothing else here does."""
        from euchre_env.render import pixels

        if self.render_mode == "rgb_array":
            return pixels.draw_table(self.ruleset, self._states[0])
        if self._window is None:
            self._window = pixels.Window(fps=self.metadata["render_fps"])
        self._window.show(self.ruleset, self._states[0])
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    # Saving ----------------------------------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return all that the episode's future depends on, as plain arrays and ints; StateError before reset()."""
        if not hasattr(self, "agent_selection"):
            raise StateError("there is no episode to save yet: call reset() first.")
        return {
            "version": STATE_VERSION,
            "options": self._options.copy(),
            "state": self._states.copy(),
            "key": self._key,
            "selected": self._seat_of[self.agent_selection],
            "agents": np.array([agent in self.agents for agent in self.possible_agents]),
            "rewards": self._by_seat(self.rewards),
            "cumulative_rewards": self._by_seat(self._cumulative_rewards),
            "terminations": self._by_seat(self.terminations),
            "truncations": self._by_seat(self.truncations),
            "generator": _generator_words(self._generator),
        }

    def _by_seat(self, values: Mapping[str, float]) -> npt.NDArray[np.float64]:
        return np.array([values.get(agent, 0.0) for agent in self.possible_agents], dtype=np.float64)

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from what `get_state` returned, here or in another environment of the same rules; StateError else."""
        if state.get("version") != STATE_VERSION:
            raise StateError(f"this is no state of version {STATE_VERSION} of the environment.")
        missing = [name for name in _SAVED if name not in state]
        if missing:
            raise StateError(f"the state lacks {', '.join(missing)}.")
        if not np.array_equal(state["options"], self._options):
            raise StateError(f"the state was saved under other rules than {self.ruleset.name}.")
        seats = (len(self.possible_agents),)
        shapes = {"state": (1,), "generator": (6,), **dict.fromkeys(_BY_SEAT, seats)}
        odd = [name for name, shape in shapes.items() if np.shape(state[name]) != shape]
        if odd or state["state"].dtype != STATE:
            raise StateError(f"the state holds {', '.join(odd) or 'a record'} of another shape.")
        self._clear_books()
        self._states[:] = state["state"]
        self._key = int(state["key"])
        self._generator = _generator_from(state["generator"])
        self._restore_books(state)
        self.agent_selection = self.possible_agents[int(state["selected"])]
        if any(self.terminations.values()) or any(self.truncations.values()) or not self.agents:
            self._open_masks()
        else:
            self._show()

    def _restore_books(self, state: Mapping[str, Any]) -> None:
        alive = [seat for seat in range(self.ruleset.num_seats) if state["agents"][seat]]
        self.agents = [self.possible_agents[seat] for seat in alive]
        self.rewards = {self.possible_agents[seat]: float(state["rewards"][seat]) for seat in alive}
        self._cumulative_rewards = {self.possible_agents[s]: float(state["cumulative_rewards"][s]) for s in alive}
        self.terminations = {self.possible_agents[seat]: bool(state["terminations"][seat]) for seat in alive}
        self.truncations = {self.possible_agents[seat]: bool(state["truncations"][seat]) for seat in alive}
        self.infos = {agent: self.infos[agent] for agent in self.agents}
        self._paid = any(self.rewards.values())

    def clone(self) -> "EuchreAEC":
        """Return an independent environment in the same position, its generator included; it opens no window."""
        shown = None if self.render_mode == "human" else self.render_mode
        other = type(self)(**(self._arguments() | {"render_mode": shown}))
        other.set_state(self.get_state())
        return other

    def _arguments(self) -> dict[str, Any]:
        names = ("ruleset", "episode", "reward", "canonical_suits", "max_hands", "render_mode")
        return {name: getattr(self, name) for name in names}

    def __getstate__(self) -> dict[str, Any]:
        """Give copies and other processes the arguments and the position."""
        return {"arguments": self._arguments(), "state": self.get_state() if hasattr(self, "agent_selection") else None}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(**saved["arguments"])  # type: ignore[misc]
        if saved["state"] is not None:
            self.set_state(saved["state"])


def seen_space() -> spaces.Dict:
    """Return the space of what a seat sees: `observation` and `action_mask`, both int8."""
    low, high = bounds()
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), dtype=np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int8), "action_mask": mask})


def _info(mask: npt.NDArray[np.int8]) -> dict[str, Any]:
    return {"action_mask": mask}


def _check_setting(setting: Mapping[str, Any]) -> None:
    """Refuse what is no list or no seat at all; `Game` checks the rest."""
    for name in ("deck", "scores"):
        value = setting.get(name)
        if value is not None and (isinstance(value, str) or (not isinstance(value, Sequence) and np.ndim(value) != 1)):
            raise StateError(f"{name} is {value!r}: it must be a list.")


def _generator_words(generator: np.random.Generator) -> npt.NDArray[np.uint64]:
    """Return a PCG64 generator's state as six words."""
    state = generator.bit_generator.state
    halves = [word for name in ("state", "inc") for word in divmod(state["state"][name], 2**64)]
    return np.array([*halves, state["has_uint32"], state["uinteger"]], dtype=np.uint64)


def _generator_from(words: npt.NDArray[np.uint64]) -> np.random.Generator:
    high, low, inc_high, inc_low, has_half, half = (int(word) for word in words)
    bits = np.random.PCG64()
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": high * 2**64 + low, "inc": inc_high * 2**64 + inc_low},
        "has_uint32": has_half,
        "uinteger": half,
    }
    return np.random.Generator(bits)
