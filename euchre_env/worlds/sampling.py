"""Worlds drawn from a view: full records, every one that is possible as likely as any other.

`draw` is what search kernels call; `sample` and `count` are for Python.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.decks import GAMMA, mix
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import MAX_CALLS, MAX_SEATS, NONE, STATE, Phase
from euchre_env.errors import StateError, whole_number
from euchre_env.ruleset import Ruleset
from euchre_env.single import copied, hide_from
from euchre_env.worlds.plan import BURIED, GIFT_BURIED, GIFT_HELD, KITTY, NUM_PLACES, PLAN, WAYS, make_plan
from euchre_env.worlds.proofs import prove
from euchre_env.worlds.table import deal_out, tabulate, uniform

MAX_WORLDS = 2**24


@kernel
def _count_ways(opt: Any, view: Any, seat: Any, plans: Any, totals: Any) -> None:
    """Write how many worlds each way of the gifts leaves [WAYS]."""
    plan = plans[0]
    for way in range(WAYS):
        totals[way] = 0.0
        if make_plan(opt, view, seat, way, plan):
            prove(opt, view, seat, plan)
            totals[way] = tabulate(opt, plan)[0]


@kernel
def _write(view: Any, plan: Any, sets: Any, world: Any) -> None:
    """Put the drawn cards into a copy of the view."""
    for seat in range(MAX_SEATS):
        world["hands"][seat] |= sets[seat]
        world["buried"][seat] |= sets[BURIED + seat]
    world["kitty"] = sets[KITTY]
    giver = plan["giver"]
    if giver != NONE:
        loner = (giver + 2) & 3
        world["hands"][loner] |= sets[GIFT_HELD]
        world["buried"][loner] |= sets[GIFT_BURIED]
        world["given"][giver] = plan["gift"] | sets[GIFT_HELD] | sets[GIFT_BURIED]


@kernel
def _draw_way(opt: Any, view: Any, seat: Any, way: Any, plans: Any, chosen: Any, word: Any, out: Any) -> Any:
    """Draw the worlds of `out` for which a way was chosen."""
    plan = plans[0]
    make_plan(opt, view, seat, way, plan)
    prove(opt, view, seat, plan)
    table = tabulate(opt, plan)
    sets = np.empty(NUM_PLACES, dtype=np.int64)
    for k in range(len(out)):
        if chosen[k] == way:
            word = deal_out(table, word, sets)
            out[k] = view
            _write(view, plan, sets, out[k])
    return word


@kernel
def draw(options: Any, views: Any, seat: Any, seed: Any, out: Any) -> Any:
    """Fill `out` [K] STATE with worlds of `views[0]` as `seat` sees it; return how many there are in all, as float.

    `options` is an array of one OPTIONS, `seed` a uint64. `out` is left alone if no world is possible.
    """
    opt, view = options[0], views[0]
    # The array goes from kernel to kernel: a record taken out of it would not keep its memory.
    plans, totals = np.zeros(1, dtype=PLAN), np.zeros(WAYS)
    _count_ways(opt, view, seat, plans, totals)
    total = totals.sum()
    if total == 0.0 or len(out) == 0:
        return total
    word = mix(np.uint64(seed) + GAMMA)
    chosen = np.empty(len(out), dtype=np.int64)
    for k in range(len(out)):
        word += GAMMA
        left = uniform(word) * total
        for way in range(WAYS):
            if totals[way] > 0.0:
                chosen[k] = way
                if left < totals[way]:
                    break
                left -= totals[way]
    for way in range(WAYS):
        if totals[way] > 0.0:
            word = _draw_way(opt, view, seat, way, plans, chosen, word, out)
    return total


def one_record(what: str, record: "npt.NDArray[np.void] | np.void") -> npt.NDArray[np.void]:
    """Return a copy of a record as an array of one STATE, padding cleared; StateError if it is none."""
    given = np.asarray(record).reshape(-1)
    if given.dtype != STATE or len(given) != 1:
        raise StateError(f"{what} is one STATE record, and not {len(given)} of type {given.dtype.name}.")
    states = np.zeros(1, dtype=STATE)
    states[:] = given
    return states


def _checked(rules: Ruleset, view: "npt.NDArray[np.void] | np.void", seat: int | None) -> tuple[Any, int]:
    """Return the view as an array of one, and the seat it is for; StateError if there is nothing to draw."""
    views = one_record("a view", view)
    if views["turn"][0] < 0 or views["phase"][0] in (Phase.DEAL, Phase.OVER):
        raise StateError("nobody moves at a table at rest: there is nothing to draw.")
    who = whole_number("seat", int(views["turn"][0]) if seat is None else seat, 0, rules.num_seats - 1)
    _check_view(rules, views, who)
    return views, who


def _check_view(rules: Ruleset, views: npt.NDArray[np.void], seat: int) -> None:
    """Refuse a record that shows what the seat may not know, or that is of no game of these rules."""
    options, view = rules.to_options(), views[0]
    known = view["hands"][seat] | view["buried"][seat] | np.bitwise_or.reduce(view["played"])
    if (
        int(known) & ~int(options["deck"][0])
        or not 0 <= view["turn"] < rules.num_seats
        or view["num_calls"] > MAX_CALLS
    ):
        raise StateError(f"this view of seat {seat} is none of a game of {rules.name}.")
    hidden = copied(views)
    hide_from(options, hidden, seat)
    if not np.array_equal(hidden.view(np.uint8), views.view(np.uint8)):
        raise StateError(f"this record shows what seat {seat} may not know: give its view (`GameBatch.views`).")


def sample(
    ruleset: str | Ruleset,
    view: "npt.NDArray[np.void] | np.void",
    count: int,
    rng: int | np.random.Generator,
    seat: int | None = None,
) -> npt.NDArray[np.void]:
    """Return `count` worlds of a view, [count] STATE; `seat` is whose view it is, by default the seat to move.

    `rng` is a seed or a Generator that gives one. StateError if the table is at rest, or if no world fits the view.
    """
    rules = rulesets.get(ruleset)
    views, who = _checked(rules, view, seat)
    seed = int(rng.integers(2**64, dtype=np.uint64)) if isinstance(rng, np.random.Generator) else rng
    out = np.zeros(whole_number("count", count, 0, MAX_WORLDS), dtype=STATE)
    if draw(rules.to_options(), views, who, np.uint64(whole_number("rng", seed, 0, 2**64 - 1)), out) == 0:
        raise StateError(f"no cards fit this view of seat {who}: it is none of a game of {rules.name}.")
    return out


def count(ruleset: str | Ruleset, view: "npt.NDArray[np.void] | np.void", seat: int | None = None) -> int:
    """Return how many worlds fit a view, 0 if none does; exact below 2**53, beyond to 15 digits."""
    rules = rulesets.get(ruleset)
    views, who = _checked(rules, view, seat)
    return int(draw(rules.to_options(), views, who, np.uint64(0), np.empty(0, dtype=STATE)))
