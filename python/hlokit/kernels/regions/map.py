"""map: apply a computation to every element."""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value


def map_(operation: Operation) -> Kernel:
    """spec "map": result[result_index] = computation(inputs...[result_index])."""
    (computation,) = operation.regions
    count = len(operation.operand_types)
    dtype = operation.result().element_type.dtype

    def vectorized(*values: Value) -> Value:
        result = computation.vectorized(*values)
        shape = values[0].shape
        return result if result.shape == shape else np.broadcast_to(result, shape)

    def scalar_loop(*values: Value) -> Value:
        inputs, captured = [np.asarray(value) for value in values[:count]], values[count:]
        result = np.empty(inputs[0].shape, dtype)
        for index in np.ndindex(result.shape):
            result[index] = computation(*[value[index] for value in inputs], *captured)
        return result

    return Kernel(vectorized if computation.is_pointwise else scalar_loop)
