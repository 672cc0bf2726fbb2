"""convolution and dynamic_conv, reduced to products of windows and weights.

Internally, lhs is [group, batch, space..., feature], rhs [group, space..., feature, output feature] and the
result [group, batch, space..., output feature]. Feature groups and batch groups both become the group
dimension. Dilation of lhs becomes several convolutions with parts of rhs. Window reversal is applied to rhs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from math import prod
from operator import mul
from typing import NamedTuple

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.kernels.contractions.compensated import matmul
from hlokit.kernels.contractions.convolution_space import Pairs, Part, Space, space_of
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
        space = tuple([lhs.dims[dimension] for dimension in numbers.input_spatial_dimensions])
        window = tuple([rhs.dims[dimension] for dimension in numbers.kernel_spatial_dimensions])
        return array_ops.Convolution(
            numbers,
            self._space(space, window, padding).phases,
            self.window_reversal,
            self.feature_group_count,
            self.batch_group_count,
        )

    def _space(self, space: Ints, window: Ints, padding: Pairs) -> Space:
        return space_of(space, window, self.window_strides, padding, self.lhs_dilation, self.rhs_dilation)

    def checked_padding(self, lhs: Array, rhs: Array, padding: Value, result: TensorType) -> Pairs:
        """The padding that a program computed.

        Raises:
          EvaluationError: with this padding the result does not have its type.
        """
        pairs = tuple([(int(low), int(high)) for low, high in padding])
        numbers = self.numbers
        space = tuple([lhs.shape[dimension] for dimension in numbers.input_spatial_dimensions])
        window = tuple([rhs.shape[dimension] for dimension in numbers.kernel_spatial_dimensions])
        sizes = dict.fromkeys(range(lhs.ndim), 0)
        sizes[numbers.output_batch_dimension] = (
            lhs.shape[numbers.input_batch_dimension] // self.batch_group_count
        )
        sizes[numbers.output_feature_dimension] = rhs.shape[numbers.kernel_output_feature_dimension]
        sizes.update(
            zip(numbers.output_spatial_dimensions, self._space(space, window, pairs).sizes, strict=True)
        )
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
        space = self._space(x.shape[2:-1], w.shape[1:-2], padding)
        groups, features = w.shape[0], w.shape[-1]
        result = np.empty((x.shape[1], *space.sizes, groups * features), multiplier.dtype(x))
        sums = groups_first(result.reshape(*result.shape[:-1], groups, features))
        _fill(sums, x, w, space, multiplier)
        if self.lhs_dilation != (1,) * len(self.lhs_dilation):
            _put_nan(sums, w, space.parts())
        return self._result(result)

    def _inputs(self, lhs: Array) -> Array:
        numbers = self.numbers
        batch, feature = numbers.input_batch_dimension, numbers.input_feature_dimension
        x = lhs.transpose(batch, *numbers.input_spatial_dimensions, feature)
        if self.batch_group_count > 1:
            groups = self.batch_group_count
            return x.reshape(groups, x.shape[0] // groups, *x.shape[1:])
        return _grouped(x, self.feature_group_count)

    def _kernels(self, rhs: Array) -> Array:
        numbers = self.numbers
        input_feature, output_feature = (
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )
        w = rhs.transpose(*numbers.kernel_spatial_dimensions, input_feature, output_feature)
        if any(self.window_reversal):
            w = w[tuple(slice(None, None, -1 if reversal else 1) for reversal in self.window_reversal)]
        return _grouped(w, self.feature_group_count * self.batch_group_count)

    def _result(self, result: Array) -> Array:
        numbers = self.numbers
        order = (numbers.output_batch_dimension, *numbers.output_spatial_dimensions)
        inverse = _inverse((*order, numbers.output_feature_dimension))
        # A view of the whole array would be copied before users receive it.
        return result if inverse == tuple(range(result.ndim)) else result.transpose(inverse)


@lru_cache(64)
def _inverse(order: Ints) -> Ints:
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def _grouped(array: Array, groups: int) -> Array:
    """[..., features] as [group, ..., features of the group]."""
    if groups == 1:
        return array[None]
    return groups_first(array.reshape(*array.shape[:-1], groups, array.shape[-1] // groups))


def _fill(result: Array, x: Array, w: Array, space: Space, multiplier: WindowProduct) -> None:
    """Store the sums of all parts; their outputs are interleaved."""
    if not result.size or not x.size or not w.size:
        result[...] = 0
        return
    x = _padded(x, space)
    for part in space.parts():
        outputs, taps = result[part.outputs], w[part.taps]
        if taps.size:
            multiply_windows(_windows(x, taps.shape[1:-2], part), taps, outputs, multiplier)
        else:
            outputs[...] = 0


def _windows(x: Array, taps: Ints, part: Part) -> Array:
    """The windows of a part, as a view [group, batch, space..., window..., feature]."""
    if part.inputs is not None:
        x = x[part.inputs]
    space = x.strides[2:-1]
    return _kernels.strided(
        x,
        (*x.shape[:2], *part.size, *taps, x.shape[-1]),
        (*x.strides[:2], *map(mul, space, part.strides), *map(mul, space, part.dilations), x.strides[-1]),
    )


def _put_nan(result: Array, w: Array, parts: Iterable[Part]) -> None:
    """Store NaN where an infinite or NaN kernel element multiplies a zero that dilation inserts."""
    if w.dtype.kind in "iub" or result.dtype.kind in "iub":
        return
    lost = ~np.isfinite(w)
    if not lost.any():
        return
    nan = complex(np.nan, np.nan) if result.dtype.kind == "c" else np.nan
    for part in parts:
        holes = lost.copy()
        holes[part.taps] = False
        features = holes.any(tuple(range(1, w.ndim - 1)))  # [group, output feature]
        where = np.expand_dims(features, tuple(range(1, result.ndim - 1)))
        np.copyto(result[part.outputs], nan, "unsafe", where)


def _padded(x: Array, space: Space) -> Array:
    """The elements of the input that are used, with zeros around them."""
    if space.kept is not None:
        x = x[space.kept]
    if space.padded is None:
        return x
    padded = np.zeros_like(x, shape=(*x.shape[:2], *space.padded, x.shape[-1]))
    padded[space.places] = x
    return padded
