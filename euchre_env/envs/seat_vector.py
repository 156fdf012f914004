"""EuchreSeatVectorEnv: one seat each of thousands of tables, as a Gymnasium vector environment.

Table i plays as an `EuchreSeatEnv` with the seed `seed + i` does, in all three autoreset modes.

>>> import gymnasium, euchre_env
>>> envs = gymnasium.make_vec("euchre_env/Euchre-v0", num_envs=3, vectorization_mode="vector_entry_point",
...                           ruleset="tournament", opponents="random", partner="random")
>>> observations, infos = envs.reset(seed=1)
>>> observations["observation"].shape[0], infos["action_mask"].shape
(3, (3, 62))
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from euchre_env.batch import MAX_TABLES, GameBatch
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs.action_space import ActionSpace
from euchre_env.envs.aec import Episode, Observation, Reward, seen_space
from euchre_env.envs.autoreset import AutoresetMode, as_mode, tables_to_reset, whole_actions
from euchre_env.envs.company import Company, Player, random_legal, seeds_of
from euchre_env.envs.single_agent import Seat, check_seat, seats_of
from euchre_env.envs.wrapper import Illegal, check_illegal
from euchre_env.errors import IllegalActionError, StateError, finite, flag, whole_number
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.views import encode_all, masks, restore_actions

Bools = npt.NDArray[np.bool_]
Step = tuple[Observation, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]
_ALL = (1 << NUM_ACTIONS) - 1
Rows = npt.NDArray[np.integer[Any]]
WAIT = -1
_MAX_SEED = 2**63
_BLOCK = 32  # keys drawn from a table's generator at once


class EuchreSeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` tables, the seat of each against, and with, players of ours; the arguments are `EuchreSeatEnv`'s.

    `autoreset_mode`: a finished table starts its next episode in the next step, which ignores its action ("NextStep"),
    in the same step, with the end in `infos["final_obs"]` ("SameStep"), or by `reset(options={"reset_mask": [N] bool})`
    ("Disabled"). A player that is neither `exact` nor has `act_seeded` (a network) gets one generator for all tables.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        *,
        num_envs: int = 1,
        seat: Seat = 0,
        opponents: Player | Sequence[Player] = "rule_based",
        partner: Player = "rule_based",
        episode: Episode = "game",
        reward: Reward = "zero_sum",
        canonical_suits: bool = False,
        illegal: Illegal = "terminate",
        illegal_reward: float = -1.0,
        max_hands: int = 200,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.batch = GameBatch(
            ruleset,
            whole_number("num_envs", num_envs, 1, MAX_TABLES),
            episode=episode,
            reward=reward,
            canonical_suits=False,
            autoreset=False,
            observe=False,
            max_hands=max_hands,
        )
        self.ruleset, self.num_envs = self.batch.ruleset, self.batch.num_tables
        self.company = Company(self.ruleset, partner, opponents)
        self.autoreset_mode = as_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self._options = self.ruleset.to_options()
        self._canonical = flag("canonical_suits", canonical_suits)
        self._asked_seat = check_seat(self.ruleset, seat)
        self.reward = reward
        self._illegal, self._illegal_reward = check_illegal(illegal), finite("illegal_reward", illegal_reward)
        self.single_observation_space = seen_space()
        self.single_action_space = ActionSpace(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._begun = False
        self._allocate()

    def _allocate(self) -> None:
        n = self.num_envs
        self._generators: list[np.random.Generator] = []
        self._blocks = np.zeros((n, _BLOCK), dtype=np.int64)  # the next keys of each table
        self._next_key = np.zeros(n, dtype=np.int64)
        self._keys = np.zeros(n, dtype=np.uint64)
        self._counts = np.zeros(n, dtype=np.int64)  # decisions that were drawn in this episode
        self._seats = np.zeros(n, dtype=np.int64)
        self._earned = np.zeros(n, dtype=np.float64)
        self._done = np.zeros(n, dtype=np.bool_)  # the episode is over
        self._truncated = np.zeros(n, dtype=np.bool_)
        self._told = np.zeros(n, dtype=np.bool_)  # and the seat has been told so
        self._legal = np.zeros(n, dtype=np.int64)  # as shown
        self._perms = np.zeros(n, dtype=np.int64)

    # Episodes --------------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode at every table, or at those of `options["reset_mask"]` `[N]` bool.

        `seed`: table i gets `seed + i`, or the i-th of a list; without one chance goes on where it was. Decks, dealers
        and scores are set up in `EuchreSeatEnv` alone: StateError.
        """
        rows = tables_to_reset(options, self.num_envs, begun=self._begun)
        self._seed(seed, rows)
        self._begun = True
        self._start(rows)
        self._play_on()
        return self._seen(), self._infos()

    def _seed(self, seed: int | Sequence[int | None] | None, rows: Rows) -> None:
        """Give these tables generators of their own, as `EuchreAEC.reset` does."""
        seeds = _spread(seed, self.num_envs)
        super().reset(seed=seeds[0])
        if not self._begun:
            self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
            self._next_key[:] = _BLOCK
            self._rng = np.random.default_rng()
        for row in rows:
            if seeds[row] is not None:
                self._generators[row] = np.random.default_rng(seeds[row])
                self._next_key[row] = _BLOCK
        if seeds[int(rows[0])] is not None:
            self._rng = np.random.default_rng(seeds[int(rows[0])])

    def _draw_keys(self, rows: Rows) -> npt.NDArray[np.uint64]:
        for row in rows[self._next_key[rows] == _BLOCK]:
            self._blocks[row] = self._generators[row].integers(2**63, size=_BLOCK)
            self._next_key[row] = 0
        keys = self._blocks[rows, self._next_key[rows]]
        self._next_key[rows] += 1
        return keys.astype(np.uint64)

    def _start(self, rows: Rows) -> None:
        """Deal these tables' next episodes."""
        keys = self._draw_keys(rows)
        self.batch.restart(rows, keys)
        self._keys[rows], self._counts[rows] = keys, 0
        self._seats[rows] = seats_of(self._asked_seat, keys, self.ruleset.num_seats)
        self._earned[rows] = 0.0
        self._done[rows] = self._truncated[rows] = self._told[rows] = False

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play an action of each seat `[N]` and go on to its next turn; the actions of tables that start are ignored.

        Returns observations, rewards, terminated and truncated `[N]`, and infos. StateError without `reset`, and where
        a finished table waits for one; ValueError for what is no action; IllegalActionError where `illegal` says so.
        """
        starting = self._told.copy()
        self._check_begun(starting)
        playing = ~starting & ~self._done
        chosen = self._checked(actions, playing)
        self._start(np.flatnonzero(starting))
        self._carry_out(chosen, playing)
        self._play_on()
        return self._tell(~starting)

    def _check_begun(self, finished: Bools) -> None:
        if not self._begun:
            raise StateError("there are no episodes yet: call reset().")
        if self.autoreset_mode is AutoresetMode.DISABLED and finished.any():
            raise StateError(
                f"table {np.flatnonzero(finished)[0]} is over: reset(options={{'reset_mask': ...}}) starts it again."
            )

    def _checked(self, actions: npt.ArrayLike, playing: Bools) -> npt.NDArray[np.int64]:
        """Return the actions; one that is not legal becomes what `illegal` says, WAIT for a forfeit."""
        chosen = whole_actions(actions, self.num_envs)
        outside = playing & ((chosen < 0) | (chosen >= NUM_ACTIONS))
        if outside.any():
            raise ValueError(f"action is {chosen[outside][0]}: ids run from 0 to {NUM_ACTIONS - 1}.")
        illegal = playing.copy()
        illegal[playing] = self._legal[playing] >> chosen[playing] & 1 == 0
        rows = np.flatnonzero(illegal)
        if len(rows) == 0:
            return chosen
        if self._illegal == "raise":
            raise IllegalActionError(self._why_not(int(rows[0]), int(chosen[rows[0]])))
        chosen[rows] = random_legal(self._legal[rows], self._next_seeds(rows)) if self._illegal == "random" else WAIT
        return chosen

    def _why_not(self, row: int, action: int) -> str:
        game = Game.at(self.ruleset, self.batch.states[row : row + 1])
        return f"table {row}: {game.why_not(int(self._real(np.array([action]), np.array([row]))[0]))}"

    def _real(self, actions: npt.NDArray[np.int64], rows: Rows) -> npt.NDArray[np.int64]:
        """Return shown actions in the suits of the table."""
        out = np.empty(len(rows), dtype=np.int64)
        restore_actions(actions, self._perms[rows], out)
        return out

    def _carry_out(self, chosen: npt.NDArray[np.int64], playing: Bools) -> None:
        """Play the own actions; a forfeit ends the episode instead."""
        forfeit = playing & (chosen == WAIT)
        self._earned[forfeit] += self._illegal_reward
        self._done |= forfeit
        rows = np.flatnonzero(playing & ~forfeit)
        actions = np.full(self.num_envs, WAIT, dtype=np.int64)
        actions[rows] = self._real(chosen[rows], rows)
        self._pass_on(actions)

    def _play_on(self) -> None:
        """Have the others play until every seat is to move or its episode is over."""
        batch = self.batch
        while len(rows := np.flatnonzero((batch.turn != self._seats) & ~self._done)):
            views, legal, seeds = batch.views(rows), batch.legal[rows], self._next_seeds(rows)
            numbers = self.company.numbers(batch.turn[rows], self._seats[rows])
            actions = np.full(self.num_envs, WAIT, dtype=np.int64)
            for number in np.unique(numbers):
                at = numbers == number
                actions[rows[at]] = self.company.act(int(number), views[at], legal[at], seeds[at], self._rng)
            self._pass_on(actions)
        self._look()

    def _next_seeds(self, rows: Rows) -> npt.NDArray[np.uint64]:
        seeds = seeds_of(self._keys[rows], self._counts[rows])
        self._counts[rows] += 1
        return seeds

    def _pass_on(self, actions: npt.NDArray[np.int64]) -> None:
        self.batch.step(actions)
        self._earned += self.batch.rewards[np.arange(self.num_envs), self._seats]
        self._done |= self.batch.dones
        self._truncated |= self.batch.truncated

    # What the seats are told -----------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Write down what every seat sees and may do; once an episode is over, everything."""
        self._observations = np.empty((self.num_envs, OBSERVATION_SIZE), dtype=np.int8)
        encode_all(
            self._options, self.batch.states, self._seats, self._canonical, self._observations, self._legal, self._perms
        )
        self._legal[self._done] = _ALL
        self._masks = masks(self._legal)

    def _seen(self) -> Observation:
        return {"observation": self._observations, "action_mask": self._masks}

    def _infos(self) -> dict[str, Any]:
        """Return the infos of all tables as Gymnasium's vector environments do: `_name` says whose there are."""
        every = np.ones(self.num_envs, dtype=np.bool_)
        return {
            "action_mask": self._masks.copy(),
            "_action_mask": every,
            "seat": self._seats.copy(),
            "_seat": every.copy(),
        }

    def _tell(self, asked: Bools) -> Step:
        """Return a step's results; a table that has just started tells nothing of its last episode."""
        # What was earned before the first turn, in hands without one, is paid with the first step.
        rewards = np.where(asked, self._earned, 0.0)
        self._earned[asked] = 0.0
        terminated, truncated = self._done & ~self._truncated & asked, self._truncated & asked
        self._told = self._done & asked
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._told.any():
            final = self._final()
            self._start(np.flatnonzero(self._told))
            self._play_on()
        return self._seen(), rewards, terminated, truncated, self._infos() | final

    def _final(self) -> dict[str, Any]:
        """Return the last observations and infos of the tables that are over, as Gymnasium's SyncVectorEnv does."""
        over, seen, infos = self._told.copy(), self._seen(), self._infos()
        observations = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(over):
            observations[row] = {name: values[row] for name, values in seen.items()}
        for name in ("action_mask", "seat"):
            infos[name][~over] = 0
            infos[f"_{name}"] = over.copy()
        return {"final_obs": observations, "_final_obs": over.copy(), "final_info": infos, "_final_info": over.copy()}

    def action_masks(self) -> Bools:
        """Return what every seat may do as bools `[N, NUM_ACTIONS]`, as sb3-contrib asks for it."""
        if not self._begun:
            raise StateError("there are no episodes yet: call reset().")
        return masks(self._legal).astype(np.bool_)


def _spread(seed: int | Sequence[int | None] | None, num_envs: int) -> list[int | None]:
    """Return each table's seed, as Gymnasium's vector environments hand them out."""
    if seed is None:
        return [None] * num_envs
    if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
        first = whole_number("seed", seed, 0, _MAX_SEED)
        return [first + i for i in range(num_envs)]
    if len(seed) != num_envs:
        raise ValueError(f"seed names {len(seed)} seeds: it needs one for each of {num_envs} tables.")
    return [None if one is None else whole_number("seed", one, 0, _MAX_SEED) for one in seed]
