"""Faults planted in programs of many operations: does `hlokit diff` name the operation at fault first?

    python -m benchmarks.faults [--cases=20] [--operations=500,7000] [--seed=0]

XLA:CPU stands for a compiler with a fault (`FaultySide`): it gets each module with the operation at one
location changed, so that the result is off by 1e-3 relative, or that the operands are exchanged. A wrong
constant is a fault of the other program of a comparison. Prints a line for each case; the exit status is 1
if an operation was not named first.
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
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.tools.backends.children import ChildSide
from hlokit.tools.backends.side import Array, Side
from hlokit.tools.diff.run import diff
from tests.generate.long import PLACES, Form, long_program

KINDS = ("kernel", "swap", "constant")


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
    """A program of about `operations` operations: straight-line code, nested loops and calls, reductions."""
    form = Form(
        operations,
        (8, 16),
        parts=("line", "loop", "line", "call", "line", "reduction"),
        length=max(4, operations // 40),
        weights={"unary": 4, "binary": 4, "scaled": 1, "products": 1},
        unary=("tanh", "sine", "cosine", "logistic"),
        binary=("add", "subtract", "multiply", "subtract"),
        summed=3,
        is_nested=True,
        file="model.py",
    )
    program = long_program(seed, form)
    return Case(program.text, program.places, program.text.count("\n"))


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
    """The program with a fault in a line."""
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
    """Run all cases; returns 1 if a fault was not named first."""
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
