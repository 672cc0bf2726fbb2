"""Scatter: updates of an operand at computed indices.

Updates are applied window by window, in row-major order of update_scatter_index, and within a window in
row-major order of its elements. The specification leaves the order open; XLA:CPU uses this order. Elements of
a window outside of the input are dropped individually, as in the specification (XLA drops the whole window).

The update computation is applied to whole arrays where possible (`scatter_combiners`). The elements of the
trailing dimensions that inputs and updates have in common form rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Kernel, KernelFunction, Operation, Value
from hlokit.kernels.regions.scatter_combiners import Combiner, NativeCombiner, RowIndices, find_combiner
from hlokit.kernels.shapes.index_vectors import IndexVectors, Indices
from hlokit.kernels.shapes.specialization import Shape, specialize
from hlokit.mlir.conversion.dimension_numbers import ScatterDimensionNumbers
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import ElementType

Array = npt.NDArray[Any]


def scatter(operation: Operation, plan_class: type[ScatterPlan] | None = None) -> Kernel:
    """spec "scatter": results[result_index] = update_computation(results[result_index], updates[index])
    for each update index, where result_index = full_start_index + full_batching_index + full_window_index.

    Args:
      plan_class: the order of updates; by default that of `ScatterPlan`.
    """
    count = len(operation.result_types)
    dimension_numbers = operation.attributes.read("scatter_dimension_numbers", ScatterDimensionNumbers.read)
    dtypes = tuple(operation.result(i).element_type.dtype for i in range(count))
    types = [operation.operand(i) for i in range(2 * count + 1)]
    combiner = find_combiner(
        operation.regions[0],
        dtypes,
        is_unique=operation.attributes.bool_("unique_indices", False),
        is_precise=operation.is_precise,
    )
    plan = partial(plan_class or ScatterPlan, dimension_numbers, types[count].element_type)
    make = partial(_make_scatter, plan, dtypes, combiner)
    if count > 1 or types[0].element_type.dtype != dtypes[0]:
        return Kernel(specialize(partial(make, False), types))
    function, in_place = specialize(partial(make, False), types), specialize(partial(make, True), types)
    return Kernel(function, in_place=in_place, array_op=_array_op(dimension_numbers, operation))


def _array_op(dimension_numbers: ScatterDimensionNumbers, operation: Operation) -> array_ops.Scatter | None:
    (body,) = operation.regions
    if operation.is_precise or operation.capture_count:
        return None
    if body.returned_argument == 1:
        return array_ops.Scatter(dimension_numbers, None)
    is_commutative = body.binary is not None and traits_of(body.binary).commutative
    return array_ops.Scatter(dimension_numbers, body.binary) if is_commutative else None


def _make_scatter(
    make_plan: Callable[[Shape, Shape, Shape], ScatterPlan],
    dtypes: tuple[np.dtype[np.generic], ...],
    combiner: Combiner,
    is_in_place: bool,
    *shapes: Shape,
) -> KernelFunction:
    count = len(dtypes)
    plan = make_plan(shapes[0], shapes[count], shapes[count + 1])
    if 0 in plan.updates_shape:
        apply = _no_updates
    elif prod(plan.batch_shape) == 1 and combiner.is_vectorized:
        apply = window_scatter(plan, combiner)
    elif isinstance(combiner, NativeCombiner) and plan.components is not None:
        apply = partial(scatter_vectors, plan, combiner)
    else:
        apply = partial(scatter_rows, plan, combiner)

    def kernel(*operands: Value) -> Value:
        results: list[Array] = [
            input_ if is_in_place else np.array(input_, dtype, order="C")
            for input_, dtype in zip(operands[:count], dtypes, strict=True)
        ]
        values = operands[count + 1 : 2 * count + 1]
        updates = [np.asarray(value, dtype) for value, dtype in zip(values, dtypes, strict=True)]
        apply(results, operands[count], updates, operands[2 * count + 1 :])
        return results[0] if count == 1 else tuple(results)

    return kernel


# A function of (results, indices, updates, captured) that updates `results` in place.
Apply = Callable[[list[Array], Value, list[Array], tuple[Value, ...]], None]


def _no_updates(
    results: list[Array], indices: Value, updates: list[Array], captured: tuple[Value, ...]
) -> None:
    pass


@dataclass(frozen=True)
class ScatterPlan:
    """The geometry of a scatter for given shapes."""

    dimension_numbers: ScatterDimensionNumbers
    index_type: ElementType
    input_shape: Shape
    indices_shape: Shape
    updates_shape: Shape

    @cached_property
    def index_vectors(self) -> IndexVectors:
        return IndexVectors(self.indices_shape, self.dimension_numbers.index_vector_dim, self.index_type)

    @cached_property
    def batch_shape(self) -> Shape:
        return self.index_vectors.batch_shape

    @cached_property
    def scatter_axes(self) -> Shape:
        """Axes of the updates that correspond to batch_shape: update_scatter_dims."""
        windows = self.dimension_numbers.update_window_dims
        return tuple(axis for axis in range(len(self.updates_shape)) if axis not in windows)

    @cached_property
    def window_axes(self) -> dict[int, int]:
        """Input dimension -> axis of the updates, for the dimensions of windows."""
        numbers = self.dimension_numbers
        inserted = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
        kept = [d for d in range(len(self.input_shape)) if d not in inserted]
        return dict(zip(kept, numbers.update_window_dims, strict=True))

    @cached_property
    def indexed(self) -> dict[int, int]:
        """Input dimension -> component of the index vector."""
        dims = self.dimension_numbers.scatter_dims_to_operand_dims
        return {d: component for component, d in enumerate(dims)}

    @cached_property
    def row_rank(self) -> int:
        """The number of trailing dimensions that inputs and updates have in common."""
        rank, updates_rank = len(self.input_shape), len(self.updates_shape)
        count = 0
        while count < rank:
            d, axis = rank - 1 - count, updates_rank - 1 - count
            is_whole = self.window_axes.get(d) == axis and self.updates_shape[axis] == self.input_shape[d]
            if d in self.indexed or not is_whole:
                break
            count += 1
        return count

    def window_size(self, d: int) -> int:
        return self.updates_shape[self.window_axes[d]] if d in self.window_axes else 1

    def on_axis(self, values: Indices, axis: int) -> Indices:
        """Values in a shape that broadcasts along one axis of the updates' rows."""
        shape = [1] * (len(self.updates_shape) - self.row_rank)
        shape[axis] = values.size
        return values.reshape(shape)

    @cached_property
    def components(self) -> tuple[tuple[int, int], ...] | None:
        """(extent, step) of each component of `vectors`, if the vectors determine the rows; else None."""
        if not self.indexed or any(d < len(self.steps) for d in self.window_axes):
            return None
        batching = self.dimension_numbers.input_batching_dims
        if any(self.input_shape[d] > self._most_places for d in batching):
            return None
        dims = (*self.indexed, *batching)
        return tuple([(self.input_shape[d], self.steps[d]) for d in dims])

    @property
    def _most_places(self) -> int:
        """The number of places that the raw type of the indices can count."""
        name, dtype = self.index_vectors.raw_type, self.index_type.dtype
        return int(np.iinfo(dtype).max) + 1 if name == self.index_type.name else np.iinfo(np.int64).max

    def vectors(self, indices: Value) -> Any:
        """The index vectors, with the places along batching dimensions as further components: an array
        [component, vector] of the raw type of the indices, or a tuple of its rows."""
        components = self.index_vectors.raw_components(indices)
        numbers = self.dimension_numbers
        if not numbers.input_batching_dims:
            return components
        places: list[Array] = []
        for d, dimension in zip(
            numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True
        ):
            later = self.batch_shape[self.index_vectors.batch_axis(dimension) + 1 :]
            place = np.arange(self.input_shape[d], dtype=components[0].dtype)
            place = place.reshape(-1, *[1] * len(later))
            places.append(np.broadcast_to(place, self.batch_shape).reshape(-1))
        return (*components, *places)

    @cached_property
    def offsets(self) -> Indices | None:
        """The part of the index of each update row that does not depend on index vectors; None if it is 0."""
        numbers = self.dimension_numbers
        axes = {d: axis for d, axis in self.window_axes.items() if d < len(self.steps)}
        pairs = zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
        axes.update(
            (d, self.scatter_axes[self.index_vectors.batch_axis(dimension)]) for d, dimension in pairs
        )
        offsets: Indices | None = None
        for d, axis in axes.items():
            offset = self.on_axis(np.arange(self.updates_shape[axis]) * self.steps[d], axis)
            offsets = offset if offsets is None else offsets + offset
        return offsets

    @cached_property
    def steps(self) -> Shape:
        """The distance in rows between neighbours, for each input dimension."""
        leading = self.input_shape[: len(self.input_shape) - self.row_rank]
        return tuple(prod(leading[d + 1 :]) for d in range(len(leading)))

    def in_order(self, updates: Array) -> Array:
        """Updates (or one value per update row) with their axes transposed into the order of application."""
        return updates if self._order is None else updates.transpose(self._order[: updates.ndim])

    @cached_property
    def _order(self) -> Shape | None:
        """The axes of the updates with update_scatter_dims first; None if any order is correct.

        Updates at different offsets of a window conflict only if the window moves along one of its own
        dimensions.
        """
        moved = [axis for d, axis in self.window_axes.items() if d in self.indexed]
        if not moved or not self.scatter_axes or min(moved) > max(self.scatter_axes):
            return None
        return (*self.scatter_axes, *self.window_axes.values())

    def targets(self, indices: Value) -> tuple[Indices, Indices | None]:
        """(target row of each update row, indices of the update rows that are in bounds, or None for all).

        Both are in the order of `in_order`.
        """
        rows_shape = self.updates_shape[: len(self.updates_shape) - self.row_rank]
        start_shape = [size if axis in self.scatter_axes else 1 for axis, size in enumerate(rows_shape)]
        components = self.index_vectors.components(indices)
        targets = self.offsets
        inside: npt.NDArray[np.bool_] | None = None
        for d, component in self.indexed.items():
            start = components[component].reshape(start_shape)
            offset = start if self.steps[d] == 1 else start * self.steps[d]
            targets = offset if targets is None else targets + offset
            whole, room = self.input_shape[d], self.input_shape[d] - self.window_size(d)
            # Negative indices are large as unsigned integers.
            if room >= 0 and not (start.view(np.uintp) > room).any():
                continue
            position = start
            if d in self.window_axes:
                position = start + self.on_axis(np.arange(self.window_size(d)), self.window_axes[d])
            is_inside = (position >= 0) & (position < whole)
            inside = is_inside if inside is None else inside & is_inside
        if targets is None:
            targets = np.zeros(rows_shape, np.intp)
        if targets.shape != rows_shape:
            targets = np.broadcast_to(targets, rows_shape)
        targets = self.in_order(targets).reshape(-1)
        if inside is None:
            return targets, None
        kept = np.flatnonzero(self.in_order(np.broadcast_to(inside, rows_shape)))
        return targets[kept], kept


class RowMajorPlan(ScatterPlan):
    """The geometry of a scatter whose updates are applied in row-major order of their indices."""

    @cached_property
    def _order(self) -> Shape | None:
        return None


def scatter_rows(
    plan: ScatterPlan,
    combiner: Combiner,
    results: list[Array],
    indices: Value,
    updates: list[Array],
    captured: tuple[Value, ...],
) -> None:
    """Apply any scatter to `results` in place, row by row."""
    row = plan.input_shape[len(plan.input_shape) - plan.row_rank :]
    row_shape = (prod(row),) if prod(row) != 1 else ()
    targets, kept = plan.targets(indices)
    rows = [result.reshape((-1, *row_shape)) for result in results]
    new = [plan.in_order(update).reshape((-1, *row_shape)) for update in updates]
    if kept is not None:
        new = [update[kept] for update in new]
    if targets.size:
        combiner.update(rows, targets, new, captured)


def scatter_vectors(
    plan: ScatterPlan,
    combiner: NativeCombiner,
    results: list[Array],
    indices: Value,
    updates: list[Array],
    captured: tuple[Value, ...],
) -> None:
    """Apply a scatter whose index vectors determine the rows to `results` in place."""
    assert plan.components is not None, "the index vectors determine the rows"
    width = prod(plan.input_shape[len(plan.input_shape) - plan.row_rank :])
    vectors = RowIndices(plan.vectors(indices), plan.index_vectors.raw_type, plan.components)
    rows = [result.reshape(-1, width) for result in results]
    combiner.update_rows(rows, vectors, [update.reshape(-1, width) for update in updates], captured)


def window_scatter(plan: ScatterPlan, combiner: Combiner) -> Apply:
    """A function that applies a scatter of a single window as an update of a slice."""
    places: list[int | slice] = [
        slice(0, plan.window_size(d)) if d in plan.window_axes else 0 for d in range(len(plan.input_shape))
    ]
    moving = tuple(
        (d, component, plan.window_size(d), plan.input_shape[d] - plan.window_size(d), d in plan.window_axes)
        for d, component in plan.indexed.items()
    )
    kept = tuple(plan.window_axes)
    window_shape = tuple(plan.updates_shape[axis] for axis in plan.dimension_numbers.update_window_dims)
    reshapes = window_shape != plan.updates_shape

    def apply(
        results: list[Array], indices: Value, updates: list[Array], captured: tuple[Value, ...]
    ) -> None:
        components = plan.index_vectors.joined(indices).reshape(-1)
        target = places.copy()
        cuts: dict[int, slice] = {}
        for d, component, size, room, is_kept in moving:
            start = int(components[component])
            first, last = start, start + size
            if not 0 <= start <= room:
                first, last = max(start, 0), min(last, room + size)
                if first >= last:
                    return
                cuts[d] = slice(first - start, last - start)
            target[d] = slice(first, last) if is_kept else first
        window = tuple(target)
        if reshapes:
            updates = [update.reshape(window_shape) for update in updates]
        if cuts:
            cut = tuple(cuts.get(d, slice(None)) for d in kept)
            updates = [update[cut] for update in updates]
        values = updates
        if not combiner.ignores_old:
            values = combiner.combine([result[window] for result in results], updates, captured)
        for result, value in zip(results, values, strict=True):
            result[window] = value

    return apply
