"""reduce_window: combines the values of windows that slide over tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.interrupts import interruptible
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.bodies import NativeBody, combination, in_rows, native_body, words_of
from hlokit.engine.native.ir.target import bits_of
from hlokit.kernels.contractions.compensated import as_floats, combiner_of, from_floats, pair_of, rounded
from hlokit.kernels.regions.reduce import argument_dtypes
from hlokit.kernels.regions.reducers import (
    Array,
    Arrays,
    CombineFunction,
    Reducer,
    combine_function,
    find_reducer,
    has_negative_zero,
)
from hlokit.kernels.regions.windows import (
    Ints,
    WindowDimension,
    native_windows,
    pad,
    window_dimensions,
    window_slices,
)
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import COMPLEX_F64
from hlokit.values.types import TensorType

# Windows of at most this number of values are folded from the left.
_SMALL_WINDOW = 32
# Bytes of an operand that a known body reads at a time, so that what it combines stays in the cache.
_BLOCK = 1 << 19


def reduce_window(operation: Operation) -> Kernel:
    """spec "reduce_window": results...[result_index] = reduce(windows, init_values, axes(inputs...), body).

    Small windows are folded from the left, as in the C++ interpreter and XLA, so that results agree to the
    last bit even if the body rounds. Large windows, and those of bodies that do not round, are combined along
    one axis after the other (the last first if the body rounds), each in runs of powers of two, which are
    in-order trees. Large windows of narrow floats are summed in f32. Windows that all begin, or all end, at a
    border of the operand give running sums.
    """
    (body,) = operation.regions
    count, is_precise = len(operation.result_types), operation.is_precise
    windows = window_dimensions(operation)
    kernel = reduce_windows(body, windows, count, is_precise=is_precise)
    name = None if is_precise or count > 1 else body.binary
    if name is None or not traits_of(name).commutative or not windows:
        return Kernel(kernel)
    fields = [(w.size, w.stride, w.base_dilation, w.dilation, w.low) for w in windows]
    return Kernel(kernel, array_op=array_ops.ReduceWindow(*zip(*fields, strict=True), operation=name))


def reduce_windows(
    body: Region, windows: Sequence[WindowDimension], count: int, *, is_precise: bool = False
) -> Callable[..., Value]:
    """A kernel that takes `count` inputs, `count` initial values, and the values that the body captures."""
    dtypes = argument_dtypes(body, count)
    reducer = find_reducer(body) if count == 1 else None
    if reducer is not None and is_precise and reducer.rounds:
        kind = _CompensatedWindows if reducer.is_compensated else _UfuncWindows
        return kind(reducer.precise(), body, windows)
    is_small = prod(w.size for w in windows) <= _SMALL_WINDOW
    name = combination(body.binary, body.argument_types[0]) if count == 1 and windows else None
    # Running extrema, and those of integers, take one pass whatever the size of their windows.
    is_running = reducer is not None and not reducer.rounds and _running_axis(windows) is not None
    if name is not None and is_small and not is_running:
        return partial(_combined, name, dtypes[0], windows)
    if reducer is not None and not (reducer.rounds and is_small):
        return _UfuncWindows(reducer, body, windows, _running_combination(body, reducer))

    native = native_body(body) if is_small and body.is_pointwise and windows else None

    def kernel(*values: Value) -> Value:
        inputs = tuple([np.asarray(value, dtype) for value, dtype in zip(values, dtypes, strict=False)])
        inits = tuple(
            [np.asarray(value, dtype) for value, dtype in zip(values[count:], dtypes, strict=False)]
        )
        results = _any_body(body, windows, inputs, inits, values[2 * count :], native)
        return results[0] if count == 1 else results

    return kernel


def _combined(
    name: tuple[str, str],
    dtype: np.dtype[np.generic],
    windows: Sequence[WindowDimension],
    operand: Value,
    init_value: Value,
) -> Value:
    """The values of each window, combined by a native combination from the left."""
    operand, init = np.asarray(operand, dtype), np.asarray(init_value, dtype)
    shape = tuple([w.count(size) for w, size in zip(windows, operand.shape, strict=True)])
    result = np.empty(shape, dtype)
    if 0 not in shape:
        padded = pad(operand, init, windows)
        arrays = in_rows(padded), bits_of(init), bits_of(result)
        _kernels.reduce_windows(*name, *arrays, native_windows(windows, padded.shape, shape), thread_count())
    return result


def _any_body(
    body: Region,
    windows: Sequence[WindowDimension],
    inputs: Arrays,
    inits: Arrays,
    captured: Sequence[Value],
    native: NativeBody | None = None,
) -> Arrays:
    """Combine the initial value and the values of each window by any body."""
    shape = tuple(w.count(size) for w, size in zip(windows, inputs[0].shape, strict=True))
    if 0 in shape:
        return tuple([np.empty(shape, array.dtype) for array in inputs])
    if native is not None:
        results = tuple([np.empty(shape, array.dtype) for array in inputs])
        padded = _padded(inputs, inits, windows)
        native.program.reduce_windows(
            native.initial_registers(captured),
            [in_rows(array) for array in padded],
            words_of(inits),
            [bits_of(result) for result in results],
            native_windows(windows, padded[0].shape, shape),
            thread_count(),
        )
        return results
    apply = combine_function(body, len(inputs), captured)
    if prod(w.size for w in windows) <= _SMALL_WINDOW:
        return fold_windows(apply, windows, inputs, inits)
    total = tuple([np.broadcast_to(init, shape) for init in inits])
    return apply(total, _slide(apply, _padded(inputs, inits, windows), windows[::-1]))


def fold_windows(
    apply: CombineFunction, windows: Sequence[WindowDimension], inputs: Arrays, inits: Arrays
) -> Arrays:
    """The initial value and the values of each window, combined from the left in row-major order."""
    shape = tuple([w.count(size) for w, size in zip(windows, inputs[0].shape, strict=True)])
    if 0 in shape:
        return tuple([np.empty(shape, array.dtype) for array in inputs])
    padded = [pad(array, init, windows) for array, init in zip(inputs, inits, strict=True)]
    total = tuple([np.broadcast_to(init, shape) for init in inits])
    for offsets in product(*(range(w.size) for w in windows)):
        places = window_slices(windows, offsets, shape)
        total = apply(total, tuple([array[places] for array in padded]))
    return total


def _padded(inputs: Arrays, inits: Arrays, windows: Sequence[WindowDimension]) -> Arrays:
    return tuple([pad(array, init, windows) for array, init in zip(inputs, inits, strict=True)])


_EXTREMA = (np.maximum, np.minimum)


class _UfuncWindows:
    """The kernel of a known body."""

    def __init__(
        self,
        reducer: Reducer,
        body: Region,
        windows: Sequence[WindowDimension],
        combination: tuple[str, str] | None = None,
    ) -> None:
        self._reducer, self._body, self._windows = reducer, body, windows
        self._running_axis, self._combination = _running_axis(windows), combination
        # Windows do not reach from one row to the next.
        self._is_in_blocks = bool(windows) and windows[0][1:] == (1, 1, 1, 1, 0, 0)

    def __call__(self, operand: Value, init_value: Value) -> Value:
        reducer, windows = self._reducer, self._windows
        operand, init_value = np.asarray(operand, reducer.dtype), np.asarray(init_value, reducer.dtype)
        shape = tuple(w.count(size) for w, size in zip(windows, operand.shape, strict=True))
        if 0 in shape:
            return np.empty(shape, reducer.dtype)
        if self._combination is not None and self._is_running(operand, init_value, shape):
            parts = init_value.reshape(1).view(init_value.real.dtype)
            if parts[:1].tobytes() == parts[-1:].tobytes():  # zeros of one sign
                return self._run_natively(self._combination, operand, parts[:1])
        if not self._is_in_blocks or operand.nbytes <= _BLOCK or shape[0] == 1:
            return self._evaluate(operand, init_value, shape)
        result = np.empty(shape, reducer.dtype)
        rows = max(_BLOCK * shape[0] // operand.nbytes, 1)
        for first in range(0, shape[0], rows):
            block = operand[first : first + rows]
            result[first : first + rows] = self._evaluate(block, init_value, (len(block), *shape[1:]))
        return result

    def _evaluate(self, operand: Array, init_value: Array, shape: Ints) -> Value:
        reducer, windows = self._reducer, self._windows
        wide, init = reducer.widen(operand), reducer.widen(init_value)
        if self._is_running(wide, init, shape):
            padded, result = wide, self._run(wide, init)
        else:
            padded = pad(wide, init, windows)
            # Without rounding the order is free, and the first axes have the longest rows.
            order = windows[::-1] if reducer.rounds else windows
            (slid,) = _slide(self._apply, (padded,), order)
            is_new = slid.base is None and slid is not operand
            # The identity of an extremum changes no value: one pass over the results less.
            is_needless = is_new and reducer.ufunc in _EXTREMA and init == reducer.identity
            result = slid if is_needless else reducer.function(slid, init)
        if (
            reducer.is_extremum
            and (result == 0).any()
            and (has_negative_zero(padded) or has_negative_zero(init))
        ):
            return _any_body(self._body, windows, (operand,), (init_value,), ())[0]
        return reducer.narrow(result)

    def _apply(self, lhs: Arrays, rhs: Arrays) -> Arrays:
        return (self._reducer.function(lhs[0], rhs[0]),)

    def _is_running(self, operand: Array, init: Array, shape: Ints) -> bool:
        """Whether the results are those of a running reduction: all windows begin (or all end) at an edge of
        the operand, and what is around it changes nothing.
        """
        reducer, axis = self._reducer, self._running_axis
        if axis is None or operand.shape != shape or self._windows[axis].size < shape[axis]:
            return False
        is_idempotent = reducer.ufunc not in (np.add, np.multiply, np.bitwise_xor)
        return is_idempotent or bool(init == reducer.identity)

    def _run(self, operand: Array, init: Array) -> Array:
        """The running reduction by ufuncs."""
        reducer, axis = self._reducer, self._running_axis
        assert axis is not None
        is_reverse = not self._windows[axis].low
        result = _accumulate(reducer, np.flip(operand, axis) if is_reverse else operand, axis)
        return reducer.function(np.flip(result, axis) if is_reverse else result, init.astype(result.dtype))

    def _run_natively(self, combination: tuple[str, str], operand: Array, init: Array) -> Array:
        """The running reduction by a native combination, of complex numbers as pairs of parts."""
        axis, shape, part = self._running_axis, operand.shape, init.dtype
        assert axis is not None
        result = np.empty(shape, operand.dtype)
        sizes = prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]) * (result.itemsize // part.itemsize)
        values = bits_of(np.ascontiguousarray(operand).reshape(-1).view(part))
        results = bits_of(result.reshape(-1).view(part))
        is_reverse = not self._windows[axis].low
        _kernels.reduce_running(
            *combination, values, bits_of(init), results, sizes, is_reverse, thread_count()
        )
        return result


class _CompensatedWindows:
    """The kernel of a sum or product of f64 in compensated arithmetic."""

    def __init__(self, reducer: Reducer, body: Region, windows: Sequence[WindowDimension]) -> None:
        del body
        self._dtype, self._windows = reducer.dtype, windows
        self._combine = combiner_of(reducer.ufunc)

    def __call__(self, operand: Value, init_value: Value) -> Value:
        dtype, windows = self._dtype, self._windows
        operand, init = np.asarray(operand, dtype), np.asarray(init_value, dtype)
        shape = tuple(w.count(size) for w, size in zip(windows, operand.shape, strict=True))
        if 0 in shape:
            return np.empty(shape, dtype)
        slid = _slide(self._combine, pair_of(as_floats(pad(operand, init, windows))), windows[::-1])
        total = self._combine(pair_of(as_floats(init)), slid)
        return from_floats(rounded(total), dtype)


def _running_combination(body: Region, reducer: Reducer) -> tuple[str, str] | None:
    """The native combination of a running reduction; for sums of complex numbers, that of their parts."""
    type_ = body.argument_types[0]
    if isinstance(type_, TensorType) and reducer.ufunc is np.add and reducer.dtype.kind == "c":
        type_ = type_._replace(element_type=type_.element_type.part)
    return combination(body.binary, type_)


def _running_axis(windows: Sequence[WindowDimension]) -> int | None:
    """The only axis with windows, if all windows begin, or all end, at an edge of the operand."""
    plain = [w.size == w.stride == w.base_dilation == 1 and w.low == w.high == 0 for w in windows]
    if plain.count(False) != 1:
        return None
    window = windows[plain.index(False)]
    if window.stride != 1 or window.base_dilation != 1 or window.dilation != 1:
        return None
    return window.axis if (window.low, window.high) in ((window.size - 1, 0), (0, window.size - 1)) else None


def _accumulate(reducer: Reducer, array: Array, axis: int) -> Array:
    """`ufunc.accumulate`: floats in f64, sums of f64 with their rounding errors added at the end."""
    if reducer.function is not reducer.ufunc:
        return _running_products(array, axis)
    totals = interruptible(reducer.ufunc.accumulate, array, axis, reducer.accumulator)
    if reducer.ufunc is not np.add or not reducer.rounds or reducer.work != reducer.accumulator:
        return totals
    new = np.moveaxis(as_floats(totals), axis, 0)
    before, values = new[:-1], np.moveaxis(as_floats(array), axis, 0)[1:]
    virtual = new[1:] - before
    errors = np.add.accumulate((before - (new[1:] - virtual)) + (values - virtual))
    corrected = new.copy()
    np.add(new[1:], errors, out=corrected[1:], where=np.isfinite(errors) & (errors != 0))
    return from_floats(np.moveaxis(corrected, 0, axis), totals.dtype)


def _running_products(array: Array, axis: int) -> Array:
    """As `_accumulate`, of complex products in f64."""
    rows = np.ascontiguousarray(np.moveaxis(array, axis, 0), np.complex128)
    result = np.empty_like(rows)
    parts: Any = rows.reshape(-1).view(np.float64)
    results: Any = result.reshape(-1).view(np.float64)
    width = rows.size // len(rows)
    _kernels.combine_running("multiply", COMPLEX_F64.name, parts, results, len(rows), width, thread_count())
    return np.moveaxis(result, 0, axis)


def _slide(apply: CombineFunction, arrays: Arrays, windows: Sequence[WindowDimension]) -> Arrays:
    """Combine the values of each window of padded arrays axis by axis, in the order of `windows`."""
    for w in windows:
        if w.size == 1 and w.stride == 1:
            continue
        room = arrays[0].shape[w.axis] - ((w.size - 1) * w.dilation + 1)
        count = room // w.stride + 1
        # Either one call per window position on results, or log2(size) calls on all positions. Both methods
        # combine the same runs.
        doublings = w.size.bit_length() - 1
        if (w.size - 1) * count <= doublings * count * w.stride + (w.size.bit_count() - 1) * count:
            arrays = _slice_by_slice(apply, arrays, w, count)
        else:
            arrays = _double(apply, arrays, w, count)
    return arrays


def _part(arrays: Arrays, axis: int, start: int, stop: int, step: int = 1) -> Arrays:
    index = (slice(None),) * axis + (slice(start, stop, step),)
    return tuple([array[index] for array in arrays])


def _slice_by_slice(apply: CombineFunction, arrays: Arrays, w: WindowDimension, count: int) -> Arrays:
    """The positions of every window, in runs of 1, 2, 4, ... by the binary digits of the window's size."""
    total: Arrays | None = None
    first, length = 0, 1
    while first < w.size:
        if w.size & length:
            run = _run(apply, arrays, w, count, first, first + length)
            total = run if total is None else apply(total, run)
            first += length
        length *= 2
    assert total is not None, "windows have elements"
    return total


def _run(
    apply: CombineFunction, arrays: Arrays, w: WindowDimension, count: int, first: int, stop: int
) -> Arrays:
    """Positions `first` to `stop` of every window, combined as a tree; their number is a power of two."""
    if stop - first == 1:
        start = first * w.dilation
        return _part(arrays, w.axis, start, start + (count - 1) * w.stride + 1, w.stride)
    middle = (first + stop) // 2
    return apply(_run(apply, arrays, w, count, first, middle), _run(apply, arrays, w, count, middle, stop))


def _double(apply: CombineFunction, arrays: Arrays, w: WindowDimension, count: int) -> Arrays:
    """Combine runs of 1, 2, 4, ... values at every position; a window consists of the runs in the binary
    digits of its size.
    """
    total: Arrays | None = None
    offset, length = 0, 1
    while True:
        if w.size & length:
            part = _part(arrays, w.axis, offset, offset + (count - 1) * w.stride + 1, w.stride)
            total = part if total is None else apply(total, part)
            offset += length * w.dilation
        if length * 2 > w.size:
            assert total is not None
            return total
        shift, size = length * w.dilation, arrays[0].shape[w.axis]
        arrays = apply(_part(arrays, w.axis, 0, size - shift), _part(arrays, w.axis, shift, size))
        length *= 2
