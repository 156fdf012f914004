"""No loss: what an observation says, read off the records once more, and one public history to one observation.

>>> from euchre_env.engine.observe import SEGMENTS
>>> {segment.name for segment in SEGMENTS} == {*_FACTS, "options"}
True
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NUM_CARDS, NUM_TRUMPS
from euchre_env.engine.layout import MAX_SEATS, NONE, NUM_BIDS, STATE, Phase
from euchre_env.engine.observe import EXTRA_SEGMENTS, bounds, columns
from euchre_env.ruleset import Ruleset
from euchre_env.testing.rows import Records, Seats, is_blind, observations, partners_of, require

Columns = npt.NDArray[Any]
_MAX_SIDES = 3
_AGES = 6
_HIDDEN = ("hands", "kitty", "buried", "given")
# Public, but no part of what a decision needs: counters, and what follows from the dealer or the trick on the table.
_COUNTERS = ("hand", "redeal", "next_dealer", "best_power", "winners")


def _cards(sets: Columns) -> Columns:
    """Return sets of cards as columns."""
    columns_of: Columns = sets[..., None] >> np.arange(NUM_CARDS) & 1
    return columns_of


def _one_of(values: Columns, size: int) -> Columns:
    """Return numbers from 0 as one column each; NONE sets no column."""
    chosen: Columns = values[..., None] == np.arange(size)
    return chosen


def _clockwise(rules: Ruleset, values: Columns, seats: Seats) -> Columns:
    """Return values by seat [N, 4, ...] from the observer on; nothing in places past the last seat."""
    order = (seats[:, None] + np.arange(MAX_SEATS)) % rules.num_seats
    turned: Columns = values[np.arange(len(values))[:, None], order]
    turned[:, rules.num_seats :] = 0
    return turned


def _seat(name: str) -> Callable[[Ruleset, Records, Seats], Columns]:
    return lambda rules, s, seats: _clockwise(rules, _one_of(s[name], MAX_SEATS), seats)


def _seats(name: str) -> Callable[[Ruleset, Records, Seats], Columns]:
    return lambda rules, s, seats: _clockwise(rules, s[name][:, None] >> np.arange(MAX_SEATS) & 1, seats)


def _by_seat(name: str) -> Callable[[Ruleset, Records, Seats], Columns]:
    return lambda rules, s, seats: _clockwise(rules, s[name], seats)


def _own(values: Columns, seats: Seats) -> Columns:
    own: Columns = values[np.arange(len(values)), seats]
    return own


def _hand(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    return _cards(np.where(is_blind(rules, s), 0, _own(s["hands"], seats)))


def _passed(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    return _cards(_own(s["given"], seats) | _own(s["given"], partners_of(rules, seats)))


def _played_ago(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    now = np.minimum(s["trick"], rules.hand_size - 1).astype(np.int64)
    tricks = now[:, None] - np.arange(_AGES)
    cards = np.take_along_axis(s["trick_cards"], np.maximum(tricks, 0), axis=1)
    return _cards(np.where(tricks >= 0, cards, 0))


def _own_sides(rules: Ruleset, values: Columns, seats: Seats) -> Columns:
    """Return values by side [N, 3 or more], the own side's first."""
    own = seats % 2 if rules.partners else seats
    turned = np.take_along_axis(values, (own[:, None] + np.arange(_MAX_SIDES)) % rules.num_sides, axis=1)
    turned[:, rules.num_sides :] = 0
    return turned


def _scores(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    return np.clip(_own_sides(rules, s["scores"], seats), -128, 127)


def _scores_beyond(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    scores = _own_sides(rules, s["scores"], seats).astype(np.int64)
    beyond = scores - np.clip(scores, -128, 127)
    whole, rest = divmod(np.abs(beyond), 128)
    return np.concatenate([np.sign(beyond) * whole, np.sign(beyond) * rest], axis=1)


def _tied(rules: Ruleset, s: Records, seats: Seats) -> Columns:
    return _own_sides(rules, s["extra_hand"][:, None] >> np.arange(MAX_SEATS) & 1, seats)


# By segment, what its columns should be.
_FACTS: dict[str, Callable[[Ruleset, Records, Seats], Columns]] = {
    "hand": _hand,
    "upcard": lambda rules, s, seats: _one_of(s["upcard"], NUM_CARDS),
    "upcard_state": lambda rules, s, seats: _one_of(s["upcard_state"] - 1, 4),
    "trump": lambda rules, s, seats: _one_of(s["trump"], NUM_TRUMPS),
    "phase": lambda rules, s, seats: _one_of(s["phase"] - 1, int(Phase.PLAY)),
    "turn": _seat("turn"),
    "dealer": _seat("dealer"),
    "maker": _seat("maker"),
    "alone": _seats("alone"),
    "with_partner": _seats("asked"),
    "sits_out": _seats("sits_out"),
    "buried": lambda rules, s, seats: _cards(_own(s["buried"], seats)),
    "played_by": lambda rules, s, seats: _clockwise(rules, _cards(s["played"]), seats),
    "played_ago": _played_ago,
    "tricks": _by_seat("tricks"),
    "scores": _scores,
    "bids": lambda rules, s, seats: _clockwise(rules, _one_of(s["bids"], NUM_BIDS + 1), seats),
    "named": lambda rules, s, seats: _clockwise(rules, _one_of(s["named"], NUM_TRUMPS), seats),
    "swapped_by": _seat("swapped_by"),
    "exchanged": _seats("exchanged"),
    "laid_away": _by_seat("laid_away"),
    "passed": _passed,
    "reneged": lambda rules, s, seats: _cards(s["reneged"]),
    "tied": _tied,
    "scores_beyond": _scores_beyond,
}


def check_told(rules: Ruleset, states: Records, seats: Seats) -> None:
    """Check every column of what these seats [N] observe, and that it lies in its space."""
    rows = observations(rules, states, seats, canonical=False)
    low, high = bounds()
    require(((low <= rows) & (rows <= high)).all(axis=1), "an observation lies outside its space.")
    options = rules.to_options()
    extras = {segment.name for segment in EXTRA_SEGMENTS}
    require((rows[:, columns("options")] == options["features"]).all(axis=1), "an observation tells other rules.")
    for name, facts in _FACTS.items():
        found = rows[:, columns(name)]
        due = facts(rules, states, seats).reshape(len(rows), -1).astype(np.int64)
        if name in extras and not options["extras"][0]:
            due = np.zeros_like(due)
        same = np.equal(found, due).all(axis=1)
        require(same, f"{name} in an observation is not what is at the table.")


def public_facts(states: Records) -> npt.NDArray[np.uint8]:
    """Return all that was said, played and scored in public, [N, bytes]."""
    names = [name for name in STATE.names or () if name not in (*_HIDDEN, *_COUNTERS)]
    parts = [np.ascontiguousarray(states[name]).view(np.uint8).reshape(len(states), -1) for name in names]
    return np.concatenate(parts, axis=1)


class Histories:
    """What the rows seen so far stand for: two different public histories never look alike."""

    def __init__(self, rules: Ruleset, seat: int) -> None:
        self.rules, self.seat = rules, seat
        self._seen: dict[bytes, bytes] = {}

    def add(self, states: Records) -> None:
        """Add tables at which somebody is to move; AssertionError if a row stands for two histories."""
        states = states[states["turn"] != NONE]
        rows = observations(self.rules, states, np.full(len(states), self.seat), canonical=False)
        for row, facts in zip(rows, public_facts(states), strict=True):
            history = facts.tobytes()
            same = self._seen.setdefault(row.tobytes(), history) == history
            assert same, f"two public histories look alike to seat {self.seat}."

    def __len__(self) -> int:
        return len(self._seen)
