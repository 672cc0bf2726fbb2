"""Complex functions: against mpmath, and on branch cuts, at infinities, at NaN and at the ends of the range."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F32, F64, I1, ElementType
from tests.unit.kernels.elementwise.elementwise_programs import (
    assert_equal,
    assert_same,
    elements,
    evaluate,
    pairs,
    ulps,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Function = Callable[..., Any]
INF, NAN = math.inf, math.nan


def cube_root(z: Any) -> Any:
    return mpmath.mpf(0) if z == 0 else mpmath.cbrt(abs(z)) * mpmath.expj(mpmath.arg(z) / 3)


def angle(y: Any, x: Any) -> Any:
    return -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y))


FUNCTIONS: dict[str, Function] = {
    "cbrt": cube_root,
    "cosine": mpmath.cos,
    "exponential": mpmath.exp,
    "exponential_minus_one": lambda z: mpmath.exp(z) - 1,
    "log": mpmath.log,
    "log_plus_one": lambda z: mpmath.log(1 + z),
    "logistic": lambda z: 1 / (1 + mpmath.exp(-z)),
    "rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "sine": mpmath.sin,
    "sqrt": mpmath.sqrt,
    "tan": mpmath.tan,
    "tanh": mpmath.tanh,
    "sign": lambda z: z / abs(z),
}
BINARY: dict[str, Function] = {
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "power": lambda a, b: mpmath.exp(b * mpmath.log(a)),
    "atan2": angle,
}
# ULP of each part that complex<f64> may err where NumPy has a type wider than f64.
BOUND = {"log_plus_one": 2.0, "cbrt": 1.0}


def numbers(type_: ElementType, count: int, seed: int = 0) -> np.ndarray:
    """Around 0 and the unit circle, tiny, and of all sizes that no function here sends out of range."""
    generator = np.random.default_rng(seed)
    normal = generator.normal(size=(4, count)) + 1j * generator.normal(size=(4, count))
    normal[1] /= np.abs(normal[1]) * (1 + generator.normal(size=count) * 1e-7)
    normal[2] *= np.exp(generator.uniform(-60, 3, count))
    normal[3].imag *= 1e-6
    return normal.reshape(-1).astype(type_.dtype)


def parts(number: Any) -> tuple[Any, Any]:
    return (number.real, number.imag)


def assert_close(type_: ElementType, actual: np.ndarray, wanted: list[Any], bound: float) -> None:
    """Each part within `bound` ULP."""
    for index, (got, want) in enumerate(zip(actual.tolist(), wanted, strict=True)):
        for part, exact in zip(parts(got), parts(mpmath.mpc(want)), strict=True):
            assert ulps(type_.part, part, exact) <= bound, (index, got, want)


def exact(function: Function, *operands: np.ndarray) -> list[Any]:
    with mpmath.workprec(400):
        return [
            function(*map(mpmath.mpc, values)) for values in zip(*(o.tolist() for o in operands), strict=True)
        ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_complex_f32_is_correctly_rounded(name: str) -> None:
    operand = numbers(COMPLEX_F32, 60)
    assert_close(COMPLEX_F32, evaluate(name, operand), exact(FUNCTIONS[name], operand), 0.501)


@pytest.mark.parametrize("name", ["multiply", "divide"])
def test_arithmetic_of_complex_f32_is_correctly_rounded(name: str) -> None:
    lhs, rhs = numbers(COMPLEX_F32, 60), numbers(COMPLEX_F32, 60, 1)
    assert_close(COMPLEX_F32, evaluate(name, lhs, rhs), exact(BINARY[name], lhs, rhs), 0.501)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_as_a_whole(name: str, type_: ElementType) -> None:
    """A part that nearly vanishes beside the other has no accuracy of its own."""
    lhs, rhs = numbers(type_, 60), numbers(type_, 60, 1)
    for got, want in zip(evaluate(name, lhs, rhs).tolist(), exact(BINARY[name], lhs, rhs), strict=True):
        info = np.finfo(type_.part.dtype)
        assert abs(mpmath.mpc(got) - want) < 4 * (info.eps * abs(want) + info.smallest_subnormal), (got, want)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_complex_f64(name: str) -> None:
    operand = numbers(COMPLEX_F64, 60)
    assert_close(COMPLEX_F64, evaluate(name, operand), exact(FUNCTIONS[name], operand), BOUND.get(name, 0.6))


@pytest.mark.parametrize("name", ["expm1", "log1p"])
def test_near_a_circle_where_the_real_part_vanishes(name: str) -> None:
    """|1 + z| near 1, and exp(x) cos(y) near 1: the terms of the real part cancel nine digits."""
    y = np.linspace(0.1, 1.2, 40)
    x = np.sqrt(1 - y * y / 4) - 1 if name == "log1p" else -np.log(np.cos(y))
    y = y / 2 if name == "log1p" else y
    operand = (x + 1j * y).astype(np.complex64)
    operation = {"expm1": "exponential_minus_one", "log1p": "log_plus_one"}[name]
    assert_close(COMPLEX_F32, evaluate(operation, operand), exact(FUNCTIONS[operation], operand), 1.0)


def test_logistic_near_its_poles() -> None:
    operand = np.array([1e-3 + 3.1416j, -1e-3 + 3.1416j, 1e-6 - 3.14159j, -1e-6 + 9.42478j], np.complex64)
    assert_close(COMPLEX_F32, evaluate("logistic", operand), exact(FUNCTIONS["logistic"], operand), 0.501)


# Special values ------------------------------------------------------------------------------------

POINTS = [0.0, -0.0, 1.0, -1.0, 3.0, INF, -INF]
GRID = np.array([complex(real, imag) for real in POINTS for imag in POINTS])
ANNEX_G: dict[str, Callable[[complex], complex]] = {
    "sqrt": cmath.sqrt,
    "exponential": cmath.exp,
    "log": cmath.log,
    "sine": cmath.sin,
    "cosine": cmath.cos,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
}


def agrees(actual: float, wanted: float, *, sign: bool) -> bool:
    if math.isnan(actual) or math.isnan(wanted):
        return math.isnan(actual) and math.isnan(wanted)
    same_sign = math.copysign(1, actual) == math.copysign(1, wanted)
    return math.isclose(actual, wanted, rel_tol=1e-6) and (same_sign or not sign)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", ANNEX_G)
def test_zeros_and_infinities_as_in_c99(name: str, type_: ElementType) -> None:
    """Python's cmath follows Annex G, or raises. With infinities, Annex G leaves some signs open, and so does
    this test."""
    for operand, actual in zip(GRID.tolist(), evaluate(name, GRID.astype(type_.dtype)).tolist(), strict=True):
        try:
            wanted = ANNEX_G[name](operand)
        except ValueError:
            continue
        finite = cmath.isfinite(operand)
        for got, want in zip(parts(actual), parts(wanted), strict=True):
            assert agrees(got, want, sign=finite), (operand, actual, wanted)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_conjugate(name: str, type_: ElementType) -> None:
    """f(conj z) = conj f(z), zeros included: the imaginary sign chooses the side of a branch cut."""
    finite = GRID[np.isfinite(GRID)].astype(type_.dtype)
    upper = finite[~np.signbit(finite.imag)]
    if name == "sign":
        upper = upper[upper != 0]
    result, mirrored = evaluate(name, upper), evaluate(name, upper.conj())
    assert_equal(np.ascontiguousarray(mirrored.real), np.ascontiguousarray(result.real))
    assert_equal(np.ascontiguousarray(mirrored.imag), np.ascontiguousarray(-result.imag))


# Operation: (operand, result), where NaN stands for a part that is NaN.
LIMITS: dict[str, list[tuple[complex, complex]]] = {
    "rsqrt": [
        (complex(0, 0), complex(INF, NAN)),
        (complex(4, 0.0), complex(0.5, -0.0)),
        (complex(-4, 0.0), complex(0.0, -0.5)),
        (complex(-4, -0.0), complex(0.0, 0.5)),
        (complex(INF, 0.0), complex(0.0, -0.0)),
        (complex(-INF, -0.0), complex(0.0, 0.0)),
    ],
    "cbrt": [
        (complex(0, 0), complex(0, 0)),
        (complex(-0.0, -0.0), complex(0, -0.0)),
        (complex(8, 0), complex(2, 0)),
        (complex(INF, 0), complex(INF, 0)),
    ],
    "exponential_minus_one": [
        (complex(INF, 0), complex(INF, 0)),
        (complex(-INF, 0), complex(-1, 0)),
        (complex(-INF, 1), complex(-1, 0)),
        (complex(-INF, NAN), complex(-1, 0)),
        (complex(INF, 1), complex(INF, INF)),
    ],
    "log_plus_one": [
        (complex(-1, 0.0), complex(-INF, 0)),
        (complex(-0.0, -0.0), complex(-0.0, -0.0)),
        (complex(-2, -0.0), complex(0, -math.pi)),
        (complex(-2, 0.0), complex(0, math.pi)),
        (complex(INF, INF), complex(INF, math.pi / 4)),
        (complex(INF, NAN), complex(INF, NAN)),
    ],
    "logistic": [
        (complex(INF, 0), complex(1, 0)),
        (complex(-INF, 0), complex(0, 0)),
        (complex(INF, -1), complex(1, -0.0)),
        (complex(-1000, 0), complex(0, 0)),
    ],
    "sign": [
        (complex(0, 0), complex(0, 0)),
        (complex(-0.0, -0.0), complex(0, 0)),
        (complex(NAN, 1), complex(NAN, NAN)),
        (complex(1, NAN), complex(NAN, NAN)),
        (complex(INF, 1), complex(NAN, 0)),
        (complex(0, -2), complex(0, -1)),
    ],
}


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", LIMITS)
def test_limits(name: str, type_: ElementType) -> None:
    operand = np.array([given for given, _ in LIMITS[name]])
    results = evaluate(name, operand.astype(type_.dtype)).tolist()
    for (given, wanted), actual in zip(LIMITS[name], results, strict=True):
        for got, want in zip(parts(actual), parts(wanted), strict=True):
            assert agrees(got, want, sign=True), (given, actual, wanted)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_division_by_zero_and_with_infinities(type_: ElementType) -> None:
    """C99, Annex G.5.1, which Element follows."""
    points = np.array(
        [complex(a, b) for a in (0.0, -0.0, 1.0, INF, -INF, NAN) for b in (0.0, -2.0, INF, NAN)]
    )
    lhs, rhs = pairs(points.astype(type_.dtype))
    special = ~np.isfinite(lhs) | ~np.isfinite(rhs) | (rhs == 0) | (lhs == 0)
    lhs, rhs = lhs[special], rhs[special]
    given = elements(lhs), elements(rhs)
    for a, b, got in zip(*given, elements(evaluate("divide", lhs, rhs)), strict=True):
        want = a / b
        for one, other in zip(parts(got.value), parts(want.value), strict=True):
            assert agrees(one, other, sign=False), (a, b, got, want)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_ends_of_the_range(type_: ElementType) -> None:
    """Squares of parts overflow or underflow; the results do not."""
    info = np.finfo(type_.part.dtype)
    for size in (float(info.max) / 4, float(info.tiny) * 4):
        operand = np.array([complex(size, size), complex(-size, size / 2)], type_.dtype)
        np.testing.assert_allclose(evaluate("divide", operand, operand), 1, rtol=2 * info.eps)
        absolute = evaluate("abs", operand, result=F32 if type_ is COMPLEX_F32 else F64)
        np.testing.assert_allclose(absolute, size * np.sqrt([2, 1.25]), rtol=2 * info.eps)
        root = evaluate("sqrt", operand)
        np.testing.assert_allclose(evaluate("multiply", root, root), operand, rtol=8 * info.eps)
        inverse = evaluate("multiply", evaluate("rsqrt", operand), root)
        np.testing.assert_allclose(inverse, 1, rtol=8 * info.eps)
        np.testing.assert_allclose(np.abs(evaluate("sign", operand)), 1, rtol=4 * info.eps)
    for x in (700.0, -700.0, 1e4, -1e4):
        assert evaluate("tanh", np.array([complex(x, 1)], type_.dtype))[0].real == math.copysign(1, x)
        logistic = evaluate("logistic", np.array([complex(x, 1)], type_.dtype))[0]
        assert math.isclose(logistic.real, float(x > 0), abs_tol=1e-30)


def test_absolute_with_infinity() -> None:
    operand = np.array([complex(INF, NAN), complex(NAN, -INF), complex(NAN, 1)], np.complex64)
    assert_equal(evaluate("abs", operand, result=F32), np.array([INF, INF, NAN], np.float32))


# [base, exponent, result]
POWERS: list[tuple[complex, complex, complex]] = [
    (0, 0, 1),
    (0, 2, 0),
    (0, 1 + 1j, 0),
    (2, 3, 8),
    (2j, 2, -4),
    (1, complex(INF, 0), 1),
    (INF, -1, 0),
    (INF, 2, INF),
    (4, 0.5, 2),
    (-4, 0.5, 2j),
    (complex(-4, -0.0), 0.5, -2j),
    (1j, 1j, math.exp(-math.pi / 2)),
]


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_powers(type_: ElementType) -> None:
    base, exponent, wanted = (np.array(column, type_.dtype) for column in zip(*POWERS, strict=True))
    np.testing.assert_allclose(evaluate("power", base, exponent), wanted, atol=4 * np.finfo(type_.dtype).eps)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_atan2_of_real_numbers(type_: ElementType) -> None:
    lhs, rhs = pairs(np.array([-2.0, -1.0, 0.5, 3.0]))
    actual = evaluate("atan2", lhs.astype(type_.dtype), rhs.astype(type_.dtype))
    np.testing.assert_allclose(actual, np.arctan2(lhs, rhs), atol=4 * np.finfo(type_.dtype).eps)


# Order and parts -----------------------------------------------------------------------------------


def test_lexicographic_order() -> None:
    """A NaN in either part of either makes NaN; of numbers that are equal signs of zeros decide."""
    nan = complex(NAN, NAN)
    zeros = [complex(-0.0, 0.0), complex(0.0, -0.0)]
    lhs = np.array([1 + 2j, 2 + 0j, complex(NAN, 1), 1 + 1j, complex(1, NAN), zeros[0]], np.complex64)
    rhs = np.array([1 + 3j, 1 + 9j, 1 + 1j, complex(NAN, 7), 1 + 4j, zeros[1]], np.complex64)
    most = np.array([1 + 3j, 2 + 0j, nan, nan, nan, zeros[1]], np.complex64)
    least = np.array([1 + 2j, 1 + 9j, nan, nan, nan, zeros[0]], np.complex64)
    for first, second in ((lhs, rhs), (rhs, lhs)):
        assert_same(evaluate("maximum", first, second), elements(most))
        assert_same(evaluate("minimum", first, second), elements(least))
    clamped = evaluate(
        "clamp", np.full(5, 1 + 2j, np.complex64), lhs[:2].repeat(3)[:5], np.full(5, 1 + 4j, np.complex64)
    )
    np.testing.assert_array_equal(clamped, np.array([1 + 2j, 1 + 2j, 1 + 2j, 1 + 4j, 1 + 4j], np.complex64))


def test_parts() -> None:
    real, imag = np.array([1.0, -0.0, NAN], np.float32), np.array([-0.0, INF, 2.0], np.float32)
    number = evaluate("complex", real, imag, result=COMPLEX_F32)
    assert_equal(evaluate("real", number, result=F32), real)
    assert_equal(evaluate("imag", number, result=F32), imag)
    scalar = evaluate("complex", np.array(1.0), np.array(-0.0), result=COMPLEX_F64)
    assert_equal(evaluate("imag", scalar, result=F64), np.array(-0.0))


@pytest.mark.parametrize("direction", ["EQ", "NE"])
def test_equality(direction: str) -> None:
    lhs = np.array([1 + 2j, 1 + 2j, complex(0.0, -0.0), complex(NAN, 0)])
    rhs = np.array([1 + 2j, 1 + 3j, complex(-0.0, 0.0), complex(NAN, 0)])
    attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    equal = evaluate("compare", lhs, rhs, result=I1, attributes=attributes)
    np.testing.assert_array_equal(equal, np.array([True, False, True, False]) ^ (direction == "NE"))
