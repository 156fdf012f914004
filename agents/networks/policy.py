"""A trained network as a player.

>>> from euchre_env import rulesets
>>> from euchre_env.batch import GameBatch
>>> from euchre_env.engine.layout import NUM_ACTIONS
>>> columns = InputColumns.find("tournament", tables=64)
>>> net = Mlp(columns.scales(False), NUM_ACTIONS, width=8, depth=1, final_gain=1.0, seed=0)
>>> player = NetworkPolicy("new", net, columns, rulesets.get("tournament"), canonical_suits=True)
>>> batch = GameBatch("tournament", 5, seed=0)
>>> actions = player.act(batch.views(range(5)), batch.legal, np.random.default_rng(0))
>>> bool((batch.legal >> actions & 1).all())
True
"""

import numpy as np
import numpy.typing as npt
import torch

from agents.networks.inputs import InputColumns, Reader
from agents.networks.masked import legal_mask, masked_logits, sample
from agents.networks.mlp import Mlp
from euchre_env.ruleset import Ruleset
from euchre_env.views import EncodedViews


class NetworkPolicy:
    """Plays the likeliest legal action, or draws one where `temperature` is above 0."""

    def __init__(
        self,
        name: str,
        net: Mlp,
        columns: InputColumns,
        ruleset: Ruleset,
        *,
        canonical_suits: bool,
        temperature: float = 0.0,
    ) -> None:
        if not temperature >= 0:
            raise ValueError(f"temperature is {temperature}: it has to be 0 or more.")
        self.name = name
        self.net = net
        self.columns = columns
        self.ruleset = ruleset
        self._reader = Reader(ruleset, columns, canonical_suits)
        self.canonical_suits = canonical_suits
        self.temperature = temperature

    @property
    def deterministic(self) -> bool:
        """Whether equal views get equal actions."""
        return self.temperature == 0

    def act(
        self, views: npt.NDArray[np.void], legal: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Return the action of each row `[N]`; `rng` draws where there is a temperature."""
        shown = EncodedViews(self.ruleset, views, self.canonical_suits)
        inputs = np.empty((len(views), self.columns.num_seen), dtype=np.int8)
        self._reader.read(shown.observations, views, np.arange(len(views)), inputs)
        with torch.inference_mode():
            logits = self.net(torch.from_numpy(inputs).float())
            if self.deterministic:
                chosen = masked_logits(logits, legal_mask(shown.legal)).argmax(dim=-1).numpy()
            else:
                chosen = _draw((logits / self.temperature).numpy(), shown.legal, rng)
        return shown.real_actions(chosen)


def _draw(
    logits: npt.NDArray[np.float32], legal: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    rows = len(legal)
    actions, unused = np.empty(rows, dtype=np.int64), np.empty((2, rows), dtype=np.float32)
    sample(logits, legal, rng.random(rows, dtype=np.float32), actions, unused[0], unused[1])
    return actions
