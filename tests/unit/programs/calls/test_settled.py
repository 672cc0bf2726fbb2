"""Calls after the first ones, when nothing is left to compile: they skip what only other calls need."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit import load
from hlokit.engine.plan.evaluate import settled
from hlokit.errors import EvaluationError

_CALLS = 8
_scale: ContextVar[float] = ContextVar("scale", default=1.0)


def _program(body: str, results: str = "tensor<2xf32>") -> hlokit.Program:
    return load(f"func.func @main(%x: tensor<2xf32>) -> {results} {{\n{body}\n}}")


def test_a_call_takes_options_later_too() -> None:
    program = _program("%0 = stablehlo.add %x, %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>")
    x = np.array([1, 2], np.float32)
    for _ in range(_CALLS):
        assert program(x).tolist() == [2, 4]
    assert program.runs.settled("main") is not None
    names: list[str] = []
    observer = hlokit.Trace(lambda record: names.append(record.op))
    assert program(x, observer=observer).tolist() == [2, 4]
    assert names == ["stablehlo.add"]
    assert program(x, tier="reference").tolist() == program(x, precision="high").tolist() == [2, 4]
    with pytest.raises(hlokit.ArgumentError, match="precision must be one of"):
        program(x, precision="low")  # pyright: ignore[reportArgumentType] # what is refused


def test_users_code_runs_in_the_context_of_the_call() -> None:
    @hlokit.custom_call("test.scaled")
    def scaled(x: Any) -> Any:
        return x * np.float32(_scale.get())

    program = _program(
        "%0 = stablehlo.custom_call @test.scaled(%x) : (tensor<2xf32>) -> tensor<2xf32>\nreturn %0 : tensor<2xf32>"
    )
    for scale in range(_CALLS):
        token = _scale.set(scale)
        assert program(np.ones(2, np.float32)).tolist() == [scale, scale]
        _scale.reset(token)


def test_a_tuple_is_one_result() -> None:
    program = _program(
        "%0 = stablehlo.tuple %x, %x : tuple<tensor<2xf32>, tensor<2xf32>>\n"
        "return %0 : tuple<tensor<2xf32>, tensor<2xf32>>",
        "tuple<tensor<2xf32>, tensor<2xf32>>",
    )
    x = np.ones(2, np.float32)
    for _ in range(_CALLS):
        first, second = program(x)
        assert first.tolist() == second.tolist() == [1, 1] and first is not second


def test_every_call_draws_the_same_numbers() -> None:
    program = load("""func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2xf32> {
      %shape = stablehlo.constant dense<2> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    drawn = [program(0.0, 1.0).tobytes() for _ in range(_CALLS)]
    assert program.runs.settled("main") is not None and len(set(drawn)) == 1


def test_warnings_of_numpy_stay_off_and_come_back() -> None:
    program = _program("%0 = stablehlo.divide %x, %x : tensor<2xf32>\nreturn %0 : tensor<2xf32>")
    with np.errstate(all="raise"):
        for _ in range(_CALLS):
            assert np.isnan(program(np.zeros(2, np.float32))).all()
        with pytest.raises(FloatingPointError):
            np.divide(np.zeros(1), np.zeros(1))


def test_errors_name_their_operation() -> None:
    program = load("""func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) {
      check.expect_eq %x, %y : tensor<2xf32>
      return
    }""")
    x = np.ones(2, np.float32)
    for _ in range(_CALLS):
        program(x, x)
    messages: list[str] = []
    for call in (program, settled(program.runs.block("main"))):
        with pytest.raises(EvaluationError) as caught:
            call(x, x + 1)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "check.expect_eq (tensor<2xf32>, tensor<2xf32>) in @main" in messages[0]
