"""Products of windows and weights, the inner part of convolution.

`windows` is a view [group, batch, space..., window..., feature] of the input, in which elements repeat.
`weights` is [group, window..., feature, output feature], and the result [group, batch, space..., output
feature]. Compiled kernels read the view directly, and add in the order of `rules.sum_of_products`. For other
products of matrices, blocks of windows are copied into matrices (im2col).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.ops.contractions.native_products import StridedMatmul, complex_strided_matmul, strided_matmul
from hlokit.ops.contractions.products import Array, Product
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, Kind


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """Multiplication by im2col and a product of stacks of matrices."""

    multiply: Product
    thresholds: Thresholds = DEFAULTS

    def dtype(self, operand: Array) -> np.dtype[Any]:
        """The dtype of the result."""
        return operand.dtype


@dataclass(frozen=True, slots=True)
class NativeProduct:
    """Multiplication by compiled kernels.

    Attributes:
      fill: the strided product of one group.
      result: dtype of the result.
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
    type_ = _BY_KERNELS.get(dtype)
    if type_ is None:
        return MatrixProduct(np.matmul, thresholds)  # of integers, which BLAS lacks
    if type_.kind is Kind.COMPLEX:
        return NativeProduct(complex_strided_matmul(type_.part, 1, rank + 1), dtype, thresholds)
    return NativeProduct(strided_matmul(type_, type_, type_, type_, 1, rank + 1), dtype, thresholds)


_BY_KERNELS = {type_.dtype: type_ for type_ in (F32, F64, COMPLEX_F32, COMPLEX_F64)}


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
    """Copy blocks of windows into matrices [output, term] or [term, output] (im2col)."""
    rank, multiply = weights.ndim - 3, multiplier.multiply
    groups, output_features = weights.shape[0], weights.shape[-1]
    batch_axis, feature_axis = 1, 2 + 2 * rank
    space_axes, window_axes = tuple(range(2, 2 + rank)), tuple(range(2 + rank, feature_axis))
    innermost = min((feature_axis, batch_axis, *space_axes), key=lambda axis: _stride(windows, axis))
    # The innermost dimension of the input stays innermost in the matrices.
    output_axes, term_axes = (batch_axis, *space_axes), (*window_axes, feature_axis)
    if innermost == batch_axis:
        output_axes = (*space_axes, batch_axis)
    elif innermost != feature_axis:
        term_axes = (feature_axis, *window_axes)
    output_shape = tuple(windows.shape[axis] for axis in output_axes)
    terms = prod(weights.shape[1:-1])
    kernel_axes = (0, *(axis - rank - 1 for axis in term_axes), weights.ndim - 1)
    kernel = np.ascontiguousarray(weights.transpose(kernel_axes).reshape(groups, terms, output_features))
    result = np.empty((*output_shape, groups, output_features), windows.dtype)
    rows = result.reshape(-1, groups, output_features)
    windows = windows.transpose(0, *output_axes, *term_axes)
    terms_first = (0, *range(2 + rank, windows.ndim), *range(1, 2 + rank))
    # Windows of one element need no copy, or one the size of the input.
    limit = len(rows) if windows.size == groups * len(rows) * weights.shape[-2] else 0
    row_bytes = groups * terms * windows.itemsize
    limit = max(limit, multiplier.thresholds.convolution_block_bytes // row_bytes, 1)
    start = 0
    for place in _blocks(output_shape, limit):
        block = windows[(slice(None), *place)]
        count = prod(block.shape[1 : 2 + rank])
        if innermost == feature_axis:
            matrices = block.reshape(groups, count, terms)
        else:
            matrices = block.transpose(terms_first).reshape(groups, terms, count).transpose(0, 2, 1)
        rows[start : start + count] = multiply(matrices, kernel).transpose(1, 0, 2)
        start += count
    if innermost == batch_axis:
        result = np.moveaxis(result, rank, 0)
    return groups_first(result)


def groups_first(array: Array) -> Array:
    """From [..., group, feature] to [group, ..., feature]."""
    last = array.ndim - 1
    return array.transpose(last - 1, *range(last - 1), last)


def _stride(windows: Array, axis: int) -> int:
    """Stride for comparisons: a dimension of size 1 is never innermost."""
    return abs(windows.strides[axis]) if windows.shape[axis] > 1 else 1 << 62


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
