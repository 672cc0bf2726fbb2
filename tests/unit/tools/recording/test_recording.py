"""Recordings: stored values, and readable values of incomplete runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.tools.recording.places import Operations, Tracker

PROGRAM = """
func.func @main(%x: tensor<3xbf16>, %n: tensor<i32>) -> tensor<3xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<3xbf16> cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = func.call @f(%y) : (tensor<3xbf16>) -> tensor<3xbf16>
    stablehlo.return %2, %3 : tensor<i32>, tensor<3xbf16>
  }
  return %0#1 : tensor<3xbf16>
}
func.func private @f(%x: tensor<3xbf16>) -> tensor<3xbf16> {
  %0 = stablehlo.add %x, %x : tensor<3xbf16>
  return %0 : tensor<3xbf16>
}
"""
X = np.array([1, 2, 3], ml_dtypes.bfloat16)


def test_a_run_is_recorded_with_turns_and_calls(tmp_path: Path) -> None:
    run = hlokit.record(hlokit.load(PROGRAM), X, 3, to=tmp_path / "run")
    doubled = [value for value in run.values if value.function == "f"]
    assert [value.place[1] for value in doubled] == [0, 1, 2]
    assert [run.array(value)[0] for value in doubled] == [2, 4, 8]
    assert run.array(doubled[0]).dtype == ml_dtypes.bfloat16
    assert doubled[0].source == "-:17:8" or doubled[0].source
    assert doubled[0].summary["maximum"] == 6
    assert run.status == "finished"
    np.testing.assert_array_equal(run.results[0], X * 8)
    np.testing.assert_array_equal(run.arguments[0], X)
    np.testing.assert_array_equal(run.replay(), X * 8)
    assert "finished" in repr(run)


def test_only_matching_values_within_the_limit_are_stored(tmp_path: Path) -> None:
    program = hlokit.load(PROGRAM)
    run = hlokit.record(program, X, 3, to=tmp_path / "matched", match="add @f")
    assert {value.function for value in run.values} == {"f"}
    limited = hlokit.record(program, X, 100, to=tmp_path / "limited", limit=4000)
    kept = [value for value in limited.values if value.offset is not None]
    assert 0 < len(kept) < len(limited.values)
    assert (tmp_path / "limited" / "values.bin").stat().st_size < 4600
    with pytest.raises(ArgumentError, match="only a summary"):
        limited.array(limited.values[-1])
    summaries = hlokit.record(program, X, 3, to=tmp_path / "summaries", summaries=True)
    assert all(value.offset is None for value in summaries.values)
    assert summaries.values[-1].summary


def test_the_limit_counts_values_of_operations_only(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.tanh %x : tensor<8xf32>
      %1 = stablehlo.tanh %0 : tensor<8xf32>
      %2 = stablehlo.tanh %1 : tensor<8xf32>
      %3 = stablehlo.convert %2 : (tensor<8xf32>) -> tensor<8xi8>
      %4 = stablehlo.convert %3 : (tensor<8xi8>) -> tensor<8xf32>
      return %4 : tensor<8xf32>
    }"""
    run = hlokit.record(hlokit.load(text), np.ones(8, np.float32), to=tmp_path / "run", limit=330)  # 160 each
    assert [value.offset is not None for value in run.values] == [True, True, False, False, False]
    assert run.summaries == 3


class Places(Tracker):
    """The places of the steps that end."""

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        self.leave()


def test_a_run_that_fails_leaves_no_step_on_the_stack() -> None:
    program = hlokit.load(
        PROGRAM.replace("stablehlo.add %x, %x", "stablehlo.custom_call @nobody_has_it(%x)").replace(
            "custom_call @nobody_has_it(%x) : tensor<3xbf16>",
            "custom_call @nobody_has_it(%x) : (tensor<3xbf16>) -> tensor<3xbf16>",
        )
    )
    places = Places(Operations(program.module))
    with pytest.raises(hlokit.UnsupportedError):
        program(X, 3, observer=places)
    assert places.frames == []


def test_a_run_that_fails_is_kept_until_there(tmp_path: Path) -> None:
    program = hlokit.load(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.add %x, %x : tensor<2xf32>\n"
        "  %1 = stablehlo.log %x : tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}"
    )
    with pytest.raises(EvaluationError):
        hlokit.record(program, [-1.0, 1.0], to=tmp_path / "run", observer=hlokit.StopOnNan())
    run = hlokit.Recording(tmp_path / "run")
    assert [value.op for value in run.values][:1] == ["stablehlo.add"]
    assert run.status is not None
    assert run.status.startswith("EvaluationError")
    assert run.results == []


def test_a_process_that_is_killed_leaves_a_recording(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, hlokit, numpy as np\n"
        "class Kill:\n"
        "    count = 0\n"
        "    def before(self, *_): pass\n"
        "    def after(self, *_):\n"
        "        self.count += 1\n"
        "        if self.count == 40: os.kill(os.getpid(), signal.SIGKILL)\n"
        "program = hlokit.load(sys.argv[1])\n"
        "import ml_dtypes\n"
        "hlokit.record(program, np.ones(3, ml_dtypes.bfloat16), 1000, to=sys.argv[2], observer=Kill())\n"
    )
    done = subprocess.run([sys.executable, "-c", script, PROGRAM, str(tmp_path / "run")], check=False)
    assert done.returncode < 0
    run = hlokit.Recording(tmp_path / "run")
    assert run.status is None
    assert 20 < len(run.values) < 40
    assert run.array(run.values[-1]) is not None
    report = hlokit.diff(run.program(), np.ones(3, ml_dtypes.bfloat16), 1000, against=run)
    assert report.outcome == "same"
    assert any("cut off" in note for note in report.notes)


def test_a_torn_line_is_the_end(tmp_path: Path) -> None:
    run = hlokit.record(hlokit.load(PROGRAM), X, 3, to=tmp_path / "run")
    index = tmp_path / "run" / "index.jsonl"
    lines = index.read_text().splitlines(keepends=True)
    index.write_text("".join(lines[:6]) + lines[6][:20])
    torn = hlokit.Recording(tmp_path / "run")
    assert torn.status is None
    assert len(torn) == 3 < len(run)


def test_a_recording_that_cannot_be_written_is_an_error_before_the_run(tmp_path: Path) -> None:
    program = hlokit.load(PROGRAM)
    (tmp_path / "file").write_text("")
    with pytest.raises(ArgumentError, match="the directory is not empty"):
        hlokit.record(program, X, 3, to=tmp_path)
    with pytest.raises(ArgumentError, match="must be a regular expression"):
        hlokit.record(program, X, 3, to=tmp_path / "run", match="(")
    assert not (tmp_path / "run").exists()
    with pytest.raises(ArgumentError, match="cannot record to"):
        hlokit.record(program, X, 3, to=tmp_path / "file" / "run")


def test_directories_without_a_recording_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="is not a recording"):
        hlokit.Recording(tmp_path)
    index = tmp_path / "index.jsonl"
    index.write_text("")
    with pytest.raises(ArgumentError, match="its index is empty"):
        hlokit.Recording(tmp_path)
    index.write_text(json.dumps({"format": 99}) + "\n")
    with pytest.raises(ArgumentError, match="recording of format 99"):
        hlokit.Recording(tmp_path)
    index.write_text("nonsense\n")
    with pytest.raises(ArgumentError, match="cannot be read"):
        hlokit.Recording(tmp_path)


VIEWS = """func.func @main(%x: tensor<64x32xf32>, %s: tensor<f32>) -> tensor<2048xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %1 = stablehlo.reshape %x : (tensor<64x32xf32>) -> tensor<2048xf32>
  %2 = stablehlo.slice %x [0:64:2, 1:32:3] : (tensor<64x32xf32>) -> tensor<32x11xf32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %4 = stablehlo.reverse %x, dims = [0] : tensor<64x32xf32>
  %5 = stablehlo.tanh %0 : tensor<32x64xf32>
  %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %7 = stablehlo.reshape %6 : (tensor<64x32xf32>) -> tensor<2048xf32>
  return %7 : tensor<2048xf32>
}"""


def test_views_of_other_values_are_not_stored_again(tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    run = hlokit.record(hlokit.load(VIEWS), x, np.float32(1), to=tmp_path / "run")
    expected = {
        "stablehlo.transpose": [x.T, np.tanh(x)],
        "stablehlo.reshape": [x.reshape(-1), np.tanh(x).reshape(-1)],
        "stablehlo.slice": [x[0:64:2, 1:32:3]],
        "stablehlo.broadcast_in_dim": [x.T],
        "stablehlo.reverse": [x[::-1]],
        "stablehlo.tanh": [np.tanh(x.T)],
    }
    for value in run.values:
        np.testing.assert_allclose(run.array(value), expected[value.op].pop(0), rtol=1e-6)
    assert not any(expected.values())
    # The argument, tanh, and the scalar: headers have 128 bytes. The result is a copy, or a view.
    offsets = {value.offset for value in run.values if value.op in ("stablehlo.slice", "stablehlo.reverse")}
    assert len(offsets) == 1, "views of the argument, also a smaller one"
    assert (tmp_path / "run" / "values.bin").stat().st_size < 4 * x.nbytes
    np.testing.assert_array_equal(run.results[0], run.replay())


def test_a_recording_without_its_arguments_is_an_error(tmp_path: Path) -> None:
    hlokit.record(hlokit.load(VIEWS), np.ones((64, 32), np.float32), np.float32(1), to=tmp_path / "run")
    index = tmp_path / "run" / "index.jsonl"
    index.write_text("".join(index.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(ArgumentError, match="ends early: it has 1 of 2 arguments"):
        hlokit.Recording(tmp_path / "run").replay()


def test_steps_of_several_processes_are_not_recorded(tmp_path: Path) -> None:
    program = hlokit.load("""
      sdy.mesh @mesh = <["x"=4]>
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = stablehlo.add %x, %x : tensor<8xf32>
        %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
            manual_axes={"x"} (%a: tensor<2xf32>) {
          %2 = stablehlo.negate %a : tensor<2xf32>
          %3 = stablehlo.multiply %2, %a : tensor<2xf32>
          sdy.return %3 : tensor<2xf32>
        } : (tensor<8xf32>) -> tensor<8xf32>
        return %1 : tensor<8xf32>
      }""")
    x = np.arange(8, dtype=np.float32)
    signature, values = program.bound([x], {}, None)
    with hlokit.Recorder(tmp_path / "run", program) as recorder:
        recorder.values("argument", values, signature.inputs)
        results = program.runs.evaluate(values, signature.name, observer=recorder)
        recorder.values("result", results, signature.outputs)
    recording = hlokit.Recording(tmp_path / "run")
    assert [value.op for value in recording.values] == ["stablehlo.add"]
    assert recording.replay().tobytes() == results[0].tobytes() == (-4 * x * x).tobytes()
