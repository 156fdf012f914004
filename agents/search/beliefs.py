"""How likely worlds are, from what the others have said and played: each world weighed by a player's own answers.

A world is played through again from its deal; wherever another seat moved, the weight is multiplied by the chance that
the player, sitting there with that world's cards, does what was done. A player whose answers are fixed does it or not;
`slip` is how often anybody does something else, so that no world dies of one surprise. With policy inference of this
kind Skat players gained 2 points a game (Solinas, Rebstock, Buro, arXiv 1903.09604).

>>> from euchre_env import policies, rulesets, worlds
>>> from euchre_env.batch import GameBatch
>>> from euchre_env.engine.layout import PASS
>>> batch, rules = GameBatch("tournament", 1, seed=3), rulesets.get("tournament")
>>> batch.step(np.array([PASS]))
>>> drawn = worlds.sample(rules, batch.views([0]), 100, rng=0)
>>> weights = weigh(rules, drawn, policies.make("rule_expert", rules))
>>> weights.shape, round(float(weights.sum()), 6), len(np.unique(weights))  # would have ordered or not
((100,), 1.0, 2)
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import policies, rulesets
from euchre_env.cards import NUM_CARDS
from euchre_env.dealing import plan_of
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import HIDDEN_CARD, MAX_SEATS, STATE, Upcard
from euchre_env.engine.step import apply, deal, legal_mask, new_game
from euchre_env.policies import Policy, PolicyError
from euchre_env.policies.split import SplitPolicy
from euchre_env.ruleset import Ruleset
from euchre_env.views import hide_all

SLIP = 0.1

_TAKEN = int(Upcard.TAKEN)
# Places of a deal as numbers: hands by seat, then the kitty and the up-card.
_KITTY, _UPCARD = MAX_SEATS, MAX_SEATS + 1
_NUMBERS = {("kitty", 0): _KITTY, ("upcard", 0): _UPCARD, **{("hands", seat): seat for seat in range(MAX_SEATS)}}

Weights = npt.NDArray[np.float64]


@kernel
def _lying(s: Any, lying: Any) -> None:
    """Write the cards that were dealt to each place, as sets, into `lying` [6]."""
    for seat in range(MAX_SEATS):
        lying[seat] = s["hands"][seat] | s["played"][seat] | s["buried"][seat]
    lying[_KITTY], lying[_UPCARD] = s["kitty"], 0
    if s["upcard"] >= 0:
        lying[_UPCARD] = bit(s["upcard"])
        if s["upcard_state"] == _TAKEN:
            lying[s["dealer"]] &= ~bit(s["upcard"])


@kernel
def deal_again(options: Any, worlds: Any, plan: Any, deck: Any, out: Any) -> None:
    """Write each world as it was after the deal into `out` [K] STATE; `plan` [deck size] are places by number."""
    opt = options[0]
    lying = np.empty(MAX_SEATS + 2, dtype=np.int64)
    for k in range(len(worlds)):
        world, s = worlds[k], out[k]
        _lying(world, lying)
        for i in range(len(plan)):
            deck[i] = lowest(lying[plan[i]])
            lying[plan[i]] &= lying[plan[i]] - 1
        new_game(opt, s, world["dealer"])
        for side in range(MAX_SEATS):
            s["scores"][side] = world["scores"][side] - world["points"][side]
        s["hand"], s["redeal"], s["extra_hand"] = world["hand"], world["redeal"], world["extra_hand"]
        deal(opt, s, deck)


@kernel
def _legal_all(options: Any, states: Any, out: Any) -> None:
    for k in range(len(states)):
        out[k] = legal_mask(options[0], states[k])


@kernel
def _apply_all(options: Any, states: Any, actions: Any) -> None:
    for k in range(len(states)):
        apply(options[0], states[k], actions[k])


@kernel
def _count_all(legal: Any, out: Any) -> None:
    for k in range(len(legal)):
        out[k] = count(legal[k])


def places(rules: Ruleset, dealer: int) -> npt.NDArray[np.int64]:
    """Return by number where each card of a deck comes to lie, `[deck size]`."""
    return np.array([_NUMBERS[place] for place in plan_of(rules, dealer)], dtype=np.int64)


def check_known(rules: Ruleset) -> None:
    """Raise PolicyError for games in which cards change hands beside the up-card: they are not dealt again here."""
    if rules.swap != "off" or rules.dummy != "off" or rules.best_exchange != "off" or rules.farmers_hand == "swap3":
        raise PolicyError(f"worlds of {rules.name} cannot be weighed by calls and plays: cards change hands there.")


def _moves(world: np.void) -> Iterator[tuple[int, int]]:
    """Yield seat and action of what happened since the deal, alike in all worlds of a view; HIDDEN_CARD of discards."""
    for i in range(int(world["num_calls"])):
        yield int(world["call_seats"][i]), int(world["calls"][i])
    for seat, card in zip(world["players"].reshape(-1), world["cards"].reshape(-1), strict=True):
        if card >= 0:
            yield int(seat), int(card)


def chances(
    player: Policy,
    views: npt.NDArray[np.void],
    legal: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
) -> Weights:
    """Return how likely a player answers so `[N]`: by its `chances`, if it has such a method, or whether it does.

    A player that draws and has none (it has `act_seeded`, or is not `deterministic`) tells nothing: all legal actions
    are as likely.
    """
    if isinstance(player, SplitPolicy):
        out = np.empty(len(views))
        for part, rows in player.shares(views):
            out[rows] = chances(part, views[rows], legal[rows], actions[rows])
        return out
    if hasattr(player, "chances"):
        return np.asarray(player.chances(views, legal, actions), dtype=np.float64)
    draws = hasattr(player, "act_seeded") or not getattr(player, "deterministic", True)
    if draws and not getattr(player, "exact", False):
        choices = np.empty(len(legal), dtype=np.int64)
        _count_all(legal, choices)
        return np.asarray(1.0 / choices)
    return np.asarray(player.act(views, legal, np.random.default_rng(0)) == actions, dtype=np.float64)


def weigh(
    ruleset: str | Ruleset,
    worlds: npt.NDArray[np.void],
    player: str | Policy,
    slip: float = SLIP,
    seat: int | None = None,
) -> Weights:
    """Return how likely each world `[K]` STATE of one view is, `[K]`, summing to 1, if others answer as `player` does.

    `player` may be a name. `slip`, above 0 and up to 1, is how often somebody takes any legal action, all alike, in
    place of what the player would do. `seat` is whose view it is, by default the seat to move: its own moves tell it
    nothing. PolicyError for games in which cards change hands.
    """
    rules = rulesets.get(ruleset)
    check_known(rules)
    if not 0 < slip <= 1:
        raise ValueError(f"slip is {slip}: choose a share above 0, up to 1.")
    player = policies.make(player, rules) if isinstance(player, str) else player
    options, seat = rules.to_options(), int(worlds["turn"][0]) if seat is None else seat
    states = np.zeros(len(worlds), dtype=STATE)
    plan = places(rules, int(worlds["dealer"][0]))
    deal_again(options, worlds, plan, np.empty(NUM_CARDS, dtype=np.int8), states)
    log_weights, rows = np.zeros(len(worlds)), np.arange(len(worlds))
    views, legal, choices = np.zeros_like(states), np.empty(len(worlds), np.int64), np.empty(len(worlds), np.int64)
    for mover, action in _moves(worlds[0]):
        actions = np.full(len(worlds), action, dtype=np.int64)
        if action == HIDDEN_CARD:
            actions = _low_bits(worlds["buried"][:, mover])
        _legal_all(options, states, legal)
        if mover != seat:
            hide_all(options, states, rows, np.full(len(worlds), mover), views)
            _count_all(legal, choices)
            log_weights += np.log((1 - slip) * chances(player, views, legal, actions) + slip / choices)
        _apply_all(options, states, actions)
    weights = np.exp(log_weights - log_weights.max())
    return np.asarray(weights / weights.sum())


def resample(weights: Weights, number: int) -> tuple[npt.NDArray[np.int64], Weights]:
    """Return (rows, weights) of at most `number` rows that stand for all `[K]`: systematic resampling, twins joined."""
    points = (np.arange(number) + 0.5) / number
    picked = np.minimum(np.searchsorted(np.cumsum(weights), points), len(weights) - 1)
    rows, counts = np.unique(picked, return_counts=True)
    return rows, counts / number


def _low_bits(cards: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the lowest card of each set `[N]`."""
    return np.asarray(np.log2(cards & -cards), dtype=np.int64)
