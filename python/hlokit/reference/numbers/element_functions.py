"""Functions of elements, correctly rounded for every float type and for the parts of complex numbers.

A real function is one line: a formula for a library of arbitrary precision, and the values where the formula
does not hold, at infinities and poles. Complex functions treat a signed zero as an infinitesimal (`precise`),
so that they agree with C99, Annex G on branch cuts; at infinities and NaN the C library, which follows Annex
G, gives their values.

Source: spec, sections "Semantics" of the operations; IEEE-754, "Additional mathematical operations".
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hlokit.reference.numbers import complex_limits
from hlokit.reference.numbers.precise import Formula, Library, Number, rounded, rounded_parts
from hlokit.reference.numbers.rules import nan_bits
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
      formula: of a library and a finite number other than 0. At 0 the value is 0 with the same sign unless
      `at` says. limits: the values at -infinity and +infinity. domain: where the function is a number, ends
      included. at: values at single points: poles, zeros, and 0.
    """

    def function(x: Element) -> Element:
        layout, value = float_format(x.type), float(x)
        if math.isnan(value):
            return nan_bits(x.type)
        exact = at(value) if at is not None else None
        if exact is None and value == 0 and domain[0] <= 0:
            exact = value
        if exact is None and math.isinf(value):
            exact = limits[value > 0]
        if exact is None and not domain[0] <= value <= domain[1]:
            exact = _NAN
        if exact is not None:
            return nan_bits(x.type) if math.isnan(exact) else Element.from_bits(x.type, layout.encode(exact))
        bits = rounded(formula, layout, value, needs_mpmath=needs_mpmath)
        return Element.from_bits(x.type, bits)

    return function


def complex_function(
    formula: Formula, limit: complex_limits.Limit, *, pole: Callable[[complex], bool] | None = None
) -> ElementFunction:
    """A function of complex numbers whose parts are each rounded once.

    Args:
      limit: its values where a part is infinite or NaN, and where `pole` holds.
      pole: recognises finite numbers where the formula has no value, or depends on the sign of a zero.
    """

    def function(z: Element) -> Element:
        layout, value = float_format(z.type), complex(z)
        is_finite = math.isfinite(value.real) and math.isfinite(value.imag)
        if not is_finite or (pole is not None and pole(value)):
            found = limit(value)
            return element_from_parts(z, layout.encode(found.real), layout.encode(found.imag))
        return element_from_parts(z, *rounded_parts(formula, layout, value))

    return function


def of_floats(real: ElementFunction, complex_: ElementFunction) -> ElementFunction:
    """A function of floats and complex numbers."""

    def function(x: Element) -> Element:
        return complex_(x) if x.type.kind is Kind.COMPLEX else real(x)

    return function


def element_from_parts(like: Element, real: int, imag: int) -> Element:
    """The complex number with these bits of its parts, of the type of another."""
    return Element.from_bits(like.type, real | imag << like.type.part.width)


def one_at_zero(x: float) -> float | None:
    """For `real_function`."""
    return 1.0 if x == 0 else None


def _near(x: Number, most: int = 1 << 11) -> Number:
    """Limits an operand: beyond the limit, an exponential is beyond every format, and times an infinitesimal
    below every one."""
    return max(min(x, most), -most)


def _is_zero(z: complex) -> bool:
    return z == 0


def _is_minus_one(z: complex) -> bool:
    return z == -1


# Exponentials and logarithms --------------------------------------------------------------------------


def _log_plus_one_complex(m: Library, z: Number) -> Number:
    """log(1 + z); the square of |1 + z| is 1 + (2x + x² + y²), a sum that may cancel."""
    x, y = z.real, z.imag
    excess = 2 * x + x * x + y * y
    return _complex(m, m.log1p(excess) / 2, m.atan2(y, 1 + x))


def _exponential_minus_one_complex(m: Library, z: Number) -> Number:
    """exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y / 2)²."""
    x, y = _near(z.real), z.imag
    half = m.sin(y / 2)
    return _complex(m, m.expm1(x) * m.cos(y) - 2 * half * half, m.exp(x) * m.sin(y))


def _logistic_complex(m: Library, z: Number) -> Number:
    """1 / (1 + exp(-z)) = (1 + exp(-x) cos(y) + i exp(-x) sin(y)) / (1 + 2 exp(-x) cos(y) + exp(-2x)).

    The denominator is (1 - exp(-x))² + 4 exp(-x) cos(y / 2)², which does not cancel.
    """
    x, y = _near(z.real), z.imag
    size, half = m.exp(-x), m.cos(y / 2)
    norm = m.expm1(-x) ** 2 + 4 * size * half * half
    real = 2 * size * half * half - m.expm1(-x)
    return _complex(m, real / norm, size * m.sin(y) / norm)


def _complex(m: Library, real: Number, imag: Number) -> Number:
    return m.mpc(real, imag)


exponential = of_floats(
    real_function(lambda m, x: m.exp(_near(x)), limits=(0.0, _INF), at=one_at_zero),
    complex_function(
        lambda m, z: _complex(m, m.exp(_near(z.real)) * m.cos(z.imag), m.exp(_near(z.real)) * m.sin(z.imag)),
        complex_limits.exp,
    ),
)
exponential_minus_one = of_floats(
    real_function(lambda m, x: m.expm1(_near(x)), limits=(-1.0, _INF)),
    complex_function(_exponential_minus_one_complex, complex_limits.expm1),
)
log = of_floats(
    real_function(
        lambda m, x: m.log(x),
        limits=(_NAN, _INF),
        domain=(0.0, _INF),
        at=lambda x: -_INF if x == 0 else None,
    ),
    complex_function(lambda m, z: m.log(z), complex_limits.log, pole=_is_zero),
)
log_plus_one = of_floats(
    real_function(
        lambda m, x: m.log1p(x),
        limits=(_NAN, _INF),
        domain=(-1.0, _INF),
        at=lambda x: -_INF if x == -1 else None,
    ),
    complex_function(_log_plus_one_complex, complex_limits.log1p, pole=_is_minus_one),
)
logistic = of_floats(
    real_function(
        lambda m, x: 1 / (1 + m.exp(_near(-x))), limits=(0.0, 1.0), at=lambda x: 0.5 if x == 0 else None
    ),
    complex_function(_logistic_complex, complex_limits.logistic),
)

# Roots ------------------------------------------------------------------------------------------------


def _cube_root_complex(m: Library, z: Number) -> Number:
    """The principal one: a third of the angle."""
    radius, angle = m.cbrt(m.sqrt(z.real * z.real + z.imag * z.imag)), m.atan2(z.imag, z.real) / 3
    return _complex(m, radius * m.cos(angle), radius * m.sin(angle))


def _rsqrt_complex(m: Library, z: Number) -> Number:
    root = m.sqrt(z)
    norm = root.real * root.real + root.imag * root.imag
    return _complex(m, root.real / norm, -root.imag / norm)


sqrt = of_floats(
    real_function(lambda m, x: m.sqrt(x), limits=(_NAN, _INF), domain=(0.0, _INF)),
    complex_function(lambda m, z: m.sqrt(z), complex_limits.sqrt),
)
rsqrt = of_floats(
    real_function(
        lambda m, x: 1 / m.sqrt(x),
        limits=(_NAN, 0.0),
        domain=(0.0, _INF),
        at=lambda x: math.copysign(_INF, x) if x == 0 else None,
    ),
    complex_function(_rsqrt_complex, complex_limits.rsqrt, pole=_is_zero),
)
cbrt = of_floats(
    real_function(
        lambda m, x: m.cbrt(x) if x > 0 else -m.cbrt(-x),
        limits=(-_INF, _INF),
    ),
    complex_function(_cube_root_complex, complex_limits.cbrt, pole=_is_zero),
)

# Trigonometry -----------------------------------------------------------------------------------------


def _sinh_complex(m: Library, z: Number) -> Number:
    x, y = _near(z.real), z.imag
    return _complex(m, m.sinh(x) * m.cos(y), m.cosh(x) * m.sin(y))


def _cosh_complex(m: Library, z: Number) -> Number:
    x, y = _near(z.real), z.imag
    return _complex(m, m.cosh(x) * m.cos(y), m.sinh(x) * m.sin(y))


def _tanh_complex(m: Library, z: Number) -> Number:
    """(sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)² + cos(y)²)"""
    x, y = _near(z.real), z.imag
    norm = m.sinh(x) ** 2 + m.cos(y) ** 2
    return _complex(m, m.sinh(x) * m.cosh(x) / norm, m.sin(y) * m.cos(y) / norm)


def _atanh_complex(m: Library, z: Number) -> Number:
    """log1p(4x / ((1 - x)² + y²)) / 4 and half the angle of (1 - x)(1 + x) - y² + 2iy, for positive x."""
    x, y = abs(z.real), z.imag
    real = m.log1p(4 * x / ((1 - x) ** 2 + y * y)) / 4
    return _complex(m, real if z.real > 0 else -real, m.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2)


def _turned(function: Formula) -> Formula:
    """sin, tan, asin and atan of z from sinh, tanh, asinh and atanh: f(z) = -i g(i z)."""

    def turned(m: Library, z: Number) -> Number:
        found = function(m, _complex(m, -z.imag, z.real))
        return _complex(m, found.imag, -found.real)

    return turned


sine = of_floats(
    real_function(lambda m, x: m.sin(x)), complex_function(_turned(_sinh_complex), complex_limits.sin)
)
cosine = of_floats(
    real_function(lambda m, x: m.cos(x), at=one_at_zero),
    complex_function(lambda m, z: _cosh_complex(m, _complex(m, -z.imag, z.real)), complex_limits.cos),
)
tan = of_floats(
    real_function(lambda m, x: m.tan(x)), complex_function(_turned(_tanh_complex), complex_limits.tan)
)
tanh = of_floats(
    real_function(lambda m, x: m.tanh(_near(x)), limits=(-1.0, 1.0)),
    complex_function(_tanh_complex, complex_limits.tanh),
)
sinh = of_floats(
    real_function(lambda m, x: m.sinh(_near(x)), limits=(-_INF, _INF)),
    complex_function(_sinh_complex, complex_limits.sinh),
)
cosh = of_floats(
    real_function(lambda m, x: m.cosh(_near(x)), limits=(_INF, _INF), at=one_at_zero),
    complex_function(_cosh_complex, complex_limits.cosh),
)
asin = of_floats(
    real_function(lambda m, x: m.asin(x), domain=(-1.0, 1.0)),
    complex_function(lambda m, z: m.asin(z), complex_limits.asin, pole=_is_zero),
)
acos = of_floats(
    real_function(lambda m, x: m.acos(x), domain=(-1.0, 1.0), at=lambda x: math.pi / 2 if x == 0 else None),
    complex_function(lambda m, z: m.acos(z), complex_limits.acos),
)
atan = of_floats(
    real_function(lambda m, x: m.atan(x), limits=(-math.pi / 2, math.pi / 2)),
    complex_function(_turned(_atanh_complex), complex_limits.atan, pole=lambda z: z in (1j, -1j)),
)
asinh = of_floats(
    real_function(lambda m, x: m.asinh(x), limits=(-_INF, _INF)),
    complex_function(lambda m, z: m.asinh(z), complex_limits.asinh),
)
acosh = of_floats(
    real_function(lambda m, x: m.acosh(x), limits=(_NAN, _INF), domain=(1.0, _INF)),
    complex_function(lambda m, z: m.acosh(z), complex_limits.acosh, pole=_is_zero),
)
atanh = of_floats(
    real_function(
        lambda m, x: m.atanh(x),
        domain=(-1.0, 1.0),
        at=lambda x: math.copysign(_INF, x) if abs(x) == 1 else None,
    ),
    complex_function(_atanh_complex, complex_limits.atanh, pole=lambda z: z in (1, -1)),
)


# Two operands -----------------------------------------------------------------------------------------


def atan2(y: Element, x: Element) -> Element:
    """The angle of the point (x, y). spec "atan2"; at zeros and infinities as in IEEE-754."""
    layout = float_format(y.type)
    if y.type.kind is Kind.COMPLEX:
        return _atan2_of_complex(y, x)
    values = float(y), float(x)
    if any(map(math.isnan, values)):
        return nan_bits(y.type)
    if 0 in values or any(map(math.isinf, values)):
        return Element.from_bits(y.type, layout.encode(math.atan2(*values)))
    return Element.from_bits(y.type, rounded(_atan2, layout, *values))


def _atan2(m: Library, y: Number, x: Number) -> Number:
    return m.atan2(y, x)


def _atan2_of_complex(y: Element, x: Element) -> Element:
    """Where a part is infinite or NaN, or x + i y or x - i y is 0: `complex_limits.atan2`."""
    layout, lhs, rhs = float_format(y.type), complex(y), complex(x)
    is_pole = rhs in (1j * lhs, -1j * lhs)
    if is_pole or not all(map(math.isfinite, (lhs.real, lhs.imag, rhs.real, rhs.imag))):
        found = complex_limits.atan2(lhs, rhs)
        return element_from_parts(y, layout.encode(found.real), layout.encode(found.imag))
    products = lhs * rhs.conjugate(), lhs * rhs, lhs * lhs + rhs * rhs
    may_vanish = _has_zero(lhs, rhs) or any(map(_is_near_axis, products))
    return element_from_parts(y, *rounded_parts(_atan2_complex, layout, lhs, rhs, may_vanish=may_vanish))


def _is_near_axis(z: complex) -> bool:
    """Whether sums of products cancelled in a part, perhaps all of them, or products overflowed."""
    least, most = sorted([abs(z.real), abs(z.imag)])
    return not most * 2.0**-20 < least < math.inf


def _has_zero(*numbers: complex) -> bool:
    return 0 in [part for z in numbers for part in (z.real, z.imag)]


def _atan2_complex(m: Library, y: Number, x: Number) -> Number:
    """-i log((x + i y) / sqrt(x² + y²))"""
    i = _complex(m, 0, 1)
    return -i * m.log((x + i * y) / m.sqrt(x * x + y * y))


def power(lhs: Element, rhs: Element) -> Element:
    """lhs ** rhs. spec "power": of integers modulo the width, of floats as `pow` of IEEE-754."""
    match lhs.type.kind:
        case Kind.SIGNED | Kind.UNSIGNED:
            return _power_of_integers(lhs, rhs)
        case Kind.COMPLEX:
            return _power_of_complex(lhs, rhs)
        case _:
            return _power_of_floats(lhs, rhs)


def _power_of_integers(lhs: Element, rhs: Element) -> Element:
    """The low bits of the exact power; 0 for a negative exponent, except for the bases 1 and -1."""
    base, exponent, width = int(lhs), int(rhs), lhs.type.width
    if exponent < 0:
        base, exponent = (base, exponent % 2) if base in (1, -1) else (0, 1)
    return Element.from_bits(lhs.type, pow(base, exponent, 1 << width))


def _power_of_floats(lhs: Element, rhs: Element) -> Element:
    layout, x, y = float_format(lhs.type), float(lhs), float(rhs)
    exact = _special_power(x, y)
    if exact is not None:
        return nan_bits(lhs.type) if math.isnan(exact) else Element.from_bits(lhs.type, layout.encode(exact))
    is_negative = x < 0 and y % 2 == 1

    def formula(m: Library, x: Number, y: Number) -> Number:
        return -(abs(x) ** y) if is_negative else abs(x) ** y

    return Element.from_bits(lhs.type, rounded(formula, layout, x, y))


def _special_power(x: float, y: float) -> float | None:
    """x ** y where x is 0 or 1 or y is 0, where either is infinite or NaN, or where it is not a number."""
    if y == 0 or x == 1:
        return 1.0
    if x < 0 and math.isfinite(x) and math.isfinite(y) and y != math.floor(y):
        return _NAN
    if x == 0 and y < 0:
        return math.copysign(_INF, x) if y % 2 == 1 else _INF
    is_special = x == 0 or not (math.isfinite(x) and math.isfinite(y))
    return math.pow(x, y) if is_special else None


def _power_of_complex(lhs: Element, rhs: Element) -> Element:
    """exp(rhs * log(lhs)), and the power of floats if both are real and lhs is not negative.

    0 to the power of what has a positive real part is 0, and anything to the power of 0 is 1.
    """
    layout, x, y = float_format(lhs.type), complex(lhs), complex(rhs)
    is_zero_or_one = y == 0 or (x == 0 and y.real > 0)
    if x.imag == y.imag == 0 and x.real >= 0 and not is_zero_or_one and not (x == 0 and math.isnan(y.real)):
        real = power(abs(lhs.parts[0]), rhs.parts[0])
        is_below = (math.copysign(1.0, x.imag) < 0) != (y.real < 0)
        return element_from_parts(lhs, real.bits, layout.encode(-0.0 if is_below else 0.0))
    if is_zero_or_one or x == 0 or not all(map(math.isfinite, (x.real, x.imag, y.real, y.imag))):
        found = complex_limits.power(x, y)
        return element_from_parts(lhs, layout.encode(found.real), layout.encode(found.imag))
    may_vanish = _has_zero(x, y) or abs(x.real) == abs(x.imag)
    parts = rounded_parts(
        _complex_power, layout, x, y, may_vanish=may_vanish, more_bits=_BITS_OF_ANGLES if abs(y) > 1 else 0
    )
    return element_from_parts(lhs, *parts)


# Between the inverse sines of angles of finite numbers and those of infinitesimals.
_INVERSE_OF_INFINITESIMAL = 1 << 3500
# Bits that a large angle loses beside its own size, when it is next to a multiple of pi / 2.
_BITS_OF_ANGLES = 300


def _complex_power(m: Library, x: Number, y: Number) -> Number:
    """exp(y log(x))"""
    exponent = y * m.log(x)

    def part(factor: Number) -> Number:
        """A factor other than an infinitesimal is at least 2**-2200, an angle of finite numbers."""
        is_infinitesimal = abs(factor) * _INVERSE_OF_INFINITESIMAL < 1
        return m.exp(_near(exponent.real, 1 << (11 if is_infinitesimal else 12))) * factor

    return _complex(m, part(m.cos(exponent.imag)), part(m.sin(exponent.imag)))


def sign_of_complex(z: Element) -> Element:
    """z / |z|; 0 at 0, NaN + i NaN if a part is NaN."""
    layout, value = float_format(z.type), complex(z)
    if math.isnan(value.real) or math.isnan(value.imag):
        return nan_bits(z.type)
    if value == 0:
        return element_from_parts(z, layout.encode(0.0), layout.encode(0.0))
    if math.isinf(value.real) or math.isinf(value.imag):
        parts = [_NAN if math.isinf(x) else math.copysign(0.0, x) for x in (value.real, value.imag)]
        return element_from_parts(z, layout.encode(parts[0]), layout.encode(parts[1]))
    return element_from_parts(z, *rounded_parts(_over_size, layout, value))


def _over_size(m: Library, z: Number) -> Number:
    size = m.sqrt(z.real * z.real + z.imag * z.imag)
    return _complex(m, z.real / size, z.imag / size)
