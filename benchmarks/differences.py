"""The cost of `hlokit diff` for a long program, beside the program's own run and the other side's work.

    python -m benchmarks.differences [--operations=10000] [--against=xla]

Prints seconds: of loading the program and its first run, of `diff` outside the other side (processor time of
this process), and inside it (mostly compilation). The program is straight: each operation has one or two of
the latest twenty values as its operands.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import numpy as np

import hlokit
from hlokit.backends.names import named_side
from hlokit.backends.side import Array, Side

_TYPE = "tensor<256xf32>"
_UNARY = ("tanh", "sine", "cosine", "abs", "logistic")
_BINARY = ("add", "subtract", "multiply", "maximum", "minimum")


def text_of(count: int, seed: int = 1) -> str:
    """A program of `count` operations on 256 elements."""
    random = np.random.default_rng(seed)
    names = ["%x"]
    lines: list[str] = []
    for number in range(count):
        operands = [names[-1]]
        operations = _UNARY
        if number % 2:
            operands.append(str(random.choice(names[-20:])))
            operations = _BINARY
        lines.append(f"%{number} = stablehlo.{random.choice(operations)} {', '.join(operands)} : {_TYPE}")
        names.append(f"%{number}")
    body = "\n".join(lines)
    return f"func.func @main(%x: {_TYPE}) -> {_TYPE} {{\n{body}\nreturn {names[-1]} : {_TYPE}\n}}"


class _TimedSide:
    """A side whose time is measured."""

    def __init__(self, side: Side) -> None:
        self.name, self.batch = side.name, side.batch
        self.seconds = 0.0
        self.processor = 0.0
        self._side = side

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        start, processor = time.perf_counter(), time.process_time()
        try:
            return self._side.run_each(module, inputs, function)
        finally:
            self.seconds += time.perf_counter() - start
            self.processor += time.process_time() - processor

    def close(self) -> None:
        self._side.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differences")
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--against", default="xla")
    options = parser.parse_args()
    side = named_side(options.against, 3600.0)
    if side is None:
        parser.error(f"'{options.against}' is not a side")
    text = text_of(options.operations)
    value = np.random.default_rng(0).standard_normal(256).astype(np.float32)
    start = time.process_time()
    program = hlokit.load(text)
    program(value)
    own = time.process_time() - start
    timed = _TimedSide(side)
    start = time.process_time()
    report = hlokit.diff(hlokit.load(text), value, against=timed)
    differences = time.process_time() - start - timed.processor
    timed.close()
    print(
        f"{options.operations} operations against {timed.name}, {' and '.join(report.modes)}: "
        f"load and first run {own:.2f} s, diff {differences:.2f} s ({differences / own:.1f} times), "
        f"the other side {timed.seconds:.1f} s; {report.outcome}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
