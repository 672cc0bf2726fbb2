"""The types that operations infer for their results, of operations that infer only components of types.

The bindings omit bounds from components, so these operations are handled here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers, RaggedDotDimensionNumbers
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.passes.framework.building import DYNAMIC

Components = Callable[[ir.Operation], ir.Type]

# dimension size, and its bound
_Size = tuple[int, int]


def _sizes(operation: ir.Operation, index: int) -> list[_Size]:
    type_ = ir.RankedTensorType(operation.operands[index].type)
    bounds = _bounds(type_) or [DYNAMIC] * type_.rank
    return list(zip(type_.shape, bounds, strict=True))


def _bounds(type_: ir.RankedTensorType) -> list[int] | None:
    return None if type_.encoding is None else list(stablehlo.TypeExtensions(type_.encoding).bounds)


def _component(sizes: Sequence[_Size]) -> ir.Type:
    """`tensor<?x3xindex, #stablehlo.bounds<5, ?>>`."""
    bounds = [bound for _, bound in sizes]
    encoding = None if all(bound == DYNAMIC for bound in bounds) else stablehlo.TypeExtensions.get(bounds)
    return ir.RankedTensorType.get([size for size, _ in sizes], ir.IndexType.get(), encoding)


def _agreed(one: _Size, other: _Size) -> _Size:
    """The size and bound of a dimension, combined from two operands."""
    sizes, bounds = ([item for item in pair if item != DYNAMIC] for pair in zip(one, other, strict=True))
    if sizes:
        return sizes[0], DYNAMIC
    return DYNAMIC, min(bounds, default=DYNAMIC)


def _rest(sizes: Sequence[_Size], *without: Sequence[int]) -> list[_Size]:
    left_out = {i for dimensions in without for i in dimensions}
    return [size for i, size in enumerate(sizes) if i not in left_out]


def dot(operation: ir.Operation) -> ir.Type:
    lhs, rhs = (_sizes(operation, index) for index in (0, 1))
    return _component([*lhs[:-1], *rhs[1:]])


def dot_general(operation: ir.Operation) -> ir.Type:
    numbers = Attributes(operation).read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs = (_sizes(operation, index) for index in (0, 1))
    pairs = zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True)
    batch = [_agreed(lhs[i], rhs[j]) for i, j in pairs]
    rows = _rest(lhs, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions)
    columns = _rest(rhs, numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions)
    return _component([*batch, *rows, *columns])


def ragged_dot(operation: ir.Operation) -> ir.Type:
    numbers = Attributes(operation).read("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers.read)
    # The interface ignores bounds.
    lhs, rhs, group_sizes = ([(size, DYNAMIC) for size, _ in _sizes(operation, index)] for index in (0, 1, 2))
    is_contracting = numbers.lhs_ragged_dimensions[0] in numbers.lhs_contracting_dimensions
    groups = group_sizes[-1:] if is_contracting else []
    batch = [lhs[i] for i in numbers.lhs_batching_dimensions]
    rows = _rest(lhs, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions)
    columns = _rest(
        rhs,
        numbers.rhs_batching_dimensions,
        numbers.rhs_contracting_dimensions,
        numbers.rhs_group_dimensions,
    )
    return _component([*groups, *batch, *rows, *columns])
