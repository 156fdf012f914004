"""How many ways the unseen cards of a plan can lie, and one of them drawn: exact, each as likely as any other.

The cards are placed one by one. `ways[i, proofs, rooms]` is in how many ways the cards from number i on fill what room
is left, so that all proofs are met; the room of the largest place follows from the others. A draw walks down the table:
each card goes to a place with the probability of the ways that this leaves open, so no draw is ever thrown away. The
counts are float64, exact below 2**53; beyond (packs of 32 and more before a card is played) they are rounded to 16
digits, and each choice is made with 53 random bits: no world is off its probability by more than one part in 10**13.
"""

from typing import Any

import numpy as np

from euchre_env.decks import GAMMA, mix
from euchre_env.engine._jit import inlined, kernel
from euchre_env.engine.bits import count, lowest
from euchre_env.worlds.plan import MAX_PROOFS, NUM_PLACES
from euchre_env.worlds.proofs import are_met

_S11 = np.uint64(11)
_UNIT = 2.0**-53


@inlined
def uniform(word: Any) -> Any:
    """Return a number from 0 up to 1 of 53 random bits, from a state of the generator."""
    return np.float64(mix(word) >> _S11) * _UNIT


@kernel
def _cards_of(cards: Any) -> Any:
    out = np.empty(count(cards), dtype=np.int64)
    for i in range(len(out)):
        out[i] = lowest(cards)
        cards &= cards - 1
    return out


@kernel
def _used_places(plan: Any) -> Any:
    """Return the places that hold something, the largest one last."""
    used = np.empty(NUM_PLACES, dtype=np.int64)
    n = 0
    for place in range(NUM_PLACES):
        if plan["room"][place] > 0:
            used[n] = place
            n += 1
    used = used[:n].copy()
    for i in range(n - 1):
        if plan["room"][used[i]] > plan["room"][used[n - 1]]:
            used[i], used[n - 1] = used[n - 1], used[i]
    return used


@kernel
def _index_rooms(plan: Any, used: Any) -> Any:
    """Return what a card in a place counts in the index of rooms [used], and what room is left by that index.

    That is: in which places (a set of numbers in `used`), and for how many cards.
    """
    strides = np.zeros(max(len(used), 1), dtype=np.int64)
    size = np.int64(1)
    for number in range(len(used) - 1):
        strides[number] = size
        size *= plan["room"][used[number]] + 1
    open_places, left = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for index in range(size):
        rest = index
        for number in range(len(used) - 1):
            room = rest % (plan["room"][used[number]] + 1)
            rest //= plan["room"][used[number]] + 1
            left[index] += room
            if room > 0:
                open_places[index] |= np.int64(1) << number
    return strides, open_places, left


@kernel
def _allowed(plan: Any, used: Any, cards: Any) -> Any:
    """Return by card the places (numbers in `used`) that may hold it."""
    allowed = np.zeros(len(cards), dtype=np.int64)
    for i in range(len(cards)):
        for number in range(len(used)):
            allowed[i] |= (plan["may"][used[number]] >> cards[i] & 1) << number
    return allowed


@kernel
def _counts_of(plan: Any, index: Any, counts: Any) -> None:
    """Write the counts of proofs that an index stands for."""
    for proof in range(MAX_PROOFS):
        counts[proof] = index % (plan["proof_most"][proof] + 1)
        index //= plan["proof_most"][proof] + 1


@kernel
def _proven_by(plan: Any, index: Any, card: Any, place: Any) -> Any:
    """Return the index of proofs after a card comes to a place."""
    stride = np.int64(1)
    for proof in range(MAX_PROOFS):
        most = plan["proof_most"][proof]
        counts = plan["proof_places"][proof] >> place & 1 != 0 and plan["proof_cards"][proof] >> card & 1 != 0
        if most > 0 and counts and index // stride % (most + 1) < most:
            index += stride
        stride *= most + 1
    return index


@kernel
def _first_proof(plan: Any) -> Any:
    """Return the index of proofs before any card is placed, and how many there are."""
    index, stride = np.int64(0), np.int64(1)
    for proof in range(MAX_PROOFS):
        index += plan["proof_start"][proof] * stride
        stride *= plan["proof_most"][proof] + 1
    return index, stride


@kernel
def _next_proofs(plan: Any, used: Any, cards: Any, proofs: Any) -> Any:
    """Return [card, used place, index] the index of proofs after the card comes to the place."""
    out = np.zeros((len(cards), len(used), proofs), dtype=np.int64)
    if proofs > 1:
        for i in range(len(cards)):
            for number in range(len(used)):
                for index in range(proofs):
                    out[i, number, index] = _proven_by(plan, index, cards[i], used[number])
    return out


@kernel
def tabulate(opt: Any, plan: Any) -> Any:
    """Return what `deal_out` needs of a plan, the count of its worlds first."""
    cards, used = _cards_of(plan["unseen"]), _used_places(plan)
    strides, open_places, left = _index_rooms(plan, used)
    allowed = _allowed(plan, used, cards)
    first, proofs = _first_proof(plan)
    after = _next_proofs(plan, used, cards, proofs)
    ways = np.zeros((len(cards) + 1, proofs, len(left)))
    counts = np.zeros(MAX_PROOFS, dtype=np.int64)
    for index in range(proofs):
        _counts_of(plan, index, counts)
        ways[len(cards), index, 0] = 1.0 if are_met(opt, plan, counts) else 0.0
    last = len(used) - 1
    most = plan["room"][used[last]] if last >= 0 else np.int64(0)
    for i in range(len(cards) - 1, -1, -1):
        for rooms in range(len(left)):
            beyond = len(cards) - i - left[rooms]
            if beyond < 0 or beyond > most:
                continue
            at = open_places[rooms] | (np.int64(1) << last if beyond > 0 else np.int64(0))
            at &= allowed[i]
            for index in range(proofs):
                total, rest = 0.0, at
                while rest != 0:
                    number = lowest(rest)
                    rest &= rest - 1
                    total += ways[i + 1, after[i, number, index], rooms - strides[number]]
                ways[i, index, rooms] = total
    fits = np.int64(0)
    for place in used:
        fits += plan["room"][place]
    total = ways[0, first, len(left) - 1] if fits == len(cards) else 0.0
    return total, cards, used, strides, open_places, allowed, after, ways, first


@inlined
def deal_out(table: Any, word: Any, sets: Any) -> Any:
    """Write a drawn set of cards to each place [NUM_PLACES] and return the state of the generator after it."""
    _, cards, used, strides, open_places, allowed, after, ways, index = table
    for place in range(NUM_PLACES):
        sets[place] = 0
    rooms, last = len(open_places) - 1, len(used) - 1
    for i in range(len(cards)):
        word += GAMMA
        left = uniform(word) * ways[i, index, rooms]
        rest = allowed[i] & (open_places[rooms] | np.int64(1) << last)
        chosen = last
        while rest != 0:
            number = lowest(rest)
            rest &= rest - 1
            share = ways[i + 1, after[i, number, index], rooms - strides[number]]
            if share > 0.0:
                chosen = number
                if left < share:
                    break
                left -= share
        sets[used[chosen]] |= np.int64(1) << cards[i]
        index = after[i, chosen, index]
        rooms -= strides[chosen]
    return word
