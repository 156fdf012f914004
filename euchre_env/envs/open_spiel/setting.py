"""What all states of one OpenSpiel game share: the rules, what it pays, who deals, the scores it starts from.

Here are also the texts in which a game string carries house rules and scores. Nothing here needs pyspiel.

>>> from euchre_env import rulesets
>>> option_text(rulesets.get("tournament").replace(target=5))
('tournament', 'target:5')
>>> rules_of("tournament", "target:5").target, scores_of("9:8"), score_text([9, 8])
(5, (9, 8), '9:8')
"""

import dataclasses
import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from euchre_env import rewards, rulesets, single
from euchre_env.cards import JOKER
from euchre_env.engine.layout import MAX_SEATS, NONE, STATE
from euchre_env.errors import RulesetError, StateError, unknown
from euchre_env.ruleset import Ruleset

REWARDS = ("zero_sum", "score")

_PREFIX = "euchre_env"
# A comma or a bracket would end the value inside a game string, "-" alone would make it a number.
_BETWEEN = ":"
_NEXT = ";"
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w .-]*")


class Setting:
    """The constants of one game; copies and pickles of a state share it."""

    def __init__(self, rules: Ruleset, reward: str, dealer: int, scores: tuple[int, ...]) -> None:
        if reward not in REWARDS:
            raise ValueError(unknown("reward", reward, REWARDS))
        if not NONE <= dealer < rules.num_seats:
            raise StateError(f"dealer is {dealer}: it must be a seat from 0 to {rules.num_seats - 1}, or -1 for any.")
        _check_scores(rules, scores)
        self.rules, self.reward, self.scores = rules, reward, scores
        self.dealer = rules.fixed_dealer if dealer == NONE and rules.fixed_dealer is not None else dealer
        self.options = rules.to_options()
        self.num_seats, self.pack = rules.num_seats, rules.deck_ids
        self.num_dealt = rules.deck - rules.num_buried
        self.open_deal = not self._may_be_blind()
        self._key = (rules, reward, dealer, scores)
        self._mode = rewards.mode_id(reward, "hand")

    def record(self, dealer: int) -> Any:
        """Return a record before the deal, [1] STATE; a dealer of -1 is not chosen yet."""
        record = np.zeros(1, dtype=STATE)
        single.begin(self.options, record, dealer)
        record["scores"][0, : len(self.scores)] = self.scores
        return record

    def deal(self, dealer: int, deck: Sequence[int]) -> Any:
        """Return the record after a deal, [1] STATE."""
        record = self.record(dealer)
        single.deal_hand(self.options, record, np.array(deck, dtype=np.int8))
        return record

    @functools.cache  # noqa: B019 (settings are kept for good)
    def places(self, dealer: int) -> tuple[int, ...]:
        """Return which seat gets each card of the deck, top first, -1 for those that no seat gets."""
        hands = [int(hand) for hand in self.deal(dealer, self.pack)["hands"][0, : self.num_seats]]
        return tuple(next((s for s, hand in enumerate(hands) if hand >> card & 1), NONE) for card in self.pack)

    def _may_be_blind(self) -> bool:
        """4.3: whether nobody may look at his cards after some deal: one that turns the joker up."""
        if not self.rules.joker or self.rules.auction != "off":
            return False
        turned = int(self.deal(0, self.pack)["upcard"][0])
        swapped = {turned: JOKER, JOKER: turned}
        record = self.deal(0, [swapped.get(card, card) for card in self.pack])
        single.hide_from(self.options, record, 0)
        return not record["hands"][0, 0]

    def pay(self, record: Any) -> list[float]:
        """Return what a finished hand pays each seat."""
        paid = np.zeros(MAX_SEATS, dtype=np.float32)
        rewards.pay_one(self._mode, self.options, record, record["scores"][0], rewards.NO_TABLE, paid)
        return [float(points) for points in paid[: self.num_seats]]

    def __deepcopy__(self, memo: dict[int, Any]) -> "Setting":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return setting, self._key


@functools.lru_cache(maxsize=256)
def setting(rules: Ruleset, reward: str, dealer: int, scores: tuple[int, ...]) -> Setting:
    """Return the constants of a game; ValueError, StateError or RulesetError name what is wrong."""
    return Setting(rules, reward, dealer, scores)


def _check_scores(rules: Ruleset, scores: tuple[int, ...]) -> None:
    lowest, target = rules.lowest_start, rules.target
    if scores and (len(scores) != rules.num_sides or not all(lowest <= s < target for s in scores)):
        raise StateError(f"scores is {scores!r}: it needs {rules.num_sides} numbers from {lowest} to {target - 1}.")


def score_text(scores: str | Sequence[int]) -> str:
    """Return scores by side as they stand in a game string: "9:8", and nothing for nil all."""
    numbers = scores_of(scores) if isinstance(scores, str) else tuple(int(score) for score in scores)
    return _BETWEEN.join(str(score) for score in numbers) if any(numbers) else ""


def scores_of(text: str) -> tuple[int, ...]:
    """Return scores by side from "9:8" or "9,8"; StateError if they are no numbers."""
    words = text.replace(",", _BETWEEN).split(_BETWEEN) if text.strip() else []
    try:
        return tuple(int(word) for word in words)
    except ValueError:
        raise StateError(f"scores is {text!r}: write a number for each side, such as '9:8'.") from None


def rules_of(base: str, options: str) -> Ruleset:
    """Return a ruleset of the catalogue with some options changed, "target:5;deck:32"; RulesetError names a mistake."""
    known = {option["name"]: option["choices"] for option in Ruleset.describe()}
    changes: dict[str, Any] = {}
    for word in filter(None, options.split(_NEXT)):
        name, _, text = word.partition(_BETWEEN)
        if name not in known:
            raise RulesetError(unknown("ruleset option", name, known))
        values = {str(choice): choice for choice in known[name]}
        # What is no choice is refused by Ruleset, which knows the clause.
        changes[name] = values.get(text, text)
    return rulesets.get(base).replace(**changes)


def option_text(rules: Ruleset) -> tuple[str, str]:
    """Return a ruleset as the nearest one of the catalogue and the options that differ, as `rules_of` reads them."""
    if not _PLAIN_NAME.fullmatch(rules.name):
        raise RulesetError(f"name is {rules.name!r}: in a game string it needs letters, digits, blanks, '_', '-', '.'.")
    texts = {base: _differences(rulesets.get(base), rules) for base in rulesets.names()}
    base = min(texts, key=lambda name: len(texts[name]))
    return base, _NEXT.join(texts[base])


def _differences(base: Ruleset, rules: Ruleset) -> list[str]:
    pairs = [(spec.name, getattr(rules, spec.name)) for spec in dataclasses.fields(rules)]
    changed = [(name, value) for name, value in pairs if value != getattr(base, name)]
    # `replace` names a changed ruleset `custom` by itself.
    return [f"{name}{_BETWEEN}{value}" for name, value in changed if (name, value) != ("name", "custom")]


def short_name(base: str) -> str:
    """Return the name under which a ruleset of the catalogue is registered; without one, that of the game for any."""
    return f"{_PREFIX}_{base}" if base else _PREFIX


def game_string(rules: Ruleset) -> tuple[str, dict[str, Any]]:
    """Return the registered name of a ruleset, and the parameters that say the rest of it."""
    if rules.name in rulesets.names() and rulesets.get(rules.name) == rules:
        return short_name(rules.name), {}
    base, options = option_text(rules)
    return _PREFIX, {"ruleset": base, "options": options}
