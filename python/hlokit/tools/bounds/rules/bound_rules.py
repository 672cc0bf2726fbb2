"""Rules of elementwise operations: the radius of the result, from the radii of the operands.

An operand is a ball: the values `x` of a run, and for each element a radius `r`. A rule returns the radii of
the results: the results for all operands within their balls, rounded in any way, are within these radii.
Radii are f64 (longdouble for programs of f64); the caller enlarges them by more than their own rounding
errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ElementwiseOperation:
    """An operation in a run.

    Attributes:
      x, r: values and radii of its operands, in the wider type. Radii of complex numbers are of magnitudes.
      z: the result, in the wider type.
      unit: half the distance from 1 to the next number of the result's type.
      tiny: half the smallest positive number of the result's type.
      wide: evaluates the operation in the wider type.
    """

    x: Sequence[Array]
    r: Sequence[Array]
    z: Array
    unit: float
    tiny: float
    wide: Callable[..., Array]

    def rounded(self, spread: Array) -> Array:
        """The radii of results whose distance from the run's results is `spread` before rounding.

        Both results are rounded to within two units, where hlokit's functions need one; complex results to
        within six, because quotients need up to three units in the last place.
        """
        units = 12 if self.z.dtype.kind == "c" else 4
        return spread + units * (self.unit * (np.abs(self.z) + spread) + self.tiny)


Rule = Callable[[ElementwiseOperation], Array]


def add(op: ElementwiseOperation) -> Array:
    """Sums and differences."""
    spread = op.rounded(op.r[0] + op.r[1])
    exact = np.zeros(np.shape(op.z), bool)
    for x, r in zip(op.x, op.r, strict=True):
        exact = exact | (np.isinf(x) & (r == 0))
    # Infinity stays infinity.
    return np.where(np.isinf(op.z) & exact & np.isfinite(op.r[0]) & np.isfinite(op.r[1]), 0, spread)


def multiply(op: ElementwiseOperation) -> Array:
    (a, b), (ra, rb) = map(np.abs, op.x), op.r
    return op.rounded(a * rb + b * ra + ra * rb)


def square(op: ElementwiseOperation) -> Array:
    x, r = np.abs(op.x[0]), op.r[0]
    return op.rounded(2 * x * r + r * r)


def divide(op: ElementwiseOperation) -> Array:
    (a, b), (ra, rb) = map(np.abs, op.x), op.r
    left = b - rb
    return np.where(left > 0, op.rounded((a * rb + b * ra) / (b * left)), np.inf)


def same_radius(op: ElementwiseOperation) -> Array:
    """The radius of the operand: negate, abs, ...; only the magnitude of a complex number is rounded."""
    is_rounded = op.x[0].dtype.kind == "c" and op.z.dtype.kind != "c"
    return op.rounded(op.r[0]) if is_rounded else op.r[0] + np.zeros(np.shape(op.z))


def convert(op: ElementwiseOperation) -> Array:
    return op.rounded(op.r[0])


def extremum(op: ElementwiseOperation) -> Array:
    """maximum and minimum: the larger radius of the two operands."""
    return np.maximum(op.r[0], op.r[1])


def clamp(op: ElementwiseOperation) -> Array:
    return np.maximum(np.maximum(op.r[0], op.r[1]), op.r[2])


def parts(op: ElementwiseOperation) -> Array:
    """A complex number of its parts."""
    return op.r[0] + op.r[1]


def monotone(op: ElementwiseOperation) -> Array:
    """Monotone functions: the results at both ends of the interval, rounded to a unit."""
    return op.rounded(_spread(op, op.x[0] - op.r[0], op.x[0] + op.r[0]))


def stepwise(op: ElementwiseOperation) -> Array:
    """Nondecreasing functions without rounding: floor, sign, ..."""
    return _spread(op, op.x[0] - op.r[0], op.x[0] + op.r[0])


def even(op: ElementwiseOperation) -> Array:
    """Even functions that increase with the magnitude."""
    x, r = np.abs(op.x[0]), op.r[0]
    return op.rounded(_spread(op, np.maximum(x - r, 0), x + r))


def sine_or_cosine(op: ElementwiseOperation) -> Array:
    """Sine and cosine: a slope of at most 1, and a distance of at most 2."""
    return op.rounded(np.minimum(op.r[0], 2))


def tangent(op: ElementwiseOperation) -> Array:
    """tan; infinite where a pole may be within the interval."""
    return op.rounded(tangent_spread(op.z, op.r[0], op.unit))


def tangent_spread(z: Array, r: Array, unit: float) -> Array:
    """|tan(x + d) - tan(x)| = |tan(d) (1 + t^2) / (1 - t tan(d))| for t = tan(x), and |tan(d)| <= tan(r);
    likewise for tanh. `z` is t, rounded to within four units."""
    t, step = np.abs(z) * (1 + 4 * unit), np.tan(np.minimum(r, 1.5))
    return np.where((r < 1.5) & (t * step < 1), step * (1 + t * t) / (1 - t * step), np.inf)


def angle(op: ElementwiseOperation) -> Array:
    """atan2: the arc in which a disc is seen from the origin; the whole range, if the disc touches the
    cut."""
    (y, x), (ry, rx) = op.x, op.r
    away, r = np.hypot(x, y), np.hypot(rx, ry)
    touches = (x - rx <= 0) & (np.abs(y) <= ry)
    # A lower bound of the distance, less its rounding error.
    arc = np.arcsin(np.minimum(r / (away * (1 - 1e-12)), 1))
    return op.rounded(np.where(touches | (r >= away), 2 * np.pi, arc))


def remainder(op: ElementwiseOperation) -> Array:
    """a - n b, where n is the same for all operands in the balls; otherwise both remainders are below the
    divisor."""
    (a, b), (ra, rb) = op.x, op.r
    quotients = [x / y for x in (a - ra, a + ra) for y in (b - rb, b + rb)]
    whole = [np.trunc(q * (1 + sign * 1e-12)) for q in quotients for sign in (-1, 1)]
    is_one = np.logical_and.reduce([quotient == whole[0] for quotient in whole]) & (np.abs(b) > rb)
    spread = np.where(is_one, ra + np.abs(whole[0]) * rb, 2 * (np.abs(b) + rb))
    return op.rounded(spread)


def increasing_right_of_zero(op: ElementwiseOperation) -> Array:
    """digamma."""
    return np.where(op.x[0] > op.r[0], monotone(op), np.inf)


def log_gamma(op: ElementwiseOperation) -> Array:
    """lgamma is convex right of 0: the distance is largest at an end of the interval, or at the minimum."""
    x, r = op.x[0], op.r[0]
    spread = _spread(op, x - r, x + r)
    lowest = np.where(np.abs(x - 1.4616321449683622) <= r + 1e-9, op.z + 0.12148629053584962, 0)
    return np.where(x > r, op.rounded(np.maximum(spread, lowest)), np.inf)


def scaled_bessel(op: ElementwiseOperation) -> Array:
    """bessel_i1e: exp(|x|) = I0 + 2 (I1 + I2 + ...), so its slope is at most 1/2."""
    return op.rounded(op.r[0] / 2)


def power(op: ElementwiseOperation) -> Array:
    """Powers of positive numbers are monotone in either operand."""
    (a, b), (ra, rb) = op.x, op.r
    corners = [op.wide(x, y) for x in (a - ra, a + ra) for y in (b - rb, b + rb)]
    spread = np.max([np.abs(corner - op.z) for corner in corners], axis=0)
    return np.where(a - ra > 0, op.rounded(spread), np.inf)


def _spread(op: ElementwiseOperation, low: Array, high: Array) -> Array:
    ends = [np.asarray(op.wide(point)) for point in (low, high)]
    return np.maximum(*(np.abs(point - op.z) for point in ends))
