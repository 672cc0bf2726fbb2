"""Type queries for strict checks: types of an operation and its regions, and relations between types."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.quantized import QuantizedType
from hlokit.values.types import BufferType, OpaqueType, TensorType, TupleType, ValueType


def _type_of(value: ir.Value) -> ValueType:
    """The type of a value; a buffer is no tensor for constraints."""
    type_ = value_type(value.type)
    return OpaqueType(str(type_)) if isinstance(type_, BufferType) else type_


def operands(operation: ir.Operation) -> list[ValueType]:
    """Types of the operands."""
    return [_type_of(value) for value in operation.operands]


def results(operation: ir.Operation) -> list[ValueType]:
    """Types of the results."""
    return [_type_of(value) for value in operation.results]


def arguments(operation: ir.Operation, region: int = 0) -> list[ValueType]:
    """Types of a region's arguments."""
    return [_type_of(argument) for argument in operation.regions[region].blocks[0].arguments]


def terminator(operation: ir.Operation, region: int = 0) -> ir.Operation:
    """The last operation of a region."""
    block = operation.regions[region].blocks[0]
    return block.operations[len(block.operations) - 1].operation


def returned(operation: ir.Operation, region: int = 0) -> list[ValueType]:
    """Types of the values that a region returns."""
    return operands(terminator(operation, region))


def shapes_agree(left: tuple[int, ...] | None, right: tuple[int, ...] | None) -> bool:
    """Whether shapes may be equal: known ranks and sizes are."""
    if left is None or right is None:
        return True
    if len(left) != len(right):
        return False
    return all(a == b or a < 0 or b < 0 for a, b in zip(left, right, strict=True))


def agree(left: ValueType, right: ValueType) -> bool:
    """Whether types may be equal: all known parts are, including scales and zero points.

    Most checks of the bindings compare only the storage and expressed types of quantized types.
    """
    match left, right:
        case TensorType(), TensorType():
            return left.element_type == right.element_type and shapes_agree(left.shape, right.shape)
        case TupleType(), TupleType():
            pairs = zip(left.types, right.types, strict=True)
            return len(left.types) == len(right.types) and all(agree(a, b) for a, b in pairs)
        case _:
            return left == right


def all_agree(left: list[ValueType], right: list[ValueType]) -> bool:
    """`agree` for each pair of two lists of one length."""
    return len(left) == len(right) and all(agree(a, b) for a, b in zip(left, right, strict=True))


def element_type(type_: ValueType) -> ElementType | None:
    """The element type of a tensor; None for other types."""
    return type_.element_type if isinstance(type_, TensorType) else None


def is_promotable(source: ElementType, target: ElementType) -> bool:
    """spec "Functions on types", is_promotable: both are of one kind, and the target is not narrower."""
    if isinstance(source, QuantizedType) and isinstance(target, QuantizedType):
        return source.expressed == target.expressed and source.width <= target.width
    kinds = (Kind.SIGNED if type_.kind.is_integer else type_.kind for type_ in (source, target))
    return len(set(kinds)) == 1 and source.width <= target.width


def spelled(types: list[ValueType]) -> str:
    """Types for a message."""
    return ", ".join(map(str, types))
