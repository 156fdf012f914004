"""PettingZoo faces of the engine: `aec` turn by turn, `wrapper` what `env()` adds, `parallel` the parallel view.

No rule lives here. Users take the factories of `euchre_env.euchre_v0`.

>>> from euchre_env import euchre_v0
>>> euchre_v0.env(ruleset="tournament", episode="hand").possible_agents
['player_0', 'player_1', 'player_2', 'player_3']
"""
