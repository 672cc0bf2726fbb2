"""Products of operands that were quantized to integers of eight bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.tools.judge.products import Products

Array = npt.NDArray[Any]
# Scales map the largest magnitude to this integer.
_LARGEST = 127


class OfIntegers(Products):
    """A follower that rounds operands of products to multiples of scales, as quantization does.

    Args:
      operands: the positions of the operands that are quantized: weights, or activations as well.
      has_rows: whether each row and column, over the contracted dimensions, has a scale of its own; a tensor
        has one scale otherwise.
    """

    def __init__(self, operands: Sequence[int], *, has_rows: bool) -> None:
        super().__init__()
        self._operands = operands
        self._has_rows = has_rows

    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        if len(operands) != 2 or any(array.dtype.kind != "f" for array in (*operands, result)):
            return None
        quantized = [
            self._quantized(step, array, number) if number in self._operands else array
            for number, array in enumerate(operands)
        ]
        return np.asarray(step.kernel.function(*quantized))

    def _quantized(self, step: Step, array: Array, number: int) -> Array:
        axes = self._contracted(step, number) if self._has_rows else None
        scale = np.abs(array).max(axis=axes, keepdims=True, initial=0) / _LARGEST
        scale = np.where(scale == 0, 1, scale)
        return np.asarray(np.rint(array / scale) * scale, array.dtype)

    def _contracted(self, step: Step, number: int) -> tuple[int, ...] | None:
        if step.name != "stablehlo.dot_general":
            return None
        attributes = Attributes(operation_of(step))
        numbers = attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
        return numbers.rhs_contracting_dimensions if number else numbers.lhs_contracting_dimensions


def quantizations() -> Iterator[tuple[str, OfIntegers]]:
    """The operands of products, in words, with the followers that quantize them."""
    for has_rows in (False, True):
        yield "operands of products", OfIntegers((0, 1), has_rows=has_rows)
        for number in (0, 1):
            yield "one operand of products", OfIntegers((number,), has_rows=has_rows)
