"""dot_general and dot.

A contraction is one strided product in compiled code, which adds in the order of `rules.sum_of_products`. For
integers, and with compensation, a contraction consists of transposes, reshapes and a product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt, prod
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.compensated import matmul
from hlokit.kernels.contractions.native_products import (
    ProductFactory,
    StridedMatmul,
    strided_matmul,
)
from hlokit.kernels.contractions.products import Array, Product, Types, typed_product, work_type
from hlokit.kernels.elementwise.convert import converter
from hlokit.mlir.conversion.dimension_numbers import DotAlgorithm, DotDimensionNumbers
from hlokit.values.bits import with_mantissa_bits
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, ELEMENT_TYPES, F32, F64, ElementType, Kind
from hlokit.values.types import TensorType

Shape = tuple[int, ...]


def dot_general(operation: Operation) -> Kernel:
    """spec "dot_general": result[b.., l.., r..] = sum over k.. of lhs[b.., l.., k..] * rhs[b.., r.., k..].

    Every `precision_config` is computed as HIGHEST: products and sums in f32 or wider, never narrower than
    the operands. An `algorithm` rounds the operands to its precision types first, see `_with_algorithm`.
    """
    attributes = operation.attributes
    numbers = attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs, result = operation.operand(0), operation.operand(1), operation.result()
    if "algorithm" not in attributes:
        return _contraction(numbers, lhs, rhs, result, operation.is_precise)
    algorithm = attributes.read("algorithm", DotAlgorithm.read)
    return _with_algorithm(algorithm, numbers, lhs, rhs, result)


def dot(operation: Operation) -> Kernel:
    """Not in the spec: dot_general of vectors and matrices that contracts lhs[-1] with rhs[0]."""
    lhs, rhs = operation.operand(0), operation.operand(1)
    numbers = DotDimensionNumbers((), (), (lhs.rank - 1,), (0,))
    return _contraction(numbers, lhs, rhs, operation.result(), operation.is_precise)


def _contraction(
    numbers: DotDimensionNumbers, lhs: TensorType, rhs: TensorType, result: TensorType, is_precise: bool
) -> Kernel:
    contracting = numbers.lhs_contracting_dimensions

    def terms(a: Array, b: Array) -> int:
        del b
        return prod([a.shape[dimension] for dimension in contracting])

    product = contraction_product(numbers, lhs, rhs)
    precise = contraction_product(numbers, lhs, rhs, matmul) if is_precise else None
    native = native_contraction(numbers, lhs.rank, rhs.rank)
    types = Types(lhs.element_type, rhs.element_type, result.element_type)
    array_op = None if is_precise else array_ops.Dot(numbers)
    return Kernel(typed_product(types, product, terms, precise, native), array_op=array_op)


# Compiled kernels --------------------------------------------------------------------------------


def native_contraction(numbers: DotDimensionNumbers, lhs_rank: int, rhs_rank: int) -> ProductFactory:
    """dot_general by compiled kernels, which read operands in any layout."""
    orders = _orders(numbers, lhs_rank, rhs_rank)

    def of(lhs: ElementType, rhs: ElementType, result: ElementType, work: ElementType) -> Product:
        sums = strided_matmul(lhs, rhs, result, work, orders.batch, orders.terms)
        return _native_product(orders, sums, result.dtype)

    return of


class _DimensionOrders(NamedTuple):
    """Orders of dimensions, batch first, and the numbers of batch and contracted dimensions."""

    lhs: Shape  # batch, rows, terms
    rhs: Shape  # batch, terms, columns
    batch: int
    terms: int


def _orders(numbers: DotDimensionNumbers, lhs_rank: int, rhs_rank: int) -> _DimensionOrders:
    lhs_batching, rhs_batching = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    # Contracted dimensions in the order of lhs, so that neighbouring dimensions of lhs stay in place.
    contracting = sorted(
        zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True)
    )
    lhs_contracting, rhs_contracting = (tuple(pair[side] for pair in contracting) for side in (0, 1))
    lhs_free = tuple(d for d in range(lhs_rank) if d not in lhs_batching + lhs_contracting)
    rhs_free = tuple(d for d in range(rhs_rank) if d not in rhs_batching + rhs_contracting)
    lhs, rhs = lhs_batching + lhs_free + lhs_contracting, rhs_batching + rhs_contracting + rhs_free
    return _DimensionOrders(lhs, rhs, len(lhs_batching), len(contracting))


class _NativeProducts:
    """Products of operands of one type: f32, f64 or complex."""

    def __init__(self, orders: _DimensionOrders) -> None:
        self._orders = orders
        self._products: dict[np.dtype[Any], Product] = {}

    def of(self, dtype: np.dtype[Any]) -> Product | None:
        if dtype not in self._products:
            type_ = BY_DTYPE.get(dtype)
            if type_ is None:
                return None
            orders = self._orders
            sums = strided_matmul(type_, type_, type_, type_.part, orders.batch, orders.terms)
            self._products[dtype] = _native_product(orders, sums, dtype)
        return self._products[dtype]


BY_DTYPE = {type_.dtype: type_ for type_ in (F32, F64, COMPLEX_F32, COMPLEX_F64)}


def _native_product(orders: _DimensionOrders, sums: StridedMatmul, dtype: np.dtype[Any]) -> Product:
    lhs, rhs, shared, rows_end = orders.lhs, orders.rhs, orders.batch + orders.terms, -orders.terms or None
    if lhs == rhs == (0, 1) and shared == 1 and orders.terms == 1:

        def plain(a: Array, b: Array) -> Array:
            result = np.empty((a.shape[0], b.shape[1]), dtype)
            sums(a, b, result)
            return result

        return plain

    def product(a: Array, b: Array) -> Array:
        a, b = a.transpose(lhs), b.transpose(rhs)
        result = np.empty(a.shape[:rows_end] + b.shape[shared:], dtype)
        sums(a, b, result)
        return result

    return product


# From dot_general to matrix products -------------------------------------------------------------


class _Matrices(NamedTuple):
    """Shapes of the operands and of the result as (stacks of) matrices."""

    lhs: Shape
    rhs: Shape
    result: Shape


def contraction_product(
    numbers: DotDimensionNumbers, lhs: TensorType, rhs: TensorType, matrix_product: Product | None = None
) -> Product:
    """dot_general of operands of one dtype.

    Args:
      matrix_product: a function that multiplies (stacks of) matrices. By default, compiled kernels multiply
        floats, and NumPy integers.
    """
    orders = _orders(numbers, lhs.rank, rhs.rank)
    lhs_order, rhs_order = orders.lhs, orders.rhs
    batch_rank, rows_rank = orders.batch, lhs.rank - orders.batch - orders.terms

    def matrices(lhs_shape: Shape, rhs_shape: Shape) -> _Matrices:
        lhs_sizes = [lhs_shape[d] for d in lhs_order]
        batch, rows = tuple(lhs_sizes[:batch_rank]), tuple(lhs_sizes[batch_rank : batch_rank + rows_rank])
        terms = prod(lhs_sizes[batch_rank + rows_rank :])
        columns = tuple(rhs_shape[d] for d in rhs_order[batch_rank + orders.terms :])
        return _Matrices((*batch, prod(rows), terms), (*batch, terms, prod(columns)), batch + rows + columns)

    static_shapes = matrices(lhs.dims, rhs.dims) if lhs.is_static and rhs.is_static else None
    multiply = matrix_product or np.matmul  # for integers, which BLAS does not support
    native = _NativeProducts(orders) if matrix_product is None else None

    def product(a: Array, b: Array) -> Array:
        kernel = None if native is None else native.of(a.dtype)
        if kernel is not None:
            return kernel(a, b)
        shapes = static_shapes or matrices(a.shape, b.shape)
        a = a.transpose(lhs_order).reshape(shapes.lhs)
        b = b.transpose(rhs_order).reshape(shapes.rhs)
        return multiply(a, b).reshape(shapes.result)

    return product


# Algorithms --------------------------------------------------------------------------------------


def _with_algorithm(
    algorithm: DotAlgorithm,
    numbers: DotDimensionNumbers,
    lhs: TensorType,
    rhs: TensorType,
    result: TensorType,
) -> Kernel:
    """Split the operands into components of the precision types, and sum some products of components.

    Component i is the operand minus all earlier components, rounded to the precision type. Of the products of
    two components, the `num_primitive_operations` largest are computed, and summed from the smallest to the
    largest. The number of components is at least the number that these products require, since all algorithms
    that MLIR accepts have a component count of 1. Sums accumulate in f32 (f64 if a type of the algorithm is
    f64) and are rounded once to the accumulation type, which is as precise as any
    `allow_imprecise_accumulation` demands.
    """
    types = (lhs.element_type, rhs.element_type, result.element_type)
    if any(type_.kind is Kind.COMPLEX for type_ in types):
        names = ", ".join(map(str, types))
        raise UnsupportedError(f"types must not be complex if there is an algorithm, got {names}")
    to_lhs_precision = _rounding(algorithm.lhs_precision_type)
    to_rhs_precision = _rounding(algorithm.rhs_precision_type)
    to_accumulation_type = _rounding(algorithm.accumulation_type)
    precisions = (algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type)
    work = work_type(*(ELEMENT_TYPES.get(name, F32) for name in precisions))
    least_count = isqrt(algorithm.num_primitive_operations - 1) + 1
    lhs_count = max(algorithm.lhs_component_count, least_count)
    rhs_count = max(algorithm.rhs_component_count, least_count)
    chosen = sorted(((i, j) for i in range(lhs_count) for j in range(rhs_count)), key=sum)
    corrections = chosen[1 : algorithm.num_primitive_operations][::-1]
    product = contraction_product(numbers, lhs, rhs)
    widen_lhs, widen_rhs = converter(lhs.element_type, work), converter(rhs.element_type, work)
    to_result = converter(work, result.element_type)

    def kernel(a: Value, b: Value) -> Value:
        lhs_components = _components(widen_lhs(np.asarray(a)), lhs_count, to_lhs_precision)
        rhs_components = _components(widen_rhs(np.asarray(b)), rhs_count, to_rhs_precision)
        total = product(lhs_components[0], rhs_components[0])
        if corrections:
            correction = sum(product(lhs_components[i], rhs_components[j]) for i, j in corrections)
            # An infinite operand makes the correction meaningless.
            total = total + np.where(np.isfinite(correction), correction, 0)
        return to_result(to_accumulation_type(total))

    return Kernel(kernel)


def _rounding(name: str) -> Callable[[Array], Array]:
    """A function that rounds values to a type and returns them in their own dtype."""
    if name == "tf32":
        return _round_to_tf32
    type_: ElementType = ELEMENT_TYPES[name]
    return lambda values: values.astype(type_.dtype).astype(values.dtype)


def _round_to_tf32(values: Array) -> Array:
    """Values rounded to f32 with 10 instead of 23 bits of mantissa, ties to even."""
    rounded = with_mantissa_bits(values, 10)
    return np.where(np.isfinite(values), rounded, values).astype(values.dtype, copy=False)


def _components(values: Array, count: int, rounding: Callable[[Array], Array]) -> list[Array]:
    """The rounded values, the rounded remainder, the rounded remainder of the remainder, ..."""
    components = [rounding(values)]
    while len(components) < count:
        # Infinities and NaN have no remainder.
        values = np.where(np.isfinite(components[-1]), values - components[-1], 0).astype(values.dtype)
        components.append(rounding(values))
    return components
