"""Prints hashes of arithmetic and functions of complex numbers: `python -m tests.unit.lib.functions.complex_hashes`."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from hlokit._kernels import find_operation
from hlokit.kernels.elementwise.native import complex_function
from hlokit.operations.lookup import opcode_names, operations, traits_of
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, ElementType

Array = np.ndarray[Any, Any]
TYPES = {"c64": COMPLEX_F32, "c128": COMPLEX_F64}
NAMES = {"multiply": 2, "divide": 2, "abs": 1}
# Operations by opcode.
FUNCTIONS = {
    name: operation
    for operation in operations()
    for name in opcode_names(operation)
    if traits_of(operation).ulps and find_operation(name, "complex<f64>", "complex<f64>") >= 0
} | {"sqrt": "stablehlo.sqrt", "sign": "stablehlo.sign"}
OPERANDS = NAMES | {name: 2 if name in ("power", "atan2") else 1 for name in FUNCTIONS}


def operands(element_type: ElementType, size: int) -> list[Array]:
    """Ordinary numbers, numbers of all magnitudes, and numbers with special parts."""
    rng = np.random.default_rng(size)
    dtype = element_type.part.dtype
    limits = np.finfo(dtype)
    special = [0, 1, -1.5, np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal, 2.0**-126]
    special = np.array([*special, *[-x for x in special]], dtype)
    parts: list[Array] = []
    for _ in range(4):
        usual = rng.normal(size=size).astype(dtype)
        exponents = rng.integers(limits.minexp - limits.nmant, limits.maxexp, size)
        far = np.ldexp(usual, np.where(rng.random(size) < 0.5, exponents, exponents // 4)).astype(dtype)
        kind = rng.integers(0, 10, size)
        parts.append(np.where(kind < 5, usual, np.where(kind < 8, far, rng.choice(special, size))))
    pairs = [np.stack(parts[i : i + 2], -1).view(element_type.dtype)[..., 0] for i in (0, 2)]
    return [np.ascontiguousarray(pair) for pair in pairs]


def results(name: str, element_type: ElementType, size: int) -> Array:
    """The results, with one NaN in place of all NaNs."""
    with np.errstate(all="ignore"):
        found = complex_function(name, element_type, OPERANDS[name])(
            *operands(element_type, size)[: OPERANDS[name]]
        )
    parts = found.view(element_type.part.dtype)
    return np.where(np.isnan(parts), np.nan, parts).astype(parts.dtype)


if __name__ == "__main__":
    hashes = {
        f"{name} of {spelled}": hashlib.sha256(results(name, element_type, 20_011).tobytes()).hexdigest()
        for spelled, element_type in TYPES.items()
        for name in OPERANDS
    }
    print(json.dumps(hashes))
