"""STATE, OPTIONS, phases and action ids: the layout that every variant of the family shares.

A game is one STATE record, a batch an array of them, a clone a copy of one. A ruleset is one OPTIONS record. Sets of
cards are int64 bit masks (`cards.py`), sets of seats are small bit masks, a field that names a seat, card, suit or bid
is -1 when there is none. Both layouts and the ids below hold all games of docs/rules.md, also those with two or three
seats, auctions, a joker, no-trump, a ghost hand or exchanges.

>>> STATE["hands"].shape, action_name(ORDER_UP), action_name(9)
((4,), 'order up', '8D')
"""

from enum import IntEnum
from functools import lru_cache

import numpy as np

from euchre_env.cards import NUM_CARDS, NUM_TRUMPS, SUIT_NAMES, format_card

MAX_SEATS = 4
MAX_TRICKS = 7
MAX_CALLS = 28  # claims and a swap 7, two rounds 8, exchange 1, alone 4, two best cards 6: 26; STATE is six cache lines
NONE = -1


class Phase(IntEnum):
    """What kind of decision is due."""

    DEAL = 0  # none: the hand before is scored, a deck is due
    CLAIM = 1  # claim a redeal or a swap with a farmer's hand, or not (Q-N22)
    ORDER_UP = 2  # 2.3, the first round
    CALL = 3  # 2.4, the second round; the blind call of 4.3
    DISCARD = 4  # the dealer's exchange (2.3); after a dummy (5, 6); a loner's (7.5); a farmer's (Q-N22)
    DECLARE = 5  # alone or with partner (2.5), or without the dummy (5, 6)
    BID = 6  # an auction's call, the ghost swap included (8.2, 9.3)
    NAME_TRUMP = 7  # 8.3
    SWAP = 8  # ask for a partner's best card before giving one up (7.5)
    GIVE = 9  # a partner's best card (7.5)
    PLAY = 10
    OVER = 11  # none: the game is over


class Upcard(IntEnum):
    """What became of the up-card; all of it is public (1.8)."""

    ABSENT = 0
    PROPOSED = 1
    TURNED_DOWN = 2
    TAKEN = 3
    LEFT = 4  # trump was made by it, nobody took it: declined (2.3), or the dealer sits out (Q-N23)


class Purpose(IntEnum):
    """What a DISCARD is due for."""

    NOTHING = 0
    FARMER = 1  # three cards before the buried ones are taken (Q-N22)
    DEALER = 2  # the exchange with the up-card (2.3), perhaps with a dummy at once (5)
    DUMMY = 3  # 5, 6
    BEST = 4  # a loner's for his partner's best card (7.5)


# Actions. 0-32 are cards: to play, discard or give, as the phase tells.
PASS = NUM_CARDS
ORDER_UP = 34
ORDER_UP_ALONE = 35
CALL = 36  # 36..41: clubs, diamonds, hearts, spades, no-trump, low no-trump
CALL_ALONE = 42  # 42..47, the same alone
ALONE = 48
WITH_PARTNER = 49
DECLINE = 50
BID = 51  # 51..58: 3 4 5 6, moon, double, triple and quadruple moon
SWAP = 59
CLAIM_REDEAL = 60
FORFEIT = 61
NUM_ACTIONS = 62
HIDDEN_CARD = 62  # stands in the public calls for a card laid away face down; no action

BID_NAMES = ("3", "4", "5", "6", "moon", "double moon", "triple moon", "quadruple moon")
NUM_BIDS = len(BID_NAMES)
RENEGE_POINTS = -2  # Q-X4
# Q-N22: tens and lower, and how many of them make a farmer's hand where not all cards have to be low.
LOW_CARDS = np.int64(0x0F0F0F0F)
FARMERS_CARDS = 3
MOON = BID_NAMES.index("moon")
MOON_STAKES = (12, 24, 32, 48)  # 8.5, where a moon can be doubled


@lru_cache(maxsize=NUM_ACTIONS)
def action_name(action: int) -> str:
    """Return an action as players say it; ValueError outside 0..61."""
    if 0 <= action < NUM_CARDS:
        return format_card(action)
    names = {
        PASS: "pass",
        ORDER_UP: "order up",
        ORDER_UP_ALONE: "order up alone",
        ALONE: "alone",
        WITH_PARTNER: "with partner",
        DECLINE: "decline",
        SWAP: "swap",
        CLAIM_REDEAL: "claim redeal",
        FORFEIT: "forfeit the deal",
    }
    trumps = (*SUIT_NAMES, "no-trump", "low no-trump")
    names |= {CALL + i: f"call {trumps[i]}" for i in range(NUM_TRUMPS)}
    names |= {CALL_ALONE + i: f"call {trumps[i]} alone" for i in range(NUM_TRUMPS)}
    names |= {BID + i: f"bid {BID_NAMES[i]}" for i in range(NUM_BIDS)}
    if action == HIDDEN_CARD:
        return "a card face down"
    if action not in names:
        raise ValueError(f"{action} is not an action id: ids run from 0 to {NUM_ACTIONS - 1}.")
    return names[action]


STATE = np.dtype(
    [
        ("hands", np.int64, (MAX_SEATS,)),  # cards held; places past the last seat are dummies or the ghost hand
        ("kitty", np.int64),  # buried undealt cards, the up-card not among them
        ("buried", np.int64, (MAX_SEATS,)),  # what a seat laid away or gave up unseen: known to that seat alone
        ("given", np.int64, (MAX_SEATS,)),  # what a seat passed to its partner: known to the two
        ("played", np.int64, (MAX_SEATS,)),
        ("trick_cards", np.int64, (MAX_TRICKS,)),  # the same cards by trick
        ("reneged", np.int64),  # cards played in breach of 1.4 (Q-X4)
        ("scores", np.int32, (MAX_SEATS,)),  # by side: seat % 2 in partnerships, else the seat
        ("points", np.int16, (MAX_SEATS,)),  # by side, of the hand scored last; penalties as they fall
        ("hand", np.int32),  # hands scored or thrown in so far in this game
        ("redeal", np.int16),  # deals of this hand given up by a claim
        ("phase", np.int8),
        ("turn", np.int8),  # who must act; -1 in DEAL and OVER
        ("dealer", np.int8),
        ("next_dealer", np.int8),
        ("upcard", np.int8),
        ("upcard_state", np.int8),
        ("trump", np.int8),
        ("maker", np.int8),  # who made trump, or won the auction
        ("bid", np.int8),  # the standing bid, an index of BID_NAMES
        ("bids", np.int8, (MAX_SEATS,)),  # by seat: NONE not yet, 0 passed, 1 + bid
        ("named", np.int8, (MAX_SEATS,)),  # by seat: the trump named with its bid (10.1)
        ("swapped_by", np.int8),  # who took the ghost hand (9.3), or the three buried cards (Q-N22)
        ("alone", np.int8),  # set of seats that play alone
        ("asked", np.int8),  # set of seats that declined to go alone
        ("sits_out", np.int8),  # set of seats
        ("exchanged", np.int8),  # set of seats that have settled their partner's best card (7.5), or their dummy
        ("laid_away", np.int8, (MAX_SEATS,)),  # how many cards each seat has laid away, which all know
        ("discards_for", np.int8),  # the Purpose of a DISCARD
        ("trick", np.int8),  # tricks finished
        ("in_trick", np.int8),  # cards on the table
        ("cards", np.int8, (MAX_TRICKS, MAX_SEATS)),  # the cards of each trick in the order played
        ("players", np.int8, (MAX_TRICKS, MAX_SEATS)),  # who played them; the first one led
        ("best_seat", np.int8),  # who is winning the trick on the table
        ("best_power", np.int8),
        ("tricks", np.int8, (MAX_SEATS,)),  # won, by seat
        ("num_calls", np.int8),
        ("calls", np.int8, (MAX_CALLS,)),  # what was said before play, in order; a discard as HIDDEN_CARD
        ("call_seats", np.int8, (MAX_CALLS,)),
        ("winners", np.int8),  # set of sides that won the game; empty while it goes on
        ("extra_hand", np.int8),  # set of sides between which a tie-break hand is played (9.7)
    ],
    align=True,
)

# The options that the kernels read, in the order in which the observation carries them. Values are those of the
# tuples in `ruleset.py`, by index where they are words.
OPTION_FIELDS = (
    "num_seats",
    "hand_size",
    "target",
    "lowest_rank",
    "joker",
    "stick_the_dealer",
    "alone_scope",
    "alone_timing",
    "defend_alone",
    "poll",
    "lead_rule",
    "dealer_pickup",
    "canadian_loner",
    "farmers_hand",
    "natural_trump_required",
    "allow_no_trump",
    "joker_up",
    "best_exchange",
    "dummy",
    "march_points",
    "loner_march_points",
    "lone_euchre_points",
    "lone_defender_scoring",
    "super_euchre_points",
    "stop_when_decided",
    "auction",
    "forced_dealer",
    "moon_ladder",
    "overbid_partner",
    "moon_fail",
    "moon_adds_tricks",
    "defenders_score_tricks",
    "defenders_may_win_on_tricks",
    "set_bidder_keeps_tricks",
    "both_cross",
    "swap",
    "first_bidder",
    "renege",
    "six_bid",
    "moon_points",
    "tiebreak",
    "passed_out",
    "farmers_cards",
)

OPTIONS = np.dtype(
    [
        ("deck", np.int64),
        *((name, np.int8) for name in OPTION_FIELDS),
        ("partners", np.int8),
        ("dealt_places", np.int8),  # hands dealt in rotation: the seats' and perhaps a ghost or dummy hand
        ("extras", np.int8),  # whether the game has facts that only `observe.EXTRA_SEGMENTS` tell
        ("deck_size", np.int8),
        # [round, place from the dealer's left, even or odd] cards dealt at once (1.2)
        ("packets", np.int8, (8, 2)),
        ("features", np.int8, (len(OPTION_FIELDS),)),  # OPTION_FIELDS again, as one row; 0 where a game reads none
    ],
    align=True,
)
