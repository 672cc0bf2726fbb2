"""The cost of calls of jitted functions on hlokit's platform, as ratios of processor time.

python -m benchmarks.dispatch [--rounds=N]

Short calls are compared with XLA:CPU in processes that alternate; the training step of examples/train_step.py
with the same program as a `Program`, in one process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
STEP, STEP_AS_PROGRAM = "training step", "training step as a Program"


def least(call: Callable[[], object], calls: int, rounds: int = 9) -> float:
    """The least processor time of a call, in microseconds, over rounds of calls."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - begin) / calls)
    return 1e6 * best


def short_calls() -> dict[str, float]:
    """Times of calls that compute little."""
    import jax
    import jax.numpy as jnp

    vector, number = jnp.ones(8), jnp.float32(2)
    tree = {str(index): jnp.ones((4, 4)) for index in range(10)}
    functions: dict[str, tuple[Any, Any]] = {
        "x + 1, f32[8]": (lambda x: x + 1, vector),
        "x * x, f32[]": (lambda x: x * x, number),
        "mean of tanh, f32[8]": (lambda x: jnp.tanh(x).mean(), vector),
        "descent on 10 arrays f32[4,4]": (lambda t: jax.tree.map(lambda w: w - 0.1 * w, t), tree),
    }
    times: dict[str, float] = {}
    for name, (function, argument) in functions.items():
        jitted = jax.jit(function)
        least(lambda jitted=jitted, argument=argument: jitted(argument), 100, 1)
        times[name] = least(lambda jitted=jitted, argument=argument: jitted(argument), 500)
    return times


def training_step() -> dict[str, float]:
    """Times of a training step: of JAX's dispatch to hlokit, and of the same program as a `Program`."""
    sys.path.insert(0, str(EXAMPLES))
    import jax
    import numpy as np
    import train_step  # pyright: ignore[reportMissingImports] # of examples
    from common import adam_init  # pyright: ignore[reportMissingImports] # of examples

    import hlokit

    parameters = train_step.init(jax.random.key(0))
    batches = np.load(EXAMPLES / "models" / "train_step_batches.npz")
    batch = [jax.numpy.asarray(batches[name][: train_step.BATCH]) for name in ("images", "labels")]
    arguments = parameters, adam_init(parameters), *batch
    jitted = jax.jit(train_step.train_step)
    program = hlokit.load(EXAMPLES / "models" / "train_step.mlirbc")
    flat = [np.asarray(leaf) for leaf in jax.tree.leaves(arguments)]
    times = {STEP: float("inf"), STEP_AS_PROGRAM: float("inf")}
    calls = {
        STEP: lambda: jax.block_until_ready(jitted(*arguments)),
        STEP_AS_PROGRAM: lambda: program(*flat),
    }
    for _ in range(9):
        for name, call in calls.items():
            times[name] = min(times[name], least(call, 5, 1))
    return times


def measured(platform: str) -> dict[str, float]:
    """The times of a new process with JAX's platform."""
    command = [sys.executable, "-m", "benchmarks.dispatch", "--measure"]
    environment = os.environ | {"JAX_PLATFORMS": platform}
    ended = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(ended.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="processes of each platform")
    parser.add_argument("--measure", action="store_true", help="measure this process's platform, as JSON")
    options = parser.parse_args()
    if options.measure:
        times = short_calls() | (training_step() if os.environ["JAX_PLATFORMS"] == "hlokit" else {})
        print(json.dumps(times))
        return
    best: dict[str, dict[str, float]] = {"cpu": {}, "hlokit": {}}
    for _ in range(options.rounds):
        for platform, times in best.items():
            for name, time_ in measured(platform).items():
                times[name] = min(times.get(name, time_), time_)
    xla, own = best["cpu"], best["hlokit"]
    rows = [(name, "XLA:CPU", own[name], xla[name]) for name in xla]
    rows.append((STEP, "Program", own[STEP], own[STEP_AS_PROGRAM]))
    print("| call | hlokit, us | beside | us | ratio |\n|---|---|---|---|---|")
    for name, beside, time_, other in rows:
        print(f"| {name} | {time_:.1f} | {beside} | {other:.1f} | {time_ / other:.2f} |")


if __name__ == "__main__":
    main()
