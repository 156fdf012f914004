"""No leak where cards change hands unseen (docs/rules.md 1.8, 4.3, 7.5, 9.3, 2.3, Q-N22).

Two tables that differ only in what a seat may not know look alike to it, in real and in canonical suits, in its view
and in what it may do; and what a seat does know is in its observation.
"""

from typing import Any

import numpy as np
import pytest

from euchre_env.cards import parse_card, parse_cards
from euchre_env.engine.layout import Phase, Upcard
from euchre_env.engine.observe import decode
from euchre_env.game import Game
from euchre_env.rulesets import get
from tests.rules.dealing import dealt
from tests.rules.tables import act, words
from tests.unit.test_observe import row_of


def looks_alike(one: Game, other: Game, seat: int) -> bool:
    """Whether a seat can not tell two tables apart."""
    rows = all(np.array_equal(row_of(one, seat, suits), row_of(other, seat, suits)) for suits in (False, True))
    views = one.view(seat) == other.view(seat)
    return rows and bool(views[0]) and (one.turn != seat or one.legal() == other.legal())


def alike_to(one: Game, other: Game) -> list[int]:
    """Return the seats that cannot tell two tables apart."""
    return [seat for seat in range(one.ruleset.num_seats) if looks_alike(one, other, seat)]


def seen(game: Game, seat: int) -> dict[str, Any]:
    return decode(row_of(game, seat))


def cards(text: str) -> list[int]:
    return sorted(parse_cards(text))


# The blind call of British Euchre: nobody has looked at his hand (4.3).

FOUR_HANDS = {0: "TS AC 9C KD TH", 1: "JS QS AD QD 9H", 2: "KS JC KC AH 9D", 3: "AS 9S QC TC KH"}
TURNED = {seat: FOUR_HANDS[(seat + 1) % 4] for seat in range(4)}


@pytest.mark.parametrize("joker_up", ["blind_dealer", "set_aside"])
def test_4_3_the_call_for_the_joker_is_blind(joker_up: str) -> None:
    rules = get("british").replace(joker_up=joker_up)
    one, other = (dealt(rules, 3, hands, upcard="JK") for hands in (FOUR_HANDS, TURNED))
    assert (one.phase, one.turn) == (Phase.CALL, 3)
    assert alike_to(one, other) == [0, 1, 2, 3]
    for seat in range(4):
        assert seen(one, seat)["hand"] == []
        assert seen(one, seat)["upcard"] == cards("JK")


def test_4_3_everybody_looks_once_trump_is_named() -> None:
    one, other = (act(dealt("british", 3, hands, upcard="JK"), "call hearts") for hands in (FOUR_HANDS, TURNED))
    assert alike_to(one, other) == []
    for seat in range(3):
        assert seen(one, seat)["hand"] == cards(FOUR_HANDS[seat])
    assert seen(one, 3)["hand"] == cards(FOUR_HANDS[3] + " JK")


def test_Q_B1_with_the_joker_set_aside_all_look_after_the_call() -> None:
    rules = get("british").replace(joker_up="set_aside")
    game = act(dealt(rules, 3, FOUR_HANDS, upcard="JK"), "call hearts")
    assert [seen(game, seat)["hand"] for seat in range(4)] == [cards(FOUR_HANDS[seat]) for seat in range(4)]


def test_Q_B1_a_dealer_who_looks_sees_his_hand() -> None:
    rules = get("british").replace(joker_up="look_dealer")
    one, other = (dealt(rules, 3, hands, upcard="JK") for hands in (FOUR_HANDS, TURNED))
    assert alike_to(one, other) == []
    assert seen(one, 3)["hand"] == cards(FOUR_HANDS[3])


def test_4_3_another_card_turned_up_hides_no_hand() -> None:
    game = dealt("british", 3, {0: "JK AC 9C KD TH"}, upcard="TS")
    assert seen(game, 0)["hand"] == cards("JK AC 9C KD TH")


# The swap with the ghost hand: that it happened is public, what is in it the swapper's (9.3, Q-G7).

THREE_HANDS = {0: "AC KC 9D TD QH 9S", 1: "JC QC AD KH TH QS", 2: "AS KS KD QD AH 9H", 3: "JS 9C TC JD JH TS"}
GHOST = 3


def exchanged(hands: dict[int, str], one: int, other: int) -> dict[int, str]:
    """Return hands of which two have changed places."""
    return hands | {one: hands[other], other: hands[one]}


def test_9_1_nobody_knows_the_ghost_hand() -> None:
    one = dealt("ghost_hand", 2, THREE_HANDS)
    for seat in range(3):
        others = [other for other in range(4) if other != seat]
        for first, second in ((others[0], others[1]), (others[1], others[2])):
            other = dealt("ghost_hand", 2, exchanged(THREE_HANDS, first, second))
            assert looks_alike(one, other, seat)
        assert seen(one, seat)["swapped_by"] == []


def test_9_3_only_the_swapper_knows_what_he_took() -> None:
    # Seats 0 and 2 cannot tell which six cards the swapper has now, and which are dead.
    one, other = (
        act(dealt("ghost_hand", 2, hands), "pass", "swap") for hands in (THREE_HANDS, exchanged(THREE_HANDS, 1, GHOST))
    )
    assert alike_to(one, other) == [0, 2]
    for seat in range(3):
        assert seen(one, seat)["swapped_by"] == [(1 - seat) % 3]
        assert (seen(one, seat)["buried"] != []) == (seat == 1)


def test_9_3_the_swapper_knows_six_dead_cards() -> None:
    game = act(dealt("ghost_hand", 2, THREE_HANDS), "pass", "swap")
    assert seen(game, 1)["hand"] == cards(THREE_HANDS[GHOST])
    assert seen(game, 1)["buried"] == cards(THREE_HANDS[1])
    assert words(game) == {"pass", "bid 3", "bid 4", "bid 5", "bid moon"}
    act(game, "bid 4", "pass", "call spades", "JS")
    assert seen(game, 1)["buried"] == cards(THREE_HANDS[1])
    assert seen(game, 1)["hand"] == cards("9C TC JD JH TS")


def test_9_3_what_the_swapper_left_is_nothing_to_the_others_to_the_end() -> None:
    """Seat 0 sees the same course whichever of two cards nobody plays is dead, and which is dealt to nobody."""
    hands = exchanged(THREE_HANDS, 1, GHOST)
    one = act(dealt("ghost_hand", 2, hands), "pass", "swap", "bid 3", "pass", "call spades")
    # The dead hand is THREE_HANDS[3]; a card of it and one that seat 2 has not played yet change places.
    there = exchanged_cards(hands, "9C", "9H")
    other = act(dealt("ghost_hand", 2, there), "pass", "swap", "bid 3", "pass", "call spades")
    for game in (one, other):
        act(game, "QS", "AS", "9S")
    assert alike_to(one, other) == [0]


def exchanged_cards(hands: dict[int, str], one: str, other: str) -> dict[int, str]:
    """Return hands in which two cards have changed places."""
    trade = {one: other, other: one}
    return {place: " ".join(trade.get(card, card) for card in hand.split()) for place, hand in hands.items()}


# A partner's best card: who gives and who gets know it, who lays away knows that (7.5).

BEST = {0: "JK AC 9C KD TH", 1: "JS QS AD QD 9H", 2: "KS JC KC AH 9D", 3: "AS 9S QC TC KH"}


def calling_for_best(discard: str, best: str, hands: dict[int, str] = BEST, **changes: Any) -> Game:
    """Seat 1 orders spades up alone, and the dealer, his partner, gives him a card."""
    rules = get("railroad").replace(**changes)
    game = act(dealt(rules, 3, hands, upcard="TS"), "pass", "order up", "decline", "alone")
    if rules.best_exchange == "receive_first":
        return act(game, "swap", best, discard)
    return act(game, discard, best)


@pytest.mark.parametrize("order", ["discard_first", "receive_first"])
def test_7_5_opponents_learn_nothing_of_the_exchange(order: str) -> None:
    one = calling_for_best("9H", "AS", best_exchange=order)
    for discard, best in (("QD", "AS"), ("9H", "9S"), ("QD", "9S")):
        other = calling_for_best(discard, best, best_exchange=order)
        assert set(alike_to(one, other)) >= {0, 2}
    for seat in (0, 2):
        told = seen(one, seat)
        assert told["passed"] == []
        assert told["buried"] == []
        assert told["exchanged"] == [(1 - seat) % 4]
        assert told["laid_away"] == [(1 - seat) % 4 == place for place in range(4)]


@pytest.mark.parametrize("order", ["discard_first", "receive_first"])
def test_7_5_the_up_card_given_looks_like_any_other(order: str) -> None:
    one = calling_for_best("9H", "AS", best_exchange=order)
    other = calling_for_best("9H", "TS", best_exchange=order)
    assert alike_to(one, other) == [0, 2]
    assert seen(other, 1)["passed"] == seen(other, 3)["passed"] == cards("TS")
    assert parse_card("TS") in seen(other, 1)["hand"]
    assert one.state["upcard_state"][0] == Upcard.LEFT


@pytest.mark.parametrize("order", ["discard_first", "receive_first"])
def test_7_5_the_partner_does_not_see_the_discard(order: str) -> None:
    one, other = (calling_for_best(discard, "AS", best_exchange=order) for discard in ("9H", "QD"))
    assert alike_to(one, other) == [0, 2, 3]
    assert seen(one, 3)["buried"] == []
    assert seen(one, 1)["buried"] == cards("9H")


def test_7_5_discard_first_the_partner_chooses_before_he_can_know() -> None:
    one, other = (
        act(dealt("railroad", 3, BEST, upcard="TS"), "pass", "order up", "decline", "alone", discard)
        for discard in ("9H", "QD")
    )
    assert one.turn == 3
    assert alike_to(one, other) == [0, 2, 3]


def test_7_5_giver_and_receiver_know_the_card() -> None:
    one, other = (calling_for_best("9H", best) for best in ("AS", "9S"))
    assert not {1, 3} & set(alike_to(one, other))
    assert seen(one, 1)["passed"] == seen(one, 3)["passed"] == cards("AS")
    assert seen(one, 1)["hand"] == cards("JS QS AD QD AS")
    assert seen(one, 3)["hand"] == cards("9S QC TC KH")


def test_7_5_a_lone_defenders_exchange_is_as_secret() -> None:
    def course(discard: str, best: str) -> Game:
        return act(calling_for_best("9H", "AS"), "with partner", "alone", discard, best)

    one = course("9C", "KS")
    assert seen(one, 0)["passed"] == seen(one, 2)["passed"] == cards("KS")
    assert seen(one, 0)["buried"] == cards("9C")
    for discard, best in (("TH", "KS"), ("9C", "JC"), ("TH", "9D")):
        assert set(alike_to(one, course(discard, best))) >= {1, 3}
    assert seen(one, 1)["passed"] == cards("AS")


# The buried cards: the kitty, dummies, and what a farmer takes (1.8, 5, 6, Q-N22).


@pytest.mark.parametrize("name", ["north_american", "bicycle32", "british", "three_handed", "two_handed"])
def test_1_8_the_buried_cards_are_nobodys(name: str) -> None:
    rules = get(name)
    one = dealt(rules, 0, {1: "AC KC QC"}, upcard="9S", kitty="AH")
    other = dealt(rules, 0, {1: "AH KC QC"}, upcard="9S", kitty="AC")
    assert alike_to(one, other) == [seat for seat in range(rules.num_seats) if seat != 1]
    assert seen(one, 0)["upcard"] == cards("9S")


def test_Q_N22_a_farmer_knows_what_he_took_and_what_he_laid_away() -> None:
    rules = get("north_american").replace(farmers_hand="swap3")

    def course(kitty: str, laid_away: str, other: str) -> Game:
        game = dealt(rules, 3, {0: "9C TC 9D TD 9H", 1: other}, upcard="9S", kitty=kitty)
        return act(game, "swap", *laid_away.split())

    one = course("AH KH QH", "9C TC 9D", "AS")
    assert seen(one, 0)["hand"] == cards("TD 9H AH KH QH")
    assert seen(one, 0)["buried"] == cards("9C TC 9D")
    for seat in range(4):
        assert seen(one, seat)["swapped_by"] == [(0 - seat) % 4]
        assert seen(one, seat)["laid_away"][(0 - seat) % 4] == 3
    assert alike_to(one, course("AH KH QH", "TC 9D TD", "AS")) == [1, 2, 3]
    assert alike_to(one, course("AS KH QH", "9C TC 9D", "AH")) == [2, 3]
    hands = {0: "9C TC 9D TD 9H"}
    before, there = (act(dealt(rules, 3, hands, upcard="9S", kitty=kitty), "swap") for kitty in ("AH", "AS"))
    assert looks_alike(before, there, 0)


def test_5_a_dummy_is_hidden_until_it_is_taken() -> None:
    rules = get("two_handed").replace(dummy="three_card")
    one = dealt(rules, 0, {0: "9S", 2: "AC KC QC", 3: "9D TD JD"}, upcard="9H")
    other = dealt(rules, 0, {0: "9S", 2: "9D TD JD", 3: "AC KC QC"}, upcard="9H")
    assert alike_to(one, other) == [0, 1]
    for game in (one, other):
        act(game, "pass", "order up", "9S")
    assert alike_to(one, other) == [1]
    assert set(cards("AC KC QC")) < set(seen(one, 0)["hand"])
    for game in (one, other):
        for _ in range(3):
            game.play(next(card for card in game.legal() if card not in cards("AC KC QC 9D TD JD")))
    # Now the other seat has taken its own.
    assert alike_to(one, other) == []
    assert set(cards("9D TD JD")) < set(seen(one, 1)["hand"])


def test_6_the_makers_dummy_is_his_secret() -> None:
    rules = get("three_handed").replace(dummy="five_card")
    one = dealt(rules, 0, {2: "9S", 3: "AC KC QC JC TC"}, upcard="9H", kitty="9C")
    other = dealt(rules, 0, {2: "9S", 3: "9C KC QC JC TC"}, upcard="9H", kitty="AC")
    for game in (one, other):
        act(game, "order up", "decline")
    assert one.turn == 1
    assert alike_to(one, other) == [0, 2]
    assert set(cards("AC KC QC JC TC")) < set(seen(one, 1)["hand"])
    assert seen(one, 0)["exchanged"] == [1]


# The dealer's hidden discard (2.3, Q-N3, 1.8).


@pytest.mark.parametrize(
    "name", ["north_american", "open_spiel", "tournament", "three_handed", "two_handed", "british"]
)
def test_2_3_only_the_dealer_knows_his_discard(name: str) -> None:
    rules = get(name)
    one, other = (
        act(dealt(rules, 0, {0: "AC KC QC JC TC"}, upcard="9H"), "order up", discard) for discard in ("TC", "AC")
    )
    assert alike_to(one, other) == [seat for seat in range(rules.num_seats) if seat != 0]
    assert seen(one, 0)["buried"] == cards("TC")
    assert seen(one, 0)["hand"] == cards("AC KC QC JC 9H")
    for seat in range(1, rules.num_seats):
        assert seen(one, seat)["buried"] == []
        assert seen(one, seat)["upcard_state"] == [Upcard.TAKEN - 1]


def test_Q_N3_a_buried_up_card_looks_like_any_other_discard() -> None:
    one, other = (
        act(dealt("tournament", 0, {0: "AC KC QC JC TC"}, upcard="9H"), "order up", discard) for discard in ("9H", "TC")
    )
    assert alike_to(one, other) == [1, 2, 3]
    assert seen(one, 0)["buried"] == cards("9H")


def test_2_3_that_the_dealer_left_the_card_is_public() -> None:
    hands = {0: "AC KC QC JC TC"}
    one, other = (act(dealt("north_american", 0, hands, upcard="9H"), "order up", word) for word in ("decline", "TC"))
    assert alike_to(one, other) == []
    for seat in range(4):
        assert seen(one, seat)["upcard_state"] == [Upcard.LEFT - 1]
