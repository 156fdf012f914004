"""A finished hand from its record: who led, who took the tricks, who reneged, what it pays, who deals next."""

from typing import Any

from euchre_env.engine.layout import NONE
from euchre_env.ruleset import Ruleset
from euchre_env.testing import points
from euchre_env.testing.words import TRUMPS, suit_of, text_cards, winner_of


def check_finished(rules: Ruleset, record: Any, tied: int) -> None:
    """Check the record of a hand that is over; `tied` is the set of sides of the tie-break that it was (9.7)."""
    _check_tricks(rules, record)
    taken, reneges = points.taken_by(rules, record), _reneges(rules, record)
    _check_length(rules, record, taken, reneges)
    found = [int(record["points"][side]) for side in range(rules.num_sides)]
    due = points.due_points(rules, record, taken, reneges)
    assert found == due, f"tricks by side were {taken}: points are {found}, due are {due} (2.7, 8.5, 9.6)."
    won, again = points.due_end(rules, record, points.sides_in(rules, tied), taken)
    ends = [points.sides_in(rules, record[name]) for name in ("winners", "extra_hand")]
    assert ends == [won, again], f"winners and tied sides are {ends}, due are {[won, again]} (2.8, 8.6, 9.7)."
    thrown_in = record["maker"] == NONE and not any(found)
    stays = thrown_in and rules.passed_out == "same_dealer"
    dealer = int(record["dealer"]) if stays else (int(record["dealer"]) + 1) % rules.num_seats
    assert record["next_dealer"] == dealer, f"seat {record['next_dealer']} deals next, not {dealer} (Q-X1, Q-N6)."


def _loners(rules: Ruleset, record: Any) -> list[int]:
    return [seat for seat in range(rules.num_seats) if int(record["alone"]) >> seat & 1]


def _active(rules: Ruleset, record: Any) -> list[int]:
    """2.5, 8.4: all but the partners of loners."""
    out = {(seat + 2) % 4 for seat in _loners(rules, record)} if rules.partners else set()
    return [seat for seat in range(rules.num_seats) if seat not in out]


def _next_active(rules: Ruleset, record: Any, seat: int) -> int:
    around = [(seat + step) % rules.num_seats for step in range(1, rules.num_seats + 1)]
    return next(other for other in around if other in _active(rules, record))


def _leader(rules: Ruleset, record: Any) -> int:
    """2.6, 3, 8.4, 9.5: who leads first."""
    maker = int(record["maker"])
    if rules.lead_rule == "bidder":
        return maker
    if rules.lead_rule == "left_of_maker":
        return _next_active(rules, record, maker)
    loners = _loners(rules, record)
    if rules.lead_rule == "left_of_dealer" or not loners:
        return _next_active(rules, record, int(record["dealer"]))
    defenders = [seat for seat in loners if rules.side(seat) != rules.side(maker)]
    if len(loners) == 2:
        return defenders[0]
    return _next_active(rules, record, loners[0])


def _check_tricks(rules: Ruleset, record: Any) -> None:
    """1.5: who leads, in which order cards fall, who takes them."""
    tricks = [0] * rules.num_seats
    leader = _leader(rules, record) if record["trick"] else NONE
    trump = TRUMPS[record["trump"]]
    for trick in range(int(record["trick"])):
        order = [leader]
        while len(order) < len(_active(rules, record)):
            order.append(_next_active(rules, record, order[-1]))
        played = [int(seat) for seat in record["players"][trick] if seat != NONE]
        assert played == order, f"seats {played} played trick {trick + 1}, due were {order} (1.5, 2.6)."
        cards = text_cards(record["cards"][trick])
        leader = order[cards.index(winner_of(cards, trump))]
        tricks[leader] += 1
    found = [int(taken) for taken in record["tricks"][: rules.num_seats]]
    assert found == tricks, f"the seats' tricks are {found}, but they took {tricks} (1.5)."


def _reneges(rules: Ruleset, record: Any) -> list[int]:
    """Q-X4: count by side who did not follow and shows a card of the suit later; check that they were booked."""
    counts, cards = [0] * rules.num_sides, set()
    trump, later = TRUMPS[record["trump"]], set()
    for trick in reversed(range(int(record["trick"]))):
        plays = list(zip(record["players"][trick].tolist(), text_cards(record["cards"][trick]), strict=False))
        led = suit_of(plays[0][1], trump)
        for seat, card in plays:
            if suit_of(card, trump) != led and (seat, led) in later:
                counts[rules.side(seat)] += 1
                cards.add(card)
        later |= {(seat, suit_of(card, trump)) for seat, card in plays}
    booked = set(text_cards(card for card in range(33) if int(record["reneged"]) >> card & 1))
    assert booked == cards, f"reneges booked are {sorted(booked)}, but they were {sorted(cards)} (Q-X4)."
    assert rules.renege == "penalty" or not cards, f"{sorted(cards)} did not follow suit (1.4)."
    return counts


def _check_length(rules: Ruleset, record: Any, taken: list[int], reneges: list[int]) -> None:
    """Q-X3: every trick is played, or as many as decide."""
    played = int(record["trick"])
    if record["maker"] == NONE or played == rules.hand_size:
        assert played == 0 or record["maker"] != NONE, "tricks were played without trump."
        return
    assert rules.stop_when_decided, "the hand ended before its last trick (Q-X3)."
    makers, left = rules.side(int(record["maker"])), rules.hand_size - played
    due = []
    for more in range(left + 1):
        final = taken.copy()
        final[makers] += more
        due.append(points.due_points(rules, record, final, reneges))
    assert all(other == due[0] for other in due), "the hand ended before it was decided (Q-X3)."
