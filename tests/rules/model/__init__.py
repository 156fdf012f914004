"""An independent model of the whole family, written from the clauses of docs/rules.md with words and sets.

It shares no table and no code with the engine, is written as one course of a hand instead of a machine of phases, and
is slow: it exists to be compared with. Cards are texts (`TD`), seats 0..3, actions the words of `action_name`. Only
option words come from the `Ruleset`.

>>> from euchre_env import rulesets
>>> hands = ["9C TC JC QC KC", "AC 9D TD JD QD", "KD AD 9H TH JH", "QH KH AH 9S TS"]
>>> course = play_hand(rulesets.get("bicycle24"), 3, [set(h.split()) for h in hands], "JS")
>>> ask = next(course)
>>> ask.seat, sorted(ask.legal)
(0, ['order up', 'order up alone', 'pass'])
"""

from tests.rules.model.cards import (
    HIGH_TO_LOW,
    JOKER,
    MATES,
    NAMES,
    SUITS,
    can_follow,
    plain,
    suit_cards,
    suit_of,
    trumps,
    winner_of,
)
from tests.rules.model.course import Finished, play_hand
from tests.rules.model.deal import Dealt, deal_hands
from tests.rules.model.hand import FACE_DOWN, Ask, Hand, clockwise
from tests.rules.model.score import Verdict, bidder_points, game_end, next_dealer, other_points, points_of
from tests.rules.model.turn_up import says_alone_with_call

__all__ = [
    "FACE_DOWN",
    "HIGH_TO_LOW",
    "JOKER",
    "MATES",
    "NAMES",
    "SUITS",
    "Ask",
    "Dealt",
    "Finished",
    "Hand",
    "Verdict",
    "bidder_points",
    "can_follow",
    "clockwise",
    "deal_hands",
    "game_end",
    "next_dealer",
    "other_points",
    "plain",
    "play_hand",
    "points_of",
    "says_alone_with_call",
    "suit_cards",
    "suit_of",
    "trumps",
    "winner_of",
]
