"""No leak (1.8): the cards that a seat cannot place are dealt out anew, and nothing that it is told changes.

Nobody can place the buried cards, the hands of others (dummies and the ghost hand among them), what others laid away,
and what the others' partners passed each other; before a blind call not even the own hand (4.3).
"""

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NUM_CARDS
from euchre_env.engine.layout import MAX_SEATS
from euchre_env.ruleset import Ruleset
from euchre_env.testing.rows import Flags, Records, Seats, is_blind, observations, partners_of, require
from euchre_env.views import EncodedViews, hide_all

_IDS = np.arange(NUM_CARDS)
_PLACES = 1 + 2 * MAX_SEATS


def _seen_places(rules: Ruleset, states: Records, seats: Seats) -> Flags:
    """Return which of kitty, hands and cards laid away each seat knows, [N, 1 + 4 + 4]."""
    seen = np.zeros((len(states), _PLACES), dtype=np.bool_)
    rows = np.arange(len(states))
    seen[rows, 1 + seats] = ~is_blind(rules, states)
    seen[rows, 1 + MAX_SEATS + seats] = True
    return seen


def _shuffled(cards: npt.NDArray[np.int64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Deal the cards of some places [N, places] out anew among them, as many to each as before."""
    held = cards[:, :, None] >> _IDS & 1
    dealt = held.any(axis=1)
    place = held.argmax(axis=1)
    from_order = np.argsort(~dealt, axis=1, kind="stable")
    to_order = np.argsort(np.where(dealt, rng.random(dealt.shape), 2.0), axis=1)
    fresh = np.zeros_like(place)
    np.put_along_axis(fresh, to_order, np.take_along_axis(place, from_order, axis=1), axis=1)
    sets = [((fresh == number) & dealt).astype(np.int64) << _IDS for number in range(cards.shape[1])]
    return np.stack([column.sum(axis=1) for column in sets], axis=1)


def redealt(rules: Ruleset, states: Records, seats: Seats, rng: np.random.Generator) -> Records:
    """Return the tables with all cards that these seats [N] cannot place dealt out anew."""
    others = states.copy()
    cards = np.concatenate([states["kitty"][:, None], states["hands"], states["buried"]], axis=1)
    seen = _seen_places(rules, states, seats)
    cards = np.where(seen, cards, _shuffled(np.where(seen, 0, cards), rng))
    others["kitty"] = cards[:, 0]
    others["hands"] = cards[:, 1 : 1 + MAX_SEATS]
    others["buried"] = cards[:, 1 + MAX_SEATS :]
    who = np.arange(MAX_SEATS)
    known = (who == seats[:, None]) | (who == partners_of(rules, seats)[:, None])
    passed = np.int64(1) << rng.choice(rules.deck_ids, size=known.shape)
    others["given"] = np.where(known | (states["given"] == 0), states["given"], passed)
    return others


def _views(rules: Ruleset, states: Records, seats: Seats) -> Records:
    out = np.zeros(len(states), dtype=states.dtype)
    hide_all(rules.to_options(), states, np.arange(len(states)), seats, out)
    return out


def check_no_leak(rules: Ruleset, states: Records, seats: Seats, rng: np.random.Generator) -> None:
    """1.8: what a seat sees, may do and is given to search over stays when what it cannot know is redealt."""
    others = redealt(rules, states, seats, rng)
    for canonical in (False, True):
        seen, other = (observations(rules, tables, seats, canonical) for tables in (states, others))
        require((seen == other).all(axis=1), "a seat's observation tells something about hidden cards (1.8).")
    require(_views(rules, states, seats) == _views(rules, others, seats), "a seat's view holds hidden cards (1.8).")
    moves = states["turn"] == seats
    legal, other_legal = (EncodedViews(rules, tables[moves]).legal for tables in (states, others))
    same = np.ones(len(states), dtype=np.bool_)
    same[moves] = legal == other_legal
    require(same, "a seat's legal actions depend on hidden cards (1.8).")
