"""The numbers of the instructions on arrays that few programs have: see `parameters`."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from typing import NamedTuple


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


class GatherAxis(NamedTuple):
    extent: int
    step: int


class Gather(NamedTuple):
    axes: list[GatherAxis]
