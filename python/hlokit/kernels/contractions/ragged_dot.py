"""chlo.ragged_dot: a dot_general of each group of slices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.kernels.contractions.compensated import matmul
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.kernels.contractions.products import Types, typed_product
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers, RaggedDotDimensionNumbers
from hlokit.values.types import TensorType

Shape = tuple[int, ...]
Product = Callable[[Value, Value], Value]


def ragged_dot(operation: Operation) -> Kernel:
    """result = dot_general of corresponding parts of lhs and rhs.

    Along the ragged dimension of lhs, group_sizes[..., i] elements belong to group i. If this dimension is

    - free: each part of lhs is multiplied with slice i of rhs along its group dimension;
    - contracting: each part is summed separately and gives slice i of the result along a new first dimension;
    - batching: the groups have no effect, and the result is a dot_general.

    Elements outside of all groups give 0.
    """
    numbers = operation.attributes.read("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers.read)
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in numbers.lhs_contracting_dimensions:
        return Kernel(_ragged_contracting(operation, numbers, ragged))
    if ragged in numbers.lhs_batching_dimensions:
        return Kernel(_ragged_batch(operation, numbers, ragged))
    return Kernel(_ragged_free(operation, numbers, ragged))


def _product(operation: Operation, numbers: DotDimensionNumbers, rhs: TensorType) -> Product:
    """A dot_general of operands of dynamic shape."""
    lhs = _dynamic(operation.operand(0))
    contracting = numbers.lhs_contracting_dimensions

    def terms(a: Array, b: Array) -> int:
        del b
        return prod([a.shape[dimension] for dimension in contracting])

    product = contraction_product(numbers, lhs, rhs)
    precise = contraction_product(numbers, lhs, rhs, matmul) if operation.is_precise else None
    types = Types(lhs.element_type, rhs.element_type, operation.result().element_type)
    return typed_product(types, product, terms, precise)


def _dynamic(type_: TensorType, rank: int | None = None) -> TensorType:
    return TensorType((-1,) * (type_.rank if rank is None else rank), type_.element_type)


def _parts(group_sizes: Array, prefix: Sequence[int], ragged: int, rank: int) -> list[tuple[int, Any, Shape]]:
    """(group, index of lhs, index of the group's prefix) of all nonempty parts.

    Args:
      prefix: the lhs dimensions that correspond to the leading dimensions of group_sizes, which are the
        outermost loops.
    """
    parts: list[tuple[int, Any, Shape]] = []
    for index in np.ndindex(group_sizes.shape[:-1]):
        start = 0
        for group, size in enumerate(map(int, group_sizes[index])):
            items: list[slice] = [slice(None)] * rank
            for dimension, position in zip(prefix, index, strict=False):
                items[dimension] = slice(position, position + 1)
            items[ragged] = slice(start, start + size)
            start += size
            if size > 0:
                parts.append((group, tuple(items), index))
    return parts


def _rhs_items(pairs: Sequence[tuple[int, int]], lhs_items: Sequence[slice], rank: int) -> tuple[slice, ...]:
    """The index of rhs for an index of lhs: the same slices of batching and contracting dimensions."""
    items = [slice(None)] * rank
    for lhs_dimension, rhs_dimension in pairs:
        items[rhs_dimension] = lhs_items[lhs_dimension]
    return tuple(items)


def _ragged_free(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    (group_dimension,) = numbers.rhs_group_dimensions

    def without_group(dimension: int) -> int:
        return dimension - (dimension > group_dimension)

    inner = DotDimensionNumbers(
        numbers.lhs_batching_dimensions,
        tuple(map(without_group, numbers.rhs_batching_dimensions)),
        numbers.lhs_contracting_dimensions,
        tuple(map(without_group, numbers.rhs_contracting_dimensions)),
    )
    rhs_type = operation.operand(1)
    product = _product(operation, inner, _dynamic(rhs_type, rhs_type.rank - 1))
    rank = operation.operand(0).rank
    batching = numbers.lhs_batching_dimensions
    free = tuple(d for d in range(rank) if d not in batching + numbers.lhs_contracting_dimensions)
    prefix = (*batching, *(d for d in free if d < ragged))
    pairs = tuple(zip(batching, inner.rhs_batching_dimensions, strict=True))
    # Dimensions of lhs in the order of the leading result dimensions.
    kept = batching + free
    dtype = operation.result().element_type.dtype

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        groups = np.moveaxis(rhs, group_dimension, 0)
        rest = [size for d, size in enumerate(groups.shape[1:]) if d not in _rhs_used(inner)]
        result = np.zeros((*(lhs.shape[d] for d in kept), *rest), dtype)
        for group, items, _ in _parts(np.asarray(group_sizes), prefix, ragged, rank):
            rhs_part = groups[group][_rhs_items(pairs, items, rhs.ndim - 1)]
            result[tuple(items[d] for d in kept)] = product(lhs[items], rhs_part)
        return result

    return kernel


def _rhs_used(numbers: DotDimensionNumbers) -> tuple[int, ...]:
    return numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions


def _ragged_contracting(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    inner = numbers.dot_general
    product = _product(operation, inner, _dynamic(operation.operand(1)))
    rank, rhs_rank = operation.operand(0).rank, operation.operand(1).rank
    batching, contracting = inner.lhs_batching_dimensions, inner.lhs_contracting_dimensions
    prefix = (*batching, *contracting[: contracting.index(ragged)])
    pairs = (
        *zip(batching, inner.rhs_batching_dimensions, strict=True),
        *zip(contracting, inner.rhs_contracting_dimensions, strict=True),
    )
    free = tuple(d for d in range(rank) if d not in batching + contracting)
    dtype = operation.result().element_type.dtype

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        sizes = np.asarray(group_sizes)
        rest = [size for d, size in enumerate(rhs.shape) if d not in _rhs_used(inner)]
        kept = [lhs.shape[d] for d in batching + free]
        result = np.zeros((sizes.shape[-1], *kept, *rest), dtype)
        for group, items, _ in _parts(sizes, prefix, ragged, rank):
            part = product(lhs[items], rhs[_rhs_items(pairs, items, rhs_rank)])
            where = (group, *(items[d] for d in batching + free))
            # A group has several parts if earlier contracting dimensions divide it; their products are added.
            result[where] = result[where] + part
        return result

    return kernel


def _ragged_batch(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    del ragged
    product = _product(operation, numbers.dot_general, _dynamic(operation.operand(1)))

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        del group_sizes
        return product(lhs, rhs)

    return kernel
