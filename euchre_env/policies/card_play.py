"""How the rule-based player plays its cards: ordered lists of what to lead, and when to win a trick. Compiled.

The lists are numbers of the PARAMETERS record (`parameters.py`), so the order of a list can be tuned. Everything is
read from the view: own cards, cards played, who failed to follow. Without partners the maker plays as a loner does, and
the others together against him (6). Bidding is in `rule_based.py`.
"""

from typing import Any

import numpy as np

from euchre_env.cards import EFFECTIVE_SUIT, NUM_SUITS, SUIT_CARDS, TRICK_POWER, same_colour
from euchre_env.engine._jit import kernel
from euchre_env.engine.bits import bit, count, lowest
from euchre_env.engine.layout import Upcard
from euchre_env.engine.table import has, loner_of, partner_of, side_of
from euchre_env.policies.hand_score import HIGHER, TRUMP_CARDS
from euchre_env.policies.parameters import Effort, Follow, Lead, Role, Stage

_TURNED_DOWN, _LEFT_LYING = int(Upcard.TURNED_DOWN), int(Upcard.LEFT)

_MAKER, _PARTNER, _DEFENDER = int(Role.MAKER), int(Role.PARTNER), int(Role.DEFENDER)
_LONER, _AGAINST_LONER = int(Role.LONER), int(Role.AGAINST_LONER)
_FIRST, _MIDDLE, _LAST_TWO = int(Stage.FIRST), int(Stage.MIDDLE), int(Stage.LAST_TWO)

_TRUMP_BOSS_LONG, _TRUMP_BOSS = int(Lead.TRUMP_BOSS_LONG), int(Lead.TRUMP_BOSS)
_TRUMP_LONG, _TRUMP, _TRUMP_DRAWN = int(Lead.TRUMP_LONG), int(Lead.TRUMP), int(Lead.TRUMP_DRAWN)
_BOSS_FRESH, _BOSS, _BOSS_RUFFED = int(Lead.BOSS_FRESH), int(Lead.BOSS), int(Lead.BOSS_RUFFED)
_PARTNER_RUFFS, _SINGLETON = int(Lead.PARTNER_RUFFS), int(Lead.SINGLETON)
_NEXT, _OTHER = int(Lead.NEXT), int(Lead.OTHER)

_PARTNER_HIGH_FOLLOW, _PARTNER_HIGH_RUFF = int(Follow.PARTNER_HIGH_FOLLOW), int(Follow.PARTNER_HIGH_RUFF)
_PARTNER_LOW_BOSS, _PARTNER_LOW_FOLLOW = int(Follow.PARTNER_LOW_BOSS), int(Follow.PARTNER_LOW_FOLLOW)
_PARTNER_LOW_RUFF, _ENEMY_BOSS = int(Follow.PARTNER_LOW_RUFF), int(Follow.ENEMY_BOSS)
_ENEMY_FOLLOW, _ENEMY_RUFF, _ENEMY_OVERRUFF = (
    int(Follow.ENEMY_FOLLOW),
    int(Follow.ENEMY_RUFF),
    int(Follow.ENEMY_OVERRUFF),
)
_ENEMY_TRUMP_BOSS, _ENEMY_TRUMP_FOLLOW = int(Follow.ENEMY_TRUMP_BOSS), int(Follow.ENEMY_TRUMP_FOLLOW)

_DUCK, _CHEAPEST = int(Effort.DUCK), int(Effort.CHEAPEST)

# Value of Ruleset.best_exchange, by index.
_NO_EXCHANGE = 0

_LONG = 3
# [trump] the other suit of its colour; none at no-trump.
COLOUR = np.array([*(same_colour(s) for s in range(NUM_SUITS)), -1, -1], dtype=np.int8)


@kernel
def plays_with(opt: Any, s: Any, seat: Any, other: Any) -> Any:
    """Whether two seats play together: partners (1.2), and where there are none all who are not the maker (6)."""
    if opt["partners"]:
        return side_of(opt, seat) == side_of(opt, other)
    return (seat == s["maker"]) == (other == s["maker"])


@kernel
def role_of(opt: Any, s: Any, seat: Any) -> Any:
    """Return which play list a seat follows."""
    if not opt["partners"]:
        return _LONER if seat == s["maker"] else _AGAINST_LONER
    if has(s["alone"], seat):
        return _LONER
    makers = side_of(opt, s["maker"])
    if side_of(opt, seat) != makers:
        return _AGAINST_LONER if loner_of(opt, s, makers) >= 0 else _DEFENDER
    return _MAKER if seat == s["maker"] else _PARTNER


@kernel
def _perhaps_given(opt: Any, s: Any, seat: Any) -> Any:
    """7.5: the up-card, if the dealer may have passed it to his partner unseen; nobody sees it lie or go."""
    if opt["best_exchange"] == _NO_EXCHANGE or s["upcard_state"] != _LEFT_LYING:
        return np.int64(0)
    dealer, loner = np.int64(s["dealer"]), partner_of(np.int64(s["dealer"]))
    if not has(s["exchanged"], loner) or seat == loner:
        return np.int64(0)
    passed = bit(s["upcard"]) if seat != dealer else bit(s["upcard"]) & s["given"][dealer]
    return passed & ~s["played"][loner]


@kernel
def cards_out(opt: Any, s: Any, seat: Any) -> Any:
    """Return the cards that a seat has not seen: in other hands or buried by others."""
    seen = s["hands"][seat] | s["buried"][seat]
    for other in range(opt["num_seats"]):
        seen |= s["played"][other]
    if s["upcard_state"] == _TURNED_DOWN or s["upcard_state"] == _LEFT_LYING:
        seen |= bit(s["upcard"])
    return opt["deck"] & ~seen | _perhaps_given(opt, s, seat)


@kernel
def known_voids(opt: Any, s: Any) -> Any:
    """Return the suits that seats failed to follow, as bits `4 * seat + suit`."""
    voids = np.int64(0)
    for trick in range(s["trick"] + (1 if s["in_trick"] > 0 else 0)):
        led = EFFECTIVE_SUIT[s["trump"], s["cards"][trick, 0]]
        for place in range(1, opt["num_seats"] - count(s["sits_out"])):
            card = s["cards"][trick, place]
            if card < 0:
                break
            if EFFECTIVE_SUIT[s["trump"], card] != led:
                voids |= bit(4 * s["players"][trick, place] + led)
    return voids


@kernel
def is_boss(p: Any, role: Any, trump: Any, out: Any, card: Any) -> Any:
    """Whether hardly a card that is out beats this one in its suit."""
    return count(HIGHER[trump, card] & out) <= p["boss_slack"][role]


@kernel
def _may_ruff(s: Any, voids: Any, seat: Any, suit: Any) -> Any:
    """Whether a seat is known to be void in a side suit and not in trump."""
    if has(s["sits_out"], seat) or s["trump"] >= NUM_SUITS:
        return False
    return has(voids, 4 * seat + suit) and not has(voids, 4 * seat + s["trump"])


@kernel
def _suits_led(s: Any) -> Any:
    led = np.int64(0)
    for trick in range(s["trick"]):
        led |= bit(EFFECTIVE_SUIT[s["trump"], s["cards"][trick, 0]])
    return led


@kernel
def _trump_lead(boss: Any, long: Any, trumps_out: Any) -> Any:
    if trumps_out == 0:
        return _TRUMP_DRAWN
    if boss:
        return _TRUMP_BOSS_LONG if long else _TRUMP_BOSS
    return _TRUMP_LONG if long else _TRUMP


@kernel
def _somebody_ruffs(opt: Any, s: Any, voids: Any, suit: Any, friends: Any) -> Any:
    """Whether one of those who play with the mover, or of the others, may ruff a suit."""
    seat = s["turn"]
    for other in range(opt["num_seats"]):
        if other != seat and plays_with(opt, s, seat, other) == friends and _may_ruff(s, voids, other, suit):
            return True
    return False


@kernel
def _side_boss_lead(opt: Any, s: Any, voids: Any, trumps_out: Any, suit: Any) -> Any:
    if trumps_out != 0 and _somebody_ruffs(opt, s, voids, suit, False):
        return _BOSS_RUFFED
    return _BOSS if has(_suits_led(s), suit) else _BOSS_FRESH


@kernel
def _side_low_lead(opt: Any, s: Any, voids: Any, trumps_out: Any, suit: Any) -> Any:
    trump = s["trump"]
    if trumps_out != 0 and _somebody_ruffs(opt, s, voids, suit, True):
        return _PARTNER_RUFFS
    hand = s["hands"][s["turn"]]
    if count(hand & SUIT_CARDS[trump, suit]) == 1 and hand & TRUMP_CARDS[trump] != 0:
        return _SINGLETON
    return _NEXT if suit == COLOUR[trump] else _OTHER


@kernel
def lead_kind(opt: Any, p: Any, s: Any, role: Any, out: Any, voids: Any, card: Any) -> Any:
    """Return the Lead of a card."""
    trump = s["trump"]
    suit = EFFECTIVE_SUIT[trump, card]
    trumps_out = out & TRUMP_CARDS[trump]
    boss = is_boss(p, role, trump, out, card)
    if suit == trump:
        trumps = s["hands"][s["turn"]] & TRUMP_CARDS[trump]
        return _trump_lead(boss, count(trumps) >= _LONG, trumps_out)
    if boss:
        return _side_boss_lead(opt, s, voids, trumps_out, suit)
    return _side_low_lead(opt, s, voids, trumps_out, suit)


@kernel
def _lead_value(opt: Any, p: Any, s: Any, role: Any, stage: Any, out: Any, voids: Any, card: Any) -> Any:
    trump = s["trump"]
    kind = lead_kind(opt, p, s, role, out, voids, card)
    value = p["lead"][role, stage, kind]
    suit = EFFECTIVE_SUIT[trump, card]
    power = TRICK_POWER[trump, suit, card]
    if kind in (_BOSS_FRESH, _BOSS, _BOSS_RUFFED):
        # Of several winners the one of the suit that is longest elsewhere.
        return value + 1e-2 * count(out & SUIT_CARDS[trump, suit])
    if kind in (_TRUMP_BOSS, _TRUMP_BOSS_LONG, _TRUMP_DRAWN):
        return value + 1e-2 * power
    return value + p["lead_rank"][role] * power


@kernel
def choose_lead(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the card that stands highest on the list of the seat's role."""
    seat = s["turn"]
    role = role_of(opt, s, seat)
    stage = _FIRST if s["trick"] == 0 else _MIDDLE
    if count(s["hands"][seat]) == 2:
        stage = _LAST_TWO
    out, voids = cards_out(opt, s, seat), known_voids(opt, s)
    best, choice = -1e9, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        value = _lead_value(opt, p, s, role, stage, out, voids, card)
        if value > best:
            best, choice = value, card
    return choice


@kernel
def winning_cards(s: Any, legal: Any) -> Any:
    """Return the legal cards that beat what lies on the table."""
    trump = s["trump"]
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    winners = np.int64(0)
    while legal != 0:
        card = lowest(legal)
        if TRICK_POWER[trump, led, card] > s["best_power"]:
            winners |= bit(card)
        legal &= legal - 1
    return winners


@kernel
def _extreme(trump: Any, led: Any, cards: Any, sign: Any) -> Any:
    """Return the card of the greatest (sign 1) or least (-1) power of a non-empty set."""
    best, choice = -1000, -1
    while cards != 0:
        card = lowest(cards)
        power = sign * TRICK_POWER[trump, led, card]
        if power > best:
            best, choice = power, card
        cards &= cards - 1
    return choice


@kernel
def _best_card(s: Any) -> Any:
    """Return the card that is winning the trick on the table."""
    trump = s["trump"]
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    for place in range(s["in_trick"]):
        card = s["cards"][s["trick"], place]
        if TRICK_POWER[trump, led, card] == s["best_power"]:
            return card
    return -1


@kernel
def follow_kind(opt: Any, p: Any, s: Any, role: Any, out: Any, winners: Any) -> Any:
    """Return the Follow of a seat that holds `winners`."""
    trump = s["trump"]
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    best = _best_card(s)
    top = _extreme(trump, led, winners, 1)
    ruffs = led != trump and EFFECTIVE_SUIT[trump, top] == trump
    boss = is_boss(p, role, trump, out, top)
    if plays_with(opt, s, s["turn"], s["best_seat"]):
        if is_boss(p, role, trump, out, best):
            return _PARTNER_HIGH_RUFF if ruffs else _PARTNER_HIGH_FOLLOW
        if ruffs:
            return _PARTNER_LOW_RUFF
        return _PARTNER_LOW_BOSS if boss else _PARTNER_LOW_FOLLOW
    if ruffs:
        return _ENEMY_OVERRUFF if EFFECTIVE_SUIT[trump, best] == trump else _ENEMY_RUFF
    if led == trump:
        return _ENEMY_TRUMP_BOSS if boss else _ENEMY_TRUMP_FOLLOW
    return _ENEMY_BOSS if boss else _ENEMY_FOLLOW


@kernel
def _top_equal(s: Any, out: Any, winners: Any) -> Any:
    """Return the lowest winner that is as good as the highest: no card that is out lies between."""
    trump = s["trump"]
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    choice = _extreme(trump, led, winners, 1)
    over = HIGHER[trump, choice] & out
    rest = winners & ~bit(choice)
    while rest != 0:
        card = _extreme(trump, led, rest, 1)
        if HIGHER[trump, card] & out != over:
            break
        choice = card
        rest &= ~bit(card)
    return choice


@kernel
def _throw_value(p: Any, s: Any, role: Any, out: Any, card: Any) -> Any:
    trump = s["trump"]
    hand = s["hands"][s["turn"]]
    suit = EFFECTIVE_SUIT[trump, card]
    mine = hand & SUIT_CARDS[trump, suit]
    if suit == trump:
        return 100.0 + TRICK_POWER[trump, suit, card]
    value = float(TRICK_POWER[trump, suit, card] - 1)
    if is_boss(p, role, trump, out, card):
        value += p["throw_boss"][role]
    if count(mine) == 1 and count(hand) > 2 and hand & TRUMP_CARDS[trump] != 0:
        value -= p["throw_void"][role]
    if count(mine) == 2:
        other = lowest(mine & ~bit(card))
        if count(HIGHER[trump, other] & out) == 1 and HIGHER[trump, other] & bit(card) == 0:
            value += p["throw_guard"][role]
    return value


@kernel
def _throw_off(p: Any, s: Any, role: Any, out: Any, legal: Any) -> Any:
    """Return the card that is missed least."""
    best, choice = 1e9, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        value = _throw_value(p, s, role, out, card)
        if value < best:
            best, choice = value, card
    return choice


@kernel
def _lowest_card(p: Any, s: Any, role: Any, out: Any, legal: Any) -> Any:
    trump = s["trump"]
    led = EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]
    if legal & ~SUIT_CARDS[trump, led] == 0:
        return _extreme(trump, led, legal, -1)
    return _throw_off(p, s, role, out, legal)


@kernel
def choose_follow(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the card for a trick that somebody else led."""
    seat = s["turn"]
    role = role_of(opt, s, seat)
    out = cards_out(opt, s, seat)
    winners = winning_cards(s, legal)
    if winners == 0:
        return _lowest_card(p, s, role, out, legal)
    last = s["in_trick"] == opt["num_seats"] - count(s["sits_out"]) - 1
    place = 2 if last else s["in_trick"] - 1
    effort = p["follow"][role, place, follow_kind(opt, p, s, role, out, winners)]
    if effort == _DUCK:
        losers = legal & ~winners
        return _lowest_card(p, s, role, out, losers if losers != 0 else legal)
    if effort == _CHEAPEST:
        led = EFFECTIVE_SUIT[s["trump"], s["cards"][s["trick"], 0]]
        return _extreme(s["trump"], led, winners, -1)
    return _top_equal(s, out, winners)


@kernel
def _following(s: Any, legal: Any) -> Any:
    """1.4: the cards that follow suit, where the mask leaves a renege open (Q-X4); it never pays."""
    if s["in_trick"] == 0:
        return legal
    trump = s["trump"]
    same = legal & SUIT_CARDS[trump, EFFECTIVE_SUIT[trump, s["cards"][s["trick"], 0]]]
    return same if same != 0 else legal


@kernel
def choose_card(opt: Any, p: Any, s: Any, legal: Any) -> Any:
    """Return the card to play."""
    legal = _following(s, legal)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    if s["in_trick"] == 0:
        return choose_lead(opt, p, s, legal)
    return choose_follow(opt, p, s, legal)
