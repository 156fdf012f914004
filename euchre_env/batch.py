"""GameBatch: thousands of tables of one ruleset, stepped in place by one call.

The rows of all arrays are tables. A table's deals depend on its key and counters alone (`decks.py`), so results do not
depend on how many tables run. What a step pays is `rewards.py`, what a seat sees `engine/observe.py`.

>>> batch = GameBatch("tournament", 2, seed=1)
>>> before = batch.turn.copy()
>>> batch.step([33, 33])  # both pass
>>> [(a + 1) % 4 == b for a, b in zip(before, batch.turn)]
[True, True]
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from euchre_env import equity, rewards, rulesets
from euchre_env.decks import first_dealer, random_word, shuffle
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import NUM_ACTIONS, STATE, Phase
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE, encode, encode_hidden, hide
from euchre_env.engine.step import apply, deal, legal_mask, new_game
from euchre_env.engine.suits import IDENTITY, canonical_permutation, inverse, relabel_action, relabel_mask
from euchre_env.errors import StateError
from euchre_env.rewards import draw_scores, pay
from euchre_env.ruleset import Ruleset

Episode = Literal["hand", "game"]
Ints = Sequence[int] | npt.NDArray[np.integer[Any]]

EPISODES = ("hand", "game")

_DEAL = int(Phase.DEAL)
_OVER = int(Phase.OVER)
_HAND_EPISODE = 0

# What a table keeps beside its game.
_TABLE = np.dtype(
    [
        ("key", np.uint64),
        ("perm", np.int64),  # the mover's suits as shown, suits.py
        ("episode", np.int64),
        ("dealer", np.int8),  # the first dealer of every episode, or -1: drawn
        ("scores", np.int16, (4,)),  # at the start of every episode
    ],
    align=True,
)

_SETTINGS = np.dtype(
    [
        ("episode", np.int8),
        ("reward", np.int8),
        ("observe", np.int8),
        ("hidden", np.int8),
        ("canonical", np.int8),
        ("skip_forced", np.int8),
        ("autoreset", np.int8),
        ("draw_scores", np.int8),
        ("max_hands", np.int32),
    ],
    align=True,
)

# Rows of the flags array.
_DONE, _TRUNCATED, _HAND_OVER = range(3)


@kernel
def _next_deal(opt: Any, s: Any, table: Any, deck: Any) -> None:
    shuffle(opt["deck"], table["key"], table["episode"], s["hand"], s["redeal"], deck)
    deal(opt, s, deck)


@kernel
def _begin(opt: Any, config: Any, s: Any, table: Any, deck: Any) -> None:
    """Start a table's next episode."""
    dealer = np.int64(table["dealer"])
    if dealer < 0:
        dealer = first_dealer(table["key"], table["episode"], opt["num_seats"])
    new_game(opt, s, dealer)
    for side in range(4):
        s["scores"][side] = table["scores"][side]
    if config["draw_scores"]:
        draw_scores(opt, random_word(table["key"], table["episode"]), s["scores"])
    _next_deal(opt, s, table, deck)


@kernel
def _pay_hand(opt: Any, config: Any, s: Any, equities: Any, paid: Any, before: Any, reward: Any) -> None:
    """Add what the hand that just ended pays to this step's rewards."""
    for side in range(4):
        before[side] = s["scores"][side] - s["points"][side]
    pay(config["reward"], opt, s, before, equities, paid)
    for seat in range(4):
        reward[seat] += paid[seat]


@kernel
def _is_done(config: Any, s: Any) -> Any:
    return config["episode"] == _HAND_EPISODE or s["phase"] == _OVER or s["hand"] >= config["max_hands"]


@kernel
def _settle(
    opt: Any, config: Any, i: Any, states: Any, tables: Any, finished: Any, flags: Any, rewards: Any, equities: Any,
    deck: Any, paid: Any, before: Any,
) -> Any:  # fmt: skip
    """Deal, score and start episodes until a decision is due; return its legal mask, 0 for a table at rest."""
    s, table = states[i], tables[i]
    while True:
        mask = legal_mask(opt, s)
        if mask & (mask - 1) != 0 or (mask != 0 and not config["skip_forced"]):
            return mask
        if mask != 0:
            apply(opt, s, lowest(mask))
            continue
        if s["redeal"] == 0:
            finished[i] = s
            flags[_HAND_OVER, i] = 1
            _pay_hand(opt, config, s, equities, paid, before, rewards[i])
            if _is_done(config, s):
                flags[_DONE, i] = 1
                flags[_TRUNCATED, i] = config["episode"] != _HAND_EPISODE and s["phase"] != _OVER
                table["episode"] += 1
                if not config["autoreset"]:
                    return mask
                _begin(opt, config, s, table, deck)
                return legal_mask(opt, s)
        _next_deal(opt, s, table, deck)


@kernel
def _show(
    opt: Any, config: Any, i: Any, mask: Any, states: Any, tables: Any, turn: Any, legal: Any, observations: Any, hidden: Any
) -> None:  # fmt: skip
    """Write what the seat to move gets."""
    s = states[i]
    seat = np.int64(s["turn"])
    turn[i] = seat
    legal[i] = mask
    if mask == 0:
        return
    perm = np.int64(IDENTITY)
    if config["canonical"]:
        perm = canonical_permutation(opt, s, seat)
        tables[i]["perm"] = perm
        legal[i] = relabel_mask(mask, perm)
    if config["observe"]:
        encode(opt, s, seat, perm, observations[i])
    if config["hidden"]:
        encode_hidden(opt, s, seat, perm, hidden[i])


@kernel
def _reset_tables(
    options: Any, configs: Any, states: Any, tables: Any, turn: Any, legal: Any, observations: Any, hidden: Any, flags: Any,
    rewards: Any, deck: Any,
) -> None:  # fmt: skip
    opt, config = options[0], configs[0]
    flags[:] = 0
    rewards[:] = 0
    for i in range(len(states)):
        _begin(opt, config, states[i], tables[i], deck)
        _show(opt, config, i, legal_mask(opt, states[i]), states, tables, turn, legal, observations, hidden)


@kernel
def _step_tables(
    options: Any, configs: Any, states: Any, tables: Any, turn: Any, legal: Any, observations: Any, hidden: Any, flags: Any,
    rewards: Any, deck: Any, actions: Any, finished: Any, equities: Any, paid: Any, before: Any,
) -> None:  # fmt: skip
    opt, config = options[0], configs[0]
    flags[:] = 0
    rewards[:] = 0
    for i in range(len(states)):
        if legal[i] == 0:
            continue
        action = np.int64(actions[i])
        if config["canonical"]:
            action = relabel_action(action, inverse(tables[i]["perm"]))
        apply(opt, states[i], action)
        mask = _settle(opt, config, i, states, tables, finished, flags, rewards, equities, deck, paid, before)
        _show(opt, config, i, mask, states, tables, turn, legal, observations, hidden)


@kernel
def _views(options: Any, states: Any, rows: Any, seats: Any, out: Any) -> None:
    opt = options[0]
    for k in range(len(rows)):
        out[k] = states[rows[k]]
        hide(opt, out[k], seats[k])


@kernel
def _encode_views(
    options: Any, views: Any, seats: Any, canonical: Any, observations: Any, legal: Any, perms: Any
) -> None:
    opt = options[0]
    for k in range(len(views)):
        perms[k] = canonical_permutation(opt, views[k], seats[k]) if canonical else IDENTITY
        encode(opt, views[k], seats[k], perms[k], observations[k])
        if seats[k] == views[k]["turn"]:
            legal[k] = relabel_mask(legal_mask(opt, views[k]), perms[k])


@kernel
def _restore_actions(actions: Any, perms: Any, out: Any) -> None:
    for k in range(len(actions)):
        out[k] = relabel_action(actions[k], inverse(perms[k]))


def masks(legal: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """Return action sets [N] as masks [N, NUM_ACTIONS] of 0 and 1."""
    return (legal[:, None] >> np.arange(NUM_ACTIONS) & 1).astype(np.int8)


class EncodedViews:
    """Observations [N, OBSERVATION_SIZE] and legal sets [N] of views, and the way back from shown to real actions."""

    def __init__(self, ruleset: str | Ruleset, views: npt.NDArray[np.void], canonical_suits: bool = False) -> None:
        rows = len(views)
        self.observations = np.empty((rows, OBSERVATION_SIZE), dtype=np.int8)
        self.legal = np.zeros(rows, dtype=np.int64)
        self._perms = np.empty(rows, dtype=np.int64)
        options = rulesets.get(ruleset).to_options()
        seats = views["turn"].astype(np.int64)
        _encode_views(options, views, seats, canonical_suits, self.observations, self.legal, self._perms)

    def real_actions(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return shown actions [N] in the suits of the table."""
        out = np.empty(len(actions), dtype=np.int64)
        _restore_actions(np.asarray(actions, dtype=np.int64), self._perms, out)
        return out


class GameBatch:
    """`num_tables` games in step; every array below is updated in place by `step` and `reset`.

    Attributes: `states` [N] STATE, `turn` [N] int8 the seat to move (-1 at rest), `legal` [N] int64 its legal actions as
    a set (0 at rest), `observations` [N, OBSERVATION_SIZE] and `hidden` [N, HIDDEN_SIZE] int8 of that seat, `rewards`
    [N, 4] float32 what the step paid each seat, `dones`, `truncated`, `hand_over` [N] bool, `finished` [N] STATE the hand
    that ended last. An episode is one hand or a game; a game of `max_hands` hands is truncated. With `autoreset` the row
    of a finished episode already shows the next one, without it the table rests. `canonical_suits` shows observations
    and legal sets, and takes actions, in the mover's canonical suits; `skip_forced` plays moves without a choice.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "tournament",
        num_tables: int = 4096,
        *,
        episode: Episode = "hand",
        seed: int | None = None,
        keys: Ints | None = None,
        dealers: Ints | None = None,
        scores: npt.ArrayLike | None = None,
        reward: str = "zero_sum",
        observe: bool = True,
        hidden: bool = False,
        canonical_suits: bool = False,
        skip_forced: bool = False,
        autoreset: bool = True,
        max_hands: int = 200,
    ) -> None:
        if num_tables < 1:
            raise ValueError(f"num_tables is {num_tables}: a batch needs at least one table.")
        if episode not in EPISODES:
            raise ValueError(f"episode is {episode!r}: choose 'hand' or 'game'.")
        if max_hands < 1:
            raise ValueError(f"max_hands is {max_hands}: a game needs at least one hand.")
        self.ruleset = rulesets.get(ruleset)
        self.num_tables = num_tables
        self._options = self.ruleset.to_options()
        self._config = np.zeros(1, dtype=_SETTINGS)
        self._config["episode"] = EPISODES.index(episode)
        self._config["reward"] = rewards.mode_id(reward, episode)
        self._config["observe"] = observe
        self._config["hidden"] = hidden
        self._config["canonical"] = canonical_suits
        self._config["skip_forced"] = skip_forced
        self._config["autoreset"] = autoreset
        self._config["max_hands"] = max_hands
        self._equities = equity.table(self.ruleset) if reward == "equity" else rewards.NO_TABLE
        self._draws_scores = reward == "equity" and episode == "hand"
        self._allocate(observe, hidden)
        self._bind()
        self.reset(seed=seed, keys=keys, dealers=dealers, scores=scores)

    def _allocate(self, observe: bool, hidden: bool) -> None:
        n = self.num_tables
        self.states = np.zeros(n, dtype=STATE)
        self.finished = np.zeros(n, dtype=STATE)
        self.turn = np.zeros(n, dtype=np.int8)
        self.legal = np.zeros(n, dtype=np.int64)
        self.rewards = np.zeros((n, 4), dtype=np.float32)
        self.observations = np.zeros((n if observe else 0, OBSERVATION_SIZE), dtype=np.int8)
        self.hidden = np.zeros((n if hidden else 0, HIDDEN_SIZE), dtype=np.int8)
        self._flags = np.zeros((3, n), dtype=np.uint8)
        self._tables = np.zeros(n, dtype=_TABLE)

    def _bind(self) -> None:
        """Name the rows of the flags and the kernels' arguments once."""
        self.dones = self._flags[_DONE].view(np.bool_)
        self.truncated = self._flags[_TRUNCATED].view(np.bool_)
        self.hand_over = self._flags[_HAND_OVER].view(np.bool_)
        self.episodes = self._tables["episode"]
        self._reset_args = (
            self._options, self._config, self.states, self._tables, self.turn, self.legal, self.observations, self.hidden,
            self._flags, self.rewards, np.zeros(self.ruleset.deck, dtype=np.int8),
        )  # fmt: skip
        paid, before = np.zeros(4, dtype=np.float32), np.zeros(4, dtype=np.int16)
        self._step_rest = (self.finished, self._equities, paid, before)

    def reset(
        self,
        seed: int | None = None,
        keys: Ints | None = None,
        dealers: Ints | None = None,
        scores: npt.ArrayLike | None = None,
    ) -> None:
        """Start all tables afresh: keys [N] as given or drawn from `seed`, first dealers [N] and scores [N, sides] fixed or not.

        StateError names a dealer or score that the ruleset does not have.
        """
        if keys is None:
            keys = np.random.default_rng(seed).integers(2**63, size=self.num_tables, dtype=np.uint64)
        self._tables["key"] = self._column("keys", keys)
        self._tables["episode"] = 0
        self._tables["dealer"] = -1 if dealers is None else self._column("dealers", dealers)
        if dealers is not None and not np.isin(self._tables["dealer"], range(self.ruleset.num_seats)).all():
            raise StateError(f"a first dealer is a seat from 0 to {self.ruleset.num_seats - 1}.")
        self._tables["scores"] = 0
        if scores is not None:
            self._set_scores(np.asarray(scores))
        self._config["draw_scores"] = self._draws_scores and scores is None
        _reset_tables(*self._reset_args)

    def _column(self, name: str, values: Ints) -> npt.NDArray[np.integer[Any]]:
        column = np.asarray(values)
        if column.shape != (self.num_tables,):
            raise ValueError(f"{name} has shape {column.shape}: it needs one number for each of {self.num_tables} tables.")
        return column

    def _set_scores(self, scores: npt.NDArray[Any]) -> None:
        shape = (self.num_tables, self.ruleset.num_sides)
        if scores.shape != shape:
            raise ValueError(f"scores has shape {scores.shape}: it needs {shape}, a number for each table and side.")
        if not ((scores >= 0) & (scores < self.ruleset.target)).all():
            raise StateError(f"scores at the start lie from 0 to {self.ruleset.target - 1} (2.8).")
        self._tables["scores"][:, : shape[1]] = scores

    def step(self, actions: Ints) -> None:
        """Carry out one action per table, legal as the rows of `legal` say (unchecked); tables at rest ignore theirs."""
        _step_tables(*self._reset_args, np.asarray(actions), *self._step_rest)

    def masks(self) -> npt.NDArray[np.int8]:
        """Return the legal sets as masks [N, NUM_ACTIONS] of 0 and 1."""
        return masks(self.legal)

    def views(self, rows: Ints, seats: Ints | None = None) -> npt.NDArray[np.void]:
        """Return what the seats to move (or the given ones) may know at these tables, [len(rows)] STATE."""
        index = np.asarray(rows, dtype=np.int64)
        who = self.turn[index] if seats is None else np.asarray(seats)
        out = np.empty(len(index), dtype=STATE)
        _views(self._options, self.states, index, who.astype(np.int64), out)
        return out

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Return copies of all arrays, plain enough for any file format; `set_state` goes on exactly from there."""
        return {name: getattr(self, name).copy() for name in self._saved()}

    def set_state(self, state: dict[str, npt.NDArray[Any]]) -> None:
        """Go on from `get_state` of a batch of the same shape; StateError if it does not fit."""
        for name in self._saved():
            if name not in state or state[name].shape != getattr(self, name).shape:
                raise StateError(f"the saved batch has no {name} of shape {getattr(self, name).shape}.")
        for name in self._saved():
            getattr(self, name)[...] = state[name]

    @staticmethod
    def _saved() -> tuple[str, ...]:
        return ("states", "finished", "turn", "legal", "rewards", "observations", "hidden", "_flags", "_tables", "_config")

    def clone(self) -> "GameBatch":
        """Return an independent batch in the same state."""
        twin = object.__new__(GameBatch)
        twin.__dict__.update(self.__dict__)
        for name in self._saved():
            setattr(twin, name, getattr(self, name).copy())
        twin._bind()
        return twin
