"""Computations that reduce: how their element type may differ from that of what they reduce."""

from __future__ import annotations

from hlokit.constraints.types import element_type, is_promotable, operands, returned
from hlokit.mlir.bindings import ir


def promotion(operation: ir.Operation, input_count: int) -> str | None:
    """Each of the first operands must be promotable to what the computation returns.

    The bindings compare floats of all widths as equal.
    """
    outputs = list(map(element_type, returned(operation)))
    for index, input_ in enumerate(map(element_type, operands(operation)[:input_count])):
        # One computation may serve several operands, as in all_reduce.
        output = outputs[index if len(outputs) == input_count else 0]
        if input_ is not None and output is not None and not is_promotable(input_, output):
            return (
                f"operand {index} must be promotable to what computation returns, got {input_} and {output}"
            )
    return None
