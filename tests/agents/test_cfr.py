"""Calls by regret minimisation: the numbering of what a seat knows, the learning, the player and its refusals."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import agents  # noqa: F401 - registers its players
from agents.search import auction_keys as keys
from agents.search import cfr_bidding, train_bidding
from euchre_env import policies, rulesets, single
from euchre_env.batch import GameBatch
from euchre_env.cards import format_card
from euchre_env.engine.layout import CALL, NONE, ORDER_UP, PASS, Phase, action_name
from euchre_env.engine.suits import relabel_action, relabel_mask
from euchre_env.policies import PolicyError

RULES = rulesets.get("tournament")


@pytest.fixture(scope="module")
def questions() -> npt.NDArray[np.void]:
    """Records at which the auction asks something, from random calls."""
    batch, rng = GameBatch(RULES, 3000, seed=1, observe=False), np.random.default_rng(0)
    player, found = policies.make("random", RULES), []
    for _ in range(9):
        states = batch.states
        asks = np.isin(states["phase"], (Phase.ORDER_UP, Phase.CALL, Phase.DISCARD))
        found.append(states[asks].copy())
        calls = player.act(states, batch.legal, rng)
        passes = (batch.legal >> PASS & 1).astype(bool) & (rng.random(3000) < 0.8)
        batch.step(np.where(passes, PASS, calls))
    return np.concatenate(found)


def node(state: npt.NDArray[np.void]) -> tuple[tuple[int, int, int], list[int]]:
    """Return row, first slot and number of slots of one record, and the actions of the slots."""
    answers = np.empty(keys.MAX_ANSWERS, dtype=np.int64)
    row, first, n = keys.node_of(RULES.to_options()[0], state[0], single.legal(RULES.to_options(), state), answers)
    return (int(row), int(first), int(n)), answers[:n].tolist()


def test_a_question_has_a_used_row_and_a_slot_for_each_legal_action(questions: npt.NDArray[np.void]) -> None:
    used, kinds = set(keys.used_rows().tolist()), set()
    for k in range(0, len(questions), 9):
        state = questions[k : k + 1]
        (row, first, n), answers = node(state)
        legal = single.legal(RULES.to_options(), state)
        assert row in used
        assert (first, n) in cfr_bidding.nodes()
        assert sum(1 << action for action in answers if action != NONE) == legal
        kinds.add(first)
    assert len(kinds) >= 12
    assert len(used) == 51_232


def test_relabelled_suits_are_the_same_question(questions: npt.NDArray[np.void]) -> None:
    """Swapping suits within and across colours changes neither row nor slots, and answers are relabelled alike."""
    perms = (0x40123, 0x42301, 0x43120, 0x40213)
    for k in range(0, len(questions), 40):
        state = questions[k : k + 1]
        for perm in perms:
            other = single.copied(state)
            for name in ("hands", "buried"):
                for seat in range(4):
                    other[name][0, seat] = relabel_mask(state[name][0, seat], perm)
            other["upcard"] = relabel_action(np.int64(state["upcard"][0]), perm)
            if state["trump"][0] != NONE:
                other["trump"] = perm >> 4 * int(state["trump"][0]) & 0xF
            (row, first, n), answers = node(state)
            (row_2, first_2, n_2), answers_2 = node(other)
            assert (row, first, n) == (row_2, first_2, n_2)
            there = [relabel_action(np.int64(a), perm) if a != NONE else NONE for a in answers]
            shared = _twins(state)
            assert shared or there == answers_2


def _twins(state: npt.NDArray[np.void]) -> bool:
    """Whether the seat cannot tell the two last suits apart, or only by a ten for a nine."""
    cards = int(state["hands"][0, state["turn"][0]])
    up = int(state["upcard"][0]) // 8
    last = [suit for suit in range(4) if suit not in (up, 3 - up)]
    shapes = [(cards >> 8 * suit & 0xFF) >> 4 for suit in last]
    return shapes[0] == shapes[1]


def test_hands_that_differ_in_more_than_a_ten_for_a_nine_have_rows_of_their_own() -> None:
    rng = np.random.default_rng(0)
    seen: dict[int, int] = {}
    for _ in range(3000):
        cards = rng.choice([c for c in RULES.deck_ids if c != 2], size=5, replace=False)
        hand = int(sum(1 << int(card) for card in cards))
        merged = hand
        for suit in range(4):
            nine, ten = 1 << 8 * suit + 2, 1 << 8 * suit + 3
            if hand & ten and not hand & nine and suit != 0:
                merged = merged & ~ten | nine
        row = int(keys.row_of(np.int64(hand), np.int64(0)))
        assert seen.setdefault(row, merged) == merged, [format_card(int(card)) for card in cards]
    assert len(seen) > 1500


def train(deals: int, parts: int = 1, solves: bool = False) -> train_bidding.Training:
    training = train_bidding.Training.fresh(RULES, 3, deals, "solved" if solves else "played")
    for _ in range(parts):
        training.learn(deals // parts)
    return training


@pytest.mark.parametrize("solves", [False, True])
def test_learning_is_a_function_of_the_seed_however_it_is_cut(solves: bool) -> None:
    whole, cut = train(600, solves=solves), train(600, parts=3, solves=solves)
    assert (whole.regrets == cut.regrets).all()
    assert (whole.sums == cut.sums).all()
    assert whole.sums.any()


def test_a_training_goes_on_from_what_it_kept(tmp_path: Path) -> None:
    whole, half = train(400), train_bidding.Training.fresh(RULES, 3, 400, "played")
    half.learn(200)
    half.save(tmp_path / "kept.npz")
    again = train_bidding.Training.fresh(RULES, 3, 400, "played")
    again.go_on(tmp_path / "kept.npz")
    again.learn(200)
    assert (again.sums == whole.sums).all()
    bicycle24 = rulesets.get("bicycle24")
    for other in (
        train_bidding.Training.fresh(RULES, 4, 400, "played"),
        train_bidding.Training.fresh(bicycle24, 3, 400, "played"),
    ):
        with pytest.raises(ValueError, match="another training"):
            other.go_on(tmp_path / "kept.npz")


def test_a_strategy_packs_to_shares_and_comes_back(tmp_path: Path) -> None:
    training = train(2000)
    table = cfr_bidding.pack(training.sums)
    for first, n in cfr_bidding.nodes():
        total = table[:, first : first + n].astype(int).sum(axis=1)
        assert ((total == 0) | (np.abs(total - 255) <= n)).all()
    facts = training.facts(1.0)
    cfr_bidding.write(tmp_path / "tournament.npz", cfr_bidding.Strategy(table, facts))
    back = cfr_bidding.read(tmp_path / "tournament.npz")
    assert (back.table == table).all()
    assert back.facts == json.loads(json.dumps(facts))


def test_a_file_that_is_no_strategy_gets_a_sentence(tmp_path: Path) -> None:
    whole = cfr_bidding.path_of(RULES).read_bytes()
    (tmp_path / "words.npz").write_bytes(b"nothing of the kind")
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "cut.npz").write_bytes(whole[:1000])
    (tmp_path / "changed.npz").write_bytes(whole[:200] + bytes([whole[200] ^ 255]) + whole[201:])
    np.save(tmp_path / "plain.npy", np.zeros(3))
    for path in (*tmp_path.iterdir(), tmp_path / "missing.npz"):
        with pytest.raises(PolicyError, match="no strategy"):
            cfr_bidding.read(path)
        with pytest.raises(ValueError, match="no training"):
            train_bidding.Training.fresh(RULES, 0, 1, "played").go_on(path)
    np.savez(tmp_path / "b.npz", table=np.zeros((3, 3), dtype=np.uint8), facts=np.frombuffer(b"{}", dtype=np.uint8))
    with pytest.raises(PolicyError, match="another shape"):
        cfr_bidding.read(tmp_path / "b.npz")


def test_a_strategy_of_other_rules_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bicycle24.npz", "mine.npz"):
        (tmp_path / name).write_bytes(cfr_bidding.path_of(RULES).read_bytes())
    monkeypatch.setattr(cfr_bidding, "FOLDER", tmp_path)
    with pytest.raises(PolicyError, match="other rules than bicycle24"):
        cfr_bidding.load(rulesets.get("bicycle24"))
    with pytest.raises(PolicyError, match="only for bicycle24"):
        cfr_bidding.load(RULES)


def test_the_shipped_calls_obey_the_mask_and_are_sensible() -> None:
    batch, player = GameBatch(RULES, 400, seed=2, observe=False), cfr_bidding.CfrBidding(RULES)
    rng, orders, dealt = np.random.default_rng(0), 0, 0
    for _ in range(60):
        views = batch.views(np.arange(400))
        actions = player.act(views, batch.legal, rng)
        assert (batch.legal >> actions & 1).all()
        asked = (views["phase"] == Phase.ORDER_UP) & (views["turn"] == views["dealer"])
        dealt += int(asked.sum())
        orders += int((asked & (actions >= ORDER_UP) & (actions < CALL)).sum())
        batch.step(actions)
    assert 0.3 < orders / dealt < 0.8
    assert player.strategy.facts["deals"] >= 10_000_000


def test_chances_of_calls_are_those_of_the_table(questions: npt.NDArray[np.void]) -> None:
    player = cfr_bidding.CfrBidding(RULES)
    states = questions[::50]
    legal = np.array([single.legal(player.options, states[k : k + 1]) for k in range(len(states))], dtype=np.int64)
    total = np.zeros(len(states))
    for action in range(62):
        may = (legal >> action & 1).astype(bool)
        chances = player.chances(states, legal, np.full(len(states), action))
        assert (chances[~may] == 0).all(), action_name(action)
        total += chances
    assert np.allclose(total, 1.0, atol=0.02)


@pytest.mark.parametrize("name", ["cincinnati", "two_handed", "north_american", "british", "railroad"])
def test_it_refuses_games_that_it_has_not_learned(name: str) -> None:
    with pytest.raises(PolicyError, match="cfr_bidding"):
        policies.make("cfr_bidding", name)


def test_house_rules_of_the_match_change_no_call() -> None:
    assert policies.make("cfr_bidding", RULES.replace(target=5)).name == "cfr_bidding"
    with pytest.raises(PolicyError, match="tournament"):
        policies.make("cfr_bidding", RULES.replace(stick_the_dealer="off"))


def test_a_wrong_command_line_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train_bidding.main(["--ruleset", "cincinnati"]) == 2
    assert "cfr_bidding does not play cincinnati" in capsys.readouterr().err
    assert train_bidding.main(["--deals", "0"]) == 2
    assert "--deals 0" in capsys.readouterr().err
    assert (
        train_bidding.main(["--deals", "10", "--save", "no/such/folder/kept.npz", "--output", str(tmp_path / "o.npz")])
        == 2
    )
    assert "no/such/folder" in capsys.readouterr().err
