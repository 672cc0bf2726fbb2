"""The numbers of instructions besides their registers: shapes, offsets and strides, in elements.

The records and their fields are those of lib/vm/instructions.inc, which explains them. A field is a number, a
record, or a list of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Jump(NamedTuple):
    target: int


class MoveAxis(NamedTuple):
    size: int
    source: int
    target: int


class Move(NamedTuple):
    source_offset: int
    target_offset: int
    axes: list[MoveAxis]


class WindowAxis(NamedTuple):
    size: int
    array: int
    other: int


class WindowStart(NamedTuple):
    offset: int
    limit: int
    stride: int
    window_dimension: int
    batch: list[int]


class Windows(NamedTuple):
    array_offset: int
    other_offset: int
    batch: list[WindowAxis]
    window: list[WindowAxis]
    components: list[WindowStart]
    clamps: bool
    combine: int


class ReducedAxis(NamedTuple):
    size: int
    stride: int


class Reduction(NamedTuple):
    operation: int
    offset: int
    kept: list[ReducedAxis]
    reduced: list[ReducedAxis]


class DotAxis(NamedTuple):
    size: int
    lhs: int = 0
    rhs: int = 0
    result: int = 0


class Dot(NamedTuple):
    lhs_offset: int
    rhs_offset: int
    batch: list[DotAxis]
    rows: list[DotAxis]
    terms: list[DotAxis]
    columns: list[DotAxis]


class Call(NamedTuple):
    number: int


class LapackArray(NamedTuple):
    source: int
    sizes: list[int]


class Lapack(NamedTuple):
    routine: int
    matrices: int
    options: list[int]
    arrays: list[LapackArray]


class Sort(NamedTuple):
    keys: list[int]
    outer: int
    size: int
    inner: int
    kept: int


class Scan(NamedTuple):
    operation: int
    outer: int
    size: int
    inner: int
    is_reverse: bool
    is_wide: bool


class Fft(NamedTuple):
    kind: int
    outer: int
    length: int
    inner: int


class RandomBits(NamedTuple):
    is_philox: bool
    before: int
    size: int
    after: int


class RowReduction(NamedTuple):
    operation: int


Parameters = (
    Jump | Move | Windows | Reduction | Dot | Call | Lapack | Sort | Scan | Fft | RandomBits | RowReduction
)


_Field: TypeAlias = "int | Sequence[_Field]"


def numbers_of(parameters: Parameters) -> list[int]:
    """The numbers as `_kernels.Program` takes them: a list is its length, then its elements."""
    numbers: list[int] = []
    _append(numbers, parameters)
    return numbers


def _append(numbers: list[int], fields: Sequence[_Field]) -> None:
    for field in fields:
        if isinstance(field, int):
            numbers.append(field)
            continue
        if isinstance(field, list):
            numbers.append(len(field))
        _append(numbers, field)
