"""CHLO's operations with implicit broadcasting: the plain operations on operands of one common shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hlokit.errors import EvaluationError
from hlokit.reference.model.calls import Call, Row
from hlokit.reference.model.tensors import Axes, Shape, Tensors, part
from hlokit.values.tensor import Tensor


def broadcast_together(operands: Sequence[Tensor], broadcast_dimensions: Axes | None = None) -> Tensors:
    """The operands broadcast to one shape: a dimension of size 1 is repeated

    Dimension d of the operand of lower rank is dimension broadcast_dimensions[d] of the result; by default,
    the last dimensions correspond.
    """
    rank = max(operand.rank for operand in operands)
    dimensions: list[Axes] = []
    for operand in operands:
        last = tuple(range(rank - operand.rank, rank))
        is_lower = broadcast_dimensions is not None and len(broadcast_dimensions) == operand.rank < rank
        dimensions.append(broadcast_dimensions if is_lower and broadcast_dimensions is not None else last)
    shape = tuple([_size(d, operands, dimensions) for d in range(rank)])
    return tuple([_stretched(operand, shape, at) for operand, at in zip(operands, dimensions, strict=True)])


def _size(d: int, operands: Sequence[Tensor], dimensions: Sequence[Axes]) -> int:
    sizes = {operand.shape[at.index(d)] for operand, at in zip(operands, dimensions, strict=True) if d in at}
    larger = sizes - {1}
    if len(larger) > 1:
        raise EvaluationError(f"sizes of dimension {d} must be equal or 1, got {sorted(sizes)}")
    return larger.pop() if larger else 1


def _stretched(operand: Tensor, shape: Shape, dimensions: Axes) -> Tensor:
    if operand.shape == shape:
        return operand
    rows = list(zip(dimensions, operand.shape, strict=True))
    return part(operand, shape, lambda index: tuple([0 if size == 1 else index[d] for d, size in rows]))


def broadcast(row: Row) -> Row:
    """The row of the operation without broadcasting, on broadcast operands."""

    def broadcasting(call: Call) -> Tensor:
        attributes = call.attributes
        has_dimensions = "broadcast_dimensions" in attributes
        dimensions = attributes.ints("broadcast_dimensions") if has_dimensions else None
        result = row(replace(call, operands=broadcast_together(call.tensors, dimensions)))
        assert isinstance(result, Tensor), "an element-wise operation gives a tensor"
        return result

    return broadcasting
