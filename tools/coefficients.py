"""lib/vm/pointwise/coefficients.h: the polynomials of native functions, rounded to doubles.

A polynomial interpolates at Chebyshev points; its error is hardly larger than that of the best polynomial of
its degree. The comment of a polynomial gives the largest error, as a power of two. Polynomials have as few
terms as `most_error` of decisions.h allows: exact functions decide where an error could change the nearest
f32. Those of powers have more, because a power that is an f32 must be exact.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

mpmath: Any = import_module("mpmath")  # it has no types

mp = mpmath.mp
_PRECISION = 300
# Below this size, cancellation makes quotients that are 0 / 0 at 0 meaningless.
_TINY = 1e-30
Number = Any


def _roots(function: Callable[[Number], Number]) -> Callable[[Number], Number]:
    return lambda square: function(mp.sqrt(square))


def _expm1(x: Number) -> Number:
    return (mp.expm1(x) - x) / x**2 if abs(x) > _TINY else mp.mpf(1) / 2


def _log(s: Number) -> Number:
    return (2 * mp.atanh(s) / s - 2) / s**2


def _sin(r: Number) -> Number:
    return (mp.sin(r) / r - 1) / r**2


def _cos(r: Number) -> Number:
    return (mp.cos(r) - 1 + r**2 / 2) / r**4


def _atan(z: Number) -> Number:
    return (mp.atan(z) / z - 1) / z**2


def _erf(v: Number) -> Number:
    x = mp.sqrt(8 * (v + 1)) + mp.mpf(_TINY)
    return mp.erf(x) / x


def _erfc(t: Number) -> Number:
    x = 4 * (1 + t) / (1 - t)
    return mp.exp(x * x) * mp.erfc(x)


def _erf_inv(v: Number) -> Number:
    rest = mp.exp(-8 * (v + 1))  # 1 - x**2
    x = mp.sqrt(1 - rest)
    if x < _TINY:
        return mp.sqrt(mp.pi) / 2
    wanted = rest / (1 + x)  # of erfc
    result = mp.sqrt(8 * (v + 1)) * 0.87
    for _ in range(100):
        step = (mp.erfc(result) - wanted) * mp.sqrt(mp.pi) / 2 * mp.exp(result**2)
        result += step / (1 + result * step)
        if abs(step) < mp.ldexp(result, -_PRECISION // 3):
            break
    return result / x


class Polynomial(NamedTuple):
    """What a polynomial approximates.

    Attributes:
      formula: the function, as text.
      function: the function.
      interval: the ends of the interval, as text.
      ends: returns the ends of the interval.
      terms: the number of coefficients.
    """

    formula: str
    function: Callable[[Number], Number]
    interval: tuple[str, str]
    ends: Callable[[], tuple[Number, Number]]
    terms: int


def _half_log_2() -> tuple[Number, Number]:
    end = 1.0001 * mp.log(2) / 2
    return -end, end


def _exponential_minus_one(terms: int) -> Polynomial:
    ends = ("-1.0001*log(2)/2", "1.0001*log(2)/2")
    return Polynomial("(expm1(x) - x) / x**2", _expm1, ends, _half_log_2, terms)


def _log_of_mantissa(terms: int) -> Polynomial:
    def ends() -> tuple[Number, Number]:
        return mp.mpf(0), (3 - mp.sqrt(8)) ** 2 * 1.0001

    formula = "(2 atanh(s) / s - 2) / s**2, of s**2"
    return Polynomial(formula, _roots(_log), ("0", "(3-sqrt(8))**2*1.0001"), ends, terms)


POLYNOMIALS = {
    "exponential_minus_one": _exponential_minus_one(8),
    "log": _log_of_mantissa(5),
    "exponential_minus_one_of_power": _exponential_minus_one(10),
    "log_of_power": _log_of_mantissa(7),
    "sine": Polynomial(
        "(sin(r) / r - 1) / r**2, of r**2",
        _roots(_sin),
        ("0", "(pi/2)**2*1.0001"),
        lambda: (mp.mpf(0), (mp.pi / 2) ** 2 * 1.0001),
        6,
    ),
    "sine_quarter": Polynomial(
        "the same, to pi/4",
        _roots(_sin),
        ("0", "(pi/4)**2*1.0001"),
        lambda: (mp.mpf(0), (mp.pi / 4) ** 2 * 1.0001),
        5,
    ),
    "cosine_quarter": Polynomial(
        "(cos(r) - 1 + r**2 / 2) / r**4, of r**2",
        _roots(_cos),
        ("0", "(pi/4)**2*1.0001"),
        lambda: (mp.mpf(0), (mp.pi / 4) ** 2 * 1.0001),
        5,
    ),
    "atan": Polynomial(
        "(atan(z) / z - 1) / z**2, of z**2",
        _roots(_atan),
        ("0", "(sqrt(2)-1)**2*1.0001"),
        lambda: (mp.mpf(0), (mp.sqrt(2) - 1) ** 2 * 1.0001),
        8,
    ),
    "erf": Polynomial("erf(x) / x, of x**2 / 8 - 1", _erf, ("-1", "1"), lambda: (-1, 1), 24),
    "erfc": Polynomial(
        "exp(x**2) erfc(x), of (x - 4) / (x + 4)",
        _erfc,
        ("-1", "6.2/14.2"),
        lambda: (mp.mpf(-1), mp.mpf(6.2 / 14.2)),
        17,
    ),
    "erf_inv": Polynomial(
        "erf_inv(x) / x, of -log(1 - x**2) / 8 - 1", _erf_inv, ("-1", "1"), lambda: (-1, 1), 32
    ),
}


def polynomial(name: str) -> tuple[list[float], int]:
    """The coefficients, the constant term first, and the error of the polynomial as a power of two."""
    row = POLYNOMIALS[name]
    with mp.workprec(_PRECISION):
        interval = list(row.ends())
        with warnings.catch_warnings():  # mpmath warns of a change in a later version
            warnings.simplefilter("ignore")
            coefficients, error = mpmath.chebyfit(row.function, interval, row.terms, error=True)
        return [float(coefficient) for coefficient in reversed(coefficients)], int(mp.floor(mp.log(error, 2)))


def two_over_pi(words: int) -> list[int]:
    """The bits of 2 / pi after the binary point, in 64-bit words."""
    with mp.workprec(64 * words + 64):
        bits = int(mp.floor(mp.ldexp(2 / mp.pi, 64 * words)))
    return [(bits >> 64 * (words - 1 - index)) & (2**64 - 1) for index in range(words)]


def text() -> str:
    """The text of the file."""
    lines = [
        "// Made by python -m tools.generate.",
        "#pragma once",
        "",
        "#include <stdint.h>",
        "",
        "namespace hlokit::vm {",
        "namespace {",
        "",
    ]
    for name, row in POLYNOMIALS.items():
        coefficients, error = polynomial(name)
        lines.append(f"// {row.formula}, from {row.interval[0]} to {row.interval[1]}: 2**{error}")
        lines.append(f"constexpr double {name}_terms[] = {{")
        lines += [f"    {coefficient.hex()}," for coefficient in coefficients]
        lines += ["};", ""]
    lines.append("// The bits of 2 / pi behind its point.")
    lines.append("constexpr uint64_t two_over_pi[] = {")
    words = [f"0x{word:016X}" for word in two_over_pi(20)]
    lines += [f"    {', '.join(words[start : start + 4])}," for start in range(0, len(words), 4)]
    lines += ["};", "", "} // namespace", "} // namespace hlokit::vm", ""]
    return "\n".join(lines)
