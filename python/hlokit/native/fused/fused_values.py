"""Values of a fused computation: in a register, known, or the array of a slot."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from hlokit.contract import array_ops
from hlokit.plan.plan import Step
from hlokit.values.types import TensorType, ValueType

Shape = tuple[int, ...]


class ComputedValue(NamedTuple):
    """A value in a register: the program computes it, or has read it."""

    register: int


class KnownValue(NamedTuple):
    """A value that is known when the program is built. One element may stand for a splat of any shape."""

    value: Any


class SlotValue(NamedTuple):
    """The array of a slot, broadcast to a shape: its dimensions become `dimensions` of the shape."""

    slot: int
    array_shape: Shape
    shape: Shape
    dimensions: Shape


FusedValue = ComputedValue | KnownValue | SlotValue


class FusionInput(NamedTuple):
    """The initial content of a register: the array of a slot, or a known value if `slot` is -1.

    Attributes:
      register, level: the register and its level (see `fusion_builder`).
      shape: the shape of the value after broadcasting.
      dimensions: for each dimension of the array, the dimension of the shape that it becomes.
    """

    register: int
    level: int
    shape: Shape
    dimensions: Shape
    slot: int
    value: Any


def slot_value(slot: int, type_: ValueType) -> SlotValue | None:
    """The whole array of a slot; None if its shape is dynamic."""
    if not isinstance(type_, TensorType) or not type_.is_static:
        return None
    return SlotValue(slot, type_.dims, type_.dims, tuple(range(type_.rank)))


def broadcast_slot(value: SlotValue, step: Step) -> SlotValue | None:
    """The result of a broadcast or reshape of a slot; None if it changes the order of dimensions."""
    type_, dimensions = step.result_types[0], result_dimensions(step)
    if not isinstance(type_, TensorType) or dimensions is None:
        return None
    mapped = tuple([dimensions[dimension] for dimension in value.dimensions])
    if any(low >= high for low, high in pairwise(mapped)):
        return None
    return SlotValue(value.slot, value.array_shape, type_.dims, mapped)


def result_dimensions(step: Step) -> Shape | None:
    """For each dimension of the operand of a broadcast or reshape, the result's dimension that it becomes.

    None for reshapes that do more than add dimensions of size 1.
    """
    type_, result = step.operand_types[0], step.result_types[0]
    if not isinstance(type_, TensorType) or not isinstance(result, TensorType) or not result.is_static:
        return None
    if isinstance(step.kernel.array_op, array_ops.Broadcast):
        return step.kernel.array_op.dimensions
    found: list[int] = []
    for size in type_.dims:
        first = found[-1] + 1 if found else 0
        if size not in result.dims[first:]:
            return None
        found.append(result.dims.index(size, first))
    return tuple(found) if type_.size == result.size else None
