"""Players that search: the exact solver, sampled worlds, calls learned by regret minimisation. They need no PyTorch.

Importing this registers the players `pimc:N` and `cfr_bidding`.
"""

from agents.search import cfr_bidding
from agents.search.player import make_pimc
from euchre_env import policies

policies.register("cfr_bidding", cfr_bidding.make_default)
policies.register_family("cfr_bidding", cfr_bidding.make)
policies.register_family("pimc", make_pimc)
