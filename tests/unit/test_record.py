"""Records: recording, replaying, our own lines and files, and what is said of a line that is wrong."""

import json
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from euchre_env import rulesets
from euchre_env.cards import format_cards, parse_cards
from euchre_env.dealing import deck_dealt, in_order, plan_of
from euchre_env.engine.layout import CLAIM_REDEAL, DECLINE, PASS, Phase
from euchre_env.errors import IllegalActionError, RecordError
from euchre_env.game import Game
from euchre_env.record import Deal, Record, Recorder, dumps, loads, read, write, write_egn
from tests.rules.houses import CATALOGUE


def played(rules: str = "tournament", actions: int = 60, **settings: Any) -> Recorder:
    recorder = Recorder(Game(rules, **{"seed": 3, **settings}))
    for _ in range(actions):
        if not recorder.game.over:
            recorder.play(recorder.game.legal()[-1])
    return recorder


def values_of(kept: Record) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(dumps(kept))
    return values


def with_decks(recorder: Recorder) -> dict[str, Any]:
    """Return a line as values that spells the decks out."""
    values = values_of(recorder.record)
    del values["key"]
    for deal, kept in zip(values["deals"], recorder.record.deals, strict=True):
        deal["deck"] = format_cards(kept.deck)
    return values


# Recording and replaying.


@pytest.mark.parametrize("name", rulesets.names())
def test_a_record_replays_to_the_same_states(name: str) -> None:
    recorder = Recorder(Game(name, seed=5))
    states = []
    for step in range(120):
        if recorder.game.over:
            break
        states.append(recorder.game.state.copy())
        legal = recorder.game.legal()
        recorder.play(legal[step % len(legal)])
    states.append(recorder.game.state.copy())
    kept = recorder.record
    again = [game.state.copy() for game, _ in kept.steps()] + [kept.replay().state]
    assert len(again) == len(states)
    assert all(bool((a == b).all()) for a, b in zip(again, states, strict=True))


def test_a_record_of_no_action_holds_the_deal() -> None:
    kept = Recorder(Game("tournament", seed=1, dealer=2, scores=(3, 4))).record
    assert (kept.dealer, kept.start, kept.scores) == (2, (3, 4), (3, 4))
    assert [deal.actions for deal in kept.deals] == [()]
    assert kept.replay().scores == (3, 4)


def test_a_game_whose_deals_are_asked_for() -> None:
    recorder = Recorder(Game("bicycle24", seed=1, auto_deal=False))
    for _ in range(2):
        while recorder.game.phase != Phase.DEAL:
            recorder.play(recorder.game.legal()[0])
        recorder.game.deal()
    kept = recorder.record
    assert [len(deal.actions) > 0 for deal in kept.deals] == [True, True, False]
    assert (kept.replay().state == recorder.game.state).all()


def test_a_claimed_deal_is_a_deal_of_its_own() -> None:
    house = rulesets.get("north_american").replace(farmers_hand="redeal")
    low = parse_cards("9C TC 9D TD 9H")
    rest = parse_cards("JC QC KC AC JD QD KD AD TH JH QH KH AH 9S TS JS QS KS AS")
    deck = [*low[:3], *rest[:9], *low[3:], *rest[9:]]
    recorder = Recorder(Game(house, dealer=3, deck=deck, seed=2))
    recorder.play(CLAIM_REDEAL)
    recorder.play(DECLINE)
    kept = recorder.record
    assert [len(deal.actions) for deal in kept.deals] == [1, 1]
    assert kept.key is None  # the first deck came from elsewhere
    assert loads(dumps(kept)) == kept
    assert [deal.end.state["redeal"][0] for deal in kept.by_deal()] == [0, 1]


def test_recording_begins_at_the_beginning() -> None:
    game = Game("tournament", seed=1)
    game.play(PASS)
    with pytest.raises(RecordError, match="begins with the first deal"):
        Recorder(game)


def test_moves_past_the_recorder_are_noticed() -> None:
    recorder = Recorder(Game("tournament", seed=1))
    recorder.play(PASS)
    recorder.game.play(PASS)
    with pytest.raises(RecordError, match="played on without its recorder"):
        recorder.play(PASS)
    late = Recorder(Game("tournament", seed=1))
    late.game.play(PASS)
    with pytest.raises(RecordError, match="played on without its recorder"):
        late.play(PASS)


def test_an_illegal_action_is_not_taken_down() -> None:
    recorder = Recorder(Game("tournament", seed=1))
    with pytest.raises(IllegalActionError):
        recorder.play(0)
    assert recorder.record.deals[0].actions == ()


def test_an_impossible_record_says_where() -> None:
    kept = Recorder(Game("tournament", seed=1, dealer=0)).record
    wrong = Record(kept.ruleset, 0, (0, 0), (Deal(kept.deals[0].deck, (PASS, PASS, 5)),), (0, 0))
    with pytest.raises(RecordError, match=r"^deal 1, call 3: seat 3 says 'QC', but order up is due"):
        list(wrong.steps())
    ends = Record(kept.ruleset, 0, (0, 0), kept.deals, (1, 0))
    with pytest.raises(RecordError, match=r"^scores: the file says 1 to 0, its play gives 0 to 0\.$"):
        ends.replay()


def test_deal_by_deal() -> None:
    kept = played(actions=200).record
    deals = list(kept.by_deal())
    assert [deal.deal for deal in deals] == list(kept.deals)
    assert [deck_dealt(deal.start.ruleset, deal.start.state) for deal in deals] == [deal.deck for deal in kept.deals]
    assert deals[-1].end.scores == kept.scores
    for before, after in pairwise(deals):
        assert before.end.phase == Phase.DEAL
        assert before.end.scores == after.start.scores


@pytest.mark.parametrize("rules", CATALOGUE, ids=lambda rules: rules.name)
def test_decks_in_order_deal_the_same(rules: Any) -> None:
    rng = np.random.default_rng(0)
    for dealer in range(rules.num_seats):
        shuffled = [int(card) for card in rng.permutation(rules.deck_ids)]
        deck = in_order(rules, dealer, shuffled)
        one, other = (Game(rules, dealer=dealer, deck=cards, key=0) for cards in (shuffled, list(deck)))
        assert (one.state == other.state).all()
        assert deck_dealt(one.ruleset, one.state) == deck_dealt(other.ruleset, other.state) == deck
        assert len(plan_of(rules, dealer)) == rules.deck


# Lines.


def test_a_line_says_what_it_holds() -> None:
    deck = Game("tournament", seed=3, dealer=0)
    recorder = Recorder(
        Game("tournament", dealer=0, deck=list(deck_dealt(deck.ruleset, deck.state)), seed=8), ("A", "B", "C", "D")
    )
    recorder.play(PASS)
    values = values_of(recorder.record)
    assert list(values) == ["euchre_record", "ruleset", "players", "dealer", "start", "deals", "scores"]
    assert values["euchre_record"] == 1
    assert values["ruleset"] == {"name": "tournament"}
    assert values["players"] == ["A", "B", "C", "D"]
    assert values["deals"][0]["actions"] == "pass"
    assert sorted(values["deals"][0]["deck"].split())[:2] == ["9C", "9D"]
    assert "\n" not in dumps(recorder.record)


def test_a_key_stands_for_the_decks() -> None:
    recorder = played("ghost_hand", key=77)
    values = values_of(recorder.record)
    assert values["key"] == 77
    assert all(set(deal) == {"actions"} for deal in values["deals"])
    longer = loads(json.dumps(with_decks(recorder)))
    assert longer == recorder.record == loads(dumps(recorder.record))
    assert longer.key is None


def test_decks_may_be_written_in_any_order_that_deals_the_same() -> None:
    recorder = played(actions=3, dealer=0)
    values = with_decks(recorder)
    deck = values["deals"][0]["deck"].split()
    deck[0], deck[1] = deck[1], deck[0]  # two cards of one packet
    values["deals"][0]["deck"] = " ".join(deck)
    assert loads(json.dumps(values)) == recorder.record


def test_rulesets_are_written_as_what_differs() -> None:
    house = rulesets.get("railroad").replace(target=5)
    values = values_of(Recorder(Game(house, seed=1)).record)["ruleset"]
    assert values["name"] == "custom"
    assert values["target"] == 5
    assert values["best_exchange"] == "discard_first"
    assert "march_points" not in values
    assert loads(dumps(Recorder(Game(house, seed=1)).record)).ruleset == house
    named = rulesets.get("tournament").replace(target=5, name="tournament")
    assert values_of(Recorder(Game(named, seed=1)).record)["ruleset"] == {"name": "tournament", "target": 5}


WRONG: list[tuple[list[str | int], Any, str]] = [
    (["euchre_record"], 2, r"^euchre_record is 2: this version of the library reads 1\.$"),
    (["euchre_record"], True, r"^euchre_record is True"),
    (["dealer"], 4, r"^dealer is 4: it must be a whole number from 0 to 3\.$"),
    (["dealer"], True, "^dealer is True"),
    (["dealer"], "0", "^dealer is '0'"),
    (["start"], [0], r"^start has 1 numbers: it needs 2, one for each side\.$"),
    (["start"], 0, r"^start is 0: it must be a list\.$"),
    (["start"], [0, 10], r"^deal 1: scores is \[0, 10\]"),
    (["scores"], [0, 1], "^scores: the file says 0 to 1"),
    (["scores"], [0, 0.5], r"^scores\[1\] is 0\.5"),
    (["deals"], {}, "^deals is {}: it must be a list"),
    (["deals"], [], "^a record needs at least one deal"),
    (["deals", 0], [], r"^deals\[0\] is \[\]: it must be an object"),
    (["deals", 0, "deck"], None, r"^deals\[0\]\.deck is None: it must be a text\.$"),
    (["deals", 0, "deck"], "9C 9C", r"^deals\[0\]\.deck: 9C is in the deck 2 times\.$"),
    (["deals", 0, "deck"], "9C 1D", r"^deals\[0\]\.deck: '1D' is not a card"),
    (["deals", 0, "deck"], "9C", r"^deals\[0\]\.deck: the deck lacks"),
    (["deals", 0, "deck"], "7C", r"^deals\[0\]\.deck: 7C is not in the 24-card pack"),
    (["deals", 0, "actions"], "pass pas", r"^deals\[0\]\.actions: unknown action 'pas': did you mean 'pass'\?$"),
    (["deals", 0, "actions"], "x" * 999, r"^deals\[0\]\.actions: unknown action 'x+\.\.\.x+': write cards as TD"),
    (["deals", 0, "actions"], ["pass"], r"^deals\[0\]\.actions is \['pass'\]: it must be a text\.$"),
    (["deals", 0, "actions"], "alone", "^deal 1, call 1: seat 1 says 'alone', but order up is due"),
    (["deals", 0, "unseen"], "7C", r"^deals\[0\]\.unseen: 7C is not in the 24-card pack"),
    (["deals", 0, "discards"], "7C", r"^deals\[0\]: unknown field 'discards'"),
    (["ruleset"], "tournament", "^ruleset is 'tournament': it must be an object"),
    (["ruleset", "name"], None, "^ruleset.name is None: it must be a text"),
    (["ruleset", "name"], "", "^ruleset: name is ''"),
    (["ruleset", "targt"], 5, "^ruleset: unknown ruleset option 'targt': did you mean 'target'"),
    (["ruleset", "deck"], 26, "^ruleset: deck: 26 is not one of"),
    (["ruleset", "deck"], [24], "^ruleset: deck:"),
    (["ruleset", "self"], 1, "^ruleset: unknown ruleset option 'self'"),
    (["ruleset", "changes"], 1, "^ruleset: unknown ruleset option 'changes'"),
    (["ruleset", "target"], 10**4000, "^ruleset: target: 1000"),
    (["euchre_record"], 1.0, "^euchre_record is 1.0: this version of the library reads 1"),
    (["euchre_record"], "1" * 10_000, "^euchre_record is '111"),
    (["dealer"], 1.0, "^dealer is 1.0"),
    (["players"], ["A"], "^players has 1 names"),
    (["players"], ["A", "B", "C", 4], r"^players\[3\] is 4"),
    (["key"], -1, "^key is -1"),
    (["seed"], 1, "^unknown field 'seed'"),
]


@pytest.mark.parametrize(("path", "value", "words"), WRONG, ids=lambda value: str(value)[:40])
def test_every_wrong_field_gets_its_sentence(path: list[str | int], value: Any, words: str) -> None:
    values = with_decks(played(actions=3, dealer=0))
    at: Any = values
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(RecordError, match=words) as refused:
        loads(json.dumps(values))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 1_500


@pytest.mark.parametrize("field", ["ruleset", "dealer", "start", "deals", "scores"])
def test_every_field_is_needed(field: str) -> None:
    values = with_decks(played(actions=3))
    del values[field]
    with pytest.raises(RecordError, match=rf"^the field '{field}' is missing\.$"):
        loads(json.dumps(values))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[1]", "a record is a JSON object"),
        ("null", "a record is a JSON object"),
        ("{}", "a record is a JSON object with the field 'euchre_record'"),
        ('{"euchre_record": 1, "euchre_record": 1}', "the field 'euchre_record' stands twice"),
        ('{"euchre_record": NaN}', "NaN is no number"),
        ("[" * 100_000, "not JSON"),
        ("9" * 10_000, "not JSON"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_line(line: str, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        loads(line)


def test_unseen_cards_are_cards_that_nobody_saw() -> None:
    values = with_decks(played(actions=30, dealer=0))
    values["deals"][0]["unseen"] = values["deals"][0]["actions"].split()[-2]  # a card of the last trick
    with pytest.raises(RecordError, match=r"^deal 1, trick 5: .. is on the table, but said to be unseen"):
        loads(json.dumps(values))


def test_deals_that_do_not_follow_one_another() -> None:
    values = with_decks(played(actions=3))
    values["deals"].append(values["deals"][0])
    with pytest.raises(RecordError, match=r"^deal 2: the deal before it is not played out\.$"):
        loads(json.dumps(values))
    over = with_decks(played(actions=2_000))
    over["deals"].append({**over["deals"][0], "actions": ""})
    with pytest.raises(RecordError, match="the game was over before it"):
        loads(json.dumps(over))
    over["deals"].pop()
    over["deals"][-1]["actions"] += " pass"
    with pytest.raises(RecordError, match="pass comes after its end"):
        loads(json.dumps(over))


# Files.


def test_files_hold_a_game_a_line(tmp_path: Path) -> None:
    games = [played(seed=seed, actions=100).record for seed in range(3)]
    write(tmp_path / "games.jsonl", games)
    assert read(tmp_path / "games.jsonl") == games
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    text = (tmp_path / "games.jsonl").read_text("utf-8")
    assert text.count("\n") == 3
    (tmp_path / "with_marks.jsonl").write_text("\ufeff" + text.replace("\n", "\r\n\r\n"), "utf-8")
    assert read(tmp_path / "with_marks.jsonl") == games


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    line = dumps(played(actions=3).record)
    path.write_text(f"{line}\n\n{line[:-1]}\n", "utf-8")
    with pytest.raises(RecordError, match=r"^line 3: not JSON"):
        read(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="not a text in UTF-8"):
        read(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing")


def test_no_games_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, [])
    assert path.read_bytes() == b""
    assert read(path) == []
    path.write_text("\ufeff\r\n \n", "utf-8")
    assert read(path) == []


NAMES = [
    "A\u2028B",
    "\x85",
    "\x1b[2J",
    "\v\f\x1c\x1d\x1e\u2029",
    "line\nfeed\rreturn",
    "Zo\u00eb \U0001f0a1",
    '"\\',
    " ",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_any_name_is_written_and_read(name: str, tmp_path: Path) -> None:
    rules = rulesets.get("tournament").replace(name=name, target=7)
    game = Recorder(Game(rules, seed=3), (name, "B", name * 3, ""))
    write(tmp_path / "games.jsonl", [game.record] * 2)
    assert read(tmp_path / "games.jsonl") == [game.record] * 2
    assert read(tmp_path / "games.jsonl")[0].players == game.players
    write_egn(tmp_path / "game.egn", game.record, title=name)
    (again,) = read(tmp_path / "game.egn")
    assert again.players == game.players


def test_half_a_character_is_refused_when_read_and_written(tmp_path: Path) -> None:
    half, path = "A\ud800", tmp_path / "games.jsonl"
    kept = played(actions=3, dealer=0).record
    player = r"players\[1\] is 'A\\ud800': letter 2 is half of a character\.$"
    ruleset = r"^ruleset\.name is 'A\\ud800': letter 2 is half of a character\.$"
    halved = {
        player: replace(kept, players=("", half, "", "")),
        ruleset: replace(kept, ruleset=kept.ruleset.replace(name=half)),
    }
    for words, record in halved.items():
        with pytest.raises(RecordError, match=words):
            write(path, [record])
    with pytest.raises(RecordError, match=player):
        write_egn(path, halved[player])
    with pytest.raises(RecordError, match=r"^title is"):
        write_egn(path, kept, title=half)
    assert not list(tmp_path.iterdir())
    values = values_of(kept)
    with pytest.raises(RecordError, match=player):
        loads(json.dumps({**values, "players": ["", half, "", ""]}))
    with pytest.raises(RecordError, match=ruleset):
        loads(json.dumps({**values, "ruleset": {"name": half}}))


def test_names_that_could_not_be_read_are_not_written() -> None:
    kept = played(actions=3, dealer=0).record
    with pytest.raises(RecordError, match=r"^players has 3 names: it needs 4"):
        dumps(replace(kept, players=("A", "B", "C")))


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileExistsError, match="is no ordinary file"):
        write(path, [played(actions=3).record])
    assert path.is_fifo()


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, [played(actions=3).record])
    before = path.read_bytes()

    def broken() -> Any:
        yield played(actions=5).record
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(path, broken())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
