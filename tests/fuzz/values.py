"""Element types and values of random programs, and what is known of their elements.

A value is *exact* if its elements are known to be integers times a power of two that its type holds without
rounding, whatever the order of operations and whichever of them a compiler fuses. Only exact values, and
integers, go where a small difference would become a large one (compare, sort, floor, conversion to integers).
Of the others, `rule` says how far two correct implementations may be apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

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


# Maxima and minima of floats begin with it: every type of 8 digits and more holds it.
EXTREME = 256

BOOL = Type("i1", np.bool_, "bool", 1)
SIGNED = [Type(f"i{w}", getattr(np, f"int{w}"), "signed", w) for w in (8, 16, 32, 64)]
UNSIGNED = [Type(f"ui{w}", getattr(np, f"uint{w}"), "unsigned", w) for w in (8, 16, 32, 64)]
NARROW = [Type("i4", ml_dtypes.int4, "signed", 4), Type("ui4", ml_dtypes.uint4, "unsigned", 4)]
F32, F64 = Type("f32", np.float32, "float", 24), Type("f64", np.float64, "float", 53)
FLOATS = [Type("f16", np.float16, "float", 11), Type("bf16", ml_dtypes.bfloat16, "float", 8), F32, F64]
NARROW_FLOATS = [
    Type("f8E4M3FN", ml_dtypes.float8_e4m3fn, "float", 4),
    Type("f8E5M2", ml_dtypes.float8_e5m2, "float", 3),
]
COMPLEX = [
    Type("complex<f32>", np.complex64, "complex", 24),
    Type("complex<f64>", np.complex128, "complex", 53),
]
I32 = SIGNED[2]
TYPES = [BOOL, *SIGNED, *UNSIGNED, *NARROW, *FLOATS, *FLOATS, *NARROW_FLOATS, *COMPLEX]
PART = {"complex<f32>": F32, "complex<f64>": F64}


@dataclass(frozen=True)
class Rule:
    """How far a value may be off, from its operands and their largest elements.

    move: as its operands. sum, product: of that many terms. function: that many ULP of its largest element.
    """

    kind: str
    operands: tuple[Value, ...] = ()
    count: int = 1


EXACT = Rule("exact")


@dataclass(frozen=True)
class Value:
    """A value of a program.

    Of floats, `limit` and `scale` say that its elements are n / 2**scale with |n| <= limit; limit is None
    if it is inexact.
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
    """A program: its text, and its values in the order of its results."""

    text: str
    values: list[Value]


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
    def nested(sizes: Shape, items: list[str]) -> str:
        if not sizes:
            return items[0]
        step = len(items) // sizes[0] if sizes[0] else 0
        return (
            "["
            + ", ".join(nested(sizes[1:], items[i * step : (i + 1) * step]) for i in range(sizes[0]))
            + "]"
        )

    text = nested(shape, elements) if elements else ""
    return f"stablehlo.constant dense<{text}> : {type_.tensor(shape)}"


def array(numbers: list[int] | Shape) -> str:
    return f"array<i64: {', '.join(map(str, numbers))}>" if numbers else "array<i64>"


def is_ordered(value: Value) -> bool:
    return value.type.kind != "complex" and value.is_exact


def is_arithmetic(value: Value) -> bool:
    return value.type.kind != "bool"
