"""Rules for complex numbers: the radius of the result of an operation whose operand lies in a disc.

`x` is the operand of the run, `r` the radius of its disc, `z` the result. The functions are analytic, so a
bound of the derivative over the disc, or an addition theorem, bounds the distance. A disc that touches a
branch cut or a pole has no bound.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (NumPy's stubs know little of arrays of any type)

from __future__ import annotations

import numpy as np

from hlokit.tools.numerics.rules.bound_rules import Array, Given, tangent_spread


def exponential(given: Given) -> Array:
    """|exp(x + d) - exp(x)| = |exp(x)| |exp(d) - 1|."""
    return given.rounded(np.exp(np.real(given.x[0])) * np.expm1(given.r[0]))


def sine_or_cosine(given: Given) -> Array:
    """Sine and cosine: the difference is 2 f(x + d / 2) sin(d / 2), where |f| <= cosh(imag)."""
    r = given.r[0]
    return given.rounded(2 * np.cosh(np.abs(np.imag(given.x[0])) + r / 2) * np.sinh(r / 2))


def hyperbolic_sine_or_cosine(given: Given) -> Array:
    """sinh and cosh: the sine and cosine of i x."""
    r = given.r[0]
    return given.rounded(2 * np.cosh(np.abs(np.real(given.x[0])) + r / 2) * np.sinh(r / 2))


def tangent(given: Given) -> Array:
    """tan and tanh."""
    return given.rounded(tangent_spread(given.z, given.r[0], given.unit))


def logistic(given: Given) -> Array:
    """(1 + tanh(x / 2)) / 2."""
    return given.rounded(tangent_spread(2 * given.z - 1, given.r[0] / 2, 3 * given.unit) / 2)


def sqrt(given: Given) -> Array:
    """|f'(w)| = 1 / (2 sqrt|w|), and |w| >= |x| - r."""
    x, r = given.x[0], given.r[0]
    return _right_of_cut(x, r, given.rounded(r / (2 * np.sqrt(np.abs(x) - r))))


def rsqrt(given: Given) -> Array:
    x, r = given.x[0], given.r[0]
    return _right_of_cut(x, r, given.rounded(r / (2 * (np.abs(x) - r) ** 1.5)))


def cbrt(given: Given) -> Array:
    x, r = given.x[0], given.r[0]
    return _right_of_cut(x, r, given.rounded(r / (3 * np.cbrt(np.abs(x) - r) ** 2)))


def log(given: Given) -> Array:
    return given.rounded(_spread_of_log(given.x[0], given.r[0]))


def log_plus_one(given: Given) -> Array:
    return given.rounded(_spread_of_log(given.x[0] + 1, given.r[0]))


def power(given: Given) -> Array:
    """exp(rhs log(lhs))."""
    (a, b), (ra, rb) = given.x, given.r
    of_log = _spread_of_log(a, ra)
    spread = np.abs(b) * of_log + rb * (np.abs(np.log(a)) * (1 + 4 * given.unit) + of_log)
    return given.rounded(np.abs(given.z) * (1 + 4 * given.unit) * np.expm1(spread))


def sign(given: Given) -> Array:
    """x / |x|: the distance of two numbers of magnitude 1."""
    return given.rounded(np.minimum(2 * given.r[0] / np.abs(given.x[0]), 2))


def _spread_of_log(x: Array, r: Array) -> Array:
    """|f'(w)| = 1 / |w|."""
    return _right_of_cut(x, r, -np.log1p(-r / np.abs(x)))


def _right_of_cut(x: Array, r: Array, made: Array) -> Array:
    """Infinite where the disc touches the cut along the negative axis, or 0."""
    distance = np.where(np.real(x) > 0, np.abs(x), np.abs(np.imag(x)))
    return np.where(distance * (1 - 1e-12) > r, made, np.inf)
