"""FLOPs of operations, and the sizes of values."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.values.types import TensorType

Value = ir.Value
Flops = Callable[[ir.Operation], int]


def size_of(value: Value) -> int:
    """Bytes of a value; 0 if the value is not a tensor of static shape."""
    type_ = value_type(value.type)
    return type_.nbytes if isinstance(type_, TensorType) else 0


def elements(value: Value) -> int:
    """The number of elements of a value; 0 if the value is not a tensor of static shape."""
    type_ = value_type(value.type)
    return type_.size if isinstance(type_, TensorType) and type_.is_static else 0


def of_results(operation: ir.Operation) -> int:
    """One for each element of the results: elementwise operations, functions included."""
    return sum(elements(result) for result in operation.results)


def of_operand(operation: ir.Operation) -> int:
    """One for each element of the first operand, in the device's share of a sum."""
    return elements(operation.operands[0])


def dot(operation: ir.Operation) -> int:
    inner = ir.RankedTensorType(operation.operands[0].type).shape[-1]
    return 2 * elements(operation.results[0]) * inner


def dot_general(operation: ir.Operation) -> int:
    numbers = Attributes(operation).read("dot_dimension_numbers", DotDimensionNumbers.read)
    shape = ir.RankedTensorType(operation.operands[0].type).shape
    return 2 * elements(operation.results[0]) * prod(shape[i] for i in numbers.lhs_contracting_dimensions)


def convolution(operation: ir.Operation) -> int:
    """A multiplication and an addition for each element of result, window and input features."""
    numbers = Attributes(operation).read("dimension_numbers", ConvDimensionNumbers.read)
    shape = ir.RankedTensorType(operation.operands[1].type).shape
    window = prod(shape[i] for i in numbers.kernel_spatial_dimensions)
    return 2 * elements(operation.results[0]) * window * shape[numbers.kernel_input_feature_dimension]


def reduce(operation: ir.Operation) -> int:
    return sum(elements(value) for value in operation.operands[: len(operation.operands) // 2])


def window(operation: ir.Operation) -> int:
    """One for each element of each window."""
    size = prod(Attributes(operation).ints("window_dimensions", ()))
    return size * elements(operation.results[0])


def sort(operation: ir.Operation) -> int:
    length = max(1, elements(operation.operands[0]))
    return length * max(1, length.bit_length() - 1)


def scatter(operation: ir.Operation) -> int:
    """One for each element of the updates."""
    return elements(operation.operands[-1])
