"""Kernels of functions of pieces, with quick paths for scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.interpreter.registry import Kernel, KernelFunction
from hlokit.interpreter.switches import is_on
from hlokit.ops.blocks import PIECE, Array, PieceFunction, in_pieces

DType = np.dtype[Any]


def pieces(
    function: PieceFunction,
    dtype: DType,
    quick: KernelFunction | None = None,
    *,
    scalar: DType | None = None,
    operands: int = 1,
    ufunc: np.ufunc | None = None,
    piece: int = PIECE,
) -> Kernel:
    """A kernel that computes arrays in cache-sized pieces.

    Args:
      function: of pieces.
      dtype: of the result.
      quick: takes NumPy scalars and gives one of `dtype`, or None where `function` must decide.
      scalar: dtype of what `quick` takes, if it is not `dtype`.
      operands: how many it takes.
      ufunc: for `Kernel.ufunc`.
      piece: elements of a piece.
    """

    if not is_on("blocks"):
        piece = 1 << 62

    def general(*operands: Array) -> Array:
        return in_pieces(function, operands, dtype, piece)

    kernel = general if quick is None else QUICK_FIRST[operands](quick, (scalar or dtype).type, general)
    return Kernel(kernel, pointwise=True, ufunc=ufunc)


def _quick_unary(quick: KernelFunction, scalar: type, general: KernelFunction) -> KernelFunction:
    if not is_on("scalars"):
        return general

    def kernel(operand: Any) -> Any:
        if type(operand) is scalar:
            result = quick(operand)
            if result is not None:
                return result
        return general(operand)

    return kernel


def _quick_binary(quick: KernelFunction, scalar: type, general: KernelFunction) -> KernelFunction:
    if not is_on("scalars"):
        return general

    def kernel(lhs: Any, rhs: Any) -> Any:
        if type(lhs) is scalar and type(rhs) is scalar:
            result = quick(lhs, rhs)
            if result is not None:
                return result
        return general(lhs, rhs)

    return kernel


def _quick_ternary(quick: KernelFunction, scalar: type, general: KernelFunction) -> KernelFunction:
    if not is_on("scalars"):
        return general

    def kernel(first: Any, second: Any, third: Any) -> Any:
        if type(second) is scalar and type(first) is scalar and type(third) is scalar:
            result = quick(first, second, third)
            if result is not None:
                return result
        return general(first, second, third)

    return kernel


QUICK_FIRST = {1: _quick_unary, 2: _quick_binary, 3: _quick_ternary}
