"""Worlds against all assignments of the unseen cards, each tried on the engine: which are possible, how often drawn.

The reference knows no rule of hidden cards. It puts the unseen cards everywhere, and keeps what some deal and some
legal actions lead to.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, islice, product
from math import factorial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from euchre_env import rulesets, worlds
from euchre_env.batch import GameBatch
from euchre_env.cards import cards_of, mask_of
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import (
    ALONE,
    CALL_ALONE,
    DECLINE,
    HIDDEN_CARD,
    MAX_SEATS,
    NONE,
    NUM_ACTIONS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    STATE,
    SWAP,
    Phase,
    Upcard,
)
from euchre_env.engine.step import apply, legal_mask
from euchre_env.errors import StateError
from euchre_env.ruleset import Ruleset
from euchre_env.single import begin, carry_out, deal_hand, hide_from, legal

Record = npt.NDArray[np.void]
PLACES = [*product(("hands", "buried"), range(MAX_SEATS)), ("kitty", 0)]
Place = tuple[str, int]
World = tuple[tuple[int, ...], tuple[int, ...]]  # cards by place, gifts by seat


def at(record: Record, place: Place) -> int:
    return int(np.atleast_1d(record[place[0]][0])[place[1]])


def seen_places(rules: Ruleset, record: Record, seat: int) -> set[Place]:
    """Return the places that a seat sees."""
    blind = (
        record["phase"][0] == Phase.CALL
        and record["upcard"][0] == 32
        and record["upcard_state"][0] == Upcard.PROPOSED
        and rules.joker_up in ("blind_dealer", "set_aside")
    )
    return {("buried", seat)} if blind else {("buried", seat), ("hands", seat)}


def splits(cards: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """Yield all ways to lay cards in places of these sizes."""
    if not sizes:
        yield []
        return
    for chosen in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in splits(rest, sizes[1:]):
            yield [mask_of(chosen), *others]


def hidden_giver(rules: Ruleset, record: Record, seat: int) -> int | None:
    givers = [who for who in range(rules.num_seats) if record["given"][0, who] and (who - seat) % 2]
    return givers[0] if givers and rules.partners else None


def assignments(rules: Ruleset, record: Record, seat: int) -> Iterator[World]:
    """Yield all assignments of the cards that a seat cannot see, of as many to each place as there are."""
    seen = seen_places(rules, record, seat)
    up = 0 if record["upcard"][0] == NONE else 1 << int(record["upcard"][0])
    giver = hidden_giver(rules, record, seat)
    sizes = {place: at(record, place).bit_count() for place in PLACES}
    # Whether the up-card that nobody took was passed on shows in no size that the seat can see.
    variants = [sizes]
    left = giver is not None and giver == record["dealer"][0] and record["upcard_state"][0] == Upcard.LEFT
    if left:
        changed = dict(sizes)
        changed["hands", giver] += -1 if record["given"][0, giver] == up else 1  # type: ignore[index]
        variants.append(changed)
    known = 0
    for place in seen:
        known |= at(record, place)
    for who in range(rules.num_seats):
        known |= int(record["played"][0, who])
    unseen = int(options_of(rules)["deck"][0]) & ~known
    for fitting in variants:
        hidden = [place for place in PLACES if place not in seen and fitting[place]]
        need = sum(fitting[place] for place in hidden)
        pool = unseen if need == unseen.bit_count() else unseen & ~up
        assert need == pool.bit_count()
        for sets in splits(cards_of(pool), [fitting[place] for place in hidden]):
            lying = {place: at(record, place) for place in seen} | dict(zip(hidden, sets, strict=True))
            cards = tuple(lying.get(place, 0) for place in PLACES)
            gifts = [int(gift) for gift in record["given"][0]]
            if giver is None:
                yield cards, tuple(gifts)
                continue
            loner = (giver + 2) % 4
            shown = int(record["played"][0, loner]) | lying.get(("hands", loner), 0) | lying.get(("buried", loner), 0)
            for card in cards_of(shown):
                gifts[giver] = 1 << card
                yield cards, tuple(gifts)


def written(record: Record, world: World) -> Record:
    """Return the record with other hidden cards."""
    out = record.copy()
    for (field, index), cards in zip(PLACES, world[0], strict=True):
        if field == "kitty":
            out["kitty"] = cards
        else:
            out[field][0, index] = cards
    out["given"][0] = world[1]
    return out


def deals(rules: Ruleset, world: Record) -> Iterator[dict[Place, int]]:
    """Yield what may have been dealt: to each seat some of the cards that it ever had, the rest elsewhere."""
    s, size, up = world[0], rules.hand_size, 0 if world["upcard"][0] == NONE else 1 << int(world["upcard"][0])
    seats = range(rules.num_seats)
    had = [int(s["hands"][w] | s["buried"][w] | s["played"][w] | s["given"][w]) & ~up for w in seats]
    if rules.swap != "off" and s["swapped_by"] != NONE:  # the whole hand for the ghost's (9.3)
        had[s["swapped_by"]] = int(s["buried"][s["swapped_by"]])
    pack = mask_of(rules.deck_ids) & ~up
    for dealt in product(*([mask_of(c) for c in combinations(cards_of(cards), size)] for cards in had)):
        rest = pack
        for cards in dealt:
            rest &= ~cards
        if rest.bit_count() != pack.bit_count() - size * rules.num_seats:
            continue
        hands = dict(zip([("hands", w) for w in seats], dealt, strict=True))
        extra = [place for place, count in sizes_at_the_deal(rules).items() if count and place not in hands]
        for sets in splits(cards_of(rest), [sizes_at_the_deal(rules)[place] for place in extra]):
            lying = dict(zip(extra, sets, strict=True))
            # What still lies where it was dealt has not moved.
            if all(at(world, place) in (0, cards) for place, cards in lying.items()):
                yield hands | lying


def dealt(rules: Ruleset, dealer: int, deck: list[int]) -> Record:
    states, options = np.zeros(1, dtype=STATE), options_of(rules)
    begin(options, states, dealer)
    deal_hand(options, states, np.array(deck, dtype=np.int8))
    return states


@cache
def options_of(rules: Ruleset) -> Record:
    return rules.to_options()


@cache
def sizes_at_the_deal(rules: Ruleset) -> dict[Place, int]:
    states = dealt(rules, 0, list(rules.deck_ids))
    return {place: at(states, place).bit_count() for place in PLACES}


def histories(rules: Ruleset, world: Record, deal: dict[Place, int]) -> Iterator[Record]:
    """Yield the records that the calls and plays of a record lead to from a deal, whatever was put down unseen."""
    now = just_dealt(rules, int(world["dealer"][0]), int(world["upcard"][0])).copy()
    for seat in range(MAX_SEATS):
        now["hands"][0, seat] = deal.get(("hands", seat), 0)
    now["kitty"] = deal.get(("kitty", 0), 0)
    for field in ("scores", "hand", "redeal", "extra_hand"):
        now[field] = world[field]
    now["scores"] -= world["points"]
    calls = [int(call) for call in world["calls"][0, : int(world["num_calls"][0])]]
    played = [int(card) for card in world["cards"][0].reshape(-1) if card != NONE]
    yield from follow(options_of(rules), now, np.array([*calls, *played], dtype=np.int64), 0, world)


@cache
def just_dealt(rules: Ruleset, dealer: int, upcard: int) -> Record:
    """Return a record after any deal that turns this card up."""
    deck = list(rules.deck_ids)
    if upcard != NONE:
        turned = deck.index(int(dealt(rules, dealer, deck)["upcard"][0]))
        other = deck.index(upcard)
        deck[turned], deck[other] = deck[other], deck[turned]
    return dealt(rules, dealer, deck)


@kernel
def carry_on(options: Any, states: Any, actions: Any, done: Any) -> Any:
    """Carry out the actions from number `done` to the next card put down unseen; -1 if one of them is illegal."""
    while done < len(actions) and actions[done] != HIDDEN_CARD:
        if states[0]["turn"] < 0 or legal_mask(options[0], states[0]) >> actions[done] & 1 == 0:
            return -1
        apply(options[0], states[0], actions[done])
        done += 1
    return done


def follow(options: Record, now: Record, actions: npt.NDArray[np.int64], done: int, world: Record) -> Iterator[Record]:
    done = carry_on(options, now, actions, done)
    if done == len(actions):
        yield now
    elif done >= 0:
        seat = int(now["turn"][0])
        aims = int(world["buried"][0, seat] | world["given"][0, seat]) & int(legal(options, now))
        for card in cards_of(aims & (1 << 33) - 1):
            after = now.copy()
            carry_out(options, after, card)
            yield from follow(options, after, actions, done + 1, world)


def is_possible(rules: Ruleset, world: Record) -> bool:
    return any((found == world).all() for deal in deals(rules, world) for found in histories(rules, world, deal))


def by_hand(rules: Ruleset, record: Record, seat: int) -> set[World]:
    """Return all worlds of what a seat sees of a record."""
    return {world for world in assignments(rules, record, seat) if is_possible(rules, written(record, world))}


def key(record: np.void) -> World:
    one = np.array([record])
    return tuple(at(one, place) for place in PLACES), tuple(int(gift) for gift in record["given"])


def view_of(rules: Ruleset, record: Record, seat: int) -> Record:
    seen = record.copy()
    hide_from(options_of(rules), seen, seat)
    return seen


def size_of(rules: Ruleset, record: Record, seat: int) -> float:
    """Return how many assignments the reference would try."""
    seen, ways, n = seen_places(rules, record, seat), 1.0, 0
    for place in PLACES:
        for i in range(at(record, place).bit_count() if place not in seen else 0):
            n += 1
            ways *= n / (i + 1)
    return ways if hidden_giver(rules, record, seat) is None else ways * rules.hand_size


# What is drawn too seldom by chance to be seen.
WISHES = np.ones(NUM_ACTIONS)
WISHES[[SWAP, ALONE, ORDER_UP_ALONE]] = 8
WISHES[CALL_ALONE : CALL_ALONE + 6] = 4
WISHES[DECLINE] = 0.6


Wanted = Callable[[Record, int], bool]


def positions(rules: Ruleset, seed: int, most: float, steps: int, wanted: Wanted) -> Iterator[tuple[Record, int]]:
    """Yield records near the end of hands played by chance, with a seat whose worlds can be counted by hand."""
    rng = np.random.default_rng(seed)
    batch = GameBatch(rules, 256, seed=seed, observe=False)
    for _ in range(steps):
        late = (batch.states["phase"] == Phase.PLAY) & (batch.states["trick"] >= rules.hand_size - 2)
        for row in np.flatnonzero(late)[:16]:
            record, seat = batch.states[row : row + 1], int(rng.integers(rules.num_seats))
            if wanted(record, seat) and size_of(rules, record, seat) <= most:
                yield record.copy(), seat
        wishes = WISHES * np.where(np.arange(NUM_ACTIONS) == PASS, 4.0 if wanted is stuck_dealer_called else 0.6, 1.0)
        batch.step((rng.random((256, NUM_ACTIONS)) * batch.masks() * wishes).argmax(axis=1))


def chi_square_z(observed: npt.NDArray[np.int64], total: int) -> float:
    """Return how far counts of equally likely cases are off, in standard deviations (Wilson and Hilferty)."""
    expected = total / len(observed)
    free = len(observed) - 1
    if free == 0:
        return 0.0
    chi = float(((observed - expected) ** 2).sum() / expected)
    return float(((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / np.sqrt(2 / (9 * free)))


def check_position(rules: Ruleset, record: Record, seat: int) -> int:
    """Compare what is drawn with what is possible."""
    view = view_of(rules, record, seat)
    possible = sorted(by_hand(rules, record, seat))
    assert key(record[0]) in possible, "the reference loses the true world"
    assert worlds.count(rules, view, seat) == len(possible)
    draws = 30 * len(possible)
    keys = [key(world) for world in worlds.sample(rules, view, draws, rng=len(possible), seat=seat)]
    where = {world: i for i, world in enumerate(possible)}
    observed = np.bincount([where[k] for k in keys], minlength=len(possible))
    assert chi_square_z(observed, draws) < 4.5
    return len(possible)


def anything(record: Record, seat: int) -> bool:
    return True


def hidden_gift(record: Record, seat: int) -> bool:
    """7.5: the other side passed a card."""
    return bool(record["given"][0, [(seat + 1) % 4, (seat + 3) % 4]].any())


def own_gift(record: Record, seat: int) -> bool:
    """7.5: the seat gave a card that its partner has not played."""
    return bool(record["given"][0, seat] & ~record["played"][0].sum())


def upcard_unseen(record: Record, seat: int) -> bool:
    """2.3: another seat took the up-card, and has not played it."""
    dealer, up = int(record["dealer"][0]), 1 << max(int(record["upcard"][0]), 0)
    shown = int(record["played"][0].sum()) | int(record["hands"][0, seat]) | int(record["buried"][0, seat])
    return bool(record["upcard_state"][0] == Upcard.TAKEN) and dealer != seat and not shown & up


def lone_dealer_laid_twice(record: Record, seat: int) -> bool:
    """7.5: a lone dealer's second card may be the up-card."""
    dealer = int(record["dealer"][0])
    return upcard_unseen(record, seat) and int(record["laid_away"][0, dealer]) > 1


def another_swapped(record: Record, seat: int) -> bool:
    """9.3, Q-N22: another seat took the ghost hand, or swapped a farmer's hand."""
    return record["swapped_by"][0] not in (NONE, seat)


def swapper_laid_more(record: Record, seat: int) -> bool:
    """Q-N22: another seat swapped a farmer's hand, and laid a card away after that."""
    return another_swapped(record, seat) and int(record["laid_away"][0, int(record["swapped_by"][0])]) > 3


def swapper_made_trump(record: Record, seat: int) -> bool:
    """Q-N5, Q-N22: and made trump."""
    return another_swapped(record, seat) and record["swapped_by"][0] == record["maker"][0]


def stuck_dealer_called(record: Record, seat: int) -> bool:
    """Q-N5, Q-N7: the dealer named a suit in the second round."""
    turned_down = record["upcard_state"][0] == Upcard.TURNED_DOWN
    return bool(turned_down and record["maker"][0] == record["dealer"][0] != seat)


def another_made_trump(record: Record, seat: int) -> bool:
    return record["maker"][0] not in (NONE, seat)


def another_reneged(record: Record, seat: int) -> bool:
    """Q-X4: another seat was charged, and still holds cards."""
    return any(record["played"][0, w] & record["reneged"][0] and record["hands"][0, w] for w in range(4) if w != seat)


def dummy_taken(record: Record, seat: int) -> bool:
    """5, 6: another seat took its dummy."""
    return bool(int(record["exchanged"][0]) & ~(1 << seat))


NA, RAILROAD = rulesets.get("north_american"), rulesets.get("railroad")
BOTH = RAILROAD.replace(defend_alone="always")
RECEIVE = BOTH.replace(best_exchange="receive_first")
SWAP3 = NA.replace(farmers_hand="swap3", farmers_cards="three")
TWO, THREE = rulesets.get("two_handed"), rulesets.get("three_handed")
NATURAL = NA.replace(natural_trump_required=True, stick_the_dealer="on")
NATURAL_SWAP = NATURAL.replace(farmers_hand="swap3", farmers_cards="three", best_exchange="discard_first")
KINDS = {
    **{name: (rulesets.get(name), anything) for name in rulesets.names()},
    "upcard: kept": (rulesets.get("open_spiel"), upcard_unseen),
    "upcard: any of six": (rulesets.get("tournament"), upcard_unseen),
    "gift: discard first": (BOTH, hidden_gift),
    "gift: receive first": (RECEIVE, hidden_gift),
    "gift: with the call": (BOTH.replace(alone_timing="with_call"), hidden_gift),
    "gift: with the call, receive first": (RECEIVE.replace(alone_timing="with_call"), hidden_gift),
    "gift: any of six": (RECEIVE.replace(dealer_pickup="any_of_six"), hidden_gift),
    "gift: own": (RECEIVE, own_gift),
    "gift: own, with the call": (RECEIVE.replace(alone_timing="with_call"), own_gift),
    "lone dealer": (RECEIVE, lone_dealer_laid_twice),
    "lone dealer, any of six": (BOTH.replace(dealer_pickup="any_of_six"), lone_dealer_laid_twice),
    "ghost hand": (rulesets.get("ghost_hand"), another_swapped),
    "farmer": (SWAP3, another_swapped),
    "farmer: all low": (SWAP3.replace(farmers_cards="all"), another_swapped),
    "farmer: laid more": (SWAP3.replace(dealer_pickup="any_of_six"), swapper_laid_more),
    "farmer: named": (NATURAL_SWAP, swapper_made_trump),
    "natural": (NATURAL, another_made_trump),
    "natural: stuck": (NATURAL, stuck_dealer_called),
    "natural: stuck, joker": (NATURAL.replace(deck=25, best_exchange="receive_first"), stuck_dealer_called),
    "renege": (NA.replace(renege="penalty"), another_reneged),
    "renege: gift": (RECEIVE.replace(renege="penalty"), lambda r, s: another_reneged(r, s) and hidden_gift(r, s)),
    "renege: ghost hand": (rulesets.get("ghost_hand").replace(renege="penalty"), another_reneged),
    "dummy: two cards": (TWO.replace(dummy="two_card"), dummy_taken),
    "dummy: three cards": (TWO.replace(dummy="three_card"), dummy_taken),
    "dummy: five cards": (THREE.replace(dummy="five_card"), dummy_taken),
    "dummy: natural": (THREE.replace(dummy="five_card", natural_trump_required=True), dummy_taken),
    "dummy: farmer": (THREE.replace(dummy="five_card", farmers_hand="swap3", farmers_cards="three"), another_swapped),
}


# Those with endings so small that the reference is done in a second.
QUICK = (
    *rulesets.names(), "upcard: kept", "upcard: any of six", "gift: own", "natural", "natural: stuck",
    "natural: stuck, joker", "renege", "renege: ghost hand",
)  # fmt: skip


@pytest.mark.parametrize("label", QUICK)
def test_worlds_are_those_possible_and_equally_likely(label: str) -> None:
    rules, wanted = KINDS[label]
    found = islice(positions(rules, 5, 2_500, 3_000, wanted), 8)
    check_position(rules, *min(found, key=lambda position: size_of(rules, *position)))


@pytest.mark.slow
@pytest.mark.parametrize("label", KINDS)
def test_more_worlds_are_those_possible_and_equally_likely(label: str) -> None:
    rules, wanted = KINDS[label]
    small = list(islice(positions(rules, 7, 100_000, 6_000, wanted), 40))
    small.sort(key=lambda position: size_of(rules, *position))
    assert small, "no ending of that kind is small enough"
    for record, seat in small[:3]:
        check_position(rules, record, seat)


def test_the_first_lead_against_an_ordered_upcard() -> None:
    """The dealer holds the up-card or buried it."""
    batch = GameBatch("tournament", 64, seed=0)
    batch.step(np.full(64, ORDER_UP))
    batch.step([int(mask & -mask).bit_length() - 1 for mask in batch.legal])
    others = batch.turn != batch.states["dealer"]
    view = batch.views(np.flatnonzero(others)[:1])
    f = factorial
    held = f(18) // (f(5) * f(5) * f(4) * f(1) * f(3))
    buried = f(18) // (f(5) ** 3 * f(3))
    assert worlds.count("tournament", view) == held + buried


def test_a_blind_call_hides_the_own_hand() -> None:
    """4.3: nobody has looked at his cards, so all hands are drawn."""
    rules = rulesets.get("british")
    batch = GameBatch(rules, 400, seed=0)
    blind = np.flatnonzero(batch.states["phase"] == Phase.CALL)[:1]
    view = batch.views(blind)
    f = factorial
    assert worlds.count(rules, view) == f(24) // (f(5) ** 4 * f(4))
    hands = {int(world["hands"][int(view["turn"][0])]) for world in worlds.sample(rules, view, 20, rng=1)}
    assert len(hands) > 10


def test_a_seed_gives_the_same_worlds() -> None:
    view = GameBatch("tournament", 1, seed=0).views([0])
    first, again = (worlds.sample("tournament", view, 5, rng=3) for _ in range(2))
    assert (first == again).all()
    assert (first != worlds.sample("tournament", view[0], 5, rng=4)).any()
    assert len(worlds.sample("tournament", view, 0, rng=np.random.default_rng(0))) == 0


def test_what_is_no_view() -> None:
    view = GameBatch("tournament", 2, seed=0).views([0, 1])
    with pytest.raises(StateError, match="one STATE record"):
        worlds.sample("tournament", view, 1, rng=0)
    at_rest = view[:1].copy()
    at_rest["phase"], at_rest["turn"] = Phase.DEAL, NONE
    with pytest.raises(StateError, match="at rest"):
        worlds.count("tournament", at_rest)
    with pytest.raises(StateError, match="at rest"):
        worlds.opening("tournament", at_rest)
    with pytest.raises(StateError, match="no world"):
        worlds.opening("tournament", view[:1])
    short = view[:1].copy()
    short["hands"] &= short["hands"] - 1
    assert worlds.count("tournament", short) == 0
    with pytest.raises(StateError, match="no cards fit"):
        worlds.sample("tournament", short, 1, rng=0)
    with pytest.raises(ValueError, match="seat"):
        worlds.count("tournament", view[:1], seat=4)


def test_what_is_no_view_is_refused() -> None:
    """A full record would be taken for a view with cards to spare, numbers out of bounds be read beyond arrays."""
    batch = GameBatch("tournament", 1, seed=0)
    with pytest.raises(StateError, match=r"shows what seat . may not know"):
        worlds.sample("tournament", batch.states, 1, 0)
    with pytest.raises(StateError, match="may not know"):
        worlds.count("tournament", batch.states)
    for field, value in (("num_calls", 100), ("turn", 7)):
        view = batch.views([0])
        view[field] = value
        with pytest.raises(ValueError, match=r"none of a game|whole number"):
            worlds.count("tournament", view)
    with pytest.raises(StateError, match="none of a game of bicycle24"):
        worlds.sample("bicycle24", GameBatch("bicycle32", 1, seed=4).views([0]), 1, 0)
