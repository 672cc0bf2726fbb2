"""The types that the bindings infer for the results of an operation.

The bindings' `inferReturnTypes` passes the attributes of an operation in a form that StableHLO does not read,
and crashes for every operation that requires an attribute. Therefore hlokit creates an operation without
regions anew, and lets the bindings infer its types. An operation with regions cannot be created in this way:
hlokit gives a copy result types that cannot be correct, and reads the inferred types in the verifier's
message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import collected
from hlokit.mlir.queries.module import attributes_of
from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of

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
    card = card_of(operation.name)
    if card is not None and card.components is not None:
        with operation.context, operation.location:
            return [card.components(operation)]
    if traits_of(operation.name).no_components:
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
        inferred = _INFERRED.search(message)
        if inferred is not None:
            return [ir.Type.parse(text, operation.context) for text in inferred[1][1:-1].split("', '")]
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
    with collected(operation.context) as diagnostics:
        try:
            changed.verify()
        except ir.MLIRError as error:
            diagnostics.extend(error.error_diagnostics)
        finally:
            changed.erase()
    return "\n".join(item.message for item in diagnostics)
