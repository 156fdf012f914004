"""The registry, the random sampler, the rule-based player, and simple_i: from the view only, by the mask only."""

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import agents.baselines  # noqa: F401 - registers simple_i
from agents.baselines import tune
from euchre_env import policies, rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import mask_of, parse_card, parse_cards
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    WITH_PARTNER,
    Phase,
)
from euchre_env.errors import RulesetError
from euchre_env.game import Game
from euchre_env.policies import Policy, PolicyError, parameters
from euchre_env.policies.random import sample, seed_rows
from euchre_env.policies.rule_based import RuleBasedPolicy
from euchre_env.ruleset import Ruleset

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
DETERMINISTIC = ("rule_based", "simple_i")


def rows_of(batch: GameBatch) -> np.ndarray:
    return np.flatnonzero(batch.turn >= 0)


def act(policy: Policy, batch: GameBatch, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    actions = np.asarray(policy.act(batch.views(rows), batch.legal[rows], rng))
    assert (batch.legal[rows] >> actions & 1 == 1).all(), policy.name
    return actions


def deck(hands: dict[int, str], upcard: str, dealer: int = 3) -> list[int]:
    """Return a deck that gives the seats these cards, packets 3-2, the others what is left in id order."""
    fixed = {seat: parse_cards(cards) for seat, cards in hands.items()}
    taken = {card for cards in fixed.values() for card in cards} | {parse_card(upcard)}
    rest = [card for card in rulesets.get("tournament").deck_ids if card not in taken]
    order = [(dealer + 1 + place) % 4 for place in range(4)]
    full = {seat: fixed.get(seat) or [rest.pop() for _ in range(5)] for seat in order}
    return (
        [c for s in order for c in full[s][:3]] + [c for s in order for c in full[s][3:]] + [parse_card(upcard), *rest]
    )


def answer(game: Game, name: str = "rule_based", ruleset: Ruleset | None = None) -> int:
    """Return what a player does in a game's position."""
    policy = policies.make(name, game.ruleset)
    legal = np.array([mask_of(game.legal())], dtype=np.int64)
    return int(policy.act(game.view(game.turn), legal, np.random.default_rng(0))[0])


def game_of(hands: dict[int, str], upcard: str, *plays: int | str, ruleset: str | Ruleset = "tournament") -> Game:
    """Return a game dealt by seat 3 after some actions; card actions as text."""
    game = Game(ruleset, deck=deck(hands, upcard), dealer=3, auto_deal=False)
    for play in plays:
        game.play(parse_card(play) if isinstance(play, str) else play)
    return game


def test_registry() -> None:
    assert {"random", "rule_based", "simple_i"} <= set(policies.names())
    assert all(isinstance(policies.make(name, "tournament"), Policy) for name in policies.names())
    with pytest.raises(PolicyError, match=r"checkpoint file 'rule_basd': did you mean 'rule_based'\?"):
        policies.make("rule_basd", "tournament")
    with pytest.raises(RulesetError, match="unknown ruleset"):
        policies.make("random", "turnament")
    with pytest.raises(PolicyError, match="registered already"):
        policies.register("random", RuleBasedPolicy)


def test_j16_sample_is_uniform_over_the_legal_actions() -> None:
    """J16: each legal action has 1 / legal, not 1 / all."""
    rng = np.random.default_rng(1)
    for size in (1, 2, 3, 7, 12):
        actions = np.sort(rng.choice(62, size, replace=False))
        legal = np.full(100_000, mask_of(actions.tolist()), dtype=np.int64)
        out = np.empty(len(legal), dtype=np.int64)
        sample(legal, seed_rows(rng, len(legal)), out)
        counts = np.bincount(out, minlength=62)
        assert counts.sum() == counts[actions].sum() == len(legal)
        expected = len(legal) / size
        # Chi-squared with size - 1 degrees of freedom: mean size - 1, variance twice that.
        assert ((counts[actions] - expected) ** 2 / expected).sum() <= size - 1 + 5 * np.sqrt(2 * size)


def test_sample_by_row_and_of_nothing() -> None:
    legal = np.array([0b111000, 0, 0b1], dtype=np.int64)
    state = seed_rows(np.random.default_rng(2), 3)
    alone, together = np.empty(1, dtype=np.int8), np.empty(3, dtype=np.int8)
    sample(legal[:1], state[:1].copy(), alone)
    sample(legal, state, together)
    assert alone[0] == together[0]
    assert together[1:].tolist() == [0, 0]


def options_of(base: Ruleset) -> list[Ruleset]:
    """Return a ruleset and all that differ from it in one option."""
    found = [base]
    for option in Ruleset.describe():
        for choice in option["choices"][:4] if option["name"] != "name" else ():
            try:
                found.append(base.replace(**{option["name"]: choice}))
            except RulesetError:
                continue
    return found


def simple_or_expert(rules: Ruleset) -> str:
    """Return `simple_i`, or `rule_expert` where that one refuses to sit down."""
    try:
        policies.make("simple_i", rules)
    except PolicyError:
        return "rule_expert"
    return "simple_i"


BASES = {name: rulesets.get(name) for name in rulesets.names()}
BASES["pack of 32"] = rulesets.get("tournament").replace(deck=32)


@pytest.mark.parametrize("name", BASES)
def test_every_option_is_played_to_the_end(name: str) -> None:
    """B2: actions come from the mask, under every single option."""
    for rules in options_of(BASES[name]):
        batch = GameBatch(rules, 16, episode="game", seed=3, observe=False, autoreset=False, max_hands=6)
        players = [policies.make(who, rules) for who in ("rule_based", simple_or_expert(rules), "random", "rule_based")]
        rng = np.random.default_rng(0)
        while rows_of(batch).size:
            actions = np.zeros(batch.num_tables, dtype=np.int64)
            for seat, player in enumerate(players):
                rows = np.flatnonzero(batch.turn == seat)
                actions[rows] = act(player, batch, rows, rng)
            batch.step(actions)
        assert batch.episodes.tolist() == [1] * 16


WITH_HIDDEN_CARDS = [
    *(("simple_i", name) for name in ("tournament", "north_american")),
    *((who, name) for who in ("rule_based", "rule_expert") for name in rulesets.names()),
]


@pytest.mark.parametrize(("who", "name"), WITH_HIDDEN_CARDS)
def test_hidden_cards_do_not_matter(who: str, name: str) -> None:
    """The full record gives the same action as the view, so nothing hidden is read."""
    rules = rulesets.get(name)
    batch = GameBatch(rules, 200, seed=5, observe=False, autoreset=False)
    player, rng = policies.make(who, rules), np.random.default_rng(0)
    while rows_of(batch).size:
        rows = rows_of(batch)
        actions = np.zeros(batch.num_tables, dtype=np.int64)
        actions[rows] = act(player, batch, rows, rng)
        assert (player.act(batch.states[rows], batch.legal[rows], rng) == actions[rows]).all()
        batch.step(actions)


@pytest.mark.parametrize("who", DETERMINISTIC)
def test_j15_one_object_in_two_seats(who: str) -> None:
    """J15: nothing is kept between calls, so the order and the number of calls do not matter."""
    batch = GameBatch("tournament", 64, seed=7, observe=False)
    shared, rng = policies.make(who, "tournament"), np.random.default_rng(0)
    rows = np.arange(64)
    for _ in range(40):
        together = act(shared, batch, rows, rng)
        apart = [int(act(policies.make(who, "tournament"), batch, rows[i : i + 1], rng)[0]) for i in reversed(rows)]
        assert together.tolist() == apart[::-1]
        batch.step(together)


def test_random_draws_from_the_given_generator_alone() -> None:
    batch = GameBatch("tournament", 32, seed=1, observe=False)
    player = policies.make("random", "tournament")
    views, legal = batch.views(np.arange(32)), batch.legal
    draws = [player.act(views, legal, np.random.default_rng(seed)).tolist() for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


# What the two rule players did in 2,000 hands, three of them against `random`, before they learned other games.
DIGESTS = {
    ("rule_based", "north_american"): "7c3a5f2d766a27ce",
    ("rule_based", "bicycle24"): "55ca8837b81b58ac",
    ("rule_based", "tournament"): "729cf5b9898d3bdd",
    ("rule_based", "open_spiel"): "458775c3c04e1d99",
    ("rule_expert", "north_american"): "4a9274f16c94759d",
    ("rule_expert", "bicycle24"): "a24947e4a771852d",
    ("rule_expert", "tournament"): "24c69b6438463ee9",
    ("rule_expert", "open_spiel"): "177f5b095b4d5d59",
}


@pytest.mark.parametrize(("who", "name"), DIGESTS)
def test_four_player_turn_up_games_are_played_as_ever(who: str, name: str) -> None:
    """Figures in the README and ratings hang on these players: new games change nothing in the old ones."""
    batch = GameBatch(name, 2000, seed=11, observe=False, autoreset=False)
    player, other, rng = policies.make(who, name), policies.make("random", name), np.random.default_rng(12)
    said = hashlib.sha256()
    while rows_of(batch).size:
        actions = np.zeros(batch.num_tables, dtype=np.int64)
        for policy, seats in ((player, (0, 1, 2)), (other, (3,))):
            rows = np.flatnonzero(np.isin(batch.turn, seats))
            actions[rows] = policy.act(batch.views(rows), batch.legal[rows], rng)
        said.update(actions.astype("<i8").tobytes())
        batch.step(actions)
    assert said.hexdigest()[:16] == DIGESTS[who, name]


def test_parameters_round_trip_and_refuse_what_does_not_fit() -> None:
    values = parameters.to_dict(parameters.tuned())
    again = parameters.from_dict(json.loads(json.dumps(values)))
    assert parameters.to_dict(again) == values
    with pytest.raises(ValueError, match="weights"):
        parameters.from_dict({key: value for key, value in values.items() if key != "weights"})
    with pytest.raises(ValueError, match=r"'call' has shape"):
        parameters.from_dict({**values, "call": [1.0]})
    with pytest.raises(ValueError, match="'calls' is unknown"):
        parameters.from_dict({**values, "calls": [1.0]})


def test_every_ruleset_has_its_kind_of_game() -> None:
    """A house rule changes no kind; a kind is named like its ruleset of the catalogue."""
    assert [parameters.game_of(BASES[game]) for game in parameters.GAMES[1:]] == list(parameters.GAMES[1:])
    for name, base in BASES.items():
        tables = [r for r in options_of(base) if (r.auction, r.num_seats) == (base.auction, base.num_seats)]
        kinds = {parameters.game_of(rules) for rules in tables}
        assert kinds == {name if name in parameters.GAMES else parameters.TURN_UP}


@pytest.mark.parametrize("game", parameters.GAMES)
@pytest.mark.parametrize("player", ["rule_based", "rule_expert"])
def test_the_numbers_tell_where_they_come_from(player: str, game: str) -> None:
    told = parameters.provenance(player, game)
    assert {"source", "settings", "commit", "version", "net_points_per_hand"} <= told.keys()
    assert {"seed", "pairs", "proposals"} <= told["settings"].keys()


@pytest.mark.slow
@pytest.mark.parametrize("game", parameters.GAMES)
@pytest.mark.parametrize("player", ["rule_based", "rule_expert"])
def test_the_committed_numbers_gain_what_the_file_says(player: str, game: str) -> None:
    """On fresh deals the tuned player beats the published numbers by about the gain on record."""
    measured = parameters.provenance(player, game)["net_points_per_hand"]
    told = measured["against_field_values"]
    keys = np.random.default_rng(99).integers(2**63, size=20_000, dtype=np.uint64)
    rules, before = rulesets.get(measured["ruleset"]), tune.start_of(player, game, "field")
    gain = tune.interval(tune.duel(rules, parameters.tuned(player, game), before, keys))
    assert abs(gain["mean"] - told["mean"]) < 2 * (gain["half_width"] + told["half_width"])
    assert gain["mean"] - gain["half_width"] > 0


def test_the_climb_is_the_same_for_the_same_seed() -> None:
    """A handful of proposals, twice: same numbers; and only changes that were measured as gains stay."""
    ends = []
    for _ in range(2):
        rng = np.random.default_rng(4)
        climber = tune.Climber(rulesets.get("tournament"), parameters.field_values(), rng, 200, 1_000)
        tune.climb(climber, ({"call": (1,)}, {"lead": (), "follow": ()}), 40)
        ends.append(parameters.to_dict(climber.params))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("what", tune.PLAYERS)
@pytest.mark.parametrize("game", parameters.GAMES)
def test_what_climbs_is_there(game: str, what: str) -> None:
    """Every number of every group can be changed, and at each place something else comes out."""
    rng, params = np.random.default_rng(0), parameters.field_values(game)
    for rules, families in tune.groups_of(game, what):
        assert parameters.game_of(rules) == game
        for name, index in (cell for family in families for cell in tune.cells(family)):
            assert parameters.differing(tune.propose(params, name, index, rng)[0], params).keys() <= {name}


@pytest.mark.parametrize("game", parameters.GAMES)
def test_a_duel_with_oneself_is_even(game: str) -> None:
    """Every deal is played in all seatings."""
    keys = np.random.default_rng(7).integers(2**63, size=50, dtype=np.uint64)
    params, rules = parameters.tuned("rule_based", game), tune.groups_of(game, "thresholds")[0][0]
    assert np.abs(tune.duel(rules, params, params, keys)).max() < 1e-9


def test_a_climb_of_one_game_keeps_the_others(tmp_path: Path) -> None:
    args = [
        "--what",
        "thresholds",
        "--game",
        "two_handed",
        "--proposals",
        "3",
        "--rule-proposals",
        "1",
        "--pairs",
        "60",
        "--max-pairs",
        "60",
    ]
    tune.main([*args, "--start", "rule_based", "--output", str(tmp_path / "climbed.json")])
    written, before = json.loads((tmp_path / "climbed.json").read_text()), parameters.stored("rule_based")
    assert written["games"]["two_handed"]["settings"]["proposals"] == 3
    del written["games"]["two_handed"]
    assert written["games"].items() < before["games"].items()
    assert written["parameters"] == before["parameters"]


# What users complain about (docs/field.md 8), as positions with the numbers of their reports.
# Seat 3 deals; seat 0 speaks first.

LONER = {0: "JH JD AH KH AS"}


def test_12_sees_the_obvious_loner() -> None:
    assert answer(game_of(LONER, "9H")) == ORDER_UP_ALONE
    assert answer(game_of(LONER, "9C", PASS, PASS, PASS, PASS)) == CALL_ALONE + HEARTS


def test_12_declares_it_where_that_is_asked_after_trump() -> None:
    asked = game_of(LONER, "9H", ORDER_UP, ruleset="open_spiel")
    asked.play(asked.legal()[0])
    assert asked.phase == Phase.DECLARE
    assert answer(asked) == ALONE


@pytest.mark.parametrize("score", [8, 9])
def test_286_not_alone_when_a_march_is_enough(score: int) -> None:
    game = Game("tournament", deck=deck(LONER, "9H"), dealer=3, scores=[score, 0])
    assert answer(game) == ORDER_UP
    asked = Game("open_spiel", deck=deck(LONER, "9H"), dealer=3, scores=[score, 0])
    asked.play(ORDER_UP)
    asked.play(asked.legal()[0])
    assert answer(asked) == WITH_PARTNER


def test_271_calls_next_with_right_king_ten() -> None:
    game = game_of({0: "JD KD TD AS 9C"}, "9H", PASS, PASS, PASS, PASS)
    assert answer(game) in (CALL + DIAMONDS, CALL_ALONE + DIAMONDS)


def test_242_no_weak_order() -> None:
    assert answer(game_of({0: "9H TD 9C QS TS"}, "KH")) == PASS


def test_does_not_order_a_bower_into_an_opponents_hand() -> None:
    assert answer(game_of({0: "AH 9H KS QS 9C"}, "JH")) == PASS


def test_the_dealer_takes_a_bower_with_a_fair_hand() -> None:
    game = game_of({3: "AH 9H AS QS 9C"}, "JH", PASS, PASS, PASS)
    assert answer(game) in (ORDER_UP, ORDER_UP_ALONE)


def test_b2_a_stuck_dealer_names_a_suit_and_nobody_else_must() -> None:
    hands = {3: "9S TS 9C TC 9D"}
    game = game_of(hands, "AH", *[PASS] * 7)
    assert CALL <= answer(game) < CALL_ALONE
    assert answer(game_of(hands, "AH", *[PASS] * 3)) == PASS
    assert answer(game_of(hands, "AH", *[PASS] * 7, ruleset="bicycle24")) == PASS


def test_no_point_is_given_up_that_loses_the_game() -> None:
    """2.10: at one below the target the opponents win by a forfeit."""
    rules = rulesets.get("tournament").replace(stick_the_dealer="forfeit")
    game = Game(rules, deck=deck({3: "9S TS 9C TC 9D"}, "AH"), dealer=3, scores=[9, 0])
    for _ in range(7):
        game.play(PASS)
    assert answer(game) != FORFEIT


def test_the_dealer_keeps_trumps_and_aces() -> None:
    game = game_of({3: "AH KH AS QS 9C"}, "JH", PASS, PASS, PASS, ORDER_UP)
    assert game.phase == Phase.DISCARD
    assert answer(game) == parse_card("9C")


def test_claims_a_redeal_with_a_farmers_hand() -> None:
    rules = rulesets.get("tournament").replace(farmers_hand="redeal")
    game = game_of({0: "9C TC 9S TD 9D"}, "AH", ruleset=rules)
    assert game.can(60)
    assert answer(game) == 60


def test_313_the_maker_leads_his_high_trump_before_aces() -> None:
    game = game_of({0: "JH AH KH AS 9C", 3: "9D TD QD KD 9S"}, "9H", ORDER_UP, "9S")
    assert answer(game) == parse_card("JH")


def test_278_a_bower_to_the_partners_call() -> None:
    game = game_of({0: "JH 9S TS QC 9D", 2: "AH KH QH AC AD"}, "TH", PASS, PASS, ORDER_UP)
    game.play(game.legal()[0])
    assert game.turn == 0
    assert answer(game) == parse_card("JH")


def test_does_not_trump_a_partners_ace_in_last_hand() -> None:
    hands = {0: "9S TS QC 9D TD", 1: "AS QH 9C TC KC", 2: "QS KC 9H KD QD", 3: "AH KH QH AC 9C"}
    hands = {0: "9S TC QC 9D TD", 1: "AS 9C KC QD KD", 2: "QS KS JC AD JD", 3: "AH KH QH AC TH"}
    game = game_of(hands, "9H", PASS, PASS, PASS, ORDER_UP, "9H", "9S", "AS", "QS")
    assert game.turn == 3
    assert answer(game) == parse_card("AC")


def test_last_hand_wins_as_cheaply_as_it_can() -> None:
    hands = {0: "9S TC QC 9D TD", 1: "TS 9C KC QD KD", 2: "QS KS JC AD JD", 3: "AH KH AS AC TH"}
    game = game_of(hands, "9H", PASS, PASS, PASS, ORDER_UP, "9H", "9D", "KD", "AD")
    assert game.turn == 3
    assert answer(game) == parse_card("TH")


# docs/field.md 5A.


def simple(game: Game) -> int:
    return answer(game, "simple_i")


@pytest.mark.parametrize(
    ("cards", "orders"),
    [("JD 9H TH 9C TC", True), ("9H TH QH AS 9C", True), ("9H TH QH KS 9C", False), ("AH KH AS AC AD", False)],
)
def test_5a_orders_with_three_trumps_and_a_bower_or_side_ace(cards: str, orders: bool) -> None:
    assert (simple(game_of({0: cards}, "KH" if "KH" not in cards else "QH")) in (ORDER_UP, ORDER_UP_ALONE)) == orders


@pytest.mark.parametrize(
    ("cards", "takes"), [("9H AS 9C TC 9D", True), ("JD AH QH KS 9C", False), ("AS AC AD 9C TC", False)]
)
def test_5a_the_dealer_takes_with_two_trumps_and_a_side_ace(cards: str, takes: bool) -> None:
    assert (simple(game_of({3: cards}, "KH", PASS, PASS, PASS)) in (ORDER_UP, ORDER_UP_ALONE)) == takes


@pytest.mark.parametrize(
    ("cards", "action"),
    [("JH AH 9H AS 9C", ORDER_UP_ALONE), ("JH AH 9H KS 9C", ORDER_UP), ("AH QH TH 9H AS", ORDER_UP)],
)
def test_5a_alone(cards: str, action: int) -> None:
    assert simple(game_of({0: cards}, "KH")) == action


def test_5a_play() -> None:
    hands = {0: "9S TC QC 9D TD", 1: "AS 9C KC QD KD", 2: "QS KS JC AD JD", 3: "AH KH QH AC TH"}
    game = game_of(hands, "9H", PASS, PASS, PASS, ORDER_UP, "9H")
    assert simple(game) == parse_card("QC")  # leads the highest
    game.play(parse_card("9D"))
    assert simple(game) == parse_card("QD")  # the lowest winner
    game.play(parse_card("QD"))
    game.play(parse_card("AD"))
    assert simple(game) == parse_card("TH")


def test_the_hand_score_of_the_field() -> None:
    """docs/field.md 5B by hand: right, left, ace of hearts, ace and nine of spades under hearts."""
    from euchre_env.policies.hand_score import hand_score

    opt, p = rulesets.get("tournament").to_options(), parameters.field_values()
    hand = mask_of(parse_cards("JH JD AH AS 9S"))
    trumps, side, number, aces, voids = (10 + 7 + 4) / 24, 10 / 19, 0.65, 0.25, 0.7
    expected = 20 * trumps + 7 * side + 27 * number + 25 * aces + 21 * voids
    assert hand_score(opt[0], p[0], 0, np.int64(hand), HEARTS) == pytest.approx(expected)


def test_better_hands_score_higher() -> None:
    from euchre_env.policies.hand_score import hand_score

    opt, p = rulesets.get("tournament").to_options(), parameters.field_values()
    rising = [
        "9S TS 9C TC 9D",
        "9H TS 9C TC 9D",
        "9H TH AS TC 9D",
        "JH TH AS TC 9D",
        "JH JD AH AS 9D",
        "JH JD AH KH AS",
    ]
    scores = [hand_score(opt[0], p[0], 0, np.int64(mask_of(parse_cards(cards))), HEARTS) for cards in rising]
    assert all(low < high for low, high in pairwise(scores))
