"""Complex functions of operands with an infinite or NaN part, and at poles: the values of C99, Annex G.

The C library computes most functions; the others are composed of functions of the C library. The values
are zeros, infinities, NaN and simple multiples of pi, which a computation in f64 does not round twice.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Limit = Callable[[complex], complex]


def _of_c_library(function: Callable[[Any], Any]) -> Limit:
    def limit(z: complex) -> complex:
        parts = [math.nan if math.isnan(part) else part for part in (z.real, z.imag)]  # NaNs without sign
        with np.errstate(all="ignore"):
            return complex(function(np.complex128(complex(*parts))))

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
    exponential = exp(z)
    return complex(exponential.real - 1, exponential.imag)


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
        return complex(_zero_like(root.real), -_zero_like(root.imag))
    return complex(math.inf if z == 0 else math.nan, math.nan)


def _zero_like(x: float) -> float:
    """0 with the sign of a number, positive for NaN."""
    return 0.0 if math.isnan(x) else math.copysign(0.0, x)


def cbrt(z: complex) -> complex:
    """The principal cube root: the cube root of the magnitude, a third of the angle."""
    radius, angle = math.cbrt(abs(z)), math.atan2(z.imag, z.real) / 3
    if angle == 0:  # on the positive real axis, 0 times infinity is 0
        return complex(radius, angle)
    if math.isinf(radius) and math.isnan(angle):
        return complex(radius, math.nan)
    return complex(radius * math.cos(angle), radius * math.sin(angle))


def power(x: complex, y: complex) -> complex:
    """0 to a power with a positive real part is 0, and any number to the power of 0 is 1.

    If a part is infinite or NaN, the result is exp(y log(x)) by the rules of C99 for products.
    """
    if y == 0:
        return 1 + 0j
    if x == 0:
        return 0j if y.real > 0 and not math.isnan(y.imag) else complex(math.nan, math.nan)
    with np.errstate(all="ignore"):
        return exp(_product(y, log(x)))


def _product(a: complex, b: complex) -> complex:
    """An infinite number times a nonzero number is infinite. Source: C99, Annex G.5.1."""
    product = complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)
    if not (cmath.isinf(a) or cmath.isinf(b)) or not (math.isnan(product.real) and math.isnan(product.imag)):
        return product
    c, d = (_on_unit_square(a, b), _on_unit_square(b, a))
    return complex(
        math.inf * (c.real * d.real - c.imag * d.imag), math.inf * (c.real * d.imag + c.imag * d.real)
    )


def _on_unit_square(factor: complex, other: complex) -> complex:
    """A factor as C99 replaces it: in an infinite number, infinite parts become 1 and other parts 0, with
    their signs; a NaN becomes 0 if either factor is infinite."""

    def of_part(part: float) -> float:
        if cmath.isinf(factor):
            return 0.0 if math.isnan(part) else math.copysign(1.0 if math.isinf(part) else 0.0, part)
        return 0.0 if cmath.isinf(other) and math.isnan(part) else part

    return complex(of_part(factor.real), of_part(factor.imag))


def atan2(y: complex, x: complex) -> complex:
    """The angle for real operands; otherwise NaN. At poles the imaginary part is infinite."""
    if cmath.isnan(y) or cmath.isnan(x):
        return complex(math.nan, math.nan)
    if y.imag == x.imag == 0:
        return complex(math.atan2(y.real, x.real), 0.0)
    if cmath.isinf(y) or cmath.isinf(x):
        return complex(math.nan, math.nan)
    return complex(math.nan, math.inf if x.real == y.imag and x.imag == -y.real else -math.inf)
