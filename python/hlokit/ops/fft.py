"""Discrete Fourier transforms.

NumPy transforms rows, in f64. Around it, rows are taken in blocks that stay in the cache while they are
widened, transformed and rounded, on several threads; a long transform is cut into two rounds of short ones.
Many lines of f32 whose length is a power of two are left to `hlokit._native.Fft`, also in f64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt, prod
from threading import Thread
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.interpreter.switches import is_on
from hlokit.ops.native_products import THREADS
from hlokit.ops.products import Array
from hlokit.values.element_types import COMPLEX_F32, F32, Kind

# Of the last dimension.
Transform = Callable[[Array], Array]

# Bytes of a block in f64, and elements that are worth threads and blocks.
_BLOCK_BYTES = 1 << 18
_LARGE = 1 << 14
# Elements of a transform that is cut, and rows whose factors are kept beside those of every so many rows.
_LONG = 1 << 16
_FACTOR_ROWS = 16
# Lengths that compiled loops take, and how many lines fill their vectors well enough.
_LEAST, _MOST = 4, 4096
_LINES = 4


@op("stablehlo.fft")
def fft(operation: Operation) -> Kernel:
    """spec "fft": result = the transform `fft_type` of the last size(fft_length) dimensions.

    Computed in f64 and rounded once. IRFFT does not read the imaginary parts of what must be real: of the
    first element of the last dimension and, if its length is even, of the last.
    """
    fft_type = operation.attributes.enum("fft_type")
    fft_length = operation.attributes.ints("fft_length")
    axes = tuple(range(-len(fft_length), 0))
    wide = np.complex128 if operation.operand().element_type.kind is Kind.COMPLEX else np.float64
    given, dtype = operation.operand().element_type.dtype, operation.result().element_type.dtype
    in_blocks = operation.operand().element_type in (F32, COMPLEX_F32) and is_on("fft-blocks")
    natively = is_on("native")
    wide = given if given.itemsize > np.dtype(wide).itemsize else wide  # longdouble

    def transform(operand: Array) -> Array:
        match fft_type:
            case "FFT":
                return np.fft.fftn(operand, axes=axes)
            case "IFFT":
                return np.fft.ifftn(operand, axes=axes)
            case "RFFT":
                return np.fft.rfftn(operand, axes=axes)
            case _:
                return np.fft.irfftn(operand, fft_length, axes)

    def last_size(size: int) -> int:
        match fft_type:
            case "RFFT":
                return size // 2 + 1 if size else 0
            case "IRFFT":
                return fft_length[-1]
            case _:
                return size

    def kernel(operand: Value) -> Value:
        shape = (*operand.shape[:-1], last_size(operand.shape[-1]))
        if 0 in shape:
            return np.empty(shape, dtype)
        if in_blocks and operand.size >= _LARGE:
            return _by_axes(operand, fft_type, fft_length, dtype, natively)
        return transform(operand.astype(wide, copy=False)).astype(dtype, copy=False)

    return Kernel(kernel)


def _by_axes(
    operand: Array, fft_type: str, lengths: tuple[int, ...], dtype: np.dtype[np.generic], natively: bool
) -> Array:
    """One dimension after the other; what is between is f64."""
    rank = len(lengths)
    others: Transform = np.fft.ifft if fft_type in ("IFFT", "IRFFT") else np.fft.fft
    last: Transform = others
    if fft_type == "RFFT":
        last = np.fft.rfft
    elif fft_type == "IRFFT":
        last = _irfft(lengths[-1])
    if rank == 1 and last is others and prod(operand.shape[:-1]) < 4:
        factor = _factor(operand.shape[-1])
        if factor > 1 and operand.shape[-1] >= _LONG:
            return _in_two_rounds(operand, factor, fft_type == "IFFT", dtype)
    axes = [-1, *range(-rank, -1)] if fft_type != "IRFFT" else [*range(-rank, -1), -1]
    values = operand
    for step, axis in enumerate(axes, 1):
        transform, to = (last if axis == -1 else others), dtype if step == rank else np.dtype(np.complex128)
        size = lengths[-1] if axis == -1 and fft_type == "IRFFT" else values.shape[axis]
        if axis == -1 and fft_type == "RFFT":
            size = size // 2 + 1
        shape = list(values.shape)
        shape[axis] = size
        result = np.empty(shape, to)
        kind = fft_type if axis == -1 else fft_type.replace("R", "")
        length = lengths[-1] if kind == "IRFFT" else values.shape[axis]
        if natively and _is_worth_it(length, values.size // max(values.shape[axis], 1)):
            _transform_natively(values, result, axis, _native_fft(kind, length))
        else:
            _transform_rows(_rows(values, axis), _rows(result, axis), transform)
        values = result
    return values


def _is_worth_it(length: int, lines: int) -> bool:
    return _LEAST <= length <= _MOST and not length & (length - 1) and lines >= _LINES


@lru_cache(16)
def _native_fft(kind: str, length: int) -> _native.Fft:
    return _native.Fft(kind, length)


def _transform_natively(values: Array, result: Array, axis: int, transform: _native.Fft) -> None:
    """Fill `result` with the transforms of `values` along `axis`."""
    arrays: list[Any] = [
        array.reshape(prod(array.shape[:axis]), array.shape[axis], -1)
        for array in (np.ascontiguousarray(values), result)
    ]
    transform.run(arrays[0], arrays[1], THREADS)


def _irfft(length: int) -> Transform:
    return lambda block: np.fft.irfft(block, length)


def _rows(values: Array, axis: int) -> Array:
    """A view whose last dimension is `axis`."""
    return values.reshape(-1, values.shape[-1]) if axis == -1 else np.moveaxis(values, axis, -1)


def _transform_rows(values: Array, result: Array, transform: Transform) -> None:
    """Fill `result` with the transforms along the last dimension of `values`."""
    wide = np.result_type(values.dtype, np.float64)
    count, size = values.shape[-2:]
    rows = max(_BLOCK_BYTES // (size * wide.itemsize), 1)
    blocks: list[tuple[int | slice, ...]] = [()]
    if count * size >= _LARGE // 4:
        blocks = [
            (*place, slice(start, start + rows))
            for place in np.ndindex(values.shape[:-2])
            for start in range(0, count, rows)
        ]

    def work(number: int) -> None:
        block = blocks[number]
        result[block] = transform(values[block].astype(wide, "C"))

    on_threads(len(blocks), work)


def _in_two_rounds(operand: Array, first: int, is_inverse: bool, dtype: np.dtype[np.generic]) -> Array:
    """Transforms of first * second elements, by those of `first` elements and those of `second`."""
    size = operand.shape[-1]
    second = size // first
    transform: Transform = np.fft.ifft if is_inverse else np.fft.fft
    rows = max(_BLOCK_BYTES // (16 * first) // _FACTOR_ROWS, 1) * _FACTOR_ROWS
    coarse, fine = _factors(first, second, is_inverse)
    result = np.empty(operand.shape, dtype)
    between = np.empty((second, first), np.complex128)
    for given, to in zip(operand.reshape(-1, first, second), result.reshape(-1, second, first), strict=True):

        def begin(number: int, given: Array = given) -> None:
            block = slice(number * rows, min((number + 1) * rows, second))
            values = transform(given[:, block].T.astype(np.complex128, "C"))
            for start in range(0, len(values), _FACTOR_ROWS):
                some = values[start : start + _FACTOR_ROWS]
                some *= fine[: len(some)] * coarse[block.start // _FACTOR_ROWS + start // _FACTOR_ROWS]
            between[block] = values

        def end(number: int, to: Array = to) -> None:
            width = max(_BLOCK_BYTES // (16 * second), 1)
            block = slice(number * width, (number + 1) * width)
            to[:, block] = transform(np.ascontiguousarray(between[:, block].T)).T

        on_threads(-(-second // rows), begin)
        on_threads(-(-first // max(_BLOCK_BYTES // (16 * second), 1)), end)
    return result


def _factor(size: int) -> int:
    """The largest divisor that is no larger than the square root."""
    return next(divisor for divisor in range(isqrt(size), 0, -1) if size % divisor == 0)


@lru_cache(2)
def _factors(first: int, second: int, is_inverse: bool) -> tuple[Array, Array]:
    """exp(-2 pi i j k / n), k < first, for j = 0, 16, 32, ... and for j < 16, whose products are all."""
    k = np.arange(first)

    def roots(j: Array) -> Array:
        angles = (2 * np.pi / (first * second)) * np.multiply.outer(j, k)
        return np.cos(angles) + (1j if is_inverse else -1j) * np.sin(angles)

    return roots(np.arange(0, second, _FACTOR_ROWS)), roots(np.arange(_FACTOR_ROWS))


def on_threads(count: int, work: Callable[[int], None]) -> None:
    """Calls `work` with 0, ..., count - 1, on threads that end with it; raises what a call raises."""
    numbers = iter(range(count))  # next is atomic
    raised: list[BaseException] = []

    def run() -> None:
        try:
            with np.errstate(all="ignore"):  # which threads do not inherit
                for number in numbers:
                    work(number)
        except BaseException as error:  # whatever it is, the caller raises it
            raised.append(error)
            for _ in numbers:
                pass  # nobody begins another one

    threads = [Thread(target=run) for _ in range(min(THREADS, count) - 1)]
    for thread in threads:
        thread.start()
    run()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
