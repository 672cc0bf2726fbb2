"""Observers: objects that a run calls before and after every step.

An observer has the methods `before` and `after` of `plan.executors.Observer`. A third method,
`failed(plan, step)`, is called instead of `after` when the step raises.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np

from hlokit.display.misuse import shown
from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.observe.summaries import Summary, count_nan, summarize
from hlokit.engine.plan.executors import Observer, tell_entered, tell_failed, tell_left
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import ArgumentError, EvaluationError, for_callers
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One evaluated operation.

    Attributes:
      op: the name of the operation.
      function: the function that contains the operation.
      location: the location in MLIR's syntax; `source` is its part for display.
      depth: the number of operations, including calls, that enclose this operation.
      seconds: the time of the operation, including its regions.
      results: summaries of the results.
      region_runs: the number of times that the regions of the operation ran.
      by_element: whether the regions ran on single elements although the operation is on tensors.
      process: (replica, partition) in a grid of processes, else None.
      failed: whether the operation raised an error and has no results.
      start: the beginning of the operation, in seconds since the creation of the trace.
    """

    op: str
    function: str
    location: str
    depth: int
    seconds: float
    results: tuple[Summary, ...]
    region_runs: int = 0
    by_element: bool = False
    process: tuple[int, int] | None = None
    failed: bool = False
    start: float = 0.0

    @property
    def source(self) -> str:
        """`file:line:col (name)` of the user's source line in the location; "" without a source line."""
        return source_text(self.location)

    def __repr__(self) -> str:
        return f"<Record {' '.join(str(self).split())}>"

    def __str__(self) -> str:
        process = "" if self.process is None else f"{self.process} "
        results = "failed" if self.failed else ", ".join(map(str, self.results))
        parts = [
            f"{self.seconds * 1e6:10.1f} us  {process}{'  ' * self.depth}{self.op}",
            results,
            self._runs(),
        ]
        text = " ".join(part for part in parts if part)
        return f"{text}  {self.source}" if self.source else text

    def _runs(self) -> str:
        if not self.by_element and self.region_runs < 2:
            return ""
        times = "once" if self.region_runs == 1 else f"{self.region_runs} times"
        return f"[regions ran {times}{', element by element' * self.by_element}]"

    def as_dict(self) -> dict[str, Any]:
        """The attributes and `source` as plain Python values, for JSON."""
        return {**asdict(self), "source": self.source}


class _Frame:
    """An active operation."""

    __slots__ = ("by_element", "runs", "start")

    def __init__(self, applies_to_elements: bool) -> None:
        self.runs = 0
        self.by_element = applies_to_elements
        self.start = time.perf_counter()


class Trace:
    """Passes a `Record` of every evaluated operation to `take`, which may be `print` or a list's `append`.

        program(x, observer=hlokit.Trace(print))

    A region that runs on whole arrays appears once, not once for each element. If a region must run on one
    element at a time, only the first run appears, and the record of the operation has the number of runs.
    """

    @for_callers
    def __init__(self, take: Callable[[Record], object]) -> None:
        if not callable(take):
            raise ArgumentError(f"take must be a function of a record, such as print, got {shown(take)}")
        self._take = take
        self._began = time.perf_counter()
        # Each process of a grid has its own stack, because processes run concurrently.
        self._local = threading.local()

    def _frames(self) -> list[_Frame]:
        return self._local.__dict__.setdefault("frames", [])

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        frames = self._frames()
        if frames:
            outer = frames[-1]
            outer.runs += step is plan.steps[0]
            outer.by_element = outer.by_element and _has_declared_ranks(step, operands)
        frames.append(_Frame(traits_of(step.name).applies))

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        frame, seconds = self._pop()
        if any(outer.by_element and outer.runs > 1 for outer in self._frames()):
            return
        summaries = tuple(
            summarize(value, type_) for value, type_ in zip(results, step.result_types, strict=True)
        )
        self.took(self._record(plan, step, frame, seconds, summaries), step, operands, results)

    def failed(self, plan: Plan, step: Step) -> None:
        frame, seconds = self._pop()
        self.took(self._record(plan, step, frame, seconds, (), failed=True), step, (), ())

    def took(self, record: Record, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Pass a record to `take`. Traces that store values override this method."""
        del step, operands, results
        self._take(record)

    def _pop(self) -> tuple[_Frame, float]:
        frame = self._frames().pop()
        return frame, time.perf_counter() - frame.start

    def _record(
        self,
        plan: Plan,
        step: Step,
        frame: _Frame,
        seconds: float,
        summaries: tuple[Summary, ...],
        failed: bool = False,
    ) -> Record:
        process = run_context.current().process
        return Record(
            step.name,
            plan.function_name,
            step.location(),
            len(self._frames()),
            seconds,
            summaries,
            frame.runs,
            frame.by_element and frame.runs > 0,
            process.id if process is not None and len(process.grid.ids) > 1 else None,
            failed,
            frame.start - self._began,
        )


def _has_declared_ranks(step: Step, operands: Sequence[Value]) -> bool:
    """Whether the operands have the ranks of the program: a region on whole arrays has additional leading
    dimensions."""
    return all(
        not isinstance(type_, TensorType) or type_.shape is None or np.ndim(value) == len(type_.shape)
        for value, type_ in zip(operands, step.operand_types, strict=False)
    )


class StopOnNan:
    """Ends a run with an `EvaluationError` at the first operation that computes a NaN from operands without
    NaN.

        program(x, observer=hlokit.StopOnNan())

    The error names the operation, its source location and the ranges of its operands. Infinities are allowed,
    and so are NaNs in arguments, in constants, and from other processes.
    """

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        pass

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        count = new_nan(step, operands, results)
        if not count:
            return
        typed = list(zip(operands, step.operand_types, strict=False))
        source = source_text(step.location())
        lines = [f"computed {count} NaN from operands without NaN{f', at {source}' if source else ''}"]
        lines += [f"  operand {index}: {summarize(*operand)}" for index, operand in enumerate(typed)]
        lines += [
            f"  result {index}: {summarize(*result)}"
            for index, result in enumerate(zip(results, step.result_types, strict=True))
        ]
        raise EvaluationError("\n".join(lines))


def new_nan(step: Step, operands: Sequence[Value], results: Sequence[Value]) -> int:
    """The number of NaNs that a step computed from operands without NaN; 0 if other processes sent the
    values."""
    count = sum(count_nan(*result) for result in zip(results, step.result_types, strict=True))
    if not count or (traits_of(step.name).collective or traits_of(step.name).receives):
        return 0
    # Captured values follow the operands; the operations in the regions have been checked separately.
    typed = list(zip(operands, step.operand_types, strict=False))
    captured = operands[len(typed) :]
    return 0 if any(count_nan(*operand) for operand in typed) or any(map(_holds_nan, captured)) else count


def _holds_nan(value: Value) -> bool:
    """Whether a value of unknown type contains a NaN."""
    if isinstance(value, tuple):
        return any(map(_holds_nan, cast("tuple[Value, ...]", value)))
    try:
        return bool(np.isnan(value).any())
    except TypeError:  # integers of ml_dtypes, tokens
        return False


class Observers:
    """Several observers as one. All observers are called at each step, even if one of them raises an
    exception."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        self._tell(lambda observer: observer.before(plan, step, operands))

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self._tell(lambda observer: observer.after(plan, step, operands, results))

    def failed(self, plan: Plan, step: Step) -> None:
        self._tell(lambda observer: tell_failed(observer, plan, step))

    def entered(self, plan: Plan, arguments: Sequence[Value]) -> None:
        self._tell(lambda observer: tell_entered(observer, plan, arguments))

    def left(self) -> None:
        self._tell(tell_left)

    def _tell(self, tell: Callable[[Observer], None]) -> None:
        error: Exception | None = None
        for observer in self._observers:
            try:
                tell(observer)
            except Exception as raised:
                error = error or raised
        if error is not None:
            raise error


def as_observer(observers: Observer | Sequence[Observer] | None) -> Observer | None:
    """One observer for any number of observers; None if there are none.

    Raises:
      ArgumentError: an item is not an observer.
    """
    every = observers if isinstance(observers, Sequence) else () if observers is None else (observers,)
    for observer in every:
        is_one = callable(getattr(observer, "before", None)) and callable(getattr(observer, "after", None))
        if not is_one or isinstance(observer, type):
            raise ArgumentError(f"an observer must have methods before and after, got {shown(observer)}")
    if len(every) < 2:
        return every[0] if every else None
    return Observers(*every)
