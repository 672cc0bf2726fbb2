"""Shardy's operations, which say how tensors are split among devices: of one device they change nothing.

Programs that a partitioner has split do not have them any more.
"""

from __future__ import annotations

from typing import NoReturn

from hlokit.errors import UnsupportedError
from hlokit.interpreter.registry import Kernel, Operation, Value, op


def _same(operand: Value) -> Value:
    return operand


def _nothing(*_: Value) -> tuple[()]:
    return ()


@op(
    "sdy.all_gather",
    "sdy.all_slice",
    "sdy.data_flow_edge",
    "sdy.propagation_barrier",
    "sdy.reshard",
    "sdy.sharding_constraint",
)
def marker(operation: Operation) -> Kernel:
    """result = operand, whose global value resharding does not change."""
    return Kernel(_same, pointwise=True, source="{0}")


@op("sdy.sharding_group")
def sharding_group(operation: Operation) -> Kernel:
    """Says that tensors are to be split alike; no results."""
    return Kernel(_nothing)


@op("sdy.named_computation")
def named_computation(operation: Operation) -> Kernel:
    """results = body(operands...)."""
    (body,) = operation.regions
    return Kernel(body)


@op("sdy.manual_computation")
def manual_computation(operation: Operation) -> Kernel:
    """results = body(operands...) on each device, with the parts that belong to it.

    Of devices along axes of size 1 the parts are the whole tensors. Other programs must be partitioned first.
    """
    (body,) = operation.regions
    if body.argument_types != operation.operand_types:

        def split(*_: Value) -> NoReturn:
            raise UnsupportedError(
                "the body takes parts of its operands: programs must be partitioned before"
            )

        return Kernel(split)
    return Kernel(body)
