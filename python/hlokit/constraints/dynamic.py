"""Strict checks of operations whose shapes are operands.

The bindings compare a shape operand with the result only if it is a constant, and compare the quantization of
operand and result only if both are quantized per tensor or both per axis.
"""

from __future__ import annotations

from hlokit.constraints.checks import Check, Checks
from hlokit.constraints.reading import (
    constant_operand,
    different_element_type,
    different_shape,
    operand_types,
    result_types,
)
from hlokit.mlir.provider.bindings import ir
from hlokit.values.quantized import QuantizedType


def _quantization(op: ir.Operation) -> str | None:
    operand_type, result_type = operand_types(op)[0], result_types(op)[0]
    operand, result = operand_type.element_type, result_type.element_type
    if not isinstance(operand, QuantizedType) or operand.axis is None:
        return different_element_type("result", result_type, "operand", operand_type)
    if not isinstance(result, QuantizedType) or result.axis is None:
        return f"result must be quantized per axis like operand, got {result}"
    must, got = ((type_.storage, type_.expressed) for type_ in (operand, result))
    limits = ((type_.storage_min, type_.storage_max) for type_ in (operand, result))
    if must == got and len(set(limits)) == 1:
        return None
    texts = [f"{storage} and {expressed}" for storage, expressed in (must, got)]
    return f"result must have the storage and expressed type of operand, {texts[0]}, got {texts[1]}"


def _size_is_rank(name: str, index: int) -> Check:
    def check(op: ir.Operation) -> str | None:
        must, got = result_types(op)[0].rank, operand_types(op)[index].dims[0]
        return None if got in (must, -1) else f"{name} must have size {must}, got {got}"

    return check


def _padded_shape(op: ir.Operation) -> str | None:
    low, high, interior = (constant_operand(op, index) for index in (2, 3, 4))
    if low is None or high is None or interior is None:
        return None
    dims = operand_types(op)[0].dims
    shape = [
        -1 if size < 0 else size + low[i] + max(size - 1, 0) * interior[i] + high[i]
        for i, size in enumerate(dims)
    ]
    return different_shape("result", result_types(op)[0], shape)


CHECKS: Checks = {
    "dynamic_broadcast_in_dim": {"C1": _quantization, "C7": _size_is_rank("output_dimensions", 1)},
    "dynamic_iota": {"C2": _size_is_rank("output_shape", 0)},
    "dynamic_pad": {"C4": _padded_shape},
    "dynamic_reshape": {"C1": _quantization},
}
