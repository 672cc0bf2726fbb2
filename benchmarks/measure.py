"""Measures cases: starts workers, alternates engines, and keeps the best time of each."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from benchmarks.case import Case
from benchmarks.programs.operations import FAMILY as OPERATIONS
from benchmarks.programs.sizes import TINY

Answer = dict[str, Any]
# The figures of a case: engine -> figures in seconds and bytes, or {"error": ...}.
Measured = dict[str, Answer]


@dataclass(frozen=True)
class Effort:
    """The extent of a measurement.

    Attributes:
      rounds: new processes per engine, for first results.
      turns: turns of each engine per round, for later runs; the engines alternate.
      seconds: duration of a turn, for single operations and for programs.
      reference_limit, limit: time limits in seconds for answers of eval_module and of the other engines.
    """

    threads: int
    rounds: int = 2
    turns: int = 2
    seconds: tuple[float, float] = (0.02, 0.15)
    reference_limit: float = 8.0
    limit: float = 30.0


# The largest inputs in bytes for which eval_module is tried outside of --quick.
_LARGEST_REFERENCE = 1 << 20


def environment() -> dict[str, str]:
    """The environment of measured processes."""
    # Installing compiles packages; a checkout is compiled here, at its first use.
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}


def started(command: Sequence[str]) -> subprocess.Popen[str]:
    """A measuring process, which answers each line of its standard input with a line."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        text=True,
        bufsize=1,
    )


class WorkerError(Exception):
    """A worker died, or took too long."""


class _Worker:
    """The parent's side of `benchmarks.worker`."""

    def __init__(self, engine: str, threads: int) -> None:
        self._process = started([sys.executable, "-m", "benchmarks.worker", engine, str(threads)])
        self._selector = selectors.DefaultSelector()
        assert self._process.stdout is not None
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        self._answer(60.0)

    def ask(self, limit: float, /, **command: Any) -> Answer:
        """The answer to a command; {"error": ...} if the engine failed."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(command) + "\n")
        except BrokenPipeError:
            raise WorkerError("died") from None
        return self._answer(limit)

    def _answer(self, limit: float) -> Answer:
        assert self._process.stdout is not None
        if not self._selector.select(limit):
            self.stop()
            raise WorkerError(f"> {limit:.0f} s")
        line = self._process.stdout.readline()
        if not line:
            self.stop()
            raise WorkerError("died")
        return json.loads(line)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._selector.close()


def build(cases: Sequence[Case], directory: str) -> dict[str, str]:
    """Build the programs in a child process. Returns the file of each."""
    names = json.dumps([case.name for case in cases])
    command = [sys.executable, "-m", "benchmarks.build", directory]
    done = subprocess.run(
        command, input=names, text=True, stdout=subprocess.PIPE, env=environment(), check=True
    )
    return json.loads(done.stdout)


def measure(
    cases: Sequence[Case], effort: Effort, *, reference: bool, tell: Callable[[str], object]
) -> tuple[dict[str, Measured], Answer]:
    """Measure cases. Returns figures by name, and the machine's rates."""
    with tempfile.TemporaryDirectory(prefix="hlokit-benchmarks-") as directory:
        tell(f"making {len(cases)} programs")
        files = build(cases, directory)
        measured: dict[str, Measured] = {case.name: {} for case in cases}
        machine = _machine(effort)
        groups = _groups(cases)
        for number, group in enumerate(groups, 1):
            tell(f"{number}/{len(groups)} {group[0].name}")
            for _ in range(effort.rounds):
                _round(group, files, effort, measured)
            if reference:
                _reference(group, files, effort, measured)
        machine = {key: max(machine[key], value) for key, value in _machine(effort).items()}
    return measured, machine


def _groups(cases: Iterable[Case]) -> list[list[Case]]:
    """Groups of cases that share processes: the sizes of a single operation. Other cases have their own
    processes."""

    def key(case: Case) -> str:
        return case.family if case.family.startswith(OPERATIONS) else case.name

    return [list(group) for _, group in groupby(cases, key)]


def _round(
    group: Sequence[Case], files: dict[str, str], effort: Effort, measured: dict[str, Measured]
) -> None:
    engines = ("hlokit",) if all(case.plan_only for case in group) else ("hlokit", "xla")
    workers: dict[str, _Worker] = {engine: _Worker(engine, effort.threads) for engine in engines}
    try:
        for case in group:
            found = measured[case.name]
            # A case that has failed is not repeated: it may take the whole time limit.
            alive = [e for e in engines if e in workers and "error" not in found.get(e, {})]
            for engine in alive:
                _step(
                    workers, engine, case, measured, effort.limit, do="open", file=files[case.name],
                    plan_only=case.plan_only,
                )  # fmt: skip
            if case.plan_only:
                continue
            seconds = effort.seconds[0 if len(group) > 1 else 1]
            for _ in range(effort.turns):
                for engine in alive:
                    if engine in workers and "error" not in measured[case.name][engine]:
                        _step(
                            workers,
                            engine,
                            case,
                            measured,
                            effort.limit,
                            do="run",
                            seconds=seconds,
                            most=2000,
                        )
    finally:
        for worker in workers.values():
            worker.stop()


def _step(
    workers: dict[str, _Worker],
    engine: str,
    case: Case,
    measured: dict[str, Measured],
    limit: float,
    **command: Any,
) -> None:
    try:
        answer = workers[engine].ask(limit, **command)
    except WorkerError as error:
        answer = {"error": str(error)}
        del workers[engine]
    _keep(measured[case.name].setdefault(engine, {}), answer)


_TIMES = ("load", "plan", "first", "best", "processor")


def _keep(figures: Answer, answer: Answer) -> None:
    """Times are the minimum of all processes, because noise only increases them. Peak memory and the times of
    several calls together are those of the last process that has loaded the program."""
    for key, value in answer.items():
        if key in _TIMES and key in figures:
            figures[key] = min(figures[key], value)
        elif key == "peak" and "first" not in answer and key in figures:
            figures[key] = max(figures[key], value)
        else:
            figures[key] = value


def _reference(
    group: Sequence[Case], files: dict[str, str], effort: Effort, measured: dict[str, Measured]
) -> None:
    workers: dict[str, _Worker] = {}
    try:
        for case in group:
            # eval_module takes about a microsecond per element: one large case of each kind suffices.
            inputs = measured[case.name].get("hlokit", {}).get("inputs", 0)
            is_long = inputs > _LARGEST_REFERENCE and not case.is_quick
            if not case.reference or case.plan_only or is_long:
                measured[case.name]["eval_module"] = {"error": "not run"}
                continue
            if not workers:
                workers["eval_module"] = _Worker("eval_module", effort.threads)
            _step(
                workers, "eval_module", case, measured, effort.reference_limit, do="open",
                file=files[case.name], plan_only=False,
            )  # fmt: skip
            figures = measured[case.name]["eval_module"]
            if workers and "error" not in figures:
                short = figures["first"] < effort.reference_limit / 8
                figures["best"] = figures["first"]
                if short:
                    _step(
                        workers, "eval_module", case, measured, effort.reference_limit, do="run",
                        seconds=effort.seconds[0], most=100,
                    )  # fmt: skip
    finally:
        for worker in workers.values():
            worker.stop()


def _machine(effort: Effort) -> Answer:
    worker = _Worker("hlokit", effort.threads)
    try:
        return worker.ask(effort.limit, do="machine")
    finally:
        worker.stop()


# Whole processes ----------------------------------------------------------------------------------

_STARTS = {
    "hlokit: import, load, run": f"import hlokit; hlokit.load({TINY!r})([1.0, 2.0])",
    "hlokit: import": "import hlokit",
    "XLA through jaxlib: import, compile, run": (
        "from jaxlib import xla_client as x\n"
        "c = x.make_cpu_client()\n"
        f"e = c.compile_and_load({TINY!r}, x.DeviceList(tuple(c.local_devices()[:1])), x.CompileOptions())"
    ),
    "JAX: import, compile, run": (
        "import jax, numpy as np; np.asarray(jax.jit(lambda x: x + x)(np.ones(2, np.float32)))"
    ),
    "python": "pass",
}


def starts(effort: Effort) -> dict[str, float]:
    """Seconds of whole processes that run tiny programs: the best of several processes, which alternate."""
    best: dict[str, float] = {}
    variables = environment()
    for _ in range(3 * effort.rounds):
        for name, script in _STARTS.items():
            begin = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", script], env=variables, capture_output=True, check=False
            )
            took = time.perf_counter() - begin
            if done.returncode == 0:
                best[name] = min(best.get(name, took), took)
    return best
