"""Discrete Fourier transforms, along one dimension after the other, in f64.

Compiled kernels transform lines of up to 262144 elements, real ones of twice as many, if the length has no
prime factor above 13, with the same bits for every position of a line and on every processor. NumPy
transforms all other lines on several threads, in blocks that stay in the cache during widening, transform and
rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from threading import Thread
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.array_ops import Fft
from hlokit.engine.contract.interrupts import beside_main_thread
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.threads import thread_count
from hlokit.kernels.contractions.products import Array
from hlokit.values.shapes import require_transformed

# Bytes of a block in f64, and its least number of rows: NumPy computes roots of unity for each block again.
_BLOCK_BYTES = 1 << 20
_LEAST_ROWS = 4
# Elements that NumPy may take a tenth of a second for, if the length has large prime factors.
_LONG = 1 << 19


def fft(operation: Operation) -> Kernel:
    """spec "fft": result = the transform `fft_type` of the last size(fft_length) dimensions.

    Computed in f64 and rounded once. IRFFT does not read the imaginary parts of elements that must be real:
    of the first element of the last dimension and, if its length is even, of the last.
    """
    fft_type = operation.attributes.enum("fft_type")
    fft_length = operation.attributes.ints("fft_length")
    dtype = operation.result().element_type.dtype
    between = np.result_type(dtype, np.complex128)
    natively = between == np.complex128  # longdouble is not compiled
    complex_type = fft_type.replace("R", "")
    others = [(axis, complex_type, fft_length[axis]) for axis in range(-len(fft_length), -1)]
    last = -1, fft_type, fft_length[-1]
    transforms = (*others, last) if fft_type == "IRFFT" else (last, *others)

    is_static = operation.operand().is_static
    if is_static:
        require_transformed(operation.operand().dims, fft_type, fft_length)

    def kernel(operand: Value) -> Value:
        if not is_static:
            require_transformed(operand.shape, fft_type, fft_length)
        values = operand
        for step, (axis, kind, length) in enumerate(transforms, 1):
            shape = list(values.shape)
            shape[axis] = length // 2 + 1 if kind == "RFFT" and length else length
            result = np.empty(shape, dtype if step == len(transforms) else between)
            compiled = _compiled(kind, length) if natively else None
            if not result.size:
                pass
            elif compiled is None:
                _transform_rows(_rows(values, axis), _rows(result, axis), _by_numpy(kind, length))
            else:
                compiled.run(_lines(values, axis), _lines(result, axis), thread_count())
            values = result
        return values

    is_compiled = natively and all(_compiled(kind, length) for _, kind, length in transforms)
    return Kernel(kernel, array_op=Fft(transforms) if is_compiled else None)


@lru_cache(16)
def _compiled(kind: str, length: int) -> _kernels.Fft | None:
    """The kernel for a length; None if there is none."""
    try:
        return _kernels.Fft(kind, length)
    except ValueError:
        return None


def _lines(array: Array, axis: int) -> Any:
    """The array, contiguous and with three dimensions, of which the middle one is `axis`."""
    return np.ascontiguousarray(array).reshape(prod(array.shape[:axis]), array.shape[axis], -1)


def _by_numpy(kind: str, length: int) -> Callable[[Array], Array]:
    """A transform of the last dimension."""
    match kind:
        case "RFFT":
            return np.fft.rfft
        case "IRFFT":
            return lambda rows: np.fft.irfft(rows, length)
        case "IFFT":
            return np.fft.ifft
        case _:
            return np.fft.fft


def _rows(array: Array, axis: int) -> Array:
    """A view whose last dimension is `axis`."""
    return array.reshape(-1, array.shape[-1]) if axis == -1 else np.moveaxis(array, axis, -1)


def _transform_rows(values: Array, result: Array, transform: Callable[[Array], Array]) -> None:
    """Fill `result` with the transforms along the last dimension of `values`."""
    wide = np.result_type(values.dtype, np.float64)
    shape = values.shape
    # The first dimension whose slices fit a block, or the dimension of the rows.
    sizes = [prod(shape[axis + 1 :]) * wide.itemsize for axis in range(len(shape) - 1)]
    cut = next((axis for axis, size in enumerate(sizes) if size <= _BLOCK_BYTES), len(sizes) - 1)
    step = max(_BLOCK_BYTES // sizes[cut], _LEAST_ROWS if cut == len(sizes) - 1 else 1)
    blocks = [
        (*outer, slice(start, start + step))
        for outer in np.ndindex(shape[:cut])
        for start in range(0, shape[cut], step)
    ]

    def work(number: int) -> None:
        block = blocks[number]
        rows = values[block].astype(wide, "C", copy=False)
        result[block] = beside_main_thread(transform, rows) if rows.size >= _LONG else transform(rows)

    on_threads(len(blocks), work)


def on_threads(count: int, work: Callable[[int], None]) -> None:
    """Call `work` with 0, ..., count - 1, on threads that end with this call; raises the exception of a
    call."""
    numbers = iter(range(count))  # next is atomic
    raised: list[BaseException] = []

    def run() -> None:
        try:
            with np.errstate(all="ignore"):  # threads do not inherit this setting
                for number in numbers:
                    work(number)
        except BaseException as error:  # the caller raises any exception
            raised.append(error)
            for _ in numbers:
                pass  # so that no thread begins another transform

    threads = [Thread(target=run) for _ in range(min(thread_count(), count) - 1)]
    for thread in threads:
        thread.start()
    run()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
