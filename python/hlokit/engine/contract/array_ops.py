"""Array ops: descriptions, as data, of operations that move or combine elements of arrays.

A kernel is opaque: it only computes the result. With `Kernel.array_op`, the operation's name and its static
types, the native compiler and rewrites can compute the same result by other code.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hlokit.engine.contract.region import Region
    from hlokit.mlir.conversion.dimension_numbers import (
        ConvDimensionNumbers,
        DotDimensionNumbers,
        GatherDimensionNumbers,
        ScatterDimensionNumbers,
    )
    from hlokit.values.element_types import ElementType

Ints = tuple[int, ...]


class Slice(NamedTuple):
    """spec "slice"."""

    start_indices: Ints
    strides: Ints


class Reshape:
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


class Placement(NamedTuple):
    """Where a pad places the elements along a dimension.

    Attributes:
      first, size: the elements that it keeps: the first one, and their number.
      start, step: the place of the first of them, and the distance between neighbours.
    """

    first: int
    size: int
    start: int
    step: int

    @property
    def stop(self) -> int:
        """One past the last place."""
        return self.start + (self.size - 1) * self.step + 1 if self.size else self.start


class Pad(NamedTuple):
    """spec "pad"."""

    low: Ints
    interior: Ints

    def placements(self, shape: Ints, result_shape: Ints) -> tuple[Placement, ...]:
        """The placements of an operand of a shape, along each dimension."""
        placements: list[Placement] = []
        for size, low, interior, whole in zip(shape, self.low, self.interior, result_shape, strict=True):
            step = interior + 1
            # Negative padding drops elements: the first that remains, and one past the last.
            first = min(-(low // step), size) if low < 0 else 0
            stop = max(min((whole - 1 - low) // step + 1, size), first)
            placements.append(Placement(first, stop - first, low + first * step, step))
        return tuple(placements)


class SumOfPads(NamedTuple):
    """A sum of operands that are padded with zeros, and whose elements take different places.

    Attributes:
      pads: of each operand.
      is_whole: whether each place has an element of an operand.
    """

    pads: tuple[Pad, ...]
    is_whole: bool


class DynamicSlice:
    """spec "dynamic_slice"."""


class DynamicUpdateSlice:
    """spec "dynamic_update_slice"."""


class Gather(NamedTuple):
    """spec "gather". The operands are the array, and the index vectors or, one by one, their components."""

    numbers: "GatherDimensionNumbers"
    slice_sizes: Ints


class Scatter(NamedTuple):
    """spec "scatter" of one input whose update_computation returns the update, or one operation on both.

    The operands are the input, the index vectors or their components, and the updates.

    Attributes:
      operation: the name of the operation; None if the update replaces the old element.
    """

    numbers: "ScatterDimensionNumbers"
    operation: str | None


class Reduce(NamedTuple):
    """spec "reduce" of one input by a commutative operation."""

    dimensions: Ints
    operation: str


class ReduceWindow(NamedTuple):
    """spec "reduce_window" of one input by a commutative operation.

    Attributes:
      low: the padding before each dimension; the shape of the result determines the padding after it.
    """

    window_dimensions: Ints
    window_strides: Ints
    base_dilations: Ints
    window_dilations: Ints
    low: Ints
    operation: str


class ArgExtremum(NamedTuple):
    """spec "reduce" of two inputs that may be an argmax or argmin: values, and their indices.

    Attributes:
      find: returns "maximum" or "minimum", where NaN counts as the extremum, or None for any other reduction.
    """

    dimensions: Ints
    find: Callable[[], str | None]


class Dot(NamedTuple):
    """spec "dot_general"."""

    numbers: "DotDimensionNumbers"


class SortKey(NamedTuple):
    """One value that a comparator compares.

    Attributes:
      lhs, rhs: slots of the comparator's plan that hold the key of the left and of the right element.
      element_type: of the key.
      is_descending: greater keys come first.
      is_total: floats compare in total order; otherwise -0 equals +0, and NaNs are equal and come last.
    """

    lhs: int
    rhs: int
    element_type: "ElementType"
    is_descending: bool
    is_total: bool


class Sort(NamedTuple):
    """spec "sort", of which the first elements may be enough.

    Attributes:
      keys: the first key decides, unless it is equal. None if the comparator does not compare keys.
    """

    dimension: int
    comparator: "Region"
    keys: tuple[SortKey, ...] | None


class TopK:
    """chlo.top_k of real numbers: the greatest elements of the last dimension, and their indices."""


class Phase(NamedTuple):
    """Outputs of a spatial dimension of a convolution that use the same elements of the kernel: without
    `lhs_dilation`, all outputs.

    Attributes:
      outputs: the outputs of this phase.
      size: number of outputs.
      taps: the kernel elements of this phase.
      stride, dilation: the stride and dilation of the windows, in input elements.
      low: padding before the input; `size` determines the padding after the input.
    """

    outputs: slice
    size: int
    taps: slice
    stride: int
    dilation: int
    low: int


class Convolution(NamedTuple):
    """spec "convolution", as a convolution without `lhs_dilation` for each combination of phases.

    Attributes:
      phases: of each spatial dimension.
    """

    numbers: "ConvDimensionNumbers"
    phases: tuple[tuple[Phase, ...], ...]
    window_reversal: tuple[bool, ...]
    feature_group_count: int
    batch_group_count: int


class Bitcast:
    """spec "bitcast_convert" between types of different widths, of whole bytes."""


class Fft(NamedTuple):
    """spec "fft": transforms along one dimension after the other.

    Attributes:
      transforms: for each, the dimension, counted from the last one (-1), the type of the transform along
        this dimension, and the length of its real side.
    """

    transforms: tuple[tuple[int, str, int], ...]


class RandomBits(NamedTuple):
    """spec "rng_bit_generator". DEFAULT is PHILOX, as in XLA:CPU."""

    algorithm: str

    @property
    def is_threefry(self) -> bool:
        return self.algorithm == "THREE_FRY"

    def has_state(self, shape: Ints) -> bool:
        """Whether the generator has such a state: a key and a counter of 64 bits (of PHILOX also 128)."""
        return shape == (2,) or (shape == (3,) and not self.is_threefry)

    @staticmethod
    def pairs_of(shape: Ints) -> tuple[int, int, int]:
        """The sizes of an output before, along and after the dimension along which the two words of a
        counter of THREE_FRY are adjacent: the first even dimension, else the largest."""
        sizes = shape or (1,)
        even = [d for d, size in enumerate(sizes) if size % 2 == 0]
        dimension = even[0] if even else sizes.index(max(sizes))
        return prod(sizes[:dimension]), sizes[dimension], prod(sizes[dimension + 1 :])


class MatrixStack(NamedTuple):
    """An array of a LAPACK routine: a stack of matrices, vectors or numbers.

    Attributes:
      shape: the shape of each matrix, vector or number.
      type: the name of the element type.
      source: the operand that is the array or initialises it, perhaps after a conversion; None for zeros.
      is_written: whether the routine writes the array.
    """

    shape: Ints
    type: str
    source: int | None
    is_written: bool


# Results of a LapackCall that are no arrays of the routine: the first operand, and zeros.
LAPACK_OPERAND, LAPACK_ZEROS = -1, -2


class LapackCall(NamedTuple):
    """A call of a LAPACK routine.

    Attributes:
      routine: the number in lib/kernels/linalg/routines.cpp, which determines arrays and options.
      batch: the shape of all stacks.
      results: for each result in LAPACK's order the index of its array, `LAPACK_OPERAND` or `LAPACK_ZEROS`. A
        complex array is two results, its parts, if their type is real. An array without elements stands for
        zeros, and so does the end for all further results.
      is_reversed: operands and results have the rows and columns of the arrays in reverse order.
    """

    routine: int
    options: Ints
    batch: Ints
    arrays: tuple[MatrixStack, ...]
    results: Ints
    is_reversed: bool


class Lapack(NamedTuple):
    """A LAPACK routine for a custom call, spec "cholesky" or "triangular_solve".

    Attributes:
      describe: returns the call, or None if the function for the custom call is not a routine of hlokit.
    """

    describe: Callable[[], LapackCall | None]


ArrayOp = (
    Slice
    | Reshape
    | Transpose
    | Broadcast
    | Reverse
    | Concatenate
    | Pad
    | SumOfPads
    | DynamicSlice
    | DynamicUpdateSlice
    | Gather
    | Scatter
    | Reduce
    | ReduceWindow
    | Dot
    | Convolution
    | ArgExtremum
    | Sort
    | TopK
    | Bitcast
    | RandomBits
    | Fft
    | Lapack
)
