"""fft against the defining sum in mpmath, its own inverse, and XLA."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.kernels.linalg.fft import on_threads
from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, ElementType
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, program, sample, tensor


def text(kind: str, operand: Array, length: Sequence[int], result: ElementType) -> str:
    shape = list(operand.shape)
    if kind == "RFFT":
        shape[-1] = shape[-1] // 2 + 1 if shape[-1] else 0
    if kind == "IRFFT":
        shape[-1] = length[-1]
    lengths = ", ".join(map(str, length))
    attributes = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64: {lengths}>"
    return program("fft", attributes, [operand], [tensor(shape, result)])


def transform(kind: str, operand: Array, length: Sequence[int], result: ElementType) -> Array:
    (values,) = evaluate(text(kind, operand, length, result), operand)
    return values


def in_f64(kind: str, operand: Array, length: Sequence[int]) -> Array:
    """NumPy's transform."""
    axes = tuple(range(-len(length), 0))
    match kind:
        case "FFT":
            return np.fft.fftn(operand.astype(np.complex128), axes=axes)
        case "IFFT":
            return np.fft.ifftn(operand.astype(np.complex128), axes=axes)
        case "RFFT":
            return np.fft.rfftn(operand.astype(np.float64), axes=axes)
        case _:
            return np.fft.irfftn(operand.astype(np.complex128), length, axes)


def definition(values: Array, sign: int) -> Array:
    """sum over k of values[k] * exp(sign * 2 pi i j k / n)."""
    n = len(values)
    roots = [mpmath.expjpi(mpmath.mpf(2 * sign * k) / n) for k in range(n)]
    sums = [mpmath.fsum(complex(v) * roots[j * k % n] for k, v in enumerate(values)) for j in range(n)]
    return np.array([complex(total) for total in sums])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 12, 17, 30])
@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_definition(type_: ElementType, size: int) -> None:
    operand = sample(np.random.default_rng(size), type_, (size,))
    exact = definition(operand, -1)
    tolerance = 2.0**-24 if type_ is COMPLEX_F32 else 1e-15
    assert_near(transform("FFT", operand, [size], type_), exact.astype(type_.dtype), tolerance)
    inverse = definition(operand, 1) / size
    assert_near(transform("IFFT", operand, [size], type_), inverse.astype(type_.dtype), tolerance)


@pytest.mark.parametrize("size", [16, 1000, 1021])
def test_f32_is_rounded_once(size: int) -> None:
    operand = sample(np.random.default_rng(size), COMPLEX_F32, (4, size))
    wide = np.fft.fft(operand.astype(np.complex128))
    assert_same(transform("FFT", operand, [size], COMPLEX_F32), wide.astype(np.complex64))


SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4)


@given(SHAPES, st.integers(1, 3), st.sampled_from([(F32, COMPLEX_F32), (F64, COMPLEX_F64)]))
@settings(max_examples=60)
def test_real_transforms_are_halves_of_complex_ones(
    shape: list[int], rank: int, types: tuple[ElementType, ElementType]
) -> None:
    real, complex_ = types
    rank = min(rank, len(shape))
    length = shape[-rank:]
    operand = sample(np.random.default_rng(0), real, shape)
    half = transform("RFFT", operand, length, complex_)
    whole = transform("FFT", operand.astype(complex_.dtype), length, complex_)
    tolerance = 1e-6 if real is F32 else 1e-14
    assert_near(half, whole[..., : shape[-1] // 2 + 1], tolerance)
    assert_near(transform("IRFFT", half, length, real), operand, tolerance)
    assert_near(transform("IFFT", whole, length, complex_), operand.astype(complex_.dtype), tolerance)


@pytest.mark.parametrize("kind", ["FFT", "IFFT", "RFFT", "IRFFT"])
@pytest.mark.parametrize("size", [8, 9])
def test_against_xla(kind: str, size: int) -> None:
    operand_type, result_type = {"RFFT": (F32, COMPLEX_F32), "IRFFT": (COMPLEX_F32, F32)}.get(
        kind, (COMPLEX_F32, COMPLEX_F32)
    )
    last = size // 2 + 1 if kind == "IRFFT" else size
    for rank in (1, 2, 3):
        shape = (2, 3, 4, last)
        length = [*shape[4 - rank : 3], size]
        operand = sample(np.random.default_rng(0), operand_type, shape)
        source = text(kind, operand, length, result_type)
        (actual,), (expected,) = evaluate(source, operand), oracles.xla(source, operand)
        assert_near(actual, expected, 1e-6)


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 4), (0, 3, 4)], ids=str)
@pytest.mark.parametrize("kind", ["FFT", "RFFT"])
def test_empty(kind: str, shape: tuple[int, ...]) -> None:
    operand = np.zeros(shape, np.float32 if kind == "RFFT" else np.complex64)
    for rank in range(1, len(shape) + 1):
        result = transform(kind, operand, shape[-rank:], COMPLEX_F32)
        assert result.size == 0
        assert result.dtype == np.complex64


def test_views_are_transformed_as_they_are() -> None:
    operand = sample(np.random.default_rng(0), COMPLEX_F64, (6, 5)).T[:, ::-1]
    operand.flags.writeable = False
    assert not operand.flags.c_contiguous
    program_ = hlokit.load(text("FFT", operand, [6], COMPLEX_F64))
    assert_near(program_(operand), np.fft.fft(np.ascontiguousarray(operand)), 1e-15)


@pytest.mark.parametrize(
    "shape",
    [
        (65536,),
        (3, 90000),
        (65537,),
        (200, 100),
        (5, 70, 64),
        (3000, 4, 6),
        (7, 20, 16, 24),
        (3000, 17, 19),
        (2, 4099, 34),
    ],
)
def test_large_transforms_equal_those_of_numpy(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(3)
    rank = 1 if len(shape) < 3 else len(shape) - 1
    size = shape[-rank:]
    for kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
        type_ = F32 if kind == "RFFT" else COMPLEX_F32
        operand = sample(random, type_, (*shape[:-1], shape[-1] // 2 + 1) if kind == "IRFFT" else shape)
        result_type = F32 if kind == "IRFFT" else COMPLEX_F32
        actual = transform(kind, operand, size, result_type)
        expected = in_f64(kind, operand, size).astype(result_type.dtype)

        assert actual.shape == expected.shape
        assert actual.dtype == expected.dtype
        # f64 in another order, which sometimes rounds to the other side.
        assert np.abs(actual - expected).max() <= 2.0**-23 * np.abs(expected).max()
        assert np.mean(actual != expected) < 1e-3


@pytest.mark.parametrize("shape", [[64, 1024], [1 << 17]])
@pytest.mark.filterwarnings("error")  # NumPy's warnings do not reach the caller, from any thread
def test_large_transforms_of_values_that_overflow(shape: list[int]) -> None:
    operand = np.full(shape, 3e38, np.complex64)
    assert np.isinf(transform("FFT", operand, shape[-1:], COMPLEX_F32)[..., 0]).all()
    operand[..., 1] = np.inf
    assert not np.isfinite(transform("FFT", operand, shape[-1:], COMPLEX_F32)).any()


@pytest.mark.parametrize("failing", [0, 57, 99])
def test_an_exception_of_a_thread_is_raised(failing: int) -> None:
    def work(number: int) -> None:
        if number == failing:
            raise MemoryError(number)

    with pytest.raises(MemoryError, match=str(failing)):
        on_threads(100, work)


LONG = """
import hashlib
import numpy as np
import hlokit

found = hashlib.sha256()
for n in (1009, 2 * 4999, 16384):
    rows = (np.arange(12 * n) * 0.6180339887498949 % 1 - 0.5).view(complex).reshape(6, n)
    type_ = f"tensor<6x{n}xcomplex<f64>>"
    attributes = f"type = FFT, length = [{n}]"
    program = hlokit.load(
        f"func.func @main(%x: {type_}) -> {type_} {{"
        f"%y = stablehlo.fft %x, {attributes} : ({type_}) -> {type_} return %y : {type_} }}"
    )
    first = np.asarray(program(rows)).tobytes()
    turned = np.asfortranarray(rows)
    assert all(np.asarray(program(each)).tobytes() == first for each in (rows, turned, rows[::-1].copy()[::-1]))
    found.update(first)
print(found.hexdigest())
"""


def test_long_and_prime_lines_are_the_same_bytes_on_every_processor() -> None:
    """NumPy's transform has no code for single processors; layouts, runs and threads change nothing either."""
    usual = {"HLOKIT_CPU": "baseline", "HLOKIT_THREADS": "1"}
    usual["NPY_DISABLE_CPU_FEATURES"] = "AVX2 FMA3 AVX512F AVX512_SKX"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", LONG],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for variables in (usual, {"HLOKIT_THREADS": "2"})
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(("kind", "shape", "length"), [("FFT", (3,), [4]), ("IFFT", (0, 2), [2, 2])])
def test_lengths_that_the_operand_does_not_have(kind: str, shape: tuple[int, ...], length: list[int]) -> None:
    operand = np.ones(shape, np.complex64)
    with pytest.raises(hlokit.VerificationError, match="fft_length must be the sizes of the last dimensions"):
        hlokit.load(text(kind, operand, length, COMPLEX_F32))
