"""Divergences of XLA:CPU in programs of many operations: does `hlokit reduce` make them small?

    python -m benchmarks.reductions [--cases=10] [--operations=1500,2500] [--seed=0] [--jobs=N]

Operations that XLA:CPU evaluates differently (docs/divergences.md) are planted in the programs of
`benchmarks.faults`: in the main function, in nested loops, in called functions. Prints a line for each case;
the exit status is 1 if a result has more than 5 operations or 64 elements, or took more than 2 minutes.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence

import numpy as np

import hlokit
from benchmarks.faults import Case, make_case
from hlokit.tools.reduce.report import Reduction
from hlokit.tools.reduce.run import reduce

MOST_OPERATIONS, MOST_ELEMENTS, MOST_SECONDS = 5, 64, 120.0
PLACES = ("main", "loop", "function")
# Code that computes %y from %x, both of type tensor<8x16xf32>; `@` stands for a prefix of unique names.
PLANTS = {
    "power": """
%@a = stablehlo.constant dense<100.0> : tensor<8x16xf32>
%@b = stablehlo.multiply %x, %@a : tensor<8x16xf32>
%@c = stablehlo.convert %@b : (tensor<8x16xf32>) -> tensor<8x16xi32>
%@d = stablehlo.constant dense<70> : tensor<8x16xi32>
%@e = stablehlo.power %@c, %@d : tensor<8x16xi32>
%@f = stablehlo.constant dense<1023> : tensor<8x16xi32>
%@g = stablehlo.and %@e, %@f : tensor<8x16xi32>
%@h = stablehlo.convert %@g : (tensor<8x16xi32>) -> tensor<8x16xf32>
%y = stablehlo.tanh %@h : tensor<8x16xf32>
""",
    "popcnt": """
%@a = stablehlo.constant dense<5.0> : tensor<8x16xf32>
%@b = stablehlo.multiply %x, %@a : tensor<8x16xf32>
%@c = stablehlo.convert %@b : (tensor<8x16xf32>) -> tensor<8x16xi4>
%@i = stablehlo.iota dim = 0 : tensor<8x16xi4>
%@o = stablehlo.constant dense<1> : tensor<8x16xi4>
%@j = stablehlo.and %@i, %@o : tensor<8x16xi4>
%@n = stablehlo.negate %@j : tensor<8x16xi4>
%@d = stablehlo.xor %@c, %@n : tensor<8x16xi4>
%@e = stablehlo.popcnt %@d : tensor<8x16xi4>
%@h = stablehlo.convert %@e : (tensor<8x16xi4>) -> tensor<8x16xf32>
%y = stablehlo.tanh %@h : tensor<8x16xf32>
""",
    "complex_exponential": """
%@a = stablehlo.constant dense<0xFF800000> : tensor<8x16xf32>
%@c = stablehlo.complex %@a, %@a : tensor<8x16xcomplex<f32>>
%@e = stablehlo.exponential %@c : tensor<8x16xcomplex<f32>>
%@f = stablehlo.real %@e : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xf32>
%y = stablehlo.add %@f, %x : tensor<8x16xf32>
""",
    "scatter": """
%@i = stablehlo.constant dense<[[14]]> : tensor<1x1xi32>
%@u = stablehlo.constant dense<0.25> : tensor<1x8x4xf32>
%y = "stablehlo.scatter"(%x, %@i, %@u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
^bb0(%@p: tensor<f32>, %@q: tensor<f32>):
stablehlo.return %@q : tensor<f32>
}) : (tensor<8x16xf32>, tensor<1x1xi32>, tensor<1x8x4xf32>) -> tensor<8x16xf32>
""",  # noqa: E501 # MLIR text reads better on one line
    "sort": """
%@m = stablehlo.constant dense<0.0> : tensor<8x16xf32>
%@n = stablehlo.constant dense<0x7FC00000> : tensor<8x16xf32>
%@i = stablehlo.iota dim = 1 : tensor<8x16xi32>
%@o = stablehlo.constant dense<1> : tensor<8x16xi32>
%@b = stablehlo.and %@i, %@o : tensor<8x16xi32>
%@c = stablehlo.compare EQ, %@b, %@o : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
%@s = stablehlo.select %@c, %@n, %x : tensor<8x16xi1>, tensor<8x16xf32>
%@r = "stablehlo.sort"(%@s) <{dimension = 1 : i64, is_stable = true}> ({
^bb0(%@p: tensor<f32>, %@q: tensor<f32>):
%@t = stablehlo.compare LT, %@p, %@q : (tensor<f32>, tensor<f32>) -> tensor<i1>
stablehlo.return %@t : tensor<i1>
}) : (tensor<8x16xf32>) -> tensor<8x16xf32>
%@f = stablehlo.is_finite %@r : (tensor<8x16xf32>) -> tensor<8x16xi1>
%y = stablehlo.select %@f, %@r, %@m : tensor<8x16xi1>, tensor<8x16xf32>
""",
    "triangular_solve": """
%@a = stablehlo.constant dense<[[0.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>
%@b = stablehlo.reshape %x : (tensor<8x16xf32>) -> tensor<2x64xf32>
%@c = "stablehlo.triangular_solve"(%@a, %@b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
%@d = stablehlo.reshape %@c : (tensor<2x64xf32>) -> tensor<8x16xf32>
%y = stablehlo.tanh %@d : tensor<8x16xf32>
""",  # noqa: E501 # MLIR text reads better on one line
    "reduce_precision": """
%@n = stablehlo.constant dense<0x7FC00000> : tensor<8x16xf32>
%@s = stablehlo.multiply %x, %@n : tensor<8x16xf32>
%@r = stablehlo.reduce_precision %@s, format = e5m0 : tensor<8x16xf32>
%@f = stablehlo.tanh %@r : tensor<8x16xf32>
%y = stablehlo.add %@f, %x : tensor<8x16xf32>
""",
}
_TANH = re.compile(r"(%\w+) = stablehlo\.tanh (%\w+) : tensor<8x16xf32>")


def planted(case: Case, kind: str, place: str, seed: int) -> str:
    """The program with an operation of a kind planted at a place, instead of a tanh."""
    lines = case.text.split("\n")
    random = np.random.default_rng(seed)
    found = [n - 1 for n in case.places[place] if _TANH.match(lines[n - 1])]
    line = int(random.choice(found))
    match = _TANH.match(lines[line])
    assert match is not None
    result, operand = match.groups()
    text = PLANTS[kind].strip().replace("@", "planted_")
    lines[line] = re.sub(r"%y\b", result, re.sub(r"%x\b", operand, text))
    return "\n".join(lines)


def diverging() -> list[str]:
    """The kinds of operations that this version of XLA evaluates differently."""
    program = "func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {{{}return %y : tensor<8x16xf32>\n}}"
    argument = make_case(100, 0).arguments()[0]
    return [
        kind
        for kind, text in PLANTS.items()
        if hlokit.diff(hlokit.load(program.format(text.replace("@", "_"))), argument, against="xla").outcome
        == "differs"
    ]


def is_small(made: Reduction) -> bool:
    """Whether a reduction meets the targets."""
    return made.after <= MOST_OPERATIONS and made.largest <= MOST_ELEMENTS and made.seconds <= MOST_SECONDS


def run_case(number: int, kind: str, case: Case, seed: int, jobs: int | None) -> bool:
    """Reduce one program; returns whether the result is small."""
    place = PLACES[number % len(PLACES)]
    program = hlokit.load(planted(case, kind, place, seed + number))
    start = time.perf_counter()
    made = reduce(program, *case.arguments(), keep="diverges:xla", jobs=jobs)
    seconds = time.perf_counter() - start
    operation = kind.removeprefix("complex_")
    is_right = f"stablehlo.{operation}" in made.text
    verdict = "small" if is_small(made) and is_right else "NOT small"
    print(
        f"{number:3} {case.operations:5} lines {kind:20} {place:8} {seconds:6.1f} s  {made.before} "
        f"operations to {made.after}, at most {made.largest} elements, {made.tried} tried  {verdict}",
        flush=True,
    )
    return is_small(made) and is_right


def main(arguments: Sequence[str]) -> int:
    """Run all cases; returns 1 if a result is not small."""
    options = dict(argument.removeprefix("--").split("=", 1) for argument in arguments)
    count, seed = int(options.get("cases", "10")), int(options.get("seed", "0"))
    low, high = map(int, options.get("operations", "1500,2500").split(","))
    jobs = int(options["jobs"]) if "jobs" in options else None
    sizes = np.linspace(low, high, count).astype(int)
    kinds = diverging()
    print(
        "kinds without a divergence in this XLA:",
        ", ".join(sorted(set(PLANTS) - set(kinds))) or "none",
        flush=True,
    )
    small = sum(
        run_case(number, kinds[number % len(kinds)], make_case(int(size), seed + number), seed, jobs)
        for number, size in enumerate(sizes)
    )
    print(f"{small} of {count} programs became small")
    return small != count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
