"""Sums and products of f64 in about twice its precision, for `precision="high"`.

A *pair* (high, low) of arrays represents high + low; low accumulates the rounding errors of high, each
computed exactly by one operation. Sources: Knuth's two-sum, Dekker's product, Ogita, Rump and Oishi's Sum2
and Dot2 ("Accurate sum and dot product", 2005), applied in a tree. If low is infinite or NaN, high has left
or almost left the range of f64, and only high counts.

The parts of complex numbers are summed separately: complex numbers become floats with a last dimension of 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.kernels.elementwise.error_free import split, two_sum
from hlokit.values.element_types import F64

Array = npt.NDArray[Any]
Pair = tuple[Array, ...]

# Elements per block, so that a block fits the cache.
_BLOCK = 1 << 15
# The least number of terms per block, for matrices of any size.
_FEWEST_TERMS = 64


def two_product(a: Array, b: Array) -> Pair:
    """a * b rounded, and its rounding error."""
    total = a * b
    (a_high, a_low), (b_high, b_low) = split(a), split(b)
    return total, a_low * b_low - (((total - a_high * b_high) - a_low * b_high) - a_high * b_low)


def add_pairs(lhs: Pair, rhs: Pair) -> Pair:
    """The sum of two pairs."""
    high, error = two_sum(lhs[0], rhs[0])
    return high, error + (lhs[1] + rhs[1])


def multiply_pairs(lhs: Pair, rhs: Pair) -> Pair:
    """The product of two pairs."""
    high, error = two_product(lhs[0], rhs[0])
    return high, error + (lhs[0] * rhs[1] + lhs[1] * rhs[0])


def pair_of(values: Array) -> Pair:
    """Values of f64 as a pair without errors."""
    return values, np.zeros_like(values)


def rounded(pair: Pair) -> Array:
    """The value of a pair, rounded to f64; high alone where low is infinite or NaN."""
    high, low = pair
    return high + np.where(np.isfinite(low), low, 0.0)


def as_floats(values: Array) -> Array:
    """Complex numbers as floats with a last dimension of 2; floats unchanged."""
    if values.dtype.kind != "c":
        return values
    return np.ascontiguousarray(values).view(F64.dtype).reshape(*values.shape, 2)


def from_floats(values: Array, dtype: np.dtype[Any]) -> Array:
    """The inverse of `as_floats`, for dtype f64 or complex<f64>."""
    if dtype.kind != "c":
        return values
    return np.ascontiguousarray(values).view(dtype)[..., 0]


def fold(combine: Callable[[Pair, Pair], Pair], pair: Pair) -> Pair:
    """Combine the values of the leading axis, of size at least 1, in a tree that does not keep order."""
    high, low = pair
    while (size := high.shape[0]) > 1:
        half = size // 2
        first, second = slice(half), slice(size - half, size)
        folded = combine((high[first], low[first]), (high[second], low[second]))
        if size % 2:
            folded = tuple(
                [np.concatenate((new, old[half : half + 1])) for new, old in zip(folded, pair, strict=True)]
            )
        pair = high, low = folded
    return high[0], low[0]


def reduce_first(combine: Callable[[Pair, Pair], Pair], values: Array, init: Array) -> Array:
    """`init` and the values of the first axis combined, rounded once."""
    total = pair_of(np.broadcast_to(init, values.shape[1:]))
    rows = max(_BLOCK // max(values[:1].size, 1), 2)
    for start in range(0, values.shape[0], rows):
        total = combine(total, fold(combine, pair_of(values[start : start + rows])))
    return rounded(total)


def reduce_axes(ufunc: np.ufunc, array: Array, axes: tuple[int, ...], init: Array) -> Array:
    """The sum of f64 or complex<f64>, or the product of f64, over axes."""
    moved = np.moveaxis(array, axes, range(len(axes)))
    shape = moved.shape[len(axes) :]
    moved = moved.reshape(prod(moved.shape[: len(axes)]), *shape)
    start = as_floats(np.asarray(init, array.dtype))
    return from_floats(reduce_first(combiner_of(ufunc), as_floats(moved), start), array.dtype)


def sum_axes(array: Array, axes: tuple[int, ...]) -> Array:
    """The sum of f64 or complex<f64> over axes."""
    return reduce_axes(np.add, array, axes, np.zeros((), array.dtype))


def sum_at(result: Array, places: npt.NDArray[np.intp], values: Array) -> None:
    """result[places[i]] += values[i] for all i, in place. Places may repeat; each result is rounded once."""
    if not places.size:
        return
    order = np.argsort(places, kind="stable")
    where = places[order]
    pair = pair_of(as_floats(values[order]))
    # Add neighbouring pairs of the same place until each place has one pair.
    while (same := where[1:] == where[:-1]).any():
        starts = np.flatnonzero(np.concatenate(([True], ~same)))
        rank = np.arange(where.size) - np.repeat(starts, np.diff(np.append(starts, where.size)))
        kept = rank % 2 == 0
        firsts = np.flatnonzero(kept[:-1] & ~kept[1:])
        sums = add_pairs(tuple([p[firsts] for p in pair]), tuple([p[firsts + 1] for p in pair]))
        for part, new in zip(pair, sums, strict=True):
            part[firsts] = new
        where, pair = where[kept], tuple([part[kept] for part in pair])
    total = add_pairs(pair_of(as_floats(result[where])), pair)
    result[where] = from_floats(rounded(total), result.dtype)


# Matrix products ---------------------------------------------------------------------------------


def matmul(a: Array, b: Array) -> Array:
    """The product of (stacks of) matrices of f64 or complex<f64>, with every element rounded once."""
    if a.dtype.kind == "c":
        right = np.concatenate((np.real(b), np.imag(b)), -2)
        real = matmul(np.concatenate((np.real(a), -np.imag(a)), -1), right)
        imaginary = matmul(np.concatenate((np.imag(a), np.real(a)), -1), right)
        return from_floats(np.stack((real, imaginary), -1), a.dtype)
    result = np.zeros((*a.shape[:-1], b.shape[-1]), a.dtype)
    if 0 not in (*result.shape, a.shape[-1]):
        for index in np.ndindex(a.shape[:-2]):
            _matmul_into(result[index], a[index], b[index])
    return result


def _matmul_into(result: Array, a: Array, b: Array) -> None:
    (rows, terms), columns = a.shape, b.shape[1]
    step = min(terms, max(_FEWEST_TERMS, _BLOCK // (rows * columns)))
    left = [np.ascontiguousarray(part.T)[:, :, None] for part in (a, *split(a))]
    right = [np.ascontiguousarray(part)[:, None, :] for part in (b, *split(b))]
    for m, n in _tiles(rows, columns, max(_BLOCK // step, 1)):
        total: Pair | None = None
        for start in range(0, terms, step):
            k = slice(start, start + step)
            x, x_high, x_low = (part[k, m] for part in left)
            y, y_high, y_low = (part[k, :, n] for part in right)
            products = x * y
            errors = x_low * y_low - (((products - x_high * y_high) - x_low * y_high) - x_high * y_low)
            part = fold(add_pairs, (products, errors))
            total = part if total is None else add_pairs(total, part)
        assert total is not None, "there is a term"
        result[m, n] = rounded(total)
    result += 0.0  # sums start at 0, so no result is -0


def _tiles(rows: int, columns: int, size: int) -> Iterator[tuple[slice, slice]]:
    width = min(columns, size)
    height = max(size // width, 1)
    for top in range(0, rows, height):
        for left in range(0, columns, width):
            yield slice(top, top + height), slice(left, left + width)


def combiner_of(ufunc: np.ufunc) -> Callable[[Pair, Pair], Pair]:
    """The function that adds or multiplies pairs."""
    return add_pairs if ufunc is np.add else multiply_pairs


def is_compensated(ufunc: np.ufunc, dtype: np.dtype[Any]) -> bool:
    """Whether reductions by `ufunc` in `dtype` can be compensated: sums of f64 and complex<f64>, products
    of f64."""
    return dtype == np.float64 or (dtype == np.complex128 and ufunc is np.add)


def fold_arrays(ufunc: np.ufunc, arrays: list[Array]) -> Array:
    """Arrays of one shape combined elementwise, rounded once; their dtype must satisfy `is_compensated`."""
    return reduce_axes(ufunc, np.stack(arrays[1:]), (0,), arrays[0]) if len(arrays) > 1 else arrays[0]
