"""What operations on whole arrays do, as data: for those who do it in another way than the kernel.

An operation's `Kernel.form` says this beside its name and types, where shapes are static.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hlokit.mlir.dimension_numbers import (
        DotDimensionNumbers,
        GatherDimensionNumbers,
        ScatterDimensionNumbers,
    )

Ints = tuple[int, ...]


class Slice(NamedTuple):
    """spec "slice"."""

    start_indices: Ints
    strides: Ints


class Reshape(NamedTuple):
    """spec "reshape"."""


class Transpose(NamedTuple):
    """spec "transpose"."""

    permutation: Ints


class Broadcast(NamedTuple):
    """spec "broadcast_in_dim"."""

    dimensions: Ints


class Reverse(NamedTuple):
    """spec "reverse"."""

    dimensions: Ints


class Concatenate(NamedTuple):
    """spec "concatenate"."""

    dimension: int


class Pad(NamedTuple):
    """spec "pad"."""

    low: Ints
    interior: Ints


class DynamicSlice(NamedTuple):
    """spec "dynamic_slice"."""


class DynamicUpdateSlice(NamedTuple):
    """spec "dynamic_update_slice"."""


class Gather(NamedTuple):
    """spec "gather"."""

    numbers: GatherDimensionNumbers
    slice_sizes: Ints


class Scatter(NamedTuple):
    """spec "scatter" of one input whose update_computation gives the update, or an operation of both.

    Attributes:
      operation: None for the update.
    """

    numbers: ScatterDimensionNumbers
    operation: str | None


class Reduce(NamedTuple):
    """spec "reduce" of one input by a commutative operation."""

    dimensions: Ints
    operation: str


class ArgExtremum(NamedTuple):
    """spec "reduce" of two inputs: perhaps of values and their indices to the first index of an extremum.

    Attributes:
      find: which one it is, "maximum" or "minimum" where a NaN is one; None for another reduction.
    """

    dimensions: Ints
    find: Callable[[], str | None]


class Dot(NamedTuple):
    """spec "dot_general"."""

    numbers: DotDimensionNumbers


Form = (
    Slice
    | Reshape
    | Transpose
    | Broadcast
    | Reverse
    | Concatenate
    | Pad
    | DynamicSlice
    | DynamicUpdateSlice
    | Gather
    | Scatter
    | Reduce
    | Dot
    | ArgExtremum
)
