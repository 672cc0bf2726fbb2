"""Rules of elementwise operations: the radius of the result, from the radii of the operands.

An operand is a ball: the values `x` of a run, and for each element a radius `r`. A rule returns the radii of
the results: the results for all operands within their balls, rounded in any way, are within these radii.
Radii are f64 (longdouble for programs of f64); the caller enlarges them by more than their own rounding
errors.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (NumPy's stubs know little of arrays of any type)

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Given:
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


Rule = Callable[[Given], Array]


def add(given: Given) -> Array:
    """Sums and differences."""
    made = given.rounded(given.r[0] + given.r[1])
    exact = np.zeros(np.shape(given.z), bool)
    for x, r in zip(given.x, given.r, strict=True):
        exact = exact | (np.isinf(x) & (r == 0))
    # Infinity stays infinity.
    return np.where(np.isinf(given.z) & exact & np.isfinite(given.r[0]) & np.isfinite(given.r[1]), 0, made)


def multiply(given: Given) -> Array:
    (a, b), (ra, rb) = map(np.abs, given.x), given.r
    return given.rounded(a * rb + b * ra + ra * rb)


def square(given: Given) -> Array:
    x, r = np.abs(given.x[0]), given.r[0]
    return given.rounded(2 * x * r + r * r)


def divide(given: Given) -> Array:
    (a, b), (ra, rb) = map(np.abs, given.x), given.r
    left = b - rb
    return np.where(left > 0, given.rounded((a * rb + b * ra) / (b * left)), np.inf)


def same_radius(given: Given) -> Array:
    """The radius of the operand: negate, abs, ...; only the magnitude of a complex number is rounded."""
    is_rounded = given.x[0].dtype.kind == "c" and given.z.dtype.kind != "c"
    return given.rounded(given.r[0]) if is_rounded else given.r[0] + np.zeros(np.shape(given.z))


def convert(given: Given) -> Array:
    return given.rounded(given.r[0])


def extremum(given: Given) -> Array:
    """maximum and minimum: the larger radius of the two operands."""
    return np.maximum(given.r[0], given.r[1])


def clamp(given: Given) -> Array:
    return np.maximum(np.maximum(given.r[0], given.r[1]), given.r[2])


def parts(given: Given) -> Array:
    """A complex number of its parts."""
    return given.r[0] + given.r[1]


def monotone(given: Given) -> Array:
    """Monotone functions: the results at both ends of the interval, rounded to a unit."""
    return given.rounded(_spread(given, given.x[0] - given.r[0], given.x[0] + given.r[0]))


def stepwise(given: Given) -> Array:
    """Nondecreasing functions without rounding: floor, sign, ..."""
    return _spread(given, given.x[0] - given.r[0], given.x[0] + given.r[0])


def even(given: Given) -> Array:
    """Even functions that increase with the magnitude."""
    x, r = np.abs(given.x[0]), given.r[0]
    return given.rounded(_spread(given, np.maximum(x - r, 0), x + r))


def sine_or_cosine(given: Given) -> Array:
    """Sine and cosine: a slope of at most 1, and a distance of at most 2."""
    return given.rounded(np.minimum(given.r[0], 2))


def tangent(given: Given) -> Array:
    """tan; infinite where a pole may be within the interval."""
    return given.rounded(tangent_spread(given.z, given.r[0], given.unit))


def tangent_spread(z: Array, r: Array, unit: float) -> Array:
    """|tan(x + d) - tan(x)| = |tan(d) (1 + t^2) / (1 - t tan(d))| for t = tan(x), and |tan(d)| <= tan(r);
    likewise for tanh. `z` is t, rounded to within four units."""
    t, step = np.abs(z) * (1 + 4 * unit), np.tan(np.minimum(r, 1.5))
    return np.where((r < 1.5) & (t * step < 1), step * (1 + t * t) / (1 - t * step), np.inf)


def angle(given: Given) -> Array:
    """atan2: the arc in which a disc is seen from the origin; the whole range, if the disc touches the
    cut."""
    (y, x), (ry, rx) = given.x, given.r
    away, r = np.hypot(x, y), np.hypot(rx, ry)
    touches = (x - rx <= 0) & (np.abs(y) <= ry)
    # A lower bound of the distance, less its rounding error.
    arc = np.arcsin(np.minimum(r / (away * (1 - 1e-12)), 1))
    return given.rounded(np.where(touches | (r >= away), 2 * np.pi, arc))


def remainder(given: Given) -> Array:
    """a - n b, where n is the same for all operands in the balls; otherwise both remainders are below the
    divisor."""
    (a, b), (ra, rb) = given.x, given.r
    quotients = [x / y for x in (a - ra, a + ra) for y in (b - rb, b + rb)]
    whole = [np.trunc(q * (1 + sign * 1e-12)) for q in quotients for sign in (-1, 1)]
    is_one = np.logical_and.reduce([each == whole[0] for each in whole]) & (np.abs(b) > rb)
    spread = np.where(is_one, ra + np.abs(whole[0]) * rb, 2 * (np.abs(b) + rb))
    return given.rounded(spread)


def increasing_right_of_zero(given: Given) -> Array:
    """digamma."""
    return np.where(given.x[0] > given.r[0], monotone(given), np.inf)


def log_gamma(given: Given) -> Array:
    """lgamma is convex right of 0: the distance is largest at an end of the interval, or at the minimum."""
    x, r = given.x[0], given.r[0]
    spread = _spread(given, x - r, x + r)
    lowest = np.where(np.abs(x - 1.4616321449683622) <= r + 1e-9, given.z + 0.12148629053584962, 0)
    return np.where(x > r, given.rounded(np.maximum(spread, lowest)), np.inf)


def scaled_bessel(given: Given) -> Array:
    """bessel_i1e: exp(|x|) = I0 + 2 (I1 + I2 + ...), so its slope is at most 1/2."""
    return given.rounded(given.r[0] / 2)


def power(given: Given) -> Array:
    """Powers of positive numbers are monotone in either operand."""
    (a, b), (ra, rb) = given.x, given.r
    corners = [given.wide(x, y) for x in (a - ra, a + ra) for y in (b - rb, b + rb)]
    spread = np.max([np.abs(corner - given.z) for corner in corners], axis=0)
    return np.where(a - ra > 0, given.rounded(spread), np.inf)


def _spread(given: Given, low: Array, high: Array) -> Array:
    found = [np.asarray(given.wide(end)) for end in (low, high)]
    return np.maximum(*(np.abs(end - given.z) for end in found))
