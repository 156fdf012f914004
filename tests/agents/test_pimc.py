"""The player by search: legal in every game, a function of view and seed, right where the answer is known."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import agents  # noqa: F401 - registers its players
from agents.search import beliefs, fit_passing, passing, pimc
from agents.search.double_dummy import MEMORY, Solver, payoff, payoff_of_cards
from agents.search.player import PimcPolicy, make_pimc
from euchre_env import Game, policies, rulesets, single, worlds
from euchre_env.batch import GameBatch
from euchre_env.cards import NUM_CARDS, parse_card
from euchre_env.dealing import KITTY, UPCARD, deck_for, hand_of
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import CALL, NONE, NUM_ACTIONS, ORDER_UP, ORDER_UP_ALONE, PASS, Phase
from euchre_env.engine.score import makers_points
from euchre_env.errors import StateError
from euchre_env.policies import PolicyError
from euchre_env.worlds.history import opening

NAMES = rulesets.names()


def tables(ruleset: str, number: int, steps: int, seed: int = 0) -> GameBatch:
    """Return tables after some random moves."""
    batch, rng = GameBatch(ruleset, number, seed=seed, observe=False), np.random.default_rng(seed)
    player = policies.make("random", ruleset)
    for _ in range(steps):
        batch.step(player.act(batch.states, batch.legal, rng))
    return batch


def views_of(batch: GameBatch) -> npt.NDArray[np.void]:
    return batch.views(np.arange(batch.num_tables))


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_every_game_by_the_mask_and_values_what_is_legal(name: str) -> None:
    batch, player = GameBatch(name, 24, seed=5, observe=False), PimcPolicy(rulesets.get(name), 4)
    rng, seen = np.random.default_rng(0), set()
    for _ in range(45):
        actions, values = player.evaluate(views_of(batch), batch.legal, rng.integers(2**63, size=24, dtype=np.uint64))
        assert (batch.legal >> actions & 1).all()
        solved = ~np.isnan(values).all(axis=1)
        seen |= {Phase(phase) for phase in batch.states["phase"][solved]}
        legal = (batch.legal[:, None] >> np.arange(NUM_ACTIONS) & 1).astype(bool)
        assert np.isnan(values[~legal]).all()
        if batch.ruleset.renege == "masked":
            assert (~np.isnan(values[solved]) == legal[solved]).all()
        batch.step(actions)
    assert Phase.PLAY in seen
    assert (Phase.BID if batch.ruleset.auction != "off" else Phase.ORDER_UP) in seen


@pytest.mark.parametrize("name", ["tournament", "cincinnati", "three_handed"])
def test_an_action_hangs_on_the_view_and_the_seed_alone(name: str) -> None:
    batch, player = tables(name, 40, 9, seed=1), make_pimc("6", rulesets.get(name))
    views, seeds = views_of(batch), np.arange(40, dtype=np.uint64)
    together, values = player.evaluate(views, batch.legal, seeds)
    fresh = make_pimc("6", rulesets.get(name))
    for row in (0, 7, 33):
        alone, own = fresh.evaluate(views[row : row + 1], batch.legal[row : row + 1], seeds[row : row + 1])
        assert alone[0] == together[row]
        assert np.array_equal(own[0], values[row], equal_nan=True)
    assert (player.act_seeded(views[::-1], batch.legal[::-1], seeds[::-1])[::-1] == together).all()
    rng = np.random.default_rng(3)
    assert (player.act(views, batch.legal, rng) == player.act(views, batch.legal, np.random.default_rng(3))).all()


def test_a_view_is_left_as_it_was() -> None:
    batch = tables("tournament", 20, 7)
    views, legal = views_of(batch), batch.legal.copy()
    before = views.copy()
    make_pimc("5", rulesets.get("tournament")).act(views, legal, np.random.default_rng(0))
    assert (views == before).all()
    assert (legal == batch.legal).all()


@kernel
def _payoffs(options: object, states: object, memory: object, table: object, out: object, cards: object) -> None:
    for k in range(len(states)):  # type: ignore[arg-type]
        out[k] = payoff(memory[0], options[0], states[k], table[k])  # type: ignore[index]
        payoff_of_cards(memory[0], options[0], states[k], table[k], cards[k])  # type: ignore[index]


@kernel
def _points(options: object, states: object, out: object) -> None:
    for k in range(len(states)):  # type: ignore[arg-type]
        for made in range(out.shape[1]):  # type: ignore[attr-defined]
            out[k, made] = makers_points(options[0], states[k], made)  # type: ignore[index]


@pytest.mark.parametrize(
    "name", ["tournament", "north_american", "bicycle32", "two_handed", "three_handed", "railroad"]
)
def test_what_a_hand_pays_is_what_its_tricks_pay(name: str) -> None:
    """Searched no further than it pays, a position has the points of the tricks that the solver counts."""
    batch, options = tables(name, 600, 0, seed=2), rulesets.get(name).to_options()
    player, rng = policies.make("random", name), np.random.default_rng(0)
    states = []
    for _ in range(18):
        batch.step(player.act(batch.states, batch.legal, rng))
        states.append(batch.states[batch.states["phase"] == Phase.PLAY].copy())
    found = np.concatenate(states)[::7]
    solver = Solver(name)
    solution, size = solver.solve(found), int(options["hand_size"][0])
    table = np.empty((len(found), size + 1))
    _points(options, found, table)
    out, cards = np.empty(len(found)), np.empty((len(found), NUM_CARDS))
    _payoffs(options, found, np.zeros(1, dtype=MEMORY), table, out, cards)
    rows = np.arange(len(found))
    assert len(found) > 100
    assert (out == table[rows, solution.tricks[:, 0]]).all()
    sides = found["turn"] % 2 if solver.ruleset.partners else found["turn"]
    makers = found["maker"] % 2 if solver.ruleset.partners else found["maker"]
    own = np.where((sides == makers)[:, None], solution.values, size - solution.values)
    known = solution.values != NONE
    assert (np.isnan(cards) == ~known).all()
    assert (cards[known] == np.take_along_axis(table, np.clip(own, 0, size).astype(np.int64), axis=1)[known]).all()


def test_with_one_world_it_plays_a_card_that_the_solver_calls_best_in_that_world() -> None:
    batch, rng = tables("tournament", 200, 0, seed=4), np.random.default_rng(0)
    search, solver, checked = make_pimc("1", rulesets.get("tournament")), Solver("tournament"), 0
    player = policies.make("random", "tournament")
    for seed in range(30):
        batch.step(player.act(batch.states, batch.legal, rng))
        for row in np.flatnonzero((batch.states["phase"] == Phase.PLAY) & (batch.states["sits_out"] == 0))[:5]:
            view, legal = batch.views([row]), batch.legal[row : row + 1]
            actions, values = search.evaluate(view, legal, np.array([seed], dtype=np.uint64))
            best = solver.solve(worlds.sample("tournament", view, 1, rng=seed)).best(0)
            if int(legal[0]).bit_count() > 1:
                assert values[0, best].min() == np.nanmax(values[0]) == values[0, actions[0]]
                checked += 1
    assert checked > 60


def _order_up(hand: list[str], up: str, scores: tuple[int, int]) -> tuple[int, npt.NDArray[np.float64]]:
    """Return what the dealer does with a hand after three passes, and the values."""
    rules = rulesets.get("tournament")
    cards = [parse_card(card) for card in hand]
    rest = [card for card in rules.deck_ids if card not in cards and card != parse_card(up)]
    lying = {hand_of(3): cards, UPCARD: [parse_card(up)], KITTY: rest[15:]}
    lying |= {hand_of(seat): rest[5 * seat : 5 * seat + 5] for seat in range(3)}
    game = Game(rules, deck=deck_for(rules, 3, lying), dealer=3, scores=scores)
    for _ in range(3):
        game.play(PASS)
    legal = np.array([sum(1 << action for action in game.legal())], dtype=np.int64)
    actions, values = PimcPolicy(rules, 60).evaluate(game.view(3), legal, np.array([9], dtype=np.uint64))
    return int(actions[0]), values[0]


def test_a_certain_march_is_played_alone_but_not_where_its_points_are_of_no_use() -> None:
    sure = ["JS", "JC", "AS", "KS", "AH"]
    action, values = _order_up(sure, "QS", (0, 0))
    assert action == ORDER_UP_ALONE
    assert values[ORDER_UP_ALONE] > 3.5
    action, values = _order_up(sure, "QS", (0, 9))
    assert values[ORDER_UP_ALONE] <= 1.0 + 1e-9
    assert values[ORDER_UP] >= values[ORDER_UP_ALONE] - 1e-9


def test_a_hopeless_hand_passes() -> None:
    action, values = _order_up(["9C", "TC", "9D", "TD", "9H"], "9S", (0, 0))
    assert action == PASS
    assert values[ORDER_UP] < -0.5


def test_every_game_has_lines_and_a_house_rule_those_of_its_nearest() -> None:
    for name in NAMES:
        assert passing.lines(rulesets.get(name)).shape == pimc.PASSING_SHAPE
    house = rulesets.get("tournament").replace(target=7)
    assert (passing.lines(house) == passing.lines(rulesets.get("tournament"))).all()


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("pimc:0", "from 1 to"),
        ("pimc:-5", "how many worlds"),
        ("pimc:200000", "how many worlds"),
        ("cfr_bidding:x", "cfr_bidding:x: say how many worlds"),
        ("pimc:", "how many worlds"),
        ("pimc:many", "how many worlds"),
        ("pimc:5:", "whose answers"),
        ("pimc:5:nobody", "nobody"),
        ("pimc", "pimc"),
        ("bid=nobody,play=random", "nobody"),
        ("bid=random", "write bid=A,play=B"),
        ("bid=random,play=bid=random,play=random", "write bid=A,play=B"),
        ("play=random,bid=random", "write bid=A,play=B"),
        ("", "''"),
        ("a" * 300, "aaa"),
    ],
)
def test_a_wrong_name_gets_a_sentence(word: str, sentence: str) -> None:
    with pytest.raises(PolicyError, match=sentence):
        policies.make(word, "tournament")


def test_two_players_in_one_share_the_decisions() -> None:
    batch, rng = tables("tournament", 60, 4, seed=3), np.random.default_rng(0)
    views = views_of(batch)
    both = policies.make("bid=rule_expert,play=simple_i", "tournament")
    plays = views["phase"] == Phase.PLAY
    bids, cards = (
        policies.make(name, "tournament").act(views, batch.legal, rng) for name in ("rule_expert", "simple_i")
    )
    assert plays.any()
    assert not plays.all()
    assert (both.act(views, batch.legal, rng) == np.where(plays, cards, bids)).all()
    assert both.exact  # type: ignore[attr-defined]
    drawn = policies.make("bid=random,play=pimc:3", "tournament")
    assert not drawn.exact  # type: ignore[attr-defined]
    seeds = np.arange(60, dtype=np.uint64)
    again = drawn.act_seeded(views[5:6], batch.legal[5:6], seeds[5:6])  # type: ignore[attr-defined]
    assert again[0] == drawn.act_seeded(views, batch.legal, seeds)[5]  # type: ignore[attr-defined]


BELIEVED = [name for name in NAMES if name not in ("railroad", "ghost_hand")]


@pytest.mark.parametrize("name", BELIEVED)
def test_a_world_dealt_again_is_the_deal_that_led_to_it(name: str) -> None:
    rules = rulesets.get(name)
    for steps in (4, 12, 19):
        batch = tables(name, 12, steps, seed=steps)
        for row in range(12):
            if batch.states["turn"][row] < 0:
                continue
            drawn = worlds.sample(rules, batch.views([row]), 5, rng=row)
            out = np.zeros_like(drawn)
            plan = beliefs.places(rules, int(drawn["dealer"][0]))
            beliefs.deal_again(rules.to_options(), drawn, plan, np.empty(NUM_CARDS, dtype=np.int8), out)
            for k in range(5):
                past = opening(rules, drawn[k])
                game = Game(rules, deck=past.deck, dealer=past.dealer, scores=past.scores)
                assert (out["hands"][k] == game.state["hands"][0]).all()
                assert out["kitty"][k] == game.state["kitty"][0]
                assert out["scores"][k].tolist() == game.state["scores"][0].tolist()


def test_worlds_are_weighed_by_what_the_player_would_have_done() -> None:
    """A seat that passed is not believed to hold what the player would have ordered with."""
    rules, rule_expert = rulesets.get("tournament"), policies.make("rule_expert", "tournament")
    batch = tables("tournament", 200, 0, seed=6)
    while (batch.states["num_calls"] < 2).any():
        batch.step(np.where(batch.states["num_calls"] < 2, PASS, NONE))
    view, slip = batch.views([0]), 0.2
    drawn = worlds.sample(rules, view, 400, rng=1)
    weights = beliefs.weigh(rules, drawn, rule_expert, slip)
    expected = np.ones(len(drawn))
    for k in range(len(drawn)):
        past = opening(rules, drawn[k])
        game = Game(rules, deck=past.deck, dealer=past.dealer, scores=past.scores)
        for _ in range(2):
            legal = np.array([sum(1 << action for action in game.legal())], dtype=np.int64)
            passes = rule_expert.act(game.view(game.turn), legal, np.random.default_rng(0))[0] == PASS
            expected[k] *= (1 - slip) * passes + slip / 3
            game.play(PASS)
    assert np.allclose(weights, expected / expected.sum())
    assert len(np.unique(weights.round(9))) > 1


def test_a_player_that_draws_makes_no_world_likelier_and_the_view_may_be_anothers() -> None:
    rules = rulesets.get("tournament")
    batch = tables("tournament", 1, 0, seed=6)
    for _ in range(5):
        batch.step(np.array([PASS]))
    mover = int(batch.turn[0])
    drawn = worlds.sample(rules, batch.views([0]), 50, rng=1)
    assert np.allclose(beliefs.weigh(rules, drawn, policies.make("random", rules)), 1 / 50)
    assert np.allclose(beliefs.weigh(rules, drawn, policies.make("pimc:3", rules)), 1 / 50)
    rule_expert = policies.make("rule_expert", rules)
    assert np.allclose(beliefs.weigh("tournament", drawn, "rule_expert"), beliefs.weigh(rules, drawn, rule_expert))
    assert len(np.unique(beliefs.weigh("tournament", drawn, "checkpoints/tournament"))) > 1
    other = (mover + 1) % 4  # for whom the earlier pass of the seat to move tells something
    hidden = batch.states.copy()
    single.hide_from(rules.to_options(), hidden, other)
    theirs = worlds.sample(rules, hidden, 200, rng=1, seat=other)
    as_other = beliefs.weigh(rules, theirs, rule_expert, seat=other)
    assert not np.allclose(as_other, beliefs.weigh(rules, theirs, rule_expert))
    for slip in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="slip"):
            beliefs.weigh(rules, drawn, rule_expert, slip)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tournament": {}}', '{"tournament": {"lines": [1, 2]}}', '{"x": 3}']
)
def test_a_damaged_file_of_lines_gets_a_sentence(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "passing.json").write_text(text)
    monkeypatch.setattr(passing, "FILE", tmp_path / "passing.json")
    passing._read.cache_clear()
    try:
        with pytest.raises(PolicyError, match="from the repository again"):
            make_pimc("3", rulesets.get("tournament"))
    finally:
        passing._read.cache_clear()


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--worlds", "0"], ["--hands", "-1"], ["--seed", "-1"]])
def test_fitting_nothing_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = passing.FILE.read_bytes()
    assert fit_passing.main(["--rulesets", "tournament", *words]) == 2
    assert words[0] in capsys.readouterr().err
    assert fit_passing.main(["--rulesets", "whist"]) == 2
    assert "whist" in capsys.readouterr().err
    assert passing.FILE.read_bytes() == before


def test_lines_are_fitted_to_what_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rulesets.get("tournament")
    passed = [fit_passing.Passed(0, 1, 4, x / 100, i, 2) for i, x in enumerate(range(-200, 200))]
    net = np.array([[0.5 + 0.25 * p.best, 0.0] for p in passed])
    lines = fit_passing.fit(rules, passed, net)
    assert lines[0, 1, 4] == pytest.approx([0.5, 0.25], abs=0.1)
    assert (lines[1] == 0).all()
    monkeypatch.setattr(passing, "FILE", tmp_path / "passing.json")
    passing._read.cache_clear()
    passing.write(rules, lines, {"seed": 1})
    assert passing.lines(rules) == pytest.approx(lines, abs=1e-4)
    passing._read.cache_clear()


def test_resampling_keeps_the_shares() -> None:
    weights = np.random.default_rng(0).random(300)
    weights /= weights.sum()
    rows, shares = beliefs.resample(weights, 64)
    assert shares.sum() == pytest.approx(1.0)
    assert (np.abs(shares - weights[rows]) <= 1 / 64).all()


def test_a_player_with_a_belief_plays_by_the_mask() -> None:
    batch, player = (
        GameBatch("north_american", 10, seed=8, observe=False),
        policies.make("pimc:4:rule_based", "north_american"),
    )
    rng = np.random.default_rng(0)
    for _ in range(25):
        actions = player.act(views_of(batch), batch.legal, rng)
        assert (batch.legal >> actions & 1).all()
        batch.step(actions)


@pytest.mark.parametrize("name", ["railroad", "ghost_hand"])
def test_no_belief_where_cards_change_hands(name: str) -> None:
    with pytest.raises(PolicyError, match="change hands"):
        policies.make("pimc:4:rule_based", name)


def test_the_call_of_a_suit_is_the_one_with_the_cards() -> None:
    rules = rulesets.get("tournament")
    cards = [parse_card(card) for card in ("JH", "JD", "AH", "KH", "AC")]
    up = parse_card("9S")
    rest = [card for card in rules.deck_ids if card not in cards and card != up]
    lying = {hand_of(0): cards, UPCARD: [up], KITTY: rest[15:]}
    lying |= {hand_of(seat): rest[5 * seat - 5 : 5 * seat] for seat in range(1, 4)}
    game = Game(rules, deck=deck_for(rules, 3, lying), dealer=3)
    for _ in range(4):
        game.play(PASS)
    legal = np.array([sum(1 << action for action in game.legal())], dtype=np.int64)
    action = PimcPolicy(rules, 40).act(game.view(0), legal, np.random.default_rng(0))[0]
    assert (action - CALL) % 6 == 2


def test_names_with_parameters_are_names_and_files_are_not() -> None:
    assert all(map(policies.is_name, ("pimc:50", "cfr_bidding", "cfr_bidding:9", "bid=a,play=b", "random")))
    assert not any(map(policies.is_name, ("runs/default", "step_1.safetensors", "pimc.json", "")))


def test_a_family_is_registered_once() -> None:
    policies.register_family("pimc", make_pimc)
    with pytest.raises(PolicyError, match="registered already"):
        policies.register_family("pimc", lambda parameter, ruleset: make_pimc(parameter, ruleset))


def test_threads_share_a_player() -> None:
    """What two calls at the same time answer is what they answer one after the other."""
    batch, player = tables("tournament", 64, 9, seed=2), make_pimc("8", rulesets.get("tournament"))
    views, seeds = views_of(batch), np.arange(64, dtype=np.uint64)
    alone = player.act_seeded(views, batch.legal, seeds)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: player.act_seeded(views, batch.legal, seeds), range(8)))
    assert all((actions == alone).all() for actions in together)


def test_a_view_that_no_cards_fit_is_refused() -> None:
    batch = tables("tournament", 1, 0)
    view = batch.views([0])
    view["hands"][0, view["turn"][0]] = 0
    with pytest.raises(StateError, match="no cards fit"):
        make_pimc("3", rulesets.get("tournament")).act(view, batch.legal, np.random.default_rng(0))
