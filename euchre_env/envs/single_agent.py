"""EuchreSeatEnv: one seat of a table as a Gymnasium environment, players of ours at the others.

Episodes, set-up and pictures are `EuchreAEC`'s; here is what the seat meets between two turns of its own.
`seat_vector.py` has thousands of such tables at once. `import euchre_env` registers both as "euchre_env/Euchre-v0".

>>> import gymnasium, euchre_env
>>> env = gymnasium.make("euchre_env/Euchre-v0", ruleset="tournament", opponents="random", partner="random")
>>> observation, info = env.reset(seed=1, options={"dealer": 3})
>>> np.flatnonzero(info["action_mask"]).tolist()  # pass, order up, order up alone
[33, 34, 35]
"""

from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import gymnasium
import numpy as np
import numpy.typing as npt

from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.envs.aec import Episode, EuchreAEC, Observation, RenderMode, Reward
from euchre_env.envs.company import Company, Player, random_legal, seeds_of
from euchre_env.envs.wrapper import Illegal, check_illegal
from euchre_env.errors import IllegalActionError, StateError, finite, whole_number
from euchre_env.ruleset import Ruleset

Seat = int | Literal["random"]
Step = tuple[Observation, float, bool, bool, dict[str, Any]]

_SEAT_NUMBER = 1 << 40  # the "decision" whose seed draws the seat
_DEFAULT: Player = "rule_based"

if TYPE_CHECKING:
    _Env = gymnasium.Env[Observation, int]
else:
    _Env = gymnasium.Env  # not generic at run time everywhere


class EuchreSeatEnv(_Env):
    """One seat against, and with, players of ours.

    `ruleset`, `episode`, `reward`, `canonical_suits`, `max_hands`, `render_mode`: as in `euchre_v0.env`. `seat`: which
    one, or "random": another one every episode. `opponents`, `partner`: a player's name (`policies.names()`), a
    checkpoint (after `import agents`), or a `Policy`; `opponents` may also be a list, one for each of their seats
    clockwise; `partner` sits across in games of four. `illegal`: an illegal action may "terminate" the episode with
    `illegal_reward`, "raise" IllegalActionError, or have a "random" one played. ValueError names a wrong argument.

    The observation is a dict of `observation` and `action_mask`, both int8; the mask is also in the info. A step's
    reward is all that the seat was paid since its action before. An episode may end before the seat's first turn (its
    partner plays alone): `reset` then shows the end under a mask of ones, and one step, whatever its action, is paid
    and terminates; so no reward is lost.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": EuchreAEC.metadata["render_modes"],
        "render_fps": EuchreAEC.metadata["render_fps"],
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "north_american",
        *,
        seat: Seat = 0,
        opponents: Player | Sequence[Player] = _DEFAULT,
        partner: Player = _DEFAULT,
        episode: Episode = "game",
        reward: Reward = "zero_sum",
        canonical_suits: bool = False,
        illegal: Illegal = "terminate",
        illegal_reward: float = -1.0,
        max_hands: int = 200,
        render_mode: RenderMode | None = None,
    ) -> None:
        self.table = EuchreAEC(ruleset, episode, reward, canonical_suits, max_hands, render_mode)
        self.ruleset = self.table.ruleset
        self.company = Company(self.ruleset, partner, opponents)
        self._asked_seat = check_seat(self.ruleset, seat)
        self.illegal = check_illegal(illegal)
        self._illegal_reward = finite("illegal_reward", illegal_reward)
        self.render_mode = render_mode
        first = self.table.possible_agents[0]
        self.observation_space: Any = self.table.observation_space(first)
        self.action_space: Any = self.table.action_space(first)
        self._over = True
        self._unpaid = False
        self.seat = 0

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode and play up to the seat's first turn; `options` as for `EuchreAEC.reset`."""
        super().reset(seed=seed)
        self.table.reset(seed=seed, options=options)
        self._key = np.array([self.table.key], dtype=np.uint64)
        self._count = np.zeros(1, dtype=np.int64)
        self._rng = np.random.default_rng(self.table.key)
        self.seat = int(seats_of(self._asked_seat, self._key, self.ruleset.num_seats)[0])
        self._agent = self.table.possible_agents[self.seat]
        self._earned = 0.0
        self._over = False
        self._play_on()
        self._unpaid = self._is_done()
        return self._seen(), self._info()

    def step(self, action: int) -> Step:
        """Play an action and go on to the seat's next turn; StateError once the episode is over.

        Returns observation, reward, terminated, truncated and info.
        """
        if self._over:
            raise StateError("the episode is over, or there is none yet: call reset().")
        if not self._unpaid:
            number = self._legal(action)
            if number is None:
                return self._forfeit()
            self._act(number)
            self._play_on()
        self._unpaid = False
        self._over = self._is_done()
        truncated = self.table.truncations[self._agent]
        return self._seen(), self._paid_out(), self.table.terminations[self._agent], truncated, self._info()

    def _paid_out(self) -> float:
        """Return what was earned since the last step; before the first one it was earned in hands without a turn."""
        earned, self._earned = self._earned, 0.0
        return earned

    def _legal(self, action: int) -> int | None:
        """Return a legal action, drawn if need be; None for an illegal one that ends the episode."""
        number = whole_number("action", index(action), 0, NUM_ACTIONS - 1)
        if self.table.is_legal(number):
            return number
        if self.illegal == "raise":
            raise IllegalActionError(self.table.why_not(number))
        if self.illegal == "terminate":
            return None
        legal = np.array([self.table.legal_set], dtype=np.int64)
        return int(random_legal(legal, self._next_seed())[0])

    def _forfeit(self) -> Step:
        self._over = True
        self._mask = np.ones(NUM_ACTIONS, dtype=np.int8)
        shown = {"observation": self.table.observe(self._agent)["observation"], "action_mask": self._mask.copy()}
        return shown, self._paid_out() + self._illegal_reward, True, False, self._info()

    def _is_done(self) -> bool:
        return self.table.terminations[self._agent] or self.table.truncations[self._agent]

    def _act(self, number: int) -> None:
        self.table.step(number)
        self._earned += self.table.rewards[self._agent]

    def _play_on(self) -> None:
        """Have the others play until the seat is to move or the episode is over."""
        own = np.array([self.seat])
        while not self._is_done() and self.table.agent_selection != self._agent:
            views, legal = self.table.view()
            number = int(self.company.numbers(views["turn"], own)[0])
            action = self.company.act(number, views, legal, self._next_seed(), self._rng)
            self._act(self.table.shown_action(int(action[0])))

    def _next_seed(self) -> npt.NDArray[np.uint64]:
        seed = seeds_of(self._key, self._count)
        self._count += 1
        return seed

    def _seen(self) -> Observation:
        seen = self.table.observe(self._agent)
        self._mask = seen["action_mask"]
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seat": self.seat}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return what the seat may do as bools `[NUM_ACTIONS]`, as sb3-contrib asks for it."""
        if self._over and not hasattr(self, "_mask"):
            raise StateError("there is no episode yet: call reset().")
        return self._mask.astype(np.bool_)

    def render(self) -> Any:
        """Return or show a picture of the table: see `EuchreAEC.render`."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()


def check_seat(ruleset: Ruleset, seat: object) -> int:
    """Return a seat, or -1 for "random"; ValueError for anything else."""
    if isinstance(seat, str):
        if seat != "random":
            raise ValueError(f"seat is {seat!r}: give its number or 'random'.")
        return -1
    return whole_number("seat", seat, 0, ruleset.num_seats - 1)


def seats_of(asked: int, keys: npt.NDArray[np.uint64], num_seats: int) -> npt.NDArray[np.int64]:
    """Return the own seat in the episodes of these keys `[K]`: the one asked for, or, for -1, drawn ones."""
    if asked >= 0:
        return np.full(len(keys), asked, dtype=np.int64)
    words = seeds_of(keys, np.full(len(keys), _SEAT_NUMBER, dtype=np.int64))
    return ((words >> np.uint64(32)) * np.uint64(num_seats) >> np.uint64(32)).astype(np.int64)
