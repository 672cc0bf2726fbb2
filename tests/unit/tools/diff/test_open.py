"""What is left open is no difference: subnormal numbers, factors of matrices, ties of complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from unit.tools.diff.sides import Here

F = np.float32
SMALL = F(1e-40)


def elementwise(op: str, operands: int, type_: str = "tensor<2xf32>", result: str = "") -> hlokit.Program:
    names = [f"%{name}" for name in "xy"[:operands]]
    arguments = ", ".join([f"{name}: {type_}" for name in names])
    text = f"""func.func @main({arguments}) -> {result or type_} {{
  %0 = stablehlo.{op} {", ".join(names)} : {f"({type_}) -> {result}" if result else type_}
  return %0 : {result or type_}
}}"""
    return hlokit.load(text)


def returning(*results: Any) -> Here:
    return Here(change=lambda _, __: [np.asarray(result) for result in results], batch=1)


FLUSHED = [
    # The results that a side returns: with subnormal operands as zero, and results as zero.
    ("multiply", [[SMALL, 2], [1e38, 3]], [0, 6], "all"),
    ("divide", [[SMALL, 1], [SMALL, 2]], [np.nan, 0.5], "all"),
    ("sign", [[SMALL, -2]], [0, -1], "all"),
    ("ceil", [[SMALL, 1.5]], [0, 2], "all"),
    ("divide", [[1e-20, 1], [1e20, 2]], [0, 0.5], "results"),
]


@pytest.mark.parametrize(("op", "operands", "results", "profile"), FLUSHED)
def test_subnormal_numbers_may_be_zero_as_the_profile_says(
    op: str, operands: list[list[float]], results: list[float], profile: Any
) -> None:
    program = elementwise(op, len(operands))
    arguments = [np.array(operand, F) for operand in operands]
    side = returning(np.array(results, F))
    outcomes = {
        flush: hlokit.diff(program, *arguments, against=side, mode="isolated", flush=flush).status
        for flush in ("none", "results", "all")
    }
    assert outcomes == {"none": 1, "results": int(profile == "all"), "all": 0}
    wrong = returning(np.array([results[0], F(results[1]) * F(1.001)], F))
    assert hlokit.diff(program, *arguments, against=wrong, mode="isolated").status == 1, "no other element"


def test_moved_subnormal_numbers_stay() -> None:
    program = hlokit.load(
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    )
    side = returning(np.array([1, 0], F))
    assert hlokit.diff(program, np.array([SMALL, 1], F), against=side, mode="isolated").status == 1


@pytest.mark.parametrize(("op", "result"), [("sign", ""), ("abs", "tensor<2xf32>")])
def test_sign_and_magnitude_of_complex_numbers_are_rounded(op: str, result: str) -> None:
    program = elementwise(op, 1, "tensor<2xcomplex<f32>>", result)
    z = np.array([0.3 + 0.7j, -0.2 - 1.1j], np.complex64)
    right = np.asarray(program(z))
    near, far = right * F(1 + 2**-22), right * F(1.001)
    assert hlokit.diff(program, z, against=returning(near), mode="isolated").status == 0
    assert hlokit.diff(program, z, against=returning(far), mode="isolated").status == 1


def test_real_parts_may_decide_the_order_of_complex_numbers() -> None:
    program = elementwise("maximum", 2, "tensor<2xcomplex<f32>>")
    x, y = np.array([1 + 1j, 1], np.complex64), np.array([1 + 2j, 2], np.complex64)
    report = hlokit.diff(
        program, x, y, against=returning(np.array([1 + 1j, 2], np.complex64)), mode="isolated"
    )
    assert (report.status, report.counts.get("open")) == (0, 1), report
    assert hlokit.diff(program, x, y, against=returning(y[::-1]), mode="isolated").status == 1
    assert hlokit.diff(program, x, y, against=returning(np.array([1 + 2j, 1])), mode="isolated").status == 1


# Factors of matrices -------------------------------------------------------------------------------

RANDOM = np.random.default_rng(0)
MATRIX = RANDOM.normal(size=(4, 4))
SYMMETRIC = MATRIX + MATRIX.T


def call(target: str, options: str, *results: str) -> hlokit.Program:
    listed = ", ".join(results)
    return hlokit.load(
        f"""func.func @main(%a: tensor<4x4xf64>) -> ({listed}) {{
  %0:{len(results)} = stablehlo.custom_call @{target}(%a) {{mhlo.backend_config = {{{options}}}}} : (tensor<4x4xf64>) -> ({listed})
  return {", ".join(f"%0#{n}" for n in range(len(results)))} : {listed}
}}"""
    )


M, V, INFO = "tensor<4x4xf64>", "tensor<4xf64>", "tensor<i32>"
EIGH = call("lapack_dsyevd_ffi", "mode = 86 : ui8, uplo = 76 : ui8", M, V, INFO)
SVD = call("lapack_dgesdd_ffi", "mode = 65 : ui8", M, V, M, M, INFO)
CHOLESKY = call("lapack_dpotrf_ffi", "uplo = 76 : ui8", M, INFO)
ROTATION = np.array([[0.6, -0.8], [0.8, 0.6]])


def status(program: hlokit.Program, a: Any, *results: Any) -> int:
    return hlokit.diff(program, a, against=returning(*results), mode="isolated").status


def test_eigenvectors_may_have_other_signs_but_not_other_lengths() -> None:
    vectors, values, info = (np.array(result) for result in EIGH(SYMMETRIC))
    signs = np.array([1, -1, -1, 1])
    assert status(EIGH, SYMMETRIC, vectors * signs, values, info) == 0
    assert status(EIGH, SYMMETRIC, vectors * [1, 1.001, 1, 1], values, info) == 1
    assert status(EIGH, SYMMETRIC, vectors[:, ::-1], values, info) == 1
    assert status(EIGH, SYMMETRIC, vectors, values * 1.001, info) == 1


def test_eigenvectors_of_one_eigenvalue_may_have_another_basis() -> None:
    a = np.diag([2.0, 2.0, 3.0, 4.0])
    vectors, values, info = (np.array(result) for result in EIGH(a))
    vectors[:2, :2] = ROTATION
    assert status(EIGH, a, vectors, values, info) == 0
    vectors[:2, :2] = 1
    assert status(EIGH, a, vectors, values, info) == 1


def test_singular_vectors_have_signs_in_pairs() -> None:
    a, values, u, vt, info = (np.array(result) for result in SVD(MATRIX))
    signs = np.array([1.0, -1, 1, -1])
    assert status(SVD, MATRIX, a + 1, values, u * signs, vt * signs[:, None], info) == 0
    assert status(SVD, MATRIX, a, values, u * signs, vt, info) == 1


def test_the_other_triangle_of_a_cholesky_factor_is_arbitrary() -> None:
    a = MATRIX @ MATRIX.T + np.eye(4)
    factor, info = (np.array(result) for result in CHOLESKY(a))
    assert status(CHOLESKY, a, factor + np.triu(np.ones((4, 4)), 1), info) == 0
    assert status(CHOLESKY, a, factor + np.tril(np.ones((4, 4)), -1), info) == 1


# Reductions ----------------------------------------------------------------------------------------


def windows(body: str, init: str) -> hlokit.Program:
    return hlokit.load(
        f"""func.func @main(%x: tensor<6xf32>) -> tensor<5xf32> {{
  %i = stablehlo.constant dense<{init}> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 2>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    {body}
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}}"""
    )


SUM = "%r = stablehlo.add %a, %b : tensor<f32>"
DIFFERENCE = "%r = stablehlo.subtract %a, %b : tensor<f32>"
PROBABLY = "%s = stablehlo.add %a, %b : tensor<f32> %p = stablehlo.multiply %a, %b : tensor<f32> %r = stablehlo.subtract %s, %p : tensor<f32>"


@pytest.mark.parametrize(
    ("body", "init", "expected"),
    [(SUM, "0.0", 1), (SUM, "1.0", 0), (DIFFERENCE, "0.0", 0), (PROBABLY, "0.0", 1), (PROBABLY, "0.5", 0)],
)
def test_only_monoids_have_one_result(body: str, init: str, expected: int) -> None:
    x = np.array([0.1, 0.7, 0.3, 0.9, 0.2, 0.5], F)
    program = windows(body, init)
    change = lambda text, results: [results[0] + F("reduce_window" in text) / 4]  # noqa: E731 # short
    assert hlokit.diff(program, x, against=Here(change=change, batch=1), mode="isolated").status == expected
