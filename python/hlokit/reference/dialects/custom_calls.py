"""Custom calls: checks, operations of other versions, and assertions of shapes.

The specification does not define the custom calls of LAPACK and other libraries; only the other tiers
evaluate them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.reference.dialects.checks import (
    CALL_TOLERANCE,
    CALL_ULPS,
    DEFAULT_TOLERANCE,
    Agreement,
    almost_equal,
    close,
    equal,
    expect,
)
from hlokit.reference.model.calls import Call, Values
from hlokit.reference.model.tensors import Value, boolean, build, scalar
from hlokit.values.element import Element
from hlokit.values.element_types import Kind

CustomCall = Callable[[Call], Value | Values]


def custom_call(call: Call) -> Value | Values:
    """spec "custom_call": results = call_target_name(inputs...), which the implementation defines

    Raises:
      UnsupportedError: the reference has no function of that name.
    """
    target = call.attributes.string("call_target_name")
    function = CUSTOM_CALLS.get(target) or call.encoded(target)
    if function is None:
        raise UnsupportedError(f"the reference has no function for custom call @{target}")
    return function(call)


def _check_eq(call: Call) -> Value:
    """Compare integers and booleans bit by bit, other types within `DEFAULT_TOLERANCE`; return true, or raise
    CheckFailed."""
    kind = call.tensor().element_type.kind
    is_exact = kind is Kind.BOOL or kind.is_integer
    _expect(call, equal if is_exact else almost_equal(DEFAULT_TOLERANCE))
    return scalar(boolean(True))


def _expect(call: Call, agree: Agreement) -> tuple[()]:
    return expect(call, call.tensor(0), call.tensor(1), agree)


def _shape_assertion(call: Call) -> Values:
    """Raise an error with `error_message` unless assert_what is true; {0}, {1}, ... in the message stand for
    the other operands."""
    assert_what, *inputs = call.tensors
    if assert_what.numpy().all():
        return ()
    numbers = [str(value.numpy().tolist()) for value in inputs]

    def number(match: re.Match[str]) -> str:
        index = int(match[1])
        return numbers[index] if index < len(numbers) else match[0]

    message = str(call.attributes.plain().get("error_message"))
    raise EvaluationError(re.sub(r"\{(\d+)[^{}]*\}", number, message))


def _buffer(call: Call) -> Value:
    """A buffer of unspecified contents: zeros."""
    type_ = call.result()
    return build(type_.dims, type_.element_type, lambda _: Element.from_bits(type_.element_type, 0))


CUSTOM_CALLS: dict[str, CustomCall] = {
    "CreateBuffer": _buffer,
    "Pin": lambda call: call.tensor(),
    "Unpin": lambda call: call.tensor(),
    "check.eq": _check_eq,
    "check.expect_almost_eq": lambda call: _expect(call, almost_equal(CALL_TOLERANCE)),
    "check.expect_close": lambda call: _expect(call, close(0, CALL_ULPS)),
    "check.expect_eq": lambda call: _expect(call, equal),
    "shape_assertion": _shape_assertion,
}
