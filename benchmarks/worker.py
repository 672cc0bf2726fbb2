"""A process that measures one engine: python -m benchmarks.worker ENGINE THREADS.

Reads commands as lines of JSON, and answers each with a line of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import resource
import sys
import time
from pathlib import Path
from typing import Any

# These settings precede the imports of NumPy and XLA, which create their threads when they are imported.
_ENGINE, _THREADS = (sys.argv[1], int(sys.argv[2])) if __name__ == "__main__" else ("", 1)
if __name__ == "__main__":
    if _ENGINE == "xla":
        # The client imports JAX if it is installed, although no measurement uses it.
        sys.modules["jax"] = None  # pyright: ignore[reportArgumentType] # modules that are not to be imported
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(_THREADS)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_THREADS])


import numpy as np  # noqa: E402 # after the environment is set

from benchmarks.engines import ENGINES, Hlokit, Session, warm_up  # noqa: E402 # after the environment is set

Answer = dict[str, Any]


def resident() -> int:
    """Bytes of memory that this process holds now."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return peak()


def forget_peak() -> None:
    """Reset the peak, if the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """The largest number of bytes of memory that this process has held."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# The number of runs after which a turn may end on time.
_FEW = 24
# Numbers of calls whose times count together, and the call after which none should take long.
TOGETHER = (10, 100, 1000)
_SETTLED = 5
# Seconds of calls whose processor time counts together: systems add the time of other threads at each tick.
_TICKS = 0.05


class Worker:
    """One engine, and its open program."""

    def __init__(self, engine: str) -> None:
        self._engine = ENGINES[engine]
        self._session: Session | None = None
        self._baseline = 0
        self._calls: list[float] = []  # seconds of each call so far; of the first with loading
        self._worst = 0.0

    def open(self, file: str, plan_only: bool) -> Answer:
        """Load a program and run it once; `inputs` are bytes."""
        self._session = None
        self._baseline = resident()
        program = pickle.loads(Path(file).read_bytes())
        forget_peak()
        begin = time.perf_counter()
        session = self._engine(program)
        loaded = time.perf_counter()
        answer: Answer = {"load": loaded - begin}
        size = sum(array.nbytes for array in program.arguments) + len(program.source)
        if plan_only:
            assert isinstance(session, Hlokit)
            session.plan()
            answer |= {"plan": time.perf_counter() - loaded, "outputs": 0}
        else:
            results = session.run()
            answer["first"] = time.perf_counter() - begin
            self._calls, self._worst = [answer["first"]], 0.0
            answer["outputs"] = sum(np.asarray(result).nbytes for result in results) if results else 0
        self._session = session
        return answer | {"inputs": size, "peak": peak() - self._baseline, **session.cost()}

    def run(self, seconds: float, most: int) -> Answer:
        """Run repeatedly for `seconds`, at least once and at most `most` times.

        Fewer than `_FEW` runs take five times as long: loops of some programs are compiled in a later run.
        """
        assert self._session is not None
        run, clock = self._session.run, time.perf_counter
        best, count, deadline = float("inf"), 0, clock() + seconds
        processor = float("inf")
        counted, counted_from, begin_of_counted = 0, time.process_time(), clock()
        while True:
            before, begin = time.process_time(), clock()
            run()
            end = clock()
            after = time.process_time()
            spent = after - before
            # Before the first call of a turn the other engine ran, so that code and values come from memory.
            if len(self._calls) >= _SETTLED and count:
                self._worst = max(self._worst, spent)
            best = min(best, end - begin)
            self._calls.append(end - begin)
            count += 1
            counted += 1
            is_over = count >= most or (end > deadline and (count >= _FEW or end > deadline + 4 * seconds))
            if end - begin_of_counted >= _TICKS or (is_over and processor == float("inf")):
                processor = min(processor, (after - counted_from) / counted)
                counted, counted_from, begin_of_counted = 0, after, end
            if is_over:
                return {
                    "best": best,
                    "processor": processor,
                    "count": count,
                    "peak": peak() - self._baseline,
                    **self._together(best),
                }

    def _together(self, best: float) -> Answer:
        """The times of the first calls together, by their number, and the processor time of the worst one
        after the fifth. Calls that were not made count as the best one."""
        calls = self._calls
        answer: Answer = {
            f"{number} calls": sum(calls[:number]) + best * max(0, number - len(calls)) for number in TOGETHER
        }
        return answer | ({"worst": self._worst} if self._worst else {})

    def machine(self) -> Answer:
        """Bytes a second of memcpy (read and written), and operations a second of sgemm."""
        source = np.ones(1 << 25, np.float32)
        target = np.empty_like(source)
        side = 1536
        matrix = np.ones((side, side), np.float32)
        copied = multiplied = float("inf")
        for _ in range(6):
            begin = time.perf_counter()
            np.copyto(target, source)
            middle = time.perf_counter()
            _ = matrix @ matrix
            copied, multiplied = (
                min(copied, middle - begin),
                min(multiplied, time.perf_counter() - middle),
            )
        return {"memcpy": 2 * source.nbytes / copied, "sgemm": 2 * side**3 / multiplied}


def main() -> None:
    """Answer commands until the input ends."""
    worker = Worker(_ENGINE)
    warm_up(_ENGINE)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = getattr(worker, command.pop("do"))(**command)
        except Exception as error:
            answer = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
