"""The rule vectors, each through the engine, by their ids.

`tests/data/README.md` says where they come from. Vectors of jokers and of no-trump are checked on the card tables,
which hold them already; vectors of games that are not in the catalogue yet are listed in NEXT.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from euchre_env import cards, rulesets
from euchre_env.engine.layout import Upcard
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from tests.rules import model
from tests.rules.many import play_out
from tests.rules.tables import act, pass_all, play_trick, table, text_cards, with_partners, with_trump, words

Vector = dict[str, Any]

VECTORS: dict[str, Vector] = {
    vector["id"]: vector
    for vector in json.loads((Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text("utf-8"))
}

ALL = ("north_american", "bicycle24", "tournament", "open_spiel")
TRICKS = ("T01", "T02", "T04", "T05", "T06", "T14", "T18")
LEGAL = ("L01", "L02", "L12")
TABLE_TRICKS = ("T09", "T11", "T12", "T13")
TABLE_LEGAL = ("L05", "L06", "L07", "L08", "L09")
LEADS = ("D01", "D02", "D03", "D04")
SCORES = ("S03", "S04", "S05", "S06", "S07", "S08", "S10", "S11", "S12", "S13", "S14", "S15", "S16")
PACKS = ("X05", "X06", "X07")
FULL_HANDS = ("F01", "F02")

_OTHER_GAMES = "next: other games of the family"
NEXT = {
    **dict.fromkeys(("D08", "D09", "D11", "D12", "X04", "F05"), _OTHER_GAMES),  # cincinnati, ghost_hand
    **dict.fromkeys(("H01", "H02", "H04", "B11"), _OTHER_GAMES),  # three_handed, two_handed
    **dict.fromkeys(("A02", "A05", "A06", "A09", "A10", "A11"), _OTHER_GAMES),  # cincinnati
    **dict.fromkeys(("C01", "C03", "C04", "C05", "C10", "C11", "C12", "C15", "C16"), _OTHER_GAMES),  # cincinnati
    **dict.fromkeys(("E02", "E03", "E05", "E07", "E08"), _OTHER_GAMES),  # cincinnati
    **dict.fromkeys(("G01", "G02", "G03", "G04", "G05", "G06"), _OTHER_GAMES),  # ghost_hand
    **dict.fromkeys(("G10", "G11", "G12", "G13", "G14", "G15", "G16", "G17", "G19", "B22"), _OTHER_GAMES),  # ghost_hand
    **dict.fromkeys(("B09", "B10", "B15"), _OTHER_GAMES),  # british, railroad
    "B16": "next: matches, with laps and slams",
    "X11": "next: matches, with the draw for partners and deal",
}


def test_every_vector_is_tested_or_listed() -> None:
    in_words = {name.split("_")[1] for name in globals() if name.startswith("test_") and name.split("_")[1] in VECTORS}
    groups = (TRICKS, LEGAL, TABLE_TRICKS, TABLE_LEGAL, LEADS, SCORES, PACKS, FULL_HANDS, in_words)
    tested = [vector for group in groups for vector in group]
    assert len(tested) == len(set(tested))
    assert set(tested) | set(NEXT) == set(VECTORS)
    assert not set(tested) & set(NEXT)


def rules_of(vector: Vector) -> list[Ruleset]:
    """Return the rulesets that a vector speaks of."""
    if vector["variant"] == "all":
        return [rulesets.get(name) for name in ALL]
    if vector["variant"] == "bicycle32":
        return [rulesets.get("bicycle24").replace(deck=32)]
    return [rulesets.get(vector["variant"].split()[0])]


def cases(ids: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(VECTORS[name], rules, id=f"{name}-{rules.name}")
        for name in ids
        for rules in rules_of(VECTORS[name])
    ]


@pytest.mark.parametrize(("vector", "rules"), cases(TRICKS))
def test_trick(vector: Vector, rules: Ruleset) -> None:
    trump, plays = vector["data"]["trump"], vector["data"]["plays"]
    led = model.suit_cards(plays[0][1], trump)
    void = {seat: " ".join(led) for seat, card in plays if card not in led}
    game = with_trump(rules, plays[0][0], trump, dict(plays), void)
    assert play_trick(game, plays) == vector["data"]["winner"]
    assert game.turn == vector["data"]["winner"]


@pytest.mark.parametrize(("vector", "rules"), cases(LEGAL))
def test_legal(vector: Vector, rules: Ruleset) -> None:
    data = vector["data"]
    game = with_trump(rules, 1, data["trump"], {1: data["led"] or ""}, {})
    if data["led"]:
        act(game, data["led"])
    game.state["hands"][0, game.turn] = cards.mask_of(cards.parse_cards(" ".join(data["hand"])))
    assert words(game) == set(data["legal"])


@pytest.mark.parametrize("name", TABLE_TRICKS)
def test_trick_by_the_tables(name: str) -> None:
    data = VECTORS[name]["data"]
    trump = cards.TRUMP_NAMES.index(data["trump"])
    played = [cards.parse_card(card) for _, card in data["plays"]]
    powers = cards.TRICK_POWER[trump, cards.EFFECTIVE_SUIT[trump, played[0]], played]
    assert data["plays"][int(powers.argmax())][0] == data["winner"]
    assert np.count_nonzero(powers == powers.max()) == 1


@pytest.mark.parametrize("name", TABLE_LEGAL)
def test_legal_by_the_tables(name: str) -> None:
    data = VECTORS[name]["data"]
    trump = cards.TRUMP_NAMES.index(data["trump"])
    led = cards.EFFECTIVE_SUIT[trump, cards.parse_card(data["led"])]
    hand = cards.mask_of(cards.parse_cards(" ".join(data["hand"])))
    following = hand & int(cards.SUIT_CARDS[trump, led])
    assert text_cards(following or hand) == set(data["legal"])


def test_T16_two_loners_play_two_cards() -> None:
    game = table("north_american", 1, {1: "9S", 2: "JC"}, "AS", void={2: "9S TS JS QS KS"})
    act(game, "order up", "decline", "alone", "with partner", "alone")
    assert play_trick(game, [(1, "9S"), (2, "JC")]) == 2
    assert game.turn == 2


@pytest.mark.parametrize("name", LEADS)
def test_lead(name: str) -> None:
    args, leader = VECTORS[name]["data"]["args"], VECTORS[name]["data"]["leader"]
    rules = rulesets.get("north_american").replace(lead_rule=args["rule"])
    game = pass_all(table(rules, args["dealer"], {}, "9S"), 4)
    maker = args.get("loners", args["makers"])[0]
    while game.turn != maker:
        act(game, "pass")
    act(game, "call hearts")
    if "loners" in args:
        act(game, "alone")
    with_partners(game)
    assert game.state["sits_out"][0] == sum(1 << seat for seat in args["sitting"])
    assert game.turn == leader


@cache
def scored_hands(rules: Ruleset) -> dict[tuple[int, bool, bool], set[tuple[int, int]]]:
    """Play hands at random: (makers' tricks, lone maker, lone defender) -> points of (makers, defenders) seen."""
    found: dict[tuple[int, bool, bool], set[tuple[int, int]]] = {}
    for record in play_out(rules, 6_000, seed=1).finished:
        if record["maker"] < 0:
            continue
        side = int(record["maker"]) % 2
        loners = [seat for seat in range(4) if record["alone"] >> seat & 1]
        made = int(record["tricks"][side] + record["tricks"][side + 2])
        key = made, any(seat % 2 == side for seat in loners), any(seat % 2 != side for seat in loners)
        found.setdefault(key, set()).add((int(record["points"][side]), int(record["points"][1 - side])))
    return found


@pytest.mark.parametrize("name", SCORES)
def test_score(name: str) -> None:
    args = VECTORS[name]["data"]["args"]
    rules = rulesets.get("north_american")
    if args.get("super_euchre"):
        rules = rules.replace(super_euchre_points=4)
    if "lone_euchre" in args:
        rules = rules.replace(lone_euchre_points=args["lone_euchre"])
    if "lone_def" in args:
        rules = rules.replace(lone_defender_scoring=args["lone_def"])
    key = args["mt"], args.get("alone", False), args.get("dalone", False)
    assert scored_hands(rules)[key] == {tuple(VECTORS[name]["data"]["delta"])}


@pytest.mark.parametrize("name", PACKS)
def test_pack(name: str) -> None:
    data = VECTORS[name]["data"]
    pack = cards.deck_cards(data["low"], data["joker"])
    assert len(set(pack)) == data["size"]
    ranks = cards.RANKS[cards.RANKS.index(data["low"]) :]
    assert text_cards(pack) == {rank + suit for rank in ranks for suit in "CDHS"} | ({"JK"} if data["joker"] else set())
    if not data["joker"]:
        game = Game(rulesets.get("bicycle24").replace(deck=data["size"]), seed=0)
        assert [len(text_cards(game.hand(seat))) for seat in range(4)] == [5, 5, 5, 5]
        assert len(text_cards(int(game.state["kitty"][0]))) == data["size"] - 21


def ordered_pack() -> list[str]:
    """X01: 9C TC JC QC KC AC 9D ... AS."""
    deck: list[str] = VECTORS["X01"]["data"]["deck"]
    return deck


@pytest.mark.parametrize("name", ["bicycle24", "north_american"])
def test_X01_packets_of_three_and_two(name: str) -> None:
    game, data = Game(name, dealer=3, deck=ordered_pack()), VECTORS["X01"]["data"]
    assert {str(seat): text_cards(game.hand(seat)) for seat in range(4)} == {
        s: set(h) for s, h in data["hands"].items()
    }
    assert cards.format_card(int(game.state["upcard"][0])) == data["left"][0]
    assert text_cards(int(game.state["kitty"][0])) == set(data["left"][1:])


def test_X02_alternating_packets() -> None:
    rules = rulesets.get("north_american").replace(packets="alternating")
    game, data = Game(rules, dealer=3, deck=ordered_pack()), VECTORS["X02"]["data"]
    assert {str(seat): text_cards(game.hand(seat)) for seat in range(4)} == {
        s: set(h) for s, h in data["hands"].items()
    }
    assert cards.format_card(int(game.state["upcard"][0])) == data["left"][0]


def test_B02_the_first_order_ends_the_bidding() -> None:
    game = act(table("north_american", 3, {}, "QH"), "order up")
    assert game.turn == 3
    assert game.phase.name == "DISCARD"
    record = game.state[0]
    assert cards.SUITS[record["trump"]] == "H"
    assert record["maker"] == 0
    assert record["num_calls"] == 1


def test_B04_eight_passes_throw_the_hand_in() -> None:
    game = pass_all(table("north_american", 3, {}, "QH", scores=[3, 4]), 8)
    assert game.phase.name == "DEAL"
    assert (game.points, game.scores) == ((0, 0), (3, 4))
    game.deal()
    assert game.state["dealer"][0] == 0
    assert (game.turn, game.phase.name) == (1, "ORDER_UP")


def test_B07_a_dealer_who_accepts_lays_away_one_of_his_own() -> None:
    game = pass_all(table("north_american", 3, {3: "AS KS 9D TC JD"}, "QH"), 3)
    act(game, "order up")
    assert words(game) == {"AS", "KS", "9D", "TC", "JD"}
    assert text_cards(game.hand(3)) == {"AS", "KS", "9D", "TC", "JD", "QH"}


@pytest.mark.parametrize("name", ALL)
def test_B08_canadian_loner(name: str) -> None:
    game = act(table(rulesets.get(name).replace(canadian_loner=True), 3, {}, "QH"), "pass")
    assert words(game) == {"pass", "order up alone"}
    act(game, "order up alone")
    assert game.state["sits_out"][0] == 1 << 3
    # Q-N23: the dealer sits out, so there is no exchange.
    assert game.phase.name != "DISCARD"
    assert game.state["upcard_state"][0] == Upcard.LEFT


def test_B14_the_makers_partner_may_play_alone() -> None:
    game = act(table("north_american", 3, {}, "QH"), "order up", "decline")
    assert game.turn == 0
    act(game, "with partner")
    assert game.turn == 2
    act(game, "alone")
    with_partners(game)
    assert game.state["sits_out"][0] == 1 << 0
    assert game.state["maker"][0] == 0
    assert game.turn == 3


def test_B19_a_farmers_hand_holds_nines_and_tens_only() -> None:
    rules = rulesets.get("north_american").replace(farmers_hand="redeal")
    game = act(table(rules, 3, {2: "9C TC 9D TH JS", 3: "9H 9S TS TD AD"}, "QH"), "decline", "decline")
    assert (game.turn, words(game)) == (2, {"decline"})
    game = act(table(rules, 3, {2: "9C TC 9D TH TS"}, "QH"), "decline", "decline")
    assert (game.turn, words(game)) == (2, {"decline", "claim redeal"})


def full_hand(loner: bool) -> Game:
    """F01: the deal of X01; the dealer takes the jack of spades for the queen of diamonds."""
    game = pass_all(Game("north_american", dealer=3, deck=ordered_pack(), auto_deal=False), 3)
    act(game, "order up", "QD")
    if loner:
        act(game, "alone")
    return with_partners(game)


@pytest.mark.parametrize("name", FULL_HANDS)
def test_full_hand(name: str) -> None:
    game, data = full_hand(loner=name == "F02"), VECTORS[name]["data"]
    assert cards.SUITS[game.state["trump"][0]] == data["trump"]
    for seat, hand in data.get("hands", {}).items():
        assert text_cards(game.hand(int(seat))) == set(hand)
    assert [play_trick(game, trick) for trick in data["tricks"]] == data["winners"]
    assert game.points == ((0, 4) if name == "F02" else (0, 2))
    assert game.state["tricks"][0].tolist() == [0, 0, 0, 5]
