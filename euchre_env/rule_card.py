"""The rule card of a ruleset: what is played with what, phases and actions, scoring, the end, sources; as values.

All of it is derived from the options; the points are asked of the engine. `commands/rules.py` prints a card,
`docs/generate.py` writes all of them to docs/rulesets.md.

>>> card = rule_card("cincinnati")
>>> card.summary
'four in pairs, 24 cards, an auction, to 32; forced dealer; no-trump'
>>> [(row.who, row.tricks_words, row.makers_words, row.others_words) for row in card.scoring][:2]
[('3', '3 or more', 'own tricks', 'own tricks'), ('3', '2 or fewer', '-3', 'own tricks')]
"""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from euchre_env import rulesets
from euchre_env.cards import NO_TRUMP, NUM_CARDS, NUM_RANKS, NUM_SUITS, RANKS
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import (
    ALONE,
    BID,
    BID_NAMES,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    MOON,
    MOON_STAKES,
    NONE,
    NUM_BIDS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    STATE,
    SWAP,
    WITH_PARTNER,
    Phase,
    action_name,
)
from euchre_env.engine.score import score_hand
from euchre_env.ruleset import Ruleset, applies

_SUITS = range(NUM_SUITS)
_SIX = BID_NAMES.index("6")
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
_LOWEST = {24: "nines", 28: "eights", 32: "sevens"}

# What a one-line summary says of an option's value beyond seats, pack, kind and target.
_PHRASES: dict[tuple[str, Any], str] = {
    ("joker_up", "blind_dealer"): "the dealer names trump blind for a joker",
    ("joker_up", "look_dealer"): "the dealer names trump for a joker",
    ("alone_timing", "with_call"): "alone with the call",
    ("alone_timing", "after_trump"): "alone after trump is made",
    ("defend_alone", "always"): "a defender too",
    ("defend_alone", "vs_loner"): "a defender against a loner",
    ("stick_the_dealer", "on"): "stick the dealer",
    ("stick_the_dealer", "forfeit"): "a stuck dealer may forfeit",
    ("dealer_pickup", "mandatory"): "the dealer must take the card",
    ("dealer_pickup", "any_of_six"): "the dealer buries any of six",
    ("canadian_loner", True): "Canadian loner",
    ("farmers_hand", "redeal"): "farmer's hand",
    ("farmers_hand", "swap3"): "farmer's swap",
    ("best_exchange", "discard_first"): "partner's best card",
    ("best_exchange", "receive_first"): "partner's best card",
    ("dummy", "two_card"): "a dummy of two",
    ("dummy", "three_card"): "dummies of three",
    ("dummy", "five_card"): "a dummy hand",
    ("auction", "with_trump"): "trump named with the bid",
    ("swap", "own_turn"): "a ghost hand to swap with",
    ("defenders_score_tricks", "only_if_bid_made"): "defenders score their tricks if the bid was made",
    ("defenders_score_tricks", "never"): "defenders score no tricks",
    ("forced_dealer", "min_or_more"): "forced dealer",
    ("forced_dealer", "exactly_min"): "forced dealer",
    ("allow_no_trump", "high"): "no-trump",
    ("allow_no_trump", "high_low"): "no-trump high and low",
    ("laps", True): "laps",
    ("slams", True): "slams",
    ("rubber", True): "a rubber",
    ("renege", "penalty"): "reneges cost two",
}


@dataclass(frozen=True)
class Fact:
    """A sentence of a card with its clauses."""

    label: str
    text: str
    clause: str


@dataclass(frozen=True)
class Step:
    """A kind of decision in the course of a hand: who is asked, which actions there are."""

    phase: Phase
    who: str
    actions: tuple[int, ...]
    note: str
    clause: str

    @property
    def name(self) -> str:
        """The phase in words."""
        return self.phase.name.lower().replace("_", " ")

    @property
    def actions_words(self) -> str:
        """The actions as players say them, cards and suits summed up."""
        return ", ".join(_action_words(self.actions))


@dataclass(frozen=True)
class ScoreRow:
    """What a hand is worth when the makers take `low` to `high` tricks; points by trick, for each other side too."""

    who: str
    bid: int  # an index of BID_NAMES, -1 with an up-card
    alone: tuple[bool, bool]  # a maker, a defender
    low: int
    high: int
    makers: tuple[int, ...]
    others: tuple[int, ...]
    hand_size: int
    clause: str

    @property
    def tricks_words(self) -> str:
        """The makers' tricks."""
        return _range_words(self.low, self.high, self.hand_size)

    @property
    def makers_words(self) -> str:
        """The makers' points."""
        return _points_words(self.makers, range(self.low, self.high + 1))

    @property
    def others_words(self) -> str:
        """The points of each other side, by its own tricks."""
        return _points_words(self.others, [self.hand_size - made for made in range(self.low, self.high + 1)])


@dataclass(frozen=True)
class RuleCard:
    """A ruleset as a page."""

    rules: Ruleset
    summary: str
    play: tuple[Fact, ...]
    steps: tuple[Step, ...]
    scoring: tuple[ScoreRow, ...]
    end: tuple[Fact, ...]
    options: tuple[Fact, ...]  # those that differ from the family's default
    sources: tuple[tuple[str, tuple[str, ...]], ...]  # key and the clauses in which it stands

    @property
    def scoring_heads(self) -> tuple[str, str, str, str]:
        """What stands above the columns of the scoring table."""
        many = self.rules.partners
        side = ("bidders" if many else "bidder") if self.rules.auction != "off" else "makers" if many else "maker"
        others = "defenders" if many else "the other" if self.rules.num_seats == 2 else "each of the others"
        tricks = f"{side}' tricks" if many else f"{side}'s tricks"
        return "bid" if self.rules.auction != "off" else "who plays", tricks, side, others


def reads(rules: Ruleset, option: str) -> bool:
    """Whether an option matters in this game, or in a match of it; a dash stands where it does not."""
    if not applies(rules, option):
        return False
    turn_up, loners = rules.auction == "off", rules.alone_scope != "none"
    needed = {
        "passed_out": rules.stick_the_dealer == "off" if turn_up else rules.forced_dealer == "off",
        "alone_scope": rules.partners or rules.dummy == "three_card" or rules.dummy == "five_card",
        "alone_timing": loners,
        "defend_alone": rules.partners or rules.dummy == "three_card",
        "poll": rules.partners and _is_polled(rules),
        "canadian_loner": rules.partners and loners,
        "best_exchange": rules.partners and (loners or rules.defend_alone != "off"),
        "dummy": not rules.partners,
        "loner_march_points": loners,
        "lone_euchre_points": loners,
        "lone_defender_scoring": rules.defend_alone != "off",
        "overbid_partner": rules.partners and rules.moon_ladder != "single",
        "moon_points": rules.moon_ladder == "single",
        "swap": rules.num_seats == 3,
        "rubber": rules.partners,
    }
    return needed.get(option, True)


def _is_polled(rules: Ruleset) -> bool:
    """2.5: whether anybody is asked about going alone once trump is made."""
    return _maker_is_asked(rules) or rules.alone_scope == "maker_side" or rules.defend_alone != "off"


def _maker_is_asked(rules: Ruleset) -> bool:
    blind = rules.joker and rules.joker_up in ("blind_dealer", "set_aside")
    return rules.alone_scope != "none" and (rules.alone_timing == "after_trump" or blind)


def differences(rules: Ruleset) -> tuple[Fact, ...]:
    """Return the options that differ from the family's defaults, with meaning and clause."""
    return tuple(
        Fact(f"{spec.name}={getattr(rules, spec.name)}", spec.metadata["meaning"], spec.metadata["clause"])
        for spec in dataclasses.fields(Ruleset)
        if spec.name != "name" and getattr(rules, spec.name) != spec.default
    )


def _section(rules: Ruleset) -> str:
    """Return the section of the rule book that has games of this shape."""
    if rules.auction != "off":
        return "8" if rules.partners else "9"
    return {2: "5", 3: "6"}.get(rules.num_seats, "2")


# What is played with what.


def _pack(rules: Ruleset) -> str:
    plain = rules.deck - rules.joker
    joker = "" if not rules.joker else " and the joker, the highest trump"
    stands = f" ({rules.joker_card} stands for it)" if rules.joker and rules.joker_card != "JK" else ""
    return f"{rules.deck} cards, {_LOWEST[plain]} up{joker}{stands}"


def _ranks(rules: Ruleset) -> str:
    plain = " ".join(reversed(RANKS[NUM_RANKS - (rules.deck - rules.joker) // NUM_SUITS :]))
    low = ", at low no-trump the other way round" if rules.allow_no_trump == "high_low" else ""
    return _sentence(
        f"trump: {'joker, ' * rules.joker}right bower, left bower, {plain.replace('J ', '')}",
        f"other suits: {plain}",
        f"at no-trump every suit {plain}{low}" if rules.allow_no_trump != "off" else "",
    )


def _deal(rules: Ruleset) -> str:
    packets = {"ones": "one at a time", "alternating": "3-2-3-2, then 2-3-2-3"}
    words = packets.get(rules.packets, rules.packets + "-2" * (rules.hand_size == 7))
    parts = [f"{_NUMBERS[rules.hand_size]} each, {words}, from the dealer's left"]
    if rules.dealt_places > rules.num_seats:
        kind = "a ghost hand" if rules.auction != "off" else "a dummy hand"
        parts.append(f"{kind} too, to the dealer's right")
    if rules.auction == "off":
        parts.append("the next card is turned up")
    if rules.dummy in ("two_card", "three_card"):
        parts.append("two cards for a dummy" if rules.dummy == "two_card" else "two dummies of three cards")
    parts.append(f"{rules.num_buried} stay face down" if rules.num_buried else "nothing is left over")
    return "; ".join(parts)


def _first_dealer(rules: Ruleset) -> str:
    if rules.dealer_selection == "random":
        return "a seat by chance"
    if rules.fixed_dealer is not None:
        return f"seat {rules.fixed_dealer}"
    pairs = "the two lowest play the two highest, " if rules.partners else ""
    return f"a match draws: {pairs}the lowest deals (the ace is low); a single game takes a seat by chance"


def _play_facts(rules: Ruleset) -> Iterator[Fact]:
    seats = _NUMBERS[rules.num_seats]
    together = "partners opposite" if rules.partners else "each for himself"
    section = _section(rules)
    deal = {"2": "2.2", "8": "8.1", "9": "9.1"}.get(section, section)
    yield Fact("seats", f"{seats}, {together}", "1.2")
    yield Fact("pack", _pack(rules), "1.1, 4.1, 4.2" if rules.joker else "1.1")
    yield Fact("rank", _ranks(rules), "1.3" if rules.allow_no_trump == "off" else "1.3, 1.6")
    yield Fact("deal", _deal(rules), f"1.2, {deal}" if deal != "1.2" else deal)
    yield Fact("first dealer", _first_dealer(rules), "1.7, Q-X2" if rules.dealer_selection == "draw" else "1.7")
    yield Fact("next dealers", "to the left", "Q-X1")


# The course of a hand.


def _action_words(actions: Sequence[int]) -> Iterator[str]:
    """Yield actions in words: cards as one, the four suits as one, bids by their names."""
    done: set[str] = set()
    for action in actions:
        word = action_name(action)
        if action < NUM_CARDS:
            word = "a card"
        elif CALL <= action < CALL + NUM_SUITS:
            word = "call a suit"
        elif CALL_ALONE <= action < CALL_ALONE + NUM_SUITS:
            word = "call a suit alone"
        if word not in done:
            done.add(word)
            yield word


def _calls(rules: Ruleset, start: int, no_trump: bool) -> list[int]:
    trumps = [*_SUITS, *([NO_TRUMP] if no_trump and rules.allow_no_trump != "off" else [])]
    if no_trump and rules.allow_no_trump == "high_low":
        trumps.append(NO_TRUMP + 1)
    return [start + trump for trump in trumps]


def _sentence(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _claim_steps(rules: Ruleset) -> Iterator[Step]:
    if rules.farmers_hand == "off":
        return
    redeal = rules.farmers_hand == "redeal"
    claim = CLAIM_REDEAL if redeal else SWAP
    note = "tens and lower alone may claim" + ("; the same dealer deals again" if redeal else "")
    yield Step(Phase.CLAIM, "every seat, from the dealer's left", (DECLINE, claim), note, "Q-N22")
    if not redeal:
        note = "three cards, then takes the three buried ones"
        yield Step(Phase.DISCARD, "who swaps", rules.deck_ids, note, "Q-N22")


def _dealer_names(rules: Ruleset) -> bool:
    return rules.joker and rules.joker_up in ("blind_dealer", "look_dealer", "set_aside")


def _alone_with_call(rules: Ruleset) -> bool:
    return rules.alone_timing == "with_call" and rules.alone_scope != "none"


def _of_seats(rules: Ruleset, clause: str) -> tuple[str, ...]:
    """Return a clause of section 2, with the section of a game for two or three."""
    return (clause,) if rules.partners else (clause, _section(rules))


def _order_up_step(rules: Ruleset) -> Step:
    alone = _alone_with_call(rules) or rules.canadian_loner
    actions = (PASS, ORDER_UP, ORDER_UP_ALONE) if alone else (PASS, ORDER_UP)
    note = _sentence(
        "the first order makes the up-card's suit trump",
        f"the joker proposes {rules.joker_up}" if rules.joker and not _dealer_names(rules) else "",
        "the dealer's partner orders alone or not at all" if rules.canadian_loner else "",
        "with a card of that suit in hand" if rules.natural_trump_required else "",
    )
    clause = [
        *_of_seats(rules, "2.3"),
        *(["3"] if _alone_with_call(rules) else []),
        *(["7.3"] if rules.joker and not _dealer_names(rules) else []),
        *(["Q-N28"] if rules.canadian_loner else []),
    ]
    return Step(Phase.ORDER_UP, "every seat in turn, from the dealer's left", actions, note, ", ".join(clause))


def _joker_step(rules: Ruleset) -> Iterator[Step]:
    if not _dealer_names(rules):
        return
    blind = rules.joker_up != "look_dealer"
    actions = _calls(rules, CALL, no_trump=False)
    if _alone_with_call(rules) and not blind:
        actions += _calls(rules, CALL_ALONE, no_trump=False)
    note = _sentence(
        "before anybody looks at his cards" if blind else "on sight of his cards",
        "the joker is set aside" if rules.joker_up == "set_aside" else "he takes the joker and buries another card",
    )
    yield Step(Phase.CALL, "the dealer, when the joker is up: nobody bids", tuple(actions), note, "4.3, Q-B1")


def _thrown_in(rules: Ruleset) -> str:
    dealer = "the next player deals" if rules.passed_out == "next_dealer" else "the same dealer deals"
    return f"when all pass the hand is thrown in and {dealer}"


def _call_step(rules: Ruleset) -> Step:
    actions = [PASS, *_calls(rules, CALL, no_trump=True)]
    if _alone_with_call(rules):
        actions += _calls(rules, CALL_ALONE, no_trump=True)
    if rules.stick_the_dealer == "forfeit":
        actions.append(FORFEIT)
    stuck = {
        "off": _thrown_in(rules),
        "on": "the dealer must call",
        "forfeit": "the dealer must call, or give the others a point",
    }
    natural = "with a card of that suit in hand" if rules.natural_trump_required else ""
    note = _sentence("not the suit turned down", natural, stuck[rules.stick_the_dealer])
    return Step(
        Phase.CALL,
        "every seat in turn, when all have passed",
        tuple(actions),
        note,
        ", ".join([*_of_seats(rules, "2.4"), "Q-N4", "Q-N7"]),
    )


def _pickup_step(rules: Ruleset) -> Step:
    note = {
        "optional": "ordered by another he may decline; the up-card itself stays",
        "mandatory": "he takes the up-card and buries another card",
        "any_of_six": "he takes the up-card and buries any of his six",
    }[rules.dealer_pickup]
    actions = (*rules.deck_ids, DECLINE) if rules.dealer_pickup == "optional" else rules.deck_ids
    unless = ", unless his partner plays alone" if _alone_with_call(rules) or rules.canadian_loner else ""
    joker = " or his call for the joker" if _dealer_names(rules) and rules.joker_up != "set_aside" else ""
    return Step(Phase.DISCARD, f"the dealer, after an order{joker}{unless}", actions, note, "2.3, Q-N3")


_DEFENDERS_IN_ORDER = {
    "maker_side_then_defenders": "the defenders from the maker's left",
    "clockwise_from_leader": "the defenders",
    "maker_then_dealers_left": "the defenders from the dealer's left",
}


def _declare_step(rules: Ruleset) -> Iterator[Step]:
    if not rules.partners:
        yield from _without_dummy_step(rules)
        return
    against = " against a loner" if rules.defend_alone == "vs_loner" else ""
    asked = [
        word
        for word, applied in (
            ("the maker", _maker_is_asked(rules)),
            ("his partner", rules.alone_scope == "maker_side"),
            (_DEFENDERS_IN_ORDER[rules.poll] + against, rules.defend_alone != "off"),
        )
        if applied
    ]
    if not asked:
        return
    clockwise = "clockwise from the dealer's left: " if rules.poll == "clockwise_from_leader" else ""
    note = "a loner's partner is not asked and sits out"
    clause = "2.5, Q-N8, Q-N9, 7.4" if against else "2.5, Q-N8, Q-N9"
    yield Step(Phase.DECLARE, clockwise + ", ".join(asked), (ALONE, WITH_PARTNER), note, clause)


def _without_dummy_step(rules: Ruleset) -> Iterator[Step]:
    if rules.dummy != "off" and _is_polled(rules):
        note = "alone is without his dummy"
        who = "the maker, then the other" if rules.defend_alone != "off" else "the maker"
        yield Step(Phase.DECLARE, who, (ALONE, WITH_PARTNER), note, _section(rules))


def _best_steps(rules: Ruleset) -> Iterator[Step]:
    if rules.best_exchange == "off":
        return
    cards, clause = rules.deck_ids, "7.5, Q-R2"
    note = "his best card, face down; the dealer also the up-card if it lies there still"
    give = Step(Phase.GIVE, "the loner's partner", cards, note, clause)
    if rules.best_exchange == "discard_first":
        yield Step(Phase.DISCARD, "who plays alone", (*cards, DECLINE), "a card for his partner's best", clause)
        yield give
        return
    yield Step(Phase.SWAP, "who plays alone", (SWAP, DECLINE), "asks for his partner's best card", clause)
    yield give
    yield Step(Phase.DISCARD, "who plays alone", cards, "one of six", clause)


_DUMMIES = {
    "two_card": "the maker takes the dummy's two cards and keeps five",
    "three_card": "each takes his dummy's three cards and keeps five, the maker first",
    "five_card": "the maker takes the dummy hand and keeps five",
}


def _dummy_step(rules: Ruleset) -> Iterator[Step]:
    if rules.dummy != "off":
        who = "maker and opponent" if rules.dummy == "three_card" else "the maker"
        yield Step(Phase.DISCARD, who, rules.deck_ids, _DUMMIES[rules.dummy], f"{_section(rules)}, Q-H2, Q-T2")


_LEADS = {
    "left_of_dealer": "the dealer's left leads, or the next who plays",
    "left_of_loner": "a loner's left leads, of two loners the defender, else the dealer's left",
    "bidder": "the bidder leads",
    "left_of_maker": "the maker's left leads",
}


def _play_step(rules: Ruleset) -> Step:
    lead = _LEADS[rules.lead_rule]
    moon = "in a moon the bidder's partner sits out" if rules.auction != "off" and rules.partners else ""
    follow = "any card may be played, a renege costs two points" if rules.renege == "penalty" else "follow suit if able"
    stop = "the hand ends once no trick can change the points" if rules.stop_when_decided else ""
    first = {"8": "8.4", "9": "9.5"}.get(_section(rules), "2.6")
    clause = ["1.4", "1.5", first, *(["Q-X4"] if rules.renege == "penalty" else []), *(["Q-X3"] if stop else [])]
    note = _sentence(lead, follow, moon, stop)
    return Step(Phase.PLAY, "clockwise, the winner of a trick leads", rules.deck_ids, note, ", ".join(clause))


def bids_of(rules: Ruleset) -> list[int]:
    """Return the bids of an auction, low to high, as indices of BID_NAMES (8.2, 10.1)."""
    top = MOON if rules.moon_ladder == "single" else NUM_BIDS - 1
    return [bid for bid in range(top + 1) if bid != _SIX or rules.six_bid]


_FORCED = {
    "off": "",
    "min_or_more": "after three passes the dealer must bid",
    "exactly_min": "after three passes the dealer must bid three",
}
_LADDERS = {
    "single": "a moon ends the auction",
    "sequential": "a moon is doubled step by step",
    "free": "higher moons may be bid at once",
}


def _bid_step(rules: Ruleset) -> Step:
    swap = rules.swap == "own_turn"
    forced = _FORCED[rules.forced_dealer].replace("three passes", f"{_NUMBERS[rules.num_seats - 1]} passes")
    note = _sentence(
        "higher than the bid before",
        _LADDERS[rules.moon_ladder],
        "not over one's partner's moon" if not rules.overbid_partner else "",
        forced or _thrown_in(rules),
        "before his call a seat may take the ghost hand, once in a deal" if swap else "",
    )
    who = (
        "every seat once, from the dealer's left"
        if rules.first_bidder == "left_of_dealer"
        else "every seat once, the dealer first"
    )
    actions = (PASS, *(BID + bid for bid in bids_of(rules)), *([SWAP] if swap else []))
    return Step(Phase.BID, who, actions, note, "8.2" if rules.partners else "9.3")


def _name_step(rules: Ruleset) -> Step:
    at_once = rules.auction == "with_trump"
    who = "every bidder, with his bid" if at_once else "the highest bidder"
    clause = "10.1, Q-C14" if at_once else "8.3" if rules.partners else "9.4"
    return Step(Phase.NAME_TRUMP, who, tuple(_calls(rules, CALL, no_trump=True)), "", clause)


def _steps(rules: Ruleset) -> Iterator[Step]:
    yield from _claim_steps(rules)
    if rules.auction != "off":
        yield _bid_step(rules)
        yield _name_step(rules)
    else:
        yield from _joker_step(rules)
        yield _order_up_step(rules)
        yield _pickup_step(rules)
        yield _call_step(rules)
        yield from _declare_step(rules)
        yield from _best_steps(rules)
        yield from _dummy_step(rules)
    yield _play_step(rules)


# The scoring table: the engine is asked what every number of tricks is worth.


@kernel
def _score(options: Any, states: Any) -> None:
    for i in range(states.size):
        score_hand(options[0], states[i])


def points_of(rules: Ruleset, bid: int, alone: tuple[bool, bool]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the engine's points of the makers and of another side, by the tricks of the makers, 0 to all.

    Seat 0 makes trump, seat 1 takes the other tricks; `alone` says whether either plays alone.
    """
    made = np.arange(rules.hand_size + 1)
    states = np.zeros(made.size, dtype=STATE)
    states["bid"], states["upcard"] = bid, NONE
    states["alone"] = alone[0] | alone[1] << 1
    states["tricks"][:, 0], states["tricks"][:, 1] = made, rules.hand_size - made
    _score(rules.to_options(), states)
    makers, others = states["points"][:, 0].tolist(), states["points"][:, 1].tolist()
    return tuple(makers), tuple(others)


def _runs(makers: Sequence[int], others: Sequence[int], by_trick: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges of tricks, from the most, in which the points stay or, in auctions, go trick by trick."""
    high = len(makers) - 1
    for low in range(len(makers) - 1, -1, -1):
        span = range(low - 1, high + 1)
        if low == 0 or not all(_goes_on(points, span, by_trick) for points in (makers, [-p for p in others])):
            yield low, high
            high = low - 1


def _goes_on(points: Sequence[int], span: range, by_trick: bool) -> bool:
    steps = {points[made + 1] - points[made] for made in span[:-1]}
    return steps == {0} or (by_trick and steps == {1})


def _situations(rules: Ruleset) -> Iterator[tuple[str, int, tuple[bool, bool]]]:
    """Yield who plays: in words, the bid, who is alone."""
    if rules.auction != "off":
        for bid in bids_of(rules):
            yield BID_NAMES[bid], bid, (bid >= MOON and rules.partners, False)
        return
    maker, defender = rules.alone_scope != "none", rules.defend_alone
    alone = "alone" if rules.partners else "without his dummy"
    yield "all play", NONE, (False, False)
    if maker:
        yield f"maker {alone}", NONE, (True, False)
    if defender == "always":
        yield f"defender {alone}", NONE, (False, True)
    if maker and defender != "off":
        yield f"maker and defender {alone}", NONE, (True, True)


def _scoring(rules: Ruleset) -> Iterator[ScoreRow]:
    for who, bid, alone in _situations(rules):
        makers, others = points_of(rules, bid, alone)
        for low, high in _runs(makers, others, by_trick=bid != NONE):
            span = slice(low, high + 1)
            clause = _score_clause(rules, bid, alone)
            yield ScoreRow(who, bid, alone, low, high, makers[span], others[span], rules.hand_size, clause)


def _score_clause(rules: Ruleset, bid: int, alone: tuple[bool, bool]) -> str:
    section = _section(rules)
    if section == "8":
        return "10.1" if bid == _SIX or (bid == MOON and rules.moon_points != MOON_STAKES[0]) else "8.5"
    if section == "2":
        return "2.7, Q-N13" if alone[1] else "2.7, Q-N14" if alone[0] else "2.7"
    return "9.6" if section == "9" else section


def _range_words(low: int, high: int, most: int) -> str:
    if low == high:
        return f"all {most}" if low == most else "none" if low == 0 else str(low)
    if low == 0:
        return f"{high} or fewer"
    if high == most:
        return f"{low} or more"
    return f"{low} or {high}" if high == low + 1 else f"{low} to {high}"


def _points_words(points: Sequence[int], tricks: Sequence[int]) -> str:
    if len(set(points)) == 1 and (len(points) > 1 or points[0] != tricks[0] or points[0] == 0):
        return f"{points[0]:+d}" if points[0] else "0"
    beyond = points[0] - tricks[0]
    return "own tricks" if beyond == 0 else f"own tricks {'+' if beyond > 0 else '-'} {abs(beyond)}"


# The end of the game, and what a match adds.

_BOTH_CROSS = {
    "higher_score": "the higher total wins; level, another hand is played",
    "bidder_wins": "the bidding side wins if it is among them, else the higher total",
    "play_on": "hands go on until one side alone stands there",
    "tiebreak_hand": "another hand is played by all",
    "first_left_of_dealer": "the first of them from the dealer's left wins",
    "shared": "all of them win",
}
_TIEBREAKS = {
    "totals": "the highest total at the target wins it, whoever has it; level, another; nobody there, play goes on",
    "tied_only": "of the tied the highest total at the target wins it; level, another; nobody there, play goes on",
    "hand_points": "of the tied the most points in it win; level, another",
}


def _end_facts(rules: Ruleset) -> Iterator[Fact]:
    section = _section(rules)
    clause = {"2": "2.8", "8": "8.6", "9": "9.7"}.get(section, section)
    question = {"8": "Q-C11", "9": "Q-G21"}.get(section, "Q-T3")
    yield Fact("target", f"{rules.target} points, counted after a hand", clause)
    if reads(rules, "both_cross"):
        yield Fact("several there", _BOTH_CROSS[rules.both_cross], f"{clause}, {question}")
    if reads(rules, "tiebreak"):
        yield Fact("tie-break", _TIEBREAKS[rules.tiebreak], "9.7, Q-G21")
    if not rules.defenders_may_win_on_tricks:
        yield Fact("defenders", "win only in a hand whose bid failed", "Q-C12")
    if rules.laps:
        yield Fact("laps", "in a match the winner's points beyond the target start the next game", "7.7, Q-R8")
    if rules.slams:
        yield Fact("slams", "in a match a game whose losers have nil counts twice", "7.7, Q-R8")
    if rules.rubber:
        text = "two games; 3 points for a game whose losers have nil, 2 for one or two, else 1; 2 for the rubber"
        yield Fact("rubber", text, "3")


# Summary and sources.


def _summary(rules: Ruleset) -> str:
    seats = f"{_NUMBERS[rules.num_seats]} {'in pairs' if rules.partners else 'singly'}"
    pack = f"{rules.deck} cards{' with the joker' if rules.joker else ''}"
    kind = "an auction" if rules.auction != "off" else "a card turned up"
    own = [
        phrase
        for (option, value), phrase in _PHRASES.items()
        if getattr(rules, option) == value and reads(rules, option)
    ]
    return "; ".join([f"{seats}, {pack}, {kind}, to {rules.target}", *own])


@cache
def source_keys() -> dict[str, list[str]]:
    """Return `data/sources.json`: by clause of docs/rules.md the sources that it names, S000 to S004 first."""
    text = resources.files("euchre_env").joinpath("data/sources.json").read_text(encoding="utf-8")
    keys: dict[str, list[str]] = json.loads(text)["clauses"]
    return keys


def _sources(clauses: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, list[str]] = {}
    for clause in clauses:
        for key in source_keys().get(clause, ()):
            found.setdefault(key, []).append(clause)
    return tuple((key, tuple(found[key])) for key in sorted(found, key=lambda key: (-len(found[key]), key)))


def rule_card(ruleset: str | Ruleset) -> RuleCard:
    """Return the card of a ruleset; RulesetError names the nearest for an unknown one."""
    rules = rulesets.get(ruleset)
    play, steps, end = tuple(_play_facts(rules)), tuple(_steps(rules)), tuple(_end_facts(rules))
    scoring, options = tuple(_scoring(rules)), differences(rules)
    cited = [fact.clause for fact in (*play, *end)] + [step.clause for step in steps] + [row.clause for row in scoring]
    clauses = sorted({clause for text in cited for clause in text.split(", ")}, key=_clause_order)
    return RuleCard(rules, _summary(rules), play, steps, scoring, end, options, _sources(clauses))


def _clause_order(clause: str) -> tuple[str, tuple[int, ...]]:
    """Sections by number, then questions by letter and number."""
    letters = "".join(char for char in clause if char.isalpha())
    return letters, tuple(int(number) for number in clause.lstrip(f"-{letters}").split("."))
