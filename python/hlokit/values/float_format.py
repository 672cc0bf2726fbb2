"""Binary floating-point formats: bits to value and back, in exact arithmetic.

This is the slow, plain counterpart of ml_dtypes' casts, which the kernels use: decoding follows the
definition of the format, and a rational number is rounded once, to nearest, ties to even. Source: spec
"Types", IEEE-754, OCP "8-bit Floating Point" and "Microscaling Formats".
"""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING

from hlokit.values.element_types import ElementType

if TYPE_CHECKING:
    from fractions import Fraction


class Special(enum.Enum):
    """The meaning of the codes at the end of the range."""

    IEEE = "infinities and NaNs in the last binade"
    FN = "one NaN of each sign, all ones; no infinity"
    FNUZ = "one NaN, where -0 would be; no infinity"
    FINITE = "neither NaN nor infinity"
    POWER = "only powers of two: no sign, no zero, one NaN"


class FloatFormat:
    """Layout of a binary float: sign, exponent, mantissa, from the highest bit down.

    Attributes:
      exponent_bits: width of the exponent field.
      mantissa_bits: width of the mantissa field, without the implicit bit.
      bias: exponent field of 1.0.
      special: how NaN, infinity and zero are encoded.
      width: significant bits of one value.
      sign_bit: mask of the sign, 0 for a format without one.
      nan: bits of the NaN that operations return; of -0, to which a NaN narrows, in a format without NaN.
      largest: bits of the largest finite value.
    """

    __slots__ = ("bias", "exponent_bits", "largest", "mantissa_bits", "nan", "sign_bit", "special", "width")

    def __init__(self, exponent_bits: int, mantissa_bits: int, bias: int, special: Special) -> None:
        self.exponent_bits, self.mantissa_bits = exponent_bits, mantissa_bits
        self.bias, self.special = bias, special
        magnitude_bits = exponent_bits + mantissa_bits
        has_sign = special is not Special.POWER
        self.width = magnitude_bits + has_sign
        self.sign_bit = 1 << magnitude_bits if has_sign else 0
        top = (1 << magnitude_bits) - 1
        quiet = ((1 << exponent_bits) - 1) << mantissa_bits
        match special:
            case Special.IEEE:
                self.nan, self.largest = quiet | 1 << max(mantissa_bits - 1, 0), top - (1 << mantissa_bits)
            case Special.FN:
                self.nan, self.largest = self.sign_bit - 1, top - 1
            case Special.FNUZ | Special.FINITE:
                self.nan, self.largest = self.sign_bit, top
            case Special.POWER:
                self.nan, self.largest = top, top - 1

    def decode(self, bits: int) -> float:
        """The value of `bits`; exact, because f64 holds every value of every format."""
        if self.is_nan(bits):
            return math.copysign(math.nan, -1.0 if bits & self.sign_bit else 1.0)
        if self.special is Special.POWER:
            return math.ldexp(1.0, bits - self.bias)
        magnitude = bits & ~self.sign_bit
        exponent, mantissa = divmod(magnitude, 1 << self.mantissa_bits)
        if magnitude > self.largest:
            value = math.inf
        elif exponent == 0:
            value = math.ldexp(mantissa, 1 - self.bias - self.mantissa_bits)
        else:
            significand = mantissa + (1 << self.mantissa_bits)
            value = math.ldexp(significand, exponent - self.bias - self.mantissa_bits)
        return -value if bits & self.sign_bit else value

    def is_nan(self, bits: int) -> bool:
        """Whether `bits` encode a NaN."""
        if self.special is Special.FINITE:
            return False
        if self.special is Special.FNUZ:
            return bits == self.sign_bit
        infinity = self.largest + (self.special is Special.IEEE)
        return bits & ~self.sign_bit > infinity

    def negate(self, bits: int) -> int:
        """The bits with the opposite sign; NaN if no such value exists; an unsigned zero is unchanged."""
        if self.special is Special.POWER:
            return self.nan
        has_no_sign = self.special is Special.FNUZ and bits in (0, self.nan)
        return bits if has_no_sign else bits ^ self.sign_bit

    def absolute(self, bits: int) -> int:
        """The bits without the sign."""
        has_no_sign = self.special is Special.FNUZ and bits == self.nan
        return bits if has_no_sign else bits & ~self.sign_bit

    def encode(self, value: int | float | Fraction) -> int:
        """The bits of the nearest value, ties to even.

        A value beyond the range becomes an infinity, the positive NaN, or the largest value: the first of
        these that the format has. -0 becomes 0 in a format without -0. A negative number or zero without a
        code becomes NaN.
        """
        is_float = isinstance(value, float)
        if is_float and math.isnan(value):
            return self.nan
        negative = value < 0 or (is_float and math.copysign(1.0, value) < 0)
        if self.special is Special.POWER and (negative or value == 0):
            return self.nan
        if value == 0:
            magnitude = 0
        elif is_float and math.isinf(value):
            magnitude = self._overflow
        else:
            magnitude = self._round(*abs(value).as_integer_ratio())
        if magnitude == self.nan or (magnitude == 0 and self.special is Special.FNUZ):
            return magnitude
        return magnitude | self.sign_bit if negative else magnitude

    @property
    def _overflow(self) -> int:
        if self.special is Special.IEEE:
            return self.largest + 1
        return self.largest if self.special is Special.FINITE else self.nan

    def _round(self, numerator: int, denominator: int) -> int:
        """The bits of the value nearest to a positive quotient."""
        exponent = numerator.bit_length() - denominator.bit_length()
        if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
            exponent -= 1
        if self.special is Special.POWER:
            # One significant bit, always odd, so that a tie rounds up; the smallest value represents zero.
            code = max(exponent + self.bias - 1 + _nearest(numerator, denominator, exponent), 0)
        else:
            smallest = 1 - self.bias
            exponent = max(exponent, smallest)
            quanta = _nearest(numerator, denominator, exponent - self.mantissa_bits)
            # The implicit bit of `quanta` adds one to the exponent field, and a carry one more.
            code = ((exponent - smallest) << self.mantissa_bits) + quanta
        return self._overflow if code > self.largest else code


def _nearest(numerator: int, denominator: int, exponent: int) -> int:
    """The integer nearest to numerator / denominator / 2**exponent, ties to even."""
    if exponent < 0:
        numerator <<= -exponent
    else:
        denominator <<= exponent
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest + (quotient & 1) > denominator)


_FORMATS: dict[str, FloatFormat] = {
    "f4E2M1FN": FloatFormat(2, 1, 1, Special.FINITE),
    "f6E2M3FN": FloatFormat(2, 3, 1, Special.FINITE),
    "f6E3M2FN": FloatFormat(3, 2, 3, Special.FINITE),
    "f8E3M4": FloatFormat(3, 4, 3, Special.IEEE),
    "f8E4M3": FloatFormat(4, 3, 7, Special.IEEE),
    "f8E4M3B11FNUZ": FloatFormat(4, 3, 11, Special.FNUZ),
    "f8E4M3FN": FloatFormat(4, 3, 7, Special.FN),
    "f8E4M3FNUZ": FloatFormat(4, 3, 8, Special.FNUZ),
    "f8E5M2": FloatFormat(5, 2, 15, Special.IEEE),
    "f8E5M2FNUZ": FloatFormat(5, 2, 16, Special.FNUZ),
    "f8E8M0FNU": FloatFormat(8, 0, 127, Special.POWER),
    "bf16": FloatFormat(8, 7, 127, Special.IEEE),
    "f16": FloatFormat(5, 10, 15, Special.IEEE),
    "f32": FloatFormat(8, 23, 127, Special.IEEE),
    "f64": FloatFormat(11, 52, 1023, Special.IEEE),
}


def float_format(element_type: ElementType) -> FloatFormat:
    """The format of a float type, or of the parts of a complex type.

    Raises:
      TypeError: the type is neither.
    """
    layout = _FORMATS.get(element_type.part.name)
    if layout is None:
        raise TypeError(f"element type must be a float or complex type, got {element_type}")
    return layout
