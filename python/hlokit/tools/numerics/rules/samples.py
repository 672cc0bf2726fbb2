"""How the accuracy of an element-wise operation is measured, and quick functions for expected results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any
Number = Any  # of mpmath
Range = tuple[float, float]
Exact = Callable[[Number], Number] | Callable[[Number, Number], Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """The inputs of a function, and the expected results.

    Attributes:
      exact: a function of mpmath's numbers in `exact`; None if results are exact in longdouble.
      quick: a function of longdouble or clongdouble arrays, within 2**-58 of the exact result; zeros,
        infinities and NaN follow Annexes F and G of C99; None if there is none.
      operands: the number of operands.
      ranges: intervals in which the function varies: samples are drawn from them evenly.
      points: difficult inputs: samples include their neighbours.
      is_shared: `quick` is the code of hlokit's own f64 kernel: results of f64 are compared with mpmath
        alone.
      takes_complex, takes_float: the types that are measured.
      cost: mpmath's time, roughly, as a multiple of its time for an exponential.
      trusted: the error of `quick` in ULP of f64 that is tolerated; larger if roots lie between numbers of
        f64.
    """

    exact: Exact | None
    quick: Callable[..., Array] | None
    operands: int = 1
    ranges: tuple[Range, ...] = ((-8.0, 8.0),)
    points: tuple[float, ...] = (1.0, -1.0)
    is_shared: bool = False
    takes_float: bool = True
    takes_complex: bool = True
    cost: int = 1
    trusted: int = 16


# Intervals and points that several functions share.
_PIS = tuple(float(k) * np.pi / 2 for k in (1, 2, 3, 4, 5, 6, 22, 44, 710, 1420, 245850922))
ANGLES: tuple[Range, ...] = ((-7.0, 7.0), (-1e3, 1e3), (-1e6, 1e6), (1e15, 1e18))
QUARTER_TURNS = (*_PIS, *(-p for p in _PIS))
UNIT: tuple[Range, ...] = ((-1.0, 1.0), (0.9, 1.0), (-0.01, 0.01))
HALVES = (1.0, -1.0, 0.5, -0.5)


def logistic(x: Array) -> Array:
    if np.iscomplexobj(x):
        return 1 / (1 + np.exp(-x))
    power = np.exp(-np.abs(x))
    return np.where(x < 0, power / (1 + power), 1 / (1 + power))  # pyright: ignore[reportUnknownVariableType] # an array


def rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def cbrt(x: Array) -> Array:
    if not np.iscomplexobj(x):
        return np.cbrt(x)
    radius, angle = np.cbrt(np.abs(x)), np.angle(x) / 3
    return radius * np.cos(angle) + 1j * (radius * np.sin(angle))


def log_plus_one(x: Array) -> Array:
    if not np.iscomplexobj(x):
        return np.log1p(x)
    result = np.log(1 + x)
    squares = x.real * (x.real + 2) + x.imag * x.imag
    result.real = np.where(np.abs(squares) < 0.5, np.log1p(squares) / 2, result.real)
    result.imag = np.arctan2(x.imag, 1 + x.real)
    return result


def afz(x: Array) -> Array:
    rounded = np.trunc(x)
    return np.copysign(rounded + np.where(np.abs(x - rounded) >= 0.5, np.sign(x), 0), x)


def sign(x: Array) -> Array:
    return x / np.abs(x) if np.iscomplexobj(x) else np.copysign(np.sign(x), x)


def _extremum(greatest: bool) -> Callable[..., Array]:
    def choose(lhs: Array, rhs: Array) -> Array:
        lhs, rhs = np.broadcast_arrays(lhs, rhs)
        first = (lhs > rhs) if greatest else (lhs < rhs)
        first |= (lhs == rhs) & (np.signbit(rhs) if greatest else np.signbit(lhs))
        return np.where(np.isnan(lhs) | np.isnan(rhs), np.nan, np.where(first, lhs, rhs))  # pyright: ignore[reportUnknownArgumentType] # an array

    return choose


maximum, minimum = _extremum(True), _extremum(False)
