"""Gather: slices of an operand at computed start indices.

`gather_plan` has the geometry and the implementation by NumPy. A single window is a view. Compiled code
copies other windows: elements and rows of contiguous operands by the shortest way, all others with strides.
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
from hlokit.engine.native.ir.target import bits_of, is_enabled
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes.gather_plan import GatherPlan, general_gather, windows_of
from hlokit.kernels.shapes.specialization import Shape, checked_shape, specialize
from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers
from hlokit.values import shapes
from hlokit.values.element_types import ElementType

# The most dimensions of a window that compiled code copies.
_MOST_WINDOW_DIMS = 12


def gather(operation: Operation) -> Kernel:
    """spec "gather": result[result_index] = operand[operand_index], where
    operand_index = full_start_index + full_batching_index + full_offset_index."""
    operand, start_indices = operation.operand(0), operation.operand(1)
    dimension_numbers = operation.attributes.read("dimension_numbers", GatherDimensionNumbers.read)
    slice_sizes = operation.attributes.ints("slice_sizes")
    make = partial(make_gather, dimension_numbers, start_indices.element_type, slice_sizes)
    array_op = array_ops.Gather(dimension_numbers, slice_sizes)
    return Kernel(specialize(make, (operand, start_indices)), array_op=array_op)


def dynamic_gather(operation: Operation) -> Kernel:
    """spec "dynamic_gather": "gather" whose slice_sizes are an operand."""
    element_type, result = operation.operand(1).element_type, operation.result()
    dimension_numbers = operation.attributes.read("dimension_numbers", GatherDimensionNumbers.read)

    @lru_cache(maxsize=64)
    def make(slice_sizes: Shape, operand_shape: Shape, indices_shape: Shape) -> KernelFunction:
        for size, whole in zip(slice_sizes, operand_shape, strict=True):
            if not 0 <= size <= whole:
                largest, got = list(operand_shape), list(slice_sizes)
                raise EvaluationError(f"slice_sizes must be from 0 to {largest}, got {got}")
        plan = GatherPlan(dimension_numbers, element_type, slice_sizes, operand_shape, indices_shape)
        checked_shape(plan.result_shape, result, "the gathered shape")
        return fast_gather(plan) or partial(general_gather, plan)

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
        )

    return Kernel(specialize(make, (operand, index)))


def make_gather(
    dimension_numbers: GatherDimensionNumbers,
    index_type: ElementType,
    slice_sizes: Shape,
    operand_shape: Shape,
    indices_shape: Shape,
) -> KernelFunction:
    """The kernel of gather for operands of these shapes."""
    plan = GatherPlan(dimension_numbers, index_type, slice_sizes, operand_shape, indices_shape)
    return fast_gather(plan) or partial(general_gather, plan)


def fast_gather(plan: GatherPlan) -> KernelFunction | None:
    """A faster kernel with the results of `general_gather`; None if there is none for this plan."""
    if 0 in plan.result_shape or 0 in plan.operand_shape or not plan.moving:
        return None
    if prod(plan.batch_shape) == 1:
        return _gather_single_window(plan)
    if not is_enabled() or not plan.limits or len(plan.window_dims) > _MOST_WINDOW_DIMS:
        return None
    windows = partial(_gather_windows, plan)
    still = [d for d in range(len(plan.operand_shape)) if d not in plan.moving]
    if any(plan.slice_sizes[d] != 1 for d in plan.moving) or any(
        plan.slice_sizes[d] != plan.operand_shape[d] for d in still
    ):
        return windows
    first, last = plan.moving[0], plan.moving[-1]
    inner = [d for d in still if d < last and plan.operand_shape[d] != 1]
    if not inner and plan.has_leading_batches:
        return _RowGather(plan, last + 1, windows).kernel
    if not plan.batching and all(d < first for d in inner):
        return _gather_equal_rows(plan, first, last + 1, windows)
    return windows


def _gather_single_window(plan: GatherPlan) -> KernelFunction:
    """A single window: a view of the operand."""
    limits = tuple((d, *plan.limits[d]) for d in plan.limits)
    still = tuple(0 if d in plan.dropped else slice(0, size) for d, size in enumerate(plan.slice_sizes))
    sizes = tuple(None if d in plan.dropped else size for d, size in enumerate(plan.slice_sizes))
    shape = plan.result_shape if plan.batch_shape else None

    def kernel(operand: Value, indices: Value) -> Value:
        components = plan.index_vectors.joined(indices).reshape(-1)
        index: list[int | slice] = list(still)
        for d, component, limit in limits:
            start = int(components[component])
            start = 0 if start < 0 else limit if start > limit else start
            size = sizes[d]
            index[d] = start if size is None else slice(start, start + size)
        window = operand[tuple(index)]
        return window if shape is None else window.reshape(shape)

    return kernel


def _gather_windows(plan: GatherPlan, operand: Value, indices: Value) -> Value:
    """Windows of any sizes, of an operand in any layout."""
    if operand.dtype.names is not None:
        return general_gather(plan, operand, indices)
    gathered = np.empty(plan.batch_shape + plan.window_shape, operand.dtype)
    _kernels.gather_windows(
        bits_of(windows_of(plan, operand)),
        plan.index_vectors.raw_components(indices),
        plan.index_vectors.raw_type,
        [component for component, _ in plan.limits.values()],
        [prod(plan.batch_shape[axis + 1 :]) for axis in plan.batching.values()],
        as_bytes(gathered),
        thread_count(),
    )
    return gathered if plan.is_in_order else gathered.transpose(plan.permutation)


class _RowGather:
    """Windows of size 1 in the moving dimensions, which are the first `count` dimensions: rows of the
    operand."""

    def __init__(self, plan: GatherPlan, count: int, windows: KernelFunction) -> None:
        self._plan, self._windows = plan, windows
        shape = plan.operand_shape
        self._rows = prod(shape[:count])
        self._taken_shape = plan.batch_shape + plan.window_shape
        self._groups = prod(shape[d] for d in plan.batching)
        self._components = plan.components(count)
        # The operand without batching dimensions.
        self._unbatched = tuple(0 if d in plan.batching else slice(None) for d in range(len(shape)))

    def kernel(self, operand: Value, indices: Value) -> Value:
        plan, groups = self._plan, self._groups
        if not operand.flags.c_contiguous:
            if groups > 1 and not any(operand.strides[d] for d in plan.batching):
                # All groups read the same rows, of an operand that was broadcast.
                operand, groups = operand[self._unbatched], 1
            elif operand.size > prod(plan.result_shape):
                return self._windows(operand, indices)
            operand = np.ascontiguousarray(operand)
        taken = np.empty(self._taken_shape, operand.dtype)
        vectors = plan.index_vectors.raw_components(indices), plan.index_vectors.raw_type, self._components
        count = self._rows if groups == self._groups else self._rows // self._groups
        _kernels.gather(as_bytes(operand), *vectors, count, as_bytes(taken), thread_count(), groups)
        return taken if plan.is_in_order else taken.transpose(plan.permutation)


def _gather_equal_rows(plan: GatherPlan, first: int, end: int, windows: KernelFunction) -> KernelFunction:
    """The same rows of each slice of the leading dimensions, as `vmap` makes of an operand with a batch.

    Windows have size 1 in the dimensions from `first` to `end`, and all elements of the others.
    """
    shape, batch = plan.operand_shape, len(plan.batch_shape)
    slices, rows = prod(shape[:first]), prod(shape[first:end])
    components = plan.components(end)
    leading = sum(d < first for d in plan.window_dims)
    taken_shape = plan.window_shape[:leading] + plan.batch_shape + plan.window_shape[leading:]
    # The axes [leading window, batch, window] of the rows, in the order of [batch, window].
    axes = [*range(leading, leading + batch), *range(leading), *range(leading + batch, len(taken_shape))]
    permutation = [axes[axis] for axis in plan.permutation]

    def kernel(operand: Value, indices: Value) -> Value:
        if not operand.flags.c_contiguous and operand.size > prod(plan.result_shape):
            return windows(operand, indices)
        taken = np.empty(taken_shape, operand.dtype)
        _kernels.gather(
            as_bytes(np.ascontiguousarray(operand)),
            plan.index_vectors.raw_components(indices),
            plan.index_vectors.raw_type,
            components,
            rows,
            as_bytes(taken),
            thread_count(),
            slices=slices,
        )
        return taken.transpose(permutation)

    return kernel
