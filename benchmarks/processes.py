"""What it costs processes to meet: a scalar all_reduce in a loop, for grids of several sizes.

python -m benchmarks.processes
"""

from __future__ import annotations

import time

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


def main() -> None:
    program = hlokit.load(LOOP)
    for processes in (1, 2, 4, 8):
        arguments = [(np.float32(i),) for i in range(processes)]
        times: list[float] = []
        for _ in range(REPEATS + 1):
            start = time.perf_counter()
            program.run_parallel(arguments)
            times.append(time.perf_counter() - start)
        print(f"{processes} processes: {min(times[1:]) / TURNS * 1e6:.1f} us an all_reduce")


if __name__ == "__main__":
    main()
