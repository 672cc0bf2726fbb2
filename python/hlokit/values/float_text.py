"""Floats in decimal, as MLIR's printer writes them.

The rule, found by experiment and tested against the printer:

1. six significant digits as `1.000000e+00`, if they read back as the same bits;
2. else as many digits as the precision of the format needs (9 for f32, 17 for f64), without trailing zeros:
   as `123.456001`, or as `1.234E+20` if the number is below 1e-3 or an integer would need zeros; provided
   that this text contains a point;
3. else, and for NaN and infinity, the bits in hexadecimal: `0x7FC00000`.

The digits are those of the exact decimal expansion, rounded half up. However, the printer first truncates the
expansion to a number of *bits*. If exactly the wanted digits are left, they are truncated, not rounded.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.values.bits import significant_bits
from hlokit.values.element_types import ElementType
from hlokit.values.float_format import FloatFormat, float_format

_SHORT = 6
# For fewer elements, formatting each element by itself is faster.
_FEW = 64


def float_texts(array: npt.NDArray[Any], element_type: ElementType) -> list[str]:
    """The text of every element, with the last dimension fastest.

    Args:
      array: elements of a float type.
      element_type: that type.
    """
    layout = float_format(element_type)
    codes = significant_bits(array, element_type).reshape(-1)
    if codes.size < _FEW:
        return [float_text(code, layout) for code in codes.tolist()]
    distinct, inverse = np.unique(codes, return_inverse=True)
    return _distinct_texts(distinct, element_type)[inverse].tolist()


def float_text(code: int, layout: FloatFormat) -> str:
    """The text of the float with the bits `code`; plain, exact and slow."""
    value = layout.decode(code)
    if layout.is_nan(code) or value in (float("inf"), float("-inf")):
        return f"0x{code:X}"
    sign = "-" if code & layout.sign_bit else ""
    if value == 0:
        return f"{sign}0.000000e+00"
    expansion = _expansion(abs(value))
    digits, exponent = _cut(*expansion, _SHORT)
    if _reads_back(digits, exponent, abs(value), layout):
        text = str(digits)
        return f"{sign}{text[0]}.{text[1:]:0<6}e{exponent + len(text) - 1:+03d}"
    count = _long_digits(layout)
    text = _long_text(*_cut(*expansion, count), count)
    return sign + text if "." in text else f"0x{code:X}"


def _reads_back(digits: int, exponent: int, value: float, layout: FloatFormat) -> bool:
    """Whether digits * 10**exponent rounds to `value`, a positive value of the format."""
    _, binade = math.frexp(value)
    ulp = math.ldexp(1.0, max(binade, 2 - layout.bias) - 1 - layout.mantissa_bits)
    # The distance is rounded once, to f64, with an error far below the margins.
    distance = abs(float(f"{digits}e{exponent}") - value)
    if distance < 0.24 * ulp:
        return True
    if distance > 0.51 * ulp:
        return False
    return layout.encode(Fraction(digits) * Fraction(10) ** exponent) == layout.encode(value)


def _long_digits(layout: FloatFormat) -> int:
    return 2 + (layout.mantissa_bits + 1) * 59 // 196


def _expansion(value: float) -> tuple[int, int]:
    """(n, e) with value = n * 10**e exactly, e as large as a finite binary expansion allows, at most 0."""
    numerator, denominator = value.as_integer_ratio()
    places = denominator.bit_length() - 1
    return numerator * _power(5, places), -places


def _cut(digits: int, exponent: int, count: int) -> tuple[int, int]:
    """At most `count` digits of digits * 10**exponent, without trailing zeros."""
    surplus = _surplus_digits(digits.bit_length(), count)
    digits, exponent = digits // _power(10, surplus), exponent + surplus
    surplus = len(str(digits)) - count
    if surplus > 0:
        half_up = digits // _power(10, surplus - 1) + 5
        digits, exponent = half_up // 10, exponent + surplus
    while digits % 10 == 0:
        digits, exponent = digits // 10, exponent + 1
    return digits, exponent


def _surplus_digits(bits: int, count: int) -> int:
    """Digits that the printer cuts off a number of `bits` bits before it rounds to `count` digits."""
    return max(bits - _wanted_bits(count), 0) * 59 // 196


def _wanted_bits(count: int) -> int:
    return (count * 196 + 58) // 59


def _long_text(digits: int, exponent: int, count: int) -> str:
    text = str(digits)
    leading = exponent + len(text) - 1
    is_scientific = (exponent > 3 or len(text) + exponent > count) if exponent >= 0 else leading < -3
    if is_scientific:
        return f"{text[0]}.{text[1:] or '0'}E{leading:+d}"
    if exponent >= 0:
        return text + "0" * exponent
    if leading >= 0:
        return f"{text[:exponent]}.{text[exponent:]}"
    return f"0.{'0' * (-leading - 1)}{text}"


@cache
def _power(base: int, exponent: int) -> int:
    return base**exponent


def _distinct_texts(codes: npt.NDArray[Any], element_type: ElementType) -> npt.NDArray[np.object_]:
    layout = float_format(element_type)
    if layout.width <= 16:
        return np.array([float_text(code, layout) for code in codes.tolist()], dtype=object)
    texts = np.empty(codes.shape, dtype=object)
    numbers = codes.view(element_type.dtype)
    is_left = ~_fill_plain_texts(texts, numbers, _long_digits(layout))
    texts[is_left] = [float_text(code, layout) for code in codes[is_left].tolist()]
    return texts


def _fill_plain_texts(
    texts: npt.NDArray[np.object_], numbers: npt.NDArray[Any], count: int
) -> npt.NDArray[np.bool_]:
    """Fill in the texts that C's `%e` and `%g` produce directly, and return a mask of these elements.

    C rounds to nearest. The printer does the same, unless it meets a tie or its cut leaves no digit to round
    by. The mask excludes such values and all doubtful values: special and subnormal values, and sizes that
    f64 cannot determine.
    """
    with np.errstate(invalid="ignore"):  # signaling NaNs
        exact = np.abs(numbers.astype(np.float64))
    smallest, largest = np.finfo(numbers.dtype).tiny, 10.0**count
    is_plain = (exact >= smallest) & (exact < largest)
    exact = np.where(is_plain, exact, 1.0)
    short = np.array(_formatted("%.5e", exact), dtype=object)
    # See `_reads_back`. A truncated number is further off than a rounded one, and does not read back either.
    distance = np.abs(short.astype(np.float64) - exact) / np.spacing(exact.astype(numbers.dtype))
    total_digits, bits, is_sure = _expansion_sizes(exact)

    is_sure &= is_plain
    is_short = is_sure & (distance < 0.24) & ~_is_cut(total_digits, bits, _SHORT)
    # The next digit may be an exact 5, which C rounds to even. (A tie at six digits does not read back.)
    is_long = is_sure & (distance > 0.51) & (total_digits != count + 1)
    is_cut = is_long & _is_cut(total_digits, bits, count)
    nearest = np.array(_formatted(f"%.{count - 1}e", exact[is_cut]), dtype=object)
    is_long[is_cut] = nearest.astype(np.float64) < exact[is_cut]  # rounding down is cutting
    signs = np.where(numbers < 0, "-", "").astype(object)
    texts[is_short] = [text.replace("e", "0e") for text in short[is_short]]
    is_small = is_long & (exact < 1e-3)
    texts[is_small] = [_trimmed(text) for text in _formatted(f"%.{count - 1}e", exact[is_small])]
    is_large = is_long & ~is_small
    texts[is_large] = _formatted(f"%.{count}g", exact[is_large])
    is_large[is_large] = ["." in text for text in texts[is_large]]
    is_filled = is_short | is_small | is_large
    texts[is_filled] = signs[is_filled] + texts[is_filled]
    return is_filled


def _is_cut(
    total_digits: npt.NDArray[np.int64], bits: npt.NDArray[np.int64], count: int
) -> npt.NDArray[np.bool_]:
    """Where `_cut` drops all digits after `count` digits, so that none is left to round by."""
    left = total_digits - np.maximum(bits - _wanted_bits(count), 0) * 59 // 196
    return (total_digits > count) & (left <= count)


def _formatted(form: str, numbers: npt.NDArray[np.float64]) -> list[str]:
    # One `%` operation for all numbers is several times faster than one for each number.
    return ((form + " ") * numbers.size % tuple(numbers.tolist())).split()


def _trimmed(text: str) -> str:
    """C's `1.2340e-05` as the printer's `1.234E-5`."""
    mantissa, exponent = text.split("e")
    mantissa = mantissa.rstrip("0")
    return f"{mantissa}{'0' if mantissa[-1] == '.' else ''}E{int(exponent)}"


def _expansion_sizes(
    exact: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Decimal digits and bits of the integers that `_expansion` would return, and where both are certain."""
    fraction, exponent = np.frexp(exact)
    significand = (fraction * 2.0**53).astype(np.int64)
    lowest_bit = (significand & -significand).astype(np.float64)
    places = np.maximum(54 - np.frexp(lowest_bit)[1] - exponent, 0).astype(np.int64)
    digits, digits_sure = _floor(np.log10(exact) + places)
    bits, bits_sure = _floor(np.log2(exact) + places * np.log2(10.0))
    is_integer = places == 0
    bits = np.where(is_integer, exponent, bits + 1)
    return digits + 1, bits, digits_sure & (bits_sure | is_integer)


def _floor(numbers: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    # The logarithms' errors are below 1e-11 of these sizes, which are below 4000.
    is_sure = np.abs(numbers - np.rint(numbers)) > 1e-8
    return np.floor(numbers).astype(np.int64), is_sure
