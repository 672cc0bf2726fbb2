"""Helpers of patterns: read constants and types, build operations, replace operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.provider.bindings import class_of, ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.mlir.queries.types import value_type
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.values.types import TensorType

Entry = tuple[str, Pattern, int]
Value = ir.Value

_SHARDINGS = ("mhlo.sharding", "sdy.sharding")
_FRONTEND_ATTRIBUTES = "mhlo.frontend_attributes"
# The only frontend attribute that names its own operation, so it never moves to another operation.
_IDENTITY = "xla_metadata_payload"


def defining_op(value: Value, *names: str) -> ir.Operation | None:
    """The operation that defines a value, if it has one of the names; without names, any operation."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    operation = owner.operation
    return operation if not names or operation.name in names else None


def _constant(value: Value) -> ir.Operation | None:
    """The constant that defines a value."""
    return defining_op(value, "stablehlo.constant", "arith.constant", "shape.const_shape")


def constant(value: Value) -> ir.DenseElementsAttr | None:
    """The elements of a constant; None for complex constants, for which the bindings have no class."""
    operation = _constant(value)
    if operation is None:
        return None
    try:
        attribute = operation.attributes["shape" if operation.name == "shape.const_shape" else "value"]
    except TypeError:
        return None
    return attribute if isinstance(attribute, ir.DenseElementsAttr) else None


def is_constant(value: Value) -> bool:
    return _constant(value) is not None


def splat(value: Value) -> int | float | None:
    """The number that all elements of a constant equal; None for quantized constants (elements are
    storage)."""
    attribute = constant(value)
    if attribute is None or not attribute.is_splat or attribute.type != value.type:
        return None
    element = attribute.get_splat_value()
    return element.value if isinstance(element, (ir.IntegerAttr, ir.BoolAttr, ir.FloatAttr)) else None


def integers(value: Value) -> tuple[int, ...] | None:
    """The elements of a constant of integers, in row-major order."""
    attribute = constant(value)
    if not isinstance(attribute, ir.DenseIntElementsAttr):
        return None
    if attribute.is_splat and len(attribute):
        return (int(attribute.get_splat_value().value),) * len(attribute)
    try:
        return tuple(int(element) for element in attribute)
    except TypeError:  # 2 and 4 bits
        return None


def ints(operation: ir.Operation, name: str) -> tuple[int, ...]:
    """An array attribute; () if the attribute is absent."""
    return tuple(operation.attributes[name]) if name in operation.attributes else ()


def int_(operation: ir.Operation, name: str) -> int:
    return int(operation.attributes[name].value)


def tensor(value: Value) -> ir.RankedTensorType | None:
    """The type of a value if it is a ranked tensor."""
    type_ = value.type
    return type_ if isinstance(type_, ir.RankedTensorType) else None


def shape(value: Value) -> tuple[int, ...] | None:
    """Dimension sizes of a ranked tensor, -1 where unknown."""
    type_ = tensor(value)
    return None if type_ is None else tuple(size if size >= 0 else -1 for size in type_.shape)


def static_shape(value: Value) -> tuple[int, ...] | None:
    """Dimension sizes if all of them are known."""
    type_ = tensor(value)
    return tuple(type_.shape) if type_ is not None and type_.has_static_shape else None


def with_shape(type_: ir.RankedTensorType, sizes: Iterable[int]) -> ir.RankedTensorType:
    """A tensor type of another shape (-1 for unknown sizes), without an encoding."""
    dynamic = ir.ShapedType.get_dynamic_size()
    return ir.RankedTensorType.get([size if size >= 0 else dynamic for size in sizes], type_.element_type)


def element_type(value: Value) -> ir.Type:
    type_ = tensor(value)
    return value.type if type_ is None else type_.element_type


def is_iota(dims: tuple[int, ...]) -> bool:
    """Whether dimensions are 0, 1, ..., in this order."""
    return dims == tuple(range(len(dims)))


def is_integer(value: Value) -> bool:
    """Whether the elements are integers or booleans."""
    return isinstance(element_type(value), ir.IntegerType)


def is_quantized(value: Value) -> bool:
    return str(element_type(value)).startswith("!quant.")


def is_used(value: Value) -> bool:
    return next(iter(value.uses), None) is not None


def has_one_use(value: Value) -> bool:
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def i64s(values: Iterable[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get(list(values))


def i64(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def build(
    name: str,
    types: Sequence[ir.Type],
    operands: Sequence[Value],
    attributes: Mapping[str, ir.Attribute] | None = None,
    regions: int = 0,
) -> ir.Operation:
    """A new operation before the matched operation."""
    return ir.Operation.create(
        name,
        results=list(types),
        operands=list(operands),
        attributes=dict(attributes) if attributes else None,
        regions=regions,
    ).operation


def constant_of(type_: ir.Type, array: npt.NDArray[Any]) -> Value:
    """A constant of a static type. An array with strides of 0 is stored as one element."""
    tensor_type = value_type(type_)
    assert isinstance(tensor_type, TensorType), "constants are tensors"
    attribute = elements_attribute(array, tensor_type, type_)
    return build("stablehlo.constant", [type_], [], {"value": attribute}).results[0]


def splat_constant(type_: ir.Type, number: int) -> Value:
    """A constant of a static type whose elements all equal this number."""
    tensor_type = value_type(type_)
    assert isinstance(tensor_type, TensorType), "constants are tensors"
    element = np.asarray(number).astype(tensor_type.element_type.dtype)
    return constant_of(type_, np.broadcast_to(element, tensor_type.dims))


def by_value(operation: ir.Operation, rewriter: Rewriter, value: Value) -> bool:
    """Replace an operation by an existing value, if the value has the same type."""
    if operation.results[0].type != value.type:
        return False
    source = defining_op(value)
    # The attributes of an operation with several results, such as its sharding, describe all results.
    if source is not None and len(source.results) == 1:
        carry_attributes(operation, source)
    rewriter.replace(operation, [value])
    return True


def by_constant(operation: ir.Operation, rewriter: Rewriter, number: int) -> bool:
    """Replace an operation by a splat constant."""
    rewriter.replace(operation, [splat_constant(operation.results[0].type, number)])
    return True


def by_operation(
    operation: ir.Operation,
    rewriter: Rewriter,
    name: str,
    operands: Sequence[Value],
    attributes: Mapping[str, ir.Attribute] | None = None,
) -> bool:
    """Replace an operation by a new operation with the same result types and discardable attributes."""
    new = build(name, [result.type for result in operation.results], operands, attributes)
    carry_attributes(operation, new)
    rewriter.replace(operation, new.results)
    return True


def has_attributes_of_results(operation: ir.Operation) -> bool:
    """Whether attributes of other dialects describe each result, so that the results must stay the same."""
    return any(name in operation.attributes for name in _SHARDINGS)


def inherent_attributes(operation: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes in the operation's definition."""
    names = _inherent_names(class_of(operation))
    return {name: value for name, value in attributes_of(operation).items() if name in names}


def carry_attributes(source: ir.Operation, target: ir.Operation) -> None:
    """Add the discardable attributes of an operation to another; the source's attributes take precedence."""
    if not len(source.attributes):
        return
    inherent = _inherent_names(class_of(source))
    for name, value in attributes_of(source).items():
        if name in inherent:
            continue
        joins = name == _FRONTEND_ATTRIBUTES and name in target.attributes
        target.attributes[name] = _merged(value, target.attributes[name]) if joins else value


def _merged(source: ir.Attribute, target: ir.Attribute) -> ir.Attribute:
    if not isinstance(source, ir.DictAttr) or not isinstance(target, ir.DictAttr):
        return source
    entries = _entries(target)
    kept = {_IDENTITY} & set(entries)
    return ir.DictAttr.get({**entries, **{k: v for k, v in _entries(source).items() if k not in kept}})


def _entries(dictionary: ir.DictAttr) -> dict[str, ir.Attribute]:
    names = [dictionary[i].name for i in range(len(dictionary))]
    return {name: dictionary[name] for name in names}


@cache
def _inherent_names(view: type[ir.OpView]) -> frozenset[str]:
    classes = view.__mro__[: view.__mro__.index(ir.OpView)] if view is not ir.OpView else ()
    return frozenset(name for class_ in classes for name in vars(class_))
