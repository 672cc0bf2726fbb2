"""Programs with unknown dimensions, called again and again with arguments of the same sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.mlir import refinement
from hlokit.programs.calls import sizes

# Softmax of a product in a loop, whose sizes are those of the argument.
MODEL = """
module {
  func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.constant dense<5> : tensor<i32>
    %rows, %count = stablehlo.while(%y = %x, %i = %0) : tensor<?x?xf32>, tensor<i32>
      cond {
        %continues = stablehlo.compare LT, %i, %5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %continues : tensor<i1>
      } do {
        %product = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
        %softmax = func.call @softmax(%product) : (tensor<?x?xf32>) -> tensor<?x?xf32>
        %next = stablehlo.add %i, %1 : tensor<i32>
        stablehlo.return %softmax, %next : tensor<?x?xf32>, tensor<i32>
      }
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sums = stablehlo.reduce(%rows init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    return %rows, %sums : tensor<?x?xf32>, tensor<?xf32>
  }
  func.func private @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %m = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %shape = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %max = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %maxs = stablehlo.dynamic_broadcast_in_dim %max, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %shifted = stablehlo.subtract %x, %maxs : tensor<?x?xf32>
    %powers = stablehlo.exponential %shifted : tensor<?x?xf32>
    %sum = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
    %sums = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %quotients = stablehlo.divide %powers, %sums : tensor<?x?xf32>
    return %quotients : tensor<?x?xf32>
  }
}
"""
RESHAPED = """
func.func @main(%x: tensor<?xf32>, %sizes: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  %1 = stablehlo.dynamic_reshape %0, %sizes : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
"""


@pytest.fixture
def refined(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[int, ...], ...]]:
    """The shapes of arguments for which programs become static programs."""
    shapes: list[tuple[tuple[int, ...], ...]] = []
    refine = refinement.refined

    def recorded(module: Any, types: Any) -> Any:
        shapes.append(tuple([type_.dims for type_ in types]))
        return refine(module, types)

    monkeypatch.setattr(refinement, "refined", recorded)
    return shapes


def arguments(rows: int, columns: int) -> list[np.ndarray[Any, Any]]:
    generator = np.random.default_rng(rows)
    return [generator.standard_normal(shape, np.float32) for shape in ((rows, columns), (columns, columns))]


def test_calls_with_equal_sizes_become_a_static_program(refined: list[Any]) -> None:
    program = hlokit.load(MODEL)
    for rows, columns in ((3, 4), (40, 70), (0, 2)):
        inputs = arguments(rows, columns)
        expected = [result.tobytes() for result in hlokit.load(MODEL)(*inputs)]
        for call in range(5):
            assert [result.tobytes() for result in program(*inputs)] == expected
            assert (refined[-1:] == [tuple([array.shape for array in inputs])]) == (call > 0)
    assert refined == [
        tuple([array.shape for array in arguments(*size)]) for size in ((3, 4), (40, 70), (0, 2))
    ]


def test_the_number_of_static_programs_is_bounded(
    refined: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_MOST_PROGRAMS", 2)
    monkeypatch.setattr(sizes, "_RUNS_TO_REPLACE", 1)
    program = hlokit.load(MODEL)
    for rows in (1, 2, 3, 1, 3):
        for _ in range(3):
            program(*arguments(rows, 2))
    assert [shapes[0][0] for shapes in refined] == [1, 2, 3, 1]


def test_calls_with_many_sizes_in_turn_make_few_programs(
    refined: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sizes, "_MOST_PROGRAMS", 2)
    program = hlokit.load(MODEL)
    for turn in range(40):
        for rows in (1, 2, 3):
            program(*arguments(rows, 2))
        expected = [] if turn == 0 else [1, 2] if turn < 32 else [1, 2, 3]
        assert [shapes[0][0] for shapes in refined] == expected


def test_dimensions_that_depend_on_values_stay_unknown() -> None:
    program = hlokit.load(RESHAPED)
    x = np.arange(6, dtype=np.float32)
    for shape in [(2, 3), (3, 2), (6, 1), (1, 6)] * 2:
        result = program(x, np.array(shape, np.int32))
        assert result.tolist() == (4 * x * x).reshape(shape).tolist()
    with pytest.raises(hlokit.EvaluationError, match="dynamic_reshape"):
        program(x, np.array([2, 2], np.int32))


def test_a_violated_rule_is_an_error_in_every_call(refined: list[Any]) -> None:
    program = hlokit.load(MODEL)
    for _ in range(4):
        with pytest.raises(hlokit.EvaluationError, match="dot_general"):
            program(np.zeros((2, 3), np.float32), np.zeros((4, 3), np.float32))
    assert refined == []
