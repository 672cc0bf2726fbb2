"""Functions of elements from formulas: rounded once, for all floats and for both parts of complex numbers.

A real function is one line: a formula for a library of arbitrary precision, and the values at infinities and
poles, where the formula does not hold. Complex functions treat a signed zero as an infinitesimal (`precise`),
so that they agree with C99, Annex G on branch cuts; at infinities and NaN, their values come from the C
library, which follows Annex G.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hlokit.reference.numbers import complex_limits
from hlokit.reference.numbers.precise import Formula, Number, rounded, rounded_parts
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.values.element import Element
from hlokit.values.element_types import Kind
from hlokit.values.float_format import float_format

ElementFunction = Callable[[Element], Element]

_NAN, _INF = math.nan, math.inf


def real_function(
    formula: Formula,
    *,
    limits: tuple[float, float] = (_NAN, _NAN),
    domain: tuple[float, float] = (-_INF, _INF),
    at: Callable[[float], float | None] | None = None,
    needs_mpmath: bool = False,
) -> ElementFunction:
    """A function of floats that is rounded once.

    Args:
      formula: a function of a library and a finite number other than 0. At 0 the value is 0 with the same
        sign, unless `at` returns another value.
      limits: the values at -infinity and +infinity.
      domain: the closed interval outside of which the value is NaN.
      at: returns the values at single points (poles, zeros, and 0), and None elsewhere.
      needs_mpmath: whether gmpy2 lacks a function of the formula.
    """

    def function(x: Element) -> Element:
        layout, value = float_format(x.type), float(x)
        if math.isnan(value):
            return canonical_nan(x.type)
        exact = at(value) if at is not None else None
        if exact is None and value == 0 and domain[0] <= 0:
            exact = value
        if exact is None and math.isinf(value):
            exact = limits[value > 0]
        if exact is None and not domain[0] <= value <= domain[1]:
            exact = _NAN
        if exact is not None:
            return (
                canonical_nan(x.type)
                if math.isnan(exact)
                else Element.from_bits(x.type, layout.encode(exact))
            )
        bits = rounded(formula, layout, value, needs_mpmath=needs_mpmath)
        return Element.from_bits(x.type, bits)

    return function


def complex_function(
    formula: Formula, limit: complex_limits.Limit, *, pole: Callable[[complex], bool] | None = None
) -> ElementFunction:
    """A function of complex numbers whose parts are each rounded once.

    Args:
      limit: the values if a part is infinite or NaN, or if `pole` is true.
      pole: whether the formula has no value at a finite number, or depends on the sign of a zero.
    """

    def function(z: Element) -> Element:
        layout, value = float_format(z.type), complex(z)
        is_finite = math.isfinite(value.real) and math.isfinite(value.imag)
        if not is_finite or (pole is not None and pole(value)):
            result = limit(value)
            return element_from_parts(z, layout.encode(result.real), layout.encode(result.imag))
        return element_from_parts(z, *rounded_parts(formula, layout, value))

    return function


def of_floats(real: ElementFunction, complex_: ElementFunction) -> ElementFunction:
    """A function of floats and complex numbers."""

    def function(x: Element) -> Element:
        return complex_(x) if x.type.kind is Kind.COMPLEX else real(x)

    return function


def element_from_parts(like: Element, real: int, imag: int) -> Element:
    """The complex number with these bits of its parts, in the type of `like`."""
    return Element.from_bits(like.type, real | imag << like.type.part.width)


def one_at_zero(x: float) -> float | None:
    """1 at 0, for `real_function`."""
    return 1.0 if x == 0 else None


def bounded(x: Number, most: int = 1 << 11) -> Number:
    """`x` clamped to [-most, most]. Beyond this range an exponential overflows every format, and its product
    with an infinitesimal underflows every format."""
    return max(min(x, most), -most)
