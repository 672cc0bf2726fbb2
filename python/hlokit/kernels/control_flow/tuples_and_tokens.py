"""Tuples, tokens and barriers: operations that order or bundle values and compute nothing."""

from __future__ import annotations

from operator import itemgetter

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.values.tensor import Token


def _first(value: Value) -> Value:
    return value


def _all(*values: Value) -> tuple[Value, ...]:
    return values


def _token(*inputs: Value) -> Token:
    return Token()


def optimization_barrier(operation: Operation) -> Kernel:
    """spec "optimization_barrier": result = operand."""
    if len(operation.operand_types) == 1:
        return Kernel(_first, pointwise=True, source="{0}")
    return Kernel(_all, pointwise=True)


def tuple_(operation: Operation) -> Kernel:
    """spec "tuple": result = (val...)."""
    return Kernel(_all)


def after_all(operation: Operation) -> Kernel:
    """spec "after_all": result = a token after all inputs. `create_token` is after_all without inputs."""
    return Kernel(_token)


def get_tuple_element(operation: Operation) -> Kernel:
    """spec "get_tuple_element": result = operand[index]."""
    return Kernel(itemgetter(operation.attributes.int_("index")))
