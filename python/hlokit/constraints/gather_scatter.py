"""Strict checks of scatter. The bindings verify the other operations of the family wholly."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reducers import reducer, same_element_types
from hlokit.mlir.bindings import ir


def _counts(op: ir.Operation) -> str | None:
    # One operand holds the indices. The bindings ignore the last of an even number.
    if len(op.operands) % 2:
        return None
    return f"as many updates as inputs must be given, got {len(op.operands)} operands"


def _update_types(op: ir.Operation) -> str | None:
    count = len(op.results)
    return same_element_types("updates", count + 1, "inputs", 0, 0)(op)


CHECKS: Checks = {
    "scatter": {"C5": _counts, "C6": _update_types, "C23": reducer("update_computation", 0)},
}
