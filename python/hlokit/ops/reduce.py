"""reduce: a known body is one `ufunc.reduce`, a pointwise one a tree of whole arrays, any other a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

import numpy as np

from hlokit import _native
from hlokit.interpreter import forms
from hlokit.interpreter.block import Block
from hlokit.interpreter.bodies import NativeBody, combination, in_rows, native_body, words_of
from hlokit.interpreter.machine import THREADS, bits_of
from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.interpreter.switches import is_on
from hlokit.ops.arg_extremum import ArgExtremum, find_arg_extremum
from hlokit.ops.compensated import reduce_axes
from hlokit.ops.reducers import (
    Array,
    Arrays,
    Combine,
    Reducer,
    combine,
    find_reducer,
    has_negative_zero,
    level,
    tree,
)
from hlokit.values.types import TensorType

# A last axis of at most this size is worked slice by slice: NumPy's inner loop over it would be overhead.
_SHORT = 16
# Below this size no layout is worth a copy.
_SMALL = 4096
# Of fewer values compiled code is done with any body before NumPy has begun with argmax.
_FEW = 4096
# A tree works this many elements of an operand at a time, so that what a body makes stays in the cache.
_BLOCK = 1 << 16
# Partial sums of this many values are added up by partial sums.
_PARTIAL = 32


@op("stablehlo.reduce")
def reduce(operation: Operation) -> Kernel:
    """spec "reduce": results...[j0, ..., jR-1] = exec(schedule) over inputs...[j0, ..., :, ..., jR-1].

    The schedule: the values in order as some tree, combined once with `init_values` on the left.
    Numbers: sums and products of f4 to f32 are accumulated in f64 and rounded once, so that they are more
    accurate than any schedule of the rounding body; f64 itself is summed pairwise.
    """
    count = len(operation.result_types)
    axes = tuple(sorted(operation.attributes.ints("dimensions")))
    (body,) = operation.regions
    dtypes = argument_dtypes(body, count)
    reducer = find_reducer(body) if count == 1 else None
    if reducer is not None:
        if operation.is_precise and reducer.is_compensated:
            return Kernel(_compensated(reducer, axes))
        form = forms.Reduce(axes, body.binary) if body.binary is not None else None
        return Kernel(_known(reducer, body, axes, operation.operand()), form=form)
    reduce_all = _reduce_tree if body.is_pointwise else reduce_loop
    native = native_body(body) if body.is_pointwise else None
    if native is not None:
        reduce_all = partial(_reduce_native, native)
    type_ = operation.operand()
    is_small = native is not None and type_.is_static and type_.size < _FEW
    if count == 2 and not is_small and (extremum := find_arg_extremum(body)) is not None:
        reduce_all = partial(_reduce_arg, extremum)
    form = forms.ArgExtremum(axes, partial(_extremum_of, body)) if count == 2 else None

    def kernel(*values: Value) -> Value:
        inputs = tuple([np.asarray(value, dtype) for value, dtype in zip(values, dtypes, strict=False)])
        inits = tuple(
            [np.asarray(value, dtype) for value, dtype in zip(values[count:], dtypes, strict=False)]
        )
        results = reduce_all(body, inputs, inits, axes, values[2 * count :])
        return results[0] if count == 1 else results

    return Kernel(kernel, form=form)


def _extremum_of(body: Block) -> str | None:
    """The extremum whose first index a body keeps, a NaN being one."""
    found = find_arg_extremum(body)
    if found is None or not found.wants_nan:
        return None
    return "maximum" if found.find is np.argmax else "minimum"


def argument_dtypes(body: Block, count: int) -> tuple[np.dtype[np.generic], ...]:
    """The dtypes of a body's first arguments: operands of a narrower type are converted to them."""
    types = body.argument_types[:count]
    return tuple(type_.element_type.dtype for type_ in types if isinstance(type_, TensorType))


# Known bodies -------------------------------------------------------------------------------------


def _known(
    reducer: Reducer, body: Block, axes: tuple[int, ...], type_: TensorType
) -> Callable[[Value, Value], Value]:
    """A kernel that reduces by the reducer's ufunc."""
    dtype, accumulator = reducer.dtype, reducer.accumulator
    converted = type_.element_type.dtype != dtype
    accumulate = _accumulate(reducer, axes, type_)

    def kernel(operand: Value, init_value: Value) -> Value:
        if converted:
            operand, init_value = operand.astype(dtype), init_value.astype(dtype)
        total = accumulate(reducer.widen(operand), init_value.astype(accumulator))
        return total if accumulator is dtype else reducer.narrow(total)

    def extremum(operand: Value, init_value: Value) -> Value:
        if converted:
            operand, init_value = operand.astype(dtype), init_value.astype(dtype)
        wide, init = reducer.widen(operand), reducer.widen(init_value)
        result = accumulate(wide, init)
        if not (result == 0).any() or not (has_negative_zero(wide) or has_negative_zero(init)):
            return reducer.narrow(result)
        return _reduce_tree(body, (operand,), (np.asarray(init_value),), axes, ())[0]

    plain = extremum if reducer.is_extremum else kernel
    native = combination(body.binary, body.argument_types[0])
    if native is None or not type_.rank or (type_.is_static and _is_quick(reducer, type_.size)):
        return plain
    name, name_of_type = native

    def compiled(operand: Value, init_value: Value) -> Value:
        shape = operand.shape
        split = neighbours(shape, axes)
        if split is None or not operand.size or not operand.flags.c_contiguous:
            return plain(operand, init_value)
        if converted:
            operand, init_value = operand.astype(dtype), init_value.astype(dtype)
        result = np.empty([size for axis, size in enumerate(shape) if axis not in axes], dtype)
        arrays = bits_of(operand), bits_of(np.asarray(init_value)), bits_of(result)
        _native.reduce(name, name_of_type, *arrays, split, THREADS)
        return result

    return compiled


def _is_quick(reducer: Reducer, size: int) -> bool:
    """NumPy has vector instructions for extrema of f32 and f64, but for the sign of zero."""
    return reducer.is_extremum and reducer.work is reducer.dtype and size >= _SMALL


def _compensated(reducer: Reducer, axes: tuple[int, ...]) -> Callable[[Value, Value], Value]:
    """A kernel that reduces f64 in more than its precision."""
    dtype = reducer.dtype

    def kernel(operand: Value, init_value: Value) -> Value:
        array = np.asarray(operand, dtype)
        return reduce_axes(reducer.ufunc, array, axes, np.asarray(init_value))

    return kernel


def _accumulate(
    reducer: Reducer, axes: tuple[int, ...], type_: TensorType
) -> Callable[[Array, np.generic], Array]:
    """Reduction of an array of dtype `work` and an initial value, in a way that suits the shape."""
    ufunc, accumulator = reducer.ufunc, reducer.accumulator
    if type_.rank == 0 or not axes:
        return ufunc
    if ufunc is np.add and reducer.rounds and reducer.work == accumulator:
        return lambda array, init: _sum_pairwise(array, axes) + init

    def plain(array: Array, init: np.generic) -> Array:
        return ufunc.reduce(array, axes, accumulator, initial=init)

    last = type_.dims[-1]
    if not type_.is_static or type_.size < _SMALL or not 1 < last <= _SHORT or not is_on("reduce-layouts"):
        return plain
    if type_.rank - 1 not in axes:
        # Few results in a row, many rows: put the rows side by side.
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


def _sum_pairwise(array: Array, axes: Sequence[int]) -> Array:
    """Sum axis by axis, last first.

    NumPy sums pairwise along a contiguous axis only, and one by one along others.
    """
    for axis in reversed(axes):
        while array.shape[axis] > _PARTIAL and array.strides[axis] != array.itemsize:
            size = array.shape[axis]
            partial = size - size % _PARTIAL
            rows = np.moveaxis(array, axis, 0)
            sums: Array = np.add.reduce(rows[:partial].reshape(-1, _PARTIAL, *rows.shape[1:]), 1)
            if size != partial:
                rest: Array = np.add.reduce(rows[partial:], 0)
                sums = np.concatenate((sums, rest[None]))
            array = np.moveaxis(sums, 0, axis)
        array = np.add.reduce(array, axis)
    return array


# Any body -----------------------------------------------------------------------------------------


def _reduced_first(array: Array, axes: tuple[int, ...]) -> Array:
    """The values to be reduced, in order, as the first axis; the others as they are."""
    if axes == (0,):
        return array
    moved = np.moveaxis(array, axes, range(len(axes)))
    return moved.reshape(prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])


def _reduce_tree(
    body: Block, inputs: Arrays, inits: Arrays, axes: tuple[int, ...], captured: Sequence[Value]
) -> Arrays:
    """A pointwise body: a tree of calls on whole arrays."""
    apply = combine(body, len(inputs), captured)
    arrays = tuple([_reduced_first(array, axes) for array in inputs])
    shape = arrays[0].shape[1:]
    init = tuple([np.broadcast_to(value, shape) for value in inits])
    if not arrays[0].size:
        return init
    return apply(init, _tree_in_blocks(apply, arrays))


def _reduce_arg(
    extremum: ArgExtremum,
    body: Block,
    inputs: Arrays,
    inits: Arrays,
    axes: tuple[int, ...],
    captured: Sequence[Value],
) -> Arrays:
    """A body that is argmax or argmin of values and indices."""
    values, indices = (_reduced_first(array, axes) for array in inputs)
    found = extremum.reduce(values, indices) if values.size else None
    if found is None:
        return _reduce_tree(body, inputs, inits, axes, captured)
    init = tuple([np.broadcast_to(value, values.shape[1:]) for value in inits])
    return combine(body, 2, captured)(init, found)


def _reduce_native(
    native: NativeBody,
    body: Block,
    inputs: Arrays,
    inits: Arrays,
    axes: tuple[int, ...],
    captured: Sequence[Value],
) -> Arrays:
    """A pointwise body in compiled code: the same tree."""
    shape = inputs[0].shape
    kept = tuple([size for axis, size in enumerate(shape) if axis not in axes])
    split = neighbours(shape, axes)
    if split is None or 0 in shape:
        return _reduce_tree(body, inputs, inits, axes, captured)
    results = tuple([np.empty(kept, array.dtype) for array in inputs])
    native.program.reduce(
        native.image(captured),
        [in_rows(array) for array in inputs],
        words_of(inits),
        [bits_of(result) for result in results],
        split,
        THREADS,
    )
    return results


def neighbours(shape: tuple[int, ...], axes: tuple[int, ...]) -> tuple[int, int, int] | None:
    """Sizes [before, reduced, after] of an array whose reduced axes are neighbours; None if they are not."""
    wide = [axis for axis in axes if shape[axis] != 1]
    if not wide:
        return prod(shape), 1, 1
    first, last = wide[0], wide[-1] + 1
    if any(shape[axis] != 1 and axis not in axes for axis in range(first, last)):
        return None
    return prod(shape[:first]), prod(shape[first:last]), prod(shape[last:])


def _tree_in_blocks(apply: Combine, arrays: Arrays) -> Arrays:
    """`tree`; of many values the first five levels a block at a time, which leaves 1/32 of them."""
    rows, size = arrays[0].shape[0], arrays[0].size
    block = _BLOCK * rows // size & -32
    if not 32 <= block < rows:
        return tree(apply, arrays)
    waiting: list[Arrays] = []
    parts: list[Arrays] = []
    for start in range(0, rows, block):
        part = tuple([array[start : start + block] for array in arrays])
        for _ in range(5):
            part = level(apply, part, waiting)
        parts.append(part)
    return tree(apply, tuple([np.concatenate(columns) for columns in zip(*parts, strict=True)]), waiting)


def reduce_loop(
    body: Block, inputs: Arrays, inits: Arrays, axes: tuple[int, ...], captured: Sequence[Value]
) -> Arrays:
    """A body that takes only scalars: once for every value."""
    count = len(inputs)
    arrays = [_reduced_first(array, axes) for array in inputs]
    results = tuple([np.empty(array.shape[1:], array.dtype) for array in arrays])
    for index in np.ndindex(arrays[0].shape[1:]):
        totals: tuple[Value, ...] = inits
        for values in zip(*[array[(slice(None), *index)] for array in arrays], strict=True):
            total = body(*totals, *values, *captured)
            totals = (total,) if count == 1 else total
        for result, total in zip(results, totals, strict=True):
            result[index] = total
    return results
