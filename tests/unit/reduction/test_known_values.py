"""`reduce` of what differs from another program or a recorded run: one operation that checks itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from benchmarks.faults import lines_for, make_case, planted_text
from hlokit.cli.main import main
from hlokit.errors import ArgumentError, EvaluationError

F = np.float32
CASE = make_case(140, 3)
PROGRAM = hlokit.load(CASE.text)
ARGUMENTS = CASE.arguments()
REDUCER = """
func.func @main(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.sine %x : tensor<4x6xf32>
  %1 = "stablehlo.reduce"(%s, %0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.multiply %a, %b : tensor<f32>
    %3 = stablehlo.abs %2 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = stablehlo.tanh %1 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
"""
X = np.linspace(0.5, 2, 24, dtype=F).reshape(4, 6)


def _check(made: hlokit.Reduction, op: str) -> None:
    """One operation, on its operands; it says that its results are others."""
    assert (made.after, made.arguments, made.checks_itself) == (1, (), True)
    assert f"stablehlo.{op}" in made.text
    assert made.command("small.mlir") == "hlokit run small.mlir"
    assert "hlokit run FILE" in made.text
    assert made.outcome.expected != made.outcome.actual
    with pytest.raises(EvaluationError, match=r"check\.expect"):
        hlokit.load(made.text)()


@pytest.mark.parametrize("place", ["main", "loop", "function"])
def test_operands_that_are_exchanged_in_another_program(place: str, tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(planted_text(CASE.text, lines_for(CASE, "swap", place)[-1], "swap"))
    made = hlokit.reduce(PROGRAM, *ARGUMENTS, keep=f"diverges:{path}")
    _check(made, "subtract")
    assert made.largest == 1
    assert made.before > 100


def test_a_constant_that_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(planted_text(CASE.text, lines_for(CASE, "constant", "main")[0], "constant"))
    _check(hlokit.reduce(PROGRAM, *ARGUMENTS, keep=f"diverges:{path}"), "constant")


SCALED = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
  {constants}
  %0 = stablehlo.multiply %x, %a : tensor<3xf32>
  %1 = stablehlo.add %0, %b : tensor<3xf32>
  return %1 : tensor<3xf32>
}}
"""
A = "%a = stablehlo.constant dense<1.0> : tensor<3xf32>"
B = "%b = stablehlo.constant dense<2.0> : tensor<3xf32>"
IOTA = "%i = stablehlo.iota dim = 0 : tensor<3xf32>"


@pytest.mark.parametrize(
    "others", [(B.replace("2.0", "5.0"), A, IOTA), (A, IOTA, B.replace("2.0", "5.0"))], ids=["order", "kind"]
)
def test_a_constant_is_compared_with_the_one_in_its_use(others: tuple[str, ...], tmp_path: Path) -> None:
    """The other program has its constants in another order, or an operation in the constant's place."""
    path = tmp_path / "other.mlir"
    path.write_text(SCALED.format(constants="\n".join(others)))
    program = hlokit.load(SCALED.format(constants="\n".join((A, B, IOTA))))
    made = hlokit.reduce(program, np.ones(3, F), keep=f"diverges:{path}")
    _check(made, "constant")
    assert (float(made.outcome.expected), float(made.outcome.actual)) == (2, 5)
    assert "5.0" in made.text and "1.0" not in made.text


def test_a_reducer_comes_with_its_reduction(tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(REDUCER.replace("multiply %a", "add %a"))
    made = hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}")
    _check(made, "reduce")
    assert "sine" not in made.text and "tanh" not in made.text


@pytest.mark.parametrize("op", ["sine", "reduce", "tanh"])
def test_a_recorded_run_with_a_fault(op: str, tmp_path: Path) -> None:
    """The operands are those of the recording, and so is what the results are compared with."""
    run = hlokit.record(hlokit.load(REDUCER), X, to=tmp_path / "run")
    value = next(value for value in run.values if value.op == f"stablehlo.{op}")
    assert value.offset is not None
    data = bytearray((tmp_path / "run" / "values.bin").read_bytes())
    array = run.array(value)
    changed = array * F(1.01)
    where = data.index(array.tobytes(), value.offset)
    data[where : where + array.nbytes] = changed.tobytes()
    (tmp_path / "run" / "values.bin").write_bytes(data)
    made = hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{tmp_path / 'run'}")
    _check(made, op)
    actual = float(made.outcome.actual)
    assert np.isclose(changed, actual, rtol=1e-6).any() and not np.isclose(array, actual, rtol=1e-6).any()


def _with_another_result(path: Path) -> None:
    """Change what a recorded run has returned."""
    run = hlokit.Recording(path)
    data = bytearray((path / "values.bin").read_bytes())
    result = run.results[0]
    where = data.rindex(result.tobytes())
    data[where : where + result.nbytes] = (result * F(1.01)).tobytes()
    (path / "values.bin").write_bytes(data)


@pytest.mark.parametrize("options", [{"summaries": True}, {"limit": 1}, {"match": "cosine"}])
def test_a_recorded_run_without_values_is_an_error(options: dict[str, Any], tmp_path: Path) -> None:
    hlokit.record(hlokit.load(REDUCER), X, to=tmp_path / "run", **options)
    _with_another_result(tmp_path / "run")
    with pytest.raises(ArgumentError, match=r"the recording has no values of operations \(.*differs"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{tmp_path / 'run'}")


def test_a_recorded_run_with_some_values_is_an_error(tmp_path: Path) -> None:
    hlokit.record(hlokit.load(REDUCER), X, to=tmp_path / "run", match="sine")
    _with_another_result(tmp_path / "run")
    with pytest.raises(ArgumentError, match=r"no operation with a recorded value is at fault: .*differs"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{tmp_path / 'run'}")


@pytest.mark.parametrize("limit", ["time_limit", "candidate_limit", "jobs"])
def test_limits_of_a_search_are_refused(limit: str, tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(REDUCER.replace("sine", "cosine"))
    options: dict[str, Any] = {limit: 3}
    with pytest.raises(ArgumentError, match=f"{limit} is for a search, and there is none with"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}", **options)


def test_programs_that_do_not_differ_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(REDUCER)
    with pytest.raises(ArgumentError, match=r"no operation is at fault: .*the same"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}")


def test_operations_that_the_other_program_lacks_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(
        """
        func.func @main(%x: tensor<4x6xf32>) -> tensor<4xf32> {
          %0 = stablehlo.slice %x [0:4, 0:1] : (tensor<4x6xf32>) -> tensor<4x1xf32>
          %1 = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        """
    )
    with pytest.raises(ArgumentError, match=r"has nothing in the place of stablehlo\.\w+ at .*: hlokit diff"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, other, small, x = (str(tmp_path / n) for n in ("a.mlir", "b.mlir", "small.mlir", "x.npy"))
    Path(model).write_text(REDUCER)
    Path(other).write_text(REDUCER.replace("sine", "cosine"))
    np.save(x, X)
    assert main(["reduce", model, x, f"--keep=diverges:{other}", "-o", small, "--report"]) == 0
    captured = capsys.readouterr()
    assert f"    hlokit run {small}" in captured.out
    assert "3 operations to 1" in captured.err or "to 1, of at most" in captured.err
    assert main(["run", small]) == 1
    assert "check.expect" in capsys.readouterr().err
