"""All 2**32 inputs of a function of one f32, most of them at the price of the function in f64.

A result is compared with the function in NumPy's f64, whose error of a few ULP of f64 is 2**-29 times that
many ULP of f32. So f64 tells which f32 is nearest, but where the exact value may lie on the other side of
the middle between two: there, and wherever results differ, mpmath decides. That is one input of some ten
million. mpmath also computes a few inputs of each chunk, chosen at random: they tell how good f64 is, and
whether it is to be trusted.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (neither mpmath nor NumPy's views have types)

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.accuracy import exact
from hlokit.accuracy.functions import Function

Array = Any

# What f64 may be off by, in its own ULP, and in ULP of f32.
TRUSTED = 16
_MARGIN = TRUSTED * 2.0**-29
# Elements at a time: their temporaries stay in the processor's cache.
_PIECE = 1 << 15
# Inputs of a chunk that mpmath computes to learn how good f64 is.
_CHECKED = 4
_EXPONENT = np.uint64(0x7FF << 52)
_MANTISSA_BITS, _LEAST = 23, -149
# Functions whose f64 result is the exact one, be it in the middle between two f32.
_EXACT_IN_F64 = ("square",)


@dataclass(slots=True)
class Chunk:
    """Errors of the results of some inputs.

    Attributes:
      count: how many inputs there were.
      largest: error in ULP; `worst` is the bits of its operand.
      misrounded: how many finite results are not the nearest value.
      special: how many are wrong in kind: NaN, infinity, or the sign of a zero; `first_special` tells of one.
      decided: how many mpmath decided on.
      reference: the error of f64, in ULP of f64, where mpmath checked.
    """

    count: int = 0
    largest: float = 0.0
    worst: int = 0
    misrounded: int = 0
    special: int = 0
    first_special: str = ""
    decided: int = 0
    reference: float = 0.0


def screen(function: Function, operand: Array, results: Array, seed: int = 0) -> Chunk:
    """Compare results of f32 with what they should be.

    Raises:
      ArithmeticError: the function in f64 is not as good as is needed.
    """
    assert function.quick is not None
    found = Chunk(count=operand.size)
    is_exact = function.exact is None or function.short_name in _EXACT_IN_F64
    with np.errstate(all="ignore"):
        for start in range(0, operand.size, _PIECE):
            piece = slice(start, start + _PIECE)
            wide = operand[piece].astype(np.float64)
            wanted = np.ascontiguousarray(np.broadcast_to(function.quick(wide), wide.shape))
            _screen_piece(found, function, operand[piece], results[piece], wanted, is_exact)
        if not is_exact:
            found.reference = _check(function, operand, seed)
    return found


def _screen_piece(
    found: Chunk, function: Function, operand: Array, results: Array, wanted: Array, is_exact: bool
) -> None:
    rounded = wanted.astype(np.float32)
    differs = rounded.view(np.uint32) != results.view(np.uint32)
    errors = results.astype(np.float64)
    errors -= wanted
    np.abs(errors, out=errors)
    ulp = (wanted.view(np.uint64) & _EXPONENT).view(np.float64)
    ulp *= 2.0**-_MANTISSA_BITS
    np.maximum(ulp, 2.0**_LEAST, out=ulp)
    errors /= ulp
    if differs.any():
        differs &= ~(np.isnan(rounded) & np.isnan(results))
    if is_exact:
        doubtful = differs
    else:
        doubtful = errors > 0.5 - _MARGIN
        doubtful |= differs
    indices = np.flatnonzero(doubtful)
    for index in indices.tolist():
        errors[index] = _decide(
            found, function, operand[index], results[index], rounded[index], errors[index], is_exact
        )
    errors[~np.isfinite(errors)] = 0  # what is infinite and should be; all else has been decided on
    worst = int(np.argmax(errors))
    if errors[worst] > found.largest:
        found.largest, found.worst = float(errors[worst]), int(operand.view(np.uint32)[worst])


def _decide(
    found: Chunk, function: Function, operand: Any, result: Any, rounded: Any, error: float, is_exact: bool
) -> float:
    """The error of one result; count it if it is not what it should be."""
    wanted = rounded
    if not is_exact and np.isfinite(operand) and function.exact is not None:
        found.decided += 1
        value = exact.evaluate(function.exact, [operand])
        if value is not None and value.imag == 0 and value.real != 0:
            wanted, error = nearest_f32(value.real), error_f32(value.real, float(result))
    if np.isnan(wanted) and np.isnan(result):
        return 0.0
    if wanted == result and np.signbit(wanted) == np.signbit(result):
        return error if np.isfinite(result) else 0.0
    if np.isfinite(wanted) and np.isfinite(result) and not wanted == result == 0:
        found.misrounded += 1
        return error
    found.special += 1
    found.first_special = found.first_special or f"({operand!r}): {result!r} instead of {wanted!r}"
    return 0.0


def _quanta(number: Any) -> tuple[int, int, int, int]:
    """|number| as (whole + part / 2**bits) ULP of f32 of 2**exponent."""
    mantissa, exponent = int(number.man), int(number.exp)  # the mantissa without the sign
    unit = max(mantissa.bit_length() + exponent - 1 - _MANTISSA_BITS, _LEAST)
    bits = max(unit - exponent, 0)
    shifted = mantissa << max(exponent - unit, 0)
    return shifted >> bits, shifted & ((1 << bits) - 1), bits, unit


def nearest_f32(number: Any) -> np.float32:
    """One of mpmath's numbers that is not 0, rounded once, ties to even."""
    whole, part, bits, unit = _quanta(number)
    if bits:
        middle = 1 << (bits - 1)
        whole += part > middle or (part == middle and whole & 1)
    size = np.inf if whole.bit_length() + unit > 128 else float(whole) * 2.0**unit
    return np.float32(-size if number < 0 else size)


def error_f32(number: Any, result: float) -> float:
    """|result - number| in ULP of f32 at the number."""
    if not np.isfinite(result):
        return np.inf
    unit = _quanta(number)[3]
    with exact.mp.workprec(400):
        return float(exact.mp.fabs(exact.mp.mpf(result) - number) / exact.mp.ldexp(1, unit))


def _check(function: Function, operand: Array, seed: int) -> float:
    """The error of f64 at some inputs, in ULP of f64."""
    assert function.exact is not None
    assert function.quick is not None
    largest = 0.0
    indices = np.random.default_rng(seed).integers(0, operand.size, max(_CHECKED // function.cost, 1))
    wide = operand[indices].astype(np.float64)
    for value, got in zip(wide.tolist(), np.asarray(function.quick(wide), np.float64).tolist(), strict=True):
        wanted = exact.evaluate(function.exact, [value]) if np.isfinite(value) else None
        if wanted is None or wanted.imag != 0 or not np.isfinite(float(wanted)) or not np.isfinite(got):
            continue
        # In units of f32's subnormals at least: below them f64 may be as bad as it likes.
        unit = max(float(np.spacing(abs(float(wanted)))), 2.0 ** (_LEAST - 29))
        largest = max(largest, float(exact.mp.fabs(got - wanted)) / unit)
    if largest > TRUSTED:
        raise ArithmeticError(f"{function.name} in f64 errs by {largest:.3g} ULP: too much for a screen")
    return largest
