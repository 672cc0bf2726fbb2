"""Conversion of MLIR types to hlokit's types, and back."""

from __future__ import annotations

import re

from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import ELEMENT_TYPES, ElementType
from hlokit.values.types import BufferType, OpaqueType, TensorType, TokenType, TupleType, ValueType

_BOUNDS = r"#stablehlo\.bounds<(.*)>"


def _bounds(encoding: ir.Attribute | None) -> tuple[int, ...] | None:
    match = re.fullmatch(_BOUNDS, str(encoding)) if encoding is not None else None
    if match is None:
        return None
    return tuple(-1 if bound.strip() == "?" else int(bound) for bound in match[1].split(","))


def _element_type(type_: ir.Type) -> ElementType | None:
    spelling = str(type_)
    element_type = ELEMENT_TYPES.get(spelling)
    if element_type is None and spelling.startswith("!quant"):
        from hlokit.values.quantized import QuantizedType  # few programs have quantized types

        return QuantizedType.parse(spelling)
    return element_type


def value_type(type_: ir.Type) -> ValueType:
    """hlokit's type for an MLIR type; `OpaqueType` for a type that is not StableHLO's."""
    type_ = type_.maybe_downcast()
    if isinstance(type_, ir.RankedTensorType):
        element_type = _element_type(type_.element_type)
        if element_type is None:
            return OpaqueType(str(type_))
        shape = tuple(size if size >= 0 else -1 for size in type_.shape)
        return TensorType(shape, element_type, _bounds(type_.encoding))
    if isinstance(type_, ir.UnrankedTensorType):
        element_type = _element_type(type_.element_type)
        return OpaqueType(str(type_)) if element_type is None else TensorType(None, element_type)
    if isinstance(type_, ir.MemRefType):
        element_type = _element_type(type_.element_type)
        shape = tuple(size if size >= 0 else -1 for size in type_.shape)
        return OpaqueType(str(type_)) if element_type is None else BufferType(shape, element_type)
    if isinstance(type_, ir.TupleType):
        return TupleType(tuple(value_type(type_.get_type(i)) for i in range(type_.num_types)))
    spelling = str(type_)
    return TokenType() if spelling == "!stablehlo.token" else OpaqueType(spelling)


def to_mlir_type(type_: ValueType, context: ir.Context | None = None) -> ir.Type:
    """The MLIR type of one of hlokit's types, in a context; without one, in the current context."""
    return ir.Type.parse(str(type_), context)
