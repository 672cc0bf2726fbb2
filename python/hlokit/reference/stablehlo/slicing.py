"""Slices at constant and computed positions, and updates of slices."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.errors import EvaluationError
from hlokit.reference.model.tensors import Index, Shape, add, build, index_space, integers, item, part
from hlokit.values.tensor import Tensor


def slice_(operand: Tensor, start_indices: Shape, limit_indices: Shape, strides: Shape) -> Tensor:
    """spec "slice": result[result_index] = operand[start_indices + result_index * strides]"""
    rows = list(zip(start_indices, limit_indices, strides, strict=True))
    shape = tuple([-(-(limit - start) // stride) for start, limit, stride in rows])
    return part(
        operand,
        shape,
        lambda index: tuple([start + i * stride for i, (start, _, stride) in zip(index, rows, strict=True)]),
    )


def real_dynamic_slice(
    operand: Tensor, start_indices: Tensor, limit_indices: Tensor, strides: Tensor
) -> Tensor:
    """deprecated "real_dynamic_slice": slice with these operands instead of attributes"""
    starts, limits, steps = map(integers, (start_indices, limit_indices, strides))
    for d, row in enumerate(zip(operand.shape, starts, limits, steps, strict=True)):
        size, start, limit, stride = row
        if not (0 <= start <= limit <= size and stride > 0):
            raise EvaluationError(
                f"dimension {d} must have 0 <= start <= limit <= {size} and stride > 0, "
                f"got start {start}, limit {limit}, stride {stride}"
            )
    return slice_(operand, starts, limits, steps)


def dynamic_slice(operand: Tensor, start_indices: Sequence[Tensor], slice_sizes: Shape) -> Tensor:
    """spec "dynamic_slice": result[result_index] = operand[adjusted_start_indices + result_index], where
    adjusted_start_indices = clamp(0, start_indices, shape(operand) - slice_sizes)"""
    start = _adjusted(start_indices, operand.shape, slice_sizes)
    return part(operand, slice_sizes, lambda index: add(start, index))


def dynamic_update_slice(operand: Tensor, update: Tensor, start_indices: Sequence[Tensor]) -> Tensor:
    """spec "dynamic_update_slice": result[adjusted_start_indices + update_index] = update[update_index],
    operand[result_index] elsewhere, where
    adjusted_start_indices = clamp(0, start_indices, shape(operand) - shape(update))"""
    start = _adjusted(start_indices, operand.shape, update.shape)
    result = operand.copy()
    for update_index in index_space(update.shape):
        result[add(start, update_index)] = update[update_index]
    return result


def _adjusted(start_indices: Sequence[Tensor], shape: Shape, sizes: Shape) -> Index:
    starts = [int(item(start)) for start in start_indices]
    rows = zip(starts, shape, sizes, strict=True)
    return tuple([min(max(start, 0), whole - size) for start, whole, size in rows])


def split(operand: Tensor, count: int, dimension: int) -> list[Tensor]:
    """spec "split": `count` slices of equal size along a dimension."""
    if operand.shape[dimension] % count:
        raise EvaluationError(
            f"dimension {dimension} must be divisible by {count}, got {operand.shape[dimension]}"
        )
    size = operand.shape[dimension] // count
    shape = (*operand.shape[:dimension], size, *operand.shape[dimension + 1 :])

    def slice_at(start: int) -> Tensor:
        return build(
            shape,
            operand.element_type,
            lambda index: operand[(*index[:dimension], start + index[dimension], *index[dimension + 1 :])],
        )

    return [slice_at(k * size) for k in range(count)]
