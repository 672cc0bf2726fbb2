"""Writes lib/vm/pointwise/coefficients.h: the polynomials of native functions, rounded to doubles.

    python -m tests.unit.lib.functions.coefficients lib/vm/pointwise/coefficients.h

A polynomial interpolates at Chebyshev points; its error is hardly larger than that of the best polynomial of its
degree. The comment of a polynomial gives the largest error, as a power of two.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath

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


# Name -> formula of the approximated function, the function, the ends of the interval, the number of terms.
POLYNOMIALS: dict[str, tuple[str, Callable[[Number], Number], str, str, int]] = {
    "exponential_minus_one": ("(expm1(x) - x) / x**2", _expm1, "-1.0001*log(2)/2", "1.0001*log(2)/2", 10),
    "log": ("(2 atanh(s) / s - 2) / s**2, of s**2", _roots(_log), "0", "(3-sqrt(8))**2*1.0001", 7),
    "sine": ("(sin(r) / r - 1) / r**2, of r**2", _roots(_sin), "0", "(pi/2)**2*1.0001", 8),
    "sine_quarter": ("the same, to pi/4", _roots(_sin), "0", "(pi/4)**2*1.0001", 6),
    "cosine_quarter": (
        "(cos(r) - 1 + r**2 / 2) / r**4, of r**2",
        _roots(_cos),
        "0",
        "(pi/4)**2*1.0001",
        6,
    ),
    "atan": ("(atan(z) / z - 1) / z**2, of z**2", _roots(_atan), "0", "(sqrt(2)-1)**2*1.0001", 12),
    "erf": ("erf(x) / x, of x**2 / 8 - 1", _erf, "-1", "1", 29),
    "erfc": ("exp(x**2) erfc(x), of (x - 4) / (x + 4)", _erfc, "-1", "6.2/14.2", 21),
    "erf_inv": ("erf_inv(x) / x, of -log(1 - x**2) / 8 - 1", _erf_inv, "-1", "1", 40),
}


def _number(expression: str) -> Number:
    return mp.mpf(eval(expression, {"log": mp.log, "sqrt": mp.sqrt, "pi": mp.pi}))


def _hexadecimal(value: Number) -> str:
    return float(value).hex()


def polynomial(name: str) -> tuple[list[float], int]:
    """The coefficients, the constant term first, and the error of the polynomial as a power of two."""
    _, function, low, high, terms = POLYNOMIALS[name]
    with mp.workprec(_PRECISION):
        interval = [_number(low), _number(high)]
        with warnings.catch_warnings():  # mpmath warns of a change in a later version
            warnings.simplefilter("ignore")
            coefficients, error = mpmath.chebyfit(function, interval, terms, error=True)
        return [float(each) for each in reversed(coefficients)], int(mp.floor(mp.log(error, 2)))


def two_over_pi(words: int) -> list[int]:
    """The bits of 2 / pi after the binary point, in 64-bit words."""
    with mp.workprec(64 * words + 64):
        bits = int(mp.floor(mp.ldexp(2 / mp.pi, 64 * words)))
    return [(bits >> 64 * (words - 1 - index)) & (2**64 - 1) for index in range(words)]


def header() -> str:
    """The text of the file."""
    lines = [
        "// Made by tests/unit/lib/functions/coefficients.py.",
        "#pragma once",
        "",
        "#include <stdint.h>",
        "",
        "namespace hlokit::vm {",
        "namespace {",
        "",
    ]
    for name, (what, _, low, high, _) in POLYNOMIALS.items():
        coefficients, error = polynomial(name)
        lines.append(f"// {what}, from {low} to {high}: 2**{error}")
        lines.append(f"constexpr double {name}_terms[] = {{")
        lines += [f"    {_hexadecimal(each)}," for each in coefficients]
        lines += ["};", ""]
    lines.append("// The bits of 2 / pi behind its point.")
    lines.append("constexpr uint64_t two_over_pi[] = {")
    words = [f"0x{word:016X}" for word in two_over_pi(20)]
    lines += [f"    {', '.join(words[start : start + 4])}," for start in range(0, len(words), 4)]
    lines += ["};", "", "} // namespace", "} // namespace hlokit::vm", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header())
