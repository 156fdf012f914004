"""One deal of Euchre Game Notation: from its JSON object to what it tells, and from a game to its JSON object."""

from typing import Any

from euchre_env.cards import JOKER, NO_TRUMP, NUM_RANKS, NUM_SUITS, RANKS, SUIT_NAMES, SUITS, format_card, same_colour
from euchre_env.dealing import KITTY, UPCARD, Place, cards_at, hand_of, plan_of
from euchre_env.engine.layout import (
    ALONE,
    CALL,
    CALL_ALONE,
    CLAIM_REDEAL,
    NONE,
    ORDER_UP,
    ORDER_UP_ALONE,
    PASS,
    Phase,
    Purpose,
)
from euchre_env.errors import RecordError, unknown
from euchre_env.game import Game
from euchre_env.record.fields import brief, check_fields, items, mapping, number, shown, text
from euchre_env.record.games import PlayedDeal
from euchre_env.record.inferring import Told
from euchre_env.ruleset import Ruleset

_BIDDING, _PLAY = "EUCHRE_BIDDING", "TRICK_PLAY"
_FIELDS = {"dealNumber", "initialState", "phases"}
_START = {"dealer", "upCard"}
_MORE_START = {"playerCards", "kitty"}
_PHASE_FIELDS = {
    _BIDDING: {"calls", "isAlone", "aloneDefender", "discard", "cardExchanges", "callAnnotations"},
    _PLAY: {"tricks", "isAlone", "initialLead", "playAnnotations"},
}
_CALLS = {"Pass": PASS, "Order": ORDER_UP, "n": CALL + NO_TRUMP}
_CALLS |= {letter.lower(): CALL + suit for suit, letter in enumerate(SUITS)}
_CALL_WORDS = {action: word for word, action in _CALLS.items()}
_ALONE = {ORDER_UP: ORDER_UP_ALONE, **{CALL + trump: CALL_ALONE + trump for trump in range(NO_TRUMP + 1)}}
_WITH_PARTNER = {alone: action for action, alone in _ALONE.items()}
_UNKNOWN = "Xx"
_JOKER = "B"
_JACK = RANKS.index("J")


def read_deal(rules: Ruleset, deal_number: int, value: Any) -> Told:
    """Return what the JSON object of a deal tells; RecordError names the field that is wrong."""
    where = f"deal {deal_number}"
    if isinstance(value, str):
        raise RecordError(f"{where}: packed deals are not supported: unpack the file first.")
    check_fields(f"{where}: ", mapping(where, value), _FIELDS, _FIELDS | {"alternativeLines"})
    start = mapping(f"{where}: initialState", value["initialState"])
    check_fields(f"{where}: initialState: ", start, _START, _START | _MORE_START)
    return _Reader(rules, where, start, *_phases(where, value["phases"])).told(
        deal_number, number(f"{where}: dealNumber", value["dealNumber"], 0, 2**31)
    )


def _phases(where: str, value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the objects of the bidding and the play, empty where there is none."""
    found: dict[str, dict[str, Any]] = {}
    for phase in items(f"{where}: phases", value):
        kind = text(f"{where}: type of a phase", mapping(f"{where}: phase", phase).get("type"))
        if kind not in _PHASE_FIELDS:
            raise RecordError(f"{where}: {unknown('phase', brief(kind), _PHASE_FIELDS)}")
        if kind in found:
            raise RecordError(f"{where}: the phase {kind} stands there twice.")
        check_fields(f"{where}: {kind}: ", phase, {"type"}, _PHASE_FIELDS[kind] | {"type", "phaseNumber"})
        found[kind] = phase
    return found.get(_BIDDING, {}), found.get(_PLAY, {})


class _Reader:
    """Reads the cards, seats and calls of one deal."""

    def __init__(
        self,
        rules: Ruleset,
        where: str,
        start: dict[str, Any],
        bidding: dict[str, Any],
        play: dict[str, Any],
    ) -> None:
        self.rules, self.where, self.start, self.bidding, self.play = rules, where, start, bidding, play
        self.trump = NONE
        self.upcard = self.card("upCard", start["upCard"])
        self.calls = self._calls()
        self.trump = self._trump()
        self.exchanges: dict[int, int] = {}
        self.swap: dict[int, tuple[int, ...]] = {}
        self._read_exchanges()

    def told(self, deal_number: int, name: int) -> Told:
        """Return what the deal tells."""
        tricks = items(f"{self.where}: tricks", self.play.get("tricks", []))
        return Told(
            number=deal_number,
            name=name,
            dealer=self.seat("dealer", self.start["dealer"]),
            upcard=self.upcard,
            calls=self.calls,
            tricks=tuple(self.cards(f"trick {i}", trick) for i, trick in enumerate(tricks, start=1)),
            hands=self._hands(),
            kitty=self._known("kitty", self.start.get("kitty", []), self._size(KITTY)),
            discard=self._discard(),
            alone_defender=self._alone_defender(),
            exchanges=self.exchanges,
            swapper=next(iter(self.swap), None),
            taken=next(iter(self.swap.values()), ()),
            first_leader=self.seat("initialLead", self.play["initialLead"]) if "initialLead" in self.play else None,
        )

    def _size(self, place: Place) -> int:
        return plan_of(self.rules, 0).count(place)

    def seat(self, name: str, value: Any) -> int:
        """Return a seat."""
        return number(f"{self.where}: {name}", value, 0, self.rules.num_seats - 1)

    def card(self, name: str, value: Any) -> int:
        """Return the card that a text stands for: rank and suit, the joker, or a bower by its own letter."""
        word = text(f"{self.where}: {name}", value)
        card = _card(word, self.trump)
        if card is None:
            raise RecordError(f"{self.where}: {name} has {shown(word)}, which stands for no card of the pack.")
        if card not in self.rules.deck_ids:
            raise RecordError(f"{self.where}: {name} has {word!r}, which is not in a pack of {self.rules.deck} (1.1).")
        return card

    def cards(self, name: str, value: Any) -> tuple[int, ...]:
        """Return a list of cards, all of them known and each there once."""
        found = tuple(self.card(name, card) for card in items(f"{self.where}: {name}", value))
        twin = next((card for card in found if found.count(card) > 1), None)
        if twin is not None:
            raise RecordError(f"{self.where}: {name} has {format_card(twin)} twice.")
        return found

    def _known(self, name: str, value: Any, most: int) -> tuple[int, ...]:
        """Return the known cards of a list in which cards may be unknown."""
        listed = items(f"{self.where}: {name}", value)
        if len(listed) > most:
            raise RecordError(f"{self.where}: {name} has {len(listed)} cards: there are only {most}.")
        return self.cards(name, [card for card in listed if card != _UNKNOWN])

    def _calls(self) -> tuple[int, ...]:
        words = items(f"{self.where}: calls", self.bidding.get("calls", []))
        for word in words:
            if text(f"{self.where}: calls", word) not in _CALLS:
                raise RecordError(f"{self.where}: the call {shown(word)} is not supported: {', '.join(_CALLS)} are.")
        calls = [_CALLS[word] for word in words]
        if not self._is_alone():
            return tuple(calls)
        if not calls or calls[-1] == PASS:
            raise RecordError(f"{self.where}: isAlone is true, but nobody has made trump.")
        return (*calls[:-1], _ALONE[calls[-1]])

    def _is_alone(self) -> bool:
        said = [phase["isAlone"] for phase in (self.bidding, self.play) if "isAlone" in phase]
        for value in said:
            if not isinstance(value, bool) or value != said[0]:
                raise RecordError(
                    f"{self.where}: isAlone is {shown(value)}: it must be true or false, the same throughout."
                )
        return bool(said and said[0])

    def _trump(self) -> int:
        """Return the suit that the calls make trump, as far as bowers can be named by it."""
        last = self.calls[-1] if self.calls else PASS
        if last in (ORDER_UP, ORDER_UP_ALONE):
            joker = self.upcard == JOKER
            return SUIT_NAMES.index(self.rules.joker_up) if joker else self.upcard // NUM_RANKS
        suit = (last - CALL) % (CALL_ALONE - CALL)
        return suit if last >= CALL and suit < NUM_SUITS else NONE

    def _hands(self) -> tuple[tuple[int, ...], ...]:
        hands = items(f"{self.where}: playerCards", self.start.get("playerCards", []))
        seats = self.rules.num_seats
        if len(hands) not in (0, seats):
            raise RecordError(f"{self.where}: playerCards has {len(hands)} hands: it needs one for each seat.")
        size = self._size(hand_of(0))
        return tuple(self._known(f"playerCards[{i}]", hand, size) for i, hand in enumerate(hands)) or ((),) * seats

    def _discard(self) -> int | None:
        value = self.bidding.get("discard", _UNKNOWN)
        return None if value == _UNKNOWN else self.card("discard", value)

    def _alone_defender(self) -> int | None:
        if "aloneDefender" not in self.bidding:
            return None
        seat = number(f"{self.where}: aloneDefender", self.bidding["aloneDefender"], -1, self.rules.num_seats - 1)
        if seat >= 0 and not (self._is_alone() and self.rules.defend_alone != "off"):
            raise RecordError(f"{self.where}: aloneDefender is {seat}, but nobody may defend alone in this deal (7.4).")
        return seat

    def _read_exchanges(self) -> None:
        """Note the best card that each loner received, and what a poor hand took from the kitty, which is no sender."""
        for exchange in items(f"{self.where}: {_EXCHANGES}", self.bidding.get(_EXCHANGES, [])):
            check_fields(
                f"{self.where}: {_EXCHANGES}: ", mapping(_EXCHANGES, exchange), {"receiver", "cards"}, _EXCHANGE
            )
            receiver = self.seat(f"{_EXCHANGES}: receiver", exchange["receiver"])
            if "sender" in exchange:
                self._read_best(exchange["sender"], receiver, exchange["cards"])
            else:
                self._read_swap(receiver, exchange["cards"])

    def _read_best(self, sender: Any, receiver: int, value: Any) -> None:
        cards = self.cards(_EXCHANGES, value)
        best = self.rules.best_exchange != "off" and len(cards) == 1 and receiver not in self.exchanges
        if not best or sender != (receiver + 2) % self.rules.num_seats:
            raise RecordError(
                f"{self.where}: {_EXCHANGES}: between seats only a partner's best card for a loner is supported (7.5)."
            )
        self.exchanges[receiver] = cards[0]

    def _read_swap(self, receiver: int, value: Any) -> None:
        if self.rules.farmers_hand != "swap3":
            flag = "the rule flag 'farmers' is a redeal here" if self.rules.farmers_hand == "redeal" else "it is off"
            raise RecordError(
                f"{self.where}: {_EXCHANGES}: cards from the kitty need the rule flag 'go_under', and {flag} (Q-N22)."
            )
        if self.swap:
            raise RecordError(f"{self.where}: {_EXCHANGES}: only one hand of a deal swaps with the kitty (Q-N22).")
        self.swap[receiver] = self._known(_EXCHANGES, value, self._size(KITTY))


_EXCHANGES = "cardExchanges"
_EXCHANGE = {"sender", "receiver", "cards"}


def _card(word: str, trump: int) -> int | None:
    if word == _JOKER:
        return JOKER
    if word in ("R", "L"):
        suit = trump if word == "R" or trump == NONE else same_colour(trump)
        return None if trump == NONE else suit * NUM_RANKS + _JACK
    if len(word) != 2 or word[1].upper() not in SUITS:
        return None
    rank = word[0].replace("N", "9")
    return SUITS.index(word[1].upper()) * NUM_RANKS + RANKS.index(rank) if rank in RANKS else None


def card_word(card: int) -> str:
    """Return a card as the format writes it: `Td`, `B` for the joker."""
    name = format_card(card)
    return _JOKER if card == JOKER else name[0] + name[1].lower()


def _words(cards: Any) -> list[str]:
    return [card_word(card) for card in cards]


def write_deal(number: int, played: PlayedDeal) -> dict[str, Any]:
    """Return the JSON object of a deal; `number` counts from 0. RecordError where a claim ends it."""
    if any(action == CLAIM_REDEAL for _, action in played.steps):
        raise RecordError(f"Euchre Game Notation cannot say that deal {number + 1} was claimed away (Q-N22).")
    tricks: dict[int, list[int]] = {}
    for game, action in played.steps:
        if game.phase == Phase.PLAY:
            tricks.setdefault(int(game.state["trick"][0]), []).append(action)
    phases: list[dict[str, Any]] = [{"phaseNumber": 0, "type": _BIDDING, **_bidding(played)}]
    if tricks:
        phases.append({"phaseNumber": 1, "type": _PLAY, "tricks": [_words(cards) for cards in tricks.values()]})
    return {"dealNumber": number, "initialState": _start(played), "phases": phases}


def _start(played: PlayedDeal) -> dict[str, Any]:
    unseen, lying = played.deal.unseen, cards_at(played.start.state)

    def known(place: Place) -> list[str]:
        return _words(card for card in lying.get(place, []) if not unseen >> card & 1)

    hands = [known(hand_of(seat)) for seat in range(played.start.ruleset.num_seats)]
    start = {"dealer": int(played.start.state["dealer"][0]), "upCard": known(UPCARD)[0], "playerCards": hands}
    return start | ({"kitty": known(KITTY)} if unseen and known(KITTY) else {})


def _bidding(played: PlayedDeal) -> dict[str, Any]:
    rounds = (Phase.ORDER_UP, Phase.CALL)
    calls = [action for game, action in played.steps if game.phase in rounds]
    values: dict[str, Any] = {"calls": [_CALL_WORDS[_WITH_PARTNER.get(call, call)] for call in calls]}
    values["isAlone"] = bool(calls) and calls[-1] in _WITH_PARTNER
    answers = [(game.turn, action) for game, action in played.steps if game.phase == Phase.DECLARE]
    if answers:
        values["aloneDefender"] = next((seat for seat, action in answers if action == ALONE), NONE)
    discards = [action for game, action in played.steps if game.phase == Phase.DISCARD and not _swaps(game)]
    if discards and not played.deal.unseen >> discards[0] & 1:
        values["discard"] = card_word(discards[0])
    exchanges = _swap(played)
    exchanges += [_exchange(game, action) for game, action in played.steps if game.phase == Phase.GIVE]
    return values | ({"cardExchanges": exchanges} if exchanges else {})


def _exchange(game: Game, card: int) -> dict[str, Any]:
    receiver = (game.turn + 2) % game.ruleset.num_seats
    return {"sender": game.turn, "receiver": receiver, "cards": [card_word(card)]}


def _swaps(game: Game) -> bool:
    """Whether a card is laid away for one of the kitty (Q-N22)."""
    return bool(game.state["discards_for"][0] == Purpose.FARMER)


def _swap(played: PlayedDeal) -> list[dict[str, Any]]:
    """Return what came from the kitty, once all is laid away for it: an exchange that has no sender."""
    swappers = [game.turn for game, _ in played.steps if game.phase == Phase.DISCARD and _swaps(game)]
    kitty = cards_at(played.start.state).get(KITTY, [])
    if not swappers or len(swappers) < len(kitty):
        return []
    return [{"receiver": swappers[0], "cards": _words(card for card in kitty if not played.deal.unseen >> card & 1)}]
