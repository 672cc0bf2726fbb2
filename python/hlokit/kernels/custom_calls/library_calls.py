"""Other calls of libraries that XLA's passes make: norms, softmax, sorts, solvers, halves of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.kernels.custom_calls.activations import exponential, float_of
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type, result_types
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.linalg import lapack
from hlokit.kernels.regions.top_k import ordinals
from hlokit.values.types import TensorType

# Norms --------------------------------------------------------------------------------------------------


def cudnn_norm(x: Array, scale: Array, *rest: Array, call: OwnCall) -> Any:
    """A layer norm of all dimensions but the first: (y, mean and 1 / deviation if they are asked for)."""
    config: dict[str, Any] = call.config.get("cudnn_norm_backend_config", {})
    kind = config.get("kind", "LAYER_FWD_INFER")
    rows = x.reshape(x.shape[0], -1).astype(np.float64)
    wide = scale.reshape(-1).astype(np.float64)
    column = (-1, *(1,) * (x.ndim - 1))
    if kind == "LAYER_BWD":
        gradient, mean, factor = (operand.reshape(x.shape[0], -1).astype(np.float64) for operand in rest[:3])
        normal = (rows - mean) * factor
        of_normal = gradient * wide
        shift = of_normal.mean(1, keepdims=True) + normal * (of_normal * normal).mean(1, keepdims=True)
        results = ((of_normal - shift) * factor).reshape(x.shape)
        of_scale, of_bias = (gradient * normal).sum(0), gradient.sum(0)
        return as_results(call, (results, of_scale.reshape(scale.shape), of_bias.reshape(scale.shape)))
    if kind not in ("LAYER_FWD_INFER", "LAYER_FWD_TRAIN"):
        raise UnsupportedError(f"@{call.target}: no function is known for the kind {kind}")
    mean, factor = _moments(rows, float(config.get("epsilon", 0)))
    y = ((rows - mean) * factor * wide + rest[0].reshape(-1).astype(np.float64)).reshape(x.shape)
    moments = (mean.reshape(column), factor.reshape(column)) if kind == "LAYER_FWD_TRAIN" else ()
    return as_results(call, (y, *moments))


def _moments(rows: Array, epsilon: float) -> tuple[Array, Array]:
    """Mean and 1 / deviation of each row."""
    mean = rows.mean(-1, keepdims=True)
    return mean, 1 / np.sqrt(((rows - mean) ** 2).mean(-1, keepdims=True) + epsilon)


def onednn_layer_norm(x: Array, *rest: Array, call: OwnCall) -> Any:
    """A layer norm of the last dimension, with the scale and shift that the call has."""
    config: dict[str, Any] = call.config.get("onednn_layer_norm_config", {})
    mean, factor = _moments(x.astype(np.float64), float_of(config.get("epsilon_typecast", 0)))
    y = (x - mean) * factor
    operands = [operand.astype(np.float64) for operand in rest]
    rescale = config.get("rescale", config.get("fused_ops", "UNDEFINED"))
    if "SCALE" in str(rescale):
        y = y * operands.pop(0)
    if "SHIFT" in str(rescale):
        y = y + operands.pop(0)
    return as_results(call, (y,))


def onednn_softmax(x: Array, *_: Array, call: OwnCall) -> Any:
    config: dict[str, Any] = call.config.get("onednn_softmax_config", {})
    axis = int(config.get("softmax_axis", x.ndim - 1))
    wide = x.astype(np.float64)
    powers = exponential(wide - wide.max(axis, keepdims=True))
    return as_results(call, (powers / powers.sum(axis, keepdims=True),))


# Sorts --------------------------------------------------------------------------------------------------


def radix_sort(keys: Array, *values: Array, call: OwnCall) -> Any:
    """Keys along the last dimension, and values that move with them. The sort is stable; CUB takes both zeros
    as equal, and NaNs in the order of their bits."""
    ordered = ordinals(np.where(keys == 0, keys.dtype.type(0), keys), result_type(call, 0).element_type)
    if call.config.get("descending"):
        ordered = ~ordered
    order = np.argsort(ordered, -1, kind="stable")
    return as_results(call, tuple([np.take_along_axis(array, order, -1) for array in (keys, *values)]))


# Solvers ------------------------------------------------------------------------------------------------

_TRANSPOSES = {"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}


def cusolver_cholesky(a: Array, *_: Array, call: OwnCall) -> Any:
    """(factor, workspace, info)"""
    factor, info = lapack.potrf(a, bool(call.config.get("lower")))
    types = result_types(call)
    return as_results(call, (factor, np.zeros(_dims(types[1])), info))


def _dims(type_: Any) -> tuple[int, ...]:
    return type_.dims if isinstance(type_, TensorType) else ()


def triangular_solve(a: Array, b: Array, *_: Array, call: OwnCall) -> Any:
    config = call.config
    solution = lapack.trsm(
        a,
        b,
        left=bool(config.get("left_side")),
        lower=bool(config.get("lower")),
        transpose=_TRANSPOSES[str(config.get("transpose_a", "NO_TRANSPOSE"))],
        unit=bool(config.get("unit_diagonal")),
    )
    return as_results(call, (solution,))


# Halves of 64-bit numbers on TPUs -------------------------------------------------------------------------


def low_half(x: Array, *, call: OwnCall) -> Any:
    return as_results(call, ((x.astype(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.uint32),))


def high_half(x: Array, *, call: OwnCall) -> Any:
    return as_results(call, ((x.astype(np.uint64) >> np.uint64(32)).astype(np.uint32),))


def combined(low: Array, high: Array, *, call: OwnCall) -> Any:
    return as_results(call, (low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32),))


LIBRARY_CALLS: dict[str, Callable[..., Any]] = {
    "__cudnn$norm": cudnn_norm,
    "__onednn$layernorm": onednn_layer_norm,
    "__onednn$softmax": onednn_softmax,
    "__cub$DeviceRadixSort": radix_sort,
    "__cub$DeviceRadixSortUnassignedScratchSize": radix_sort,
    "__cusolver$cholesky": cusolver_cholesky,
    "__cublas$triangularSolve": triangular_solve,
    "X64SplitLow": low_half,
    "X64SplitHigh": high_half,
    "X64Combine": combined,
}
