"""CHLO's operations on whole tensors: top_k, ragged_dot and scan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.dimension_numbers import RaggedDotDimensionNumbers
from hlokit.reference.model.calls import Call, Region, Values
from hlokit.reference.model.tensors import (
    Index,
    Shape,
    Tensors,
    add,
    as_tensor,
    build,
    full,
    index_space,
    without,
)
from hlokit.reference.stablehlo.contractions import dot_general
from hlokit.reference.stablehlo.conversions import convert_element
from hlokit.reference.stablehlo.elementwise import total_order
from hlokit.reference.stablehlo.slicing import slice_
from hlokit.values.element import Element
from hlokit.values.element_types import I1, I32, ElementType, Kind
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType


def top_k(operand: Tensor, k: int, index_type: ElementType = I32) -> Tensors:
    """chlo "top_k": (values, indices) = the k greatest elements of each lane of the last dimension

    Elements are in total order (NaN above infinity, 0 above -0); of equal elements the first comes first.
    """
    if operand.element_type.kind is Kind.COMPLEX:
        raise UnsupportedError("chlo.top_k of complex numbers, which have no order")
    shape = (*operand.shape[:-1], k)
    places: dict[Index, list[int]] = {}
    for lane in index_space(operand.shape[:-1]):
        keys = [_key(operand[(*lane, i)]) for i in range(operand.shape[-1])]
        places[lane] = sorted(range(len(keys)), key=lambda i: -keys[i])
    values = build(
        shape, operand.element_type, lambda index: operand[(*index[:-1], places[index[:-1]][index[-1]])]
    )
    indices = build(shape, index_type, lambda index: Element(index_type, places[index[:-1]][index[-1]]))
    return values, indices


def _key(x: Element) -> int:
    return total_order(x) if x.type.kind is Kind.FLOAT else int(x)


# ragged_dot -------------------------------------------------------------------------------------------


def ragged_dot(
    lhs: Tensor,
    rhs: Tensor,
    group_sizes: Tensor,
    dimension_numbers: RaggedDotDimensionNumbers,
    element_type: ElementType,
) -> Tensor:
    """chlo "ragged_dot": result = dot_general of corresponding parts of lhs and rhs

    Along the ragged dimension of lhs, group_sizes[..., g] elements belong to group g. If this dimension is

    - free: each part of lhs is multiplied with slice g of rhs along its group dimension;
    - contracting: each part is summed separately, and gives slice g of the result along a new first
      dimension;
    - batching: the groups have no effect, and the result is a dot_general.

    Elements outside of all groups give 0.
    """
    numbers = dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in numbers.lhs_batching_dimensions:
        return dot_general(lhs, rhs, numbers.dot_general, element_type)
    if ragged in numbers.lhs_contracting_dimensions:
        return _ragged_contracting(lhs, rhs, group_sizes, numbers, ragged, element_type)
    return _ragged_free(lhs, rhs, group_sizes, numbers, ragged, element_type)


def _ragged_free(
    lhs: Tensor,
    rhs: Tensor,
    group_sizes: Tensor,
    numbers: RaggedDotDimensionNumbers,
    ragged: int,
    element_type: ElementType,
) -> Tensor:
    (group_dimension,) = numbers.rhs_group_dimensions
    inner = numbers.dot_general._replace(
        rhs_batching_dimensions=_shifted(numbers.rhs_batching_dimensions, group_dimension),
        rhs_contracting_dimensions=_shifted(numbers.rhs_contracting_dimensions, group_dimension),
    )
    batching = numbers.lhs_batching_dimensions
    used = batching + numbers.lhs_contracting_dimensions
    kept = (*batching, *(d for d in range(lhs.rank) if d not in used))
    prefix = tuple(d for d in kept if d in batching or d < ragged)
    slices = [_without_dimension(rhs, group_dimension, g) for g in range(rhs.shape[group_dimension])]
    free = without(slices[0].shape, inner.rhs_batching_dimensions + inner.rhs_contracting_dimensions)
    shape = (*(lhs.shape[d] for d in kept), *free)
    result = full(shape, convert_element(Element(I1, False), element_type))
    pairs = list(zip(batching, inner.rhs_batching_dimensions, strict=True))
    for group, start, limit in _parts(lhs.shape, group_sizes, prefix, ragged):
        lhs_part = _slice(lhs, start, limit)
        product = dot_general(lhs_part, _matching(slices[group], pairs, start, limit), inner, element_type)
        corner = (*(start[d] for d in kept), *(0,) * len(free))
        for index in index_space(product.shape):
            result[add(corner, index)] = product[index]
    return result


def _ragged_contracting(
    lhs: Tensor,
    rhs: Tensor,
    group_sizes: Tensor,
    numbers: RaggedDotDimensionNumbers,
    ragged: int,
    element_type: ElementType,
) -> Tensor:
    inner = numbers.dot_general
    batching, contracting = inner.lhs_batching_dimensions, inner.lhs_contracting_dimensions
    prefix = (*batching, *contracting[: contracting.index(ragged)])
    pairs = [
        *zip(batching, inner.rhs_batching_dimensions, strict=True),
        *zip(contracting, inner.rhs_contracting_dimensions, strict=True),
    ]
    kept = (*batching, *(d for d in range(lhs.rank) if d not in batching + contracting))
    free = without(rhs.shape, inner.rhs_batching_dimensions + inner.rhs_contracting_dimensions)
    groups = group_sizes.shape[-1]
    shape = (groups, *(lhs.shape[d] for d in kept), *free)
    result = full(shape, convert_element(Element(I1, False), element_type))
    for group, start, limit in _parts(lhs.shape, group_sizes, prefix, ragged):
        part = dot_general(
            _slice(lhs, start, limit), _matching(rhs, pairs, start, limit), inner, element_type
        )
        corner = (group, *(start[d] for d in kept), *(0,) * len(free))
        # Several parts contribute to an element if a contracted dimension precedes the ragged dimension.
        for index in index_space(part.shape):
            result_index = add(corner, (0, *index))
            result[result_index] = result[result_index] + part[index]
    return result


def _parts(
    shape: Shape, group_sizes: Tensor, prefix: Sequence[int], ragged: int
) -> Iterator[tuple[int, Index, Index]]:
    """(group, start_indices, limit_indices in lhs) of each part that is not empty.

    Args:
      prefix: the dimensions of lhs that correspond to all dimensions of group_sizes but the last.
    """
    for index in index_space(group_sizes.shape[:-1]):
        first = 0
        for group in range(group_sizes.shape[-1]):
            size = int(group_sizes[(*index, group)])
            start, limit = [0] * len(shape), list(shape)
            for d, position in zip(prefix, index, strict=False):
                start[d], limit[d] = position, position + 1
            start[ragged], limit[ragged] = min(first, shape[ragged]), min(first + size, shape[ragged])
            first += size
            if size > 0:
                yield group, tuple(start), tuple(limit)


def _matching(rhs: Tensor, pairs: Sequence[tuple[int, int]], lhs_start: Index, lhs_limit: Index) -> Tensor:
    """The slice of rhs that corresponds to a slice of lhs: the same along batching and contracting
    dimensions."""
    start, limit = [0] * rhs.rank, list(rhs.shape)
    for lhs_dimension, rhs_dimension in pairs:
        start[rhs_dimension], limit[rhs_dimension] = lhs_start[lhs_dimension], lhs_limit[lhs_dimension]
    return _slice(rhs, tuple(start), tuple(limit))


def _slice(operand: Tensor, start: Index, limit: Index) -> Tensor:
    return slice_(operand, start, limit, (1,) * operand.rank)


def _shifted(dimensions: Shape, group_dimension: int) -> Shape:
    return tuple(d - (d > group_dimension) for d in dimensions)


def _without_dimension(operand: Tensor, dimension: int, position: int) -> Tensor:
    """operand[..., place, ...]"""
    shape = (*operand.shape[:dimension], *operand.shape[dimension + 1 :])
    return build(
        shape, operand.element_type, lambda index: operand[(*index[:dimension], position, *index[dimension:])]
    )


# scan -------------------------------------------------------------------------------------------------


def scan(
    inputs: Tensors,
    inits: Values,
    output_types: Sequence[TensorType],
    dimension: int,
    scan_dim_size: int,
    is_reverse: bool,
    body: Region,
) -> Values:
    """chlo "scan": (outputs..., carries...): carry = inits; for each slice i of the inputs along `dimension`,
    in reverse order if is_reverse: outputs[i]..., carry... = body(inputs[i]..., carry...)"""
    count = inputs[0].shape[dimension] if inputs else scan_dim_size
    carries, slices = inits, dict[int, Tensors]()
    for i in reversed(range(count)) if is_reverse else range(count):
        results = body(*[_without_dimension(tensor, dimension, i) for tensor in inputs], *carries)
        slices[i] = tuple(map(as_tensor, results[: len(output_types)]))
        carries = results[len(output_types) :]
    rest = without(inputs[0].shape, (dimension,)) if inputs else ()
    outputs = [
        _stacked([slices[i][k] for i in range(count)], dimension, type_, rest)
        for k, type_ in enumerate(output_types)
    ]
    return (*outputs, *carries)


def _stacked(slices: Sequence[Tensor], dimension: int, type_: TensorType, rest: Shape) -> Tensor:
    """result[..., i, ...] = slices[i][...]; without slices, a dynamic size is the size of the inputs."""
    stated = without(type_.dims, (dimension,))
    sizes_along = [*rest, *(0,) * len(stated)]
    empty = tuple([sizes_along[d] if size < 0 else size for d, size in enumerate(stated)])
    sizes = slices[0].shape if slices else empty
    return build(
        (*sizes[:dimension], len(slices), *sizes[dimension:]),
        type_.element_type,
        lambda index: slices[index[dimension]][without(index, (dimension,))],
    )


def call_ragged_dot(call: Call) -> Tensor:
    numbers = call.attributes.read("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers.read)
    return ragged_dot(*call.tensors, dimension_numbers=numbers, element_type=call.element_type)


def call_scan(call: Call) -> Values:
    attributes = call.attributes
    input_count, _ = attributes.ints("operandSegmentSizes")
    output_count, _ = attributes.ints("resultSegmentSizes")
    return scan(
        tuple(map(as_tensor, call.operands[:input_count])),
        call.operands[input_count:],
        [call.result(i) for i in range(output_count)],
        attributes.int_("dimension"),
        attributes.int_("scan_dim_size", 0),
        attributes.bool_("is_reverse", False),
        call.regions[0],
    )
