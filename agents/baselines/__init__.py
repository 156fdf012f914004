"""The rule-based field: players rebuilt from published descriptions, to measure others by. Importing registers them."""

from functools import partial

from agents.baselines.advanced import advanced_player
from agents.baselines.estimated_tricks import estimated_tricks
from agents.baselines.intermediate import intermediate_v1
from agents.baselines.simple import STYLES, simple
from agents.baselines.smart import THRESHOLDS, smart
from euchre_env import policies

for _name in STYLES:
    policies.register(_name, partial(simple, _name))
for _name in THRESHOLDS:
    policies.register(_name, partial(smart, _name))
policies.register("estimated_tricks", estimated_tricks)
policies.register("intermediate_v1", intermediate_v1)
policies.register("advanced_player", advanced_player)
