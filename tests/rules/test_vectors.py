"""The rule vectors, each through the engine, by their ids.

`tests/data/README.md` says where they come from. Card vectors hold in every game that has such a trick, by a deal where
one can be written and else with the hands put into the record.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import cards, rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import BID_NAMES, NUM_ACTIONS, PASS, Phase, Upcard
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from tests.rules import model
from tests.rules.many import Transcript, play_out
from tests.rules.tables import act, pass_all, play_trick, table, text_cards, with_partners, with_trump, words

Vector = dict[str, Any]

VECTORS: dict[str, Vector] = {
    vector["id"]: vector
    for vector in json.loads((Path(__file__).parents[1] / "data" / "rules_vectors.json").read_text("utf-8"))
}

FOUR = tuple(name for name in rulesets.names() if rulesets.get(name).num_seats == 4)
# Where the dealer's partner who orders up plays alone, and nothing else is due before the play.
CANADIAN = ("north_american", "bicycle24", "bicycle28", "bicycle32", "british", "tournament", "open_spiel")
TRICKS = ("T01", "T02", "T04", "T05", "T06", "T09", "T11", "T12", "T13", "T14", "T18")
LEGAL = ("L01", "L02", "L05", "L06", "L07", "L08", "L09", "L12")
LEADS = ("D01", "D02", "D03", "D04")
SCORES = ("S03", "S04", "S05", "S06", "S07", "S08", "S10", "S11", "S12", "S13", "S14", "S15", "S16")
THREE_SCORES = ("H01", "H02", "H04")
AUCTIONS = ("A02", "A05", "A06", "A09", "A10", "A11", "G01", "G02", "G03", "G04", "G05")
BID_SCORES = ("C01", "C03", "C04", "C05", "C10", "C11", "C12", "C15", "C16")
GHOST_SCORES = ("G06", "G10", "G11", "G12")
ENDS = ("E02", "E03", "E05", "E07", "E08")
GHOST_ENDS = ("G13", "G14", "G15", "G16", "G17", "G19")
PACKS = ("X05", "X06", "X07")
FULL_HANDS = ("F01", "F02")
# Matches have tests of their own.
ELSEWHERE = {"B16": "test_match.py", "X11": "test_match.py"}


def test_every_vector_is_tested() -> None:
    tests = [name.split("_") for name in globals() if name.startswith("test_")]
    in_words = {word for words_of_name in tests for word in words_of_name if word in VECTORS}
    groups = (
        TRICKS, LEGAL, LEADS, SCORES, THREE_SCORES, AUCTIONS, BID_SCORES, GHOST_SCORES, ENDS, GHOST_ENDS, PACKS,
        FULL_HANDS, in_words, ELSEWHERE,
    )  # fmt: skip
    tested = [vector for group in groups for vector in group]
    assert len(tested) == len(set(tested))
    assert set(tested) == set(VECTORS)
    assert len(VECTORS) == 101
    for vector, file in ELSEWHERE.items():
        assert f"def test_{vector}_" in Path(__file__).with_name(file).read_text("utf-8")


def rules_of(vector: Vector) -> list[Ruleset]:
    """Return the rulesets that a vector of the cards speaks of."""
    variant = vector["variant"]
    if variant == "all":
        names = FOUR if vector["kind"] == "trick" else rulesets.names()
        return [rulesets.get(name) for name in names]
    if variant in ("british/railroad", "joker decks"):
        return [rulesets.get("british"), rulesets.get("railroad"), rulesets.get("bicycle32").replace(deck=33)]
    rules = rulesets.get(variant.split()[0])
    return [rules.replace(allow_no_trump="high_low") if "nt_low" in variant else rules]


def cases(ids: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(VECTORS[name], rules, id=f"{name}-{rules.name}")
        for name in ids
        for rules in rules_of(VECTORS[name])
    ]


def go(game: Game, *preferred: str) -> Game:
    """Play on to the first lead, or to the end of the hand: each time the first of these words that is legal."""
    while game.phase not in (Phase.PLAY, Phase.DEAL, Phase.OVER):
        legal = words(game)
        act(game, next((word for word in preferred if word in legal), min(legal)))
    return game


def first_lead(rules: Ruleset, leader: int, trump: str) -> Game:
    """Take a deal to the first lead under this trump, named by whoever may name it first; nobody is alone."""
    name = f"call {model.NAMES[trump]}"
    for key in range(100):
        game = Game(rules, key=key, dealer=(leader - 1) % rules.num_seats, auto_deal=False)
        go(game, name, "bid 3", "pass", "with partner", "decline")
        if game.phase == Phase.PLAY and cards.TRUMP_NAMES[game.state["trump"][0]] == trump:
            assert game.turn == leader
            return game
    raise AssertionError("no such deal found")


def hold(game: Game, seat: int, hand: str) -> None:
    """Put a hand into the record."""
    game.state["hands"][0, seat] = cards.mask_of(cards.parse_cards(hand))


@pytest.mark.parametrize(("vector", "rules"), cases(TRICKS))
def test_trick(vector: Vector, rules: Ruleset) -> None:
    trump, plays = vector["data"]["trump"], vector["data"]["plays"]
    if rules.auction == "off":
        led = model.suit_cards(plays[0][1], trump)
        void = {seat: " ".join(led) for seat, card in plays if card not in led}
        game = with_trump(rules, plays[0][0], trump, dict(plays), void)
    else:
        game = first_lead(rules, plays[0][0], trump)
        for seat, card in plays:
            hold(game, seat, card)
    assert play_trick(game, plays) == vector["data"]["winner"]
    assert game.turn == vector["data"]["winner"]


@pytest.mark.parametrize(("vector", "rules"), cases(LEGAL))
def test_legal(vector: Vector, rules: Ruleset) -> None:
    data = vector["data"]
    game = first_lead(rules, 1, data["trump"])
    if data["led"]:
        hold(game, game.turn, data["led"])
        act(game, data["led"])
    hold(game, game.turn, " ".join(data["hand"]))
    assert words(game) == set(data["legal"])


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


CODES = {
    "P": "pass", "3": "bid 3", "4": "bid 4", "5": "bid 5", "M": "bid moon", "DM": "bid double moon",
    "TM": "bid triple moon", "QM": "bid quadruple moon", "SWAP": "swap",
}  # fmt: skip
CHANGES: dict[tuple[str, Any], dict[str, Any]] = {
    ("force", "exactly_three"): {"forced_dealer": "exactly_min"},
    ("ladder", "free"): {"moon_ladder": "free"},
    ("moon_fail", "tricks"): {"moon_fail": "tricks"},
    ("moon_fail", 24): {"moon_fail": "stake"},
}


def changed(vector: Vector) -> Ruleset:
    """Return the ruleset of an auction's vector with its options."""
    rules = rulesets.get(vector["variant"].split()[0])
    for option in vector["data"].get("opts", {}).items():
        rules = rules.replace(**CHANGES[option])
    return rules


@pytest.mark.parametrize("name", AUCTIONS)
def test_auction(name: str) -> None:
    vector, data = VECTORS[name], VECTORS[name]["data"]
    rules = changed(vector)
    game = Game(rules, dealer=rules.num_seats - 1, seed=0)
    if data.get("swapped_before"):
        act(game, "swap")
    act(game, *(CODES[call] for call in data["history"]))
    if data.get("just_swapped"):
        act(game, "swap")
    assert (game.turn == rules.num_seats - 1) == data.get("is_dealer", game.turn == 2)
    assert words(game) == {CODES[call] for call in data["legal"]}


TABLES = 10_000
KEYS = np.random.default_rng(7).integers(2**63, size=TABLES, dtype=np.uint64)


def high_and_low(batch: GameBatch, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Want high bids at every other table, passes at the rest."""
    wish = np.ones((batch.num_tables, NUM_ACTIONS))
    wish[::2, PASS], wish[1::2, PASS] = 0.3, 5.0
    return wish


@cache
def auctions(rules: Ruleset) -> Transcript:
    return play_out(rules, TABLES, 1, high_and_low, keys=KEYS)


def bid_of(call: str) -> int:
    return BID_NAMES.index(CODES[call].removeprefix("bid "))


@pytest.mark.parametrize("name", BID_SCORES)
def test_bid_score(name: str) -> None:
    data = VECTORS[name]["data"]
    hands = auctions(changed(VECTORS[name])).finished
    for side in (0, 1):
        won = hands["tricks"][:, side] + hands["tricks"][:, side + 2]
        found = hands[(hands["maker"] % 2 == side) & (hands["bid"] == bid_of(data["bid"])) & (won == data["tricks"])]
        assert len(found)
        assert (found["points"][:, [side, 1 - side]] == data["delta"]).all()


@pytest.mark.parametrize("name", GHOST_SCORES)
def test_ghost_score(name: str) -> None:
    data = VECTORS[name]["data"]
    hands = auctions(changed(VECTORS[name])).finished
    tricks = (hands["tricks"][:, :3] == data["tricks"]).all(axis=1)
    found = hands[(hands["maker"] == data["bidder"]) & (hands["bid"] == bid_of(data["bid"])) & tricks]
    assert len(found)
    assert (found["points"][:, :3] == data["delta"]).all()


@pytest.mark.parametrize("name", THREE_SCORES)
def test_three_handed_score(name: str) -> None:
    args = VECTORS[name]["data"]["args"]
    hands = play_out("three_handed", 2_000, seed=1).finished
    found = hands[(hands["maker"] == args["maker"]) & (hands["tricks"][:, args["maker"]] == args["mt"])]
    assert len(found)
    assert (found["points"][:, :3] == VECTORS[name]["data"]["delta"]).all()


def ended(rules: Ruleset, wanted: Callable[[Any], Any], before: Any, extra: int = 0) -> Game:
    """Play the first hand that ended so, in a game at these scores."""
    played = auctions(rules)
    row = int(np.flatnonzero(wanted(played.finished))[0])
    game = Game(rules, key=int(KEYS[row]), dealer=int(played.dealt["dealer"][row]), auto_deal=False)
    game.state["scores"][0, : rules.num_sides] = before
    game.state["extra_hand"][0] = extra
    for action, legal in zip(played.actions[:, row], played.legal[:, row], strict=True):
        if legal:
            game.play(int(action))
    assert game.phase in (Phase.DEAL, Phase.OVER)
    return game


@pytest.mark.parametrize("name", ENDS)
def test_scores_that_end_a_game(name: str) -> None:
    data = VECTORS[name]["data"]
    rules = rulesets.get("cincinnati").replace(both_cross=data["both_cross"])

    def wanted(hands: Any) -> Any:
        return (hands["maker"] % 2 == 0) & (hands["points"][:, :2] == data["delta"]).all(axis=1)

    game = ended(rules, wanted, data["before"])
    assert game.scores == tuple(np.add(data["before"], data["delta"]))
    winner = {"bidder": 0, "defender": 1}.get(data["winner"])
    assert game.state["winners"][0] == (0 if winner is None else 1 << winner)
    assert game.over == (winner is not None)
    assert game.state["extra_hand"][0] == 0


@pytest.mark.parametrize("name", GHOST_ENDS)
def test_scores_that_end_a_ghost_game(name: str) -> None:
    data = VECTORS[name]["data"]
    rules = rulesets.get("ghost_hand")
    points = np.array([4, 0, 2])
    before = data["scores"] - points
    game = ended(rules, lambda hands: (hands["points"][:, :3] == points).all(axis=1), before, 0b011 * data["tiebreak"])
    kind, winner = data["result"]
    assert game.scores == tuple(data["scores"])
    assert game.over == (kind == "win")
    assert game.state["winners"][0] == (1 << winner if kind == "win" else 0)
    assert game.state["extra_hand"][0] == (0b011 if kind == "tiebreak" else 0)


def test_D08_D09_D11_the_eldest_leads_or_the_next_who_plays() -> None:
    for calls, leader, out in (
        (("pass", "pass", "pass", "bid 5", "call hearts"), 0, 0),
        (("pass", "pass", "bid moon", "pass", "call hearts"), 1, 1 << 0),
        (("pass", "pass", "pass", "bid moon", "call hearts"), 0, 1 << 1),
    ):
        game = act(Game("cincinnati", dealer=3, seed=0), *calls)
        assert (game.turn, game.phase) == (leader, Phase.PLAY)
        assert game.state["sits_out"][0] == out


def test_D12_the_bidder_leads() -> None:
    game = act(Game("ghost_hand", dealer=2, seed=0), "pass", "bid 4", "pass", "call hearts")
    assert (game.turn, game.phase) == (1, Phase.PLAY)


@pytest.mark.parametrize("name", PACKS)
def test_pack(name: str) -> None:
    data = VECTORS[name]["data"]
    pack = cards.deck_cards(data["low"], data["joker"])
    assert len(set(pack)) == data["size"]
    ranks = cards.RANKS[cards.RANKS.index(data["low"]) :]
    assert text_cards(pack) == {rank + suit for rank in ranks for suit in "CDHS"} | ({"JK"} if data["joker"] else set())
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


def test_X04_one_card_at_a_time_and_the_ghost_to_the_dealers_right() -> None:
    game, hands = Game("ghost_hand", dealer=2, deck=ordered_pack()), VECTORS["X04"]["data"]["hands"]
    assert {seat: text_cards(int(game.state["hands"][0, seat])) for seat in range(4)} == {
        3 if seat == "G" else int(seat): set(hand) for seat, hand in hands.items()
    }
    assert game.state["upcard_state"][0] == Upcard.ABSENT


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


@pytest.mark.parametrize("name", CANADIAN)
def test_B08_canadian_loner(name: str) -> None:
    game = act(table(rulesets.get(name).replace(canadian_loner=True), 3, {}, "QH"), "pass")
    assert words(game) == {"pass", "order up alone"}
    act(game, "order up alone")
    assert game.state["sits_out"][0] == 1 << 3
    # Q-N23: the dealer sits out, so there is no exchange.
    assert game.phase.name != "DISCARD"
    assert game.state["upcard_state"][0] == Upcard.LEFT


def test_B09_the_benny_turned_up() -> None:
    game = table("british", 2, {2: "9C TC 9D TH JS"}, "JK")
    assert (game.turn, game.phase) == (2, Phase.CALL)
    assert words(game) == {"call clubs", "call diamonds", "call hearts", "call spades"}
    assert all(game.view(seat)["hands"][0].tolist() == [0, 0, 0, 0] for seat in range(4))
    act(game, "call hearts")
    assert (game.turn, game.phase, game.state["maker"][0]) == (2, Phase.DISCARD, 2)
    assert words(game) == {"9C", "TC", "9D", "TH", "JS"}
    act(game, "9C")
    assert text_cards(game.hand(2)) == {"JK", "TC", "9D", "TH", "JS"}
    # Whether he plays alone is asked on sight of the hand (Q-B1).
    assert (game.turn, words(game)) == (2, {"alone", "with partner"})


def test_B10_a_joker_proposes_hearts() -> None:
    game = table("railroad", 3, {}, "JK")
    assert (game.turn, words(game)) == (0, {"pass", "order up"})
    ordered = act(game.clone(), "order up")
    assert cards.SUITS[ordered.state["trump"][0]] == "H"
    pass_all(game, 4)
    assert words(game) == {"pass", "call clubs", "call diamonds", "call spades"}


def test_B11_four_passes_of_two() -> None:
    deck = [card for card in ordered_pack() if card != "9S"]
    game = Game("two_handed", dealer=1, deck=[*deck[:10], "9S", *deck[10:]], auto_deal=False)
    assert cards.format_card(int(game.state["upcard"][0])) == "9S"
    turns = []
    for _ in range(4):
        turns.append(game.turn)
        act(game, "pass")
    assert turns == [0, 1, 0, 1]
    assert (game.phase, game.points, game.scores) == (Phase.DEAL, (0, 0), (0, 0))
    assert game.state["next_dealer"][0] == 0
    game.deal()
    assert game.state["dealer"][0] == 0


def test_B15_calling_for_best() -> None:
    game = table("railroad", 0, {1: "JH JD AH KH 9S", 3: "JK QC TC 9C TD"}, "QH")
    act(game, "order up", "decline", "alone")
    assert (game.turn, game.phase, words(game)) == (1, Phase.DISCARD, {"JH", "JD", "AH", "KH", "9S", "decline"})
    act(game, "9S")
    assert (game.turn, game.phase, words(game)) == (3, Phase.GIVE, {"JK", "QC", "TC", "9C", "TD"})
    assert text_cards(int(game.view(3)["buried"][0, 1])) == set()
    act(game, "JK")
    with_partners(game)
    assert text_cards(game.hand(1)) == {"JH", "JD", "AH", "KH", "JK"}
    assert text_cards(game.hand(3)) == {"QC", "TC", "9C", "TD"}
    assert game.state["sits_out"][0] == 1 << 3
    # Left of the loner leads (7.4).
    assert (game.turn, game.phase) == (2, Phase.PLAY)


def test_B22_who_shoots_the_moon_names_a_suit_and_leads() -> None:
    game = act(Game("ghost_hand", dealer=2, seed=0), "pass", "bid moon")
    assert (game.turn, game.phase) == (1, Phase.NAME_TRUMP)
    assert words(game) == {f"call {model.NAMES[suit]}" for suit in VECTORS["B22"]["data"]["legal"]}
    act(game, "call spades")
    assert (game.turn, game.phase, game.state["sits_out"][0]) == (1, Phase.PLAY, 0)


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


def test_F05_a_ghost_hand() -> None:
    data = VECTORS["F05"]["data"]
    game = act(Game("ghost_hand", dealer=2, deck=ordered_pack(), auto_deal=False), "swap")
    assert text_cards(game.hand(0)) == {"JC", "9D", "KD", "JH", "9S", "KS"}
    act(game, "bid 3", "pass", "pass", "call diamonds")
    assert [play_trick(game, trick) for trick in data["tricks"]] == data["winners"]
    assert game.state["tricks"][0].tolist() == [4, 0, 2, 0]
    assert game.points == game.scores == (4, 0, 2)
