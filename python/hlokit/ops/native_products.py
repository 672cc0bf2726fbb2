"""Sums of products by compiled kernels (`hlokit._native.Product`), as accurate as pairwise summation.

They read and write arrays of most element types, in any memory layout, and compute in f32 or f64.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from hlokit import _native
from hlokit.interpreter.switches import is_on
from hlokit.values.element_types import BF16, F16, F32, F64, UI64, ElementType, Kind

Array = npt.NDArray[Any]
# Fills the third array, which shares no memory with the others: c[batch, rows, columns] is the sum over terms
# of a[batch, rows, terms] b[batch, terms, columns], each of which may be several dimensions.
Fill = Callable[[Array, Array, Array], None]
# Gives a function for operands and a result of some types; the last one is that to compute in.
Factory = Callable[[ElementType, ElementType, ElementType, ElementType], Callable[[Array, Array], Array]]

THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

_WRITTEN = {F32: ("bf16", "i32", "f32"), F64: ("i32", "i64", "f32", "f64")}


def is_enabled() -> bool:
    """Whether products are computed here, or else by BLAS."""
    return is_on("native") and is_on("native-products")


def is_read(type_: ElementType, work: ElementType) -> bool:
    """Whether operands may be of this type; `work` is f32 or f64."""
    return _name(type_) is not None and (type_ is not F64 or work is F64)


def is_written(type_: ElementType, work: ElementType) -> bool:
    """Whether results may be of this type. Integers must be exact in `work`."""
    return type_.name in _WRITTEN[work]


@cache
def fill(
    lhs: ElementType, rhs: ElementType, result: ElementType, work: ElementType, batch: int, terms: int
) -> Fill:
    """For operands that are read and a result that is written.

    Args:
      batch, terms: how many dimensions these are.
    """
    run: Callable[..., bool] = _native.Product(
        _known(lhs), _known(rhs), _known(result), work.name, batch, terms
    ).run
    views = tuple(_bits_dtype(type_) for type_ in (lhs, rhs, result))

    def plain(a: Array, b: Array, c: Array) -> None:
        if not run(a, b, c, THREADS):
            _copied(run, a, b, c)

    def of_bits(a: Array, b: Array, c: Array) -> None:
        a, b, c = (x if dtype is None else x.view(dtype) for x, dtype in zip((a, b, c), views, strict=True))
        plain(a, b, c)

    return plain if views == (None, None, None) else of_bits


def fill_complex(part: ElementType, batch: int, terms: int) -> Fill:
    """For complex arrays whose parts have type `part`: f32 or f64."""
    real = fill(part, part, part, part, batch, terms + 1)

    def kernel(a: Array, b: Array, c: Array) -> None:
        rows, columns = a.ndim - batch - terms, b.ndim - batch - terms
        if a.size >= b.size:
            # [batch, rows, terms, part] times [batch, terms, part, columns, part of result]
            real(_parts(a), _matrices(b, batch + terms), _parts(c))
            return
        # The other way round: [batch, columns, terms, part] times [batch, terms, part, rows, part of result]
        first, last = tuple(range(batch)), batch + terms
        lhs = _parts(b).transpose(*first, *range(last, last + columns), *range(batch, last), -1)
        between = batch + rows
        factors = _matrices(
            a.transpose(*first, *range(between, a.ndim), *range(batch, between)), batch + terms
        )
        result = _parts(c).transpose(*first, *range(between, between + columns), *range(batch, between), -1)
        real(lhs, factors, result)

    return kernel


def _parts(array: Array) -> Array:
    """A view with a last dimension for real and imaginary part."""
    size = array.itemsize // 2
    shape, strides = (*array.shape, 2), (*array.strides, size)
    return as_strided(np.real(array), shape, strides, writeable=array.flags.writeable)


def _matrices(array: Array, shared: int) -> Array:
    """What the parts of another factor are multiplied with: [shared..., part, others..., part of result]."""
    real, imaginary = np.real(array), np.imag(array)
    result = np.empty((*array.shape[:shared], 2, *array.shape[shared:], 2), real.dtype)
    before = (slice(None),) * shared
    result[(*before, 0, ..., 0)] = result[(*before, 1, ..., 1)] = real
    result[(*before, 0, ..., 1)] = imaginary
    # Not np.negative: where results are apart, NumPy 2.4 takes every fourth f32 (eighth f64) for neighbours.
    np.multiply(imaginary, -1, out=result[(*before, 1, ..., 0)])
    return result


def _copied(run: Callable[..., bool], a: Array, b: Array, c: Array) -> None:
    """For arrays that are not aligned."""
    result = np.empty(c.shape, c.dtype)
    done = run(np.array(a), np.array(b), result, THREADS)
    assert done, "copies are aligned"
    c[...] = result


def _name(type_: ElementType) -> str | None:
    """What the kernels call it; None if they have no such type."""
    if type_ in (BF16, F16, F32, F64):
        return type_.name
    if type_.kind is Kind.BOOL:
        return "ui8"
    is_whole = type_.kind.is_integer and not type_.is_narrow_integer and type_ is not UI64
    return type_.name if is_whole else None


def _known(type_: ElementType) -> str:
    name = _name(type_)
    assert name is not None, f"{type_} is not read"
    return name


def _bits_dtype(type_: ElementType) -> np.dtype[Any] | None:
    """As what arrays are given if their own dtype is not NumPy's."""
    return None if type_.dtype.isbuiltin == 1 else type_.bits_dtype
