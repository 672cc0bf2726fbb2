"""Strict checks of dot_general."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reading import (
    different_element_type,
    is_any_quantized,
    operand_types,
    precision_config,
)
from hlokit.mlir.provider.bindings import ir


def _element_types(op: ir.Operation) -> str | None:
    if is_any_quantized(op):
        return None
    lhs, rhs = operand_types(op)
    return different_element_type("rhs", rhs, "lhs", lhs)


CHECKS: Checks = {"dot_general": {"C11": precision_config, "C13": _element_types}}
