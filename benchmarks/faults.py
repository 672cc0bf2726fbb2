"""Faults planted in programs of many operations: does `hlokit diff` name the operation at fault first?

    python -m benchmarks.faults [--cases=20] [--operations=500,7000] [--seed=0]

XLA:CPU simulates a compiler with a fault (`FaultySide`): it gets each module with the operation at one
location changed: its result off by 1e-3 relative, or its operands exchanged; a wrong constant is in another
program. Prints a line for each case; the exit status is 1 if an operation was not named first.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import hlokit
from hlokit.backends.children import ChildSide
from hlokit.backends.side import Array, Side
from hlokit.differences.run import diff
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk

KINDS = ("kernel", "swap", "constant")
PLACES = ("main", "loop", "function", "reducer")
_T = "tensor<8x16xf32>"
_UNARY = ("tanh", "sine", "cosine", "logistic")
_BINARY = ("add", "subtract", "multiply", "subtract")


class _Text:
    """A growing program, one line for each operation."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.lines: list[str] = []
        self.places: dict[str, list[int]] = {place: [] for place in PLACES}
        self._count = 0

    def name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    @property
    def last(self) -> str:
        """The latest name."""
        return f"%v{self._count}"

    def line(self, text: str, place: str | None = None) -> None:
        """An operation at a unique location; with a place, faults may be planted at the operation."""
        self.lines.append(f'{text} loc("model.py":{len(self.lines) + 1}:1)')
        if place is not None:
            self.places[place].append(len(self.lines))

    def block(self, value: str, other: str, count: int, place: str) -> str:
        """A chain of operations on a value; returns also the values that are mixed in."""
        total = other
        for position in range(count):
            choice = int(self.random.integers(0, 10))
            new = self.name()
            if choice < 4:
                self.line(f"{new} = stablehlo.{self.random.choice(_UNARY)} {value} : {_T}", place)
            elif choice < 8:
                self.line(f"{new} = stablehlo.{self.random.choice(_BINARY)} {value}, {other} : {_T}", place)
            elif choice == 8:
                new = self.scaled(value, float(self.random.uniform(0.5, 1.5)), place)
            else:
                product, wide = self.name(), self.name()
                self.line(
                    f"{product} = stablehlo.dot_general {value}, {other}, contracting_dims = [1] x [1] : "
                    f"({_T}, {_T}) -> tensor<8x8xf32>",
                    place,
                )
                self.line(
                    f"{wide} = stablehlo.dot_general {product}, {other}, contracting_dims = [1] x [0] : "
                    f"(tensor<8x8xf32>, {_T}) -> {_T}",
                    place,
                )
                new = self.scaled(wide, 0.02, place)
            value = new
            if position % 3 == 2 or position == count - 1:
                # Earlier values stay visible in the result, whatever the later operations do.
                total, old = self.name(), total
                self.line(f"{total} = stablehlo.add {old}, {value} : {_T}", place)
                bounded = self.name()
                self.line(f"{bounded} = stablehlo.tanh {value} : {_T}", place)
                value = bounded
        return self.scaled(total, 1.0 / (1 + count / 3), place)

    def scaled(self, value: str, factor: float, place: str) -> str:
        """A value times a constant."""
        constant, new = self.name(), self.name()
        self.line(f"{constant} = stablehlo.constant dense<{factor:.6f}> : {_T}")
        self.line(f"{new} = stablehlo.multiply {value}, {constant} : {_T}", place)
        return new

    def loop(self, value: str, other: str, count: int) -> str:
        """Two nested loops of three iterations each."""
        zero, three, one = self.name(), self.name(), self.name()
        for name, number in ((zero, 0), (three, 3), (one, 1)):
            self.line(f"{name} = stablehlo.constant dense<{number}> : tensor<i32>")
        outer, n, x, m, y = (self.name() for _ in range(5))
        self._open_loop(outer, n, x, zero, value, three)
        inner = self.name()
        self._open_loop(inner, m, y, zero, x, three)
        made = self.block(y, other, count, "loop")
        self._close_loop(m, one, made)
        made = self.block(f"{inner}#1", other, 2, "loop")
        self._close_loop(n, one, made)
        return f"{outer}#1"

    def _open_loop(self, name: str, n: str, x: str, zero: str, value: str, limit: str) -> None:
        test = self.name()
        types = f"tensor<i32>, {_T}"
        self.lines.append(f"{name}:2 = stablehlo.while({n} = {zero}, {x} = {value}) : {types} cond {{")
        self.line(f"{test} = stablehlo.compare LT, {n}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>")
        self.line(f"stablehlo.return {test} : tensor<i1>")
        self.lines.append("} do {")

    def _close_loop(self, n: str, one: str, made: str) -> None:
        next_ = self.name()
        self.line(f"{next_} = stablehlo.add {n}, {one} : tensor<i32>")
        self.line(f"stablehlo.return {next_}, {made} : tensor<i32>, {_T}")
        self.lines.append("}")

    def reduction(self, value: str) -> str:
        """A reduction whose body has several operations, with its result broadcast to all positions."""
        start, made, wide, bounded = (self.name() for _ in range(4))
        a, b, most, apart, size, less, power, log, sum_ = (self.name() for _ in range(9))
        f32 = "tensor<f32>"
        self.line(f"{start} = stablehlo.constant dense<-50.0> : {f32}")
        self.lines.append(f'{made} = "stablehlo.reduce"({value}, {start}) ({{ ^bb0({a}: {f32}, {b}: {f32}):')
        # log(exp(a) + exp(b))
        self.line(f"{most} = stablehlo.maximum {a}, {b} : {f32}")
        self.line(f"{apart} = stablehlo.subtract {a}, {b} : {f32}")
        self.line(f"{size} = stablehlo.abs {apart} : {f32}")
        self.line(f"{less} = stablehlo.negate {size} : {f32}")
        self.line(f"{power} = stablehlo.exponential {less} : {f32}", "reducer")
        self.line(f"{log} = stablehlo.log_plus_one {power} : {f32}", "reducer")
        self.line(f"{sum_} = stablehlo.add {most}, {log} : {f32}", "reducer")
        self.line(f"stablehlo.return {sum_} : {f32}")
        self.line(f"}}) {{dimensions = array<i64: 1>}} : ({_T}, {f32}) -> tensor<8xf32>")
        self.line(f"{wide} = stablehlo.broadcast_in_dim {made}, dims = [0] : (tensor<8xf32>) -> {_T}", "main")
        self.line(f"{bounded} = stablehlo.subtract {value}, {wide} : {_T}", "main")
        return bounded

    def call(self, number: int, value: str, other: str) -> str:
        made = self.name()
        self.line(f"{made} = func.call @f{number}({value}, {other}) : ({_T}, {_T}) -> {_T}")
        return made


@dataclass(frozen=True, slots=True)
class Case:
    """A program, and the lines at which faults may be planted, by place."""

    text: str
    places: dict[str, list[int]]
    operations: int

    def arguments(self) -> list[Array]:
        random = np.random.default_rng(1)
        return [random.normal(size=(8, 16)).astype(np.float32) for _ in range(2)]


def make_case(operations: int, seed: int) -> Case:
    """A program of about `count` operations: chains, nested loops, calls of calls, reductions."""
    text = _Text(seed)
    text.lines.append(f"func.func @main(%x: {_T}, %y: {_T}) -> {_T} {{")
    value, total, part, functions = "%x", "%x", max(4, operations // 40), 3
    number = 0
    while len(text.lines) < operations - functions * part:
        value = text.block(value, "%y", part, "main")
        sum_ = text.name()
        text.line(f"{sum_} = stablehlo.add {total}, {value} : {_T}", "main")
        total = sum_
        match number % 3:
            case 0:
                value = text.loop(value, "%y", max(3, part // 2))
            case 1:
                value = text.call(number % functions, value, "%y")
            case _:
                value = text.reduction(value)
        number += 1
    for function in range(functions):
        value = text.call(function, value, "%y")
    text.line(f"{text.name()} = stablehlo.add {total}, {value} : {_T}", "main")
    text.line(f"return {text.last} : {_T}")
    text.lines.append("}")
    for function in range(functions):
        text.lines.append(f"func.func private @f{function}(%x: {_T}, %y: {_T}) -> {_T} {{")
        value = text.block("%x", "%y", part, "function")
        if function + 1 < functions:
            value = text.call(function + 1, value, "%y")
        text.line(f"return {value} : {_T}")
        text.lines.append("}")
    return Case("\n".join(text.lines) + "\n", text.places, len(text.lines))


class FaultySide:
    """XLA:CPU with a fault: each operation at a location is changed before a module is compiled.

    Args:
      location: a piece of the location's spelling, such as `"model.py":12:`.
      kind: `kernel`: the result is off by 1e-3 relative; `swap`: the operands are exchanged.
    """

    batch = 128

    def __init__(self, location: str, kind: str, side: Side) -> None:
        self.name = "xla with a fault"
        self._location = location
        self._kind = kind
        self._side = side

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        assert isinstance(module, bytes)
        parsed = parse_bytecode(None, module, "-", is_trusted=True)
        found: list[Any] = []

        def visit(operation: ir.Operation) -> None:
            if self._location in str(operation.location) and len(operation.results):
                found.append(operation)

        walk(parsed.operation, visit)
        with parsed.context, ir.Location.unknown():
            for operation in found:
                plant(operation, self._kind)
        return self._side.run_each(write_bytecode(parsed), inputs, function)

    def close(self) -> None:
        pass


def plant(operation: Any, kind: str) -> None:
    """Change an operation of a module."""
    if kind == "swap":
        first, second = operation.operands[0], operation.operands[1]
        operation.operands[0], operation.operands[1] = second, first
        return
    result = operation.results[0]
    type_ = ir.RankedTensorType(result.type)
    factor = ir.Operation.create(
        "stablehlo.constant",
        [type_],
        attributes={"value": ir.Attribute.parse(f"dense<1.001> : {type_}")},
        ip=ir.InsertionPoint.after(operation),
    )
    off = ir.Operation.create(
        "stablehlo.multiply", [type_], [result, factor.results[0]], ip=ir.InsertionPoint.after(factor)
    )
    result.replace_all_uses_except(off.results[0], off)


_SWAPPED = re.compile(r"(stablehlo\.subtract) (%\w+), (%\w+)")
_CONSTANT = re.compile(r"(stablehlo\.constant dense<)([\d.]+)(> : tensor<8x16xf32>)")


def planted_text(text: str, line: int, kind: str) -> str:
    """The program with a fault in a line, for comparisons of two programs."""
    lines = text.split("\n")
    old = lines[line - 1]
    if kind == "swap":
        lines[line - 1] = _SWAPPED.sub(r"\1 \3, \2", old)
    elif kind == "constant":
        lines[line - 1] = _CONSTANT.sub(lambda m: f"{m[1]}{float(m[2]) * 1.001:.6f}{m[3]}", old)
    else:
        lines[line - 1] = re.sub(r"stablehlo\.(tanh|sine|cosine)", r"stablehlo.logistic", old)
    assert lines[line - 1] != old, f"nothing to change in {old}"
    return "\n".join(lines)


def lines_for(case: Case, kind: str, place: str) -> list[int]:
    """Lines where a fault of a kind can be planted at a place."""
    lines = case.text.split("\n")
    match kind:
        case "kernel":
            return case.places[place]
        case "swap":
            place = "main" if place == "reducer" else place  # where exchanged operands make no difference
            return [
                n
                for n in case.places[place]
                if (found := _SWAPPED.search(lines[n - 1])) is not None and found[2] != found[3]
            ]
        case _:
            return [n for n, line in enumerate(lines, 1) if _CONSTANT.search(line)]


def named_line(found: Any) -> int | None:
    """The line of the operation that a report names first."""
    if found is None:
        return None
    match = re.search(r'"model\.py":(\d+):', found.location)
    return None if match is None else int(match[1])


def run_case(number: int, case: Case, side: ChildSide, seed: int) -> bool:
    """Plant one fault; returns whether the report names it first."""
    random = np.random.default_rng(seed + number)
    kind, place = KINDS[number % len(KINDS)], PLACES[number % len(PLACES)]
    lines = lines_for(case, kind, place)
    line = int(random.choice(lines))
    program = hlokit.load(case.text)
    start = time.perf_counter()
    if kind == "constant":
        report = diff(program, *case.arguments(), against=hlokit.load(planted_text(case.text, line, kind)))  # pyright: ignore[reportArgumentType] # a Program
    else:
        report = diff(program, *case.arguments(), against=FaultySide(f'"model.py":{line}:', kind, side))
    seconds = time.perf_counter() - start
    named = named_line(report.first)
    verdict = "named" if named == line else f"NOT named: {named}"
    text = case.text.split("\n")[line - 1].strip()
    print(
        f"{number:3} {case.operations:5} lines {kind:8} {place:8} {seconds:6.1f} s  {verdict}  {text[:60]}",
        flush=True,
    )
    return named == line


def main(arguments: Sequence[str]) -> int:
    """Run all cases; 1 if a fault was not named."""
    options = dict(argument.removeprefix("--").split("=", 1) for argument in arguments)
    count, seed = int(options.get("cases", "20")), int(options.get("seed", "0"))
    low, high = map(int, options.get("operations", "500,7000").split(","))
    sizes = np.linspace(low, high, count).astype(int)
    named = 0
    side = ChildSide("xla", time_limit=1200.0)
    try:
        for number in range(count):
            named += run_case(number, make_case(int(sizes[number]), seed + number), side, seed)
    finally:
        side.close()
    print(f"{named} of {count} faults named first")
    return named != count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
