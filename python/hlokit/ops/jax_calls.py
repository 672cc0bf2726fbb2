"""The custom calls that JAX's CPU programs make, and markers of its compilers: the table at the end.

A function takes the operands (those that only tell shapes come last and are left alone) and gives the results
in LAPACK's order. `backend_config` has LAPACK's letters as their ASCII codes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.interpreter.custom_calls import CustomCall, custom_call
from hlokit.interpreter.registry import Value
from hlokit.ops import lapack
from hlokit.ops.blocks import Array
from hlokit.ops.chlo_structured import largest, ordinals
from hlokit.values.types import TensorType

Function = Callable[..., Any]


def _config(call: CustomCall) -> dict[str, Any]:
    for name in ("mhlo.backend_config", "backend_config"):
        config = call.attributes.get(name)
        if isinstance(config, dict):
            return cast("dict[str, Any]", config)
    return {}


def _letter(call: CustomCall, name: str) -> str:
    return chr(int(_config(call)[name]))


def _result(call: CustomCall, index: int) -> TensorType:
    type_ = call.result_types[index]
    if not isinstance(type_, TensorType):
        raise UnsupportedError(f"result {index} of custom call @{call.target} has type {type_}")
    return type_


def _as_results(call: CustomCall, values: tuple[Any, ...]) -> Any:
    """Values in the dtypes of the results; NumPy computes some in f64."""
    results = tuple(
        np.asarray(value).astype(_result(call, index).element_type.dtype, copy=False)
        for index, value in enumerate(values)
    )
    return results[0] if len(results) == 1 else results


# Linear algebra --------------------------------------------------------------------------------------


def potrf(a: Array, *_: Value, call: CustomCall) -> Any:
    return _as_results(call, lapack.potrf(a, _letter(call, "uplo") == "L"))


def getrf(a: Array, *_: Value, call: CustomCall) -> Any:
    return _as_results(call, lapack.getrf(a))


def lu_decomposition(a: Array, *_: Value, call: CustomCall) -> Any:
    packed, pivots, _info = lapack.getrf(a)
    return _as_results(call, (packed, pivots - 1, lapack.permutation(pivots - 1, a.shape[-2])))


def geqrf(a: Array, *_: Value, call: CustomCall) -> Any:
    return _as_results(call, lapack.geqrf(a))


def orgqr(a: Array, tau: Array, *_: Value, call: CustomCall) -> Any:
    return _as_results(call, (lapack.orgqr(a, tau),))


def gesdd(a: Array, *_: Value, call: CustomCall) -> Any:
    mode = _letter(call, "mode")
    if mode == "N":
        values, info = lapack.per_matrix(lambda x: (np.linalg.svd(x, compute_uv=False),), a)
        # Not asked for; where the type leaves a size open, it is 0.
        u, vt = (np.zeros(np.maximum(_result(call, index).dims, 0), a.dtype) for index in (2, 3))
    else:

        def svd(x: Array) -> tuple[Any, ...]:
            return tuple(np.linalg.svd(x, full_matrices=mode == "A"))

        u, values, vt, info = lapack.per_matrix(svd, a)
    return _as_results(call, (a, values, u, vt, info))


def syevd(a: Array, *_: Value, call: CustomCall) -> Any:
    uplo = "L" if _letter(call, "uplo") == "L" else "U"
    if _letter(call, "mode") == "N":
        values, info = lapack.per_matrix(lambda x: (np.linalg.eigvalsh(x, uplo),), a)
        return _as_results(call, (a, values, info))
    values, vectors, info = lapack.per_matrix(lambda x: tuple(np.linalg.eigh(x, uplo)), a)
    return _as_results(call, (vectors, values, info))


def geev(a: Array, *_: Value, call: CustomCall) -> Any:
    values, left, right, info = lapack.per_matrix(lapack.geev, a)
    if a.dtype.kind == "c":
        return _as_results(call, (values, left, right, info))
    return _as_results(call, (np.real(values), np.imag(values), left, right, info))


def trsm(a: Array, b: Array, *_: Value, call: CustomCall) -> Any:
    x = lapack.trsm(
        a,
        b,
        left=_letter(call, "side") == "L",
        lower=_letter(call, "uplo") == "L",
        transpose=_letter(call, "trans_x"),
        unit=_letter(call, "diag") == "U",
    )
    return _as_results(call, (x,))


def gehrd(a: Array, *_: Value, call: CustomCall) -> Any:
    config = _config(call)
    packed, tau = lapack.gehrd(a, int(config["low"]), int(config["high"]))
    return _as_results(call, (packed, tau, np.zeros(a.shape[:-2], np.int32)))


def sytrd(a: Array, *_: Value, call: CustomCall) -> Any:
    results = lapack.sytrd(a, _letter(call, "uplo") == "L")
    return _as_results(call, (*results, np.zeros(a.shape[:-2], np.int32)))


def gtsv(lower: Array, diagonal: Array, upper: Array, b: Array, *_: Value, call: CustomCall) -> Any:
    # JAX pads the off-diagonals to the length of the diagonal: the first of `lower`, the last of `upper`.
    x, info = lapack.gtsv(lower[..., -(diagonal.shape[-1] - 1) :], diagonal, upper, b)
    return _as_results(call, (lower, diagonal, upper, x, info))


# The greatest elements ---------------------------------------------------------------------------------


def top_k(operand: Array, *_: Value, call: CustomCall) -> Any:
    config: dict[str, Any] = {**_config(call), **cast("Any", call.attributes.get("mhlo.attributes") or {})}
    k = _result(call, 0).dims[-1]
    return _take_largest(call, operand, -1, k, bool(config.get("largest", True)))


def dynamic_top_k(operand: Array, k: Array, *_: Value, call: CustomCall) -> Any:
    return _take_largest(call, operand, -1, int(k), True)


def approx_top_k(*operands: Array, call: CustomCall) -> Any:
    """Exact: the recall is 1, which is at least what is asked for."""
    config = _config(call)
    dimension = int(config["reduction_dim"])
    comparator = str(call.attributes.get("called_computations"))
    if len(call.result_types) != 2 or not ("_gt_" in comparator or "_lt_" in comparator):
        raise UnsupportedError(f"ApproxTopK must have JAX's comparators, got {comparator}")
    k = _result(call, 0).dims[dimension]
    k = int(config["top_k"]) if k < 0 else k
    return _take_largest(call, operands[0], dimension, k, "_gt_" in comparator, operands[1])


def _take_largest(
    call: CustomCall, operand: Array, dimension: int, k: int, is_largest: bool, numbers: Array | None = None
) -> Any:
    """(values, indices, or what `numbers` has there)."""
    lanes = np.moveaxis(operand, dimension, -1)
    keys = ordinals(lanes, _result(call, 0).element_type)
    positions = largest(keys if is_largest else ~keys, k)
    values = np.take_along_axis(lanes, positions, -1)
    if numbers is not None:
        positions = np.take_along_axis(np.moveaxis(numbers, dimension, -1), positions, -1)
    results = tuple(np.moveaxis(result, -1, dimension) for result in (values, positions))
    return _as_results(call, results)


# Markers -------------------------------------------------------------------------------------------------


def identity(*operands: Value) -> Any:
    return operands[0] if len(operands) == 1 else operands


def allocate_buffer(*_: Value, call: CustomCall) -> Any:
    type_ = _result(call, 0)
    return np.zeros(type_.dims, type_.element_type.dtype)


# The table -----------------------------------------------------------------------------------------------

# LAPACK's names for the types f32, f64, complex<f32>, complex<f64>; and for complex ones if they differ.
_LAPACK: tuple[tuple[str, str, Function], ...] = (
    ("potrf", "potrf", potrf),
    ("getrf", "getrf", getrf),
    ("geqrf", "geqrf", geqrf),
    ("orgqr", "ungqr", orgqr),
    ("gesdd", "gesdd", gesdd),
    ("syevd", "heevd", syevd),
    ("geev", "geev", geev),
    ("trsm", "trsm", trsm),
    ("gehrd", "gehrd", gehrd),
    ("sytrd", "hetrd", sytrd),
    ("gtsv", "gtsv", gtsv),
)

JAX_CALLS: dict[str, Function] = {
    **{f"lapack_{letter}{real}_ffi": function for real, _, function in _LAPACK for letter in "sd"},
    **{f"lapack_{letter}{complex_}_ffi": function for _, complex_, function in _LAPACK for letter in "cz"},
    "Qr": geqrf,
    "ProductOfElementaryHouseholderReflectors": orgqr,
    "LuDecomposition": lu_decomposition,
    "TopK": top_k,
    "mhlo.topk": top_k,
    "stablehlo.dynamic_top_k": dynamic_top_k,
    "ApproxTopK": approx_top_k,
    "AllocateBuffer": allocate_buffer,
    **dict.fromkeys(
        (
            "Sharding",
            "SPMDFullToShardShape",
            "SPMDShardToFullShape",
            "LayoutConstraint",
            "annotate_device_placement",
            "MoveToHost",
            "MoveToDevice",
            "xla.sdy.FuncResultSharding",
            "xla.sdy.GlobalToLocalShape",
            "xla.sdy.LocalToGlobalShape",
        ),
        identity,
    ),
}

for _target, _function in JAX_CALLS.items():
    custom_call(_target)(_function)
