"""Determines whether operations have side effects."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import any_within
from hlokit.operations.lookup import having

# These operations stop the program if shapes are not as stated.
_ASSERTIONS = ("shape.assuming", "shape.cstr_")
_PURE_DIALECTS = ("stablehlo", "chlo", "arith", "shape", "tensor")
# Operations that communicate or draw random numbers. A composite is a call, which may have any effect.
_IMPURE = having(
    lambda traits: traits.collective or traits.channel or traits.feed or traits.asynchronous or traits.random
) | {"stablehlo.composite"}


def is_pure(operation: ir.Operation) -> bool:
    """Whether an operation, including everything inside it, may be dropped if its results have no uses."""
    return not any_within(operation, _is_impure_itself)


def _is_impure_itself(operation: ir.Operation) -> bool:
    name = operation.name
    if name == "stablehlo.custom_call":
        return _has_side_effect(operation)
    if name.startswith(_ASSERTIONS):
        return True
    return name in _IMPURE or name.partition(".")[0] not in _PURE_DIALECTS


def _has_side_effect(operation: ir.Operation) -> bool:
    return "has_side_effect" in operation.attributes and bool(operation.attributes["has_side_effect"].value)
