"""Builders of operations for passes, at the current insertion point and location.

Operations of the shape, tensor and arith dialects compute on values of type `index`. The bindings also have
builders, but importing the Python module of a dialect takes longer than running a pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlokit.mlir.provider.bindings import ir

Value = ir.Value
DYNAMIC: int = ir.ShapedType.get_dynamic_size()

_SIGNED_LESS_THAN = 2


def build(
    name: str,
    operands: Sequence[Value],
    result: ir.Type,
    attributes: Mapping[str, ir.Attribute] | None = None,
) -> Value:
    """Build an operation with one result; returns the result."""
    created = ir.Operation.create(name, [result], list(operands), dict(attributes or {}))
    return created.results[0]


def shape_of(tensor: Value) -> Value:
    """All dimension sizes of a tensor, whose rank may be unknown."""
    type_ = tensor.type.maybe_downcast()
    rank = type_.rank if isinstance(type_, ir.RankedTensorType) else DYNAMIC
    return build("shape.shape_of", [tensor], vector_type(rank))


def dimension(tensor: Value, index: int) -> Value:
    """One dimension size of a tensor."""
    return build("tensor.dim", [tensor, constant(index)], ir.IndexType.get())


def element(vector: Value, index: int) -> Value:
    """One element of a vector."""
    return build("tensor.extract", [vector, constant(index)], ranked(vector).element_type)


def elements(values: Sequence[Value], element_type: ir.Type | None = None) -> Value:
    """A vector of scalars."""
    return build("tensor.from_elements", values, vector_type(len(values), element_type))


def constant(value: int) -> Value:
    """A constant of type index."""
    type_ = ir.IndexType.get()
    return build("arith.constant", [], type_, {"value": ir.IntegerAttr.get(type_, value)})


def cast(value: Value, type_: ir.Type) -> Value:
    """An integer, or a vector of integers, converted to another integer type."""
    return value if value.type == type_ else build("arith.index_cast", [value], type_)


def binary(name: str, lhs: Value, rhs: Value) -> Value:
    """An operation of arith with one type for operands and result: `addi`, `subi`, `muli`, `divsi`,
    `maxsi`."""
    return build(f"arith.{name}", [lhs, rhs], lhs.type)


def less_than(lhs: Value, rhs: Value) -> Value:
    """Compare two signed integers: less than."""
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _SIGNED_LESS_THAN)
    return build("arith.cmpi", [lhs, rhs], ir.IntegerType.get_signless(1), {"predicate": predicate})


def vector_type(size: int, element_type: ir.Type | None = None) -> ir.Type:
    """`tensor<{size}xindex>`, or of another element type."""
    return ir.RankedTensorType.get([size], element_type or ir.IndexType.get())


def ranked(value: Value) -> ir.RankedTensorType:
    """The type of a tensor whose rank is known."""
    return ir.RankedTensorType(value.type)
