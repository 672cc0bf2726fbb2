"""Records a run: an observer that stores the results of each operation."""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.observers import as_observer
from hlokit.engine.observe.summaries import summarize
from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import ArgumentError, for_callers
from hlokit.mlir.printing import Style, print_module, write_bytecode
from hlokit.mlir.provider.versions import stablehlo_version
from hlokit.programs.calls.runs import Precision
from hlokit.programs.loading import as_program
from hlokit.programs.program import Program
from hlokit.tools.recording.container import Writer
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Tracker
from hlokit.tools.recording.recording import Recording
from hlokit.values.types import TensorType, ValueType


def fingerprint(program: Program) -> str:
    """A fingerprint that identifies a program, without its locations."""
    return hashlib.sha256(print_module(program.module, Style()).encode()).hexdigest()


class Recorder(Tracker):
    """An observer that writes a recording of a run, without the steps of several processes (`shard_map`).

        with hlokit.Recorder("run", program) as recorder:
            program(x, observer=recorder)

    Args:
      directory: directory of the recording, which is created.
      program: the program of the run.
      match: a regular expression: record only operations whose name, function or source line matches.
      limit: the largest number of bytes of the operations' values; later values are stored as summaries.
      summaries: store summaries only.

    Raises:
      ArgumentError: the directory cannot be written or is not empty, or `match` is not a regular expression.
    """

    @for_callers
    def __init__(
        self,
        directory: str | os.PathLike[str],
        program: Program,
        *,
        match: str | None = None,
        limit: int | None = None,
        summaries: bool = False,
        function: str | None = None,
    ) -> None:
        try:
            self._match = None if match is None else re.compile(match)
        except re.error as error:
            raise ArgumentError(f"match must be a regular expression, got '{match}': {error}") from None
        super().__init__(Operations.of_program(program))
        self._limit = limit
        self._start = 0  # where the values of operations begin in the file
        self._is_full = False
        self._summaries = summaries
        self._matched: dict[int, bool] = {}
        self._order = 0
        header = {
            "stablehlo": stablehlo_version(),
            "python": platform.python_version(),
            "file": program.filename,
            "function": (signature := program.signature(function)).name,
            "arguments": len(signature.inputs),
            "fingerprint": fingerprint(program),
        }
        self._writer = Writer(os.fspath(directory), write_bytecode(program.module), header)

    def values(self, kind: str, values: Sequence[Value], types: Sequence[ValueType]) -> None:
        """Record the arguments or the results of the run, always in full."""
        for number, (value, type_) in enumerate(zip(values, types, strict=True)):
            entry = {"kind": kind, "number": number, "type": str(type_)}
            self._writer.line(entry, np.asarray(value) if isinstance(type_, TensorType) else None)
        if kind == "argument":
            self._start = self._writer.written

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        if not _is_in_grid():
            super().before(plan, step, operands)

    def failed(self, plan: Plan, step: Step) -> None:
        if not _is_in_grid():
            super().failed(plan, step)

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del operands
        if _is_in_grid():
            return
        place, lifted = self.leave()
        order = self._order
        self._order += 1
        if step.name in CONTROL_FLOW or not self._is_wanted(plan, step, place[-1]):
            return
        for number, (value, type_) in enumerate(zip(results, step.result_types, strict=True)):
            entry: dict[str, Any] = {
                "kind": "value",
                "order": order,
                "place": place,
                "result": number,
                "op": step.name,
                "function": plan.function_name,
                "type": str(type_),
                "source": self.operations.source(place[-1]),
                "summary": _plain(asdict(summarize(value, type_))),
            }
            if lifted:
                entry["lifted"] = True  # in a region that is applied to elements, perhaps on whole arrays
            is_kept = isinstance(type_, TensorType) and not self._summaries and self._has_room(value)
            self._writer.line(entry, np.asarray(value) if is_kept else None)

    def _is_wanted(self, plan: Plan, step: Step, number: int) -> bool:
        if self._match is None:
            return True
        is_match = self._matched.get(number)
        if is_match is None:
            text = f"{step.name} @{plan.function_name} {self.operations.source(number)}"
            is_match = self._matched[number] = self._match.search(text) is not None
        return is_match

    def _has_room(self, value: Value) -> bool:
        """Whether the value fits the limit; after the first value that does not fit, none does."""
        if self._limit is not None:
            written = self._writer.written - self._start
            self._is_full |= written + self._writer.size(np.asarray(value)) > self._limit
        return not self._is_full

    def close(self, status: str = "finished") -> None:
        """End the recording."""
        self._writer.line({"kind": "end", "status": status})
        self._writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self.close(
            "finished" if error is None else f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        )


def _is_in_grid() -> bool:
    """Whether the step belongs to one of several processes (a manual computation), which have no order."""
    process = run_context.current().process
    return process is not None and len(process.grid.ids) > 1


def _plain(summary: dict[str, Any]) -> dict[str, Any]:
    """A summary for JSON, without empty fields."""
    absent = {"type"} | {name for name in ("nan", "infinite") if not summary[name]}
    return {name: value for name, value in summary.items() if value not in (None, ()) and name not in absent}


@for_callers
def record(
    program: Any,
    *arguments: Any,
    to: str | os.PathLike[str],
    match: str | None = None,
    limit: int | None = None,
    summaries: bool = False,
    function: str | None = None,
    precision: Precision = "default",
    observer: Observer | Sequence[Observer] | None = None,
    **keywords: Any,
) -> Recording:
    """Evaluate a function and store the results of its operations.

        run = hlokit.record(program, x, to="run")

    The recording is written during the run and can be read if the run ends early: `hlokit.Recording("run")`.

    Args:
      program: a `Program`, or what `hlokit.load` takes.
      arguments, keywords: as in `Program.__call__`.
      to: directory of the recording, which is created.
      match: a regular expression: record only operations whose name, function or source line matches.
      limit: the largest number of bytes of the operations' values; later values are stored as summaries.
      summaries: store only summaries (range, mean, counts of NaN and infinities).
      function, precision, observer: as in `Program.__call__`.

    Raises:
      ArgumentError: the arguments do not fit, or the directory cannot be written or is not empty.
      EvaluationError: the program trapped; the recording holds the values up to the trap.
    """
    subject = as_program(program, arguments, keywords)
    signature, values = subject.bound(arguments, keywords, function)
    if subject.grid != (1, 1):
        raise ArgumentError("record: the program is for several processes; only runs of one can be recorded")
    with Recorder(to, subject, match=match, limit=limit, summaries=summaries, function=function) as recorder:
        recorder.values("argument", values, signature.inputs)
        others = as_observer(observer)
        watching: list[Observer] = [recorder] if others is None else [others, recorder]
        results = subject.runs.evaluate(
            values,
            signature.name,
            observer=watching,
            precision=precision,
            context=run_context.RunContext(),
        )
        recorder.values("result", results, signature.outputs)
    return Recording(to)
