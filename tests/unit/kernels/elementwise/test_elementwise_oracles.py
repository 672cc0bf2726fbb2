"""Element-wise operations against XLA:CPU and the C++ reference interpreter.

Operations that round once must agree bit by bit; functions within the error bounds of the other
implementation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
from hlokit.values.types import TensorType
from tests.unit.kernels.elementwise.elementwise_programs import (
    assert_equal,
    evaluate,
    pairs,
    sample,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


class Call(NamedTuple):
    """An operation on all operands of a program."""

    name: str
    result: ElementType | None = None  # the last operand's
    attributes: str = ""


def named(*names: str) -> list[Call]:
    return [Call(name) for name in names]


def together(calls: Sequence[Call], *operands: np.ndarray) -> str:
    """A program of several operations: compiling each by itself takes most of the time."""
    types = [TensorType(operand.shape, element_type_of(operand.dtype)) for operand in operands]
    results = [str(TensorType(types[-1].shape, call.result or types[-1].element_type)) for call in calls]
    parameters = [f"%a{index}" for index in range(len(operands))]
    operand_types = ", ".join(map(str, types))
    lines = [
        f'%{index} = "stablehlo.{call.name}"({", ".join(parameters)}) {{{call.attributes}}}'
        f" : ({operand_types}) -> {result}"
        for index, (call, result) in enumerate(zip(calls, results, strict=True))
    ]
    declared = ", ".join(f"{name}: {type_}" for name, type_ in zip(parameters, types, strict=True))
    values = ", ".join(f"%{index}" for index in range(len(calls)))
    return (
        f"func.func @main({declared}) -> ({', '.join(results)}) {{\n"
        + "\n".join(lines)
        + f"\nreturn {values} : {', '.join(results)}\n}}"
    )


def reference(calls: Sequence[Call], *operands: np.ndarray) -> list[np.ndarray]:
    return oracles.reference(together(calls, *operands), *operands)


def xla(calls: Sequence[Call], *operands: np.ndarray) -> list[np.ndarray]:
    return oracles.xla(together(calls, *operands), *operands)


def own(call: Call, *operands: np.ndarray) -> np.ndarray:
    return evaluate(call.name, *operands, result=call.result, attributes=call.attributes)


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
    divisions, others = named("divide", "remainder"), named(*INTEGER, *SHIFTS)
    for call, expected in zip([*divisions, *others], xla([*divisions, *others], lhs, rhs), strict=True):
        if call.name != "power":  # XLA looks at the low bits of the exponent only
            np.testing.assert_array_equal(own(call, lhs, rhs), expected, call.name)
    for call, expected in zip(others, reference(others, lhs, rhs), strict=True):
        np.testing.assert_array_equal(own(call, lhs, rhs), expected, call.name)
    is_safe = (rhs != 0) & ~(
        (rhs.astype(np.int64) == -1) & (lhs.astype(np.int64) == np.min(lhs).astype(np.int64))
    )
    safe = lhs[is_safe], rhs[is_safe]
    for call, expected in zip(divisions, reference(divisions, *safe), strict=True):
        np.testing.assert_array_equal(own(call, *safe), expected, call.name)
    unary = named("negate", "not", "popcnt", "count_leading_zeros")
    for call, of_xla, of_reference in zip(unary, xla(unary, lhs), reference(unary, lhs), strict=True):
        actual = own(call, lhs)
        if (call.name, type_) != ("popcnt", I4):  # XLA counts all bits of the byte
            np.testing.assert_array_equal(actual, of_xla, call.name)
        np.testing.assert_array_equal(actual, of_reference, call.name)


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16], ids=str)
def test_floats_that_round_once(type_: ElementType) -> None:
    lhs, rhs = some(type_)
    binary = named("add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder")
    of_xla = xla(binary, lhs, rhs) if type_ in (F32, F64) else [None] * len(binary)
    for call, expected, of_reference in zip(binary, of_xla, reference(binary, lhs, rhs), strict=True):
        actual = own(call, lhs, rhs)
        assert_equal(actual, of_reference, call.name)
        if expected is not None:
            keep = without_subnormals(lhs, rhs, actual)
            assert_equal(actual[keep], expected[keep], call.name)
    unary = named(
        *("abs", "ceil", "floor", "negate", "round_nearest_afz", "round_nearest_even", "sign", "sqrt")
    )
    keep = without_subnormals(lhs)
    for call, expected, of_reference in zip(unary, xla(unary, lhs), reference(unary, lhs), strict=True):
        actual = own(call, lhs)
        assert_equal(actual, of_reference, call.name)
        assert_equal(actual[keep], expected[keep], call.name)


FUNCTIONS = named(
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
)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
def test_functions(type_: ElementType) -> None:
    operand = (np.random.default_rng(0).normal(size=400) * 3).astype(type_.dtype)
    for call, of_xla, of_reference in zip(
        FUNCTIONS, xla(FUNCTIONS, operand), reference(FUNCTIONS, operand), strict=True
    ):
        actual = own(call, operand)
        assert ulp_distance(actual, of_reference, type_)[~np.isnan(actual)].max() <= 4, call.name
        np.testing.assert_allclose(actual, of_xla, rtol=1000 * np.finfo(type_.dtype).eps, err_msg=call.name)


CONVERSIONS = [I1, I4, I8, UI8, I32, UI32, I64, F16, F32, F64, BF16]


@pytest.mark.parametrize("source", CONVERSIONS, ids=str)
def test_conversions(source: ElementType) -> None:
    operand = np.array([False, True]) if source is I1 else sample(source, 60)
    calls = [Call("convert", target) for target in CONVERSIONS if target is not source]
    for call, of_xla, of_reference in zip(calls, xla(calls, operand), reference(calls, operand), strict=True):
        target, actual = call.result, own(call, operand)
        assert_equal(actual, of_reference, f"{source} to {target}")
        if (source, target) in ((F64, BF16), (F64, F16), (I64, BF16), (I64, F16), (I32, BF16), (UI32, BF16)):
            continue  # XLA rounds twice
        keep = without_subnormals(operand) if target is I1 else without_subnormals(operand, actual)
        assert_equal(actual[keep], of_xla[keep], f"{source} to {target}")


@pytest.mark.parametrize("type_", [F32, F64, F16, BF16], ids=str)
def test_total_order(type_: ElementType) -> None:
    lhs, rhs = pairs(sample(type_, 0)[:22])
    calls = [
        Call(
            "compare",
            I1,
            f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
            "compare_type = #stablehlo<comparison_type TOTALORDER>",
        )
        for direction in ("EQ", "NE", "LT", "LE", "GT", "GE")
    ]
    for call, expected in zip(calls, xla(calls, lhs, rhs), strict=True):
        np.testing.assert_array_equal(own(call, lhs, rhs), expected)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
def test_reduce_precision(type_: ElementType) -> None:
    operand = sample(type_, 300)
    calls = [
        Call(
            "reduce_precision",
            attributes=f"exponent_bits = {exponent_bits} : i32, mantissa_bits = {mantissa_bits} : i32",
        )
        for exponent_bits, mantissa_bits in ((5, 10), (8, 7), (4, 3), (2, 1), (8, 0), (11, 52))
    ]
    number = ~np.isnan(operand)  # XLA keeps NaN without mantissa bits
    for call, of_xla, of_reference in zip(calls, xla(calls, operand), reference(calls, operand), strict=True):
        actual = own(call, operand)
        assert_equal(actual, of_reference, call.attributes)
        assert_equal(actual[number], of_xla[number], call.attributes)
