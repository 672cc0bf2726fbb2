"""Products in every element type, shared by dot_general, convolution and einsum.

A *product* is a bilinear function of two arrays of one dtype. `typed_product` adapts it to operands and
results of any element types:

- floats are multiplied and summed in f32, or in f64 if one of the types is f64, and rounded once;
- integers give the exact sum modulo the result's width. If floats are exact, the sum is computed in floats,
  which are many times faster than integers; otherwise, in floats on limbs of the operands;
- operands of mixed kinds are first converted to the widest type involved.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product as pairs_of
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.kernels.contractions.native_products import ProductFactory, is_read, is_written
from hlokit.kernels.elementwise.convert import converter
from hlokit.values.element_types import (
    COMPLEX_F32,
    COMPLEX_F64,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    ElementType,
    Kind,
)

Array = npt.NDArray[Any]
Product = Callable[[Array, Array], Array]
TermCount = Callable[[Array, Array], int]

# Integers of up to this many bits are exact in f32 and f64.
_F32_BITS, _F64_BITS = 24, 53

# Below this total size, integers are multiplied as integers: preparing the operands would take longer.
_SMALL = 1024


class Types(NamedTuple):
    """The element types of the operands and of the result of a product."""

    lhs: ElementType
    rhs: ElementType
    result: ElementType


def typed_product(
    types: Types,
    product: Product,
    terms: TermCount,
    precise: Product | None = None,
    native: ProductFactory | None = None,
) -> Callable[[Value, Value], Value]:
    """A kernel that computes `product` for operands and a result of these types.

    Args:
      terms: a function from operands to the number of products in the sum of an element of the result.
      precise: `product` in more than f64 precision. If given, it computes f64, and narrower floats are
        computed in f64.
      native: creates functions that equal `product` and also convert operands and results.
    """
    lhs, rhs, result = types
    if _is_exact(lhs) and _is_exact(rhs) and _is_exact(result):
        if lhs.kind is rhs.kind is result.kind is Kind.BOOL:
            return _any_of(product)
        return _exact(types, product, terms, native)
    work = work_type(*types)
    if precise is not None:
        if work is F64:
            product, native = precise, None
        work = F64
    if Kind.COMPLEX in (lhs.kind, rhs.kind):
        work, native = COMPLEX_F64 if work is F64 else COMPLEX_F32, None
    if native is not None:
        return _directly(types, work, work, native)
    if lhs is rhs is result is work:
        return product
    return _through(types, Types(work, work, work), product)


def work_type(*types: ElementType) -> ElementType:
    """The float type that represents the values of all these types: f32 or f64."""
    return F64 if any(type_.part is F64 for type_ in types) else F32


def _is_exact(type_: ElementType) -> bool:
    return type_.kind.is_integer or type_.kind is Kind.BOOL


def _through(types: Types, work: Types, product: Product) -> Callable[[Value, Value], Value]:
    """Convert operands to the types of `work`, multiply, convert the product to its result, then to that of
    `types`."""
    to_work_lhs, to_work_rhs = converter(types.lhs, work.lhs), converter(types.rhs, work.rhs)
    to_result = converter(work.result, types.result)
    dtype = work.result.dtype

    def kernel(a: Value, b: Value) -> Value:
        products = product(to_work_lhs(np.asarray(a)), to_work_rhs(np.asarray(b)))
        return to_result(products.astype(dtype, copy=False))

    return kernel


def _directly(
    types: Types, work: ElementType, sums: ElementType, native: ProductFactory
) -> Callable[[Value, Value], Value]:
    """As `_through`, but without the conversions that `native` makes unnecessary."""
    lhs, rhs, result = types
    left, right = (type_ if is_read(type_, work) else work for type_ in (lhs, rhs))
    # Kernels write integers for exact sums only; float sums are converted to integers elsewhere.
    written = result if result.kind is Kind.FLOAT and is_written(result, work) else sums
    product = native(left, right, written, work)
    if left is lhs and right is rhs and written is result:
        return product
    return _through(types, Types(left, right, written), product)


def _any_of(product: Product) -> Callable[[Value, Value], Value]:
    """The product of booleans: multiply is AND, add is OR."""
    return lambda a, b: product(a.astype(F32.dtype), b.astype(F32.dtype)) > 0


# Exact products of integers ----------------------------------------------------------------------


def _exact(
    types: Types, product: Product, terms: TermCount, native: ProductFactory | None
) -> Callable[[Value, Value], Value]:
    lhs, rhs, result = types
    width = 64 if result.kind is Kind.BOOL else result.width
    # Modulo a power of two, any signed type of at least that width gives the same result.
    integer = next(type_ for type_ in (I8, I16, I32, I64) if type_.width >= width)
    in_integers = _through(types, Types(integer, integer, integer), product)
    if native is None:
        in_f32 = _through(types, Types(F32, F32, I32), product)
        as_i32 = in_f64 = _through(types, Types(F64, F64, I64), product)
    else:
        in_f32 = _directly(types, F32, I32, native)
        as_i32 = _directly(types, F64, I32, native)
        in_f64 = _directly(types, F64, I64, native)
    in_limbs = _through(types, Types(I64, I64, I64), partial(_in_limbs, product, terms, width))
    factor_bits = _magnitude_bits(lhs) + _magnitude_bits(rhs)

    def kernel(a: Value, b: Value) -> Value:
        if native is None and a.size + b.size <= _SMALL:
            return in_integers(a, b)
        bits = factor_bits + _bits_of(terms(a, b))
        if bits <= _F32_BITS:
            return in_f32(a, b)
        if bits < I32.width - 1:
            return as_i32(a, b)
        return in_f64(a, b) if bits <= _F64_BITS else in_limbs(a, b)

    return kernel


def _magnitude_bits(type_: ElementType) -> int:
    """n with |value| <= 2^n for all values of an integer type."""
    return type_.width - 1 if type_.kind is Kind.SIGNED else type_.width


def _bits_of(count: int) -> int:
    """n with count <= 2^n."""
    return max(count - 1, 0).bit_length()


def _in_limbs(product: Product, terms: TermCount, width: int, a: Array, b: Array) -> Array:
    """The product of i64, correct in its lower `width` bits, from limbs of the operands.

    f64 holds the sums of each product of limbs. Small values require one limb, for types of any width.
    """
    bits_a, bits_b, bits_terms = _bits(a), _bits(b), _bits_of(terms(a, b))
    if bits_a + bits_b + bits_terms <= _F64_BITS:
        return product(a.astype(np.float64), b.astype(np.float64)).astype(np.int64)
    size = (_F64_BITS - bits_terms) // 2
    total: Array | None = None
    for (i, limb_a), (j, limb_b) in pairs_of(
        enumerate(_limbs(a, bits_a, size)), enumerate(_limbs(b, bits_b, size))
    ):
        shift = size * (i + j)
        if shift < width:
            sums = product(limb_a, limb_b).astype(np.int64) << np.int64(shift)
            total = sums if total is None else total + sums
    assert total is not None, "the lowest parts are not shifted"
    return total


def _bits(values: Array) -> int:
    """n with |value| <= 2^n for all values."""
    return max(int(values.max()), -int(values.min()), 1).bit_length() if values.size else 0


def _limbs(values: Array, bits: int, size: int) -> list[Array]:
    """f64 limbs p0, p1, ... of at most `size` bits with values = p0 + p1 2^size + p2 2^(2 size) + ..."""
    limbs: list[Array] = []
    while bits > size:
        limbs.append((values & np.int64((1 << size) - 1)).astype(np.float64))
        values = values >> np.int64(size)
        bits -= size
    return [*limbs, values.astype(np.float64)]
