"""dot_general and convolution are as accurate as pairwise summation, for all kinds of terms."""

from __future__ import annotations

from fractions import Fraction
from math import fsum, log2
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels
from hlokit.kernels.contractions.sums import in_lanes
from hlokit.reference.numbers.rules import order_of_summation
from hlokit.values.element_types import BF16, COMPLEX_F32, COMPLEX_F64, F16, F32, F64, ElementType, Kind
from tests.unit.kernels.one_op import evaluate, program, tensor

Array = npt.NDArray[Any]

LENGTHS = (1, 7, 8, 9, 31, 100, 128, 129, 257, 1000, 4097, 50_000)
LONG = 1_000_000
SHAPES = {"vector": (1, 1), "row": (1, 5), "column": (5, 1), "matrix": (7, 40)}
DOT = """dot_dimension_numbers = #stablehlo.dot<
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [{dimension}]>"""


def pairwise(terms: int) -> int:
    """Roundings of a term by NumPy's sum: 8 interleaved sums of 16 at most, in a tree."""
    if terms < 8:
        return terms
    blocks = -(-terms // 128)
    return -(-min(terms, 128) // 8) + 3 + max(blocks - 1, 0).bit_length()


def terms_of(kind: str, count: int, rows: int, columns: int, type_: ElementType) -> tuple[Array, Array]:
    random = np.random.default_rng(count)
    shape = (rows, count), (count, columns)
    match kind:
        case "equal":
            return tuple(np.full(each, 0.1, np.float64) for each in shape)  # pyright: ignore[reportReturnType] # as many as shapes
        case "large first":
            a, b = (np.full(each, 2.0**-9, np.float64) for each in shape)
            a[:, 0] = b[0] = 1
            return a, b
        case "cancelling":
            a, b = random.standard_normal(shape[0]), random.standard_normal(shape[1])
            a[:, 1::2] = -a[:, : count // 2 * 2 : 2]
            b[1::2] = b[: count // 2 * 2 : 2] * (1 + 2.0**-5)
            return a, b
        case _:
            return random.standard_normal(shape[0]), random.standard_normal(shape[1])


def assert_accurate(actual: Array, a: Array, b: Array, work: int, rounding: float = 0) -> None:
    """Assert that sums are accurate. `work`: bits of the type of the computation; `rounding`: relative error
    of the result."""
    count = a.shape[1]
    allowed = 2.0**-work * pairwise(count) * 1.01 + rounding
    for i in range(0, a.shape[0], 3):
        for j in range(0, b.shape[1], 17):
            x, y = a[i].astype(np.float64), b[:, j].astype(np.float64)
            if work == 24:  # products of f32 are exact
                products = x * y
                error = abs(float(actual[i, j]) - fsum(products))
                assert error <= allowed * fsum(np.abs(products)), (count, i, j)
                continue
            # Products as sums of exact ones.
            high = (x * 134217729.0) - (x * 134217729.0 - x)
            other = (y * 134217729.0) - (y * 134217729.0 - y)
            parts = [high * other, high * (y - other), (x - high) * other, (x - high) * (y - other)]
            error = abs(fsum([*np.concatenate(parts), -float(actual[i, j])]))
            assert error <= allowed * fsum(np.abs(x * y)), (count, i, j)


def product(a: Array, b: Array, type_: ElementType, transposed: bool = False) -> Array:
    lhs, rhs = a.astype(type_.dtype), b.astype(type_.dtype)
    rhs = np.ascontiguousarray(rhs.T) if transposed else rhs
    text = program(
        "dot_general",
        DOT.format(dimension=1 if transposed else 0),
        [lhs, rhs],
        [tensor((a.shape[0], b.shape[1]), type_)],
    )
    (result,) = evaluate(text, lhs, rhs)
    return result


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("kind", ["equal", "large first", "random", "cancelling"])
@pytest.mark.parametrize("type_", [F32, F64, BF16, F16], ids=str)
@pytest.mark.sample("*-False", "f32-equal-True")
def test_dot_is_as_good_as_pairwise(type_: ElementType, kind: str, transposed: bool) -> None:
    epsilons = {BF16: 2.0**-8, F16: 2.0**-11}
    for count in (*LENGTHS, LONG) if kind == "equal" else LENGTHS:
        shapes = SHAPES if count <= 4097 else {"column": (2, 1), "row": (1, 2)}
        for rows, columns in shapes.values():
            if count * (rows + columns) > 3_000_000:
                continue
            a, b = terms_of(kind, count, rows, columns, type_)
            a, b = a.astype(type_.dtype), b.astype(type_.dtype)
            if type_ is F16 and count > 4097:
                continue
            actual = product(a, b, type_, transposed).astype(np.float64)
            assert_accurate(actual, a, b, 53 if type_ is F64 else 24, epsilons.get(type_, 0))


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("kind", ["equal", "random"])
def test_complex_dot_is_as_good_as_pairwise(type_: ElementType, kind: str) -> None:
    for count in (1, 8, 9, 100, 257, 4097):
        for rows, columns in SHAPES.values():
            parts = [terms_of(kind, count + i, rows, columns, type_) for i in (0, 1)]
            a = (parts[0][0][:, :count] + 1j * parts[1][0][:, :count]).astype(type_.dtype)
            b = (parts[0][1][:count] - 1j * parts[1][1][:count]).astype(type_.dtype)
            actual = product(a, b, type_)
            # As sums of twice as many real terms. The few terms that are multiplied first are rounded, too.
            real_a = np.concatenate([a.real, -a.imag], 1), np.concatenate([a.real, a.imag], 1)
            real_b = np.concatenate([b.real, b.imag]), np.concatenate([b.imag, b.real])
            work = 53 if type_ is COMPLEX_F64 else 24
            for part, x, y in zip((actual.real, actual.imag), real_a, real_b, strict=True):
                assert_accurate(part, x, y, work, 2.0 ** (1 - work))


@pytest.mark.parametrize("type_", [F32, F64, COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("features", [1, 5, 64, 300])
@pytest.mark.parametrize("groups", [1, 2])
def test_convolution_is_as_good_as_pairwise(type_: ElementType, features: int, groups: int) -> None:
    is_complex = type_.kind is Kind.COMPLEX
    lhs = np.full((1, 6, 7, features * groups), 0.1 + 0.1j if is_complex else 0.1, type_.dtype)
    rhs = np.full((3, 3, features, 4 * groups), 0.1 - 0.1j if is_complex else 0.1, type_.dtype)
    attributes = f"""dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
        batch_group_count = 1 : i64, feature_group_count = {groups} : i64"""
    text = program("convolution", attributes, [lhs, rhs], [tensor((1, 4, 5, 4 * groups), type_)])

    (actual,) = evaluate(text, lhs, rhs)

    # Complex products are sums of two: here twice the same in the real part, and zero in the other.
    count = 9 * features * (2 if is_complex else 1)
    expected = Fraction(float(np.real(lhs).flat[0])) ** 2 * count
    worst = max(abs(Fraction(float(value)) - expected) / expected for value in np.real(actual).flat)
    allowed = pairwise(count) * 2.0 ** (-53 if type_.dtype.name in ("float64", "complex128") else -24)
    assert worst <= allowed
    assert np.abs(np.imag(actual)).max() <= allowed * expected


def test_roundings_are_those_of_pairwise_summation() -> None:
    for count in range(1, 5000):
        assert _kernels.roundings(count) <= pairwise(count)
        assert _kernels.roundings(count) <= 12 + log2(max(count, 128)) + 1


@pytest.mark.parametrize("type_", [F32, F64, BF16, F16, COMPLEX_F32], ids=str)
def test_special_values(type_: ElementType) -> None:
    random = np.random.default_rng(5)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], np.float32)
    a, b = random.standard_normal((2, 40, 40)).astype(np.float32)
    a[0, :6], b[5, :6], a[3], b[:, 7] = special, special, 0, -0.0
    if type_.kind is Kind.COMPLEX:
        a, b = a[4:], b[:, 8:]  # where infinities are, parts of complex products may be NaN or not
    fast = product(a, b, type_)
    wide = np.complex128 if type_.kind is Kind.COMPLEX else np.float64
    with np.errstate(invalid="ignore"):
        plain = (a.astype(wide) @ b.astype(wide)).astype(fast.dtype)
    tolerance = {BF16: 2.0**-7, F16: 2.0**-10}.get(type_, 1e-5)
    np.testing.assert_allclose(fast.astype(wide), plain.astype(wide), tolerance, tolerance * 10)
    assert not np.signbit(fast[fast == 0].real).any()


@pytest.mark.parametrize("count", [1, 63, 65, 100, 1024, 1025, 5000])
def test_numpy_adds_in_the_order_of_the_kernels(count: int) -> None:
    values = np.random.default_rng(count).normal(size=count)
    assert in_lanes(np.add, values) == order_of_summation(values.tolist(), add)
