"""Identities of element-wise operations.

Float identities hold for NaN, infinities and zeros of both signs. Two exceptions follow upstream's pass: x +
0 and x - 0 become x, even if x is -0 and the sum is +0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import mnemonics
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    by_constant,
    by_operation,
    by_value,
    defining_op,
    element_type,
    is_constant,
    is_integer,
    is_quantized,
    splat,
    static_shape,
)

Test = Callable[[Value], bool]


def _is_zero(value: Value) -> bool:
    return splat(value) == 0


def _is_integer_zero(value: Value) -> bool:
    return is_integer(value) and splat(value) == 0


def _is_one(value: Value) -> bool:
    return splat(value) == 1


def _is_all_ones(value: Value) -> bool:
    type_, number = element_type(value), splat(value)
    return isinstance(type_, ir.IntegerType) and number is not None and number in (-1, 2**type_.width - 1)


def _extremes(value: Value) -> tuple[float, float] | None:
    """Bounds of all numbers of the element type: infinities, or the least and the greatest integer."""
    type_ = element_type(value)
    if isinstance(type_, ir.FloatType):
        return -math.inf, math.inf
    if not isinstance(type_, ir.IntegerType):
        return None
    if type_.is_unsigned or type_.width == 1:
        return 0, 2**type_.width - 1
    return -(2 ** (type_.width - 1)), 2 ** (type_.width - 1) - 1


def _is_least(value: Value) -> bool:
    extremes, number = _extremes(value), splat(value)
    return extremes is not None and number == extremes[0]


def _is_greatest(value: Value) -> bool:
    extremes, number = _extremes(value), splat(value)
    return extremes is not None and number == extremes[1]


_EXTREMA = ("stablehlo.maximum", "stablehlo.minimum")


def constant_to_rhs(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(constant, x) -> op(x, constant), for a commutative op

    Extrema of complex numbers keep the order of their operands: they commute in hlokit, but XLA, which may
    compile the program, returns rhs if a part is NaN (docs/divergences.md).
    """
    lhs, rhs = operation.operands
    if operation.name in _EXTREMA and isinstance(element_type(lhs), ir.ComplexType):
        return False
    if defining_op(lhs, "stablehlo.constant") is None or is_constant(rhs):
        return False
    return by_operation(operation, rewriter, operation.name, [rhs, lhs])


def _neutral(is_neutral: Test) -> Pattern:
    def pattern(operation: ir.Operation, rewriter: Rewriter) -> bool:
        """op(x, neutral) -> x"""
        lhs, rhs = operation.operands
        return is_neutral(rhs) and by_value(operation, rewriter, lhs)

    return pattern


def _absorbing(is_absorbing: Test) -> Pattern:
    def pattern(operation: ir.Operation, rewriter: Rewriter) -> bool:
        """op(x, absorbing) -> absorbing"""
        rhs = operation.operands[1]
        return is_integer(rhs) and is_absorbing(rhs) and by_value(operation, rewriter, rhs)

    return pattern


def _idempotent(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(x, x) -> x

    Extrema of a complex number with one NaN part are NaN in both parts.
    """
    lhs, rhs = operation.operands
    if isinstance(element_type(lhs), ir.ComplexType):
        return False
    return lhs == rhs and not is_quantized(lhs) and by_value(operation, rewriter, lhs)


def _cancelling(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(x, x) -> 0, for integers"""
    lhs, rhs = operation.operands
    if lhs != rhs or not is_integer(lhs) or static_shape(operation.results[0]) is None:
        return False
    return by_constant(operation, rewriter, 0)


def _involution(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(op(x)) -> x"""
    inner = defining_op(operation.operands[0], operation.name)
    if inner is None or is_quantized(operation.results[0]):
        return False
    return by_value(operation, rewriter, inner.operands[0])


def _projection(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(op(x)) -> op(x)"""
    operand = operation.operands[0]
    # The sign of a complex number is a quotient, so the sign of a sign is rounded again.
    if isinstance(element_type(operand), ir.ComplexType):
        return False
    if defining_op(operand, operation.name) is None or is_quantized(operand):
        return False
    return by_value(operation, rewriter, operand)


def same_type(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """op(x) -> x, for an op that changes nothing but the type"""
    return by_value(operation, rewriter, operation.operands[0])


def _part_of_complex(index: int) -> Pattern:
    def pattern(operation: ir.Operation, rewriter: Rewriter) -> bool:
        """real(complex(r, i)) -> r, imag(complex(r, i)) -> i"""
        inner = defining_op(operation.operands[0], "stablehlo.complex")
        if inner is None or inner.operands[index].type != operation.results[0].type:
            return False
        rewriter.replace(operation, [inner.operands[index]])
        return True

    return pattern


def _complex_of_parts(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """complex(real(z), imag(z)) -> z"""
    lhs, rhs = operation.operands
    real, imag = defining_op(lhs, "stablehlo.real"), defining_op(rhs, "stablehlo.imag")
    if real is None or imag is None or real.operands[0] != imag.operands[0]:
        return False
    return by_value(operation, rewriter, real.operands[0])


_ROWS: tuple[tuple[str, Pattern], ...] = (
    *((name, constant_to_rhs) for name in sorted(mnemonics(lambda traits: traits.commutative))),
    ("add", _neutral(_is_zero)),
    ("and", _absorbing(_is_zero)),
    ("and", _neutral(_is_all_ones)),
    ("and", _idempotent),
    ("complex", _complex_of_parts),
    ("convert", same_type),
    ("divide", _neutral(_is_one)),
    ("imag", _part_of_complex(1)),
    ("maximum", _absorbing(_is_greatest)),
    ("maximum", _neutral(_is_least)),
    ("maximum", _idempotent),
    ("minimum", _absorbing(_is_least)),
    ("minimum", _neutral(_is_greatest)),
    ("minimum", _idempotent),
    ("multiply", _absorbing(_is_zero)),
    ("multiply", _neutral(_is_one)),
    ("negate", _involution),
    ("not", _involution),
    ("or", _absorbing(_is_all_ones)),
    ("or", _neutral(_is_integer_zero)),
    ("or", _idempotent),
    ("real", _part_of_complex(0)),
    ("shift_left", _neutral(_is_zero)),
    ("shift_right_arithmetic", _neutral(_is_zero)),
    ("shift_right_logical", _neutral(_is_zero)),
    ("subtract", _cancelling),
    ("subtract", _neutral(_is_zero)),
    ("xor", _cancelling),
    ("xor", _neutral(_is_integer_zero)),
    *((name, _projection) for name in sorted(mnemonics(lambda traits: traits.projection))),
)
PATTERNS: tuple[Entry, ...] = tuple((f"stablehlo.{name}", pattern, 1) for name, pattern in _ROWS)
