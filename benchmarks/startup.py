"""How long one waits: for `import euchre_env`, for the first reset, and for the whole engine to compile.

    python -m benchmarks.startup               # a few minutes: every cold run compiles everything
    python -m benchmarks.startup --cold 1 --repeats 3

Every figure is the median of fresh processes, in seconds of the work named, the start of Python not counted.
`import_s`: `import euchre_env`. `first_reset_warm_s`: import, `euchre_v0.env()` and its first `reset`, with a warm
cache. `engine_cold_s`: import, and a hand through every compiled face (`Game`, `GameBatch` with everything on, views,
`env()`), with an empty cache. Beside each the processor's time (`_cpu_s`), which a busy machine changes less. The last
line is JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from statistics import median

from benchmarks.common import finish

IMPORT = "import euchre_env"
FIRST_RESET = "from euchre_env import euchre_v0; env = euchre_v0.env(); env.reset(seed=0); env.last()"
WHOLE_ENGINE = """
import numpy as np
from euchre_env import Game, GameBatch, euchre_v0
from euchre_env.views import EncodedViews
game = Game("north_american", seed=0)
while not game.points[0] and not game.points[1] and game.state["hand"][0] < 3:
    game.play(game.legal()[0])
game.view(0)
for canonical in (False, True):
    batch = GameBatch(num_tables=2, hidden=True, canonical_suits=canonical, seed=0)
    views = batch.views(np.arange(2))
    encoded = EncodedViews("tournament", views, canonical_suits=canonical)
    encoded.real_actions(np.array([33, 33]))
    batch.step(np.array([33, 33]))
    env = euchre_v0.env(reward="equity", canonical_suits=canonical, episode="hand")
    env.reset(seed=0)
    for _ in env.agent_iter():
        env.state()
        actions = env.unwrapped.legal_actions()
        env.step(actions[-1] if actions else None)
"""
TIMED = """
import json, sys, time
start, busy = time.perf_counter(), time.process_time()
exec(compile(sys.argv[1], "<work>", "exec"), {})
print(json.dumps([time.perf_counter() - start, time.process_time() - busy, "numba" in sys.modules]))
"""
Timing = tuple[float, float, bool]


def timed(work: str, cache: str) -> Timing:
    """Return the seconds of the work in a fresh process, the processor's, and whether it loaded Numba."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    words = [sys.executable, "-c", TIMED, work]
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"a process that was timed failed:\n{run.stderr}")
    seconds, processor, compiler_loaded = json.loads(run.stdout.splitlines()[-1])
    return seconds, processor, compiler_loaded


def medians(name: str, timings: list[Timing], digits: int) -> dict[str, float]:
    """Return and print the median seconds of one kind of work, and the processor's."""
    seconds = round(median(timing[0] for timing in timings), digits)
    processor = round(median(timing[1] for timing in timings), digits)
    print(f"{name:20s} {seconds:8.{digits}f} s  ({processor:.{digits}f} s of the processor)")
    return {f"{name}_s": seconds, f"{name}_cpu_s": processor}


def main() -> None:
    """Time all three and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7, help="fresh processes for import and first reset")
    parser.add_argument("--cold", type=int, default=3, help="fresh processes that compile everything")
    args = parser.parse_args()
    cold = []
    for _ in range(args.cold):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(timed(WHOLE_ENGINE, cache))
    with tempfile.TemporaryDirectory() as cache:
        timed(FIRST_RESET, cache)
        imports = [timed(IMPORT, cache) for _ in range(args.repeats)]
        resets = [timed(FIRST_RESET, cache) for _ in range(args.repeats)]
    figures = {
        "import_loads_compiler": any(loaded for *_, loaded in imports),
        **medians("import", imports, 3),
        **medians("first_reset_warm", resets, 3),
        **medians("engine_cold", cold, 1),
    }
    finish("startup", figures)


if __name__ == "__main__":
    main()
