"""The action space samples as Gymnasium's `Discrete` does, only faster."""

import copy

import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.spaces import Discrete

from euchre_env.envs.action_space import ActionSpace


def mask_of(*actions: int) -> npt.NDArray[np.int8]:
    mask = np.zeros(62, dtype=np.int8)
    mask[list(actions)] = 1
    return mask


def test_masked_samples_are_uniform_over_the_ones() -> None:
    space = ActionSpace(62, seed=1)
    counts = np.bincount([space.sample(mask_of(0, 33, 61)) for _ in range(30_000)], minlength=62)
    assert counts.sum() == counts[[0, 33, 61]].sum()
    assert np.abs(counts[[0, 33, 61]] / 10_000 - 1).max() < 0.05


def test_same_seed_same_samples() -> None:
    def samples(space: ActionSpace) -> list[int]:
        return [int(space.sample(mask_of(3, 7, 9))) for _ in range(20)] + [int(space.sample())]

    space = ActionSpace(62, seed=5)
    twin = copy.deepcopy(space)
    first = samples(space)
    assert first == samples(twin)
    space.seed(5)
    assert first == samples(space)


def test_the_rest_is_gymnasium_s() -> None:
    space = ActionSpace(62, seed=1)
    assert space == Discrete(62)
    assert Discrete(62) == space
    assert space.contains(space.sample())
    assert space.sample(mask_of()) == 0
    assert isinstance(space.sample(mask_of(4)), np.int64)
    unusual = np.stack([mask_of(4), mask_of(5)]).T[:, 1]
    assert space.sample(unusual) == 5
    unusual.flags.writeable = False
    assert space.sample(unusual) == 5


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (mask_of(3) * 2, "should be 0 or 1"),
        (-mask_of(3), "should be 0 or 1"),
        (mask_of(3).astype(np.int64), "dtype"),
        (mask_of(3)[:5], "shape"),
        ([1] * 62, "type"),
    ],
)
def test_what_is_no_mask_is_refused_as_by_gymnasium(mask: object, words: str) -> None:
    for space in (ActionSpace(62), Discrete(62)):
        with pytest.raises(AssertionError, match=words):
            space.sample(mask)  # type: ignore[arg-type]
