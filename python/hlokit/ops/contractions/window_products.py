"""Products of windows and weights, the inner part of convolution.

`windows` is a view [group, batch, space..., window..., feature] of the input, in which elements repeat.
`weights` is [group, window..., feature, output feature], and the result [group, batch, space..., output
feature]. Compiled kernels read the view directly, and add in the order of `rules.sum_of_products`. For other
products of matrices, blocks of windows are copied into matrices (im2col).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.ops.contractions.native_products import StridedMatmul, matmul_of
from hlokit.ops.contractions.products import Array, Product
from hlokit.records import Record
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64


class MatrixProduct(Record):
    """Multiplication by im2col and a product of stacks of matrices."""

    multiply: Product
    thresholds: Thresholds = DEFAULTS

    def dtype(self, operand: Array) -> np.dtype[Any]:
        """The dtype of the result."""
        return operand.dtype


class NativeProduct(Record):
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


def multiply_windows(windows: Array, weights: Array, multiplier: WindowProduct) -> Array:
    """Sum the products over window and feature. No dimension may be empty."""
    if isinstance(multiplier, MatrixProduct):
        return _im2col_matmul(windows, weights, multiplier)
    space = windows.shape[2 : weights.ndim - 1]
    shape = (windows.shape[1], *space, weights.shape[0], weights.shape[-1])
    result = groups_first(np.empty(shape, multiplier.result))
    multiplier.fill(windows, weights, result)
    return result


def _im2col_matmul(windows: Array, weights: Array, multiplier: MatrixProduct) -> Array:
    """Copy blocks of windows into matrices [output, term] (im2col)."""
    rank = weights.ndim - 3
    groups, output_features = weights.shape[0], weights.shape[-1]
    output_shape, terms = windows.shape[1 : 2 + rank], prod(weights.shape[1:-1])
    kernel = np.ascontiguousarray(weights).reshape(groups, terms, output_features)
    result = np.empty((*output_shape, groups, output_features), windows.dtype)
    rows = result.reshape(-1, groups, output_features)
    limit = multiplier.thresholds.convolution_block_bytes // (groups * terms * windows.itemsize)
    start = 0
    for place in _blocks(output_shape, max(limit, 1)):
        block = windows[(slice(None), *place)]
        count = prod(block.shape[1 : 2 + rank])
        matrices = block.reshape(groups, count, terms)
        rows[start : start + count] = multiplier.multiply(matrices, kernel).transpose(1, 0, 2)
        start += count
    return groups_first(result)


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
            for place in _blocks(tuple(rest), limit):
                yield slice(index, index + 1), *place
        return
    step = max(limit // inner, 1)
    for start in range(0, size, step):
        yield (slice(start, start + step),)
