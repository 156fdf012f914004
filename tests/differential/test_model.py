"""Engine and model in lock-step: who decides what, what is legal, what was said, who won, what it pays, who wins.

The model (`tests/rules/model`) was written from the clauses alone. It deals its own hands from the same decks. Tables
play up to HANDS hands of a game that is nearly over, so that its end and tie-break hands are compared as well.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import JOKER, TRUMP_NAMES, format_card
from euchre_env.decks import deck
from euchre_env.engine.layout import BID, BID_NAMES, NONE, NUM_ACTIONS, NUM_BIDS, PASS, Phase, Upcard, action_name
from euchre_env.errors import RulesetError
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset
from tests.rules import model
from tests.rules.houses import OPTIONS, mixes, single_changes
from tests.rules.many import sample
from tests.rules.tables import ACTIONS, text_cards

BITS = {word: 1 << action for word, action in ACTIONS.items()}
HANDS = 3
Keys = npt.NDArray[np.uint64]
# What the default run takes of each ruleset; the slow tests take more.
CATALOGUE_TABLES, CHANGE_TABLES, MIX_TABLES, MIXES = 40, 5, 5, 100


@dataclass
class Table:
    """What one table did: a record as first dealt, its steps, and the records of its finished hands."""

    key: int
    dealt: Any
    steps: deque[tuple[int, Phase, int, str]]
    finished: list[Any]


def eventful_keys(rules: Ruleset, tables: int, rng: np.random.Generator) -> Keys:
    """Return keys; where a joker or a farmer's hand decides something, up to two thirds of the first deals have one."""
    rare = (rules.joker, rules.farmers_hand != "off")
    keys = rng.integers(2**63, size=1_500 if any(rare) else tables, dtype=np.uint64)
    if not any(rare):
        return keys
    dealt = GameBatch(rules, len(keys), keys=keys, autoreset=False, observe=False).states
    low = sum(1 << card for card in range(32) if card % 8 <= 3)
    farmers = ((dealt["hands"][:, : rules.num_seats] & ~np.int64(low)) == 0).any(axis=1) & rare[1]
    joker = (dealt["upcard"] == JOKER) & rare[0]
    chosen = [keys[farmers][: tables // 3], keys[joker][: tables // 3]]
    chosen.append(keys[~(farmers | joker)][: tables - sum(map(len, chosen))])
    return np.concatenate(chosen)


def styles(batch: GameBatch, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Want anything at every third table, low bids at the rest, passes at half of these."""
    wish = np.ones((batch.num_tables, NUM_ACTIONS))
    low = np.arange(batch.num_tables) % 3 > 0
    wish[low, BID : BID + NUM_BIDS] = 0.5 ** np.arange(NUM_BIDS)
    wish[2::3, PASS] = 8
    return wish


def play(rules: Ruleset, tables: int, seed: int) -> list[Table]:
    """Play games that are nearly over by chance."""
    rng = np.random.default_rng(seed)
    keys = eventful_keys(rules, tables, rng)
    below = rng.integers(1, 1 + max(4, rules.target // 4), size=(tables, rules.num_sides))
    scores = np.maximum(0, rules.target - below)
    batch = GameBatch(
        rules, tables, episode="game", keys=keys, scores=scores, max_hands=HANDS, autoreset=False, observe=False
    )
    played = [Table(int(key), row, deque(), []) for key, row in zip(keys, batch.states.copy(), strict=True)]
    while batch.legal.any():
        actions = sample(batch, rng, styles)
        now = zip(batch.turn.tolist(), batch.states["phase"].tolist(), batch.legal.tolist(), actions, strict=True)
        for table, (turn, phase, legal, action) in zip(played, now, strict=True):
            if legal:
                table.steps.append((turn, Phase(phase), legal, action_name(int(action))))
        batch.step(actions)
        for row in np.flatnonzero(batch.hand_over):
            played[row].finished.append(batch.finished[row].copy())
    return played


def course_of(rules: Ruleset, table: Table, dealer: int, hand: int, redeal: int) -> model.Finished:
    """Deal the model the deck that the table gets."""
    cards = [format_card(int(card)) for card in deck(rules, table.key, hand=hand, redeal=redeal)]
    return model.play_hand(rules, dealer, *model.deal_hands(rules, dealer, cards))


def follow(rules: Ruleset, table: Table, dealer: int, number: int) -> model.Hand:
    """Take one hand of a table through the model, comparing each decision."""
    redeal = 0
    course = course_of(rules, table, dealer, number, redeal)
    ask = next(course)
    while True:
        assert table.steps, f"the table rests but the model has a question: {ask}"
        turn, phase, legal, word = table.steps.popleft()
        assert turn == ask.seat, ask
        assert phase == Phase[ask.kind.replace(" ", "_").upper()], ask
        assert legal == sum(BITS[word] for word in ask.legal), f"{ask.kind}: {sorted(ask.legal)}"
        try:
            ask = course.send(word)
        except StopIteration as stop:
            hand: model.Hand = stop.value
            if not hand.claimed:
                return hand
            redeal += 1
            course = course_of(rules, table, dealer, number, redeal)
            ask = next(course)


def seats_of(seats: int) -> set[int]:
    return {seat for seat in range(4) if seats >> seat & 1}


def compare_said(record: Any, hand: model.Hand) -> None:
    calls = zip(record["call_seats"], record["calls"], strict=True)
    assert [(int(seat), action_name(int(call))) for seat, call in calls if call != NONE] == hand.said
    assert record["maker"] == (NONE if hand.maker is None else hand.maker)
    assert record["trump"] == (NONE if hand.trump is None else TRUMP_NAMES.index(hand.trump))
    assert record["bid"] == (NONE if hand.bid is None else BID_NAMES.index(hand.bid))
    named = {seat: TRUMP_NAMES[trump] for seat, trump in enumerate(record["named"]) if trump != NONE}
    assert named == hand.named
    assert record["swapped_by"] == (NONE if hand.swapped_by is None else hand.swapped_by)
    assert seats_of(record["alone"]) == hand.alone
    assert seats_of(record["sits_out"]) == hand.sits_out


def compare_tricks(record: Any, hand: model.Hand) -> None:
    tricks = [
        [(int(seat), format_card(int(card))) for seat, card in zip(seats, cards, strict=True) if card != NONE]
        for seats, cards in zip(record["players"], record["cards"], strict=True)
    ]
    assert [trick for trick in tricks if trick] == hand.tricks
    assert [trick[0][0] for trick in hand.tricks[1:]] == hand.winners[:-1]
    won = Counter(hand.winners)
    assert record["tricks"].tolist() == [won[seat] for seat in range(4)]
    assert text_cards(int(record["reneged"])) == {card for _, card in hand.reneged}


def compare_cards(record: Any, hand: model.Hand) -> None:
    """Compare where the cards are in the end."""
    for name, places in (("hands", hand.hands), ("buried", hand.buried), ("given", hand.given)):
        assert [text_cards(int(cards)) for cards in record[name]] == places, name
    assert text_cards(int(record["kitty"])) == set(hand.kitty)
    assert record["upcard"] == NONE if not hand.upcard else format_card(int(record["upcard"])) == hand.upcard
    assert record["upcard_state"] == upcard_state(hand)


def upcard_state(hand: model.Hand) -> Upcard:
    if not hand.upcard:
        return Upcard.ABSENT
    if hand.taken:
        return Upcard.TAKEN
    return Upcard.TURNED_DOWN if hand.turned_down else Upcard.LEFT


def what_happened(rules: Ruleset, hand: model.Hand, verdict: model.Verdict) -> dict[str, bool]:
    """Tell whether a hand holds what a comparison of few hands might miss."""
    passes = [word for _, word in hand.said if word == "pass"]
    return {
        "a joker up, trump named by the dealer": hand.joker_called,
        "a joker up, a suit proposed": hand.upcard == model.JOKER and not hand.joker_called,
        "three cards swapped": hand.swapped_by is not None and rules.farmers_hand == "swap3",
        "the ghost hand taken": hand.swapped_by is not None and rules.swap == "own_turn",
        "a best card passed": any(hand.given),
        "the up-card passed as best card": any(hand.upcard in cards for cards in hand.given),
        "both dummies taken": len(hand.with_dummy) == 2,
        "one dummy taken": len(hand.with_dummy) == 1,
        "alone without a dummy": bool(hand.alone) and rules.dummy != "off",
        "a loner on each side": len(hand.alone) == 2,
        "no-trump": hand.trump == "NT",
        "low no-trump": hand.trump == "NTL",
        "a forced bid": rules.forced_dealer != "off" and hand.maker == hand.dealer and len(passes) == hand.seats - 1,
        "a moon made": hand.bid == "moon" and hand.made == 6,
        "a moon failed": hand.bid == "moon" and hand.made < 6,
        "moons to the fourth": hand.bid == "quadruple moon",
        "a breach": bool(hand.reneged),
        "all passed": hand.maker is None and not hand.forfeited,
        "a deal given up": hand.forfeited,
        "a trick not played": bool(hand.tricks) and len(hand.tricks) < rules.hand_size,
        "a game won": bool(verdict.winners),
        "a tie-break hand due": bool(verdict.extra),
    }


def compare_table(rules: Ruleset, table: Table) -> Counter[str]:
    """Compare all hands of a table, and how the game stands after each; count what happened in them."""
    happened = Counter[str]()
    dealer = int(table.dealt["dealer"])
    scores, extra = tuple(table.dealt["scores"][: rules.num_sides].tolist()), frozenset[int]()
    for number, record in enumerate(table.finished):
        hand = follow(rules, table, dealer, number)
        compare_said(record, hand)
        compare_tricks(record, hand)
        compare_cards(record, hand)
        points = tuple(record["points"].tolist())
        assert points == hand.points + (0,) * (4 - rules.num_sides)
        scores, verdict = model.game_end(rules, hand, scores, extra)
        assert tuple(record["scores"].tolist()) == scores + (0,) * (4 - rules.num_sides)
        assert seats_of(record["winners"]) == set(verdict.winners), (scores, extra)
        assert seats_of(record["extra_hand"]) == set(verdict.extra), (scores, extra)
        extra = verdict.extra
        happened.update(what_happened(rules, hand, verdict))
        dealer = model.next_dealer(rules, hand)
        assert record["next_dealer"] == dealer
        assert not verdict.winners or number == len(table.finished) - 1
    assert verdict.winners or len(table.finished) == HANDS
    assert not table.steps, "the model is done but the table had a question"
    return happened


def lock_step(label: str, rules: Ruleset, tables: int, seed: int) -> Counter[str]:
    """Compare so many tables; count what happened at them."""
    happened = Counter[str]()
    for row, table in enumerate(play(rules, tables, seed)):
        try:
            happened.update(compare_table(rules, table))
        except AssertionError as error:
            raise AssertionError(f"{label}, row {row}, hand {len(table.finished)}, {rules}: {error}") from error
    return happened


def together() -> Iterator[tuple[str, Ruleset]]:
    """Yield what no single change of a named ruleset reaches: options that act on each other."""
    starts: dict[str, list[dict[str, Any]]] = {
        "british": [
            {"joker_up": up, "alone_timing": timing, "best_exchange": best, "dealer_pickup": pickup}
            for up in ("blind_dealer", "look_dealer", "set_aside", "clubs")
            for timing in ("after_trump", "with_call")
            for best in ("discard_first", "receive_first")
            for pickup in ("optional", "any_of_six")
        ],
        "three_handed": [
            {"dummy": "five_card", "alone_scope": "maker_only", "alone_timing": timing, "dealer_pickup": pickup}
            for timing in ("after_trump", "with_call")
            for pickup in ("optional", "any_of_six")
        ]
        + [{"dummy": "five_card", "farmers_hand": "swap3", "farmers_cards": cards} for cards in ("all", "three")]
        + [{"both_cross": "tiebreak_hand", "tiebreak": tie} for tie in ("totals", "tied_only", "hand_points")],
        "two_handed": [
            {"dummy": dummy, "deck": size, "joker_up": up, "dealer_pickup": pickup}
            for dummy in ("two_card", "three_card")
            for size, up in ((24, "hearts"), (25, "blind_dealer"), (25, "set_aside"), (33, "look_dealer"))
            for pickup in ("optional", "any_of_six")
        ]
        + [
            {"dummy": "three_card", "alone_scope": scope, "alone_timing": timing, "defend_alone": defend, "poll": poll}
            for scope in ("none", "maker_only")
            for poll in ("maker_side_then_defenders", "clockwise_from_leader")
            for timing in ("after_trump", "with_call")
            for defend in ("off", "always", "vs_loner")
        ],
        "cincinnati": [
            {"both_cross": way, "tiebreak": tie, "defenders_may_win_on_tricks": tricks}
            for way, tie in (
                ("tiebreak_hand", "totals"), ("tiebreak_hand", "tied_only"), ("tiebreak_hand", "hand_points"),
                ("shared", "totals"), ("play_on", "totals"), ("higher_score", "totals"),
            )
            for tricks in (False, True)
        ],
        "ghost_hand": [{"forced_dealer": forced} for forced in ("min_or_more", "exactly_min")],
        "north_american": [
            {"natural_trump_required": True, "allow_no_trump": "high", "stick_the_dealer": stick}
            for stick in ("on", "forfeit")
        ]
        + [{"deck": 32, "hand_size": 7, "farmers_hand": "swap3", "farmers_cards": cards} for cards in ("all", "three")]
        + [{"farmers_hand": claim, "farmers_cards": "three"} for claim in ("redeal", "swap3")],
    }  # fmt: skip
    for name, changes in starts.items():
        for change in changes:
            try:
                yield f"{name} {change}", rulesets.get(name).replace(**change)
            except RulesetError:
                continue


def test_every_option() -> None:
    happened = Counter[str]()
    for number, (label, rules) in enumerate([*single_changes(), *together()]):
        tables = CHANGE_TABLES if rules.name == "custom" else CATALOGUE_TABLES
        happened.update(lock_step(label, rules, tables, seed=number))
    assert not [word for word, times in happened.items() if times < 2]


def test_mixed_options() -> None:
    for number, (label, rules) in enumerate(mixes(MIXES, seed=1)):
        lock_step(label, rules, MIX_TABLES, seed=number)


@pytest.mark.parametrize("name", ["north_american", "three_handed", "cincinnati", "ghost_hand"])
def test_Q_X4_a_breach_is_paid_at_once(name: str) -> None:
    rng, rules = np.random.default_rng(5), rulesets.get(name).replace(renege="penalty")
    paid = 0
    for key in range(20):
        game = Game(rules, key=key, auto_deal=False)
        due = [0] * rules.num_sides
        while game.phase not in (Phase.DEAL, Phase.OVER):
            record, seat = game.state[0], game.turn
            action = int(rng.choice(game.legal()))
            if game.phase == Phase.PLAY and record["in_trick"]:
                led = format_card(int(record["cards"][record["trick"], 0]))
                trump = TRUMP_NAMES[record["trump"]]
                follows = model.can_follow(text_cards(game.hand(seat)), led, trump)
                due[rules.side(seat)] -= 2 * (format_card(action) not in follows)
            game.play(action)
            if game.phase == Phase.PLAY:
                assert game.scores == tuple(due)
        paid += sum(due)
    assert paid < -50


def test_mixes_reach_every_value() -> None:
    drawn = [rules for _, rules in mixes(400, seed=6)]
    for option, choices in OPTIONS.items():
        if option != "target":
            assert {getattr(rules, option) for rules in drawn} == set(choices), option


def endings() -> Iterator[Ruleset]:
    """Yield the games in which several sides can reach the target at once, with all that decides between them."""
    options = ("both_cross", "tiebreak", "defenders_may_win_on_tricks", "stick_the_dealer")
    for name in ("cincinnati", "bid_euchre", "ghost_hand", "three_handed"):
        for values in product(*(OPTIONS[option] for option in options)):
            try:
                yield rulesets.get(name).replace(**dict(zip(options, values, strict=True)))
            except RulesetError:
                continue


def last_decision(rules: Ruleset, rng: np.random.Generator) -> tuple[Game, str, model.Hand]:
    """Play a hand by chance in both; return the game before its last word, that word, and the model's hand."""
    key, dealer = int(rng.integers(2**63)), int(rng.integers(rules.num_seats))
    game = Game(rules, key=key, dealer=dealer, auto_deal=False)
    cards = [format_card(int(card)) for card in deck(rules, key)]
    course = model.play_hand(rules, dealer, *model.deal_hands(rules, dealer, cards))
    ask = next(course)
    while True:
        words = sorted(ask.legal)
        weights = np.array([5.0 if word in ("pass", "bid 3") else 0.2 if "moon" in word else 1.0 for word in words])
        word = words[int(rng.choice(len(words), p=weights / weights.sum()))]
        try:
            ask = course.send(word)
        except StopIteration as stop:
            return game, word, stop.value
        game.play(ACTIONS[word])


def standing(rules: Ruleset, rng: np.random.Generator) -> tuple[tuple[int, ...], frozenset[int]]:
    """Return scores around the target, and perhaps for whom a tie-break hand is played: some that stand at it."""
    scores = tuple(rules.target + int(score) for score in rng.integers(-6, 4, size=rules.num_sides))
    crossed = [side for side, score in enumerate(scores) if score >= rules.target]
    if rules.both_cross != "tiebreak_hand" or len(crossed) < 2 or rng.random() < 0.3:
        return scores, frozenset()
    tied = rng.choice(crossed, size=int(rng.integers(2, 1 + len(crossed))), replace=False)
    return scores, frozenset(tied.tolist())


def compare_end(rules: Ruleset, game: Game, word: str, hand: model.Hand, rng: np.random.Generator) -> model.Verdict:
    """Let a hand end at some scores in both."""
    before, extra = standing(rules, rng)
    game = game.clone()
    # A breach has been paid for already.
    game.state["scores"][0, : rules.num_sides] = before + game.state["points"][0, : rules.num_sides]
    game.state["extra_hand"][0] = sum(1 << side for side in extra)
    game.play(ACTIONS[word])
    scores, verdict = model.game_end(rules, hand, before, extra)
    label = f"{before} by {hand.points} to {scores}, maker {hand.maker}, bid {hand.bid}, extra {set(extra)}, {rules}"
    assert game.scores == scores, label
    assert seats_of(int(game.state["winners"][0])) == set(verdict.winners), label
    assert seats_of(int(game.state["extra_hand"][0])) == set(verdict.extra), label
    assert game.over == bool(verdict.winners), label
    assert game.state["next_dealer"][0] == model.next_dealer(rules, hand), label
    return verdict


def test_the_end_of_a_game_at_any_score() -> None:
    rng = np.random.default_rng(3)
    seen = Counter[tuple[str, int, int]]()
    for rules in endings():
        for _ in range(5):
            game, word, hand = last_decision(rules, rng)
            for _ in range(12):
                verdict = compare_end(rules, game, word, hand, rng)
                seen[rules.both_cross, len(verdict.winners), len(verdict.extra)] += 1
    for way in OPTIONS["both_cross"]:
        assert seen[way, 1, 0] > 100
        assert seen[way, 0, 0] > 50
    assert seen["shared", 2, 0] > 20
    assert seen["tiebreak_hand", 0, 2] > 20
    assert seen["tiebreak_hand", 0, 3] > 5


@pytest.mark.slow
def test_many_tables_of_every_single_change() -> None:
    for number, (label, rules) in enumerate([*single_changes(), *together()]):
        lock_step(label, rules, tables=120, seed=10_000 + number)


@pytest.mark.slow
def test_many_mixed_options() -> None:
    for number, (label, rules) in enumerate(mixes(5_000, seed=2)):
        lock_step(label, rules, tables=20, seed=number)
