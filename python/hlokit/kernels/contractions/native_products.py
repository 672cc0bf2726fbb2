"""Strided matrix products in compiled code (`hlokit._kernels.Product`), as accurate as pairwise summation.

The kernels read and write most element types in any memory layout, and compute in f32 or f64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.engine.contract.threads import thread_count
from hlokit.values.element_types import BF16, COMPLEX_F32, COMPLEX_F64, F16, F32, F64, UI64, ElementType, Kind

Array = npt.NDArray[Any]
# Fills the third array, which must not alias the others: c[batch, rows, columns] is the sum over terms of
# a[batch, rows, terms] b[batch, terms, columns]. Batch, rows, columns and terms may each consist of several
# dimensions.
StridedMatmul = Callable[[Array, Array, Array], None]
# Creates a product from the element types of lhs, rhs, result and computation.
ProductFactory = Callable[
    [ElementType, ElementType, ElementType, ElementType], Callable[[Array, Array], Array]
]


_WRITTEN = {F32: ("bf16", "f16", "i32", "f32"), F64: ("i32", "i64", "f32", "f64")}


def is_read(type_: ElementType, work: ElementType) -> bool:
    """Whether operands may have this type if the computation runs in `work`, f32 or f64."""
    return _name(type_) is not None and type_.kind is not Kind.COMPLEX and (type_ is not F64 or work is F64)


def is_written(type_: ElementType, work: ElementType) -> bool:
    """Whether results may have this type. Integer sums must be exact in `work`."""
    return type_.name in _WRITTEN[work]


def strided_matmul(
    lhs: ElementType, rhs: ElementType, result: ElementType, work: ElementType, batch: int, terms: int
) -> StridedMatmul:
    """A strided product for operand types that kernels read and a result type that kernels write.

    It is prepared for the sizes and strides of its last call: each operation should have its own.

    Args:
      work: the type to compute in; of complex numbers, that of their parts.
      batch, terms: the numbers of batch dimensions and of contracted dimensions.
    """
    run: Callable[..., bool] = _kernels.Product(
        _name_of(lhs), _name_of(rhs), _name_of(result), work.name, batch, terms
    ).run
    threads = thread_count()
    views = tuple(_bits_dtype(type_) for type_ in (lhs, rhs, result))

    def plain(a: Array, b: Array, c: Array) -> None:
        if not run(a, b, c, threads):
            _copied(run, a, b, c)

    def of_bits(a: Array, b: Array, c: Array) -> None:
        a, b, c = (x if dtype is None else x.view(dtype) for x, dtype in zip((a, b, c), views, strict=True))
        plain(a, b, c)

    return plain if views == (None, None, None) else of_bits


@cache
def matmul_of(type_: ElementType, batch: int, terms: int) -> StridedMatmul:
    """The product of arrays of one type, f32, f64 or complex, which operations share."""
    return strided_matmul(type_, type_, type_, type_.part, batch, terms)


def _copied(run: Callable[..., bool], a: Array, b: Array, c: Array) -> None:
    """The product of unaligned arrays, by copies."""
    result = np.empty(c.shape, c.dtype)
    done = run(np.array(a), np.array(b), result, thread_count())
    assert done, "copies are aligned"
    c[...] = result


def _name(type_: ElementType) -> str | None:
    """The kernels' name of the type; None if they lack the type."""
    if type_ in (BF16, F16, F32, F64, COMPLEX_F32, COMPLEX_F64):
        return type_.name
    if type_.kind is Kind.BOOL:
        return "ui8"
    is_whole = type_.kind.is_integer and not type_.is_narrow_integer and type_ is not UI64
    return type_.name if is_whole else None


def _name_of(type_: ElementType) -> str:
    name = _name(type_)
    assert name is not None, f"{type_} is not read"
    return name


def _bits_dtype(type_: ElementType) -> np.dtype[Any] | None:
    """The dtype that kernels receive in place of a dtype that is not NumPy's own."""
    return None if type_.dtype.isbuiltin == 1 else type_.bits_dtype
