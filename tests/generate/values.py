"""Element types, values and programs, and the known properties of the elements of a value.

In the profile `oracles`, a value is *exact* if its elements are known to be integers times a power of two
that the type holds without rounding, whatever the order of operations and whichever of them a compiler fuses.
Only exact values and integers go where a small difference would become a large one (compare, sort, floor,
conversion to integers). For all other values, `rule` gives the largest difference between two correct
implementations. The other profiles compare hlokit with itself, bit for bit: there every value counts as
exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

from hlokit.values.element_types import ELEMENT_TYPES, Kind
from hlokit.values.float_format import float_format

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Type:
    """An element type. `digits` of a float are those of its significand, of an integer its width."""

    name: str
    dtype: Any
    kind: str
    digits: int

    def tensor(self, shape: Shape) -> str:
        return f"tensor<{''.join(f'{size}x' for size in shape)}{self.name}>"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("signed", "unsigned")


def _digits(name: str) -> int:
    row = ELEMENT_TYPES[name]
    if row.kind in (Kind.FLOAT, Kind.COMPLEX):
        return float_format(row.part).mantissa_bits + 1
    return row.width


# Every element type of StableHLO but `index` and the quantized ones.
TYPE = {
    row.name: Type(row.name, row.dtype.type, row.kind.value, _digits(row.name))
    for row in ELEMENT_TYPES.values()
    if row.name != "index"
}


def named(*names: str) -> tuple[Type, ...]:
    return tuple(TYPE[name] for name in names)


# The initial value of maxima and minima of floats. Every type with 8 or more digits can represent it.
EXTREME = 256

BOOL, I32, F32, F64 = named("i1", "i32", "f32", "f64")
COMPLEX = named("complex<f32>", "complex<f64>")
INTEGERS = named("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
PART = {"complex<f32>": F32, "complex<f64>": F64}


@dataclass(frozen=True)
class Rule:
    """The tolerance of a value, from the tolerances and the largest elements of its operands.

    move: the tolerance of the operands. sum, product: of `count` terms. function: `count` ULP of the largest
    element.
    """

    kind: str
    operands: tuple[Value, ...] = ()
    count: int = 1


EXACT = Rule("exact")


@dataclass(frozen=True)
class Value:
    """A value of a program.

    The elements of a float are n / 2**scale with |n| <= limit; limit is None if the value is inexact.
    """

    name: str
    type: Type
    shape: Shape
    limit: int | None = 0
    scale: int = 0
    rule: Rule = EXACT

    @property
    def spelled(self) -> str:
        return self.type.tensor(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_exact(self) -> bool:
        return self.limit is not None

    @property
    def largest(self) -> float:
        assert self.limit is not None
        return self.limit / 2**self.scale


@dataclass
class Program:
    """A program: its text, arguments of its function, and its values in the order of its results."""

    text: str
    arguments: list[Any] = field(default_factory=list[Any])
    values: list[Value] = field(default_factory=list[Value])


def names(values: tuple[Value, ...]) -> str:
    return ", ".join(value.name for value in values)


def types(values: tuple[Value, ...]) -> str:
    return ", ".join(value.spelled for value in values)


def is_wide(type_: Type) -> bool:
    return type_.kind in ("float", "complex") and type_.digits >= 8


def bounds(type_: Type) -> tuple[int, int]:
    if type_.kind == "unsigned":
        return 0, 2**type_.digits - 1
    return -(2 ** (type_.digits - 1)), 2 ** (type_.digits - 1) - 1


def fits(type_: Type, limit: int, scale: int) -> bool:
    """Whether all n / 2**scale with |n| <= limit are values of the type (and scales are far from subnormal)."""
    largest = {"f8E4M3FN": 448, "f8E5M2": 57344, "f16": 65504}.get(type_.name, 1e30)
    return (
        limit <= 2**type_.digits and scale <= (4 if type_.digits < 8 else 12) and limit / 2**scale <= largest
    )


def joined(values: tuple[Value, ...]) -> tuple[int | None, int]:
    """Limit and scale that hold for all of these values."""
    scale = max(value.scale for value in values)
    limits = [None if v.limit is None else v.limit << (scale - v.scale) for v in values]
    return (None if None in limits else max(limit for limit in limits if limit is not None)), scale


def dense(type_: Type, shape: Shape, elements: list[str]) -> str:
    """A constant of these elements, or of one repeated element."""

    def nested(sizes: Shape, items: list[str]) -> str:
        if not sizes:
            return items[0]
        step = len(items) // sizes[0]
        parts = (nested(sizes[1:], items[i * step : (i + 1) * step]) for i in range(sizes[0]))
        return f"[{', '.join(parts)}]"

    text = "" if not prod(shape) else elements[0] if len(elements) == 1 else nested(shape, elements)
    return f"stablehlo.constant dense<{text}> : {type_.tensor(shape)}"


def array(numbers: list[int] | Shape) -> str:
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def is_ordered(value: Value) -> bool:
    return value.type.kind != "complex" and value.is_exact


def is_arithmetic(value: Value) -> bool:
    return value.type.kind != "bool"
