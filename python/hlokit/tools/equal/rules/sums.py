"""Sums of products of exact numbers, and sums, as the cards name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np

from hlokit.engine.contract.array_ops import Dot
from hlokit.engine.contract.registry import Kernel
from hlokit.engine.native.ir.target import is_enabled
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.laws import Law
from hlokit.tools.equal.rules.meanings import Binding, Exactly
from hlokit.tools.equal.rules.numbers import (
    COMPLEX,
    LAWFUL,
    REAL,
    Number,
    dtype_of,
    embedded,
    finite,
    floats_of,
    number_of,
    packed,
    real_type,
    total,
)
from hlokit.values.types import TensorType

# Contractions of at most so many products compute floats and numbers in one piece of native code, larger ones
# by kernels of f64 and of the field; the largest, which take many milliseconds, by kernels of f64 alone.
_FEW_PRODUCTS, _MANY_PRODUCTS = 1 << 20, 1 << 26


def _bilinear(binding: Binding) -> Kernel:
    """A contraction or a convolution: the operation's own kernel, on limbs."""
    floats, real = binding.floats().function, binding.bind(real_type).function
    dtype = dtype_of(binding.operation.result_types[0])
    terms = cache(partial(_terms, real))
    native = _native_product(binding)
    is_small = _is_small(binding)

    def kernel(lhs: Any, rhs: Any, *others: Any) -> Any:
        if native is not None and is_small:
            return native(lhs, rhs)
        result = floats(floats_of(lhs), floats_of(rhs), *others)
        one, two = number_of(lhs), number_of(rhs)
        shapes = one.real.shape, two.real.shape
        degree = sum([np.max(number.degree, initial=0) for number in (one, two)])
        count = _terms(real, *shapes, others) if others else terms(*shapes)
        product = partial(_product, real, count, others)
        if native is not None and np.size(result) * count <= _MANY_PRODUCTS:
            product = native
        if one.imaginary is not None and two.imaginary is not None:
            difference = field.negative(product(one.imaginary, two.imaginary))
            cross = product(one.real, two.imaginary), product(one.imaginary, two.real)
            number = Number(
                field.add(product(one.real, two.real), difference), field.add(*cross), None, degree
            )
        else:
            number = Number(product(one.real, two.real), None, _law(real, one.law, two.law, others), degree)
        return packed(result, finite(result, number, dtype), dtype)

    return Kernel(kernel)


def _native_product(binding: Binding) -> Callable[[Array, Array], Array] | None:
    """The contraction of numbers, or of exact real numbers, in native code; None for other operations."""
    array_op, types = binding.floats().array_op, binding.operation.operand_types
    one, two = (type_ if isinstance(type_, TensorType) else None for type_ in types[:2])
    if not isinstance(array_op, Dot) or one is None or two is None or not is_enabled():
        return None
    return contraction_product(array_op.numbers, one, two, field.matrix_product)


def _is_small(binding: Binding) -> bool:
    """Whether a contraction is one of few exact numbers, without laws."""
    types = *binding.operation.operand_types, *binding.operation.result_types
    if not all(isinstance(type_, TensorType) and type_.is_static for type_ in types):
        return False
    if len(set(map(dtype_of, types))) > 1 or dtype_of(types[0]) == LAWFUL:
        return False
    one, other, result = (type_.size for type_ in types if isinstance(type_, TensorType))
    return one * other * result <= _FEW_PRODUCTS**2  # the square of the number of products, or more


def _law(real: Callable[..., Any], one: Law | None, two: Law | None, others: Any) -> Law | None:
    if one is None or two is None:
        return None

    def product(lhs: Array, rhs: Array) -> Any:
        return real(lhs, rhs, *others)

    return laws.unshifted(laws.sum_of_products(product, one.exponent, two.exponent))


def _terms(
    real: Callable[..., Any], lhs: tuple[int, ...], rhs: tuple[int, ...], others: Sequence[Any] = ()
) -> int:
    """The largest number of products that a bilinear function adds: its largest result for ones."""
    counts = np.asarray(real(np.ones(lhs), np.ones(rhs), *others))
    return int(counts.max(initial=1))


def _product(real: Callable[..., Any], terms: int, others: Any, lhs: Array, rhs: Array) -> Array:
    def product(one: Array, two: Array) -> Any:
        return real(one, two, *others)

    return field.sum_of_products(product, lhs, rhs, terms)


def _einsum(binding: Binding) -> Kernel:
    """Of one operand: sums of its elements."""
    floats, real = binding.floats().function, binding.bind(real_type).function
    dtype = dtype_of(binding.operation.result_types[0])

    def kernel(operand: Any) -> Any:
        number = number_of(operand)
        terms = int(np.asarray(real(np.ones(np.shape(operand)))).max(initial=1))

        def product(limb: Array, unit: Array) -> Any:
            return real(limb) * unit

        one = np.ones((), np.uint64)
        parts = [field.sum_of_products(product, part, one, terms) for part in number.parts]
        imaginary = parts[1] if len(parts) > 1 else None
        degree = np.max(number.degree, initial=0)
        return packed(floats(floats_of(operand)), Number(parts[0], imaginary, None, degree), dtype)

    return Kernel(kernel)


def _reduce(binding: Binding) -> Kernel:
    """A sum of exact numbers as a product with ones, in native code; other reductions by their regions."""
    operation = binding.operation
    general, types = binding.bind(lambda type_: type_), operation.operand_types
    type_, (region,) = types[0], operation.regions
    is_sum = len(types) == 2 and isinstance(type_, TensorType) and type_.is_static and is_enabled()
    if not is_sum or dtype_of(type_) not in (REAL, COMPLEX) or operation.capture_count:
        return general
    assert isinstance(type_, TensorType)
    dtype, dimensions = dtype_of(type_), operation.attributes.ints("dimensions")
    kept = [dimension for dimension in range(type_.rank) if dimension not in dimensions]
    order, shape = (*kept, *dimensions), [type_.dims[dimension] for dimension in kept]
    terms = prod([type_.dims[dimension] for dimension in dimensions])
    ones = embedded(np.ones((1, terms, 1)), dtype)

    def kernel(operand: Any, init_value: Any) -> Any:
        if region.binary != "stablehlo.add":
            return general.function(operand, init_value)
        rows = operand.transpose(order).reshape(1, prod(shape), terms)
        result = field.matrix_product(rows, ones).reshape(shape)
        initial = number_of(init_value)
        if all(part == 0 for part in initial.parts) and floats_of(init_value) == 0:
            return result
        return total(result, np.broadcast_to(init_value, shape))

    return general._replace(function=kernel, source=None)


BILINEAR = Exactly(_bilinear)
REDUCE = Exactly(_reduce)
UNARY_EINSUM = Exactly(_einsum)
