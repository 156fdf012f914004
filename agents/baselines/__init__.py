"""The rule-based field: players rebuilt from published descriptions, to measure others by. Importing registers them."""

from agents.baselines.simple_i import SimpleI
from euchre_env import policies

policies.register("simple_i", SimpleI)
