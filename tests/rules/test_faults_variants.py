"""Faults F: auctions, no-trump, three seats (docs/rules.md 1.6, 6, 8, 9, 10.1). F7, a double deck, is not built."""

from typing import Any

import pytest

from euchre_env.cards import NO_TRUMP, NO_TRUMP_LOW, NUM_TRUMPS, parse_cards
from euchre_env.engine.layout import ALONE, CALL_ALONE, ORDER_UP_ALONE, Phase
from euchre_env.engine.observe import decode
from euchre_env.errors import RulesetError, StateError
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.dealing import dealt, play_lowest
from tests.rules.tables import act, play_trick, plays_of, table, words
from tests.unit.test_observe import row_of

# Seat 0 takes with its spades what it leads, then loses what is left; everybody else plays his lowest card.
FOUR_TRICKS = {0: "JS JC AS KS 9H 9D", 1: "AH AD QS KH KD QH", 2: "QC TC 9C QD JD TD", 3: "TS 9S AC KC JH TH"}
THREE_TRICKS = {0: "JS JC AS KC 9H 9D", 1: "AH AD QS KH KD QH", 2: "QC TC 9C QD JD TD", 3: "TS 9S AC KS JH TH"}
SIX_TRICKS = {0: "JS JC AS KS QS TS", 1: "AH AD 9S KH KD QH", 2: "QC TC 9C QD JD TD", 3: "9H 9D AC KC JH TH"}


def bid_and_play(hands: dict[int, str], bid: str, **changes: Any) -> Game:
    """Let seat 0 bid, name spades and lead its cards in the order written."""
    game = act(dealt(get("bid_euchre").replace(**changes), 3, hands), f"bid {bid}", "call spades")
    while game.phase == Phase.BID:
        act(game, "pass")
    return play_lowest(game, parse_cards(hands[0]))


@pytest.mark.parametrize(
    ("hands", "bid", "taken", "points"),
    [
        (FOUR_TRICKS, "4", 4, (4, 2)),
        (FOUR_TRICKS, "3", 4, (4, 2)),
        (FOUR_TRICKS, "5", 4, (-5, 2)),
        (FOUR_TRICKS, "6", 4, (-6, 2)),
        (THREE_TRICKS, "3", 3, (3, 3)),
        (THREE_TRICKS, "4", 3, (-4, 3)),
        (SIX_TRICKS, "4", 6, (6, 0)),
        (SIX_TRICKS, "6", 6, (6, 0)),
        (SIX_TRICKS, "moon", 6, (24, 0)),
        (FOUR_TRICKS, "moon", 4, (-24, 2)),
    ],
)
def test_F1_a_bid_needs_as_many_tricks_as_it_says(
    hands: dict[int, str], bid: str, taken: int, points: tuple[int, int]
) -> None:
    game = bid_and_play(hands, bid)
    assert int(game.state["tricks"][0, 0] + game.state["tricks"][0, 2]) == taken
    assert game.points == points


@pytest.mark.parametrize(("bids", "stake"), [(["double moon"], 24), (["double moon", "triple moon"], 32)])
def test_F1_moons_beyond_the_first_need_six_tricks_as_well(bids: list[str], stake: int) -> None:
    for hands, sign in ((SIX_TRICKS, 1), (FOUR_TRICKS, -1)):
        # The last of them is seat 0's: whoever deals, it speaks after the others.
        last = len(bids)
        turned = {(seat + last) % 4: cards for seat, cards in hands.items()}
        game = act(dealt("cincinnati", 3, turned), "bid moon", *(f"bid {bid}" for bid in bids))
        while game.phase == Phase.BID:
            act(game, "pass")
        act(game, "call spades")
        # The eldest leads a card that the bidder trumps or follows; then he leads all he has.
        play_lowest(game, parse_cards(hands[0]))
        side = last % 2
        taken = int(game.state["tricks"][0, side] + game.state["tricks"][0, side + 2])
        assert (taken == 6) == (sign > 0)
        assert game.points[side] == sign * stake
        assert game.points[1 - side] == 6 - taken


def no_trump_table(name: str) -> Game:
    hands = {0: "TH", 1: "JD 9C TC QC KC AC", 2: "JH", 3: "QH"}
    if name == "low no-trump":
        hands = {0: "TH", 1: "9H", 2: "AH", 3: "JD 9C TC QC KC AC"}
    game = act(dealt(get("cincinnati").replace(allow_no_trump="high_low"), 3, hands), "bid 3", *["pass"] * 3)
    return act(game, f"call {name}")


def test_F3_no_trump_has_no_bowers() -> None:
    game = no_trump_table("no-trump")
    assert play_trick(game, plays_of("0:TH 1:JD 2:JH 3:QH")) == 3
    assert decode(row_of(game, 1))["trump"] == [NO_TRUMP]


def test_F3_low_no_trump_turns_every_suit_round() -> None:
    game = no_trump_table("low no-trump")
    assert play_trick(game, plays_of("0:TH 1:9H 2:AH 3:JD")) == 1
    assert decode(row_of(game, 1))["trump"] == [NO_TRUMP_LOW]


def test_F3_a_jack_follows_its_own_suit_at_no_trump() -> None:
    hands = {0: "9H", 1: "JD JH 9C TC QC KC"}
    game = act(dealt("cincinnati", 3, hands), "bid 3", *["pass"] * 3, "call no-trump", "9H")
    assert words(game) == {"JH"}


def test_F3_no_suit_is_trump_by_default() -> None:
    for seat in range(4):
        game = act(dealt("cincinnati", 3), "bid 3", *["pass"] * 3)
        assert decode(row_of(game, seat))["trump"] == []
    assert NO_TRUMP_LOW < NUM_TRUMPS


def test_F5_a_bid_has_to_be_higher_whatever_its_suit() -> None:
    for trump in ("clubs", "diamonds", "hearts", "spades", "no-trump"):
        game = act(dealt("bid_euchre", 0), "bid 4", f"call {trump}")
        assert words(game) == {"pass", "bid 5", "bid 6", "bid moon"}
    assert words(act(dealt("cincinnati", 0), "bid 4")) == {"pass", "bid 5", "bid moon"}
    assert words(act(dealt("ghost_hand", 0), "bid 4")) == {"pass", "bid 5", "bid moon", "swap"}


@pytest.mark.parametrize("name", ["bid_euchre", "cincinnati", "ghost_hand"])
def test_F5_one_turn_each_and_a_pass_is_final(name: str) -> None:
    game = dealt(name, 2)
    seats = game.ruleset.num_seats
    asked = []
    for word in ["pass", "bid 3", *["pass"] * (seats - 2)]:
        asked.append(game.turn)
        act(game, word)
        if game.phase == Phase.NAME_TRUMP and name == "bid_euchre":
            act(game, "call hearts")
    assert asked == [(3 + step) % seats for step in range(seats)]
    assert game.phase == (Phase.PLAY if name == "bid_euchre" else Phase.NAME_TRUMP)
    assert game.state["maker"][0] == asked[1]


def test_F8_nine_cards_stay_undealt_and_one_of_them_is_up() -> None:
    game = dealt("three_handed", 0)
    record = game.state[0]
    assert [int(hand).bit_count() for hand in record["hands"]] == [5, 5, 5, 0]
    assert int(record["kitty"]).bit_count() + 1 == 9
    assert not int(record["kitty"]) >> int(record["upcard"]) & 1


@pytest.mark.parametrize("dealer", range(3))
def test_F8_turns_go_round_three_seats(dealer: int) -> None:
    game, asked = dealt("three_handed", dealer), []
    while game.turn >= 0:
        asked.append(game.turn)
        act(game, "pass")
    assert asked == [(dealer + 1 + step) % 3 for step in range(6)]
    game.deal()
    assert game.state["dealer"][0] == (dealer + 1) % 3
    with pytest.raises(StateError, match="seat from 0 to 2"):
        Game("three_handed", dealer=3)


@pytest.mark.parametrize("maker", range(3))
def test_F8_the_maker_plays_against_both_and_a_euchre_pays_each(maker: int) -> None:
    # The maker orders hearts up with nothing but low black cards.
    low = "9C TC 9S TS 9D"
    high = {(maker + 1) % 3: "AH KH AC AD AS", (maker + 2) % 3: "JH JD QH KC KS"}
    game = dealt("three_handed", (maker + 1) % 3, {maker: low, **high}, upcard="TH")
    while game.turn != maker:
        act(game, "pass")
    act(game, "order up", "decline")
    play_lowest(game)
    assert game.state["tricks"][0, maker] == 0
    assert game.points == tuple(0 if seat == maker else 2 for seat in range(3))
    assert game.ruleset.num_sides == 3
    assert not game.state["sits_out"][0]


def test_F8_nobody_goes_alone() -> None:
    for call in ([], ["pass"] * 3):
        game = act(dealt("three_handed", 0), *call)
        while game.turn >= 0:
            legal = game.legal()
            assert ORDER_UP_ALONE not in legal
            assert ALONE not in legal
            assert max(legal) < CALL_ALONE or game.phase != Phase.CALL
            game.play(legal[-1])
    with pytest.raises(RulesetError, match="nobody plays alone among 3 seats"):
        get("three_handed").replace(alone_scope="maker_side")


@pytest.mark.parametrize("name", ["british", "railroad"])
def test_the_joker_belongs_to_trump(name: str) -> None:
    """The kind of A1 to A5 with a joker: it follows trump, it leads trump, it follows nothing else (4.2, 7.1)."""
    hands = {0: "9H JK AC TC QS", 1: "9C TH KD QD AD", 2: "JD AS KS TS 9S", 3: "KC QC JC 9D TD"}
    game = table(name, 3, hands, "AH")
    act(game, "pass", "order up", "decline", *["with partner"] * (4 if name == "british" else 2))
    clone = game.clone()
    act(game, "JK")
    assert words(game) == {"TH"}
    act(game, "TH")
    assert words(game) == {"JD"}
    act(clone, "AC")
    assert words(clone) == {"9C"}
    act(clone, "9C", "AS", "KC", "9H", "TH")
    assert words(clone) == {"JD"}


def test_the_joker_is_forced_out_by_a_trump_lead() -> None:
    hands = {0: "9H AC TC QS 9C", 1: "JK TH KD QD AD", 2: "JD AS KS TS 9S", 3: "KC QC JC 9D TD"}
    game = act(table("british", 3, hands, "AH"), "order up", "decline", *["with partner"] * 4, "9H")
    assert words(game) == {"JK", "TH"}
    act(game, "JK")
    assert play_trick(act(game, "JD"), [(3, "9D")]) == 1
