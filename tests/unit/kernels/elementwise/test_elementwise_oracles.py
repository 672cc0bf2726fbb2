"""Element-wise operations against XLA:CPU and the C++ reference interpreter.

Operations that round once must agree bit by bit; functions within the error bounds of the other
implementation.
"""

from __future__ import annotations

import numpy as np
import pytest

import oracles
from hlokit.values.bits import ulp_distance
from hlokit.values.element_types import (
    BF16,
    F16,
    F32,
    F64,
    I1,
    I4,
    I8,
    I32,
    I64,
    UI8,
    UI32,
    ElementType,
    Kind,
    element_type_of,
)
from hlokit.values.float_format import float_format
from tests.unit.kernels.elementwise.elementwise_programs import (
    assert_equal,
    evaluate,
    pairs,
    program_text,
    sample,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def reference(
    name: str, *operands: np.ndarray, result: ElementType | None = None, attributes: str = ""
) -> np.ndarray:
    return oracles.reference(program_text(name, *operands, result=result, attributes=attributes), *operands)[
        0
    ]


def xla(
    name: str, *operands: np.ndarray, result: ElementType | None = None, attributes: str = ""
) -> np.ndarray:
    return oracles.xla(program_text(name, *operands, result=result, attributes=attributes), *operands)[0]


def some(type_: ElementType, count: int = 150) -> tuple[np.ndarray, np.ndarray]:
    values = sample(type_, count)
    generator = np.random.default_rng(0)
    special = pairs(values[:22:2])
    return tuple(np.concatenate([few, generator.choice(values, count)]) for few in special)


def without_subnormals(*arrays: np.ndarray) -> np.ndarray:
    """The results without subnormal numbers, which XLA flushes to zero."""
    keep = np.ones(arrays[0].shape, bool)
    for array in arrays:
        type_ = element_type_of(array.dtype)
        if type_.kind is Kind.FLOAT:
            size = np.abs(array.astype(np.float64))
            keep &= ~((size > 0) & (size < 2.0 ** (1 - float_format(type_).bias)))
    return keep


INTEGER = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "remainder",
    "maximum",
    "minimum",
    "and",
    "or",
    "xor",
    "power",
]
SHIFTS = ["shift_left", "shift_right_arithmetic", "shift_right_logical"]


@pytest.mark.parametrize("type_", [I4, I8, UI8, I32, UI32, I64], ids=str)
def test_integers(type_: ElementType) -> None:
    lhs, rhs = some(type_)
    for name in [*INTEGER, *SHIFTS]:
        actual = evaluate(name, lhs, rhs)
        if name != "power":  # XLA looks at the low bits of the exponent only
            np.testing.assert_array_equal(actual, xla(name, lhs, rhs), name)
        safe = (rhs != 0) & ~(
            (rhs.astype(np.int64) == -1) & (lhs.astype(np.int64) == np.min(lhs).astype(np.int64))
        )
        if name not in ("divide", "remainder"):
            safe |= True
        np.testing.assert_array_equal(actual[safe], reference(name, lhs[safe], rhs[safe]), name)
    for name in ("negate", "not", "popcnt", "count_leading_zeros"):
        actual = evaluate(name, lhs)
        if (name, type_) != ("popcnt", I4):  # XLA counts all bits of the byte
            np.testing.assert_array_equal(actual, xla(name, lhs), name)
        np.testing.assert_array_equal(actual, reference(name, lhs), name)


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16], ids=str)
def test_floats_that_round_once(type_: ElementType) -> None:
    lhs, rhs = some(type_)
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"):
        actual = evaluate(name, lhs, rhs)
        assert_equal(actual, reference(name, lhs, rhs), name)
        if type_ in (F32, F64):
            expected = xla(name, lhs, rhs)
            keep = without_subnormals(lhs, rhs, actual)
            assert_equal(actual[keep], expected[keep], name)
    for name in ("abs", "ceil", "floor", "negate", "round_nearest_afz", "round_nearest_even", "sign", "sqrt"):
        actual = evaluate(name, lhs)
        assert_equal(actual, reference(name, lhs), name)
        keep = without_subnormals(lhs)
        assert_equal(actual[keep], xla(name, lhs)[keep], name)


FUNCTIONS = [
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "rsqrt",
    "sine",
    "tanh",
    "cbrt",
    "tan",
]


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
def test_functions(type_: ElementType) -> None:
    operand = (np.random.default_rng(0).normal(size=400) * 3).astype(type_.dtype)
    for name in FUNCTIONS:
        actual = evaluate(name, operand)
        assert ulp_distance(actual, reference(name, operand), type_)[~np.isnan(actual)].max() <= 4, name
        np.testing.assert_allclose(
            actual, xla(name, operand), rtol=1000 * np.finfo(type_.dtype).eps, err_msg=name
        )


CONVERSIONS = [I1, I4, I8, UI8, I32, UI32, I64, F16, F32, F64, BF16]


@pytest.mark.parametrize("source", CONVERSIONS, ids=str)
def test_conversions(source: ElementType) -> None:
    operand = np.array([False, True]) if source is I1 else sample(source, 60)
    for target in CONVERSIONS:
        if target is source:
            continue
        actual = evaluate("convert", operand, result=target)
        assert_equal(actual, reference("convert", operand, result=target), f"{source} to {target}")
        if (source, target) in ((F64, BF16), (F64, F16), (I64, BF16), (I64, F16), (I32, BF16), (UI32, BF16)):
            continue  # XLA rounds twice
        expected = xla("convert", operand, result=target)
        keep = (
            without_subnormals(operand, actual) if target.dtype != np.bool_ else without_subnormals(operand)
        )
        assert_equal(actual[keep], expected[keep], f"{source} to {target}")


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16], ids=str)
def test_total_order(type_: ElementType) -> None:
    lhs, rhs = pairs(sample(type_, 0)[:22])
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        attributes = (
            f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
            "compare_type = #stablehlo<comparison_type TOTALORDER>"
        )
        actual = evaluate("compare", lhs, rhs, result=I1, attributes=attributes)
        np.testing.assert_array_equal(actual, xla("compare", lhs, rhs, result=I1, attributes=attributes))


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
def test_reduce_precision(type_: ElementType) -> None:
    operand = sample(type_, 300)
    for exponent_bits, mantissa_bits in ((5, 10), (8, 7), (4, 3), (2, 1), (8, 0), (11, 52)):
        attributes = f"exponent_bits = {exponent_bits} : i32, mantissa_bits = {mantissa_bits} : i32"
        actual = evaluate("reduce_precision", operand, attributes=attributes)
        assert_equal(actual, reference("reduce_precision", operand, attributes=attributes))
        number = ~np.isnan(operand)  # XLA keeps NaN without mantissa bits
        assert_equal(actual[number], xla("reduce_precision", operand, attributes=attributes)[number])
