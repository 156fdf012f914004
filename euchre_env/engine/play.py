"""Leading, following and taking tricks (1.4, 1.5, 2.6)."""

from typing import Any

from euchre_env.cards import EFFECTIVE_SUIT, SUIT_CARDS, TRICK_POWER
from euchre_env.engine._jit import inlined, kernel
from euchre_env.engine.bits import bit, count
from euchre_env.engine.layout import NONE, RENEGE_POINTS, Phase
from euchre_env.engine.score import is_decided, score_hand
from euchre_env.engine.table import award, loner_of, next_active, side_of

_PLAY = int(Phase.PLAY)

# Values of Ruleset.lead_rule and renege, by index.
_LEFT_OF_LONER = 1
_BIDDER = 2
_LEFT_OF_MAKER = 3
_MASKED = 0


@kernel
def first_leader(opt: Any, s: Any) -> Any:
    """2.6, 3: the first active seat left of the dealer or of the loner; with two loners the defender.

    The bidder in some auction games (9.5), left of the maker where agreed (Q-T5).
    """
    if opt["lead_rule"] == _BIDDER:
        return s["maker"]
    if opt["lead_rule"] == _LEFT_OF_MAKER:
        return next_active(opt, s, s["maker"])
    if opt["lead_rule"] != _LEFT_OF_LONER or s["alone"] == 0:
        return next_active(opt, s, s["dealer"])
    makers = side_of(opt, s["maker"])
    lone_maker, lone_defender = loner_of(opt, s, makers), loner_of(opt, s, 1 - makers)
    if lone_maker != NONE and lone_defender != NONE:
        return lone_defender
    return next_active(opt, s, lone_maker if lone_maker != NONE else lone_defender)


@kernel
def begin_play(opt: Any, s: Any) -> None:
    """Give the first lead."""
    s["phase"] = _PLAY
    s["turn"] = first_leader(opt, s)


@inlined
def legal_play(opt: Any, s: Any) -> Any:
    """1.4: follow the effective suit led if able, else any card; any card where a renege only costs points (Q-X4)."""
    hand = s["hands"][s["turn"]]
    trump = s["trump"]
    # Read also when nothing is led (an index of -1), so that no branch is mispredicted.
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    following = hand & SUIT_CARDS[trump, led]
    anything = (s["in_trick"] == 0) | (following == 0) | (opt["renege"] != _MASKED)
    return hand if anything else following


@kernel
def _charge_renege(opt: Any, s: Any, card: Any) -> None:
    """Q-X4: who could follow and did not loses two points at once; the card stands."""
    trump = s["trump"]
    following = s["hands"][s["turn"]] & SUIT_CARDS[trump, EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]]
    if following != 0 and following & bit(card) == 0:
        s["reneged"] |= bit(card)
        award(s, side_of(opt, s["turn"]), RENEGE_POINTS)


@kernel
def _put_down(s: Any, card: Any) -> None:
    trick, place, seat = s["trick"], s["in_trick"], s["turn"]
    s["hands"][seat] &= ~bit(card)
    s["played"][seat] |= bit(card)
    s["cards"][trick, place] = card
    s["players"][trick, place] = seat
    s["trick_cards"][trick] |= bit(card)
    s["in_trick"] = place + 1


@inlined
def apply_play(opt: Any, s: Any, card: Any) -> None:
    """1.5: lay a card on the table; the last one of a trick settles it."""
    best = NONE if s["in_trick"] == 0 else s["best_power"]
    if opt["renege"] != _MASKED and s["in_trick"] != 0:
        _charge_renege(opt, s, card)
    _put_down(s, card)
    trump = s["trump"]
    power = TRICK_POWER[trump, EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]], card]
    wins = power > best
    s["best_power"] = power if wins else best
    s["best_seat"] = s["turn"] if wins else s["best_seat"]
    if s["in_trick"] == opt["num_seats"] - count(s["sits_out"]):
        _take_trick(opt, s)
    else:
        s["turn"] = next_active(opt, s, s["turn"])


@kernel
def _take_trick(opt: Any, s: Any) -> None:
    s["tricks"][s["best_seat"]] += 1
    s["trick"] += 1
    s["in_trick"] = 0
    s["turn"] = s["best_seat"]
    if s["trick"] == opt["hand_size"] or (opt["stop_when_decided"] and is_decided(opt, s)):
        score_hand(opt, s)
