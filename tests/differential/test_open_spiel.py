"""Lock-step against OpenSpiel's euchre: who moves, what is legal, who takes the tricks, what the hand returns.

OpenSpiel's tensors and strings are wrong in known ways, so encodings are never compared. Chance is ours: its chance
nodes are sent our deal, card by card, starting with the dealer. Its calls are: cards rank * 4 + suit, pass 24,
a suit 25 + suit (to order up, the suit of the up-card), alone 29, with partner 30.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from euchre_env.batch import GameBatch
from euchre_env.cards import JOKER
from euchre_env.engine.layout import ALONE, CALL, MAX_TRICKS, NUM_ACTIONS, ORDER_UP, PASS, WITH_PARTNER
from euchre_env.rulesets import get
from tests.rules.many import Transcript, Wish, play_out

SETTINGS = [
    pytest.param(lone, stick, id=f"lone_defender={lone}-stick={stick}")
    for lone in (False, True)
    for stick in (False, True)
]
THEIR_PASS, THEIR_CALL, THEIR_ALONE, THEIR_PARTNER = 24, 25, 29, 30


def their_action(action: int, suit: int) -> int:
    """Return OpenSpiel's id of an action of ours with a card of this suit up; -1 for what `open_spiel` never has."""
    if action < JOKER:
        return (action % 8 - 2) * 4 + action // 8 if action % 8 >= 2 else -1
    if CALL <= action < CALL + 4:
        return THEIR_CALL + action - CALL
    named = {PASS: THEIR_PASS, ORDER_UP: THEIR_CALL + suit, ALONE: THEIR_ALONE, WITH_PARTNER: THEIR_PARTNER}
    return named.get(action, -1)


# [suit of the up-card, our action] -> theirs.
THEIRS = np.array([[their_action(action, suit) for action in range(NUM_ACTIONS)] for suit in range(4)])


def their_deal(record: Any) -> list[int]:
    """Return a dealt record as chance outcomes: the dealer, twenty cards round by round from him, the up-card."""
    hands = [[card for card in range(JOKER) if record["hands"][seat] >> card & 1] for seat in range(4)]
    dealer = int(record["dealer"])
    cards = [hands[(dealer + k) % 4][k // 4] for k in range(20)] + [int(record["upcard"])]
    return [dealer, *(their_action(card, 0) for card in cards)]


def theirs_of_mask(cache: dict[int, list[int]], legal: int, suit: int) -> list[int]:
    """Return a legal set of ours as OpenSpiel's sorted list."""
    key = legal << 2 | suit
    if key not in cache:
        cache[key] = sorted(THEIRS[suit, action] for action in range(NUM_ACTIONS) if legal >> action & 1)
    return cache[key]


def follow(game: Any, played: Transcript, cache: dict[int, list[int]]) -> None:
    """Take every hand of a transcript through OpenSpiel."""
    turns, masks = played.turns.T.tolist(), played.legal.T.tolist()
    suits = (played.dealt["upcard"] // 8).astype(int)
    actions = THEIRS[suits[:, None], played.actions.T].tolist()
    for row, record in enumerate(played.dealt):
        state = game.new_initial_state()
        for outcome in their_deal(record):
            state.apply_action(outcome)
        suit = int(suits[row])
        for turn, legal, action in zip(turns[row], masks[row], actions[row], strict=True):
            if legal == 0:
                break
            assert state.current_player() == turn, f"row {row}: {state}"
            assert state.legal_actions() == theirs_of_mask(cache, legal, suit), f"row {row}: {state}"
            state.apply_action(action)
        assert state.is_terminal(), f"row {row}: {state}"
        compare(played.finished[row], played.rewards[row], state)


def compare(record: Any, rewards: npt.NDArray[np.float32], state: Any) -> None:
    """Compare a finished hand: winners and leaders of the tricks, points."""
    assert rewards.tolist() == state.returns()
    if record["maker"] < 0:
        assert not rewards.any()
        return
    assert state.declarer() == record["maker"]
    tricks = state.tricks()
    assert [trick.leader() for trick in tricks] == record["players"][: len(tricks), 0].tolist()
    winners = [int(trick.winner()) for trick in tricks]
    assert np.bincount(winners, minlength=4).tolist() == record["tricks"].tolist()
    # A trick's winner leads the next one.
    assert winners[:-1] == record["players"][1 : len(tricks), 0].tolist()
    assert (record["players"][len(tricks) : MAX_TRICKS] < 0).all()


def alone_and_late(batch: GameBatch, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Want second rounds and loners."""
    wish = np.ones(NUM_ACTIONS)
    wish[ORDER_UP] = 0.05
    wish[WITH_PARTNER] = 0.2
    return wish


def compared(hands: int, seed: int, lone: bool, stick: bool, wish: Wish | None = None) -> Transcript:
    rules = get("open_spiel").replace(
        defend_alone="always" if lone else "off", stick_the_dealer="on" if stick else "off"
    )
    played = play_out(rules, hands, seed, wish)
    game = pyspiel.load_game("euchre", {"allow_lone_defender": lone, "stick_the_dealer": stick})
    follow(game, played, {})
    return played


@pytest.mark.parametrize(("lone", "stick"), SETTINGS)
def test_random_play(lone: bool, stick: bool) -> None:
    played = compared(10_000, 1, lone, stick)
    assert (played.finished["maker"] >= 0).any()


@pytest.mark.parametrize(("lone", "stick"), SETTINGS)
def test_loners_of_the_second_round(lone: bool, stick: bool) -> None:
    played = compared(2_000, 2, lone, stick, alone_and_late)
    assert (played.finished["alone"] != 0).mean() > 0.5
    assert (played.finished["trump"] != played.finished["upcard"] // 8).mean() > 0.5
    if not stick:
        assert (played.finished["maker"] < 0).any()
    if lone:
        both = played.finished["alone"]
        assert (both & (both - 1) != 0).any()
