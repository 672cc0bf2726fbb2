"""Functions of one element, correctly rounded for every float type and for the parts of complex numbers.

Source: spec, sections "Semantics" of the operations; IEEE-754, "Additional mathematical operations".
"""

from __future__ import annotations

import math

from hlokit.reference.numbers import complex_limits
from hlokit.reference.numbers.precise import Formula, Library, Number, rounded_parts
from hlokit.reference.numbers.rounded_functions import (
    bounded,
    complex_function,
    element_from_parts,
    of_floats,
    one_at_zero,
    real_function,
)
from hlokit.reference.numbers.rules import canonical_nan
from hlokit.values.element import Element
from hlokit.values.float_format import float_format

_NAN, _INF = math.nan, math.inf


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
    x, y = bounded(z.real), z.imag
    half = m.sin(y / 2)
    return _complex(m, m.expm1(x) * m.cos(y) - 2 * half * half, m.exp(x) * m.sin(y))


def _logistic_complex(m: Library, z: Number) -> Number:
    """1 / (1 + exp(-z)) = (1 + exp(-x) cos(y) + i exp(-x) sin(y)) / (1 + 2 exp(-x) cos(y) + exp(-2x)).

    The denominator is (1 - exp(-x))² + 4 exp(-x) cos(y / 2)², which does not cancel.
    """
    x, y = bounded(z.real), z.imag
    size, half = m.exp(-x), m.cos(y / 2)
    norm = m.expm1(-x) ** 2 + 4 * size * half * half
    real = 2 * size * half * half - m.expm1(-x)
    return _complex(m, real / norm, size * m.sin(y) / norm)


def _complex(m: Library, real: Number, imag: Number) -> Number:
    return m.mpc(real, imag)


exponential = of_floats(
    real_function(lambda m, x: m.exp(bounded(x)), limits=(0.0, _INF), at=one_at_zero),
    complex_function(
        lambda m, z: _complex(
            m, m.exp(bounded(z.real)) * m.cos(z.imag), m.exp(bounded(z.real)) * m.sin(z.imag)
        ),
        complex_limits.exp,
    ),
)
exponential_minus_one = of_floats(
    real_function(lambda m, x: m.expm1(bounded(x)), limits=(-1.0, _INF)),
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
        lambda m, x: 1 / (1 + m.exp(bounded(-x))), limits=(0.0, 1.0), at=lambda x: 0.5 if x == 0 else None
    ),
    complex_function(_logistic_complex, complex_limits.logistic),
)

# Roots ------------------------------------------------------------------------------------------------


def _cube_root_complex(m: Library, z: Number) -> Number:
    """The principal cube root: the cube root of the magnitude, a third of the angle."""
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
    x, y = bounded(z.real), z.imag
    return _complex(m, m.sinh(x) * m.cos(y), m.cosh(x) * m.sin(y))


def _cosh_complex(m: Library, z: Number) -> Number:
    x, y = bounded(z.real), z.imag
    return _complex(m, m.cosh(x) * m.cos(y), m.sinh(x) * m.sin(y))


def _tanh_complex(m: Library, z: Number) -> Number:
    """(sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)² + cos(y)²)"""
    x, y = bounded(z.real), z.imag
    norm = m.sinh(x) ** 2 + m.cos(y) ** 2
    return _complex(m, m.sinh(x) * m.cosh(x) / norm, m.sin(y) * m.cos(y) / norm)


def _atanh_complex(m: Library, z: Number) -> Number:
    """log1p(4x / ((1 - x)² + y²)) / 4 and half the angle of (1 - x)(1 + x) - y² + 2iy, for positive x."""
    x, y = abs(z.real), z.imag
    real = m.log1p(4 * x / ((1 - x) ** 2 + y * y)) / 4
    return _complex(m, real if z.real > 0 else -real, m.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2)


def _rotated(function: Formula) -> Formula:
    """sin, tan, asin and atan of z from sinh, tanh, asinh and atanh: f(z) = -i g(i z)."""

    def rotated(m: Library, z: Number) -> Number:
        value = function(m, _complex(m, -z.imag, z.real))
        return _complex(m, value.imag, -value.real)

    return rotated


sine = of_floats(
    real_function(lambda m, x: m.sin(x)), complex_function(_rotated(_sinh_complex), complex_limits.sin)
)
cosine = of_floats(
    real_function(lambda m, x: m.cos(x), at=one_at_zero),
    complex_function(lambda m, z: _cosh_complex(m, _complex(m, -z.imag, z.real)), complex_limits.cos),
)
tan = of_floats(
    real_function(lambda m, x: m.tan(x)), complex_function(_rotated(_tanh_complex), complex_limits.tan)
)
tanh = of_floats(
    real_function(lambda m, x: m.tanh(bounded(x)), limits=(-1.0, 1.0)),
    complex_function(_tanh_complex, complex_limits.tanh),
)
sinh = of_floats(
    real_function(lambda m, x: m.sinh(bounded(x)), limits=(-_INF, _INF)),
    complex_function(_sinh_complex, complex_limits.sinh),
)
cosh = of_floats(
    real_function(lambda m, x: m.cosh(bounded(x)), limits=(_INF, _INF), at=one_at_zero),
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
    complex_function(_rotated(_atanh_complex), complex_limits.atan, pole=lambda z: z in (1j, -1j)),
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


# Signs ----------------------------------------------------------------------------------------------


def sign_of_complex(z: Element) -> Element:
    """z / |z|; 0 at 0, NaN + i NaN if a part is NaN."""
    layout, value = float_format(z.type), complex(z)
    if math.isnan(value.real) or math.isnan(value.imag):
        return canonical_nan(z.type)
    if value == 0:
        return element_from_parts(z, layout.encode(0.0), layout.encode(0.0))
    if math.isinf(value.real) or math.isinf(value.imag):
        parts = [_NAN if math.isinf(x) else math.copysign(0.0, x) for x in (value.real, value.imag)]
        return element_from_parts(z, layout.encode(parts[0]), layout.encode(parts[1]))
    return element_from_parts(z, *rounded_parts(_over_magnitude, layout, value))


def _over_magnitude(m: Library, z: Number) -> Number:
    size = m.sqrt(z.real * z.real + z.imag * z.imag)
    return _complex(m, z.real / size, z.imag / size)
