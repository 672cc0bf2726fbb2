"""Difficult elements of each type: zeros, infinities, NaN, halves, edges of ranges."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.values.element_types import ELEMENT_TYPES, Kind

Array = npt.NDArray[Any]

_HALVES = (0.5, 0.49999997, 1.0, 1.5, 2.5, 3.0, 126.5, 127.5)
_NUMBERS = (0.1, 7.3, 88.5, 1e-3, 2.0**23, 2.0**24 + 2, 2.0**31, 2.0**53 - 1, 2.0**63)
_EDGES = (0.0, np.inf, np.nan, 1e-45, 1e-40, 3.4e38, 1e300, 1e-310)


_PAIRS = (
    (0.0, -0.0, 0.0, -0.0, np.nan, 1.5),
    (-0.0, 0.0, 0.0, -0.0, 1.5, np.nan),
    (np.nan, 1.0, -0.0, 0.0, 2.5, -1.0),
)


@cache
def special_values(type_: str) -> Array:
    """All of a type."""
    dtype, kind = ELEMENT_TYPES[type_].dtype, ELEMENT_TYPES[type_].kind
    if kind is Kind.BOOL:
        return np.array([False, True])
    if kind is Kind.COMPLEX:
        parts = special_values("f32" if type_ == "complex<f32>" else "f64")
        made = np.empty(parts.size, dtype)
        made.real, made.imag = parts, np.roll(parts, 7)
        return made
    if kind is Kind.FLOAT:
        values = np.array([*_HALVES, *_NUMBERS, *_EDGES])
        with np.errstate(all="ignore"):
            return np.concatenate([values, -values]).astype(dtype)
    width, signed = ELEMENT_TYPES[type_].width, kind is Kind.SIGNED
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    edges = (
        0,
        1,
        2,
        3,
        7,
        8,
        15,
        31,
        32,
        63,
        100,
        high,
        high - 1,
        high // 2 + 1,
        low,
        low + 1,
        -1,
        -2,
        -7,
        -63,
    )
    return np.array(sorted({edge for edge in edges if low <= edge <= high}), dtype)


def picked(types: tuple[str, ...], size: int, seed: int = 0) -> list[Array]:
    """An array of each type: at first pairs of zeros and NaN, then special values, at the end any bits."""
    rng = np.random.default_rng(seed)
    found: list[Array] = []
    for index, type_ in enumerate(types):
        element_type, values = ELEMENT_TYPES[type_], special_values(type_)
        array = rng.choice(values, size)
        if index == 0:
            array[: values.size] = rng.permutation(values)[:size]
        if element_type.kind is Kind.FLOAT:
            array[: len(_PAIRS[0])] = np.array(_PAIRS[index % 3]).astype(array.dtype)
        whole = element_type.kind in (Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT) and element_type.width % 8 == 0
        if whole:
            array[-(size // 8) :] = np.frombuffer(rng.bytes(size // 8 * array.itemsize), array.dtype)
        found.append(array)
    return found
