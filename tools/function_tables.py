"""lib/kernels/functions/tables.h: the tables of the fast functions of f64, as sums of two doubles."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from importlib import import_module
from typing import Any

mpmath: Any = import_module("mpmath")  # it has no types

mp = mpmath.mp
_PRECISION = 300
Number = Any
# The tables contain 2**(k / POWERS), sines of k / TURN turns, angles with tangent k / TANGENTS, LOGARITHMS
# logarithms, and error functions of k / ERRORS up to MOST_ERROR.
POWERS, TURN, TANGENTS, LOGARITHMS, ERRORS, MOST_ERROR = 32, 512, 64, 128, 32, 6
# The middle of the square roots in the polynomial of erf_inv.
ERF_INV_CENTER = 3.8
# The bits of the first number of the intervals of `logarithms`, and the places of the first part of a
# logarithm.
LEAST, LAST_PLACE = 0x3FE6100000000000, 42


def _number(value: float) -> str:
    return "0" if value == 0 else value.hex()


def pair(value: Number, places: int | None = None) -> tuple[float, float]:
    """A number as a sum of two doubles; with `places`, the first is a multiple of 2**-places."""
    high = (
        float(value) if places is None else float(mp.nint(value * mp.mpf(2) ** places) / mp.mpf(2) ** places)
    )
    return high, float(value - mp.mpf(high))


def powers() -> Iterator[tuple[float, ...]]:
    for k in range(POWERS):
        yield pair(mp.mpf(2) ** (mp.mpf(k) / POWERS))


def sines() -> Iterator[tuple[float, ...]]:
    for k in range(TURN + TURN // 4):
        quarter, rest = divmod(k, TURN // 4)
        angle = 2 * mp.pi * rest / TURN
        value = mp.cos(angle) if quarter % 2 else mp.sin(angle)
        if rest == 0:
            value = mp.mpf(quarter % 2)
        yield pair(-value if quarter % 4 > 1 else value)


def angles() -> Iterator[tuple[float, ...]]:
    for k in range(2 * TANGENTS):
        yield pair(mp.atan(mp.mpf(k) / TANGENTS))


def logarithms() -> Iterator[tuple[float, ...]]:
    """1 / c in a few bits, and log(c), for c near the middle of an interval of mantissas."""
    width = 1 << (52 - 7)
    for k in range(LOGARITHMS):
        ends = [_double(LEAST + width * (k + i)) for i in range(2)]
        if ends[0] < 1 < ends[1]:
            yield 1.0, 0.0, 0.0
            continue
        reciprocal = round(512 * 2 / (ends[0] + ends[1])) / 512
        yield reciprocal, *pair(-mp.log(mp.mpf(reciprocal)), LAST_PLACE)


def error_functions() -> Iterator[tuple[float, ...]]:
    """erf(c), then erfc(c)."""
    for function in (mp.erf, mp.erfc):
        for k in range(ERRORS * MOST_ERROR + 1):
            yield pair(function(mp.mpf(k) / ERRORS))


def slopes() -> Iterator[tuple[float, ...]]:
    for k in range(ERRORS * MOST_ERROR + 1):
        yield pair(2 / mp.sqrt(mp.pi) * mp.exp(-((mp.mpf(k) / ERRORS) ** 2)))


def erf_inv_terms() -> Iterator[tuple[float, ...]]:
    """erf_inv(x) / x of the square root of 2 - log(1 - x**2), for all x of f64."""
    least, most = mp.sqrt(2), mp.sqrt(2 + mp.log(2) * 53)

    def ratio(offset: Number) -> Number:
        rest = mp.exp(2 - (offset + ERF_INV_CENTER) ** 2)  # 1 - x**2
        x = mp.sqrt(1 - rest)
        return mp.sqrt(mp.pi) / 2 if x < mp.mpf(2) ** -40 else mp.erfinv(x) / x

    for coefficient in reversed(mp.chebyfit(ratio, [least - ERF_INV_CENTER, most - ERF_INV_CENTER], 20)):
        yield (float(coefficient),)


def gamma_constants() -> Iterator[tuple[str, Number]]:
    yield "stirling_constant", mp.log(2 * mp.pi) / 2 - mp.mpf(1) / 2
    yield "log_of_pi", mp.log(mp.pi)


def _constants(comment: str, rows: Iterator[tuple[str, Number]]) -> str:
    lines = [
        f"constexpr double {name} = {high.hex()}, {name}_low = {low.hex()};"
        for name, (high, low) in ((name, pair(value)) for name, value in rows)
    ]
    return "\n".join([f"// {comment}", *lines])


def _double(bits: int) -> float:
    return struct.unpack("d", struct.pack("Q", bits))[0]


def _tables(comment: str, names: str, rows: Iterator[tuple[float, ...]]) -> str:
    """An array for each column, because compilers vectorise gathers from separate arrays only."""
    lines = [f"// {comment}"]
    for name, column in zip(names.split(), zip(*rows, strict=True), strict=True):
        lines.append(f"constexpr double {name}[] = {{")
        lines += [
            "    " + ", ".join(map(_number, column[start : start + 4])) + ","
            for start in range(0, len(column), 4)
        ]
        lines.append("};")
    return "\n".join(lines)


def text() -> str:
    """The text of the header."""
    with mp.workprec(_PRECISION):
        tables = [
            _tables("2**(i / 32)", "powers powers_low", powers()),
            _tables(
                "1 / c of some bits, and log(c), whose first part is a multiple of 2**-42",
                "reciprocals logarithms logarithms_low",
                logarithms(),
            ),
            _tables("sin(2 pi i / 512), over a turn and a quarter", "sines sines_low", sines()),
            _tables("atan(i / 64)", "angles angles_low", angles()),
            _tables("erf(i / 32), and erfc(i / 32)", "errors errors_low", error_functions()),
            f"constexpr double erf_inv_center = {ERF_INV_CENTER};",
            _tables("erf_inv(x) / x", "erf_inv_terms", erf_inv_terms()),
            _tables("2 / sqrt(pi) exp(-(i / 32)**2)", "slopes slopes_low", slopes()),
            _constants("log(2 pi) / 2 - 1 / 2, and log(pi)", gamma_constants()),
        ]
    return "\n\n".join(
        [
            "// Made by python -m tools.generate: sums of two doubles.\n#pragma once",
            "namespace hlokit::functions {\nnamespace {",
            *tables,
            "} // namespace\n} // namespace hlokit::functions\n",
        ]
    )
