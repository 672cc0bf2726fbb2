"""Discrete Fourier transforms."""

from __future__ import annotations

import numpy as np

from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.ops.products import Array
from hlokit.values.element_types import Kind


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
        return transform(operand.astype(wide, copy=False)).astype(dtype, copy=False)

    return Kernel(kernel)
