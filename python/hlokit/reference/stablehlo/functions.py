"""Element-wise functions of floats and complex numbers: exponentials, logarithms, powers, roots,
trigonometry.

Results are correctly rounded for every type: see `element_functions`.
"""

from __future__ import annotations

from hlokit.reference.model.tensors import elementwise
from hlokit.reference.numbers import element_functions, powers_and_angles
from hlokit.values.tensor import Tensor


def atan2(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "atan2": result[i] = the angle of the point (rhs[i], lhs[i]), in radians, from -pi to pi"""
    return elementwise(powers_and_angles.atan2, lhs, rhs)


def cbrt(operand: Tensor) -> Tensor:
    """spec "cbrt": result[i] = operand[i] ** (1/3)"""
    return elementwise(element_functions.cbrt, operand)


def cosine(operand: Tensor) -> Tensor:
    """spec "cosine": result[i] = cos(operand[i]), in radians"""
    return elementwise(element_functions.cosine, operand)


def exponential(operand: Tensor) -> Tensor:
    """spec "exponential": result[i] = exp(operand[i])"""
    return elementwise(element_functions.exponential, operand)


def exponential_minus_one(operand: Tensor) -> Tensor:
    """spec "exponential_minus_one": result[i] = exp(operand[i]) - 1"""
    return elementwise(element_functions.exponential_minus_one, operand)


def log(operand: Tensor) -> Tensor:
    """spec "log": result[i] = log(operand[i])"""
    return elementwise(element_functions.log, operand)


def log_plus_one(operand: Tensor) -> Tensor:
    """spec "log_plus_one": result[i] = log(1 + operand[i])"""
    return elementwise(element_functions.log_plus_one, operand)


def logistic(operand: Tensor) -> Tensor:
    """spec "logistic": result[i] = 1 / (1 + exp(-operand[i]))"""
    return elementwise(element_functions.logistic, operand)


def power(lhs: Tensor, rhs: Tensor) -> Tensor:
    """spec "power": result[i] = lhs[i] ** rhs[i]; for integers, modulo 2**width."""
    return elementwise(powers_and_angles.power, lhs, rhs)


def rsqrt(operand: Tensor) -> Tensor:
    """spec "rsqrt": result[i] = 1 / sqrt(operand[i])"""
    return elementwise(element_functions.rsqrt, operand)


def sine(operand: Tensor) -> Tensor:
    """spec "sine": result[i] = sin(operand[i]), in radians"""
    return elementwise(element_functions.sine, operand)


def sqrt(operand: Tensor) -> Tensor:
    """spec "sqrt": result[i] = operand[i] ** (1/2)"""
    return elementwise(element_functions.sqrt, operand)


def tan(operand: Tensor) -> Tensor:
    """spec "tan": result[i] = tan(operand[i]), in radians"""
    return elementwise(element_functions.tan, operand)


def tanh(operand: Tensor) -> Tensor:
    """spec "tanh": result[i] = tanh(operand[i])"""
    return elementwise(element_functions.tanh, operand)
