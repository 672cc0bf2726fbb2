"""`power` and `atan2`, correctly rounded for floats and for the parts of complex numbers.

Source: spec, "power", "atan2"; IEEE-754, "Additional mathematical operations".
"""

from __future__ import annotations

import math

from hlokit import _kernels
from hlokit.reference.numbers import complex_limits
from hlokit.reference.numbers.precise import Library, Number, rounded, rounded_parts
from hlokit.reference.numbers.rounded_functions import bounded, element_from_parts
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.values.element import Element
from hlokit.values.element_types import COMPLEX_F64, Kind
from hlokit.values.float_format import float_format

_NAN, _INF = math.nan, math.inf


def atan2(y: Element, x: Element) -> Element:
    """The angle of the point (x, y) in radians. spec "atan2"; at zeros and infinities as in IEEE-754."""
    layout = float_format(y.type)
    if y.type.kind is Kind.COMPLEX:
        return _atan2_of_complex(y, x)
    values = float(y), float(x)
    if any(map(math.isnan, values)):
        return canonical_nan(y.type)
    if 0 in values or any(map(math.isinf, values)):
        return Element.from_bits(y.type, layout.encode(math.atan2(*values)))
    return Element.from_bits(y.type, rounded(_atan2, layout, *values))


def _atan2(m: Library, y: Number, x: Number) -> Number:
    return m.atan2(y, x)


def _atan2_of_complex(y: Element, x: Element) -> Element:
    """The angle; `complex_limits.atan2` if a part is infinite or NaN, or if x + i y or x - i y is 0."""
    layout, lhs, rhs = float_format(y.type), complex(y), complex(x)
    is_pole = rhs in (1j * lhs, -1j * lhs)
    if is_pole or not all(map(math.isfinite, (lhs.real, lhs.imag, rhs.real, rhs.imag))):
        angle = complex_limits.atan2(lhs, rhs)
        return element_from_parts(y, layout.encode(angle.real), layout.encode(angle.imag))
    products = lhs * rhs.conjugate(), lhs * rhs, lhs * lhs + rhs * rhs
    may_cancel = _has_zero(lhs, rhs) or any(map(_is_near_axis, products))
    return element_from_parts(y, *rounded_parts(_atan2_complex, layout, lhs, rhs, may_cancel=may_cancel))


def _is_near_axis(z: complex) -> bool:
    """Whether sums of products cancelled in a part, perhaps completely, or products overflowed."""
    least, most = sorted([abs(z.real), abs(z.imag)])
    return not most * 2.0**-20 < least < math.inf


def _has_zero(*numbers: complex) -> bool:
    return 0 in [part for z in numbers for part in (z.real, z.imag)]


def _atan2_complex(m: Library, y: Number, x: Number) -> Number:
    """-i log((x + i y) / sqrt(x² + y²))"""
    i = m.mpc(0, 1)
    return -i * m.log((x + i * y) / m.sqrt(x * x + y * y))


def power(lhs: Element, rhs: Element) -> Element:
    """lhs ** rhs. spec "power": for integers modulo 2**width, for floats as `pow` of IEEE-754."""
    match lhs.type.kind:
        case Kind.SIGNED | Kind.UNSIGNED:
            return _power_of_integers(lhs, rhs)
        case Kind.COMPLEX:
            return _power_of_complex(lhs, rhs)
        case _:
            return _power_of_floats(lhs, rhs)


def _power_of_integers(lhs: Element, rhs: Element) -> Element:
    """The low bits of the exact power. For a negative exponent 0, unless the base is 1 or -1."""
    base, exponent, width = int(lhs), int(rhs), lhs.type.width
    if exponent < 0:
        base, exponent = (base, exponent % 2) if base in (1, -1) else (0, 1)
    return Element.from_bits(lhs.type, pow(base, exponent, 1 << width))


def _power_of_floats(lhs: Element, rhs: Element) -> Element:
    layout, x, y = float_format(lhs.type), float(lhs), float(rhs)
    exact = _special_power(x, y)
    if exact is not None:
        return (
            canonical_nan(lhs.type)
            if math.isnan(exact)
            else Element.from_bits(lhs.type, layout.encode(exact))
        )
    is_negative = x < 0 and y % 2 == 1

    def formula(m: Library, x: Number, y: Number) -> Number:
        return -(abs(x) ** y) if is_negative else abs(x) ** y

    return Element.from_bits(lhs.type, rounded(formula, layout, x, y))


def _special_power(x: float, y: float) -> float | None:
    """x ** y if x is 0 or 1, if y is 0, if either is infinite or NaN, or if the result is not a number; else
    None."""
    if y == 0 or x == 1:
        return 1.0
    if x < 0 and math.isfinite(x) and math.isfinite(y) and y != math.floor(y):
        return _NAN
    if x == 0 and y < 0:
        return math.copysign(_INF, x) if y % 2 == 1 else _INF
    is_special = x == 0 or not (math.isfinite(x) and math.isfinite(y))
    return math.pow(x, y) if is_special else None


def _power_of_complex(lhs: Element, rhs: Element) -> Element:
    """exp(rhs * log(lhs)), or the power of floats if both operands are real and lhs is not negative.

    0 to a power with a positive real part is 0, and any number to the power of 0 is 1.
    """
    layout, x, y = float_format(lhs.type), complex(lhs), complex(rhs)
    is_zero_or_one = y == 0 or (x == 0 and y.real > 0)
    if x.imag == y.imag == 0 and x.real >= 0 and not is_zero_or_one and not (x == 0 and math.isnan(y.real)):
        real = power(abs(lhs.parts[0]), rhs.parts[0])
        is_below = (math.copysign(1.0, x.imag) < 0) != (y.real < 0)
        return element_from_parts(lhs, real.bits, layout.encode(-0.0 if is_below else 0.0))
    if is_zero_or_one or x == 0 or not all(map(math.isfinite, (x.real, x.imag, y.real, y.imag))):
        result = complex_limits.power(x, y)
        return element_from_parts(lhs, layout.encode(result.real), layout.encode(result.imag))
    if lhs.type is COMPLEX_F64 and abs(y) >= _LARGE_EXPONENT:
        result = _kernels.scalar_function("power", "complex<f64>")(x, y)
        assert isinstance(result, complex), "a function of complex numbers"
        return element_from_parts(lhs, layout.encode(result.real), layout.encode(result.imag))
    may_cancel = _has_zero(x, y) or abs(x.real) == abs(x.imag)
    parts = rounded_parts(
        _complex_power, layout, x, y, may_cancel=may_cancel, more_bits=_BITS_OF_ANGLES if abs(y) > 1 else 0
    )
    return element_from_parts(lhs, *parts)


# Separates the inverses of sines of infinitesimals from those of angles of finite numbers.
_INVERSE_OF_INFINITESIMAL = 1 << 3500
# For larger exponents, 256 bits cannot represent the angle: use the scalar function of the other tiers.
_LARGE_EXPONENT = 2.0**110
# Bits that a large angle near a multiple of pi / 2 loses, in addition to the bits of its integer part.
_BITS_OF_ANGLES = 300


def _complex_power(m: Library, x: Number, y: Number) -> Number:
    """exp(y log(x))"""
    exponent = y * m.log(x)

    def part(factor: Number) -> Number:
        """The exponential times a factor, which is at least 2**-2200 unless it is an infinitesimal."""
        is_infinitesimal = abs(factor) * _INVERSE_OF_INFINITESIMAL < 1
        return m.exp(bounded(exponent.real, 1 << (11 if is_infinitesimal else 12))) * factor

    return m.mpc(part(m.cos(exponent.imag)), part(m.sin(exponent.imag)))
