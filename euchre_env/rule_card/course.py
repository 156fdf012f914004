"""The course of a hand: the kinds of decision in order, who is asked, which actions there are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from euchre_env.cards import NO_TRUMP, NUM_CARDS, NUM_SUITS
from euchre_env.engine.layout import (
    ALONE,
    BID,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
    action_name,
)
from euchre_env.rule_card.options import (
    NUMBERS,
    alone_with_call,
    dealer_names,
    is_polled,
    maker_is_asked,
    section_of,
    sentence,
)
from euchre_env.rule_card.points import bids_of
from euchre_env.ruleset import Ruleset


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
    trumps = [*range(NUM_SUITS), *([NO_TRUMP] if no_trump and rules.allow_no_trump != "off" else [])]
    if no_trump and rules.allow_no_trump == "high_low":
        trumps.append(NO_TRUMP + 1)
    return [start + trump for trump in trumps]


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


def _of_seats(rules: Ruleset, clause: str) -> tuple[str, ...]:
    """Return a clause of section 2, with the section of a game for two or three."""
    return (clause,) if rules.partners else (clause, section_of(rules))


def _order_up_step(rules: Ruleset) -> Step:
    alone = alone_with_call(rules) or rules.canadian_loner
    actions = (PASS, ORDER_UP, ORDER_UP_ALONE) if alone else (PASS, ORDER_UP)
    note = sentence(
        "the first order makes the up-card's suit trump",
        f"the joker proposes {rules.joker_up}" if rules.joker and not dealer_names(rules) else "",
        "the dealer's partner orders alone or not at all" if rules.canadian_loner else "",
        "with a card of that suit in hand" if rules.natural_trump_required else "",
    )
    clause = [
        *_of_seats(rules, "2.3"),
        *(["3"] if alone_with_call(rules) else []),
        *(["7.3"] if rules.joker and not dealer_names(rules) else []),
        *(["Q-N28"] if rules.canadian_loner else []),
    ]
    return Step(Phase.ORDER_UP, "every seat in turn, from the dealer's left", actions, note, ", ".join(clause))


def _joker_step(rules: Ruleset) -> Iterator[Step]:
    if not dealer_names(rules):
        return
    blind = rules.joker_up != "look_dealer"
    actions = _calls(rules, CALL, no_trump=False)
    if alone_with_call(rules) and not blind:
        actions += _calls(rules, CALL_ALONE, no_trump=False)
    note = sentence(
        "before anybody looks at his cards" if blind else "on sight of his cards",
        "the joker is set aside" if rules.joker_up == "set_aside" else "he takes the joker and buries another card",
    )
    yield Step(Phase.CALL, "the dealer, when the joker is up: nobody bids", tuple(actions), note, "4.3, Q-B1")


def _thrown_in(rules: Ruleset) -> str:
    dealer = "the next player deals" if rules.passed_out == "next_dealer" else "the same dealer deals"
    return f"when all pass the hand is thrown in and {dealer}"


def _call_step(rules: Ruleset) -> Step:
    actions = [PASS, *_calls(rules, CALL, no_trump=True)]
    if alone_with_call(rules):
        actions += _calls(rules, CALL_ALONE, no_trump=True)
    if rules.stick_the_dealer == "forfeit":
        actions.append(FORFEIT)
    stuck = {
        "off": _thrown_in(rules),
        "on": "the dealer must call",
        "forfeit": "the dealer must call, or give the others a point",
    }
    natural = "with a card of that suit in hand" if rules.natural_trump_required else ""
    note = sentence("not the suit turned down", natural, stuck[rules.stick_the_dealer])
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
    unless = ", unless his partner plays alone" if alone_with_call(rules) or rules.canadian_loner else ""
    joker = " or his call for the joker" if dealer_names(rules) and rules.joker_up != "set_aside" else ""
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
            ("the maker", maker_is_asked(rules)),
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
    if rules.dummy != "off" and is_polled(rules):
        note = "alone is without his dummy"
        who = "the maker, then the other" if rules.defend_alone != "off" else "the maker"
        yield Step(Phase.DECLARE, who, (ALONE, WITH_PARTNER), note, section_of(rules))


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
        yield Step(Phase.DISCARD, who, rules.deck_ids, _DUMMIES[rules.dummy], f"{section_of(rules)}, Q-H2, Q-T2")


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
    first = {"8": "8.4", "9": "9.5"}.get(section_of(rules), "2.6")
    clause = ["1.4", "1.5", first, *(["Q-X4"] if rules.renege == "penalty" else []), *(["Q-X3"] if stop else [])]
    note = sentence(lead, follow, moon, stop)
    return Step(Phase.PLAY, "clockwise, the winner of a trick leads", rules.deck_ids, note, ", ".join(clause))


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
    forced = _FORCED[rules.forced_dealer].replace("three passes", f"{NUMBERS[rules.num_seats - 1]} passes")
    note = sentence(
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


def course_of(rules: Ruleset) -> Iterator[Step]:
    """Yield the kinds of decision in the order of a hand."""
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
