"""check_engine: what holds in every hand of every ruleset, checked over random play.

The checks are written from the clauses and read records only; they share no code with the kernels that they check,
except where two faces of the engine are compared. Exact positions are the tests' business.

>>> check_engine("open_spiel", hands=2)
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.cards import EFFECTIVE_SUIT, cards_of, mask_of
from euchre_env.engine.layout import MAX_SEATS, NONE, Phase, Upcard
from euchre_env.engine.observe import OBSERVATION_SIZE
from euchre_env.envs import _kernels as kernels
from euchre_env.game import Game
from euchre_env.ruleset import Ruleset

_BATCH_TABLES = 16


def check_engine(ruleset: str | Ruleset, hands: int = 100, seed: int = 0) -> None:
    """Play random hands and check them; AssertionError says what is wrong and in which deal.

    Cards are conserved, the mover always has a legal action, suits are followed (1.4), tricks and points add up (2.7),
    no seat's observation or legal actions depend on cards it cannot know (1.8), and a row of a batch is the game alone.
    """
    rules = rulesets.get(ruleset)
    rng = np.random.default_rng(seed)
    for number in range(hands):
        game = Game(rules, key=int(rng.integers(2**63)), auto_deal=False)
        try:
            _check_hand(game, rng)
        except AssertionError as error:
            raise AssertionError(f"{rules.name}, hand {number} of seed {seed}: {error}") from error
    _check_batch(rules, rng)


def _check_hand(game: Game, rng: np.random.Generator) -> None:
    while game.turn != NONE:
        record = game.state[0]
        legal = game.legal()
        assert legal, f"seat {game.turn} is to move in {game.phase.name} and has no legal action."
        _check_conservation(game.ruleset, record)
        _check_following(record, legal)
        _check_no_leak(game, rng)
        game.play(int(rng.choice(legal)))
    assert game.phase in (Phase.DEAL, Phase.OVER), f"nobody is to move in {game.phase.name}."
    if game.state["redeal"][0] == 0:
        _check_points(game.ruleset, game.state[0])


def _check_conservation(rules: Ruleset, record: Any) -> None:
    """1.1: every card of the pack is in one place."""
    places = [*record["hands"], *record["played"], *record["buried"], record["kitty"]]
    if record["upcard_state"] not in (Upcard.ABSENT, Upcard.TAKEN):
        places.append(1 << int(record["upcard"]))
    held = [card for place in places for card in cards_of(int(place))]
    assert sorted(held) == list(rules.deck_ids), "the cards at the table are not the pack, each once."


def _check_following(record: Any, legal: list[int]) -> None:
    """1.4: cards of the effective suit led, or any card if there is none."""
    if record["phase"] != Phase.PLAY:
        return
    hand = cards_of(int(record["hands"][record["turn"]]))
    suits = EFFECTIVE_SUIT[record["trump"]]
    due = hand
    if record["in_trick"]:
        led = suits[record["cards"][record["trick"], 0]]
        due = [card for card in hand if suits[card] == led] or hand
    assert legal == due, f"legal cards are {legal}, but following suit leaves {due}."


def _redealt(record: Any, seat: int, rng: np.random.Generator) -> npt.NDArray[np.void]:
    """Return the record with all cards that a seat cannot place dealt out anew to the same places."""
    other = np.array([record.copy()], dtype=kernels.STATE)
    places: list[tuple[str, int | None]] = [("kitty", None)]
    places += [(name, who) for name in ("hands", "buried") for who in range(MAX_SEATS) if who != seat]
    known = 1 << int(record["upcard"]) if record["upcard"] != NONE else 0
    hidden = [cards_of(_cards_at(record, place) & ~known) for place in places]
    pool = [int(card) for card in rng.permutation([card for cards in hidden for card in cards])]
    for (name, who), cards in zip(places, hidden, strict=True):
        fresh, pool = pool[: len(cards)], pool[len(cards) :]
        value = mask_of(fresh) | (_cards_at(record, (name, who)) & known)
        if who is None:
            other[name][0] = value
        else:
            other[name][0, who] = value
    return other


def _cards_at(record: Any, place: tuple[str, int | None]) -> int:
    name, who = place
    return int(record[name] if who is None else record[name][who])


def _observations(rules: Ruleset, states: npt.NDArray[np.void], seat: int) -> npt.NDArray[np.int8]:
    """Return a seat's observation in real and in canonical suits."""
    options, rows = rules.to_options(), np.zeros((2, OBSERVATION_SIZE), dtype=np.int8)
    for canonical in (False, True):
        kernels.observe_seat(options, states, seat, canonical, rows[int(canonical)])
    return rows


def _check_no_leak(game: Game, rng: np.random.Generator) -> None:
    """1.8: what a seat sees and may do stays when the cards that it cannot know are redealt."""
    for seat in range(game.ruleset.num_seats):
        other = _redealt(game.state[0], seat, rng)
        same = np.array_equal(_observations(game.ruleset, game.state, seat), _observations(game.ruleset, other, seat))
        assert same, f"seat {seat}'s observation in {game.phase.name} tells something about hidden cards."
        if seat == game.turn:
            twin = game.clone()
            twin.state[:] = other
            assert twin.legal() == game.legal(), f"seat {seat}'s legal actions depend on hidden cards."
            assert np.array_equal(twin.view(seat), game.view(seat)), f"seat {seat}'s view holds hidden cards."


def _check_points(rules: Ruleset, record: Any) -> None:
    """2.7, clause by clause; a hand thrown in pays nothing."""
    tricks = [int(t) for t in record["tricks"]]
    assert sum(tricks) == record["trick"], "the seats' tricks do not add up to those played."
    sides = range(rules.num_sides)
    points = [int(record["points"][side]) for side in sides]
    if record["maker"] == NONE:
        assert sum(points) == (rules.stick_the_dealer == "forfeit" and any(points)), "a hand thrown in scored points."
        return
    assert record["trick"] == rules.hand_size or rules.stop_when_decided, "the hand ended before its last trick."
    makers = rules.side(int(record["maker"]))
    made = sum(taken for seat, taken in enumerate(tricks[: rules.num_seats]) if rules.side(seat) == makers)
    if record["trick"] < rules.hand_size:
        return
    due = _due_points(rules, record, makers, made)
    expected = [max(due, 0) if side == makers else max(-due, 0) for side in sides]
    assert points == expected, f"the makers took {made} tricks: points are {points}, due are {expected} (2.7)."


def _due_points(rules: Ruleset, record: Any, makers: int, made: int) -> int:
    """Return the makers' points; below zero, what the defenders get."""
    loners = [seat for seat in range(rules.num_seats) if int(record["alone"]) >> seat & 1]
    makers_alone = any(rules.side(seat) == makers for seat in loners)
    defender_alone = any(rules.side(seat) != makers for seat in loners)
    if made == rules.hand_size:
        return rules.loner_march_points if makers_alone else rules.march_points
    if made > rules.hand_size // 2:
        return 1
    options = [2]
    if made == 0:
        options.append(rules.super_euchre_points)
    if makers_alone and not defender_alone:
        options.append(rules.lone_euchre_points)
    if defender_alone:
        options.append({"s004": 4 if made == 0 else 2, "four_for_three": 4, "three": 3}[rules.lone_defender_scoring])
    return -max(options)


def _check_batch(rules: Ruleset, rng: np.random.Generator) -> None:
    """Step a batch and single games of the same keys in lock-step."""
    keys = rng.integers(2**63, size=_BATCH_TABLES, dtype=np.uint64)
    batch = GameBatch(rules, _BATCH_TABLES, keys=keys, episode="hand", autoreset=False)
    games = [Game(rules, key=int(key), auto_deal=False) for key in keys]
    while batch.legal.any():
        actions = np.zeros(_BATCH_TABLES, dtype=np.int64)
        for row, game in enumerate(games):
            legal = game.legal()
            assert mask_of(legal) == batch.legal[row], f"row {row} of a batch allows other actions than the game alone."
            if legal:
                actions[row] = rng.choice(legal)
                game.play(int(actions[row]))
        batch.step(actions)
        for row, game in enumerate(games):
            assert batch.states[row] == game.state[0], f"row {row} of a batch went another way than the game alone."
