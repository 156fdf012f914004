"""OpenSpiel's policy gradient learns a seat of Euchre: `python -m examples.open_spiel_learner`.

Tried with open_spiel 2.0.2 (its PyTorch `PolicyGradient`, loss `a2c`) and torch 2.13.0. The learner has seat 0, the
others play by chance; observations are relative to the seat, so it can be measured in any. The agent sees
`observation_tensor`, which is the observation of all our environments. What the agent draws is legal, what it learns
from is the softmax over all actions.
"""

import argparse

import numpy as np
import numpy.typing as npt
import torch
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.policy_gradient import PolicyGradient
from open_spiel.python.rl_environment import ChanceEventSampler, Environment, ObservationType

from euchre_env.envs import open_spiel
from examples.measure import Curve

RULESET = "tournament"
LEARNER = 0


def environment(seed: int) -> Environment:
    """Return the hand as OpenSpiel's reinforcement learning environment."""
    game = open_spiel.game(RULESET)
    return Environment(
        game, observation_type=ObservationType.OBSERVATION, chance_event_sampler=ChanceEventSampler(seed)
    )


def learner(env: Environment) -> PolicyGradient:
    """Return a fresh agent for seat 0."""
    return PolicyGradient(
        LEARNER,
        env.observation_spec()["info_state"][0],
        env.action_spec()["num_actions"],
        loss_str="a2c",
        hidden_layers_sizes=(128,),
        batch_size=128,
        critic_learning_rate=1e-3,
        pi_learning_rate=1e-3,
        entropy_cost=0.003,
        num_critic_before_pi=1,
        optimizer_str="adam",
    )


def play(env: Environment, agents: list[PolicyGradient | RandomAgent]) -> tuple[int, list[float]]:
    """Play one hand, learning on the way; return the learner's decisions and what every seat was paid."""
    step, decisions = env.reset(), 0
    while not step.last():
        mover = step.current_player()
        decisions += mover == LEARNER
        step = env.step([agents[mover].step(step).action])
    for agent in agents:
        agent.step(step)
    return decisions, step.rewards


class Chooser:
    """The learner as `Curve` asks it: it draws from its probabilities of the legal actions, as OpenSpiel's agent."""

    def __init__(self, agent: PolicyGradient, seed: int) -> None:
        self._network = agent.policy_logits_network
        self._rng = torch.Generator().manual_seed(seed)

    def __call__(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Return an action for every row of observations [N, OBSERVATION_SIZE] and masks [N, NUM_ACTIONS]."""
        with torch.no_grad():
            logits = self._network(torch.from_numpy(observations).float())
        chances = logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf).softmax(dim=1)
        drawn: npt.NDArray[np.int64] = torch.multinomial(chances, 1, generator=self._rng)[:, 0].numpy()
        return drawn


def main(argv: list[str] | None = None) -> int:
    """Learn for a while, print the curve, return 1 if the last interval is not above random."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=100, help="of training")
    parser.add_argument("--points", type=int, default=6, help="of the curve")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    np.random.seed(args.seed)  # noqa: NPY002 (OpenSpiel's agents draw from the global generator)
    env = environment(args.seed)
    agent = learner(env)
    others = [RandomAgent(seat, env.action_spec()["num_actions"]) for seat in range(1, env.num_players)]
    curve, decisions = Curve("open_spiel_learner", RULESET), 0
    for point in range(args.points):
        curve.point(decisions, Chooser(agent, args.seed))
        until = curve.training_s + args.seconds / (args.points - 1)
        while point + 1 < args.points and curve.training_s < until:
            decisions += play(env, [agent, *others])[0]
    return 0 if curve.finish() else 1


if __name__ == "__main__":
    raise SystemExit(main())
