"""Gather: slices of an operand at computed start indices.

`gather_plan` has the geometry and the general implementation. Fast paths cover the frequent cases: a single
window, and windows that are single elements or whole rows.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Kernel, KernelFunction, Operation, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.bodies import as_bytes
from hlokit.engine.native.ir.target import TYPES, is_enabled
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes.data_movement import is_increasing
from hlokit.kernels.shapes.gather_plan import GatherPlan, general_gather
from hlokit.kernels.shapes.index_vectors import Indices
from hlokit.kernels.shapes.specialization import Shape, checked_shape, specialize
from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers
from hlokit.values import shapes
from hlokit.values.element_types import ElementType


def gather(operation: Operation) -> Kernel:
    """spec "gather": result[result_index] = operand[operand_index], where
    operand_index = full_start_index + full_batching_index + full_offset_index."""
    operand, start_indices = operation.operand(0), operation.operand(1)
    dimension_numbers = operation.attributes.read("dimension_numbers", GatherDimensionNumbers.read)
    slice_sizes = operation.attributes.ints("slice_sizes")
    make = partial(
        make_gather,
        dimension_numbers,
        start_indices.element_type,
        slice_sizes,
        block_rows=operation.thresholds.gather_block_rows,
    )
    array_op = array_ops.Gather(dimension_numbers, slice_sizes)
    return Kernel(specialize(make, (operand, start_indices)), array_op=array_op)


def dynamic_gather(operation: Operation) -> Kernel:
    """spec "dynamic_gather": "gather" whose slice_sizes are an operand."""
    element_type, result = operation.operand(1).element_type, operation.result()
    block_rows = operation.thresholds.gather_block_rows
    dimension_numbers = operation.attributes.read("dimension_numbers", GatherDimensionNumbers.read)

    @lru_cache(maxsize=64)
    def make(slice_sizes: Shape, operand_shape: Shape, indices_shape: Shape) -> KernelFunction:
        for size, whole in zip(slice_sizes, operand_shape, strict=True):
            if not 0 <= size <= whole:
                largest, got = list(operand_shape), list(slice_sizes)
                raise EvaluationError(f"slice_sizes must be from 0 to {largest}, got {got}")
        plan = GatherPlan(dimension_numbers, element_type, slice_sizes, operand_shape, indices_shape)
        checked_shape(plan.result_shape, result, "the gathered shape")
        return fast_gather(plan, block_rows) or partial(general_gather, plan)

    def kernel(operand: Value, start_indices: Value, slice_sizes: Value) -> Value:
        sizes = tuple(map(int, slice_sizes))
        return make(sizes, operand.shape, start_indices.shape)(operand, start_indices)

    return Kernel(kernel)


def torch_index_select(operation: Operation) -> Kernel:
    """deprecated "torch_index_select": result[b, o, i, p] = operand[b, o, index[b, i], p].

    A letter represents any number of dimensions: b represents batch_dims, b and o together dim. Indices are
    clamped as in gather.
    """
    operand, index = operation.operand(0), operation.operand(1)
    dim, batch_dims = (operation.attributes.int_(name) for name in ("dim", "batch_dims"))
    if dim >= operand.rank:
        raise EvaluationError(f"dim must be a dimension of {operand}, got {dim}")
    batch = tuple(range(batch_dims))
    after = dim + index.rank - batch_dims
    dimension_numbers = GatherDimensionNumbers(
        offset_dims=(*range(batch_dims, dim), *range(after, operation.result().rank)),
        collapsed_slice_dims=(dim,),
        operand_batching_dims=batch,
        start_indices_batching_dims=batch,
        start_index_map=(dim,),
        index_vector_dim=index.rank,
    )

    def make(operand_shape: Shape, index_shape: Shape) -> KernelFunction:
        shapes.require_batch(operand_shape, index_shape, batch_dims)
        slice_sizes = tuple(1 if d == dim or d in batch else size for d, size in enumerate(operand_shape))
        return make_gather(
            dimension_numbers,
            index.element_type,
            slice_sizes,
            operand_shape,
            index_shape,
            block_rows=operation.thresholds.gather_block_rows,
        )

    return Kernel(specialize(make, (operand, index)))


def make_gather(
    dimension_numbers: GatherDimensionNumbers,
    index_type: ElementType,
    slice_sizes: Shape,
    operand_shape: Shape,
    indices_shape: Shape,
    *,
    block_rows: int,
) -> KernelFunction:
    """The kernel of gather for operands of these shapes."""
    plan = GatherPlan(dimension_numbers, index_type, slice_sizes, operand_shape, indices_shape)
    return fast_gather(plan, block_rows) or partial(general_gather, plan)


def fast_gather(plan: GatherPlan, block_rows: int) -> KernelFunction | None:
    """A faster kernel with the results of `general_gather`; None if there is none for this plan."""
    if 0 in plan.result_shape or 0 in plan.operand_shape or not plan.moving:
        return None
    if prod(plan.batch_shape) == 1:
        return _gather_single_window(plan)
    if any(plan.slice_sizes[d] != 1 for d in plan.moving):
        return None
    still = [d for d in range(len(plan.operand_shape)) if d not in plan.moving]
    if any(plan.slice_sizes[d] != plan.operand_shape[d] for d in still):
        return None
    first, last = plan.moving[0], plan.moving[-1]
    sizes = [plan.operand_shape[d] for d in still if d < last]
    if all(size == 1 for size in sizes):
        return _RowGather(plan, last + 1, block_rows).kernel
    is_native = is_enabled() and bool(plan.limits) and not plan.batching and plan.index_type.name in TYPES
    if is_native and all(d < first or plan.operand_shape[d] == 1 for d in still if d < last):
        return _gather_equal_rows(plan, first, last + 1)
    return None


def _gather_single_window(plan: GatherPlan) -> KernelFunction:
    """A single window: a view of the operand."""
    limits = tuple((d, *plan.limits[d]) for d in plan.limits)
    still = tuple(0 if d in plan.dropped else slice(0, size) for d, size in enumerate(plan.slice_sizes))
    sizes = tuple(None if d in plan.dropped else size for d, size in enumerate(plan.slice_sizes))
    shape = plan.result_shape if plan.batch_shape else None

    def kernel(operand: Value, indices: Value) -> Value:
        components = indices.reshape(-1)
        index: list[int | slice] = list(still)
        for d, component, limit in limits:
            start = int(components[component])
            start = 0 if start < 0 else limit if start > limit else start
            size = sizes[d]
            index[d] = start if size is None else slice(start, start + size)
        window = operand[tuple(index)]
        return window if shape is None else window.reshape(shape)

    return kernel


class _RowGather:
    """Windows of size 1 in the moving dimensions, which are the first `count` dimensions: rows of the
    operand."""

    def __init__(self, plan: GatherPlan, count: int, block_rows: int) -> None:
        self._plan = plan
        shape = plan.operand_shape
        self._rows, size = prod(shape[:count]), prod(shape[count:])
        self._table_shape = (self._rows, size) if size != 1 else (self._rows,)
        self._steps = {d: prod(shape[d + 1 : count]) for d in plan.moving}
        self._is_single = len(plan.moving) == 1 and not plan.batching
        self._is_in_order = is_increasing(plan.permutation)
        self._taken_shape = plan.batch_shape + plan.window_shape
        self._block = max(1, block_rows * plan.batch_shape[0] // prod(plan.batch_shape))
        self._is_native = (
            is_enabled() and bool(plan.limits) and plan.has_leading_batches and plan.index_type.name in TYPES
        )
        self._groups = prod(shape[d] for d in plan.batching)
        self._components = [
            (plan.limits[d][1] + 1, self._steps[d]) if d in plan.limits else (1, 0)
            for d in plan.dimension_numbers.start_index_map
        ]
        # The operand without batching dimensions.
        self._unbatched = tuple(0 if d in plan.batching else slice(None) for d in range(len(shape)))

    def kernel(self, operand: Value, indices: Value) -> Value:
        plan, groups = self._plan, self._groups
        if not operand.flags.c_contiguous:
            if self._is_native and groups > 1 and not any(operand.strides[d] for d in plan.batching):
                # All groups read the same rows, of an operand that was broadcast.
                operand, groups = operand[self._unbatched], 1
            elif operand.size > prod(plan.result_shape):
                return general_gather(plan, operand, indices)
            operand = np.ascontiguousarray(operand)
        if self._is_native:
            taken = self._taken_by_vm(operand, indices, groups)
        else:
            taken = self._taken(operand.reshape(self._table_shape), indices)
        # A result that is not a view requires no copy before hlokit returns it.
        taken = taken if taken.shape == self._taken_shape else taken.reshape(self._taken_shape)
        return taken if self._is_in_order else taken.transpose(plan.permutation)

    def _taken_by_vm(self, operand: Value, indices: Value, groups: int) -> Value:
        """The rows, of an operand that has this many groups of rows."""
        plan = self._plan
        taken = np.empty(self._taken_shape, operand.dtype)
        vectors = plan.index_vectors.raw_components(indices), plan.index_type.name, self._components
        count = self._rows if groups == self._groups else self._rows // self._groups
        _kernels.gather(as_bytes(operand), *vectors, count, as_bytes(taken), thread_count(), groups)
        return taken

    def _taken(self, table: Value, indices: Value) -> Value:
        """The rows. `take` clips indices to the table, which equals clamping here."""
        plan = self._plan
        if self._is_single:
            ((component, _),) = plan.limits.values()
            return table.take(plan.index_vectors.components(indices)[component], 0, mode="clip")
        length, batch_rank = plan.batch_shape[0], len(plan.batch_shape)
        if length <= self._block:
            return table.take(
                _row_indices(plan.starts(indices), self._steps, plan.batch_shape), 0, mode="clip"
            )
        taken = np.empty(plan.batch_shape + self._table_shape[1:], table.dtype)
        for first in range(0, length, self._block):
            part = slice(first, first + self._block)
            shape = taken[part].shape[:batch_rank]
            row_indices = _row_indices(plan.starts(indices, part), self._steps, shape)
            table.take(row_indices, 0, out=taken[part], mode="clip")
        return taken


def _gather_equal_rows(plan: GatherPlan, first: int, end: int) -> KernelFunction:
    """The same rows of each slice of the leading dimensions, as `vmap` makes of an operand with a batch.

    Windows have size 1 in the dimensions from `first` to `end`, and all elements of the others.
    """
    shape, batch = plan.operand_shape, len(plan.batch_shape)
    slices, rows = prod(shape[:first]), prod(shape[first:end])
    components = [
        (plan.limits[d][1] + 1, prod(shape[d + 1 : end])) if d in plan.limits else (1, 0)
        for d in plan.dimension_numbers.start_index_map
    ]
    leading = sum(d < first for d in plan.window_dims)
    taken_shape = plan.window_shape[:leading] + plan.batch_shape + plan.window_shape[leading:]
    # The axes [leading window, batch, window] of the rows, in the order of [batch, window].
    axes = [*range(leading, leading + batch), *range(leading), *range(leading + batch, len(taken_shape))]
    permutation = [axes[axis] for axis in plan.permutation]

    def kernel(operand: Value, indices: Value) -> Value:
        if not operand.flags.c_contiguous and operand.size > prod(plan.result_shape):
            return general_gather(plan, operand, indices)
        taken = np.empty(taken_shape, operand.dtype)
        _kernels.gather(
            as_bytes(np.ascontiguousarray(operand)),
            plan.index_vectors.raw_components(indices),
            plan.index_type.name,
            components,
            rows,
            as_bytes(taken),
            thread_count(),
            slices=slices,
        )
        return taken.transpose(permutation)

    return kernel


def _row_indices(starts: dict[int, Indices], steps: dict[int, int], batch_shape: Shape) -> Indices:
    """Row-major indices of the rows that index vectors select."""
    indices = np.zeros(batch_shape, np.intp)
    for d, start in starts.items():
        indices += start if steps[d] == 1 else start * steps[d]
    return indices
