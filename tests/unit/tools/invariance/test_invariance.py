"""Rows of a batch: kept, changed by the order of sums, and truly coupled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main

ROWS = """
func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.tanh %0 : tensor<?x4xf32>
  %2 = stablehlo.subtract %1, %1 : tensor<?x4xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?x4xf32>
}
"""
COUPLED = """
func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<4x3xf32>
  %3 = stablehlo.add %2, %1 : tensor<4x3xf32>
  return %2, %3 : tensor<4x3xf32>, tensor<4x3xf32>
}
"""
X = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)


def test_hlokit_keeps_rows_of_batches_of_all_sizes() -> None:
    generator = np.random.default_rng(1)
    x, w = (generator.normal(size=size).astype(np.float32) for size in ((9, 8), (8, 4)))
    report = hlokit.invariance(hlokit.load(ROWS), x, w)
    assert report.is_kept and len(report.results) == 2
    assert "keeps its bytes" in str(report)


def test_true_coupling_is_told_from_the_order_of_sums() -> None:
    """x - sum(x) depends on other rows; x - sum(x) + sum(x) does not, but for rounding."""
    report = hlokit.invariance(hlokit.load(COUPLED), X)
    coupled, rounded = report.results
    assert coupled.is_coupled and not rounded.is_coupled
    assert rounded.changed and 0 < rounded.largest < 1e-5
    assert rounded.is_rounded and str(rounded).startswith("result 1: changes by up to")
    assert report.operation.startswith("stablehlo.add at") and "first at stablehlo.add" in str(report)


def test_integers_and_places_couple_rows() -> None:
    """Integers stand for themselves, so that other unknown numbers do not tell; the trials do."""
    subtract = COUPLED.replace("0.0", "0").replace("f32", "i32")
    integers = np.random.default_rng(0).integers(1, 100, (4, 3), np.int32)
    assert [result.is_coupled for result in hlokit.invariance(hlokit.load(subtract), integers).results] == [
        True,
        False,
    ]
    by_place = """
    func.func @main(%x: tensor<4x3xf32>) -> tuple<tensor<4x3xf32>, tensor<3xf32>> {
      %0 = stablehlo.iota dim = 0 : tensor<4x3xf32>
      %1 = stablehlo.add %x, %0 : tensor<4x3xf32>
      %2 = stablehlo.constant dense<0.0> : tensor<3xf32>
      %3 = stablehlo.tuple %1, %2 : tuple<tensor<4x3xf32>, tensor<3xf32>>
      return %3 : tuple<tensor<4x3xf32>, tensor<3xf32>>
    }"""
    (result,) = hlokit.invariance(hlokit.load(by_place), X).results
    assert result.is_coupled and "permuted" in result.changed


def test_a_maximum_in_the_first_row_couples_rows() -> None:
    """No trial with smaller rows changes it; factors of each row, of no known meaning, do not couple rows."""
    x = np.flip(np.sort(np.abs(X), 0), 0).copy()
    report = hlokit.invariance(jax.jit(lambda x: x / jnp.abs(x).max()).lower(x), x)
    assert [result.is_coupled for result in report.results] == [True]

    def factors(x: Any) -> Any:
        return jax.vmap(lambda row: jnp.linalg.cholesky(jnp.outer(row, row) + jnp.eye(row.size)))(x)

    assert hlokit.invariance(jax.jit(factors).lower(X), X).are_rows_kept


def test_a_result_must_have_rows() -> None:
    total = "func.func @main(%x: tensor<4x3xf32>) -> tensor<i32> { %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4x3xf32>) -> tensor<i32> return %0 : tensor<i32> }"
    with pytest.raises(hlokit.ArgumentError, match="must have 4 rows along axis 0"):
        hlokit.invariance(hlokit.load(total), X)


class BySize:
    """A side whose rows depend on the size of the batch, and on the run."""

    name, batch = "by size", 1

    def __init__(self) -> None:
        self.runs = 0

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        del module, function
        self.runs += 1
        x = inputs[0]
        return [x[:, :4] + np.float32(len(x)), x[:, :4] + np.float32(self.runs)]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Any]], function: str = "main"
    ) -> list[list[Any]]:
        return [self.run(module, row, function) for row in inputs]

    def close(self) -> None:
        pass


def test_trials_are_named() -> None:
    x, w = np.ones((9, 8), np.float32), np.ones((8, 4), np.float32)
    by_size, by_run = hlokit.invariance(hlokit.load(ROWS), x, w, against=BySize()).results
    assert by_size.changed == ("of 1 rows", "of 2 rows", "of 3 rows", "of 8 rows")
    assert "run again" in by_run.changed


SOFTMAX = """
func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.tanh %0 : tensor<?x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %3 = stablehlo.exponential %2 : tensor<4x?xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x?xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = chlo.broadcast_divide %3, %4 {broadcast_dimensions = array<i64: 1>} : (tensor<4x?xf32>, tensor<?xf32>) -> tensor<4x?xf32>
  %6 = stablehlo.sqrt %5 : tensor<4x?xf32>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x?xf32>) -> tensor<?x4xf32>
  %8 = stablehlo.multiply %7, %7 : tensor<?x4xf32>
  %9 = stablehlo.negate %8 : tensor<?x4xf32>
  return %9 : tensor<?x4xf32>
}
"""


class Seeded:
    """hlokit, but one operation has other bits in batches of some size."""

    name, batch = "seeded", 1

    def __init__(self, operation: str, size: int) -> None:
        self._operation, self._size = operation, size

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        del function
        program = hlokit.load(module)
        results = program.runs.evaluate(list(inputs), program.entry())
        has_size = any(self._size in np.shape(value) for value in inputs)
        if has_size and f"{self._operation} " in program.text().replace('"', " "):
            return [np.nextafter(result, np.float32(2)) for result in results]
        return list(results)

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Any]], function: str = "main"
    ) -> list[list[Any]]:
        return [self.run(module, row, function) for row in inputs]

    def close(self) -> None:
        pass


@pytest.mark.parametrize("numbers", [(0, 3, 6), pytest.param((1, 2, 4, 5), marks=pytest.mark.deep)])
def test_the_first_operation_is_named(numbers: tuple[int, ...]) -> None:
    generator = np.random.default_rng(3)
    x, w = (generator.normal(size=size).astype(np.float32) for size in ((9, 8), (8, 4)))
    names = ("dot_general", "tanh", "exponential", "sqrt", "multiply", "negate")
    operations = [*[f"stablehlo.{name}" for name in names], "chlo.broadcast_divide"]
    for number in numbers:
        operation, size = operations[number], (1, 3)[number % 2]
        report = hlokit.invariance(hlokit.load(SOFTMAX), x, w, against=Seeded(operation, size))
        assert report.results[0].changed == (f"of {size} rows",), operation
        assert f"{operation} at" in report.operation, f"{operation}: {report}"


def test_command_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coupled.mlir"
    path.write_text(COUPLED)
    assert main(["invariance", str(path), "--random", "--json"]) == 1
    assert '"coupled": true' in capsys.readouterr().out
    assert main(["invariance", str(path), "--random", "--axis=2"]) == 2
    assert "must have at least 2 rows along axis 2" in capsys.readouterr().err
    with pytest.raises(hlokit.ArgumentError, match="a side must be"):
        hlokit.invariance(hlokit.load(COUPLED), X, against="nothing")


def test_roundings_of_what_depends_on_other_rows_are_no_order_of_sums() -> None:
    """Regression: a common scale, which cancels exactly, was called the order of sums."""
    text = """func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %least = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.abs %x : tensor<4x8xf32>
      %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [0, 1]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
      %3 = stablehlo.divide %x, %2 : tensor<4x8xf32>
      %4 = stablehlo.convert %3 : (tensor<4x8xf32>) -> tensor<4x8xf8E4M3FN>
      %5 = stablehlo.convert %4 : (tensor<4x8xf8E4M3FN>) -> tensor<4x8xf32>
      %6 = stablehlo.multiply %5, %2 : tensor<4x8xf32>
      return %6 : tensor<4x8xf32>
    }"""
    x = np.random.default_rng(0).normal(size=(4, 8)).astype(np.float32)
    for side in ("hlokit", "xla"):
        report = hlokit.invariance(hlokit.load(text), x, against=side)
        (result,) = report.results
        assert (result.is_rounded, result.is_coupled, bool(result.changed)) == (True, False, True), report
        assert report.operation.startswith("stablehlo.multiply")
        assert "by rounding of values that depend on the other rows" in str(report)
