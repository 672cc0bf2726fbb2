"""A process that measures one version of hlokit: PYTHON version_worker.py THREADS.

Reads commands as lines of JSON, and answers each with a line of JSON. It uses only functions that every
version has, and imports nothing from this folder, so that the Python of another installation can run it.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
import time
from pathlib import Path
from typing import Any

# Seconds of calls whose processor time counts together: systems add that of other threads at each tick.
_TOGETHER = 0.01
# Seconds of calls whose time by the clock counts together: so short that other processes seldom interrupt.
_UNDISTURBED = 0.001


def opened(file: str) -> tuple[Any, list[Any], dict[str, Any]]:
    """Load a program and call it ten times.

    Returns:
      The program, its arguments, and figures: seconds to load, until the first result, and of loading with
      ten calls; digests of the first two results.
    """
    source, arguments = pickle.loads(Path(file).read_bytes())
    begin = time.process_time()
    program = hlokit.load(source)
    loaded = time.process_time()
    first = program(*arguments)
    answered = time.process_time()
    second = program(*arguments)
    for _ in range(8):
        program(*arguments)
    ten = time.process_time()
    return (
        program,
        arguments,
        {
            "load": loaded - begin,
            "first": answered - begin,
            "ten": ten - begin,
            "digest": digest(first),
            "again": digest(second),
        },
    )


def digest(results: Any) -> str:
    """A hash of all bytes of the results."""
    total = hashlib.sha256()
    for array in results if isinstance(results, tuple) else (results,):
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()


def steady(program: Any, arguments: list[Any], seconds: float) -> dict[str, float]:
    """The least mean times of consecutive calls, in processor time and by the clock."""
    processor = clock = float("inf")
    now = time.perf_counter()
    deadline = now + seconds
    while clock == float("inf") or now < deadline:
        count, begin, begin_of_processor = 0, now, time.process_time()
        while not count or now - begin < _TOGETHER:
            few, begin_of_few = 0, now
            while not few or now - begin_of_few < _UNDISTURBED:
                program(*arguments)
                few += 1
                now = time.perf_counter()
            clock = min(clock, (now - begin_of_few) / few)
            count += few
        processor = min(processor, (time.process_time() - begin_of_processor) / count)
        now = time.perf_counter()
    return {"steady": processor, "clock": clock}


def main() -> None:
    """Answer commands until the input ends."""
    program, arguments = None, []
    hlokit.load("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")(1.0)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            if "file" in command:
                program, arguments, answer = opened(command["file"])
            else:
                answer = steady(program, arguments, command["seconds"])
        except Exception as error:
            answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    threads = int(sys.argv[1])
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    import numpy as np

    import hlokit

    main()
