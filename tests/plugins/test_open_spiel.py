"""OpenSpiel: every ruleset is a game that its own checks accept; seats see what they may, and search cannot cheat.

Node by node against OpenSpiel's euchre, the engine is held in `tests/differential/test_open_spiel.py`.
"""

import copy
import json
import unittest
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import expected_game_score, external_sampling_mccfr, mcts, outcome_sampling_mccfr
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from euchre_env import policies, rulesets, single
from euchre_env.batch import GameBatch
from euchre_env.cards import format_card
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CLAIM_REDEAL,
    DECLINE,
    NUM_ACTIONS,
    ORDER_UP,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
)
from euchre_env.engine.observe import OBSERVATION_SIZE, columns
from euchre_env.envs import _kernels as kernels
from euchre_env.envs import open_spiel
from euchre_env.envs.open_spiel.limits import MAX_REDEALS
from euchre_env.envs.open_spiel.resampling import state_of_view
from euchre_env.errors import IllegalActionError, RulesetError, StateError
from euchre_env.ruleset import Ruleset
from evaluation.arena import play_match
from examples import open_spiel_ismcts, open_spiel_learner
from tests.plugins import documented
from tests.rules.houses import mixes, single_changes

pytestmark = pytest.mark.plugin

SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)
NORTH_AMERICAN = rulesets.get("north_american")
# What brings more to remember than hand, trick and calls: buried cards taken, dummies, gifts, redeals, a blind call.
MEMORABLE = {
    "swap three": NORTH_AMERICAN.replace(farmers_hand="swap3", farmers_cards="three"),
    "redeal": NORTH_AMERICAN.replace(farmers_hand="redeal", farmers_cards="three"),
    "receive first": rulesets.get("railroad").replace(best_exchange="receive_first"),
    "five-card dummy": rulesets.get("three_handed").replace(dummy="five_card", alone_scope="maker_only"),
    "three-card dummies": rulesets.get("two_handed").replace(dummy="three_card"),
    "renege": rulesets.get("ghost_hand").replace(renege="penalty"),
}
EVERY = {name: rulesets.get(name) for name in rulesets.names()} | MEMORABLE
EVERY_RULESET = pytest.mark.parametrize("rules", EVERY.values(), ids=EVERY.keys())
CATALOGUE = pytest.mark.parametrize("name", rulesets.names())


def choose(state: Any, rng: np.random.Generator) -> int:
    """Return an action by chance; claims, which are rare, and going alone, which ends much, by weight."""
    legal = state.legal_actions()
    if CLAIM_REDEAL in legal and state.is_player_node() and rng.random() < 0.7:
        return CLAIM_REDEAL
    return int(legal[rng.integers(len(legal))])


def walk(game: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Play a hand by chance; yield the same state, before each action and at the end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(choose(state, rng))
    yield state


def dealt(rules: str | Ruleset, rng: np.random.Generator, **parameters: Any) -> Any:
    """Return a state after the deal."""
    return next(state for state in walk(open_spiel.game(rules, **parameters), rng) if state.is_player_node())


# The games ------------------------------------------------------------------------------------------------------------


@CATALOGUE
def test_every_ruleset_is_registered(name: str) -> None:
    rules, game = rulesets.get(name), pyspiel.load_game(f"euchre_env_{name}")
    assert game.rules == rules
    assert str(open_spiel.game(name)) == str(game)
    assert (game.num_players(), game.num_distinct_actions()) == (rules.num_seats, NUM_ACTIONS)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.utility_sum() == 0
    score = pyspiel.load_game(f"euchre_env_{name}(reward=score)")
    assert score.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert score.utility_sum() is None


@pytest.mark.parametrize(
    ("name", "zero_sum", "score", "length", "chance"),
    [
        ("tournament", (-4, 4), (0, 4), 28, 22),
        ("north_american", (-4, 4), (0, 4), 32, 22),
        ("two_handed", (-2, 2), (0, 2), 14, 12),
        # A march is 3 against nil and nil, a euchre 2 for each of two.
        ("three_handed", (-2, 3), (0, 3), 21, 17),
        # A quadruple moon failed costs 48, and the others take all six tricks; 9.6: a moon of 24 failed costs 6.
        ("cincinnati", (-54, 54), (-48, 48), 29, 25),
        ("ghost_hand", (-12, 24), (-6, 24), 23, 25),
    ],
)
def test_bounds(name: str, zero_sum: tuple[int, int], score: tuple[int, int], length: int, chance: int) -> None:
    for reward, bounds in (("zero_sum", zero_sum), ("score", score)):
        game = open_spiel.game(name, reward=reward)
        assert (game.min_utility(), game.max_utility()) == bounds
    assert game.max_game_length() == length
    assert game.max_chance_nodes_in_history() == chance


def test_game_strings() -> None:
    game = pyspiel.load_game("euchre_env_tournament(dealer=2,scores=9:8,reward=score)")
    state = game.new_initial_state()
    assert (state.table.dealer, game.max_chance_nodes_in_history()) == (2, 21)
    assert state.information_state_string(0) == "seat 0; scores 9 8; dealer 2; 0 cards dealt"
    assert str(game) == "euchre_env_tournament(dealer=2,reward=score,scores=9:8)"
    assert str(pyspiel.load_game("euchre_env_tournament", {"scores": "9,8"})) == "euchre_env_tournament(scores=9:8)"
    assert str(open_spiel.game("tournament", scores=(0, 0))) == "euchre_env_tournament()"
    assert pyspiel.load_game("euchre_env(ruleset=tournament,options=target:5;deck:32)").rules == rulesets.get(
        "tournament"
    ).replace(target=5, deck=32)


def test_every_option_survives_a_game_string() -> None:
    for label, rules in single_changes():
        named = rules.replace(name="Our house 2.0") if "deck" in label else rules
        assert pyspiel.load_game(str(open_spiel.game(named))).rules == named, label


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("euchre_env_tournament(reward=win)", ValueError, "unknown reward 'win'"),
        ("euchre_env_tournament(dealer=4)", StateError, "a seat from 0 to 3"),
        ("euchre_env_tournament(scores=10:0)", StateError, "2 numbers from 0 to 9"),
        ("euchre_env_tournament(scores=nil)", StateError, "a number for each side"),
        ("euchre_env(options=decks:32)", RulesetError, "did you mean 'deck'"),
        ("euchre_env(options=deck:26)", RulesetError, "is not one of 24, 25"),
        ("euchre_env(ruleset=turnament)", RulesetError, "did you mean 'tournament'"),
    ],
)
def test_wrong_parameters_are_named(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        pyspiel.load_game(text)


# OpenSpiel's own checks -----------------------------------------------------------------------------------------------


@CATALOGUE
def test_random_sim_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"euchre_env_{name}"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_random_sim_test_at_length() -> None:
    for rules in [*EVERY.values(), *(rules for _, rules in mixes(40, seed=1))]:
        for reward in ("zero_sum", "score"):
            pyspiel.random_sim_test(open_spiel.game(rules, reward=reward), num_sims=5, serialize=True, verbose=False)


def their_checks(name: str) -> unittest.TestResult:
    """Run what OpenSpiel's api_test runs for each registered game."""
    game = pyspiel.load_game(name)
    names: dict[str, Any] = {"game_name": name, "game": game}
    if not game.setting.open_deal:
        # It looks for private information in states of which all are in the middle of the deal (4.3).
        names["test_private_information_contents"] = None
    checks = type(name, (api_test.EnforceAPIOnPartialTreeBase,), names)
    return unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(checks))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n == "two_handed" else pytest.mark.slow) for n in rulesets.names()]
)
def test_api_test(name: str) -> None:
    result = their_checks(f"euchre_env_{name}")
    assert result.testsRun >= 4
    assert result.wasSuccessful(), result


@EVERY_RULESET
def test_copies_are_equal_and_apart(rules: Ruleset) -> None:
    game, rng = open_spiel.game(rules, reward="score"), np.random.default_rng(1)
    assert str(copy.copy(game)) == str(game)
    for number, state in enumerate(walk(game, rng)):
        if number % 7 == 0:
            their_game, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
            assert their_game.rules == game.rules
            # `copy` goes the way of pickles.
            for twin in (state.clone(), restored, copy.deepcopy(state)):
                assert same(twin, state)
                if not twin.is_terminal():
                    twin.apply_action(choose(twin, rng))
                    assert twin.history()[:-1] == state.history()
                    assert not same(twin, state)


def same(one: Any, other: Any) -> bool:
    seats = range(one.num_players())
    return (
        str(one) == str(other)
        and one.history() == other.history()
        and one.legal_actions() == other.legal_actions()
        and all(one.information_state_tensor(seat) == other.information_state_tensor(seat) for seat in seats)
    )


def test_undo_says_that_it_cannot() -> None:
    state = dealt("tournament", np.random.default_rng(1))
    state.apply_action(PASS)
    with pytest.raises(pyspiel.SpielError, match="UndoAction function is not overridden"):
        state.undo_action(0, PASS)


def test_illegal_actions_are_refused() -> None:
    state = dealt("tournament", np.random.default_rng(1))
    with pytest.raises(pyspiel.SpielError, match="alone is not legal here: pass, order up, order up alone"):
        state.apply_action(ALONE)
    with pytest.raises(pyspiel.SpielError, match="is no outcome of chance"):
        open_spiel.game("tournament").new_initial_state().apply_action(4)


# Play -----------------------------------------------------------------------------------------------------------------


@EVERY_RULESET
def test_play_is_the_engine(rules: Ruleset) -> None:
    """Every node: who moves, what is legal, and at the end what is paid, beside the engine dealt the same deck."""
    rng = np.random.default_rng(2)
    for reward in ("zero_sum", "score"):
        game = open_spiel.game(rules, reward=reward)
        for state in walk(game, rng):
            if state.is_player_node():
                record = state.table.record
                mask = int(single.legal(game.setting.options, record))
                assert state.current_player() == record["turn"][0]
                assert state.legal_actions() == [a for a in range(NUM_ACTIONS) if mask >> a & 1]
                assert state.returns() == [0.0] * rules.num_seats
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                assert np.allclose(chances, 1 / len(outcomes))
        points = state.table.record["points"][0, : rules.num_sides].astype(float)
        by_side = points if reward == "score" else points - (points.sum() - points) / (rules.num_sides - 1)
        assert state.returns() == [by_side[rules.side(seat)] for seat in range(rules.num_seats)]
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()


def test_cards_are_dealt_in_the_order_of_the_deal() -> None:
    """1.2: packets of three and two from the dealer's left; the up-card is the last card dealt."""
    state = open_spiel.game("tournament", dealer=1).new_initial_state()
    deck = list(state.get_game().setting.pack)[::-1]
    for card in deck[:21]:
        state.apply_action(card)
    assert set(deck[:3]) | set(deck[12:14]) == {c for c in range(33) if state.table.dealt[2] >> c & 1}
    assert state.table.record["upcard"][0] == deck[20]
    assert state.current_player() == 2


def test_a_claimed_redeal_is_dealt_again() -> None:
    """Q-N22; a game of OpenSpiel has to end, so the ninth claim is not offered."""
    rules, rng = MEMORABLE["redeal"].replace(deck=32), np.random.default_rng(1)
    for _ in range(20):
        for state in walk(open_spiel.game(rules), rng):
            redeals = len(state.table.earlier)
            assert redeals <= MAX_REDEALS
            if redeals == MAX_REDEALS and state.is_player_node():
                assert CLAIM_REDEAL not in state.legal_actions()
                break
        if redeals == MAX_REDEALS:
            break
    assert redeals == MAX_REDEALS
    tensor = make_observation(state.get_game(), INFO_STATE_OBS_TYPE)
    tensor.set_from(state, 0)
    assert (tensor.dict["claimed_by"].sum(axis=1) == 1).all()
    assert (tensor.dict["dealt_before"].sum(axis=1) == rules.hand_size).all()


@pytest.mark.slow
def test_the_longest_hands_reach_the_bound() -> None:
    for name in rulesets.names():
        game, rng = open_spiel.game(name), np.random.default_rng(1)
        assert max(longest(game, rng) for _ in range(100)) == game.max_game_length(), name


def longest(game: Any, rng: np.random.Generator) -> int:
    """Play a hand in which nobody goes alone or calls before he must; return its decisions."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        decisions += state.is_player_node()
        passes = sum(move.action == PASS for move in state.table.moves)
        last = passes == 2 * game.num_players() - 1 and len(legal) > 1
        wanted = [a for a in (SWAP, WITH_PARTNER, *range(BID, BID + 4), *(() if last else (PASS,))) if a in legal]
        state.apply_action(wanted[0] if wanted and state.is_player_node() else next_after_pass(state, legal, rng))
    return decisions


def next_after_pass(state: Any, legal: list[int], rng: np.random.Generator) -> int:
    calls = [action for action in legal if CALL <= action < CALL + 6]
    return calls[0] if state.is_player_node() and calls else int(rng.choice(legal))


# What seats see -------------------------------------------------------------------------------------------------------


class Witness:
    """Plays a hand and keeps, apart from the game's own strings, what every seat has seen of it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.rules = state.get_game().rules
        self.seen: list[tuple[Any, ...]] = [()] * state.num_players()
        self.dealt: list[tuple[int, int]] = []  # of the deal in progress: to whom, which card

    def act(self, action: int) -> None:
        state = self.state
        if state.is_player_node():
            mover, phase = state.current_player(), int(state.table.record["phase"][0])
            for seat in range(state.num_players()):
                unseen = phase == Phase.DISCARD and action != DECLINE and seat != mover
                unseen |= phase == Phase.GIVE and seat % 2 != mover % 2
                self.seen[seat] += ((mover, "unseen" if unseen else action),)
        state.apply_action(action)
        if state.is_player_node() and not state.table.moves:
            record = state.table.record
            for seat in range(state.num_players()):
                dealt = () if state.table.blind else (int(record["hands"][0, seat]),)
                self.seen[seat] += ((*dealt, int(record["upcard"][0])),)
        elif state.is_chance_node() and state.table.deck:
            owner = state.get_game().setting.places(state.table.dealer)[len(state.table.deck) - 1]
            self.dealt.append((owner, action))
        elif state.is_player_node():
            self.dealt = []

    def all_seen(self, seat: int) -> tuple[Any, ...]:
        """Return all that a seat has seen: a blind hand too, once it is not blind any more."""
        table = self.state.table
        looked: tuple[int, ...] = (table.dealt[seat],) if table.dealt and not table.blind else ()
        if not table.dealt:
            own = {card for owner, card in self.dealt if owner == seat and self.rules.joker_up != "blind_dealer"}
            looked = (len(self.dealt), *sorted(own))
        return (seat, table.dealer, looked, self.seen[seat])


class Book:
    """Information states by what was seen, both ways, and the own decisions before them."""

    def __init__(self) -> None:
        self.of_seen: dict[Any, Any] = {}
        self.by: dict[Any, Any] = {}

    def check(self, witness: Witness) -> None:
        for seat in range(witness.state.num_players()):
            seen, state = witness.all_seen(seat), witness.state
            text, tensor = state.information_state_string(seat), tuple(state.information_state_tensor(seat))
            assert self.of_seen.setdefault(seen, (text, tensor)) == (text, tensor), text
            for told in (text, tensor):
                assert self.by.setdefault(told, seen) == seen, text


@EVERY_RULESET
def test_equal_information_states_are_equal_histories(rules: Ruleset) -> None:
    """Strings and tensors of every seat at every node: one for all that looks the same, another for all that does not.

    That is perfect recall, no leak and no loss at once; what was seen is kept apart from the game.
    """
    rng, book = np.random.default_rng(3), Book()
    for _ in range(3):
        witness = Witness(open_spiel.game(rules).new_initial_state())
        while not witness.state.is_terminal():
            book.check(witness)
            witness.act(choose(witness.state, rng))
        book.check(witness)


@pytest.mark.parametrize("name", ["open_spiel", "north_american", "british", "ghost_hand", "bid_euchre"])
def test_all_calls_of_a_deal_look_different(name: str) -> None:
    """The faults of OpenSpiel's own euchre: a pass like a bid, alone like with partner, a question like a lead, a trump
    that is not told, a discard that its owner forgets.

    Every way through the calls of one deal, up to the first lead; a seat whose cards stay the same takes three ways.
    """
    rules = rulesets.get(name)
    rules = rules.replace(defend_alone="always") if name == "open_spiel" else rules
    start = dealt(rules, np.random.default_rng(4), dealer=0)
    book, nodes = Book(), 0
    due: list[tuple[int, ...]] = [()]
    while due and nodes < 250:
        path = due.pop(0)
        witness = Witness(open_spiel.game(rules, dealer=0).new_initial_state())
        for action in (*start.history(), *path):
            witness.act(action)
        book.check(witness)
        nodes += 1
        if not witness.state.is_terminal() and not witness.state.table.record["in_trick"][0]:
            due += [(*path, action) for action in witness.state.legal_actions()[:3]]
    assert nodes >= 60


@EVERY_RULESET
def test_tensors_are_the_engine_s_observation_and_memory(rules: Ruleset) -> None:
    rng, game = np.random.default_rng(5), open_spiel.game(rules)
    remembering, plain = make_observation(game, INFO_STATE_OBS_TYPE), make_observation(game)
    kinds = [(make_observation(game, pyspiel.IIGObservationType(**kind)), shown) for kind, shown in PARTS]
    for state in walk(game, rng):
        for seat in range(game.num_players()):
            row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
            kernels.observe_seat(game.setting.options, state.table.shown(), seat, False, row)
            remembering.set_from(state, seat)
            plain.set_from(state, seat)
            assert (plain.tensor == row).all()
            assert (remembering.tensor[:OBSERVATION_SIZE] == row).all()
            assert (remembering.dict["hand"] == row[columns("hand")]).all()
            # Python's shorter way, and OpenSpiel's own through its observers.
            assert state.information_state_tensor(seat) == remembering.tensor.tolist()
            assert pyspiel.State.information_state_tensor(state, seat) == remembering.tensor.tolist()
            assert pyspiel.State.observation_tensor(state, seat) == plain.tensor.tolist()
            for observer, shown in kinds:
                observer.set_from(state, seat)
                assert sorted(set(observer.dict) & {"hand", "trump", "dealt", "player"}) == shown
                assert isinstance(observer.string_from(state, seat), str)


PARTS = [
    ({"perfect_recall": True, "private_info": pyspiel.PrivateInfoType.NONE}, ["player", "trump"]),
    ({"perfect_recall": True, "public_info": False}, ["dealt", "hand"]),
    ({"perfect_recall": False, "private_info": pyspiel.PrivateInfoType.NONE}, ["trump"]),
    ({"perfect_recall": False, "public_info": False}, ["hand"]),
]


def test_observers_for_all_hands_are_refused() -> None:
    kind = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="an observation is one seat's"):
        make_observation(open_spiel.game("tournament"), kind)
    with pytest.raises(ValueError, match="there are none"):
        make_observation(open_spiel.game("tournament"), INFO_STATE_OBS_TYPE, {"size": 1})


def test_hidden_cards_do_not_show() -> None:
    """The same calls with all unseen cards dealt anew: nothing that the seat is shown changes."""
    rng, seat = np.random.default_rng(6), 2
    for name in rulesets.names():
        game = open_spiel.game(name, dealer=0)
        start = dealt(name, rng, dealer=0)
        known = start.table.dealt[min(seat, game.num_players() - 1)] | 1 << max(0, int(start.table.record["upcard"][0]))
        unseen = [card for card in game.setting.pack if not known >> card & 1]
        renamed = dict(zip(unseen, rng.permutation(unseen).tolist(), strict=True))
        twin = game.new_initial_state()
        for card in start.history():
            twin.apply_action(renamed.get(card, card))
        for _ in range(4):
            who = min(seat, game.num_players() - 1)
            assert twin.information_state_string(who) == start.information_state_string(who)
            assert twin.information_state_tensor(who) == start.information_state_tensor(who)
            assert twin.observation_string(who) == start.observation_string(who)
            if PASS not in start.legal_actions() or start.is_terminal():
                break
            start.apply_action(PASS)
            twin.apply_action(PASS)
        assert str(twin) != str(start)


def test_an_information_state_in_words() -> None:
    state = dealt("tournament", np.random.default_rng(7), dealer=3)
    for action in (PASS, ORDER_UP):
        state.apply_action(action)
    hand = [int(card) for card in np.flatnonzero(np.array(state.observation_tensor(3))[columns("hand")])]
    upcard, buried = int(state.table.record["upcard"][0]), state.legal_actions()[0]
    assert upcard in hand
    state.apply_action(buried)
    words = state.information_state_string(3)
    assert f"moves 0 pass, 1 order up, 3 {format_card(buried)};" in words
    assert "moves 0 pass, 1 order up, 3 a card face down;" in state.information_state_string(0)
    assert words.endswith("to move 0, play")


# Search ---------------------------------------------------------------------------------------------------------------


@EVERY_RULESET
def test_resampling(rules: Ruleset) -> None:
    """Any seat, any node: the same information state, and a legal history, since `apply_action` refuses another."""
    rng, game, moved = np.random.default_rng(8), open_spiel.game(rules), Counter[bool]()
    for number, state in enumerate(walk(game, rng)):
        if number % 3 == 0 and (state.is_player_node() or number % 9 == 0):
            seat = int(rng.integers(game.num_players()))
            world = state.resample_from_infostate(seat, SAMPLER)
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert world.current_player() == state.current_player()
            assert [item.player for item in world.full_history()] == [item.player for item in state.full_history()]
            moved[world.history() != state.history()] += 1
    assert moved[True] > moved[False]


@pytest.mark.slow
def test_resampling_in_many_houses() -> None:
    for _ in range(3):
        for rules in [*EVERY.values(), *(rules for _, rules in mixes(40, seed=2))]:
            test_resampling(rules)


def test_resampling_moves_what_is_buried() -> None:
    """OpenSpiel's own euchre leaves the kitty and the discards of others where they are."""
    state = dealt("north_american", np.random.default_rng(9), dealer=3)
    for action in (ORDER_UP, state_discard(state)):
        state.apply_action(action)
    worlds = [state.resample_from_infostate(1, SAMPLER) for _ in range(100)]
    kitties = {int(world.table.record["kitty"][0]) for world in worlds}
    discards = Counter(int(world.table.record["buried"][0, 3]) for world in worlds)
    assert len(kitties) > 80
    assert len(discards) > 12
    assert max(discards.values()) < 20


def state_discard(state: Any) -> int:
    twin = state.clone()
    twin.apply_action(ORDER_UP)
    return int(twin.legal_actions()[0])


def test_resampling_is_even() -> None:
    """Before anybody has played, every unseen card lies anywhere unseen as often as any other card.

    That each whole world is as likely as any other is tested where they are drawn, in `worlds`.
    """
    state, draws = dealt("tournament", np.random.default_rng(10), dealer=3), 400
    unseen = [c for c in state.get_game().setting.pack if not (state.table.dealt[0] | 1 << upcard_of(state)) >> c & 1]
    records = [state.resample_from_infostate(0, SAMPLER).table.record for _ in range(draws)]
    for name, seat, share in (("hands", 1, 5 / 18), ("hands", 2, 5 / 18), ("kitty", None, 3 / 18)):
        sets = [int(record[name][0] if seat is None else record[name][0, seat]) for record in records]
        times = np.array([sum(cards >> card & 1 for cards in sets) for card in unseen])
        assert (abs(times - draws * share) < 4.5 * np.sqrt(draws * share * (1 - share))).all()


def upcard_of(state: Any) -> int:
    return int(state.table.record["upcard"][0])


def test_resampling_of_what_is_no_seat_is_refused() -> None:
    with pytest.raises(StateError, match="player_id is 4"):
        dealt("tournament", np.random.default_rng(1)).resample_from_infostate(4, SAMPLER)


def searcher(simulations: int) -> Any:
    def make(game: Any, seat: int, seed: int) -> Any:
        rng = np.random.RandomState(seed)
        return ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, simulations, random_state=rng)

    return make


def test_is_mcts_plays_every_ruleset() -> None:
    for name in rulesets.names():
        state, rng = dealt(name, np.random.default_rng(11)), np.random.default_rng(12)
        bot = searcher(3)(state.get_game(), 0, 1)
        while not state.is_terminal():
            state.apply_action(int(bot.step(state)) if rng.random() < 0.4 else choose(state, rng))


def test_the_compiled_is_mcts_cannot_resample_a_python_game() -> None:
    """OpenSpiel 2.0.2 hands `resample_from_infostate` to no Python state; its Python IS-MCTS calls it itself."""
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 10)
    with pytest.raises(pyspiel.SpielError, match="not implemented"):
        bot.get_policy(dealt("tournament", np.random.default_rng(1)))


@pytest.mark.slow
def test_is_mcts_beats_random_players() -> None:
    player = open_spiel.BotPolicy(searcher(30), "tournament", name="is_mcts")
    net = play_match(player, policies.make("random", "tournament"), "tournament", pairs=60, seed=1).net
    assert net.low is not None
    assert net.low > 0.5


def test_mccfr_runs() -> None:
    np.random.seed(1)  # noqa: NPY002 (OpenSpiel's solvers draw from the global generator)
    sampling = outcome_sampling_mccfr.OutcomeSamplingSolver(open_spiel.game("tournament"))
    for _ in range(3):
        sampling.iteration()
    external = external_sampling_mccfr.ExternalSamplingSolver(open_spiel.game("two_handed"))
    external.iteration()


def test_mccfr_solves_an_ending() -> None:
    """No ruleset is small, so a late trick of a given deal: there MCCFR has to find what plain search finds."""
    np.random.seed(1)  # noqa: NPY002
    rng = np.random.default_rng(13)
    state = dealt("two_handed", rng)
    while state.table.record["trick"][0] < 2 or state.table.record["in_trick"][0]:
        state.apply_action(choose(state, rng))
    line = ";".join(str(action) for action in state.history())
    ending = pyspiel.load_game(f"start_at(history={line},game=euchre_env_two_handed())")
    solver = external_sampling_mccfr.ExternalSamplingSolver(ending)
    for _ in range(100):
        solver.iteration()
    value = expected_game_score.policy_value(ending.new_initial_state(), [solver.average_policy()] * 2)
    assert value == pytest.approx(best(state), abs=0.05)


def best(state: Any) -> list[float]:
    """Return what the seats get when all cards are open and each plays its best."""
    if state.is_terminal():
        return list(state.returns())
    mover = state.current_player()
    return max((best(state.child(action)) for action in state.legal_actions()), key=lambda returns: returns[mover])


# Bots -----------------------------------------------------------------------------------------------------------------


def evaluated(game: Any, bots: list[Any], hands: int) -> float:
    """Return the mean points of seat 0."""
    return float(np.mean([pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(hands)]))


def test_our_players_are_bots() -> None:
    game = open_spiel.game("tournament")
    ours = [open_spiel.player_bot("rule_based", game, seat, seed=seat) for seat in (0, 2)]
    theirs = [pyspiel.make_uniform_random_bot(seat, seat) for seat in (1, 3)]
    assert evaluated(game, [ours[0], theirs[0], ours[1], theirs[1]], 200) > 0.8
    ours[0].restart()
    state = dealt("tournament", np.random.default_rng(1), dealer=3)
    ours[0].restart_at(state)
    action = ours[0].step(state)
    assert action in state.legal_actions()
    ours[0].inform_action(state, 1, action)
    with pytest.raises(StateError, match="seat 2 is asked, and it is the turn of 0"):
        ours[1].step(state)
    with pytest.raises(StateError, match="player_id is 4"):
        open_spiel.player_bot("random", game, 4)
    with pytest.raises(policies.PolicyError, match="did you mean 'random'"):
        open_spiel.player_bot("randon", game, 0)


class Spy:
    """A player that keeps the views that it is shown."""

    name = "spy"

    def __init__(self) -> None:
        self.views: list[Any] = []

    def act(self, views: Any, legal: Any, rng: np.random.Generator) -> Any:
        self.views.append(views.copy())
        return policies.make("random", "north_american").act(views, legal, rng)


def test_a_bot_of_ours_is_shown_a_view() -> None:
    spy, game = Spy(), open_spiel.game("north_american")
    bots = [open_spiel.player_bot(spy, game, seat, seed=1) for seat in range(4)]
    pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert len(spy.views) > 10
    for view in spy.views:
        others = [seat for seat in range(4) if seat != view["turn"][0]]
        assert not view["hands"][0, others].any()
        assert not view["buried"][0, others].any()
        assert view["kitty"][0] == 0


class Peeker(pyspiel.Bot):
    """A bot that looks at the whole state, and keeps what it was shown."""

    def __init__(self, shown: list[Any]) -> None:
        super().__init__()
        self.shown = shown

    def step(self, state: Any) -> int:
        self.shown.append(state)
        return int(state.legal_actions()[-1])


@pytest.mark.parametrize("name", rulesets.names())
def test_their_bots_are_players(name: str) -> None:
    """A bot gets a state that looks to its seat as the table does, and knows no more of the table than that."""
    shown: list[Any] = []
    player = open_spiel.BotPolicy(lambda game, seat, seed: Peeker(shown), name)
    state, rng, wrong = dealt(name, np.random.default_rng(14)), np.random.default_rng(15), 0
    while not state.is_terminal():
        table = state.table
        view = table.record.copy()
        single.hide_from(table.setting.options, view, table.player)
        action = int(player.act(view, np.array([table.legal]), rng)[0])
        imagined = shown[-1]
        assert imagined.information_state_string() == state.information_state_string()
        assert imagined.legal_actions() == state.legal_actions()
        wrong += imagined.table.dealt != table.dealt
        state.apply_action(action)
    assert wrong > 3


def test_a_bot_that_breaks_the_rules_is_named() -> None:
    class Wrong(pyspiel.Bot):
        def step(self, state: Any) -> int:
            return ALONE

    player = open_spiel.BotPolicy(lambda game, seat, seed: Wrong(), "tournament", name="wrong")
    with pytest.raises(IllegalActionError, match="wrong chose alone"):
        play_match(player, policies.make("random", "tournament"), "tournament", pairs=1, seed=1)


def test_their_bots_play_in_our_arena() -> None:
    def uniform(game: Any, seat: int, seed: int) -> Any:
        return pyspiel.make_uniform_random_bot(seat, seed)

    player = open_spiel.BotPolicy(uniform, "tournament", name="their random")
    net = play_match(player, policies.make("rule_based", "tournament"), "tournament", pairs=15, seed=1).net
    assert net.mean < 0


# Learners -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["zero_sum", "score"])
def test_rewards_are_conserved(reward: str) -> None:
    """What TimeStep.rewards pays every seat over 1,000 hands is what the engine's points come to."""
    game = open_spiel.game("tournament", reward=reward)
    env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    env.seed(1)
    rng, told, paid, unasked = np.random.default_rng(16), np.zeros(4), np.zeros(4), 0
    for _ in range(1_000 if reward == "zero_sum" else 50):
        step, asked = env.reset(), set()
        while not step.last():
            asked.add(step.current_player())
            legal = step.observations["legal_actions"][step.current_player()]
            step = env.step([legal[rng.integers(len(legal))]])
            told += step.rewards
        points = env.get_state.table.record["points"][0].astype(float)
        own = points[[0, 1, 0, 1]]
        paid += own - points[[1, 0, 1, 0]] if reward == "zero_sum" else own
        unasked += len(asked) < 4
    assert told.tolist() == paid.tolist()
    # Some hands end before a seat is asked at all, and are paid to it all the same.
    assert unasked > 0 or reward == "score"


def test_a_learner_is_updated_and_its_weights_play_the_same() -> None:
    """`PolicyGradient.save` of OpenSpiel 2.0.2 writes nothing: what is kept is the network's `state_dict`."""
    env = open_spiel_learner.environment(seed=1)
    agent, again = open_spiel_learner.learner(env), open_spiel_learner.learner(env)
    others = [RandomAgent(seat, NUM_ACTIONS) for seat in range(1, 4)]
    before = [weights.clone() for weights in agent.policy_logits_network.parameters()]
    decisions = 0
    while decisions < 200:
        decisions += open_spiel_learner.play(env, [agent, *others])[0]
    after = list(agent.policy_logits_network.parameters())
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
    again.policy_logits_network.load_state_dict(agent.policy_logits_network.state_dict())
    batch = GameBatch(open_spiel_learner.RULESET, 50, seed=1)
    asked = (batch.observations, batch.masks())
    first, second = (open_spiel_learner.Chooser(learner, seed=2)(*asked) for learner in (agent, again))
    assert (first == second).all()
    assert (batch.legal >> first & 1 == 1).all()


@pytest.mark.slow
def test_the_learner_rises(capsys: pytest.CaptureFixture[str]) -> None:
    assert open_spiel_learner.main(["--seconds", "100"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["low"] > 0.3


@pytest.mark.slow
def test_the_search_example_runs() -> None:
    assert open_spiel_ismcts.main(["--pairs", "30", "--opponents", "random"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("code", documented.code_of("OpenSpiel"))
def test_the_documented_code_runs(code: str) -> None:
    documented.run(code)


def test_the_dealer_of_a_later_hand_is_the_views() -> None:
    """Rules may fix who deals first; in the second hand of a game somebody else deals."""
    rules = rulesets.get("tournament").replace(name="house", dealer_selection="1")
    batch, rng = GameBatch(rules, 1, episode="game", seed=0), np.random.default_rng(0)
    while batch.states[0]["hand"] < 1:
        batch.step([int(rng.choice(np.flatnonzero(batch.masks()[0])))])
    state = state_of_view(rules, batch.views([0]), rng)
    assert state.current_player() == batch.turn[0]
    assert state.legal_actions() == np.flatnonzero(batch.masks()[0]).tolist()
