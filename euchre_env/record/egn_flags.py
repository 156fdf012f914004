"""The rule flags of Euchre Game Notation as options of a Ruleset, and back; without flags it is `tournament`.

| flag | option |
|---|---|
| `std` | `stick_the_dealer` on or off |
| `canadian` | `canadian_loner` |
| `loner_lead` | `lead_rule`: left of the dealer or of the loner |
| `loner_march_score`, `loner_euchred_score` | `loner_march_points`, `lone_euchre_points` |
| `defend_alone` | `defend_alone="vs_loner"` with `lone_defender_scoring="four_for_three"` |
| `partners_best` | `best_exchange="receive_first"`: the loner discards once the card has come (7.5) |
| `allow_no_trump` | `allow_no_trump="high"` |
| `farmers` | `farmers_hand="redeal"` with `farmers_cards="three"`: of what tables make of it, the misdeal (Q-N22) |
| `go_under` | `farmers_hand="swap3"` with `farmers_cards="three"` |
| `min_rank`, `joker` | `deck`; `joker_up` keeps its default |
| `winning_score` | `target` |
| `num_players` | 4; 2 and 3 are the base games of sections 5 and 6 |

`farmers` and `go_under` together are refused, as are `num_deals`, `fast_break` and `four_trick_tokens`, unless they are
off.

>>> rules_of({"std": False}).stick_the_dealer, flags_of(rules_of({"joker": True}))["joker"]
('off', True)
"""

from collections.abc import Mapping
from typing import Any

from euchre_env import rulesets
from euchre_env.errors import RecordError, RulesetError, unknown
from euchre_env.record.fields import brief, shown
from euchre_env.ruleset import Ruleset

# What a file without flags says, and all flags there are.
DEFAULTS: dict[str, bool | int | str] = {
    "std": True,
    "canadian": False,
    "loner_lead": "LEFT_OF_DEALER",
    "loner_march_score": 4,
    "loner_euchred_score": 2,
    "defend_alone": False,
    "farmers": False,
    "partners_best": False,
    "go_under": False,
    "joker": False,
    "allow_no_trump": False,
    "fast_break": False,
    "four_trick_tokens": False,
    "min_rank": 9,
    "winning_score": 10,
    "num_deals": 0,
    "num_players": 4,
}
# Written in any case, as most files have them.
_ALWAYS = ("std", "canadian", "loner_lead")
_REFUSED = {
    "fast_break": "a hand is never worth nothing for the order of its tricks here (2.7)",
    "four_trick_tokens": "there are no tokens for four tricks here (2.7)",
    "num_deals": "games end at a score here, not after so many deals (2.8)",
}
# Flag, option, and what each value of the flag is called.
_WORDS: dict[str, tuple[str, dict[Any, Any]]] = {
    "std": ("stick_the_dealer", {True: "on", False: "off"}),
    "loner_lead": ("lead_rule", {"LEFT_OF_DEALER": "left_of_dealer", "LEFT_OF_LONER": "left_of_loner"}),
    "defend_alone": ("defend_alone", {False: "off", True: "vs_loner"}),
    "partners_best": ("best_exchange", {False: "off", True: "receive_first"}),
    "allow_no_trump": ("allow_no_trump", {False: "off", True: "high"}),
    "canadian": ("canadian_loner", {False: False, True: True}),
}
# `farmers` and `go_under`, and what a hand with three nines and tens may do then.
_FARMERS_HANDS = {(False, False): "off", (True, False): "redeal", (False, True): "swap3"}
_NUMBERS = {
    "loner_march_score": "loner_march_points",
    "loner_euchred_score": "lone_euchre_points",
    "winning_score": "target",
}
_DECKS = {9: 24, 8: 28, 7: 32}
_BASES = {4: "tournament", 3: "three_handed", 2: "two_handed"}
_SAME_AT_EVERY_TABLE = ("dealer_pickup", "stick_the_dealer", "lead_rule")


def _checked(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return all flags with their values; RecordError names one that is unknown or not supported."""
    for flag, value in flags.items():
        if flag not in DEFAULTS:
            raise RecordError(unknown("rule flag", brief(flag), DEFAULTS))
        if type(value) is not type(DEFAULTS[flag]):
            kind = {bool: "true or false", int: "a whole number", str: "a text"}[type(DEFAULTS[flag])]
            raise RecordError(f"the rule flag {flag!r} is {shown(value)}: it must be {kind}.")
        if flag in _REFUSED and value != DEFAULTS[flag]:
            raise RecordError(f"the rule flag {flag!r} is not supported: {_REFUSED[flag]}.")
    return {**DEFAULTS, **flags}


def _one_of(flag: str, value: Any, choices: Mapping[Any, Any]) -> Any:
    if value not in choices:
        raise RecordError(
            f"the rule flag {flag!r} is {shown(value)}: only {', '.join(map(str, choices))} are supported."
        )
    return choices[value]


def rules_of(flags: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a file's rule flags; RecordError names a flag that is unknown or not supported."""
    values = _checked(flags)
    options = {option: _one_of(flag, values[flag], words) for flag, (option, words) in _WORDS.items()}
    options |= {option: values[flag] for flag, option in _NUMBERS.items()}
    options["deck"] = _one_of("min_rank", values["min_rank"], _DECKS) + values["joker"]
    options["farmers_hand"] = _farmers_hand(values["farmers"], values["go_under"])
    if options["farmers_hand"] != "off":
        options["farmers_cards"] = "three"
    if values["defend_alone"]:
        options["lone_defender_scoring"] = "four_for_three"
    base = _base(_one_of("num_players", values["num_players"], _BASES))
    changed = {option: value for option, value in options.items() if getattr(base, option) != value}
    try:
        return _named(base.replace(**changed))
    except RulesetError as error:
        raise RecordError(f"the rule flags do not go together: {brief(str(error), 400)}") from error


def _farmers_hand(farmers: bool, go_under: bool) -> str:
    if farmers and go_under:
        raise RecordError(
            "the rule flags 'farmers' and 'go_under' are not supported together: "
            "a poor hand has the cards dealt again or swaps three (Q-N22)."
        )
    return _FARMERS_HANDS[farmers, go_under]


def _base(name: str) -> Ruleset:
    """Return a game with the habits of recorded play: the dealer is stuck, and takes the up-card."""
    rules, usual = rulesets.get(name), rulesets.get("tournament")
    changed = {key: getattr(usual, key) for key in _SAME_AT_EVERY_TABLE if getattr(rules, key) != getattr(usual, key)}
    return rules.replace(**changed)


def _named(rules: Ruleset) -> Ruleset:
    """Give a ruleset that is in the catalogue its name."""
    same = (name for name in rulesets.names() if rules.replace(name=name) == rulesets.get(name))
    return rules.replace(name=next(same, rules.name))


def flags_of(rules: Ruleset) -> dict[str, Any]:
    """Return the rule flags that say a ruleset; RecordError names an option that no flag can say."""
    flags: dict[str, Any] = {}
    for flag, (option, words) in _WORDS.items():
        said = {word: value for value, word in words.items()}
        if getattr(rules, option) in said:
            flags[flag] = said[getattr(rules, option)]
    flags |= {flag: getattr(rules, option) for flag, option in _NUMBERS.items()}
    flags |= {"farmers": rules.farmers_hand == "redeal", "go_under": rules.farmers_hand == "swap3"}
    flags |= {"min_rank": next(rank for rank, size in _DECKS.items() if rules.deck in (size, size + 1))}
    flags |= {"joker": rules.joker, "num_players": rules.num_seats}
    _check_said(rules, rules_of(flags))
    return {flag: value for flag, value in flags.items() if flag in _ALWAYS or value != DEFAULTS[flag]}


def _check_said(rules: Ruleset, said: Ruleset) -> None:
    for option, value in rules.to_dict().items():
        if option != "name" and getattr(said, option) != value:
            raise RecordError(f"Euchre Game Notation cannot say {option}={value!r} of {rules.name}.")
