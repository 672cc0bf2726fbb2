"""Kernels that run blockwise functions on arrays and fast paths on NumPy scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Kernel, KernelFunction
from hlokit.kernels.elementwise.cache_blocking import Array, BlockwiseFunction, in_blocks

DType = np.dtype[Any]


def blocked_kernel(
    function: BlockwiseFunction,
    dtype: DType,
    fast_path: KernelFunction | None = None,
    *,
    scalar_dtype: DType | None = None,
    operands: int = 1,
    ufunc: np.ufunc | None = None,
) -> Kernel:
    """A kernel that computes arrays block by block.

    Args:
      function: a blockwise function.
      dtype: the dtype of the result.
      fast_path: takes NumPy scalars and returns a scalar of `dtype`, or None if `function` must compute the
        result.
      scalar_dtype: the dtype of the operands of `fast_path`, if not `dtype`.
      operands: the number of operands of `fast_path`.
      ufunc: the value of `Kernel.ufunc`.
    """

    def general(*operands: Array) -> Array:
        return in_blocks(function, operands, dtype)

    kernel = (
        general
        if fast_path is None
        else WITH_FAST_PATH[operands](fast_path, (scalar_dtype or dtype).type, general)
    )
    return Kernel(kernel, pointwise=True, ufunc=ufunc)


def _unary_with_fast_path(fast_path: KernelFunction, scalar: type, general: KernelFunction) -> KernelFunction:
    def kernel(operand: Any) -> Any:
        if type(operand) is scalar:
            result = fast_path(operand)
            if result is not None:
                return result
        return general(operand)

    return kernel


def _binary_with_fast_path(
    fast_path: KernelFunction, scalar: type, general: KernelFunction
) -> KernelFunction:
    def kernel(lhs: Any, rhs: Any) -> Any:
        if type(lhs) is scalar and type(rhs) is scalar:
            result = fast_path(lhs, rhs)
            if result is not None:
                return result
        return general(lhs, rhs)

    return kernel


def _ternary_with_fast_path(
    fast_path: KernelFunction, scalar: type, general: KernelFunction
) -> KernelFunction:
    def kernel(first: Any, second: Any, third: Any) -> Any:
        if type(second) is scalar and type(first) is scalar and type(third) is scalar:
            result = fast_path(first, second, third)
            if result is not None:
                return result
        return general(first, second, third)

    return kernel


WITH_FAST_PATH = {1: _unary_with_fast_path, 2: _binary_with_fast_path, 3: _ternary_with_fast_path}
