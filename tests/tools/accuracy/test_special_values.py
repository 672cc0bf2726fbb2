"""Zeros, infinities and NaN follow IEEE 754 and C99, Annex F: tables written for these tests."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.values.element_types import BF16, F8E8M0FNU, F16, F32, F64, ElementType
from hlokit.values.float_format import float_format
from tests.tools.accuracy.special_values import INF, NAN, PI, evaluate, same
from tools.accuracy.functions import FUNCTIONS
from tools.accuracy.sums import FLOATS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


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
    "chlo.polygamma": [
        *[(0.0, INF, INF), (1.0, 0.0, INF), (1.0, INF, 0.0), (2.0, INF, -0.0), (-1.0, 1.0, NAN)],
        *[(1.5, 1.0, NAN), (NAN, 1.0, NAN), (1.0, NAN, NAN)],
    ],
    "chlo.zeta": [
        *[
            (1.0, 2.0, INF),
            (2.0, INF, 0.0),
            (2.0, 0.0, INF),
            (NAN, 1.0, NAN),
            (2.0, NAN, NAN),
            (INF, 1.0, 1.0),
        ],
        *[(INF, 2.0, 0.0), (0.5, 1.0, NAN)],
    ],
    "chlo.next_after": [
        (0.0, -0.0, -0.0),
        (-0.0, 0.0, 0.0),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
        (INF, INF, INF),
    ],
}


TYPES = [F16, BF16, F32, F64]
NARROW = [type_ for type_ in FLOATS if type_.width <= 8]


def test_the_tables_are_of_all_functions() -> None:
    of_one, of_two = ({f.name for f in FUNCTIONS if f.takes_float and f.operands == n} for n in (1, 2))
    assert set(AT_ENDS) == of_one
    assert set(BINARY) >= of_two


def of_one(name: str) -> list[tuple[float, float]]:
    return [*zip((0.0, -0.0, INF, -INF, NAN), AT_ENDS[name], strict=True), *REAL.get(name, [])]


@pytest.mark.parametrize("name", AT_ENDS)
def test_functions_of_a_float(name: str) -> None:
    operands, wanted = zip(*of_one(name), strict=True)
    for type_ in TYPES:
        for operand, got, want in zip(operands, evaluate(name, type_, operands), wanted, strict=True):
            assert same(got, want), (type_, operand, got, want)
            (scalar,) = evaluate(name, type_, [operand])
            assert same(scalar, want), (type_, operand, scalar, want)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_floats(name: str) -> None:
    lhs, rhs, wanted = zip(*BINARY[name], strict=True)
    for type_ in TYPES:
        for first, second, got, want in zip(lhs, rhs, evaluate(name, type_, lhs, rhs), wanted, strict=True):
            assert same(got, want), (type_, first, second, got, want)
            (scalar,) = evaluate(name, type_, [first], [second])
            assert same(scalar, want), (type_, first, second, scalar, want)


def has(type_: ElementType, value: float) -> bool:
    """Whether the type can represent exactly this value."""
    layout = float_format(type_)
    return same(layout.decode(layout.encode(value)), value)


def in_type(type_: ElementType, value: float) -> float:
    """A result converted to a narrow type, which replaces infinities and NaN if the type has none."""
    layout = float_format(type_)
    return layout.decode(layout.encode(value))


@pytest.mark.parametrize("name", AT_ENDS)
def test_functions_of_a_narrow_float(name: str) -> None:
    rows = [(type_, *row) for type_ in NARROW for row in of_one(name) if has(type_, row[0])]
    assert {type_ for type_, _, _ in rows} == set(NARROW)
    for type_, operand, want in rows:
        (got,) = evaluate(name, type_, [operand])
        assert same(got, in_type(type_, want)), (type_, operand, got, want)


@pytest.mark.parametrize("name", [name for name in BINARY if name != "chlo.next_after"])
def test_functions_of_two_narrow_floats(name: str) -> None:
    rows = [
        (type_, lhs, rhs, want)
        for type_ in NARROW
        for lhs, rhs, want in BINARY[name]
        if has(type_, lhs) and has(type_, rhs)
    ]
    # The type without zero, signs and infinities has the operands of some functions only.
    assert {type_ for type_, *_ in rows} >= set(NARROW) - {F8E8M0FNU}
    for type_, lhs, rhs, want in rows:
        (got,) = evaluate(name, type_, [lhs], [rhs])
        assert same(got, in_type(type_, want)), (type_, lhs, rhs, got, want)


# Results of predicates for 0, -0, infinity, -infinity, NaN, 1.
PREDICATES = {
    "stablehlo.is_finite": (True, True, False, False, False, True),
    "chlo.is_inf": (False, False, True, True, False, False),
    "chlo.is_pos_inf": (False, False, True, False, False, False),
    "chlo.is_neg_inf": (False, False, False, True, False, False),
}
ORDERED = (0.0, -0.0, INF, -INF, NAN, 1.0)
# Of every float with every other: NaN is unordered, and the zeros are equal.
COMPARISONS = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
}


@pytest.mark.parametrize("type_", [type_ for type_ in FLOATS if has(type_, 0.0)], ids=str)
def test_predicates(type_: ElementType) -> None:
    for name, wanted in PREDICATES.items():
        rows = [(value, want) for value, want in zip(ORDERED, wanted, strict=True) if has(type_, value)]
        operand = np.array([value for value, _ in rows]).astype(type_.dtype)
        program = hlokit.load(f"""func.func @main(%x: tensor<{len(rows)}x{type_}>) -> tensor<{len(rows)}xi1> {{
          %0 = "{name}"(%x) : (tensor<{len(rows)}x{type_}>) -> tensor<{len(rows)}xi1>
          return %0 : tensor<{len(rows)}xi1>
        }}""")
        assert program(operand).tolist() == [want for _, want in rows], (name, operand)


@pytest.mark.parametrize("type_", [type_ for type_ in FLOATS if has(type_, 0.0)], ids=str)
def test_comparisons(type_: ElementType) -> None:
    values = [value for value in ORDERED if has(type_, value)]
    size = len(values) ** 2
    lhs, rhs = (np.array(side).reshape(-1) for side in np.meshgrid(values, values))
    for direction, compare in COMPARISONS.items():
        program = hlokit.load(f"""func.func @main(%a: tensor<{size}x{type_}>, %b: tensor<{size}x{type_}>) -> tensor<{size}xi1> {{
          %0 = stablehlo.compare {direction}, %a, %b : (tensor<{size}x{type_}>, tensor<{size}x{type_}>) -> tensor<{size}xi1>
          return %0 : tensor<{size}xi1>
        }}""")
        got = program(lhs.astype(type_.dtype), rhs.astype(type_.dtype)).tolist()
        for a, b, result in zip(lhs.tolist(), rhs.tolist(), got, strict=True):
            assert result is compare(a, b), (direction, a, b)


@pytest.mark.parametrize("type_", [F16, BF16, F32, F64], ids=str)
def test_total_order(type_: ElementType) -> None:
    """-NaN < -infinity < -1 < -0 < 0 < 1 < infinity < NaN."""
    values = [-NAN, -INF, -1.0, -0.0, 0.0, 1.0, INF, NAN]
    lhs, rhs = (np.array(side).reshape(-1) for side in np.meshgrid(values, values, indexing="ij"))
    type_text = f"tensor<64x{type_}>"
    program = hlokit.load(f"""func.func @main(%a: {type_text}, %b: {type_text}) -> tensor<64xi1> {{
      %0 = stablehlo.compare LT, %a, %b, TOTALORDER : ({type_text}, {type_text}) -> tensor<64xi1>
      return %0 : tensor<64xi1>
    }}""")
    got = program(lhs.astype(type_.dtype), rhs.astype(type_.dtype)).reshape(8, 8)
    assert got.tolist() == [[first < second for second in range(8)] for first in range(8)]


@pytest.mark.parametrize("target", FLOATS, ids=str)
def test_conversions_keep_values_of_the_target_type(target: ElementType) -> None:
    for source in FLOATS:
        values = [value for value in (*ORDERED, -1.0, 1e38) if has(source, value)]
        operand = np.array(values).astype(source.dtype)
        shape = len(values)
        program = hlokit.load(f"""func.func @main(%x: tensor<{shape}x{source}>) -> tensor<{shape}x{target}> {{
          %0 = stablehlo.convert %x : (tensor<{shape}x{source}>) -> tensor<{shape}x{target}>
          return %0 : tensor<{shape}x{target}>
        }}""")
        results = program(operand).astype(np.float64).tolist()
        for value, got in zip(values, results, strict=True):
            layout = float_format(target)
            assert same(got, layout.decode(layout.encode(value))), (source, value, got)


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_clamp_and_reduced_precision(type_: ElementType) -> None:
    values = [NAN, -INF, INF, -0.0, 0.0, 65536.0 if type_ is not F16 else 65504.0]
    text = f"tensor<6x{type_}>"
    program = hlokit.load(f"""func.func @main(%x: {text}) -> ({text}, {text}) {{
      %low = stablehlo.constant dense<-1.0> : {text}
      %high = stablehlo.constant dense<2.0> : {text}
      %c = stablehlo.clamp %low, %x, %high : {text}
      %p = stablehlo.reduce_precision %x, format = e4m3 : {text}
      return %c, %p : {text}, {text}
    }}""")
    clamped, reduced = program(np.array(values).astype(type_.dtype))
    for got, want in zip(clamped.astype(np.float64).tolist(), [NAN, -1.0, 2.0, -0.0, 0.0, 2.0], strict=True):
        assert same(got, want)
    for got, want in zip(reduced.astype(np.float64).tolist(), [NAN, -INF, INF, -0.0, 0.0, INF], strict=True):
        assert same(got, want)
