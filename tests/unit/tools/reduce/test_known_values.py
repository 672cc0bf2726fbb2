"""`reduce` of differences from another program or a recorded run: one self-checking operation."""

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
    """Assert that a program has one operation on its operands, and reports differing results."""
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
    """The operands and the expected results are from the recording."""
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


# Name -> arguments, the program, what stands in the other program, and the most elements at the end.
SMALLER: dict[str, tuple[tuple[Any, ...], str, tuple[str, str], int]] = {
    "reduce": (
        (np.linspace(-2, -0.5, 2400, dtype=F).reshape(40, 60),),
        """
        func.func @main(%x: tensor<40x60xf32>) -> tensor<40xf32> {
          %0 = stablehlo.constant dense<0.0> : tensor<f32>
          %1 = stablehlo.reduce(%x init: %0) applies stablehlo.add across dimensions = [1] : (tensor<40x60xf32>, tensor<f32>) -> tensor<40xf32>
          return %1 : tensor<40xf32>
        }""",
        ("applies stablehlo.add", "applies stablehlo.maximum"),
        1,
    ),
    "dot_general": (
        (np.linspace(-1, 1, 256, dtype=F).reshape(16, 16), np.linspace(1, 3, 256, dtype=F).reshape(16, 16)),
        """
        func.func @main(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
          return %0 : tensor<16x16xf32>
        }""",
        ("[1] x [0]", "[0] x [0]"),
        4,
    ),
    "sort": (
        (np.random.default_rng(0).normal(size=(10, 30)).astype(F),),
        """
        func.func @main(%x: tensor<10x30xf32>) -> tensor<10x30xf32> {
          %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %1 : tensor<i1>
          }) : (tensor<10x30xf32>) -> tensor<10x30xf32>
          return %0 : tensor<10x30xf32>
        }""",
        ("compare LT", "compare GT"),
        2,
    ),
    "convolution": (
        (
            np.linspace(-1, 1, 864, dtype=F).reshape(2, 12, 12, 3),
            np.linspace(1, 3, 216, dtype=F).reshape(3, 3, 3, 8),
        ),
        """
        func.func @main(%x: tensor<2x12x12x3xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<2x12x12x8xf32> {
          %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x12x12x8xf32>
          return %0 : tensor<2x12x12x8xf32>
        }""",
        ("[1, 1], [1, 1]", "[2, 0], [1, 1]"),
        9,
    ),
}


@pytest.mark.parametrize("op", SMALLER)
def test_both_programs_become_smaller_alike(op: str, tmp_path: Path) -> None:
    """Dimensions shrink, including dimensions that an operation sums or sorts, and elements become zeros and
    ones."""
    arguments, text, (here, there), most = SMALLER[op]
    assert here in text
    path = tmp_path / "other.mlir"
    path.write_text(text.replace(here, there))
    made = hlokit.reduce(hlokit.load(text), *arguments, keep=f"diverges:{path}")
    _check(made, op)
    assert made.largest <= most


# The elements of the operands from which an element of the result comes.
WINDOWS = {"reduce": 60, "dot_general": 16, "sort": 30, "convolution": 12 * 12 * 3}


@pytest.mark.parametrize("op", WINDOWS)
@pytest.mark.deep
def test_windows_of_a_recorded_run(op: str, tmp_path: Path) -> None:
    """The part around an element that is wrong, with the values of the recording."""
    arguments, text, *_ = SMALLER[op]
    program = hlokit.load(text)
    run = hlokit.record(program, *arguments, to=tmp_path / "run")
    right = np.asarray(run.results[0])
    wrong = right.copy()
    worst = np.unravel_index(right.size * 2 // 3, right.shape)
    wrong[worst] += 100
    data = bytearray((tmp_path / "run" / "values.bin").read_bytes())
    start = 0
    while (where := data.find(right.tobytes(), start)) >= 0:  # the value, and the result
        data[where : where + right.nbytes] = wrong.tobytes()
        start = where + 1
    (tmp_path / "run" / "values.bin").write_bytes(data)
    made = hlokit.reduce(program, *arguments, keep=f"diverges:{tmp_path / 'run'}")
    _check(made, op)
    assert made.largest <= WINDOWS[op]
    assert float(made.outcome.actual) == wrong[worst]
    assert float(made.outcome.expected) == right[worst]


def test_an_operation_with_other_operands_stays_as_it_is(tmp_path: Path) -> None:
    """A difference of operands is not a fault of the operation."""
    text = """
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = stablehlo.sine %x : tensor<4x8xf32>
      %1 = stablehlo.tanh %0 : tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }"""
    path = tmp_path / "other.mlir"
    path.write_text(
        text.replace(
            "%1 = stablehlo.tanh %0", "%s = stablehlo.add %0, %0 : tensor<4x8xf32>\n %1 = stablehlo.tanh %s"
        )
    )
    made = hlokit.reduce(
        hlokit.load(text), np.linspace(0.5, 2, 32, dtype=F).reshape(4, 8), keep=f"diverges:{path}"
    )
    _check(made, "tanh")
    assert made.largest == 8
    assert made.outcome.what.endswith("; the operation has other operands in the other program")


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
    with pytest.raises(ArgumentError, match=f"{limit} must not be given with keep="):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}", **options)


def test_programs_that_do_not_differ_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(REDUCER)
    with pytest.raises(ArgumentError, match=r"no operation is at fault: .*the same"):
        hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}")


def test_operations_that_the_other_program_lacks(tmp_path: Path) -> None:
    """The operations from the last values that both compute to the result, which is the other program's."""
    path = tmp_path / "other.mlir"
    path.write_text(
        """
        func.func @main(%x: tensor<4x6xf32>) -> tensor<4xf32> {
          %s = stablehlo.sine %x : tensor<4x6xf32>
          %0 = stablehlo.slice %s [0:4, 0:1] : (tensor<4x6xf32>) -> tensor<4x1xf32>
          %1 = stablehlo.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
          return %1 : tensor<4xf32>
        }
        """
    )
    made = hlokit.reduce(hlokit.load(REDUCER), X, keep=f"diverges:{path}")
    assert made.after == 2
    assert made.largest <= 6
    assert "stablehlo.reduce" in made.text and "stablehlo.tanh" in made.text and "sine" not in made.text
    worst = made.outcome
    assert np.isclose(np.sin(X[:, 0]), float(worst.actual), rtol=1e-6).any()
    assert float(worst.expected) != float(worst.actual)
    with pytest.raises(EvaluationError, match=r"check\.expect"):
        hlokit.load(made.text)()


def test_a_loop_that_the_other_program_lacks_is_an_error(tmp_path: Path) -> None:
    text = """
    func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.constant dense<4.0> : tensor<f32>
      %1 = stablehlo.while(%y = %x) : tensor<f32>
        cond { %t = stablehlo.compare LT, %y, %0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %t : tensor<i1> }
        do { %n = stablehlo.add %y, %y : tensor<f32>
          stablehlo.return %n : tensor<f32> }
      return %1 : tensor<f32>
    }"""
    path = tmp_path / "other.mlir"
    path.write_text("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    with pytest.raises(
        ArgumentError, match=r"reads other values: operand 0 is stablehlo\.while .* argument 0 of @main in"
    ):
        hlokit.reduce(hlokit.load(text), F(1), keep=f"diverges:{path}")


@pytest.mark.parametrize("kind", ["wiring", "call"])
def test_other_connections_and_calls_that_the_other_program_lacks(kind: str, tmp_path: Path) -> None:
    """Regression: `stablehlo.maximum ... only hands on values`, and results of calls were refused."""
    call = "func.call @f(%2) : (tensor<4x6xf32>) -> tensor<4x6xf32>"
    text = f"""
    func.func private @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {{
      %0 = stablehlo.cosine %x : tensor<4x6xf32>
      %1 = stablehlo.add %0, %x : tensor<4x6xf32>
      return %1 : tensor<4x6xf32>
    }}
    func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {{
      %0 = stablehlo.sine %x : tensor<4x6xf32>
      %1 = stablehlo.abs %x : tensor<4x6xf32>
      %2 = stablehlo.maximum %0, %1 : tensor<4x6xf32>
      %3 = {"stablehlo.multiply %2, %1 : tensor<4x6xf32>" if kind == "wiring" else call}
      return %3 : tensor<4x6xf32>
    }}"""
    other = {
        "wiring": text.replace("%2 = stablehlo.maximum %0, %1 : tensor<4x6xf32>", "").replace("%2", "%0"),
        "call": text.replace(
            "%1 = stablehlo.add %0, %x",
            "%2 = stablehlo.tanh %0 : tensor<4x6xf32> %1 = stablehlo.multiply %2, %2",
        ),
    }[kind]
    path = tmp_path / "other.mlir"
    path.write_text(other)
    made = hlokit.reduce(hlokit.load(text), -X, keep=f"diverges:{path}")
    assert made.largest == 1
    assert "call @f" not in made.text
    with pytest.raises(EvaluationError, match=r"check\.expect"):
        hlokit.load(made.text)()


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
