"""All 2**32 pairs of numbers of 16 bits: arithmetic and comparisons of f16 and bf16 against f64.

f64 has more than twice the bits of both, and two more: a sum, product or quotient that is rounded to f64 and
then to 16 bits is the exact one rounded once. Remainders and extrema are exact in f64.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's views have no types)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.accuracy.formats import least_exponent
from hlokit.accuracy.functions import FUNCTIONS
from hlokit.accuracy.implementations import elementwise_text, hlokit
from hlokit.accuracy.samples import every_value
from hlokit.accuracy.screen import Chunk
from hlokit.values.element_types import ELEMENT_TYPES, ElementType
from hlokit.values.float_format import FloatFormat, float_format

Array = Any

_ARITHMETIC = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum")
_COMPARISONS: dict[str, np.ufunc] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}
OPERATIONS = (
    *(f"stablehlo.{name}" for name in _ARITHMETIC),
    *(f"stablehlo.compare {direction}" for direction in _COMPARISONS),
)
# Elements at a time: their temporaries stay in the processor's cache.
_PIECE = 1 << 15


def operands_text(type_name: str, pair: int) -> str:
    """A pair of which the bits are given, the first one's above the other's."""
    values = every_value(ELEMENT_TYPES[type_name])
    return f"{float(values[pair >> 16])!r}, {float(values[pair & 0xFFFF])!r}"


def evaluation(op: str, type_name: str) -> Callable[[int, int], Chunk]:
    """A function that evaluates an operation of some pairs, given the first and how many, and compares."""
    type_ = ELEMENT_TYPES[type_name]
    values = every_value(type_)
    wide = values.astype(np.float64)
    name, _, direction = op.partition(" ")
    reference = _COMPARISONS[direction] if direction else _reference(name)
    layout = float_format(type_)

    def evaluate(start: int, count: int) -> Chunk:
        found = Chunk(count=count)
        index = np.arange(start, start + count, dtype=np.int64)
        lhs, rhs = index >> 16, index & 0xFFFF
        operands = values[lhs], values[rhs]
        results = hlokit(_text(name, direction, operands, type_), operands)
        with np.errstate(all="ignore"):
            for first in range(0, count, _PIECE):
                piece = slice(first, first + _PIECE)
                wanted = reference(wide[lhs[piece]], wide[rhs[piece]])
                if direction:
                    found.special += int(np.count_nonzero(results[piece] != wanted))
                else:
                    bits = results[piece].view(type_.bits_dtype)
                    _compare(found, start + first, wanted, wide[bits], layout)
        return found

    return evaluate


def _reference(name: str) -> Callable[..., Array]:
    (function,) = [f for f in FUNCTIONS if f.name == name and f.takes_float]
    assert function.quick is not None
    return function.quick


def _text(name: str, direction: str, operands: tuple[Array, Array], type_: ElementType) -> str:
    if not direction:
        return elementwise_text(name, operands, type_)
    operand, result = f"tensor<{operands[0].size}x{type_}>", f"tensor<{operands[0].size}xi1>"
    return (
        f"func.func @main(%a: {operand}, %b: {operand}) -> {result} {{\n"
        f"  %0 = stablehlo.compare {direction}, %a, %b : ({operand}, {operand}) -> {result}\n"
        f"  return %0 : {result}\n}}"
    )


def _compare(found: Chunk, start: int, wanted: Array, results: Array, layout: FloatFormat) -> None:
    rounded, ulp = nearest(wanted, layout)
    wrong = rounded.view(np.uint64) != results.view(np.uint64)
    if wrong.any():
        wrong &= ~(np.isnan(rounded) & np.isnan(results))
        for index in np.flatnonzero(wrong).tolist():
            want, got = float(rounded[index]), float(results[index])
            if np.isfinite(want) and np.isfinite(got) and want != got:
                found.misrounded += 1
            else:
                found.special += 1
                pair = operands_text({5: "f16", 8: "bf16"}[layout.exponent_bits], start + index)
                found.first_special = found.first_special or f"({pair}): {got!r} instead of {want!r}"
    errors = np.abs(results - wanted)
    errors /= ulp
    errors[~np.isfinite(errors)] = 0
    worst = int(np.argmax(errors))
    if errors[worst] > found.largest:
        found.largest, found.worst = float(errors[worst]), start + worst


def nearest(values: Array, layout: FloatFormat) -> tuple[Array, Array]:
    """f64 rounded to a type of 16 bits, by way of their bits, and ULP of the type at each of them."""
    dropped = np.uint64(52 - layout.mantissa_bits)
    one = np.uint64(1)
    bits = values.view(np.uint64)
    rounded = bits >> dropped
    rounded &= one
    rounded += bits
    rounded += (one << (dropped - one)) - one
    rounded &= ~((one << dropped) - one)
    result = rounded.view(np.float64)
    least = least_exponent(layout)
    size = np.abs(values)
    subnormal = size < 2.0**least
    if subnormal.any():  # a number so large that its last bit is that of subnormal numbers
        magic = 1.5 * 2.0 ** (52 + least - layout.mantissa_bits)
        result[subnormal] = np.copysign((values[subnormal] + magic) - magic, values[subnormal])
    beyond = np.abs(result) > layout.decode(layout.largest)
    result[beyond] = np.copysign(np.inf, values[beyond])
    ulp = (bits & np.uint64(0x7FF << 52)).view(np.float64)
    np.maximum(ulp, 2.0**least, out=ulp)
    ulp *= 2.0**-layout.mantissa_bits
    return result, ulp
