"""Gather and scatter: slices from computed positions, and updates at computed positions."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from hlokit.reference.model.calls import Call, Region
from hlokit.reference.model.tensors import (
    Axes,
    Index,
    Shape,
    Tensors,
    add,
    index_space,
    integers,
    is_within,
    part,
    take,
    without,
)
from hlokit.reference.stablehlo.reductions import apply, elements_at, promoted
from hlokit.values import shapes
from hlokit.values.element import Element
from hlokit.values.tensor import Tensor


def gather(
    operand: Tensor, start_indices: Tensor, dimension_numbers: GatherDimensionNumbers, slice_sizes: Shape
) -> Tensor:
    """spec "gather": result[result_index] = operand[operand_index], where
    operand_index = full_start_index + full_batching_index + full_offset_index"""
    numbers = dimension_numbers
    left_out = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    batch_sizes = list(without(start_indices.shape, (numbers.index_vector_dim,)))
    offset_sizes = list(without(slice_sizes, left_out))
    rank = len(batch_sizes) + len(offset_sizes)
    is_offset = [d in numbers.offset_dims for d in range(rank)]
    shape = tuple([(offset_sizes if offset else batch_sizes).pop(0) for offset in is_offset])

    def operand_index(result_index: Index) -> Index:
        batch_index = without(result_index, numbers.offset_dims)
        start_index = _index_vector(start_indices, batch_index, numbers.index_vector_dim)
        full_start_index = [0] * operand.rank
        for d, start in zip(numbers.start_index_map, start_index, strict=True):
            full_start_index[d] = min(max(start, 0), operand.shape[d] - slice_sizes[d])
        full_batching_index = _batching_index(
            operand.rank,
            batch_index,
            numbers.operand_batching_dims,
            numbers.start_indices_batching_dims,
            numbers.index_vector_dim,
        )
        full_offset_index = _with_zeros(take(result_index, numbers.offset_dims), left_out)
        return add(add(tuple(full_start_index), full_batching_index), full_offset_index)

    return part(operand, shape, operand_index)


def dynamic_gather(
    operand: Tensor,
    start_indices: Tensor,
    slice_sizes: Tensor,
    dimension_numbers: GatherDimensionNumbers,
) -> Tensor:
    """spec "dynamic_gather": gather with the operand `slice_sizes`"""
    sizes = integers(slice_sizes)
    if not all(0 <= size <= whole for size, whole in zip(sizes, operand.shape, strict=True)):
        raise EvaluationError(f"slice_sizes must be from 0 to {list(operand.shape)}, got {list(sizes)}")
    return gather(operand, start_indices, dimension_numbers, sizes)


def torch_index_select(operand: Tensor, index: Tensor, dim: int, batch_dims: int) -> Tensor:
    """deprecated "torch_index_select": result[..., index_index, ...] = operand[..., index[index_index], ...],
    where the first `batch_dims` dimensions are common"""
    shapes.require_batch(operand.shape, index.shape, batch_dims)
    shape = (*operand.shape[:dim], *index.shape[batch_dims:], *operand.shape[dim + 1 :])
    after = dim + index.rank - batch_dims

    def operand_index(result_index: Index) -> Index:
        chosen = index[(*result_index[:batch_dims], *result_index[dim:after])]
        position = min(max(int(chosen), 0), operand.shape[dim] - 1)
        return (*result_index[:dim], position, *result_index[after:])

    return part(operand, shape, operand_index)


def scatter(
    inputs: Tensors,
    scatter_indices: Tensor,
    updates: Tensors,
    dimension_numbers: ScatterDimensionNumbers,
    update_computation: Region,
) -> Tensors:
    """spec "scatter": results...[result_index] = update_computation(results...[result_index],
    updates...[update_index]), where result_index = full_start_index + full_batching_index + full_window_index

    Windows are applied one after the other, in row-major order (`rules.fold`). Elements out of bounds are
    skipped.
    """
    numbers, count = dimension_numbers, len(inputs)
    results = tuple([tensor.copy() for tensor in promoted(inputs, update_computation)])
    updates = promoted((*inputs, *updates), update_computation)[count:]
    shape, rank = updates[0].shape, inputs[0].rank
    left_out = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    scatter_dims = [d for d in range(len(shape)) if d not in numbers.update_window_dims]
    order = sorted(index_space(shape), key=lambda index: (take(index, scatter_dims), index))
    for update_index in order:
        update_scatter_index = take(update_index, scatter_dims)
        start_index = _index_vector(scatter_indices, update_scatter_index, numbers.index_vector_dim)
        full_start_index = [0] * rank
        for d, start in zip(numbers.scatter_dims_to_operand_dims, start_index, strict=True):
            full_start_index[d] = start
        full_batching_index = _batching_index(
            rank,
            update_scatter_index,
            numbers.input_batching_dims,
            numbers.scatter_indices_batching_dims,
            numbers.index_vector_dim,
        )
        full_window_index = _with_zeros(take(update_index, numbers.update_window_dims), left_out)
        result_index = add(add(tuple(full_start_index), full_batching_index), full_window_index)
        if is_within(result_index, inputs[0].shape):
            old, new = elements_at(results, result_index), elements_at(updates, update_index)
            _set(results, result_index, apply(update_computation, old, new))
    return results


def _set(results: Tensors, index: Index, elements: Sequence[Element]) -> None:
    for result, element in zip(results, elements, strict=True):
        result[index] = element


def _index_vector(indices: Tensor, batch_index: Index, index_vector_dim: int) -> tuple[int, ...]:
    """indices[bi0, ..., :, ..., biN] with `:` at index_vector_dim; [indices[batch_index]] if
    index_vector_dim is the rank of the indices.
    """
    if index_vector_dim == indices.rank:
        return (int(indices[batch_index]),)
    before, after = batch_index[:index_vector_dim], batch_index[index_vector_dim:]
    return tuple([int(indices[(*before, k, *after)]) for k in range(indices.shape[index_vector_dim])])


def _batching_index(
    rank: int, batch_index: Index, batching_dims: Axes, indices_batching_dims: Axes, index_vector_dim: int
) -> Index:
    """spec "full_batching_index": the components of batch_index along batching dimensions, 0 elsewhere."""
    full = [0] * rank
    for d, d_start in zip(batching_dims, indices_batching_dims, strict=True):
        full[d] = batch_index[d_start - (0 if d_start < index_vector_dim else 1)]
    return tuple(full)


def _with_zeros(index: Index, dims: Axes) -> Index:
    """The index with a 0 at each of these dimensions of the result."""
    inserted = list(index)
    for d in sorted(dims):
        inserted.insert(d, 0)
    return tuple(inserted)


def gather_numbers_of(call: Call) -> GatherDimensionNumbers:
    return call.attributes.read("dimension_numbers", GatherDimensionNumbers.read)


def call_scatter(call: Call) -> Tensors:
    count = len(call.result_types)
    numbers = call.attributes.read("scatter_dimension_numbers", ScatterDimensionNumbers.read)
    inputs, updates = call.tensors[:count], call.tensors[count + 1 :]
    return scatter(inputs, call.tensor(count), updates, numbers, call.regions[0])
