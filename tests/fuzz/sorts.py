"""Sorts by comparators of one or two keys, on values with NaN, zeros of both signs, infinities and ties. All tiers
and the reference give the same bytes.

    python -m tests.fuzz.sorts --programs 10000 [--seed N]    # random ones, of all types
    python -m tests.fuzz.sorts --every [--part I/N]           # every comparator of f32 keys
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from hlokit.values.element_types import COMPLEX_F32, ELEMENT_TYPES, F32, I32, ElementType, Kind
from tests.fuzz.tiers import difference

Array = Any

FLOATS = [type_ for type_ in ELEMENT_TYPES.values() if type_.kind is Kind.FLOAT]
OTHERS = [ELEMENT_TYPES[name] for name in ("i1", "i4", "ui8", "i32", "i64")] + [COMPLEX_F32]
# Small ones, and those around the borders of runs, vectors and thresholds.
SIZES = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 70]
DIRECTIONS = ["LT", "GT", "LE", "GE"]


@dataclass(frozen=True)
class Sort:
    """A program, and its arguments."""

    text: str
    arguments: tuple[Array, ...]


def generate(seed: int) -> Sort:
    choose = random.Random(seed)
    types = [
        choose.choice(FLOATS) if choose.random() < 0.8 else choose.choice(OTHERS)
        for _ in range(choose.choice([1, 1, 2]))
    ]
    operands = [*types, *[I32] * choose.randint(0, 2)]
    size = choose.choice(SIZES)
    shape, dimension = choose.choice([([size], 0), ([2, size], 1), ([size, 3], 0)])
    lines = _comparator(choose, operands, len(types))
    arguments = [_values(choose, type_, shape) for type_ in types]
    count = int(np.prod(shape))
    arguments += [np.arange(count, dtype=np.int32).reshape(shape) for _ in operands[len(types) :]]
    return Sort(_program(shape, operands, dimension, lines), tuple(arguments))


def every() -> Iterator[Sort]:
    """Sorts by every comparator of one or two keys of f32: all directions, kinds, orders of the two sides and
    forms of a tie-break.
    """
    comparisons = [
        (direction, kind, is_swapped)
        for direction in (*DIRECTIONS, "EQ", "NE")
        for kind in ("FLOAT", "TOTALORDER")
        for is_swapped in (False, True)
    ]
    for first in comparisons:
        yield _sort_by([_comparison("%result", 0, first)], repr(first))
    orders = [comparison for comparison in comparisons if comparison[0] in DIRECTIONS]
    ties = [comparison for comparison in comparisons if comparison[0] not in DIRECTIONS]
    for first, tie, second, form in product(orders, ties, orders, ("select", "or and")):
        lines = [
            _comparison("%first", 0, first),
            _comparison("%tie", 0, tie),
            _comparison("%second", 1, second),
        ]
        if form == "select":
            lines.append("%result = stablehlo.select %tie, %second, %first : tensor<i1>, tensor<i1>")
        else:
            lines.append("%both = stablehlo.and %tie, %second : tensor<i1>")
            lines.append("%result = stablehlo.or %first, %both : tensor<i1>")
        yield _sort_by(lines, f"{first} {tie} {second} {form}")


def _comparison(name: str, key: int, comparison: tuple[str, str, bool]) -> str:
    direction, kind, is_swapped = comparison
    sides = f"%b{key}, %a{key}" if is_swapped else f"%a{key}, %b{key}"
    return (
        f"{name} = stablehlo.compare {direction}, {sides}, {kind} : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    )


def _sort_by(lines: list[str], seed: str) -> Sort:
    choose = random.Random(seed)
    shape = [choose.choice(SIZES)]
    arguments = [_values(choose, F32, shape) for _ in range(2)]
    text = _program(shape, [F32, F32, I32], 0, [*lines, "stablehlo.return %result : tensor<i1>"])
    return Sort(text, (*arguments, np.arange(shape[0], dtype=np.int32)))


def _program(shape: list[int], operands: list[ElementType], dimension: int, lines: list[str]) -> str:
    dims = "".join(f"{size}x" for size in shape)
    tensors = [f"tensor<{dims}{type_}>" for type_ in operands]
    names = [f"%x{n}" for n in range(len(operands))]
    pairs = [f"%a{n}: tensor<{type_}>, %b{n}: tensor<{type_}>" for n, type_ in enumerate(operands)]
    results = ", ".join(f"%r#{n}" for n in range(len(operands)))
    parameters = ", ".join(f"{name}: {tensor}" for name, tensor in zip(names, tensors, strict=True))
    types, body = ", ".join(tensors), "\n".join(f"    {line}" for line in lines)
    return f"""
func.func @main({parameters}) -> ({types}) {{
  %r:{len(operands)} = "stablehlo.sort"({", ".join(names)}) ({{
  ^bb0({", ".join(pairs)}):
{body}
  }}) {{dimension = {dimension} : i64, is_stable = true}} : ({types}) -> ({types})
  return {results} : {types}
}}"""


def _comparator(choose: random.Random, operands: list[ElementType], key_count: int) -> list[str]:
    """One comparison, or two joined by a tie-break."""
    lines: list[str] = []
    keys = [choose.randrange(len(operands)) for _ in range(key_count)]
    sides = [_sides(choose, lines, operands[key], key, number) for number, key in enumerate(keys)]
    direction = choose.choice(DIRECTIONS)
    lines.append(_compare(choose, "%first", direction, sides[0], operands[keys[0]]))
    if key_count == 1:
        return _result(choose, lines, "%first")
    lines.append(
        _compare(choose, "%tie", choose.choice(["EQ", "EQ", "EQ", "NE"]), sides[0], operands[keys[0]])
    )
    lines.append(
        _compare(choose, "%second", choose.choice([direction, *DIRECTIONS]), sides[1], operands[keys[1]])
    )
    if choose.random() < 0.4:
        lines.append("%joined = stablehlo.select %tie, %second, %first : tensor<i1>, tensor<i1>")
    else:
        parts = choose.sample(["%tie", "%second"], 2)
        lines.append(f"%both = stablehlo.and {parts[0]}, {parts[1]} : tensor<i1>")
        parts = choose.sample(["%first", "%both"], 2)
        lines.append(f"%joined = stablehlo.or {parts[0]}, {parts[1]} : tensor<i1>")
    return _result(choose, lines, "%joined")


def _result(choose: random.Random, lines: list[str], result: str) -> list[str]:
    """The lines of a comparator, which sometimes is not one of keys, or not pointwise."""
    chance = choose.random()
    if chance < 0.1:
        lines.append(f"%not = stablehlo.not {result} : tensor<i1>")
        result = "%not"
    elif chance < 0.2:
        lines.append(f"%one = stablehlo.reshape {result} : (tensor<i1>) -> tensor<1xi1>")
        lines.append("%back = stablehlo.reshape %one : (tensor<1xi1>) -> tensor<i1>")
        result = "%back"
    return [*lines, f"stablehlo.return {result} : tensor<i1>"]


def _sides(
    choose: random.Random, lines: list[str], type_: ElementType, key: int, number: int
) -> tuple[str, str]:
    """The two keys: the elements themselves, or a function of them."""
    sides = f"%a{key}", f"%b{key}"
    if type_.kind in (Kind.FLOAT, Kind.SIGNED) and type_.name != "f8E8M0FNU" and choose.random() < 0.2:
        function = choose.choice(["negate", "abs"])
        for side in sides:
            lines.append(f"{side}_{number} = stablehlo.{function} {side} : tensor<{type_}>")
        sides = f"%a{key}_{number}", f"%b{key}_{number}"
    return sides if choose.random() < 0.7 else sides[::-1]


def _compare(
    choose: random.Random, name: str, direction: str, sides: tuple[str, str], type_: ElementType
) -> str:
    if type_.kind is Kind.FLOAT:
        kind = choose.choice(["FLOAT", "FLOAT", "TOTALORDER"])
    else:
        kind = {Kind.COMPLEX: "FLOAT", Kind.SIGNED: "SIGNED"}.get(type_.kind, "UNSIGNED")
    if type_.kind is Kind.COMPLEX:
        direction = "EQ" if direction not in ("EQ", "NE") else direction
    scalar = f"tensor<{type_}>"
    return f"{name} = stablehlo.compare {direction}, {sides[0]}, {sides[1]}, {kind} : ({scalar}, {scalar}) -> tensor<i1>"


def _values(choose: random.Random, type_: ElementType, shape: list[int]) -> Array:
    """Few different values: ties, NaNs of both signs, zeros of both signs, infinities."""
    count = int(np.prod(shape))
    if type_.kind is Kind.FLOAT:
        pool = np.array([0.0, -0.0, 1.0, -1.5, 2.0, 4.0, np.inf, -np.inf, np.nan, -np.nan, np.nan]).astype(
            type_.dtype
        )
    elif type_.kind is Kind.COMPLEX:
        pool = np.array([0, 1, -1j, complex(np.nan, 1), complex(1, np.nan), complex(-0.0, 0.0)], type_.dtype)
    else:
        pool = np.array([0, 1, 1, 0]).astype(type_.dtype)
    used = choose.randint(2, len(pool))
    return pool[
        [
            choose.randrange(used) if choose.random() < 0.7 else choose.randrange(len(pool))
            for _ in range(count)
        ]
    ].reshape(shape)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.sorts", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", action="store_true", help="every comparator of one or two keys of f32")
    parser.add_argument(
        "--part",
        default="1/1",
        help="part I of N of these comparators: 2/3 is every third, from the second on",
    )
    options = parser.parse_args()
    if options.every:
        part, parts = map(int, options.part.split("/"))
        sorts = {f"comparator {n}": sort for n, sort in enumerate(every()) if n % parts == part - 1}
    else:
        seeds = range(options.seed, options.seed + options.programs)
        sorts = {f"seed {seed}": generate(seed) for seed in seeds}
    failures = 0
    for name, sort in sorts.items():
        if tiers := difference(sort.text, sort.arguments):
            failures += 1
            print(f"{name}: {tiers} differ from the reference on {sort.arguments}{sort.text}", flush=True)
    print(f"{len(sorts)} sorts: {failures} differ")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
