"""Products with scaled blocks, and cuBLAS's products, against NumPy in f64."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import hlokit

GENERATOR = np.random.default_rng(3)


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    return GENERATOR.normal(size=shape).astype(dtype)


def repeated(scale: Any, axis: int, count: int) -> Any:
    return np.repeat(scale.astype(np.float64), count, axis)


@pytest.mark.parametrize(
    ("elements", "scales", "block"),
    [
        (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu, 32),
        (ml_dtypes.float8_e5m2, ml_dtypes.float8_e8m0fnu, 32),
        (ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn, 16),
    ],
)
def test_export_of_jax_for_cuda(elements: Any, scales: Any, block: int) -> None:
    """`jax.nn.scaled_matmul`, exported for a GPU."""
    a, b = normal(2, 4, 64, dtype=elements), normal(2, 8, 64, dtype=elements)
    s, t = (np.abs(normal(2, rows, 64 // block)).astype(scales) for rows in (4, 8))
    function = jax.jit(lambda *operands: jax.nn.scaled_matmul(*operands, preferred_element_type=jnp.float32))
    unchecked = [jax.export.DisabledSafetyCheck.custom_call("__op$block_scaled_dot")]
    exported = jax.export.export(function, platforms=["cuda"], disabled_checks=unchecked)(a, b, s, t)
    program = hlokit.load(exported)
    wide = a.astype(np.float64) * repeated(s, 2, block), b.astype(np.float64) * repeated(t, 2, block)
    np.testing.assert_allclose(program(a, b, s, t), np.einsum("bmk,bnk->bmn", *wide), rtol=1e-5, atol=1e-5)


def call(target: str, operands: str, result: str, config: str = "") -> hlokit.Program:
    types = operands.split(", ")
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(types))
    values = ", ".join(f"%{index}" for index in range(len(types)))
    text = f"""func.func @main({parameters}) -> {result} {{
  %r = stablehlo.custom_call @{target}({values}) {{{config}}} : ({operands}) -> {result}
  return %r : {result}
}}"""
    return hlokit.load(text)


def test_scales_without_batches() -> None:
    program = call(
        '"__op$block_scaled_dot"',
        "tensor<3x32xf8E4M3FN>, tensor<2x32xf8E4M3FN>, tensor<3x1xf8E8M0FNU>, tensor<2x1xf8E8M0FNU>, tensor<f32>",
        "tensor<3x2xbf16>",
    )
    a, b = normal(3, 32, dtype=ml_dtypes.float8_e4m3fn), normal(2, 32, dtype=ml_dtypes.float8_e4m3fn)
    s, t = np.array([[2], [0.5], [4]], ml_dtypes.float8_e8m0fnu), np.ones((2, 1), ml_dtypes.float8_e8m0fnu)
    expected = 0.5 * ((a.astype(np.float64) * s.astype(np.float64)) @ b.astype(np.float64).T)
    result = program(a, b, s, t, np.float32(0.5)).astype(np.float64)
    np.testing.assert_allclose(result, expected, rtol=2**-8)
    with pytest.raises(hlokit.UnsupportedError, match="scales must belong to equal blocks"):
        call('"__op$block_scaled_dot"', "tensor<3x32xf8E4M3FN>, tensor<2x32xf8E4M3FN>, tensor<3x5xf8E8M0FNU>, tensor<2x1xf8E8M0FNU>", "tensor<3x2xf32>")(
            a, b, np.ones((3, 5), ml_dtypes.float8_e8m0fnu), t
        )  # fmt: skip


DIMENSIONS = (
    '\\\\"dot_dimension_numbers\\\\":{\\\\"lhs_contracting_dimensions\\\\":[\\\\"1\\\\"],'
    '\\\\"rhs_contracting_dimensions\\\\":[\\\\"0\\\\"]}'
).replace("\\\\", "\\")


def gemm_config(more: str) -> str:
    return f'backend_config = "{{\\"gemm_backend_config\\":{{{DIMENSIONS},{more}}}}}"'


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.float16])
def test_gemm(dtype: Any) -> None:
    name = {"f": "f32", "d": "f64", "F": "complex<f32>", "e": "f16"}[np.dtype(dtype).char]
    types = f"tensor<3x4x{name}>, tensor<4x2x{name}>, tensor<3x2x{name}>"
    program = call(
        '"__cublas$gemm"', types, f"tensor<3x2x{name}>", gemm_config(r"\"alpha_real\":2,\"beta\":0.5")
    )
    a, b, c = normal(3, 4, dtype=dtype), normal(4, 2, dtype=dtype), normal(3, 2, dtype=dtype)
    wide = np.complex128 if np.dtype(dtype).kind == "c" else np.float64
    expected = 2 * (a.astype(wide) @ b.astype(wide)) + 0.5 * c.astype(wide)
    np.testing.assert_allclose(program(a, b, c), expected, rtol=2e-3 if dtype is np.float16 else 1e-5)


def test_epilogue() -> None:
    types = "tensor<3x4xf32>, tensor<4x2xf32>, tensor<2xf32>"
    config = gemm_config(r"\"epilogue\":\"BIAS_RELU\"")
    a, b, bias = normal(3, 4), normal(4, 2), normal(2)
    expected = np.maximum(a.astype(np.float64) @ b + bias, 0)
    result = call('"__cublas$lt$matmul"', types, "tensor<3x2xf32>", config)(a, b, bias)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(hlokit.UnsupportedError, match="epilogue SWISH"):
        call('"__cublas$lt$matmul"', types, "tensor<3x2xf32>", config.replace("BIAS_RELU", "SWISH"))(
            a, b, bias
        )


BUFFERS = """func.func @main(%x: tensor<4xf64>, %n: tensor<i32>) -> (tensor<4xf64>, tensor<4xf64>) {
  %b = stablehlo.custom_call @Pin(%x) {api_version = 4 : i32} : (tensor<4xf64>) -> memref<4xf64>
  %e = stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : () -> memref<4xf64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %c = %b) : tensor<i32>, memref<4xf64>
    cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %d = stablehlo.custom_call @test_update(%c) {api_version = 4 : i32, output_operand_aliases = [
        #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}
        : (memref<4xf64>) -> memref<4xf64>
      stablehlo.return %j, %d : tensor<i32>, memref<4xf64>
    }
  %y = stablehlo.custom_call @Unpin(%r#1) {api_version = 4 : i32} : (memref<4xf64>) -> tensor<4xf64>
  %z = stablehlo.custom_call @Unpin(%e) {api_version = 4 : i32} : (memref<4xf64>) -> tensor<4xf64>
  return %y, %z : tensor<4xf64>, tensor<4xf64>
}"""


@hlokit.custom_call("test_update")
def update(buffer: Any) -> Any:
    return buffer * 2


def test_buffers() -> None:
    program = hlokit.load(BUFFERS)
    for _ in range(3):
        updated, empty = program(np.arange(4.0), np.int32(3))
        np.testing.assert_array_equal(updated, 8 * np.arange(4.0))
        assert empty.shape == (4,)
    assert program.unsupported() == []
    pinned = """func.func @main(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>) {
  %b = stablehlo.custom_call @Pin(%x) : (tensor<4xf64>) -> memref<4xf64>
  %e = stablehlo.custom_call @CreateBuffer() : () -> memref<4xf64>
  %y = stablehlo.custom_call @Unpin(%b) : (memref<4xf64>) -> tensor<4xf64>
  %z = stablehlo.custom_call @Unpin(%e) : (memref<4xf64>) -> tensor<4xf64>
  return %y, %z : tensor<4xf64>, tensor<4xf64>
}"""
    for tier in ("default", "reference"):
        kept, empty = hlokit.load(pinned)(np.arange(4.0), tier=tier)
        np.testing.assert_array_equal(kept, np.arange(4.0))
        assert empty.shape == (4,)
