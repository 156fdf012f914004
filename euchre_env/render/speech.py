"""What is said at a table, and whose turn it is: calls and bids as sentences, the up-card's fate, how trump was made.

Everything follows from the public calls of a record and from its Ruleset's fields. Names and counts are in `words.py`.

>>> from euchre_env.engine.layout import BID, MOON
>>> bid_words(MOON, 2), bid_words(1, 4), bid_name(3, 0)
('shoots the moon in hearts', 'bids 4 at no-trump', '6 in clubs')
"""

from collections.abc import Callable, Sequence

from euchre_env.cards import JOKER, NO_TRUMP, NUM_CARDS
from euchre_env.engine.layout import (
    ALONE,
    BID,
    BID_NAMES,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    DECLINE,
    FORFEIT,
    HIDDEN_CARD,
    MOON,
    NONE,
    NUM_BIDS,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    SWAP,
    WITH_PARTNER,
    Phase,
    Purpose,
    Upcard,
)
from euchre_env.render.words import TRUMP_WORDS, Table, listing

Calls = Sequence[tuple[int, int]]

_AWAY = "lays a card away"
_PLAIN = {
    PASS: "passes",
    ORDER_UP: "orders up",
    ORDER_UP_ALONE: "orders up and plays alone",
    CLAIM_REDEAL: "claims a redeal",
    FORFEIT: "forfeits the deal",
}


def trump_of(call: int) -> int:
    """Return the trump that a call names, -1 for another action."""
    return (call - CALL) % (CALL_ALONE - CALL) if CALL <= call < ALONE else NONE


def is_bid(call: int) -> bool:
    """Whether an action is a bid of tricks or a moon."""
    return BID <= call < BID + NUM_BIDS


def _in_trump(trump: int) -> str:
    if trump == NONE:
        return ""
    return f" {'in' if trump < NO_TRUMP else 'at'} {TRUMP_WORDS[trump]}"


def bid_name(bid: int, trump: int = NONE) -> str:
    """Return a bid as a thing: `4`, `5 in hearts`, `moon`."""
    return BID_NAMES[bid] + _in_trump(trump)


def bid_words(bid: int, trump: int = NONE, past: bool = False) -> str:
    """Return a bid as what its seat does, or did: `bids 4`, `shoots the moon in hearts`, `bid a double moon`."""
    if bid == MOON:
        return f"{'shot' if past else 'shoots'} the moon{_in_trump(trump)}"
    return f"{'bid' if past else 'bids'} {'a ' if bid > MOON else ''}{bid_name(bid, trump)}"


def said(table: Table) -> list[str]:
    """Return what was said before play, a sentence each.

    A trump named with a bid belongs to it (10.1); cards that a seat lays away one after another are counted.
    """
    calls = table.calls
    sentences: list[str] = []
    away = 0
    for i, (seat, call) in enumerate(calls):
        if table.rules.auction == "with_trump" and is_bid(call) and i + 1 < len(calls):
            continue
        words = _words(table, seat, call, calls[:i])
        away = away + 1 if i and words == _AWAY and calls[i - 1] == (seat, call) else 0
        if away:
            sentences[-1] = f"{table.name(seat)} lays {away + 1} cards away"
        else:
            sentences.append(f"{table.name(seat)} {words}")
    return sentences


def saying(table: Table, action: int) -> str:
    """Return what the seat to move does with an action, as a sentence, before it is carried out.

    A card is named where the observer may know it. A bid that still lacks its trump (10.1) gives an empty sentence.
    """
    seat, hidden = table.turn, table.phase in (Phase.DISCARD, Phase.GIVE)
    if table.rules.auction == "with_trump" and is_bid(action):
        return ""
    if action >= NUM_CARDS:
        return f"{table.name(seat)} {_words(table, seat, action, table.calls)}"
    if not hidden:
        return f"{table.name(seat)} plays {table.card(action)}"
    words = _words(table, seat, HIDDEN_CARD, table.calls)
    partner = table.partner(seat) if table.phase == Phase.GIVE else seat
    known = table.seat in (None, seat, partner)
    return f"{table.name(seat)} {words.replace('a card', table.card(action)) if known else words}"


def _words(table: Table, seat: int, call: int, before: Calls) -> str:
    """Return one call as what its seat does, given what was said before it."""
    if call in _PLAIN:
        return _PLAIN[call]
    if call in (ALONE, WITH_PARTNER):
        return _alone(table, call)
    if call == DECLINE:
        return _decline(table, seat, before)
    if call == SWAP:
        return _swap(table, seat, before)
    if call == HIDDEN_CARD:
        given = _plays_alone(table.partner(seat), before)
        return f"passes a card to {table.name(table.partner(seat))}" if given else _AWAY
    return bid_words(call - BID) if is_bid(call) else _name_trump(table, call, before)


def _alone(table: Table, call: int) -> str:
    """2.5; 5, 6: without partners, alone means without the dummy."""
    if table.rules.partners:
        return "goes alone" if call == ALONE else "stays with partner"
    return "plays without the dummy" if call == ALONE else "takes the dummy"


def _plays_alone(seat: int, before: Calls) -> bool:
    """Whether a seat has said that it plays alone."""
    said_so = (ORDER_UP_ALONE, ALONE, *range(CALL_ALONE, ALONE))
    return any(by == seat and call in said_so for by, call in before)


def _claiming(table: Table, before: Calls) -> bool:
    """Q-N22: every seat answers once about a farmer's hand, before anything else."""
    if table.rules.farmers_hand == "off" or table.dealer_names:
        return False
    return sum(call in (DECLINE, SWAP, CLAIM_REDEAL) for _, call in before) < table.num_seats


def _decline(table: Table, seat: int, before: Calls) -> str:
    if _claiming(table, before):
        return "keeps the deal" if table.rules.farmers_hand == "redeal" else "keeps the hand"
    ordered = before and before[-1][1] in (ORDER_UP, ORDER_UP_ALONE) and before[-1][0] != seat
    return "leaves the up-card" if ordered and seat == table.dealer else "asks for no card"


def _swap(table: Table, seat: int, before: Calls) -> str:
    if _claiming(table, before):
        return "swaps three cards with the buried ones"
    return "takes the ghost hand" if table.auction else f"asks {table.name(table.partner(seat))} for a card"


def _name_trump(table: Table, call: int, before: Calls) -> str:
    """2.4, 4.3, 8.3, 10.1."""
    trump, alone = trump_of(call), " alone" if call >= CALL_ALONE else ""
    if table.rules.auction == "with_trump" and before:
        return bid_words(before[-1][1] - BID, trump)
    return f"{'names' if table.auction or table.dealer_names else 'calls'} {TRUMP_WORDS[trump]}{alone}"


def bid_stands(table: Table) -> str:
    """Return whose bid is the highest, or won the auction, while trump may still be named; else nothing."""
    if not table.bidding or table.bidder == NONE:
        return ""
    who, bid = table.name(table.bidder), bid_name(table.bid, table.bid_trump)
    over = table.phase == Phase.NAME_TRUMP and table.rules.auction == "then_trump"
    return f"Auction won by {who}: {bid}" if over else f"Highest bid: {bid}, by {who}"


def maker_words(table: Table) -> str:
    """Return who made trump, and how; empty before it is made."""
    if table.maker == NONE or table.trump == NONE:
        return ""
    if table.auction:
        return f"named by {table.name(table.maker)}, who {bid_words(table.bid, past=True)}"
    return f"made by {table.name(table.maker)}"


def alone_words(table: Table) -> str:
    """Return who plays alone, or without a dummy; empty for nobody."""
    verb = "plays" if len(table.alone) == 1 else "play"
    how = "alone" if table.rules.partners else "without the dummy"
    return f"{listing([table.name(seat) for seat in table.alone])} {verb} {how}" if table.alone else ""


def upcard_words(table: Table) -> str:
    """Return what became of the up-card; empty where none was turned up."""
    return {
        Upcard.ABSENT: "",
        Upcard.PROPOSED: _proposed(table),
        Upcard.TURNED_DOWN: "turned down",
        Upcard.TAKEN: f"taken up by {table.name(table.dealer)}",
        Upcard.LEFT: _left(table),
    }[table.upcard_state]


def _proposed(table: Table) -> str:
    if table.trump != NONE:
        return f"offered to {table.name(table.dealer)}"
    if table.dealer_names:
        return f"{table.name(table.dealer)} names trump for it"
    return f"proposes {table.rules.joker_up}" if table.upcard == JOKER else "proposed as trump"


def _left(table: Table) -> str:
    """Q-N23, 7.5: it may be the card that a dealer who sits out passed; the two know, the others do not."""
    dealer, set_aside = table.dealer, table.dealer_names and table.rules.joker_up == "set_aside"
    partner = table.partner(dealer)
    if table.upcard_passed:
        return f"passed to {table.name(partner)} by {table.name(dealer)}"
    gave = (dealer, HIDDEN_CARD) in table.calls and partner in table.alone
    doubtful = gave and table.seat not in (None, dealer, partner)
    return "set aside" if set_aside else "left lying, unless it was passed" if doubtful else "left lying"


def turn_words(table: Table) -> str:
    """Return whose turn it is and what is to be decided; empty when nobody is to move."""
    if table.turn == NONE:
        return ""
    return f"{table.name(table.turn)} {_DUE[table.phase](table)}"


def _due_claim(table: Table) -> str:
    redeal = table.rules.farmers_hand == "redeal"
    return "may claim a redeal" if redeal else "may swap three cards with the buried ones"


def _due_call(table: Table) -> str:
    if table.dealer_names:
        return f"names trump for the joker{', blind' if table.blind else ''}"
    stuck = table.rules.stick_the_dealer if table.turn == table.dealer else "off"
    ways = {"off": "may name trump or pass", "on": "must name trump", "forfeit": "names trump or forfeits the deal"}
    return ways[stuck]


def cards_to_lay_away(table: Table) -> int:
    """Return how many cards the seat to move has to lay away, this one included."""
    if table.purpose == Purpose.FARMER:
        return table.rules.num_buried - int(table.state["laid_away"][table.turn])
    return max(1, table.count_of(table.turn) - table.rules.hand_size)


def _due_discard(table: Table) -> str:
    if table.purpose == Purpose.DEALER and table.upcard_state == Upcard.PROPOSED:
        return "may take the up-card"
    if table.purpose == Purpose.BEST and table.rules.best_exchange == "discard_first":
        return f"may lay a card away for {table.name(table.partner(table.turn))}'s best"
    count = cards_to_lay_away(table)
    return "lays a card away" if count == 1 else f"lays {count} cards away"


def _due_declare(table: Table) -> str:
    return "may go alone" if table.rules.partners else "may play without the dummy"


def must_bid(table: Table) -> bool:
    """8.2: whether the dealer may not pass, since all others have."""
    return table.bidder == NONE and table.turn == table.dealer and table.rules.forced_dealer != "off"


def _due_bid(table: Table) -> str:
    if must_bid(table):
        return "must bid"
    ghost = table.rules.swap != "off" and table.swapped_by == NONE
    return "bids, passes or swaps" if ghost else "bids or passes"


_DUE: dict[Phase, Callable[[Table], str]] = {
    Phase.CLAIM: _due_claim,
    Phase.ORDER_UP: lambda table: "may order up or pass",
    Phase.CALL: _due_call,
    Phase.DISCARD: _due_discard,
    Phase.DECLARE: _due_declare,
    Phase.BID: _due_bid,
    Phase.NAME_TRUMP: lambda table: "names trump",
    Phase.SWAP: lambda table: f"may ask {table.name(table.partner(table.turn))} for a card",
    Phase.GIVE: lambda table: f"passes a card to {table.name(table.partner(table.turn))}",
    Phase.PLAY: lambda table: "plays a card" if table.trick else "leads",
}
