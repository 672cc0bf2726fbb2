"""Sizes of dimensions: get_dimension_size, set_dimension_size and the custom call shape_assertion."""

from __future__ import annotations

import re
from weakref import ref

import numpy as np

from hlokit.engine.contract.custom_calls import CustomCall, builtin_custom_call
from hlokit.engine.contract.registry import Constant, Kernel, Operation, Value
from hlokit.engine.contract.run_context import current
from hlokit.errors import EvaluationError

# `{index}`, optionally followed by a layout and a format, which integers do not use: `{index,layout:format}`.
_PLACEHOLDER = re.compile(r"\{(\d+)[^{}]*\}")


def get_dimension_size(operation: Operation) -> Kernel | Constant:
    """spec "get_dimension_size": result = dim(operand, dimension)."""
    dimension = operation.attributes.int_("dimension")
    size = operation.operand().dims[dimension]
    if size >= 0:
        return Constant(np.int32(size))

    def kernel(operand: Value) -> np.int32:
        return np.int32(operand.shape[dimension])

    return Kernel(kernel)


def set_dimension_size(operation: Operation) -> Kernel:
    """Not in the spec: result = the first `size` elements of operand along `dimension`.

    A bounded dimension grows up to its bound. As in XLA, a set_dimension_size of the result of another one
    finds the elements that the other one left out. After other operations these elements are zeros; in XLA,
    such operations compute them as well.
    """
    dimension, type_ = operation.attributes.int_("dimension"), operation.operand()
    result_size = operation.result().dims[dimension]
    before = (slice(None),) * dimension

    def kernel(operand: Value, size: Value) -> Value:
        most, wanted = type_.largest_size(dimension, operand.shape), int(size)
        if not 0 <= wanted <= most:
            raise EvaluationError(f"size must be from 0 to {most}, got {wanted}")
        if result_size >= 0 and wanted != result_size:
            raise EvaluationError(f"size must be {result_size}, as the result type says, got {wanted}")
        if wanted == operand.shape[dimension]:
            return operand
        whole = _whole(operand, dimension, wanted)
        part = whole[(*before, slice(0, wanted))]
        _remember(part, dimension, whole)
        return part

    return Kernel(kernel)


def _whole(operand: Value, dimension: int, wanted: int) -> Value:
    """An array that begins with the operand and has at least the wanted size."""
    remembered = current().wholes.get(id(operand))
    if remembered is not None:
        part, along, whole = remembered
        if part() is operand and along == dimension and whole.shape[along] >= wanted:
            return whole
    missing = wanted - operand.shape[dimension]
    if missing <= 0:
        return operand
    shape = (*operand.shape[:dimension], missing, *operand.shape[dimension + 1 :])
    return np.concatenate([operand, np.zeros(shape, operand.dtype)], dimension)


def _remember(part: Value, dimension: int, whole: Value) -> None:
    """Remember what a part belongs to, as long as the part lives."""
    wholes, number = current().wholes, id(part)
    wholes[number] = ref(part, lambda _: wholes.pop(number, None)), dimension, whole


@builtin_custom_call("shape_assertion")
def shape_assertion(assert_what: Value, *error_message_inputs: Value, call: CustomCall) -> tuple[()]:
    """Raise `error_message` unless all elements of assert_what are true; {0}, {1}, ... in it are the other
    operands."""
    if np.all(assert_what):
        return ()
    numbers = [str(np.asarray(value).tolist()) for value in error_message_inputs]

    def number(match: re.Match[str]) -> str:
        index = int(match[1])
        return numbers[index] if index < len(numbers) else match[0]

    raise EvaluationError(_PLACEHOLDER.sub(number, str(call.attributes.get("error_message"))))
