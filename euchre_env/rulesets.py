"""The catalogue: named rulesets and a finder. No logic.

>>> len(names()), names()[0]
(13, 'bicycle24')
>>> get("tournament").stick_the_dealer
'on'
"""

from euchre_env.errors import RulesetError, unknown
from euchre_env.ruleset import Ruleset

# Section 2 to the letter: the field defaults are its column of the table in section 10.
NORTH_AMERICAN = Ruleset(name="north_american")

# Section 3.
BICYCLE24 = Ruleset(
    name="bicycle24",
    dealer_selection="draw",
    alone_scope="maker_only",
    alone_timing="with_call",
    defend_alone="off",
    lead_rule="left_of_dealer",
)

BICYCLE28 = BICYCLE24.replace(name="bicycle28", deck=28)
BICYCLE32 = BICYCLE24.replace(name="bicycle32", deck=32)

# Section 4.
BRITISH = NORTH_AMERICAN.replace(
    name="british", deck=25, target=11, joker_up="blind_dealer", lone_defender_scoring="four_for_three"
)

# Sections 5 and 6.
TWO_HANDED = Ruleset(name="two_handed", num_seats=2, alone_scope="none", defend_alone="off", lead_rule="left_of_dealer")
THREE_HANDED = TWO_HANDED.replace(name="three_handed", num_seats=3, march_points=3)

# Section 7.
RAILROAD = NORTH_AMERICAN.replace(
    name="railroad",
    deck=25,
    joker_up="hearts",
    defend_alone="vs_loner",
    lone_defender_scoring="four_for_three",
    best_exchange="discard_first",
    laps=True,
    slams=True,
)

# Section 8: the defaults of the auction options are its column of the table in section 10.
CINCINNATI = Ruleset(
    name="cincinnati",
    auction="then_trump",
    hand_size=6,
    packets="3-3",
    target=32,
    lead_rule="left_of_dealer",
    allow_no_trump="high",
    both_cross="bidder_wins",
)

# Section 9.
GHOST_HAND = Ruleset(
    name="ghost_hand",
    num_seats=3,
    auction="then_trump",
    hand_size=6,
    packets="ones",
    target=32,
    lead_rule="bidder",
    forced_dealer="off",
    moon_ladder="single",
    moon_points=24,
    moon_fail="tricks",
    both_cross="tiebreak_hand",
    swap="own_turn",
)

# 10.1: the common mid-western auction game.
BID_EUCHRE = CINCINNATI.replace(
    name="bid_euchre",
    auction="with_trump",
    lead_rule="bidder",
    forced_dealer="off",
    six_bid=True,
    moon_ladder="single",
    moon_points=24,
)

# 10.1: online play and recorded tournaments.
TOURNAMENT = BICYCLE24.replace(
    name="tournament", dealer_selection="random", stick_the_dealer="on", dealer_pickup="any_of_six"
)

# 10.1: OpenSpiel's euchre. Its parameter `allow_lone_defender` is defend_alone="always".
OPEN_SPIEL = Ruleset(
    name="open_spiel",
    stick_the_dealer="on",
    alone_scope="maker_only",
    defend_alone="off",
    poll="maker_then_dealers_left",
    lead_rule="left_of_dealer",
    dealer_pickup="mandatory",
    lone_defender_scoring="four_for_three",
)

_CATALOGUE = {
    rules.name: rules
    for rules in (
        NORTH_AMERICAN, BICYCLE24, BICYCLE28, BICYCLE32, BRITISH, TWO_HANDED, THREE_HANDED, RAILROAD, CINCINNATI,
        GHOST_HAND, BID_EUCHRE, TOURNAMENT, OPEN_SPIEL,
    )
}  # fmt: skip


def names() -> tuple[str, ...]:
    """Return the names of the catalogue, sorted."""
    return tuple(sorted(_CATALOGUE))


def get(ruleset: str | Ruleset) -> Ruleset:
    """Return a ruleset by name, or the given value itself; RulesetError names the nearest one."""
    if isinstance(ruleset, Ruleset):
        return ruleset
    if str(ruleset) not in _CATALOGUE:
        raise RulesetError(unknown("ruleset", ruleset, _CATALOGUE))
    return _CATALOGUE[str(ruleset)]
