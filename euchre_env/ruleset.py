"""Ruleset: the questions that players settle before sitting down, as one frozen, validated value.

Each field carries a sentence of meaning and its clause in docs/rules.md (`Ruleset.describe()` lists them). The named
values are in `rulesets.py`. `to_options()` makes the record that the compiled engine reads.

>>> from euchre_env import rulesets
>>> rulesets.get("tournament").replace(target=5).target
5
"""

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from euchre_env import cards
from euchre_env.engine.layout import MOON_STAKES, OPTION_FIELDS, OPTIONS
from euchre_env.errors import RulesetError, unknown

Switch = bool
StickTheDealer = Literal["off", "on", "forfeit"]
AloneScope = Literal["none", "maker_only", "maker_side"]
AloneTiming = Literal["after_trump", "with_call"]
DefendAlone = Literal["off", "vs_loner", "always"]
Poll = Literal["maker_side_then_defenders", "clockwise_from_leader", "maker_then_dealers_left"]
LeadRule = Literal["left_of_dealer", "left_of_loner", "bidder", "left_of_maker"]
DealerPickup = Literal["optional", "mandatory", "any_of_six"]
FarmersHand = Literal["off", "redeal", "swap3"]
FarmersCards = Literal["all", "three"]
AllowNoTrump = Literal["off", "high", "high_low"]
LoneDefenderScoring = Literal["s004", "four_for_three", "three"]
Packets = Literal["3-2", "2-3", "alternating", "3-3", "ones"]
DealerSelection = Literal["random", "draw", "0", "1", "2", "3"]
JokerCard = Literal["JK", "2S"]
JokerUp = Literal["clubs", "diamonds", "hearts", "spades", "blind_dealer", "look_dealer", "set_aside"]
BestExchange = Literal["off", "discard_first", "receive_first"]
Dummy = Literal["off", "two_card", "three_card", "five_card"]
PassedOut = Literal["next_dealer", "same_dealer"]
Auction = Literal["off", "then_trump", "with_trump"]
FirstBidder = Literal["left_of_dealer", "dealer"]
ForcedDealer = Literal["off", "min_or_more", "exactly_min"]
MoonLadder = Literal["single", "sequential", "free"]
MoonFail = Literal["stake", "tricks"]
DefendersScoreTricks = Literal["always", "only_if_bid_made", "never"]
BothCross = Literal["higher_score", "bidder_wins", "play_on", "tiebreak_hand", "first_left_of_dealer", "shared"]
Tiebreak = Literal["totals", "tied_only", "hand_points"]
Swap = Literal["off", "own_turn"]
Renege = Literal["masked", "penalty"]

# By cards without the joker.
_LOWEST_RANK = {24: "9", 28: "8", 32: "7"}
_PACKETS = {
    (5, "3-2"): [(3, 3), (2, 2)],
    (5, "2-3"): [(2, 2), (3, 3)],
    (5, "alternating"): [(3, 2), (2, 3)],
    (6, "3-3"): [(3, 3), (3, 3)],
    (7, "3-2"): [(3, 3), (2, 2), (2, 2)],  # Q-N21
    (7, "2-3"): [(2, 2), (3, 3), (2, 2)],  # 7.10
}


def _option(default: Any, meaning: str, clause: str, choices: tuple[int, ...] = ()) -> Any:
    return field(default=default, metadata={"meaning": meaning, "clause": clause, "choices": choices})


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One variant with its options; RulesetError names a wrong value or an impossible mix with its clause."""

    name: str = _option("custom", "The name that files and messages show.", "10.1")
    num_seats: int = _option(4, "How many play: four in partnerships, two or three each for himself.", "1.2", (2, 3, 4))
    deck: int = _option(
        24, "Cards in the pack: nines, eights or sevens up, one more with the joker.", "1.1", (24, 25, 28, 29, 32, 33)
    )
    joker_card: JokerCard = _option("JK", "The card that stands for the joker: itself or the two of spades.", "4.1")
    hand_size: int = _option(5, "Cards dealt to each seat, and tricks in a hand.", "1.2, Q-N21", (5, 6, 7))
    packets: Packets = _option("3-2", "How many cards the dealer gives at once.", "1.2, Q-N17, Q-C20")
    target: int = _option(10, "Points that win the game.", "2.8, Q-N18", tuple(range(1, 101)))
    dealer_selection: DealerSelection = _option(
        "random",
        "Who deals first: a seat by chance, by the draw that a match makes, or a fixed seat.",
        "1.7, Q-X2, Q-N19",
    )
    stick_the_dealer: StickTheDealer = _option(
        "off", "Whether the dealer must call in the second round, or may give up a point instead.", "2.4, 2.10, Q-N7"
    )
    passed_out: PassedOut = _option("next_dealer", "Who deals after all have passed.", "2.4, Q-N6, Q-H4")
    alone_scope: AloneScope = _option("maker_side", "Who of the makers may play alone.", "2.5, Q-N8")
    alone_timing: AloneTiming = _option("after_trump", "When the maker says that he plays alone.", "2.5, 3, Q-N8")
    defend_alone: DefendAlone = _option("always", "Whether a defender may play alone.", "2.5, 7.4, Q-N12")
    poll: Poll = _option("maker_side_then_defenders", "In which order seats are asked about going alone.", "2.5, Q-N9")
    lead_rule: LeadRule = _option("left_of_loner", "Who leads first.", "2.6, Q-N10, Q-T5, Q-C1")
    dealer_pickup: DealerPickup = _option(
        "optional", "Whether the dealer must take the ordered up-card, and may bury it.", "2.3, Q-N3"
    )
    canadian_loner: Switch = _option(False, "The dealer's partner who orders up must play alone.", "2.10, Q-N28")
    farmers_hand: FarmersHand = _option(
        "off", "A poor hand may claim a redeal, or swap three cards with the buried ones.", "2.10, Q-N22"
    )
    farmers_cards: FarmersCards = _option(
        "all", "What makes a farmer's hand: nothing but tens and lower, or three of them.", "2.10, Q-N22"
    )
    natural_trump_required: Switch = _option(
        False, "Who makes trump must hold a card of that suit, the left bower not counted.", "2.10, Q-N5"
    )
    allow_no_trump: AllowNoTrump = _option(
        "off", "Whether no-trump may be named: aces high, or low as well.", "1.6, 2.10, 8.3, Q-N24, Q-C13"
    )
    joker_up: JokerUp = _option(
        "hearts",
        "A joker turned up proposes a suit, or has the dealer name trump, blind or not.",
        "4.3, 7.3, Q-B1, Q-R1",
    )
    best_exchange: BestExchange = _option(
        "off",
        "Whether a lone player gives up a card for his partner's best, and which comes first.",
        "7.5, Q-R2, Q-N30",
    )
    dummy: Dummy = _option("off", "Dummy cards that the maker (three_card: each) takes.", "5, 6, Q-H2, Q-T2")
    march_points: int = _option(2, "Points for all tricks with a partner.", "2.7, Q-T1", (2, 3))
    loner_march_points: int = _option(4, "Points for all tricks alone.", "2.7", tuple(range(2, 9)))
    lone_euchre_points: int = _option(2, "Points for euchring a lone maker by a pair.", "2.7, Q-N14", (2, 3, 4))
    lone_defender_scoring: LoneDefenderScoring = _option(
        "s004", "A lone defender's points for a euchre: 2, and 4 for all tricks; always 4; or 3.", "2.7, Q-N13"
    )
    super_euchre_points: int = _option(2, "Points when the makers take no trick.", "2.7, Q-N16", (2, 4))
    stop_when_decided: Switch = _option(False, "Ends a hand once no remaining trick can change the points.", "Q-X3")
    auction: Auction = _option(
        "off",
        "Bids of tricks instead of an up-card; trump is named after the auction or with each bid.",
        "8.2, 10.1, Q-C14",
    )
    first_bidder: FirstBidder = _option("left_of_dealer", "Who opens the auction.", "9.3, Q-G1")
    forced_dealer: ForcedDealer = _option(
        "min_or_more", "Whether the dealer must bid after passes, three or what he likes.", "8.2, Q-C3"
    )
    six_bid: Switch = _option(False, "Six tricks with a partner may be bid.", "10.1, Q-C7, Q-G11")
    moon_ladder: MoonLadder = _option("sequential", "One moon only, doubled step by step, or freely.", "8.2, Q-C5")
    overbid_partner: Switch = _option(True, "One's own partner's moon may be doubled.", "8.2, Q-C6")
    moon_points: int = _option(12, "Points of a moon.", "8.5, 9.6, 10.1, Q-G16", (12, 24))
    moon_fail: MoonFail = _option("stake", "What a failed moon costs: its points, or six.", "8.5, 9.6, Q-C10, Q-G17")
    moon_adds_tricks: Switch = _option(False, "A moon scores its tricks on top.", "8.5, Q-C22, Q-G16")
    defenders_score_tricks: DefendersScoreTricks = _option(
        "always", "When those who did not bid score a point for each trick.", "8.5, Q-C2, Q-C9, Q-G15"
    )
    set_bidder_keeps_tricks: Switch = _option(False, "A bidder who fails scores his tricks all the same.", "9.6, Q-G14")
    defenders_may_win_on_tricks: Switch = _option(
        True, "Who did not bid may reach the target by tricks in a hand whose bid was made.", "8.6, Q-C12"
    )
    both_cross: BothCross = _option(
        "higher_score", "Who wins when several sides reach the target in one hand.", "6, 8.6, 9.7, Q-T3, Q-C11, Q-G21"
    )
    tiebreak: Tiebreak = _option("totals", "What decides a tie-break hand, among whom.", "9.7, Q-G21")
    swap: Swap = _option("off", "Whether a bidder may take the ghost hand before his call.", "9.3, Q-G3")
    renege: Renege = _option(
        "masked", "Not following suit is impossible, or costs two points and the card stands.", "Q-X4, 9.6"
    )
    laps: Switch = _option(False, "In a match, points beyond the target count in the next game.", "7.7, Q-R8")
    slams: Switch = _option(False, "In a match, a game won while the losers have nil counts twice.", "7.7, Q-R8")
    rubber: Switch = _option(False, "A match is a rubber: two games, scored in rubber points.", "3")

    def __post_init__(self) -> None:
        for spec in dataclasses.fields(self):
            _check_value(spec, getattr(self, spec.name))
        _check_mix(self)

    @property
    def partners(self) -> bool:
        """Whether seats opposite each other play together (1.2)."""
        return self.num_seats == 4

    @property
    def num_sides(self) -> int:
        """How many sides score: two partnerships, or each seat for itself."""
        return 2 if self.partners else self.num_seats

    @property
    def joker(self) -> bool:
        """Whether the pack holds the joker (1.1)."""
        return self.deck % 2 == 1

    @property
    def fixed_dealer(self) -> int | None:
        """The seat that deals first, None where it is drawn (1.7)."""
        return int(self.dealer_selection) if self.dealer_selection.isdigit() else None

    def side(self, seat: int) -> int:
        """Return the side of a seat (1.2)."""
        return seat % 2 if self.partners else seat

    @property
    def max_hand_points(self) -> int:
        """The most points that one side can score in one hand."""
        if self.auction == "off":
            return max(4, self.march_points, self.loner_march_points)
        stake = self.moon_points if self.moon_ladder == "single" else MOON_STAKES[-1]
        return stake + self.hand_size * self.moon_adds_tricks

    @property
    def lowest_start(self) -> int:
        """The lowest score that a game may start from: below nil only where hands cost points (8.5, Q-X4)."""
        return -9999 if self.auction != "off" or self.renege == "penalty" else 0

    @property
    def dealt_places(self) -> int:
        """How many hands are dealt in rotation: one a seat, and a ghost or dummy hand at the dealer's right (6, 9)."""
        return 4 if self.num_seats == 3 and (self.auction != "off" or self.dummy == "five_card") else self.num_seats

    @property
    def num_buried(self) -> int:
        """How many cards stay undealt beside the up-card (1.1)."""
        dummies = {"two_card": 2, "three_card": 6}.get(self.dummy, 0)
        return self.deck - self.dealt_places * self.hand_size - (self.auction == "off") - dummies

    @cached_property
    def deck_ids(self) -> tuple[int, ...]:
        """The ids of the pack, ascending."""
        return tuple(cards.deck_cards(_LOWEST_RANK[self.deck - self.joker], joker=self.joker))

    def replace(self, /, **changes: Any) -> "Ruleset":
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
        """Return the record that the engine reads, as an array of one OPTIONS of one's own."""
        return _options_of(self).view(np.uint8).copy().view(OPTIONS)


@lru_cache(maxsize=1024)
def _options_of(rules: Ruleset) -> npt.NDArray[np.void]:
    options = np.zeros(1, dtype=OPTIONS)
    values = {
        "lowest_rank": cards.RANKS.index(_LOWEST_RANK[rules.deck - rules.joker]),
        "joker": rules.joker,
        **{f.name: _number(f, getattr(rules, f.name)) for f in dataclasses.fields(rules) if f.name in OPTION_FIELDS},
    }
    for key, value in values.items():
        options[key] = value
    options["deck"] = cards.mask_of(rules.deck_ids)
    options["deck_size"] = rules.deck
    options["partners"] = rules.partners
    options["dealt_places"] = rules.dealt_places
    options["packets"] = _packet_rounds(rules)
    options["extras"] = any(getattr(rules, name) != default for name, default in _PLAIN.items())
    options["features"][0] = [options[name][0] if applies(rules, name) else 0 for name in OPTION_FIELDS]
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


# What brings facts to the table that four-player turn-up play with masked reneges has not: `extras` in OPTIONS.
_PLAIN = {
    "auction": "off",
    "best_exchange": "off",
    "dummy": "off",
    "farmers_hand": "off",
    "renege": "masked",
    "both_cross": "higher_score",
}
_AUCTION_OPTIONS = (
    "first_bidder", "forced_dealer", "six_bid", "moon_ladder", "overbid_partner", "moon_points", "moon_fail",
    "moon_adds_tricks", "defenders_score_tricks", "set_bidder_keeps_tricks", "defenders_may_win_on_tricks", "swap",
)  # fmt: skip
_TURN_UP_OPTIONS = (
    "stick_the_dealer", "alone_scope", "alone_timing", "defend_alone", "poll", "dealer_pickup", "canadian_loner",
    "natural_trump_required", "best_exchange", "dummy", "march_points", "loner_march_points", "lone_euchre_points",
    "lone_defender_scoring", "super_euchre_points", "stop_when_decided",
)  # fmt: skip


def _missing(rules: Ruleset, option: str) -> str | None:
    """Return what a game would have to have for an option to mean anything; None if it has."""
    if option in _AUCTION_OPTIONS:
        return "an auction" if rules.auction == "off" else None
    if option in _TURN_UP_OPTIONS:
        return "a card turned up, not an auction" if rules.auction != "off" else None
    if option in ("joker_up", "joker_card"):
        return None if rules.joker else "the joker in the pack"
    if option == "farmers_cards":
        return "farmers_hand" if rules.farmers_hand == "off" else None
    if option == "both_cross" and rules.auction == "off" and rules.num_seats != 3:
        return "sides that can reach the target together"
    if option == "tiebreak" and rules.both_cross != "tiebreak_hand":
        return "both_cross='tiebreak_hand'"
    return None


def applies(rules: Ruleset, option: str) -> bool:
    """Whether an option belongs to this kind of game; one that does not stays at its default.

    Among those that do, some are idle beside others (`poll` where nobody may go alone): they are allowed.
    """
    return _missing(rules, option) is None


def _check_idle(rules: Ruleset) -> None:
    """Refuse what was chosen for nothing: it hides a mistake."""
    for spec in dataclasses.fields(rules):
        value, missing = getattr(rules, spec.name), _missing(rules, spec.name)
        if value != spec.default and missing is not None:
            raise RulesetError(f"{spec.name}={value!r} needs {missing} (clause {spec.metadata['clause']}).")


def _check_mix(rules: Ruleset) -> None:
    """Refuse the mixes that the clauses exclude."""
    _check_idle(rules)
    for problem in (_card_problem(rules), _seat_problem(rules), _auction_problem(rules), _alone_problem(rules)):
        if problem is not None:
            raise RulesetError(problem)


def _card_problem(rules: Ruleset) -> str | None:
    """Return what is wrong with pack, hands and packets."""
    turns_up, seats = rules.auction == "off", rules.num_seats
    if not turns_up and (rules.deck, rules.hand_size) != (24, 6):
        return "an auction deals six cards each from 24: deck=24, hand_size=6 (8.1, 9.1)."
    if turns_up and rules.hand_size == 6:
        return "hand_size=6 belongs to auctions (8.1, 9.1)."
    if rules.hand_size == 7 and rules.deck < 32:
        return "hands of seven are dealt from 32 or 33 cards (Q-N21, 7.10)."
    if rules.num_buried < 0:
        return f"{seats} hands of {rules.hand_size} and an up-card need more than {rules.deck} cards (1.2)."
    if rules.packets != "ones" and (rules.hand_size, rules.packets) not in _PACKETS:
        fitting = [packets for size, packets in _PACKETS if size == rules.hand_size]
        return f"packets for {rules.hand_size} cards each are {', '.join(fitting)} or ones (1.2, Q-N17)."
    if rules.joker and rules.allow_no_trump != "off":
        return "no-trump with a joker is undefined (1.6)."
    if rules.farmers_hand == "swap3" and (rules.num_buried != 3 or not turns_up):
        return f"swap3 takes the three buried cards, and here {rules.num_buried} are buried (Q-N22)."
    return None


def _seat_problem(rules: Ruleset) -> str | None:
    """Return what does not go with so many seats."""
    seats = rules.num_seats
    if rules.fixed_dealer is not None and rules.fixed_dealer >= seats:
        return f"dealer_selection is {rules.dealer_selection!r}: seats run from 0 to {seats - 1} (1.7)."
    if rules.packets == "alternating" and not rules.partners:
        return "alternating packets are 3-2-3-2 then 2-3-2-3, for four hands (1.2, Q-N17)."
    for dummy, needs in (("two_card", 2), ("three_card", 2), ("five_card", 3)):
        if rules.dummy == dummy and (seats != needs or rules.hand_size != 5):
            return f"dummy={dummy!r} is for {needs} seats with five cards each (5, 6)."
    if rules.rubber and not rules.partners:
        return "a rubber is played by two partnerships (3)."
    if rules.rubber and rules.both_cross == "shared":
        return "each game of a rubber has one winner, which both_cross='shared' does not grant (3)."
    for option in ("canadian_loner", "best_exchange"):
        if getattr(rules, option) not in (False, "off") and not rules.partners:
            return f"{option} needs a partner, and {seats} seats play each for himself (1.2)."
    if not rules.overbid_partner and not rules.partners:
        return f"overbid_partner needs a partner, and {seats} seats play each for himself (1.2)."
    return None


def _auction_problem(rules: Ruleset) -> str | None:
    """Return what an auction, or the lack of one, excludes."""
    if rules.auction == "off":
        return "lead_rule='bidder' needs an auction (8.4, 9.5)." if rules.lead_rule == "bidder" else None
    if rules.num_seats == 2:
        return "an auction is for four seats (8.1) or three (9.1)."
    if rules.lead_rule not in ("left_of_dealer", "bidder"):
        return "in an auction game the left of the dealer or the bidder leads (8.4, Q-C1)."
    if rules.swap != "off" and rules.num_seats != 3:
        return "the ghost hand to swap with is dealt to three seats (9.1)."
    if rules.forced_dealer != "off" and rules.first_bidder != "left_of_dealer":
        return "a forced dealer speaks last: first_bidder='left_of_dealer' (8.2)."
    if rules.moon_points != MOON_STAKES[0] and rules.moon_ladder != "single":
        return "the stakes of a ladder are 12, 24, 32 and 48: moon_points=12 (8.5)."
    return None


def _alone_problem(rules: Ruleset) -> str | None:
    """Return what does not go together about playing alone."""
    if rules.auction != "off":
        return None
    if rules.renege == "penalty" and rules.stop_when_decided:
        return "with renege='penalty' every trick can change the points: stop_when_decided=False (Q-X3, Q-X4)."
    if not rules.partners:
        return _dummy_problem(rules)
    if rules.alone_scope == "none" and rules.canadian_loner:
        return "canadian_loner makes a seat play alone, which alone_scope='none' forbids (Q-N28)."
    if rules.alone_scope == "none" and rules.defend_alone == "vs_loner":
        return "defend_alone='vs_loner' needs lone makers, which alone_scope='none' forbids (7.4)."
    return None


def _dummy_problem(rules: Ruleset) -> str | None:
    """5, 6: without partners, alone means without the dummy."""
    if rules.alone_scope == "maker_side" or (rules.alone_scope == "maker_only" and rules.dummy in ("off", "two_card")):
        return f"nobody plays alone among {rules.num_seats} seats, unless without his dummy: alone_scope='none' (5, 6)."
    if rules.defend_alone != "off" and rules.dummy != "three_card":
        return f"no defender plays alone among {rules.num_seats} seats: defend_alone='off' (5, 6)."
    if rules.defend_alone == "vs_loner" and rules.alone_scope == "none":
        return "defend_alone='vs_loner' needs a lone maker, which alone_scope='none' forbids (7.4)."
    return None


def _packet_rounds(rules: Ruleset) -> npt.NDArray[np.int8]:
    """1.2: [round, even or odd place] cards at once."""
    ones = rules.packets == "ones"
    rounds = [(1, 1)] * rules.hand_size if ones else _PACKETS[rules.hand_size, rules.packets]
    table = np.zeros((8, 2), dtype=np.int8)
    table[: len(rounds)] = rounds
    return table
