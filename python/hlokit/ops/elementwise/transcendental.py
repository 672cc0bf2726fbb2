"""Exponentials, logarithms, powers, roots and trigonometry: one table row per operation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hlokit.ops.elementwise import complex_functions, integer_functions, real_functions
from hlokit.ops.elementwise.cache_blocking import Array
from hlokit.ops.elementwise.kernel_factories import elementwise, integer, via_f64, via_wider


def _logistic_of_scalar(operand: float) -> float:
    return 1.0 / (1.0 + math.exp(-operand))


def _logistic(operand: Array) -> Array:
    result = np.negative(operand)
    np.exp(result, out=result)
    result += 1.0
    return np.divide(1.0, result, out=result)


def _power_of_scalars(lhs: Any, rhs: Any) -> Any:
    return lhs**rhs if rhs >= 0 else None


def _rsqrt_of_scalar(operand: float) -> float:
    return 1.0 / math.sqrt(operand)


def _rsqrt(operand: Array) -> Array:
    result = np.sqrt(operand)
    return np.divide(1.0, result, out=result)


atan2 = elementwise(
    "stablehlo.atan2",
    "angle of the point (rhs, lhs)",
    float_=via_f64(
        np.arctan2,
        real_functions.approximate_atan2_of_scalars,
        approximate=real_functions.approximate_atan2,
        operands=2,
    ),
    complex_=via_wider(complex_functions.atan2),
)
cbrt = elementwise(
    "stablehlo.cbrt",
    "the cube root of operand",
    float_=via_f64(real_functions.cbrt, math.cbrt, approximate=np.cbrt),
    complex_=via_wider(complex_functions.cbrt),
)
cosine = elementwise(
    "stablehlo.cosine",
    "cos(operand)",
    float_=via_f64(np.cos, math.cos, approximate=real_functions.approximate_cos),
    complex_=via_wider(np.cos),
)
exponential = elementwise(
    "stablehlo.exponential", "exp(operand)", float_=via_f64(np.exp, math.exp), complex_=via_wider(np.exp)
)
exponential_minus_one = elementwise(
    "stablehlo.exponential_minus_one",
    "exp(operand) - 1",
    float_=via_f64(np.expm1, math.expm1),
    complex_=via_wider(complex_functions.expm1),
)
log = elementwise(
    "stablehlo.log", "log(operand)", float_=via_f64(np.log, math.log), complex_=via_wider(np.log)
)
log_plus_one = elementwise(
    "stablehlo.log_plus_one",
    "log(1 + operand)",
    float_=via_f64(np.log1p, math.log1p),
    complex_=via_wider(complex_functions.log1p, extended=False),
)
logistic = elementwise(
    "stablehlo.logistic",
    "1 / (1 + exp(-operand))",
    float_=via_f64(real_functions.logistic, _logistic_of_scalar, approximate=_logistic),
    complex_=via_wider(complex_functions.logistic),
)
power = elementwise(
    "stablehlo.power",
    "lhs ** rhs",
    integer=integer(integer_functions.power, fast_path=_power_of_scalars),
    float_=via_f64(np.power, math.pow, operands=2),
    complex_=via_wider(complex_functions.power),
)
rsqrt = elementwise(
    "stablehlo.rsqrt",
    "1 / sqrt(operand)",
    float_=via_f64(real_functions.rsqrt, _rsqrt_of_scalar, approximate=_rsqrt),
    complex_=via_wider(complex_functions.rsqrt),
)
sine = elementwise(
    "stablehlo.sine",
    "sin(operand)",
    float_=via_f64(np.sin, math.sin, approximate=real_functions.approximate_sin),
    complex_=via_wider(np.sin),
)
tan = elementwise(
    "stablehlo.tan", "tan(operand)", float_=via_f64(np.tan, math.tan), complex_=via_wider(np.tan)
)
tanh = elementwise(
    "stablehlo.tanh",
    "tanh(operand)",
    float_=via_f64(real_functions.tanh, math.tanh, approximate=np.tanh),
    complex_=via_wider(np.tanh),
)
