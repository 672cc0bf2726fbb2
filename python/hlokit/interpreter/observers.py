"""Observers: what happens while a program runs, step by step."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Plan, Step
from hlokit.values.types import TensorType, ValueType


@dataclass(frozen=True, slots=True)
class Record:
    """One evaluated operation.

    `summaries` describe its results: the type and, for numbers, minimum, maximum, mean and how many are NaN
    or infinite. `seconds` include what its regions took.
    """

    op: str
    function: str
    location: str
    depth: int
    seconds: float
    summaries: tuple[str, ...]

    def __str__(self) -> str:
        indent = "  " * self.depth
        return (
            f"{self.seconds * 1e6:10.1f} us  {indent}{self.op} {', '.join(self.summaries)}  {self.location}"
        )


class Trace:
    """Hands a `Record` of every evaluated operation to `take`, which may be `print` or a list's `append`.

        program(x, observer=hlokit.Trace(print))

    Regions that are evaluated over whole arrays appear once, not once an element.
    """

    def __init__(self, take: Callable[[Record], object]) -> None:
        self._take = take
        # Processes that run at the same time have stacks of their own.
        self._local = threading.local()

    def _starts(self) -> list[float]:
        return self._local.__dict__.setdefault("starts", [])

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, step, operands
        self._starts().append(time.perf_counter())

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del operands
        starts = self._starts()
        seconds = time.perf_counter() - starts.pop()
        summaries = tuple(
            summarize(value, type_) for value, type_ in zip(results, step.result_types, strict=True)
        )
        depth = len(starts)
        self._take(Record(step.name, plan.function_name, step.location(), depth, seconds, summaries))


def summarize(value: Value, type_: ValueType) -> str:
    """A value's type and, for numbers, their range, mean and how many are NaN or infinite."""
    if not isinstance(type_, TensorType):
        return str(type_)
    array = np.asarray(value)
    spelled = str(TensorType(array.shape, type_.element_type))
    if not array.size:
        return spelled
    # The narrow types of ml_dtypes have no reductions of their own.
    wide = np.abs(array) if array.dtype.kind == "c" else array.astype(np.float64)
    nan, infinite = int(np.isnan(wide).sum()), int(np.isinf(wide).sum())
    finite = wide[np.isfinite(wide)]
    text = spelled
    if finite.size:
        text += f" in [{finite.min():.4g}, {finite.max():.4g}], mean {finite.mean():.4g}"
    if nan or infinite:
        text += f", {nan} NaN, {infinite} inf"
    return text
