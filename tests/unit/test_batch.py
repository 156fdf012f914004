"""GameBatch: a row is a game, whatever runs beside it; episodes, rewards, resets and resumes."""

import copy
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import equity, rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import cards_of
from euchre_env.engine.layout import NUM_ACTIONS, PASS, Phase
from euchre_env.engine.observe import HIDDEN_SIZE, OBSERVATION_SIZE
from euchre_env.errors import RulesetError, StateError
from euchre_env.game import Game
from euchre_env.rewards import REWARD_MODES
from euchre_env.rulesets import get
from tests.rules.houses import CATALOGUE, mixes
from tests.rules.many import play_out, sample

KEYS = np.arange(100, 132, dtype=np.uint64)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: GameBatch("whist"), RulesetError, "unknown ruleset"),
        (lambda: GameBatch(num_tables=0), ValueError, "num_tables is .*whole number"),
        (lambda: GameBatch(num_tables=2, episode="match"), ValueError, "choose 'hand' or 'game'"),  # type: ignore[arg-type]
        (lambda: GameBatch(num_tables=2, max_hands=0), ValueError, "max_hands is .*whole number"),
        (lambda: GameBatch(num_tables=2, reward="zero"), ValueError, "unknown reward 'zero'"),
        (lambda: GameBatch(num_tables=2, reward="win"), ValueError, "needs episode='game'"),
        (lambda: GameBatch(num_tables=2, keys=[1, 2, 3]), ValueError, "keys has shape .3,."),
        (lambda: GameBatch(num_tables=2, dealers=[0]), ValueError, "dealers has shape .1,."),
        (lambda: GameBatch(num_tables=2, dealers=[0, 4]), StateError, "a seat from 0 to 3"),
        (lambda: GameBatch(num_tables=2, scores=[[0, 0]]), ValueError, "scores has shape .1, 2."),
        (lambda: GameBatch(num_tables=1, scores=[[0, 10]]), StateError, "from 0 to 9"),
        (lambda: GameBatch(num_tables=3, seed=1).step([33]), ValueError, "actions has shape .1,."),
        (lambda: GameBatch(num_tables=3, seed=1).step([[33, 33, 33]]), ValueError, "actions has shape"),  # type: ignore[list-item]
        (lambda: GameBatch(num_tables=2, canonical_suits="x"), ValueError, "canonical_suits is 'x'"),  # type: ignore[arg-type]
        (lambda: GameBatch(num_tables=3, seed=1).views([[0]]), ValueError, "a list of whole numbers"),  # type: ignore[list-item]
        (lambda: GameBatch(num_tables=3, seed=1).views([0.5]), ValueError, "a list of whole numbers"),  # type: ignore[list-item]
        (lambda: GameBatch(num_tables=3, seed=1).views([-1]), IndexError, "row -1 is out of bounds"),
        (lambda: GameBatch(num_tables=3, seed=1).views([3]), IndexError, "out of bounds"),
        (lambda: GameBatch(num_tables=3, seed=1).views([3], [0]), IndexError, "out of bounds"),
    ],
)
def test_what_is_refused(make: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        make()


def choose(batch: GameBatch, row: int, number: int) -> int:
    """Return the action of a row that depends on its own past only."""
    legal = [action for action in range(NUM_ACTIONS) if int(batch.legal[row]) >> action & 1]
    return legal[number * 7919 % 1009 % len(legal)] if legal else 0


def follow(rules: Any, episode: Any, reward: str, **settings: Any) -> None:
    """Step a batch and single games of the same keys."""
    batch = GameBatch(
        rules, len(KEYS), keys=KEYS, episode=episode, reward=reward, autoreset=False, max_hands=12, **settings
    )
    ruleset = rulesets.get(rules)
    games = [Game(ruleset, key=int(key), auto_deal=False) for key in KEYS]
    for number in range(4000):
        actions = np.array([choose(batch, row, number + 13 * row) for row in range(len(KEYS))])
        before = [game.turn for game in games]
        batch.step(actions)
        for row, game in enumerate(games):
            if before[row] == -1:
                assert not batch.rewards[row].any()
                continue
            game.play(int(actions[row]))
            ended = game.phase in (Phase.DEAL, Phase.OVER)
            assert batch.hand_over[row] == ended
            if ended:
                assert batch.finished[row] == game.state[0]
                assert batch.rewards[row].tolist() == due(reward, game)
                truncated = episode == "game" and not game.over and game.state["hand"][0] == 12
                assert batch.truncated[row] == truncated
                assert batch.dones[row] == (episode == "hand" or game.over or truncated)
                if not batch.dones[row]:
                    game.deal()
            assert batch.states[row] == game.state[0]
            assert batch.turn[row] == game.turn
            assert cards_of(int(batch.legal[row]) & (1 << 33) - 1) == [a for a in game.legal() if a < 33]
        if not batch.legal.any():
            break
    assert (batch.episodes == 1).all()


def due(reward: str, game: Game) -> list[float]:
    """Return what a finished hand pays, from the meaning of the mode."""
    rules, points = game.ruleset, game.points
    by_side: list[float] = list(points)
    if reward == "zero_sum":
        by_side = [p - (sum(points) - p) / (len(points) - 1) for p in points]
    elif reward == "win":
        won = game.winners
        by_side = [0.0] * len(points)
        if won:
            by_side = [1.0 if side in won else -len(won) / (len(points) - len(won)) for side in range(len(points))]
    return [by_side[rules.side(seat)] if seat < rules.num_seats else 0.0 for seat in range(4)]


@pytest.mark.parametrize("rules", CATALOGUE, ids=lambda rules: rules.name)
def test_a_row_is_a_game(rules: Any) -> None:
    follow(rules, "hand", "zero_sum")


@pytest.mark.parametrize("rules", ["two_handed", "three_handed", "cincinnati", "ghost_hand", "railroad", "tournament"])
@pytest.mark.parametrize(("episode", "reward"), [("hand", "score"), ("game", "win")])
def test_a_row_is_a_game_to_its_end(rules: str, episode: str, reward: str) -> None:
    follow(rules, episode, reward)


def test_a_row_is_a_game_under_any_options() -> None:
    for _, rules in mixes(12, seed=4):
        follow(rules, "hand", "zero_sum")


def record_of(batch: GameBatch) -> list[npt.NDArray[Any]]:
    names = ("states", "turn", "legal", "observations", "rewards", "dones", "truncated", "hand_over", "episodes")
    return [np.array(getattr(batch, name)) for name in names]


def same(first: GameBatch, second: GameBatch) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(record_of(first), record_of(second), strict=True))


def test_a_table_does_not_depend_on_the_others() -> None:
    many = GameBatch("north_american", 32, keys=KEYS, episode="game")
    few = GameBatch("north_american", 5, keys=KEYS[7:12], episode="game")
    for number in range(600):
        actions = np.array([choose(many, row, number + row) for row in range(32)])
        many.step(actions)
        few.step(actions[7:12])
        for whole, part in zip(record_of(many), record_of(few), strict=True):
            assert np.array_equal(whole[7:12], part)


def test_the_same_seed_is_the_same_batch() -> None:
    # I4, I5: deals come from the seed alone; a table's next episodes are other deals.
    rng = np.random.default_rng(1)
    first = GameBatch("tournament", 8, seed=3)
    GameBatch("tournament", 3, seed=9)
    second = GameBatch("tournament", 8, seed=3)
    assert same(first, second)
    start = first.states.copy()
    deals = {int(first.states["hands"][0, 0])}
    while first.episodes.min() < 4:
        first.step(sample(first, rng))
        deals.add(int(first.states["hands"][0, 0]) if first.dones[0] else int(start["hands"][0, 0]))
    assert len(deals) >= 4
    first.reset(seed=3)
    assert same(first, second)
    first.reset(seed=4)
    assert not np.array_equal(first.states, start)


def test_without_a_seed_batches_differ() -> None:
    assert not np.array_equal(GameBatch(num_tables=4).states, GameBatch(num_tables=4).states)


def test_dealers_and_scores_hold_for_every_episode() -> None:
    rng = np.random.default_rng(2)
    dealers, scores = np.array([0, 1, 2, 3]), np.array([[1, 2], [3, 4], [5, 6], [7, 8]])
    batch = GameBatch("tournament", 4, seed=1, dealers=dealers, scores=scores)
    for _ in range(200):
        assert (batch.states["dealer"] == dealers).all()
        assert (batch.states["scores"][:, :2] == scores).all()
        batch.step(sample(batch, rng))
    batch.reset(seed=1)
    assert not batch.states["scores"].any()


@pytest.mark.parametrize("seat", range(4))
def test_dealer_selection(seat: int) -> None:
    rules = get("tournament").replace(dealer_selection=str(seat))
    assert (GameBatch(rules, 20, seed=1).states["dealer"] == seat).all()
    assert (GameBatch(rules, 2, seed=1, dealers=[0, 1]).states["dealer"] == [0, 1]).all()


def test_first_dealers_of_later_episodes_are_drawn() -> None:
    rng = np.random.default_rng(2)
    batch, dealers = GameBatch("tournament", 1, seed=1), set()
    while batch.episodes[0] < 30:
        dealers.add(int(batch.states["dealer"][0]))
        batch.step(sample(batch, rng))
    assert dealers == {0, 1, 2, 3}


def test_the_deal_passes_left_in_a_game() -> None:
    rng = np.random.default_rng(3)
    batch = GameBatch("tournament", 6, seed=1, episode="game", autoreset=False)
    dealer = batch.states["dealer"].copy()
    while batch.legal.any():
        batch.step(sample(batch, rng))
        moved = batch.hand_over & ~batch.dones
        dealer[moved] = (dealer[moved] + 1) % 4
        assert (batch.states["dealer"] == dealer).all()
    assert (batch.states["scores"][:, :2].max(axis=1) >= 10).all()


def test_a_table_rests_without_autoreset() -> None:
    rng = np.random.default_rng(4)
    batch = GameBatch("tournament", 6, seed=1, autoreset=False)
    while batch.legal.any():
        batch.step(sample(batch, rng))
    before = batch.states.copy()
    assert (batch.turn == -1).all()
    assert not batch.masks().any()
    batch.step(np.zeros(6, dtype=np.int64))
    assert np.array_equal(batch.states, before)
    assert not batch.dones.any()
    assert not batch.hand_over.any()
    assert not batch.rewards.any()
    assert (batch.episodes == 1).all()


def test_autoreset_shows_the_next_episode() -> None:
    rng = np.random.default_rng(5)
    batch = GameBatch("tournament", 6, seed=1)
    for _ in range(300):
        batch.step(sample(batch, rng))
        assert batch.legal.all()
        assert (batch.states["hand"] == 0).all()
        assert (batch.states["num_calls"][batch.dones] == 0).all()
        assert np.array_equal(batch.dones, batch.hand_over)
        assert (batch.finished["hand"][batch.dones] == 1).all()


def test_max_hands_truncates() -> None:
    rng = np.random.default_rng(6)
    batch = GameBatch("tournament", 50, seed=1, episode="game", max_hands=3, reward="win")
    ended = cut = 0
    for _ in range(400):
        batch.step(sample(batch, rng))
        assert (batch.finished["hand"][batch.truncated] == 3).all()
        assert not (batch.truncated & ~batch.dones).any()
        assert not batch.rewards[batch.truncated].any()
        over = batch.finished["phase"] == Phase.OVER
        assert (batch.dones & ~batch.truncated == batch.dones & over).all()
        ended, cut = ended + int(batch.dones.sum()), cut + int(batch.truncated.sum())
    assert 0 < cut <= ended


def test_a_game_won_by_the_last_hand_is_not_truncated() -> None:
    rng = np.random.default_rng(7)
    batch = GameBatch(get("tournament").replace(target=1), 20, seed=1, episode="game", max_hands=1)
    for _ in range(60):
        batch.step(sample(batch, rng))
        assert not batch.truncated.any()


def test_rewards_of_a_game_add_up() -> None:
    for reward in REWARD_MODES:
        played = play_out("north_american", 200, seed=1, episode="game", reward=reward)
        first, second = played.finished["scores"][:, 0], played.finished["scores"][:, 1]
        due = {
            "score": first,
            "zero_sum": first - second,
            "win": np.sign(first - second),
            "equity": played.rewards[:, 0],
        }[reward]
        assert np.array_equal(played.rewards[:, 0], due)
        assert np.array_equal(played.rewards[:, :2], played.rewards[:, 2:])
        if reward == "score":
            assert np.array_equal(played.rewards[:, 1], second)
        else:
            assert np.allclose(played.rewards[:, 1], -due, atol=1e-5)


def test_equity_of_a_game_adds_up() -> None:
    played = play_out("tournament", 100, seed=2, episode="game", reward="equity")
    table = equity.table(get("tournament"))
    dealer_side = played.dealt["dealer"] % 2
    start = np.array([table[10, 10, 1 if side == 0 else 0] for side in dealer_side])
    won = (played.finished["winners"] == 1).astype(float)
    assert np.allclose(played.rewards[:, 0], won - start, atol=1e-4)


def test_equity_hands_start_from_drawn_scores() -> None:
    batch = GameBatch("tournament", 4_000, seed=3, reward="equity")
    counts = np.zeros((10, 10), dtype=int)
    np.add.at(counts, (batch.states["scores"][:, 0], batch.states["scores"][:, 1]), 1)
    assert counts.min() > 10
    given_scores = GameBatch("tournament", 4, seed=3, reward="equity", scores=[[2, 3]] * 4)
    assert (given_scores.states["scores"][:, :2] == [2, 3]).all()


def test_skip_forced_plays_the_same_hands() -> None:
    plain = GameBatch("north_american", 32, keys=KEYS, autoreset=False)
    skipping = GameBatch("north_american", 32, keys=KEYS, autoreset=False, skip_forced=True)
    for number in range(200):
        actions = np.array([choose(skipping, row, number) for row in range(32)])
        assert ((skipping.legal & (skipping.legal - 1) != 0) | (skipping.legal == 0)).all()
        skipping.step(actions)
        for row in range(32):
            if plain.legal[row]:
                step_one(plain, row, int(actions[row]))
                while plain.legal[row] and not plain.legal[row] & (plain.legal[row] - 1):
                    step_one(plain, row, int(plain.legal[row]).bit_length() - 1)
        assert np.array_equal(plain.states, skipping.states)
        assert np.array_equal(plain.observations[plain.legal != 0], skipping.observations[plain.legal != 0])
    assert np.array_equal(plain.finished, skipping.finished)


def step_one(batch: GameBatch, row: int, action: int) -> None:
    """Step one table, the others as if at rest."""
    legal = batch.legal.copy()
    batch.legal[:] = 0
    batch.legal[row] = legal[row]
    actions = np.zeros(batch.num_tables, dtype=np.int64)
    actions[row] = action
    batch.step(actions)
    legal[row] = batch.legal[row]
    batch.legal[:] = legal


def test_canonical_suits_play_the_same_hands() -> None:
    plain = GameBatch("tournament", 32, keys=KEYS, autoreset=False)
    shown = GameBatch("tournament", 32, keys=KEYS, autoreset=False, canonical_suits=True)
    rng = np.random.default_rng(8)
    differ = 0
    while plain.legal.any():
        assert np.array_equal(np.bitwise_count(plain.legal), np.bitwise_count(shown.legal))
        differ += int((plain.legal != shown.legal).sum())
        before = plain.states.copy()
        actions = sample(shown, rng)
        shown.step(actions)
        real = real_actions(before, shown.states, plain.legal)
        plain.step(real)
        assert np.array_equal(plain.states, shown.states)
        assert np.array_equal(plain.rewards, shown.rewards)
    assert differ > 0


def real_actions(before: Any, after: Any, legal: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the action of each row that leads from one record to the next, found by trying."""
    found = np.zeros(len(before), dtype=np.int64)
    for row in range(len(before)):
        for action in range(NUM_ACTIONS):
            if int(legal[row]) >> action & 1:
                game = Game("tournament", seed=0, auto_deal=False)
                game.state[0] = before[row]
                game.play(action)
                if game.state[0] == after[row]:
                    found[row] = action
    return found


def test_clone_and_state_go_on_exactly() -> None:
    rng = np.random.default_rng(9)
    settings: dict[str, Any] = {"episode": "game", "reward": "equity", "hidden": True, "canonical_suits": True}
    batch = GameBatch("north_american", 16, seed=1, **settings)
    for _ in range(77):
        batch.step(sample(batch, rng))
    twin, saved = batch.clone(), batch.get_state()
    other = GameBatch("north_american", 16, seed=2, **settings)
    other.set_state(saved)
    assert same(batch, twin)
    assert same(batch, other)
    start = record_of(batch)
    for _ in range(300):
        actions = sample(batch, rng)
        for one in (batch, twin, other):
            one.step(actions)
        assert same(batch, twin)
        assert same(batch, other)
        assert np.array_equal(batch.hidden, twin.hidden)
    batch.set_state(saved)
    assert all(np.array_equal(a, b) for a, b in zip(record_of(batch), start, strict=True))


def test_a_saved_state_of_another_shape_is_refused() -> None:
    saved = GameBatch("tournament", 3, seed=1).get_state()
    batch = GameBatch("tournament", 4, seed=1)
    before = batch.states.copy()
    with pytest.raises(StateError, match="the saved batch has no states of shape"):
        batch.set_state(saved)
    with pytest.raises(StateError, match="the saved batch has no"):
        batch.set_state({})
    assert np.array_equal(batch.states, before)


@pytest.mark.parametrize(
    ("rules", "settings"),
    [("bicycle24", {}), ("tournament", {"reward": "equity"}), ("tournament", {"max_hands": 3})],
)
def test_a_saved_state_of_other_rules_or_settings_is_refused(rules: str, settings: dict[str, Any]) -> None:
    """An equity batch's state would have had the small table of another mode read past its end."""
    batch = GameBatch("tournament", 4, seed=1)
    before = record_of(batch)
    with pytest.raises(StateError, match=r"saved (under other rules|with another setting)"):
        batch.set_state(GameBatch(rules, 4, seed=2, **settings).get_state())
    assert all(np.array_equal(a, b) for a, b in zip(record_of(batch), before, strict=True))
    floats = {name: array.astype(float) if name == "turn" else array for name, array in batch.get_state().items()}
    with pytest.raises(StateError, match="no turn of shape"):
        batch.set_state(floats)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dealers": [256, 0, 0, 0]},
        {"dealers": [1.5, 0, 0, 0]},
        {"dealers": ["1"] * 4},
        {"dealers": [9, 0, 0, 0]},
        {"keys": [1.5, 2, 3, 4]},
        {"keys": [2**64, 1, 1, 1]},
        {"scores": [[1.5, 0]] * 4},
        {"scores": [["1", "0"]] * 4},
    ],
)
def test_a_refused_reset_changes_nothing(wrong: dict[str, Any]) -> None:
    """A dealer of 256 had become 0, and one of 9 stayed for the next episode although it was refused."""
    batch = GameBatch("tournament", 4, seed=1)
    before = batch.get_state()
    with pytest.raises(ValueError, match=r"whole numbers|a first dealer is"):
        batch.reset(**wrong)
    assert all(np.array_equal(array, before[name]) for name, array in batch.get_state().items())


@pytest.mark.parametrize("actions", [[33.0] * 4, ["33"] * 4, [None] * 4, [True] * 4])
def test_actions_are_whole_numbers(actions: list[Any]) -> None:
    batch = GameBatch("tournament", 4, seed=1)
    with pytest.raises(ValueError, match=r"actions holds .*: it needs whole numbers"):
        batch.step(actions)
    for kind in (np.int8, np.uint64, ">i4"):
        batch.reset(seed=1)
        batch.step(np.full(4, PASS, dtype=kind))
        assert (batch.states["num_calls"] == 1).all()


def test_arrays_stay_in_place() -> None:
    rng = np.random.default_rng(10)
    batch = GameBatch("tournament", 4, seed=1, hidden=True)
    names = ("states", "turn", "legal", "observations", "hidden", "rewards", "dones", "truncated", "hand_over")
    places = [getattr(batch, name).ctypes.data for name in names]
    for _ in range(40):
        batch.step(sample(batch, rng))
    batch.reset()
    assert [getattr(batch, name).ctypes.data for name in names] == places
    assert batch.observations.shape == (4, OBSERVATION_SIZE)
    assert batch.hidden.shape == (4, HIDDEN_SIZE)
    assert batch.rewards.dtype == np.float32
    assert batch.masks().shape == (4, NUM_ACTIONS)


def test_hidden_cards_are_the_rest_of_the_pack() -> None:
    rng = np.random.default_rng(11)
    batch = GameBatch("tournament", 16, seed=1, hidden=True)
    for _ in range(200):
        batch.step(sample(batch, rng))
        for row in range(16):
            record, seat = batch.states[row], int(batch.turn[row])
            places = batch.hidden[row].reshape(4, 33)
            hands = [int(record["hands"][(seat + step) % 4]) for step in (1, 2, 3)]
            dead = int(record["kitty"]) | sum(int(record["buried"][who]) for who in range(4) if who != seat)
            for columns, cards in zip(places, [*hands, dead], strict=True):
                assert np.flatnonzero(columns).tolist() == cards_of(cards)


def test_views_hide_by_seat() -> None:
    batch = GameBatch("tournament", 6, seed=1)
    views = batch.views([4, 1])
    for view, row in zip(views, (4, 1), strict=True):
        seat = batch.turn[row]
        assert view["hands"][seat] == batch.states["hands"][row, seat]
        assert np.count_nonzero(view["hands"]) == 1
        assert view["kitty"] == 0
    seen = batch.views([0, 0, 0, 0], [0, 1, 2, 3])
    assert np.array_equal(np.diag(seen["hands"]), batch.states["hands"][0])
    assert (np.count_nonzero(seen["hands"], axis=1) == 1).all()
    assert np.array_equal(batch.views([5], [2]), batch.views(np.array([5]), np.array([2])))


def test_passing_by_number() -> None:
    batch = GameBatch("north_american", 3, seed=1, autoreset=False)
    for _ in range(8):
        batch.step(np.full(3, PASS))
    assert batch.dones.all()
    assert not batch.rewards.any()
    assert (batch.finished["maker"] == -1).all()


@pytest.mark.parametrize("how", [copy.deepcopy, GameBatch.clone])
def test_copies_live_on_their_own(how: Any) -> None:
    """Rewards and ends are views of the tables: of a copy's own."""
    batch = GameBatch("tournament", 6, seed=2)
    twin = how(batch)
    assert np.shares_memory(twin.rewards, twin._tables)
    assert not np.shares_memory(twin.rewards, batch.rewards)
    paid = np.zeros(2)
    for _ in range(40):
        actions = np.log2(batch.legal & -batch.legal).astype(np.int64)
        for number, one in enumerate((batch, twin)):
            one.step(actions)
            paid[number] += np.abs(one.rewards).sum()
    assert paid[0] == paid[1] > 0
    assert np.array_equal(batch.states, twin.states)


def test_a_table_waits_or_starts_anew_alone() -> None:
    batch = GameBatch("tournament", 4, seed=1, autoreset=False)
    before = batch.states.copy()
    batch.step(np.where([True, False, True, False], np.log2(batch.legal & -batch.legal).astype(np.int64), -1))
    assert np.array_equal(batch.states[[1, 3]], before[[1, 3]])
    assert not np.array_equal(batch.states[[0, 2]], before[[0, 2]])
    batch.restart([2], [77])
    alone = GameBatch("tournament", 1, keys=[77])
    assert np.array_equal(alone.states[0], batch.states[2])
    assert np.array_equal(alone.observations[0], batch.observations[2])
    for rows, keys, error in (
        ([4], [1], IndexError),
        ([-1], [1], IndexError),
        ([0], [1, 2], ValueError),
        ([0], [0.5], ValueError),
    ):
        with pytest.raises(error):
            batch.restart(rows, keys)  # type: ignore[arg-type]
