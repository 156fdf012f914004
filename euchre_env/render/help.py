"""What the decision due means, in a sentence or two for a beginner at a terminal; and answers that need a word more.

>>> from euchre_env.game import Game
>>> game = Game("tournament", seed=3)
>>> help_words(Table(game.ruleset, game.state))
"Order up to have the up-card's suit as trump, the card going to the dealer; or pass."
"""

from collections.abc import Callable

from euchre_env.cards import NUM_SUITS
from euchre_env.engine.layout import DECLINE, SWAP, Phase, Purpose, Upcard
from euchre_env.render.speech import cards_to_lay_away, must_bid
from euchre_env.render.words import Table

_DECLINE_HINTS = {
    (Phase.CLAIM, Purpose.NOTHING): " (keep the hand)",
    (Phase.CLAIM, Purpose.FARMER): " (keep the hand)",
    (Phase.DISCARD, Purpose.DEALER): " (leave the up-card)",
    (Phase.DISCARD, Purpose.BEST): " (keep your cards)",
    (Phase.SWAP, Purpose.BEST): " (keep your cards)",
}
_SWAP_HINTS = {
    Phase.CLAIM: " (three cards for the buried ones)",
    Phase.BID: " (your hand for the ghost hand)",
    Phase.SWAP: " (ask your partner for a card)",
}


def hint(table: Table, action: int) -> str:
    """Return what an answer means where the word alone does not tell; else nothing."""
    if action == DECLINE:
        return _DECLINE_HINTS.get((table.phase, table.purpose), "")
    return _SWAP_HINTS[table.phase] if action == SWAP else ""


def help_words(table: Table) -> str:
    """Return what is to be decided, in a sentence or two for a beginner."""
    return _HELP[table.phase](table)


def _help_claim(table: Table) -> str:
    if table.rules.farmers_hand == "redeal":
        return "With a hand of tens and lower you may claim a redeal by the same dealer; any other hand is kept."
    return (
        "With a hand of tens and lower you may lay three cards away and take the three buried ones; or keep the hand."
    )


def _help_call(table: Table) -> str:
    if table.dealer_names:
        unseen = ", before you look at your cards" if table.blind else ""
        return f"The joker was turned up: name a suit as trump for it{unseen}."
    return "The up-card was turned down: name another trump, or pass if you may."


def _help_discard(table: Table) -> str:
    if table.purpose == Purpose.BEST:
        return "Choose the card to lay away face down for your partner's best one."
    if table.purpose == Purpose.FARMER:
        return "Choose three cards to lay away, one after another; then you take the three buried ones."
    if table.upcard_state == Upcard.PROPOSED:
        return "Choose the card to lay away face down for the up-card, or decline and leave that lying."
    count = cards_to_lay_away(table)
    return f"Choose a card to lay away face down{f'; {count} have to go' if count > 1 else ''}."


def _help_declare(table: Table) -> str:
    if table.rules.partners:
        return "Say whether you play alone, your partner sitting out, or with your partner."
    return "Say whether you play alone, that is without the dummy, or take the dummy and lay as many cards away."


def _help_bid(table: Table) -> str:
    if must_bid(table):
        return "All others have passed: the dealer has to bid, how many tricks or a moon."
    whose = "your side takes" if table.rules.partners else "you take"
    moon = f"A moon stands for all tricks{', played alone' if table.rules.partners else ''}."
    ghost = " Before your call you may swap your hand for the ghost hand, unseen." if table.rules.swap != "off" else ""
    after = "Then name the trump." if table.rules.auction == "with_trump" else "The highest bidder names trump."
    return f"Bid how many tricks {whose}, or pass. {moon} {after}{ghost}"


def _help_play(table: Table) -> str:
    bower = " The left bower is a trump." if table.trump < NUM_SUITS else " There are no bowers at no-trump."
    return f"Play a card; follow the suit led if you can.{bower}"


_HELP: dict[Phase, Callable[[Table], str]] = {
    Phase.CLAIM: _help_claim,
    Phase.ORDER_UP: lambda table: (
        "Order up to have the up-card's suit as trump, the card going to the dealer; or pass."
    ),
    Phase.CALL: _help_call,
    Phase.DISCARD: _help_discard,
    Phase.DECLARE: _help_declare,
    Phase.BID: _help_bid,
    Phase.NAME_TRUMP: lambda table: "Your bid stands: name the trump.",
    Phase.SWAP: lambda table: "You may ask your partner for his best card, and lay one away for it afterwards.",
    Phase.GIVE: lambda table: "Your partner plays alone: choose the card to pass to him face down.",
    Phase.PLAY: _help_play,
}
