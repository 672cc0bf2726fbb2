"""Zeros, infinities, NaN and branch cuts as IEEE 754 and C99, Annexes F and G, have them: tables of our own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hlokit.accuracy.implementations import elementwise_text, hlokit
from hlokit.values.element_types import BF16, COMPLEX_F32, COMPLEX_F64, F16, F32, F64, ElementType

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

INF, NAN, PI = math.inf, math.nan, math.pi


def same(actual: float, wanted: float, *, any_sign: bool = False) -> bool:
    """Equal in kind and in the sign of zeros; finite numbers nearly."""
    if math.isnan(wanted) or math.isnan(actual):
        return math.isnan(wanted) and math.isnan(actual)
    if any_sign:
        actual, wanted = abs(actual), abs(wanted)
    near = actual == wanted or math.isclose(actual, wanted, rel_tol=1e-2)
    return near and math.copysign(1, actual) == math.copysign(1, wanted)


# Of 0, -0, infinity, -infinity, NaN.
AT_ENDS: dict[str, tuple[float, float, float, float, float]] = {
    "stablehlo.abs": (0.0, 0.0, INF, INF, NAN),
    "stablehlo.cbrt": (0.0, -0.0, INF, -INF, NAN),
    "stablehlo.ceil": (0.0, -0.0, INF, -INF, NAN),
    "stablehlo.cosine": (1.0, 1.0, NAN, NAN, NAN),
    "stablehlo.exponential": (1.0, 1.0, INF, 0.0, NAN),
    "stablehlo.exponential_minus_one": (0.0, -0.0, INF, -1.0, NAN),
    "stablehlo.floor": (0.0, -0.0, INF, -INF, NAN),
    "stablehlo.log": (-INF, -INF, INF, NAN, NAN),
    "stablehlo.log_plus_one": (0.0, -0.0, INF, NAN, NAN),
    "stablehlo.logistic": (0.5, 0.5, 1.0, 0.0, NAN),
    "stablehlo.negate": (-0.0, 0.0, -INF, INF, NAN),
    "stablehlo.round_nearest_afz": (0.0, -0.0, INF, -INF, NAN),
    "stablehlo.round_nearest_even": (0.0, -0.0, INF, -INF, NAN),
    "stablehlo.rsqrt": (INF, -INF, 0.0, NAN, NAN),
    "stablehlo.sign": (0.0, -0.0, 1.0, -1.0, NAN),
    "stablehlo.sine": (0.0, -0.0, NAN, NAN, NAN),
    "stablehlo.sqrt": (0.0, -0.0, INF, NAN, NAN),
    "stablehlo.tan": (0.0, -0.0, NAN, NAN, NAN),
    "stablehlo.tanh": (0.0, -0.0, 1.0, -1.0, NAN),
    "chlo.acos": (PI / 2, PI / 2, NAN, NAN, NAN),
    "chlo.acosh": (NAN, NAN, INF, NAN, NAN),
    "chlo.asin": (0.0, -0.0, NAN, NAN, NAN),
    "chlo.asinh": (0.0, -0.0, INF, -INF, NAN),
    "chlo.atan": (0.0, -0.0, PI / 2, -PI / 2, NAN),
    "chlo.atanh": (0.0, -0.0, NAN, NAN, NAN),
    "chlo.bessel_i1e": (0.0, -0.0, 0.0, -0.0, NAN),
    "chlo.cosh": (1.0, 1.0, INF, INF, NAN),
    "chlo.digamma": (NAN, NAN, INF, NAN, NAN),
    "chlo.erf": (0.0, -0.0, 1.0, -1.0, NAN),
    "chlo.erf_inv": (0.0, -0.0, NAN, NAN, NAN),
    "chlo.erfc": (1.0, 1.0, 0.0, 2.0, NAN),
    "chlo.lgamma": (INF, INF, INF, INF, NAN),
    "chlo.sinh": (0.0, -0.0, INF, -INF, NAN),
    "chlo.square": (0.0, 0.0, INF, INF, NAN),
}

# Elsewhere: (operand, result).
REAL: dict[str, list[tuple[float, float]]] = {
    "stablehlo.ceil": [(-0.5, -0.0), (0.5, 1.0)],
    "stablehlo.floor": [(0.5, 0.0), (-0.5, -1.0)],
    "stablehlo.round_nearest_afz": [(-0.25, -0.0), (0.25, 0.0), (0.5, 1.0), (-0.5, -1.0), (2.5, 3.0)],
    "stablehlo.round_nearest_even": [(-0.25, -0.0), (0.5, 0.0), (-0.5, -0.0), (1.5, 2.0), (2.5, 2.0)],
    "stablehlo.log": [(1.0, 0.0), (-1.0, NAN)],
    "stablehlo.log_plus_one": [(-1.0, -INF), (-2.0, NAN)],
    "stablehlo.sqrt": [(-1.0, NAN)],
    "stablehlo.rsqrt": [(-1.0, NAN), (4.0, 0.5)],
    "stablehlo.cbrt": [(-8.0, -2.0)],
    "chlo.acos": [(1.0, 0.0), (-1.0, PI), (1.5, NAN), (-1.5, NAN)],
    "chlo.acosh": [(1.0, 0.0), (0.5, NAN), (-2.0, NAN)],
    "chlo.asin": [(1.0, PI / 2), (-1.0, -PI / 2), (1.5, NAN)],
    "chlo.atanh": [(1.0, INF), (-1.0, -INF), (1.5, NAN), (-1.5, NAN)],
    "chlo.erf_inv": [(1.0, INF), (-1.0, -INF), (1.5, NAN)],
    "chlo.lgamma": [(1.0, 0.0), (2.0, 0.0), (-1.0, INF), (-2.0, INF)],
    "chlo.digamma": [(-1.0, NAN), (-2.0, NAN)],
}

BINARY: dict[str, list[tuple[float, float, float]]] = {
    "stablehlo.add": [
        (0.0, -0.0, 0.0),
        (-0.0, -0.0, -0.0),
        (1.0, -1.0, 0.0),
        (INF, -INF, NAN),
        (INF, 1.0, INF),
    ],
    "stablehlo.subtract": [(0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (INF, INF, NAN), (1.0, INF, -INF)],
    "stablehlo.multiply": [(0.0, -1.0, -0.0), (-0.0, -0.0, 0.0), (0.0, INF, NAN), (-2.0, INF, -INF)],
    "stablehlo.divide": [
        *[(1.0, 0.0, INF), (1.0, -0.0, -INF), (-1.0, 0.0, -INF), (0.0, 0.0, NAN), (INF, INF, NAN)],
        *[(-1.0, INF, -0.0), (0.0, -1.0, -0.0), (INF, -0.0, -INF)],
    ],
    "stablehlo.remainder": [
        *[(5.0, 0.0, NAN), (INF, 1.0, NAN), (3.0, INF, 3.0), (-3.0, INF, -3.0), (-0.0, 1.0, -0.0)],
        *[(-4.0, 2.0, -0.0), (4.0, -2.0, 0.0), (-5.0, 3.0, -2.0), (NAN, 1.0, NAN)],
    ],
    "stablehlo.maximum": [
        (0.0, -0.0, 0.0),
        (-0.0, 0.0, 0.0),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (-INF, 1.0, 1.0),
    ],
    "stablehlo.minimum": [(0.0, -0.0, -0.0), (-0.0, 0.0, -0.0), (NAN, 1.0, NAN), (INF, 1.0, 1.0)],
    "stablehlo.power": [
        *[(0.0, -3.0, INF), (-0.0, -3.0, -INF), (-0.0, -2.0, INF), (0.0, -INF, INF), (-0.0, -INF, INF)],
        *[(-0.0, 3.0, -0.0), (-0.0, 2.5, 0.0), (-1.0, INF, 1.0), (1.0, NAN, 1.0), (NAN, -0.0, 1.0)],
        *[(-2.0, 0.5, NAN), (-0.5, -INF, INF), (-2.0, -INF, 0.0), (-INF, -3.0, -0.0), (-INF, 3.0, -INF)],
        *[(-INF, -2.0, 0.0), (-INF, 2.5, INF), (INF, -0.5, 0.0), (INF, 0.5, INF), (NAN, 1.0, NAN)],
    ],
    "stablehlo.atan2": [
        *[(0.0, -0.0, PI), (-0.0, -0.0, -PI), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -1.0, PI)],
        *[(-0.0, -1.0, -PI), (-0.0, 1.0, -0.0), (-1.0, 0.0, -PI / 2), (1.0, -0.0, PI / 2), (1.0, -INF, PI)],
        *[
            (-1.0, -INF, -PI),
            (1.0, INF, 0.0),
            (-1.0, INF, -0.0),
            (INF, 2.0, PI / 2),
            (-INF, -INF, -3 * PI / 4),
        ],
        *[(INF, -INF, 3 * PI / 4), (INF, INF, PI / 4), (NAN, 1.0, NAN), (1.0, NAN, NAN)],
    ],
    "chlo.next_after": [
        (0.0, -0.0, -0.0),
        (-0.0, 0.0, 0.0),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (INF, INF, INF),
    ],
}


def evaluate(name: str, type_: ElementType, *operands: Any) -> list[Any]:
    arrays = [np.asarray(operand, type_.dtype) for operand in operands]
    result = hlokit(elementwise_text(name, arrays, type_), arrays)
    return result.astype(np.float64).tolist() if result.dtype.kind != "c" else result.tolist()


TYPES = [F16, BF16, F32, F64]


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("name", AT_ENDS)
def test_functions_of_a_float(name: str, type_: ElementType) -> None:
    rows = [*zip((0.0, -0.0, INF, -INF, NAN), AT_ENDS[name], strict=True), *REAL.get(name, [])]
    operands, wanted = zip(*rows, strict=True)
    for operand, got, want in zip(operands, evaluate(name, type_, operands), wanted, strict=True):
        assert same(got, want), (operand, got, want)
        (scalar,) = evaluate(name, type_, [operand])
        assert same(scalar, want), (operand, scalar, want)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_floats(name: str, type_: ElementType) -> None:
    lhs, rhs, wanted = zip(*BINARY[name], strict=True)
    for first, second, got, want in zip(lhs, rhs, evaluate(name, type_, lhs, rhs), wanted, strict=True):
        assert same(got, want), (first, second, got, want)


# Complex: (real, imaginary) -> (real, imaginary), all in the upper half plane, with the imaginary part of the
# sign that is written; the lower one is its mirror image. "?" marks a part whose sign the annex leaves open.
Row = tuple[tuple[float, float], tuple[float, float], str]


def row(x: float, y: float, real: float, imag: float, open_signs: str = "") -> Row:
    return (x, y), (real, imag), open_signs


ROOT = math.sqrt(0.5)
COMPLEX: dict[str, list[Row]] = {
    "stablehlo.sqrt": [
        *[row(0.0, 0.0, 0.0, 0.0), row(-0.0, 0.0, 0.0, 0.0), row(-4.0, 0.0, 0.0, 2.0), row(4.0, 0.0, 2.0, 0.0)],
        *[row(1.0, INF, INF, INF), row(NAN, INF, INF, INF), row(-INF, INF, INF, INF), row(1.0, NAN, NAN, NAN)],
        *[row(-INF, 1.0, 0.0, INF), row(INF, 1.0, INF, 0.0), row(-INF, NAN, NAN, INF, "i")],
        *[row(INF, NAN, INF, NAN), row(NAN, 1.0, NAN, NAN), row(NAN, NAN, NAN, NAN)],
    ],
    "stablehlo.exponential": [
        *[row(0.0, 0.0, 1.0, 0.0), row(-0.0, 0.0, 1.0, 0.0), row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN)],
        *[row(INF, 0.0, INF, 0.0), row(-INF, 1.0, 0.0, 0.0), row(-INF, 2.0, -0.0, 0.0), row(INF, 2.0, -INF, INF)],
        *[row(-INF, INF, 0.0, 0.0, "ri"), row(INF, INF, INF, NAN, "r"), row(-INF, NAN, 0.0, 0.0, "ri")],
        *[row(INF, NAN, INF, NAN, "r"), row(NAN, 0.0, NAN, 0.0), row(NAN, 1.0, NAN, NAN)],
    ],
    "stablehlo.log": [
        *[row(-0.0, 0.0, -INF, PI), row(0.0, 0.0, -INF, 0.0), row(1.0, INF, INF, PI / 2), row(1.0, 0.0, 0.0, 0.0)],
        *[row(1.0, NAN, NAN, NAN), row(-INF, 1.0, INF, PI), row(INF, 1.0, INF, 0.0), row(-INF, INF, INF, 3 * PI / 4)],
        *[row(INF, INF, INF, PI / 4), row(INF, NAN, INF, NAN), row(-INF, NAN, INF, NAN), row(NAN, 1.0, NAN, NAN)],
        *[row(NAN, INF, INF, NAN), row(-2.0, 0.0, math.log(2), PI)],
    ],
    "chlo.cosh": [
        *[row(0.0, 0.0, 1.0, 0.0, "i"), row(0.0, INF, NAN, 0.0, "i"), row(0.0, NAN, NAN, 0.0, "i")],
        *[row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN), row(INF, 0.0, INF, 0.0), row(INF, 2.0, -INF, INF)],
        *[row(INF, INF, INF, NAN, "r"), row(INF, NAN, INF, NAN), row(NAN, 0.0, NAN, 0.0, "i"), row(NAN, 1.0, NAN, NAN)],
    ],
    "chlo.sinh": [
        *[row(0.0, 0.0, 0.0, 0.0), row(0.0, INF, 0.0, NAN, "r"), row(0.0, NAN, 0.0, NAN, "r")],
        *[row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN), row(INF, 0.0, INF, 0.0), row(INF, 2.0, -INF, INF)],
        *[row(INF, INF, INF, NAN, "r"), row(INF, NAN, INF, NAN, "r"), row(NAN, 0.0, NAN, 0.0), row(-0.0, 0.0, -0.0, 0.0)],
    ],
    "stablehlo.tanh": [
        *[row(0.0, 0.0, 0.0, 0.0), row(-0.0, 0.0, -0.0, 0.0), row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN)],
        *[row(INF, 1.0, 1.0, 0.0), row(INF, 2.0, 1.0, -0.0), row(INF, INF, 1.0, 0.0, "i"), row(INF, NAN, 1.0, 0.0, "i")],
        *[row(NAN, 0.0, NAN, 0.0), row(NAN, 1.0, NAN, NAN), row(-INF, 1.0, -1.0, 0.0)],
    ],
    "chlo.acosh": [
        *[row(0.0, 0.0, 0.0, PI / 2), row(-0.0, 0.0, 0.0, PI / 2), row(1.0, INF, INF, PI / 2), row(1.0, NAN, NAN, NAN)],
        *[row(-INF, 1.0, INF, PI), row(INF, 1.0, INF, 0.0), row(-INF, INF, INF, 3 * PI / 4), row(INF, INF, INF, PI / 4)],
        *[row(INF, NAN, INF, NAN), row(NAN, 1.0, NAN, NAN), row(NAN, INF, INF, NAN), row(1.0, 0.0, 0.0, 0.0)],
        *[row(-2.0, 0.0, math.acosh(2), PI), row(2.0, 0.0, math.acosh(2), 0.0)],
    ],
    "chlo.asinh": [
        *[row(0.0, 0.0, 0.0, 0.0), row(1.0, INF, INF, PI / 2), row(1.0, NAN, NAN, NAN), row(INF, 1.0, INF, 0.0)],
        *[row(INF, INF, INF, PI / 4), row(INF, NAN, INF, NAN), row(NAN, 0.0, NAN, 0.0), row(NAN, 1.0, NAN, NAN)],
        *[row(NAN, INF, INF, NAN, "r"), row(0.0, 2.0, math.acosh(2), PI / 2), row(-0.0, 2.0, -math.acosh(2), PI / 2)],
    ],
    "chlo.atanh": [
        *[row(0.0, 0.0, 0.0, 0.0), row(0.0, NAN, 0.0, NAN), row(1.0, 0.0, INF, 0.0), row(1.0, INF, 0.0, PI / 2)],
        *[row(INF, 1.0, 0.0, PI / 2), row(INF, INF, 0.0, PI / 2), row(INF, NAN, 0.0, NAN), row(NAN, 1.0, NAN, NAN)],
        *[row(NAN, INF, 0.0, PI / 2, "r"), row(2.0, 0.0, math.atanh(0.5), PI / 2), row(-2.0, 0.0, -math.atanh(0.5), PI / 2)],
    ],
    "chlo.acos": [
        *[row(0.0, 0.0, PI / 2, -0.0), row(0.0, NAN, PI / 2, NAN), row(1.0, INF, PI / 2, -INF), row(-INF, 1.0, PI, -INF)],
        *[row(INF, 1.0, 0.0, -INF), row(-INF, INF, 3 * PI / 4, -INF), row(INF, INF, PI / 4, -INF)],
        *[row(INF, NAN, NAN, INF, "i"), row(NAN, 1.0, NAN, NAN), row(NAN, INF, NAN, -INF), row(2.0, 0.0, 0.0, -math.acosh(2))],
        *[row(-2.0, 0.0, PI, -math.acosh(2))],
    ],
}  # fmt: skip


def assert_row(name: str, type_: ElementType, given: Row, rotated: bool, mirrored: bool) -> None:
    (x, y), (real, imag), open_signs = given
    operand, wanted = [x, y], [real, imag]
    if rotated:  # f(z) = -i g(iz): z = y - ix of iz = x + iy
        operand, wanted = [y, -x], [imag, -real]
        open_signs = open_signs.translate(str.maketrans("ri", "ir"))
    if mirrored:
        operand, wanted = [operand[0], -operand[1]], [wanted[0], -wanted[1]]
    (result,) = evaluate(name, type_, np.array([complex(*operand)]))
    assert same(result.real, wanted[0], any_sign="r" in open_signs), (operand, result, wanted)
    assert same(result.imag, wanted[1], any_sign="i" in open_signs), (operand, result, wanted)


# The trigonometric functions are the hyperbolic ones of iz, times -i where they are odd.
ROTATED = {
    "stablehlo.sine": "chlo.sinh",
    "stablehlo.tan": "stablehlo.tanh",
    "chlo.asin": "chlo.asinh",
    "chlo.atan": "chlo.atanh",
}


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", [*COMPLEX, *ROTATED])
def test_complex_functions(name: str, mirrored: bool, type_: ElementType) -> None:
    for given in COMPLEX[ROTATED.get(name, name)]:
        assert_row(name, type_, given, name in ROTATED, mirrored)


# Infinite operands of products: the result is infinite, though its parts may be NaN one by one.
PRODUCTS = [
    (complex(INF, 0), complex(1, 1)),
    (complex(INF, NAN), complex(1, 1)),
    (complex(NAN, INF), complex(2, -1)),
    (complex(-INF, INF), complex(0, 3)),
    (complex(INF, NAN), complex(INF, NAN)),
]


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_products_with_infinities_are_infinite(type_: ElementType) -> None:
    lhs, rhs = (np.array(side) for side in zip(*PRODUCTS, strict=True))
    for operands in ((lhs, rhs), (rhs, lhs)):
        for result in evaluate("stablehlo.multiply", type_, *operands):
            assert math.isinf(result.real) or math.isinf(result.imag), result
    (lost,) = evaluate("stablehlo.multiply", type_, [complex(INF, 0)], [0j])
    assert math.isnan(lost.real)
    assert math.isnan(lost.imag)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_magnitudes_and_quotients(type_: ElementType) -> None:
    sizes = evaluate("stablehlo.abs", type_, [complex(INF, NAN), complex(NAN, -INF), complex(-0.0, -0.0)])
    assert sizes[0] == sizes[1] == INF
    assert same(sizes[2], 0.0)
    by_zero, by_infinity = evaluate("stablehlo.divide", type_, [1 + 1j, 1 + 1j], [0j, complex(INF, INF)])
    assert math.isinf(by_zero.real)
    assert by_infinity == 0


def test_products_that_leave_the_range_of_f64() -> None:
    """Of two products that overflow, the larger decides."""
    (result,) = evaluate("stablehlo.multiply", COMPLEX_F64, [complex(1e200, 1e160)], [complex(1e200, 1e160)])
    assert same(result.real, INF)
    (small,) = evaluate("stablehlo.divide", COMPLEX_F64, [complex(1e-30, 3e-302)], [complex(1e-8, 1e-290)])
    assert math.isclose(small.imag, 3e-294 - 1e-304, rel_tol=1e-12)
