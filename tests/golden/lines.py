"""Count the lines of play from the positions in `perft.json` with the model, and write them there.

    python -m tests.golden.lines

A line of depth d is a sequence of d legal actions, or of fewer if the hand ends. The counts come from the model
(`tests/rules/model.py`), never from the engine, so a count that changes needs a clause of the rules that says why.
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
MOST = 200_000
DEEPEST = 12
ORDERED = [rank + suit for suit in "CDHS" for rank in "9TJQKA"]


def legal_after(rules: Ruleset, dealer: int, cards: Sequence[str], line: Sequence[str]) -> frozenset[str]:
    """Return what may be done after these words; nothing when the hand is over."""
    hands, upcard, _ = model.deal_hands(rules, dealer, cards)
    course = model.play_hand(rules, dealer, hands, upcard)
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


def counts(position: dict[str, Any], most: int) -> list[int]:
    """Return the counts at depth 1, 2, ... up to DEEPEST, until hands are over or the next might exceed `most`."""
    rules = rulesets.get(position["ruleset"]).replace(**position["options"])
    found = [0]
    while len(found) <= DEEPEST and found[-1] * 4 <= most and not all_over(found):
        found.append(count_lines(rules, position["dealer"], position["deck"], position["line"], len(found)))
    return found[1:]


def positions() -> list[dict[str, Any]]:
    """Return what is counted: whole hands from the first call, and card play from the first lead."""
    dealt = [format_card(int(card)) for card in deck(rulesets.get("tournament"), key=1)]
    longer = [format_card(int(card)) for card in deck(rulesets.get("tournament").replace(deck=32), key=2)]

    def position(name: str, dealer: int, cards: list[str], line: str = "", **options: Any) -> dict[str, Any]:
        words = [word for word in line.split(", ") if word]
        return {"ruleset": name, "options": options, "dealer": dealer, "deck": cards, "line": words}

    found = [position(rules.name, 3, cards) for rules in CATALOGUE for cards in (ORDERED, dealt)]
    # The dealer holds KD, QD, AD, 9S, TS in the ordered deal, and the jack of spades is up.
    ordered_up = "pass, pass, pass, order up, QD"
    two_loners = "pass, pass, pass, pass, call hearts, alone, with partner, alone"
    found += [
        position("north_american", 3, ORDERED, f"{ordered_up}, with partner, with partner, with partner, with partner"),
        position("north_american", 3, ORDERED, f"{ordered_up}, alone, with partner, alone"),
        position("tournament", 3, ORDERED, "pass, pass, pass, order up alone, QD"),
        position("bicycle24", 3, ORDERED, "pass, pass, pass, pass, call hearts"),
        position("open_spiel", 3, ORDERED, f"{ordered_up}, with partner"),
        position("north_american", 0, dealt, farmers_hand="redeal", stick_the_dealer="forfeit"),
        position(
            "north_american", 1, dealt, canadian_loner=True, defend_alone="vs_loner", poll="clockwise_from_leader"
        ),
        position("tournament", 2, dealt, natural_trump_required=True, alone_scope="maker_side", packets="alternating"),
        position("north_american", 3, ORDERED, two_loners),
        position("bicycle24", 2, longer, deck=32, hand_size=7, packets="2-3"),
    ]
    return found


def write() -> None:
    rows = [position | {"counts": counts(position, MOST)} for position in positions()]
    text = ",\n".join("  " + json.dumps(row) for row in rows)
    FILE.write_text(f"[\n{text}\n]\n", "utf-8")


if __name__ == "__main__":
    write()
