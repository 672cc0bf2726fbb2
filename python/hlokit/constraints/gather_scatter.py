"""Strict checks of scatter. The bindings verify the other operations of the family wholly."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reading import operand_types, result_types
from hlokit.constraints.reducers import different_element_types, reducer
from hlokit.mlir.bindings import ir


def _counts(op: ir.Operation) -> str | None:
    # One operand holds the indices. The bindings ignore the last of an even number.
    count = len(operand_types(op))
    return None if count % 2 else f"as many updates as inputs must be given, got {count} operands"


def _update_types(op: ir.Operation) -> str | None:
    return different_element_types(op, "updates", len(result_types(op)) + 1, "inputs")


CHECKS: Checks = {
    "scatter": {"C5": _counts, "C6": _update_types, "C23": reducer("update_computation", 0)},
}
