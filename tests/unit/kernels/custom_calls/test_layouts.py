"""Layouts of calls to LAPACK: the routines read and write matrices in the order of columns."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit

DRAW = np.random.default_rng(0)
A = DRAW.standard_normal((2, 4, 4)).astype(np.float32)
A = A @ A.swapaxes(1, 2) + np.eye(4, dtype=np.float32)
B = DRAW.standard_normal((2, 4, 4)).astype(np.float32)
ROWS, COLUMNS = "[2, 1, 0]", "[1, 2, 0]"
OPTIONS = "side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, diag = 78 : ui8"


def solve(operands: tuple[str, str], result: str) -> str:
    """A solution with the lower triangle of what LAPACK takes for the matrix."""
    stated = ", ".join(f"dense<{layout}> : tensor<3xindex>" for layout in operands)
    return f"""func.func @main(%a: tensor<2x4x4xf32>, %b: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {{
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {{api_version = 4 : i32, backend_config = {{{OPTIONS}}},
    operand_layouts = [{stated}], result_layouts = [dense<{result}> : tensor<3xindex>]}}
    : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}}"""


@pytest.mark.parametrize("a", [ROWS, COLUMNS])
@pytest.mark.parametrize("b", [ROWS, COLUMNS])
@pytest.mark.parametrize("result", [ROWS, COLUMNS])
def test_a_square_matrix_in_the_order_of_rows_is_transposed(a: str, b: str, result: str) -> None:
    program = hlokit.load(solve((a, b), result))
    matrix, side = (x.swapaxes(1, 2) if at == ROWS else x for x, at in ((A, a), (B, b)))
    expected = np.linalg.solve(np.tril(matrix).astype(np.float64), side)
    for _ in range(4):  # native programs, too
        actual = program(A, B)
        np.testing.assert_allclose(
            actual.swapaxes(1, 2) if result == ROWS else actual, expected, rtol=1e-4, atol=1e-5
        )


def test_other_matrices_are_read_as_they_lie_in_memory() -> None:
    x = DRAW.standard_normal((3, 5)).astype(np.float32)
    layouts = "operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]"
    program = hlokit.load(f"""func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xi32>) {{
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%x) {{api_version = 4 : i32, {layouts}}}
    : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<3x5xf32>, tensor<3xi32>
}}""")
    factors, pivots = program(x)
    packed = factors.reshape(5, 3).T
    lower, upper = np.tril(packed[:, :3], -1) + np.eye(3), np.triu(packed)
    rows = x.reshape(5, 3).T.copy()
    for row, pivot in enumerate(pivots - 1):
        rows[[row, pivot]] = rows[[pivot, row]]
    np.testing.assert_allclose(lower @ upper, rows, rtol=1e-5, atol=1e-5)
