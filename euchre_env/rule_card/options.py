"""What a ruleset is asked by its card: which options matter, who may do what; words that all parts use."""

from euchre_env.ruleset import Ruleset, applies

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


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
        "poll": rules.partners and is_polled(rules),
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


def is_polled(rules: Ruleset) -> bool:
    """2.5: whether anybody is asked about going alone once trump is made."""
    return maker_is_asked(rules) or rules.alone_scope == "maker_side" or rules.defend_alone != "off"


def maker_is_asked(rules: Ruleset) -> bool:
    """2.5, Q-B1: whether the maker says so after trump is made."""
    return rules.alone_scope != "none" and (rules.alone_timing == "after_trump" or names_blind(rules))


def names_blind(rules: Ruleset) -> bool:
    """4.3, Q-B1: whether the dealer names trump for a joker before he looks at his cards."""
    return rules.joker and rules.joker_up in ("blind_dealer", "set_aside")


def dealer_names(rules: Ruleset) -> bool:
    """4.3: whether a joker turned up has the dealer name trump."""
    return rules.joker and rules.joker_up in ("blind_dealer", "look_dealer", "set_aside")


def alone_with_call(rules: Ruleset) -> bool:
    """3: whether the maker goes alone when he makes trump."""
    return rules.alone_timing == "with_call" and rules.alone_scope != "none"


def section_of(rules: Ruleset) -> str:
    """Return the section of the rule book that has games of this shape."""
    if rules.auction != "off":
        return "8" if rules.partners else "9"
    return {2: "5", 3: "6"}.get(rules.num_seats, "2")


def sentence(*parts: str) -> str:
    """Return the parts that say something, as one sentence."""
    return "; ".join(part for part in parts if part)
