"""The geometry of a gather, and the general implementation.

Let W be a view of all windows of the slice sizes; then gather is
`result[batch, offset] = W[start[batch]][offset]`. The general implementation evaluates this formula on a
strided view.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from hlokit import _kernels
from hlokit.engine.contract.registry import Value
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes.data_movement import is_increasing
from hlokit.kernels.shapes.index_vectors import IndexVectors, Indices
from hlokit.kernels.shapes.specialization import Shape
from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers
from hlokit.values.element_types import ElementType


@dataclass(frozen=True)
class GatherPlan:
    """The geometry of a gather for given shapes.

    The position of a window depends on the *moving* dimensions of the operand: dimensions in start_index_map
    along which the window can move, and batching dimensions.
    """

    dimension_numbers: GatherDimensionNumbers
    index_type: ElementType
    slice_sizes: Shape
    operand_shape: Shape
    indices_shape: Shape

    @cached_property
    def index_vectors(self) -> IndexVectors:
        return IndexVectors(self.indices_shape, self.dimension_numbers.index_vector_dim, self.index_type)

    @cached_property
    def batch_shape(self) -> Shape:
        return self.index_vectors.batch_shape

    @cached_property
    def dropped(self) -> Shape:
        """The operand dimensions that the result lacks."""
        numbers = self.dimension_numbers
        return (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)

    @cached_property
    def window_dims(self) -> Shape:
        """Operand dimensions that the result keeps as offset_dims."""
        return tuple(d for d in range(len(self.operand_shape)) if d not in self.dropped)

    @cached_property
    def window_shape(self) -> Shape:
        return tuple(self.slice_sizes[d] for d in self.window_dims)

    @cached_property
    def limits(self) -> dict[int, tuple[int, int]]:
        """Operand dimension -> (component of the index vector, largest start), for dimensions whose largest
        start is not 0.
        """
        limits: dict[int, tuple[int, int]] = {}
        for component, d in enumerate(self.dimension_numbers.start_index_map):
            # A gather reads a dropped dimension even if its slice size is 0.
            size = 1 if d in self.dropped else self.slice_sizes[d]
            if self.operand_shape[d] > size:
                limits[d] = component, self.operand_shape[d] - size
        return limits

    @cached_property
    def batching(self) -> dict[int, int]:
        """Operand dimension -> axis of batch_shape, for dimensions larger than 1."""
        numbers = self.dimension_numbers
        pairs = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
        return {d: self.index_vectors.batch_axis(axis) for d, axis in pairs if self.operand_shape[d] > 1}

    @cached_property
    def has_leading_batches(self) -> bool:
        """Whether the batching dimensions are the first ones, in one order, of the operand and of the batch,
        if dimensions of size 1 do not count."""
        operand = [d for d, size in enumerate(self.operand_shape) if size != 1]
        batch = [axis for axis, size in enumerate(self.batch_shape) if size != 1]
        count = len(self.batching)
        return list(self.batching.items()) == list(zip(operand[:count], batch[:count], strict=False))

    @cached_property
    def moving(self) -> Shape:
        return tuple(sorted({*self.limits, *self.batching}))

    @cached_property
    def permutation(self) -> Shape:
        """Permutation from axes [batch, window] to the axes of the result."""
        offset_dims = self.dimension_numbers.offset_dims
        batch_axes = iter(range(len(self.batch_shape)))
        window_axes = iter(range(len(self.batch_shape), len(self.batch_shape) + len(offset_dims)))
        rank = len(self.batch_shape) + len(offset_dims)
        return tuple(next(window_axes if axis in offset_dims else batch_axes) for axis in range(rank))

    @cached_property
    def is_in_order(self) -> bool:
        """Whether the axes of the result are [batch, window]."""
        return is_increasing(self.permutation)

    @cached_property
    def result_shape(self) -> Shape:
        shape = self.batch_shape + self.window_shape
        return tuple(shape[axis] for axis in self.permutation)

    def components(self, end: int) -> list[tuple[int, int]]:
        """(number of starts, step) of each component of an index vector.

        Steps are in rows, which have the dimensions from `end` on.
        """
        return [
            (self.limits[d][1] + 1, prod(self.operand_shape[d + 1 : end])) if d in self.limits else (1, 0)
            for d in self.dimension_numbers.start_index_map
        ]

    def starts(self, indices: Value) -> dict[int, Indices]:
        """Start indices per moving dimension, as arrays that broadcast to batch_shape."""
        starts: dict[int, Indices] = {}
        if self.limits:
            components = self.index_vectors.components(indices)
            for d, (component, limit) in self.limits.items():
                start = np.maximum(components[component], 0)
                starts[d] = np.minimum(start, limit, out=start) if start.ndim else np.minimum(start, limit)
        for d, axis in self.batching.items():
            numbers = np.arange(self.operand_shape[d])
            starts[d] = numbers.reshape([-1 if a == axis else 1 for a in range(len(self.batch_shape))])
        return starts


def general_gather(plan: GatherPlan, operand: Value, indices: Value) -> npt.NDArray[np.generic]:
    """Any gather: index vectors select from a view of all windows, [start per moving dimension, window]."""
    array: npt.NDArray[np.generic] = np.asarray(operand)
    if 0 in plan.result_shape:
        return np.empty(plan.result_shape, array.dtype)
    _require_elements(plan)
    windows, starts = windows_of(plan, array), plan.starts(indices)
    if not starts:
        gathered = np.broadcast_to(windows, plan.batch_shape + plan.window_shape)
    else:
        first, *others = starts.values()
        gathered = windows[(np.broadcast_to(first, plan.batch_shape), *others)]
    return gathered.transpose(plan.permutation)


def windows_of(plan: GatherPlan, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view of all windows: [start per dimension of `limits`, start per one of `batching`, window]."""
    moving = (*plan.limits, *plan.batching)
    # The number of start indices per moving dimension: 1 plus the largest start.
    places = [plan.operand_shape[d] - (1 if d in plan.dropped else plan.slice_sizes[d]) + 1 for d in moving]
    shape, strides = (*places, *plan.window_shape), [array.strides[d] for d in (*moving, *plan.window_dims)]
    if array.dtype.names is None:
        return _kernels.strided(array, shape, strides)
    # Elements with fields (`tools.equal`), of which NumPy cannot describe all types.
    items = array.view(f"V{array.dtype.itemsize}")
    return as_strided(items, shape, strides).view(array.dtype)


def _require_elements(plan: GatherPlan) -> None:
    if 0 in plan.operand_shape:
        raise EvaluationError(f"operand must have elements to read, got shape {list(plan.operand_shape)}")
