"""All 2**32 pairs of numbers of 16 bits: functions and comparisons of f16 and bf16 against f64.

f64 has more than twice the bits of both types, plus two: a sum, product or quotient that is rounded to f64
and then to 16 bits equals the exact result rounded once. Remainders, extrema and neighbours are exact in f64.
Powers and angles are not: for these mpmath decides if f64 cannot, as for functions of f32.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's views have no types)

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.values.element_types import ELEMENT_TYPES, ElementType
from hlokit.values.float_format import float_format
from tools.accuracy.functions import FUNCTIONS
from tools.accuracy.implementations import elementwise_text, hlokit
from tools.accuracy.samples import every_value
from tools.accuracy.screen import Chunk, Screen

Array = Any

_ARITHMETIC = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum")
_INEXACT = ("power", "atan2")
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
    "chlo.next_after",
    *(f"stablehlo.{name}" for name in _INEXACT),
)
# The number of elements at a time: their temporaries fit into the processor's cache.
_PIECE = 1 << 15


def operands_text(type_name: str, pair: int) -> str:
    """A pair from its bits: those of the first number are above those of the second."""
    values = every_value(ELEMENT_TYPES[type_name])
    return f"{float(values[pair >> 16])!r}, {float(values[pair & 0xFFFF])!r}"


def is_inexact(op: str) -> bool:
    """Whether mpmath takes part in the comparison."""
    return op.partition(".")[2] in _INEXACT


def evaluation(op: str, type_name: str) -> Callable[[int, int], Chunk]:
    """A function that evaluates an operation on a range of pairs and compares the results."""
    type_ = ELEMENT_TYPES[type_name]
    values = every_value(type_)
    wide = values.astype(np.float64)
    wide[np.isnan(wide)] = np.nan  # NumPy may keep NaNs signaling, for which C's pow(1, NaN) is not 1
    name, _, direction = op.partition(" ")
    screen = None if direction else _screen(name, type_)

    def evaluate(start: int, count: int) -> Chunk:
        found = Chunk(count=count)
        index = np.arange(start, start + count, dtype=np.int64)
        lhs, rhs = index >> 16, index & 0xFFFF
        operands = values[lhs], values[rhs]
        results = hlokit(_text(name, direction, operands, type_), operands)
        with np.errstate(all="ignore"):
            for first in range(0, count, _PIECE):
                piece = slice(first, first + _PIECE)
                pair = wide[lhs[piece]], wide[rhs[piece]]
                if screen is None:
                    wanted = _COMPARISONS[direction](*pair)
                    found.special += int(np.count_nonzero(results[piece] != wanted))
                else:
                    screen.compare(found, start + first, pair, wide[results[piece].view(type_.bits_dtype)])
            if screen is not None:
                screen.check(found, (wide[lhs], wide[rhs]), start)
        return found

    return evaluate


def _screen(name: str, type_: ElementType) -> Screen:
    layout = float_format(type_)
    if name == "chlo.next_after":
        return Screen(layout, _neighbour(type_), None, name)
    (function,) = [f for f in FUNCTIONS if f.name == name and f.takes_float]
    assert function.quick is not None
    exact = function.exact if is_inexact(name) else None
    return Screen(layout, function.quick, exact, name, function.cost, function.trusted)


def _neighbour(type_: ElementType) -> Callable[[Array, Array], Array]:
    """The next value after the first in the direction of the second, in the order of all values."""
    values = every_value(type_).astype(np.float64)
    ordered = np.unique(values[~np.isnan(values)])  # both zeros count as one

    def neighbour(x: Array, y: Array) -> Array:
        place = np.searchsorted(ordered, x).clip(0, ordered.size - 1) + np.where(x < y, 1, -1)
        moved = ordered[place.clip(0, ordered.size - 1)]
        moved = np.where(moved == 0, np.copysign(0.0, x), moved)
        return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x == y, y, moved))

    return neighbour


def _text(name: str, direction: str, operands: tuple[Array, Array], type_: ElementType) -> str:
    if not direction:
        return elementwise_text(name, operands, type_)
    operand, result = f"tensor<{operands[0].size}x{type_}>", f"tensor<{operands[0].size}xi1>"
    return (
        f"func.func @main(%a: {operand}, %b: {operand}) -> {result} {{\n"
        f"  %0 = stablehlo.compare {direction}, %a, %b : ({operand}, {operand}) -> {result}\n"
        f"  return %0 : {result}\n}}"
    )
