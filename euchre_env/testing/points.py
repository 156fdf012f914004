"""What a finished hand and game pay, clause by clause, from one record (2.7, 2.8, 5, 6, 8.5, 8.6, 9.6, 9.7, Q-X4)."""

from typing import Any

from euchre_env.engine.layout import BID_NAMES, MOON_STAKES, NONE
from euchre_env.ruleset import Ruleset

_RENEGE = 2
_TRICKS_OF = {"3": 3, "4": 4, "5": 5}


def sides_in(rules: Ruleset, sides: int) -> set[int]:
    """Return a set of sides as ids."""
    return {side for side in range(rules.num_sides) if int(sides) >> side & 1}


def taken_by(rules: Ruleset, record: Any) -> list[int]:
    """Return the tricks of each side."""
    taken = [0] * rules.num_sides
    for seat in range(rules.num_seats):
        taken[rules.side(seat)] += int(record["tricks"][seat])
    return taken


def due_points(rules: Ruleset, record: Any, taken: list[int], reneges: list[int]) -> list[int]:
    """Return what each side scores for these tricks, less two for each renege."""
    if record["maker"] == NONE:
        due = _due_without_maker(rules, record)
    else:
        scored = _due_in_auction if rules.auction != "off" else _due_with_upcard
        due = scored(rules, record, rules.side(int(record["maker"])), taken)
    return [points - _RENEGE * count for points, count in zip(due, reneges, strict=True)]


def _due_without_maker(rules: Ruleset, record: Any) -> list[int]:
    """2.4: a hand thrown in pays nothing; 2.10: the forfeit of a stuck dealer pays the others a point."""
    forfeited = rules.stick_the_dealer == "forfeit"
    return [int(forfeited and side != rules.side(int(record["dealer"]))) for side in range(rules.num_sides)]


def _due_with_upcard(rules: Ruleset, record: Any, makers: int, taken: list[int]) -> list[int]:
    """2.7; 6: a euchre pays each opponent."""
    alone = {rules.side(seat) for seat in range(rules.num_seats) if int(record["alone"]) >> seat & 1}
    made, due = taken[makers], [0] * rules.num_sides
    if made == rules.hand_size:
        due[makers] = rules.loner_march_points if makers in alone else rules.march_points
    elif made > rules.hand_size // 2:
        due[makers] = 1
    else:
        points = _euchre_points(rules, made, makers in alone, bool(alone - {makers}))
        due = [0 if side == makers else points for side in range(rules.num_sides)]
    return due


def _euchre_points(rules: Ruleset, made: int, makers_alone: bool, defender_alone: bool) -> int:
    """2.7, Q-N13, Q-N14, Q-N16: two, or the highest of what else was agreed."""
    options = [2]
    if made == 0:
        options.append(rules.super_euchre_points)
    if makers_alone and not defender_alone:
        options.append(rules.lone_euchre_points)
    if defender_alone:
        options.append({"s004": 4 if made == 0 else 2, "four_for_three": 4, "three": 3}[rules.lone_defender_scoring])
    return max(options)


def bid_is_made(record: Any, taken: int) -> bool:
    """8.5: three, four or five tricks, else all six."""
    return taken >= _TRICKS_OF.get(BID_NAMES[record["bid"]], 6)


def _due_in_auction(rules: Ruleset, record: Any, bidders: int, taken: list[int]) -> list[int]:
    """8.5, 9.6."""
    made = bid_is_made(record, taken[bidders])
    score = {"always": True, "only_if_bid_made": made, "never": False}[rules.defenders_score_tricks]
    due = [tricks if score else 0 for tricks in taken]
    due[bidders] = _bidders_points(rules, BID_NAMES[record["bid"]], taken[bidders], made)
    return due


def _bidders_points(rules: Ruleset, bid: str, taken: int, made: bool) -> int:
    stakes = dict(zip(BID_NAMES[-4:], MOON_STAKES, strict=True)) | {"moon": rules.moon_points}
    if made:
        return taken if bid not in stakes else stakes[bid] + taken * rules.moon_adds_tricks
    price = stakes[bid] if bid in stakes and rules.moon_fail == "stake" else _TRICKS_OF.get(bid, 6)
    return taken * rules.set_bidder_keeps_tricks - price


def _most(totals: Any, among: set[int]) -> set[int]:
    best = max((int(totals[side]) for side in among), default=0)
    return {side for side in among if totals[side] == best}


def due_end(rules: Ruleset, record: Any, tied: set[int], taken: list[int]) -> tuple[set[int], set[int]]:
    """Return who has won after a hand, and between whom the next one is a tie-break; `tied` before this hand."""
    if record["maker"] == NONE and rules.stick_the_dealer != "forfeit":
        return set(), tied
    standing = {side for side in range(rules.num_sides) if record["scores"][side] >= rules.target}
    if not rules.defenders_may_win_on_tricks:
        bidders = rules.side(int(record["maker"]))
        if bid_is_made(record, taken[bidders]):
            standing &= {bidders}
    if tied:
        among = standing if rules.tiebreak == "totals" else standing & tied
        best = _most(record["points" if rules.tiebreak == "hand_points" else "scores"], among)
        if best:
            return (best, set()) if len(best) == 1 else (set(), best)
    return _ordinary_end(rules, record, standing)


def _ordinary_end(rules: Ruleset, record: Any, standing: set[int]) -> tuple[set[int], set[int]]:
    """2.8, 6, 8.6, 9.7: one side at the target wins; of several, as agreed."""
    if len(standing) < 2 or rules.both_cross == "shared":
        return standing, set()
    if rules.both_cross == "tiebreak_hand":
        return set(), standing
    if rules.both_cross == "first_left_of_dealer":
        around = [
            rules.side((int(record["dealer"]) + step) % rules.num_seats) for step in range(1, rules.num_seats + 1)
        ]
        return {next(side for side in around if side in standing)}, set()
    bidders = None if record["maker"] == NONE else rules.side(int(record["maker"]))
    if rules.both_cross == "bidder_wins" and bidders in standing:
        return {bidders}, set()
    best = _most(record["scores"], standing)
    return (best if len(best) == 1 and rules.both_cross != "play_on" else set()), set()
