"""What happened at the tables: counts over finished hands. Compiled.

Counted from the record that a hand leaves behind; whether a call was made the engine says. `Outcomes.rates()` are the
`table/...` metrics of docs/metrics.md: those that the ruleset can have.

>>> from euchre_env.batch import GameBatch
>>> batch = GameBatch("tournament", 1, seed=1, autoreset=False)
>>> outcomes = Outcomes(batch.ruleset)
>>> while batch.legal[0]:
...     batch.step([int(batch.legal[0]).bit_length() - 1])
...     outcomes.add(batch.finished, batch.hand_over)
>>> outcomes.rates()["table/alone"]
1.0
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.cards import NO_TRUMP
from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import BID_NAMES, MAX_SEATS, MOON, NONE, NUM_BIDS, Upcard
from euchre_env.engine.opening import NO_AUCTION
from euchre_env.engine.score import makers_points
from euchre_env.engine.stakes import is_made
from euchre_env.engine.table import loner_of, side_of, side_tricks
from euchre_env.ruleset import Ruleset

# By seats: who sits where, from the dealer's left.
PLACES = {
    2: ("left_of_dealer", "dealer"),
    3: ("left_of_dealer", "right_of_dealer", "dealer"),
    4: ("left_of_dealer", "dealers_partner", "right_of_dealer", "dealer"),
}
ROUNDS = ("order_up", "call")

COUNTS = np.dtype(
    [
        ("hands", np.int64),
        ("thrown_in", np.int64),
        ("made", np.int64),
        ("marched", np.int64),
        ("failed", np.int64),
        ("alone", np.int64),
        ("alone_swept", np.int64),
        ("defended_alone", np.int64),
        ("no_trump", np.int64),
        ("swapped", np.int64),
        ("reneged", np.int64),
        ("makers_points", np.int64),
        ("calls", np.int64, (len(ROUNDS), MAX_SEATS)),  # [round, place from the dealer's left]; an auction is one round
        ("bids", np.int64, (NUM_BIDS,)),  # by the bid that won the auction
        ("bids_made", np.int64, (NUM_BIDS,)),
    ]
)

_TURNED_DOWN = int(Upcard.TURNED_DOWN)


@kernel
def _count(options: Any, records: Any, over: Any, counts: Any) -> None:
    opt, out = options[0], counts[0]
    for i in range(len(records)):
        if not over[i]:
            continue
        s = records[i]
        out["hands"] += 1
        out["swapped"] += s["swapped_by"] != NONE
        out["reneged"] += s["reneged"] != 0
        if s["maker"] == NONE:
            out["thrown_in"] += 1
            continue
        _count_call(opt, s, out)
        _count_result(opt, s, out)


@kernel
def _count_call(opt: Any, s: Any, out: Any) -> None:
    seats = opt["num_seats"]
    place = (s["maker"] - s["dealer"] - 1 + seats) % seats
    out["calls"][1 if s["upcard_state"] == _TURNED_DOWN else 0, place] += 1
    out["no_trump"] += s["trump"] >= NO_TRUMP


@kernel
def _makers_succeeded(opt: Any, s: Any) -> Any:
    """2.7, 8.5: whether the makers took what they needed, whatever else the hand paid."""
    if opt["auction"] != NO_AUCTION:
        return is_made(opt, s)
    return makers_points(opt, s, side_tricks(opt, s, side_of(opt, s["maker"]))) > 0


@kernel
def _count_result(opt: Any, s: Any, out: Any) -> None:
    makers = side_of(opt, s["maker"])
    lost, defended_alone = 0, False
    for seat in range(opt["num_seats"]):
        if side_of(opt, seat) != makers:
            lost += s["tricks"][seat]
            defended_alone |= s["alone"] >> seat & 1 != 0
    made, alone = _makers_succeeded(opt, s), loner_of(opt, s, makers) != NONE
    out["made"] += made
    out["failed"] += not made
    out["marched"] += made and lost == 0
    out["alone"] += alone
    out["alone_swept"] += alone and made and lost == 0
    out["defended_alone"] += defended_alone
    out["makers_points"] += s["points"][makers]
    if s["bid"] != NONE:
        out["bids"][s["bid"]] += 1
        out["bids_made"][s["bid"]] += made


class Outcomes:
    """Counts of finished hands, and their rates."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.counts = np.zeros(1, dtype=COUNTS)
        self._rules = ruleset
        self._options = ruleset.to_options()

    def add(self, records: npt.NDArray[np.void], over: npt.NDArray[np.bool_]) -> None:
        """Count the records [N] of hands that are over [N]."""
        _count(self._options, records, over, self.counts)

    def merge(self, other: "Outcomes") -> None:
        """Add the counts of another."""
        for name in COUNTS.names or ():
            self.counts[name] += other.counts[name]

    def rates(self) -> dict[str, float]:
        """Return the `table/...` metrics: shares of hands, of calls or of lone hands, as docs/metrics.md says."""
        rates = self._shared() | (self._of_auctions() if self._rules.auction != "off" else self._of_turn_up())
        return {f"table/{name}": float(rate) for name, rate in rates.items()}

    @property
    def _calls(self) -> int:
        return max(int(self.counts[0]["calls"].sum()), 1)

    @property
    def _hands(self) -> int:
        return max(int(self.counts[0]["hands"]), 1)

    def _shared(self) -> dict[str, float]:
        row, rules = self.counts[0], self._rules
        rates = {name: row[name] / self._calls for name in ("made", "marched", "makers_points")}
        rates["thrown_in"] = row["thrown_in"] / self._hands
        if rules.allow_no_trump != "off":
            rates["no_trump"] = row["no_trump"] / self._calls
        if rules.swap != "off" or rules.farmers_hand == "swap3":
            rates["swapped"] = row["swapped"] / self._hands
        if rules.renege == "penalty":
            rates["reneged"] = row["reneged"] / self._hands
        return rates

    def _of_turn_up(self) -> dict[str, float]:
        row, rules = self.counts[0], self._rules
        rates = {"euchred": row["failed"] / self._calls}
        if rules.alone_scope != "none":
            rates["alone"] = row["alone"] / self._calls
            rates["alone_swept"] = row["alone_swept"] / max(int(row["alone"]), 1)
        if rules.alone_scope != "none" or rules.defend_alone != "off":
            rates["defended_alone"] = row["defended_alone"] / self._calls
        for r, bidding in enumerate(ROUNDS):
            rates |= self._by_place(bidding, row["calls"][r])
        return rates

    def _of_auctions(self) -> dict[str, float]:
        """Return how high was bid, and what became of it."""
        row = self.counts[0]
        rates = {"set": row["failed"] / self._calls, "moon": row["bids"][MOON:].sum() / self._calls}
        for level, name in enumerate(BID_NAMES):
            if row["bids"][level]:
                key = name.replace(" ", "_")
                rates[f"bid/{key}"] = row["bids"][level] / self._hands
                rates[f"bid_made/{key}"] = row["bids_made"][level] / row["bids"][level]
        return rates | self._by_place("bidder", row["calls"][0])

    def _by_place(self, what: str, calls: npt.NDArray[np.int64]) -> dict[str, float]:
        places = PLACES[self._rules.num_seats]
        return {f"{what}/{place}": calls[p] / self._hands for p, place in enumerate(places)}
