"""The rule-based field: players rebuilt from published descriptions, to measure others by. Importing registers them."""

from agents.baselines import simple, smart
from agents.baselines.advanced import advanced_player
from agents.baselines.estimated_tricks import estimated_tricks
from agents.baselines.intermediate import intermediate_v1
from euchre_env import policies

for _name, _player in (simple.PLAYERS | smart.PLAYERS).items():
    policies.register(_name, _player)
for _factory in (estimated_tricks, intermediate_v1, advanced_player):
    policies.register(_factory.__name__, _factory)
