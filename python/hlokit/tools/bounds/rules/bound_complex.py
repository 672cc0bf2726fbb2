"""Rules for complex numbers: the radius of the result of an operation whose operand lies in a disc.

`x` is the operand of the run, `r` the radius of its disc, `z` the result. The functions are analytic, so a
bound of the derivative over the disc, or an addition theorem, bounds the distance. A disc that touches a
branch cut or a pole has no bound.
"""

from __future__ import annotations

import numpy as np

from hlokit.tools.bounds.rules.bound_rules import Array, ElementwiseOperation, tangent_spread


def exponential(op: ElementwiseOperation) -> Array:
    """|exp(x + d) - exp(x)| = |exp(x)| |exp(d) - 1|."""
    return op.rounded(np.exp(np.real(op.x[0])) * np.expm1(op.r[0]))


def sine_or_cosine(op: ElementwiseOperation) -> Array:
    """Sine and cosine: the difference is 2 f(x + d / 2) sin(d / 2), where |f| <= cosh(imag)."""
    r = op.r[0]
    return op.rounded(2 * np.cosh(np.abs(np.imag(op.x[0])) + r / 2) * np.sinh(r / 2))


def hyperbolic_sine_or_cosine(op: ElementwiseOperation) -> Array:
    """sinh and cosh: the sine and cosine of i x."""
    r = op.r[0]
    return op.rounded(2 * np.cosh(np.abs(np.real(op.x[0])) + r / 2) * np.sinh(r / 2))


def tangent(op: ElementwiseOperation) -> Array:
    """tan and tanh."""
    return op.rounded(tangent_spread(op.z, op.r[0], op.unit))


def logistic(op: ElementwiseOperation) -> Array:
    """(1 + tanh(x / 2)) / 2."""
    return op.rounded(tangent_spread(2 * op.z - 1, op.r[0] / 2, 3 * op.unit) / 2)


def sqrt(op: ElementwiseOperation) -> Array:
    """|f'(w)| = 1 / (2 sqrt|w|), and |w| >= |x| - r."""
    x, r = op.x[0], op.r[0]
    return _right_of_cut(x, r, op.rounded(r / (2 * np.sqrt(np.abs(x) - r))))


def rsqrt(op: ElementwiseOperation) -> Array:
    x, r = op.x[0], op.r[0]
    return _right_of_cut(x, r, op.rounded(r / (2 * (np.abs(x) - r) ** 1.5)))


def cbrt(op: ElementwiseOperation) -> Array:
    x, r = op.x[0], op.r[0]
    return _right_of_cut(x, r, op.rounded(r / (3 * np.cbrt(np.abs(x) - r) ** 2)))


def log(op: ElementwiseOperation) -> Array:
    return op.rounded(_spread_of_log(op.x[0], op.r[0]))


def log_plus_one(op: ElementwiseOperation) -> Array:
    return op.rounded(_spread_of_log(op.x[0] + 1, op.r[0]))


def power(op: ElementwiseOperation) -> Array:
    """exp(rhs log(lhs))."""
    (a, b), (ra, rb) = op.x, op.r
    of_log = _spread_of_log(a, ra)
    spread = np.abs(b) * of_log + rb * (np.abs(np.log(a)) * (1 + 4 * op.unit) + of_log)
    return op.rounded(np.abs(op.z) * (1 + 4 * op.unit) * np.expm1(spread))


def sign(op: ElementwiseOperation) -> Array:
    """x / |x|: the distance of two numbers of magnitude 1."""
    return op.rounded(np.minimum(2 * op.r[0] / np.abs(op.x[0]), 2))


def _spread_of_log(x: Array, r: Array) -> Array:
    """|f'(w)| = 1 / |w|."""
    return _right_of_cut(x, r, -np.log1p(-r / np.abs(x)))


def _right_of_cut(x: Array, r: Array, spread: Array) -> Array:
    """Infinite where the disc touches the cut along the negative axis, or 0."""
    distance = np.where(np.real(x) > 0, np.abs(x), np.abs(np.imag(x)))
    return np.where(distance * (1 - 1e-12) > r, spread, np.inf)
