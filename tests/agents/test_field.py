"""The rebuilt field: every published rule as a position, the mask in every game that a player sits down to."""

import hashlib

import numpy as np
import pytest

import agents.baselines  # noqa: F401 - registers the field
from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import format_card, mask_of, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    STATE,
    WITH_PARTNER,
    Phase,
)
from euchre_env.game import Game
from euchre_env.policies import PolicyError
from euchre_env.ruleset import Ruleset
from tests.rules.dealing import dealt

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SIMPLE = ("simple_i", "simple_ii", "simple_iii", "simple_iv")
SMART = ("smart_1", "smart_3", "hybrid_3_iii")
OTHERS = ("estimated_tricks", "intermediate_v1", "advanced_player")
FIELD = (*SIMPLE, *SMART, *OTHERS)

KNOWN = ("bicycle24", "bicycle28", "bicycle32", "north_american", "open_spiel", "tournament")
_NORTH = rulesets.get("north_american")
_TOURNAMENT = rulesets.get("tournament")
HOUSES = {
    "a deal may pass out": _TOURNAMENT.replace(stick_the_dealer="off"),
    "forfeits": _TOURNAMENT.replace(stick_the_dealer="forfeit"),
    "natural trumps, forfeits": _NORTH.replace(natural_trump_required=True, stick_the_dealer="forfeit"),
    "natural trumps, stuck": _TOURNAMENT.replace(natural_trump_required=True),
    "Canadian loner": _TOURNAMENT.replace(canadian_loner=True, deck=32),
    "farmers deal again": _NORTH.replace(farmers_hand="redeal", farmers_cards="three"),
    "lone defence": rulesets.get("open_spiel").replace(defend_alone="always", lone_defender_scoring="three"),
    "nobody alone": _NORTH.replace(alone_scope="none", defend_alone="off"),
    "mandatory pick-up": _TOURNAMENT.replace(dealer_pickup="mandatory"),
}
GAMES: dict[str, Ruleset] = {name: rulesets.get(name) for name in KNOWN} | HOUSES


def positions(rules: Ruleset) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return states, views and masks of 64 tables over 60 random moves."""
    batch = GameBatch(rules, 64, episode="game", seed=5, observe=False)
    player, rng, rows = policies.make("random", rules), np.random.default_rng(5), np.arange(64)
    states, views, masks = [], [], []
    for _ in range(60):
        states.append(batch.states.copy())
        views.append(batch.views(rows).copy())
        masks.append(batch.legal.copy())
        batch.step(player.act(views[-1], masks[-1], rng))
    return np.concatenate(states), np.concatenate(views), np.concatenate(masks)


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> tuple[Ruleset, np.ndarray, np.ndarray, np.ndarray]:
    """Return a ruleset with random positions of it."""
    rules = GAMES[request.param]
    return rules, *positions(rules)


@pytest.mark.parametrize("who", FIELD)
def test_obeys_the_mask_by_the_row_alone(who: str, game: tuple[Ruleset, np.ndarray, np.ndarray, np.ndarray]) -> None:
    """An action is legal, the same again, the same in other company, and hangs on nothing that is hidden."""
    rules, states, views, masks = game
    player = policies.make(who, rules)
    actions = player.act(views, masks, np.random.default_rng(0))
    assert (masks >> actions & 1 == 1).all()
    assert (player.act(states, masks, np.random.default_rng(0)) == actions).all()
    order = np.random.default_rng(1).permutation(len(views))[:500]
    again = policies.make(who, rules).act(views[order], masks[order], np.random.default_rng(2))
    assert (again == actions[order]).all()
    assert getattr(player, "exact", False)


@pytest.mark.parametrize("who", FIELD)
@pytest.mark.parametrize("name", ["british", "two_handed", "three_handed", "railroad", "cincinnati", "ghost_hand"])
def test_refuses_a_game_that_its_description_does_not_know(who: str, name: str) -> None:
    with pytest.raises(PolicyError, match=rf"{who} does not play {name}: it knows four seats .* choose rule_based\."):
        policies.make(who, name)


# What simple_i did at `positions` before the others of its family came.
DIGESTS = {
    "bicycle24": "e69603fa7de297e8",
    "bicycle28": "b489b1fb96356533",
    "bicycle32": "519290d137bc4884",
    "north_american": "65c2009aabc57222",
    "open_spiel": "0cc7846aefb2b0aa",
    "tournament": "f7ac3727f050c309",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_simple_i_plays_as_ever(name: str) -> None:
    """The thresholds of `rule_based` and figures in the README hang on it."""
    actions = policies.make("simple_i", name).act(*positions(rulesets.get(name))[1:], np.random.default_rng(0))
    assert hashlib.sha256(actions.astype("<i8").tobytes()).hexdigest()[:16] == DIGESTS[name]


def answer(who: str, game: Game) -> int:
    """Return what a player does in a game's position."""
    policy = policies.make(who, game.ruleset)
    legal = np.array([mask_of(game.legal())], dtype=np.int64)
    return int(policy.act(game.view(game.turn), legal, np.random.default_rng(0))[0])


def bid(who: str, cards: str, upcard: str, seat: int = 0, *, turned_down: bool = False) -> int:
    """Return a seat's call after passes; seat 3 deals, so seat 1 is the dealer's partner."""
    game = dealt(HOUSES["a deal may pass out"], 3, {seat: cards}, upcard)
    for _ in range(seat + (4 if turned_down else 0)):
        game.play(PASS)
    return answer(who, game)


def table(hands: dict[int, str], maker: int, *cards: str, upcard: str = "9H") -> Game:
    """Return a game in which a seat ordered the up-card of dealer 3, who laid it away, and cards have fallen."""
    game = dealt("tournament", 3, hands, upcard)
    for action in (*[PASS] * maker, ORDER_UP):
        game.play(action)
    game.play(parse_card(upcard))
    for card in cards:
        game.play(parse_card(card))
    return game


def plays(who: str, hands: dict[int, str], maker: int, *cards: str, upcard: str = "9H") -> str:
    """Return the card that the next seat plays at such a table."""
    return format_card(answer(who, table(hands, maker, *cards, upcard=upcard)))


def declares(who: str, cards: str, *, turn: int, maker: int, upcard: str = "9H") -> int:
    """Return what a seat says when it is asked about going alone; hearts are trump, seat 3 has taken the up-card."""
    view = np.zeros(1, dtype=STATE)
    for name in ("bid", "bids", "named", "swapped_by", "cards", "players", "best_seat"):
        view[name] = -1
    view["phase"], view["turn"], view["dealer"], view["maker"] = Phase.DECLARE, turn, 3, maker
    view["trump"], view["upcard"], view["upcard_state"] = HEARTS, parse_card(upcard), 3
    view["hands"][0, turn] = mask_of(parse_cards(cards))
    legal = np.array([mask_of([ALONE, WITH_PARTNER])], dtype=np.int64)
    return int(policies.make(who, "north_american").act(view, legal, np.random.default_rng(0))[0])


def discards(who: str, cards: str, upcard: str) -> str:
    """Return what dealer 3 lays away after seat 0 ordered."""
    game = dealt(_TOURNAMENT.replace(dealer_pickup="mandatory"), 3, {3: cards}, upcard)
    game.play(ORDER_UP)
    return format_card(answer(who, game))


@pytest.mark.parametrize("who", SIMPLE)
@pytest.mark.parametrize(
    ("cards", "upcard", "seat", "call"),
    [
        ("JH 9H TH 9C 9S", "QH", 0, ORDER_UP),  # three trumps and a bower
        ("QH 9H TH AC 9S", "KH", 0, ORDER_UP),  # three and a side ace
        ("QH 9H TH KC 9S", "KH", 0, PASS),
        ("JH 9H AC KC 9S", "KH", 0, PASS),  # two
        ("9H AS KC QC TD", "TH", 3, ORDER_UP),  # the dealer's two, counted with the up-card, and a side ace
        ("9H KS KC QC TD", "TH", 3, PASS),
        ("JH JD KS QC TD", "TH", 3, PASS),
        ("JH 9H TH QH 9S", "KH", 0, ORDER_UP_ALONE),  # four and a bower
        ("AH 9H TH QH AS", "KH", 0, ORDER_UP),
        ("JD 9H TH 9C AS", "KH", 0, ORDER_UP_ALONE),  # three, a bower, a side ace
    ],
)
def test_simple_orders(who: str, cards: str, upcard: str, seat: int, call: int) -> None:
    """5A."""
    assert bid(who, cards, upcard, seat) == call


def test_simple_names() -> None:
    """5A, round two."""
    for cards, call in (
        ("JD 9D TD 9C 9S", CALL + DIAMONDS),
        ("QS 9S TS AC 9D", CALL + SPADES),
        ("QS 9S TS KC 9D", PASS),
        ("JC AS KS 9S AD", CALL_ALONE + SPADES),
    ):
        assert bid("simple_i", cards, "KH", turned_down=True) == call


@pytest.mark.parametrize("who", SIMPLE)
def test_simple_leads_high_and_lays_away_low(who: str) -> None:
    """5A."""
    assert plays(who, {0: "JD 9C AS KS QD"}, 3, upcard="TH") == "JD"
    assert discards(who, "JD 9C AS KS QD", "TH") == "9C"
    assert declares(who, "JH AH KH QH AS", turn=0, maker=0) == ALONE
    assert declares(who, "JH AH KH QH AS", turn=2, maker=0) == WITH_PARTNER


HANDS = {0: "QS 9C TC KC QC", 1: "KS TS 9D TD QD", 2: "AS JS KD AD AC"}


def test_simple_variants_follow() -> None:
    """5A: the lowest winner; iii the highest as second or third hand; lowest under a winning partner, but ii and iv."""
    second = {**HANDS, 1: "KS AS TS 9D TD", 2: "9S JS KD AD AC"}
    for who, card in zip(SIMPLE, ("KS", "KS", "AS", "AS"), strict=True):
        assert plays(who, second, 3, "QS", upcard="TH") == card
    partner = {**HANDS, 1: "TS 9S 9D TD QD", 2: "JS AS KD AD AC"}
    for who, card in zip(SIMPLE, ("JS", "AS", "JS", "AS"), strict=True):
        assert plays(who, partner, 3, "QS", "9S", upcard="TH") == card
    no_winner = {**HANDS, 1: "TS 9S 9D TD QD"}
    assert {plays(who, no_winner, 3, "QS", upcard="TH") for who in SIMPLE} == {"9S"}


def test_simple_iii_ruffs_low_and_wins_low_as_last_hand() -> None:
    """5A, as read here: high in the suit led; the fourth hand needs no more than wins."""
    ruffs = {**HANDS, 1: "9H AH 9D TD QD"}
    assert plays("simple_iii", ruffs, 3, "QS", upcard="TH") == "9H"
    last = {0: "QS 9C TC KC QC", 1: "9S 9D TD QD KD", 2: "TS AD AC JC JD", 3: "KS AS 9H KH QH"}
    assert plays("simple_iii", last, 3, "QS", "9S", "TS", upcard="TH") == "KS"


@pytest.mark.parametrize(
    ("cards", "upcard", "seat", "calls"),
    [
        # T 2.5, M 3.68, N 17.55, A 6.25, V 6.3: 36.28; the nine goes to an opponent (-2.5) or the partner (+2.5).
        ("KH QH TH AS 9C", "9H", 0, (PASS, ORDER_UP)),
        ("KH QH TH AS 9C", "9H", 1, (ORDER_UP, ORDER_UP)),
        # The jack counts 12.5.
        ("KH QH TH AS 9C", "JH", 0, (PASS, PASS)),
        ("KH QH TH AS 9C", "JH", 1, (ORDER_UP_ALONE, ORDER_UP_ALONE)),
        # T 10.83 for the right: 44.62 - 2.5, alone with 45 and 42.
        ("JH KH QH AS 9C", "9H", 0, (ORDER_UP, ORDER_UP_ALONE)),
        # T 3.33, M 6.26, N 8.1, A 6.25, V 6.3: 30.25.
        ("AH 9H AS KS KD", "TH", 1, (PASS, ORDER_UP)),
        ("AH 9H AS KS KD", "TH", 0, (PASS, PASS)),
        # The dealer lays a small club away: 36.28.
        ("KH QH AS 9C 9D", "TH", 3, (ORDER_UP, ORDER_UP)),
    ],
)
def test_smart_orders(cards: str, upcard: str, seat: int, calls: tuple[int, int]) -> None:
    """5B: the score, the turned card, the thresholds 35 and 32, ten more to play alone."""
    assert (bid("smart_1", cards, upcard, seat), bid("smart_3", cards, upcard, seat)) == calls
    assert bid("hybrid_3_iii", cards, upcard, seat) == calls[1]


@pytest.mark.parametrize("who", SMART)
def test_smart_names_its_best_suit(who: str) -> None:
    """5B."""
    assert bid(who, "JD AD KD AS 9C", "9H", turned_down=True) == CALL_ALONE + DIAMONDS
    assert bid(who, "KD QD TD AS 9C", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid(who, "9D TC QC KS QS", "9H", turned_down=True) == PASS


@pytest.mark.parametrize("who", SMART)
def test_smart_declares_and_defends_alone(who: str) -> None:
    """5B: the margin, after the trump was made; a defender with 35."""
    assert declares(who, "JH AH KH AS AC", turn=0, maker=0) == ALONE
    assert declares(who, "KH QH TH AS 9C", turn=0, maker=0) == WITH_PARTNER
    assert declares(who, "KH QH TH AS 9C", turn=0, maker=3) == ALONE
    assert declares(who, "KH QH 9S TS 9C", turn=0, maker=3) == WITH_PARTNER
    assert declares(who, "JH AH KH AS AC", turn=2, maker=0) == WITH_PARTNER
    # 42.1 with the queen gone to an opponent.
    assert declares(who, "JH KH TH AS 9C", turn=0, maker=0, upcard="QH") == WITH_PARTNER


def test_smart_keeps_the_best_score() -> None:
    """5B: a void is worth more than a king."""
    assert discards("smart_1", "KH QH AS QS KC", "TH") == "KC"


FIRST_LEADS = [
    ("AD 9D AS KS 9C", 3, "9D"),  # next-suit logic: a defender's low card of the other red suit
    ("JH AH KH AS 9C", 0, "JH"),  # draw trump: the caller with three
    ("KH TH AS KS 9C", 0, "AS"),  # off ace
    ("KH TH KS QS 9C", 2, "KH"),  # partner's call
    ("KH TH KS QS 9C", 0, "9C"),  # create a void
    ("KS QS TS KC 9C", 2, "TS"),  # low from long
]


@pytest.mark.parametrize(("cards", "maker", "card"), FIRST_LEADS)
@pytest.mark.parametrize("who", ["smart_1", "smart_3"])
def test_smart_first_leads(who: str, cards: str, maker: int, card: str) -> None:
    """5B, in the published order."""
    assert plays(who, {0: cards}, maker) == card


@pytest.mark.parametrize(
    ("led", "cards", "maker", "fell", "card"),
    [
        ("9S", "QS TS 9C KC AD", 3, "AS", "QS"),  # follow high, although the ace is on the table
        ("9S", "KH TH 9C KC AD", 3, "AS", "TH"),  # trump low
        ("9S", "QC KC TC KD AD", 3, "AS", "TC"),  # discard
        ("AS", "QS TS 9C KC AD", 3, "9S", "TS"),  # partner winning: follow low
        ("AS", "QH TH 9C KC AD", 3, "9S", "AD"),  # discard to a void
        ("AS", "QC 9C TC KD AD", 3, "9S", "9C"),  # discard low
    ],
)
def test_smart_follows(led: str, cards: str, maker: int, fell: str, card: str) -> None:
    """5B: seat 2 after its partner has led and an opponent has played."""
    assert plays("smart_1", {0: led, 1: fell, 2: cards}, maker, led, fell) == card


def test_smart_later_leads() -> None:
    """5B leaves them open: trumps that nothing beats for the makers, side cards that nothing beats, the last trumps."""
    hands = {0: "JH JD KS QC 9C", 1: "AH 9D TD QD KD", 2: "KH TC KC AC 9S", 3: "QH TS QS AS AD"}
    assert plays("smart_1", hands, 0, "JH", "AH", "KH", "QH") == "JD"
    hands = {0: "JH TH KS QC AC", 1: "AH 9D TD QD KD", 2: "KH TC KC 9C 9S", 3: "QH TS QS AS AD"}
    assert plays("smart_1", hands, 0, "JH", "AH", "KH", "QH") == "AC"
    hands = {0: "JH JD AH TH 9C", 1: "KH 9D TD QD KD", 2: "9S TC KC QC JC", 3: "QH TS QS AS AD"}
    drawn = ("JH", "KH", "9S", "QH", "JD", "9D", "TC", "TS")
    assert plays("smart_1", hands, 0, *drawn) == "AH"
    assert (
        plays("smart_1", {**hands, 0: "JH JD KS TH 9C", 3: "QH TS QS JS AH"}, 0, *drawn[:4], "JD", "9D", "TC", "AH")
        == "TH"
    )


@pytest.mark.parametrize(
    ("cards", "upcard", "seat", "call"),
    [
        ("QH TH 9H TC TS", "KH", 0, ORDER_UP),  # 0.1 + 0.5 + 0.5 + 0.5 + 0.75
        ("AH KH AS AC 9D", "QH", 0, ORDER_UP),  # 0.1 + 0.75 (the king below it guards against one bower) + 0.5 + 1
        ("AH KH AS KS 9D", "QH", 0, PASS),  # 0.1 + 1.25 + 0.25
        ("JH JD AH AS KS", "QH", 0, ORDER_UP_ALONE),  # 0.1 + 3 + 0.25 + 0.75
        ("JD AH KH AS 9C", "JH", 0, ORDER_UP),  # four or more, but an opponent picks up the jack
        ("9H AS 9C TD QD", "QH", 3, PASS),
        ("KH AH AS 9C TD", "QH", 3, ORDER_UP),
    ],
)
def test_estimated_tricks_orders(cards: str, upcard: str, seat: int, call: int) -> None:
    """5C."""
    assert bid("estimated_tricks", cards, upcard, seat) == call


def test_estimated_tricks_names_and_declares() -> None:
    """5C."""
    assert bid("estimated_tricks", "JD AD 9D AS 9C", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid("estimated_tricks", "JD JH AD AS KS", "9H", turned_down=True) == CALL_ALONE + DIAMONDS
    assert bid("estimated_tricks", "9D TC QC KS QS", "9H", turned_down=True) == PASS
    assert declares("estimated_tricks", "JD AH KH QH AS", turn=0, maker=0, upcard="JH") == WITH_PARTNER
    assert declares("estimated_tricks", "JH JD AH QH AS", turn=0, maker=0) == ALONE
    assert declares("estimated_tricks", "JH JD AH QH AS", turn=1, maker=0) == WITH_PARTNER


@pytest.mark.parametrize("who", OTHERS)
def test_the_exchange(who: str) -> None:
    """5C, and used for 5D and 5E: the lowest of the shortest side suit, aces and guarded kings kept."""
    assert discards(who, "JD AS KD 9D TC", "TH") == "TC"
    assert discards(who, "JD AS QD 9D 9H", "TH") == "9D"
    assert discards(who, "JD AS KC 9C 9H", "TH") == "9C"
    assert discards(who, "JD KC 9S TS 9H", "TH") == "KC"


def test_estimated_tricks_leads_trump() -> None:
    """5C: to the partner's call the highest until three are seen; the maker with three."""
    assert plays("estimated_tricks", {0: "KH TH AS KS 9C"}, 2) == "KH"
    assert plays("estimated_tricks", {0: "KH TH QH AS 9C"}, 0) == "KH"
    hands = {0: "JH TH AS QC 9C", 1: "TD 9D KD QD KC", 2: "AH TC AC 9S JC", 3: "QH TS QS KS JS"}
    assert plays("estimated_tricks", hands, 2, "JH", "TD", "AH", "QH") == "AS"
    hands = {**hands, 3: "TS QS KS JS AD"}
    assert plays("estimated_tricks", hands, 2, "JH", "TD", "AH", "TS") == "TH"


def test_estimated_tricks_guards_the_left() -> None:
    """5C: a defender with the left and one more neither ruffs nor overtakes while the right is out."""
    hands = {0: "QS 9C TC KC QC", 1: "JD 9H AC TD 9D", 2: "9S AS KD AD JC", 3: "KS TS JH AH KH"}
    assert plays("estimated_tricks", hands, 2, "QS", upcard="TH") not in ("JD", "9H")
    hands = {0: "QH 9C TC KC QC", 1: "JD 9H AC TD 9D", 2: "9S AS KD AD JC", 3: "KS TS JH AH KH"}
    assert plays("estimated_tricks", hands, 2, "QH", upcard="TH") == "9H"
    hands = {0: "QH 9C TC KC QC", 1: "JD 9H KH TD 9D", 2: "9S AS KD AD JC", 3: "KS TS JH AH QS"}
    assert plays("estimated_tricks", hands, 2, "QH", upcard="TH") != "9H"


@pytest.mark.parametrize(
    ("cards", "upcard", "seat", "call"),
    [
        ("JH QH 9H TC QS", "TH", 0, PASS),  # 8.4 and a void: 9.2, under 9.55
        ("JH QH 9H TC QS", "TH", 1, ORDER_UP),  # but over 8.5
        ("JH QH TH TC QS", "9H", 0, PASS),  # 8.7 and a void: 9.5
        ("JH KH 9H TC QS", "TH", 0, ORDER_UP),  # 9.0 and a void: 9.8
        ("KH 9H AS 9C QD", "JH", 3, ORDER_UP),  # 5.2 + 2.65 + 1.15 + 1.5
        ("KH 9H QS 9C QD", "TH", 3, PASS),  # 5.25 and a void
        ("JH AH KH QS 9C", "TH", 0, ORDER_UP),  # 11.25 and a void: 12.05
        ("JH AH KH AS 9C", "TH", 0, ORDER_UP_ALONE),
        ("JD AH KH QH AS", "9H", 0, ORDER_UP),  # 15.6, without the right
    ],
)
def test_intermediate_v1_orders(cards: str, upcard: str, seat: int, call: int) -> None:
    """5D."""
    assert bid("intermediate_v1", cards, upcard, seat) == call


def test_intermediate_v1_names() -> None:
    """5D: next with 6.6, another suit with 7.25."""
    # 2.65 + 2.05 + 1.15 and a void: 6.65; 6.6 without.
    assert bid("intermediate_v1", "KD QD 9D TC QS", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid("intermediate_v1", "KS QS 9S TC QD", "9H", turned_down=True) == PASS
    assert bid("intermediate_v1", "AS QS 9S TC QD", "9H", turned_down=True) == CALL + SPADES
    assert bid("intermediate_v1", "JS AS KS AD 9D", "9H", turned_down=True) == CALL_ALONE + SPADES
    assert declares("intermediate_v1", "JH AH KH AS 9C", turn=0, maker=0) == ALONE
    assert declares("intermediate_v1", "JH AH KH QS 9C", turn=0, maker=0) == WITH_PARTNER


@pytest.mark.parametrize(
    ("cards", "upcard", "seat", "call"),
    [
        ("QH TH AH KH 9S", "9H", 0, PASS),  # four, less one for the opponent's deal, no right
        ("JH TH QH KS 9S", "9H", 0, PASS),  # two, with the right, no ace
        ("JH TH QH AS 9S", "9H", 0, ORDER_UP),
        ("JH QH TH 9H 9S", "KH", 0, ORDER_UP),  # three, with the right
        ("QH TH AH 9S KC", "9H", 1, ORDER_UP),  # three, the partner deals
        ("QH TH 9S KC AS", "9H", 1, PASS),
        ("QH TH 9S KC AS", "9H", 3, PASS),  # three with the up-card, no right
        ("QH TH 9S KC AS", "JH", 3, ORDER_UP),
        ("QH TH KH 9S QS", "9H", 3, ORDER_UP),  # four with the up-card
        ("JH AH KH AS KS", "9H", 0, ORDER_UP_ALONE),  # unseen left 0 above the right, none above the ace of spades
        ("JH AH KH AS 9C", "9H", 0, ORDER_UP),  # five beat the nine of clubs
        ("JH QH TH AS AC", "9H", 0, ORDER_UP),  # one of right, ace and king
    ],
)
def test_advanced_player_orders(cards: str, upcard: str, seat: int, call: int) -> None:
    """5E."""
    assert bid("advanced_player", cards, upcard, seat) == call


def test_advanced_player_names_and_declares() -> None:
    """5E, round two."""
    assert bid("advanced_player", "QD TD AD 9D 9S", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid("advanced_player", "JD TD QD 9C 9S", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid("advanced_player", "AD TD QD 9C 9S", "9H", turned_down=True) == PASS
    assert bid("advanced_player", "JD TD AS 9S QS", "9H", turned_down=True) == CALL + DIAMONDS
    assert bid("advanced_player", "JD TD AS 9C QH", "9H", turned_down=True) == PASS  # four suits
    assert declares("advanced_player", "JH AH KH AS KC", turn=0, maker=0) == ALONE
    assert declares("advanced_player", "JH AH KH QS 9C", turn=0, maker=0) == WITH_PARTNER


def test_a_stuck_dealer_names_his_longest_or_best_suit() -> None:
    """2.4: no description knows a stuck dealer."""
    game = dealt("tournament", 3, {3: "9S TS QC TC 9C"}, "AH")
    for _ in range(7):
        game.play(PASS)
    for who in FIELD:
        assert answer(who, game) in (CALL + CLUBS, CALL + SPADES), who
