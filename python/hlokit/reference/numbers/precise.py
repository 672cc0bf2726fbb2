"""Correct rounding by Ziv's strategy: approximate a real number until its rounding is certain.

The numbers come from MPFR and MPC through `gmpy2`, or else from `mpmath`. Both libraries have the same names
for most functions, so a function is written once, as a function of a *library* and its numbers:
`lambda m, x: m.sin(x)`. Only the leading half of an approximation's bits counts as exact. This is far less
than either library guarantees, and allows for cancellation within a formula.

Source: Ziv, Fast evaluation of elementary mathematical functions with correctly rounded last bit (1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

from hlokit.errors import UnsupportedError
from hlokit.values.float_format import FloatFormat

# A number of a library, real or complex, and the module of functions. Neither library has type annotations.
Number = Any
Library = Any
Function = Callable[..., Number]
Formula = Callable[[Library, Number], Number]

# The initial number of bits, and the number beyond which an undecided approximation counts as exactly the
# midpoint of two values: only algebraic numbers can be midpoints, and have far fewer bits.
FIRST_PRECISION, LAST_PRECISION = 160, 10_000
# Numbers with larger exponents, of either sign, overflow or underflow in every format.
_LARGEST_EXPONENT = 3000
# A signed zero is an infinitesimal, whose sign is the side of an axis, a cut or a pole.
INFINITESIMAL = -6000
CANCELLATION_PRECISION = 13_000
# A number that is not a midpoint differs from the midpoint within this number of leading bits. Infinitesimals
# are below these bits: relative to a result of 2**-1840 an infinitesimal begins after 4100 bits.
_DECIDING_BITS = 3_900


class _Engine(Protocol):
    """Evaluates a function with a number of bits, and decomposes its result."""

    def evaluate(self, function: Function, arguments: tuple[float | complex, ...], bits: int) -> Number: ...

    def parts(self, number: Number) -> tuple[Number, Number]: ...

    def mantissa_exponent(self, number: Number) -> tuple[int, int] | float:
        """(m, e) of a real number m 2^e; infinities and NaN as floats."""
        ...


class _Mpfr:
    """gmpy2: MPFR and MPC, and the functions that both lack."""

    def __init__(self) -> None:
        import gmpy2  # pyright: ignore[reportMissingTypeStubs] # has none

        self._library: Any = gmpy2

    def evaluate(self, function: Function, arguments: tuple[float | complex, ...], bits: int) -> Number:
        library = self._library
        limits = {"emin": library.get_emin_min(), "emax": library.get_emax_max()}
        with library.context(precision=bits, **limits):
            return function(library, *[self._number(argument) for argument in arguments])

    def _number(self, argument: float | complex) -> Number:
        library = self._library
        if not isinstance(argument, complex):
            return library.mpfr(argument)
        tiny = library.mpfr(2) ** INFINITESIMAL
        parts = [
            tiny * (1 if math.copysign(1.0, part) > 0 else -1) if part == 0 else library.mpfr(part)
            for part in (argument.real, argument.imag)
        ]
        return library.mpc(*parts)

    def parts(self, number: Number) -> tuple[Number, Number]:
        return number.real, number.imag

    def mantissa_exponent(self, number: Number) -> tuple[int, int] | float:
        if not self._library.is_finite(number):
            return float(number)
        mantissa, exponent = number.as_mantissa_exp()
        return int(mantissa), int(exponent)


class _Mpmath:
    """mpmath, under gmpy2's names."""

    def __init__(self) -> None:
        import mpmath  # pyright: ignore[reportMissingTypeStubs] # has none

        self._library: Any = mpmath

    def evaluate(self, function: Function, arguments: tuple[float | complex, ...], bits: int) -> Number:
        library = self._library
        with library.workprec(bits):
            return function(library, *[self._number(argument) for argument in arguments])

    def _number(self, argument: float | complex) -> Number:
        library = self._library
        if not isinstance(argument, complex):
            return library.mpf(argument)
        parts = [
            library.ldexp(math.copysign(1.0, part), INFINITESIMAL) if part == 0 else part
            for part in (argument.real, argument.imag)
        ]
        return library.mpc(*parts)

    def parts(self, number: Number) -> tuple[Number, Number]:
        return number.real, number.imag

    def mantissa_exponent(self, number: Number) -> tuple[int, int] | float:
        if not self._library.isfinite(number):
            return float(number)
        # `mpf(number)` would round to the precision outside of `workprec`.
        sign, mantissa, exponent, _ = (
            number if isinstance(number, self._library.mpf) else self._library.mpf(number)
        )._mpf_
        return (-int(mantissa) if sign else int(mantissa)), int(exponent)


@cache
def _engine(*, needs_mpmath: bool = False) -> _Engine:
    if not needs_mpmath:
        try:
            return _Mpfr()
        except ImportError:
            pass
    try:
        return _Mpmath()
    except ImportError:
        raise UnsupportedError(
            "functions of the reference need gmpy2 and mpmath: install hlokit[reference]"
        ) from None


def rounded(function: Function, layout: FloatFormat, *arguments: float, needs_mpmath: bool = False) -> int:
    """The bits of function(library, *arguments) in a format, rounded once, to nearest, ties to even.

    Args:
      function: a real function; results that round to 0 or beyond the range keep their sign.
      arguments: finite numbers.
      needs_mpmath: whether gmpy2 lacks the function.
    """
    engine = _engine(needs_mpmath=needs_mpmath)
    bits = FIRST_PRECISION
    while True:
        number = engine.evaluate(function, arguments, bits)
        bit_pattern = _decided(engine.mantissa_exponent(number), layout, bits)
        if bit_pattern is not None:
            return bit_pattern
        bits *= 2


def rounded_parts(
    function: Function,
    layout: FloatFormat,
    *arguments: complex,
    may_cancel: bool = False,
    more_bits: int = 0,
) -> tuple[int, int]:
    """The bits of both parts of a complex function of finite numbers, each rounded once.

    Args:
      may_cancel: whether terms of a part may cancel to zero or to an infinitesimal. `CANCELLATION_PRECISION`
        bits distinguish both from rounding errors.
      more_bits: additional bits, for functions that lose more bits than a sum of operands of different sizes.
    """
    engine = _engine()
    bits = (CANCELLATION_PRECISION if may_cancel else FIRST_PRECISION) + more_bits + _spread(arguments)
    while True:
        number = engine.evaluate(function, tuple(map(complex, arguments)), bits)
        parts = [engine.mantissa_exponent(part) for part in engine.parts(number)]
        if bits >= LAST_PRECISION:
            parts = _without_noise(parts)
        bit_patterns = [_decided(part, layout, bits) for part in parts]
        if bit_patterns[0] is not None and bit_patterns[1] is not None:
            return bit_patterns[0], bit_patterns[1]
        bits *= 2


def _without_noise(parts: list[tuple[int, int] | float]) -> list[tuple[int, int] | float]:
    """The parts, with 0 in place of a part that consists of rounding errors: it is tiny relative to the other
    part and to 1."""
    sizes = [part[1] + part[0].bit_length() for part in parts if isinstance(part, tuple) and part[0]]
    least = max([0, *sizes]) - LAST_PRECISION
    return [
        (0, 0) if isinstance(part, tuple) and part[1] + part[0].bit_length() < least else part
        for part in parts
    ]


def approximate(function: Function, bits: int) -> Fraction:
    """The real number function(library), to about `bits` bits."""
    engine = _engine()
    number = engine.mantissa_exponent(engine.evaluate(function, (), bits))
    assert isinstance(number, tuple), "the number is finite"
    mantissa, exponent = number
    return mantissa * Fraction(2) ** exponent


def _spread(arguments: tuple[complex, ...]) -> int:
    """Additional bits for sums of the squares of parts, if the parts have very different sizes."""
    parts = [part for argument in arguments for part in (argument.real, argument.imag) if part]
    exponents = [0, *(math.frexp(part)[1] for part in parts)]
    return 2 * (max(exponents) - min(exponents))


def _decided(number: tuple[int, int] | float, layout: FloatFormat, bits: int) -> int | None:
    """The rounding of an approximation with `bits` bits; None if its leading half does not determine it."""
    if not isinstance(number, tuple):
        return layout.encode(number)
    mantissa, exponent = number
    if mantissa == 0:
        return layout.encode(0.0)
    magnitude = exponent + mantissa.bit_length()
    if abs(magnitude) > _LARGEST_EXPONENT:
        exponent += (_LARGEST_EXPONENT if magnitude > 0 else -_LARGEST_EXPONENT) - magnitude
    value = Fraction(mantissa) * Fraction(2) ** exponent
    if bits >= LAST_PRECISION:
        return layout.encode(_leading(mantissa, _DECIDING_BITS) * Fraction(2) ** exponent)
    error = abs(value) / 2 ** (bits // 2)
    low, high = layout.encode(value - error), layout.encode(value + error)
    return low if low == high else None


def _leading(mantissa: int, bits: int) -> Fraction:
    """An integer rounded to `bits` bits."""
    excess = max(mantissa.bit_length() - bits, 0)
    return Fraction(round(Fraction(mantissa, 1 << excess)) << excess)
