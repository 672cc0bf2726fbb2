"""Special functions against mpmath, and their tables against what they approximate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.kernels.elementwise import special_tables
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType
from tests.unit.kernels.elementwise.chlo_programs import evaluate
from tests.unit.kernels.elementwise.elementwise_programs import (
    BYTE_FLOATS,
    assert_equal,
    assert_same,
    elements,
    nearest,
    sample,
    ulps,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Real = Callable[..., Any]
NAN = mpmath.mpf("nan")
INFINITY = mpmath.mpf("inf")
ROOT = "1.4616321449683623412626595423257213284681962"


# Tables: a Chebyshev series is recomputed from its function ------------------------------------------


def of_erfc(mapped: Any) -> Any:
    x = 3 * (1 + mapped) / (1 - mapped)
    return x * mpmath.exp(x * x) * mpmath.erfc(x)


def of_bessel_large(reciprocal: Any) -> Any:
    x = 1 / reciprocal
    return mpmath.sqrt(x) * mpmath.exp(-x) * mpmath.besseli(1, x)


TABLES: list[tuple[str, Real, str, str]] = [
    ("ERF", lambda u: mpmath.erf(mpmath.sqrt(u)) / mpmath.sqrt(u), "0", "1"),
    ("ERFC", of_erfc, "-1/2", "25/31"),
    ("LGAMMA", lambda x: mpmath.loggamma(x) / ((x - 1) * (x - 2)), "1", "3"),
    ("DIGAMMA", lambda x: mpmath.digamma(x) / (x - mpmath.mpf(ROOT)), "1", "2"),
    ("BESSEL_SMALL", lambda x: mpmath.exp(-x) * mpmath.besseli(1, x) / x, "0", "8"),
    ("BESSEL_LARGE", of_bessel_large, "0", "1/8"),
]


@pytest.mark.parametrize(("name", "function", "low", "high"), TABLES, ids=lambda value: str(value)[:12])
def test_table(name: str, function: Real, low: str, high: str) -> None:
    with mpmath.workprec(140):
        start, stop = mpmath.mpf(low), mpmath.mpf(high)
        terms = [mpmath.mpf(term) for term in getattr(special_tables, name).split()]
        count = len(terms) + 8
        angles = [mpmath.pi * (k + mpmath.mpf("0.5")) / count for k in range(count)]
        values = [function((start + stop) / 2 + (stop - start) / 2 * mpmath.cos(angle)) for angle in angles]
        for degree, term in enumerate(terms):
            products = [
                value * mpmath.cos(degree * angle) for value, angle in zip(values, angles, strict=True)
            ]
            exact = mpmath.fsum(products) * (2 if degree else 1) / count
            assert abs(term - exact) < mpmath.mpf(2) ** -65, degree


# Functions -------------------------------------------------------------------------------------------


def is_pole(x: Any) -> bool:
    return x <= 0 and x == mpmath.floor(x)


def lgamma(x: Any) -> Any:
    if not mpmath.isfinite(x) or is_pole(x):
        return INFINITY
    return mpmath.loggamma(x).real


def digamma(x: Any) -> Any:
    return NAN if x == -INFINITY or is_pole(x) else mpmath.digamma(x)


def bessel_i1e(x: Any) -> Any:
    if not mpmath.isfinite(x):
        return mpmath.mpf(0)
    if abs(x) > 200:  # mpmath is slow here
        term = total = mpmath.mpf(1)
        for k in range(1, 30):
            term *= -(4 - (2 * k - 1) ** 2) / (8 * k * abs(x))
            total += term
        return mpmath.sign(x) * total / mpmath.sqrt(2 * mpmath.pi * abs(x))
    return mpmath.exp(-abs(x)) * mpmath.besseli(1, x)


def erf_inv(x: Any) -> Any:
    if abs(x) > 1:
        return NAN
    return (
        mpmath.sign(x) * INFINITY
        if abs(x) == 1
        else mpmath.erfinv(x)
        if abs(x) > 1e-30
        else x * mpmath.sqrt(mpmath.pi) / 2
    )


def erfc(x: Any) -> Any:
    if abs(x) < 50:
        return mpmath.erfc(x)
    # Below every type's least number, but not 0: f8E8M0FNU has no 0.
    return mpmath.mpf(2 if x < 0 else 0) if x < 0 or x == INFINITY else mpmath.mpf(2) ** -3000


UNARY: dict[str, Real] = {
    "bessel_i1e": bessel_i1e,
    "digamma": digamma,
    "erf": lambda x: mpmath.erf(x) if abs(x) < 50 else mpmath.sign(x),
    "erf_inv": erf_inv,
    "erfc": erfc,
    "lgamma": lgamma,
}
ODD = ("bessel_i1e", "erf", "erf_inv")


def exact(function: Real, *operands: float) -> Any:
    if any(map(math.isnan, operands)):
        return NAN
    with mpmath.workprec(200):
        return function(*map(mpmath.mpf, operands))


def expected(name: str, type_: ElementType, operand: float) -> Any:
    result = exact(UNARY[name], operand)
    rounded = nearest(type_, result)
    return -rounded if result == 0 and name in ODD and np.copysign(1, operand) < 0 else rounded


def floats(array: np.ndarray) -> list[float]:
    return array.astype(np.float64).tolist()


@pytest.mark.parametrize("type_", [*BYTE_FLOATS, F16, BF16, F32], ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_narrower_than_f64_is_correctly_rounded(name: str, type_: ElementType) -> None:
    operand = sample(type_, 60)
    wanted = [expected(name, type_, value) for value in floats(operand)]
    assert_same(evaluate(name, operand), wanted, elements(operand))


# Near roots that are not binary numbers, relative accuracy would need more bits, and is not tested.
DOMAINS: dict[str, list[tuple[float, float]]] = {
    "bessel_i1e": [(-10, 10), (-1e4, 1e4), (-1e-300, 1e-300)],
    "digamma": [(0, 3), (1.46, 1.463), (3, 1e3), (-1e-9, 1e-9), (1e10, 1e300)],
    "erf": [(-6, 6), (-1e-300, 1e-300)],
    "erf_inv": [(-1, 1), (0.999, 1), (1 - 1e-12, 1), (-1e-10, 1e-10)],
    "erfc": [(-6, 2), (0.4, 1.1), (2, 26.6)],
    "lgamma": [(0, 3), (0.999, 1.001), (1.999, 2.001), (3, 1e3), (-1e-9, 1e-9), (1e10, 1e300)],
}


@pytest.mark.parametrize("name", UNARY)
def test_f64_is_within_one_ulp(name: str) -> None:
    generator = np.random.default_rng(1)
    operand = np.concatenate([generator.uniform(low, high, 60) for low, high in DOMAINS[name]])
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        assert ulps(F64, result, exact(UNARY[name], value)) < 1, (value, result)


@pytest.mark.parametrize("name", ["digamma", "lgamma"])
def test_f64_of_negative_numbers_has_a_small_absolute_error(name: str) -> None:
    operand = np.random.default_rng(2).uniform(-30, 0, 200)
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        want = exact(UNARY[name], value)
        assert abs(mpmath.mpf(result) - want) <= 1e-15 * max(abs(want), 0.01), (value, result)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_zeros_infinities_poles_and_nan(name: str, type_: ElementType) -> None:
    operand = np.array([0.0, -0.0, 1, -1, -2, np.inf, -np.inf, np.nan], type_.dtype)
    wanted = [expected(name, type_, value) for value in floats(operand)]
    if type_ is F32:
        assert_same(evaluate(name, operand), wanted, elements(operand))
    for got, want in zip(elements(evaluate(name, operand)), wanted, strict=True):
        assert got == want or str(got) == str(want) or ulps(type_, got.value, mpmath.mpf(want.value)) <= 1


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_scalars_equal_arrays(name: str, type_: ElementType) -> None:
    operand = sample(type_, 20)
    whole = evaluate(name, operand)
    for index in range(operand.size):
        assert_equal(evaluate(name, operand[index : index + 1].reshape(())), whole[index])


# Two operands ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", [F16, F32, F64], ids=str)
def test_zeta(type_: ElementType) -> None:
    generator = np.random.default_rng(3)
    x = (1 + np.exp(generator.uniform(-3, 5, 60))).astype(type_.dtype)
    q = np.exp(generator.uniform(-5, 5, 60)).astype(type_.dtype)
    for a, b, result in zip(floats(x), floats(q), floats(evaluate("zeta", x, q)), strict=True):
        want = exact(mpmath.zeta, a, b)
        if nearest(type_, want).value in (0, np.inf):
            assert result == nearest(type_, want).value
        else:
            assert ulps(type_, result, want) <= (1 if type_ is F64 else 0.5), (a, b, result)


def test_zeta_of_negative_numbers() -> None:
    """For q < 0 and integer x, mpmath agrees with the sum."""
    generator = np.random.default_rng(4)
    x = generator.integers(2, 12, 40).astype(np.float64)
    q = generator.uniform(-12, 0, 40)
    for a, b, result in zip(x.tolist(), q.tolist(), evaluate("zeta", x, q).tolist(), strict=True):
        want = exact(
            lambda x, q: mpmath.fsum((q + n) ** -x for n in range(13)) + mpmath.zeta(x, q + 13), a, b
        )
        assert abs(mpmath.mpf(result) - want) <= 1e-15 * abs(want), (a, b, result)


def test_zeta_where_it_is_not_defined() -> None:
    inf, nan = np.inf, np.nan
    cases = [
        (1.0, 2.0, inf),
        (0.5, 2.0, nan),
        (2.0, 0.0, inf),
        (2.0, -3.0, inf),
        (3.0, -3.0, nan),
        (2.5, -3.5, nan),
        (nan, 1.0, nan),
        (2.0, nan, nan),
        (2.0, inf, 0.0),
        (inf, 1.0, 1.0),
        (inf, 2.0, 0.0),
        (inf, 0.5, inf),
    ]
    x, q, want = (np.array(column) for column in zip(*cases, strict=True))
    assert_equal(evaluate("zeta", x, q), want)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
def test_polygamma(type_: ElementType) -> None:
    generator = np.random.default_rng(5)
    n = generator.integers(0, 30, 60).astype(type_.dtype)
    x = np.exp(generator.uniform(-3, 4, 60)).astype(type_.dtype)
    for a, b, result in zip(floats(n), floats(x), floats(evaluate("polygamma", n, x)), strict=True):
        want = exact(lambda n, x: mpmath.psi(int(n), x), a, b)
        assert ulps(type_, result, want) <= (1 if type_ is F64 else 0.5) or np.isinf(result), (a, b, result)


def test_polygamma_of_order_180_does_not_overflow() -> None:
    n, x = np.array([180.0], np.float32), np.array([70.0], np.float32)
    assert (
        ulps(F32, float(evaluate("polygamma", n, x)[0]), exact(lambda n, x: mpmath.psi(180, x), 180.0, 70.0))
        < 1
    )


def test_polygamma_of_other_orders_is_nan() -> None:
    n = np.array([-1.0, 0.5, np.inf, np.nan])
    assert np.isnan(evaluate("polygamma", n, np.ones(4))).all()
