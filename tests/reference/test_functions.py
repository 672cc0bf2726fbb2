"""Functions of elements are correctly rounded: compared with mpmath at 400 bits, and both engines with each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.reference.numbers import element_functions, powers_and_angles, precise, special_functions
from hlokit.values.bits import ulp_distance
from hlokit.values.element import Element
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    F8E4M3FN,
    F8E5M2,
    F8E8M0FNU,
    F16,
    F32,
    F64,
    ElementType,
)
from hlokit.values.float_format import float_format

# The function of mpmath, and where it is interesting.
REAL: dict[str, tuple[Callable[[Any], Any], float, float]] = {
    "exponential": (mpmath.exp, -20, 20),
    "exponential_minus_one": (mpmath.expm1, -1, 1),
    "log": (mpmath.log, 0.01, 100),
    "log_plus_one": (mpmath.log1p, -0.9, 2),
    "logistic": (lambda x: 1 / (1 + mpmath.exp(-x)), -20, 20),
    "sqrt": (mpmath.sqrt, 0, 100),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), 0.01, 100),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), -100, 100),
    "sine": (mpmath.sin, -1000, 1000),
    "cosine": (mpmath.cos, -1000, 1000),
    "tan": (mpmath.tan, -1000, 1000),
    "tanh": (mpmath.tanh, -5, 5),
    "sinh": (mpmath.sinh, -20, 20),
    "cosh": (mpmath.cosh, -20, 20),
    "asin": (mpmath.asin, -1, 1),
    "acos": (mpmath.acos, -1, 1),
    "atan": (mpmath.atan, -100, 100),
    "asinh": (mpmath.asinh, -100, 100),
    "acosh": (mpmath.acosh, 1, 100),
    "atanh": (mpmath.atanh, -0.99, 0.99),
    "erf": (mpmath.erf, -4, 4),
    "erfc": (mpmath.erfc, -4, 10),
    "erf_inv": (mpmath.erfinv, -0.999, 0.999),
    "lgamma": (lambda x: mpmath.re(mpmath.loggamma(x)), -5, 50),
    "digamma": (mpmath.digamma, -5, 50),
    "bessel_i1e": (lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(1, x), -50, 50),
}
MODULES = (element_functions, powers_and_angles, special_functions)
TYPES = (F64, F32, F16, BF16, F8E4M3FN, F8E5M2)


def function_of(name: str) -> Callable[[Element], Element]:
    return next(vars(module)[name] for module in MODULES if name in vars(module))


def nearest(number: Any, type_: ElementType) -> int:
    """The bits of the value nearest to a number of mpmath."""
    sign, mantissa, exponent, _ = mpmath.mpf(number)._mpf_
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return float_format(type_).encode(-value if sign else value)


@pytest.mark.parametrize("name", REAL)
def test_real_functions_are_correctly_rounded(name: str) -> None:
    exact, low, high = REAL[name]
    function = function_of(name)
    numbers = np.random.default_rng(list(map(ord, name))).uniform(low, high, 12)
    operands = [Element(type_, float(number)) for type_ in TYPES for number in numbers]
    operands = [x for x in operands if float(x) != 0 and low <= float(x) <= high]
    assert {x.type for x in operands} == set(TYPES)
    with mpmath.workprec(400):
        for x in operands:
            assert function(x).bits == nearest(exact(mpmath.mpf(float(x))), x.type), (x.type, x)


@pytest.mark.parametrize("name", REAL)
def test_both_engines_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gmpy2")
    _, low, high = REAL[name]
    function = function_of(name)
    inputs = [Element(F64, float(x)) for x in np.random.default_rng(7).uniform(low, high, 10)]
    with_mpfr = [function(x) for x in inputs]
    use_mpmath(monkeypatch)
    assert [function(x) for x in inputs] == with_mpfr


def use_mpmath(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precise, "_engine", lambda **_: precise._Mpmath())


COMPLEX = (
    "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "sqrt", "rsqrt", "cbrt",
    "sine", "cosine", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh",
)  # fmt: skip


@pytest.mark.parametrize("type_", (COMPLEX_F32, COMPLEX_F64), ids=str)
@pytest.mark.parametrize("name", COMPLEX)
def test_both_engines_agree_on_complex_numbers(
    name: str, type_: ElementType, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gmpy2")
    function = function_of(name)
    parts = np.random.default_rng(8).uniform(-3, 3, (8, 2))
    special = [(0.0, -0.0), (-0.0, 1.5), (1.5, -0.0), (-2.0, 0.0), (0.5, 1e-20), (1e-20, 1.0), (3e7, 2.0)]
    inputs = [Element(type_, complex(*each)) for each in (*parts.tolist(), *special)]
    with_mpc = [function(z) for z in inputs]
    use_mpmath(monkeypatch)
    assert [function(z) for z in inputs] == with_mpc


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_functions_are_near_those_of_mpmath(name: str) -> None:
    spelled = {
        "exponential": "exp", "exponential_minus_one": "expm1", "log_plus_one": "log1p", "sine": "sin", "cosine": "cos"
    }  # fmt: skip
    composed = {
        "logistic": lambda z: 1 / (1 + mpmath.exp(-z)),
        "rsqrt": lambda z: 1 / mpmath.sqrt(z),
        "log1p": lambda z: mpmath.log(1 + z),
    }
    mnemonic = spelled.get(name, name)
    exact = composed.get(mnemonic) or getattr(mpmath, mnemonic)
    for parts in np.random.default_rng(9).uniform(-3, 3, (10, 2)):
        z = Element(COMPLEX_F32, complex(*parts))
        with mpmath.workprec(200):
            expected = exact(mpmath.mpmathify(complex(z)))
            wanted = (nearest(mpmath.re(expected), F32), nearest(mpmath.im(expected), F32))
        found = function_of(name)(z)
        assert tuple(part.bits for part in found.parts) == wanted, z


@pytest.mark.parametrize(
    ("name", "operand", "expected"),
    [
        ("exponential", math.inf, math.inf),
        ("exponential", -math.inf, 0.0),
        ("exponential", 1e308, math.inf),
        ("exponential", -1e308, 0.0),
        ("log", 0.0, -math.inf),
        ("log", 1.0, 0.0),
        ("log_plus_one", -1.0, -math.inf),
        ("rsqrt", -0.0, -math.inf),
        ("sqrt", -0.0, -0.0),
        ("sine", -0.0, -0.0),
        ("sine", 5e-324, 5e-324),
        ("tanh", -math.inf, -1.0),
        ("tanh", 1e300, 1.0),
        ("cosine", 0.0, 1.0),
        ("lgamma", -3.0, math.inf),
        ("lgamma", 2.0, 0.0),
        ("erf_inv", -1.0, -math.inf),
    ],
)
def test_special_values(name: str, operand: float, expected: float) -> None:
    found = function_of(name)(Element(F64, operand))
    assert found == Element(F64, expected)


@pytest.mark.parametrize("name", ("log", "sqrt", "rsqrt", "log_plus_one", "asin", "acosh", "sine", "digamma"))
def test_nan_results_are_the_canonical_nan(name: str) -> None:
    operand = {"asin": 2.0, "acosh": 0.5, "sine": math.inf, "digamma": -2.0}.get(name, -2.0)
    assert function_of(name)(Element(F32, operand)).bits == 0x7FC00000


# Exactly between two values: approximations alone would never decide.
@pytest.mark.parametrize(
    ("x", "y", "type_", "expected"),
    [
        (1.25, 2.0, F8E4M3FN, 1.5),  # 1.5625, between 1.5 and 1.625
        (2.0, -1075.0, F64, 0.0),  # between 0 and the least subnormal number
        (3.0, 2.0, F8E5M2, 8.0),  # 9, between 8 and 10
        (-3.0, 3.0, F64, -27.0),
        (0.5, 0.5, F32, 0.7071067690849304),
    ],
)
def test_power_of_ties(x: float, y: float, type_: ElementType, expected: float) -> None:
    assert powers_and_angles.power(Element(type_, x), Element(type_, y)) == Element(type_, expected)


def test_functions_of_f64_are_near_those_of_the_c_library() -> None:
    """A bound that another implementation must have."""
    for name, function in {"sine": np.sin, "exponential": np.exp, "log": np.log, "tanh": np.tanh}.items():
        inputs = np.random.default_rng(3).uniform(0.1, 10, 50)
        own = np.array([float(function_of(name)(Element(F64, float(x)))) for x in inputs])
        assert ulp_distance(own, function(inputs), F64).max() <= 2


def test_a_zero_of_a_type_without_zero_is_nan() -> None:
    one = Element(F8E8M0FNU, 1.0)
    for name in ("log", "acos", "acosh"):
        assert math.isnan(float(function_of(name)(one))), name
