"""The cost of a rendezvous: a scalar all_reduce in a loop, for grids of several sizes, and a large
all_reduce.

    python -m benchmarks.processes
    mpiexec -n 4 python -m benchmarks.processes mpi
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

import hlokit

TURNS = 1000
REPEATS = 3

LOOP = f"""func.func @main(%operand: tensor<f32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<{TURNS}> : tensor<i32>
  %results:2 = stablehlo.while(%i = %zero, %value = %operand) : tensor<i32>, tensor<f32>
  cond {{
    %more = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %next = stablehlo.add %i, %one : tensor<i32>
    %largest = "stablehlo.all_reduce"(%value) ({{
    ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
      %0 = stablehlo.maximum %lhs, %rhs : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }}) {{replica_groups = dense<> : tensor<0x0xi64>}} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %next, %largest : tensor<i32>, tensor<f32>
  }}
  return %results#1 : tensor<f32>
}}"""


SIZE = 1 << 22
LARGE = f"""func.func @main(%operand: tensor<{SIZE}xf32>) -> tensor<f32> {{
  %sum = "stablehlo.all_reduce"(%operand) ({{
  ^bb0(%lhs: tensor<f32>, %rhs: tensor<f32>):
    %0 = stablehlo.add %lhs, %rhs : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }}) {{replica_groups = dense<> : tensor<0x0xi64>}} : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  %first = stablehlo.slice %sum [0:1] : (tensor<{SIZE}xf32>) -> tensor<1xf32>
  %result = stablehlo.reshape %first : (tensor<1xf32>) -> tensor<f32>
  return %result : tensor<f32>
}}"""


def measure(engine: Literal["threads", "mpi"], counts: tuple[int, ...], report: Callable[[str], Any]) -> None:
    """Report a line for each number of processes."""
    loop, large = hlokit.load(LOOP), hlokit.load(LARGE)
    for processes in counts:
        scalars = [(np.float32(i),) for i in range(processes)]
        arrays = [(np.full(SIZE, i, np.float32),) for i in range(processes)]
        turn = best(lambda: loop.run_parallel(scalars, engine=engine)) / TURNS  # noqa: B023 # called at once
        whole = best(lambda: large.run_parallel(arrays, engine=engine))  # noqa: B023 # called at once
        report(
            f"{processes} processes: {turn * 1e6:.1f} us per scalar all_reduce, "
            f"{whole * 1e3:.1f} ms for one of {SIZE >> 18} MiB"
        )


def best(run: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs; the first run, which plans, does not count."""
    times: list[float] = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main() -> None:
    if sys.argv[1:] != ["mpi"]:
        measure("threads", (1, 2, 4, 8), print)
        return
    from hlokit.engine.grid.mpi.engine import mpi_engine

    engine = mpi_engine()
    measure("mpi", (engine.size,), print if engine.rank == 0 else str)


if __name__ == "__main__":
    main()
