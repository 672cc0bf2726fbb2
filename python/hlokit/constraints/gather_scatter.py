"""Strict checks of dynamic_gather and scatter. The bindings verify gather completely."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reading import different_element_type, operand_types, result_types
from hlokit.constraints.reducers import different_element_types, reducer, returned_types
from hlokit.mlir.provider.bindings import ir


def _counts(op: ir.Operation) -> str | None:
    # One operand holds the indices. If the number of operands is even, the bindings ignore the last.
    count = len(operand_types(op))
    return None if count % 2 else f"as many updates as inputs must be given, got {count} operands"


def _update_types(op: ir.Operation) -> str | None:
    return different_element_types(op, "updates", len(result_types(op)) + 1, "inputs")


def _gathered_type(op: ir.Operation) -> str | None:
    return different_element_type("result", result_types(op)[0], "operand", operand_types(op)[0])


CHECKS: Checks = {
    "dynamic_gather": {"C14": _gathered_type},
    "scatter": {
        "C5": _counts,
        "C6": _update_types,
        "C23": reducer("update_computation", 0),
        "C25": returned_types("update_computation", 0),
    },
}
