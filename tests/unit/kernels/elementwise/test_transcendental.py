"""Exponentials, logarithms, powers, roots and trigonometry of floats against mpmath."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import hlokit
from hlokit.kernels.elementwise.cache_blocking import BLOCK
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType
from tests.unit.kernels.elementwise.elementwise_programs import (
    BYTE_FLOATS,
    FLOATS,
    assert_equal,
    assert_same,
    elements,
    evaluate,
    nearest,
    program_text,
    sample,
    ulps,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Real = Callable[..., Any]
NAN = mpmath.mpf("nan")
INFINITY = mpmath.mpf("inf")


def cube_root(x: Any) -> Any:
    return mpmath.sign(x) * mpmath.cbrt(abs(x)) if mpmath.isfinite(x) else x


def logistic(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def reciprocal_root(x: Any) -> Any:
    return NAN if x < 0 else INFINITY if x == 0 else 1 / mpmath.sqrt(x)


def logarithm(x: Any) -> Any:
    return NAN if x < 0 else -INFINITY if x == 0 else mpmath.log(x)


def logarithm_plus_one(x: Any) -> Any:
    return NAN if x < -1 else -INFINITY if x == -1 else mpmath.log1p(x)


def of_finite(function: Real) -> Real:
    return lambda x: function(x) if mpmath.isfinite(x) else NAN


def bounded(function: Real) -> Real:
    """For functions of exp: beyond 1e4, every result is a limit, and its digits would fill the memory."""
    return lambda x: function(max(min(x, mpmath.mpf(10000)), mpmath.mpf(-10000)))


FUNCTIONS: dict[str, Real] = {
    "cbrt": cube_root,
    "cosine": of_finite(mpmath.cos),
    "exponential": bounded(mpmath.exp),
    "exponential_minus_one": bounded(mpmath.expm1),
    "log": logarithm,
    "log_plus_one": logarithm_plus_one,
    "logistic": bounded(logistic),
    "rsqrt": reciprocal_root,
    "sine": of_finite(mpmath.sin),
    "tan": of_finite(mpmath.tan),
    "tanh": bounded(mpmath.tanh),
}
# The sign of a zero, which mpmath does not have: those of the operand.
ODD = ("cbrt", "exponential_minus_one", "log_plus_one", "sine", "tan", "tanh")


def exact(function: Real, *operands: float) -> Any:
    """The result of mpmath, which takes more digits where the argument is large or the result small."""
    if any(map(math.isnan, operands)):
        return NAN
    with mpmath.workprec(1400 if 1e15 < max(map(abs, operands)) < math.inf else 160):
        return function(*map(mpmath.mpf, operands))


def floats(array: np.ndarray) -> list[float]:
    return array.astype(np.float64).tolist()


def expected(name: str, type_: ElementType, operand: float) -> Any:
    if name in ODD and operand == 0:
        return (
            nearest(type_, mpmath.mpf(0)) if np.copysign(1, operand) > 0 else -nearest(type_, mpmath.mpf(0))
        )
    if name == "rsqrt" and operand == 0 and np.copysign(1, operand) < 0:
        return nearest(type_, -INFINITY)
    result = exact(FUNCTIONS[name], operand)
    rounded = nearest(type_, result)
    return -rounded if result == 0 and name in ODD and operand < 0 else rounded


@pytest.mark.parametrize("type_", BYTE_FLOATS, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bytes_are_correctly_rounded(name: str, type_: ElementType) -> None:
    """Every value of every type."""
    operand = sample(type_, 0)
    wanted = [expected(name, type_, value) for value in floats(operand)]
    assert_same(evaluate(name, operand), wanted, elements(operand))


@pytest.mark.parametrize("type_", [F16, BF16, F32], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_narrower_than_f64_is_correctly_rounded(name: str, type_: ElementType) -> None:
    operand = sample(type_, 400)
    wanted = [expected(name, type_, value) for value in floats(operand)]
    assert_same(evaluate(name, operand), wanted, elements(operand))


@pytest.mark.parametrize("type_", [F16, BF16], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_tables_equal_plain_computation(name: str, type_: ElementType) -> None:
    """All values at once take the table, a thousand at a time do not."""
    operand = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16).view(type_.dtype)
    tabulated = evaluate(name, operand)
    for start in range(0, operand.size, 4096):
        assert_equal(evaluate(name, operand[start : start + 4096]), tabulated[start : start + 4096])


DOMAINS: dict[str, list[tuple[float, float]]] = {
    "cosine": [(-4, 4), (-1e4, 1e4), (1e15, 1e18)],
    "sine": [(-4, 4), (-1e4, 1e4), (1e15, 1e18)],
    "tan": [(-4, 4), (-1e4, 1e4), (1e15, 1e18)],
    "exponential": [(-1, 1), (-708, 709)],
    "exponential_minus_one": [(-1e-3, 1e-3), (-40, 709)],
    "log": [(0.9, 1.1), (0, 10)],
    "log_plus_one": [(-0.1, 0.1), (-1, 10)],
    "logistic": [(-4, 4), (-708, 40)],
    "tanh": [(-0.1, 0.1), (-1, 1), (-20, 20)],
    "rsqrt": [(1, 4), (0, 1e10)],
    "cbrt": [(-8, 8), (-1e10, 1e10)],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_f64_is_within_one_ulp(name: str) -> None:
    generator = np.random.default_rng(1)
    parts = [generator.uniform(low, high, 300) for low, high in DOMAINS[name]]
    operand = np.concatenate([*parts, sample(F64, 100)])
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        want = exact(FUNCTIONS[name], value)
        if not mpmath.isfinite(want) or abs(want) > np.finfo(np.float64).max:
            limit = -want if name == "rsqrt" and np.copysign(1, value) < 0 and value == 0 else want
            assert result == float(limit) or (math.isnan(result) and mpmath.isnan(limit)), (value, result)
        else:
            assert ulps(F64, result, want) < 1, (value, result)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_zeros_infinities_and_nan(name: str, type_: ElementType) -> None:
    operand = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], type_.dtype)
    wanted = [expected(name, type_, value) for value in floats(operand)]
    assert_same(evaluate(name, operand), wanted, elements(operand))


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_scalars_equal_arrays(name: str, type_: ElementType) -> None:
    operand = sample(type_, 40)
    whole = evaluate(name, operand)
    for value, want in zip(operand, whole, strict=True):
        assert_equal(evaluate(name, np.array(value)), np.array(want))


def power(base: Any, exponent: Any) -> Any:
    if base < 0 and exponent != int(exponent):
        return NAN
    return mpmath.power(base, exponent)


def test_power_of_f64_is_within_one_ulp() -> None:
    generator = np.random.default_rng(2)
    base = np.exp(generator.uniform(-20, 20, 600))
    exponent = generator.uniform(-30, 30, 600)
    base[:200] = 1 + generator.normal(size=200) * 1e-4
    exponent[:200] = generator.uniform(-1e6, 1e6, 200)
    base[200:300] *= -1
    exponent[200:300] = np.rint(exponent[200:300])
    for lhs, rhs, result in zip(
        base.tolist(), exponent.tolist(), evaluate("power", base, exponent), strict=True
    ):
        assert ulps(F64, float(result), exact(power, lhs, rhs)) < 1, (lhs, rhs, result)


def test_atan2_of_f64_is_within_one_ulp() -> None:
    generator = np.random.default_rng(3)
    lhs, rhs = generator.normal(size=(2, 600)) * np.exp(generator.uniform(-300, 300, (2, 600)))
    lhs[:300] = generator.normal(size=300)
    rhs[:300] = generator.normal(size=300)
    for y, x, result in zip(lhs.tolist(), rhs.tolist(), evaluate("atan2", lhs, rhs), strict=True):
        assert ulps(F64, float(result), exact(mpmath.atan2, y, x)) < 1, (y, x, result)


@pytest.mark.parametrize("type_", [type_ for type_ in FLOATS if type_ is not F64], ids=str)
def test_power_and_atan2_are_correctly_rounded(type_: ElementType) -> None:
    generator = np.random.default_rng(4)
    values = sample(type_, 300)
    values = values[np.isfinite(values.astype(np.float64))]
    lhs, rhs = generator.choice(values, (2, 400))
    results = evaluate("power", lhs, rhs), evaluate("atan2", lhs, rhs)
    for index, (y, x) in enumerate(zip(floats(lhs), floats(rhs), strict=True)):
        if y == 0 or x == 0:
            continue
        if abs(x * math.log2(abs(y))) < 1000:  # beyond, f64 underflows, and f8E8M0FNU has no zero
            assert_same(results[0][[index]], [nearest(type_, exact(power, y, x))])
        assert_same(results[1][[index]], [nearest(type_, exact(mpmath.atan2, y, x))])


# IEEE-754, 9.2.1; [base, exponent, result].
POWERS = np.array(
    [
        *[[x, y, 1.0] for x in (0.0, -0.0, 2.0, np.inf, np.nan) for y in (0.0, -0.0)],
        *[[1.0, y, 1.0] for y in (np.inf, -np.inf, np.nan, 3.0)],
        *[[-1.0, y, 1.0] for y in (np.inf, -np.inf)],
        [0.0, -1.0, np.inf],
        [-0.0, -1.0, -np.inf],
        [-0.0, -2.0, np.inf],
        [-0.0, 3.0, -0.0],
        [-0.0, 2.0, 0.0],
        [0.5, np.inf, 0.0],
        [0.5, -np.inf, np.inf],
        [2.0, np.inf, np.inf],
        [2.0, -np.inf, 0.0],
        [-np.inf, 3.0, -np.inf],
        [-np.inf, 2.0, np.inf],
        [-np.inf, -3.0, -0.0],
        [np.inf, -1.0, 0.0],
        [-2.0, 0.5, np.nan],
        [-2.0, 3.0, -8.0],
        [np.nan, 1.0, np.nan],
    ]
)


@pytest.mark.parametrize("type_", [F16, BF16, F32, F64], ids=str)
def test_special_powers(type_: ElementType) -> None:
    base, exponent, wanted = POWERS.T.astype(type_.dtype)
    assert_equal(evaluate("power", base, exponent), wanted)
    for index in range(base.size):
        scalar = evaluate("power", np.array(base[index]), np.array(exponent[index]))
        assert_equal(scalar, np.array(wanted[index]))


ANGLES = np.array(
    [
        [0.0, 0.0, 0.0],
        [-0.0, 0.0, -0.0],
        [0.0, -0.0, np.pi],
        [-0.0, -0.0, -np.pi],
        [0.0, -1.0, np.pi],
        [1.0, 0.0, np.pi / 2],
        [-1.0, -0.0, -np.pi / 2],
        [1.0, np.inf, 0.0],
        [1.0, -np.inf, np.pi],
        [-np.inf, 1.0, -np.pi / 2],
        [np.inf, np.inf, np.pi / 4],
        [-np.inf, -np.inf, -3 * np.pi / 4],
        [np.nan, 1.0, np.nan],
    ]
)


@pytest.mark.parametrize("type_", [F16, BF16, F32, F64], ids=str)
def test_special_angles(type_: ElementType) -> None:
    lhs, rhs, wanted = ANGLES.T.astype(type_.dtype)
    assert_equal(evaluate("atan2", lhs, rhs), wanted)


@pytest.mark.parametrize("disabled", ["", "native"])
@pytest.mark.parametrize("shape", [(), (1,), (7,), (40_000,)], ids=str)
@pytest.mark.parametrize("type_", [F16, BF16, F32], ids=str)
def test_next_to_the_middle_of_subnormal_numbers(
    type_: ElementType, shape: tuple[int, ...], disabled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """atan2(y, 2) and bessel_i1e(y) are less than y / 2 by less than f64 can tell, but for f16."""
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    least = np.array(1, type_.bits_dtype).view(type_.dtype).astype(np.float64)
    halves = np.resize([1.0, 2, 3, -3, 4, 5, -7, 0.0, -0.0], (1, *shape))[0] if shape else np.float64(3)
    operand = np.asarray(halves * least).astype(type_.dtype)
    wanted = np.asarray(np.copysign(np.ceil(np.abs(halves) / 2 - 0.5), halves) * least).astype(type_.dtype)
    two = np.full(shape, 2, type_.dtype)
    for name, operands in (("atan2", (operand, two)), ("chlo.bessel_i1e", (operand,))):
        program = hlokit.load(program_text(name, *operands))
        assert_equal(np.asarray(program(*operands)), wanted)


@pytest.mark.parametrize("name", ["exponential", "tanh", "logistic", "rsqrt"])
@pytest.mark.parametrize("type_", [BF16, F32, F64], ids=str)
def test_pieces_equal_small_arrays(name: str, type_: ElementType) -> None:
    operand = np.resize(sample(type_, 997), 2 * BLOCK + 3)
    whole = evaluate(name, operand)
    assert_equal(whole[:1000], evaluate(name, operand[:1000]))
    assert_equal(whole[-1000:], evaluate(name, operand[-1000:]))
