"""PPO's losses against autograd, rows without weight (J3), and the update of a network."""

import numpy as np
import pytest
import torch
from torch import Tensor

from agents.learners.ppo import Learner, minibatches, policy_loss
from agents.networks.masked import legal_mask, log_softmax
from agents.networks.mlp import Mlp
from euchre_env.engine.layout import NUM_ACTIONS

CLIP, ENTROPY = 0.2, 0.05


def rows(count: int, seed: int) -> dict[str, np.ndarray]:
    """Return a random minibatch with ratios inside the clip and on both sides of it."""
    rng = np.random.default_rng(seed)
    legal = rng.integers(1, 2**NUM_ACTIONS, size=count) & rng.integers(1, 2**NUM_ACTIONS, size=count) | 1
    actions = np.array([rng.choice(np.flatnonzero([m >> a & 1 for a in range(NUM_ACTIONS)])) for m in legal])
    logits = rng.normal(size=(count, NUM_ACTIONS)).astype(np.float32)
    log_p = log_softmax(torch.from_numpy(logits), legal_mask(legal)).numpy()[np.arange(count), actions]
    return {
        "logits": logits,
        "legal": legal,
        "actions": actions,
        "old_log_p": (log_p + rng.normal(0, 0.3, size=count)).astype(np.float32),
        "advantages": rng.normal(size=count).astype(np.float32),
    }


def by_autograd(batch: dict[str, np.ndarray]) -> tuple[float, Tensor]:
    """Return loss and gradient of equation 7 with an entropy bonus, from torch's own distribution."""
    logits = torch.tensor(batch["logits"], requires_grad=True)
    mask = legal_mask(batch["legal"])
    chosen = torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e20), validate_args=False)
    log_p = chosen.logits.gather(1, torch.from_numpy(batch["actions"])[:, None])[:, 0]
    ratio = (log_p - torch.from_numpy(batch["old_log_p"])).exp()
    advantages = torch.from_numpy(batch["advantages"])
    surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
    p_log_p = torch.where(mask, chosen.probs * chosen.logits, torch.zeros(()))
    loss = -(surrogate - ENTROPY * p_log_p.sum(dim=-1)).mean()
    torch.autograd.backward(loss)
    assert logits.grad is not None
    return float(loss.detach()), logits.grad


def ours(batch: dict[str, np.ndarray]) -> tuple[dict[str, float], np.ndarray]:
    gradient = np.full(batch["logits"].shape, np.nan, dtype=np.float32)
    return policy_loss(**batch, clip=CLIP, entropy_weight=ENTROPY, grad=gradient), gradient


def test_the_policy_loss_and_its_gradient_equal_autograd() -> None:
    batch = rows(500, seed=0)
    stats, gradient = ours(batch)
    loss, expected = by_autograd(batch)
    assert stats["loss"] == pytest.approx(loss, rel=1e-5)
    assert 0.2 < stats["clipped"] < 0.9
    assert stats["kl"] > 0
    np.testing.assert_allclose(gradient, expected.numpy(), atol=1e-7)


def test_j3_a_row_without_a_legal_action_weighs_nothing() -> None:
    batch = rows(3, seed=1)
    batch["legal"][2] = 0
    stats, gradient = ours(batch)
    two, gradient_of_two = ours({name: values[:2] for name, values in batch.items()})
    assert stats == two
    np.testing.assert_array_equal(gradient[:2], gradient_of_two)
    assert not gradient[2].any()


def test_a_minibatch_without_any_weight_has_a_finite_loss() -> None:
    batch = rows(2, seed=2)
    batch["legal"][:] = 0
    stats, gradient = ours(batch)
    assert set(stats.values()) == {0.0}
    assert not gradient.any()


def learner(average: float = 0.0) -> Learner:
    return Learner(
        Mlp(np.ones(5), outputs=2, width=4, depth=2, final_gain=1.0, seed=3), max_gradient=0.5, average=average
    )


def push(subject: Learner, times: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for _ in range(times):
        inputs = torch.randn(8, 5, generator=generator)
        subject.update(subject.net(inputs), torch.randn(8, 2, generator=generator), rate=0.01)


def test_a_restored_learner_goes_on_bit_for_bit() -> None:
    first, second = learner(0.9), learner(0.9)
    push(first, 3, seed=4)
    second.restore(first.state(), first.updates)
    push(first, 3, seed=5)
    push(second, 3, seed=5)
    for name, tensor in first.state().items():
        assert torch.equal(tensor, second.state()[name]), name


def test_averaged_weights_lie_between_old_and_new() -> None:
    subject = learner(0.9)
    push(subject, 1, seed=6)
    assert all(torch.equal(a, p) for a, p in zip(subject.averaged, subject.net.parameters(), strict=True))
    before = [tensor.clone() for tensor in subject.averaged]
    push(subject, 1, seed=7)
    for old, average, new in zip(before, subject.averaged, subject.net.parameters(), strict=True):
        torch.testing.assert_close(average, (old + new.detach()) / 2)


def test_minibatches_take_every_row_at_most_once_and_leave_a_rest_for_later() -> None:
    parts = list(minibatches(1050, 100, np.random.default_rng(0)))
    assert [len(part) for part in parts] == [100] * 10
    assert len(set(np.concatenate(parts).tolist())) == 1000
    assert [len(part) for part in minibatches(7, 100, np.random.default_rng(0))] == [7]


def test_half_precision_changes_the_output_a_little() -> None:
    net = Mlp(np.full(30, 0.5), outputs=3, width=16, depth=3, final_gain=1.0, seed=0)
    inputs = torch.ones(4, 30)
    exact, rough = net(inputs), net(inputs.bfloat16())
    assert rough.dtype == torch.float32
    torch.testing.assert_close(exact, rough, atol=0.05, rtol=0.05)
    assert not torch.equal(exact, rough)
