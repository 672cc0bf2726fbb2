"""Complex products as StableHLO's C++ interpreter computes them: each of the four products rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Constant, Kernel, Operation, Value, find
from hlokit.values.element_types import Kind

Array = npt.NDArray[Any]


def multiply(operation: Operation) -> Kernel | Constant:
    """Complex products as two sums of two products, each of which is rounded."""
    if operation.result().element_type.kind is Kind.COMPLEX:
        return Kernel(times, pointwise=True, native="multiply_by_parts")  # no opcode
    bind = find("stablehlo.multiply")
    assert bind is not None, "multiply has a kernel"
    return bind(operation)


def times(lhs: Value, rhs: Value) -> Array:
    """Products of complex numbers; each of the four products is rounded."""
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    result = np.empty(np.broadcast_shapes(np.shape(lhs), np.shape(rhs)), lhs.dtype)
    result.real, result.imag = a * c - b * d, a * d + b * c
    return result
