"""The log of a run: numbers to TensorBoard, over decisions. What each means is in docs/metrics.md.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     with Log(Path(folder), first_decision=1) as log:
...         log.write(100, {"learn/kl": 0.01})
...     [path.name[:13] for path in Path(folder).iterdir()]
['events.out.tf']
"""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from torch.utils.tensorboard import SummaryWriter

from agents.selfplay.rollout import Account
from agents.selfplay.training import PHASES

_FLUSH_S = 10


class Log:
    """Writes metrics over decisions; a run that goes on hides the points that it goes over again (L2)."""

    def __init__(self, folder: Path, first_decision: int) -> None:
        self._writer = SummaryWriter(str(folder), purge_step=first_decision, flush_secs=_FLUSH_S)

    def write(self, decisions: int, metrics: Mapping[str, float]) -> None:
        """Add one point to each metric's line."""
        for name, value in metrics.items():
            self._writer.add_scalar(name, value, decisions)

    def __enter__(self) -> "Log":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.close()


def account_metrics(account: Account) -> dict[str, float]:
    """Return the `table/...` and `entropy/...` metrics of a rollout."""
    metrics = account.outcomes.rates()
    for name, phases in PHASES.items():
        decisions = int(sum(account.decisions[phase] for phase in phases))
        if decisions:
            metrics[f"entropy/{name}"] = float(sum(account.entropy[phase] for phase in phases)) / decisions
    return metrics


def time_metrics(account: Account, collecting_s: float, learning_s: float, decisions: int) -> dict[str, float]:
    """Return the `time/...` metrics of an iteration; what the threads of a rollout did is scaled to its wall time."""
    busy = max(account.env_s + account.inference_s, 1e-9)
    return {
        "time/env_s": collecting_s * account.env_s / busy,
        "time/inference_s": collecting_s * account.inference_s / busy,
        "time/learning_s": learning_s,
        "time/decisions_per_s": decisions / max(collecting_s + learning_s, 1e-9),
    }
