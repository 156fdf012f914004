"""Positions and answers: the shipped ones, every error of the format in its sentence, counts of known players."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from rich.console import Console

from euchre_env import policies
from euchre_env.cards import cards_of, format_cards
from euchre_env.engine.layout import ORDER_UP, PASS, Phase
from euchre_env.policies import Policy, PolicyError
from euchre_env.ruleset import Ruleset
from evaluation.behaviour import (
    ASKS,
    BehaviourError,
    Position,
    behaviour_table,
    failures_table,
    judge,
    load,
    plain_position,
    plain_sheet,
)

ROOT = Path(__file__).parents[2]
SHIPPED = load(ROOT / "tests" / "behaviour")

LEAD: dict[str, Any] = {
    "id": "second-bower",
    "source": "a friend",
    "why": "They still have trumps.",
    "ruleset": "tournament",
    "dealer": 3,
    "scores": [2, 5],
    "upcard": "TH",
    "seat": 0,
    "hand": "JH JD QS 9C TD",
    "calls": ["pass", "pass", "order up"],
    "tricks": ["JH 9H QH TH"],
    "accept": ["JD"],
}


def write(path: Path, *positions: dict[str, Any], theme: str = "leads") -> Path:
    path.write_text(yaml.safe_dump({"theme": theme, "positions": list(positions)}), "utf-8")
    return path


def one(path: Path, **changes: Any) -> Position:
    values = {key: value for key, value in {**LEAD, **changes}.items() if value is not None}
    (position,) = load(write(path / "own.yaml", values))
    return position


def complaints() -> set[str]:
    section = (ROOT / "docs" / "field.md").read_text("utf-8").split("## 8.")[1]
    told = [line for line in section.splitlines() if line.startswith("- **") and "**Product**" not in line]
    return {number for line in told for number in re.findall(r"#(\d+)", line)}


def test_every_complaint_is_a_position() -> None:
    assert len(SHIPPED) >= 40
    assert len(complaints()) > 20
    assert {number for position in SHIPPED for number in re.findall(r"#(\d+)", position.source)} == complaints()


@pytest.mark.parametrize("position", SHIPPED, ids=lambda position: position.id)
def test_shipped_positions_tell_something(position: Position) -> None:
    assert set(position.accept) < set(position.game.legal())
    assert position.why.endswith((".", "!", "?"))
    assert not any(other.why == position.why for other in SHIPPED if other is not position)


def test_shipped_positions_are_of_several_kinds() -> None:
    assert {"tournament", "north_american"} <= {position.ruleset.name for position in SHIPPED}
    assert {position.game.phase for position in SHIPPED} == {Phase.ORDER_UP, Phase.CALL, Phase.DECLARE, Phase.PLAY}
    assert {position.game.turn for position in SHIPPED} == {0, 1, 2, 3}


def test_a_position_is_what_is_told(tmp_path: Path) -> None:
    position = one(tmp_path)
    game, record = position.game, position.game.state[0]
    assert format_cards(game.hand(0)) == "9C TD JD QS"
    assert game.scores == (2, 5)
    assert (record["dealer"], record["maker"], record["trick"], record["in_trick"]) == (3, 2, 1, 0)
    assert format_cards(int(record["played"][3])) == "TH"
    assert record["buried"][3] != 0
    assert game.legal() == cards_of(game.hand(0))
    assert (one(tmp_path).game.state == game.state).all()


def test_nobody_is_dealt_what_he_did_not_follow(tmp_path: Path) -> None:
    position = one(tmp_path, tricks=["JH 9S KS TH"])
    hands = [format_cards(position.game.hand(seat)) for seat in (1, 2)]
    assert not any("H" in hand for hand in hands)


def test_the_asked_seat_tells_what_it_laid_away(tmp_path: Path) -> None:
    calls = ["pass", "pass", "pass", "order up", "9C"]
    position = one(tmp_path, dealer=0, calls=calls, tricks=["AC KC TC"], accept=["TH"])
    assert format_cards(int(position.game.state["buried"][0, 0])) == "9C"
    assert format_cards(position.game.hand(0)) == "TD JD TH JH QS"


def test_other_games_of_the_family(tmp_path: Path) -> None:
    bid = {"ruleset": "cincinnati", "hand": "9C TC 9D TD 9H TH", "upcard": None, "tricks": None, "accept": ["pass"]}
    assert one(tmp_path, **bid, dealer=0, calls=["pass", "bid 4", "bid 5"]).game.phase == Phase.BID
    blind = {"ruleset": "british", "upcard": "JK", "tricks": None, "dealer": 0}
    assert one(tmp_path, **blind, calls=["call hearts"], accept=["9C"]).game.phase == Phase.DISCARD


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"why": None}, "the field 'why' is missing"),
        ({"acept": ["JD"]}, "unknown field 'acept': did you mean 'accept'?"),
        ({"why": "  "}, "why is empty"),
        ({"source": 308}, "source is 308: it must be a text"),
        ({"ruleset": "turnament"}, "unknown ruleset 'turnament': did you mean 'tournament'?"),
        ({"dealer": 4}, "dealer is 4: it must be a whole number from 0 to 3"),
        ({"seat": "0"}, "seat is '0': it must be a whole number from 0 to 3"),
        ({"scores": [1, 2, 3]}, "scores has 3 numbers: it needs 2"),
        ({"scores": [1, 10]}, "scores is [1, 10]"),
        ({"upcard": "TX"}, "upcard: 'TX' is not a card"),
        ({"upcard": None}, "upcard has 0 cards"),
        ({"upcard": "8H"}, "upcard: 8H is not in the pack of tournament"),
        ({"hand": "JH JD QS 9C"}, "hand has 4 cards, JH JD QS 9C: 5 are dealt"),
        ({"hand": "JH JD QS 9C TH"}, "TH stands twice in the hand and the up-card"),
        ({"calls": "pass"}, "calls is 'pass': it must be a list"),
        ({"calls": ["pass", "pas"]}, "'pas' is no action: did you mean 'pass'?"),
        ({"calls": ["pass", "xyzzy"]}, "'xyzzy' is no action: write 9D"),
        ({"calls": ["pass", "call hearts"]}, "seat 1: call hearts is not possible: order up is due"),
        ({"calls": ["order up", "pass"]}, "pass is called after the bidding has ended"),
        ({"calls": ["pass"]}, "tricks[0]: no card is due"),
        ({"tricks": ["JH 9H", "QH TH"]}, "tricks[1] begins before the trick before it is complete"),
        ({"tricks": ["AH 9H QH TH"]}, "seat 0: AH is not possible: AH is not in the hand"),
        ({"tricks": ["JH JD QH TH"]}, "seat 1 plays JD, which is with seat 0"),
        ({"tricks": ["JH 9H 9H TH"]}, "seat 2 plays 9H, which was played before"),
        ({"tricks": ["JH 9H TH QH"]}, "no deal leads to this position"),
        ({"tricks": ["JH 9S QH TH", "JD 9H KH AH"]}, "no deal leads to this position"),
        ({"tricks": ["JH 9H QH"]}, "seat 3 is to move, not seat 0"),
        ({"accept": []}, "accept needs one move or several different ones"),
        ({"accept": ["JD", "JD"]}, "accept needs one move or several different ones"),
        ({"accept": ["J D"]}, "'J D' is no action"),
        ({"accept": ["JH"]}, "accept: JH is not legal: JH is not in the hand"),
        ({"accept": ["pass"]}, "accept: pass is not legal: a card is due"),
        ({"accept": ["JD", "QS", "9C", "TD"]}, "accept holds every legal move"),
        ({"ruleset": "cincinnati", "hand": "9C TC 9D TD 9H AH"}, "upcard: cincinnati turns no card up"),
    ],
)
def test_a_wrong_position_is_one_sentence(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BehaviourError) as problem:
        one(tmp_path, **changes)
    said = str(problem.value)
    assert words in said
    assert said.startswith(f"{tmp_path / 'own.yaml'}: second-bower: ")
    assert said.endswith(("?", "."))
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("theme: [", "not YAML"),
        ("- 1", "the file is [1]: it must be an object"),
        ("", "the file is None"),
        ("theme: x", "the field 'positions' is missing"),
        ("theme: x\npositions: []\nmore: 1", "unknown field 'more'"),
        ("theme: 7\npositions: []", "theme is 7: it must be a text"),
        ("theme: x\npositions: {}", "positions is {}: it must be a list"),
        ("theme: x\ntheme: y\npositions: []", "the field 'theme' stands twice in the object that begins on line 1"),
        ("theme: x\npositions:\n- id: a\n  id: b", "the field 'id' stands twice in the object that begins on line 3"),
        ("theme: x\npositions: [5]", "positions[0]: a position is 5"),
        ("theme: x\npositions: []", "holds no position"),
        ("theme: x\npositions:\n- 5: a", "the object that begins on line 3 has a field whose name is no text"),
        ("theme: x\npositions: &a [*a]", "positions[0]: a position is"),
        ("theme: 2026-99-99\npositions: []", "not YAML: month must be in 1..12"),
        ("[" * 5000, "not YAML"),
        ("theme: x\npositions: [{id: 5}]", "positions[0]: the field 'accept' is missing"),
        ("a: !!python/object/apply:os.getcwd []", "not YAML"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(BehaviourError) as problem:
        load(path)
    said = str(problem.value)
    assert words in said
    assert said.startswith(str(path))
    assert "\n" not in said


def test_an_id_stands_once_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", LEAD)
    write(tmp_path / "b.yaml", {**LEAD, "id": "other"}, LEAD)
    with pytest.raises(BehaviourError, match=r"b\.yaml: second-bower: .*a\.yaml has this id already\.$"):
        load(tmp_path)


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(BehaviourError, match="there are no positions at"):
        load(tmp_path / "none")
    (tmp_path / "own.yaml").write_bytes(b"\xff")
    with pytest.raises(BehaviourError, match=r"own\.yaml: .*utf-8"):
        load(tmp_path)


class Fixed:
    """Takes the first of its wishes that is legal; at every second time that it is asked, of other wishes."""

    def __init__(self, name: str, wishes: list[int], others: list[int] | None = None, illegal: bool = False) -> None:
        self.name, self.wishes, self.others, self.illegal = name, wishes, others or wishes, illegal
        self.times = 0

    def act(self, views: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        self.times += 1
        wishes = self.wishes if self.times % 2 else self.others
        out = [next(w for w in [*wishes, *range(62)] if self.illegal or int(mask) >> w & 1) for mask in legal]
        views[:], legal[:] = 0, 0
        return np.array(out)


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> Callable[[Policy], None]:
    known: dict[str, Policy] = {}

    def make(name: str, rules: Ruleset) -> Policy:
        if name not in known or (name == "choosy" and rules.name != "tournament"):
            raise PolicyError(f"{name} does not play {rules.name}.")
        return known[name]

    monkeypatch.setattr(policies, "make", make)
    return lambda player: known.update({player.name: player})


def own(tmp_path: Path) -> list[Position]:
    """Return three positions: whether to order, of two rulesets, and a lead."""
    bid: dict[str, Any] = {**LEAD, "seat": 0, "calls": [], "tricks": [], "accept": ["pass"]}
    write(tmp_path / "bids.yaml", {**bid, "id": "a"}, {**bid, "id": "b", "ruleset": "north_american"}, theme="bids")
    write(tmp_path / "leads.yaml", LEAD)
    return load(tmp_path)


def test_counts_of_players_that_are_known(tmp_path: Path, seated: Callable[[Policy], None]) -> None:
    positions = own(tmp_path)
    jd = positions[2].accept[0]
    seated(Fixed("right", [PASS, jd]))
    seated(Fixed("wrong", [ORDER_UP]))
    seated(Fixed("half", [PASS, jd], [ORDER_UP, jd]))
    seated(Fixed("choosy", [PASS]))
    sheets = [judge(name, positions) for name in ("right", "wrong", "half", "choosy")]
    assert [sheet.right() for sheet in sheets] == [3, 0, 2, 1]
    assert [sheet.asked() for sheet in sheets] == [3, 3, 3, 2]
    assert [sheet.right("bids") for sheet in sheets] == [2, 0, 1, 1]
    assert sheets[2].answers[0].moves == {"pass": ASKS // 2, "order up": ASKS // 2}
    assert [answer.position.id for answer in sheets[2].failures] == ["a", "b"]
    assert sheets[3].refused == {"north_american": "choosy does not play north_american."}
    assert [position.id for position in sheets[3].unplayed] == ["b"]
    values = plain_sheet(sheets[3])
    assert values["themes"] == {"bids": {"right": 1.0, "asked": 1}, "leads": {"right": 0.0, "asked": 1}}
    console = Console(width=100)
    with console.capture() as shown:
        console.print(behaviour_table(sheets, "Title"))
        console.print(failures_table(sheets[2]))
    lines = [line.split() for line in shown.get().splitlines()]
    assert ["player", "bids", "leads", "all", "unasked"] in lines
    assert ["half", "1/2", "1/1", "2/3", "0"] in lines
    assert ["choosy", "1/1", "0/1", "1/2", "1"] in lines
    assert "pass 50 %, order up 50 %" in shown.get()


def test_an_exact_player_is_asked_once(tmp_path: Path, seated: Callable[[Policy], None]) -> None:
    player = Fixed("sure", [PASS])
    player.exact = True  # type: ignore[attr-defined]
    seated(player)
    assert judge("sure", own(tmp_path)).answers[0].moves == {"pass": 1}


def test_who_plays_nothing_or_breaks_the_rules(tmp_path: Path, seated: Callable[[Policy], None]) -> None:
    positions = own(tmp_path)
    with pytest.raises(PolicyError, match="nobody does not play tournament"):
        judge("nobody", positions)
    seated(Fixed("cheat", [0], illegal=True))
    with pytest.raises(BehaviourError, match="a: cheat answers with a move that is not legal: order up is due"):
        judge("cheat", positions)


def test_random_draws_are_those_of_the_seed(tmp_path: Path) -> None:
    positions = own(tmp_path)
    first, again, other = (judge("random", positions, seed) for seed in (1, 1, 2))
    assert first.answers == again.answers
    assert first.answers != other.answers
    assert sum(first.answers[0].moves.values()) == ASKS


def test_values_for_json(tmp_path: Path) -> None:
    values = plain_position(own(tmp_path)[2])
    assert values == {
        "id": "second-bower",
        "theme": "leads",
        "source": "a friend",
        "ruleset": "tournament",
        "accept": ["JD"],
    }
