"""Products of windows and weights, the inner part of convolution.

`windows` is a view [group, batch, space..., window..., feature] of the input, in which elements repeat.
`weights` is [group, window..., feature, output feature], and the result [group, batch, space..., output
feature]. Compiled kernels read the view directly, and add in the order of `rules.sum_of_products`. For other
products of matrices, blocks of windows are copied into matrices (im2col).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.kernels.contractions.native_products import StridedMatmul, matmul_of
from hlokit.kernels.contractions.products import Array, Product
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64


class MatrixProduct(NamedTuple):
    """Multiplication by im2col and a product of stacks of matrices."""

    multiply: Product
    thresholds: Thresholds = DEFAULTS

    def dtype(self, operand: Array) -> np.dtype[Any]:
        """The dtype of the result."""
        return operand.dtype


class NativeProduct(NamedTuple):
    """Multiplication by compiled kernels.

    Attributes:
      fill: the function that computes the strided product of one group.
      result: the dtype of the result.
    """

    fill: StridedMatmul
    result: np.dtype[Any]
    thresholds: Thresholds = DEFAULTS

    def dtype(self, operand: Array) -> np.dtype[Any]:
        del operand
        return self.result


WindowProduct = MatrixProduct | NativeProduct


def window_product(dtype: np.dtype[Any], rank: int, thresholds: Thresholds) -> WindowProduct:
    """The multiplier for windows of `rank` dimensions, with windows and weights of one dtype."""
    type_ = _NATIVE_TYPES.get(dtype)
    if type_ is None:
        return MatrixProduct(np.matmul, thresholds)  # for integers, which BLAS does not support
    return NativeProduct(matmul_of(type_, 1, rank + 1), dtype, thresholds)


# The types that compiled kernels multiply, by dtype.
_NATIVE_TYPES = {type_.dtype: type_ for type_ in (F32, F64, COMPLEX_F32, COMPLEX_F64)}


def multiply_windows(windows: Array, weights: Array, result: Array, multiplier: WindowProduct) -> None:
    """Store the sums of the products over window and feature in `result`. No dimension may be empty."""
    if isinstance(multiplier, NativeProduct):
        multiplier.fill(windows, weights, result)
    else:
        _im2col_matmul(windows, weights, result, multiplier)


def _im2col_matmul(windows: Array, weights: Array, result: Array, multiplier: MatrixProduct) -> None:
    """Copy blocks of windows into matrices [output, term] (im2col)."""
    groups, terms = weights.shape[0], prod(weights.shape[1:-1])
    kernel = np.ascontiguousarray(weights).reshape(groups, terms, weights.shape[-1])
    limit = multiplier.thresholds.convolution_block_bytes // (groups * terms * windows.itemsize)
    for ranges in _blocks(result.shape[1:-1], max(limit, 1)):
        block = (slice(None), *ranges)
        matrices = windows[block].reshape(groups, -1, terms)
        result[block] = multiplier.multiply(matrices, kernel).reshape(result[block].shape)


def groups_first(array: Array) -> Array:
    """From [..., group, feature] to [group, ..., feature]."""
    last = array.ndim - 1
    return array.transpose(last - 1, *range(last - 1), last)


def _blocks(shape: tuple[int, ...], limit: int) -> Iterator[tuple[slice, ...]]:
    """Split an index space, in row-major order, into ranges of at most `limit` indices (at least 1)."""
    size, *rest = shape
    inner = prod(rest)
    if inner > limit:
        for index in range(size):
            for ranges in _blocks(tuple(rest), limit):
                yield slice(index, index + 1), *ranges
        return
    step = max(limit // inner, 1)
    for start in range(0, size, step):
        yield (slice(start, start + step),)
