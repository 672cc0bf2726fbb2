"""What a fused computation reads."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from math import prod
from typing import NamedTuple

from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.views import Ints, View, dense_strides

# Levels of registers: one value, one for each row, one for each element. The registers of tables, arrays that
# gathers read at computed places, have a level of their own.
ONE, ROW, ELEMENT, TABLE = 0, 1, 2, 3
# Rows of at most so many elements take NumPy longer than their operation.
_SHORT_ROW = 64


class FusionInput(NamedTuple):
    """A register that the caller fills with the elements of an array, which may be repeated.

    Attributes:
      register, level: the register and its level.
      slot: the slot of the array; -1 for a constant.
      value: the constant.
      shape: the shape of the elements.
      dimensions: for each dimension of the array, the dimension of the shape that it becomes.
    """

    register: int
    level: int
    slot: int
    value: Value
    shape: Ints
    dimensions: Ints


def whole_input(register: int, slot: int, value: Value, shape: Ints) -> FusionInput:
    """A register with all of an array: one value, or a table."""
    level = ONE if prod(shape) == 1 else TABLE
    return FusionInput(register, level, slot, value, shape, tuple(range(len(shape))))


def expansion(view: View, shape: Ints) -> tuple[Ints, Ints] | None:
    """How a view repeats the elements of an array of this shape: the shape of the view, perhaps with further
    dimensions of size 1, and for each dimension of the array the dimension that it becomes.

    None if the view does more than repeat elements.
    """
    if view.offset == 0 and view.is_dense and view.size == prod(shape):
        return shape, tuple(range(len(shape)))
    expanded: list[int] = []
    dimensions: list[int] = []
    pending = [(size, stride) for size, stride in zip(view.shape, view.strides, strict=True) if size != 1]
    for size, stride in zip(shape, dense_strides(shape), strict=True):
        while size != 1 and pending and pending[0][1] == 0:
            expanded.append(pending.pop(0)[0])
        if size != 1 and (not pending or pending.pop(0) != (size, stride)):
            return None
        dimensions.append(len(expanded))
        expanded.append(size)
    if view.offset or any(stride for _, stride in pending):
        return None
    return (*expanded, *[size for size, _ in pending]), tuple(dimensions)


def has_short_rows(view: View) -> bool:
    """Whether neighbours in memory are few, as in a broadcast of rows."""
    length, step = 1, 1
    for size, stride in zip(reversed(view.shape), reversed(view.strides), strict=True):
        if size == 1:
            continue
        if length == 1:
            step = stride
        elif stride != step:
            return length <= _SHORT_ROW
        length, step = length * size, step * size
    return False
