"""What a hand pays, who wins the game, who deals next."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from euchre_env.ruleset import Ruleset
from tests.rules.model.auction import MOONS
from tests.rules.model.hand import Hand, clockwise


def points_of(rules: Ruleset, hand: Hand, made: int) -> tuple[str, int]:
    """2.7, 6: which side of a turn-up hand scores, and how much."""
    size = rules.hand_size
    lone_maker, lone_defender = bool(hand.alone & hand.makers), bool(hand.alone - hand.makers)
    if made == size:
        return "makers", rules.loner_march_points if lone_maker else rules.march_points
    if 2 * made > size:
        return "makers", 1
    due = [2]
    if made == 0:
        due.append(rules.super_euchre_points)
    if lone_defender:
        due.append({"s004": 4 if made == 0 else 2, "four_for_three": 4, "three": 3}[rules.lone_defender_scoring])
    elif lone_maker:
        due.append(rules.lone_euchre_points)
    return "defenders", max(due)


def _turn_up_points(rules: Ruleset, hand: Hand) -> list[int]:
    """2.7; section 6: of several opponents each scores."""
    who, points = points_of(rules, hand, hand.made)
    makers = {hand.side(seat) for seat in hand.makers}
    return [points if (side in makers) == (who == "makers") else 0 for side in range(hand.sides)]


def stake(rules: Ruleset, bid: str) -> int:
    """8.5, 9.6, 10.1: the price of a moon."""
    return {"moon": rules.moon_points, "double moon": 24, "triple moon": 32, "quadruple moon": 48}[bid]


def bid_made(rules: Ruleset, bid: str, tricks: int) -> bool:
    """8.5."""
    return tricks == rules.hand_size if bid in MOONS else tricks >= int(bid)


def bidder_points(rules: Ruleset, bid: str, tricks: int) -> int:
    """8.5, 9.6, Q-C10, Q-C22, Q-G14, Q-G16, Q-G17."""
    if bid_made(rules, bid, tricks):
        if bid in MOONS:
            return stake(rules, bid) + (tricks if rules.moon_adds_tricks else 0)
        return tricks
    if bid not in MOONS:
        lost = int(bid)
    else:
        lost = stake(rules, bid) if rules.moon_fail == "stake" else rules.hand_size
    return (tricks if rules.set_bidder_keeps_tricks else 0) - lost


def other_points(rules: Ruleset, made: bool, tricks: int) -> int:
    """8.5, 9.6, Q-C2, Q-C9, Q-G15: who did not bid scores his tricks."""
    scores = {"always": True, "only_if_bid_made": made, "never": False}[rules.defenders_score_tricks]
    return tricks if scores else 0


def _auction_points(rules: Ruleset, hand: Hand) -> list[int]:
    assert hand.bid is not None
    assert hand.maker is not None
    won = [sum(hand.side(seat) == side for seat in hand.winners) for side in range(hand.sides)]
    bidder = hand.side(hand.maker)
    made = bid_made(rules, hand.bid, won[bidder])
    points = [other_points(rules, made, tricks) for tricks in won]
    points[bidder] = bidder_points(rules, hand.bid, won[bidder])
    return points


def was_set(rules: Ruleset, hand: Hand) -> bool:
    """Whether the makers, or the bidder, failed."""
    if hand.maker is None:
        return False
    if hand.bid is not None:
        return not bid_made(rules, hand.bid, hand.made)
    return 2 * hand.made <= rules.hand_size


def hand_points(rules: Ruleset, hand: Hand) -> tuple[int, ...]:
    """Points by side: of the tricks or of a forfeit (2.10, Q-N7), less two for every breach (Q-X4)."""
    if hand.forfeited:
        return tuple(int(side != hand.side(hand.dealer)) for side in range(hand.sides))
    if hand.maker is None:
        return (0,) * hand.sides
    points = _turn_up_points(rules, hand) if hand.bid is None else _auction_points(rules, hand)
    for seat, _ in hand.reneged:
        points[hand.side(seat)] -= 2
    return tuple(points)


def next_dealer(rules: Ruleset, hand: Hand) -> int:
    """Q-X1, Q-N6, Q-H4."""
    if hand.maker is None and not hand.forfeited and rules.passed_out == "same_dealer":
        return hand.dealer
    return (hand.dealer + 1) % hand.seats


class Verdict(NamedTuple):
    """The winning sides, or the sides for which a tie-break hand is played, or neither: the game goes on."""

    winners: frozenset[int] = frozenset()
    extra: frozenset[int] = frozenset()


GOES_ON = Verdict()


def _sole(sides: Collection[int], value: Callable[[int], int]) -> int | None:
    """Return the one side with the most, None if several are level."""
    best = max(value(side) for side in sides)
    found = [side for side in sides if value(side) == best]
    return found[0] if len(found) == 1 else None


def _may_win(rules: Ruleset, hand: Hand, side: int) -> bool:
    """Q-C12."""
    if rules.defenders_may_win_on_tricks or hand.maker is None:
        return True
    return side == hand.side(hand.maker) or was_set(rules, hand)


def _both_cross(rules: Ruleset, hand: Hand, scores: Sequence[int], crossed: list[int]) -> Verdict:
    """Q-T3, Q-C11, Q-G22: several sides stand at the target."""
    bidder = None if hand.maker is None else hand.side(hand.maker)
    way = rules.both_cross
    if way == "shared":
        return Verdict(frozenset(crossed))
    if way == "play_on":
        return GOES_ON
    if way == "tiebreak_hand":
        return Verdict(extra=frozenset(crossed))
    if way == "first_left_of_dealer":
        crossed = [next(hand.side(s) for s in clockwise(hand.dealer + 1, hand.seats) if hand.side(s) in crossed)]
    elif way == "bidder_wins":
        crossed = [side for side in crossed if side == bidder] or crossed
    winner = _sole(crossed, lambda side: scores[side])
    return GOES_ON if winner is None else Verdict(frozenset({winner}))


def _after_extra_hand(
    rules: Ruleset, hand: Hand, scores: Sequence[int], tied: frozenset[int], crossed: list[int]
) -> Verdict | None:
    """9.7, Q-G21: None if nobody who may win stands at the target."""
    able = crossed if rules.tiebreak == "totals" else [side for side in crossed if side in tied]
    if not able:
        return None
    worth = hand.points if rules.tiebreak == "hand_points" else scores
    winner = _sole(able, lambda side: worth[side])
    if winner is not None:
        return Verdict(frozenset({winner}))
    best = max(worth[side] for side in able)
    return Verdict(extra=frozenset(side for side in able if worth[side] == best))


def game_end(
    rules: Ruleset, hand: Hand, before: Sequence[int], extra: frozenset[int] = frozenset()
) -> tuple[tuple[int, ...], Verdict]:
    """2.8, 8.6, 9.7: scores after a finished hand, and what they mean; `extra` is whom a tie-break hand was for."""
    scores = tuple(score + points for score, points in zip(before, hand.points, strict=True))
    if hand.maker is None and not hand.forfeited:
        return scores, Verdict(extra=extra)
    crossed = [side for side in range(hand.sides) if scores[side] >= rules.target and _may_win(rules, hand, side)]
    if extra:
        verdict = _after_extra_hand(rules, hand, scores, extra, crossed)
        if verdict is not None:
            return scores, verdict
    if len(crossed) > 1:
        return scores, _both_cross(rules, hand, scores, crossed)
    return scores, Verdict(frozenset(crossed))
