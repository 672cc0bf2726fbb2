"""Windows that slide over tensors: reduce_window and select_and_scatter."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from hlokit.reference.model.calls import Call, Region
from hlokit.reference.model.tensors import Index, Shape, Tensors, add, full, index_space, is_within, item
from hlokit.reference.numbers.rules import (
    SMALL_WINDOW,
    accumulation_type,
    compensated_running,
    fold,
    powers_of_two,
    product_type,
    running,
)
from hlokit.reference.stablehlo.conversions import convert_element
from hlokit.reference.stablehlo.reductions import (
    Combine,
    Elements,
    applied,
    apply,
    elements_at,
    promoted,
    rounding_combine,
    tabulate,
)
from hlokit.reference.stablehlo.shapes import pad
from hlokit.values.element import Element
from hlokit.values.element_types import Kind
from hlokit.values.tensor import Tensor

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Windows:
    """The positions of windows along the axes of a tensor. Names are the specification's."""

    window_dimensions: Shape
    window_strides: Shape
    base_dilations: Shape
    window_dilations: Shape
    padding: Pairs

    @classmethod
    def read(cls, call: Call) -> Windows:
        attributes, rank = call.attributes, call.tensor().rank
        ones = (1,) * rank
        return cls(
            attributes.ints("window_dimensions", ones),
            attributes.ints("window_strides", ones),
            attributes.ints("base_dilations", ones),
            attributes.ints("window_dilations", ones),
            attributes.pairs("padding", ((0, 0),) * rank),
        )

    def pad(self, operand: Tensor, padding_value: Tensor) -> Tensor:
        low, high = (tuple(pair[side] for pair in self.padding) for side in (0, 1))
        return pad(operand, padding_value, low, high, tuple(d - 1 for d in self.base_dilations))

    def count(self, padded_shape: Shape) -> Shape:
        """The number of windows in a padded tensor, along each axis."""
        rows = zip(
            padded_shape, self.window_dimensions, self.window_strides, self.window_dilations, strict=True
        )
        return tuple(
            [max((size - (n - 1) * dilation - 1) // step + 1, 0) for size, n, step, dilation in rows]
        )

    def index(self, result_index: Index, window_index: Index) -> Index:
        """The index in the padded tensor of an element of a window."""
        steps = zip(result_index, self.window_strides, window_index, self.window_dilations, strict=True)
        return tuple([i * stride + k * dilation for i, stride, k, dilation in steps])

    def indices(self, result_index: Index) -> list[Index]:
        """The indices in the padded tensor of all elements of a window, in row-major order."""
        return [self.index(result_index, k) for k in index_space(self.window_dimensions)]


def reduce_window(inputs: Tensors, init_values: Tensors, windows: Windows, body: Region) -> Tensors:
    """spec "reduce_window": results...[result_index] = reduce(windows..., init_values..., body)

    Small windows are folded from the left (`rules.fold`). Larger windows are combined along one axis after
    the other, the last axis first (`rules.powers_of_two`, `rules.running` or `rules.compensated_running`).
    Sums and products of floats are computed in `rules.product_type`, running sums and products in
    `rules.accumulation_type`.
    """
    inputs, init_values = promoted(inputs, body), promoted(init_values, body)
    init = tuple(map(item, init_values))
    padded = tuple([windows.pad(*pair) for pair in zip(inputs, init_values, strict=True)])
    shape = windows.count(padded[0].shape)
    is_small = prod(windows.window_dimensions) <= SMALL_WINDOW
    combine = None if is_small else rounding_combine(body, init)
    axis = _running_axis(windows, inputs[0].shape, shape)
    if combine is not None and axis is not None and _is_identity(combine, init[0]):
        return (_running_windows(inputs[0], init[0], combine, axis, is_forward=windows.padding[axis][0] > 0),)

    apply_body = applied(body)

    def of_window(result_index: Index) -> Elements:
        values = [elements_at(padded, index) for index in windows.indices(result_index)]
        if is_small:
            return fold([init, *values], apply_body)
        if combine is None:
            return apply_body(init, powers_of_two(values, windows.window_dimensions, apply_body))
        wide = product_type(init[0].type)
        first, *rest = [convert_element(value, wide) for (value,) in [init, *values]]
        total = combine(first, powers_of_two(rest, windows.window_dimensions, combine))
        return (convert_element(total, init[0].type),)

    return tabulate(shape, init, of_window)


def _running_axis(windows: Windows, shape: Shape, result_shape: Shape) -> int | None:
    """The only axis with windows, if all windows begin, or all end, at a border of the tensor; else None."""
    rows = list(
        zip(
            windows.window_dimensions,
            windows.window_strides,
            windows.base_dilations,
            windows.window_dilations,
            windows.padding,
            strict=True,
        )
    )
    axes = [axis for axis, row in enumerate(rows) if row != (1, 1, 1, 1, (0, 0))]
    if len(axes) != 1 or shape != result_shape:
        return None
    (axis,) = axes
    size, *steps, padding = rows[axis]
    is_running = steps == [1, 1, 1] and padding in ((size - 1, 0), (0, size - 1)) and size >= shape[axis]
    return axis if is_running else None


def _is_identity(combine: Combine, init: Element) -> bool:
    one = Element(init.type, 1.0)
    return combine(init, one).equals(one)


def _running_windows(
    operand: Tensor, init: Element, combine: Combine, axis: int, *, is_forward: bool
) -> Tensor:
    """result[..., i, ...] = the sum (or product) of operand[..., 0, ...] to operand[..., i, ...] if
    is_forward, else of operand[..., i, ...] to the last element.
    """
    wide = accumulation_type(init.type)
    start = convert_element(init, wide)
    result = full(operand.shape, init)
    lanes = tuple(1 if d == axis else size for d, size in enumerate(operand.shape))
    for lane in index_space(lanes):
        indices = [(*lane[:axis], i, *lane[axis + 1 :]) for i in range(operand.shape[axis])]
        indices = indices if is_forward else indices[::-1]
        values = [convert_element(operand[index], wide) for index in indices]
        is_exact = combine is not operator.add or wide != operand.element_type
        sums = running(values, combine) if is_exact else _compensated(values)
        for index, total in zip(indices, sums, strict=True):
            result[index] = convert_element(combine(start, total), init.type)
    return result


def _compensated(values: Sequence[Element]) -> list[Element]:
    """`compensated_running` sums; for complex numbers, of each part separately."""
    if values[0].type.kind is Kind.FLOAT:
        return compensated_running(values)
    columns = zip(*(value.parts for value in values), strict=True)
    real, imag = (compensated_running(column) for column in columns)
    pairs = zip(real, imag, strict=True)
    return [Element.from_bits(values[0].type, x.bits | y.bits << x.type.width) for x, y in pairs]


def select_and_scatter(
    operand: Tensor, source: Tensor, init_value: Tensor, windows: Windows, select: Region, scatter: Region
) -> Tensor:
    """spec "select_and_scatter": result[i] = reduce(source values whose windows select i, init_value,
    scatter)

    The elements of a window are visited in row-major order: the selected element stays selected as long as
    select(selected, next) holds. Padding is never selected. `rules.fold` combines the values for one element,
    beginning with `init_value`.
    """
    (source,) = promoted((source,), scatter)
    (init,) = promoted((init_value,), scatter)
    result = full(operand.shape, item(init))
    low = tuple(-pair[0] for pair in windows.padding)
    for source_index in index_space(source.shape):
        places = [add(index, low) for index in windows.indices(source_index)]
        places = [index for index in places if is_within(index, operand.shape)]
        if places:
            selected = _selected(operand, places, select)
            (result[selected],) = apply(scatter, (result[selected],), (source[source_index],))
    return result


def _selected(operand: Tensor, places: Sequence[Index], select: Region) -> Index:
    def better(selected: Index, candidate: Index) -> Index:
        (stays,) = apply(select, (operand[selected],), (operand[candidate],))
        return selected if stays else candidate

    return fold(places, better)
