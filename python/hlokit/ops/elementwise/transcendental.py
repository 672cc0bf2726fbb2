"""Exponentials, logarithms, powers, roots and trigonometry: one table row per operation."""

from __future__ import annotations

from typing import Any

from hlokit.ops.elementwise import integer_functions
from hlokit.ops.elementwise.kernel_factories import complex_native, elementwise, integer
from hlokit.ops.elementwise.single_rounding import native_function


def _power_of_scalars(lhs: Any, rhs: Any) -> Any:
    return lhs**rhs if rhs >= 0 else None


atan2 = elementwise(
    "stablehlo.atan2",
    "angle of the point (rhs, lhs)",
    float_=native_function("atan2", operands=2),
    complex_=complex_native("atan2", operands=2),
)
cbrt = elementwise(
    "stablehlo.cbrt",
    "the cube root of operand",
    float_=native_function("cbrt"),
    complex_=complex_native("cbrt"),
)
cosine = elementwise(
    "stablehlo.cosine", "cos(operand)", float_=native_function("cosine"), complex_=complex_native("cosine")
)
exponential = elementwise(
    "stablehlo.exponential",
    "exp(operand)",
    float_=native_function("exponential"),
    complex_=complex_native("exponential"),
)
exponential_minus_one = elementwise(
    "stablehlo.exponential_minus_one",
    "exp(operand) - 1",
    float_=native_function("exponential_minus_one"),
    complex_=complex_native("exponential_minus_one"),
)
log = elementwise(
    "stablehlo.log", "log(operand)", float_=native_function("log"), complex_=complex_native("log")
)
log_plus_one = elementwise(
    "stablehlo.log_plus_one",
    "log(1 + operand)",
    float_=native_function("log_plus_one"),
    complex_=complex_native("log_plus_one"),
)
logistic = elementwise(
    "stablehlo.logistic",
    "1 / (1 + exp(-operand))",
    float_=native_function("logistic"),
    complex_=complex_native("logistic"),
)
power = elementwise(
    "stablehlo.power",
    "lhs ** rhs",
    integer=integer(integer_functions.power, fast_path=_power_of_scalars),
    float_=native_function("power", operands=2),
    complex_=complex_native("power", operands=2),
)
rsqrt = elementwise(
    "stablehlo.rsqrt",
    "1 / sqrt(operand)",
    float_=native_function("rsqrt"),
    complex_=complex_native("rsqrt"),
)
sine = elementwise(
    "stablehlo.sine", "sin(operand)", float_=native_function("sine"), complex_=complex_native("sine")
)
tan = elementwise(
    "stablehlo.tan", "tan(operand)", float_=native_function("tan"), complex_=complex_native("tan")
)
tanh = elementwise(
    "stablehlo.tanh", "tanh(operand)", float_=native_function("tanh"), complex_=complex_native("tanh")
)
