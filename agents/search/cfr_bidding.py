"""The player whose calls and discards were learned by regret minimisation (`train_bidding.py`).

`cfr_bidding` plays its cards as `pimc:50` does, `cfr_bidding:N` as `pimc:N`. In the auction it takes the answer that
its average strategy takes most often; what the training never met is left to `rule_expert`. It knows the games of
which a table is shipped, and refuses others.

>>> from euchre_env import rulesets
>>> strategy = load(rulesets.get("tournament"))
>>> strategy.facts["ruleset"]["name"], strategy.table.shape[1]
('tournament', 88)
"""

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.search import auction_keys as keys
from agents.search.auction_keys import MAX_ANSWERS, NUM_ROWS, WIDTH, check_known, node_of, used_rows
from agents.search.player import PimcPolicy, worlds_of
from euchre_env import rulesets
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import NONE, Phase
from euchre_env.files import write_whole
from euchre_env.policies import Policy, PolicyError, parameters
from euchre_env.policies.rule_based import choose as rule_choice
from euchre_env.policies.split import split
from euchre_env.ruleset import Ruleset

FOLDER = Path(__file__).with_name("strategies")
WORLDS = 50  # of the play of the cards
# Options of a ruleset that no hand is played otherwise for.
_OF_THE_MATCH = ("name", "target", "dealer_selection", "packets", "passed_out", "laps", "slams", "rubber", "joker_card")
# A strategy is kept in steps of 1/255.
_WHOLE = 255
# What reading a file that is cut, changed or of another kind may raise.
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error)

_PLAY = int(Phase.PLAY)


@dataclass(frozen=True)
class Strategy:
    """How often each answer is given, `table` [used rows, WIDTH] uint8 in steps of 1/255; all 0 where it is unknown."""

    table: npt.NDArray[np.uint8]
    facts: dict[str, Any]


def pack(sums: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """Return the strategy `[used rows, WIDTH]` of summed strategies TABLES (`cfr.py`)."""
    used = sums[used_rows()]
    out = np.zeros(used.shape, dtype=np.uint8)
    for first, n in nodes():
        node = used[:, first : first + n].astype(np.float64)
        total = node.sum(axis=1, keepdims=True)
        np.divide(node, total, out=node, where=total > 0)
        out[:, first : first + n] = np.rint(node * _WHOLE)
    return out


def nodes() -> list[tuple[int, int]]:
    """Return (first slot, number of slots) of every question of a row."""
    orders = [(keys.ORDERS * place, keys.ORDERS) for place in range(4)]
    calls = [(keys.FIRST_CALL + keys.CALLS * place, keys.CALLS) for place in range(4)]
    return orders + calls + [(keys.FIRST_DISCARD + keys.DISCARDS * k, keys.DISCARDS) for k in range(8)]


def path_of(ruleset: Ruleset) -> Path:
    """Return where the strategy of a ruleset of the catalogue is kept."""
    return FOLDER / f"{ruleset.name}.npz"


def write(path: Path, strategy: Strategy) -> None:
    """Write a strategy, complete or not at all."""
    room = io.BytesIO()
    facts = np.frombuffer(json.dumps(strategy.facts).encode(), dtype=np.uint8)
    np.savez_compressed(room, table=np.ascontiguousarray(strategy.table.T), facts=facts)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, room.getvalue())


@lru_cache(maxsize=4)
def read(path: Path) -> Strategy:
    """Return the strategy of a file; PolicyError if it is none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            table, facts = np.ascontiguousarray(data["table"].T), json.loads(bytes(data["facts"]))
    except DAMAGES as error:
        raise PolicyError(f"{path} holds no strategy of an auction, or a damaged one.") from error
    if table.dtype != np.uint8 or table.shape != (len(used_rows()), WIDTH):
        raise PolicyError(f"{path} holds a strategy of another shape or type, {table.shape} {table.dtype}.")
    return Strategy(table, facts)


def _same_hands(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return all(ours[option] == theirs.get(option) for option in ours if option not in _OF_THE_MATCH)


def load(ruleset: Ruleset) -> Strategy:
    """Return the shipped strategy of a ruleset; PolicyError names the games that there are strategies for."""
    check_known("cfr_bidding", ruleset)
    shipped = [name for name in rulesets.names() if (FOLDER / f"{name}.npz").exists()]
    for name in shipped:
        if _same_hands(ruleset.to_dict(), rulesets.get(name).to_dict()):
            strategy = read(FOLDER / f"{name}.npz")
            if not _same_hands(ruleset.to_dict(), strategy.facts.get("ruleset", {})):
                raise PolicyError(f"{FOLDER / f'{name}.npz'} was trained on other rules than {name} has.")
            return strategy
    raise PolicyError(
        f"cfr_bidding has learned no calls for {ruleset.name}, only for {', '.join(shipped) or 'no game yet'}: "
        f"train them with python -m agents.search.train_bidding, or choose pimc:50."
    )


@kernel
def _answer(opt: Any, p: Any, table: Any, places: Any, s: Any, legal: Any, answers: Any) -> Any:
    """Return the answer given most often, the first of equal ones."""
    row, first, n = node_of(opt, s, legal, answers)
    best, choice = 0, np.int64(NONE)
    for k in range(n):
        often = table[places[row], first + k]
        if answers[k] != NONE and often > best:
            best, choice = often, answers[k]
    return choice if choice != NONE else np.int64(rule_choice(opt, p, s, legal))


@kernel
def answer_rows(options: Any, params: Any, table: Any, places: Any, views: Any, legal: Any, out: Any) -> None:
    """Write the action of each row to `out` `[N]`; cards are played as `rule_expert` does."""
    opt, p = options[0], params[0]
    answers = np.empty(MAX_ANSWERS, dtype=np.int64)
    for row in range(len(views)):
        if views[row]["phase"] == _PLAY:
            out[row] = rule_choice(opt, p, views[row], legal[row])
        else:
            out[row] = _answer(opt, p, table, places, views[row], legal[row], answers)


@kernel
def _chance(opt: Any, p: Any, table: Any, places: Any, s: Any, legal: Any, action: Any, answers: Any) -> Any:
    """Return the share of an answer in the strategy; where that is unknown, whether the rule player gives it."""
    row, first, n = node_of(opt, s, legal, answers)
    total, own = 0.0, 0.0
    for k in range(n):
        if answers[k] != NONE:
            total += table[places[row], first + k]
            own += table[places[row], first + k] if answers[k] == action else 0.0
    return own / total if total > 0.0 else 1.0 * (rule_choice(opt, p, s, legal) == action)


@kernel
def chance_rows(
    options: Any, params: Any, table: Any, places: Any, views: Any, legal: Any, actions: Any, out: Any
) -> None:
    """Write how likely the action of each row is to `out` `[N]` float64."""
    opt, p = options[0], params[0]
    answers = np.empty(MAX_ANSWERS, dtype=np.int64)
    for row in range(len(views)):
        s = views[row]
        if s["phase"] == _PLAY:
            out[row] = 1.0 * (rule_choice(opt, p, s, legal[row]) == actions[row])
        else:
            out[row] = _chance(opt, p, table, places, s, legal[row], actions[row], answers)


class CfrBidding:
    """Answers in the auction by a strategy; deterministic. Its cards are those of `rule_expert`."""

    name = "cfr_bidding"
    exact = True

    def __init__(self, ruleset: Ruleset, strategy: Strategy | None = None) -> None:
        self.ruleset = ruleset
        self.options = ruleset.to_options()
        self.params = parameters.tuned("rule_expert")
        self.strategy = load(ruleset) if strategy is None else strategy
        self.places = np.full(NUM_ROWS, -1, dtype=np.int32)
        self.places[used_rows()] = np.arange(len(used_rows()))

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` is not used."""
        out = np.empty(len(views), dtype=np.int64)
        answer_rows(self.options, self.params, self.strategy.table, self.places, views, legal, out)
        return out

    def chances(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Return how likely the average strategy gives the answers `actions` `[N]`, `[N]` (`beliefs.py`)."""
        out = np.empty(len(views))
        chance_rows(self.options, self.params, self.strategy.table, self.places, views, legal, actions, out)
        return out


def make(parameter: str, ruleset: Ruleset) -> Policy:
    """Return the player of the name `cfr_bidding:parameter`."""
    return split(
        CfrBidding(ruleset), PimcPolicy(ruleset, worlds_of("cfr_bidding", parameter)), f"cfr_bidding:{parameter}"
    )


def make_default(ruleset: Ruleset) -> Policy:
    """Return the player of the name `cfr_bidding`."""
    return split(CfrBidding(ruleset), PimcPolicy(ruleset, WORLDS), "cfr_bidding")
