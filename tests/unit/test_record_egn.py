"""Euchre Game Notation: flags and calls, hands inferred from play, what is refused and in which words, writing."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from euchre_env import rulesets
from euchre_env.cards import cards_of, format_cards, mask_of, parse_cards
from euchre_env.dealing import KITTY, cards_at
from euchre_env.engine.layout import Phase
from euchre_env.errors import RecordError
from euchre_env.game import Game
from euchre_env.record import Record, Recorder, egn, read, write_egn
from euchre_env.record.egn_flags import DEFAULTS, flags_of, rules_of
from euchre_env.record.games import action_word

# Seat 0 deals, the nine of hearts is turned up. Seat 1 orders it up and takes all tricks; the dealer plays the nine to
# the fourth. Nobody shows the jacks of clubs, diamonds and spades or the nine of diamonds: one was the discard.
TRICKS = ("Ac Kc Qc Tc", "As Ks Qs Ts", "Ad Kd Qd Td", "Ah Kh Qh 9h", "Jh Th 9s 9c")
HANDS = ("Tc Ts Td 9c Jc", "Ac As Ad Ah Jh", "Kc Ks Kd Kh Th", "Qc Qs Qd Qh 9s")
# The same with seat 3, the partner of seat 1, sitting out.
LONE = ("Ac Kc Tc", "As Ks Ts", "Ad Kd Td", "Ah Kh 9h", "Jh Th 9c")
# Seat 0 deals, seat 1 calls spades and takes the first three tricks, his partner the rest.
CALLED = ("Js 9s Ts Qs", "As Td Jc Ks", "Ac Kc Qc 9c", "9d Ad Kd Jd", "Ah Kh Qh Th")


def lists(tricks: Sequence[str]) -> list[list[str]]:
    return [trick.split() for trick in tricks]


def deal(tricks: Sequence[str] = TRICKS, **changes: Any) -> dict[str, Any]:
    """Return the JSON object of a deal; what is `None` is left out."""
    fields = {"dealer": 0, "upCard": "9h", "calls": ["Order"], "isAlone": False, **changes}
    fields.setdefault("trick_lists", lists(tricks))

    def part(*names: str) -> dict[str, Any]:
        return {name: fields[name] for name in names if fields.get(name) is not None}

    bidding = part("calls", "isAlone", "aloneDefender", "discard", "cardExchanges", "callAnnotations")
    phases = [
        {"type": "EUCHRE_BIDDING", **bidding},
        {"type": "TRICK_PLAY", "tricks": fields["trick_lists"], **part("initialLead")},
    ]
    start = part("dealer", "upCard", "playerCards", "kitty")
    return {"dealNumber": fields.get("dealNumber", 0), "initialState": start, "phases": phases[: 2 if tricks else 1]}


def file(*deals: Any, flags: dict[str, Any] | None = None, **metadata: Any) -> str:
    """Return a file of these deals."""
    facts = {"players": ["N", "E", "S", "W"], "initialScore": [0, 0], "ruleset": flags or {}, **metadata}
    values = {"fileType": "Euchre Game Notation", "version": "1.6", "metadata": facts, "deals": list(deals)}
    return json.dumps(values)


def words(kept: Record, number: int = 0) -> list[str]:
    return [action_word(action) for action in kept.deals[number].actions]


def hand(kept: Record, seat: int) -> set[str]:
    """Return what a seat was dealt in the first deal."""
    return set(format_cards(next(kept.by_deal()).start.hand(seat)).split())


def refusal(source: str) -> str:
    with pytest.raises(RecordError) as refused:
        egn.loads(source)
    assert "\n" not in str(refused.value)
    return str(refused.value)


# Flags.


def test_without_flags_it_is_tournament() -> None:
    assert rules_of({}) == rules_of(DEFAULTS) == rulesets.get("tournament")
    assert flags_of(rulesets.get("tournament")) == {"std": True, "canadian": False, "loner_lead": "LEFT_OF_DEALER"}


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ({"std": False}, {"stick_the_dealer": "off"}),
        ({"canadian": True}, {"canadian_loner": True}),
        ({"loner_lead": "LEFT_OF_LONER"}, {"lead_rule": "left_of_loner"}),
        ({"loner_march_score": 5}, {"loner_march_points": 5}),
        ({"loner_euchred_score": 3}, {"lone_euchre_points": 3}),
        ({"defend_alone": True}, {"defend_alone": "vs_loner", "lone_defender_scoring": "four_for_three"}),
        ({"partners_best": True}, {"best_exchange": "receive_first"}),
        ({"joker": True}, {"deck": 25}),
        ({"joker": True, "min_rank": 7}, {"deck": 33}),
        ({"allow_no_trump": True}, {"allow_no_trump": "high"}),
        ({"min_rank": 8}, {"deck": 28}),
        ({"winning_score": 15}, {"target": 15}),
        ({"farmers": True}, {"farmers_hand": "redeal", "farmers_cards": "three"}),
        ({"go_under": True}, {"farmers_hand": "swap3", "farmers_cards": "three"}),
        (
            {"farmers": True, "joker": True, "min_rank": 7},
            {"farmers_hand": "redeal", "farmers_cards": "three", "deck": 33},
        ),
    ],
)
def test_flags_are_options(flags: dict[str, Any], options: dict[str, Any]) -> None:
    rules = rules_of(flags)
    assert rules == rulesets.get("tournament").replace(**options)
    assert rules_of(flags_of(rules)) == rules
    assert flags.items() <= flags_of(rules).items()


@pytest.mark.parametrize(("seats", "march"), [(2, 2), (3, 3)])
def test_fewer_seats_play_their_base_games(seats: int, march: int) -> None:
    rules = rules_of({"num_players": seats, "std": False})
    assert (rules.num_seats, rules.march_points, rules.stick_the_dealer) == (seats, march, "off")
    assert (rules.alone_scope, rules.dealer_pickup, rules.target) == ("none", "any_of_six", 10)
    assert rules_of(flags_of(rules)) == rules


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            {"farmers": True, "go_under": True},
            "^the rule flags 'farmers' and 'go_under' are not supported together: .*Q-N22",
        ),
        (
            {"go_under": True, "joker": True},
            "^the rule flags do not go together: swap3 takes the three .* 4 are buried",
        ),
        ({"go_under": True, "num_players": 3}, "^the rule flags do not go together: swap3 takes the three"),
        ({"fast_break": True}, "^the rule flag 'fast_break' is not supported"),
        ({"four_trick_tokens": True}, "^the rule flag 'four_trick_tokens' is not supported"),
        ({"num_deals": 8}, "^the rule flag 'num_deals' is not supported"),
        ({"winning_score": 0}, "target: 0 is not one of"),
        ({"loner_march_score": 10}, "loner_march_points: 10 is not one of"),
        ({"num_players": 6}, "^the rule flag 'num_players' is 6: only 4, 3, 2 are supported"),
        ({"min_rank": 10}, "^the rule flag 'min_rank' is 10: only 9, 8, 7 are supported"),
        ({"loner_lead": "LEFT"}, "^the rule flag 'loner_lead' is 'LEFT'"),
        ({"std": 1}, "^the rule flag 'std' is 1: it must be true or false"),
        ({"winning_score": True}, "^the rule flag 'winning_score' is True: it must be a whole number"),
        ({"loner_lead": []}, r"^the rule flag 'loner_lead' is \[\]: it must be a text"),
        ({"joker": True, "allow_no_trump": True}, "^the rule flags do not go together: no-trump with a joker"),
        ({"num_players": 3, "partners_best": True}, "^the rule flags do not go together: best_exchange"),
        ({"defend_alon": True}, "^unknown rule flag 'defend_alon': did you mean 'defend_alone'"),
        ({"stick": False}, "^unknown rule flag 'stick'"),
    ],
)
def test_flags_that_are_refused(flags: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        egn.loads(file(deal(), flags=flags))


def test_flags_that_are_off_are_no_obstacle() -> None:
    off = {flag: value for flag, value in DEFAULTS.items() if flag != "num_deals"}
    assert egn.loads(file(deal(), flags=off)).ruleset.name == "tournament"


# Hands from what was played.


def test_hands_and_the_discard_follow_from_the_play() -> None:
    kept = egn.loads(file(deal()))
    assert kept.scores == (0, 2)
    assert (hand(kept, 1), hand(kept, 3)) == ({"AC", "AS", "AD", "AH", "JH"}, {"QC", "QS", "QD", "QH", "9S"})
    # The nine of hearts was taken up; one of the four cards that nobody showed was dealt to the dealer and laid away.
    assert hand(kept, 0) == {"TC", "TS", "TD", "9C", "JC"}
    assert words(kept)[:3] == ["order-up", "JC", "AC"]
    assert kept.deals[0].unseen == mask_of(parse_cards("JC JD JS 9D"))


def test_an_up_card_that_does_not_appear_was_laid_away() -> None:
    tricks = (*TRICKS[:3], "Ah Kh Qh Js", "Jh Th 9s 9c")
    kept = egn.loads(file(deal(tricks)))
    assert words(kept)[:2] == ["order-up", "9H"]
    assert kept.deals[0].unseen == 0  # five cards of each seat were seen, so the rest was buried


def test_a_told_discard_is_kept() -> None:
    assert words(egn.loads(file(deal(discard="Jd"))))[:2] == ["order-up", "JD"]
    assert words(egn.loads(file(deal(discard="Xx"))))[:2] == ["order-up", "JC"]
    assert egn.loads(file(deal(discard="Jd"))).deals[0].unseen == 0
    assert refusal(file(deal(discard="Ah"))) == "deal 1: AH is dealt to seat 1, but it is dealt to seat 0."
    turned = deal(CALLED, calls=["Pass"] * 4 + ["s"], discard="Tc")
    assert refusal(file(turned)) == "deal 1: a discard is told, but nobody lays a card away."


def test_an_up_card_that_cannot_be_in_the_hand_any_more_was_laid_away() -> None:
    # Two tricks of five: the dealer does not follow hearts, so the nine of hearts that he took up is gone.
    kept = egn.loads(file(deal(("Ah Kh Qh Tc", "As Ks Qs Ts"))))
    assert words(kept)[:2] == ["order-up", "9H"]
    assert kept.replay().phase == Phase.PLAY


def test_told_hands_are_kept() -> None:
    told = lists(HANDS)
    kept = egn.loads(file(deal(playerCards=told)))
    assert [hand(kept, seat) for seat in range(4)] == [{card.upper() for card in cards} for cards in told]
    assert kept.deals[0].unseen == 0
    in_part = [["Tc", "Xx", "Xx", "Xx", "Xx"], [], ["Kc"], []]
    assert egn.loads(file(deal(playerCards=in_part))) == egn.loads(file(deal()))
    told[1][0] = "Jd"
    reason = "AC is not in the hand: it holds JD AD JH AH AS."
    assert refusal(file(deal(playerCards=told))) == f"deal 1, trick 1: seat 1 plays AC, but {reason}"


def test_the_kitty_may_be_told() -> None:
    kept = egn.loads(file(deal(kitty=["Jc", "9d", "Jd"])))
    assert words(kept)[:2] == ["order-up", "JS"]
    lying = cards_at(next(kept.by_deal()).start.state)
    assert format_cards(lying[KITTY]) == "JC 9D JD"
    assert "kitty has 4 cards: there are only 3" in refusal(file(deal(kitty=["Jc", "9d", "Jd", "Js"])))


def test_a_seat_that_sits_out_is_unseen() -> None:
    kept = egn.loads(file(deal(LONE, isAlone=True)))
    assert kept.scores == (0, 4)
    assert words(kept)[0] == "order-up-alone"
    unseen = kept.deals[0].unseen
    assert unseen & next(kept.by_deal()).start.hand(3) == next(kept.by_deal()).start.hand(3)
    assert len(cards_of(unseen)) == 9


def test_the_dealers_partner_alone_leaves_the_card() -> None:
    tricks = ("9c Ac Tc", "Ah Jh Th", "Ks As Ts", "Qs Kh Qc", "Qd Ad Td")
    kept = egn.loads(file(deal(tricks, calls=["Pass", "Order"], isAlone=True)))
    assert words(kept)[:3] == ["pass", "order-up-alone", "9C"]
    assert kept.scores == (0, 2)


def test_unfinished_deals_give_nobody_a_card_of_a_suit_that_he_did_not_follow() -> None:
    kept = egn.loads(file(deal(("Ac Kc Qs Tc", "As Ks Kd Ts"))))
    clubs, spades = mask_of(parse_cards("9C TC JC QC KC AC")), mask_of(parse_cards("9S TS JS QS KS AS"))
    assert kept.replay().phase == Phase.PLAY
    assert kept.replay().hand(3) & (clubs | spades) == 0
    # Three seats without a club or spade: ten of them, and only seven places with seat 1, the discard and the kitty.
    impossible = deal(("Ac Qd Kd Td", "As 9d Ad Qh"))
    assert refusal(file(impossible)) == "deal 1: no deal fits the suits that the seats did not follow."


def test_bowers_and_nines_by_their_letters() -> None:
    tricks = (*TRICKS[:3], "Ah Kh Qh Nh", "R Th Ns Nc")
    assert egn.loads(file(deal(tricks))) == egn.loads(file(deal()))
    left = ("L Kh Qh 9h",)
    assert words(egn.loads(file(deal(left))))[2] == "JD"
    assert "'R', which stands for no card" in refusal(file(deal(upCard="R")))


def test_the_joker() -> None:
    tricks = (*TRICKS[:4], "B Th 9s 9c")
    kept = egn.loads(file(deal(tricks), flags={"joker": True}))
    assert "JK" in words(kept)
    assert kept.scores == (0, 2)
    assert "'B', which is not in a pack of 24" in refusal(file(deal(tricks)))
    # Turned up, it proposes hearts, the default of joker_up.
    up = deal((*TRICKS[:3], "Ah Kh Qh B", "9c R 9s Jd"), upCard="B")
    assert words(egn.loads(file(up, flags={"joker": True})))[-4:] == ["9C", "JH", "9S", "JD"]


def test_no_trump() -> None:
    tricks = ("Ac Kc Qc Tc", "As Ks Qs Ts", "Ad Kd Qd Td", "Jh Th Qh Jd", "Kh 9c Js Ah")
    no_trump = deal(tricks, calls=["Pass"] * 4 + ["n"])
    kept = egn.loads(file(no_trump, flags={"allow_no_trump": True}))
    assert words(kept)[4] == "call-no-trump"
    assert "tournament has no no-trump" in refusal(file(no_trump))


def test_a_partners_best_card() -> None:
    # Seat 1 is alone and receives the queen of spades, for which he lays the jack of spades away.
    best = [{"sender": 3, "receiver": 1, "cards": ["Qs"]}]
    tricks = ("Ac Kc Tc", "Qs 9s Ts", "Ad Kd Td", "Ah Kh 9h", "Jh Th 9c")
    hands = [["Tc", "Ts", "Td", "9c", "Jc"], ["Ac", "Js", "Ad", "Ah", "Jh"], ["Kc", "9s", "Kd", "Kh", "Th"], []]
    alone = deal(tricks, isAlone=True, cardExchanges=best, playerCards=hands)
    kept = egn.loads(file(alone, flags={"partners_best": True}))
    assert words(kept)[:5] == ["order-up-alone", "JC", "swap", "QS", "JS"]
    assert egn.loads(egn.dumps(kept)) == kept
    none = egn.loads(file(deal(LONE, isAlone=True), flags={"partners_best": True}))
    assert words(none)[:3] == ["order-up-alone", "JC", "decline"]
    only = "deal 1: cardExchanges: between seats only a partner's best card for a loner is supported (7.5)."
    assert refusal(file(alone)) == only
    for wrong in (
        {"sender": 3, "receiver": 1, "cards": ["Qs", "Qd", "Qc"]},
        {"sender": 0, "receiver": 1, "cards": ["Qs"]},
    ):
        source = file(deal(tricks, isAlone=True, cardExchanges=[wrong]), flags={"partners_best": True})
        assert refusal(source) == only


# The dealer has a ten and two nines; two jacks and the nine of diamonds go for the tens of spades and diamonds and the
# jack of spades, and that goes for the nine of hearts.
SWAP = [{"receiver": 0, "cards": ["Ts", "Td", "Js"]}]
SWAPPER = [["Tc", "9c", "9d", "Jc", "Jd"], [], [], []]


def test_a_swap_with_the_kitty() -> None:
    told = egn.loads(file(deal(cardExchanges=SWAP, playerCards=SWAPPER, discard="Js"), flags={"go_under": True}))
    assert hand(told, 0) == {"TC", "9C", "9D", "JC", "JD"}
    assert words(told)[:10] == ["decline"] * 3 + ["swap", "JC", "9D", "JD", "order-up", "JS", "AC"]
    assert (told.scores, told.deals[0].unseen) == ((0, 2), 0)
    assert format_cards(cards_at(next(told.by_deal()).start.state)[KITTY]) == "TD TS JS"
    assert egn.loads(egn.dumps(told)) == told
    (exchange,) = json.loads(egn.dumps(told))["deals"][0]["phases"][0]["cardExchanges"]
    assert exchange == {"receiver": 0, "cards": ["Td", "Ts", "Js"]}


def test_what_a_swap_leaves_out_follows_where_it_can() -> None:
    flags = {"go_under": True}
    told = egn.loads(file(deal(cardExchanges=SWAP, playerCards=SWAPPER), flags=flags))
    # What was laid away is all that nobody saw; without the hand it is not known where it lay, but nothing else fits.
    bare = egn.loads(file(deal(cardExchanges=SWAP), flags=flags))
    assert bare.deals[0].actions == told.deals[0].actions
    assert bare.deals[0].unseen == mask_of(parse_cards("JC 9D JD"))
    assert egn.loads(egn.dumps(bare)) == bare
    # The cards from the kitty may be told as the kitty, or as what was played and had not been dealt.
    some = [{"receiver": 0, "cards": ["Xx", "Xx", "Js"]}]
    unknown = [{"receiver": 0, "cards": []}]
    assert egn.loads(file(deal(cardExchanges=some, playerCards=SWAPPER), flags=flags)) == told
    kitty = deal(cardExchanges=unknown, playerCards=SWAPPER, kitty=["Td", "Js", "Ts"])
    assert egn.loads(file(kitty, flags=flags)) == told
    # Where no swap is told, nobody swapped.
    none = egn.loads(file(deal(), flags=flags))
    assert words(none)[:6] == ["decline"] * 4 + ["order-up", "JC"]


def test_a_hand_that_is_not_told_is_one_that_may_swap() -> None:
    # Seat 3 shows one trick only: at least three of its dealt cards are tens and nines, also where it holds no club.
    swap = [{"receiver": 3, "cards": ["Ah", "Kh", "Qh"]}]
    for tricks in (("Ac Kc Qc Tc",), ("Ac Kc Qs Tc", "As Ks Ts 9s")):
        kept = egn.loads(file(deal(tricks, calls=["Pass"] * 4 + ["d"], cardExchanges=swap), flags={"go_under": True}))
        assert sum(card[0] in "9T" for card in hand(kept, 3)) >= 3
        assert words(kept)[:3] == ["decline", "decline", "swap"]
        assert {*words(kept)[3:6]} < hand(kept, 3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"cardExchanges": SWAP + SWAP},
            "deal 1: cardExchanges: only one hand of a deal swaps with the kitty (Q-N22).",
        ),
        (
            {"cardExchanges": [{"receiver": 0, "cards": ["Xx"] * 3}], "playerCards": SWAPPER},
            "deal 1: seat 0 takes 3 cards from the kitty, but 2 are told (Q-N22).",
        ),
        (
            {"cardExchanges": SWAP, "kitty": ["Jc"]},
            "deal 1: seat 0 takes 3 cards from the kitty, but 4 are told (Q-N22).",
        ),
        (
            {"cardExchanges": [{"receiver": 0, "cards": ["Jc", "Jd", "Js"]}]},
            "deal 1: seat 0 keeps more of its hand than a swap of 3 leaves (Q-N22).",
        ),
        (
            {"cardExchanges": SWAP, "playerCards": SWAPPER, "tricks": TRICKS[:1]},
            "deal 1: what seat 0 laid away for the kitty is not told (Q-N22).",
        ),
        (
            {"cardExchanges": [{"sender": 2, "receiver": 0, "cards": ["Ts", "Td", "Js"]}]},
            "deal 1: cardExchanges: between seats only a partner's best card for a loner is supported (7.5).",
        ),
        (
            {"cardExchanges": [{"receiver": 0, "cards": ["Ac", "Td", "Js"]}]},
            "AC is in the kitty, but it is dealt to seat 1.",
        ),
        (
            {"cardExchanges": [{"receiver": 0, "cards": ["Ts", "Td", "9d"]}]},
            "deal 1, call 4: seat 0 says 'swap', but",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_swap_that_cannot_be_gets_its_sentence(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(file(deal(**changes), flags={"go_under": True}))


def test_a_swap_needs_its_flag() -> None:
    needs = "deal 1: cardExchanges: cards from the kitty need the rule flag 'go_under', and"
    assert refusal(file(deal(cardExchanges=SWAP))) == f"{needs} it is off (Q-N22)."
    redeal = refusal(file(deal(cardExchanges=SWAP), flags={"farmers": True}))
    assert redeal == f"{needs} the rule flag 'farmers' is a redeal here (Q-N22)."


def test_claims_of_a_redeal() -> None:
    # No file tells one: it is a deal that was broken off and dealt again, which does not count.
    flags = {"farmers": True}
    kept = egn.loads(file(deal(), flags=flags))
    assert words(kept)[:5] == ["decline"] * 4 + ["order-up"]
    assert egn.loads(egn.dumps(kept)) == kept
    assert egn.loads(file(deal((), calls=[]), deal(), flags=flags)) == kept
    recorder = Recorder(Game(rules_of(flags), seed=1, dealer=0))
    while recorder.game.state["redeal"][0] == 0:
        recorder.play(recorder.game.legal()[-1])
    with pytest.raises(
        RecordError, match=r"^Euchre Game Notation cannot say that deal \d was claimed away \(Q-N22\)\.$"
    ):
        egn.dumps(recorder.record)


def test_a_lone_defender() -> None:
    tricks = ("Ac Kc", "As Ks", "Ad Kd", "Ah Kh", "Jh Th")
    alone = deal(tricks, isAlone=True, aloneDefender=2)
    kept = egn.loads(file(alone, flags={"defend_alone": True}))
    assert words(kept)[:3] == ["order-up-alone", "9C", "alone"]
    nobody = egn.loads(file(deal(LONE, isAlone=True, aloneDefender=-1), flags={"defend_alone": True}))
    assert words(nobody)[:4] == ["order-up-alone", "JC", "with-partner", "with-partner"]
    assert "aloneDefender is 2, but nobody may defend alone" in refusal(file(alone))
    assert "aloneDefender is 2" in refusal(file(deal(aloneDefender=2), flags={"defend_alone": True}))
    own = deal(LONE, isAlone=True, aloneDefender=3)
    assert (
        refusal(file(own, flags={"defend_alone": True})) == "deal 1: seat 3 is said to defend alone, but may not (7.4)."
    )


def test_three_seats_score_by_seat() -> None:
    tricks = ("Ac Kc Tc", "As Ks Ts", "Ad Kd Td", "Ah Kh 9h", "Jh Th 9c")
    source = file(deal(tricks), flags={"num_players": 3}, players=["A", "B", "C"], initialScore=[1, 2, 3])
    kept = egn.loads(source)
    assert kept.scores == (1, 5, 3)
    assert egn.loads(egn.dumps(kept)) == kept


# What is refused.


@pytest.mark.parametrize("call", ["x", "PickUp", "Alone", "pass", "S", "NT", ""])
def test_calls_that_are_refused_by_name(call: str) -> None:
    assert refusal(file(deal(calls=["Pass", call]))).startswith(f"deal 1: the call {call!r} is not supported: Pass,")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"calls": ["h"]}, "deal 1, call 1: seat 1 says 'call hearts', but order up is due"),
        ({"calls": ["Pass"] * 4 + ["h"]}, "but hearts were turned down and may not be named (2.4, Q-N4)."),
        ({"calls": ["Pass"] * 8}, "but the dealer is stuck: he must name a suit (2.4, Q-N7)."),
        ({"calls": ["Order", "Pass"]}, "deal 1: calls go on after the bidding has ended."),
        ({"calls": ["Pass"]}, "deal 1: cards are played, but the bidding has not come to that."),
        ({"calls": ["Pass"], "isAlone": True}, "deal 1: isAlone is true, but nobody has made trump."),
        ({"isAlone": 1}, "deal 1: isAlone is 1: it must be true or false"),
        ({"isAlone": True}, "deal 1, trick 1 has 4 cards, but 3 seats play."),
        ({"tricks": ("Ac Kc Qc", *TRICKS[1:])}, "deal 1, trick 1 has 3 cards, but 4 seats play."),
        ({"tricks": (*TRICKS, "Jc 9d")}, "deal 1: a trick of JC 9D comes after the last one."),
        ({"tricks": (TRICKS[0], "Ac Ks Qs Ts")}, "trick 2: seat 1 plays AC, which was played before."),
        ({"tricks": ("Ac Ac Qc Tc",)}, "deal 1: trick 1 has AC twice."),
        ({"trick_lists": [["Xc"]]}, "deal 1: trick 1 has 'Xc', which stands for no card"),
        ({"trick_lists": [["At"]]}, "deal 1: trick 1 has 'At', which stands for no card"),
        ({"trick_lists": [["7c"]]}, "deal 1: trick 1 has '7c', which is not in a pack of 24 (1.1)."),
        ({"trick_lists": [[7]]}, "deal 1: trick 1 is 7: it must be a text."),
        ({"calls": ["Pass"] * 4 + ["s"], "upCard": "Kc"}, "deal 1: KC is dealt to seat 2, but it is turned up."),
        ({"dealer": 4}, "deal 1: dealer is 4: it must be a whole number from 0 to 3."),
        ({"dealer": -1}, "deal 1: dealer is -1"),
        ({"playerCards": [[], []]}, "deal 1: playerCards has 2 hands: it needs one for each seat."),
        ({"playerCards": [["Ac"] * 6, [], [], []]}, "deal 1: playerCards[0] has 6 cards: there are only 5."),
        ({"playerCards": [["Ac"], [], [], []]}, "deal 1: AC is dealt to seat 1, but it is dealt to seat 0."),
        ({"initialLead": 2}, "deal 1: seat 2 leads, but seat 1 has to (2.6)."),
        ({"dealNumber": "one"}, "deal 1: dealNumber is 'one'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_deal_gets_its_sentence(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(file(deal(**changes)))


def test_a_revoke_is_refused_at_the_card() -> None:
    tricks = ("Ac Kd Qc Tc", "As Ks Qs Ts", "Ad Kc Qd Td", "Ah Kh Qh 9h", "Jh Th 9s 9c")
    reason = "KD does not follow: clubs were led and the hand holds KC (1.4)."
    assert refusal(file(deal(tricks))) == f"deal 1, trick 1: seat 2 plays KD, but {reason}"


def test_the_canadian_loner_binds_the_dealers_partner() -> None:
    ordered = deal(calls=["Pass", "Order"])
    assert "seat 2 says 'order up', but" in refusal(file(ordered, flags={"canadian": True}))


def test_deals_follow_one_another() -> None:
    second = deal(dealNumber=1, dealer=1, upCard="Jc", calls=["Pass"], tricks=())
    assert len(egn.loads(file(deal(), second)).deals) == 2
    assert refusal(file(deal(), {**second, "initialState": {"dealer": 2, "upCard": "Jc"}})) == (
        "deal 2: seat 2 deals, but seat 1 has to (Q-X1)."
    )
    short = deal(TRICKS[:2])
    assert refusal(file(short, deal(dealNumber=1))) == "deal 1 is not played out, and another follows."
    # Broken off and dealt again under its number.
    assert egn.loads(file(short, deal())) == egn.loads(file(deal()))
    revoke = deal(("Ac Kd Qc Tc", "As Kc"))
    assert refusal(file(revoke, deal())).startswith("deal 1, trick 1: seat 2 plays KD, but KD does not follow")
    assert "deal 2: the game was over before it" in refusal(file(deal(), second, initialScore=[0, 9]))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"fileType": "EGN"}, "fileType is 'EGN': it must be 'Euchre Game Notation'."),
        ({"fileType": "E" * 10_000}, f"fileType is '{'E' * 12}...{'E' * 13}': it must be 'Euchre Game Notation'."),
        ({"version": "2.0"}, "version is '2.0': versions 1.x are supported."),
        ({"version": 1.4}, "version is 1.4: it must be a text."),
        ({"deals": ["AAECAw=="]}, "deal 1: packed deals are not supported: unpack the file first."),
        ({"deals": {}}, "deals is {}: it must be a list."),
        ({"deals": []}, "a record needs at least one deal."),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"metadata": {"players": []}}, "metadata: the field 'initialScore' is missing."),
        ({"metadata": {"players": ["A"], "initialScore": [0, 0]}}, "metadata.players has 1 names"),
        ({"metadata": {"players": [], "initialScore": [0, 0], "mood": 1}}, "metadata: unknown field 'mood'"),
        ({"metadata": {"players": [], "initialScore": [0, 0], "finalScore": [1, 0]}}, "scores: the file says 1 to 0"),
        ({"metadata": {"players": [], "initialScore": [0]}}, "metadata.initialScore has 1 numbers"),
        ({"metadata": {"players": [], "initialScore": [0, 10]}}, "deal 1: scores is"),
        ({"metadata": {"players": [], "initialScore": [0, 0], "ruleset": []}}, "metadata.ruleset is []"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_file_gets_its_sentence(values: dict[str, Any], words: str) -> None:
    assert words in refusal(json.dumps(json.loads(file(deal())) | values))


def test_a_wrong_phase_gets_its_sentence() -> None:
    for phases, text in [
        ([{"type": "MISDEAL"}], "deal 1: unknown phase 'MISDEAL'"),
        ([{"type": "EUCHRE_BIDDING"}, {"type": "EUCHRE_BIDDING"}], "EUCHRE_BIDDING stands there twice"),
        ([{"type": "EUCHRE_BIDDING", "bids": []}], "deal 1: EUCHRE_BIDDING: unknown field 'bids'"),
        (["EUCHRE_BIDDING"], "deal 1: phase is 'EUCHRE_BIDDING': it must be an object."),
    ]:
        assert text in refusal(file({**deal(), "phases": phases}))


def test_comments_and_other_lines_of_play_are_passed_over() -> None:
    annotated = deal(callAnnotations={"0": ["[!] brave"]}) | {"alternativeLines": [{"branchIndex": 0, "phases": []}]}
    source = file(annotated, title="A", date="2026-01-01", teamNames=["A", "B"], gameId="1", description="")
    assert egn.loads(source) == egn.loads(file(deal()))


def test_players_may_be_objects() -> None:
    players = [{"name": "Ann", "playerIds": []}, "Bob", {"name": "Cy"}, "Di"]
    assert egn.loads(file(deal(), players=players)).players == ("Ann", "Bob", "Cy", "Di")
    assert egn.loads(file(deal(), players=[])).players == ()
    assert "metadata.players[0] is None" in refusal(file(deal(), players=[{"id": 1}, "B", "C", "D"]))


# Writing.


def test_a_game_of_ours_as_a_file(tmp_path: Path) -> None:
    recorder = Recorder(Game("tournament", seed=3, dealer=2))
    while not recorder.game.over:
        recorder.play(recorder.game.legal()[-1])
    kept = recorder.record
    write_egn(tmp_path / "game.egn", kept, title="A game")
    assert read(tmp_path / "game.egn") == [kept]
    values = json.loads((tmp_path / "game.egn").read_text("utf-8"))
    assert values["metadata"]["title"] == "A game"
    assert values["metadata"]["players"] == ["player_0", "player_1", "player_2", "player_3"]
    assert values["metadata"]["finalScore"] == list(kept.scores)
    first = values["deals"][0]["initialState"]
    start = next(kept.by_deal()).start
    assert first["dealer"] == 2
    assert [card.upper() for card in first["playerCards"][1]] == format_cards(start.hand(1)).split()


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("north_american", "alone_scope"),
        ("bicycle24", "dealer_selection"),
        ("open_spiel", "alone_timing"),
        ("british", "alone_scope"),
        ("railroad", "alone_scope"),
        ("two_handed", "dealer_pickup"),
        ("ghost_hand", "hand_size"),
        ("cincinnati", "hand_size"),
        ("bid_euchre", "hand_size"),
    ],
)
def test_rulesets_that_cannot_be_said_are_refused_by_option(name: str, option: str) -> None:
    with pytest.raises(RecordError, match=f"^Euchre Game Notation cannot say {option}=.* of {name}\\.$"):
        egn.dumps(Recorder(Game(name, seed=1)).record)


@pytest.mark.parametrize(
    "change",
    [
        {"stick_the_dealer": "forfeit"},
        {"natural_trump_required": True},
        {"super_euchre_points": 4},
        {"packets": "2-3"},
        {"defend_alone": "always"},
        {"stop_when_decided": True},
        {"march_points": 3},
        {"best_exchange": "discard_first"},
    ],
    ids=str,
)
def test_options_that_cannot_be_said_are_refused_by_name(change: dict[str, Any]) -> None:
    (option,) = change
    with pytest.raises(RecordError, match=f"cannot say {option}="):
        flags_of(rulesets.get("tournament").replace(**change))


@pytest.mark.parametrize("way", ["redeal", "swap3"])
def test_a_farmers_hand_without_a_card_above_the_tens_cannot_be_said(way: str) -> None:
    with pytest.raises(RecordError, match="cannot say farmers_cards='all'"):
        flags_of(rulesets.get("tournament").replace(farmers_hand=way))


def test_the_order_of_what_a_swap_laid_away_is_not_kept() -> None:
    source = file(deal(cardExchanges=SWAP, playerCards=SWAPPER, discard="Js"), flags={"go_under": True})
    kept = egn.loads(source)
    (one,) = kept.deals
    turned = replace(one, actions=(*one.actions[:4], *one.actions[6:3:-1], *one.actions[7:]))
    assert turned != one
    assert egn.loads(egn.dumps(replace(kept, deals=(turned,)))) == kept


def test_what_the_file_has_no_place_for_is_refused() -> None:
    # The loner has laid a card away for his partner's best, and the deal goes on: the file has no second discard.
    rules = rulesets.get("tournament").replace(best_exchange="receive_first")
    recorder = Recorder(Game(rules, seed=1, dealer=0))
    recorder.play(35)
    recorder.play(recorder.game.legal()[0])
    recorder.play(59)
    for _ in range(4):
        recorder.play(recorder.game.legal()[0])
    assert recorder.game.phase == Phase.PLAY
    with pytest.raises(RecordError, match=r"^Euchre Game Notation cannot say all of this record: deal 1: what seat 1"):
        egn.dumps(recorder.record)
