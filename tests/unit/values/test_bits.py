"""Bit views, bitwise equality and ULP distances against counting and NumPy's nextafter."""

from __future__ import annotations

import io
import itertools
import math

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlokit.values.bits import (
    bits,
    bitwise_equal,
    restored,
    significant_bits,
    storable,
    ulp_distance,
    with_mantissa_bits,
)
from hlokit.values.element_types import (
    COMPLEX_F32,
    COMPLEX_F64,
    F4E2M1FN,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E8M0FNU,
    F32,
    F64,
    I4,
    I8,
    I32,
    UI2,
    ElementType,
)
from tests.unit.values.strategies import ALL, FLOATS, arrays, codes, every_value

FAR = (1 << 64) - 1
EIGHT_BITS = [row for row in FLOATS if row.width <= 8]


def far_or_steps(element_type: ElementType) -> dict[tuple[int, int], int]:
    """Distances by counting: sort the distinct finite numbers; the distance is the difference of ranks."""
    numbers = every_value(element_type).astype(np.float64).tolist()
    ranks = {value: rank for rank, value in enumerate(sorted({v for v in numbers if math.isfinite(v)}))}
    expected: dict[tuple[int, int], int] = {}
    for (i, a), (j, b) in itertools.product(enumerate(numbers), repeat=2):
        if i == j or (math.isnan(a) and math.isnan(b)):
            expected[i, j] = 0
        elif math.isfinite(a) and math.isfinite(b):
            expected[i, j] = abs(ranks[a] - ranks[b])
        else:
            expected[i, j] = FAR
    return expected


@pytest.mark.parametrize("element_type", EIGHT_BITS, ids=str)
def test_distance_counts_the_steps_between_all_pairs(element_type: ElementType) -> None:
    values = every_value(element_type)
    count = values.size
    a, b = np.repeat(values, count).reshape(count, count), np.tile(values, (count, 1))
    distances = ulp_distance(a, b, element_type)
    assert distances.dtype == np.uint64
    expected = far_or_steps(element_type)
    assert distances.tolist() == [[expected[i, j] for j in range(count)] for i in range(count)]


@pytest.mark.parametrize("element_type", [F32, F64], ids=str)
@given(data=st.data())
def test_distance_counts_nextafter(element_type: ElementType, data: st.DataObject) -> None:
    code = data.draw(codes(element_type))
    start = np.array(code, dtype=element_type.bits_dtype).view(element_type.dtype)
    steps = data.draw(st.integers(0, 20))
    value = start
    for _ in range(steps):
        value = np.nextafter(value, element_type.dtype.type(-math.inf))
    expected = steps if np.isfinite(value) and np.isfinite(start) else None
    if expected is not None:
        assert int(ulp_distance(start, np.asarray(value), element_type)) == expected


@pytest.mark.parametrize("element_type", [F32, F64], ids=str)
def test_distance_across_zero_and_at_the_ends(element_type: ElementType) -> None:
    info = np.finfo(element_type.dtype)
    tiny = info.smallest_subnormal
    a = np.array([0.0, tiny, -tiny, info.max, info.max, np.inf, np.inf, np.nan, np.nan, 1], info.dtype)
    b = np.array([-0.0, -0.0, tiny, -info.max, np.inf, np.inf, -np.inf, -np.nan, 1, np.nan], info.dtype)
    ends = 2 * int(np.abs(info.max).view(element_type.bits_dtype))
    assert ulp_distance(a, b, element_type).tolist() == [0, 1, 2, ends, FAR, 0, FAR, 0, FAR, FAR]


def test_distance_of_complex_is_the_larger_part() -> None:
    one, next_to_one = np.float32(1), np.nextafter(np.float32(1), np.float32(2))
    a = np.array([complex(one, 2), complex(one, math.nan), complex(1, math.inf)], np.complex64)
    b = np.array([complex(next_to_one, 2), complex(one, -math.nan), complex(one, 1)], np.complex64)
    assert ulp_distance(a, b, COMPLEX_F32).tolist() == [1, 0, FAR]


def test_distance_of_scalars_is_an_array() -> None:
    for value, element_type in ((np.float32(1), F32), (np.complex128(1j), COMPLEX_F64)):
        scalar = np.asarray(value)
        assert ulp_distance(scalar, scalar, element_type).shape == ()
        assert bitwise_equal(scalar, scalar, element_type).shape == ()


@pytest.mark.parametrize("element_type", ALL, ids=str)
@settings(max_examples=20)
@given(data=st.data())
@pytest.mark.sample("i1", "i4", "ui16", "f8E4M3FN", "bf16", "f64", "complex<f32>", "index")
def test_bitwise_equal_compares_bytes(element_type: ElementType, data: st.DataObject) -> None:
    a = data.draw(arrays(element_type))
    permutation = data.draw(st.permutations(range(a.size)))
    b = a.reshape(-1)[permutation].reshape(a.shape) if a.size else a
    expected = [x.tobytes() == y.tobytes() for x, y in zip(a.reshape(-1), b.reshape(-1), strict=True)]
    equal = bitwise_equal(a, b, element_type)
    assert (equal.shape, equal.dtype, equal.reshape(-1).tolist()) == (a.shape, np.bool_, expected)


def test_bitwise_equal_distinguishes_zeros_and_payloads() -> None:
    a = np.array([0.0, np.nan, np.nan, 1.0], np.float32)
    b = np.array([0x80000000, 0x7FC00000, 0x7FC00001, 0x3F800000], np.uint32).view(np.float32)
    assert bitwise_equal(a, b, F32).tolist() == [False, True, False, True]
    zeros = np.array([complex(1, 0.0), complex(1, -0.0)])
    assert bitwise_equal(zeros, zeros[::-1], COMPLEX_F64).tolist() == [False, False]
    assert bitwise_equal(zeros, zeros.copy(), COMPLEX_F64).all()


@pytest.mark.parametrize(
    ("element_type", "clean", "dirty"), [(I4, 0x0F, 0xFF), (UI2, 1, 0xFD), (F4E2M1FN, 3, 0xF3)]
)
def test_bits_beyond_the_width_do_not_count(element_type: ElementType, clean: int, dirty: int) -> None:
    a, b = (np.array([code], np.uint8).view(element_type.dtype) for code in (clean, dirty))
    assert bitwise_equal(a, b, element_type).all()
    assert significant_bits(b, element_type).tolist() == [clean]


def test_bits_is_a_view() -> None:
    array = np.zeros((2, 3), np.float32)
    bits(array)[1, 2] = 0x3F800000
    assert array[1, 2] == 1
    numbers = np.zeros(2, np.complex64)
    bits(numbers)[1] = [0, 0x3F800000]
    assert numbers.tolist() == [0, 1j]


def test_bits_of_strided_arrays() -> None:
    array = np.arange(12, dtype=np.complex128).reshape(3, 4).T
    assert bits(array).shape == (4, 3, 2)
    assert (bits(array).view(np.float64)[..., 0] == array.real).all()
    broadcast = np.broadcast_to(np.float32(1), (2, 2))
    assert bits(broadcast).tolist() == [[0x3F800000] * 2] * 2


def test_wrong_arguments_are_refused() -> None:
    one = np.ones(1, np.float32)
    with pytest.raises(TypeError, match="must be float or complex, got i32"):
        ulp_distance(np.ones(1, np.int32), np.ones(1, np.int32), I32)
    with pytest.raises(TypeError, match="dtype must be that of f32, got float64"):
        ulp_distance(one, np.ones(1), F32)
    with pytest.raises(ValueError, match=r"shapes must be equal, got \(1,\) and \(2,\)"):
        bitwise_equal(one, np.ones(2, np.float32), F32)
    with pytest.raises(TypeError, match="dtype must be that of i8"):
        bitwise_equal(one, one, I8)


@pytest.mark.parametrize(
    ("element_type", "a", "b", "expected"),
    [
        (F8E4M3FNUZ, 0x01, 0x81, 2),
        (F8E4M3FNUZ, 0x80, 0x00, FAR),
        (F8E8M0FNU, 0x00, 0xFE, 254),
        (F8E4M3FN, 0x7E, 0x7F, FAR),
    ],
    ids=str,
)
def test_distance_in_odd_formats(element_type: ElementType, a: int, b: int, expected: int) -> None:
    left, right = (np.array([code], np.uint8).view(element_type.dtype) for code in (a, b))
    assert ulp_distance(left, right, element_type).tolist() == [expected]


@pytest.mark.parametrize("element_type", ALL, ids=str)
def test_stored_arrays_read_back(element_type: ElementType) -> None:
    array = np.arange(6, dtype=np.uint8).repeat(element_type.dtype.itemsize).view(element_type.dtype)
    for each in (array.reshape(2, 3).T, array[:1].reshape(())):
        file = io.BytesIO()
        np.save(file, storable(each), allow_pickle=False)
        file.seek(0)
        read = restored(np.load(file, allow_pickle=False), element_type.dtype)
        assert (read.dtype, read.shape, read.tobytes()) == (element_type.dtype, each.shape, each.tobytes())


def test_arrays_in_dtypes_of_numpy_stay_as_they_are() -> None:
    numbers = np.ones(2, np.float32)
    assert storable(numbers) is numbers
    assert restored(numbers, np.dtype(np.int32)) is numbers


def test_fewer_bits_of_mantissa() -> None:
    """f16 has 10 bits of mantissa, bf16 has 7."""
    values = np.random.default_rng(0).uniform(-100, 100, (50, 4)).astype(np.float32)
    values[0] = 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8
    for count, dtype in ((10, np.float16), (7, ml_dtypes.bfloat16)):
        rounded = values.astype(dtype)
        assert with_mantissa_bits(values, count).tobytes() == rounded.astype(np.float32).tobytes()
        is_larger = np.abs(rounded.astype(np.float32)) > np.abs(values)
        cut = np.where(is_larger, np.nextafter(rounded, np.zeros((), dtype)), rounded)
        assert with_mantissa_bits(values, count, is_cut=True).tobytes() == cut.astype(np.float32).tobytes()
    assert with_mantissa_bits(values.reshape(-1)[0], 10).shape == ()
