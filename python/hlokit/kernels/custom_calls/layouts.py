"""Layouts of the operands and results of a custom call: the order of their elements in memory.

XLA hands buffers to LAPACK as they lie in memory, and LAPACK reads matrices in the order of columns. JAX
states this order for its own calls. A user's `jax.ffi.ffi_call` states the order of rows by default: LAPACK
then reads the elements of each matrix in another arrangement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.custom_calls import CustomCall
from hlokit.kernels.custom_calls.results import OwnCall
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.values.types import TensorType

Layout = tuple[int, ...]


def in_order_of_columns(function: Callable[..., Any]) -> Callable[..., Any]:
    """A routine for matrices in the order of columns, for the layouts that calls state."""

    @wraps(function)
    def evaluate(*values: Any, call: OwnCall) -> Any:
        if has_columns(call):
            return function(*values, call=call)
        operands, results = _orders(call, "operand_layouts"), _orders(call, "result_layouts")
        arranged = [_as_columns(value, order) for value, order in zip(values, operands, strict=True)]
        returned = function(*arranged, call=call)
        if not isinstance(returned, tuple):
            return _from_columns(returned, results[0])
        arrays = cast("tuple[Array, ...]", returned)
        return tuple([_from_columns(array, order) for array, order in zip(arrays, results, strict=True)])

    return evaluate


def has_columns(call: CustomCall) -> bool:
    """Whether all matrices of a call are in the order of columns, or the call states no order."""
    return not any(_orders(call, "operand_layouts")) and not any(_orders(call, "result_layouts"))


def _orders(call: CustomCall, name: str) -> list[Layout | None]:
    """For each value the order of its dimensions in memory, from major to minor; None for matrices in the
    order of columns, and for values that are no matrices: those of fewer dimensions than others."""
    types = call.operand_types if name == "operand_layouts" else call.result_types
    ranks = [type_.rank for type_ in types if isinstance(type_, TensorType)]
    layouts = cast("Sequence[Any] | None", call.attributes.get(name))
    if layouts is None or len(layouts) != len(ranks) or len(ranks) != len(types):
        return [None] * len(types)
    most = max(
        type_.rank for type_ in (*call.operand_types, *call.result_types) if isinstance(type_, TensorType)
    )
    orders: list[Layout | None] = []
    for rank, layout in zip(ranks, layouts, strict=True):
        order = tuple(int(dimension) for dimension in np.asarray(layout).reshape(-1)[::-1])
        is_matrix = rank == most >= 2 and sorted(order) == list(range(rank))
        orders.append(order if is_matrix and order != (*range(rank - 2), rank - 1, rank - 2) else None)
    return orders


def _as_columns(array: Array, order: Layout | None) -> Array:
    """The elements in the order of an array's memory, as matrices in the order of columns."""
    if order is None:
        return array
    *batch, rows, columns = array.shape
    return array.transpose(order).reshape(*batch, columns, rows).swapaxes(-1, -2)


def _from_columns(array: Array, order: Layout | None) -> Array:
    """The inverse of `_as_columns`."""
    if order is None:
        return array
    sizes = [array.shape[dimension] for dimension in order]
    return array.swapaxes(-1, -2).reshape(sizes).transpose(np.argsort(order))
