"""The expected results of samples: longdouble results, which mpmath confirms or replaces.

longdouble is trusted for a function if it agrees with mpmath on randomly chosen samples. Otherwise mpmath
computes all expected results.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import F8E8M0FNU, F64, ElementType, Kind
from tools.accuracy.formats import EXTENDED, HAS_EXTENDED, widened
from tools.accuracy.functions import Function

Array = Any

# The number of random checks of longdouble by mpmath.
_CHECKED = 48
# Positive functions, whose underflow is not 0 in a type without 0.
_NEVER_ZERO = ("erfc", "power", "zeta")
# The tolerated relative error of longdouble.
_TRUSTED = 2.0**-55


@dataclass(frozen=True, slots=True)
class Reference:
    """Expected results of samples.

    Attributes:
      parts: real, or real and imaginary parts, in longdouble.
      is_certain: which of the samples mpmath computed.
    """

    function: Function
    type_: ElementType
    operands: tuple[Array, ...]
    parts: tuple[Array, ...]
    is_certain: Array

    def every(self, step: int) -> Reference:
        """A subset of the samples, evenly distributed."""
        return Reference(
            self.function,
            self.type_,
            tuple(operand[::step] for operand in self.operands),
            tuple(part[::step] for part in self.parts),
            self.is_certain[::step],
        )

    def confirm(self, indices: Sequence[int]) -> float:
        """Replace expected results by mpmath's. Returns the largest relative difference."""
        difference = 0.0
        for index in indices:
            if self.is_certain[index]:
                continue
            self.is_certain[index] = True
            value = _exact_at(self.function, [operand[index] for operand in self.operands])
            if value is None:
                continue
            for part, number in zip(self.parts, value, strict=False):
                if self.function.quick is None:
                    part[index] = number
                    continue
                if not np.isfinite(part[index]) or not np.isfinite(number) or part[index] == number:
                    continue
                if number == 0 or part[index] == 0:
                    part[index] = number
                    continue
                difference = max(difference, float(abs((part[index] - number) / number)))
                part[index] = number
        return difference


def _exact_at(function: Function, operands: Sequence[Any]) -> tuple[Any, ...] | None:
    """mpmath's result as longdouble parts; None if the result is undefined or an operand is not finite."""
    if function.exact is None or not all(np.isfinite(operand) for operand in operands):
        return None
    is_complex = any(np.iscomplexobj(operand) for operand in operands)
    if not is_complex:
        operands = [np.float64(operand) for operand in operands]
    value = exact.evaluate(function.exact, operands)
    if value is None or (value.imag != 0 and not is_complex):
        return None
    if not is_complex and value != 0:
        with np.errstate(all="ignore"):
            tiny = EXTENDED.type(np.finfo(EXTENDED).smallest_normal)
            real = as_longdouble(value.real)
            return (real or (tiny if value > 0 else -tiny),)
    return tuple(as_longdouble(part) for part in (value.real, value.imag))


def as_longdouble(number: Any) -> Any:
    """A number of mpmath in longdouble; below longdouble's range, a zero of its sign.

    An inexact number is rounded to odd, so it is never the midpoint of two numbers of a narrower type: a
    second rounding gives the same result as a rounding of the number itself.
    """
    if not exact.mp().isfinite(number):
        return EXTENDED.type(float(number))
    mantissa, exponent = exact.mp().frexp(number)
    if number == 0 or exponent < -14000:
        return EXTENDED.type(-0.0 if number < 0 else 0.0)
    if exponent > 16000:
        return EXTENDED.type(np.inf if number > 0 else -np.inf)
    high = float(mantissa)
    with exact.mp().workprec(400):
        low = float(mantissa - exact.mp().mpf(high))
        near = EXTENDED.type(high) + EXTENDED.type(low)
        first = float(near)
        rest = mantissa - exact.mp().mpf(first) - exact.mp().mpf(float(near - EXTENDED.type(first)))
    if rest != 0 and int(np.ldexp(near, np.finfo(EXTENDED).nmant + 1)) % 2 == 0:
        near = np.nextafter(near, EXTENDED.type(np.inf if rest > 0 else -np.inf))
    return np.ldexp(near, int(exponent))


def reference(function: Function, type_: ElementType, operands: tuple[Array, ...]) -> Reference:
    """The expected results."""
    size = operands[0].size
    is_complex = type_.kind is Kind.COMPLEX
    part = type_.part
    quick = function.quick
    is_trusted = quick is not None and not (
        part is F64 and (function.is_shared or not HAS_EXTENDED or is_complex)
    )
    found = Reference(
        function, type_, operands, _quick_parts(function, operands, is_complex, type_), np.zeros(size, bool)
    )
    if function.exact is None:
        return found
    if is_trusted:
        chosen = np.random.default_rng(1).choice(
            size, min(size, max(_CHECKED // function.cost, 8)), replace=False
        )
        limit = 2.0**-40 if function.is_shared else _TRUSTED
        is_trusted = found.confirm(chosen.tolist()) < limit or is_complex
    if not is_trusted:
        found.confirm(range(size))
    return found


def _quick_parts(
    function: Function, operands: tuple[Array, ...], is_complex: bool, type_: ElementType
) -> tuple[Array, ...]:
    with np.errstate(all="ignore"):
        if is_complex:
            wide = [operand.astype(np.clongdouble) for operand in operands]
            result = np.full(wide[0].shape, np.nan, np.clongdouble)
            if function.quick is not None:
                result = function.quick(*wide)
            if not np.iscomplexobj(result):
                return (result.copy(),)
            return result.real.copy(), result.imag.copy()
        wide = [widened(operand) for operand in operands]
        if function.quick is None:
            return (np.full(wide[0].shape, np.nan, EXTENDED),)
        result = np.array(np.broadcast_to(function.quick(*wide), wide[0].shape), EXTENDED)
        if type_ is F8E8M0FNU and function.short_name in _NEVER_ZERO:  # numbers that underflow in longdouble
            result[result == 0] = np.finfo(EXTENDED).smallest_normal
        return (result,)
