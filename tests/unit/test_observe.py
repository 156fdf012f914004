"""Observations: the table of segments, and faults H, what a decision needs. No leak, no loss: tests/properties."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env.cards import parse_card, parse_cards
from euchre_env.engine import observe
from euchre_env.engine.layout import OPTION_FIELDS, Upcard
from euchre_env.engine.observe import HIDDEN_SEGMENTS, OBSERVATION_SIZE, SEGMENTS, columns, decode, hidden_columns
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.tables import act, pass_all, play_trick, plays_of, table, with_partners, with_trump


def row_of(game: Game, seat: int, canonical: bool = False) -> npt.NDArray[np.int8]:
    row = np.zeros(OBSERVATION_SIZE, dtype=np.int8)
    kernels.observe_seat(game.ruleset.to_options(), game.state, seat, canonical, row)
    return row


def differs(first: Game, second: Game, seat: int) -> bool:
    return not np.array_equal(row_of(first, seat), row_of(second, seat))


def test_segments_cover_the_row_once() -> None:
    covered = [i for segment in SEGMENTS for i in range(OBSERVATION_SIZE)[columns(segment.name)]]
    assert covered == list(range(OBSERVATION_SIZE))
    assert len({segment.name for segment in SEGMENTS}) == len(SEGMENTS)
    low, high = observe.bounds()
    assert low.shape == high.shape == (OBSERVATION_SIZE,)
    assert (low <= high).all()
    with pytest.raises(KeyError):
        columns("nothing")


def test_hidden_segments_cover_the_row_once() -> None:
    covered = [i for segment in HIDDEN_SEGMENTS for i in range(observe.HIDDEN_SIZE)[hidden_columns(segment.name)]]
    assert covered == list(range(observe.HIDDEN_SIZE))


def test_a_row_reads_back() -> None:
    game = with_trump("tournament", 1, "H", {1: "9S KH", 2: "TS", 3: "AS AC", 0: "QS"})
    play_trick(game, plays_of("1:9S 2:TS 3:AS 0:QS"))
    act(game, "AC")
    facts = decode(row_of(game, 1))
    assert facts["trump"] == [2]
    assert facts["turn"] == [3]
    assert facts["dealer"] == [3]
    assert facts["maker"] == [0]
    assert parse_card("KH") in facts["hand"]
    assert {card: facts["played_by"][card] for card in parse_cards("9S TS AS QS AC")} == dict(
        zip(parse_cards("9S TS AS QS AC"), [0, 1, 2, 3, 2], strict=True)
    )
    assert {facts["played_ago"][card] for card in parse_cards("9S TS AS QS")} == {1}
    assert facts["played_ago"][parse_card("AC")] == 0
    assert facts["tricks"] == [0, 0, 1, 0]
    assert facts["options"] == game.ruleset.to_options()["features"][0].tolist()
    assert len(facts["options"]) == len(OPTION_FIELDS)


@pytest.mark.parametrize("name", ["north_american", "open_spiel"])
@pytest.mark.parametrize("seat", range(4))
def test_H1_alone_and_with_partner_look_different(name: str, seat: int) -> None:
    game = pass_all(table(name, 0, {0: "AC KC 9D TD AS"}, "9C"), 1)
    act(game, "order up", "9D")
    assert decode(row_of(game, seat))["alone"] == []
    assert decode(row_of(game, seat))["with_partner"] == []
    alone, partner = act(game.clone(), "alone"), act(game.clone(), "with partner")
    assert decode(row_of(alone, seat))["alone"] == [(2 - seat) % 4]
    assert decode(row_of(partner, seat))["with_partner"] == [(2 - seat) % 4]
    assert differs(alone, partner, seat)


def test_H7_the_taken_upcard_is_with_the_dealer_until_played() -> None:
    hands = {0: "AS KH", 1: "9H QH 9D TD JD", 2: "QS AC", 3: "JC KD"}
    game = pass_all(table("open_spiel", 1, hands, "KS"), 3)
    act(game, "order up", "9D", "with partner")
    facts = decode(row_of(game, 0))
    assert facts["upcard"] == [parse_card("KS")]
    assert facts["upcard_state"] == [Upcard.TAKEN - 1]
    assert facts["played_by"] == {}
    assert not game.view(0)["hands"][0, 1:].any()
    # The dealer's hand counts his discard: five cards are left.
    assert game.hand(1).bit_count() == 5
    assert game.turn == 2
    winner = play_trick(game, plays_of("2:QS 3:JC 0:AS 1:KS"))
    assert winner == 3
    assert decode(row_of(game, 0))["played_by"][parse_card("KS")] == 1


FULL = ("9C TC AD KH QH", "JC QC KC 9H TH", "AC AS KS 9S TS", "9D JD TD QD KD")


@pytest.mark.parametrize("canonical", [False, True])
def test_H8_the_same_deal_from_every_dealer(canonical: bool) -> None:
    rows = []
    for dealer in range(4):
        hands = {(dealer + 1 + place) % 4: hand for place, hand in enumerate(FULL)}
        game = pass_all(table("north_american", dealer, hands, "JH"), 2)
        rows.append(row_of(game, (dealer + 1) % 4, canonical))
    assert all(np.array_equal(rows[0], row) for row in rows)


def test_H8_the_ith_call_is_of_the_ith_seat() -> None:
    for dealer in range(4):
        game = table("north_american", dealer, {}, "JH")
        for call in range(4):
            assert decode(row_of(game, (dealer + 1 + call) % 4))["turn"] == [0]
            pass_all(game, 1)


def test_H11_role_and_rank_are_seen() -> None:
    def ordered_by(seat: int) -> Game:
        game = pass_all(table("open_spiel", 3, {3: "9S TS QS KS AS"}, "JH"), seat)
        act(game, "order up", "9S")
        return with_partners(game)

    # Maker 1 or 2; dealer 0 or 3; a seat that sits out or not; a score of 9-0 or 0-9.
    assert differs(ordered_by(1), ordered_by(2), 0)
    assert differs(edited("dealer", 0), edited("dealer", 3), 1)
    assert differs(edited("sits_out", 0), edited("sits_out", 1 << 2), 1)
    ahead, behind = (table("open_spiel", 3, {}, "JH", scores=scores) for scores in ([9, 0], [0, 9]))
    assert differs(ahead, behind, 0)
    assert decode(row_of(ahead, 1))["scores"][:2] == [0, 9]
    assert differs(edited("turn", 1), edited("turn", 2), 0)


def edited(field: str, value: int) -> Game:
    """Return one and the same table but for one field."""
    game = with_trump("tournament", 0, "H", {0: "9S"})
    game.state[field] = value
    return game


def test_H10_a_sitting_partner_shows_nothing() -> None:
    rows = []
    for partner in ("9S TS QS", "9D TD QD"):
        game = pass_all(table("tournament", 3, {0: "JH AH KH QH TH", 1: "AC KC", 2: partner, 3: "JC"}, "9C"), 4)
        act(game, "call hearts alone")
        rows.append([row_of(game, seat) for seat in (0, 2)])
    assert np.array_equal(rows[0][0], rows[1][0])
    assert not np.array_equal(rows[0][1], rows[1][1])


def test_rulesets_look_different() -> None:
    seen: dict[bytes, str] = {}
    for name in ("north_american", "bicycle24", "tournament", "open_spiel"):
        seen[row_of(table(name, 3, {}, "JH"), 0).tobytes()] = name
    seen[row_of(table(get("tournament").replace(target=5), 3, {}, "JH"), 0).tobytes()] = "to five"
    assert len(seen) == 5


def test_canonical_suits_put_trump_first() -> None:
    game = with_trump("tournament", 0, "H", {0: "JH AH 9D AS 9C"})
    facts = decode(row_of(game, 0, canonical=True))
    # Hearts become clubs, diamonds spades, and of the two others the one with the higher own card comes first.
    assert facts["trump"] == [0]
    assert set(facts["hand"]) == set(parse_cards("JC AC 9S AD 9H"))


@pytest.mark.parametrize("upcard", ["9C", "9D", "9H", "9S"])
def test_canonical_suits_before_trump(upcard: str) -> None:
    game = table("tournament", 3, {}, upcard)
    facts: dict[str, Any] = decode(row_of(game, 0, canonical=True))
    assert facts["upcard"] == [parse_card("9C")]
    act(pass_all(game, 4), "pass")
    assert decode(row_of(game, 1, canonical=True))["upcard"] == [parse_card("9C")]


def test_canonical_suits_are_told_apart_by_when_they_were_played() -> None:
    # The observer has the nine of both black suits, seat 1 plays the king of both: only the order differs.
    rows = []
    for first, second in ("CS", "SC"):
        hands = {1: f"K{first} K{second} 8{first} 8{second} T{first}", 0: f"9{first} 9{second} 9H TH JH"}
        hands |= {2: "9D TD AD KH QH", 3: "QD KD 8H AH JD"}
        game = pass_all(table(get("tournament").replace(deck=28), 0, hands, "8D"), 4)
        act(game, "call hearts")
        act(game, f"K{first}", "9D", "QD", f"9{first}", f"K{second}", "TD", "KD", f"9{second}")
        rows.append(row_of(game, 0, canonical=True))
    assert np.array_equal(rows[0], rows[1])
