"""NumPy definitions, in longdouble, of operations that hlokit's own kernels compute in f64 at most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.errors import UnsupportedError
from hlokit.kernels.contractions.convolution import convolution_product
from hlokit.kernels.contractions.dot_general import contraction_product
from hlokit.kernels.contractions.products import Product
from hlokit.kernels.elementwise.compare_and_select import COMPARISONS
from hlokit.kernels.linalg.operations import solver
from hlokit.kernels.regions.reduce import argument_dtypes
from hlokit.kernels.regions.reducers import combine_function, find_reducer, tree_reduce
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.tools.numerics.rules import extended
from hlokit.values.element_types import Kind

Array = npt.NDArray[Any]


def compare(operation: Operation) -> Kernel:
    """Comparisons in regions. (Comparisons outside of regions keep the results of the run.)"""
    if operation.attributes.enum("compare_type", "") in ("TOTALORDER", "UNSIGNED"):
        raise UnsupportedError("compares the bits of its type")
    ufunc, _ = COMPARISONS[operation.attributes.enum("comparison_direction")]
    return Kernel(ufunc, pointwise=True, ufunc=ufunc)


def einsum(operation: Operation) -> Kernel:
    """One or two operands."""
    config = operation.attributes.string("einsum_config").replace(" ", "")

    def kernel(*operands: Value) -> Value:
        return np.asarray(np.einsum(config, *operands, optimize=True))

    return Kernel(kernel)


def reduction(operation: Operation) -> Kernel:
    """A known body becomes a ufunc, and a pointwise body a balanced tree; any other body is applied value by
    value."""
    count, axes = len(operation.result_types), tuple(operation.attributes.ints("dimensions"))
    (body,) = operation.regions
    reducer = find_reducer(body) if count == 1 else None
    if reducer is not None:
        return Kernel(partial(_reduced, reducer.ufunc, axes))
    dtypes = argument_dtypes(body, count)

    def kernel(*values: Value) -> Value:
        inputs, inits = (
            tuple([np.asarray(value, dtype) for value, dtype in zip(some, dtypes, strict=False)])
            for some in (values, values[count:])
        )
        captured = values[2 * count :]
        apply = combine_function(body, count, captured)
        rows = tuple([_reduced_first(array, axes) for array in inputs])
        init = tuple([np.broadcast_to(value, rows[0].shape[1:]) for value in inits])
        results = apply(init, tree_reduce(apply, rows)) if rows[0].size else init
        return results[0] if count == 1 else results

    return Kernel(kernel)


def _reduced(ufunc: np.ufunc, axes: tuple[int, ...], operand: Value, init: Value) -> Value:
    return ufunc(ufunc.reduce(operand, axes), init)


def _reduced_first(array: Array, axes: tuple[int, ...]) -> Array:
    kept = [axis for axis in range(array.ndim) if axis not in axes]
    size = prod(array.shape[axis] for axis in axes)
    return array.transpose([*axes, *kept]).reshape([size, *(array.shape[axis] for axis in kept)])


def batch_norm_inference(operation: Operation) -> Kernel:
    return Kernel(_Normalization.from_operation(operation).inference)


def batch_norm_training(operation: Operation) -> Kernel:
    return Kernel(_Normalization.from_operation(operation).training)


def batch_norm_grad(operation: Operation) -> Kernel:
    return Kernel(_Normalization.from_operation(operation).grad)


@dataclass(frozen=True, slots=True)
class _Normalization:
    """The formulas of batch norms along all dimensions but the feature dimension."""

    epsilon: float
    others: tuple[int, ...]

    @classmethod
    def from_operation(cls, operation: Operation) -> _Normalization:
        feature = operation.attributes.int_("feature_index")
        others = tuple(axis for axis in range(operation.operand().rank) if axis != feature)
        return cls(operation.attributes.float_("epsilon"), others)

    def _along(self, values: Array) -> Array:
        return np.expand_dims(values, self.others)

    def inference(self, operand: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
        factor = self._along(scale / np.sqrt(variance + self.epsilon))
        return (operand - self._along(mean)) * factor + self._along(offset)

    def training(self, operand: Array, scale: Array, offset: Array) -> tuple[Array, Array, Array]:
        mean = np.mean(operand, self.others)
        variance = np.mean(np.square(operand - self._along(mean)), self.others)
        return self.inference(operand, scale, offset, mean, variance), mean, variance

    def grad(
        self, operand: Array, scale: Array, mean: Array, variance: Array, gradient: Array
    ) -> tuple[Array, Array, Array]:
        centered, spread = operand - self._along(mean), variance + self.epsilon
        product = np.sum(gradient * centered, self.others)
        inner = self._along(np.mean(gradient, self.others)) + centered * self._along(
            np.mean(gradient * centered, self.others) / spread
        )
        of_operand = (gradient - inner) * self._along(scale / np.sqrt(spread))
        return of_operand, product / np.sqrt(spread), np.sum(gradient, self.others)


def reduce_precision(operation: Operation) -> Kernel:
    """The value before its precision is reduced."""
    del operation
    return Kernel(_same, pointwise=True)


def _same(operand: Value) -> Value:
    return operand


def convert(operation: Operation) -> Kernel:
    source, target = operation.operand().element_type, operation.result().element_type
    if not target.kind.is_inexact:
        raise UnsupportedError("hlokit computes it in f64 only")

    def kernel(operand: Value) -> Value:
        values = operand if source.dtype.isbuiltin == 1 else operand.astype(np.float64)
        values = values.real if source.kind is Kind.COMPLEX and target.kind is Kind.FLOAT else values
        return values.astype(target.dtype)

    return Kernel(kernel, pointwise=True)


def dot(operation: Operation) -> Kernel:
    lhs, rhs = operation.operand(0), operation.operand(1)
    if operation.name == "stablehlo.dot":
        numbers = DotDimensionNumbers((), (), (lhs.rank - 1,), (0,))
    else:
        numbers = operation.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    return _bilinear(operation, contraction_product(numbers, lhs, rhs, np.matmul))


def _bilinear(operation: Operation, product: Product) -> Kernel:
    dtype = operation.result().element_type.dtype

    def kernel(a: Value, b: Value) -> Value:
        return product(np.asarray(a, dtype), np.asarray(b, dtype))

    return Kernel(kernel)


def convolution(operation: Operation) -> Kernel:
    return _bilinear(operation, convolution_product(operation, np.matmul))


def cholesky(operation: Operation) -> Kernel:
    return Kernel(partial(extended.cholesky, lower=operation.attributes.bool_("lower", False)))


def triangular_solve(operation: Operation) -> Kernel:
    return Kernel(solver(operation, extended.triangular_solve))
