"""The rules of agreement of values."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit.kernels.checks.rules import AlmostEqual, Close, Equal, Rule
from hlokit.values.element_types import ELEMENT_TYPES, element_type_of

NAN, INF = float("nan"), float("inf")


def agree(rule: Rule, actual: object, expected: object, dtype: object = np.float32) -> list[bool]:
    a, b = (np.atleast_1d(np.array(values, dtype)) for values in (actual, expected))
    return rule.agree(a, b, element_type_of(a.dtype)).tolist()


def test_equal_is_bitwise() -> None:
    assert agree(Equal(), [1, 0.0, NAN, INF, 2], [1, -0.0, NAN, INF, 3]) == [True, False, True, True, False]


def test_equal_distinguishes_nans() -> None:
    a, b = (np.array([code], np.uint32).view(np.float32) for code in (0x7FC00000, 0x7FC00001))
    assert not Equal().agree(a, b, element_type_of(a.dtype)).any()


def test_equal_compares_both_parts() -> None:
    assert agree(Equal(), [1 + 2j, 1 + 2j, 1 + 2j], [1 + 2j, 1 - 2j, 2 + 2j], np.complex64) == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("element_type", ELEMENT_TYPES.values(), ids=str)
def test_equal_of_every_type(element_type: object) -> None:
    values = np.array([0, 1], element_type.dtype)
    assert Equal().agree(values, values, element_type).tolist() == [True, True]
    assert Equal().agree(values, values[::-1], element_type).tolist() == [False, False]


def test_almost_equal_is_absolute() -> None:
    assert agree(AlmostEqual(0.5), [1, 1, 100], [1.5, 1.75, 100.5]) == [True, False, True]


def test_almost_equal_of_special_values() -> None:
    actual = [NAN, INF, INF, INF, NAN, 0.0]
    expected = [-NAN, INF, -INF, 1, 1, -0.0]
    assert agree(AlmostEqual(INF), actual, expected) == [True, True, False, False, False, True]


def test_almost_equal_of_complex_values() -> None:
    actual, expected = [1 + 1j, 1 + 1j, complex(NAN, 1)], [1.1 + 1.1j, 1 + 2j, complex(NAN, 1)]
    assert agree(AlmostEqual(0.2), actual, expected, np.complex128) == [True, False, True]


def test_almost_equal_of_narrow_floats() -> None:
    assert agree(AlmostEqual(0.25), [1.0, 1.0], [1.25, 1.5], ml_dtypes.float8_e4m3fn) == [True, False]


def test_close_counts_steps() -> None:
    next_ = np.nextafter(np.float32(1), np.float32(2))
    assert agree(Close(0, 1), [1, 1], [next_, np.nextafter(next_, np.float32(2))]) == [True, False]


def test_close_of_special_values() -> None:
    largest = np.finfo(np.float32).max
    actual = [0.0, NAN, INF, INF, NAN, 1e-45]
    expected = [-0.0, -NAN, INF, largest, 1, -1e-45]
    assert agree(Close(0, 2), actual, expected) == [True, True, True, False, False, True]


def test_close_with_a_minimum() -> None:
    assert agree(Close(1, 1), [1, 1], [1, np.nextafter(np.float32(1), np.float32(0))]) == [False, True]


def test_close_of_values_infinitely_far() -> None:
    far = (1 << 64) - 1
    assert agree(Close(far, far), [INF, 1, 1], [1, NAN, 1]) == [True, True, False]


@given(st.floats(width=32), st.floats(width=32))
def test_bitwise_equal_values_agree_by_every_rule(a: float, b: float) -> None:
    rules = (Equal(), AlmostEqual(0.0), Close(0, 0))
    equal, almost, close = (agree(rule, a, b)[0] for rule in rules)
    assert almost == close
    assert almost or not equal


@given(st.integers(-128, 127), st.integers(-128, 127))
def test_equal_of_integers(a: int, b: int) -> None:
    assert agree(Equal(), a, b, np.int8) == [a == b]


def test_distances() -> None:
    f32 = element_type_of(np.dtype(np.float32))
    a, b = np.array([1, 1, INF], np.float32), np.array([1, 1.5, 1], np.float32)
    assert Equal().distance(a, b, f32) == ["0 ULP", "4194304 ULP", "infinite"]
    assert AlmostEqual(0).distance(a, b, f32) == ["0", "0.5", "inf"]
    i8 = element_type_of(np.dtype(np.int8))
    assert Equal().distance(np.array([-128], np.int8), np.array([127], np.int8), i8) == ["255"]
