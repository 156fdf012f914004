"""Recorded games of people, played again: every call and card is legal, every trick and point goes where it went.

Tricks are counted by the model, points by clause 2.7 as it stands below.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from euchre_env.errors import RecordError
from euchre_env.record import Record, dumps, egn, loads, read
from tests.rules import model

FOLDER = Path(__file__).parents[1] / "data" / "egn"
REVOKE = "revoke_in_complete_deal.egn"
# By side; `six_points` and `epic_comeback` end as their titles say, six points and a comeback from 0 to 7.
FINAL = {
    "custom_scenario.egn": (0, 1),
    "epic_comeback.egn": (11, 9),
    "game_a.egn": (10, 9),
    "masters_w1_g1.egn": (3, 11),
    "masters_w1_g2.egn": (7, 10),
    "masters_w1_g3.egn": (10, 5),
    "six_points.egn": (10, 9),
}


def test_all_files_are_here() -> None:
    assert {path.name for path in FOLDER.glob("*.egn")} == {*FINAL, REVOKE}


def card_of(text: str) -> str:
    return text[0].upper() + text[1].upper()


def tricks_of(deal: dict[str, Any]) -> Iterator[tuple[list[tuple[int, str]], int]]:
    """Yield the tricks of a recorded deal as (seat, card) in the order played, with its winner."""
    bidding, play = deal["phases"]
    dealer, calls = deal["initialState"]["dealer"], bidding["calls"]
    trump = card_of(deal["initialState"]["upCard"])[1] if calls[-1] == "Order" else calls[-1].upper()
    out = (dealer + len(calls) + 2) % 4 if bidding["isAlone"] else None
    leader = dealer + 1
    for cards in play["tricks"]:
        seats = [seat for seat in model.clockwise(leader) if seat != out]
        trick = list(zip(seats, map(card_of, cards), strict=True))
        leader = model.winner_of(trick, trump)
        yield trick, leader


def points_of(deal: dict[str, Any]) -> tuple[int, int]:
    """2.7: the points of a recorded deal by side."""
    bidding = deal["phases"][0]
    makers = (deal["initialState"]["dealer"] + len(bidding["calls"])) % 2
    took = sum(winner % 2 == makers for _, winner in tricks_of(deal))
    made = {5: 4 if bidding["isAlone"] else 2, 4: 1, 3: 1}.get(took, 0)
    points = [2 if not made else 0, 2 if not made else 0]
    points[makers] = made
    return points[0], points[1]


def recorded(name: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((FOLDER / name).read_text("utf-8"))
    return values


def file(name: str) -> Record:
    (record,) = read(FOLDER / name)
    return record


@pytest.mark.parametrize("name", FINAL)
def test_a_recorded_game(name: str) -> None:
    values, record = recorded(name), file(name)
    assert record.ruleset.name == "tournament"
    assert record.start == tuple(values["metadata"]["initialScore"])
    assert record.players == ("North", "East", "South", "West")
    scores = record.start
    for deal, played in zip(values["deals"], record.by_deal(), strict=True):
        tricks = list(tricks_of(deal))
        state = played.end.state[0]
        for row, (trick, _) in zip(state["players"], tricks, strict=False):
            assert [int(seat) for seat in row[: len(trick)]] == [seat for seat, _ in trick]
        assert [int(won) for won in state["tricks"]] == [[seat for _, seat in tricks].count(seat) for seat in range(4)]
        scores = scores[0] + points_of(deal)[0], scores[1] + points_of(deal)[1]
        assert played.end.scores == scores
    assert record.scores == scores == FINAL[name]
    # A game was recorded to its end; the one deal of `custom_scenario` is no game.
    assert record.replay().over == (len(record.deals) > 1)


@pytest.mark.parametrize("name", FINAL)
def test_writing_then_reading_gives_back_the_record(name: str) -> None:
    record = file(name)
    assert egn.loads(egn.dumps(record)) == record
    assert loads(dumps(record)) == record


def test_a_recorded_revoke_is_refused() -> None:
    # Jack of clubs led; the dealer ruffed with the ten of diamonds, and played the king of clubs in the last trick.
    # The deal before it was broken off and dealt again under the same number.
    with pytest.raises(RecordError) as refused:
        read(FOLDER / REVOKE)
    reason = "TD does not follow: clubs were led and the hand holds KC (1.4)."
    assert str(refused.value) == f"deal 2, trick 1: seat 0 plays TD, but {reason}"


def test_without_the_revoke_the_deal_is_read() -> None:
    values = recorded(REVOKE)
    tricks = values["deals"][1]["phases"][1]["tricks"]
    tricks[0][3], tricks[4][0] = "Kc", "Td"
    record = egn.loads(json.dumps(values))
    assert len(record.deals) == 1
    # The king takes the first trick as the ten of trumps did.
    assert record.scores == points_of(values["deals"][1])
