"""Counts of what happened at the tables, against the finished hands looked at one by one."""

from collections import Counter

import numpy as np
import pytest

from agents.selfplay.outcomes import Outcomes
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import BID_NAMES
from euchre_env.policies.random import sample, seed_rows
from euchre_env.ruleset import Ruleset

TABLES = 200


def played(ruleset: str | Ruleset) -> tuple[dict[str, float], np.ndarray]:
    """Return the rates of a hand of random play at each table, and the finished hands."""
    batch = GameBatch(ruleset, TABLES, seed=3, autoreset=False)
    draws, actions = seed_rows(np.random.default_rng(1), TABLES), np.empty(TABLES, dtype=np.int64)
    outcomes = Outcomes(batch.ruleset)
    while batch.legal.any():
        sample(batch.legal, draws, actions)
        batch.step(actions)
        outcomes.add(batch.finished, batch.hand_over)
    return outcomes.rates(), batch.finished.copy()


def total(rates: dict[str, float], *starts: str) -> float:
    return sum(rate for name, rate in rates.items() if name.startswith(tuple(f"table/{start}/" for start in starts)))


@pytest.mark.parametrize("name", rulesets.names())
def test_shares_add_up_and_the_ruleset_decides_which_there_are(name: str) -> None:
    rates, hands = played(name)
    rules = rulesets.get(name)
    assert rates["table/thrown_in"] == pytest.approx((hands["maker"] < 0).mean())
    if rules.auction != "off":
        assert total(rates, "bid") + rates["table/thrown_in"] == pytest.approx(1)
        assert total(rates, "bidder") + rates["table/thrown_in"] == pytest.approx(1)
        assert rates["table/made"] + rates["table/set"] == pytest.approx(1)
    else:
        assert total(rates, "order_up", "call") + rates["table/thrown_in"] == pytest.approx(1)
        assert rates["table/made"] + rates["table/euchred"] == pytest.approx(1)
    assert ("table/moon" in rates) == (rules.auction != "off")
    assert ("table/swapped" in rates) == (name == "ghost_hand")
    assert ("table/alone" in rates) == (rules.auction == "off" and rules.num_seats == 4)
    assert sum(key.startswith(("table/bidder/", "table/order_up/")) for key in rates) == rules.num_seats


@pytest.mark.parametrize("name", ["bid_euchre", "cincinnati", "ghost_hand"])
def test_bids_by_level_and_how_many_of_them_were_made(name: str) -> None:
    rates, hands = played(name)
    rules = rulesets.get(name)
    bid, made = Counter[str](), Counter[str]()
    for s in hands[hands["maker"] >= 0]:
        level = BID_NAMES[s["bid"]].replace(" ", "_")
        bid[level] += 1
        made[level] += int(s["points"][rules.side(int(s["maker"]))] > 0)
    assert len(bid) > 3
    for level in bid:
        assert rates[f"table/bid/{level}"] == pytest.approx(bid[level] / TABLES)
        assert rates[f"table/bid_made/{level}"] == pytest.approx(made[level] / bid[level])
    moons = sum(n for level, n in bid.items() if "moon" in level)
    assert rates["table/moon"] == pytest.approx(moons / bid.total())
    if name == "ghost_hand":
        assert rates["table/swapped"] == pytest.approx((hands["swapped_by"] >= 0).mean())


def test_a_call_is_made_by_tricks_whatever_reneges_cost() -> None:
    rates, hands = played(rulesets.get("tournament").replace(renege="penalty"))
    called = hands[hands["maker"] >= 0]
    tricks = called["tricks"].reshape(-1, 2, 2).sum(axis=1)[np.arange(len(called)), called["maker"] % 2]
    assert rates["table/made"] == pytest.approx((tricks >= 3).mean())
    assert 0 < rates["table/reneged"] == pytest.approx((hands["reneged"] != 0).mean())
