"""Custom calls: lookup and calls of registered functions, their results and their errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.engine.contract import custom_calls
from hlokit.kernels.custom_calls.results import OwnCall
from hlokit.values.tensor import Token

X = np.array([1.0, -2.0], np.float32)


@pytest.fixture(autouse=True)
def restore_registry() -> Iterator[None]:
    custom_calls.registered_custom_calls()  # those of hlokit's own are imported once
    functions = custom_calls._FUNCTIONS
    before = dict(functions)
    yield
    functions.clear()
    functions.update(before)


def one(type_: str = "tensor<2xf32>", result: str | None = None, attributes: str = "") -> str:
    result = result or type_
    return f"""
      func.func @main(%x: {type_}) -> {result} {{
        %0 = stablehlo.custom_call @target(%x) {attributes} : ({type_}) -> {result}
        return %0 : {result}
      }}"""


def register(function: Callable[..., Any]) -> None:
    hlokit.custom_call("target")(function)


def test_operands_and_result() -> None:
    @hlokit.custom_call("target")
    def negate(x: Any) -> Any:
        assert isinstance(x, np.ndarray)
        return -x

    assert hlokit.load(one())(X).tolist() == [-1.0, 2.0]
    assert negate(X).tolist() == [-1.0, 2.0], "the decorator gives the function back"


def test_a_result_is_not_the_array_that_the_function_keeps() -> None:
    kept = np.zeros(2, np.float32)
    register(lambda x: kept)
    hlokit.load(one())(X)[:] = 5
    assert kept.tolist() == [0.0, 0.0]


def test_results_that_are_not_aligned() -> None:
    register(lambda x: np.zeros(9, np.uint8)[1:].view(np.float32))
    added = one().replace("return %0", "%1 = stablehlo.add %0, %0 : tensor<2xf32>\nreturn %1")
    result = hlokit.load(added)(X)
    assert result.tolist() == [0.0, 0.0]
    assert result.flags.aligned


def test_scalars_are_arrays() -> None:
    def function(x: Any) -> Any:
        assert isinstance(x, np.ndarray)
        assert x.shape == ()
        return x + np.float32(1)

    register(function)
    assert float(hlokit.load(one("tensor<f32>"))(2.0)) == 3.0


def test_operands_cannot_be_written_to() -> None:
    def function(x: Any) -> Any:
        x += 1
        return x

    register(function)
    with pytest.raises(hlokit.EvaluationError, match="read-only"):
        hlokit.load(one())(X)
    assert X.tolist() == [1.0, -2.0]


def test_function_registered_after_planning() -> None:
    program = hlokit.load(one())
    with pytest.raises(hlokit.UnsupportedError, match="no function is registered for custom call @target"):
        program(X)
    register(lambda x: x * np.float32(2))
    assert program(X).tolist() == [2.0, -4.0]


def test_function_that_replaces_another_is_used_at_once() -> None:
    program = hlokit.load(one())
    register(lambda x: x)
    assert program(X).tolist() == [1.0, -2.0]
    register(lambda x, call: np.full(2, len(call.operand_types), np.float32))
    assert program(X).tolist() == [1.0, 1.0]


def test_unknown_target_in_a_branch_never_taken() -> None:
    text = """
      func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
        %0 = "stablehlo.if"(%p) ({
          %1 = stablehlo.custom_call @target(%x) : (tensor<f32>) -> tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }, {
          stablehlo.return %x : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        return %0 : tensor<f32>
      }"""
    program = hlokit.load(text)
    assert float(program(False, 1.5)) == 1.5
    with pytest.raises(hlokit.UnsupportedError, match="@target") as caught:
        program(True, 1.5)
    assert [frame.op for frame in caught.value.frames] == ["stablehlo.if", "stablehlo.custom_call"]
    assert [str(found) for found in program.unsupported()] == [
        'stablehlo.custom_call in @main at loc("-":4:16): no function is registered for @target'
    ]


def test_call_describes_itself() -> None:
    seen: list[hlokit.CustomCall] = []

    def function(x: Any, *, call: hlokit.CustomCall) -> Any:
        seen.append(call)
        return x

    register(function)
    config = '{backend_config = {alpha = 1.5 : f32, names = ["a", "b"]}, api_version = 4 : i32, has_side_effect = true}'
    hlokit.load(one(attributes=config))(X)
    (call,) = seen
    assert call.target == "target"
    assert [str(type_) for type_ in (*call.operand_types, *call.result_types)] == ["tensor<2xf32>"] * 2
    assert call.attributes["backend_config"] == {"alpha": 1.5, "names": ["a", "b"]}
    assert call.attributes["has_side_effect"] is True
    assert call.attributes["call_target_name"] == "target"


def test_configurations_that_are_nested_without_end() -> None:
    call = OwnCall("target", (), (), {"backend_config": '{"a": ' + "[" * 100_000})
    assert call.config == {}


@pytest.mark.parametrize("function", [np.negative, lambda *xs: -xs[0], lambda x, **options: -x])
def test_functions_that_do_not_name_call_do_not_get_it(function: Callable[..., Any]) -> None:
    register(function)
    assert hlokit.load(one())(X).tolist() == [-1.0, 2.0]


def several(count: int) -> str:
    results = ", ".join(["tensor<2xf32>"] * count)
    names = ", ".join(f"%0#{index}" for index in range(count))
    return f"""
      func.func @main(%x: tensor<2xf32>) -> ({results}) {{
        {"%0:" + str(count) + " = " if count else ""}stablehlo.custom_call @target(%x) : (tensor<2xf32>) -> ({results})
        return {names + " : " + results if count else ""}
      }}"""


@pytest.mark.parametrize("returned", [(X, X), [X, X]])
def test_several_results(returned: Any) -> None:
    register(lambda x: returned)
    first, second = hlokit.load(several(2))(X)
    assert first.tolist() == second.tolist() == X.tolist()


@pytest.mark.parametrize("returned", [None, (), []])
def test_no_results(returned: Any) -> None:
    register(lambda x: returned)
    assert hlokit.load(several(0))(X) == ()


@pytest.mark.parametrize(
    "count, returned, message",
    [
        (0, X, "must return 0 values, got ndarray"),
        (2, X, "must return 2 values, got ndarray"),
        (2, None, "must return 2 values, got 0"),
        (2, (X,), "must return 2 values, got 1"),
        (2, (X, X[:1]), "as result 1 an array of type tensor<2xf32>, got shape \\(1,\\)"),
        (1, None, "an array of type tensor<2xf32>, got None"),
        (1, (X, X), "an array of type tensor<2xf32>, got shape \\(2, 2\\)"),
        (1, [1.0, 2.0], "an array of type tensor<2xf32>, got dtype float64"),
        (1, X.astype(np.float16), "an array of type tensor<2xf32>, got dtype float16"),
        (1, X[None], "an array of type tensor<2xf32>, got shape \\(1, 2\\)"),
    ],
)
def test_results_that_do_not_fit(count: int, returned: Any, message: str) -> None:
    register(lambda x: returned)
    with pytest.raises(hlokit.EvaluationError, match=message) as caught:
        hlokit.load(several(count))(X)
    assert "the function of custom call @target must return" in str(caught.value)
    assert "loc(" in str(caught.value)


def test_narrow_types() -> None:
    values = np.array([1.5, -2.0], ml_dtypes.float8_e4m3fn)
    register(lambda x: -x)
    assert hlokit.load(one("tensor<2xf8E4M3FN>"))(values).astype(float).tolist() == [-1.5, 2.0]


def test_jax_arrays_are_results() -> None:
    jnp = pytest.importorskip("jax.numpy")
    register(lambda x: jnp.sin(jnp.asarray(x)))
    assert np.allclose(hlokit.load(one())(X), np.sin(X))


def test_tokens_pass() -> None:
    def function(token: Any) -> Any:
        assert isinstance(token, Token)
        return token

    register(function)
    assert hlokit.load(one("!stablehlo.token"))(Token()) == Token()


def test_tuples_pass() -> None:
    register(lambda pair: (pair[1], pair[0]))
    first, second = hlokit.load(one("tuple<tensor<2xf32>, tensor<i1>>", "tuple<tensor<i1>, tensor<2xf32>>"))(
        (X, True)
    )
    assert bool(first)
    assert second.tolist() == X.tolist()
    register(lambda pair: pair)
    with pytest.raises(hlokit.EvaluationError, match="got dtype float32"):
        hlokit.load(one("tuple<tensor<2xf32>, tensor<i1>>", "tuple<tensor<i1>, tensor<2xf32>>"))((X, True))


def test_exceptions_become_evaluation_errors_and_stay_the_cause() -> None:
    cause = KeyError("weights")

    def function(x: Any) -> Any:
        raise cause

    register(function)
    with pytest.raises(
        hlokit.EvaluationError, match="the function of custom call @target raised KeyError"
    ) as caught:
        hlokit.load(one())(X)
    assert caught.value.__cause__ is cause
    assert [frame.op for frame in caught.value.frames] == ["stablehlo.custom_call"]


@pytest.mark.parametrize("kind", [hlokit.CheckFailed, hlokit.UnsupportedError])
def test_errors_of_hlokit_pass_as_they_are(kind: type[hlokit.HlokitError]) -> None:
    error = kind("a message")

    def function(x: Any) -> Any:
        raise error

    register(function)
    with pytest.raises(kind) as caught:
        hlokit.load(one())(X)
    assert caught.value is error


def test_interrupts_pass() -> None:
    def function(x: Any) -> Any:
        raise KeyboardInterrupt

    register(function)
    with pytest.raises(KeyboardInterrupt):
        hlokit.load(one())(X)


def test_in_a_reducer_the_function_gets_scalars() -> None:
    text = """
      func.func @main(%x: tensor<2x3xf32>, %i: tensor<f32>) -> tensor<2xf32> {
        %0 = "stablehlo.reduce"(%x, %i) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.custom_call @target(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
            stablehlo.return %1 : tensor<f32>
        }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    shapes: list[tuple[int, ...]] = []

    def function(a: Any, b: Any) -> Any:
        shapes.append(a.shape)
        return np.float32(10) * a + b

    register(function)
    result = hlokit.load(text)(np.array([[1, 2, 3], [4, 5, 6]], np.float32), 0.0)
    assert result.tolist() == [123.0, 456.0]
    assert shapes == [()] * 6


def test_no_result_of_hlokits_own_functions_is_dropped() -> None:
    program = hlokit.load("""
        func.func @main(%x: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>) {
          %0:2 = stablehlo.custom_call @lapack_dgetrf_ffi(%x) : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>)
          return %0#0, %0#1 : tensor<2x2xf64>, tensor<2xi32>
        }""")
    with pytest.raises(
        hlokit.EvaluationError, match="@lapack_dgetrf_ffi must have at least 3 results, got 2"
    ):
        program(np.eye(2))
