"""CHLO operations on single elements: functions against mpmath and C99, predicates, neighbours, constants."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import hlokit
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F16,
    F32,
    F64,
    I1,
    ElementType,
)
from tests.unit.kernels.elementwise.chlo_programs import evaluate
from tests.unit.kernels.elementwise.elementwise_programs import (
    BYTE_FLOATS,
    FLOATS,
    INTEGERS,
    assert_equal,
    assert_same,
    elements,
    every_value,
    nearest,
    sample,
    ulps,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Function = Callable[..., Any]
NAN, INF = math.nan, math.inf


def inside(function: Function, low: float, high: float) -> Function:
    return lambda x: function(x) if low <= x <= high else mpmath.mpf("nan")


REAL: dict[str, Function] = {
    "acos": inside(mpmath.acos, -1, 1),
    "acosh": inside(mpmath.acosh, 1, INF),
    "asin": inside(mpmath.asin, -1, 1),
    "asinh": mpmath.asinh,
    "atan": mpmath.atan,
    "atanh": lambda x: mpmath.sign(x) * mpmath.inf if abs(x) == 1 else inside(mpmath.atanh, -1, 1)(x),
    "cosh": lambda x: mpmath.cosh(x) if abs(x) < 1000 else mpmath.inf,
    "sinh": lambda x: mpmath.sinh(x) if abs(x) < 1000 else mpmath.sign(x) * mpmath.inf,
    "square": lambda x: x * x,
    "tan": lambda x: mpmath.tan(x) if mpmath.isfinite(x) else mpmath.mpf("nan"),
}
ODD = ("asin", "asinh", "atan", "atanh", "sinh", "tan")


def exact(function: Function, operand: float) -> Any:
    if math.isnan(operand):
        return mpmath.mpf("nan")
    with mpmath.workprec(400):
        return function(mpmath.mpf(operand))


def wanted(name: str, type_: ElementType, operand: float) -> Any:
    result = exact(REAL[name], operand)
    rounded = nearest(type_, result)
    return -rounded if name in ODD and result == 0 and math.copysign(1, operand) < 0 else rounded


@pytest.mark.parametrize("type_", [*BYTE_FLOATS, F16, BF16, F32], ids=str)
@pytest.mark.parametrize("name", REAL)
def test_real_functions_are_correctly_rounded(name: str, type_: ElementType) -> None:
    operand = sample(type_, 60)
    values = operand.astype(np.float64).tolist()
    assert_same(evaluate(name, operand), [wanted(name, type_, value) for value in values], elements(operand))


@pytest.mark.parametrize("name", REAL)
def test_real_functions_of_f64_are_within_one_ulp(name: str) -> None:
    generator = np.random.default_rng(0)
    operand = np.concatenate(
        [generator.uniform(-1, 1, 100), generator.normal(size=100) * 30, 1 + generator.random(50)]
    )
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        want = exact(REAL[name], value)
        assert (math.isnan(result) and mpmath.isnan(want)) or ulps(F64, result, want) < 1, (value, result)


# Complex ---------------------------------------------------------------------------------------------

C99 = {
    "acos": cmath.acos,
    "acosh": cmath.acosh,
    "asin": cmath.asin,
    "asinh": cmath.asinh,
    "atan": cmath.atan,
    "atanh": cmath.atanh,
    "cosh": cmath.cosh,
    "sinh": cmath.sinh,
    "tan": cmath.tan,
}
COMPLEX: dict[str, Function] = {name: getattr(mpmath, name) for name in C99} | {"square": lambda z: z * z}


def off_cuts(type_: ElementType) -> np.ndarray:
    """Numbers around 0, around +-1 and +-i, small and large, with both parts not 0."""
    generator = np.random.default_rng(1)
    normal = generator.normal(size=(5, 40)) + 1j * generator.normal(size=(5, 40))
    normal[1] *= np.exp(generator.uniform(-40, 3, 40))
    normal[2] = generator.choice([1, -1, 1j, -1j], 40) + normal[2] * 1e-5
    normal[3].imag *= 1e-6
    normal[4].real *= 1e-6
    return normal.reshape(-1).astype(type_.dtype)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions(name: str, type_: ElementType) -> None:
    operand = off_cuts(type_)
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        with mpmath.workprec(400):
            want = mpmath.mpc(COMPLEX[name](mpmath.mpc(value)))
        assert ulps(type_.part, result.real, want.real) < 1, (value, result)
        assert ulps(type_.part, result.imag, want.imag) < 1, (value, result)


def agrees(actual: float, expected: float) -> bool:
    if math.isnan(expected):
        return math.isnan(actual)
    is_close = actual == expected or math.isclose(actual, expected, rel_tol=1e-6)
    return is_close and math.copysign(1, actual) == math.copysign(1, expected)


SPECIAL = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, INF, -INF, NAN)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", C99)
def test_branch_cuts_zeros_and_infinities_as_in_c99(name: str, type_: ElementType) -> None:
    """Signs of infinities and zeros that C99 leaves open (beside NaN) are not compared."""
    operand = np.array([complex(x, y) for x in SPECIAL for y in SPECIAL], type_.dtype)
    for value, result in zip(operand.tolist(), evaluate(name, operand).tolist(), strict=True):
        try:
            want = C99[name](value)
        except (ValueError, OverflowError):  # a pole: Python does not say which infinity
            continue
        if cmath.isnan(want):
            assert cmath.isnan(result), (value, result, want)
            continue
        # C99 leaves the sign of a zero open where the angle is infinite or NaN.
        is_open = cmath.isnan(value) or (name == "tan" and cmath.isinf(value))
        for got, part in ((result.real, want.real), (result.imag, want.imag)):
            assert agrees(got, part) or (is_open and got == part), (value, result, want)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_ends_of_the_range(type_: ElementType) -> None:
    """Neither squares nor sums overflow inside."""
    huge = float(np.finfo(type_.part.dtype).max)
    tiny = float(np.finfo(type_.part.dtype).tiny)
    numbers = [complex(x, y) for x in (huge, tiny, 1, -huge) for y in (huge, tiny, -tiny, 1)]
    for name in ("acos", "acosh", "asin", "asinh", "atan", "atanh"):
        for value, result in zip(
            numbers, evaluate(name, np.array(numbers, type_.dtype)).tolist(), strict=True
        ):
            with mpmath.workprec(2400):
                want = mpmath.mpc(COMPLEX[name](mpmath.mpc(value)))
            for got, part in ((result.real, want.real), (result.imag, want.imag)):
                assert abs(got - part) <= 2 * np.finfo(type_.part.dtype).eps * abs(part) + tiny, (name, value)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_asin_acos_kernel(type_: ElementType) -> None:
    """Follows the definition: asin(z) = atan2(x, w.real) + i sign(y) w.imag."""
    operand = off_cuts(type_)
    kernel = evaluate("_asin_acos_kernel", operand)
    asin, acos = evaluate("asin", operand), evaluate("acos", operand)
    tolerance = 4 * np.finfo(type_.part.dtype).eps
    np.testing.assert_allclose(np.arctan2(operand.real, kernel.real), asin.real, rtol=tolerance)
    np.testing.assert_allclose(np.arctan2(kernel.real, operand.real), acos.real, rtol=tolerance)
    np.testing.assert_allclose(np.sign(operand.imag) * kernel.imag, asin.imag, rtol=tolerance)


def test_squares_near_the_diagonal() -> None:
    """(x - y)(x + y) does not cancel; zeros have the signs of products."""
    x = 1 + 2.0**-30
    result = evaluate(
        "square", np.array([complex(x, 1), complex(-0.0, -0.0), complex(1e308, 1e308)], np.complex128)
    )
    assert_equal(result.real, np.array([2.0**-29 + 2.0**-60, 0.0, 0.0]))
    assert_equal(result.imag, np.array([2 * x, 0.0, INF]))


def test_square_of_infinities() -> None:
    operand = np.array([complex(INF, INF), complex(INF, 1), complex(3, 4)], np.complex64)
    result = evaluate("square", operand)
    assert_equal(result.real, np.array([NAN, INF, -7], np.float32))
    assert_equal(result.imag, np.array([INF, INF, 24], np.float32))


def test_square_of_one_infinity_and_a_number_whose_square_overflows() -> None:
    """Regression: the real part was infinity - infinity; XLA has infinity."""
    operand = np.array([complex(-INF, 1e200), complex(1e200, -INF), complex(INF, NAN)])
    result = evaluate("square", operand)
    assert_equal(result.real, np.array([INF, -INF, NAN]))
    assert_equal(result.imag, np.array([-INF, -INF, NAN]))


# Predicates, neighbours, integers ----------------------------------------------------------------------


@pytest.mark.parametrize("type_", FLOATS, ids=str)
def test_infinities(type_: ElementType) -> None:
    operand = sample(type_, 20)
    values = operand.astype(np.float64)
    for name, function in (("is_inf", np.isinf), ("is_pos_inf", np.isposinf), ("is_neg_inf", np.isneginf)):
        assert_equal(evaluate(name, operand, result=I1), function(values))


def test_conjugate() -> None:
    operand = np.array([1 + 2j, complex(NAN, -0.0)], np.complex64)
    result = evaluate("conj", operand)
    assert_equal(result.real, operand.real)
    assert_equal(result.imag, -operand.imag)
    assert_equal(evaluate("conj", operand.real), operand.real)


@pytest.mark.parametrize("type_", [type_ for type_ in FLOATS if type_.width <= 8], ids=str)
def test_next_after_of_bytes(type_: ElementType) -> None:
    """All pairs, against the sorted list of all values."""
    values = every_value(type_)
    x, y = np.repeat(values, values.size), np.tile(values, values.size)
    from_, to = x.astype(np.float32).astype(np.float64), y.astype(np.float32).astype(np.float64)
    known = values.astype(np.float32).astype(np.float64)
    known = np.unique(known[~np.isnan(known)])
    at = np.searchsorted(known, from_)
    above, below = known[np.minimum(at + 1, known.size - 1)], known[np.maximum(at - 1, 0)]
    want = np.where(to > from_, above, np.where(to < from_, below, to))
    want[np.isnan(from_) | np.isnan(to)] = NAN
    np.testing.assert_array_equal(evaluate("next_after", x, y).astype(np.float32), want)


@pytest.mark.parametrize("type_", [BF16, F16, F32, F64], ids=str)
def test_next_after(type_: ElementType) -> None:
    info = {BF16: (7, -126), F16: (10, -14), F32: (23, -126), F64: (52, -1022)}[type_]
    step, least = 2.0 ** -info[0], 2.0 ** (info[1] - info[0])
    cases = [
        (1.0, 2.0, 1 + step),
        (1.0, -2.0, 1 - step / 2),
        (0.0, 1.0, least),
        (-0.0, -1.0, -least),
        (least, -1.0, 0.0),
        (-least, 1.0, -0.0),
        (0.0, -0.0, -0.0),
        (INF, INF, INF),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ]
    x, y, want = (np.array(column).astype(type_.dtype) for column in zip(*cases, strict=True))
    assert_equal(evaluate("next_after", x, y), want)


@pytest.mark.parametrize("type_", INTEGERS, ids=str)
def test_mulhi(type_: ElementType) -> None:
    values = sample(type_, 30)
    lhs, rhs = np.repeat(values, values.size), np.tile(values, values.size)
    modulus, half = 1 << type_.width, 1 << (type_.width - 1)
    for a, b, got in zip(lhs.tolist(), rhs.tolist(), evaluate("mulhi", lhs, rhs).tolist(), strict=True):
        want = (int(a) * int(b)) >> type_.width
        assert (int(got) - want) % modulus == 0, (a, b)
        assert type_.name.startswith("u") or -half <= int(got) < half


# Constants ---------------------------------------------------------------------------------------------

CONSTANTS = [
    ("complex<f32>", "#complex.number<:f32 1.5, -2.0>", 1.5 - 2j),
    ("complex<f64>", "#complex.number<:f64 0.1, 1.0e300>", 0.1 + 1e300j),
    ("ui8", "200 : ui8", 200),
    ("i4", "-3 : i4", -3),
    ("ui64", "18446744073709551615 : ui64", 2**64 - 1),
    ("bf16", "1.5 : bf16", 1.5),
    ("f8E4M3FN", "0.1 : f8E4M3FN", 0.1015625),
    ("i1", "true", True),
]


@pytest.mark.parametrize(("name", "value", "want"), CONSTANTS)
def test_constant_like(name: str, value: str, want: Any) -> None:
    dynamic = f"tensor<?x2x{name}>"
    program = hlokit.load(
        f"func.func @main(%operand: {dynamic}) -> {dynamic} {{\n"
        f'  %result = "chlo.constant_like"(%operand) {{value = {value}}} : ({dynamic}) -> {dynamic}\n'
        f"  return %result : {dynamic}\n}}"
    )
    dtype = program.signature().inputs[0].element_type.dtype
    result = program(np.zeros((3, 2), dtype))
    assert result.shape == (3, 2)
    assert result.dtype == dtype
    assert (result == np.array(want).astype(dtype)).all()


def test_constant_of_a_narrow_type() -> None:
    program = hlokit.load(
        "func.func @main() -> tensor<2xi4> {\n  %c = chlo.constant dense<[1, -3]> : tensor<2xi4>\n  return %c : tensor<2xi4>\n}"
    )
    assert program().tolist() == [1, -3]
