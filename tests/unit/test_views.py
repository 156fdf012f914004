"""Views in batches: masks, encoded views, and the way back to real suits. What they hide is in tests/properties."""

import numpy as np
import pytest

from euchre_env.batch import GameBatch
from euchre_env.engine.layout import NUM_ACTIONS
from euchre_env.views import EncodedViews, masks
from tests.rules.many import sample


def test_masks_spell_sets_out() -> None:
    legal = np.array([0, 1, 1 << 61, 1 << 33 | 1 << 5], dtype=np.int64)
    spelt = masks(legal)
    assert spelt.shape == (4, NUM_ACTIONS)
    assert spelt.dtype == np.int8
    assert [np.flatnonzero(row).tolist() for row in spelt] == [[], [0], [61], [5, 33]]


@pytest.mark.parametrize("canonical", [False, True])
def test_encoded_views_are_the_rows_of_the_batch(canonical: bool) -> None:
    rng = np.random.default_rng(0)
    batch = GameBatch("north_american", 32, seed=1, canonical_suits=canonical)
    real = GameBatch("north_american", 32, seed=1)
    for _ in range(120):
        rows = rng.permutation(32)[:20]
        shown = EncodedViews("north_american", batch.views(rows), canonical)
        assert np.array_equal(shown.observations, batch.observations[rows])
        assert np.array_equal(shown.legal, batch.legal[rows])
        actions = sample(batch, rng)
        everything = EncodedViews("north_american", batch.views(np.arange(32)), canonical)
        real.step(everything.real_actions(actions))
        batch.step(actions)
        assert np.array_equal(real.states, batch.states)


def test_one_action_for_each_view() -> None:
    shown = EncodedViews("tournament", GameBatch("tournament", 3, seed=1).views([0, 1, 2]))
    with pytest.raises(ValueError, match="2 actions for 3 views"):
        shown.real_actions(np.array([33, 33]))


def test_no_views() -> None:
    shown = EncodedViews("tournament", GameBatch("tournament", 3, seed=1).views([]))
    assert shown.observations.shape[0] == 0
    assert shown.real_actions(np.array([], dtype=np.int64)).shape == (0,)
