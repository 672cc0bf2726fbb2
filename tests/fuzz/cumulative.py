"""Random cumulative operations: every operation and element type, lengths around the borders of pieces and vectors, as
windows of `reduce_window` and as `chlo.scan`.

    python -m tests.fuzz.cumulative --programs 10000 [--seed N]

All tiers give the bytes of the reference. With high precision they give those of the reference in f64, rounded once:
the operands are such that f64 has no rounding. (The windows of that reference are so large that they are running sums
and products, as they always are with high precision: the order decides the signs of zeros in complex products.) A scan
rounds each element, with high precision too.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.values.element_types import COMPLEX_F64, ELEMENT_TYPES, F64, ElementType, Kind
from tests.fuzz.tiers import difference, reference, results_of_tiers

Array = Any

LENGTHS = (1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129)
_SHORT = (1, 2)
# Smaller windows are folded from the initial value.
_LARGE_WINDOW = 33
_BITWISE = ("and", "or", "xor")


@dataclass(frozen=True)
class Cumulative:
    """A cumulative operation along an axis.

    Attributes:
      operation: what combines two elements.
      is_scan: whether the operation is a `chlo.scan`, whose operands also have NaN, infinities and large numbers.
    """

    operation: str
    element_type: ElementType
    shape: tuple[int, ...]
    axis: int
    is_reverse: bool
    operand: Array
    init: Array
    is_scan: bool = False

    def scan_text(self) -> str:
        type_, rest = self.element_type, [n for axis, n in enumerate(self.shape) if axis != self.axis]
        whole, part = (f"tensor<{''.join(f'{n}x' for n in sizes)}{type_}>" for sizes in (self.shape, rest))
        return f"""
func.func @main(%x: {whole}, %i: tensor<{type_}>) -> ({whole}, {part}) {{
  %init = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<{type_}>) -> {part}
  %all, %last = chlo.scan(%x) inits(%init) dimension={self.axis}
      attributes {{is_reverse = {str(self.is_reverse).lower()}}} {{
  ^bb0(%a: {part}, %b: {part}):
    %c = stablehlo.{self.operation} {"%a, %b" if len(self.shape) % 2 else "%b, %a"} : {part}
    stablehlo.return %c, %c : {part}, {part}
  }} : ({whole}, {part}) -> ({whole}, {part})
  return %all, %last : {whole}, {part}
}}"""

    def text(self, wide: ElementType | None = None) -> str:
        """A program, which computes in another element type if one is given."""
        inner = wide or self.element_type
        dims = "".join(f"{size}x" for size in self.shape)
        outside, inside = f"tensor<{dims}{self.element_type}>", f"tensor<{dims}{inner}>"
        scalar, before = f"tensor<{inner}>", f"tensor<{self.element_type}>"
        length = max(self.shape[self.axis], _LARGE_WINDOW if wide else 1)
        edge = [0, length - 1] if self.is_reverse else [length - 1, 0]
        window = [length if axis == self.axis else 1 for axis in range(len(self.shape))]
        padding = [edge if axis == self.axis else [0, 0] for axis in range(len(self.shape))]
        return f"""
func.func @main(%x: {outside}, %i: {before}) -> {outside} {{
  %wide = stablehlo.convert %x : ({outside}) -> {inside}
  %init = stablehlo.convert %i : ({before}) -> {scalar}
  %sums = "stablehlo.reduce_window"(%wide, %init) ({{
  ^bb0(%a: {scalar}, %b: {scalar}):
    %c = stablehlo.{self.operation} %a, %b : {scalar}
    stablehlo.return %c : {scalar}
  }}) {{window_dimensions = array<i64: {", ".join(map(str, window))}>,
       padding = dense<{padding}> : tensor<{len(self.shape)}x2xi64>}} : ({inside}, {scalar}) -> {inside}
  %result = stablehlo.convert %sums : ({inside}) -> {outside}
  return %result : {outside}
}}"""


def generate(seed: int) -> Cumulative:
    choose = random.Random(seed)
    type_ = choose.choice([row for row in ELEMENT_TYPES.values() if row.name != "index"])
    operation = choose.choice(_operations(type_))
    rank = choose.choice([1, 1, 2, 3])
    axis = choose.randrange(rank)
    length = choose.choice(LENGTHS)
    shape = tuple(length if n == axis else choose.choice(_SHORT) for n in range(rank))
    operand = _values(choose, type_, operation, shape)
    is_reverse, is_scan = choose.random() < 0.5, choose.random() < 0.3
    if is_scan and type_.kind in (Kind.FLOAT, Kind.COMPLEX):
        _add_special_values(choose, operand)
    return Cumulative(
        operation, type_, shape, axis, is_reverse, operand, _identity(type_, operation), is_scan
    )


def _operations(type_: ElementType) -> list[str]:
    if type_.kind is Kind.COMPLEX:
        return ["add", "multiply"]
    extrema = ["add", "multiply", "maximum", "minimum"]
    return extrema if type_.kind is Kind.FLOAT else [*extrema, *_BITWISE]


def _values(choose: random.Random, type_: ElementType, operation: str, shape: tuple[int, ...]) -> Array:
    """Sums of small multiples of 1/8 and products of powers of 2 are exact in f64."""
    array = np.empty(shape, np.complex128 if type_.kind is Kind.COMPLEX else np.float64)
    if type_.kind in (Kind.BOOL, Kind.UNSIGNED):
        pool = [0.0, 1.0, 1.0, 3.0]
    elif operation == "multiply":
        pool = [1.0, 1.0, -1.0, 2.0, 0.5, -0.5] if type_.kind in (Kind.FLOAT, Kind.COMPLEX) else [1, -1, 3]
    elif type_.kind in (Kind.FLOAT, Kind.COMPLEX):
        pool = [number / 8 for number in range(-12, 13)] + [-0.0]
    else:
        pool = list(range(-2, 2))
    array[...] = np.array([choose.choice(pool) for _ in range(array.size)]).reshape(shape)
    if type_.kind is Kind.COMPLEX:
        turns = np.array([choose.choice([1, 1j, -1, -1j]) for _ in range(array.size)])
        array *= turns.reshape(shape)
    return _converted(array, type_)


def _add_special_values(choose: random.Random, operand: Array) -> None:
    flat = operand.reshape(-1)
    for number in (np.nan, -np.nan, np.inf, -np.inf, 1e300, 1e30, 1e-30, 0.1, -0.0):
        if choose.random() < 0.3:
            with np.errstate(all="ignore"):
                flat[choose.randrange(flat.size)] = np.array(number).astype(flat.dtype)


def _converted(array: Array, type_: ElementType) -> Array:
    if type_.kind is Kind.BOOL:
        return array != 0
    if type_.kind.is_integer:
        return array.astype(np.int64).astype(type_.dtype)
    return array.astype(type_.dtype)


def _identity(type_: ElementType, operation: str) -> Array:
    """What changes nothing: the initial value of a cumulative operation."""
    is_float = type_.kind in (Kind.FLOAT, Kind.COMPLEX)
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    high = (1 << type_.width) - 1 + low
    value = {
        "add": 0,
        "or": 0,
        "xor": 0,
        "multiply": 1,
        "and": -1 if type_.kind is Kind.SIGNED else high,
        "maximum": -np.inf if is_float else low,
        "minimum": np.inf if is_float else high,
    }[operation]
    if type_.kind is Kind.FLOAT and np.isinf(value) and not np.isinf(np.float64(value).astype(type_.dtype)):
        limits = ml_dtypes.finfo(type_.dtype)
        return np.array(limits.min if value < 0 else limits.max, type_.dtype)
    wide = np.array(value, np.float64 if is_float else np.int64 if value < 1 << 63 else np.uint64)
    return wide.astype(type_.dtype)


def failures(case: Cumulative) -> str:
    """The tiers with wrong results; empty if there are none."""
    arguments = (case.operand, case.init)
    if case.is_scan:
        tiers = difference(case.scan_text(), arguments)
        return tiers and f"as scan {tiers} differ from the reference"
    if tiers := difference(case.text(), arguments):
        return f"{tiers} differ from the reference"
    high = results_of_tiers(case.text(), arguments, "high")
    wide = {Kind.FLOAT: F64, Kind.COMPLEX: COMPLEX_F64}.get(case.element_type.kind)
    expected = reference(case.text(wide), arguments)
    wrong = ", ".join(tier for tier, values in high.items() if values != expected)
    return wrong and f"with high precision {wrong} differ from the reference in {wide}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.cumulative", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    count = 0
    for seed in range(options.seed, options.seed + options.programs):
        case = generate(seed)
        if message := failures(case):
            count += 1
            print(
                f"seed {seed}: {message}, {case.operand.tolist()}{case.scan_text() if case.is_scan else case.text()}",
                flush=True,
            )
    print(f"{options.programs} cumulative operations, seeds from {options.seed}: {count} differ")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
