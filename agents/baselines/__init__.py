"""The rule-based field: players rebuilt from published descriptions, to measure others by. Importing registers them."""

from functools import partial

from agents.baselines.simple import STYLES, simple
from agents.baselines.smart import THRESHOLDS, smart
from euchre_env import policies

for _name in STYLES:
    policies.register(_name, partial(simple, _name))
for _name in THRESHOLDS:
    policies.register(_name, partial(smart, _name))
