"""8.2, 9.3, 10.1: auctions, the swap with the ghost hand, the naming of trump."""

from euchre_env.ruleset import Ruleset
from tests.rules.model.cards import NAMES, SUITS
from tests.rules.model.deal import GHOST
from tests.rules.model.hand import Ask, Course, Hand
from tests.rules.model.turn_up import trump_of

LADDER = ("3", "4", "5", "6", "moon", "double moon", "triple moon", "quadruple moon")
MOONS = LADDER[4:]


def ladder(rules: Ruleset) -> list[str]:
    """8.2, 9.3, 10.1: the bids of this game, low to high."""
    numbers = ["3", "4", "5", "6"] if rules.six_bid else ["3", "4", "5"]
    return numbers + (["moon"] if rules.moon_ladder == "single" else list(MOONS))


def higher_bids(rules: Ruleset, hand: Hand, seat: int) -> list[str]:
    """8.2, Q-C4 to Q-C6: what beats the standing bid."""
    bids = ladder(rules)
    if hand.bid is None:
        higher = bids
    else:
        assert hand.maker is not None
        over_partner = hand.maker == hand.partner(seat)
        if hand.bid in MOONS and over_partner and not rules.overbid_partner:
            return []
        higher = bids[bids.index(hand.bid) + 1 :]
    if rules.moon_ladder != "sequential":
        return higher
    # Each step of the moons answers the one before it.
    return [bid for bid in higher if bid not in MOONS[1:] or hand.bid == MOONS[MOONS.index(bid) - 1]]


def calls_of(rules: Ruleset, hand: Hand, seat: int) -> set[str]:
    """8.2: pass or bid higher; Q-C3: the dealer whom all have passed to must bid."""
    bids = [f"bid {bid}" for bid in higher_bids(rules, hand, seat)]
    passes = [word for _, word in hand.said if word == "pass"]
    if rules.forced_dealer == "off" or seat != hand.dealer or len(passes) < hand.seats - 1:
        return {"pass", *bids}
    return {"bid 3"} if rules.forced_dealer == "exactly_min" else set(bids)


def _turn(rules: Ruleset, hand: Hand, seat: int) -> Course:
    """9.3, Q-G3 to Q-G6: one call, after a swap with the ghost hand if nobody has had it."""
    words = calls_of(rules, hand, seat)
    open_ghost = rules.swap == "own_turn" and hand.swapped_by is None
    word = yield Ask(seat, "bid", frozenset(words | ({"swap"} if open_ghost else set())))
    hand.say(seat, word)
    if word == "swap":
        hand.swapped_by = seat
        hand.buried[seat] = hand.hands[seat]
        hand.hands[seat] = hand.hands[GHOST]
        hand.hands[GHOST] = set()
        word = yield Ask(seat, "bid", frozenset(words))
        hand.say(seat, word)
    if word == "pass":
        return
    hand.maker, hand.bid = seat, word.removeprefix("bid ")
    if rules.auction == "with_trump":
        yield from _name_trump(rules, hand)


def _name_trump(rules: Ruleset, hand: Hand) -> Course:
    """8.3, Q-C13, Q-G12."""
    seat = hand.maker
    assert seat is not None
    names = list(SUITS) + {"off": [], "high": ["NT"], "high_low": ["NT", "NTL"]}[rules.allow_no_trump]
    word = yield Ask(seat, "name trump", frozenset(f"call {NAMES[trump]}" for trump in names))
    hand.say(seat, word)
    hand.trump = trump_of(word)
    if rules.auction == "with_trump":
        hand.named[seat] = hand.trump


def auction(rules: Ruleset, hand: Hand) -> Course:
    """8.2, 9.3: one turn each; it ends early when nothing higher is left (Q-G10)."""
    for seat in hand.around(hand.dealer + (rules.first_bidder == "left_of_dealer")):
        yield from _turn(rules, hand, seat)
        if hand.bid == ladder(rules)[-1]:
            break
    if hand.maker is None:
        return
    if rules.auction == "then_trump":
        yield from _name_trump(rules, hand)
    if hand.bid in MOONS and hand.partners:
        hand.alone.add(hand.maker)
