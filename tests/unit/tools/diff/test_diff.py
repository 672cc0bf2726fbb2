"""`hlokit.diff` and its report: modes, sides, bad input, printed output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.errors import ArgumentError
from hlokit.tools.backends.side import SideFailed
from unit.tools.diff.sides import Here

F = np.float32
PROGRAM = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8xf32>
  %0 = stablehlo.tanh %x : tensor<8xf32> loc("model.py":3:4)
  %1 = stablehlo.multiply %0, %c : tensor<8xf32> loc("model.py":4:4)
  %2 = stablehlo.exponential %1 : tensor<8xf32> loc("model.py":5:4)
  return %2 : tensor<8xf32>
}
"""
X = np.linspace(-1, 1, 8, dtype=F)


def wrong_exponential(text: str, results: list[Any]) -> list[Any]:
    return [result * F(1.001) for result in results] if "exponential" in text else results


def test_the_same() -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here())
    assert (report.outcome, report.status, report.first, report.modes) == ("same", 0, None, ("whole",))
    assert str(report) == "the program against here: the same"


def test_the_first_operation_with_source_operands_and_errors() -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here(change=wrong_exponential, batch=1))
    assert (report.outcome, report.status) == ("differs", 1)
    assert report.first is not None
    assert (report.first.op, report.first.source) == ("stablehlo.exponential", "model.py:5:4")
    text = str(report)
    assert all(len(line) <= 80 for line in text.splitlines())
    for piece in (
        "first     stablehlo.exponential tensor<8xf32>",
        "model.py:5:4",
        "beyond what is allowed",
        "operand 0:",
    ):
        assert piece in text
    assert repr(report) == text


def test_a_called_function_is_named_once() -> None:
    text = """
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.exponential %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    """
    report = hlokit.diff(hlokit.load(text), X, against=Here(change=wrong_exponential, batch=1))
    assert str(report).count("@f") == 1
    assert "          in @f\n" in str(report)


def test_nan_has_no_distance() -> None:
    def broken(text: str, results: list[Any]) -> list[Any]:
        return [result * F(np.nan) for result in results]

    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here(change=broken), mode="whole")
    assert str(report).splitlines()[1:] == ["result 0  NaN or infinity against a number"]


def test_json_and_junit() -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here(change=wrong_exponential, batch=1))
    data = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert data["outcome"] == "differs"
    assert data["first"]["op"] == "stablehlo.exponential"
    assert data["first"]["comparison"]["verdict"] == "beyond"
    assert data["counts"]["exact"] == 2
    suite = ElementTree.fromstring(report.junit())
    assert suite.get("failures") == "1"
    assert [case.get("name", "").partition(" ")[0] for case in suite.iter("testcase")] == [
        "results",
        "stablehlo.exponential",
    ]


def test_control_characters_are_no_part_of_junit() -> None:
    text = PROGRAM.replace('loc("model.py"', 'loc("\\1B[2J<model>\\07.py"')
    assert text != PROGRAM
    program = hlokit.load(text, filename="a\x1b\udcff.mlir")
    suite = ElementTree.fromstring(hlokit.diff(program, X, against=Here(change=wrong_exponential)).junit())
    assert suite.get("name") == "a\\1B\\udcff.mlir against here"
    assert any("\\1B[2J<model>\\07.py" in case.get("name", "") for case in suite.iter("testcase"))


def test_junit_names_the_failure() -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here(change=wrong_exponential, batch=1))
    suite = ElementTree.fromstring(report.junit())
    (failure,) = suite.iter("failure")
    assert failure.get("message", "").startswith("beyond what is allowed, ")
    assert (suite.get("tests"), suite.get("skipped")) == ("2", "0")
    assert float(suite.get("time", "-1")) >= 0


def test_of_many_results_those_that_differ_are_shown() -> None:
    names = ", ".join([f"%{n}" for n in range(20)])
    lines = [f"%{n} = stablehlo.{'tanh' if n == 15 else 'sine'} %x : tensor<8xf32>" for n in range(20)]
    types = ", ".join(["tensor<8xf32>"] * 20)
    body = "\n".join(lines)
    program = hlokit.load(
        f"func.func @main(%x: tensor<8xf32>) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
    )

    def rounded(text: str, results: list[Any]) -> list[Any]:
        return [result * F(1 + 2**-23) for result in results]

    def wrong(text: str, results: list[Any]) -> list[Any]:
        found = rounded(text, results)
        return [*found[:15], found[15] * F(1.1), *found[16:]]

    text = str(hlokit.diff(program, X, against=Here(change=rounded), mode="whole"))
    assert "result 7 " in text
    assert "result 8 " not in text
    assert "and 12 more" in text
    report = hlokit.diff(program, X, against=Here(change=wrong), mode="whole")
    assert "result 15" in str(report)
    assert "result 0 " not in str(report)
    assert "result 15" in report._repr_html_()


@pytest.mark.parametrize("mode", ["whole", "isolated", "values"])
def test_modes(mode: Any) -> None:
    side = Here(change=wrong_exponential, batch=1)
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=side, mode=mode)
    assert report.modes == (mode,)
    assert report.status == 1
    assert (report.first is None) == (mode == "whole")


def test_a_fault_that_the_result_does_not_show() -> None:
    # Equal operations share a module in isolation, so only intermediate values show which one is wrong.
    program = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<-5.1> : tensor<8xf32>
  %0 = stablehlo.tanh %x : tensor<8xf32> loc("model.py":1:1)
  %1 = stablehlo.tanh %0 : tensor<8xf32> loc("model.py":2:1)
  %2 = stablehlo.minimum %1, %c : tensor<8xf32> loc("model.py":3:1)
  %3 = stablehlo.multiply %2, %2 : tensor<8xf32> loc("model.py":4:1)
  return %3 : tensor<8xf32>
}"""

    def off(text: str, results: list[Any]) -> list[Any]:
        whole = results[0] * F(1 + 2**-23) if text.count("tanh") == 2 else results[0]
        values = results[1:]
        if len(values) == 4:
            values[1] = values[1] * F(1.001)
        return [whole, *values]

    report = hlokit.diff(hlokit.load(program), X, against=Here(change=off, batch=1))
    assert report.results[0].verdict == "within"
    assert report.first is None, "no operation is accused"
    assert (report.outcome, report.status) == ("within", 0), "every result is within"
    assert any("stablehlo.tanh at model.py:2:1 differs" in note for note in report.notes), report
    assert "no result shows the difference of an operation" in str(report)


# Sides that are not repeatable ---------------------------------------------------------------------


class Flaky(Here):
    """A side that is wrong, or fails, in its first run only."""

    def __init__(self, failure: SideFailed | None = None) -> None:
        super().__init__()
        self._first_failure = failure
        self.runs = 0

    def run_each(self, module: Any, inputs: Any, function: str = "main") -> list[list[Any]]:
        self.runs += 1
        results = super().run_each(module, inputs, function)
        if self.runs > 1:
            return results
        if self._first_failure is not None:
            raise self._first_failure
        return [[result * F(1.5) for result in each] for each in results]


@pytest.mark.parametrize("kind", ["crash", "error", "killed"])
def test_a_run_that_fails_is_repeated_once(kind: Any) -> None:
    side = Flaky(SideFailed(kind, "out of luck"))
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=side)
    assert (report.outcome, report.status, side.runs) == ("same", 0, 2), report
    assert "here is not repeatable: a run failed" in " ".join(str(report).split())


def test_a_side_with_other_results_in_each_run_is_called_that() -> None:
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Flaky())
    assert (report.outcome, report.status, report.first) == ("unknown", 2, None), report
    assert "is not repeatable: two runs of this program gave different" in " ".join(str(report).split())


def test_values_follow_the_other_side_and_tell_how_errors_grow() -> None:
    def off(text: str, results: list[Any]) -> list[Any]:
        # The values of tanh, and all that follows from them.
        if len(results) < 2:
            return results
        value = np.tanh(X) * F(1.01)
        return [np.exp(value * 2), value, value * 2, np.exp(value * 2)]

    report = hlokit.diff(hlokit.load(PROGRAM), X, against=Here(change=off), mode="values")
    assert report.first is not None
    assert report.first.op == "stablehlo.tanh"
    assert [found.op for found in report.differing] == ["stablehlo.tanh"]
    assert report.growth[0].op == "stablehlo.tanh"
    assert "growth" in str(report) or len(report.growth) == 1


def test_a_loop_that_takes_other_turns() -> None:
    text = """
    func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.while(%i = %zero) : tensor<i32> cond {
        %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %2 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %2 : tensor<i32>
      }
      return %0 : tensor<i32>
    }
    """
    more = lambda text, results: [results[0], results[1] + 1, *results[2:]] if len(results) > 2 else results  # noqa: E731 # short
    report = hlokit.diff(hlokit.load(text), 3, against=Here(change=more), mode="values")
    assert report.first is not None
    assert report.first.op == "stablehlo.while"
    assert report.first.comparison.note == "iterations of a loop"


def test_functions_that_reductions_call_stay_as_they_are() -> None:
    text = """
    func.func @main(%x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = "stablehlo.reduce"(%x, %0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = func.call @f(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %3 = func.call @f(%y, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %4 = stablehlo.composite "some.add" %y, %3 {decomposition = @f} : (tensor<f32>, tensor<f32>) -> tensor<f32>
      return %1, %4 : tensor<f32>, tensor<f32>
    }
    func.func private @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %a, %b : tensor<f32>
      return %0 : tensor<f32>
    }
    """
    report = hlokit.diff(hlokit.load(text), X[:3], 2.0, against=Here(), mode="values")
    assert report.outcome == "same"
    assert not report.notes
    assert report.exact


# Two programs --------------------------------------------------------------------------------------


def test_a_pass_without_a_relevant_change() -> None:
    other = """
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.tanh %x : tensor<8xf32>
      %1 = stablehlo.add %0, %0 : tensor<8xf32>
      %2 = stablehlo.exponential %1 : tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    """
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=hlokit.load(other))
    assert report.outcome == "same"
    assert report.first is None


def test_programs_that_take_other_arguments() -> None:
    other = PROGRAM.replace("8xf32", "4xf32")
    with pytest.raises(ArgumentError, match="must take the same arguments"):
        hlokit.diff(hlokit.load(PROGRAM), X, against=hlokit.load(other))


# Recorded runs -------------------------------------------------------------------------------------


def test_a_recorded_run_is_compared_and_replayed(tmp_path: Path) -> None:
    program = hlokit.load(PROGRAM)
    run = hlokit.record(program, X, to=tmp_path / "run")
    assert hlokit.diff(program, X, against=run).outcome == "same"
    assert hlokit.diff(run, against=Here()).outcome == "same"
    assert hlokit.diff(str(tmp_path / "run"), against=hlokit.load(PROGRAM)).outcome == "same"


def test_a_recorded_run_with_a_fault(tmp_path: Path) -> None:
    program = hlokit.load(PROGRAM)
    run = hlokit.record(program, X, to=tmp_path / "run")
    value = next(value for value in run.values if value.op == "stablehlo.multiply")
    assert value.offset is not None
    path = tmp_path / "run" / "values.bin"
    data = bytearray(path.read_bytes())
    where = data.index(run.array(value).tobytes(), value.offset)
    data[where : where + 32] = (run.array(value) * F(1.01)).tobytes()
    path.write_bytes(data)
    report = hlokit.diff(program, X, against=hlokit.Recording(tmp_path / "run"))
    assert report.first is not None
    assert report.first.op == "stablehlo.multiply"
    # What follows from it differs too: the recorded values do not fit together.
    assert [found.op for found in report.differing] == ["stablehlo.multiply", "stablehlo.exponential"]


def test_recorded_runs_that_do_not_fit_are_errors(tmp_path: Path) -> None:
    run = hlokit.record(hlokit.load(PROGRAM), X, to=tmp_path / "run")
    with pytest.raises(ArgumentError, match="is a run of another program"):
        hlokit.diff(hlokit.load(PROGRAM.replace("tanh", "sine")), X, against=run)
    with pytest.raises(ArgumentError, match="is a run with another argument 0"):
        hlokit.diff(hlokit.load(PROGRAM), X + 1, against=run)
    with pytest.raises(ArgumentError, match="contains its arguments"):
        hlokit.diff(run, X, against=Here())


# Bad input -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "most"}, "mode must be one of auto, whole, isolated, values, got most"),
        ({"against": "nothing"}, "a side must be one of xla, .* got 'nothing'"),
        ({"against": "cmd:true"}, "must have {module} in it"),
        ({"time_limit": 0}, "time_limit must be positive"),
        ({"function": "f"}, "must have entry func with name f"),
    ],
)
def test_bad_input_is_told_before_any_work(options: dict[str, Any], message: str) -> None:
    side = Here()
    with pytest.raises(ArgumentError, match=message):
        hlokit.diff(hlokit.load(PROGRAM), X, **{"against": side, **options})
    assert not side.modules


def test_arguments_that_do_not_fit_are_errors() -> None:
    with pytest.raises(ArgumentError, match="must be called with 1 argument, got 0"):
        hlokit.diff(hlokit.load(PROGRAM), against=Here())


PROCESSES = """
module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.tanh %x : tensor<2xf32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.subtract %1, %0 : tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "op"),
    [
        ("stablehlo.add %a", "stablehlo.maximum %a", "stablehlo.add"),
        ("subtract %1, %0", "subtract %1, %1", "stablehlo.subtract"),
        ("tanh", "sine", "stablehlo.tanh"),
    ],
)
def test_programs_for_several_processes(old: str, new: str, op: str) -> None:
    program, x = hlokit.load(PROCESSES), np.array([[0.5, -1], [2, 0.25]], F)
    report = hlokit.diff(program, x, against=hlokit.load(PROCESSES.replace(old, new)))
    assert report.first is not None
    assert (report.status, report.first.op) == (1, op), report
    assert [comparison.note.partition(";")[0] for comparison in report.results] == ["process 0", "process 1"]
    same = hlokit.diff(program, x, against=hlokit.load(PROCESSES))
    assert (same.outcome, len(same.results)) == ("same", 2)
    assert hlokit.diff(program, x, against="high").status == 0


def test_what_cannot_be_compared_between_processes_is_refused() -> None:
    program = hlokit.load(PROCESSES)
    with pytest.raises(ArgumentError, match="for several processes"):
        hlokit.diff(program, np.zeros(2, F), against=Here())
    with pytest.raises(ArgumentError, match="must have 2 rows"):
        hlokit.diff(program, np.zeros((3, 2), F), against="high")
    with pytest.raises(ArgumentError, match="must be for the same processes"):
        hlokit.diff(
            program,
            np.zeros(2, F),
            against=hlokit.load(
                PROCESSES.replace("num_replicas = 2", "num_replicas = 3").replace(
                    "[[0, 1]]> : tensor<1x2xi64>", "[[0, 1, 2]]> : tensor<1x3xi64>"
                )
            ),
        )


# Commands ------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "model.mlir"
    path.write_text(PROGRAM)
    np.save(tmp_path / "x.npy", X)
    return str(path)


def test_commands(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, x, junit = str(tmp_path / "run"), str(tmp_path / "x.npy"), tmp_path / "junit.xml"
    assert main(["record", file, x, "-o", run, "--match=tanh|multiply"]) == 0
    assert capsys.readouterr().out == f"2 values of @main recorded to {run}\n"
    assert main(["record", file, x, "-o", f"{run}2", "--limit=170"]) == 0
    assert capsys.readouterr().out == f"3 values of @main recorded to {run}2, 2 of them as summaries\n"
    assert main(["record", file, x, "-o", f"{run}3", "--summaries", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summaries"] == 3
    assert main(["diff", file, x, f"--against={run}"]) == 0
    assert capsys.readouterr().out.startswith(f"model.mlir against {run}: the same")
    changed = tmp_path / "changed.mlir"
    changed.write_text(PROGRAM.replace("dense<2.0>", "dense<2.01>"))
    assert main(["diff", run, f"--against={changed}", f"--junit={junit}"]) == 1
    out = capsys.readouterr().out
    assert "first     stablehlo.constant tensor<8xf32>" in out
    assert "2 here, 2.00999999 there" in out
    assert "<failure" in junit.read_text()
    assert main(["diff", run, f"--against={changed}", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["first"]["op"] == "stablehlo.constant"
    assert main(["diff", run, f"--against={changed}", "--mode=whole", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["modes"] == ["whole"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["diff", "FILE"], "--against=SIDE must be given"),
        (["diff", "FILE", "--against=none"], "a side must be one of"),
        (["diff", "FILE", "--against=xla", "--mode=best"], "--mode must be one of"),
        (["diff", "FILE", "--against=xla"], "must be called with 1 argument, got 0"),
        (["diff", "nothing.mlir", "--against=xla"], "cannot open input file 'nothing.mlir'"),
    ],
)
def test_the_exit_status_of_bad_input_is_2(
    arguments: list[str], message: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([file if argument == "FILE" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert not captured.out


def test_record_needs_a_directory(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", file]) == 2
    assert "-o RUN must be given" in capsys.readouterr().err


def test_xla_and_a_program_of_two_functions(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", file, str(tmp_path / "x.npy"), "--against=xla"]) == 0
    assert capsys.readouterr().out.startswith("model.mlir against xla: the same")


@pytest.mark.parametrize("target", ["iree", "iree:vmvx"])
@pytest.mark.deep
def test_iree(target: str, file: str, tmp_path: Path) -> None:
    pytest.importorskip("iree.compiler", reason="iree-base-compiler is not installed")
    pytest.importorskip("iree.runtime", reason="iree-base-runtime is not installed")
    report = hlokit.diff(hlokit.load(PROGRAM), X, against=target)
    assert report.status == 0, report
    isolated = hlokit.diff(hlokit.load(PROGRAM), X, against=target, mode="isolated")
    assert sum(isolated.counts.values()) == 3
