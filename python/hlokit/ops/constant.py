"""Values that no operand determines."""

from __future__ import annotations

from hlokit.interpreter.registry import Constant, Operation, op


@op("stablehlo.constant")
def constant(operation: Operation) -> Constant:
    """spec "constant": output = value."""
    # Of rank 0, a NumPy scalar, with which operators are several times as fast as with an array.
    return Constant(operation.attributes.elements("value")[()])
