"""Leads and tricks."""

from euchre_env.ruleset import Ruleset
from tests.rules.model.cards import can_follow, winner_of
from tests.rules.model.hand import Ask, Course, Hand
from tests.rules.model.score import points_of


def opening_leader(rules: Ruleset, hand: Hand) -> int:
    """2.6, 8.4, 9.5, Q-N10, Q-N11, Q-T5, Q-C1: this seat, or the next one that plays."""
    assert hand.maker is not None
    first = hand.dealer + 1
    if rules.lead_rule == "bidder":
        first = hand.maker
    elif rules.lead_rule == "left_of_maker":
        first = hand.maker + 1
    elif rules.lead_rule == "left_of_loner" and hand.alone:
        defenders = hand.alone - hand.makers
        first = max(defenders) if len(hand.alone) == 2 else max(hand.alone) + 1
    return next(seat for seat in hand.around(first) if seat not in hand.sits_out)


def _decided(rules: Ruleset, hand: Hand) -> bool:
    """Q-X3."""
    left = rules.hand_size - len(hand.winners)
    return len({points_of(rules, hand, hand.made + more) for more in range(left + 1)}) == 1


def tricks(rules: Ruleset, hand: Hand) -> Course:
    """1.4, 1.5, Q-X4."""
    assert hand.trump is not None
    leader = opening_leader(rules, hand)
    while len(hand.winners) < rules.hand_size:
        trick: list[tuple[int, str]] = []
        hand.tricks.append(trick)
        for seat in hand.around(leader):
            if seat in hand.sits_out:
                continue
            due = can_follow(hand.hands[seat], trick[0][1] if trick else None, hand.trump)
            words = hand.hands[seat] if rules.renege == "penalty" else due
            card = yield Ask(seat, "play", frozenset(words))
            if card not in due:
                hand.reneged.append((seat, card))
            hand.hands[seat].discard(card)
            trick.append((seat, card))
        leader = winner_of(trick, hand.trump)
        hand.winners.append(leader)
        if rules.stop_when_decided and _decided(rules, hand):
            break
