"""Self-play PPO in RLlib: `python -m examples.rllib_self_play`. Tried with ray 2.60.0 (new API stack), torch 2.13.0.

Seats 0 and 2 share one policy, 1 and 3 the other; RLlib's action-masking module holds both. `--runners 2` samples in
two processes, `--address` on a Ray cluster whose nodes have this package and RLlib installed.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

try:
    import ray
except ImportError as problem:
    raise SystemExit(f"RLlib is not here ({problem}): pip install -r examples/requirements/rllib.txt -e .") from problem
import torch
from gymnasium import spaces
from pettingzoo import AECEnv
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from euchre_env import euchre_v0
from examples.measure import Choose, Curve

ENV = "euchre_closing"
POLICIES = ("even", "odd")
STEPS = 4000
TABLES = 32


class MaskedPettingZooEnv(PettingZooEnv):
    """RLlib's view of a PettingZoo environment, with the keys and numbers that its action-masking module reads.

    `observation` becomes `observations`, both parts become float32. It takes a table with `closing_turns=True`:
    RLlib forgets what a seat earns before its first turn, and so a seat that never had one.
    """

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self.possible_agents, self.render_mode = list(env.possible_agents), env.render_mode
        self.observation_spaces = {agent: _renamed_space(env.observation_space(agent)) for agent in env.possible_agents}
        self.observation_space = spaces.Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Start an episode; the first seat's observation and info."""
        observations, infos = super().reset(seed=seed, options=options)
        return _renamed(observations), infos

    def step(self, action: Mapping[str, int]) -> tuple[Any, ...]:
        """Play the selected seat's action."""
        observations, *others = super().step(action)
        return _renamed(observations), *others

    def render(self) -> Any:
        """Show the table; RLlib's own hands PettingZoo an argument that it does not take."""
        return self.env.render()


def _renamed_space(space: Any) -> spaces.Space[Any]:
    seen, mask = space["observation"], space["action_mask"]
    low, high = (bound.astype(np.float32) for bound in (seen.low, seen.high))
    return spaces.Dict({"observations": spaces.Box(low, high), "action_mask": spaces.Box(0.0, 1.0, mask.shape)})


def _renamed(observations: Mapping[str, Any]) -> dict[str, Any]:
    return {agent: as_batch(seen["observation"], seen["action_mask"]) for agent, seen in observations.items()}


def as_batch(observations: Any, masks: Any) -> dict[str, Any]:
    """Return observations and masks of our environments as the module takes them."""
    return {"observations": observations.astype(np.float32), "action_mask": masks.astype(np.float32)}


def make_env(arguments: Mapping[str, Any]) -> MaskedPettingZooEnv:
    """Return a table for RLlib; `arguments` are those of `euchre_v0.env`."""
    return MaskedPettingZooEnv(euchre_v0.env(**{"closing_turns": True, **arguments}))


def policy_of(agent: str, *_: Any, **__: Any) -> str:
    """Return the policy of a seat's side."""
    return POLICIES[int(agent.removeprefix("player_")) % 2]


def to_numpy(samples: Sequence[Any], **_: Any) -> None:
    """Do once what RLlib would do for every finished episode at every step."""
    for episode in samples:
        episode.to_numpy()


def config(seed: int = 0, runners: int = 0, **arguments: Any) -> PPOConfig:
    """Return what RLlib should do; `arguments` are those of `euchre_v0.env`."""
    register_env(ENV, make_env)
    net = DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu", vf_share_layers=False)
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=net)
    return (
        PPOConfig()
        .environment(ENV, env_config=arguments, disable_env_checking=True)  # the check plays without masks
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=TABLES, episodes_to_numpy=False)
        .callbacks(on_sample_end=to_numpy)
        .multi_agent(policies=set(POLICIES), policy_mapping_fn=policy_of)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(POLICIES, module)))
        .training(gamma=1.0, lambda_=0.95, lr=1e-3, use_kl_loss=False, entropy_coeff=0.01)
        .training(train_batch_size_per_learner=STEPS, minibatch_size=250, num_epochs=5)
        .debugging(seed=seed)
    )


def player(module: RLModule) -> Choose:
    """Return the learned module as a player that takes its most likely action."""

    def choose(observations: Any, masks: Any) -> Any:
        batch = {key: torch.as_tensor(rows) for key, rows in as_batch(observations, masks).items()}
        with torch.inference_mode():
            return module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS].argmax(dim=1).numpy()

    return choose


def node_of(_: Any) -> str:
    """Return the node of the cluster that calls this."""
    return str(ray.get_runtime_context().get_node_id())


def main(argv: Sequence[str] | None = None) -> int:
    """Train for some seconds; return 1 unless the last measurement lies above random play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0, help="how long to train, measuring not counted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runners", type=int, default=0, help="processes that sample; 0 samples in this one")
    parser.add_argument("--address", help="of a Ray cluster; without it Ray starts here and stops at the end")
    parser.add_argument("--save", type=Path, help="folder for the checkpoint at the end")
    parser.add_argument("--restore", type=Path, help="folder of a checkpoint to go on from")
    args = parser.parse_args(argv)

    torch.set_num_threads(1)  # rows are few: more threads wait for each other
    # Without "local" Ray may join a cluster that somebody has left running here.
    ray.init(args.address or "local", include_dashboard=None if args.address else False)
    if args.restore:
        register_env(ENV, make_env)
        algorithm = Algorithm.from_checkpoint(str(args.restore.resolve()))
    else:
        arguments = {"ruleset": "tournament", "episode": "hand", "canonical_suits": True}
        algorithm = config(args.seed, args.runners, **arguments).build_algo()
    if args.runners:
        print(
            "sampling on nodes",
            *sorted(set(algorithm.env_runner_group.foreach_env_runner(node_of, local_env_runner=False))),
            flush=True,
        )
    curve, decisions = Curve("rllib_self_play", canonical_suits=True), 0
    choose = player(algorithm.get_module(POLICIES[0]))
    curve.point(0, choose)
    while curve.training_s < args.seconds:
        decisions = algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"]
        if curve.training_s > args.seconds * len(curve.points) / 4:
            curve.point(int(decisions), choose)
    if args.save:
        algorithm.save_to_path(str(args.save.resolve()))
    algorithm.stop()
    ray.shutdown()
    return 0 if curve.finish() else 1


if __name__ == "__main__":
    raise SystemExit(main())
