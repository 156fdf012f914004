"""Games of a network with itself: rollouts, what happened in them, and the state of a training."""
