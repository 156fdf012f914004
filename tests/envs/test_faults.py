"""The cases of groups G, H and I of the fault list that an environment can show, named by case."""

import random  # noqa: TID251 - I4 looks whether anybody touches it
from typing import Any

import numpy as np
import pytest

from euchre_env import euchre_v0, rulesets
from euchre_env.cards import NUM_CARDS, NUM_RANKS, cards_of, parse_card
from euchre_env.engine.layout import ALONE, NUM_ACTIONS, Phase
from euchre_env.engine.observe import HIDDEN_SEGMENTS, OBSERVATION_SIZE, SEGMENTS, columns, decode, hidden_columns
from euchre_env.envs import _kernels as kernels
from euchre_env.ruleset import Ruleset
from tests.envs.playing import DECLINE, ORDER_UP, PASS, deck_of, legal_of, play_episode, random_choice

TOURNAMENT = rulesets.get("tournament")
TAKEN = 2  # column of upcard_state
# Sevens up: card 0 is in the pack, and every card can stand wherever a card can.
ALL_CARDS = TOURNAMENT.replace(deck=32)


def record_of(env: Any) -> Any:
    return env.unwrapped.game().state[0]


def facts(env: Any, seat: int) -> dict[str, Any]:
    return decode(env.observe(f"player_{seat}")["observation"])


@pytest.mark.parametrize(("reward", "due"), [("zero_sum", [-2, 2, -2, 2]), ("score", [0, 2, 0, 2])])
def test_g1_every_seat_learns_of_the_last_trick(reward: Any, due: list[float]) -> None:
    """Check it where seat 2 plays the last card and side 1/3 euchres."""
    env = euchre_v0.env(ruleset="tournament", episode="hand", reward=reward)
    rng = np.random.default_rng(1)
    found = 0
    for seed in range(400):
        env.reset(seed=seed)
        movers: list[str] = []
        told = play_episode(env, rng, lambda movers=movers: movers.append(env.agent_selection))  # type: ignore[misc]
        record = record_of(env)
        if movers[-5] == "player_2" and record["points"][1] == 2 and record["maker"] % 2 == 0 and not record["alone"]:
            assert list(told.values()) == due
            found += 1
    assert found >= 3


def test_g1_three_single_seats_share_a_win() -> None:
    """Each of three is told once: the winner one, the others half of it back."""
    for ruleset in ("three_handed", "ghost_hand"):
        env = euchre_v0.env(ruleset=ruleset, reward="win")
        env.reset(seed=4, options={"scores": [rulesets.get(ruleset).target - 1] * 3})
        told = play_episode(env, np.random.default_rng(4))
        assert sorted(told.values()) == [-0.5, -0.5, 1.0]
        winner = int(record_of(env)["winners"]).bit_length() - 1
        assert told[f"player_{winner}"] == 1.0


@pytest.mark.parametrize(("reward", "due"), [("score", [2, 0, 2]), ("zero_sum", [1, -2, 1])])
def test_g1_a_euchre_of_three_pays_each_opponent(reward: Any, due: list[float]) -> None:
    env = euchre_v0.env(ruleset="three_handed", episode="hand", reward=reward)
    rng = np.random.default_rng(3)
    found = 0
    for seed in range(60):
        env.reset(seed=seed)
        told = play_episode(env, rng)
        if record_of(env)["maker"] == 1 and record_of(env)["points"][0] == 2:
            assert list(told.values()) == due
            found += 1
    assert found >= 3


def test_g1_a_set_bid_is_told_as_it_is() -> None:
    env = euchre_v0.env(ruleset="cincinnati", episode="hand", reward="score")
    rng = np.random.default_rng(3)
    lost = 0
    for seed in range(30):
        env.reset(seed=seed)
        told = play_episode(env, rng)
        points = record_of(env)["points"]
        assert list(told.values()) == [float(points[seat % 2]) for seat in range(4)]
        lost += bool((points < 0).any())
    assert lost >= 3


def test_g1_a_sitting_seat_is_told_too() -> None:
    """Seat 2 orders alone; seat 0 never acts, and both learn the same."""
    env = euchre_v0.env(ruleset="tournament", episode="hand")
    env.reset(seed=3, options={"dealer": 1})
    assert env.agent_selection == "player_2"
    env.step(35)
    rng = np.random.default_rng(0)
    movers: list[str] = []
    told = play_episode(env, rng, lambda: movers.append(env.agent_selection))
    assert "player_0" not in movers[:-4]
    assert told["player_0"] == told["player_2"] == -told["player_1"] != 0


def test_g5_an_observation_of_another_seat_judges_nothing() -> None:
    env = euchre_v0.env()
    env.reset(seed=1, options={"dealer": 0})
    env.observe("player_3")
    env.step(PASS)
    assert not any(env.terminations.values())
    assert env.agent_selection == "player_2"


def test_g5_an_illegal_action_costs_once_and_the_rest_drains() -> None:
    env = euchre_v0.env()
    env.reset(seed=1, options={"dealer": 0})
    env.step(DECLINE)
    told = {}
    for agent in env.agent_iter():
        _, told[agent], terminated, truncated, info = env.last()
        assert terminated is True
        assert truncated is True
        assert info["action_mask"].all()
        env.step(None)
    assert told == {"player_0": 0, "player_1": -1, "player_2": 0, "player_3": 0}
    env.reset(seed=2)
    assert env.num_agents == 4
    play_episode(env, np.random.default_rng(0))
    assert not env.agents


@pytest.mark.parametrize(
    "rules",
    [*map(rulesets.get, rulesets.names()), TOURNAMENT.replace(farmers_hand="redeal", name="farmers")],
    ids=lambda rules: str(rules.name),
)
def test_g8_observations_stay_in_their_space(rules: Ruleset) -> None:
    """Of every seat at every step, dead ones included, over 560 hands."""
    env = euchre_v0.env(ruleset=rules, episode="hand", reward="equity")
    rng = np.random.default_rng(2)
    phases = set()

    def check() -> None:
        phases.add(int(record_of(env)["phase"]))
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert observation["observation"].dtype == observation["action_mask"].dtype == np.int8
            assert len(observation["action_mask"]) == env.action_space(agent).n == NUM_ACTIONS
        assert env.unwrapped.state_space.contains(env.state())

    for seed in range(40):
        env.reset(seed=seed)
        play_episode(env, rng, check)
    calls = {Phase.ORDER_UP, Phase.CALL, Phase.DISCARD} if rules.auction == "off" else {Phase.BID, Phase.NAME_TRUMP}
    assert calls | {Phase.PLAY} <= phases


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("ruleset", ["north_american", "two_handed", "railroad", "bid_euchre", "ghost_hand"])
def test_g8_every_column_is_written(ruleset: str, canonical: bool) -> None:
    """Rows are reused: what was in one before must not shine through."""
    env = euchre_v0.raw_env(ruleset=ruleset, episode="hand")
    options, rng = env.ruleset.to_options(), np.random.default_rng(1)
    for seed in range(10):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            states = env.get_state()["state"]
            clean, used = np.zeros((2, OBSERVATION_SIZE), dtype=np.int8)
            used[:] = 77
            for row in (clean, used):
                kernels.observe_seat(options, states, seed % env.ruleset.num_seats, canonical, row)
            unwritten = [s.name for s in SEGMENTS if not np.array_equal(clean[columns(s.name)], used[columns(s.name)])]
            assert unwritten == []
            env.step(random_choice(env, rng))


@pytest.mark.parametrize("ruleset", ["north_american", "two_handed", "three_handed", "bid_euchre", "ghost_hand"])
def test_g9_nobody_is_asked_when_no_decision_is_due(ruleset: str) -> None:
    env = euchre_v0.env(ruleset=ruleset, max_hands=20)
    rng = np.random.default_rng(5)

    def check() -> None:
        record = record_of(env)
        if any(env.terminations.values()) or any(env.truncations.values()):
            assert record["turn"] == -1
            assert env.unwrapped.legal_actions() == []
        else:
            assert record["phase"] not in (Phase.DEAL, Phase.OVER)
            assert env.agent_selection == f"player_{record['turn']}"
            assert legal_of(env)

    env.reset(seed=1)
    play_episode(env, rng, check)
    assert not env.agents


def test_h10_no_seat_sees_a_hidden_card() -> None:
    """Two hidden cards change places at every step of every phase, a sitting partner's and the buried ones included."""
    env = euchre_v0.env(ruleset="north_american", illegal="raise")
    rng = np.random.default_rng(7)
    swaps = 0
    for seed in range(12):
        env.reset(seed=seed)
        for _ in range(60):
            for seat, agent in enumerate(env.possible_agents):
                saved = env.get_state()
                if swap_hidden(saved["state"], seat, rng):
                    twin = euchre_v0.env(ruleset="north_american")
                    twin.set_state(saved)
                    same = np.array_equal(env.observe(agent)["observation"], twin.observe(agent)["observation"])
                    assert same, f"{agent} in {Phase(int(saved['state']['phase'][0])).name}"
                    assert env.infos[agent].keys() == twin.infos[agent].keys() == {"action_mask"}
                    assert np.array_equal(env.infos[agent]["action_mask"], twin.infos[agent]["action_mask"])
                    swaps += 1
            action = random_choice(env, rng)
            if action is None:
                break
            env.step(action)
    assert swaps > 1_000


def swap_hidden(states: Any, seat: int, rng: np.random.Generator) -> bool:
    """Swap two cards that a seat cannot place between two places; False if there are no two."""
    upcard = int(states["upcard"][0])
    places = [("kitty", ())] + [(name, (who,)) for name in ("hands", "buried") for who in range(4) if who != seat]
    held = [[c for c in cards_of(int(states[name][(0, *who)])) if c != upcard] for name, who in places]
    full = [number for number, cards in enumerate(held) if cards]
    if len(full) < 2:
        return False
    one, other = rng.choice(full, size=2, replace=False)
    change = 1 << int(rng.choice(held[one])) | 1 << int(rng.choice(held[other]))
    for number in (one, other):
        name, who = places[number]
        states[name][(0, *who)] ^= change
    return True


@pytest.mark.parametrize("card", ALL_CARDS.deck_ids)
def test_i1_any_card_turned_up(card: int) -> None:
    env = euchre_v0.env(ruleset=ALL_CARDS, illegal="raise")
    env.reset(seed=0, options={"dealer": 0, "deck": deck_of(ALL_CARDS, 0, {}, upcard=card)})
    assert all(facts(env, seat)["upcard"] == [card] for seat in range(4))
    env.step(ORDER_UP)
    assert env.agent_selection == "player_0"
    assert card in legal_of(env)
    assert all(facts(env, seat)["trump"] == [card // NUM_RANKS] for seat in range(4))


@pytest.mark.parametrize("card", ALL_CARDS.deck_ids)
def test_i1_any_card_laid_away(card: int) -> None:
    upcard = (card + NUM_RANKS) % 32
    env = euchre_v0.env(ruleset=ALL_CARDS, illegal="raise")
    env.reset(seed=0, options={"dealer": 0, "deck": deck_of(ALL_CARDS, 0, {0: [card]}, upcard)})
    env.step(ORDER_UP)
    assert card in legal_of(env)
    env.step(card)
    assert [facts(env, seat)["buried"] for seat in range(4)] == [[card], [], [], []]
    assert card not in facts(env, 0)["hand"]
    assert len(facts(env, 0)["hand"]) == 5


@pytest.mark.parametrize("card", ALL_CARDS.deck_ids)
def test_i1_any_card_led(card: int) -> None:
    env = euchre_v0.env(ruleset=ALL_CARDS, illegal="raise")
    upcard = (card + NUM_RANKS) % 32
    env.reset(seed=0, options={"dealer": 0, "deck": deck_of(ALL_CARDS, 0, {1: [card]}, upcard)})
    env.step(ORDER_UP)
    env.step(upcard)
    assert env.agent_selection == "player_1"
    assert card in legal_of(env)
    env.step(card)
    for seat in range(4):
        assert facts(env, seat)["played_by"] == {card: (1 - seat) % 4}
        assert facts(env, seat)["played_ago"] == {card: 0}


def plain_suits(card: int) -> tuple[int, int, int, int]:
    """Return the card's suit, its colour's other one, and the two of the other colour."""
    suit = card // NUM_RANKS
    return suit, 3 - suit, suit ^ 1, 3 - (suit ^ 1)


def suit_cards(suit: int) -> list[int]:
    return list(range(suit * NUM_RANKS, (suit + 1) * NUM_RANKS))


@pytest.mark.parametrize("card", ALL_CARDS.deck_ids)
def test_i1_any_card_the_only_legal_one(card: int) -> None:
    """Trump is of the other colour; seat 2 holds one card of the suit led."""
    suit, fellow, trump, _ = plain_suits(card)
    lead = next(c for c in suit_cards(suit) if c != card)
    low = suit_cards(trump)[0]
    hands = {1: [lead], 2: [card, *suit_cards(fellow)[:4]]}
    env = euchre_v0.env(ruleset=ALL_CARDS, illegal="raise")
    env.reset(seed=0, options={"dealer": 0, "deck": deck_of(ALL_CARDS, 0, hands, upcard=low)})
    for action in (ORDER_UP, low, lead):
        env.step(action)
    assert env.agent_selection == "player_2"
    assert legal_of(env) == [card]


@pytest.mark.parametrize("card", ALL_CARDS.deck_ids)
def test_i1_any_card_wins_a_trick(card: int) -> None:
    """Seat 2 ruffs with the one trump of the trick."""
    suit, fellow, led, other = plain_suits(card)
    upcard = next(c for c in suit_cards(suit) if c != card)
    plain = suit_cards(led) + suit_cards(other)
    hands = {
        1: plain[0:3] + plain[8:10],
        2: [card, *suit_cards(fellow)[:4]],
        3: plain[3:5] + plain[10:13],
        0: plain[5:8] + plain[13:15],
    }
    env = euchre_v0.env(ruleset=ALL_CARDS, illegal="raise")
    env.reset(seed=0, options={"dealer": 0, "deck": deck_of(ALL_CARDS, 0, hands, upcard)})
    for action in (ORDER_UP, upcard, plain[0], card, plain[3], plain[5]):
        env.step(action)
    assert env.agent_selection == "player_2"
    assert [facts(env, seat)["tricks"][0] for seat in range(4)] == [0, 0, 1, 0]


@pytest.mark.parametrize("dealer", range(4))
def test_i1_dealer_and_hand_nought(dealer: int) -> None:
    env = euchre_v0.env()
    env.reset(seed=0, options={"dealer": dealer})
    assert env.agent_selection == f"player_{(dealer + 1) % 4}"
    assert facts(env, 0)["dealer"] == [dealer]
    assert record_of(env)["hand"] == 0
    for _ in range(8):
        env.step(PASS)
    assert record_of(env)["hand"] == 1
    assert env.agent_selection == f"player_{(dealer + 2) % 4}"


def first_deal(env: Any) -> list[Any]:
    return [env.agent_selection, *env.state().tolist()]


def test_i4_chance_is_the_environment_s_own() -> None:
    one = euchre_v0.env()
    one.reset(seed=8)
    for _ in range(5):
        one.step(PASS)
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    random.random()
    np.random.random()  # noqa: NPY002
    touched = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    two = euchre_v0.env(ruleset="north_american")
    one.reset(seed=3)
    two.reset(seed=3)
    assert first_deal(one) == first_deal(two)
    play_episode(one, np.random.default_rng(0))
    after = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
    assert after == touched != before


def test_i5_a_reset_without_a_seed_goes_on() -> None:
    env = euchre_v0.env()
    env.reset(seed=1)
    deals = [first_deal(env)]
    env.action_space("player_0").seed(5)
    samples = []
    for _ in range(3):
        env.reset()
        deals.append(first_deal(env))
        samples.append(int(env.action_space("player_0").sample()))
    env.reset(seed=1)
    assert first_deal(env) == deals[0]
    assert all(a != b for n, a in enumerate(deals) for b in deals[:n])
    env.action_space("player_0").seed(5)
    assert samples == [int(env.action_space("player_0").sample()) for _ in range(3)]


def test_i5_environments_without_a_seed_differ() -> None:
    one, two = euchre_v0.env(), euchre_v0.env()
    one.reset()
    two.reset()
    assert first_deal(one) != first_deal(two)


@pytest.mark.parametrize("ruleset", [*rulesets.names(), ALL_CARDS])
def test_i9_cards_are_conserved_at_every_step(ruleset: Any) -> None:
    """What critics are shown is the whole pack, each card once."""
    env = euchre_v0.env(ruleset=ruleset, illegal="raise", max_hands=8)
    rules = rulesets.get(ruleset)
    rng = np.random.default_rng(9)
    hidden = sum(segment.size for segment in HIDDEN_SEGMENTS)

    def check() -> None:
        row = env.state()
        seen, rest = row[:OBSERVATION_SIZE], row[OBSERVATION_SIZE:]
        assert len(rest) == hidden
        known = decode(seen)
        cards = [*known["hand"], *known["buried"], *known["played_by"]]
        if known["upcard_state"] != [TAKEN]:
            cards += known["upcard"]
        for name in ("other_hands", "dead"):
            cards += (np.flatnonzero(rest[hidden_columns(name)]) % NUM_CARDS).tolist()
        assert sorted(cards) == list(rules.deck_ids)

    for seed in range(4):
        env.reset(seed=seed)
        play_episode(env, rng, check)


def test_alone_is_part_of_the_mask_at_its_time() -> None:
    """C-group cases live with the engine; here only that the environment asks whom the engine asks."""
    env = euchre_v0.env(ruleset="north_american", illegal="raise")
    deck = deck_of(rulesets.get("north_american"), 3, {}, upcard=parse_card("9C"))
    env.reset(seed=0, options={"dealer": 3, "deck": deck})
    for action in (ORDER_UP, DECLINE):
        env.step(action)
    assert env.agent_selection == "player_0"
    assert ALONE in legal_of(env)
