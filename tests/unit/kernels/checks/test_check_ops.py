"""The operations and custom calls of the check dialect in programs."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.run_context import RunContext
from hlokit.errors import CheckFailed, EvaluationError, VerificationError
from hlokit.kernels.checks.report import MismatchError

T = "tensor<3xf32>"
VALUES = np.array([1, 2, 3], np.float32)


def program(body: str, type_: str = T) -> hlokit.Program:
    return hlokit.load(f"func.func @main(%a: {type_}, %b: {type_}) {{\n  {body}\n  return\n}}")


def run(body: str, a: object, b: object, type_: str = T) -> int:
    """Run a program; returns the number of counted checks."""
    context = RunContext()
    program(body, type_).runs.evaluate([a, b], "main", context=context)
    return context.checks


PASSING = [
    f"check.expect_eq %a, %b : {T}",
    f"check.expect_eq_const %a, dense<[1.0, 2.0, 3.0]> : {T}",
    f"check.expect_almost_eq %a, %b : {T}",
    f"check.expect_almost_eq_const %a, dense<[1.00001, 2.0, 3.0]> : {T}",
    f"check.expect_almost_eq_const %a, dense<[1.5, 2.5, 3.5]> : {T} {{tolerance = 0.5 : f64}}",
    f"check.expect_close %a, %b, max_ulp_difference = 0 : {T}, {T}",
    f"check.expect_eq(%a, %b) : {T}",
    f"check.expect_almost_eq_const(%a, dense<[0.9, 1.8, 2.7]> : {T}, atol 1.0e-6, rtol 0.12) : {T}",
    f'"check.expect_eq"(%a, %b) : ({T}, {T}) -> ()',
    f"stablehlo.custom_call @check.expect_eq(%a, %b) {{has_side_effect = true}} : ({T}, {T}) -> ()",
    f"stablehlo.custom_call @check.expect_close(%a, %b) : ({T}, {T}) -> ()",
    f"stablehlo.custom_call @check.expect_almost_eq(%a, %b) : ({T}, {T}) -> ()",
    f"%0 = stablehlo.custom_call @check.eq(%a, %b) : ({T}, {T}) -> tensor<i1>",
]


@pytest.mark.parametrize("body", PASSING)
def test_passing_check_is_counted(body: str) -> None:
    assert run(body, VALUES, VALUES) == 1


@pytest.mark.parametrize("body", PASSING)
def test_failing_check_raises(body: str) -> None:
    with pytest.raises(CheckFailed):
        run(body, VALUES + 2, VALUES)


def test_tolerances_of_custom_calls() -> None:
    call = f"stablehlo.custom_call @check.expect_almost_eq(%a, %b) : ({T}, {T}) -> ()"
    assert run(call, VALUES, VALUES + np.float32(0.0009)) == 1
    with pytest.raises(CheckFailed, match=r"@check.expect_almost_eq: values must be within 0\.001"):
        run(call, VALUES, VALUES + np.float32(0.002))
    call = f"%0 = stablehlo.custom_call @check.eq(%a, %b) : ({T}, {T}) -> tensor<i1>"
    with pytest.raises(CheckFailed, match=r"within 0\.0001"):
        run(call, VALUES, VALUES + np.float32(0.0009))


def test_check_eq_of_integers_is_exact() -> None:
    call = "%0 = stablehlo.custom_call @check.eq(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i1>"
    with pytest.raises(CheckFailed, match="bitwise equal"):
        run(call, np.int32(1), np.int32(2), "tensor<i32>")


def test_report() -> None:
    size = 100
    type_ = f"tensor<{size}xi16>"
    a = np.zeros(size, np.int16)
    with pytest.raises(MismatchError) as raised:
        run(f"check.expect_eq %a, %b : {type_}", a, a + np.arange(size, dtype=np.int16), type_)
    error = raised.value
    assert (error.count, error.size, len(error.mismatches)) == (99, 100, 8)
    first = error.mismatches[0]
    assert (first.index, first.actual, first.expected, first.distance) == ((1,), "0", "1", "1")
    message = str(error)
    assert "values must be bitwise equal, 99 of 100 are not" in message
    assert "index [1]: actual 0, expected 1, distance 1" in message
    assert "and 91 more" in message
    assert "in @main" in message


def test_report_of_a_matrix_names_both_indices() -> None:
    type_ = "tensor<2x2xi1>"
    a = np.array([[True, False], [True, True]])
    with pytest.raises(MismatchError, match=r"index \[1, 0\]: actual true, expected false"):
        run(f"check.expect_eq %a, %b : {type_}", a, a & [[True, True], [False, True]], type_)


def test_report_of_a_nan_shows_its_bits() -> None:
    a = np.array(np.nan, np.float32)
    with pytest.raises(MismatchError, match=r"index \[\]: actual nan \(0x7FC00000\), expected 1.0"):
        run("check.expect_eq %a, %b : tensor<f32>", a, np.float32(1), "tensor<f32>")


def test_shapes_may_differ_at_run_time() -> None:
    with pytest.raises(CheckFailed, match=r"equal shapes, got \[3\], expected \[1\]"):
        run("check.expect_eq %a, %b : tensor<?xf32>", VALUES, VALUES[:1], "tensor<?xf32>")


def test_checks_count_in_regions() -> None:
    body = f"""%c = stablehlo.constant dense<true> : tensor<i1>
      "stablehlo.if"(%c) ({{
        check.expect_eq %a, %b : {T}
        stablehlo.return
      }}, {{
        check.expect_eq_const %a, dense<9.0> : {T}
        stablehlo.return
      }}) : (tensor<i1>) -> ()"""
    assert run(body, VALUES, VALUES) == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('"check.expect_eq"(%a) : (tensor<3xf32>) -> ()', "must have 2 operands and no results, got 1 and 0"),
        ('"check.expect_eq_const"(%a) : (tensor<3xf32>) -> ()', "must have the attribute value"),
        (
            '"check.expect_eq_const"(%a) {value = dense<1> : tensor<3xi32>} : (tensor<3xf32>) -> ()',
            "value must have the type of lhs, tensor<3xf32>",
        ),
        (
            '%c = stablehlo.constant dense<1> : tensor<3xi32> "check.expect_eq"(%a, %c)'
            " : (tensor<3xf32>, tensor<3xi32>) -> ()",
            "operands must have one type",
        ),
        (
            "%c = stablehlo.constant dense<1> : tensor<3xi32>"
            " check.expect_close %c, %c, max_ulp_difference = 3 : tensor<3xi32>, tensor<3xi32>",
            "operands must be of float or complex type, got tensor<3xi32>",
        ),
        (
            '"check.expect_close"(%a, %b) {max_ulp_difference = 3, min_ulp_difference = -1}'
            " : (tensor<3xf32>, tensor<3xf32>) -> ()",
            "must not be negative, got -1 and 3",
        ),
    ],
)
def test_invalid_operations(body: str, message: str) -> None:
    with pytest.raises(VerificationError, match=message):
        run(body, VALUES, VALUES)


def test_custom_call_of_other_types() -> None:
    call = "stablehlo.custom_call @check.expect_close(%a, %b) : (tensor<i32>, tensor<i32>) -> ()"
    with pytest.raises(EvaluationError, match="operands must be of float or complex type"):
        run(call, np.int32(1), np.int32(1), "tensor<i32>")


def test_programs_whose_checks_have_no_results_are_run_again() -> None:
    """Plans of sorts depend on their users, and from the second run on, the planner compiles steps to native
    code."""
    program = hlokit.load("""
      func.func @main(%x: tensor<3xf32>, %wanted: tensor<3xf32>) {
        %s = "stablehlo.sort"(%x) ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
        }) {dimension = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
        %d = stablehlo.add %s, %s : tensor<3xf32>
        %e = stablehlo.subtract %d, %s : tensor<3xf32>
        check.expect_eq %s, %wanted : tensor<3xf32>
        check.expect_eq %e, %wanted : tensor<3xf32>
        return
      }""")
    x = np.array([3, 1, 2], np.float32)
    for _ in range(4):
        program(x, np.sort(x))
        with pytest.raises(CheckFailed):
            program(x, x)
