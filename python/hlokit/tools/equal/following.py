"""Observers of runs on exact numbers: which values they compute, and of which degree."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.tools.equal.rules import field
from hlokit.tools.equal.rules.numbers import number_of


class Producer(NamedTuple):
    """The operation that first computed a value.

    Attributes:
      order: among the operations of the run.
      operands: the fingerprints of its operands.
    """

    order: int
    name: str
    function: str
    location: str
    operands: tuple[int, ...]

    def __str__(self) -> str:
        where = source_text(self.location) or self.location.removeprefix("loc(").removesuffix(")")
        return f"{self.name} in @{self.function}{f' at {where}' if where not in ('', 'unknown') else ''}"


class Fingerprints:
    """An observer that identifies values by their elements, in any order and shape.

    Attributes:
      producers: by fingerprint, the operation that first computed the value.
    """

    def __init__(self) -> None:
        self.producers: dict[int, Producer] = {}
        self._lock = threading.Lock()

    def before(self, plan: Plan, step: Step, operands: Sequence[Any]) -> None:
        """A step begins."""

    def after(self, plan: Plan, step: Step, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """A step has ended."""
        marks = tuple([fingerprint(operand) for operand in operands])
        with self._lock:
            for result in results:
                producer = Producer(
                    len(self.producers), step.name, plan.function_name, step.location(), marks
                )
                self.producers.setdefault(fingerprint(result), producer)

    def first_missing(self, other: Fingerprints, inputs: set[int], results: Sequence[Any]) -> Producer | None:
        """The first operation, on the way to some results, whose operands the other run has and whose value
        it lacks; if it has all, in another order, the operation that returns the first result.

        Args:
          inputs: fingerprints of arguments.
          results: results that differ.
        """
        open_, seen = [fingerprint(result) for result in results], set[int]()
        first: Producer | None = None
        while open_:
            mark = open_.pop()
            producer = self.producers.get(mark)
            if mark in seen or mark in inputs or mark in other.producers or producer is None:
                continue
            seen.add(mark)
            missing = [
                operand
                for operand in producer.operands
                if operand in self.producers and operand not in other.producers and operand not in inputs
            ]
            open_ += missing
            if not missing and (first is None or producer.order < first.order):
                first = producer
        return first or next(filter(None, map(self.producers.get, map(fingerprint, results))), None)


def fingerprint(value: Any) -> int:
    """A number that arrays with the same elements have in common, in any order."""
    if isinstance(value, tuple):
        items: Any = value  # pyright: ignore[reportUnknownVariableType] # of values
        return hash(tuple([fingerprint(item) for item in items]))
    if not isinstance(value, np.ndarray | np.generic):
        return 0
    return _fingerprint(value)


def _fingerprint(value: Any) -> int:
    array = np.asarray(value)
    if array.dtype.names is None:
        return hash((array.dtype.str, np.ascontiguousarray(array).tobytes()))
    return int(np.add.reduce(field.hashed(2, *number_of(array).parts), axis=None))
