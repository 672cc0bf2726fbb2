"""Zeros, infinities, NaN and branch cuts of complex functions follow C99, Annex G: tables written for these
tests."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, ElementType
from tests.tools.accuracy.special_values import INF, NAN, PI, evaluate, same
from tools.accuracy.functions import FUNCTIONS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

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
    # These three by their definitions: exp(z) - 1, log(1 + z), and 1 / (1 + exp(-z)).
    "stablehlo.exponential_minus_one": [
        *[row(0.0, 0.0, 0.0, 0.0), row(-0.0, 0.0, -0.0, 0.0), row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN)],
        *[row(INF, 0.0, INF, 0.0), row(-INF, 1.0, -1.0, 0.0), row(-INF, 2.0, -1.0, 0.0), row(INF, 2.0, -INF, INF)],
        *[row(-INF, INF, -1.0, 0.0, "i"), row(INF, INF, INF, NAN, "r"), row(-INF, NAN, -1.0, 0.0, "i")],
        *[row(INF, NAN, INF, NAN, "r"), row(NAN, 0.0, NAN, 0.0), row(NAN, 1.0, NAN, NAN)],
    ],
    "stablehlo.log_plus_one": [
        *[row(0.0, 0.0, 0.0, 0.0), row(-0.0, 0.0, -0.0, 0.0), row(-1.0, 0.0, -INF, 0.0), row(1.0, INF, INF, PI / 2)],
        *[row(1.0, NAN, NAN, NAN), row(-INF, 1.0, INF, PI), row(INF, 1.0, INF, 0.0), row(-INF, INF, INF, 3 * PI / 4)],
        *[row(INF, INF, INF, PI / 4), row(INF, NAN, INF, NAN), row(-INF, NAN, INF, NAN), row(NAN, 1.0, NAN, NAN)],
        *[row(NAN, INF, INF, NAN), row(-3.0, 0.0, math.log(2), PI), row(-2.0, 0.0, 0.0, PI)],
    ],
    "stablehlo.logistic": [
        *[row(0.0, 0.0, 0.5, 0.0), row(-0.0, 0.0, 0.5, 0.0), row(1.0, INF, NAN, NAN), row(1.0, NAN, NAN, NAN)],
        *[row(INF, 0.0, 1.0, 0.0), row(INF, 2.0, 1.0, 0.0), row(INF, 4.0, 1.0, -0.0), row(-INF, 0.0, 0.0, 0.0)],
        *[row(-INF, 2.0, -0.0, 0.0), row(-INF, 4.0, -0.0, -0.0), row(INF, INF, 1.0, 0.0, "i")],
        *[row(-INF, INF, 0.0, 0.0, "ri"), row(NAN, 1.0, NAN, NAN), row(NAN, NAN, NAN, NAN)],
    ],
    # Its quotient is that of 1 and the root, as Annex G divides.
    "stablehlo.rsqrt": [
        *[row(0.0, 0.0, INF, NAN), row(-0.0, 0.0, INF, NAN), row(-4.0, 0.0, 0.0, -0.5), row(4.0, 0.0, 0.5, -0.0)],
        *[row(1.0, INF, 0.0, -0.0), row(NAN, INF, 0.0, -0.0), row(-INF, INF, 0.0, -0.0), row(1.0, NAN, NAN, NAN)],
        *[row(-INF, 1.0, 0.0, -0.0), row(INF, 1.0, 0.0, -0.0), row(-INF, NAN, 0.0, 0.0, "i")],
        *[row(INF, NAN, 0.0, 0.0, "i"), row(NAN, 1.0, NAN, NAN), row(NAN, NAN, NAN, NAN)],
    ],
    # A third of the angle: on the right of the imaginary axis.
    "stablehlo.cbrt": [
        *[row(0.0, 0.0, 0.0, 0.0), row(-0.0, 0.0, 0.0, 0.0), row(8.0, 0.0, 2.0, 0.0)],
        *[row(-8.0, 0.0, 1.0, math.sqrt(3)), row(INF, 1.0, INF, 0.0), row(-INF, 1.0, INF, INF)],
        *[row(1.0, INF, INF, INF), row(INF, INF, INF, INF), row(INF, NAN, INF, NAN), row(-INF, NAN, INF, NAN)],
        *[row(NAN, INF, INF, NAN), row(NAN, 1.0, NAN, NAN), row(1.0, NAN, NAN, NAN), row(NAN, NAN, NAN, NAN)],
    ],
    # z / |z|, part by part.
    "stablehlo.sign": [
        *[row(0.0, 0.0, 0.0, 0.0, "ri"), row(-3.0, 4.0, -0.6, 0.8), row(-0.0, 2.0, -0.0, 1.0), row(2.0, 0.0, 1.0, 0.0)],
        *[row(1.0, NAN, NAN, NAN), row(NAN, 1.0, NAN, NAN), row(INF, 1.0, NAN, 0.0), row(1.0, INF, 0.0, NAN)],
    ],
    "chlo.square": [
        *[row(0.0, 2.0, -4.0, 0.0), row(3.0, 0.0, 9.0, 0.0), row(INF, 0.0, INF, NAN), row(1.0, NAN, NAN, NAN)],
        *[row(1.0, 1.0, 0.0, 2.0), row(NAN, NAN, NAN, NAN)],
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


def test_the_tables_are_of_all_functions() -> None:
    of_one = {f.name for f in FUNCTIONS if f.takes_complex and f.operands == 1}
    assert {*COMPLEX, *ROTATED, "stablehlo.cosine", "stablehlo.abs"} == of_one


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", [*COMPLEX, *ROTATED])
def test_complex_functions(name: str, mirrored: bool, type_: ElementType) -> None:
    for given in COMPLEX[ROTATED.get(name, name)]:
        assert_row(name, type_, given, name in ROTATED, mirrored)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_cosine_is_the_hyperbolic_one_of_iz(type_: ElementType) -> None:
    for (x, y), (real, imag), open_signs in COMPLEX["chlo.cosh"]:
        (result,) = evaluate("stablehlo.cosine", type_, np.array([complex(y, -x)]))
        assert same(result.real, real, any_sign="r" in open_signs), (x, y, result)
        assert same(result.imag, imag, any_sign="i" in open_signs), (x, y, result)


# Angles of real numbers, whatever the signs of their imaginary zeros.
ANGLES = [
    *[(0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, -1.0, PI), (-0.0, -1.0, -PI), (1.0, 0.0, PI / 2)],
    *[(-1.0, 0.0, -PI / 2), (1.0, -0.0, PI / 2), (1.0, -1.0, 3 * PI / 4), (-1.0, -1.0, -3 * PI / 4)],
    *[(1.0, INF, 0.0), (1.0, -INF, PI), (-1.0, -INF, -PI), (INF, 1.0, PI / 2), (-INF, 1.0, -PI / 2)],
    *[(NAN, 1.0, NAN), (1.0, NAN, NAN)],
]


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_angles(type_: ElementType) -> None:
    for y, x, want in ANGLES:
        (result,) = evaluate("stablehlo.atan2", type_, np.array([complex(y, 0)]), np.array([complex(x, 0)]))
        assert same(result.real, want), (y, x, result)


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
def test_powers(type_: ElementType) -> None:
    for x, y, want in (
        *[
            (0j, 2 + 0j, 0j),
            (0j, 2 + 1j, 0j),
            (2 + 0j, 3 + 0j, 8 + 0j),
            (-4 + 0j, 0.5 + 0j, 2j),
            (4j, 0j, 1 + 0j),
        ],
        *[
            (complex(-4, -0.0), 0.5 + 0j, -2j),
            (1j, 2 + 0j, -1 + 0j),
            (0j, 0j, 1 + 0j),
            (2 + 3j, 1 + 0j, 2 + 3j),
        ],
    ):
        (result,) = evaluate("stablehlo.power", type_, np.array([x]), np.array([y]))
        assert abs(result - want) <= 1e-6 * abs(want), (x, y, result)
        if want.real == 0:
            assert result.real == 0


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
