"""Functions that build the shapes of results: `InferShapedTypeOpInterface::reifyReturnTypeShapes`.

The bindings do not expose this interface. A function builds a vector of sizes for each result, computed from
the operands of an operation as cheaply as possible: an element-wise operation has the shape of an operand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers, GatherDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.passes.framework.building import (
    DYNAMIC,
    Value,
    binary,
    build,
    cast,
    constant,
    dimension,
    element,
    elements,
    less_than,
    ranked,
    shape_of,
    vector_type,
)
from hlokit.passes.framework.registry import warn
from hlokit.values.types import TensorType

# The shapes of the results; None if the shapes cannot be built for this operation.
Reifier = Callable[[ir.Operation], list[Value] | None]


def shape_of_operand(index: int) -> Reifier:
    return lambda operation: [shape_of(operation.operands[index])]


def operand_as_shape(index: int) -> Reifier:
    """The shape is an operand."""

    def reify(operation: ir.Operation) -> list[Value] | None:
        shape = operation.operands[index]
        return [cast(shape, vector_type(ranked(shape).shape[0]))]

    return reify


def bitcast_convert(operation: ir.Operation) -> list[Value] | None:
    types = value_type(operation.operands[0].type), value_type(operation.results[0].type)
    widths = {type_.element_type.width for type_ in types if isinstance(type_, TensorType)}
    # A different element width adds or removes a dimension.
    return [shape_of(operation.operands[0])] if len(widths) == 1 else None


def broadcast(operation: ir.Operation) -> list[Value] | None:
    sizes = [constant(size) for size in Attributes(operation).ints("broadcast_sizes")]
    return [elements([*sizes, *_dimensions(operation.operands[0])])]


def _dimensions(tensor: Value, without: Iterable[int] = ()) -> Iterator[Value]:
    left_out = set(without)
    return (dimension(tensor, i) for i in range(ranked(tensor).rank) if i not in left_out)


def concatenate(operation: ir.Operation) -> list[Value] | None:
    axis = Attributes(operation).int_("dimension")
    first, *others = operation.operands
    shape = list(_dimensions(first))
    # Read all sizes along the axis before the first addition, like upstream's single expression.
    for size in [dimension(other, axis) for other in others]:
        shape[axis] = binary("addi", shape[axis], size)
    return [elements(shape)]


def dot_general(operation: ir.Operation) -> list[Value] | None:
    numbers = Attributes(operation).read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs = operation.operands
    inner = {*numbers.lhs_batching_dimensions, *numbers.lhs_contracting_dimensions}
    outer = {*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions}
    shape = [dimension(lhs, i) for i in numbers.lhs_batching_dimensions]
    return [elements([*shape, *_dimensions(lhs, inner), *_dimensions(rhs, outer)])]


def gather(operation: ir.Operation) -> list[Value] | None:
    sizes = [constant(size) for size in Attributes(operation).ints("slice_sizes")]
    return _gathered(operation, sizes)


def dynamic_gather(operation: ir.Operation) -> list[Value] | None:
    slice_sizes = operation.operands[2]
    index = ir.IndexType.get()
    sizes = [cast(element(slice_sizes, i), index) for i in range(ranked(slice_sizes).shape[0])]
    return _gathered(operation, sizes)


def _gathered(operation: ir.Operation, slice_sizes: list[Value]) -> list[Value]:
    numbers = Attributes(operation).read("dimension_numbers", GatherDimensionNumbers.read)
    dropped = {*numbers.collapsed_slice_dims, *numbers.operand_batching_dims}
    window = iter([size for i, size in enumerate(slice_sizes) if i not in dropped])
    batch = _dimensions(operation.operands[1], {numbers.index_vector_dim})
    rank = ranked(operation.results[0]).rank
    return [elements([next(window if i in numbers.offset_dims else batch) for i in range(rank)])]


def pad(operation: ir.Operation) -> list[Value] | None:
    attributes = Attributes(operation)
    operand = operation.operands[0]
    low, high, interior = (
        attributes.ints(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    one, zero = constant(1), constant(0)

    def size(i: int) -> Value:
        edges = constant(low[i] + high[i])
        padded = dimension(operand, i)
        if interior[i] > 0:
            between = constant(interior[i])
            gaps = binary("maxsi", binary("subi", padded, one), zero)
            padded = binary("addi", padded, binary("muli", gaps, between))
        return binary("addi", padded, edges)

    return [elements([size(i) for i in range(ranked(operand).rank)])]


def dynamic_pad(operation: ir.Operation) -> list[Value] | None:
    operand, _, low, high, interior = operation.operands
    type_ = ranked(low).element_type
    zero, one = cast(constant(0), type_), cast(constant(1), type_)

    def size(i: int) -> Value:
        unpadded = cast(dimension(operand, i), type_)
        before, after, between = (element(vector, i) for vector in (low, high, interior))
        gaps = build("arith.select", [less_than(unpadded, one), zero, binary("subi", unpadded, one)], type_)
        padded = binary("addi", binary("muli", between, gaps), unpadded)
        return binary("addi", binary("addi", padded, before), after)

    return [elements([size(i) for i in range(ranked(operand).rank)], type_)]


def real_dynamic_slice(operation: ir.Operation) -> list[Value] | None:
    operand, starts, limits, strides = operation.operands
    type_ = ranked(starts).element_type
    one = cast(constant(1), type_)

    def size(i: int) -> Value:
        start, limit, stride = (element(vector, i) for vector in (starts, limits, strides))
        # The quotient, rounded up.
        covered = binary("addi", stride, binary("subi", limit, start))
        return binary("divsi", binary("subi", covered, one), stride)

    return [elements([size(i) for i in range(ranked(operand).rank)], type_)]


def reduce(operation: ir.Operation) -> list[Value] | None:
    dimensions = Attributes(operation).ints("dimensions")
    shape = elements(list(_dimensions(operation.operands[0], dimensions)))
    return [shape] * len(operation.results)


def transpose(operation: ir.Operation) -> list[Value] | None:
    sizes = list(_dimensions(operation.operands[0]))
    return [elements([sizes[axis] for axis in Attributes(operation).ints("permutation")])]


def broadcasting(operation: ir.Operation) -> list[Value] | None:
    """The broadcast shape by NumPy's rule, at run time."""
    if not broadcasts_as_numpy(operation):
        dimensions = operation.attributes["broadcast_dimensions"]
        warn(operation, f"unsupported non prefix-padded dynamic rank broadcast_dimensions = {dimensions}")
        return None
    shapes = [shape_of(operand) for operand in operation.operands]
    ranks = [ranked(shape).shape[0] for shape in shapes]
    rank = DYNAMIC if DYNAMIC in ranks else max(ranks)
    return [build("shape.broadcast", shapes, vector_type(rank))]


def broadcasts_as_numpy(operation: ir.Operation) -> bool:
    """Whether `broadcast_dimensions`, if present, only pad the smaller shape at its front."""
    attributes = Attributes(operation)
    if "broadcast_dimensions" not in attributes:
        return True
    types = [operand.type.maybe_downcast() for operand in operation.operands]
    ranks = sorted(type_.rank for type_ in types if isinstance(type_, ir.RankedTensorType))
    if len(ranks) < len(types):
        return False
    if ranks[0] == ranks[-1]:
        return True
    dimensions = attributes.ints("broadcast_dimensions")
    is_contiguous = all(after == before + 1 for before, after in pairwise(dimensions))
    return len(dimensions) == ranks[0] and is_contiguous and dimensions[-1:] in ((), (ranks[-1] - 1,))
