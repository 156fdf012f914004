"""What is played with what, how the game ends, which options differ, and the summary in one line."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from euchre_env.cards import NUM_RANKS, NUM_SUITS, RANKS
from euchre_env.rule_card.options import NUMBERS, reads, section_of, sentence
from euchre_env.ruleset import Ruleset

_LOWEST = {24: "nines", 28: "eights", 32: "sevens"}

# What a one-line summary says of an option's value beyond seats, pack, kind and target.
_PHRASES: dict[tuple[str, Any], str] = {
    ("hand_size", 7): "seven cards each",
    ("joker_up", "clubs"): "a joker proposes clubs",
    ("joker_up", "diamonds"): "a joker proposes diamonds",
    ("joker_up", "hearts"): "a joker proposes hearts",
    ("joker_up", "spades"): "a joker proposes spades",
    ("joker_up", "blind_dealer"): "the dealer names trump blind for a joker",
    ("joker_up", "look_dealer"): "the dealer looks and names trump for a joker",
    ("joker_up", "set_aside"): "the dealer names trump blind for a joker that is set aside",
    ("alone_timing", "with_call"): "alone with the call",
    ("alone_timing", "after_trump"): "alone after trump is made",
    ("defend_alone", "always"): "a defender too",
    ("defend_alone", "vs_loner"): "a defender against a loner",
    ("stick_the_dealer", "on"): "stick the dealer",
    ("stick_the_dealer", "forfeit"): "a stuck dealer may forfeit",
    ("dealer_pickup", "mandatory"): "the dealer must take the card",
    ("dealer_pickup", "any_of_six"): "the dealer buries any of {held}",
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


def differences(rules: Ruleset) -> tuple[Fact, ...]:
    """Return the options that differ from the family's defaults, with meaning and clause."""
    return tuple(
        Fact(f"{spec.name}={getattr(rules, spec.name)}", spec.metadata["meaning"], spec.metadata["clause"])
        for spec in dataclasses.fields(Ruleset)
        if spec.name != "name" and getattr(rules, spec.name) != spec.default
    )


def _pack(rules: Ruleset) -> str:
    plain = rules.deck - rules.joker
    joker = "" if not rules.joker else " and the joker, the highest trump"
    stands = f" ({rules.joker_card} stands for it)" if rules.joker and rules.joker_card != "JK" else ""
    return f"{rules.deck} cards, {_LOWEST[plain]} up{joker}{stands}"


def _ranks(rules: Ruleset) -> str:
    plain = " ".join(reversed(RANKS[NUM_RANKS - (rules.deck - rules.joker) // NUM_SUITS :]))
    low = ", at low no-trump the other way round" if rules.allow_no_trump == "high_low" else ""
    return sentence(
        f"trump: {'joker, ' * rules.joker}right bower, left bower, {plain.replace('J ', '')}",
        f"other suits: {plain}",
        f"at no-trump every suit {plain}{low}" if rules.allow_no_trump != "off" else "",
    )


def _deal(rules: Ruleset) -> str:
    packets = {"ones": "one at a time", "alternating": "3-2-3-2, then 2-3-2-3"}
    words = packets.get(rules.packets, rules.packets + "-2" * (rules.hand_size == 7))
    parts = [f"{NUMBERS[rules.hand_size]} each, {words}, from the dealer's left"]
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


def _next_dealers(rules: Ruleset) -> Fact:
    passed_out = reads(rules, "passed_out") and rules.passed_out == "same_dealer"
    claimed = rules.farmers_hand == "redeal"
    again = [*(["when all pass"] if passed_out else []), *(["when a farmer's hand claims"] if claimed else [])]
    clause = ["Q-X1", *(["Q-H4" if rules.num_seats == 2 else "Q-N6"] if passed_out else [])]
    text = sentence("to the left", f"the same again {' and '.join(again)}" if again else "")
    return Fact("next dealers", text, ", ".join([*clause, *(["Q-N22"] if claimed else [])]))


def play_facts(rules: Ruleset) -> Iterator[Fact]:
    """Yield seats, pack, ranks, deal and dealers."""
    seats = NUMBERS[rules.num_seats]
    together = "partners opposite" if rules.partners else "each for himself"
    section = section_of(rules)
    deal = {"2": "2.2", "8": "8.1", "9": "9.1"}.get(section, section)
    yield Fact("seats", f"{seats}, {together}", "1.2")
    yield Fact("pack", _pack(rules), "1.1, 4.1, 4.2" if rules.joker else "1.1")
    yield Fact("rank", _ranks(rules), "1.3" if rules.allow_no_trump == "off" else "1.3, 1.6")
    yield Fact("deal", _deal(rules), f"1.2, {deal}" if deal != "1.2" else deal)
    yield Fact("first dealer", _first_dealer(rules), "1.7, Q-X2" if rules.dealer_selection == "draw" else "1.7")
    yield _next_dealers(rules)


_BOTH_CROSS = {
    "higher_score": "the higher total wins; level, another hand is played",
    "bidder_wins": "the bidding side wins if it is among them, else the higher total",
    "play_on": "hands go on until one side alone stands there",
    "tiebreak_hand": "another hand is played by all",
    "first_left_of_dealer": "the first of them from the dealer's left wins",
    "shared": "all of them win",
}
_NONE_OF_THEM = "level, another; none of the tied there, it counts as an ordinary hand"
_TIEBREAKS = {
    "totals": "the highest total at the target wins it, whoever has it; level, another; nobody there, play goes on",
    "tied_only": f"of the tied at the target the highest total wins it; {_NONE_OF_THEM}",
    "hand_points": f"of the tied at the target the most points in that hand win it; {_NONE_OF_THEM}",
}


def end_facts(rules: Ruleset) -> Iterator[Fact]:
    """Yield the target, what happens when several reach it, and what a match adds."""
    section = section_of(rules)
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
        text = "in a match the winner's points beyond the target start the next game; a whole target is a game"
        yield Fact("laps", text, "7.7, Q-R8")
    if rules.slams:
        yield Fact("slams", "in a match a game whose losers have nil counts twice", "7.7, Q-R8")
    if rules.rubber:
        counted = [word for word, counts in (("laps", rules.laps), ("slams", rules.slams)) if counts]
        games = f"two games, {' and '.join(counted)} counted" if counted else "two games"
        text = f"{games}; 3 points for a game whose losers have nil, 2 for one or two, else 1; 2 for the rubber"
        yield Fact("rubber", text, "3, 7.7" if counted else "3")


def summary_of(rules: Ruleset) -> str:
    """Return the game in a line."""
    seats = f"{NUMBERS[rules.num_seats]} {'in pairs' if rules.partners else 'singly'}"
    pack = f"{rules.deck} cards{' with the joker' if rules.joker else ''}"
    kind = "an auction" if rules.auction != "off" else "a card turned up"
    own = [
        phrase.format(held=NUMBERS[rules.hand_size + 1])
        for (option, value), phrase in _PHRASES.items()
        if getattr(rules, option) == value and reads(rules, option)
    ]
    return "; ".join([f"{seats}, {pack}, {kind}, to {rules.target}", *own])
