"""The indices that stay within the first operand of an operation."""

from __future__ import annotations

from hlokit.mlir.conversion.dimension_numbers import GatherDimensionNumbers, ScatterDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.values.types import TensorType


def index_bound(operation: ir.Operation, operand: ir.Value) -> int | None:
    """The least upper bound of the indices in an operand; None if the first operand has no known shape."""
    indexed = value_type(operation.operands[0].type)
    if not isinstance(indexed, TensorType) or indexed.shape is None:
        return None
    last = [size - window for size, window in zip(indexed.dims, _windows(operation), strict=False)]
    dimensions = [dimension for dimension in _dimensions(operation, operand) if dimension < len(last)]
    return 1 + max(0, min([last[dimension] for dimension in dimensions], default=0))


def _windows(operation: ir.Operation) -> list[int]:
    """The sizes of the parts that an operation reads or writes, by dimension."""
    types = [value_type(operand.type) for operand in operation.operands]
    ranks = [type_.rank for type_ in types if isinstance(type_, TensorType) and type_.shape is not None]
    if "slice_sizes" in operation.attributes:
        return list(ir.DenseI64ArrayAttr(operation.attributes["slice_sizes"]))
    update = types[1]
    if isinstance(update, TensorType) and ranks[1] == ranks[0] and set(ranks[2:]) == {0}:
        return list(update.dims)  # the update of dynamic_update_slice
    return [1] * ranks[0]


def _dimensions(operation: ir.Operation, operand: ir.Value) -> list[int]:
    """The dimensions of the first operand that an index counts."""
    attributes = operation.attributes
    if "dimension_numbers" in attributes:
        return list(GatherDimensionNumbers.read(attributes["dimension_numbers"]).start_index_map)
    if "scatter_dimension_numbers" in attributes:
        numbers = ScatterDimensionNumbers.read(attributes["scatter_dimension_numbers"])
        return list(numbers.scatter_dims_to_operand_dims)
    if "dim" in attributes:
        return [ir.IntegerAttr(attributes["dim"]).value]
    scalars = [other for other in operation.operands if ir.RankedTensorType(other.type).rank == 0]
    return [dimension for dimension, other in enumerate(scalars) if other == operand]
