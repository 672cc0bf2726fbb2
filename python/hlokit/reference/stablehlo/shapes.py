"""Shapes: operations that rearrange, repeat and count elements, or insert padding."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hlokit.errors import EvaluationError
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import (
    Axes,
    Index,
    Shape,
    build,
    constant,
    index_space,
    integers,
    item,
    part,
    take,
    without,
)
from hlokit.reference.stablehlo.conversions import convert_element
from hlokit.values import shapes
from hlokit.values.element import Element
from hlokit.values.element_types import I32, I64, ElementType
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType


def broadcast(operand: Tensor, broadcast_sizes: Shape) -> Tensor:
    """deprecated "broadcast": result[i..., operand_index...] = operand[operand_index...]"""
    sizes = (*broadcast_sizes, *operand.shape)
    return part(operand, sizes, lambda index: index[len(broadcast_sizes) :])


def broadcast_in_dim(operand: Tensor, broadcast_dimensions: Axes, shape: Shape) -> Tensor:
    """spec "broadcast_in_dim": result[result_index] = operand[operand_index], where
    operand_index[d] = 0 if dim(operand, d) = 1, else result_index[broadcast_dimensions[d]]"""
    for d, size in enumerate(operand.shape):
        if size not in (1, shape[broadcast_dimensions[d]]):
            raise EvaluationError(
                f"dimension {broadcast_dimensions[d]} of the result must have the size of dimension {d} of "
                f"the operand, {size}, got {shape[broadcast_dimensions[d]]}"
            )

    def operand_index(result_index: Index) -> Index:
        chosen = take(result_index, broadcast_dimensions)
        return tuple([0 if size == 1 else i for size, i in zip(operand.shape, chosen, strict=True)])

    return part(operand, shape, operand_index)


def reshape(operand: Tensor, shape: Shape) -> Tensor:
    """spec "reshape": result[result_index] = operand[operand_index] at the same position in row-major
    order"""
    if prod(shape) != operand.size:
        raise EvaluationError(f"the shape must have {operand.size} elements, got {list(shape)}")
    return Tensor.from_elements(TensorType(shape, operand.element_type), operand.elements())


def transpose(operand: Tensor, permutation: Axes) -> Tensor:
    """spec "transpose": result[result_index] = operand[operand_index], where
    result_index[d] = operand_index[permutation[d]]"""
    inverse = tuple(permutation.index(d) for d in range(operand.rank))
    return part(operand, take(operand.shape, permutation), lambda index: take(index, inverse))


def reverse(operand: Tensor, dimensions: Axes) -> Tensor:
    """spec "reverse": result[result_index] = operand[operand_index], where
    operand_index[d] = dim(result, d) - result_index[d] - 1 if d in dimensions, else result_index[d]"""

    def operand_index(index: Index) -> Index:
        sizes = enumerate(zip(operand.shape, index, strict=True))
        return tuple([size - i - 1 if d in dimensions else i for d, (size, i) in sizes])

    return part(operand, operand.shape, operand_index)


def concatenate(inputs: Sequence[Tensor], dimension: int) -> Tensor:
    """spec "concatenate": result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1], where
    id = d0 + ... + dk-1 + kd, and d0, d1, ... are the sizes of inputs along `dimension`"""
    first = inputs[0]
    sizes = list(first.shape)
    sizes[dimension] = sum(tensor.shape[dimension] for tensor in inputs)
    for tensor in inputs:
        if without(tensor.shape, (dimension,)) != without(first.shape, (dimension,)):
            raise EvaluationError(
                f"shapes of inputs must be equal except in dimension {dimension}, "
                f"got {first.shape} and {tensor.shape}"
            )
    if 0 in sizes:
        return build(tuple(sizes), first.element_type, lambda index: first[index])
    origins = [(tensor, i) for tensor in inputs for i in range(tensor.shape[dimension])]

    def element(index: Index) -> Element:
        origin, i = origins[index[dimension]]
        return origin[(*index[:dimension], i, *index[dimension + 1 :])]

    return build(tuple(sizes), first.element_type, element)


def pad(
    operand: Tensor,
    padding_value: Tensor,
    edge_padding_low: Shape,
    edge_padding_high: Shape,
    interior_padding: Shape,
) -> Tensor:
    """spec "pad": result[edge_padding_low + operand_index * (interior_padding + 1)] = operand[operand_index],
    padding_value elsewhere"""
    if any(size < 0 for size in interior_padding):
        raise EvaluationError(f"interior_padding must not be negative, got {list(interior_padding)}")
    rows = zip(operand.shape, edge_padding_low, edge_padding_high, interior_padding, strict=True)
    shape = tuple([low + size + max(size - 1, 0) * interior + high for size, low, high, interior in rows])
    result = build(shape, operand.element_type, lambda _: item(padding_value))
    for operand_index in index_space(operand.shape):
        places = zip(edge_padding_low, operand_index, interior_padding, strict=True)
        result_index = tuple([low + i * (interior + 1) for low, i, interior in places])
        if all(0 <= i < size for i, size in zip(result_index, shape, strict=True)):
            result[result_index] = operand[operand_index]
    return result


def iota(iota_dimension: int, shape: Shape, element_type: ElementType) -> Tensor:
    """spec "iota": output[output_index] = output_index[iota_dimension]"""
    return build(
        shape,
        element_type,
        lambda index: convert_element(Element(I64, index[iota_dimension]), element_type),
    )


def get_dimension_size(operand: Tensor, dimension: int) -> Tensor:
    """spec "get_dimension_size": result = dim(operand, dimension)"""
    return constant(operand.shape[dimension], I32)


def set_dimension_size(operand: Tensor, size: int, dimension: int) -> Tensor:
    """Not in the spec: result[i] = operand[i], for the first `size` positions along `dimension`; zeros beyond
    the operand"""
    shape = (*operand.shape[:dimension], size, *operand.shape[dimension + 1 :])
    zero = Element.from_bits(operand.element_type, 0)
    return build(
        shape,
        operand.element_type,
        lambda index: operand[index] if index[dimension] < operand.shape[dimension] else zero,
    )


# Dynamic operations: operands instead of attributes ----------------------------------


def dynamic_broadcast_in_dim(
    operand: Tensor, output_dimensions: Tensor, broadcast_dimensions: Axes
) -> Tensor:
    """spec "dynamic_broadcast_in_dim": broadcast_in_dim to the shape `output_dimensions`"""
    return broadcast_in_dim(operand, broadcast_dimensions, integers(output_dimensions))


def dynamic_iota(output_shape: Tensor, iota_dimension: int, element_type: ElementType) -> Tensor:
    """spec "dynamic_iota": iota of the shape `output_shape`"""
    return iota(iota_dimension, integers(output_shape), element_type)


def dynamic_pad(
    operand: Tensor,
    padding_value: Tensor,
    edge_padding_low: Tensor,
    edge_padding_high: Tensor,
    interior_padding: Tensor,
) -> Tensor:
    """spec "dynamic_pad": pad with these operands instead of attributes"""
    paddings = map(integers, (edge_padding_low, edge_padding_high, interior_padding))
    return pad(operand, padding_value, *paddings)


def dynamic_reshape(operand: Tensor, output_shape: Tensor) -> Tensor:
    """spec "dynamic_reshape": reshape to the shape `output_shape`"""
    return reshape(operand, integers(output_shape))


def call_broadcast_in_dim(call: Call) -> Tensor:
    operand, dimensions = call.tensor(), call.attributes.ints("broadcast_dimensions")
    shape = shapes.broadcast(operand.shape, dimensions, call.result().dims)
    return broadcast_in_dim(operand, dimensions, shape)


def call_reshape(call: Call) -> Tensor:
    operand = call.tensor()
    return reshape(operand, shapes.reshaped(operand.size, call.result().dims))


def call_set_dimension_size(call: Call) -> Tensor:
    operand, dimension, wanted = call.tensor(), dimension_of(call), int(item(call.tensor(1)))
    type_ = call.operand_types[0]
    assert isinstance(type_, TensorType), "the verifier has checked the operand"
    most = type_.largest_size(dimension, operand.shape)
    if not 0 <= wanted <= most:
        raise EvaluationError(f"size must be from 0 to {most}, got {wanted}")
    wholes = call.process.execution.wholes
    part, along, whole = wholes.get(id(operand), (operand, dimension, operand))
    if part is not operand or along != dimension or whole.shape[dimension] < wanted:
        whole = operand
    result = set_dimension_size(whole, wanted, dimension)
    wholes[id(result)] = result, dimension, whole
    return result


def call_pad(call: Call) -> Tensor:
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return pad(call.tensor(0), call.tensor(1), *(call.attributes.ints(name) for name in names))


def dimension_of(call: Call) -> int:
    return call.attributes.int_("dimension")
