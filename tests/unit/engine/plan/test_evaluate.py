"""Errors of running programs: their class, and the path of operations to the error, in every run of the
program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract import registry
from hlokit.engine.contract.registry import Kernel, Operation

TEXT = """
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = func.call @step(%i) : (tensor<i32>) -> tensor<i32> loc("model.py":3:4)
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}
func.func private @step(%i: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.popcnt %i : tensor<i32> loc("model.py":7:8)
  %1 = stablehlo.add %i, %one : tensor<i32>
  return %1 : tensor<i32>
}
"""


class Nobody:
    def before(self, plan: Any, step: Any, operands: Any) -> None:
        pass

    def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None:
        pass


def fail_with(monkeypatch: pytest.MonkeyPatch, error: Exception, *, at: int) -> None:
    """Makes `popcnt` raise when its operand is `at`."""

    def popcnt(value: Any) -> Any:
        if value == at:
            raise error
        return value

    def bind(operation: Operation) -> Kernel:
        return Kernel(popcnt)

    monkeypatch.setitem(registry._BIND_FUNCTIONS, "stablehlo.popcnt", bind)


def caught(call: Callable[[], Any]) -> hlokit.HlokitError:
    with pytest.raises(hlokit.HlokitError) as found:
        call()
    return found.value


@pytest.mark.parametrize("at", [0, 1, 5, 90])
@pytest.mark.parametrize("observer", [None, Nobody()])
def test_the_path_is_the_same_in_every_executor(
    monkeypatch: pytest.MonkeyPatch, at: int, observer: Any
) -> None:
    fail_with(monkeypatch, hlokit.EvaluationError("trapped"), at=at)
    error = caught(lambda: hlokit.load(TEXT)(99, observer=observer))
    assert isinstance(error, hlokit.EvaluationError)
    assert [(frame.op, frame.function) for frame in error.frames] == [
        ("stablehlo.while", "main"),
        ("func.call", "main"),
        ("stablehlo.popcnt", "step"),
    ]
    assert error.frames[2].operand_types == ("tensor<i32>",)
    assert str(error) == (
        "stablehlo.popcnt: trapped\n"
        '  stablehlo.popcnt (tensor<i32>) in @step at loc("model.py":7:8)\n'
        '  called from func.call (tensor<i32>) in @main at loc("model.py":3:4)\n'
        '  called from stablehlo.while (tensor<i32>) in @main at loc("-":4:8)'
    )


def test_a_program_runs_again_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, hlokit.EvaluationError("trapped"), at=5)
    program = hlokit.load(TEXT)
    for _ in range(3):
        assert int(program(5)) == 5
        assert "trapped" in str(caught(lambda: program(6)))


@pytest.mark.parametrize(
    "kind, text, expected, message",
    [
        (ZeroDivisionError, "oh", hlokit.InternalError, "ZeroDivisionError: oh"),
        (ValueError, "bad shape", hlokit.InternalError, "ValueError: bad shape"),
        (MemoryError, "4 TiB", hlokit.EvaluationError, "out of memory: 4 TiB"),
        (hlokit.UnsupportedError, "not yet", hlokit.UnsupportedError, "not yet"),
        (hlokit.CheckFailed, "differs", hlokit.CheckFailed, "differs"),
    ],
)
def test_classes(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception], text: str, expected: type, message: str
) -> None:
    # The traceback of a raised error refers to blocks, which must not live until the end of the process: no
    # error is a parameter.
    error = kind(text)
    fail_with(monkeypatch, error, at=3)
    found = caught(lambda: hlokit.load(TEXT)(9))
    assert type(found) is expected
    assert message in str(found)
    assert 'loc("model.py":7:8)' in str(found)
    if expected in (hlokit.InternalError,):
        assert found.__cause__ is error


def test_interrupts_are_not_errors_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(value: Any) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setitem(registry._BIND_FUNCTIONS, "stablehlo.popcnt", lambda operation: Kernel(interrupted))
    with pytest.raises(KeyboardInterrupt):
        hlokit.load(TEXT)(9)


def test_floating_point_errors_are_no_warnings() -> None:
    text = """
      func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.divide %x, %y : tensor<4xf32>
        return %0 : tensor<4xf32>
      }"""
    x, y = np.array([1, -1, 0, 3e38], np.float32), np.array([0, 0, 0, 1e-38], np.float32)
    with np.errstate(all="raise"):
        result = hlokit.load(text)(x, y)
    assert result[:2].tolist() == [np.inf, -np.inf]
    assert np.isnan(result[2])
    assert result[3] == np.inf
