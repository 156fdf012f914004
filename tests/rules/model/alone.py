"""After trump is made: a loner's best card, who goes alone, dummies."""

from euchre_env.ruleset import Ruleset
from tests.rules.model.hand import FACE_DOWN, Ask, Course, Hand

DUMMY_CARDS = {"two_card": 2, "three_card": 3, "five_card": 5}


def poll_order(rules: Ruleset, hand: Hand) -> list[int]:
    """Q-N9, 10.1."""
    assert hand.maker is not None
    eldest = hand.dealer + 1
    if rules.poll == "clockwise_from_leader":
        return hand.around(eldest)
    start = hand.maker + 1 if rules.poll == "maker_side_then_defenders" else eldest
    makers = [seat for seat in hand.around(hand.maker) if seat in hand.makers]
    return makers + [seat for seat in hand.around(start) if seat not in hand.makers]


def may_go_alone(rules: Ruleset, hand: Hand, seat: int) -> bool:
    """2.5, Q-N8, Q-N12; sections 5 and 6: without partners alone means without the dummy; Q-B1: after a blind call."""
    if seat in hand.alone or hand.partner(seat) in hand.alone:
        return False
    if not hand.partners and rules.dummy == "off":
        return False
    if seat not in hand.makers:
        lone_maker = bool(hand.alone & hand.makers)
        return {"off": False, "always": True, "vs_loner": lone_maker}[rules.defend_alone]
    if seat == hand.maker:
        blind = hand.joker_called and rules.joker_up in ("blind_dealer", "set_aside")
        return (rules.alone_timing == "after_trump" or blind) and rules.alone_scope in ("maker_only", "maker_side")
    return rules.alone_scope == "maker_side"


def _declare(hand: Hand, seat: int) -> Course:
    """2.5."""
    word = yield Ask(seat, "declare", frozenset({"alone", "with partner"}))
    hand.say(seat, word)
    if word == "alone":
        hand.alone.add(seat)


def _best_card(rules: Ruleset, hand: Hand, loner: int) -> Course:
    """7.5, Q-R2: the loner first discards, or first receives."""
    if rules.best_exchange == "discard_first":
        word = yield Ask(loner, "discard", frozenset(hand.hands[loner] | {"decline"}))
        if word == "decline":
            hand.say(loner, word)
            return
        hand.bury(loner, word)
        yield from _give(hand, loner)
        return
    word = yield Ask(loner, "swap", frozenset({"swap", "decline"}))
    hand.say(loner, word)
    if word == "decline":
        return
    yield from _give(hand, loner)
    word = yield Ask(loner, "discard", frozenset(hand.hands[loner]))
    hand.bury(loner, word)


def _give(hand: Hand, loner: int) -> Course:
    """7.5: any card of the partner's, and the up-card if he dealt and it still lies there; which one nobody sees."""
    partner = hand.partner(loner)
    assert partner is not None
    lies = not (hand.taken or hand.turned_down or hand.joker_called)
    words = hand.hands[partner] | ({hand.upcard} if partner == hand.dealer and lies else set())
    word = yield Ask(partner, "give", frozenset(words))
    hand.say(partner, FACE_DOWN)
    hand.hands[partner].discard(word)
    hand.given[partner].add(word)
    hand.hands[loner].add(word)


def dummy_of(rules: Ruleset, seat: int) -> int:
    """Return where a seat's dummy lies."""
    return {"two_card": 2, "three_card": 2 + seat, "five_card": 3}[rules.dummy]


def takes_dummy(rules: Ruleset, hand: Hand, seat: int, more: int = 0) -> Course:
    """Sections 5 and 6: take the dummy up, and discard one at a time down to the size of a hand.

    Q-N3: the dealer keeps the up-card that he took, but where he may bury any card; 4.3: a joker always.
    """
    place = dummy_of(rules, seat)
    hand.hands[seat] |= hand.hands[place]
    hand.hands[place] = set()
    hand.with_dummy.add(seat)
    must_keep = rules.dealer_pickup != "any_of_six" or hand.joker_called
    kept = {hand.upcard} if hand.taken and seat == hand.dealer and must_keep else set()
    for _ in range(DUMMY_CARDS[rules.dummy] + more):
        word = yield Ask(seat, "discard", frozenset(hand.hands[seat] - kept))
        hand.bury(seat, word)


def takes_all_at_once(rules: Ruleset, hand: Hand) -> bool:
    """Section 5: the maker has a dummy and is not to be asked whether he goes without it."""
    maker = hand.maker
    assert maker is not None
    return rules.dummy != "off" and maker not in hand.alone and not may_go_alone(rules, hand, maker)


def declarations(rules: Ruleset, hand: Hand) -> Course:
    """2.5, 7.5: asked in the agreed order, each once; a loner has his best card before anybody else is asked.

    Who becomes entitled by another's call is asked then.
    """
    answered: set[int] = set()
    settled: set[int] = set()
    while True:
        loners = sorted(hand.alone - settled)
        due = [seat for seat in poll_order(rules, hand) if seat not in answered and may_go_alone(rules, hand, seat)]
        if loners and rules.best_exchange != "off":
            settled.add(loners[0])
            yield from _best_card(rules, hand, loners[0])
        elif due:
            answered.add(due[0])
            yield from _declare(hand, due[0])
        else:
            return


def dummies(rules: Ruleset, hand: Hand) -> Course:
    """Sections 5 and 6: the maker's dummy, and then the other's where each has one, unless he goes without."""
    assert hand.maker is not None
    owners = {"off": [], "two_card": [hand.maker], "five_card": [hand.maker], "three_card": hand.around(hand.maker)}
    for seat in owners[rules.dummy]:
        if seat not in hand.alone | hand.with_dummy:
            yield from takes_dummy(rules, hand, seat)
