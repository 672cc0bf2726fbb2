"""Constants: constant and iota."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Constant, Kernel, Operation, Value
from hlokit.kernels.shapes.data_movement import make_broadcast
from hlokit.kernels.shapes.specialization import Shape, checked_shape
from hlokit.values.types import TensorType

# Numbers of an iota that are written without a look at signals.
_PIECE = 1 << 20


def constant(operation: Operation) -> Constant:
    """spec "constant": output = value."""
    # At rank 0 this is a NumPy scalar, for which operators are several times faster than for an array.
    return Constant(operation.attributes.elements("value")[()])


def iota(operation: Operation) -> Constant:
    """spec "iota": output[output_index] = output_index[iota_dimension]."""
    return Constant(iota_of(operation.result(), operation.result().dims, iota_dimension(operation)))


def iota_dimension(operation: Operation) -> int:
    return operation.attributes.int_("iota_dimension")


def iota_of(type_: TensorType, shape: Shape, dimension: int) -> npt.NDArray[np.generic]:
    """An array of `shape` that counts along one dimension; counts outside of the type's range are
    converted."""
    dtype = type_.element_type.dtype
    if 0 in shape:
        return np.empty(shape, dtype)
    counts = _counts(shape[dimension], dtype)
    return make_broadcast((dimension,), shape, dtype, counts.shape)(counts)


def _counts(length: int, dtype: np.dtype[Any]) -> npt.NDArray[np.generic]:
    """0, 1, 2, ... in pieces, between which Python handles signals."""
    if length <= _PIECE:
        return np.arange(length).astype(dtype)
    counts = np.empty(length, dtype)
    for start in range(0, length, _PIECE):
        piece = counts[start : start + _PIECE]
        piece[...] = np.arange(start, start + len(piece))
    return counts


def dynamic_iota(operation: Operation) -> Kernel:
    """spec "dynamic_iota": "iota" of output_shape."""
    result = operation.result()
    dimension = iota_dimension(operation)

    def kernel(output_shape: Value) -> Value:
        return iota_of(result, checked_shape(output_shape, result, "output_shape"), dimension)

    return Kernel(kernel)
