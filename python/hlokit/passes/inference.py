"""The types that the bindings infer for the results of an operation.

The bindings' `inferReturnTypes` passes the attributes of an operation in a form that StableHLO does not read,
and crashes for every operation that requires an attribute. Therefore hlokit creates an operation without
regions anew, and lets the bindings infer its types. An operation with regions cannot be created in this way:
hlokit gives a copy result types that cannot be correct, and reads the inferred types in the verifier's
message.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers, RaggedDotDimensionNumbers
from hlokit.mlir.provider.bindings import ir, stablehlo
from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.building import DYNAMIC
from hlokit.traits.table import has

_INFERRED = re.compile(
    r"inferred type\(s\) (.*) are incompatible with return type\(s\) of operation", re.DOTALL
)


def inferred_types(operation: ir.Operation) -> list[ir.Type] | None:
    """The types of the results as `InferTypeOpInterface` infers them.

    Args:
      operation: a verified operation, because inference trusts attributes and regions.

    Returns:
      None if the operation does not infer its types.
    """
    if not _implements(ir.InferTypeOpInterface, operation):
        return None
    attributes = attributes_of(operation)
    if len(operation.regions) > 0 or len(attributes) < len(operation.attributes):
        return _types_from_verifier(operation)
    with collected(operation.context):
        try:
            created = ir.Operation.create(
                operation.name,
                operands=list(operation.operands),
                attributes=attributes,
                loc=operation.location,
                ip=False,
                infer_type=True,
            )
        except ir.MLIRError:
            return None
    types = [result.type for result in created.results]
    # Erase immediately: the bindings crash if a detached operation outlives the values that it uses.
    created.erase()
    return types


def inferred_components(operation: ir.Operation) -> list[ir.Type] | None:
    """The result types that `InferShapedTypeOpInterface` infers, with element type index if it infers none.

    Returns:
      None if the operation infers no components.
    """
    if not _implements(ir.InferShapedTypeOpInterface, operation):
        return None
    infer = _OWN_COMPONENTS.get(operation.name)
    if infer is not None:
        with operation.context, operation.location:
            return [infer(operation)]
    if has(operation.name, "no_components"):
        return None
    types = inferred_types(operation)
    if types is None or not all(isinstance(type_.maybe_downcast(), ir.RankedTensorType) for type_ in types):
        return None
    return types


def _implements(interface: Callable[..., object], operation: ir.Operation) -> bool:
    try:
        interface(operation, context=operation.context)
    except ValueError:
        return False
    return True


def _types_from_verifier(operation: ir.Operation) -> list[ir.Type] | None:
    """The types of an operation, read from its verifier's message about wrong types."""
    operands = [operand.type for operand in operation.operands]
    if operation.name == "stablehlo.while":
        # The verifier compares with the operands first: the types of the operands are the inferred types.
        return operands
    declared = [result.type for result in operation.results]
    for change in (_with_elements("ui64"), _with_elements("i1"), _with_another_dimension):
        message = _verifier_message(operation, [change(type_) for type_ in declared])
        found = _INFERRED.search(message)
        if found is not None:
            return [ir.Type.parse(text, operation.context) for text in found[1][1:-1].split("', '")]
    return None


def _with_elements(element_type: str) -> Callable[[ir.Type], ir.Type]:
    """A type of the same kind that is incompatible with this one, unless this type has the given element
    type."""

    def change(type_: ir.Type) -> ir.Type:
        concrete = type_.maybe_downcast()
        if isinstance(concrete, ir.RankedTensorType):
            return _tensor(concrete.shape, ir.Type.parse(element_type, type_.context), concrete.encoding)
        tensor = f"tensor<{element_type}>"
        is_future = str(type_).startswith("!stablehlo.future")
        return ir.Type.parse(f"!stablehlo.future<{tensor}>" if is_future else tensor, type_.context)

    return change


def _with_another_dimension(type_: ir.Type) -> ir.Type:
    """An incompatible type for operations whose verifier does not compare element types."""
    concrete = type_.maybe_downcast()
    if not isinstance(concrete, ir.RankedTensorType):
        return type_
    return _tensor([*concrete.shape, 1], concrete.element_type)


def _tensor(shape: Sequence[int], element_type: ir.Type, encoding: ir.Attribute | None = None) -> ir.Type:
    with element_type.context, ir.Location.unknown():
        return ir.RankedTensorType.get(shape, element_type, encoding)


def _verifier_message(operation: ir.Operation, results: Sequence[ir.Type]) -> str:
    """The verifier's message for the operation with other result types; "" if it accepts the types."""
    changed = operation.clone(ip=False).operation
    for result, type_ in zip(changed.results, results, strict=True):
        result.set_type(type_)
    with collected(operation.context) as found:
        try:
            changed.verify()
        except ir.MLIRError as error:
            found.extend(error.error_diagnostics)
        finally:
            changed.erase()
    return "\n".join(item.message for item in found)


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


def _dot(operation: ir.Operation) -> ir.Type:
    lhs, rhs = (_sizes(operation, index) for index in (0, 1))
    return _component([*lhs[:-1], *rhs[1:]])


def _dot_general(operation: ir.Operation) -> ir.Type:
    numbers = Attributes(operation).read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs = (_sizes(operation, index) for index in (0, 1))
    pairs = zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True)
    batch = [_agreed(lhs[i], rhs[j]) for i, j in pairs]
    rows = _rest(lhs, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions)
    columns = _rest(rhs, numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions)
    return _component([*batch, *rows, *columns])


def _ragged_dot(operation: ir.Operation) -> ir.Type:
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


# The bindings omit bounds from components, so operations that infer only components are handled here.
_OWN_COMPONENTS: Mapping[str, Callable[[ir.Operation], ir.Type]] = {
    "stablehlo.dot": _dot,
    "stablehlo.dot_general": _dot_general,
    "chlo.ragged_dot": _ragged_dot,
}
