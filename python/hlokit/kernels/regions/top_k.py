"""chlo.top_k: the greatest elements and their indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.array_ops import TopK
from hlokit.engine.contract.interrupts import interruptible
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.bodies import in_rows
from hlokit.engine.native.ir.target import TYPES, is_enabled
from hlokit.errors import UnsupportedError
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.elementwise.compare_and_select import total_order_key
from hlokit.kernels.elementwise.kernel_factories import extend
from hlokit.values.element_types import ElementType, Kind

# Lanes of at least this length are reduced to candidates before the sort.
_LONG = 64


def top_k(operation: Operation) -> Kernel:
    """(values, indices) = the k greatest elements of each lane of the last dimension, and their indices.

    Elements are in total order (NaN above infinity, 0 above -0); the first of equal elements comes first.
    """
    element_type = operation.operand().element_type
    if element_type.kind is Kind.COMPLEX:
        raise UnsupportedError("chlo.top_k of complex numbers: they have no order")
    k = operation.attributes.int_("k")
    index_dtype = operation.result(1).element_type.dtype
    is_native = is_enabled() and element_type.name in TYPES

    def kernel(operand: Value) -> tuple[Value, Value]:
        if not is_native or operand.shape[-1] < 4 * k or not operand.size:
            indices = top_k_indices(ordinals(operand, element_type), k)
        else:
            indices = np.empty((*operand.shape[:-1], k), np.intp)
            rows: Any = operand.reshape(-1, operand.shape[-1])
            places: Any = indices.reshape(rows.shape[0], k)
            _kernels.top_k(element_type.name, True, True, in_rows(rows), places, thread_count())
        return np.take_along_axis(operand, indices, -1), indices.astype(index_dtype)

    return Kernel(kernel, array_op=TopK())


def ordinals(operand: Array, element_type: ElementType) -> Array:
    """Integers that sort in the order of the elements."""
    if element_type.kind is Kind.FLOAT:
        return total_order_key(element_type)(np.ascontiguousarray(operand))
    if element_type.kind is Kind.BOOL:
        return operand.view(np.uint8)
    return extend(operand, element_type.width) if element_type.is_narrow_integer else operand


def top_k_indices(numbers: Array, k: int) -> Array:
    """The indices of the k largest integers of each lane of the last dimension, the largest first."""
    size = numbers.shape[-1]
    descending = ~numbers  # reverses the order of both signed and unsigned integers
    if size < _LONG or 4 * k >= size or k == 0:
        return interruptible(np.argsort, descending, -1, "stable")[..., :k]
    rows = descending.reshape(-1, size)
    limit = interruptible(np.partition, rows, k - 1)[:, k - 1]
    result = np.empty((rows.shape[0], k), np.intp)
    for row, row_limit, target in zip(rows, limit, result, strict=True):
        candidates = np.flatnonzero(row <= row_limit)
        target[:] = candidates[np.argsort(row[candidates], kind="stable")[:k]]
    return result.reshape(*numbers.shape[:-1], k)
