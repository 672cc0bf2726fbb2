"""NumPy definitions, in longdouble, of operations that hlokit's own kernels compute in f64 at most."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.contract.registry import Kernel, Operation, Value
from hlokit.errors import UnsupportedError
from hlokit.ops.elementwise.compare_and_select import COMPARISONS
from hlokit.ops.regions.reduce import argument_dtypes
from hlokit.ops.regions.reducers import combine_function, find_reducer, tree_reduce

Array = npt.NDArray[Any]


def compare(operation: Operation) -> Kernel:
    """Comparisons in regions. (Comparisons outside of regions keep the results of the run.)"""
    if operation.attributes.enum("compare_type", "") == "TOTALORDER":
        raise UnsupportedError("compares the bits of its type")
    ufunc, _ = COMPARISONS[operation.attributes.enum("comparison_direction")]
    return Kernel(ufunc, pointwise=True, ufunc=ufunc)


def einsum(operation: Operation) -> Kernel:
    """One or two operands."""
    config = operation.attributes.string("einsum_config").replace(" ", "")

    def kernel(*operands: Value) -> Value:
        return np.asarray(np.einsum(config, *operands, optimize=True))

    return Kernel(kernel)


def reduction(operation: Operation) -> Kernel:
    """A known body becomes a ufunc, and a pointwise body a balanced tree; any other body is applied value by
    value."""
    count, axes = len(operation.result_types), tuple(operation.attributes.ints("dimensions"))
    (body,) = operation.regions
    reducer = find_reducer(body) if count == 1 else None
    if reducer is not None:
        return Kernel(partial(_reduced, reducer.ufunc, axes))
    dtypes = argument_dtypes(body, count)

    def kernel(*values: Value) -> Value:
        inputs, inits = (
            tuple([np.asarray(value, dtype) for value, dtype in zip(some, dtypes, strict=False)])
            for some in (values, values[count:])
        )
        captured = values[2 * count :]
        apply = combine_function(body, count, captured)
        rows = tuple([_reduced_first(array, axes) for array in inputs])
        init = tuple([np.broadcast_to(value, rows[0].shape[1:]) for value in inits])
        results = apply(init, tree_reduce(apply, rows)) if rows[0].size else init
        return results[0] if count == 1 else results

    return Kernel(kernel)


def _reduced(ufunc: np.ufunc, axes: tuple[int, ...], operand: Value, init: Value) -> Value:
    return ufunc(ufunc.reduce(operand, axes), init)


def _reduced_first(array: Array, axes: tuple[int, ...]) -> Array:
    kept = [axis for axis in range(array.ndim) if axis not in axes]
    size = prod(array.shape[axis] for axis in axes)
    return array.transpose([*axes, *kept]).reshape([size, *(array.shape[axis] for axis in kept)])


def batch_norm(operation: Operation) -> Kernel:
    """batch_norm_inference, batch_norm_training or batch_norm_grad."""
    feature = operation.attributes.int_("feature_index")
    epsilon = operation.attributes.float_("epsilon")
    others = tuple(axis for axis in range(operation.operand().rank) if axis != feature)

    def along(values: Array) -> Array:
        return np.expand_dims(values, others)

    def inference(operand: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
        factor = along(scale / np.sqrt(variance + epsilon))
        return (operand - along(mean)) * factor + along(offset)

    def training(operand: Array, scale: Array, offset: Array) -> tuple[Array, Array, Array]:
        mean = np.mean(operand, others)
        variance = np.mean(np.square(operand - along(mean)), others)
        return inference(operand, scale, offset, mean, variance), mean, variance

    def gradients(
        operand: Array, scale: Array, mean: Array, variance: Array, gradient: Array
    ) -> tuple[Array, Array, Array]:
        centered, spread = operand - along(mean), variance + epsilon
        product = np.sum(gradient * centered, others)
        inner = along(np.mean(gradient, others)) + centered * along(
            np.mean(gradient * centered, others) / spread
        )
        of_operand = (gradient - inner) * along(scale / np.sqrt(spread))
        return of_operand, product / np.sqrt(spread), np.sum(gradient, others)

    kernels: dict[str, Callable[..., Any]] = {
        "stablehlo.batch_norm_inference": inference,
        "stablehlo.batch_norm_training": training,
        "stablehlo.batch_norm_grad": gradients,
    }
    return Kernel(kernels[operation.name])


WIDE_KERNELS: dict[str, Callable[[Operation], Kernel]] = {
    "stablehlo.batch_norm_grad": batch_norm,
    "stablehlo.batch_norm_inference": batch_norm,
    "stablehlo.batch_norm_training": batch_norm,
    "stablehlo.compare": compare,
    "stablehlo.einsum": einsum,
    "stablehlo.reduce": reduction,
    "stablehlo.unary_einsum": einsum,
}
