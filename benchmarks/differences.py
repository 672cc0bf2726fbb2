"""The cost of `hlokit diff` for a long program, beside the program's own run and the other side's work.

    python -m benchmarks.differences [--operations=10000] [--kind=straight] [--against=xla]

Prints seconds of processor time: of loading the program and its first run; of the command `hlokit run`; of
`diff` without the other side; and of the other side (mostly compilation), for the program alone and for all
modules that `diff` gives to it.
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
from hlokit.tools.backends.names import named_side
from hlokit.tools.backends.side import Array, Side
from tests.generate.long import Form, Part, long_program

KINDS: dict[str, tuple[Part, ...]] = {
    "straight": ("line",),
    "shapes": ("resized",),
    "loops": ("line", "loop"),
    "calls": ("call",),
}


def text_of(count: int, seed: int = 1, kind: str = "straight") -> str:
    """A program of about `count` operations on 256 elements.

    Args:
      kind: `straight`; `shapes`: on 200 to 300 elements, another number every ten operations; `loops`: half
        of the operations in loops of 50 operations and ten iterations; `calls`: in functions of 50
        operations, each called twice.
    """
    form = Form(
        count,
        (256,),
        parts=KINDS[kind],
        length=10 if kind == "shapes" else 48,
        weights={"unary": 1, "binary": 1},
        unary=("tanh", "sine", "cosine", "abs", "logistic"),
        binary=("add", "subtract", "multiply", "maximum", "minimum"),
        recent=20,
        turns=10,
        functions=count,
        calls=2,
    )
    return long_program(seed, form).text


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
    """Processor seconds of the child processes of this process, both running and ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = usage.ru_utime + usage.ru_stime
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            fields = Path("/proc", child, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _command_seconds(text: str, values: Sequence[Array]) -> float:
    """Processor seconds of `hlokit run`."""
    with tempfile.TemporaryDirectory() as directory:
        program, arguments = Path(directory, "program.mlir"), [Path(directory, f"{n}.npy") for n in range(2)]
        program.write_text(text, encoding="utf-8")
        for path, value in zip(arguments, values, strict=True):
            np.save(path, value)
        command = "import sys; from hlokit.cli.main import main; sys.exit(main())"
        words = [sys.executable, "-c", command, "run", *map(str, [program, *arguments])]
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
    random = np.random.default_rng(0)
    values = [random.standard_normal(256).astype(np.float32) for _ in range(2)]
    start = time.process_time()
    program = hlokit.load(text)
    program(*values)
    own = time.process_time() - start
    command = _command_seconds(text, values)
    timed = _TimedSide(side)
    start = time.process_time()
    report = hlokit.diff(hlokit.load(text), *values, against=timed)
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
