"""convolution and dynamic_conv, reduced to products of windows and weights.

Internally, lhs is [group, batch, space..., feature], rhs [group, space..., feature, output feature] and the
result [group, batch, space..., output feature]. Feature groups and batch groups both become the group
dimension. Dilation of lhs becomes several convolutions with parts of rhs (`Phase`). Window reversal is
applied to rhs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import product as combinations
from math import gcd, prod
from typing import NamedTuple

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.array_ops import Phase
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.kernels.contractions.compensated import matmul
from hlokit.kernels.contractions.native_products import ProductFactory, strided_matmul
from hlokit.kernels.contractions.products import Array, Product, Types, typed_product
from hlokit.kernels.contractions.window_products import (
    MatrixProduct,
    NativeProduct,
    WindowProduct,
    groups_first,
    multiply_windows,
    window_product,
)
from hlokit.kernels.shapes.specialization import checked_shape
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, Ints
from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType

Pairs = tuple[tuple[int, int], ...]


def convolution(operation: Operation) -> Kernel:
    """spec "convolution": result = for each window of padded lhs: dot_general(reverse(window), rhs).

    Every `precision_config` is computed as HIGHEST, as in dot_general. The zeros that `lhs_dilation` inserts
    do not count as terms, but a result is NaN if an infinite or NaN element of the kernel multiplies such a
    zero.
    """
    dims = ConvolutionDims.of(operation)
    padding = operation.attributes.pairs("padding", ((0, 0),) * len(dims.window_strides))
    lhs, rhs, result = operation.operand(0), operation.operand(1), operation.result()
    types = Types(lhs.element_type, rhs.element_type, result.element_type)
    product = partial(dims.apply, padding=padding)
    precise = (
        partial(product, multiplier=MatrixProduct(matmul, operation.thresholds))
        if operation.is_precise
        else None
    )
    kernel = typed_product(types, product, dims.terms, precise, dims.native(padding))
    return Kernel(kernel, array_op=None if operation.is_precise else dims.array_op(operation, padding))


def dynamic_conv(operation: Operation) -> Kernel:
    """spec "dynamic_conv": convolution whose padding is an operand."""
    dims = ConvolutionDims.of(operation)
    lhs_type, rhs_type = operation.operand(0), operation.operand(1)

    def kernel(lhs: Value, rhs: Value, padding: Value) -> Value:
        pairs = dims.checked_padding(lhs, rhs, padding, operation.result())
        product = partial(dims.apply, padding=pairs)
        matrices = MatrixProduct(matmul, operation.thresholds)
        precise = partial(product, multiplier=matrices) if operation.is_precise else None
        types = Types(lhs_type.element_type, rhs_type.element_type, operation.result().element_type)
        return typed_product(types, product, dims.terms, precise, dims.native(pairs))(lhs, rhs)

    return Kernel(kernel)


def convolution_product(operation: Operation, multiply: Product) -> Product:
    """A convolution of arrays of one dtype, by a function that multiplies stacks of matrices."""
    dims = ConvolutionDims.of(operation)
    padding = operation.attributes.pairs("padding", ((0, 0),) * len(dims.window_strides))
    return partial(dims.apply, padding=padding, multiplier=MatrixProduct(multiply, operation.thresholds))


class ConvolutionDims(NamedTuple):
    """The attributes of a convolution except padding. Names are the spec's."""

    numbers: ConvDimensionNumbers
    window_strides: Ints
    lhs_dilation: Ints
    rhs_dilation: Ints
    window_reversal: tuple[bool, ...]
    feature_group_count: int
    batch_group_count: int
    thresholds: Thresholds

    @classmethod
    def of(cls, operation: Operation) -> ConvolutionDims:
        attributes = operation.attributes
        numbers = attributes.read("dimension_numbers", ConvDimensionNumbers.read)
        ones = (1,) * len(numbers.input_spatial_dimensions)
        reversal = attributes.bools("window_reversal", (False,) * len(ones))
        if len(reversal) != len(ones):
            raise ValueError(f"window_reversal must have size {len(ones)}, got {len(reversal)}")
        return cls(
            numbers,
            attributes.ints("window_strides", ones),
            attributes.ints("lhs_dilation", ones),
            attributes.ints("rhs_dilation", ones),
            reversal,
            attributes.int_("feature_group_count"),
            attributes.int_("batch_group_count"),
            operation.thresholds,
        )

    def array_op(self, operation: Operation, padding: Pairs) -> array_ops.Convolution | None:
        """The description of the operation; None if its shapes are dynamic."""
        lhs, rhs, numbers = operation.operand(0), operation.operand(1), self.numbers
        if not (lhs.is_static and rhs.is_static):
            return None
        space = [lhs.dims[dimension] for dimension in numbers.input_spatial_dimensions]
        window = [rhs.dims[dimension] for dimension in numbers.kernel_spatial_dimensions]
        return array_ops.Convolution(
            numbers,
            self._phases(space, window, padding),
            self.window_reversal,
            self.feature_group_count,
            self.batch_group_count,
        )

    def _phases(
        self, space: Sequence[int], window: Sequence[int], padding: Pairs
    ) -> tuple[tuple[Phase, ...], ...]:
        dimensions = zip(
            space, window, self.window_strides, padding, self.lhs_dilation, self.rhs_dilation, strict=True
        )
        return tuple([_phases(*dimension) for dimension in dimensions])

    def checked_padding(self, lhs: Array, rhs: Array, padding: Value, result: TensorType) -> Pairs:
        """The padding that a program computed.

        Raises:
          EvaluationError: with this padding the result does not have its type.
        """
        pairs = tuple([(int(low), int(high)) for low, high in padding])
        numbers = self.numbers
        space = [lhs.shape[dimension] for dimension in numbers.input_spatial_dimensions]
        window = [rhs.shape[dimension] for dimension in numbers.kernel_spatial_dimensions]
        sizes = dict.fromkeys(range(lhs.ndim), 0)
        sizes[numbers.output_batch_dimension] = (
            lhs.shape[numbers.input_batch_dimension] // self.batch_group_count
        )
        sizes[numbers.output_feature_dimension] = rhs.shape[numbers.kernel_output_feature_dimension]
        for dimension, phases in zip(
            numbers.output_spatial_dimensions, self._phases(space, window, pairs), strict=True
        ):
            sizes[dimension] = sum(phase.size for phase in phases)
        checked_shape(tuple(sizes.values()), result, "the shape that follows from padding")
        return pairs

    def terms(self, lhs: Array, rhs: Array) -> int:
        """The number of products in the sum of an element of the result."""
        del lhs
        numbers = self.numbers
        return prod(
            rhs.shape[dimension]
            for dimension in (numbers.kernel_input_feature_dimension, *numbers.kernel_spatial_dimensions)
        )

    def native(self, padding: Pairs) -> ProductFactory:
        """The convolution by compiled kernels."""
        rank = len(self.window_strides)

        def of(lhs: ElementType, rhs: ElementType, result: ElementType, work: ElementType) -> Product:
            sums = NativeProduct(
                strided_matmul(lhs, rhs, result, work, 1, rank + 1), result.dtype, self.thresholds
            )
            return partial(self.apply, padding=padding, multiplier=sums)

        return of

    def apply(self, lhs: Array, rhs: Array, padding: Pairs, multiplier: WindowProduct | None = None) -> Array:
        """The convolution of arrays of one dtype."""
        multiplier = multiplier or window_product(lhs.dtype, len(self.window_strides), self.thresholds)
        x, w = self._inputs(lhs), self._kernels(rhs)
        phases = self._phases(x.shape[2:-1], w.shape[1:-2], padding)
        result = _sums(x, w, phases, multiplier)
        if self.lhs_dilation != (1,) * len(self.lhs_dilation):
            _put_nan(result, w, phases)
        return self._result(result)

    def _inputs(self, lhs: Array) -> Array:
        numbers = self.numbers
        batch, feature = numbers.input_batch_dimension, numbers.input_feature_dimension
        x = lhs.transpose(batch, *numbers.input_spatial_dimensions, feature)
        if self.batch_group_count > 1:
            groups = self.batch_group_count
            return x.reshape(groups, x.shape[0] // groups, *x.shape[1:])
        groups = self.feature_group_count
        return groups_first(x.reshape(*x.shape[:-1], groups, x.shape[-1] // groups))

    def _kernels(self, rhs: Array) -> Array:
        numbers = self.numbers
        input_feature, output_feature = (
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )
        w = rhs.transpose(*numbers.kernel_spatial_dimensions, input_feature, output_feature)
        if any(self.window_reversal):
            w = w[tuple(slice(None, None, -1 if reversal else 1) for reversal in self.window_reversal)]
        groups = self.feature_group_count * self.batch_group_count
        return groups_first(w.reshape(*w.shape[:-1], groups, w.shape[-1] // groups))

    def _result(self, result: Array) -> Array:
        groups, *shape, features = result.shape
        result = result.transpose(*range(1, result.ndim - 1), 0, -1).reshape(*shape, groups * features)
        numbers = self.numbers
        order = (numbers.output_batch_dimension, *numbers.output_spatial_dimensions)
        return result.transpose(np.argsort((*order, numbers.output_feature_dimension)))


# One spatial dimension ---------------------------------------------------------------------------


@lru_cache(1024)
def _phases(
    space: int, window: int, stride: int, padding: tuple[int, int], lhs_dilation: int, rhs_dilation: int
) -> tuple[Phase, ...]:
    """The phases of a dimension: convolutions without `lhs_dilation`.

    Output o and tap t meet at element (o stride + t rhs_dilation - low) / lhs_dilation of the input, if that
    is an integer. For the outputs o = first + step i, only t determines whether the element exists: for t =
    tap + tap_step j.
    """
    low, high = padding
    padded = low + ((space - 1) * lhs_dilation + 1 if space else 0) + high
    extent = (window - 1) * rhs_dilation + 1 if window else 0
    size = (padded - extent) // stride + 1 if padded > 0 and extent <= padded else 0
    step = lhs_dilation // gcd(stride, lhs_dilation)
    tap_step = lhs_dilation // gcd(rhs_dilation, lhs_dilation)
    phases: list[Phase] = []
    for first in range(min(step, size) or 1):
        offsets = (first * stride + tap * rhs_dilation - low for tap in range(min(tap_step, window)))
        met = [(tap, offset) for tap, offset in enumerate(offsets) if offset % lhs_dilation == 0]
        tap, offset = met[0] if met else (window, 0)
        phases.append(
            Phase(
                slice(first, None, step),
                -(-(size - first) // step) if size else 0,
                slice(tap, None, tap_step),
                step * stride // lhs_dilation,
                tap_step * rhs_dilation // lhs_dilation,
                -(offset // lhs_dilation),
            )
        )
    return tuple(phases)


def _sums(x: Array, w: Array, phases: Sequence[Sequence[Phase]], multiplier: WindowProduct) -> Array:
    """The sums of all phases; their outputs are interleaved."""
    groups, batch, features = x.shape[0], x.shape[1], w.shape[-1]
    sizes = [sum(phase.size for phase in phases_of_dimension) for phases_of_dimension in phases]
    result = groups_first(np.empty((batch, *sizes, groups, features), multiplier.dtype(x)))
    if not result.size or not x.size or not w.size:
        result[...] = 0
        return result
    lows = [max(phase.low for phase in phases_of_dimension) for phases_of_dimension in phases]
    x = _padded(x, lows, [*map(_needed, phases, lows, w.shape[1:-2])])
    for chosen in combinations(*phases):
        part = result[(slice(None), slice(None), *(phase.outputs for phase in chosen))]
        taps = w[(slice(None), *(phase.taps for phase in chosen))]
        if taps.size:
            multiply_windows(_windows(x, lows, taps.shape[1:-2], chosen), taps, part, multiplier)
        else:
            part[...] = 0
    return result


def _needed(phases: Sequence[Phase], low: int, window: int) -> int:
    """The elements of a dimension, with `low` zeros in front, that the phases read."""
    taps = [len(range(window)[phase.taps]) for phase in phases]
    return max(
        low - phase.low + (phase.size - 1) * phase.stride + (count - 1) * phase.dilation + 1 if count else 0
        for phase, count in zip(phases, taps, strict=True)
    )


def _windows(x: Array, lows: Sequence[int], taps: Sequence[int], phases: Sequence[Phase]) -> Array:
    """The windows of phases, as a view [group, batch, space..., window..., feature]."""
    x = x[
        (
            slice(None),
            slice(None),
            *(slice(low - phase.low, None) for low, phase in zip(lows, phases, strict=True)),
        )
    ]
    space = x.strides[2:-1]
    return _kernels.strided(
        x,
        (*x.shape[:2], *(phase.size for phase in phases), *taps, x.shape[-1]),
        (
            *x.strides[:2],
            *(stride * phase.stride for stride, phase in zip(space, phases, strict=True)),
            *(stride * phase.dilation for stride, phase in zip(space, phases, strict=True)),
            x.strides[-1],
        ),
    )


def _put_nan(result: Array, w: Array, phases: Sequence[Sequence[Phase]]) -> None:
    """Store NaN where an infinite or NaN kernel element multiplies a zero that dilation inserts."""
    if w.dtype.kind in "iub" or result.dtype.kind in "iub":
        return
    lost = ~np.isfinite(w)
    if not lost.any():
        return
    nan = complex(np.nan, np.nan) if result.dtype.kind == "c" else np.nan
    for chosen in combinations(*phases):
        holes = lost.copy()
        holes[(slice(None), *(phase.taps for phase in chosen))] = False
        cut = (slice(None), slice(None), *(phase.outputs for phase in chosen))
        features = holes.any(tuple(range(1, w.ndim - 1)))  # [group, output feature]
        where = np.expand_dims(features, tuple(range(1, result.ndim - 1)))
        np.copyto(result[cut], nan, "unsafe", where)


def _padded(x: Array, lows: Sequence[int], sizes: Sequence[int]) -> Array:
    """Spatial dimensions with `low` leading zeros (or -low elements removed), cut or padded to `size`."""
    kept = [slice(max(-low, 0), max(size - low, 0)) for low, size in zip(lows, sizes, strict=True)]
    x = x[(slice(None), slice(None), *kept)]
    if all(low <= 0 for low in lows) and x.shape[2:-1] == tuple(sizes):
        return x
    padded = np.zeros_like(x, shape=(*x.shape[:2], *sizes, x.shape[-1]))
    places = [slice(max(low, 0), max(low, 0) + size) for low, size in zip(lows, x.shape[2:-1], strict=True)]
    padded[(slice(None), slice(None), *places)] = x
    return padded
