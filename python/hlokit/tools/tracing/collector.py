"""An observer that stores records and values of a run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import StepNumbers
from hlokit.engine.observe.memory import LiveMemory
from hlokit.engine.observe.observers import Record, Trace, new_nan
from hlokit.engine.observe.summaries import Summary, summarize
from hlokit.engine.plan.plan import Plan, Step
from hlokit.tools.tracing.listings import ProgramListing
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

_BINS = 24


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of finite elements between two numbers, in bins of equal width."""

    low: float
    high: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """One evaluated operation.

    Attributes:
      number: the number of the operation in the listing; -1 if it is not printed.
      values: the results; None if they are not stored.
      bytes: the size of the results.
      live: the bytes of all live values of the process at the end of the operation.
      made_nan: the number of NaNs that the operation computed from operands without NaNs.
      operands: summaries of the operands, only where an operation computed a NaN for the first time.
      histogram: the histogram of the first result, if requested; of an operation that runs often, of
        its first, second, fourth, ... evaluation.
    """

    record: Record
    number: int
    values: tuple[Value, ...] | None
    bytes: int
    made_nan: int = 0
    operands: tuple[Summary, ...] = ()
    histogram: Histogram | None = None
    live: int = 0


class Collector(Trace):
    """Stores a `Collected` for every evaluated operation, in the order of their ends.

    Args:
      listing: the printed program.
      keep: bytes of values to store; of later values, only summaries are stored.
      histograms: whether to count elements in bins.
    """

    def __init__(self, listing: ProgramListing, keep: int, *, histograms: bool = False) -> None:
        super().__init__(lambda record: None)
        self.evaluations: list[Collected] = []
        self._left = keep
        self._histograms = histograms
        self._numbers = StepNumbers(listing.number)
        # Operations that have computed a NaN, and the numbers of evaluations.
        self._with_nan: set[int] = set()
        self._counts: dict[int, int] = {}
        self._lock = threading.Lock()
        # Each process of a grid has its own memory.
        self._memories = threading.local()
        self.memories: list[LiveMemory] = []

    def entered(self, plan: Plan, arguments: Sequence[Value]) -> None:
        """Record the beginning of a block."""
        memory = getattr(self._memories, "memory", None)
        if memory is None:
            memory = self._memories.memory = LiveMemory()
            with self._lock:
                self.memories.append(memory)
        memory.entered(plan, arguments)

    def left(self) -> None:
        """Record the end of the innermost block."""
        self._memories.memory.left()

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Record the end of a step."""
        self._memories.live = self._memories.memory.ran(step, results)
        super().after(plan, step, operands, results)

    def number(self, step: Step) -> int:
        """The number of the operation of a step in the listing."""
        return self._numbers.number(step)

    def took(self, record: Record, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Store an evaluated operation with its record."""
        size, number = sum(_bytes(value) for value in results), self._numbers.number(step)
        new_nans = 0
        if any(summary.nan or summary.items for summary in record.results):
            new_nans = new_nan(step, operands, results)
        summaries: tuple[Summary, ...] = ()
        if new_nans and number not in self._with_nan:
            self._with_nan.add(number)
            summaries = tuple(
                summarize(*operand) for operand in zip(operands, step.operand_types, strict=False)
            )
        histogram = None
        count = self._counts[number] = self._counts.get(number, 0) + 1
        if self._histograms and results and not count & (count - 1):
            histogram = _histogram(results[0], step.result_types[0])
        live = getattr(self._memories, "live", 0)
        with self._lock:
            is_kept = size <= self._left and not record.failed
            self._left -= size if is_kept else 0
            values = tuple(results) if is_kept else None
            self.evaluations.append(
                Collected(record, number, values, size, new_nans, summaries, histogram, live)
            )


def _bytes(value: Any) -> int:
    if isinstance(value, tuple):
        return sum(map(_bytes, value))  # pyright: ignore[reportUnknownArgumentType] # of values
    return int(getattr(value, "nbytes", 0))


def _histogram(value: Value, type_: ValueType) -> Histogram | None:
    if not isinstance(type_, TensorType) or type_.element_type.kind is Kind.COMPLEX:
        return None
    numbers = np.asarray(value).astype(np.float64).ravel()
    numbers = numbers[np.isfinite(numbers)]
    if numbers.size < 2:
        return None
    low, high = float(numbers.min()), float(numbers.max())
    if not high - low > 0 or not np.isfinite(high - low):
        return None
    try:
        counts = np.histogram(numbers, _BINS, (low, high))[0]
    except ValueError:  # the range is too narrow for bins
        return None
    return Histogram(low, high, tuple(int(count) for count in counts))
