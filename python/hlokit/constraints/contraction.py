"""Strict checks of dot_general."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reading import different_element_type, is_quantized, precision_config
from hlokit.mlir.bindings import ir


def _element_types(op: ir.Operation) -> str | None:
    lhs, rhs, result = op.operands[0], op.operands[1], op.results[0]
    if any(map(is_quantized, (lhs, rhs, result))):
        return None
    return different_element_type("rhs", rhs, "lhs", lhs)


CHECKS: Checks = {"dot_general": {"C11": precision_config, "C13": _element_types}}
