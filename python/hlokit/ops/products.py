"""Sums of products in every element type: what dot_general, convolution and einsum have in common.

A *product* is a bilinear function of two arrays of one dtype, made of BLAS calls. `with_types` makes of it a
function for operands and a result of any element types:

- floats are multiplied and summed in f32, in f64 if one of the types is f64, and rounded once;
- integers give the exact sum modulo the result's width. It is computed in floats where these hold it,
  many times faster than integers are, else in floats from a few parts of the operands;
- with mixed kinds the operands are converted to the widest type involved first.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as pairs_of
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.interpreter.registry import Value
from hlokit.ops.narrow_floats import rounding, widen
from hlokit.values.element_types import ElementType, Kind

Array = npt.NDArray[Any]
Product = Callable[[Array, Array], Array]

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_EXACT_F32, _EXACT_F64 = 1 << 24, 1 << 53
_EXACT_BITS = 53

# Operands below this size in total are multiplied as integers: preparing them would take longer.
_SMALL = 1024


def with_types(
    lhs: ElementType,
    rhs: ElementType,
    result: ElementType,
    product: Product,
    terms: Callable[[Array, Array], int],
) -> Callable[[Value, Value], Value]:
    """A kernel that computes `product` of operands of types `lhs` and `rhs` in type `result`.

    `terms` gives the number of products that make up an element of the result, from the operands.
    """
    if _is_exact(lhs) and _is_exact(rhs):
        if result.kind is Kind.BOOL and lhs.kind is Kind.BOOL and rhs.kind is Kind.BOOL:
            return _any_of(product)
        if _is_exact(result):
            return _exact(lhs, rhs, result, product, terms)
    return _inexact(lhs, rhs, result, product)


def work_dtype(*types: ElementType) -> np.dtype[np.generic]:
    """The float dtype wide enough to compute with all of these types."""
    return _F64 if any(type_.part.dtype == _F64 for type_ in types) else _F32


def _is_exact(type_: ElementType) -> bool:
    return type_.kind.is_integer or type_.kind is Kind.BOOL


def _inexact(
    lhs: ElementType, rhs: ElementType, result: ElementType, product: Product
) -> Callable[[Value, Value], Value]:
    work = work_dtype(lhs, rhs, result)
    if Kind.COMPLEX in (lhs.kind, rhs.kind):
        work = np.result_type(work, np.complex64)
    if lhs.dtype == rhs.dtype == result.dtype == work:
        return product
    finish = _from_work(result, work)
    if lhs.dtype == rhs.dtype == work:
        return lambda lhs, rhs: finish(product(lhs, rhs))
    widen_lhs, widen_rhs = to_work(lhs, work), to_work(rhs, work)
    return lambda lhs, rhs: finish(product(widen_lhs(lhs), widen_rhs(rhs)))


def to_work(type_: ElementType, work: np.dtype[Any]) -> Callable[[Value], Array]:
    """From an element type to the dtype that is computed in."""
    if type_.is_narrow_float:
        return widen if work == _F32 else lambda values: widen(values).astype(work)
    return lambda values: values.astype(work, copy=False)


def _from_work(result: ElementType, work: np.dtype[Any]) -> Callable[[Array], Array]:
    """From sums in a float or complex dtype to an element type, rounded once."""
    dtype = result.dtype
    if result.kind is Kind.COMPLEX:
        return lambda sums: sums.astype(dtype, copy=False)
    if result.kind is Kind.FLOAT:
        if work.kind == "c":
            round_ = rounding(dtype, _F32 if work == np.complex64 else _F64)
            return lambda sums: round_(np.real(sums))
        return rounding(dtype, work)
    if result.kind is Kind.BOOL:
        return lambda sums: sums != 0
    low = -(1 << (result.width - 1)) if result.kind is Kind.SIGNED else 0
    high = low + (1 << result.width) - 1

    def to_integer(sums: Array) -> Array:
        # Towards zero, to the nearest integer of the type, and NaN to 0. Doubles hold all bounds but the
        # largest 64-bit integers, which are put in afterwards.
        values = np.trunc(np.real(sums).astype(np.float64))
        values = np.where(np.isnan(values), 0.0, values)
        is_high = values >= float(high)
        wide = np.int64 if result.kind is Kind.SIGNED else np.uint64
        integers = np.where(is_high, 0.0, np.maximum(values, float(low))).astype(wide)
        return np.where(is_high, wide(high), integers).astype(dtype)

    return to_integer


def _any_of(product: Product) -> Callable[[Value, Value], Value]:
    """Of bools: multiply is AND, add is OR."""
    return lambda lhs, rhs: product(lhs.astype(_F32), rhs.astype(_F32)) > 0


# Exact products of integers ----------------------------------------------------------------------


def _exact(
    lhs: ElementType,
    rhs: ElementType,
    result: ElementType,
    product: Product,
    terms: Callable[[Array, Array], int],
) -> Callable[[Value, Value], Value]:
    magnitude = _largest(lhs) * _largest(rhs)
    finish = _wrapper(result)
    width = 64 if result.kind is Kind.BOOL else result.width
    direct = np.dtype(f"i{max(width // 8, 1)}")

    def kernel(a: Value, b: Value) -> Value:
        largest = terms(a, b) * magnitude
        if a.size + b.size <= _SMALL:
            return finish(product(_wrapped(a, direct), _wrapped(b, direct)))
        if largest <= _EXACT_F32:
            return finish(product(a.astype(_F32), b.astype(_F32)).astype(np.int32))
        if largest <= _EXACT_F64:
            return finish(product(a.astype(_F64), b.astype(_F64)).astype(np.int64))
        wide_a, wide_b = _wrapped(a, np.dtype(np.int64)), _wrapped(b, np.dtype(np.int64))
        return finish(_in_parts(product, wide_a, wide_b, terms(a, b), width))

    return kernel


def _largest(type_: ElementType) -> int:
    """The largest magnitude of an integer type's values."""
    return 1 << (type_.width - 1) if type_.kind is Kind.SIGNED else (1 << type_.width) - 1


def _wrapped(values: Value, dtype: np.dtype[np.generic]) -> Array:
    """Integers modulo the width of a signed dtype."""
    return np.asarray(values).astype(dtype, copy=False)


def _wrapper(result: ElementType) -> Callable[[Array], Array]:
    """From integers to an element type, modulo its width."""
    dtype = result.dtype
    if result.kind is Kind.BOOL:
        return lambda sums: sums != 0
    if result.is_narrow_integer:
        return lambda sums: sums.astype(np.int8).astype(dtype)
    return lambda sums: sums.astype(dtype, copy=False)


def _in_parts(product: Product, a: Array, b: Array, terms: int, width: int) -> Array:
    """The product modulo 2^64, correct in its lower `width` bits, of operands cut into parts of few bits.

    Each part of `a` times each part of `b` is a product whose sums a double holds exactly. Small values need
    one part however wide their type is.
    """
    bits_a, bits_b, bits_terms = _bits(a), _bits(b), max(terms - 1, 0).bit_length()
    if bits_a + bits_b + bits_terms <= _EXACT_BITS:
        return product(a.astype(_F64), b.astype(_F64)).astype(np.int64)
    size = (_EXACT_BITS - bits_terms) // 2
    parts_a, parts_b = _parts(a, bits_a, size), _parts(b, bits_b, size)
    total: Array | None = None
    for (i, part_a), (j, part_b) in pairs_of(enumerate(parts_a), enumerate(parts_b)):
        shift = size * (i + j)
        if shift < width:
            sums = product(part_a, part_b).astype(np.int64) << np.int64(shift)
            total = sums if total is None else total + sums
    assert total is not None
    return total


def _bits(values: Array) -> int:
    """n with |value| <= 2^n for all values."""
    if not values.size:
        return 0
    return max(int(values.max()), -int(values.min()), 1).bit_length()


def _parts(values: Array, bits: int, size: int) -> list[Array]:
    """Doubles p0, p1, ... of at most `size` bits with values = p0 + p1 2^size + p2 2^(2 size) + ..."""
    parts: list[Array] = []
    while bits > size:
        parts.append((values & np.int64((1 << size) - 1)).astype(_F64))
        values = values >> np.int64(size)
        bits -= size
    return [*parts, values.astype(_F64)]
