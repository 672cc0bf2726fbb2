"""Exponentials, logarithms, powers, roots and trigonometry, a row each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hlokit.ops import complex_functions, integer_functions, real_functions
from hlokit.ops.blocks import Array
from hlokit.ops.elementwise import elementwise, integer, real, wider


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
    float_=real(np.arctan2, real_functions.quick_atan2, rough=real_functions.rough_atan2, operands=2),
    complex_=wider(complex_functions.atan2),
)
cbrt = elementwise(
    "stablehlo.cbrt",
    "the cube root of operand",
    float_=real(real_functions.cbrt, math.cbrt, rough=np.cbrt),
    complex_=wider(complex_functions.cbrt),
)
cosine = elementwise(
    "stablehlo.cosine",
    "cos(operand)",
    float_=real(np.cos, math.cos, rough=real_functions.rough_cos),
    complex_=wider(np.cos),
)
exponential = elementwise(
    "stablehlo.exponential", "exp(operand)", float_=real(np.exp, math.exp), complex_=wider(np.exp)
)
exponential_minus_one = elementwise(
    "stablehlo.exponential_minus_one",
    "exp(operand) - 1",
    float_=real(np.expm1, math.expm1),
    complex_=wider(complex_functions.expm1),
)
log = elementwise("stablehlo.log", "log(operand)", float_=real(np.log, math.log), complex_=wider(np.log))
log_plus_one = elementwise(
    "stablehlo.log_plus_one",
    "log(1 + operand)",
    float_=real(np.log1p, math.log1p),
    complex_=wider(complex_functions.log1p, extended=False),
)
logistic = elementwise(
    "stablehlo.logistic",
    "1 / (1 + exp(-operand))",
    float_=real(real_functions.logistic, _logistic_of_scalar, rough=_logistic),
    complex_=wider(complex_functions.logistic),
)
power = elementwise(
    "stablehlo.power",
    "lhs ** rhs",
    integer=integer(integer_functions.power, quick=_power_of_scalars),
    float_=real(np.power, math.pow, operands=2),
    complex_=wider(complex_functions.power),
)
rsqrt = elementwise(
    "stablehlo.rsqrt",
    "1 / sqrt(operand)",
    float_=real(real_functions.rsqrt, _rsqrt_of_scalar, rough=_rsqrt),
    complex_=wider(complex_functions.rsqrt),
)
sine = elementwise(
    "stablehlo.sine",
    "sin(operand)",
    float_=real(np.sin, math.sin, rough=real_functions.rough_sin),
    complex_=wider(np.sin),
)
tan = elementwise("stablehlo.tan", "tan(operand)", float_=real(np.tan, math.tan), complex_=wider(np.tan))
tanh = elementwise(
    "stablehlo.tanh",
    "tanh(operand)",
    float_=real(real_functions.tanh, math.tanh, rough=np.tanh),
    complex_=wider(np.tanh),
)
