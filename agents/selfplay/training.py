"""The state of a self-play training: two networks, their learners and generators; an iteration is `collect`, `learn`.

Rollouts of two groups of tables run side by side, then policy and critic learn side by side, each on its own core with
single-threaded operations: the result is the same bit for bit however many cores there are. Files are `checkpoint.py`,
logs are `train.py`.

>>> from agents.learners.config import NetworkConfig, PpoConfig
>>> config = TrainConfig(ppo=PpoConfig(tables=64, minibatch=128), network=NetworkConfig(width=8, precision="float32"))
>>> training = Training(config)
>>> rollout, account = training.collect()
>>> metrics = training.learn(rollout)
>>> training.decisions == len(rollout) // 128 * 128
True
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agents.learners.config import TrainConfig
from agents.learners.ppo import Learner, minibatches, policy_loss
from agents.networks.inputs import InputColumns
from agents.networks.mlp import Mlp
from agents.networks.policy import NetworkPolicy
from agents.selfplay.rollout import Account, Joint, Rollout, Tables
from euchre_env import rulesets
from euchre_env.batch import GameBatch
from euchre_env.engine.layout import NUM_ACTIONS, Phase
from euchre_env.ruleset import Ruleset

_GROUPS = 2
_POLICY_GAIN = 0.01
_CRITIC_GAIN = 1.0

# What is logged of each phase in which somebody decides.
PHASES = {
    "claim": (Phase.CLAIM,),
    "call": (Phase.ORDER_UP, Phase.CALL),
    "bid": (Phase.BID,),
    "name_trump": (Phase.NAME_TRUMP,),
    "discard": (Phase.DISCARD,),
    "exchange": (Phase.SWAP, Phase.GIVE),
    "declare": (Phase.DECLARE,),
    "play": (Phase.PLAY,),
}
# The most that a hand pays in the games that the recipe was found on.
_USUAL_POINTS = 4


def reward_unit(ruleset: Ruleset, reward: str) -> float:
    """Return what rewards are divided by, so that those of an auction have the size of others for the critic."""
    return ruleset.max_hand_points / _USUAL_POINTS if reward in ("zero_sum", "score") else 1.0


def compute_type(precision: str) -> torch.dtype:
    """Return the type to compute layers in; `auto` asks the processor."""
    if precision == "auto":
        fast = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
        return torch.bfloat16 if fast else torch.float32
    return torch.bfloat16 if precision == "bfloat16" else torch.float32


class Training:
    """A training between two iterations; `state()` holds all that the next one depends on."""

    def __init__(self, config: TrainConfig, columns: InputColumns | None = None) -> None:
        torch.set_num_threads(1)
        self.config = config
        self.ruleset = rulesets.get(config.game.ruleset)
        game = config.game
        self.columns = columns or InputColumns.find(
            self.ruleset,
            episode=game.episode,
            reward=game.reward,
            canonical_suits=game.canonical_suits,
            skip_forced=game.skip_forced,
            inferred=config.network.inferred,
        )
        self.dtype = compute_type(config.network.precision)
        self.reward_unit = reward_unit(self.ruleset, game.reward)
        self.iteration = 0
        self.decisions = 0
        self.hands = 0
        *seeds, self._policy_rng, self._critic_rng = self._generators()
        self._group_rngs = seeds
        self._groups = [self._tables(size) for size in self._group_sizes()]
        self._joint = Joint()
        self._build_networks()

    def _generators(self) -> list[np.random.Generator]:
        seeds = np.random.SeedSequence(self.config.run.seed).spawn(_GROUPS + 2)
        return [np.random.default_rng(seed) for seed in seeds]

    def _group_sizes(self) -> list[int]:
        tables = self.config.ppo.tables
        return [tables // _GROUPS + (group < tables % _GROUPS) for group in range(_GROUPS)]

    def _tables(self, size: int) -> Tables:
        game = self.config.game
        sees_all = self.config.network.critic == "all_hands"
        batch = GameBatch(
            self.ruleset,
            size,
            episode=game.episode,
            reward=game.reward,
            hidden=sees_all,
            canonical_suits=game.canonical_suits,
            skip_forced=game.skip_forced,
            autoreset=False,
        )
        return Tables(
            batch,
            self.columns,
            with_hidden=sees_all,
            shared_values=self.config.ppo.advantages == "team",
            canonical_suits=game.canonical_suits,
            reward_unit=self.reward_unit,
            dtype=self.dtype,
        )

    def _build_networks(self) -> None:
        net, ppo = self.config.network, self.config.ppo
        policy_seed, critic_seed = np.random.SeedSequence(self.config.run.seed).generate_state(2)
        policy = Mlp(self.columns.scales(False), NUM_ACTIONS, net.width, net.depth, _POLICY_GAIN, int(policy_seed))
        scales = self.columns.scales(net.critic == "all_hands")
        critic = Mlp(scales, 1, net.width, net.depth, _CRITIC_GAIN, int(critic_seed))
        self.policy = Learner(policy, ppo.max_gradient, net.average)
        self.critic = Learner(critic, ppo.max_gradient)

    @property
    def progress(self) -> float:
        """How far the schedules are, from 0 to 1."""
        return min(1.0, self.decisions / self.config.ppo.decisions)

    @property
    def rate(self) -> float:
        """The learning rate now: half a cosine from start to end."""
        ppo = self.config.ppo
        return ppo.rate_end + (ppo.rate_start - ppo.rate_end) * (1 + math.cos(math.pi * self.progress)) / 2

    @property
    def entropy_weight(self) -> float:
        """The weight of the entropy bonus now: a straight line from start to end."""
        ppo = self.config.ppo
        return ppo.entropy_start + (ppo.entropy_end - ppo.entropy_start) * self.progress

    def facts(self) -> dict[str, Any]:
        """Return the plain values of the state: counts, generators, settings and rules."""
        return {
            "decisions": self.decisions,
            "iteration": self.iteration,
            "hands": self.hands,
            "updates": {"policy.": self.policy.updates, "critic.": self.critic.updates},
            "generators": [rng.bit_generator.state for rng in self._all_rngs()],
            "config": self.config.to_dict(),
            "ruleset": self.ruleset.to_dict(),
        }

    def tensors(self) -> dict[str, Tensor]:
        """Return copies of the tensors of the state: networks, optimisers, averaged weights, input columns."""
        learners = {"policy": self.policy, "critic": self.critic}
        named = {f"{start}.{name}": t for start, learner in learners.items() for name, t in learner.state().items()}
        columns = {
            f"columns.{name}.{part}": torch.from_numpy(getattr(getattr(self.columns, name), part))
            for name in InputColumns.SIZES
            for part in ("index", "highest")
        }
        return {**named, **columns}

    def restore(self, tensors: dict[str, Tensor], facts: dict[str, Any]) -> None:
        """Go on exactly from `tensors()` and `facts()` of a training with the same settings and columns."""
        self.decisions, self.iteration, self.hands = facts["decisions"], facts["iteration"], facts["hands"]
        for start, learner in (("policy.", self.policy), ("critic.", self.critic)):
            part = {name.removeprefix(start): t for name, t in tensors.items() if name.startswith(start)}
            learner.restore(part, facts["updates"][start])
        for rng, state in zip(self._all_rngs(), facts["generators"], strict=True):
            rng.bit_generator.state = state

    def player(self) -> NetworkPolicy:
        """Return a copy of the averaged policy as a player."""
        net = Mlp(self.columns.scales(False), NUM_ACTIONS, self.config.network.width, self.config.network.depth, 1.0, 0)
        with torch.no_grad():
            for weight, averaged in zip(net.parameters(), self.policy.averaged, strict=True):
                weight.copy_(averaged)
        name = f"{self.decisions:,} decisions"
        canonical = self.config.game.canonical_suits
        return NetworkPolicy(name, net.requires_grad_(False), self.columns, self.ruleset, canonical_suits=canonical)

    def _all_rngs(self) -> list[np.random.Generator]:
        return [*self._group_rngs, self._policy_rng, self._critic_rng]

    def _side_by_side(self, jobs: Sequence[Callable[[], Any]]) -> list[Any]:
        if self.config.run.threads == 1:
            return [job() for job in jobs]
        with ThreadPoolExecutor(len(jobs)) as pool:
            return [done.result() for done in [pool.submit(job) for job in jobs]]

    def collect(self) -> tuple[Rollout, Account]:
        """Play `tables` episodes to their end; the rollout is good until the next call."""
        ppo = self.config.ppo

        def job(group: int) -> Callable[[], tuple[Rollout, Account]]:
            tables, rng = self._groups[group], self._group_rngs[group]
            return lambda: tables.collect(self.policy.net, self.critic.net, rng, ppo.gamma, ppo.lam)

        parts = self._side_by_side([job(group) for group in range(_GROUPS)])
        account = parts[0][1]
        for _, other in parts[1:]:
            account.merge(other)
        self.hands += int(account.outcomes.counts["hands"][0])
        return self._joint.join([rollout for rollout, _ in parts]), account

    def learn(self, rollout: Rollout) -> dict[str, float]:
        """Update both networks from a rollout; return the metrics `learn/...` of docs/metrics.md."""
        rate, entropy_weight = self.rate, self.entropy_weight
        policy, critic = self._side_by_side(
            [lambda: self._learn_policy(rollout, rate, entropy_weight), lambda: self._learn_critic(rollout, rate)]
        )
        self.iteration += 1
        self.decisions += self._trained_on(rollout)
        returns = rollout.returns
        unexplained = float(np.var(returns - rollout.values)) / max(float(np.var(returns)), 1e-12)
        return {
            **policy,
            **critic,
            "learn/explained_variance": 1 - unexplained,
            "learn/rate": rate,
            "learn/entropy_weight": entropy_weight,
            "learn/advantage_std": float(rollout.advantages.std()) * self.reward_unit,
        }

    def _trained_on(self, rollout: Rollout) -> int:
        """Return how many decisions with a choice an epoch learns from: those that fill whole minibatches."""
        choices = int(np.count_nonzero(rollout.legal & (rollout.legal - 1)))
        size = min(self.config.ppo.minibatch, choices)
        return choices // size * size if size else 0

    def _batches(self, rows: int, rng: np.random.Generator) -> Any:
        for _ in range(self.config.ppo.epochs):
            yield from minibatches(rows, self.config.ppo.minibatch, rng)

    def _learn_policy(self, rollout: Rollout, rate: float, entropy_weight: float) -> dict[str, float]:
        net, clip, seen = self.policy.net, self.config.ppo.clip, self.columns.num_seen
        advantages = rollout.advantages - rollout.advantages.mean()
        advantages /= advantages.std() + 1e-8
        inputs = torch.from_numpy(rollout.inputs)[:, :seen]
        means = []
        for rows in self._batches(len(rollout), self._policy_rng):
            logits = net(inputs.index_select(0, torch.from_numpy(rows)).to(self.dtype))
            gradient = np.empty(logits.shape, dtype=np.float32)
            stats = policy_loss(
                logits.detach().numpy(), rollout.legal[rows], rollout.actions[rows], rollout.log_p[rows],
                advantages[rows], clip, entropy_weight, gradient,
            )  # fmt: skip
            stats["policy_gradient"] = self.policy.update(logits, torch.from_numpy(gradient), rate)
            means.append(stats)
        named = {"loss": "policy_loss", "clipped": "clip_fraction"}
        return {f"learn/{named.get(key, key)}": float(np.mean([m[key] for m in means])) for key in means[0]}

    def _learn_critic(self, rollout: Rollout, rate: float) -> dict[str, float]:
        net, inputs, targets = self.critic.net, torch.from_numpy(rollout.inputs), torch.from_numpy(rollout.returns)
        losses, norms = [], []
        for rows in self._batches(len(rollout), self._critic_rng):
            at = torch.from_numpy(rows)
            values = net(inputs.index_select(0, at).to(self.dtype))
            miss = values.detach()[:, 0] - targets[at]
            losses.append(float(miss.square().mean()))
            norms.append(self.critic.update(values, (2 / len(rows) * miss)[:, None], rate))
        loss = float(np.mean(losses)) * self.reward_unit**2
        return {"learn/value_loss": loss, "learn/value_gradient": float(np.mean(norms))}
