"""Operations of the check dialect.

The bindings lack the dialect, so the kernels also check the rules of its verifier. Source: the dialect's
definition in the StableHLO project's tests.
"""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.run_context import current
from hlokit.errors import EvaluationError, VerificationError
from hlokit.kernels.checks.report import MismatchError, check
from hlokit.kernels.checks.rules import AlmostEqual, Close, Equal, Rule
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType

DEFAULT_TOLERANCE = 1e-4


def expect_eq(operation: Operation) -> Kernel:
    """lhs = rhs, bit by bit."""
    return _binary(operation, Equal())


def expect_eq_const(operation: Operation) -> Kernel:
    """lhs = value, bit by bit."""
    return _with_constant(operation, Equal())


def expect_almost_eq(operation: Operation) -> Kernel:
    """|lhs - rhs| <= tolerance + relative_tolerance * |rhs|."""
    return _binary(_inexact(operation), _almost_equal(operation))


def expect_almost_eq_const(operation: Operation) -> Kernel:
    """|lhs - value| <= tolerance + relative_tolerance * |value|."""
    return _with_constant(_inexact(operation), _almost_equal(operation))


def expect_close(operation: Operation) -> Kernel:
    """min_ulp_difference <= ULP distance of actual and expected <= max_ulp_difference."""
    attributes = operation.attributes
    minimum, maximum = attributes.int_("min_ulp_difference", 0), attributes.int_("max_ulp_difference", 1)
    if minimum < 0 or maximum < 0:
        raise VerificationError(
            f"{operation.name}: min_ulp_difference and max_ulp_difference must not be negative, "
            f"got {minimum} and {maximum}"
        )
    return _binary(_inexact(operation), Close(minimum, maximum))


def expect_true(operation: Operation) -> Kernel:
    """Every element of the operand is true, as an integer not 0."""
    return _truth(operation, wanted=True)


def expect_false(operation: Operation) -> Kernel:
    """Every element of the operand is false, as an integer 0."""
    return _truth(operation, wanted=False)


def _truth(operation: Operation, *, wanted: bool) -> Kernel:
    _require_operands(operation, 1)
    type_ = operation.operand_types[0]
    # IREE's programs have scalars outside of tensors here.
    shape = type_.shape if isinstance(type_, TensorType) else ()
    booleans = TensorType(shape, ELEMENT_TYPES["i1"])

    def kernel(operand: Value) -> tuple[Value, ...]:
        truths = np.asarray(operand).astype(np.bool_)
        check(Equal(), truths, np.full(truths.shape, wanted), booleans)
        return ()

    return Kernel(kernel)


def expect_serialized_eq(operation: Operation) -> Kernel:
    """expected = the value that interpreter.probe stored under `probe_id` the `iteration`-th time, bit by
    bit.
    """
    _require_operands(operation, 1)
    if "probe_id" not in operation.attributes:
        raise VerificationError(f"{operation.name}: must have the attribute probe_id")
    type_ = operation.operand()
    probe_id = operation.attributes.string("probe_id")
    iteration = operation.attributes.int_("iteration", 0)

    def kernel(expected: Value) -> tuple[Value, ...]:
        probes = current().probes
        if probes is None:
            raise EvaluationError("probes are not stored: no directory is given for them")
        spelled, actual = probes.load(probe_id, iteration, type_.element_type)
        wanted = str(TensorType(np.shape(expected), type_.element_type))
        if spelled != wanted:
            raise MismatchError(f"probe {probe_id} must have stored a {wanted}, got {spelled}")
        check(Equal(), actual, expected, type_)
        return ()

    return Kernel(kernel)


def _almost_equal(operation: Operation) -> AlmostEqual:
    float_ = operation.attributes.float_
    return AlmostEqual(float_("tolerance", DEFAULT_TOLERANCE), float_("relative_tolerance", 0.0))


def _inexact(operation: Operation) -> Operation:
    for type_ in operation.operand_types:
        if not isinstance(type_, TensorType) or not type_.element_type.kind.is_inexact:
            raise VerificationError(
                f"{operation.name}: operands must be of float or complex type, got {type_}"
            )
    return operation


def _binary(operation: Operation, rule: Rule) -> Kernel:
    _require_operands(operation, 2)
    lhs, rhs = operation.operand_types
    if lhs != rhs:
        raise VerificationError(f"{operation.name}: operands must have one type, got {lhs} and {rhs}")
    type_ = operation.operand(0)

    def kernel(lhs: Value, rhs: Value) -> tuple[Value, ...]:
        check(rule, lhs, rhs, type_)
        return ()

    return Kernel(kernel)


def _with_constant(operation: Operation, rule: Rule) -> Kernel:
    _require_operands(operation, 1)
    if "value" not in operation.attributes:
        raise VerificationError(f"{operation.name}: must have the attribute value")
    type_ = operation.operand(0)
    value = operation.attributes.elements("value")
    if value.dtype != type_.element_type.dtype or (type_.is_static and value.shape != type_.dims):
        raise VerificationError(
            f"{operation.name}: value must have the type of lhs, {type_}, "
            f"got shape {list(value.shape)} and dtype {value.dtype}"
        )

    def kernel(lhs: Value) -> tuple[Value, ...]:
        check(rule, lhs, value, type_)
        return ()

    return Kernel(kernel)


def _require_operands(operation: Operation, count: int) -> None:
    if len(operation.operand_types) != count or operation.result_types:
        raise VerificationError(
            f"{operation.name}: must have {count} operands and no results, "
            f"got {len(operation.operand_types)} and {len(operation.result_types)}"
        )
