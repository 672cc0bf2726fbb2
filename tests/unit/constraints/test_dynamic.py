"""Constraints that show only when a program runs."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit

GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
ADD = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  })"""
OPERATIONS = {
    "all_gather": (f"{{all_gather_dim = 0 : i64, {GROUPS}}}", 4),
    "all_reduce": (f"{ADD} {{{GROUPS}}}", 2),
    "reduce_scatter": (f"{ADD} {{scatter_dimension = 0 : i64, {GROUPS}}}", 1),
    "all_to_all": (
        f"{{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {GROUPS}}}",
        2,
    ),
}


def program(name: str, middle: str, size: int) -> hlokit.Program:
    return hlokit.load(
        f"""func.func @main(%x: tensor<2xf32>) -> tensor<{size}xf32> {{
          %0 = "stablehlo.{name}"(%x) {middle} : (tensor<2xf32>) -> tensor<{size}xf32>
          return %0 : tensor<{size}xf32>
        }}"""
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_groups_cover_the_grid(name: str) -> None:
    """all_gather C3, all_reduce C2, reduce_scatter C4, all_to_all C6."""
    loaded = program(name, *OPERATIONS[name])
    arguments = [(np.full(2, process, np.float32),) for process in range(3)]
    assert len(loaded.run_parallel(arguments[:2])) == 2
    with pytest.raises(
        hlokit.EvaluationError, match="replica_groups must cover every process, got none with"
    ):
        loaded.run_parallel(arguments)
    with pytest.raises(hlokit.EvaluationError, match="replica_groups must hold ids below 1"):
        loaded.run_parallel(arguments[:1])
