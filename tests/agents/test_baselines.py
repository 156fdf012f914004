"""The rule-based players in every game of the family: stronger than chance, sensible where a table would notice."""

from typing import Any

import numpy as np
import pytest

from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import JOKER, NO_TRUMP, mask_of, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CLAIM_REDEAL,
    DECLINE,
    MOON,
    ORDER_UP,
    PASS,
    STATE,
    SWAP,
    WITH_PARTNER,
    Phase,
    Purpose,
)
from euchre_env.policies import Policy, parameters
from euchre_env.policies.rule_based import RuleBasedPolicy
from euchre_env.ruleset import Ruleset

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

# Rulesets that touch what the catalogue leaves off.
HOUSES = {
    "no-trump in round two": rulesets.get("north_american").replace(allow_no_trump="high_low"),
    "best card, received first": rulesets.get("railroad").replace(best_exchange="receive_first"),
    "joker, dealer looks": rulesets.get("british").replace(joker_up="look_dealer", alone_timing="with_call"),
    "farmer's swap": rulesets.get("north_american").replace(farmers_hand="swap3"),
    "two-card dummy": rulesets.get("two_handed").replace(dummy="two_card"),
    "three-card dummies": rulesets.get("two_handed").replace(dummy="three_card", alone_scope="maker_only"),
    "five-card dummy": rulesets.get("three_handed").replace(dummy="five_card", alone_scope="maker_only"),
    "reneges cost": rulesets.get("ghost_hand").replace(renege="penalty"),
    "free moons": rulesets.get("cincinnati").replace(moon_ladder="free", allow_no_trump="high_low"),
    "trump with bids of three seats": rulesets.get("ghost_hand").replace(auction="with_trump"),
}
GAMES: dict[str, Ruleset] = {name: rulesets.get(name) for name in rulesets.names()} | HOUSES


def net_points(rules: Ruleset, policy: Policy, rival: Policy, deals: int) -> np.ndarray:
    """Return the policy's net points of each deal, every side of which it has played in turn."""
    keys = np.random.default_rng(6).integers(2**63, size=deals, dtype=np.uint64)
    dealers = np.arange(deals) % rules.num_seats
    total = np.zeros(deals)
    for side in range(rules.num_sides):
        seats = [seat for seat in range(rules.num_seats) if rules.side(seat) == side]
        batch = GameBatch(rules, deals, keys=keys, dealers=dealers, observe=False, autoreset=False)
        rng = np.random.default_rng(side)
        while (batch.turn >= 0).any():
            actions = np.zeros(deals, dtype=np.int64)
            mine = np.isin(batch.turn, seats)
            for player, rows in ((policy, mine), (rival, (batch.turn >= 0) & ~mine)):
                index = np.flatnonzero(rows)
                actions[index] = player.act(batch.views(index), batch.legal[index], rng)
                assert (batch.legal[index] >> actions[index] & 1 == 1).all(), player.name
            batch.step(actions)
            total += batch.rewards[:, seats[0]]
    return total / rules.num_sides


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("who", ["rule_based", "rule_expert"])
def test_beats_random_in_every_game(who: str, name: str) -> None:
    rules = GAMES[name]
    net = net_points(rules, policies.make(who, rules), policies.make("random", rules), 200)
    assert net.mean() - 1.96 * net.std(ddof=1) / np.sqrt(len(net)) > 0.3


def answer(
    rules: str | Ruleset,
    phase: Phase,
    cards: str,
    legal: list[int],
    turn: int = 0,
    numbers: Any = None,
    **fields: Any,
) -> int:
    """Return what `rule_based` does in a position of which only these fields matter; with other numbers untuned."""
    view = np.zeros(1, dtype=STATE)
    for name in ("upcard", "trump", "maker", "bid", "bids", "named", "swapped_by", "cards", "players", "best_seat"):
        view[name] = -1
    view["cards"][0, 0, 0] = fields.pop("led", -1)
    view["phase"], view["turn"], view["dealer"] = phase, turn, 3 % rulesets.get(rules).num_seats
    for name, value in fields.items():
        view[name] = value
    view["hands"][0, turn] = mask_of(parse_cards(cards))
    mask = np.array([mask_of(legal)], dtype=np.int64)
    game = parameters.game_of(rulesets.get(rules))
    params = parameters.changed(parameters.field_values(game), numbers) if numbers else parameters.tuned(game=game)
    return int(RuleBasedPolicy(rulesets.get(rules), params).act(view, mask, np.random.default_rng(0))[0])


BIDS = [PASS, *(BID + level for level in (0, 1, 2, MOON))]


@pytest.mark.parametrize("rules", ["cincinnati", "ghost_hand", "bid_euchre"])
def test_a_moon_on_a_certain_hand(rules: str) -> None:
    """8.2, 9.3."""
    assert answer(rules, Phase.BID, "JS JC AS KS QS TS", BIDS) == BID + MOON


def test_a_poor_hand_passes_and_a_forced_dealer_bids_the_least() -> None:
    """8.2."""
    assert answer("cincinnati", Phase.BID, "9C TC 9D TD 9H QS", BIDS) == PASS
    assert answer("cincinnati", Phase.BID, "9C TC 9D TD 9H QS", BIDS[1:], turn=3, bids=0) == BID


def test_a_partner_is_left_to_his_bid_and_an_opponent_is_not() -> None:
    cards, higher = "JS AS KS AD 9D 9C", [PASS, BID + 1, BID + 2, BID + MOON]
    assert answer("cincinnati", Phase.BID, cards, higher, turn=2, maker=0, bid=0) == PASS
    assert answer("cincinnati", Phase.BID, cards, higher, turn=2, maker=1, bid=0) == BID + 1


LAST: dict[str, Any] = {"turn": 3, "maker": 0, "bid": 0, "bids": [1, 0, 0, -1]}


def test_a_bid_that_would_win_the_game_is_outbid() -> None:
    """8.6: at 29 of 32 the other side's 3 is enough."""
    cards, higher = "AS QS TS KD TD 9C", [PASS, BID + 1, BID + 2, BID + MOON]
    near: dict[str, Any] = {"scores": [29, 0, 0, 0], **LAST}
    assert answer("cincinnati", Phase.BID, cards, higher, numbers={"win": 20.0}, **LAST) == PASS
    assert answer("cincinnati", Phase.BID, cards, higher, numbers={"win": 20.0}, **near) == BID + 1
    assert answer("cincinnati", Phase.BID, cards, higher, numbers={"win": 0.0}, **near) == PASS


def test_points_beyond_the_target_are_worth_nothing() -> None:
    """8.6: a moon that is probably made is not bid where four tricks win the game."""
    cards, higher = "JS JC AS KS QS 9D", [PASS, BID + 1, BID + 2, BID + MOON]
    near: dict[str, Any] = {"scores": [0, 28, 0, 0], **LAST}
    assert answer("bid_euchre", Phase.BID, cards, higher, numbers={"win": 5.0}, **LAST) == BID + MOON
    assert answer("bid_euchre", Phase.BID, cards, higher, numbers={"win": 5.0}, **near) < BID + MOON


def test_what_the_partner_has_bid_and_named_counts() -> None:
    """8.2, 10.1."""
    cards, higher = "JS QS TS KD TD 9C", [PASS, BID + 1, BID + 2, BID + MOON]
    fields: dict[str, Any] = {"turn": 2, "maker": 1, "bid": 0, "bids": [1, 1, -1, -1]}
    deaf: dict[str, Any] = {"heard_tricks": 0.0, "named_tricks": 0.0}
    for numbers, named in (
        ({"heard_tricks": [[0, 2, 2, 2], [0, 0, 0, 0]]}, -1),
        ({"named_tricks": [2, 0]}, [SPADES, HEARTS, -1, -1]),
    ):
        assert answer("bid_euchre", Phase.BID, cards, higher, numbers=deaf, named=named, **fields) == PASS
        assert answer("bid_euchre", Phase.BID, cards, higher, numbers=deaf | numbers, named=named, **fields) > PASS


def test_the_ghost_hand_is_taken_for_a_poor_one_only() -> None:
    """9.3."""
    assert answer("ghost_hand", Phase.BID, "9C TC 9D TD 9H QS", [SWAP, *BIDS]) == SWAP
    assert answer("ghost_hand", Phase.BID, "JS JC AS KS AD 9D", [SWAP, *BIDS]) >= BID


@pytest.mark.parametrize(
    ("cards", "trump"),
    [("JS JC AS KS 9D 9H", SPADES), ("AC KC AD KD AH AS", NO_TRUMP), ("JD JH AD QD KD AS", DIAMONDS)],
)
def test_names_its_best_trump(cards: str, trump: int) -> None:
    """8.3."""
    names = [CALL + suit for suit in range(5)]
    assert answer("cincinnati", Phase.NAME_TRUMP, cards, names, maker=0, bid=0) == CALL + trump


@pytest.mark.parametrize(
    ("cards", "best"), [("JH 9H AS KS 9C", "JH"), ("9H AS KS QS 9C", "AS"), ("KH JC QC 9C 9D", "KH")]
)
def test_gives_the_card_that_helps_a_loner_most(cards: str, best: str) -> None:
    """7.5."""
    given = answer("railroad", Phase.GIVE, cards, parse_cards(cards), trump=HEARTS, maker=2, alone=4)
    assert given == parse_card(best)


def test_a_loner_lays_his_worst_card_away_and_none_of_a_perfect_hand() -> None:
    """7.5."""
    for cards, action in (("JK JH JD AH 9C", parse_card("9C")), ("JK JH JD AH KH", DECLINE)):
        legal = [*parse_cards(cards), DECLINE]
        fields = {"trump": HEARTS, "maker": 0, "alone": 1, "discards_for": int(Purpose.BEST)}
        assert answer("railroad", Phase.DISCARD, cards, legal, **fields) == action


def test_farmers_hands_are_given_up_unless_low_no_trump_can_be_bid() -> None:
    """Q-N22, 1.6."""
    cards, redeal = "9C TC 9D TD 9S", rulesets.get("tournament").replace(farmers_hand="redeal")
    assert answer(redeal, Phase.CLAIM, cards, [DECLINE, CLAIM_REDEAL], upcard=parse_card("AH")) == CLAIM_REDEAL
    assert answer(HOUSES["farmer's swap"], Phase.CLAIM, cards, [DECLINE, SWAP], upcard=parse_card("AH")) == SWAP
    low = rulesets.get("cincinnati").replace(farmers_hand="redeal", allow_no_trump="high_low")
    assert answer(low, Phase.CLAIM, "9C TC 9D TD 9S TS", [DECLINE, CLAIM_REDEAL]) == DECLINE
    assert answer(low, Phase.BID, "9C TC 9D TD 9S 9H", BIDS) >= BID + 2


def test_a_certain_hand_does_without_its_dummy() -> None:
    """6: alone scores more for all tricks."""
    rules, asked = HOUSES["five-card dummy"], [ALONE, WITH_PARTNER]
    assert answer(rules, Phase.DECLARE, "JH JD AH KH QH", asked, trump=HEARTS, maker=0) == ALONE
    assert answer(rules, Phase.DECLARE, "JH AH 9H KS 9C", asked, trump=HEARTS, maker=0) == WITH_PARTNER


def test_two_and_three_seats_order_with_a_good_hand() -> None:
    """5, 6."""
    for rules in ("two_handed", "three_handed"):
        fields = {"upcard": parse_card("9H"), "upcard_state": 1}
        assert answer(rules, Phase.ORDER_UP, "JH JD AH KH AS", [PASS, ORDER_UP], **fields) == ORDER_UP
        assert answer(rules, Phase.ORDER_UP, "9S TS 9C TC 9D", [PASS, ORDER_UP], **fields) == PASS


def test_a_renege_that_the_mask_allows_is_never_played() -> None:
    """Q-X4."""
    hand = "9S AH JH KD"
    fields = {"trump": HEARTS, "maker": 2, "in_trick": 1, "best_seat": 2, "best_power": 7, "bid": 0}
    game = HOUSES["reneges cost"]
    assert answer(game, Phase.PLAY, hand, parse_cards(hand), led=parse_card("KS"), **fields) == parse_card("9S")


def test_the_joker_is_taken_for_the_suit_that_it_helps_most() -> None:
    """4.3, with a look."""
    rules, legal = HOUSES["joker, dealer looks"], [CALL + suit for suit in range(4)]
    fields = {"upcard": JOKER, "upcard_state": 1}
    assert answer(rules, Phase.CALL, "JD AD KD 9S 9C", legal, turn=3, **fields) == CALL + DIAMONDS
