"""Sums one by one, each step rounded to the element type: the order of StableHLO's C++ interpreter.

If the operation is pairwise, the sums of `dot_general`, `dot` and `reduce` are those of both halves of the
terms, of all quarters, ...: the same if 2, 4, 8, ... devices share the terms, and then add their sums.

The cards name these bind functions beside the usual ones, which are faster and round less often. A sum of
products multiplies, rounds, adds and rounds, without fused multiply-add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.canonical_nan import canonical_of, with_canonical_nans
from hlokit.engine.contract.registry import Constant, Kernel, KernelFunction, Operation, Value, find
from hlokit.kernels.contractions.convolution import ConvolutionDims
from hlokit.kernels.regions import scatter as scatters
from hlokit.kernels.regions.reduce import argument_dtypes
from hlokit.kernels.regions.reduce_window import fold_windows
from hlokit.kernels.regions.reducers import Arrays, combine_function, find_reducer, in_pairs
from hlokit.kernels.regions.windows import WindowDimension, pad, window_dimensions, window_slices
from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.tools.numerics.rules.rounded_products import times
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
Pairs = Sequence[tuple[int, int]]

_PRODUCTS = 1 << 18  # computed at once
_STEPWISE = "fdFD"


# Sums of products -----------------------------------------------------------------------------------


class _Sum:
    """A sum of products in the element type of the result, to which the operands are converted."""

    def __init__(self, operation: Operation) -> None:
        type_ = operation.result().element_type
        self.lhs, self.rhs = (
            elementwise("stablehlo.convert", operation, type_, operation.operand(i).element_type)
            for i in (0, 1)
        )
        plain = elementwise("stablehlo.multiply", operation, type_, type_, type_)
        self._multiply = times if type_.kind is Kind.COMPLEX else plain
        self._add = elementwise("stablehlo.add", operation, type_, type_, type_)
        self._dtype, self.is_pairwise = type_.dtype, operation.is_pairwise

    def zeros(self, shape: Sequence[int]) -> Array:
        return np.zeros(shape, self._dtype)

    def plus(self, total: Array, lhs: Array, rhs: Array) -> Array:
        """`total` plus the products of the rows of operands, one after the other."""
        many = max(1, _PRODUCTS // max(1, total.size))
        for first in range(0, len(lhs), many):
            rows = slice(first, first + many)
            total = fold(self._add, np.add, total, self._products(total.shape, lhs[rows], rhs[rows]))
        return total

    def in_pairs(self, shape: Sequence[int], lhs: Array, rhs: Array) -> Array:
        """The sum of the products of rows of operands."""

        def term(number: int) -> Any:
            rows = slice(number, number + 1)
            return self._products(shape, lhs[rows], rhs[rows])[0]

        return np.asarray(in_pairs(self._add, term, range(len(lhs))))

    def _products(self, shape: Sequence[int], lhs: Array, rhs: Array) -> Array:
        shape = (len(lhs), *shape)
        return np.asarray(self._multiply(*[np.broadcast_to(factor, shape) for factor in (lhs, rhs)]))


def fold(function: KernelFunction, ufunc: np.ufunc, total: Array, rows: Array) -> Array:
    """`total` combined with the rows, one after the other, each step rounded.

    Args:
      function: the combination.
      ufunc: computes the combination in NumPy's own dtypes but f16, whose steps NumPy does not round.
    """
    if rows.dtype.char not in _STEPWISE or total.size > len(rows):
        for row in rows:
            total = np.asarray(function(total, row))
        return total
    # An accumulation has the order and the roundings of a loop, by definition; a reduction has not.
    return canonical_of(ufunc.accumulate(np.concatenate([total[None], rows]))[-1])


def elementwise(
    name: str, operation: Operation, result: ElementType, *operands: ElementType
) -> KernelFunction:
    """The function of another operation on arrays of these element types."""
    bind = find(name)
    assert bind is not None, "elementwise operations have kernels"
    result_types = (TensorType((), result),)
    types = tuple([TensorType((), operand) for operand in operands])
    kernel = bind(Operation(name, types, result_types, operation.attributes))
    assert isinstance(kernel, Kernel), "the operation has operands"
    return with_canonical_nans(kernel.function, result_types)


def dot_general(operation: Operation) -> Kernel | Constant:
    """Terms in row-major order of the contracted dimensions, in the order of the attribute. An `algorithm` is
    ignored, as in the C++ interpreter."""
    if _is_exact(operation):
        return in_any_order(operation)
    numbers = operation.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    return Kernel(partial(_contraction, _Sum(operation), numbers))


def dot(operation: Operation) -> Kernel | Constant:
    """dot_general of vectors and matrices that contracts lhs[-1] with rhs[0]."""
    if _is_exact(operation):
        return in_any_order(operation)
    numbers = DotDimensionNumbers((), (), (operation.operand().rank - 1,), (0,))
    return Kernel(partial(_contraction, _Sum(operation), numbers))


def _contraction(sums: _Sum, numbers: DotDimensionNumbers, lhs: Value, rhs: Value) -> Array:
    lhs, rhs = np.asarray(sums.lhs(lhs)), np.asarray(sums.rhs(rhs))
    lhs_batch, rhs_batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    lhs_terms, rhs_terms = numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions
    rows = [d for d in range(lhs.ndim) if d not in lhs_batch + lhs_terms]
    columns = [d for d in range(rhs.ndim) if d not in rhs_batch + rhs_terms]
    batch_sizes = [lhs.shape[d] for d in lhs_batch]
    row_sizes, column_sizes = [lhs.shape[d] for d in rows], [rhs.shape[d] for d in columns]
    count = prod(lhs.shape[d] for d in lhs_terms)
    a = lhs.transpose(*lhs_terms, *lhs_batch, *rows).reshape(count, *batch_sizes, prod(row_sizes), 1)
    b = rhs.transpose(*rhs_terms, *rhs_batch, *columns).reshape(count, *batch_sizes, 1, prod(column_sizes))
    total = sums.zeros((*batch_sizes, prod(row_sizes), prod(column_sizes)))
    total = sums.in_pairs(total.shape, a, b) if sums.is_pairwise and count else sums.plus(total, a, b)
    return total.reshape((*batch_sizes, *row_sizes, *column_sizes))


def convolution(operation: Operation) -> Kernel | Constant:
    """Terms in row-major order of the kernel's spatial dimensions, then of the input features."""
    if _is_exact(operation):
        return in_any_order(operation)
    form = ConvolutionDims.of(operation)
    padding = operation.attributes.pairs("padding", ((0, 0),) * len(form.window_strides))
    return Kernel(partial(_convolution, _Sum(operation), form, padding))


def dynamic_conv(operation: Operation) -> Kernel | Constant:
    """As `convolution`; the padding is an operand."""
    if _is_exact(operation):
        return in_any_order(operation)
    form, sums = ConvolutionDims.of(operation), _Sum(operation)

    def kernel(lhs: Value, rhs: Value, padding: Value) -> Array:
        pairs = form.checked_padding(lhs, rhs, padding, operation.result())
        return _convolution(sums, form, pairs, lhs, rhs)

    return Kernel(kernel)


def _convolution(sums: _Sum, form: ConvolutionDims, padding: Pairs, lhs: Value, rhs: Value) -> Array:
    numbers, groups = form.numbers, form.feature_group_count * form.batch_group_count
    x = sums.lhs(lhs).transpose(
        numbers.input_batch_dimension, *numbers.input_spatial_dimensions, numbers.input_feature_dimension
    )
    w = sums.rhs(rhs).transpose(
        *numbers.kernel_spatial_dimensions,
        numbers.kernel_input_feature_dimension,
        numbers.kernel_output_feature_dimension,
    )
    xs = np.split(x, groups, axis=-1 if form.feature_group_count > 1 else 0)
    parts = zip(xs, np.split(w, groups, axis=-1), strict=True)
    result = np.concatenate([_of_windows(sums, form, padding, *pair) for pair in parts], axis=-1)
    order = (numbers.output_batch_dimension, *numbers.output_spatial_dimensions)
    return result.transpose(np.argsort((*order, numbers.output_feature_dimension)))


def _of_windows(sums: _Sum, form: ConvolutionDims, padding: Pairs, x: Array, w: Array) -> Array:
    """The convolution of [batch, space..., features] with [space..., features, output features]."""
    sizes = w.shape[:-2]
    windows = _windows(form, sizes, padding)
    shape = tuple([window.count(size) for window, size in zip(windows, x.shape, strict=True)])
    total = sums.zeros((*shape[:-1], w.shape[-1]))
    if not total.size:
        return total
    padded = pad(x, sums.zeros(()), windows)
    for tap in product(*map(range, sizes)):
        rows = zip(tap, sizes, form.window_reversal, strict=True)
        offsets = [size - 1 - k if is_reversed else k for k, size, is_reversed in rows]
        values = padded[window_slices(windows, (0, *offsets, 0), shape)]
        rows = w[tap].reshape(w.shape[-2], *[1] * (x.ndim - 1), w.shape[-1])
        total = sums.plus(total, np.moveaxis(values, -1, 0)[..., None], rows)
    return total


def _windows(form: ConvolutionDims, sizes: Sequence[int], padding: Pairs) -> tuple[WindowDimension, ...]:
    """The windows along the dimensions of an operand [batch, space..., features]."""
    rows = zip(sizes, form.window_strides, form.lhs_dilation, form.rhs_dilation, padding, strict=True)
    space = [
        WindowDimension(axis, size, stride, base_dilation, dilation, *pair)
        for axis, (size, stride, base_dilation, dilation, pair) in enumerate(rows, 1)
    ]
    first, last = (WindowDimension(axis, 1, 1, 1, 1, 0, 0) for axis in (0, len(space) + 1))
    return (first, *space, last)


# Reductions -----------------------------------------------------------------------------------------

# A function of the body, inputs, and initial values in the shape of the results.
_Reduce = Callable[[Any, Arrays, Arrays], Arrays]


def reduce(operation: Operation) -> Kernel | Constant:
    """The initial value, then all values in row-major order."""
    axes = sorted(operation.attributes.ints("dimensions"))
    reducer = find_reducer(operation.regions[0]) if len(operation.result_types) == 1 else None
    if reducer is not None and not reducer.rounds:
        return in_any_order(operation)
    ufunc = reducer.function if reducer is not None else None

    def reduced(combine: Any, inputs: Arrays, inits: Arrays) -> Arrays:
        kept = [axis for axis in range(inputs[0].ndim) if axis not in axes]
        shape = [inputs[0].shape[axis] for axis in kept]
        count = prod(inputs[0].shape[axis] for axis in axes)
        rows = [array.transpose(*axes, *kept).reshape(count, *shape) for array in inputs]
        total = tuple([np.broadcast_to(init, shape) for init in inits])
        if operation.is_pairwise and count:
            return combine(total, in_pairs(combine, lambda n: tuple([row[n] for row in rows]), range(count)))
        if isinstance(ufunc, np.ufunc):
            return (fold(lambda *pair: combine(pair[:1], pair[1:])[0], ufunc, total[0], rows[0]),)
        for values in zip(*rows, strict=True):
            total = combine(total, values)
        return total

    return _with_body(operation, reduced)


def _is_exact(operation: Operation) -> bool:
    """Whether all values are integers, whose sums and products are exact modulo a power of two."""
    types = (operation.operand(), operation.operand(1), operation.result())
    return not any(type_.element_type.kind.is_inexact for type_ in types)


def in_any_order(operation: Operation) -> Kernel | Constant:
    """The usual kernel: the order of the values does not matter, or too many steps would follow."""
    bind = find(operation.name)
    assert bind is not None, "the operation has a kernel"
    return bind(operation)


def reduce_window(operation: Operation) -> Kernel:
    """The initial value, then the values of each window in row-major order."""
    windows = window_dimensions(operation)
    return _with_body(operation, lambda combine, inputs, inits: fold_windows(combine, windows, inputs, inits))


def _with_body(operation: Operation, reduced: _Reduce) -> Kernel:
    """A kernel of inputs, initial values, and the values that the body captures."""
    count, (body,) = len(operation.result_types), operation.regions
    dtypes = argument_dtypes(body, count)

    def kernel(*values: Value) -> Value:
        inputs, inits = (
            tuple([np.asarray(value, dtype) for value, dtype in zip(some, dtypes, strict=False)])
            for some in (values, values[count:])
        )
        results = reduced(combine_function(body, count, values[2 * count :]), inputs, inits)
        return results[0] if count == 1 else results

    return Kernel(kernel)


def scatter(operation: Operation) -> Kernel:
    """Updates in row-major order of their indices, where windows overlap too."""
    return scatters.scatter(operation, scatters.RowMajorPlan)._replace(array_op=None)
