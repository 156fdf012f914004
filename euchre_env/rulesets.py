"""The catalogue: named rulesets and a finder. No logic.

>>> names()
('bicycle24', 'north_american', 'open_spiel', 'tournament')
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
    alone_scope="maker_only",
    alone_timing="with_call",
    defend_alone="off",
    lead_rule="left_of_dealer",
)

# 10.1: online play and recorded tournaments.
TOURNAMENT = BICYCLE24.replace(name="tournament", stick_the_dealer="on", dealer_pickup="any_of_six")

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

_CATALOGUE = {rules.name: rules for rules in (NORTH_AMERICAN, BICYCLE24, TOURNAMENT, OPEN_SPIEL)}


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
