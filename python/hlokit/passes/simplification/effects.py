"""Which operations do nothing but compute their results."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportAttributeAccessIssue=false
# (the bindings are partly untyped)

from __future__ import annotations

from hlokit.mlir.bindings import ir

# They stop the program where the shapes are not as they say.
_ASSERTIONS = ("shape.assuming", "shape.cstr_")
_PURE_DIALECTS = ("stablehlo", "chlo", "arith", "shape", "tensor")
# Those that communicate or draw random numbers; a call may do anything.
_IMPURE = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("all_gather", "all_reduce", "all_to_all", "async_done", "async_start", "collective_broadcast"),
        *("collective_permute", "collective_reduce", "composite", "cross-replica-sum", "infeed", "outfeed"),
        *("recv", "reduce_scatter", "rng", "send"),
    )
)


def is_pure(operation: ir.Operation) -> bool:
    """Whether an operation, and all within it, may be dropped where its results are not needed."""
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
