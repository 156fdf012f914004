"""Turn-up games: the farmer's hand, both rounds of calls, the joker turned up, the dealer's exchange."""

from euchre_env.ruleset import Ruleset
from tests.rules.model.alone import takes_all_at_once, takes_dummy
from tests.rules.model.cards import JOKER, NAMES, SUITS
from tests.rules.model.hand import Ask, Course, Hand


def trump_of(word: str) -> str:
    """Read what a call names."""
    named = word.removeprefix("call ").removesuffix(" alone")
    return next(trump for trump, name in NAMES.items() if name == named)


def claims(rules: Ruleset, hand: Hand) -> Course:
    """Q-N22: each seat from the dealer's left may show nothing but tens and lower, or three of them."""
    for seat in hand.around(hand.dealer + 1):
        words = {"decline"}
        low = {card for card in hand.hands[seat] if card[0] in "789T"}
        enough = low == hand.hands[seat] if rules.farmers_cards == "all" else len(low) >= 3
        if enough and hand.swapped_by is None:
            words.add("claim redeal" if rules.farmers_hand == "redeal" else "swap")
        word = yield Ask(seat, "claim", frozenset(words))
        hand.say(seat, word)
        if word == "claim redeal":
            hand.claimed = True
            return
        if word == "swap":
            yield from _swap_three(hand, seat)


def _swap_three(hand: Hand, seat: int) -> Course:
    """Q-N22: three cards away, the three buried ones in their place."""
    hand.swapped_by = seat
    for _ in range(3):
        word = yield Ask(seat, "discard", frozenset(hand.hands[seat]))
        hand.bury(seat, word)
    hand.hands[seat] |= set(hand.kitty)
    hand.kitty.clear()


def _natural(rules: Ruleset, hand: Hand, seat: int, suit: str) -> bool:
    """Q-N5."""
    return not rules.natural_trump_required or any(card[1] == suit for card in hand.hands[seat])


def says_alone_with_call(rules: Ruleset) -> bool:
    """Section 3."""
    return rules.alone_timing == "with_call" and rules.alone_scope != "none"


def dealer_calls_for_joker(rules: Ruleset, upcard: str) -> bool:
    """4.3, Q-B1: the joker is up and the dealer names trump, nobody else speaks."""
    return upcard == JOKER and rules.joker_up in ("blind_dealer", "look_dealer", "set_aside")


def proposed_suit(rules: Ruleset, upcard: str) -> str:
    """2.2; 7.3: the suit agreed on for the joker."""
    if upcard == JOKER:
        return next(suit for suit in SUITS if NAMES[suit] == rules.joker_up)
    return upcard[1]


def joker_call(rules: Ruleset, hand: Hand) -> Course:
    """4.3, Q-B1: four suits; alone with it only where he has looked at his cards."""
    words = {f"call {NAMES[suit]}" for suit in SUITS}
    if rules.joker_up == "look_dealer" and says_alone_with_call(rules):
        words |= {word + " alone" for word in words}
    word = yield Ask(hand.dealer, "call", frozenset(words))
    hand.joker_called = True
    _make(hand, hand.dealer, word)


def _make(hand: Hand, seat: int, word: str) -> None:
    """Note who makes what trump."""
    hand.say(seat, word)
    hand.maker = seat
    hand.trump = hand.proposed if word.startswith("order up") else trump_of(word)
    if word.endswith("alone"):
        hand.alone.add(seat)


def round_one(rules: Ruleset, hand: Hand) -> Course:
    """2.3."""
    hand.proposed = proposed_suit(rules, hand.upcard)
    for seat in hand.around(hand.dealer + 1):
        words = {"pass"}
        if _natural(rules, hand, seat, hand.proposed):
            if rules.canadian_loner and seat == hand.partner(hand.dealer):
                words |= {"order up alone"}
            else:
                words |= {"order up", "order up alone"} if says_alone_with_call(rules) else {"order up"}
        word = yield Ask(seat, "order up", frozenset(words))
        if word != "pass":
            _make(hand, seat, word)
            return
        hand.say(seat, word)
    hand.turned_down = True


def exchange(rules: Ruleset, hand: Hand) -> Course:
    """2.3, Q-N3, Q-N23, 4.3; 7.3: an ordered joker is taken; 5: a dummy that is his he takes with the up-card."""
    dealer = hand.dealer
    if dealer in hand.sits_out or (hand.joker_called and rules.joker_up == "set_aside"):
        return
    if hand.maker == dealer and takes_all_at_once(rules, hand):
        hand.taken = True
        hand.hands[dealer].add(hand.upcard)
        yield from takes_dummy(rules, hand, dealer, more=1)
        return
    words = set(hand.hands[dealer])
    if rules.dealer_pickup == "any_of_six" and not hand.joker_called:
        words.add(hand.upcard)
    if rules.dealer_pickup == "optional" and hand.maker != dealer and hand.upcard != "JK":
        words.add("decline")
    word = yield Ask(dealer, "discard", frozenset(words))
    if word == "decline":
        hand.say(dealer, word)
        return
    hand.taken = True
    hand.hands[dealer].add(hand.upcard)
    hand.bury(dealer, word)


def _no_trumps(rules: Ruleset) -> list[str]:
    """1.6, Q-N24."""
    return {"off": [], "high": ["NT"], "high_low": ["NT", "NTL"]}[rules.allow_no_trump]


def _calls(rules: Ruleset, hand: Hand, seat: int) -> set[str]:
    """2.4, Q-N4, Q-N5, Q-N7: what may be named; who must name something is not kept to suits that he holds."""
    others = [suit for suit in SUITS if suit != hand.proposed]
    named = [suit for suit in others if _natural(rules, hand, seat, suit)] + _no_trumps(rules)
    if not named and seat == hand.dealer and rules.stick_the_dealer == "on":
        named = others
    words = {f"call {NAMES[trump]}" for trump in named}
    return words | ({word + " alone" for word in words} if says_alone_with_call(rules) else set())


def round_two(rules: Ruleset, hand: Hand) -> Course:
    """2.4, 2.10."""
    for seat in hand.around(hand.dealer + 1):
        words = _calls(rules, hand, seat)
        stick = rules.stick_the_dealer if seat == hand.dealer else "off"
        words |= {"off": {"pass"}, "on": set(), "forfeit": {"forfeit the deal"}}[stick]
        word = yield Ask(seat, "call", frozenset(words))
        if word.startswith("call"):
            _make(hand, seat, word)
            return
        hand.say(seat, word)
        hand.forfeited = word == "forfeit the deal"
