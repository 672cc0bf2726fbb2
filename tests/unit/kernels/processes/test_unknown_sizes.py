"""Collective operations whose operands have sizes that are known at run time only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import hlokit

GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
ADD = """({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) """
Shape = tuple[int, int]
# The attributes of an operation, and its result's shape for the operand's.
OPERATIONS: dict[str, tuple[str, Callable[[int, int], Shape]]] = {
    "all_gather": (f"{{all_gather_dim = 0 : i64, {GROUPS}}}", lambda m, n: (2 * m, n)),
    "all_reduce": (f"{ADD}{{{GROUPS}}}", lambda m, n: (m, n)),
    "reduce_scatter": (f"{ADD}{{scatter_dimension = 0 : i64, {GROUPS}}}", lambda m, n: (m // 2, n)),
    "all_to_all": (
        f"{{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, {GROUPS}}}",
        lambda m, n: (m // 2, 2 * n),
    ),
    "collective_permute": (
        "{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}",
        lambda m, n: (m, n),
    ),
    "collective_broadcast": (f"{{{GROUPS}}}", lambda m, n: (m, n)),
}


def program(name: str, operand: str, result: str) -> hlokit.Program:
    return hlokit.load(f"""
func.func @main(%x: tensor<{operand}xf32>) -> tensor<{result}xf32> {{
  %0 = "stablehlo.{name}"(%x) {OPERATIONS[name][0]} : (tensor<{operand}xf32>) -> tensor<{result}xf32>
  return %0 : tensor<{result}xf32>
}}""")


def arrays(*shapes: Shape) -> list[tuple[Any]]:
    return [(np.arange(np.prod(shape), dtype=np.float32).reshape(shape),) for shape in shapes]


@pytest.mark.parametrize("name", OPERATIONS)
def test_results_are_those_of_static_types(name: str) -> None:
    dynamic = program(name, "?x?", "?x?")
    for shape in (
        ((4, 3), (2, 5), (0, 2)) if name not in ("reduce_scatter", "all_gather") else ((4, 3), (2, 5))
    ):
        result = OPERATIONS[name][1](*shape)
        static = program(name, f"{shape[0]}x{shape[1]}", f"{result[0]}x{result[1]}")
        expected = static.run_parallel(arrays(shape, shape), num_replicas=2)
        for _ in range(3):
            np.testing.assert_array_equal(
                dynamic.run_parallel(arrays(shape, shape), num_replicas=2), expected
            )


@pytest.mark.parametrize("name", OPERATIONS)
def test_sizes_that_differ_between_processes_are_refused(name: str) -> None:
    for operand, others in (("?x4", [(2, 4), (6, 4)]), ("4x?", [(4, 2), (4, 6)])):
        dynamic = program(name, operand, "?x?")
        for one, two in product([(4, 4)], others):
            with pytest.raises(hlokit.EvaluationError, match=f"{name}: .*must have one shape"):
                dynamic.run_parallel(arrays(one, two), num_replicas=2)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("reduce_scatter", r"dimension 0 .*must be divisible by 2, got 5"),
        ("all_to_all", r"split dimension .*5"),
    ],
)
def test_sizes_without_equal_shards_are_refused(name: str, message: str) -> None:
    with pytest.raises(hlokit.EvaluationError, match=message):
        program(name, "?x3", "?x?").run_parallel(arrays((5, 3), (5, 3)), num_replicas=2)
