"""Layouts of the operands and results of a custom call: the order of their elements in memory.

XLA hands buffers to LAPACK as they lie in memory, and LAPACK reads matrices in the order of columns. JAX
states this order for its own calls. A user's `jax.ffi.ffi_call` states the order of rows by default: LAPACK
then reads the elements of each matrix in another arrangement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from hlokit.engine.contract.custom_calls import CustomCall
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.values.types import TensorType, ValueType

# The dimensions of a matrix from major to minor; None for matrices in the order of columns, and for values
# that are no matrices: those of fewer dimensions than others.
Order = tuple[int, ...] | None


class Orders(NamedTuple):
    """The orders of all operands and of all results."""

    operands: tuple[Order, ...]
    results: tuple[Order, ...]


def orders_of(call: CustomCall) -> Orders | None:
    """What a call states; None if all matrices are in the order of columns, or it states no order."""
    types = (*call.operand_types, *call.result_types)
    rank = max([type_.rank for type_ in types if isinstance(type_, TensorType)], default=0)
    orders = Orders(
        _stated(call.attributes.get("operand_layouts"), call.operand_types, rank),
        _stated(call.attributes.get("result_layouts"), call.result_types, rank),
    )
    return orders if any(orders.operands) or any(orders.results) else None


def _stated(layouts: Any, types: Sequence[ValueType], rank: int) -> tuple[Order, ...]:
    """
    Args:
      layouts: for each type its dimensions from minor to major, or None.
      rank: that of matrices.
    """
    listed = cast("Sequence[Any]", layouts if layouts is not None and len(layouts) == len(types) else ())
    columns = (*range(rank - 2), rank - 1, rank - 2)
    orders: list[Order] = [None] * len(types)
    for index, (layout, type_) in enumerate(zip(listed, types, strict=False)):
        order = tuple(int(dimension) for dimension in np.asarray(layout).reshape(-1)[::-1])
        is_matrix = isinstance(type_, TensorType) and type_.rank == rank >= 2
        if is_matrix and order != columns and sorted(order) == sorted(columns):
            orders[index] = order
    return tuple(orders)


def as_columns(array: Array, order: Order) -> Array:
    """The elements in the order of an array's memory, as matrices in the order of columns."""
    if order is None:
        return array
    *batch, rows, columns = array.shape
    return array.transpose(order).reshape(*batch, columns, rows).swapaxes(-1, -2)


def from_columns(array: Array, order: Order) -> Array:
    """The inverse of `as_columns`."""
    if order is None:
        return array
    sizes = [array.shape[dimension] for dimension in order]
    return array.swapaxes(-1, -2).reshape(sizes).transpose(np.argsort(order))
