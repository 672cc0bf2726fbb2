"""hlokit._kernels.Fft: against NumPy's transforms in f64, in every layout of lines, and what it accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.contract.switches import CPU_LEVELS
from tests.unit.lib.test_cpu import on_level

KINDS = ("FFT", "IFFT", "RFFT", "IRFFT")
LENGTHS = [2, 4, 6, 8, 10, 14, 16, 22, 26, 32, 60, 64, 98, 512, 1000, 1024, 1536, 2048, 4004, 4096]
LENGTHS += [8192, 9000]  # matrices of shorter lines, if they have more than 4096 complex numbers
ODD = [1, 3, 5, 7, 9, 11, 13, 15, 121, 143, 169, 1001, 1155, 2187, 3125, 5005]
Array = Any  # NumPy's stubs do not declare the parts of arrays of unknown dtype


def operand_of(kind: str, length: int, outer: int, inner: int, size: int) -> Array:
    """Random numbers with parts of `size` bytes."""
    random = np.random.default_rng(length + outer)
    shape = outer, length // 2 + 1 if kind == "IRFFT" else length, inner
    real, imag = random.standard_normal((2, *shape))
    values: Array = real if kind == "RFFT" else real + 1j * imag
    return values.astype(f"f{size}" if kind == "RFFT" else f"c{2 * size}")


def numpy_of(kind: str, operand: Array, length: int) -> Array:
    wide = operand.astype(np.float64 if kind == "RFFT" else np.complex128)
    if kind == "IRFFT":
        return np.fft.irfft(wide, length, 1)
    return {"FFT": np.fft.fft, "IFFT": np.fft.ifft, "RFFT": np.fft.rfft}[kind](wide, axis=1)


def transform(kind: str, length: int, operand: Array, size: int, threads: int = 1) -> Array:
    outputs = length // 2 + 1 if kind == "RFFT" else length
    dtype = f"f{size}" if kind == "IRFFT" else f"c{2 * size}"
    result: Any = np.full((operand.shape[0], outputs, operand.shape[2]), np.nan, dtype)
    _kernels.Fft(kind, length).run(operand, result, threads)
    return result


@pytest.mark.parametrize("kind", KINDS)
def test_as_numpy(kind: str) -> None:
    lengths = [*LENGTHS, *ODD] if kind in ("FFT", "IFFT") else LENGTHS
    for length, outer, inner in (
        (n, *shape) for n in lengths for shape in ((1, 1), (9, 1), (1, 17), (3, 8), (2, 5))
    ):
        operand = operand_of(kind, length, outer, inner, 8)
        expected = numpy_of(kind, operand, length)
        actual = transform(kind, length, operand, 8)
        # The error of each transform is some 2**-53 times the square root of the number of steps.
        assert np.abs(actual - expected).max() <= 2.0**-50 * np.abs(expected).max(), (length, outer, inner)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("given", "to"), [(4, 4), (4, 8), (8, 4)])
def test_types_are_rounded_once(kind: str, given: int, to: int) -> None:
    operand = operand_of(kind, 64, 5, 4, given)
    wide = transform(kind, 64, operand.astype("f8" if kind == "RFFT" else "c16"), 8)
    actual = transform(kind, 64, operand, to)
    np.testing.assert_array_equal(actual, wide.astype(actual.dtype))


@pytest.mark.parametrize("kind", KINDS)
def test_lines_and_threads_do_not_matter(kind: str) -> None:
    """A line gives the same bits alone, among other lines, and beside lines with infinities."""
    operand = operand_of(kind, 32, 40, 9, 4)
    together = transform(kind, 32, operand, 4, threads=3)
    for outer, inner in ((0, 0), (39, 8), (17, 3)):
        line = np.ascontiguousarray(operand[outer : outer + 1, :, inner : inner + 1])
        np.testing.assert_array_equal(transform(kind, 32, line, 4)[0, :, 0], together[outer, :, inner])
    operand[:, :, 4] = np.inf
    beside = transform(kind, 32, operand, 4)
    np.testing.assert_array_equal(np.delete(beside, 4, 2), np.delete(together, 4, 2))


def test_elements_that_must_be_real_are_real() -> None:
    operand = operand_of("RFFT", 16, 3, 3, 4)
    operand[1, 5] = np.inf
    result = transform("RFFT", 16, operand, 4)
    assert not result[:, [0, 8]].imag.any()
    spectrum = operand_of("IRFFT", 16, 3, 3, 4)
    expected = transform("IRFFT", 16, spectrum, 4)
    spectrum.imag[:, [0, 8]] = np.nan
    np.testing.assert_array_equal(transform("IRFFT", 16, spectrum, 4), expected)


def test_no_lines() -> None:
    for outer, inner in ((0, 3), (3, 0), (0, 0)):
        assert transform("FFT", 8, np.zeros((outer, 8, inner), np.complex64), 4).size == 0


@pytest.mark.parametrize(
    ("kind", "length"),
    [
        ("FFT", 0),
        ("FFT", 17),
        ("IFFT", 34),
        ("FFT", 4097),
        ("FFT", 2**19),
        ("RFFT", 2**20),
        ("RFFT", 9),
        ("IRFFT", 1),
    ],
)
def test_lengths_that_there_are_not(kind: str, length: int) -> None:
    with pytest.raises(ValueError, match=f"there is no {kind} of length {length}"):
        _kernels.Fft(kind, length)
    with pytest.raises(ValueError, match="a transform must be FFT, IFFT, RFFT or IRFFT, got DFT"):
        _kernels.Fft("DFT", 4)


DIGEST = f"""
import hashlib, json
import numpy as np
from hlokit import _kernels

found = hashlib.sha256()
for kind in {KINDS}:
    for length in {LENGTHS} + ({ODD} if kind in ("FFT", "IFFT") else []):
        operand = np.arange(6 * length * 3, dtype=np.float64) * 0.6180339887498949 % 1 - 0.5
        operand = operand.reshape(3, length, 6) if kind == "RFFT" else operand.view(complex).reshape(3, length, 3)
        operand = operand[:, : length // 2 + 1].copy() if kind == "IRFFT" else operand
        outputs = length // 2 + 1 if kind == "RFFT" else length
        dtype = np.float64 if kind == "IRFFT" else np.complex128
        result = np.empty((3, outputs, operand.shape[2]), dtype)
        _kernels.Fft(kind, length).run(operand, result)
        found.update(result.tobytes())
print(json.dumps(found.hexdigest()[:16]))
"""


@pytest.mark.parametrize("level", CPU_LEVELS)
def test_every_processor_computes_the_same_bits(level: str) -> None:
    """Each sum and product is rounded, and no C library computes roots of unity."""
    assert on_level(level, DIGEST) == "5a4ed4393347c22b"


def test_memory() -> None:
    fft: Any = _kernels.Fft("FFT", 8)
    x = np.zeros((4, 8, 5), np.complex64)
    y = np.empty_like(x)
    frozen = x.copy()
    frozen.flags.writeable = False
    read_only_operand = frozen
    fft.run(read_only_operand, y)
    for operand, result in (
        (x, x),
        (x, frozen),
        (x[:3], y),
        (x, y[:, :7].copy()),
        (x[:, :7].copy(), y),
        (x[0], y[0]),
        (x.real.copy(), y),
        (x, y.astype(np.complex128)[::2]),
        (x.transpose(2, 1, 0), y),
        (x.astype(np.clongdouble), y),
    ):
        with pytest.raises((ValueError, BufferError)):
            fft.run(operand, result)
