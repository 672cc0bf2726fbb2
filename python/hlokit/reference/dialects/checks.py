"""The check dialect: operations and custom calls of self-checking test programs.

Source: the dialect's definition in the StableHLO project's tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite, isnan

from hlokit.errors import CheckFailed, EvaluationError, VerificationError
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import from_array, index_space, with_element_type
from hlokit.values.element import Element
from hlokit.values.element_types import Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.tensor import Tensor

# Whether an actual element agrees with the expected element.
Agreement = Callable[[Element, Element], bool]

DEFAULT_TOLERANCE = 1e-4
# Tolerances of the custom calls that other tools write into their programs.
CALL_TOLERANCE, CALL_ULPS = 1e-3, 3


def equal(actual: Element, expected: Element) -> bool:
    """The same bits: 0.0 differs from -0.0, and a NaN agrees only with the same NaN."""
    return actual == expected


def almost_equal(tolerance: float, relative: float = 0.0) -> Agreement:
    """|actual - expected| <= tolerance + relative * |expected|, computed in f64; a NaN agrees with any NaN,
    and an infinity with the same infinity.
    """

    def parts_agree(actual: Element, expected: Element) -> bool:
        a, b = float(actual), float(expected)
        if isfinite(a) and isfinite(b):
            return abs(a - b) <= tolerance + relative * abs(b)
        return a == b or (isnan(a) and isnan(b))

    def agree(actual: Element, expected: Element) -> bool:
        return all(parts_agree(*pair) for pair in _parts(actual, expected))

    return agree


def close(min_ulp_difference: int, max_ulp_difference: int) -> Agreement:
    """min_ulp_difference <= distance <= max_ulp_difference, in steps from a value of the type to the next."""

    def agree(actual: Element, expected: Element) -> bool:
        distance = max(_steps(*pair) for pair in _parts(actual, expected))
        return min_ulp_difference <= distance <= max_ulp_difference

    return agree


def _steps(actual: Element, expected: Element) -> int:
    """The number of steps; 0 between both zeros and between any NaNs; 2**64 - 1 from a non-finite value to
    any other value."""
    a, b = float(actual), float(expected)
    if actual == expected or (isnan(a) and isnan(b)):
        return 0
    if not (isfinite(a) and isfinite(b)):
        return (1 << 64) - 1
    return abs(_ordinal(actual) - _ordinal(expected))


def _ordinal(x: Element) -> int:
    """A number for each value in ascending order, 0 for both zeros."""
    layout = float_format(x.type)
    if layout.special is Special.POWER:
        return x.bits
    magnitude = x.bits & ~layout.sign_bit
    return -magnitude if x.bits & layout.sign_bit else magnitude


def _parts(actual: Element, expected: Element) -> Iterator[tuple[Element, Element]]:
    if actual.type.kind is Kind.COMPLEX:
        return zip(actual.parts, expected.parts, strict=True)
    return iter([(actual, expected)])


def expect(call: Call, actual: Tensor, expected: Tensor, agree: Agreement) -> tuple[()]:
    """Count a check, and compare element by element.

    Raises:
      CheckFailed: an element does not agree.
    """
    call.process.execution.checks += 1
    if actual.shape != expected.shape:
        raise CheckFailed(f"values must have equal shapes, got {actual.shape}, expected {expected.shape}")
    if actual.element_type.kind is Kind.QUANTIZED:
        actual, expected = (with_element_type(side, side.element_type.stored) for side in (actual, expected))
    for index in index_space(actual.shape):
        if not agree(actual[index], expected[index]):
            raise CheckFailed(
                f"values must agree, at {list(index)} actual {actual[index]!r}, expected {expected[index]!r}"
            )
    return ()


def expect_serialized_eq(call: Call) -> tuple[()]:
    """expected = the value that interpreter.probe stored under `probe_id` the `iteration`-th time"""
    probe_id, iteration = call.attributes.string("probe_id"), call.attributes.int_("iteration", 0)
    stored = call.process.execution.probes.get(probe_id, [])
    if iteration >= len(stored):
        raise EvaluationError(f"probe {probe_id} must have stored {iteration + 1} values, got {len(stored)}")
    return expect(call, stored[iteration], call.tensor(), equal)


def expect_operand(call: Call, agree: Agreement) -> tuple[()]:
    _require_operands(call, 2)
    return expect(call, call.tensor(0), call.tensor(1), agree)


def expect_value(call: Call, agree: Agreement) -> tuple[()]:
    _require_operands(call, 1)
    type_ = call.tensor().element_type
    expected = from_array(call.attributes.elements("value"), type_.stored)
    return expect(call, call.tensor(), with_element_type(expected, type_), agree)


def expect_truth(call: Call, wanted: bool) -> tuple[()]:
    """Every element is true (not 0), or every element is false."""
    _require_operands(call, 1)
    call.process.execution.checks += 1
    for index in index_space(call.tensor().shape):
        if bool(call.tensor()[index]) != wanted:
            raise CheckFailed(f"values must be {str(wanted).lower()}, at {list(index)} they are not")
    return ()


def _require_operands(call: Call, count: int) -> None:
    """Verify the operands, because the bindings lack the check dialect."""
    if len(call.operands) != count or call.result_types:
        raise VerificationError(f"{call.name}: must have {count} operands and no results")


def tolerance_of(call: Call) -> Agreement:
    float_ = call.attributes.float_
    return almost_equal(float_("tolerance", DEFAULT_TOLERANCE), float_("relative_tolerance", 0.0))


def closeness_of(call: Call) -> Agreement:
    least = call.attributes.int_("min_ulp_difference", 0)
    return close(least, call.attributes.int_("max_ulp_difference", 1))
