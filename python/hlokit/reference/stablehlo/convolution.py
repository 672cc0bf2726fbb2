"""Convolution: dot products between windows of one tensor and another tensor."""

from __future__ import annotations

import cmath
from dataclasses import dataclass, replace

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import Index, Shape, build, index_space, integers, scalar
from hlokit.reference.stablehlo.contractions import sum_of
from hlokit.reference.stablehlo.conversions import convert_element
from hlokit.reference.stablehlo.shapes import concatenate, pad
from hlokit.reference.stablehlo.slicing import split
from hlokit.values.element import Element
from hlokit.values.element_types import I1, ElementType
from hlokit.values.tensor import Tensor

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Convolution:
    """The attributes of a convolution. Names are the specification's."""

    numbers: ConvDimensionNumbers
    window_strides: Shape
    padding: Pairs
    lhs_dilation: Shape
    rhs_dilation: Shape
    window_reversal: tuple[bool, ...]
    feature_group_count: int = 1
    batch_group_count: int = 1

    @classmethod
    def read(cls, call: Call) -> Convolution:
        attributes = call.attributes
        numbers = attributes.read("dimension_numbers", ConvDimensionNumbers.read)
        ones = (1,) * len(numbers.input_spatial_dimensions)
        return cls(
            numbers,
            attributes.ints("window_strides", ones),
            attributes.pairs("padding", ((0, 0),) * len(ones)),
            attributes.ints("lhs_dilation", ones),
            attributes.ints("rhs_dilation", ones),
            attributes.bools("window_reversal", (False,) * len(ones)),
            attributes.int_("feature_group_count"),
            attributes.int_("batch_group_count"),
        )

    def lhs_shape(self, n: int, hw: Shape, c: int) -> Index:
        """spec "lhs_shape": batch, spatial and feature components in the positions of lhs."""
        numbers = self.numbers
        places = (numbers.input_batch_dimension, *numbers.input_spatial_dimensions)
        return _permute((n, *hw, c), (*places, numbers.input_feature_dimension))

    def rhs_shape(self, hw: Shape, i: int, o: int) -> Index:
        """Spatial, input and output feature components in the positions of rhs."""
        numbers = self.numbers
        places = (*numbers.kernel_spatial_dimensions, numbers.kernel_input_feature_dimension)
        return _permute((*hw, i, o), (*places, numbers.kernel_output_feature_dimension))

    def result_shape(self, n: int, hw: Shape, c: int) -> Index:
        """spec "result_shape": batch, spatial and feature components in the positions of the result."""
        numbers = self.numbers
        places = (numbers.output_batch_dimension, *numbers.output_spatial_dimensions)
        return _permute((n, *hw, c), (*places, numbers.output_feature_dimension))


def _permute(components: Shape, places: Shape) -> Index:
    """The index with components[d] at places[d]."""
    return tuple([components[places.index(d)] for d in range(len(places))])


def convolution(lhs: Tensor, rhs: Tensor, form: Convolution, element_type: ElementType) -> Tensor:
    """spec "convolution": result[result_shape(n, output_spatial_index, o)] = the dot product of a window of
    padded lhs[n] and of rhs[..., o], over the window and the input features, in this order

    A zero that `lhs_dilation` inserts is no term of the sum, unless its factor is infinite or NaN.
    """
    numbers = form.numbers
    if form.feature_group_count > 1 or form.batch_group_count > 1:
        return _by_groups(lhs, rhs, form, element_type)
    padded = _padded(lhs, form)
    window = tuple(rhs.shape[d] for d in numbers.kernel_spatial_dimensions)
    features = range(rhs.shape[numbers.kernel_input_feature_dimension])
    terms = [(hw, i) for hw in index_space(window) for i in features]
    columns = {
        o: [rhs[form.rhs_shape(_reversed(form, window, hw), i, o)] for hw, i in terms]
        for o in range(rhs.shape[numbers.kernel_output_feature_dimension])
    }

    def element(result_index: Index) -> Element:
        n = result_index[numbers.output_batch_dimension]
        start = tuple(result_index[d] for d in numbers.output_spatial_dimensions)
        places = {hw: _place(form, start, hw) for hw in index_space(window)}
        column = columns[result_index[numbers.output_feature_dimension]]
        pairs = [
            (padded[form.lhs_shape(n, places[hw], i)], factor)
            for (hw, i), factor in zip(terms, column, strict=True)
            if not _is_hole(form, places[hw]) or not _is_finite(factor)
        ]
        return sum_of([x for x, _ in pairs], [y for _, y in pairs], element_type)

    batch = lhs.shape[numbers.input_batch_dimension]
    space = _window_counts(padded, window, form)
    return build(form.result_shape(batch, space, len(columns)), element_type, element)


def _window_counts(padded: Tensor, window: Shape, form: Convolution) -> Shape:
    """The number of windows along each spatial dimension."""
    sizes = (padded.shape[d] for d in form.numbers.input_spatial_dimensions)
    rows = zip(sizes, window, form.window_strides, form.rhs_dilation, strict=True)
    return tuple([max((size - (n - 1) * d - 1) // step + 1, 0) for size, n, step, d in rows])


def _reversed(form: Convolution, window: Shape, hw: Index) -> Index:
    """The element of rhs that belongs to an element of the window."""
    rows = zip(hw, window, form.window_reversal, strict=True)
    return tuple([size - 1 - k if is_reversed else k for k, size, is_reversed in rows])


def _place(form: Convolution, start: Index, hw: Index) -> Index:
    """The position of a window's element in the padded lhs."""
    rows = zip(start, form.window_strides, hw, form.rhs_dilation, strict=True)
    return tuple([i * stride + k * dilation for i, stride, k, dilation in rows])


def _is_hole(form: Convolution, index: Index) -> bool:
    """Whether a position in the padded lhs is between elements, where `lhs_dilation` inserts a zero."""
    rows = zip(index, form.padding, form.lhs_dilation, strict=True)
    return any((i - low) % dilation for i, (low, _), dilation in rows)


def _is_finite(number: Element) -> bool:
    return not number.type.kind.is_inexact or cmath.isfinite(complex(number))


def _padded(lhs: Tensor, form: Convolution) -> Tensor:
    """spec "padded_lhs": zeros around lhs, and between its elements."""
    zero = scalar(convert_element(Element(I1, False), lhs.element_type))
    low = form.lhs_shape(0, tuple(pair[0] for pair in form.padding), 0)
    high = form.lhs_shape(0, tuple(pair[1] for pair in form.padding), 0)
    return pad(lhs, zero, low, high, form.lhs_shape(0, tuple(d - 1 for d in form.lhs_dilation), 0))


def _by_groups(lhs: Tensor, rhs: Tensor, form: Convolution, element_type: ElementType) -> Tensor:
    """The concatenated convolutions of parts of lhs, along features or along the batch, with parts of rhs."""
    numbers, count = form.numbers, form.feature_group_count
    dimension = numbers.input_feature_dimension
    if count == 1:
        count, dimension = form.batch_group_count, numbers.input_batch_dimension
    form = replace(form, feature_group_count=1, batch_group_count=1)
    pairs = zip(
        split(lhs, count, dimension), split(rhs, count, numbers.kernel_output_feature_dimension), strict=True
    )
    results = [convolution(*pair, form, element_type) for pair in pairs]
    return concatenate(results, numbers.output_feature_dimension)


def dynamic_conv(
    lhs: Tensor, rhs: Tensor, padding: Tensor, form: Convolution, element_type: ElementType
) -> Tensor:
    """spec "dynamic_conv": convolution with the operand `padding`"""
    sizes = integers(padding)
    pairs = tuple(zip(sizes[::2], sizes[1::2], strict=True))
    if any(low + high < -size for (low, high), size in zip(pairs, _spatial(lhs, form), strict=True)):
        raise EvaluationError(f"padding must not remove the whole operand, got {list(map(list, pairs))}")
    return convolution(lhs, rhs, replace(form, padding=pairs), element_type)


def _spatial(lhs: Tensor, form: Convolution) -> Shape:
    """The sizes of the spatial dimensions after dilation."""
    sizes = (lhs.shape[d] for d in form.numbers.input_spatial_dimensions)
    rows = zip(sizes, form.lhs_dilation, strict=True)
    return tuple((size - 1) * dilation + 1 if size else 0 for size, dilation in rows)
