"""Reductions: a body of two arguments combines many values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from hlokit.reference.model.calls import Call, Region
from hlokit.reference.model.tensors import (
    Axes,
    Index,
    Shape,
    Tensors,
    as_tensor,
    build,
    index_space,
    item,
    scalar,
    take,
    without,
)
from hlokit.reference.numbers.rules import accumulation_type, in_order_tree, order_of_summation
from hlokit.reference.stablehlo.conversions import convert, convert_element
from hlokit.reference.stablehlo.elementwise import times
from hlokit.values.element import Element
from hlokit.values.element_types import ElementType
from hlokit.values.quantized import QuantizedType
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType

# One element of each of several tensors that are reduced together.
Elements = tuple[Element, ...]
Combine = Callable[[Element, Element], Element]
# Of a body, so many results are kept.
_MOST_RESULTS = 1 << 16


def reduce(inputs: Tensors, init_values: Tensors, dimensions: Axes, body: Region) -> Tensors:
    """spec "reduce": results...[j0, ..., jR-1] = exec(schedule) over inputs...[j0, ..., :, ..., jR-1]

    The schedule combines the values in row-major order in `reduce_values`, with `init_values` on the left.
    """
    inputs, init_values = promoted(inputs, body), promoted(init_values, body)
    shape, init = inputs[0].shape, tuple(map(item, init_values))
    reduced = sorted(dimensions)

    def values(result_index: Index) -> list[Elements]:
        indices = (
            _joined(result_index, reduced_index, reduced)
            for reduced_index in index_space(take(shape, reduced))
        )
        return [elements_at(inputs, index) for index in indices]

    return tabulate(without(shape, reduced), init, lambda index: reduce_values(values(index), init, body))


def reduce_values(values: Sequence[Elements], init: Elements, body: Region) -> Elements:
    """The combination of all values and the initial value.

    Sums and products of floats follow `order_of_summation`, in their `accumulation_type`, and are rounded
    once; other bodies form an `in_order_tree`.
    """
    if not values:
        return init
    combine = rounding_combine(body, init)
    if combine is None:
        apply_body = applied(body)
        return apply_body(init, in_order_tree(values, apply_body))
    wide = accumulation_type(init[0].type)
    total = order_of_summation([convert_element(value, wide) for (value,) in values], combine)
    return (convert_element(combine(convert_element(init[0], wide), total), init[0].type),)


def rounding_combine(body: Region, init: Elements) -> Combine | None:
    """`+` or `*` if the body is this operation on floats or complex numbers, where the order changes the
    result; else None."""
    is_rounded = len(init) == 1 and init[0].type.kind.is_inexact
    match body.operation if is_rounded else None:
        case "stablehlo.add":
            return operator.add
        case "stablehlo.multiply":
            return times
        case _:
            return None


def sum_over(operand: Tensor, dimensions: Axes) -> Tensor:
    """The sum of a float tensor along dimensions, from 0, rounded once."""
    type_ = operand.element_type
    wide = accumulation_type(type_)

    def total(result_index: Index) -> Element:
        indices = (
            _joined(result_index, reduced, dimensions)
            for reduced in index_space(take(operand.shape, dimensions))
        )
        terms = [convert_element(operand[index], wide) for index in indices]
        zero = Element(wide, 0.0)
        return convert_element(zero + order_of_summation(terms, operator.add) if terms else zero, type_)

    return build(without(operand.shape, dimensions), type_, total)


def map_(inputs: Tensors, computation: Region, element_type: ElementType) -> Tensor:
    """spec "map": result[result_index] = computation(inputs...[result_index])"""

    def element(index: Index) -> Element:
        (result,) = computation(*map(scalar, elements_at(inputs, index)))
        return item(as_tensor(result))

    return build(inputs[0].shape, element_type, element)


# Bodies -----------------------------------------------------------------------------------------------


def apply(body: Region, lhs: Elements, rhs: Elements) -> Elements:
    """body(lhs..., rhs...) of scalars."""
    return tuple([item(as_tensor(result)) for result in body(*map(scalar, (*lhs, *rhs)))])


def applied(body: Region) -> Callable[[Elements, Elements], Elements]:
    """`apply` of a body, which computes what it gives for the same elements once if it may: overlapping
    windows combine the same ones many times."""
    apply_body = partial(apply, body)
    return lru_cache(_MOST_RESULTS)(apply_body) if body.is_elementwise else apply_body


def promoted(tensors: Tensors, body: Region) -> Tensors:
    """Tensors in the types of a body's arguments, which may be wider."""
    return tuple(
        [_promoted(tensor, type_) for tensor, type_ in zip(tensors, body.argument_types, strict=False)]
    )


def _promoted(tensor: Tensor, type_: object) -> Tensor:
    if not isinstance(type_, TensorType) or isinstance(type_.element_type, QuantizedType):
        return tensor  # for a quantized type the values are storage integers
    return convert(tensor, type_.element_type)


def elements_at(tensors: Tensors, index: Index) -> Elements:
    """tensors...[index]"""
    return tuple([tensor[index] for tensor in tensors])


def tabulate(shape: Shape, like: Elements, formula: Callable[[Index], Elements]) -> Tensors:
    """The tensors with results...[index] = formula(index), in the element types of `like`."""
    rows = {index: formula(index) for index in index_space(shape)}

    def result(k: int) -> Tensor:
        return build(shape, like[k].type, lambda index: rows[index][k])

    return tuple(map(result, range(len(like))))


def _joined(kept: Index, reduced: Index, axes: Sequence[int]) -> Index:
    """The index whose components along `axes` are `reduced`, and along all other axes `kept`."""
    index = list(kept)
    for axis, i in zip(axes, reduced, strict=True):
        index.insert(axis, i)
    return tuple(index)


def inputs_and_init_values(call: Call) -> tuple[Tensors, Tensors]:
    """The operands, divided into inputs and the same number of initial values."""
    count = len(call.result_types)
    return call.tensors[:count], call.tensors[count : 2 * count]
