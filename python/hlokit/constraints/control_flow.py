"""Strict checks of operations with regions: values that enter and leave a region have exactly equal types.

The bindings ignore scales and zero points when they compare types.
"""

from __future__ import annotations

from itertools import combinations

from hlokit.constraints.checks import Checks
from hlokit.constraints.types import (
    all_agree,
    arguments,
    element_type,
    operands,
    results,
    returned,
    spelled,
    terminator,
)
from hlokit.mlir.provider.bindings import ir
from hlokit.values.types import TensorType, ValueType


def _unequal(what: str, left: list[ValueType], right: list[ValueType]) -> str | None:
    return None if all_agree(left, right) else f"{what}, got {spelled(left)} and {spelled(right)}"


def branches(operation: ir.Operation) -> str | None:
    """All branches return the same types.

    The bindings compare each branch with the first, so a `?` in the first branch allows different sizes in
    the others.
    """
    types = [returned(operation, index) for index in range(len(operation.regions))]
    for one, other in combinations(range(len(types)), 2):
        fault = _unequal(f"branches {one} and {other} must return the same types", types[one], types[other])
        if fault is not None:
            return fault
    return None


def branch_results(operation: ir.Operation) -> str | None:
    """The results have the types that the first branch returns."""
    return _unequal(
        "results must be of the types that a branch returns", results(operation), returned(operation)
    )


def while_condition(operation: ir.Operation) -> str | None:
    """The condition takes the operands."""
    return _unequal("cond must take the operands", arguments(operation, 0), operands(operation))


def while_body(operation: ir.Operation) -> str | None:
    """The body takes the operands and returns their types."""
    types = operands(operation)
    taken = _unequal("body must take the operands", arguments(operation, 1), types)
    return taken or _unequal("body must return the types of the operands", returned(operation, 1), types)


def results_of_operands(operation: ir.Operation) -> str | None:
    """Each result has the type of its operand."""
    return _unequal("results must be of the types of the operands", results(operation), operands(operation))


def map_computation(operation: ir.Operation) -> str | None:
    """The computation takes tensors, and the result has the element type that the computation returns."""
    # The bindings accept every shaped type as a tensor.
    odd = [type_ for type_ in arguments(operation) if not isinstance(type_, TensorType)]
    if odd:
        return f"computation must take tensors, got {odd[0]}"
    computed, result = element_type(returned(operation)[0]), element_type(results(operation)[0])
    if computed == result:
        return None
    return f"result must have the element type that computation returns, got {result} and {computed}"


def async_arguments(operation: ir.Operation) -> str | None:
    """The operation in the body takes the body's arguments in order."""
    block = operation.regions[0].blocks[0]
    inner = block.operations[0].operation
    if list(inner.operands) == list(block.arguments):
        return None
    return f"the operation in body, {inner.name}, must take the arguments of body in their order"


def async_result(operation: ir.Operation) -> str | None:
    """The body returns the result of its operation."""
    inner = operation.regions[0].blocks[0].operations[0].operation
    if list(terminator(operation).operands) == list(inner.results):
        return None
    return f"body must return what its operation, {inner.name}, returns"


CHECKS: Checks = {
    "if": {"C2": branches, "C3": branch_results},
    "case": {"C3": branches, "C4": branch_results},
    "while": {"C1": while_condition, "C2": while_body, "C3": results_of_operands},
    "map": {"C4": map_computation},
    "sort": {"C2": results_of_operands},
    "async_start": {"C3": async_arguments, "C4": async_result},
}
