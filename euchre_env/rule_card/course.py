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
    names_blind,
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
    cards = "nothing but" if rules.farmers_cards == "all" else "three or more"
    note = sentence(
        f"a hand of {cards} tens and lower may claim",
        "the same dealer deals again" if redeal else "one swap in a deal",
        "nobody is asked when the joker has the dealer name trump" if dealer_names(rules) else "",
    )
    clause = "Q-N22, Q-B1" if dealer_names(rules) else "Q-N22"
    yield Step(Phase.CLAIM, "every seat, from the dealer's left", (DECLINE, claim), note, clause)
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
    blind = names_blind(rules)
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
        "any_of_six": f"he takes the up-card and buries any of his {NUMBERS[rules.hand_size + 1]}",
    }[rules.dealer_pickup]
    actions = (*rules.deck_ids, DECLINE) if rules.dealer_pickup == "optional" else rules.deck_ids
    unless = ", unless his partner plays alone" if alone_with_call(rules) or rules.canadian_loner else ""
    joker = " or his call for the joker" if dealer_names(rules) and rules.joker_up != "set_aside" else ""
    about_joker = _pickup_of_joker(rules)
    clause = ["2.3", "Q-N3", *(["Q-B3" if dealer_names(rules) else "7.3"] if about_joker else [])]
    who = f"the dealer, after an order{joker}{unless}"
    return Step(Phase.DISCARD, who, actions, sentence(note, about_joker), ", ".join(clause))


def _pickup_of_joker(rules: Ruleset) -> str:
    """7.3: the joker is taken where another up-card may be declined; Q-B3: named trump for, it stays in hand."""
    if not rules.joker or rules.joker_up == "set_aside":
        return ""
    if rules.dealer_pickup == "optional":
        return "the joker he takes in any case and keeps"
    return "the joker he keeps" if rules.dealer_pickup == "any_of_six" and dealer_names(rules) else ""


_DEFENDERS_IN_ORDER = {
    "maker_side_then_defenders": "the defenders from the maker's left",
    "clockwise_from_leader": "the defenders",
    "maker_then_dealers_left": "the defenders from the dealer's left",
}


def _asked_makers(rules: Ruleset) -> list[str]:
    """2.5, Q-B1: who of the makers is asked about going alone."""
    blind_alone = alone_with_call(rules) and names_blind(rules)
    maker = "the dealer, if he named trump blind for the joker" if blind_alone else "the maker"
    partner = rules.alone_scope == "maker_side"
    return [*([maker] if maker_is_asked(rules) else []), *(["the maker's partner"] if partner else [])]


def _asked_defenders(rules: Ruleset) -> list[str]:
    against = " against a loner" if rules.defend_alone == "vs_loner" else ""
    return [_DEFENDERS_IN_ORDER[rules.poll] + against] if rules.defend_alone != "off" else []


def _alone_steps(rules: Ruleset) -> Iterator[Step]:
    """2.5, 7.5: a loner's exchange comes before the next seat is asked."""
    if not rules.partners:
        yield from _without_dummy_step(rules)
        return
    makers, defenders = _asked_makers(rules), _asked_defenders(rules)
    if rules.best_exchange == "off" or rules.poll == "clockwise_from_leader":
        yield from _declare_step(rules, [*makers, *defenders])
        yield from _best_steps(rules, "who plays alone")
        return
    yield from _declare_step(rules, makers)
    if rules.alone_scope != "none":
        yield from _best_steps(rules, "a loner of the makers")
    yield from _declare_step(rules, defenders)
    if rules.defend_alone != "off":
        yield from _best_steps(rules, "a loner of the defenders")


def _declare_step(rules: Ruleset, asked: Sequence[str]) -> Iterator[Step]:
    if not asked:
        return
    clockwise = rules.poll == "clockwise_from_leader"
    who = ("clockwise from the dealer's left: " if clockwise else "") + ", ".join(asked)
    exchanges = "a loner exchanges before the next seat is asked" if clockwise and rules.best_exchange != "off" else ""
    note = sentence(_said_with_call(rules, asked), "a loner's partner is not asked and sits out", exchanges)
    against = rules.defend_alone == "vs_loner" and _asked_defenders(rules)[0] in asked
    clause = [
        "2.5",
        "Q-N8",
        "Q-N9",
        *(["Q-B1"] if _said_with_call(rules, asked) else []),
        *(["7.4"] if against else []),
    ]
    yield Step(Phase.DECLARE, who, (ALONE, WITH_PARTNER), note, ", ".join(clause))


def _said_with_call(rules: Ruleset, asked: Sequence[str]) -> str:
    """Q-B1: what holds for makers who are not asked because they have said it."""
    told = alone_with_call(rules) and maker_is_asked(rules) and _asked_makers(rules)[0] in asked
    return "any other maker says it with his call" if told else ""


def _without_dummy_step(rules: Ruleset) -> Iterator[Step]:
    asked = [*_asked_makers(rules), *(["the other"] if rules.defend_alone != "off" else [])]
    if rules.dummy == "off" or not asked:
        return
    note = sentence("alone is without his dummy", _said_with_call(rules, asked))
    clause = section_of(rules) + (", Q-B1" if _said_with_call(rules, asked) else "")
    yield Step(Phase.DECLARE, ", then ".join(asked), (ALONE, WITH_PARTNER), note, clause)


def _best_steps(rules: Ruleset, loner: str) -> Iterator[Step]:
    if rules.best_exchange == "off" or not (is_polled(rules) or alone_with_call(rules)):
        return
    cards, clause = rules.deck_ids, "7.5, Q-R2"
    note = sentence(
        "his best card, face down; the dealer also the up-card if it lies there still",
        "no joker set aside" if rules.joker and rules.joker_up == "set_aside" else "",
    )
    give = Step(Phase.GIVE, "the loner's partner", cards, note, clause)
    if rules.best_exchange == "discard_first":
        yield Step(Phase.DISCARD, loner, (*cards, DECLINE), "a card for his partner's best", clause)
        yield give
        return
    yield Step(Phase.SWAP, loner, (SWAP, DECLINE), "asks for his partner's best card", clause)
    yield give
    yield Step(Phase.DISCARD, loner, cards, f"one of {NUMBERS[rules.hand_size + 1]}", clause)


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
        yield from _alone_steps(rules)
        yield from _dummy_step(rules)
    yield _play_step(rules)
