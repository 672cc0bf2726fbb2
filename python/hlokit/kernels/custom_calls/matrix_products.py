"""Custom calls of matrix products: of blocks with scales (MX, NVFP4), of cuBLAS, and of oneDNN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.kernels.contractions.products import work_type
from hlokit.kernels.custom_calls.activations import gelu_tanh, post_operations, relu, silu
from hlokit.kernels.custom_calls.results import OwnCall, as_results, result_type
from hlokit.kernels.elementwise.cache_blocking import Array
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType


def block_scaled_dot(
    lhs: Array, rhs: Array, lhs_scale: Array, rhs_scale: Array, *global_scale: Array, call: OwnCall
) -> Any:
    """The product of two quantized operands, which contracts their last dimensions; those before the last two
    are batch dimensions.

    A scale belongs to a block of elements. A fifth operand scales the result.
    """
    batch = tuple(range(lhs.ndim - 2))
    numbers = DotDimensionNumbers(batch, batch, (lhs.ndim - 1,), (rhs.ndim - 1,))
    product = _product(numbers, call, _dequantized(lhs, lhs_scale, call), _dequantized(rhs, rhs_scale, call))
    for scale in global_scale[:1]:
        product = product * scale.astype(product.dtype)
    return as_results(call, (product,))


def _dequantized(values: Array, scale: Array, call: OwnCall) -> Array:
    """Each element times the scale of its block: exact in f32 for MX and NVFP4."""
    sizes = list(zip(values.shape, scale.shape, strict=False))
    if scale.ndim != values.ndim or any(count == 0 or size % count for size, count in sizes):
        raise UnsupportedError(
            f"@{call.target}: scales must belong to equal blocks of shape {values.shape}, got {scale.shape}"
        )
    scales = scale.astype(np.float32)
    for axis, (size, count) in enumerate(sizes):
        scales = np.repeat(scales, size // count, axis)
    return values.astype(np.float32) * scales


def _product(numbers: DotDimensionNumbers, call: OwnCall, lhs: Array, rhs: Array) -> Array:
    element_type = result_type(call, 0).element_type
    types = TensorType(lhs.shape, element_type), TensorType(rhs.shape, element_type)
    return contraction_product(numbers, *types)(lhs, rhs)


def gemm(*operands: Array, call: OwnCall) -> Any:
    """alpha * lhs . rhs + beta * c, then the epilogue of cuBLAS: a bias along the last dimension, and an
    activation. `AUX` returns the value before the activation, too; calls of f8 may return the greatest
    magnitude."""
    config: dict[str, Any] = call.config.get("gemm_backend_config", call.config)
    dtype = _sum_type(call)
    lhs, rhs, *rest = (operand.astype(dtype, copy=False) for operand in operands)
    value = _product(dimension_numbers(config.get("dot_dimension_numbers", {})), call, lhs, rhs)
    alpha, beta = (_factor(config, name, dtype) for name in ("alpha", "beta"))
    c = rest.pop(0) if beta != 0 else None
    scales: list[Array] = []
    if call.target.endswith("$f8"):  # of both operands first; that of a narrow result is the last one
        scales = [operand for operand in rest if operand.ndim == 0]
        rest = [operand for operand in rest if operand.ndim > 0]
        value = value * (scales[0] * scales[1])
    if alpha != 1:
        value = value * alpha
    if c is not None:
        value = value + c * beta
    epilogue = str(config.get("epilogue", "DEFAULT")).split("_")
    linear = value
    for step in epilogue:
        if step == "BIAS":
            value = linear = value + rest.pop(0)
        elif step in _ACTIVATIONS:
            value = _ACTIVATIONS[step](value)
        elif step not in ("DEFAULT", "AUX"):
            raise UnsupportedError(f"@{call.target}: no function is known for the epilogue {step}")
    more = [linear] if "AUX" in epilogue else []
    if config.get("damax_output"):
        more.append(np.abs(value).max(initial=0))
    return as_results(call, (_narrowed(value, scales, result_type(call, 0).element_type), *more))


def _narrowed(value: Array, scales: list[Array], result: ElementType) -> Array:
    """What cuBLAS rounds to the type of the result: scaled and saturated if that is an f8."""
    if not scales or not result.name.startswith("f8"):
        return value
    form = float_format(result)
    limit = form.decode(form.largest)
    return np.clip(value * scales[-1] if len(scales) > 2 else value, -limit, limit)


def _sum_type(call: OwnCall) -> np.dtype[Any]:
    """The type of sums: cuBLAS sums small integers in i32, and narrow floats in f32."""
    types = [cast(TensorType, type_).element_type for type_ in call.operand_types[:2]]
    result = result_type(call, 0).element_type
    is_wide = result.kind is Kind.COMPLEX or result.kind.is_integer
    return result.dtype if is_wide else work_type(*types, result).dtype


def matmul(lhs: Array, rhs: Array, *rest: Array, call: OwnCall) -> Any:
    """oneDNN's product of stacks of matrices, and the operations that the call has been fused with."""
    config: dict[str, Any] = call.config.get("onednn_matmul_config", {})
    if config.get("optimization_config", {}).get("weights_prepacked"):
        raise UnsupportedError(f"@{call.target}: weights in the layout of oneDNN are not evaluated")
    dtype = _sum_type(call)
    lhs, rhs, *more = (operand.astype(dtype, copy=False) for operand in (lhs, rhs, *rest))
    batch = tuple(range(lhs.ndim - 2))
    row, column = lhs.ndim - 2, lhs.ndim - 1
    numbers = DotDimensionNumbers(
        batch,
        batch,
        (row if config.get("transpose_a") else column,),
        (column if config.get("transpose_b") else row,),
    )
    value = post_operations(config, _product(numbers, call, lhs, rhs), more, call.target)
    return as_results(call, (value,))


def dimension_numbers(stated: dict[str, Any]) -> DotDimensionNumbers:
    """DotDimensionNumbers in JSON, which has numbers as texts."""
    names = ("lhs_batch", "rhs_batch", "lhs_contracting", "rhs_contracting")
    return DotDimensionNumbers(
        *(tuple(int(number) for number in stated.get(f"{name}_dimensions", ())) for name in names)
    )


def _factor(config: dict[str, Any], name: str, dtype: np.dtype[Any]) -> Any:
    """A factor of the call: 1 for alpha if it is not stated, 0 for beta."""
    real = float(config.get(f"{name}_real", config.get(name, name == "alpha")))
    imaginary = float(config.get(f"{name}_imag", 0))
    return dtype.type(complex(real, imaginary) if dtype.kind == "c" else real)


_ACTIVATIONS: dict[str, Callable[[Array], Array]] = {"RELU": relu, "GELU": gelu_tanh, "SILU": silu}

MATRIX_CALLS: dict[str, Callable[..., Any]] = {
    "__op$block_scaled_dot": block_scaled_dot,
    "__cublas$gemm": gemm,
    "__cublas$lt$matmul": gemm,
    "__cublas$lt$matmul$f8": gemm,
    "__onednn$matmul": matmul,
}
