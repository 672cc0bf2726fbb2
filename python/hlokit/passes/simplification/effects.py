"""Decides which operations have no side effects."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false
# (the bindings are partly untyped)

from __future__ import annotations

from hlokit.mlir.bindings import ir

# These operations stop the program if shapes are not as stated.
_ASSERTIONS = ("shape.assuming", "shape.cstr_")
_PURE_DIALECTS = ("stablehlo", "chlo", "arith", "shape", "tensor")
# Operations that communicate or draw random numbers. A call may have any effect.
_IMPURE = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("all_gather", "all_reduce", "all_to_all", "async_done", "async_start", "collective_broadcast"),
        *("collective_permute", "collective_reduce", "composite", "cross-replica-sum", "infeed", "outfeed"),
        *("recv", "reduce_scatter", "rng", "send"),
    )
)


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
