"""What happened at the tables: counts over finished hands. Compiled.

Counted from the record that a hand leaves behind; the rules are not looked at. `Outcomes.rates()` are the `table/...`
metrics of docs/metrics.md.

>>> from euchre_env.batch import GameBatch
>>> batch = GameBatch("tournament", 1, seed=1, autoreset=False)
>>> outcomes = Outcomes()
>>> while batch.legal[0]:
...     batch.step([int(batch.legal[0]).bit_length() - 1])
...     outcomes.add(batch.finished, batch.hand_over)
>>> outcomes.rates()["table/alone"]
1.0
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from euchre_env.engine._jit import kernel
from euchre_env.engine.layout import Upcard
from euchre_env.engine.table import has

PLACES = ("left_of_dealer", "dealers_partner", "right_of_dealer", "dealer")
ROUNDS = ("order_up", "call")

COUNTS = np.dtype(
    [
        ("hands", np.int64),
        ("thrown_in", np.int64),
        ("made", np.int64),
        ("marched", np.int64),
        ("euchred", np.int64),
        ("alone", np.int64),
        ("alone_swept", np.int64),
        ("defended_alone", np.int64),
        ("makers_points", np.int64),
        ("calls", np.int64, (len(ROUNDS), len(PLACES))),
    ]
)

_TURNED_DOWN = int(Upcard.TURNED_DOWN)


@kernel
def _count(records: Any, over: Any, counts: Any, seats: Any, sides: Any) -> None:
    out = counts[0]
    for i in range(len(records)):
        if not over[i]:
            continue
        s = records[i]
        out["hands"] += 1
        if s["maker"] < 0:
            out["thrown_in"] += 1
            continue
        _count_call(s, out, seats)
        _count_result(s, out, seats, sides)


@kernel
def _count_call(s: Any, out: Any, seats: Any) -> None:
    place = (s["maker"] - s["dealer"] - 1 + seats) % seats
    out["calls"][1 if s["upcard_state"] == _TURNED_DOWN else 0, place] += 1


@kernel
def _count_result(s: Any, out: Any, seats: Any, sides: Any) -> None:
    makers = s["maker"] % sides
    won, lost, alone, defended_alone = 0, 0, False, False
    for seat in range(seats):
        if seat % sides == makers:
            won += s["tricks"][seat]
            alone |= has(s["alone"], seat)
        else:
            lost += s["tricks"][seat]
            defended_alone |= has(s["alone"], seat)
    made = s["points"][makers] > 0
    out["made"] += made
    out["euchred"] += not made
    out["marched"] += made and lost == 0
    out["alone"] += alone
    out["alone_swept"] += alone and made and lost == 0
    out["defended_alone"] += defended_alone
    out["makers_points"] += s["points"][makers]


class Outcomes:
    """Counts of finished hands, and their rates."""

    def __init__(self, seats: int = 4, sides: int = 2) -> None:
        self.counts = np.zeros(1, dtype=COUNTS)
        self._seats, self._sides = seats, sides

    def add(self, records: npt.NDArray[np.void], over: npt.NDArray[np.bool_]) -> None:
        """Count the records [N] of hands that are over [N]."""
        _count(records, over, self.counts, self._seats, self._sides)

    def merge(self, other: "Outcomes") -> None:
        """Add the counts of another."""
        for name in COUNTS.names or ():
            self.counts[name] += other.counts[name]

    def rates(self) -> dict[str, float]:
        """Return the `table/...` metrics: shares of hands, of calls or of lone hands, as docs/metrics.md says."""
        row = self.counts[0]
        hands, calls = max(int(row["hands"]), 1), max(int(row["calls"].sum()), 1)
        rates = {
            f"table/{name}": row[name] / calls for name in ("made", "marched", "euchred", "alone", "defended_alone")
        }
        rates["table/alone_swept"] = row["alone_swept"] / max(int(row["alone"]), 1)
        rates["table/thrown_in"] = row["thrown_in"] / hands
        rates["table/makers_points"] = row["makers_points"] / calls
        for r, bidding in enumerate(ROUNDS):
            for p, place in enumerate(PLACES):
                rates[f"table/{bidding}/{place}"] = row["calls"][r, p] / hands
        return {name: float(rate) for name, rate in rates.items()}
