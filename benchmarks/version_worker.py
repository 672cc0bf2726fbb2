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


def opened(file: str) -> tuple[Any, list[Any], dict[str, Any]]:
    """Load a program and call it twice.

    Returns:
      The program, its arguments, and figures: seconds to load, until the first result, and of the second
      call; digests of both results.
    """
    source, arguments = pickle.loads(Path(file).read_bytes())
    begin = time.perf_counter()
    program = hlokit.load(source)
    loaded = time.perf_counter()
    first = program(*arguments)
    answered = time.perf_counter()
    second = program(*arguments)
    end = time.perf_counter()
    return (
        program,
        arguments,
        {
            "load": loaded - begin,
            "first": answered - begin,
            "second": end - answered,
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


def steady(program: Any, arguments: list[Any], seconds: float) -> float:
    """The shortest time of the calls within `seconds` (at least three calls)."""
    best, count, deadline = float("inf"), 0, time.perf_counter() + seconds
    while count < 3 or time.perf_counter() < deadline:
        begin = time.perf_counter()
        program(*arguments)
        best = min(best, time.perf_counter() - begin)
        count += 1
    return best


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
                answer = {"steady": steady(program, arguments, command["seconds"])}
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
