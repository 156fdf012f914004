"""Count the lines of play from the positions in `perft.json` with the model, and write them there.

    python -m tests.golden.lines

A line of depth d is a sequence of d legal actions, or of fewer if the hand ends. The counts come from the model
(`tests/rules/model`), never from the engine, so a count that changes needs a clause of the rules that says why.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from euchre_env import rulesets
from euchre_env.cards import format_card
from euchre_env.decks import deck
from euchre_env.ruleset import Ruleset
from tests.rules import model
from tests.rules.houses import CATALOGUE

FILE = Path(__file__).with_name("perft.json")
MOST = 60_000
DEEPEST = 12
ORDERED = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]


def legal_after(rules: Ruleset, dealer: int, cards: Sequence[str], line: Sequence[str]) -> frozenset[str]:
    """Return what may be done after these words; nothing when the hand is over."""
    course = model.play_hand(rules, dealer, *model.deal_hands(rules, dealer, cards))
    ask = next(course)
    try:
        for word in line:
            ask = course.send(word)
    except StopIteration:
        return frozenset()
    return ask.legal


def count_lines(rules: Ruleset, dealer: int, cards: Sequence[str], line: list[str], depth: int) -> int:
    """Return the number of lines of this depth that go on from the given one."""
    legal = legal_after(rules, dealer, cards, line)
    if not legal:
        return 1
    if depth == 1:
        return len(legal)
    return sum(count_lines(rules, dealer, cards, [*line, word], depth - 1) for word in sorted(legal))


def all_over(found: list[int]) -> bool:
    """Whether one more action has changed nothing."""
    return len(found) > 2 and found[-1] == found[-2] > 1


def counts(place: dict[str, Any], most: int) -> list[int]:
    """Return the counts at depth 1, 2, ... up to DEEPEST, until hands are over or the next might exceed `most`."""
    rules = rulesets.get(place["ruleset"]).replace(**place["options"])
    found = [0]
    while len(found) <= DEEPEST and found[-1] * 4 <= most and not all_over(found):
        found.append(count_lines(rules, place["dealer"], place["deck"], place["line"], len(found)))
    return found[1:]


def position(name: str, dealer: int, cards: list[str], line: str = "", **options: Any) -> dict[str, Any]:
    """Return a position: a deal and what was done since."""
    words = [word for word in line.split(", ") if word]
    return {"ruleset": name, "options": options, "dealer": dealer, "deck": cards, "line": words}


def dealt(rules: Ruleset, key: int) -> list[str]:
    """Return a shuffled pack."""
    return [format_card(int(card)) for card in deck(rules, key)]


def turned_up(cards: list[str], card: str, place: int) -> list[str]:
    """Return a pack with this card in a place of the deck."""
    rest = [other for other in cards if other != card]
    return [*rest[:place], card, *rest[place:]]


def positions() -> list[dict[str, Any]]:
    """Return what is counted: whole hands from the first call, and card play from the first lead."""
    return [*of_the_catalogue(), *of_four_seats(), *with_a_joker(), *without_partners(), *of_auctions()]


def of_the_catalogue() -> list[dict[str, Any]]:
    """Return two deals of every ruleset."""
    found = []
    for rules in CATALOGUE:
        ordered = [format_card(card) for card in rules.deck_ids]
        found += [position(rules.name, rules.num_seats - 1, cards) for cards in (ordered, dealt(rules, 1))]
    return found


def of_four_seats() -> list[dict[str, Any]]:
    """Return options of turn-up games."""
    shuffled = dealt(rulesets.get("tournament"), 1)
    longer = dealt(rulesets.get("bicycle32"), 2)
    # The dealer holds KD, QD, AD, 9S, TS in the ordered deal, and the jack of spades is up.
    ordered_up = "pass, pass, pass, order up, QD"
    two_loners = "pass, pass, pass, pass, call hearts, alone, with partner, alone"
    # Seat 0 has nines and tens alone, and the buried cards come to it.
    low = ["9C", "TC", "9D", *(card for card in ORDERED if card not in ("9C", "TC", "9D", "TD", "9H"))]
    low = [*low[:12], "TD", "9H", *low[12:]]
    partner = "with partner, with partner, with partner, with partner"
    return [
        position("north_american", 3, ORDERED, f"{ordered_up}, {partner}"),
        position("north_american", 3, ORDERED, f"{ordered_up}, alone, with partner, alone"),
        position("tournament", 3, ORDERED, "pass, pass, pass, order up alone, QD"),
        position("bicycle24", 3, ORDERED, "pass, pass, pass, pass, call hearts"),
        position("open_spiel", 3, ORDERED, f"{ordered_up}, with partner"),
        position("north_american", 0, shuffled, farmers_hand="redeal", stick_the_dealer="forfeit"),
        position(
            "north_american", 1, shuffled, canadian_loner=True, defend_alone="vs_loner", poll="clockwise_from_leader"
        ),
        position(
            "tournament", 2, shuffled, natural_trump_required=True, alone_scope="maker_side", packets="alternating"
        ),
        position("north_american", 3, ORDERED, two_loners),
        position("bicycle24", 2, longer, deck=32, hand_size=7, packets="2-3"),
        position("north_american", 3, low, farmers_hand="swap3", allow_no_trump="high_low"),
        position("north_american", 2, shuffled, "pass, pass, pass, pass, call no-trump", allow_no_trump="high"),
        position("tournament", 3, ORDERED, "pass, pass, pass, pass, call hearts", renege="penalty"),
    ]


def with_a_joker() -> list[dict[str, Any]]:
    """Return the joker turned up, and a partner's best card."""
    shuffled = dealt(rulesets.get("british"), 3)
    joker_up = turned_up(shuffled, "JK", 20)
    ordered = turned_up([*ORDERED, "JK"], "JK", 4)
    all_suits = dealt(rulesets.get("bicycle32").replace(deck=33), 4)
    called = "pass, pass, pass, pass, call hearts, alone"
    return [
        position("british", 3, joker_up),
        position("british", 1, joker_up, joker_up="look_dealer", alone_timing="with_call"),
        position("british", 2, joker_up, joker_up="set_aside"),
        position("railroad", 0, joker_up),
        position("british", 3, ordered),
        position("railroad", 3, ordered, called),
        position("railroad", 3, ordered, called, best_exchange="receive_first"),
        position("railroad", 3, all_suits, deck=33, hand_size=7, packets="2-3"),
    ]


def without_partners() -> list[dict[str, Any]]:
    """Return dummies of two and three seats."""
    shuffled = dealt(rulesets.get("two_handed"), 5)
    return [
        position("two_handed", 0, shuffled, "pass, order up", dummy="two_card"),
        position("two_handed", 1, shuffled, "order up", dummy="two_card", dealer_pickup="any_of_six"),
        position(
            "two_handed",
            1,
            shuffled,
            "pass, order up",
            dummy="three_card",
            alone_scope="maker_only",
            defend_alone="always",
        ),
        position("three_handed", 2, shuffled, "pass, order up", dummy="five_card"),
        position("three_handed", 1, shuffled, dummy="five_card", alone_scope="maker_only"),
    ]


def of_auctions() -> list[dict[str, Any]]:
    """Return the end of auctions and play of moons."""
    shuffled = dealt(rulesets.get("cincinnati"), 6)
    return [
        position("cincinnati", 3, shuffled, "pass, pass, pass"),
        position("cincinnati", 3, shuffled, "bid moon, bid double moon, pass, pass, call no-trump"),
        position("cincinnati", 0, shuffled, moon_ladder="free", overbid_partner=False, forced_dealer="exactly_min"),
        position("bid_euchre", 2, shuffled, "bid 6, call hearts", allow_no_trump="high_low"),
        position("ghost_hand", 2, shuffled, "pass, swap, bid 3"),
        position("ghost_hand", 0, shuffled, "bid moon", allow_no_trump="high", first_bidder="dealer"),
        position("ghost_hand", 1, shuffled, "bid 3, pass, pass, call spades", renege="penalty"),
    ]


def write() -> None:
    rows = [place | {"counts": counts(place, MOST)} for place in positions()]
    text = ",\n".join("  " + json.dumps(row) for row in rows)
    FILE.write_text(f"[\n{text}\n]\n", "utf-8")


if __name__ == "__main__":
    write()
