"""Accessors for strict checks, and checks that several operations share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hlokit.constraints.checks import Check, UnknownTypeError
from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

Ints = tuple[int, ...]


def operand_types(op: ir.Operation) -> tuple[TensorType, ...]:
    """The types of operands, all of which are tensors.

    Raises:
      UnknownTypeError: an operand has a type that is not StableHLO's.
    """
    return tuple(map(_tensor, op.operands))


def result_types(op: ir.Operation) -> tuple[TensorType, ...]:
    """The types of results, all of which are tensors."""
    return tuple(map(_tensor, op.results))


def region_types(op: ir.Operation, region: int) -> tuple[tuple[TensorType, ...], tuple[TensorType, ...]]:
    """The argument types and return types of a region of one block."""
    block = op.regions[region].blocks[0]
    terminator = block.operations[len(block.operations) - 1]
    return tuple(map(_tensor, block.arguments)), tuple(map(_tensor, terminator.operands))


def _tensor(value: ir.Value) -> TensorType:
    type_ = value_type(value.type)
    if not isinstance(type_, TensorType):
        raise UnknownTypeError(str(value.type))
    return type_


def constant_operand(op: ir.Operation, index: int) -> Ints | None:
    """The integers of a constant operand in row-major order; None if the operand is not a constant."""
    owner = op.operands[index].owner
    if isinstance(owner, ir.Block) or not traits_of(owner.operation.name).constant:
        return None
    try:
        return tuple(int(item) for item in read_elements(owner.operation, "value").ravel())
    except UnsupportedError:
        return None


def is_any_quantized(op: ir.Operation) -> bool:
    """Whether an operand or result is quantized."""
    types = (*operand_types(op), *result_types(op))
    return any(type_.element_type.kind is Kind.QUANTIZED for type_ in types)


def different_element_type(name: str, type_: TensorType, of_name: str, other_type: TensorType) -> str | None:
    """The violation if a tensor does not have the element type of another tensor."""
    got, must = type_.element_type, other_type.element_type
    return None if got == must else f"{name} must have the element type of {of_name}, {must}, got {got}"


def different_shape(name: str, type_: TensorType, must: Sequence[int]) -> str | None:
    """The violation if a shape is not the expected shape; sizes of -1 are unknown."""
    if type_.rank != len(must):
        return None
    if all(-1 in (got, want) or got == want for got, want in zip(type_.dims, must, strict=True)):
        return None
    return f"{name} must have shape {_shape(must)}, got {_shape(type_.dims)}"


def _shape(dims: Sequence[int]) -> str:
    return f"[{', '.join('?' if size < 0 else str(size) for size in dims)}]"


def size_of(name: str, expected: Callable[[ir.Operation], int]) -> Check:
    """An optional array, if present, must have the expected size. An empty array counts as present."""

    def check(op: ir.Operation) -> str | None:
        if name not in op.attributes:
            return None
        array: Any = op.attributes[name]
        got, must = len(array), expected(op)
        return None if got == must else f"{name} must have size {must}, got {got}"

    return check


def positive(name: str) -> Check:
    """All elements of an optional array must be positive."""

    def check(op: ir.Operation) -> str | None:
        values = Attributes(op).ints(name, ())
        return None if all(value > 0 for value in values) else f"{name} must be positive, got {list(values)}"

    return check


def padding_of(expected: Callable[[ir.Operation], int]) -> Check:
    """The optional attribute `padding` must have a row for each dimension."""

    def check(op: ir.Operation) -> str | None:
        if "padding" not in op.attributes:
            return None
        shape, rows = list(ir.ShapedType(op.attributes["padding"].type).shape), expected(op)
        return None if shape == [rows, 2] else f"padding must have shape [{rows}, 2], got {shape}"

    return check


# precision_config has one entry for each of lhs and rhs.
precision_config = size_of("precision_config", lambda _: 2)
