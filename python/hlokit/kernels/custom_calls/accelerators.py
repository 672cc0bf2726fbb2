"""Custom calls of JAX programs that were exported for GPUs and TPUs, evaluated on the CPU.

The targets of CUDA and ROCm differ in the prefix. Their flags are booleans, unlike LAPACK's letters.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.engine.contract.generators import THREEFRY_PARITY, THREEFRY_ROTATIONS
from hlokit.engine.contract.registry import Value
from hlokit.errors import UnsupportedError
from hlokit.kernels.custom_calls.lapack import eigh, geqrf, getrf, orgqr, ormqr, svd
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.kernels.linalg import lapack

Function = Callable[..., Any]

# GPUs -------------------------------------------------------------------------------------------------


def potrf(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, lapack.potrf(a, bool(call.config["lower"])))


def syevd(a: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, eigh(a, bool(call.config["lower"])))


# rocBLAS's codes for the triangles of a matrix.
_UPPER, _LOWER = 121, 122


def old_syevd(a: Array, *_: Value, call: OwnCall) -> Any:
    """The configuration is a C structure: a code for the type, a code for the triangle, then sizes."""
    opaque = call.attributes.get("backend_config")
    encoded = opaque.encode("latin-1") if isinstance(opaque, str) else opaque
    if not isinstance(encoded, bytes) or len(encoded) < 8:
        raise UnsupportedError(f"@{call.target} must have the configuration of JAX, got {opaque!r}")
    (triangle,) = struct.unpack_from("<i", encoded, 4)
    if triangle not in (_UPPER, _LOWER):
        raise UnsupportedError(f"@{call.target}: the triangle must be {_UPPER} or {_LOWER}, got {triangle}")
    return as_results(call, eigh(a, triangle == _LOWER))


def gesvd(a: Array, *_: Value, call: OwnCall) -> Any:
    """(a, values, u, vt, info); vt precedes u if the call is `transposed`, which only changes its layout."""
    flags = call.config
    values = svd(a, bool(flags["compute_uv"]), bool(flags["full_matrices"]), call)
    if flags.get("transposed"):
        first, numbers, u, vt, info = values
        values = (first, numbers, vt, u, info)
    if not flags["compute_uv"]:
        values = (*values[:2], *(np.zeros(result_type(call, at).dims, a.dtype) for at in (2, 3)), values[4])
    return as_results(call, values)


def gesvdj(a: Array, *_: Value, call: OwnCall) -> Any:
    """(a, values, u, v, info), with v in place of its adjoint."""
    first, numbers, u, vt, info = svd(a, True, result_type(call, 2).dims[-1] == a.shape[-2], call)
    return as_results(call, (first, numbers, u, np.conj(np.swapaxes(vt, -1, -2)), info))


def sytrd(a: Array, *_: Value, call: OwnCall) -> Any:
    results = lapack.sytrd(a, bool(call.config["lower"]))
    return as_results(call, (*results, np.zeros(a.shape[:-2], np.int32)))


def gtsv(lower: Array, diagonal: Array, upper: Array, b: Array, *_: Value, call: OwnCall) -> Any:
    return as_results(call, (lapack.gtsv(lower, diagonal, upper, b)[0],))


def pivots_to_permutation(pivots: Array, *_: Value, call: OwnCall) -> Any:
    """The permutation that swaps of row i with row pivots[i] produce; pivots out of range swap nothing."""
    rows = result_type(call, 0).dims[-1]
    swaps = np.where((pivots >= 0) & (pivots < rows), pivots, np.arange(pivots.shape[-1], dtype=pivots.dtype))
    return as_results(call, (lapack.permutation(swaps, rows),))


def threefry2x32(key0: Array, key1: Array, x0: Array, x1: Array, *_: Value, call: OwnCall) -> Any:
    """20 rounds of Threefry-2x32 on the counters (x0, x1), each with its own key."""
    keys = (key0, key1, key0 ^ key1 ^ np.uint32(THREEFRY_PARITY))
    x0, x1 = x0 + key0, x1 + key1
    for group in range(5):
        for rotation in THREEFRY_ROTATIONS[group % 2]:
            x0 = x0 + x1
            x1 = ((x1 << np.uint32(rotation)) | (x1 >> np.uint32(32 - rotation))) ^ x0
        x0 = x0 + keys[(group + 1) % 3]
        x1 = x1 + keys[(group + 2) % 3] + np.uint32(group + 1)
    return as_results(call, (x0, x1))


# TPUs -------------------------------------------------------------------------------------------------


def tpu_eigh(a: Array, *_: Value, call: OwnCall) -> Any:
    """The configuration is text: lower, sorted, sweeps, tolerance."""
    lower = str(call.attributes.get("backend_config")).startswith("1")
    return as_results(call, eigh(a, lower)[:2])


def lu_decomposition(a: Array, *_: Value, call: OwnCall) -> Any:
    packed, pivots, _info = lapack.getrf(a)
    return as_results(call, (packed, pivots - 1, lapack.permutation(pivots - 1, a.shape[-2])))


# The table --------------------------------------------------------------------------------------------

# Prefixes of CUDA and ROCm, for JAX's own kernels and for solver libraries.
_OWN, _SOLVER = ("cu", "hip"), ("cusolver", "hipsolver")

ACCELERATOR_CALLS: dict[str, Function] = {
    **{
        f"{prefix}_{name}_ffi": function
        for prefix in _SOLVER
        for name, function in (
            ("potrf", potrf),
            ("getrf", getrf),
            ("geqrf", geqrf),
            ("orgqr", orgqr),
            ("ormqr", ormqr),
            ("syevd", syevd),
            ("gesvd", gesvd),
            ("gesdd", gesvd),
            ("gesvdj", gesvdj),
            ("gesvdp", gesvdj),
            ("sytrd", sytrd),
        )
    },
    **{f"{prefix}_threefry2x32_ffi": threefry2x32 for prefix in _OWN},
    **{f"{prefix}_lu_pivots_to_permutation": pivots_to_permutation for prefix in _OWN},
    **{f"{prefix}sparse_gtsv2_ffi": gtsv for prefix in _OWN},
    "hipsolver_syevd": old_syevd,
    "hipsolver_syevj": old_syevd,
    "Eigh": tpu_eigh,
    "Qr": geqrf,
    "ProductOfElementaryHouseholderReflectors": orgqr,
    "LuDecomposition": lu_decomposition,
}
