"""Values that no operand determines."""

from __future__ import annotations

from hlokit.interpreter.registry import Constant, Operation, op


@op("stablehlo.constant")
def constant(operation: Operation) -> Constant:
    """spec "constant": output = value."""
    return Constant(operation.attributes.elements("value"))
