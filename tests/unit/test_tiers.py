"""The reference as a tier: the interface of the API and the commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.programs.calls.runs import TierName

ADD = """
func.func @main(%x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0, %y : tensor<3xf32>, tensor<f32>
}"""


def test_the_reference_takes_and_gives_arrays() -> None:
    program = hlokit.load(ADD)
    x, y = np.array([1, 2, 3], np.float32), np.float32(4)
    for given, expected in zip(program(x, y, tier="reference"), program(x, y), strict=True):
        assert type(given) is type(expected)
        assert given.tobytes() == expected.tobytes()


def test_tuples_and_tokens() -> None:
    program = hlokit.load("""
      func.func @main(%t: tuple<tensor<2xi32>, !stablehlo.token>) -> (tuple<tensor<2xi32>, !stablehlo.token>, !stablehlo.token) {
        %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>, !stablehlo.token>) -> !stablehlo.token
        return %t, %0 : tuple<tensor<2xi32>, !stablehlo.token>, !stablehlo.token
      }""")
    given = (np.array([1, 2], np.int32), hlokit.Token())
    (array, token), last = program(given, tier="reference")
    assert array.tolist() == [1, 2] and token == last == hlokit.Token()


LOOP = """
func.func private @logarithm(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %count: tensor<i32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<2xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32> cond {
    %p = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.subtract %y, %half : tensor<2xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
  }
  %1 = func.call @logarithm(%0#1) : (tensor<2xf32>) -> tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %init) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}"""


def test_observers_see_the_reference_as_other_tiers(tmp_path: Path) -> None:
    program = hlokit.load(LOOP)
    seen: list[list[tuple[object, ...]]] = []
    values: list[list[tuple[object, ...]]] = []
    tiers: tuple[TierName, ...] = ("default", "reference")
    for tier in tiers:
        records: list[hlokit.Record] = []
        with hlokit.Recorder(tmp_path / tier, program) as recorder:
            program([3, 4], 2, tier=tier, observer=(hlokit.Trace(records.append), recorder))
        seen.append([(one.op, one.location, one.depth, one.region_runs, one.results) for one in records])
        recording = hlokit.Recording(tmp_path / tier)
        values.append([(one.place, recording.array(one).tobytes()) for one in recording.values])
    assert seen[0] == seen[1] and len(seen[0]) == 11
    assert values[0] == values[1] and len(values[0]) == 9


def test_stop_on_nan_with_the_reference() -> None:
    with pytest.raises(
        hlokit.EvaluationError, match="log: computed 2 NaN from operands without NaN"
    ) as caught:
        hlokit.load(LOOP)([-1, -2], 1, tier="reference", observer=hlokit.StopOnNan())
    assert [frame.op for frame in caught.value.frames] == ["func.call", "stablehlo.log"]


def test_an_observer_learns_of_a_step_that_fails() -> None:
    program = hlokit.load("""func.func @main(%x: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.custom_call @nothing(%x) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    }""")
    records: list[hlokit.Record] = []
    with pytest.raises(hlokit.UnsupportedError):
        program(1, tier="reference", observer=hlokit.Trace(records.append))
    assert [(record.op, record.failed) for record in records] == [("stablehlo.custom_call", True)]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tier": "fast"}, "tier must be default or reference, got fast"),
        ({"tier": "reference", "precision": "high"}, "no other precision or backend"),
    ],
)
def test_options_that_the_reference_does_not_support(options: dict[str, object], message: str) -> None:
    with pytest.raises(hlokit.HlokitError, match=message):
        hlokit.load(ADD)([1, 2, 3], 4, **options)


def test_the_command_runs_the_reference(
    tmp_path: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{tmp_path}/add.mlir"
    with open(path, "w") as file:
        file.write(ADD)
    arguments = ["dense<[1.0, 2.0, 3.0]> : tensor<3xf32>", "dense<4.0> : tensor<f32>"]
    texts: list[str] = []
    for flags in ([], ["--reference"]):
        assert main(["run", path, *arguments, *flags]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] != ""
