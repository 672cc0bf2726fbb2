"""Determines whether operations have side effects."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false
# (the bindings are partly untyped)

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.traits.table import having

# These operations stop the program if shapes are not as stated.
_ASSERTIONS = ("shape.assuming", "shape.cstr_")
_PURE_DIALECTS = ("stablehlo", "chlo", "arith", "shape", "tensor")
# Operations that communicate or draw random numbers. A composite is a call, which may have any effect.
_IMPURE = having("collective", "channel", "feed", "async", "random") | {"stablehlo.composite"}


def is_pure(operation: ir.Operation) -> bool:
    """Whether an operation, including everything inside it, may be dropped if its results have no uses."""
    result = True

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal result
        result = _is_pure_itself(inner.operation)
        return ir.WalkResult.ADVANCE if result else ir.WalkResult.INTERRUPT

    operation.walk(visit)
    return result


def _is_pure_itself(operation: ir.Operation) -> bool:
    name = operation.name
    if name == "stablehlo.custom_call":
        return not _has_side_effect(operation)
    if name.startswith(_ASSERTIONS):
        return False
    return name not in _IMPURE and name.partition(".")[0] in _PURE_DIALECTS


def _has_side_effect(operation: ir.Operation) -> bool:
    return "has_side_effect" in operation.attributes and bool(operation.attributes["has_side_effect"].value)
