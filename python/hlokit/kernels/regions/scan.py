"""chlo.scan: a loop over the slices of arrays along one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.engine.contract.canonical_nan import canonical_of
from hlokit.engine.contract.interrupts import interruptible
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.plan.block import plan_of
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.values.types import TensorType


def scan(operation: Operation) -> Kernel:
    """(outputs..., carries...): carry = inits; for each slice i of the inputs along `dimension`, in reverse
    order if is_reverse: outputs[i], carry = body(inputs[i]..., carry...).
    """
    attributes = operation.attributes
    dimension = attributes.int_("dimension")
    is_reverse = attributes.bool_("is_reverse", False)
    size = attributes.int_("scan_dim_size", 0)
    input_count, _ = attributes.ints("operandSegmentSizes")
    output_count, _ = attributes.ints("resultSegmentSizes")
    operand_count = len(operation.operand_types)
    (body,) = operation.regions
    ufunc = _accumulated(body) if operand_count == 2 and input_count == output_count == 1 else None
    output_types = [operation.result(index) for index in range(output_count)]

    def loop(*operands: Value) -> Any:
        inputs = [np.moveaxis(operand, dimension, 0) for operand in operands[:input_count]]
        carries, captured = operands[input_count:operand_count], operands[operand_count:]
        count = inputs[0].shape[0] if inputs else size
        outputs: list[list[Value]] = [[] for _ in range(output_count)]
        for index in reversed(range(count)) if is_reverse else range(count):
            results = body(*[input_[index] for input_ in inputs], *carries, *captured)
            results = (results,) if len(plan_of(body).outputs) == 1 else results
            for output, value in zip(outputs, results, strict=False):
                output.append(value)
            carries = results[output_count:]
        stacked = [
            _stack(values[::-1] if is_reverse else values, type_, dimension, inputs)
            for values, type_ in zip(outputs, output_types, strict=True)
        ]
        results = (*stacked, *carries)
        return results[0] if len(results) == 1 else results

    def accumulate(input_: Value, init: Value) -> Any:
        assert ufunc is not None
        lanes = np.moveaxis(input_, dimension, 0)
        lanes = lanes[::-1] if is_reverse else lanes
        whole = np.concatenate([np.asarray(init)[np.newaxis], lanes])
        sums = canonical_of(interruptible(ufunc.accumulate, whole, 0, whole.dtype))
        output = sums[:0:-1] if is_reverse else sums[1:]
        return np.moveaxis(output, 0, dimension), sums[-1]

    return Kernel(loop if ufunc is None else accumulate)


def _accumulated(body: Region) -> np.ufunc | None:
    """The commutative ufunc that computes both results from input and carry; None for other bodies.

    Maximum and minimum are excluded because ufuncs do not define the sign of a zero.
    """
    if len(plan_of(body).steps) != 1:
        return None
    (step,) = plan_of(body).steps
    if sorted(step.operands) != [0, 1] or plan_of(body).outputs != step.results * 2:
        return None
    return step.kernel.ufunc if step.kernel.ufunc in (np.add, np.multiply) else None


def _stack(values: Sequence[Value], type_: TensorType, dimension: int, inputs: Sequence[Array]) -> Array:
    if values:
        return np.stack(values, dimension)
    # If there are no slices, a dynamic size is the size of the input, or 0.
    like = inputs[0].shape[1:] if inputs else ()
    rest = [*like[:dimension], 0, *like[dimension:]]
    shape = [rest[d] if size < 0 and d < len(rest) else max(size, 0) for d, size in enumerate(type_.dims)]
    return np.empty(shape, type_.element_type.dtype)
