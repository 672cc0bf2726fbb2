"""Complex functions where a part of the operand is infinite or NaN, and at poles: the values of C99, Annex G.

The C library has most of them; what C99 does not define is composed of these. Values are zeros, infinities,
NaN and simple multiples of pi, so that computing them in f64 rounds nothing twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Limit = Callable[[complex], complex]


def _of_c_library(function: Callable[[Any], Any]) -> Limit:
    def limit(z: complex) -> complex:
        with np.errstate(all="ignore"):
            return complex(function(np.complex128(z)))

    return limit


exp = _of_c_library(np.exp)
log = _of_c_library(np.log)
sqrt = _of_c_library(np.sqrt)
sin, cos, tan = (_of_c_library(function) for function in (np.sin, np.cos, np.tan))
sinh, cosh, tanh = (_of_c_library(function) for function in (np.sinh, np.cosh, np.tanh))
asin, acos, atan = (_of_c_library(function) for function in (np.arcsin, np.arccos, np.arctan))
asinh, acosh, atanh = (_of_c_library(function) for function in (np.arcsinh, np.arccosh, np.arctanh))


def expm1(z: complex) -> complex:
    """exp(z) - 1"""
    found = exp(z)
    return complex(found.real - 1, found.imag)


def log1p(z: complex) -> complex:
    """log(1 + z)"""
    return log(complex(1 + z.real, z.imag))


def logistic(z: complex) -> complex:
    """w / (1 + w) with w = exp(z) to the left of the imaginary axis, else 1 / (1 + exp(-z))."""
    is_left = z.real < 0
    w = exp(z) if is_left else exp(-z)
    divisor = 1 + w.real
    norm = divisor * divisor + w.imag * w.imag
    if not is_left:
        return complex(divisor / norm, -w.imag / norm)
    square = w.imag * w.imag
    product = w.real * divisor
    return complex((product + square if square else product) / norm, w.imag / norm)


def rsqrt(z: complex) -> complex:
    """1 / sqrt(z); infinity + i NaN at 0."""
    root = sqrt(z)
    if math.isinf(root.real) or math.isinf(root.imag):
        return complex(math.copysign(0.0, root.real), math.copysign(0.0, -root.imag))
    return complex(math.inf if z == 0 else math.nan, math.nan)


def cbrt(z: complex) -> complex:
    """A third of the angle, the cube root of the magnitude."""
    radius, angle = math.cbrt(abs(z)), math.atan2(z.imag, z.real) / 3
    if angle == 0:  # on the positive real axis, 0 times infinity is 0
        return complex(radius, angle)
    if math.isinf(radius) and math.isnan(angle):
        return complex(radius, math.nan)
    return complex(radius * math.cos(angle), radius * math.sin(angle))


def power(x: complex, y: complex) -> complex:
    """exp(y log(x)), as the C library has it; 0 to what has a positive real part is 0."""
    if x == 0 and y.real > 0:
        return 0j
    with np.errstate(all="ignore"):
        return complex(np.power(np.complex128(x), np.complex128(y)))
