"""Custom calls that check values, for self-checking programs of other tools.

Source: the StableHLO project's tool `stablehlo-translate`, which defines targets and tolerances.
"""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.custom_calls import CustomCall, builtin_custom_call
from hlokit.engine.contract.registry import Value
from hlokit.errors import EvaluationError
from hlokit.kernels.checks.ops import DEFAULT_TOLERANCE
from hlokit.kernels.checks.report import check
from hlokit.kernels.checks.rules import AlmostEqual, Close, Equal, Rule
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Larger than the operations' default, because the expected values come from another compiler.
_CALL_TOLERANCE = 1e-3
_CALL_ULPS = 3


@builtin_custom_call("check.eq")
def eq(actual: Value, expected: Value, *, call: CustomCall) -> np.bool_:
    """Integers and booleans agree bit by bit, other types within a tolerance. Returns true, or raises."""
    kind = _operand(call).element_type.kind
    is_exact = kind is Kind.BOOL or kind.is_integer
    _compare(Equal() if is_exact else AlmostEqual(DEFAULT_TOLERANCE), actual, expected, call)
    return np.bool_(True)


@builtin_custom_call("check.expect_eq")
def expect_eq(actual: Value, expected: Value, *, call: CustomCall) -> tuple[()]:
    """actual = expected, bit by bit."""
    _compare(Equal(), actual, expected, call)
    return ()


@builtin_custom_call("check.expect_almost_eq")
def expect_almost_eq(actual: Value, expected: Value, *, call: CustomCall) -> tuple[()]:
    """|actual - expected| <= 0.001."""
    _compare(AlmostEqual(_CALL_TOLERANCE), actual, expected, call)
    return ()


@builtin_custom_call("check.expect_close")
def expect_close(actual: Value, expected: Value, *, call: CustomCall) -> tuple[()]:
    """At most 3 ULP apart."""
    _compare(Close(0, _CALL_ULPS), actual, expected, call)
    return ()


def _operand(call: CustomCall) -> TensorType:
    type_ = call.operand_types[0]
    if not isinstance(type_, TensorType):
        raise EvaluationError(f"@{call.target}: operands must be tensors, got {type_}")
    return type_


def _compare(rule: Rule, actual: Value, expected: Value, call: CustomCall) -> None:
    type_ = _operand(call)
    other = call.operand_types[1]
    if not isinstance(other, TensorType) or other.element_type != type_.element_type:
        raise EvaluationError(f"@{call.target}: operands must have one element type, got {type_} and {other}")
    if not isinstance(rule, Equal) and not type_.element_type.kind.is_inexact:
        raise EvaluationError(f"@{call.target}: operands must be of float or complex type, got {type_}")
    check(rule, actual, expected, type_, f"@{call.target}")
