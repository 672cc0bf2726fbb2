"""The cost of `hlokit diff` for a long program, beside the program's own run and the other side's work.

    python -m benchmarks.differences [--operations=10000] [--kind=straight] [--against=xla]

Prints seconds of processor time: of loading the program and its first run, of `hlokit run` as a command, of
`diff` outside the other side, and of the other side (mostly compilation), for the program alone and for
everything that `diff` gives to it.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import hlokit
from hlokit.backends.names import named_side
from hlokit.backends.side import Array, Side

_TYPE = "tensor<256xf32>"
_UNARY = ("tanh", "sine", "cosine", "abs", "logistic")
_BINARY = ("add", "subtract", "multiply", "maximum", "minimum")


KINDS = ("straight", "shapes", "loops", "calls")


class _Lines:
    """The lines of a program: each operation has one or two of the latest twenty values as its operands."""

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)
        self._count = 0
        self.lines: list[str] = []

    def name(self) -> str:
        self._count += 1
        return f"%{self._count}"

    def chain(self, value: str, count: int, type_: str = _TYPE) -> str:
        """A chain of operations on a value; the last one's name."""
        names = [value]
        for number in range(count):
            operands = [names[-1]]
            operations = _UNARY
            if number % 2:
                operands.append(str(self._random.choice(names[-20:])))
                operations = _BINARY
            new = self.name()
            operation = self._random.choice(operations)
            self.lines.append(f"{new} = stablehlo.{operation} {', '.join(operands)} : {type_}")
            names.append(new)
        return names[-1]

    def resized(self, value: str, size: int, other: int) -> str:
        """A value of another size: its first elements, or zeros after it."""
        new, zero = self.name(), self.name()
        types = f"tensor<{size}xf32>", f"tensor<{other}xf32>"
        if other < size:
            self.lines.append(f"{new} = stablehlo.slice {value} [0:{other}] : ({types[0]}) -> {types[1]}")
            return new
        self.lines.append(f"{zero} = stablehlo.constant dense<0.0> : tensor<f32>")
        self.lines.append(
            f"{new} = stablehlo.pad {value}, {zero}, low = [0], high = [{other - size}], interior = [0] : "
            f"({types[0]}, tensor<f32>) -> {types[1]}"
        )
        return new

    def loop(self, value: str, count: int) -> str:
        """A loop of ten iterations."""
        zero, ten, one, made, number, carried, test, next_ = (self.name() for _ in range(8))
        for name, constant in ((zero, 0), (ten, 10), (one, 1)):
            self.lines.append(f"{name} = stablehlo.constant dense<{constant}> : tensor<i32>")
        types = f"tensor<i32>, {_TYPE}"
        self.lines += [
            f"{made}:2 = stablehlo.while({number} = {zero}, {carried} = {value}) : {types} cond {{",
            f"{test} = stablehlo.compare LT, {number}, {ten} : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"stablehlo.return {test} : tensor<i1>",
            "} do {",
        ]
        result = self.chain(carried, count)
        self.lines += [
            f"{next_} = stablehlo.add {number}, {one} : tensor<i32>",
            f"stablehlo.return {next_}, {result} : {types}",
            "}",
        ]
        return f"{made}#1"


def text_of(count: int, seed: int = 1, kind: str = "straight") -> str:
    """A program of about `count` operations on 256 elements. Its result is a sum of values on the way, which
    shows the roundings of all of them.

    Args:
      kind: `straight`; `shapes`: on 200 to 300 elements, another number every ten operations; `loops`: half
        of the operations in loops of 50 operations and ten iterations; `calls`: in functions of 50
        operations, each called twice.
    """
    main = _Lines(seed)
    functions: list[str] = []
    value, total = "%x", "%x"
    parts = {"straight": 50, "shapes": 14, "loops": 100, "calls": 50}
    for number in range(count // parts[kind]):
        match kind:
            case "straight":
                value = main.chain(value, 49)
            case "shapes":
                size = 200 + number * 37 % 101
                value = main.resized(value, 256, size)
                value = main.resized(main.chain(value, 10, f"tensor<{size}xf32>"), size, 256)
            case "loops":
                value = main.loop(main.chain(value, 48), 50)
            case _:
                inner = _Lines(seed + number)
                head = f"func.func private @f{number}(%x: {_TYPE}) -> {_TYPE} {{"
                result = inner.chain("%x", 47)
                functions += [head, *inner.lines, f"return {result} : {_TYPE}", "}"]
                for _ in range(2):
                    new = main.name()
                    main.lines.append(f"{new} = func.call @f{number}({value}) : ({_TYPE}) -> {_TYPE}")
                    value = new
        new = main.name()
        main.lines.append(f"{new} = stablehlo.add {total}, {value} : {_TYPE}")
        total = new
    head = f"func.func @main(%x: {_TYPE}) -> {_TYPE} {{"
    return "\n".join([head, *main.lines, f"return {total} : {_TYPE}", "}", *functions])


class _TimedSide:
    """A side whose processor time is measured, apart from that of this process.

    Attributes:
      here: seconds of this process, for the messages.
      there: seconds of the side's process in each request.
    """

    def __init__(self, side: Side) -> None:
        self.name, self.batch = side.name, side.batch
        self.here = 0.0
        self.there: list[float] = []
        self._side = side

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        before, here = _seconds_of_children(), time.process_time()
        try:
            return self._side.run_each(module, inputs, function)
        finally:
            self.here += time.process_time() - here
            self.there.append(_seconds_of_children() - before)

    def close(self) -> None:
        self._side.close()


def _seconds_of_children() -> float:
    """Processor seconds of the child processes of this process, of those that have ended, too."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = usage.ru_utime + usage.ru_stime
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            fields = Path("/proc", child, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _command_seconds(text: str, value: Array) -> float:
    """Processor seconds of `hlokit run`."""
    with tempfile.TemporaryDirectory() as directory:
        program, argument = Path(directory, "program.mlir"), Path(directory, "x.npy")
        program.write_text(text, encoding="utf-8")
        np.save(argument, value)
        command = "import sys; from hlokit.cli.main import main; sys.exit(main())"
        words = [sys.executable, "-c", command, "run", str(program), str(argument)]
        before = _seconds_of_children()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return _seconds_of_children() - before


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differences")
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--kind", choices=KINDS, default="straight")
    parser.add_argument("--against", default="xla")
    options = parser.parse_args()
    side = named_side(options.against, 3600.0)
    if side is None:
        parser.error(f"'{options.against}' is not a side")
    text = text_of(options.operations, kind=options.kind)
    value = np.random.default_rng(0).standard_normal(256).astype(np.float32)
    start = time.process_time()
    program = hlokit.load(text)
    program(value)
    own = time.process_time() - start
    command = _command_seconds(text, value)
    timed = _TimedSide(side)
    start = time.process_time()
    report = hlokit.diff(hlokit.load(text), value, against=timed)
    differences = time.process_time() - start - timed.here
    timed.close()
    modes = " and ".join(report.modes)
    print(
        f"{options.operations} operations ({options.kind}) against {timed.name}, {modes}: "
        f"load and first run {own:.2f} s, hlokit run {command:.2f} s, diff {differences:.2f} s "
        f"({differences / own:.1f} and {differences / command:.1f} times); the other side "
        f"{timed.there[0]:.1f} s for the program, {sum(timed.there):.1f} s in all; {report.outcome}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
