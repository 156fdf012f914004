"""Faults B: bidding, the up-card, the discard, the next deal (docs/rules.md 2.3, 2.4, Q-N3, Q-X1)."""

import numpy as np
import pytest

from euchre_env.batch import GameBatch
from euchre_env.cards import format_card
from euchre_env.engine.layout import Phase, Upcard
from euchre_env.errors import IllegalActionError
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.tables import (
    ACTIONS,
    act,
    pass_all,
    play_trick,
    plays_of,
    table,
    text_cards,
    with_partners,
    with_trump,
    words,
)

ALL = ("north_american", "bicycle24", "tournament", "open_spiel")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("stick", ["off", "on"])
def test_B2_only_the_dealers_last_pass_is_stuck(name: str, stick: str) -> None:
    game = table(get(name).replace(stick_the_dealer=stick), 0, {0: "9S TS 9C TC 9D"}, "AH")
    passes = []
    for _ in range(8):
        passes.append("pass" in words(game))
        if passes[-1]:
            act(game, "pass")
    assert passes == [True] * 7 + [stick == "off"]


def test_B2_forfeit_is_the_other_way_out() -> None:
    game = pass_all(table(get("tournament").replace(stick_the_dealer="forfeit"), 0, {}, "AH"), 7)
    assert {"forfeit the deal", "call clubs"} <= words(game)
    assert "pass" not in words(game)
    act(game, "forfeit the deal")
    assert (game.points, game.phase) == ((0, 1), Phase.DEAL)


def test_B5_the_upcard_joins_the_dealers_hand_once_ordered() -> None:
    game, sizes = table("tournament", 0, {}, "9H"), []
    for word in ("pass", "pass", "order up"):
        act(game, word)
        sizes.append(len(text_cards(game.hand(0))))
    act(game, min(words(game)))
    sizes.append(len(text_cards(game.hand(0))))
    assert sizes == [5, 5, 6, 5]


def test_B6_nobody_leads_before_the_discard() -> None:
    game = act(table("tournament", 2, {3: "AS"}, "TD"), "order up")
    assert (game.turn, game.phase) == (2, Phase.DISCARD)
    assert words(game) == text_cards(game.hand(2))
    with pytest.raises(IllegalActionError, match="not in the hand"):
        act(game, "AS")
    act(game, min(words(game)))
    assert (game.turn, game.phase) == (3, Phase.PLAY)


def test_B6_the_lead_is_left_of_the_dealer_whoever_ordered() -> None:
    game = act(table("tournament", 2, {}, "TD"), "pass", "order up")
    act(game, min(words(game)))
    assert game.turn == 3


@pytest.mark.parametrize(
    ("pickup", "legal"),
    [
        ("any_of_six", {"AH", "KH", "AD", "KD", "AS", "9C"}),
        ("mandatory", {"AH", "KH", "AD", "KD", "AS"}),
        ("optional", {"AH", "KH", "AD", "KD", "AS", "decline"}),
    ],
)
def test_B7_a_switch_says_whether_the_upcard_may_be_buried(pickup: str, legal: set[str]) -> None:
    game = table(get("tournament").replace(dealer_pickup=pickup), 0, {0: "AH KH AD KD AS"}, "9C")
    assert words(act(game, "order up")) == legal


def test_B7_the_buried_upcard_is_nobodys() -> None:
    game = act(table("tournament", 0, {0: "AH KH AD KD AS"}, "9C"), "order up", "9C")
    assert text_cards(game.hand(0)) == {"AH", "KH", "AD", "KD", "AS"}
    assert game.state["upcard_state"][0] == Upcard.TAKEN
    assert all("9C" not in text_cards(game.hand(seat)) for seat in range(4))
    assert text_cards(int(game.state["buried"][0, 0])) == {"9C"}
    for seat in (1, 2, 3):
        assert not game.view(seat)["buried"].any()


def test_B7_what_was_buried_stays_secret() -> None:
    # The same public course, the up-card buried or another card: no other seat's view differs.
    views = []
    for buried in ("9C", "AS"):
        game = act(table("tournament", 0, {0: "AH KH AD KD AS"}, "9C"), "order up", buried)
        views.append([game.view(seat)[0] for seat in range(4)])
    assert [first == second for first, second in zip(*views, strict=True)] == [False, True, True, True]


def test_B7_recorded_hand() -> None:
    # Dealer 1, the ten of diamonds up, seat 0 orders alone; seat 1 then plays five cards, none of them the ten.
    game = table("tournament", 1, {1: "9H QH 9S QS KS"}, "TD")
    pass_all(game, 2)
    act(game, "order up alone", "TD")
    assert text_cards(game.hand(1)) == {"9H", "QH", "9S", "QS", "KS"}


@pytest.mark.parametrize("winner", range(4))
def test_B9_the_deal_moves_left_whoever_took_the_last_trick(winner: int) -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        game = Game("tournament", seed=rng, dealer=0, auto_deal=False)
        while game.phase != Phase.DEAL:
            game.play(int(rng.choice(game.legal())))
        if game.state["best_seat"][0] == winner:
            break
    game.deal()
    assert game.state["dealer"][0] == 1
    assert game.turn == 2


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dealer", range(4))
def test_B12_the_dealer_is_who_deals(name: str, dealer: int) -> None:
    game = Game(name, seed=1, dealer=dealer)
    assert game.turn == (dealer + 1) % 4
    act(game, "order up")
    assert (game.turn, game.phase) == (dealer, Phase.DISCARD)
    batch = GameBatch(name, 1, seed=1, dealers=[dealer])
    batch.step([ACTIONS["order up"]])
    assert batch.turn[0] == dealer


def test_2_4_the_suit_turned_down_may_not_be_named() -> None:
    for upcard, suit in (("9C", "clubs"), ("9D", "diamonds"), ("9H", "hearts"), ("9S", "spades")):
        game = pass_all(table("north_american", 0, {}, upcard), 4)
        names = {"clubs", "diamonds", "hearts", "spades"} - {suit}
        assert words(game) == {f"call {name}" for name in names} | {"pass"}


def test_2_4_no_exchange_after_the_second_round() -> None:
    game = act(pass_all(table("north_american", 3, {}, "9C"), 4), "call hearts")
    assert game.state["upcard_state"][0] == Upcard.TURNED_DOWN
    assert words(game) == {"alone", "with partner"}
    assert with_partners(game).phase == Phase.PLAY
    assert not game.state["buried"].any()


def test_2_3_a_dealer_who_declines_plays_his_five_cards() -> None:
    game = act(table("north_american", 3, {3: "9D TD 9S TS AC"}, "QH"), "order up", "decline")
    assert text_cards(game.hand(3)) == {"9D", "TD", "9S", "TS", "AC"}
    assert format_card(int(game.state["upcard"][0])) == "QH"
    assert game.state["upcard_state"][0] == Upcard.LEFT
    # Q-N29: trump stands.
    assert game.state["trump"][0] == 2


def test_2_3_nobody_else_may_decline() -> None:
    game = act(table("north_american", 3, {}, "QH"), "order up")
    assert game.turn == 3
    assert "decline" in words(game)
    game = pass_all(table("north_american", 3, {}, "QH"), 3)
    assert "decline" not in words(act(game, "order up"))


def test_Q_N5_a_natural_trump_is_needed() -> None:
    rules = get("north_american").replace(natural_trump_required=True)
    # Seat 0 holds the left bower of hearts only, seat 1 a heart, seat 2 neither; the up-card in the dealer's reach.
    hands = {0: "JD AD 9C 9S TS", 1: "9H AC KC QC JC", 2: "TD QD KD AS KS", 3: "9D TC JS QS AH"}
    game = table(rules, 3, hands, "KH")
    assert words(game) == {"pass"}
    assert words(act(game, "pass")) == {"pass", "order up"}
    assert words(act(game, "pass")) == {"pass"}
    act(game, "pass")
    assert words(act(game, "pass")) == {"pass", "call clubs", "call diamonds", "call spades"}
    assert words(act(game, "pass")) == {"pass", "call clubs"}
    assert words(act(game, "pass")) == {"pass", "call diamonds", "call spades"}


def test_Q_N5_a_stuck_dealer_without_a_natural_trump_names_any_other_suit() -> None:
    rules = get("north_american").replace(natural_trump_required=True, stick_the_dealer="on")
    game = pass_all(table(rules, 3, {3: "9H TH JH QH KH"}, "AH"), 7)
    assert words(game) == {"call clubs", "call diamonds", "call spades"}


def test_Q_N22_a_claim_has_the_same_dealer_deal_again() -> None:
    rules = get("tournament").replace(farmers_hand="redeal")
    game = table(rules, 3, {1: "9C TC 9D TH TS"}, "QH", scores=[4, 5])
    act(game, "decline", "claim redeal")
    record = game.state[0]
    assert (record["dealer"], record["redeal"], record["hand"]) == (3, 1, 0)
    assert (game.turn, game.phase) == (0, Phase.CLAIM)
    assert game.scores == (4, 5)
    assert len({game.hand(seat) for seat in range(4)}) == 4


def test_Q_N22_every_claim_deals_other_cards() -> None:
    game = Game(get("tournament").replace(farmers_hand="redeal"), key=5)
    seen = set()
    for claims in range(4):
        assert game.state["redeal"][0] == claims
        seen.add(int(game.state["upcard"][0]) << 40 | game.hand(0))
        game.state["hands"][0, game.turn] = game.hand(game.turn) & 0x0C0C0C0C
        act(game, "claim redeal")
    assert len(seen) == 4


@pytest.mark.parametrize("deck", [28, 32])
def test_Q_N22_lower_cards_count_in_a_longer_pack(deck: int) -> None:
    rules = get("bicycle24").replace(farmers_hand="redeal", deck=deck)
    assert "claim redeal" in words(table(rules, 3, {0: "8C 8D 9H TH TS"}, "QH"))


def test_D3_the_lead_passes_to_the_winner() -> None:
    plays = plays_of("1:9S 2:TS 3:AS 0:QS")
    game = with_trump("tournament", 1, "H", dict(plays))
    assert play_trick(game, plays) == 3
    assert game.turn == 3
