"""reduce: by a compiled loop or ufunc for a known body, by a tree for other bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.canonical_nan import with_canonical_nans
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.bodies import NativeBody, combination, in_rows, native_body, words_of
from hlokit.engine.native.ir.target import bits_of
from hlokit.kernels.contractions.compensated import reduce_axes
from hlokit.kernels.contractions.sums import in_lanes, reduce_in_order, sizes_around
from hlokit.kernels.elementwise.native import complex_function
from hlokit.kernels.regions.arg_extremum import ArgExtremum, find_arg_extremum
from hlokit.kernels.regions.reducers import (
    Array,
    Arrays,
    CombineFunction,
    Reducer,
    combine_function,
    find_reducer,
    has_negative_zero,
    tree_level,
    tree_reduce,
    vectorized_body,
)
from hlokit.values.element_types import COMPLEX_F64
from hlokit.values.types import TensorType

# A last axis of at most this size is reduced slice by slice, because NumPy's inner loop over it would be
# slow.
_SHORT = 16
# Below this size, a copy into a better layout is not faster.
_SMALL = 4096
# Along rows of up to so many f32, compiled extrema take half of NumPy's time.
_SHORT_ROW = 128
# Elements per block of a tree reduction, so that temporaries of the body stay in the cache.
_BLOCK = 1 << 16


def reduce(operation: Operation) -> Kernel:
    """spec "reduce": results...[j0, ..., jR-1] = exec(schedule) over inputs...[j0, ..., :, ..., jR-1].

    Sums and products of floats are accumulated in f64, in the order of `contractions.sums`, and rounded once.
    Other bodies are combined in an in-order tree, with `init_values` once on the left.
    """
    count = len(operation.result_types)
    axes = tuple(sorted(operation.attributes.ints("dimensions")))
    (body,) = operation.regions
    dtypes = argument_dtypes(body, count)
    reducer = find_reducer(body) if count == 1 else None
    if reducer is not None:
        if operation.is_precise and reducer.is_compensated:
            return Kernel(_compensated_kernel(reducer, axes))
        array_op = array_ops.Reduce(axes, body.binary) if body.binary is not None else None
        kernel = _ufunc_kernel(reducer, body, axes, operation.operand())
        if not operation.operand().is_static or not operation.operand().size:
            kernel = with_canonical_nans(kernel, operation.result_types)
            kernel = _or_initial_value(kernel, axes, reducer.dtype)
        return Kernel(kernel, array_op=array_op)
    reduce_all = _reduce_tree
    native = native_body(body) if body.is_pointwise else None
    if native is not None:
        reduce_all = partial(_reduce_native, native)
    type_ = operation.operand()
    # For a small operand, compiled code with any body is faster than the overhead of NumPy's argmax.
    few = operation.thresholds.arg_extremum_elements
    is_small = native is not None and type_.is_static and type_.size < few
    if count == 2 and not is_small and (extremum := find_arg_extremum(body)) is not None:
        reduce_all = partial(_reduce_arg_extremum, extremum)
    array_op = array_ops.ArgExtremum(axes, partial(_extremum_of, body)) if count == 2 else None

    def reduce_inputs(*values: Value) -> Value:
        inputs = tuple([np.asarray(value, dtype) for value, dtype in zip(values, dtypes, strict=False)])
        inits = tuple(
            [np.asarray(value, dtype) for value, dtype in zip(values[count:], dtypes, strict=False)]
        )
        results = reduce_all(body, inputs, inits, axes, values[2 * count :])
        return results[0] if count == 1 else results

    return Kernel(reduce_inputs, array_op=array_op)


def _extremum_of(body: Region) -> str | None:
    """The extremum ("maximum" or "minimum", NaN included) whose first index the body keeps, if any."""
    extremum = find_arg_extremum(body)
    if extremum is None or not extremum.wants_nan:
        return None
    return "maximum" if extremum.find is np.argmax else "minimum"


def argument_dtypes(body: Region, count: int) -> tuple[np.dtype[np.generic], ...]:
    """The dtypes of a body's first arguments, to which operands of narrower types are converted."""
    types = body.argument_types[:count]
    return tuple(type_.element_type.dtype for type_ in types if isinstance(type_, TensorType))


# Known bodies -------------------------------------------------------------------------------------


def _ufunc_kernel(
    reducer: Reducer, body: Region, axes: tuple[int, ...], type_: TensorType
) -> Callable[[Value, Value], Value]:
    """A kernel that reduces by the reducer's ufunc, or by a compiled loop for the same operation."""
    reduction = _UfuncReduction(reducer, body, axes, type_)
    if reducer.rounds and type_.rank and axes and _has_order(reducer):
        return reduction.in_order
    plain = reduction.extremum if reducer.is_extremum else reduction.total
    native = combination(body.binary, body.argument_types[0])
    if native is None or not type_.rank or (type_.is_static and _is_faster_in_numpy(reducer, axes, type_)):
        return plain
    return partial(reduction.compiled, native, plain)


class _UfuncReduction:
    """A reduction whose body is a known operation, in several ways; each is a function of an operand and its
    initial value."""

    def __init__(self, reducer: Reducer, body: Region, axes: tuple[int, ...], type_: TensorType) -> None:
        self._reducer, self._body, self._axes = reducer, body, axes
        self._dtype, self._accumulator = reducer.dtype, reducer.accumulator
        self._is_converted = type_.element_type.dtype != reducer.dtype
        self._accumulate = _accumulate(reducer, axes, type_)

    def total(self, operand: Value, init_value: Value) -> Value:
        operand, init_value = self._converted(operand, init_value)
        reducer, accumulator = self._reducer, self._accumulator
        total = self._accumulate(reducer.widen(operand), init_value.astype(accumulator))
        return total if accumulator is self._dtype else reducer.narrow(total)

    def extremum(self, operand: Value, init_value: Value) -> Value:
        operand, init_value = self._converted(operand, init_value)
        reducer = self._reducer
        wide, init = reducer.widen(operand), reducer.widen(init_value)
        result = self._accumulate(wide, init)
        if not (result == 0).any() or not (has_negative_zero(wide) or has_negative_zero(init)):
            return reducer.narrow(result)
        return _reduce_tree(self._body, (operand,), (np.asarray(init_value),), self._axes, ())[0]

    def in_order(self, operand: Value, init_value: Value) -> Value:
        operand, init_value = self._converted(operand, init_value)
        return _in_order(self._reducer, operand, self._axes, init_value)

    def compiled(
        self,
        native: tuple[str, str],
        plain: Callable[[Value, Value], Value],
        operand: Value,
        init_value: Value,
    ) -> Value:
        """By the loop of a native combination; by `plain` if the layout of the operand does not allow it."""
        split = sizes_around(operand.shape, self._axes)
        if split is None or not operand.size or not operand.flags.c_contiguous:
            return plain(operand, init_value)
        operand, init_value = self._converted(operand, init_value)
        sizes = [size for axis, size in enumerate(operand.shape) if axis not in self._axes]
        result = np.empty(sizes, self._dtype)
        arrays = bits_of(operand), bits_of(np.asarray(init_value)), bits_of(result)
        name, name_of_type = native
        _kernels.reduce(name, name_of_type, *arrays, split, thread_count())
        return result

    def _converted(self, operand: Value, init_value: Value) -> tuple[Value, Value]:
        if not self._is_converted:
            return operand, init_value
        return operand.astype(self._dtype), init_value.astype(self._dtype)


def _or_initial_value(
    kernel: Callable[[Value, Value], Value], axes: tuple[int, ...], dtype: np.dtype[np.generic]
) -> Callable[[Value, Value], Value]:
    """The kernel for operands with elements; otherwise the initial value, with all bits if it is a NaN."""

    def either(operand: Value, init_value: Value) -> Value:
        if operand.size:
            return kernel(operand, init_value)
        kept = [size for axis, size in enumerate(operand.shape) if axis not in axes]
        return np.broadcast_to(np.asarray(init_value, dtype), kept)

    return either


def _is_faster_in_numpy(reducer: Reducer, axes: tuple[int, ...], type_: TensorType) -> bool:
    """Whether NumPy is faster than compiled code: its extrema of f32 and f64 are vectorised in long rows."""
    if not reducer.is_extremum or reducer.work is not reducer.dtype or type_.size < _SMALL:
        return False
    is_in_slices = type_.rank - 1 in axes and type_.dims[-1] <= _SHORT
    return reducer.dtype != np.float32 or type_.dims[-1] > _SHORT_ROW or is_in_slices


def _has_order(reducer: Reducer) -> bool:
    """Whether `_in_order` takes values of this dtype: all types except longdouble, which only occurs in
    shadow runs.
    """
    return reducer.accumulator in (np.dtype(np.float64), np.dtype(np.complex128))


def _in_order(reducer: Reducer, operand: Array, axes: tuple[int, ...], init_value: Value) -> Value:
    """The initial value and all values, combined in f64 in the order of `contractions.sums`, rounded once."""
    if reducer.accumulator == np.complex128 and reducer.ufunc is np.multiply:
        wide = _reduced_first(operand.astype(np.complex128), axes)
        if not len(wide):
            return np.full(wide.shape[1:], init_value)
        init = np.asarray(init_value.astype(np.complex128))
        multiply = complex_function("multiply", COMPLEX_F64, 2)
        return reducer.narrow(multiply(init, in_lanes(multiply, wide)))
    if reducer.accumulator == np.complex128:
        wide = np.ascontiguousarray(operand, np.complex128)
        parts = wide.view(np.float64).reshape(*wide.shape, 2)
        total = reduce_in_order(np.add, parts, axes, -0.0).view(np.complex128)[..., 0]
        return reducer.narrow(np.add(init_value.astype(np.complex128), total))
    if reducer.work.itemsize >= 4 and reducer.dtype == reducer.work:
        return reduce_in_order(reducer.ufunc, operand, axes, init_value)
    wide = reducer.widen(operand).astype(np.float64)
    return reducer.narrow(reduce_in_order(reducer.ufunc, wide, axes, reducer.widen(init_value)))


def _compensated_kernel(reducer: Reducer, axes: tuple[int, ...]) -> Callable[[Value, Value], Value]:
    """A kernel that reduces f64 in compensated arithmetic."""
    dtype = reducer.dtype

    def kernel(operand: Value, init_value: Value) -> Value:
        array = np.asarray(operand, dtype)
        return reduce_axes(reducer.ufunc, array, axes, np.asarray(init_value))

    return kernel


def _accumulate(
    reducer: Reducer, axes: tuple[int, ...], type_: TensorType
) -> Callable[[Array, np.generic], Array]:
    """A function that reduces an array of dtype `work` with an initial value, for this shape."""
    ufunc, accumulator = reducer.ufunc, reducer.accumulator
    if type_.rank == 0 or not axes:
        return ufunc

    def plain(array: Array, init: np.generic) -> Array:
        return ufunc.reduce(array, axes, accumulator, initial=init)

    last = type_.dims[-1]
    if not type_.is_static or type_.size < _SMALL or not 1 < last <= _SHORT:
        return plain
    if type_.rank - 1 not in axes:
        # Move a short last axis, which is not reduced, to the front, so that the reduced axes are contiguous.
        inner = tuple(axis + 1 for axis in axes)

        def side_by_side(array: Array, init: np.generic) -> Array:
            rows = np.moveaxis(array, -1, 0).copy("C")
            return np.moveaxis(ufunc.reduce(rows, inner, accumulator, initial=init), 0, -1)

        return side_by_side
    others = axes[:-1]

    def slice_by_slice(array: Array, init: np.generic) -> Array:
        total = array[..., 0].astype(accumulator)
        for index in range(1, last):
            ufunc(total, array[..., index], out=total)
        return ufunc.reduce(total, others, accumulator, initial=init) if others else ufunc(total, init)

    return slice_by_slice


# Any body -----------------------------------------------------------------------------------------


def _reduced_first(array: Array, axes: tuple[int, ...]) -> Array:
    """The array with the reduced axes merged, in order, into the first axis."""
    if axes == (0,):
        return array
    moved = np.moveaxis(array, axes, range(len(axes)))
    return moved.reshape(prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])


def _reduce_tree(
    body: Region, inputs: Arrays, inits: Arrays, axes: tuple[int, ...], captured: Sequence[Value]
) -> Arrays:
    """Reduce by a body: a tree of calls, on whole arrays if the body is pointwise."""
    apply = combine_function(body, len(inputs), captured)
    arrays = tuple([_reduced_first(array, axes) for array in inputs])
    shape = arrays[0].shape[1:]
    init = tuple([np.broadcast_to(value, shape) for value in inits])
    if not arrays[0].size:
        return init
    return apply(init, _tree_in_blocks(apply, arrays))


def _reduce_arg_extremum(
    extremum: ArgExtremum,
    body: Region,
    inputs: Arrays,
    inits: Arrays,
    axes: tuple[int, ...],
    captured: Sequence[Value],
) -> Arrays:
    """Reduce values and indices by argmax or argmin."""
    values, indices = (_reduced_first(array, axes) for array in inputs)
    reduced = extremum.reduce(values, indices) if values.size else None
    if reduced is None:
        return _reduce_tree(body, inputs, inits, axes, captured)
    init = tuple([np.broadcast_to(value, values.shape[1:]) for value in inits])
    return vectorized_body(body, 2, captured)(init, reduced)


def _reduce_native(
    native: NativeBody,
    body: Region,
    inputs: Arrays,
    inits: Arrays,
    axes: tuple[int, ...],
    captured: Sequence[Value],
) -> Arrays:
    """Reduce by a pointwise body in compiled code, in the same tree."""
    shape = inputs[0].shape
    kept = tuple([size for axis, size in enumerate(shape) if axis not in axes])
    split = sizes_around(shape, axes)
    if split is None or 0 in shape:
        return _reduce_tree(body, inputs, inits, axes, captured)
    results = tuple([np.empty(kept, array.dtype) for array in inputs])
    native.program.reduce(
        native.initial_registers(captured),
        [in_rows(array) for array in inputs],
        words_of(inits),
        [bits_of(result) for result in results],
        split,
        thread_count(),
    )
    return results


def _tree_in_blocks(apply: CombineFunction, arrays: Arrays) -> Arrays:
    """`tree_reduce` in blocks: the first five levels, which leave 1/32 of the values, run block by block."""
    rows, size = arrays[0].shape[0], arrays[0].size
    block = _BLOCK * rows // size & -32
    if not 32 <= block < rows:
        return tree_reduce(apply, arrays)
    waiting: list[Arrays] = []
    parts: list[Arrays] = []
    for start in range(0, rows, block):
        part = tuple([array[start : start + block] for array in arrays])
        for _ in range(5):
            part = tree_level(apply, part, waiting)
        parts.append(part)
    return tree_reduce(
        apply, tuple([np.concatenate(columns) for columns in zip(*parts, strict=True)]), waiting
    )
