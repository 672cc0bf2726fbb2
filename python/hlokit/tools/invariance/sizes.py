"""Batches: their rows, and programs for other sizes where the types leave the size open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.refinement import refined
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.values.types import TensorType

# The sizes of batches, up to that of the arguments.
_SIZES = (1, 2, 3, 8, 32)


class Trial(NamedTuple):
    """A change of a batch.

    Attributes:
      change: of the rows of an array: of arguments, and so of results.
      kept: the rows that must keep their bytes.
    """

    name: str
    change: Callable[[Any], Any]
    kept: slice


@dataclass(frozen=True, slots=True)
class Batch:
    """A program, and the rows of its arguments.

    Attributes:
      values: the arguments.
      batched: the numbers of those that have rows.
      axis: the axis of the rows.
    """

    program: Program
    function: str
    values: tuple[Any, ...]
    batched: tuple[int, ...]
    axis: int

    @property
    def count(self) -> int:
        """The number of rows."""
        return np.asarray(self.values[self.batched[0]]).shape[self.axis]

    def with_rows(self, change: Callable[[Any], Any], values: Sequence[Any] | None = None) -> list[Any]:
        """The arguments, or others of their shapes, with other rows."""
        return [
            change(np.asarray(value)) if number in self.batched else value
            for number, value in enumerate(self.values if values is None else values)
        ]

    def rowed(self, results: Sequence[Any]) -> list[int]:
        """The results that have as many rows."""
        return [
            number
            for number, array in enumerate(results)
            if np.ndim(array) > self.axis and np.shape(array)[self.axis] == self.count
        ]

    def kept_rows(
        self, trial: Trial, expected: Sequence[Any], results: Sequence[Any]
    ) -> dict[int, tuple[Any, Any]]:
        """For each result that has rows, those that a trial must keep: as expected, and of its results."""
        kept = (slice(None),) * self.axis + (trial.kept,)
        return {
            number: (trial.change(np.asarray(expected[number]))[kept], np.asarray(results[number])[kept])
            for number in self.rowed(expected)
        }

    def flat(self, values: Sequence[Any]) -> list[Any]:
        """One array for each argument, and for each item of a tuple."""
        types = self.program.signature(self.function).inputs
        return [np.asarray(value) for value in flat_values(list(values), types)]

    def sizes(self) -> list[int]:
        """The smaller sizes that the program takes."""
        type_ = self.program.signature(self.function).inputs[self.batched[0]]
        is_open = isinstance(type_, TensorType) and type_.dims[self.axis] < 0
        return [size for size in _SIZES if size < self.count] if is_open else []

    def module_of(self, values: Sequence[Any]) -> bytes:
        """The module for arguments of these shapes, as compilers take it: without open sizes."""
        inputs = self.program.signature(self.function).inputs
        if not any(isinstance(type_, TensorType) and not type_.is_static for type_ in inputs):
            return write_bytecode(self.program.module)
        types = [
            TensorType(np.shape(value), type_.element_type)
            for value, type_ in zip(values, inputs, strict=True)
            if isinstance(type_, TensorType)
        ]
        module = refined(self.program.module, types)
        if module is None:
            raise UnsupportedError(f"the sizes of @main must be open, got {', '.join(map(str, types))}")
        return write_bytecode(module)
