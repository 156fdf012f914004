"""Ruleset: the questions that players settle before sitting down, as one frozen, validated value.

Each field carries a sentence of meaning and its clause in docs/rules.md (`Ruleset.describe()` lists them). The named
values are in `rulesets.py`. `to_options()` makes the record that the compiled engine reads.

>>> from euchre_env import rulesets
>>> rulesets.get("tournament").replace(target=5).target
5
"""

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from euchre_env import cards
from euchre_env.engine.layout import OPTION_FIELDS, OPTIONS
from euchre_env.errors import RulesetError, unknown

Switch = bool
StickTheDealer = Literal["off", "on", "forfeit"]
AloneScope = Literal["none", "maker_only", "maker_side"]
AloneTiming = Literal["after_trump", "with_call"]
DefendAlone = Literal["off", "vs_loner", "always"]
Poll = Literal["maker_side_then_defenders", "clockwise_from_leader", "maker_then_dealers_left"]
LeadRule = Literal["left_of_dealer", "left_of_loner"]
DealerPickup = Literal["optional", "mandatory", "any_of_six"]
FarmersHand = Literal["off", "redeal"]
LoneDefenderScoring = Literal["s004", "four_for_three", "three"]
Packets = Literal["3-2", "2-3", "alternating"]
DealerSelection = Literal["random", "0", "1", "2", "3"]

_LOWEST_RANK = {24: "9", 28: "8", 32: "7"}


def _option(default: Any, meaning: str, clause: str, choices: tuple[int, ...] = ()) -> Any:
    return field(default=default, metadata={"meaning": meaning, "clause": clause, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One variant with its options; RulesetError names a wrong value or an impossible mix with its clause."""

    name: str = _option("custom", "The name that files and messages show.", "10.1")
    deck: int = _option(24, "Cards in the pack: nines, eights or sevens up.", "1.1", (24, 28, 32))
    hand_size: int = _option(5, "Cards dealt to each seat, and tricks in a hand.", "1.2, Q-N21", (5, 7))
    packets: Packets = _option("3-2", "How many cards the dealer gives at once.", "1.2, Q-N17")
    target: int = _option(10, "Points that win the game.", "2.8, Q-N18", tuple(range(1, 101)))
    dealer_selection: DealerSelection = _option("random", "Who deals first: drawn, or a fixed seat.", "1.7, Q-N19")
    stick_the_dealer: StickTheDealer = _option(
        "off", "Whether the dealer must call in the second round, or may give up a point instead.", "2.4, 2.10, Q-N7"
    )
    alone_scope: AloneScope = _option("maker_side", "Who of the makers may play alone.", "2.5, Q-N8")
    alone_timing: AloneTiming = _option("after_trump", "When the maker says that he plays alone.", "2.5, 3, Q-N8")
    defend_alone: DefendAlone = _option("always", "Whether a defender may play alone.", "2.5, 7.4, Q-N12")
    poll: Poll = _option("maker_side_then_defenders", "In which order seats are asked about going alone.", "2.5, Q-N9")
    lead_rule: LeadRule = _option("left_of_loner", "Who leads first when somebody plays alone.", "2.6, Q-N10")
    dealer_pickup: DealerPickup = _option(
        "optional", "Whether the dealer must take the ordered up-card, and may bury it.", "2.3, Q-N3"
    )
    canadian_loner: Switch = _option(False, "The dealer's partner who orders up must play alone.", "2.10, Q-N28")
    farmers_hand: FarmersHand = _option("off", "A hand of tens and lower may claim a redeal.", "2.10, Q-N22")
    natural_trump_required: Switch = _option(
        False, "Who makes trump must hold a card of that suit, the left bower not counted.", "2.10, Q-N5"
    )
    march_points: int = _option(2, "Points for all tricks with a partner.", "2.7", (2, 3))
    loner_march_points: int = _option(4, "Points for all tricks alone.", "2.7", tuple(range(2, 9)))
    lone_euchre_points: int = _option(2, "Points for euchring a lone maker by a pair.", "2.7, Q-N14", (2, 3, 4))
    lone_defender_scoring: LoneDefenderScoring = _option(
        "s004", "A lone defender's points for a euchre: 2, and 4 for all tricks; always 4; or 3.", "2.7, Q-N13"
    )
    super_euchre_points: int = _option(2, "Points when the makers take no trick.", "2.7, Q-N16", (2, 4))
    stop_when_decided: Switch = _option(False, "Ends a hand once no remaining trick can change the points.", "Q-X3")

    def __post_init__(self) -> None:
        for spec in dataclasses.fields(self):
            _check_value(spec, getattr(self, spec.name))
        _check_mix(self)

    @property
    def num_seats(self) -> int:
        """How many play."""
        return 4

    @property
    def num_sides(self) -> int:
        """How many sides score: two partnerships, or each seat for itself."""
        return 2

    @property
    def fixed_dealer(self) -> int | None:
        """The seat that deals first, None where it is drawn (1.7)."""
        return None if self.dealer_selection == "random" else int(self.dealer_selection)

    def side(self, seat: int) -> int:
        """Return the side of a seat (1.2)."""
        return seat % 2

    @property
    def max_hand_points(self) -> int:
        """The most points that one side can score in one hand."""
        return max(4, self.loner_march_points)

    @cached_property
    def deck_ids(self) -> tuple[int, ...]:
        """The ids of the pack, ascending."""
        return tuple(cards.deck_cards(_LOWEST_RANK[self.deck], joker=False))

    def replace(self, **changes: Any) -> "Ruleset":
        """Return a house rule: this ruleset with some options changed, named `custom` unless a name is given."""
        known = {spec.name for spec in dataclasses.fields(self)}
        for key in changes:
            if key not in known:
                raise RulesetError(unknown("ruleset option", key, known))
        name = changes.pop("name", self.name if not changes else "custom")
        return dataclasses.replace(self, name=name, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, for JSON; `Ruleset(**d)` is the way back."""
        return dataclasses.asdict(self)

    @classmethod
    def describe(cls) -> list[dict[str, Any]]:
        """Return name, default, choices, meaning and clause of every option."""
        return [
            {"name": f.name, "default": f.default, "choices": _choices(f), **_meaning(f)}
            for f in dataclasses.fields(cls)
        ]

    def to_options(self) -> npt.NDArray[np.void]:
        """Return the record that the engine reads, as an array of one OPTIONS."""
        options = np.zeros(1, dtype=OPTIONS)
        values = {
            "num_seats": self.num_seats,
            "lowest_rank": cards.RANKS.index(_LOWEST_RANK[self.deck]),
            **{f.name: _number(f, getattr(self, f.name)) for f in dataclasses.fields(self) if f.name in OPTION_FIELDS},
        }
        for key, value in values.items():
            options[key] = value
        options["deck"] = cards.mask_of(self.deck_ids)
        options["deck_size"] = self.deck
        options["partners"] = self.num_sides < self.num_seats
        options["packets"] = _packet_rounds(self)
        options["features"][0] = [options[name][0] for name in OPTION_FIELDS]
        return options


_HINTS = get_type_hints(Ruleset)


def _choices(spec: "dataclasses.Field[Any]") -> tuple[Any, ...]:
    kind = _HINTS[spec.name]
    if get_origin(kind) is Literal:
        return get_args(kind)
    return (False, True) if kind is bool else tuple(spec.metadata["choices"])


def _meaning(spec: "dataclasses.Field[Any]") -> dict[str, str]:
    return {"meaning": spec.metadata["meaning"], "clause": spec.metadata["clause"]}


def _number(spec: "dataclasses.Field[Any]", value: Any) -> int:
    return int(value) if not isinstance(value, str) else _choices(spec).index(value)


def _check_value(spec: "dataclasses.Field[Any]", value: Any) -> None:
    if spec.name == "name":
        if not isinstance(value, str) or not value:
            raise RulesetError(f"name is {value!r}: it must be a word.")
        return
    choices = _choices(spec)
    if type(value) is type(choices[0]) and value in choices:
        return
    words = [str(c) for c in choices] if len(choices) < 20 else [f"{choices[0]} to {choices[-1]}"]
    problem = (
        unknown("value", value, words)
        if isinstance(value, str) and isinstance(choices[0], str)
        else f"{value!r} is not one of {', '.join(words)}."
    )
    raise RulesetError(f"{spec.name}: {problem} (clause {spec.metadata['clause']})")


def _check_mix(rules: Ruleset) -> None:
    """Refuse the mixes that the clauses exclude."""
    if rules.num_seats * rules.hand_size + 1 > rules.deck:
        raise RulesetError(
            f"{rules.num_seats} hands of {rules.hand_size} and an up-card need more than {rules.deck} cards (1.2)."
        )
    if rules.hand_size == 7 and rules.packets == "alternating":
        raise RulesetError("alternating packets are 3-2-3-2 then 2-3-2-3, for five cards each (1.2, Q-N17).")
    if rules.alone_scope == "none" and rules.canadian_loner:
        raise RulesetError("canadian_loner makes a seat play alone, which alone_scope='none' forbids (Q-N28).")
    if rules.alone_scope == "none" and rules.defend_alone == "vs_loner":
        raise RulesetError("defend_alone='vs_loner' needs lone makers, which alone_scope='none' forbids (7.4).")


def _packet_rounds(rules: Ruleset) -> npt.NDArray[np.int8]:
    """1.2: [round, even or odd place] cards at once; a seventh pair of cards of Q-N21 comes as a third round."""
    first = [(2, 2), (3, 3)] if rules.packets == "2-3" else [(3, 3), (2, 2)]
    rounds = [(3, 2), (2, 3)] if rules.packets == "alternating" else first + [(2, 2)] * (rules.hand_size == 7)
    table = np.zeros((8, 2), dtype=np.int8)
    table[: len(rounds)] = rounds
    return table
