"""Tables of the custom calls that hlokit evaluates: calls in JAX's programs, and compiler markers.

A function takes the operands and returns the results. Functions ignore trailing operands that only state
shapes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.engine.contract.custom_calls import builtin_custom_call
from hlokit.engine.contract.registry import Value
from hlokit.errors import UnsupportedError
from hlokit.kernels.custom_calls import dynamic
from hlokit.kernels.custom_calls.accelerators import ACCELERATOR_CALLS
from hlokit.kernels.custom_calls.attention import ATTENTION_CALLS
from hlokit.kernels.custom_calls.convolutions import CONVOLUTION_CALLS
from hlokit.kernels.custom_calls.lapack import LAPACK_CALLS, OLD_LAPACK_CALLS
from hlokit.kernels.custom_calls.library_calls import LIBRARY_CALLS
from hlokit.kernels.custom_calls.matrix_products import MATRIX_CALLS
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.values.types import TensorType

Function = Callable[..., Any]

# Markers -------------------------------------------------------------------------------------------------


def identity(*operands: Value) -> Any:
    return operands[0] if len(operands) == 1 else operands


def reshard(*operands: Array, call: OwnCall) -> Any:
    """Conversion between global tensors and the shards of one device; on a single device they are equal."""
    if len(operands) != len(call.result_types):
        raise UnsupportedError(f"@{call.target} must have as many results as operands, {len(operands)}")
    for operand, operand_type, type_ in zip(operands, call.operand_types, call.result_types, strict=True):
        if isinstance(type_, TensorType) and type_.is_static and np.shape(operand) != type_.dims:
            raise UnsupportedError(
                f"@{call.target} splits {operand_type} among devices: programs must be partitioned before"
            )
    return identity(*operands)


def nothing(*_: Value) -> tuple[()]:
    return ()


def allocate_buffer(*_: Value, call: OwnCall) -> Any:
    """A buffer of unspecified contents, which are zeros here."""
    type_ = result_type(call, 0)
    return np.zeros(type_.dims, type_.element_type.dtype)


MARKERS: dict[str, Function] = {
    **dict.fromkeys(
        (
            "Sharding",
            "LayoutConstraint",
            "annotate_device_placement",
            "MoveToHost",
            "MoveToDevice",
            "xla.sdy.FuncResultSharding",
            "Pin",
            "Unpin",
        ),
        identity,
    ),
    **dict.fromkeys(
        (
            "SPMDFullToShardShape",
            "SPMDShardToFullShape",
            "xla.sdy.GlobalToLocalShape",
            "xla.sdy.LocalToGlobalShape",
        ),
        reshard,
    ),
    "CustomSPMDPartitioning": dynamic.partitioned,
    "InspectSharding": nothing,
    "dce_sink": nothing,
    **dict.fromkeys(("AllocateBuffer", "CreateBuffer"), allocate_buffer),
}

# Sparse matrices -----------------------------------------------------------------------------------------


def csr_times_dense(
    data: Array, row_ends: Array, columns: Array, rhs: Array, *_: Value, call: OwnCall
) -> Any:
    """A CSR matrix times a matrix or vector.

    Row i has the elements `data[row_ends[i] : row_ends[i + 1]]` in the columns at the same positions of
    `columns`.
    """
    rows = np.repeat(np.arange(row_ends.size - 1), np.diff(row_ends))
    wide = np.result_type(data.dtype, np.float64) if data.dtype.kind in "fc" else data.dtype
    result = np.zeros((row_ends.size - 1, *rhs.shape[1:]), wide)
    used = slice(int(row_ends[0]), int(row_ends[-1]))
    scaled = data[used].reshape(-1, *(1,) * (rhs.ndim - 1)) * rhs[columns[used]].astype(wide)
    np.add.at(result, rows, scaled)
    return as_results(call, (result,))


# The tables ----------------------------------------------------------------------------------------------

DYNAMIC_CALLS: dict[str, Function] = {
    "TopK": dynamic.top_k,
    "__gpu$TopK": dynamic.top_k,
    "mhlo.topk": dynamic.top_k,
    "ApproxTopK": dynamic.approx_top_k,
    "stablehlo.dynamic_approx_top_k": dynamic.dynamic_approx_top_k,
    "stablehlo.dynamic_reduce_window": dynamic.dynamic_reduce_window,
    "stablehlo.dynamic_rng_bit_generator": dynamic.dynamic_rng_bit_generator,
    "stablehlo.dynamic_top_k": dynamic.dynamic_top_k,
}

# Functions by target, by title of the family.
FAMILIES: dict[str, dict[str, Function]] = {
    "JAX on CPUs": {**LAPACK_CALLS, "cpu_csr_sparse_dense_ffi": csr_times_dense},
    "JAX on CPUs, exported before 2024": OLD_LAPACK_CALLS,
    "JAX on GPUs and TPUs": ACCELERATOR_CALLS,
    "Libraries that XLA's passes call": {
        **MATRIX_CALLS,
        **CONVOLUTION_CALLS,
        **ATTENTION_CALLS,
        **LIBRARY_CALLS,
    },
    "Dynamic shapes, greatest elements": DYNAMIC_CALLS,
    "Markers": MARKERS,
}

JAX_CALLS: dict[str, Function] = {
    target: function for family in FAMILIES.values() for target, function in family.items()
}

for _target, _function in JAX_CALLS.items():
    builtin_custom_call(_target)(_function)
