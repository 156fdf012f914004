"""check_engine: what holds in every hand of every ruleset, checked over random play of many tables at once.

The checks are written from the clauses and read records only; they share no code with the kernels that they check,
except where two faces of the engine are compared. Exact positions are the tests' business.

>>> check_engine("open_spiel", hands=2)
"""

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import mask_of
from euchre_env.engine.layout import CLAIM_REDEAL, NUM_ACTIONS, PASS
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from euchre_env.testing.hands import check_finished
from euchre_env.testing.places import check_conservation, check_following
from euchre_env.testing.rows import require
from euchre_env.testing.secrecy import check_no_leak
from euchre_env.testing.told import Histories, check_told

# Hands of one game: enough for a tie-break hand, and for scores that a hand began with.
_HANDS = 2
_MOST_TABLES = 500
_LOCK_STEP_TABLES = 16
_PASSING_TABLES = 4
# No hand asks more often: calls, exchanges, dummies and cards.
_MOST_DECISIONS = 60


def check_engine(ruleset: str | Ruleset, hands: int = 100, seed: int = 0) -> None:
    """Play random hands and check them; AssertionError says what is wrong, at which table of which seed.

    Cards are conserved, the mover always has a legal action, suits are followed (1.4), tricks, points and the end of
    the game are those of the clauses, passing ends every hand, no seat's observation, view or legal actions depend on
    cards that it cannot know (1.8), observations say what they should, within their space, and never the same of two
    public histories, and a row of a batch is the game alone.
    """
    rules = rulesets.get(ruleset)
    rng = np.random.default_rng(seed)
    try:
        for first in range(0, hands, _HANDS * _MOST_TABLES):
            _check_play(rules, min(_MOST_TABLES, -(-(hands - first) // _HANDS)), rng)
        _check_histories(rules, hands, rng)
        _check_passing(rules, rng)
        _check_batch(rules, rng)
    except AssertionError as error:
        raise AssertionError(f"{rules.name}, seed {seed}: {error}") from error


def _keys(tables: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    return rng.integers(2**63, size=tables, dtype=np.uint64)


def _scores(rules: Ruleset, tables: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return scores to start from: nil, any, close to the target, or, where hands cost points, far below nil."""
    shape = (tables, rules.num_sides)
    lowest = max(rules.lowest_start, -rules.target)
    anywhere = rng.integers(lowest, rules.target, size=shape)
    close = np.maximum(rules.target - rng.integers(1, 3 + rules.hand_size, size=shape), lowest)
    deep = np.maximum(rng.integers(-600, 1, size=shape), rules.lowest_start)
    return np.choose(rng.integers(8, size=(tables, 1)), [0, 0, anywhere, anywhere, close, close, close, deep])


def any_legal(batch: GameBatch, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a random legal action of each table, 0 at rest."""
    chosen: npt.NDArray[np.int64] = (rng.random((batch.num_tables, NUM_ACTIONS)) * batch.masks()).argmax(axis=1)
    return chosen


def _check_play(rules: Ruleset, tables: int, rng: np.random.Generator) -> None:
    scores = _scores(rules, tables, rng)
    batch = GameBatch(
        rules, tables, episode="game", keys=_keys(tables, rng), scores=scores, max_hands=_HANDS, autoreset=False
    )
    over = np.zeros(tables, dtype=np.bool_)
    while not over.all():
        require(over | (batch.legal != 0), "a decision is due, and there is no legal action.")
        seats = rng.integers(rules.num_seats, size=tables)
        check_conservation(rules, batch.states)
        check_following(rules, batch.states, batch.legal)
        check_told(rules, batch.states, seats)
        check_no_leak(rules, batch.states, seats, rng)
        tied = batch.states["extra_hand"].copy()
        batch.step(any_legal(batch, rng))
        over |= batch.dones
        for row in np.flatnonzero(batch.hand_over):
            try:
                check_finished(rules, batch.finished[row], int(tied[row]))
            except AssertionError as error:
                raise AssertionError(f"table {row}: {error}") from error


def _check_histories(rules: Ruleset, hands: int, rng: np.random.Generator) -> None:
    """Play a few deals many times: only what was said and played can tell the rows apart."""
    tables = min(_MOST_TABLES, hands)
    keys = np.repeat(_keys(max(1, tables // 50), rng), 50)[:tables]
    batch = GameBatch(rules, len(keys), keys=keys, autoreset=False, observe=False)
    told = Histories(rules, int(rng.integers(rules.num_seats)))
    while batch.legal.any():
        told.add(batch.states)
        batch.step(any_legal(batch, rng))


def _check_passing(rules: Ruleset, rng: np.random.Generator) -> None:
    """Pass where that is legal, claim no redeal, else take the first action."""
    batch = GameBatch(rules, _PASSING_TABLES, keys=_keys(_PASSING_TABLES, rng), autoreset=False, observe=False)
    for _ in range(_MOST_DECISIONS):
        legal = batch.legal & ~np.int64(1 << CLAIM_REDEAL)
        lowest = np.bitwise_count((legal & -legal) - 1).astype(np.int64)
        batch.step(np.where(legal >> PASS & 1, PASS, lowest))
    require(batch.legal == 0, "passing does not end the hand.")


def _check_batch(rules: Ruleset, rng: np.random.Generator) -> None:
    """Step a batch and single games of the same keys in lock-step."""
    keys = _keys(_LOCK_STEP_TABLES, rng)
    batch = GameBatch(rules, _LOCK_STEP_TABLES, keys=keys, episode="hand", autoreset=False)
    games = [Game(rules, key=int(key), auto_deal=False) for key in keys]
    while batch.legal.any():
        actions = np.zeros(_LOCK_STEP_TABLES, dtype=np.int64)
        for row, game in enumerate(games):
            legal = game.legal()
            assert mask_of(legal) == batch.legal[row], f"row {row} of a batch allows other actions than the game alone."
            if legal:
                actions[row] = rng.choice(legal)
                game.play(int(actions[row]))
        batch.step(actions)
        for row, game in enumerate(games):
            assert batch.states[row] == game.state[0], f"row {row} of a batch went another way than the game alone."
