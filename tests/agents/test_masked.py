"""Masked distributions: faults J1, J2, J3, and the compiled ones against torch's."""

import numpy as np
import pytest
import torch

from agents.networks.masked import entropy, legal_mask, log_probabilities, log_softmax, masked_logits, sample
from euchre_env.engine.layout import NUM_ACTIONS

HALVES = [torch.float16, torch.bfloat16, torch.float32]


def compiled(logits: np.ndarray, legal: int) -> tuple[np.ndarray, float]:
    """Return log-probabilities [A], -inf where illegal, and the entropy of one row."""
    out = np.full(NUM_ACTIONS, -np.inf, dtype=np.float32)
    row = np.zeros(NUM_ACTIONS, dtype=np.float32)
    row[: len(logits)] = logits
    return out, float(log_probabilities(row, np.int64(legal), out))


@pytest.mark.parametrize(("mask", "expected"), [([1, 1, 0], 0.5822), ([0, 1, 0], 0.0)])
def test_j1_entropy_is_over_legal_actions_with_finite_gradients(mask: list[int], expected: float) -> None:
    logits = torch.tensor([[1.0, 2.0, 9.0]], requires_grad=True)
    legal = torch.tensor([mask], dtype=torch.bool)
    value = entropy(logits, legal)
    torch.autograd.backward((value + log_softmax(logits, legal)[0, 1]).sum())
    assert float(value.detach()) == pytest.approx(expected, abs=5e-5)
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~legal] == 0).all()
    assert compiled(np.array([1, 2, 9]), sum(bit << i for i, bit in enumerate(mask)))[1] == pytest.approx(
        expected, abs=5e-5
    )


def test_j1_a_forced_action_has_log_probability_0_and_no_gradient() -> None:
    logits = torch.tensor([[1.0, 2.0, 9.0]], requires_grad=True)
    log_p = log_softmax(logits, torch.tensor([[False, True, False]]))[0, 1]
    torch.autograd.backward(log_p)
    assert float(log_p.detach()) == 0
    assert logits.grad is not None
    assert not logits.grad.any()


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("legal_logits", [(3e4, -3e4), (1e9, 0.0), (-1e9,), (0.0, 1e9, -1e9), (-3e4, -3e4)])
def test_j2_illegal_actions_have_probability_exactly_0(dtype: torch.dtype, legal_logits: tuple[float, ...]) -> None:
    illegal = [1e9, -1e9, 3e4]
    logits = torch.tensor([[*legal_logits, *illegal]]).to(dtype)
    mask = torch.tensor([[True] * len(legal_logits) + [False] * len(illegal)])
    p = masked_logits(logits, mask).softmax(dim=-1)
    assert (p[~mask] == 0).all()
    assert float(p.sum()) == pytest.approx(1)
    log_p, _ = compiled(logits[0].float().numpy(), (1 << len(legal_logits)) - 1)
    assert float(np.exp(log_p).sum()) == pytest.approx(1)
    np.testing.assert_allclose(np.exp(log_p[: len(legal_logits)]), p[mask].numpy(), atol=1e-6)


def test_j3_rows_without_a_legal_action_are_finite_and_draw_nothing() -> None:
    logits = torch.randn(3, NUM_ACTIONS, generator=torch.Generator().manual_seed(0))
    legal = np.array([0b11, 0b100, 0], dtype=np.int64)
    assert torch.isfinite(masked_logits(logits, legal_mask(legal)).log_softmax(dim=-1)).all()
    assert torch.isfinite(entropy(logits, legal_mask(legal))).all()
    actions, log_p, entropies = np.full(3, 9), np.full(3, 9, np.float32), np.full(3, 9, np.float32)
    sample(logits.numpy(), legal, np.full(3, 0.5, np.float32), actions, log_p, entropies)
    assert (actions[2], log_p[2], entropies[2]) == (0, 0, 0)
    assert (actions[1], log_p[1], entropies[1]) == (2, 0, 0)


def test_samples_follow_the_softmax() -> None:
    rows = 40_000
    rng = np.random.default_rng(1)
    logits = np.tile(rng.normal(size=NUM_ACTIONS).astype(np.float32), (rows, 1))
    legal = np.full(rows, 1 << 3 | 1 << 33 | 1 << 61 | 1 << 40, dtype=np.int64)
    actions, log_p, entropies = np.empty(rows, np.int64), np.empty(rows, np.float32), np.empty(rows, np.float32)
    sample(logits, legal, rng.random(rows, dtype=np.float32), actions, log_p, entropies)
    mask = legal_mask(legal[:1])
    expected = log_softmax(torch.from_numpy(logits[:1]), mask)[0].numpy()
    np.testing.assert_allclose(log_p, expected[actions], rtol=1e-5)
    np.testing.assert_allclose(entropies, float(entropy(torch.from_numpy(logits[:1]), mask)), rtol=1e-5)
    shares = np.bincount(actions, minlength=NUM_ACTIONS) / rows
    np.testing.assert_allclose(shares, np.where(mask[0].numpy(), np.exp(expected), 0), atol=0.01)
    assert (legal >> actions & 1).all()
