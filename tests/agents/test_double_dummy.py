"""The exact solver against plain minimax over the engine, and against itself by the symmetries of the game."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
import pytest

from agents.search import double_dummy
from agents.search.double_dummy import Solver
from euchre_env import policies, rulesets, single
from euchre_env.batch import GameBatch
from euchre_env.cards import JOKER, NUM_RANKS, cards_of
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import lowest
from euchre_env.engine.layout import NONE, STATE, Phase
from euchre_env.engine.step import apply, legal_mask
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset

PLAY = int(Phase.PLAY)
F = TypeVar("F", bound=Callable[..., Any])
# What no ruleset of the catalogue has: no-trump low, seven cards, a hand that ends early.
HOUSES: dict[str, tuple[str, dict[str, Any]]] = {
    "low": ("north_american", {"allow_no_trump": "high_low"}),
    "seven": ("north_american", {"deck": 33, "hand_size": 7, "march_points": 3, "packets": "2-3"}),
    "short": ("north_american", {"stop_when_decided": True}),
    "both alone": ("north_american", {"defend_alone": "vs_loner"}),
}


def rules_of(name: str) -> Ruleset:
    if name in HOUSES:
        base, changes = HOUSES[name]
        return rulesets.get(base).replace(name="house", **changes)
    return rulesets.get(name)


@kernel
def tricks_of(s: Any, seats: Any) -> Any:
    taken = 0
    for seat in range(4):
        if seats >> seat & 1:
            taken += s["tricks"][seat]
    return taken


# Without Numba's cache: read back from it, a function that calls itself with other types crashes (numba#6713).
compiled: Callable[[F], F] = numba.njit(error_model="numpy")


@compiled
def minimax(opt: Any, stack: Any, depth: Any, makers: Any) -> Any:
    """Return the tricks that the seats `makers` take in all; no bounds, no memory, the engine's own moves."""
    s = stack[depth]
    if s["phase"] != PLAY:
        return tricks_of(s, makers)
    legal = legal_mask(opt, s)
    is_maker = makers >> s["turn"] & 1 != 0
    best = -1 if is_maker else 99
    while legal != 0:
        stack[depth + 1] = s
        apply(opt, stack[depth + 1], lowest(legal))
        legal &= legal - 1
        value = minimax(opt, stack, depth + 1, makers)
        best = max(best, value) if is_maker else min(best, value)
    return best


@compiled
def minimax_remembered(opt: Any, stack: Any, depth: Any, makers: Any, known: Any) -> Any:
    """Return the same, positions at the start of a trick looked up when they come again: for six tricks of four."""
    s = stack[depth]
    if s["phase"] != PLAY:
        return tricks_of(s, makers)
    now = tricks_of(s, makers)
    h = s["hands"]
    key = (h[0], h[1], h[2], h[3], np.int64(s["turn"]))
    if s["in_trick"] == 0 and key in known:
        return now + known[key]
    legal = legal_mask(opt, s)
    is_maker = makers >> s["turn"] & 1 != 0
    best = -1 if is_maker else 99
    while legal != 0:
        stack[depth + 1] = s
        apply(opt, stack[depth + 1], lowest(legal))
        legal &= legal - 1
        value = minimax_remembered(opt, stack, depth + 1, makers, known)
        best = max(best, value) if is_maker else min(best, value)
    if stack[depth]["in_trick"] == 0:
        known[key] = best - now
    return best


@compiled
def minimax_of(options: Any, stacks: Any, makers: Any) -> Any:
    return minimax(options[0], stacks, 0, makers)


def positions(rules: Ruleset, count: int, left: int, seed: int, *, at_lead: bool = False) -> npt.NDArray[np.void]:
    """Return positions of random hands with at most `left` tricks to play, or first leads."""
    batch, rng = GameBatch(rules, 512, seed=seed, observe=False), np.random.default_rng(seed)
    player, found = policies.make("random", rules), np.zeros(0, dtype=STATE)
    while len(found) < count:
        states = batch.states
        fits = (states["phase"] == PLAY) & (rules.hand_size - states["trick"] <= left)
        if at_lead:
            fits &= (states["trick"] == 0) & (states["in_trick"] == 0)
        fits &= rng.random(len(states)) < (1 if at_lead else 0.2)
        found = np.concatenate([found, states[fits]])
        batch.step(player.act(states, batch.legal, rng))
    return found[:count]


KEY = numba.types.UniTuple(numba.types.int64, 5)


@compiled
def minimax_remembered_of(options: Any, stacks: Any, makers: Any) -> Any:
    known = numba.typed.Dict.empty(KEY, numba.types.int64)
    return minimax_remembered(options[0], stacks, 0, makers, known)


def by_minimax(
    rules: Ruleset, states: npt.NDArray[np.void], minimax: Callable[..., Any] = minimax_of
) -> npt.NDArray[np.int64]:
    seats = range(rules.num_seats)
    makers = [sum(1 << k for k in seats if rules.side(k) == rules.side(int(s["maker"]))) for s in states]
    # The solver plays every hand to its last card.
    options, stacks = rules.replace(stop_when_decided=False).to_options(), np.zeros(34, STATE)
    out = np.empty(len(states), np.int64)
    for row in range(len(states)):
        stacks[0] = states[row]
        out[row] = minimax(options, stacks, makers[row])
    return out


@pytest.mark.parametrize("name", [*rulesets.names(), *HOUSES])
def test_late_positions(name: str) -> None:
    rules = rules_of(name)
    states = positions(rules, 300, 3, seed=1)
    solver, truth = Solver(rules), by_minimax(rules, states)
    assert np.array_equal(solver.solve(states).tricks[:, 0], truth)
    assert np.array_equal(solver.tricks(states)[:, 0], truth)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*rulesets.names(), *HOUSES])
def test_2000_late_positions(name: str) -> None:
    rules = rules_of(name)
    states = positions(rules, 2000, 4 if rules.num_seats == 4 else 5, seed=2)
    solution = Solver(rules).solve(states)
    assert np.array_equal(solution.tricks[:, 0], by_minimax(rules, states))


@pytest.mark.slow
@pytest.mark.parametrize("name", rulesets.names())
def test_200_full_deals(name: str) -> None:
    rules = rules_of(name)
    states = positions(rules, 200, 7, seed=3, at_lead=True)
    minimax = minimax_remembered_of if rules.num_seats * rules.hand_size > 20 else minimax_of
    assert np.array_equal(Solver(rules).tricks(states)[:, 0], by_minimax(rules, states, minimax))


def test_what_minimax_remembers_changes_nothing() -> None:
    rules = rules_of("cincinnati")
    states = positions(rules, 100, 3, seed=8)
    assert np.array_equal(by_minimax(rules, states), by_minimax(rules, states, minimax_remembered_of))


@pytest.mark.parametrize(
    "name", ["tournament", "railroad", "three_handed", "two_handed", "ghost_hand", "cincinnati", "low"]
)
def test_every_card_is_worth_what_follows(name: str) -> None:
    """A card's value is that of the position after it, and the best one's is the position's."""
    rules = rules_of(name)
    options, solver = rules.to_options(), Solver(rules)
    states = positions(rules, 60, 4, seed=4)
    solution = solver.solve(states)
    for i, state in enumerate(states):
        mover = int(state["turn"])
        own = rules.side(mover) == rules.side(int(state["maker"]))
        values = solution.values[i]
        cards = np.flatnonzero(values != NONE)
        legal = np.zeros(1, STATE)
        legal[0] = state
        assert set(cards) == {c for c in range(33) if int(single.legal(options, legal)) >> c & 1}
        for card in cards:
            after = np.zeros(1, STATE)
            after[0] = state
            single.carry_out(options, after, int(card))
            made = tricks_now(rules, after[0]) if after["phase"][0] != PLAY else int(solver.tricks(after)[0, 0])
            assert values[card] == (made if own else rules.hand_size - made)
        assert values.max() == solution.tricks[i, 0 if own else 1]
        assert all(values[card] == values.max() for card in solution.best(i))


def tricks_now(rules: Ruleset, state: Any) -> int:
    maker = rules.side(int(state["maker"]))
    return sum(int(state["tricks"][seat]) for seat in range(rules.num_seats) if rules.side(seat) == maker)


def turned(states: npt.NDArray[np.void], by: int) -> npt.NDArray[np.void]:
    """Return the same positions with everybody moved so many seats on."""
    out = states.copy()
    for name in ("hands", "played", "tricks"):
        out[name] = np.roll(states[name], by, axis=1)
    for name in ("turn", "maker"):
        out[name] = (states[name] + by) % 4
    out["players"] = (states["players"] + by) % 4
    out["sits_out"] = ((states["sits_out"].astype(int) << by) | (states["sits_out"].astype(int) >> (4 - by))) & 15
    return out


def with_suits(states: npt.NDArray[np.void], order: list[int]) -> npt.NDArray[np.void]:
    """Return the same positions with suit s called order[s]."""
    out = states.copy()
    card = np.array([order[c // NUM_RANKS] * NUM_RANKS + c % NUM_RANKS for c in range(32)] + [JOKER])
    for row in range(len(states)):
        for seat in range(4):
            out["hands"][row, seat] = sum(1 << int(card[c]) for c in cards_of(int(states["hands"][row, seat])))
    out["cards"] = card[states["cards"]]
    out["trump"] = np.array([*order, 4, 5])[states["trump"]]
    return out


@pytest.mark.parametrize("name", ["tournament", "british", "cincinnati"])
def test_symmetries(name: str) -> None:
    """Seats turn together; suits change places within a colour, and the colours with each other."""
    rules = rules_of(name)
    states = positions(rules, 100, 5, seed=5)
    solution = Solver(rules).solve(states)
    for by in (1, 2, 3):
        assert np.array_equal(Solver(rules).solve(turned(states, by)).values, solution.values)
    for order in ([3, 1, 2, 0], [0, 2, 1, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]):
        other = Solver(rules).solve(with_suits(states, order))
        assert np.array_equal(other.tricks, solution.tricks)


def test_what_is_remembered_changes_nothing() -> None:
    states = positions(rulesets.get("tournament"), 400, 5, seed=6)
    solver = Solver("tournament")
    first = solver.solve(states)
    again = solver.solve(states[::-1].copy())
    fresh = [Solver("tournament").solve(states[i : i + 1]).tricks[0] for i in range(0, 400, 20)]
    assert np.array_equal(again.values[::-1], first.values)
    assert np.array_equal(np.array(fresh), first.tricks[::20])


def test_the_search_has_one_signature() -> None:
    """A kernel that calls itself survives Numba's cache as long as it does so with its own types (numba#6713)."""
    for name in ("tournament", "low", "two_handed", "ghost_hand"):
        rules = rules_of(name)
        Solver(rules).solve(positions(rules, 5, 5, seed=7))
    search: Any = double_dummy._search
    assert len(search.signatures) <= 1  # 0: its callers came from the cache


def test_a_list_of_positions_is_solved_and_hidden_hands_are_refused() -> None:
    states = positions(rulesets.get("tournament"), 4, 5, seed=9)
    solver = Solver("tournament")
    listed = solver.solve([states[k : k + 1] for k in range(4)])
    assert np.array_equal(listed.values, solver.solve(states).values)
    assert np.array_equal(solver.tricks(states.reshape(2, 2)), listed.tricks)
    hidden = single.copied(states[:1])
    single.hide_from(rulesets.get("tournament").to_options(), hidden, int(hidden["turn"][0]))
    for wrong in (hidden, states):
        with pytest.raises(StateError, match="does not hold"):
            Solver("cincinnati" if wrong is states else "tournament").solve(wrong)
    with pytest.raises(StateError, match="STATE record"):
        solver.solve(np.zeros(3))  # type: ignore[arg-type]


def test_only_the_play_is_solved() -> None:
    batch = GameBatch("tournament", 2, seed=0)
    with pytest.raises(StateError, match="one of the play"):
        Solver("tournament").solve(batch.states)
